"""Style dice from the session's awards to its end, through the pages (PS-35, PS-40 to PS-46)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.services.setting import last_change
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest, PendingAllocation, PoolTransfer
from play.services import contests, pools
from rules.sheet import Damage, Gain, Spend
from tests import laid
from tests.conftest import refusal
from tests.html_forms import Page
from tests.play.conftest import body, trait
from tests.play.pdq_sharp.conftest import from_line, suffers

pytestmark = pytest.mark.django_db


class Dice:
    """The page of style dice, and what is done on it."""

    def __init__(self, campaign: Any) -> None:
        self.campaign, self.contest = campaign, Contest.objects.get(kind="pdq_sharp.style_dice", over=False)
        self.at = f"/c/{campaign.slug}/contests/{self.contest.pk}/"

    def act(self, who: Client, action: str, by: Any = "gm", expect: int = 302, **said: Any) -> str:
        answer = who.post(f"{self.at}{action}/{getattr(by, 'pk', by)}/", body(**said), follow=expect == 302)
        status = answer.redirect_chain[0][1] if expect == 302 and answer.redirect_chain else answer.status_code
        assert status == expect, answer.content.decode()
        assert not list(differences(self.campaign.pk))
        return str(answer.content.decode())


def held(character: Character) -> int:
    """The style dice of somebody."""
    return sum(pool.value for pool in character.pools.filter(name="style_dice"))


def ways() -> list[tuple[str, str, int, str]]:
    """Every way so far: from, to, how many, why; a character by name."""
    def side(pool: str, who: Character | None) -> str:
        return who.name if who else pool or "box"

    return [(side(way.source_pool, way.source_character), side(way.target_pool, way.target_character), way.amount,
             way.why) for way in PoolTransfer.objects.select_related("source_character", "target_character").order_by(
                 "seq", "pk")]


@laid.fixture
def table(campaign: Any, session: None) -> Dice:
    return Dice(campaign)


@laid.fixture
def rich(table: Dice, as_alice: Client, perpetua: Character) -> Dice:
    """Perpetua has three dice from a misfortune."""
    table.act(as_alice, "misfortune", to=str(perpetua.pk), dice="3", words="The cell door falls shut")
    return table


def test_ps_40_the_bowl_is_twice_the_players_and_the_gm(campaign: Any, table: Dice, as_bob: Client) -> None:
    assert pools.held(campaign, "bowl") == 4
    page = as_bob.get(table.at).content.decode()
    assert "no end" in page and "No die has moved yet" in page


def test_ps_41_the_awards_of_the_start_are_a_checklist(
    table: Dice, as_alice: Client, as_bob: Client, perpetua: Character
) -> None:
    page = as_alice.get(table.at).content.decode()
    assert "Brought snacks or drinks" in page and "Brought snacks" not in as_bob.get(table.at).content.decode()
    page = table.act(as_alice, "award", here=[str(perpetua.pk)], snacks=[str(perpetua.pk)], hosting=["gm"])
    assert held(perpetua) == 2 and pools.held(table.campaign, "gm_style_dice") == 1
    assert sorted(ways()) == sorted([("box", "Perpetua Vane", 1, "Showed up"), ("box", "gm_style_dice", 1, "Hosted"),
                                     ("box", "Perpetua Vane", 1, "Brought snacks or drinks")])
    assert "Showed up" in page and "3 taken out so far" in page
    table.act(as_alice, "award", expect=409, here=[str(perpetua.pk)])


def test_ps_41_good_form_and_the_plot_come_from_the_bowl(table: Dice, as_alice: Client, perpetua: Character) -> None:
    table.act(as_alice, "good_form", to=str(perpetua.pk), dice="3", words="Down the chandelier, hat in hand")
    table.act(as_alice, "plot", to=str(perpetua.pk), words="The Margrave has a twin")
    assert held(perpetua) == 4 and pools.held(table.campaign, "bowl") == 0
    assert ways()[0] == ("bowl", "Perpetua Vane", 3, "Good form: Down the chandelier, hat in hand")
    assert "Empty: the GM gives from the box after a gift." in as_alice.get(table.at).content.decode()
    table.act(as_alice, "good_form", expect=409, to=str(perpetua.pk), dice="1", words="Again")


def test_ps_41_misfortune_is_three_at_least_and_asks_after_two(
    table: Dice, as_alice: Client, perpetua: Character
) -> None:
    woe = {"to": str(perpetua.pk), "words": "A trapdoor"}
    table.act(as_alice, "misfortune", expect=422, dice="2", **woe)
    for _ in range(2):
        table.act(as_alice, "misfortune", dice="3", **woe)
    assert "had 2 in this session already" in table.act(as_alice, "misfortune", expect=422, dice="3", **woe)
    table.act(as_alice, "misfortune", dice="4", sure="on", **woe)
    assert held(perpetua) == 10


def test_ps_42_a_foible_is_offered_raised_and_taken(
    table: Dice, as_alice: Client, as_bob: Client, perpetua: Character
) -> None:
    foible = f"{perpetua.pk}/{trait(perpetua, 'Must have the last word').pk}"
    table.act(as_alice, "offer", foible=foible, dice="1", words="You answer the Margrave aloud")
    page = as_bob.get(table.at).content.decode()
    assert "Take 1" in page and "You have 0, and then 1" in page and "You answer the Margrave aloud" in page
    number = table.act(as_alice, "raise_offer", expect=422, number="1", dice="1") and "1"
    table.act(as_alice, "raise_offer", number=number, dice="2")
    table.act(as_bob, "take", perpetua)
    assert held(perpetua) == 2 and ways()[-1][0] == "box"


def test_ps_42_refusing_costs_nothing_and_is_the_players_to_say(
    table: Dice, as_alice: Client, as_bob: Client, alices: Any, perpetua: Character
) -> None:
    foible = f"{perpetua.pk}/{trait(perpetua, 'Must have the last word').pk}"
    table.act(as_alice, "offer", foible=foible, dice="3", words="You shout")
    table.act(as_alice, "take", perpetua, expect=409)
    now = {"campaign": table.campaign, "contest_id": table.contest.pk, "client_seed": "", "given": {}}
    assert refusal(contests.act, **now, actor=alices, by=str(perpetua.pk), action="take") == (
        "", "Only Bob can say this for Perpetua Vane.")
    table.act(as_bob, "refuse", perpetua)
    assert not held(perpetua) and not ways()


def test_ps_42_a_player_says_that_a_foible_came_up(
    table: Dice, as_alice: Client, as_bob: Client, perpetua: Character
) -> None:
    table.act(as_bob, "claim", perpetua, foible=str(trait(perpetua, "Must have the last word").pk), words="I shouted")
    assert "Waiting for the GM" in as_bob.get(table.at).content.decode()
    table.act(as_alice, "grant", number="1", dice="2")
    assert held(perpetua) == 2 and "I shouted" in ways()[0][3]


def test_ps_43_a_gift_and_one_more_into_the_bowl(
    rich: Dice, as_alice: Client, as_bob: Client, perpetua: Character, campaign: Any
) -> None:
    page = rich.act(as_bob, "gift", perpetua, to="gm", dice="1", words="More of the twins")
    assert "More of the twins" in page and pools.held(campaign, "gm_style_dice") == 1 and held(perpetua) == 2
    assert "Indeed, good form" in as_alice.get(rich.at).content.decode()
    rich.act(as_alice, "answer")
    assert pools.held(campaign, "bowl") == 5 and ways()[-1] == ("box", "bowl", 1, "Indeed, good form")
    rich.act(as_alice, "answer", expect=409)
    rich.act(as_bob, "gift", perpetua, to="gm", dice="3", words="All", expect=422)


def test_ps_35_a_second_wind_brings_ranks_back(
    rich: Dice, as_bob: Client, perpetua: Character, campaign: Any, dice: list[int]
) -> None:
    suffers(campaign, Damage(str(trait(perpetua, "Gambler").pk), 2))
    dice.append(5)
    rich.act(as_bob, "second_wind", perpetua)
    owed = PendingAllocation.objects.get()
    assert (owed.type, owed.amount) == ("recovery", 2) and held(perpetua) == 2 and pools.held(campaign, "bowl") == 5
    page = as_bob.get(f"/c/{campaign.slug}/to-place/{owed.pk}/")
    assert page.status_code == 200 and "Gambler" in page.content.decode()
    assert "Fencing" not in page.content.decode().partition("<main")[2]
    spread = {f"on_{trait(perpetua, 'Gambler').pk.hex}": "2"}
    assert as_bob.post(f"/c/{campaign.slug}/to-place/{owed.pk}/", body(**spread)).status_code == 302
    assert trait(perpetua, "Gambler").damage == 0


def test_ps_34_anybody_raises_the_mostly_dead(
    rich: Dice, as_alice: Client, as_bob: Client, perpetua: Character, corvin: Character, campaign: Any
) -> None:
    fortes = corvin.traits.filter(kind__in=("motivation", "past", "swashbuckling", "forte"))
    suffers(campaign, *(Damage(str(forte.pk), forte.value + 2) for forte in fortes),
            Gain(str(corvin.pk), "fallen", "Mostly dead", 1))
    low = [f"{corvin.pk}/{trait.pk}" for trait in corvin.traits.filter(damage__gt=0)]
    assert len(low) == 5
    rich.act(as_bob, "raise", perpetua, expect=422, fortes=low)  # five dice, and three are there
    rich.act(as_bob, "raise", perpetua, fortes=low[:3])
    assert held(perpetua) == 0 and corvin.traits.filter(kind="fallen").exists()
    rich.act(as_alice, "set_dice", to=str(corvin.pk), dice="3")
    rich.act(as_alice, "raise", corvin, fortes=low[3:])
    assert not corvin.traits.filter(kind="fallen").exists() and held(corvin) == 1
    assert corvin.traits.get(kind="hook").note == "Raised from mostly dead"
    assert {trait.value - trait.damage for trait in corvin.traits.filter(damage__gt=0)} == {-1}


def test_ps_44_facts_and_people_are_paid_into_the_bowl(
    rich: Dice, as_bob: Client, as_alice: Client, perpetua: Character, campaign: Any
) -> None:
    rich.act(as_bob, "fact", perpetua, weight="minor", words="The tavern knows me")
    rich.act(as_bob, "fact", perpetua, weight="significant", words="I once danced with the Empress")
    rich.act(as_bob, "named_npc", perpetua, name="Herman", words="keeps the bar")
    assert Character.objects.get(name="Herman").npc and held(perpetua) == 1 and pools.held(campaign, "bowl") == 6
    refused = rich.act(as_bob, "fact", perpetua, expect=422, weight="major", words="A sewer leads in")
    assert "This takes 2 style dice; you have 1." in refused
    rich.act(as_bob, "fact", perpetua, weight="major", words="A sewer leads in", pool="on")
    assert held(perpetua) == 1 and "1 still to pay" in as_bob.get(rich.at).content.decode()
    page = as_bob.get(f"/c/{campaign.slug}/facts/").content.decode()
    assert "I once danced with the Empress" in page and "A significant fact, 1 style die" in page
    rich.act(as_alice, "good_form", to=str(perpetua.pk), dice="1", words="Brave")
    rich.act(as_bob, "chip_in", perpetua, fact="4", dice="1")
    assert held(perpetua) == 0 and ways()[-1] == ("Perpetua Vane", "bowl", 2, "A major fact: A sewer leads in")


def test_ps_44_a_die_is_promised_to_one_fact_alone(rich: Dice, as_bob: Client, perpetua: Character) -> None:
    for words in ("A sewer leads in", "The guard drinks", "The moon is dark"):
        rich.act(as_bob, "fact", perpetua, weight="major", words=words, pool="on")
    refused = rich.act(as_bob, "fact", perpetua, expect=422, weight="major", words="The king is ill", pool="on")
    assert "You have 3, and promised 3 of them." in refused and "The king is ill" in refused


def test_ps_44_the_facts_of_who_has_died_are_nobody_elses(
    rich: Dice, as_alice: Client, as_bob: Client, perpetua: Character
) -> None:
    rich.act(as_bob, "fact", perpetua, weight="significant", words="The guard drinks")
    assert "A significant fact, Perpetua Vane" in as_alice.get(rich.at).content.decode()
    dead = f"/c/{rich.campaign.slug}/characters/{perpetua.pk}/"
    assert Page(as_alice.get(dead)).form(action="/dead/").send(as_alice).status_code == 302
    page = as_alice.get(rich.at).content.decode()
    assert "The guard drinks" in page and "A significant fact<" in page


@pytest.mark.parametrize("claimed", [True, False])
def test_ps_42_the_foibles_of_who_has_died_are_their_own(
    rich: Dice, as_alice: Client, as_bob: Client, perpetua: Character, claimed: bool
) -> None:
    foible = trait(perpetua, "Must have the last word")
    if claimed:
        rich.act(as_bob, "claim", perpetua, foible=str(foible.pk), words="She mocked the Duke")
    else:
        rich.act(as_alice, "offer", foible=f"{perpetua.pk}/{foible.pk}", dice="1", words="She mocks the Duke")
    dead = f"/c/{rich.campaign.slug}/characters/{perpetua.pk}/"
    assert Page(as_alice.get(dead)).form(action="/dead/").send(as_alice).status_code == 302
    told = next(line.text for line in Page(as_bob.get(rich.at)).of_class("aside-note") if foible.name in line.text)
    assert "Perpetua Vane" in told and "the GM’s foible" not in told and "offers the GM" not in told
    assert "Waiting for the GM" not in told, "the GM is not asked any more"


def test_ps_43_nothing_goes_to_who_was_given_dice_and_died(
    rich: Dice, as_alice: Client, perpetua: Character
) -> None:
    rich.act(as_alice, "good_form", to=str(perpetua.pk), dice="1", words="Brave")
    assert "direct" in Page(as_alice.get(rich.at)).form(action="/answer/gm/").controls
    dead = f"/c/{rich.campaign.slug}/characters/{perpetua.pk}/"
    assert Page(as_alice.get(dead)).form(action="/dead/").send(as_alice).status_code == 302
    form = Page(as_alice.get(rich.at)).form(action="/answer/gm/")
    assert "direct" not in form.controls and form.send(as_alice).status_code == 302


def test_ps_44_an_npc_gets_a_forte_and_a_technique(
    rich: Dice, as_bob: Client, perpetua: Character, corvin: Character
) -> None:
    rich.act(as_bob, "npc_forte", perpetua, npc=str(corvin.pk), name="Debts", rank="1")
    rich.act(as_bob, "npc_technique", perpetua, npc=str(corvin.pk), name="Vain of his hat")
    assert held(perpetua) == 0 and trait(corvin, "Debts").value == 1
    assert trait(corvin, "Vain of his hat").kind == "technique"


def test_ps_44_a_temporary_forte_goes_with_the_session(
    rich: Dice, as_alice: Client, as_bob: Client, perpetua: Character, campaign: Any
) -> None:
    rich.act(as_bob, "temporary", perpetua, type="gear", name="A good horse", rank="1")
    assert held(perpetua) == 1 and trait(perpetua, "A good horse").kind == "temporary"
    sheet = as_bob.get(f"/c/{campaign.slug}/characters/{perpetua.pk}/").content.decode()
    assert "A good horse" in sheet and "It can be stolen." in sheet
    close(as_alice, campaign)
    assert not perpetua.traits.filter(kind="temporary").exists()


def close(as_alice: Client, campaign: Any) -> None:
    assert as_alice.post(f"/c/{campaign.slug}/scene/close/", body()).status_code == 302
    assert as_alice.post(f"/c/{campaign.slug}/chronicle/close/", body(title="", recap="")).status_code == 302
    assert not list(differences(campaign.pk))


def test_ps_45_all_style_dice_go_with_the_session_after_a_warning(
    rich: Dice, as_alice: Client, as_bob: Client, perpetua: Character, campaign: Any
) -> None:
    assert "Your 3 go when the session ends." in as_bob.get(rich.at).content.decode()
    rich.act(as_alice, "last_call")
    warned = as_alice.get(f"/c/{campaign.slug}/chronicle/close/").content.decode()
    assert "Perpetua Vane still holds 3 style dice." in warned
    close(as_alice, campaign)
    assert held(perpetua) == 0 and pools.held(campaign, "bowl") == 0
    assert ("Perpetua Vane", "box", 3, "The session ends") in ways()
    rich.contest.refresh_from_db()
    assert rich.contest.over
    assert as_alice.post(f"/c/{campaign.slug}/chronicle/open/", body(title="")).status_code == 302
    assert Dice(campaign).contest != rich.contest and pools.held(campaign, "bowl") == 4


def test_ps_45_the_gm_spends_for_npcs_own_dice_first(
    table: Dice, as_alice: Client, corvin: Character, campaign: Any, dice: list[int]
) -> None:
    table.act(as_alice, "award", hosting=["gm"])
    table.act(as_alice, "set_dice", to=str(corvin.pk), dice="1")
    table.act(as_alice, "temporary", corvin, type="gear", name="A warrant", rank="1")
    assert held(corvin) == 0 and pools.held(campaign, "gm_style_dice") == 0


def test_ps_46_the_tables_own_phrase(as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character) -> None:
    page = as_alice.get(f"/c/{campaign.slug}/settings/").content.decode()
    assert "What you say for style" in page
    sent = {f"setting-{name}": value for name, value in campaign.settings.items()}
    sent |= {"setting-acclaim": "own", "setting-own_acclaim": "Zounds"}
    answer = as_alice.post(f"/c/{campaign.slug}/settings/", body(
        base=last_change(campaign), name=campaign.name, pitch="", **sent))
    assert answer.status_code == 302, answer.content.decode()
    assert as_alice.post(f"/c/{campaign.slug}/chronicle/open/", body(title="")).status_code == 302
    dice = Dice(campaign)
    dice.act(as_alice, "good_form", to=str(perpetua.pk), dice="1", words="The hat")
    assert "Zounds: give of yours" in as_bob.get(dice.at).content.decode() and ways()[0][3] == "Zounds: The hat"


def test_somebody_who_comes_later_is_in_it(table: Dice, as_alice: Client, campaign: Any, bobs: Any) -> None:
    late = from_line(campaign, bobs, "Otto, Sailing good", player=bobs)
    table.act(as_alice, "good_form", to=str(late.pk), dice="1", words="In through the window")
    assert held(late) == 1


def test_ps_40_the_bowl_counts_people_not_their_characters(
    as_alice: Client, campaign: Any, perpetua: Character, bobs: Any, alices: Any
) -> None:
    """Alice runs the game and plays one besides; Bob plays two: that is two people."""
    from_line(campaign, bobs, "Otto, Sailing good", player=bobs)
    from_line(campaign, alices, "Lady Quill, Courtesy good", player=alices)
    assert as_alice.post(f"/c/{campaign.slug}/chronicle/open/", body(title="")).status_code == 302
    assert pools.held(campaign, "bowl") == 4


def test_ps_40_whose_dice_they_are_is_said_by_name(
    table: Dice, as_alice: Client, as_bob: Client, perpetua: Character, bobs: Any, corvin: Character
) -> None:
    table.act(as_alice, "set_dice", to=str(corvin.pk), dice="1")
    page = as_alice.get(table.at).content.decode()
    assert f'<span class="meta">{bobs}</span>' in page and '<span class="meta">NPC</span>' in page
    assert f'<span class="meta">{bobs}, you</span>' in as_bob.get(table.at).content.decode()


def test_ps_41_the_awards_are_asked_for_at_the_start_and_no_longer(
    table: Dice, as_alice: Client, perpetua: Character, campaign: Any
) -> None:
    bar = "give the session’s awards"
    assert bar in as_alice.get(f"/c/{campaign.slug}/").content.decode()
    table.act(as_alice, "no_awards")
    assert bar not in as_alice.get(f"/c/{campaign.slug}/").content.decode() and not ways()
    table.act(as_alice, "award", expect=409, here=[str(perpetua.pk)])


def test_ps_05_a_sidekick_grows_by_style_dice_and_by_training(
    rich: Dice, as_bob: Client, campaign: Any, perpetua: Character
) -> None:
    suffers(campaign, Gain(str(perpetua.pk), "sidekick", "Tib", 1), Spend(str(perpetua.pk), "training_points", 12))
    tib = trait(perpetua, "Tib")
    rich.act(as_bob, "sidekick_forte", perpetua, sidekick=str(tib.pk), name="Lookout", rank="0")
    rich.act(as_bob, "sidekick_rank", perpetua, forte=str(trait(perpetua, "Lookout").pk))
    rich.act(as_bob, "sidekick_technique", perpetua, forte=str(trait(perpetua, "Lookout").pk), name="At night")
    lookout = trait(perpetua, "Lookout")
    assert (lookout.kind, lookout.value, lookout.parent) == ("sidekick_forte", 1, tib) and held(perpetua) == 0
    at = f"/c/{campaign.slug}/characters/{perpetua.pk}/grow/"
    assert "Tib: raise Lookout to Expert [+4], for 4" in as_bob.get(at).content.decode()
    for choice, name in ((f"raise:{lookout.pk}", ""), (f"within:{tib.pk}", "Knife")):
        assert as_bob.post(at, body(choice=choice, name=name, words="A hard winter")).status_code == 302
    assert trait(perpetua, "Lookout").value == 2 and trait(perpetua, "Knife").parent == tib
    assert perpetua.pools.get(name="training_points").value == 0 and not list(differences(campaign.pk))


def test_ps_43_a_gift_is_one_tap_on_whoever_gets_it(
    rich: Dice, as_alice: Client, as_bob: Client, perpetua: Character, corvin: Character
) -> None:
    page = as_bob.get(rich.at).content.decode()
    assert f'name="to" value="{corvin.pk}"' not in page and 'name="to" value="gm"' in page
    rich.act(as_bob, "gift", perpetua, to="gm", dice="1", words="")
    rich.act(as_alice, "good_form", to=str(perpetua.pk), dice="1", words="")
    assert [way[3] for way in ways()[-2:]] == ["Good form", "Good form"]
    assert "choose" in rich.act(as_bob, "gift", perpetua, expect=422, dice="1", words="").lower()


def test_ps_40_the_page_draws_what_the_bowl_began_with(
    rich: Dice, as_alice: Client, as_bob: Client, perpetua: Character
) -> None:
    assert 'class="spent"' not in as_bob.get(rich.at).content.decode(), "those from the box are not the bowl’s"
    rich.act(as_alice, "good_form", to=str(perpetua.pk), dice="1", words="Bowed first")
    page = as_bob.get(rich.at).content.decode()
    assert "Began with 4." in page and page.count('class="spent"') == 1
