"""Dice of a duel that stood at once: the GM strikes what a player counted in them until somebody does something, by the
pages' own forms (PS-10, PS-17, PS-28, PS-49)."""
from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Entry
from campaigns.services.undoing import take_back
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.services.reading_again import STAYS
from rules.sheet import Spend
from tests.html_forms import Form, Page
from tests.play.conftest import body
from tests.play.pdq_sharp.conftest import Duelling, from_line, suffers
from tests.play.pdq_sharp.test_duel_rules import setting
from tests.play.pdq_sharp.test_sharp_tray import lines, training

pytestmark = pytest.mark.django_db

FENCING, REPARTEE = "Nell Ash says: Fencing, Expert [+4] counts.", "Nell Ash says: Repartee, Good [+2] counts."


@pytest.fixture
def nell(campaign: Any, bobs: Any) -> Character:
    """Bob's: she has nothing to add to any dice."""
    return from_line(campaign, bobs, "Nell Ash, Fencing expert, Repartee good, Sailing good", player=bobs)


@pytest.fixture
def vey(campaign: Any, alices: Any) -> Character:
    """A villain who has nothing to add either."""
    return from_line(campaign, alices, "Captain Vey, villain, Fencing good", npc=True)


@pytest.fixture
def here(as_alice: Client, campaign: Any, nell: Character, vey: Character, guards: Character) -> None:
    assert as_alice.post(f"/c/{campaign.slug}/chronicle/open/", body(title="")).status_code == 302
    among = body(title="The bridge", characters=[str(one.pk) for one in (nell, vey, guards)])
    assert as_alice.post(f"/c/{campaign.slug}/scene/open/", among).status_code == 302
    campaign.refresh_from_db()


def faced(campaign: Any, as_alice: Client, dice: list[int], nell: Character, foe: Character) -> Duelling:
    duel = Duelling(campaign, as_alice, dice, [nell], foe)
    while duel.state.phase.value == "engage":
        first = duel.state.undecided[0].id
        duel.press(as_alice, "engage", first, foes=[str(foe.pk if first == str(nell.pk) else nell.pk)])
    return duel


def thrown(duel: Duelling, as_bob: Client, nell: Character, *fortes: str, hers: tuple[int, ...],
           theirs: tuple[int, ...], stance: str = "strong_attack") -> None:
    """A turn: two of the villain's dice attack, and so many of hers; all by the pages' forms."""
    duel.press(duel.alice, "stances", npc_0="strong_attack")
    first = [face for who in duel.state.engaged for face in (hers if who.id == str(nell.pk) else theirs)]
    duel.press(as_bob, "stance", nell, *first, stance=stance, fortes=lines(nell, *fortes))


def to_strike(client: Client, at: str) -> list[Form]:
    return Page(client.get(at)).matching(action="/dismiss/gm/")


def tap(client: Client, at: str, words: str) -> list[str]:
    """The GM's one tap, in sight; what the entry says."""
    page = Page(client.get(at))
    (form,) = page.matching(action="/dismiss/gm/")
    folded = [within for fold in page.of_tag("details") for within in fold.within() if within.tag == "form"]
    assert not [one for one in folded if one.attributes["action"].endswith("/dismiss/gm/")], "it stands in sight"
    assert form.send(client, next(button for button in form.buttons if button.words == words)).status_code == 302
    told = json.loads(Entry.objects.latest("seq").payload.text)
    assert told["kind"] == "contest.dismiss" and told["dice"] is None
    assert told["title"] == f"The GM strikes what counted: {words}"
    return [step["text"] for step in told["outcome"]["steps"]]


def words_of(forms: list[Form]) -> list[str]:
    return [button.words for form in forms for button in form.buttons]


def style(nell: Character) -> int:
    return sum(nell.pools.filter(name="style_dice").values_list("value", flat=True))


def bowl(campaign: Any) -> int:
    return int(campaign.shared_pools.get(name="bowl").value)


