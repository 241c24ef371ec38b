"""A duel played through its pages: three players against a villain and two squads, four browsers (PS-20 to PS-32)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

import verify
from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest
from tests import laid
from tests.conftest import join, logged_in, person
from tests.html_forms import Page
from tests.play.conftest import body, state_of
from tests.play.pdq_sharp.conftest import PERPETUA, from_line
from tests.play.pressing import read
from tests.verifier.conftest import exported
from tests.verifier.test_on_the_server import through
from tests.verifier.test_sound import RULES

pytestmark = pytest.mark.django_db


DUEL = "pdq_sharp.duel"


class Four:
    """Alice's browser, and three players' with their characters; a villain and two squads; taps are counted."""

    def __init__(self, campaign: Any, alice: Client) -> None:
        self.campaign, self.alice, self.taps = campaign, alice, 0
        self.players: dict[str, tuple[Client, Character]] = {}
        for name, hero in (("Bob", "Perpetua Vane"), ("Dora", "Matteo Brand"), ("Egon", "Zita Lorn")):
            user = person(name)
            member = join(campaign, user, "player")
            self.players[hero] = (logged_in(user), from_line(
                campaign, member, PERPETUA.replace("Perpetua Vane", hero), player=member))
        owner = campaign.members.get(user=campaign.members.get(role="owner").user)
        self.corvin = from_line(campaign, owner, "Corvin Ashgrove, villain, Fencing expert, Cunning good", npc=True)
        self.squads = [from_line(campaign, owner, f"squad of {many} {name}, good", npc=True)
                       for many, name in ((4, "guards"), (3, "bravos"))]
        people = [*(browser for _, browser in self.players.values()), self.corvin, *self.squads]
        assert alice.post(f"/c/{campaign.slug}/chronicle/open/", body(title="")).status_code == 302
        here = body(title="The water stairs", characters=[str(person.pk) for person in people])
        assert alice.post(f"/c/{campaign.slug}/scene/open/", here).status_code == 302
        campaign.refresh_from_db()

    def begin(self) -> None:
        page = self.alice.get(f"/c/{self.campaign.slug}/contests/start/duel/")
        sent = body(title="The water stairs", side_one="The party", side_two="The Margrave’s", conflict="physical",
                    harm="wound")
        for part in page.context["form"].parts:
            sent[part.side.html_name] = "one" if part.name in self.players else "two"
        answer = self.alice.post(f"/c/{self.campaign.slug}/contests/start/duel/", sent)
        assert answer.status_code == 302, answer.content.decode()

    @property
    def at(self) -> str:
        return f"/c/{self.campaign.slug}/contests/{Contest.objects.get(kind=DUEL).pk}/"

    @property
    def state(self) -> Any:
        return state_of(Contest.objects.select_related("campaign").prefetch_related("log").get(kind=DUEL))

    def page(self, client: Client) -> str:
        return read(client, self.at).content.decode()

    def press(self, client: Client, action: str, by: Any = "gm", **sent: Any) -> None:
        """Presses a button of a form as it stands on the page, with what is ticked and filled in there."""
        forms = [*(page := read(client, self.at)).context["acts"], *page.context["rulings"]]
        who = by if by == "gm" else str(by)
        form = next(form for form in forms if (form.offer.action, form.offer.by or "gm") == (action, who))
        assert f"{action}/{who}/" in page.content.decode(), f"{action} has no form on the page"
        filled = {field.html_name: field.value() for field in form if not field.is_hidden and field.value() is not None}
        answer = client.post(f"{self.at}{action}/{who}/", body(**{**filled, **sent}))
        assert answer.status_code == 302, answer.content.decode()
        self.taps += 1

    def play(self, turns: int = 3) -> dict[tuple[int, str], int]:
        """Plays until that turn is over, each doing what is asked; answers the taps by turn and who."""
        counted: dict[tuple[int, str], int] = {}
        for _ in range(200):
            state = self.state
            if state.over or state.turn > turns:
                return counted
            name = self.once(state)
            counted[state.turn, name] = counted.get((state.turn, name), 0) + 1
        raise AssertionError("it does not come to an end")

    def once(self, state: Any) -> str:
        """One thing that is asked: of the GM first."""
        gm = self.alice.get(self.at).context["rulings"]
        for form in gm:
            if form.offer.action in ("engage_npcs", "stances", "stand_npcs", "place_npcs", "throw"):
                self.press(self.alice, form.offer.action)
                return "the GM"
        for name, (client, _) in self.players.items():
            for form in client.get(self.at).context["acts"]:
                if form.offer.title == "Engage a second foe":
                    continue
                if form.offer.action in ("engage", "stance", "stand", "place", "end_here", "hold_back", "accept"):
                    more = {"stance": "strong_attack"} if form.offer.action == "stance" else {}
                    self.press(client, form.offer.action, form.offer.by, **more)
                    return name
        raise AssertionError(f"nobody can do anything: {state.phase}")


@laid.fixture
def four(as_alice: Client, campaign: Any) -> Four:
    table = Four(campaign, as_alice)
    table.begin()
    return table


def test_ps_20_three_players_against_a_villain_and_two_squads_within_four_taps_a_turn(four: Four) -> None:
    counted = four.play(1)
    assert {name for _, name in counted} >= {"the GM", *four.players}
    assert max(many for (_, name), many in counted.items() if name != "the GM") <= 4
    assert four.state.turn == 2 or four.state.over
    assert not list(differences(four.campaign.pk))
    four.campaign.refresh_from_db()
    assert not through(four.campaign).fault
    report = verify.verify(exported(four.campaign, four.campaign.members.get(role="owner")), rules=RULES)
    assert report.outcomes, "no clash was worked out again"


def test_ps_22_four_buttons_with_exact_chances_and_no_split_before_all_have_chosen(four: Four) -> None:
    client, hero = four.players["Perpetua Vane"]
    while four.state.phase.value == "engage":
        four.once(four.state)
    page = four.page(client)
    assert page.count('name="stance" value=') == 4 and "be touched" in page
    assert page.count('class="likely"') >= 64, "a bar under each chance"
    four.press(client, "stance", hero.pk, stance="all_out_attack", words="Straight at the heart")
    sealed = Entry.objects.order_by("-seq").first()
    assert sealed is not None and sealed.audience not in ("all", "")
    other, _ = four.players["Matteo Brand"]
    for page in (four.page(other), four.page(four.alice)):
        assert "split chosen" in page and "Straight at the heart" not in page
        assert "All-out attack 3 | 0" not in page.partition('class="standing')[2].partition("What happened")[0]
    assert "Straight at the heart" not in other.get(f"/c/{four.campaign.slug}/trail/").content.decode()


def test_ps_21_who_faces_whom_is_drawn_and_can_be_heard(four: Four) -> None:
    while four.state.phase.value == "engage":
        four.once(four.state)
    page = four.page(four.alice)
    assert page.count('<figure class="bout') == len(four.state.bouts) == 3
    assert any(f"{name} faces" in page or f"faces {name}" in page for name in four.players)


def test_ps_17_after_the_dice_each_way_to_add_says_what_it_leads_to(four: Four) -> None:
    while four.state.phase.value != "ellipsis":
        four.once(four.state)
    asked = next((name for name, (client, _) in four.players.items() if "Let it stand" in four.page(client)), None)
    assert asked, "everyone has techniques"
    client, hero = four.players[asked]
    page = four.page(client)
    assert 'name="use_' in page and "touch <b>" in page and "given" in page
    before = four.state.throw_of(str(hero.pk))
    answer = client.post(f"{four.at}add/{hero.pk}/", body())
    assert (answer.status_code, four.state.throw_of(str(hero.pk))) == (422, before)
    assert "Choose something to add, or let it stand." in answer.content.decode()
    tool = page.partition('name="use_')[2].partition('"')[0]
    four.press(client, "add", hero.pk, **{f"use_{tool}": "die|"})
    assert len(four.state.throw_of(str(hero.pk)).bonus) == len(before.bonus) + 1
    assert "becomes" in client.get(four.at).content.decode() or "shows" in client.get(four.at).content.decode()


def test_ps_21_an_outsider_sees_nothing_and_a_player_does_not_act_for_another(four: Four) -> None:
    assert logged_in(person("Zoe")).get(four.at).status_code == 404
    client, _ = four.players["Perpetua Vane"]
    _, other = four.players["Matteo Brand"]
    answer = client.post(f"{four.at}stance/{other.pk}/", body(stance="strong_attack"))
    assert answer.status_code == 409 and not four.state.choices


def test_ps_22_the_page_reckons_what_is_ticked_before_the_dice_are_divided(four: Four) -> None:
    client, hero = four.players["Perpetua Vane"]
    while four.state.phase.value == "engage":
        four.once(four.state)
    page = Page(client.get(four.at))
    form = page.form(action=f"/stance/{hero.pk}/")
    told, offered = {}, form.controls["fortes"].offered
    for ticked in (offered[:1], offered):
        answer = client.post(f"{four.at}stance/{hero.pk}/odds/", form.filled(form.buttons[0], fortes=ticked))
        told[len(ticked)] = answer.content.decode()
    assert all("<table" in said and "be touched" in said and "to attack" in said for said in told.values())
    assert len({*told.values()}) == 2, "all that is ticked counts"


def test_ps_10_the_gm_strikes_a_forte_that_a_player_counts(four: Four) -> None:
    client, hero = four.players["Perpetua Vane"]
    while four.state.phase.value == "engage":
        four.once(four.state)
    counts = four.state.fencer(str(hero.pk)).fortes[0]
    four.press(four.alice, "strike", which=[f"{hero.pk}|{counts}"])
    form = Page(client.get(four.at)).form(action=f"/stance/{hero.pk}/")
    assert form.controls["fortes"].offered and counts not in form.controls["fortes"].offered