def wounds(duel: Duelling) -> dict[str, int]:
    return {duel.state.fencer(wound.who).name: wound.amount for wound in duel.state.wounds}


def test_ps_23_dice_that_stood_at_once_are_read_again_twice_until_damage_is_assigned(
    as_alice: Client, as_bob: Client, as_charlie: Client, campaign: Any, here: None, nell: Character, vey: Character,
    dice: list[int]
) -> None:
    duel = faced(campaign, as_alice, dice, nell, vey)
    thrown(duel, as_bob, nell, "Fencing", "Repartee", hers=(2, 2, 2), theirs=(5, 5, 5))
    assert duel.state.phase.value == "damage" and wounds(duel) == {"Nell Ash": 4, "Captain Vey": 3}
    assert training(nell) == 1 and words_of(to_strike(as_alice, duel.at)) == [FENCING, REPARTEE]
    for at in (duel.at, f"/c/{campaign.slug}/"):
        assert not to_strike(as_bob, at) and as_charlie.get(at).status_code == 404
    steps = tap(as_alice, duel.at, FENCING)
    assert ("Before: Nell Ash 10 against Captain Vey 7: a touch, 3; Captain Vey 12 against Nell Ash 8: a touch, 4. "
            "Now: Nell Ash 6 against Captain Vey 7: turned aside; Captain Vey 12 against Nell Ash 4: a touch, 8."
            ) in [step.replace("Volte-face: ", "") for step in steps]
    assert wounds(duel) == {"Nell Ash": 8} and training(nell) == 2, "the attack and the defence failed"
    assert words_of(to_strike(as_alice, duel.at)) == [REPARTEE]
    tap(as_alice, duel.at, REPARTEE)
    assert wounds(duel) == {"Nell Ash": 10} and training(nell) == 2 and not to_strike(as_alice, duel.at)
    assert not list(differences(campaign.pk))


def test_ps_23_what_somebody_has_done_since_stands_on_the_dice(
    as_alice: Client, as_bob: Client, campaign: Any, here: None, nell: Character, vey: Character, dice: list[int]
) -> None:
    duel = faced(campaign, as_alice, dice, nell, vey)
    thrown(duel, as_bob, nell, "Fencing", "Repartee", hers=(2, 2, 2), theirs=(5, 5, 5))
    (shown,) = to_strike(as_alice, duel.at)
    duel.press(as_alice, "place_npcs")
    assert not to_strike(as_alice, duel.at) and not duel.state.unread
    assert shown.send(as_alice, shown.buttons[0]).status_code != 302, "a form of before"
    assert wounds(duel) == {"Nell Ash": 4} and Entry.objects.latest("seq").kind == "contest.place_npcs"


def test_ps_14_what_was_learned_from_the_dice_and_has_changed_since_stands_on_them(
    as_alice: Client, as_bob: Client, campaign: Any, here: None, nell: Character, vey: Character, dice: list[int]
) -> None:
    duel = faced(campaign, as_alice, dice, nell, vey)
    thrown(duel, as_bob, nell, "Fencing", "Repartee", hers=(2, 2, 2), theirs=(5, 5, 5))
    fell = Entry.objects.latest("seq")
    suffers(campaign, Spend(str(nell.pk), "training_points", 1))
    assert duel.state.unread and not to_strike(as_alice, duel.at)
    with pytest.raises(Refused, match=f"Entry {fell.seq + 1} depends on this one"), trail.entry(
        campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="a.test", title="A test"
    ) as entry:
        take_back(entry, [fell], STAYS)
    assert training(nell) == 2


def test_ps_25_a_duel_that_ended_with_the_dice_goes_on_where_they_come_to_less(
    as_alice: Client, as_bob: Client, campaign: Any, here: None, nell: Character, guards: Character, dice: list[int]
) -> None:
    duel = faced(campaign, as_alice, dice, nell, guards)
    thrown(duel, as_bob, nell, "Fencing", "Repartee", hers=(1, 1, 6), theirs=(1, 1, 1, 1, 1))
    minions = guards.traits.get(kind="squad")
    assert duel.state.over and minions.damage == 5, "8 against 3: none of them stands"
    table = f"/c/{campaign.slug}/"
    assert words_of(to_strike(as_alice, table)) == words_of(to_strike(as_alice, duel.at)) == [FENCING, REPARTEE]
    assert not to_strike(as_bob, table) and not to_strike(as_bob, duel.at)
    (form,) = to_strike(as_alice, table)
    assert form.send(as_alice, form.buttons[0]).status_code == 302, "from its card"
    minions.refresh_from_db()
    assert minions.damage == 1 and not duel.state.over and duel.state.turn == 2
    tap(as_alice, duel.at, REPARTEE)
    minions.refresh_from_db()
    assert minions.damage == 0 and training(nell) == 1 and not list(differences(campaign.pk))


def test_ps_28_an_impasse_is_read_again_and_its_style_die_is_won_by_who_wins_then(
    as_alice: Client, as_bob: Client, campaign: Any, here: None, nell: Character, vey: Character, dice: list[int]
) -> None:
    duel = faced(campaign, as_alice, dice, nell, vey)
    thrown(duel, as_bob, nell, "Fencing", "Repartee", hers=(6, 6, 6), theirs=(1, 1, 6), stance="all_out_defence")
    assert duel.state.turn == 2 and words_of(to_strike(as_alice, duel.at)) == [FENCING, REPARTEE], "a turn began since"
    before = style(nell)
    duel.press(as_bob, "impasse", nell, 2, 2, 4, 4, foe=str(vey.pk))
    assert style(nell) == before + 1 and wounds(duel) == {"Captain Vey": 1}
    assert not to_strike(as_bob, duel.at)
    steps = tap(as_alice, duel.at, FENCING)
    assert any(step.startswith("Before: Nell Ash ") and " Now: Nell Ash 6; Captain Vey " in step for step in steps)
    assert style(nell) == before and wounds(duel) == {"Nell Ash": 1}
    tap(as_alice, duel.at, REPARTEE)
    assert style(nell) == before and wounds(duel) == {"Nell Ash": 1} and not list(differences(campaign.pk))


def test_ps_49_who_withstood_a_poison_falls_to_it_by_the_same_faces_and_has_paid_once(
    as_alice: Client, as_bob: Client, campaign: Any, here: None, nell: Character, vey: Character, dice: list[int]
) -> None:
    setting(as_alice, campaign, poison="kills")
    campaign.refresh_from_db()
    duel = faced(campaign, as_alice, dice, nell, vey)
    duel.press(as_alice, "envenom", whom=str(vey.pk), rank="1")
    thrown(duel, as_bob, nell, "Sailing", hers=(3, 3, 3), theirs=(5, 5, 5))
    suffers(campaign, Spend(str(nell.pk), "style_dice", 1))
    duel.press(as_bob, "withstand", nell, 1, 2, 1, fortes=lines(nell, "Fencing", "Repartee"), style="1")
    paid = bowl(campaign)
    assert not nell.traits.filter(kind="fallen") and style(nell) == 0 and duel.state.phase.value == "damage"
    points = training(nell)
    assert words_of(to_strike(as_alice, duel.at)) == [FENCING, REPARTEE] and not to_strike(as_bob, duel.at)
    steps = tap(as_alice, duel.at, REPARTEE)
    assert "Before: Nell Ash 9 against 9. Now: Nell Ash 7 against 9." in steps
    fallen = nell.traits.get(kind="fallen")
    assert fallen.note == "Poison" and style(nell) == 0 and training(nell) == points + 1
    tap(as_alice, duel.at, FENCING)
    assert nell.traits.filter(kind="fallen").count() == 1 and training(nell) == points + 1
    assert {trait.value - trait.damage for trait in nell.traits.filter(kind__in=("forte", "swashbuckling"))} == {-2}
    assert bowl(campaign) == paid and not list(differences(campaign.pk))
