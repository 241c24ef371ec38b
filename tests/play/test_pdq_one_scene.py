"""What holds for a whole scene of PDQ, and whose word a roll rests on: all by the pages' own forms."""
from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from characters.models import Character
from characters.services import lifecycle
from play.models import Contest, PendingAllocation
from play.services.position import find_position
from tests import laid
from tests.html_forms import Form, Page
from tests.play.conftest import character, seed_for, trait
from tests.play.test_conflict_pages import with_settings_of

pytestmark = pytest.mark.django_db

SHIFT = {"lines_0_kind": "upshift", "lines_0_reason": "High ground"}


class Evening:
    """A scene as its two people see it: pages, and the forms on them."""

    def __init__(self, campaign: Any, alice: Client, bob: Client, members: dict[str, Any]) -> None:
        self.campaign, self.alice, self.bob, self.members = campaign, alice, bob, members

    def url(self, rest: str = "") -> str:
        return f"/c/{self.campaign.slug}/{rest}"

    def conflict(self, **values: str) -> Contest:
        """A conflict begun by its form, everybody on the first side but Old Marrow."""
        form = Page(self.alice.get(self.url("contests/start/conflict/"))).form(action="conflict/")
        sides = {name: "one" for name, control in form.controls.items() if "one" in control.offered}
        theirs = max(sides)
        answer = form.send(self.alice, **{**sides, theirs: "two", "title": "Knives", **values})
        assert answer.status_code == 302, Page(answer).errors
        self.campaign.refresh_from_db()
        return Contest.objects.get(over=False)

    def puts(self, **values: str) -> None:
        """The GM puts an obstacle on the scene."""
        form = Page(self.alice.get(self.url("obstacles/put/"))).form(action="obstacles/put/")
        assert form.send(self.alice, name="The wall", **values).status_code == 302

    @property
    def at(self) -> str:
        return self.url(f"contests/{self.contest.pk}/")

    @property
    def contest(self) -> Contest:
        return Contest.objects.get(over=False)

    @property
    def state(self) -> Any:
        self.campaign.refresh_from_db()
        position = find_position(self.campaign, self.contest.pk)
        assert position is not None
        return position.state

    def form(self, client: Client, action: str, by: Any = None) -> Form:
        return Page(client.get(self.at)).form(action=f"/{action}/{by.pk if by else 'gm'}/")

    def offered(self, client: Client, action: str, by: Any = None) -> bool:
        return bool(Page(client.get(self.at)).matching(action=f"/{action}/{by.pk if by else 'gm'}/"))

    def act(self, client: Client, action: str, by: Any = None, *, seed: str = "", **values: Any) -> str:
        form = self.form(client, action, by)
        if seed:
            form.controls["client_seed"].opens = [seed]
        answer = form.send(client, **values)
        assert answer.status_code == 302, Page(answer).errors
        return Entry.objects.latest("seq").payload.text

    def seed(self, member: str, sides: int, wanted: Any) -> str:
        return seed_for(self.members[member], (6,) * sides, wanted)

    def turn_of(self, who: Any) -> None:
        """Passes until it is their turn."""
        for _ in range(8):
            acting = self.state.acting
            if str(who.pk) in acting:
                return
            self._pass(acting[0])

    def moment(self) -> None:
        """The rest of those who act at this moment pass, so that its damage lands."""
        while self.state.acting and self.state.wounds and not self.state.fresh:
            self._pass(self.state.acting[0])

    def _pass(self, who: str) -> None:
        mine = Character.objects.get(pk=who)
        self.act(self.bob if mine.player_id == self.members["bob"].pk else self.alice, "pass", mine)

    def attack_on_marrow(self, ilse: Any, marrow: Any, dice: tuple[int, int] = (9, 4), sides: int = 4,
                         **values: Any) -> str:
        """Ilse attacks with Maps, and Old Marrow does nothing: these sums fall."""
        self.turn_of(ilse)
        self.act(self.bob, "attack", ilse, qualities=[str(trait(ilse, "Maps").pk)], **values)
        return self.act(self.alice, "defend", marrow, seed=self.seed(
            "alice", sides, lambda faces: (sum(faces[:sides - 2]), sum(faces[sides - 2:])) == dice))


@laid.fixture
def evening(campaign: Any, scene: Any, as_alice: Client, as_bob: Client, alices: Any, bobs: Any) -> Evening:
    return Evening(campaign, as_alice, as_bob, {"alice": alices, "bob": bobs})


def test_pq_05_what_a_player_says_is_bounded_marked_and_seen_before_anybody_reacts(
    evening: Evening, ilse: Any, marrow: Any
) -> None:
    evening.conflict()
    evening.turn_of(ilse)
    form = evening.form(evening.bob, "attack", ilse)
    answer = form.send(evening.bob, **SHIFT, lines_0_amount="12")
    assert answer.status_code == 422 and Contest.objects.get().over is False
    told = evening.act(evening.bob, "attack", ilse, **SHIFT, lines_0_amount="2")
    said = "Ilse says: 2 upshifts for “High ground”."
    assert said in told
    assert said in evening.alice.get(evening.at).content.decode(), "before anyone reacts"
    assert said in evening.bob.get(evening.url("")).content.decode(), "in the entry on the table"


def test_pq_05_the_gm_strikes_what_a_player_said_before_the_dice(evening: Evening, ilse: Any, marrow: Any) -> None:
    evening.conflict()
    evening.turn_of(ilse)
    evening.act(evening.bob, "attack", ilse, **SHIFT, lines_0_amount="2")
    assert not evening.offered(evening.bob, "dismiss")
    form = evening.form(evening.alice, "dismiss")
    button = next(button for button in form.buttons if "High ground" in button.words)
    assert form.send(evening.alice, button).status_code == 302, "one tap"
    assert "High ground" in Entry.objects.latest("seq").payload.text
    assert evening.state.attack.shifts == ()
    assert "Ilse says" not in evening.alice.get(evening.at).content.decode().partition("The dice have not")[2][:600]


def test_pq_05_after_the_dice_the_same_faces_are_read(evening: Evening, campaign: Any, ilse: Any, marrow: Any) -> None:
    evening.conflict()
    told = json.loads(evening.attack_on_marrow(ilse, marrow, (9, 4), sides=4, **SHIFT, lines_0_amount="1"))
    # Maps is Expert: 9 + 6 against 4.
    assert told["outcome"]["result"]["hits"][0]["damage"] == {"attacker": 0, "defender": 11}
    form = evening.form(evening.alice, "dismiss")
    ground = next(button for button in form.buttons if "High ground" in button.words)
    assert form.send(evening.alice, ground).status_code == 302
    again = json.loads(Entry.objects.latest("seq").payload.text)["outcome"]
    assert again["dice"] == [] and again["result"]["hits"][0]["damage"]["defender"] == 9
    assert evening.state.wound_of(str(marrow.pk)).amount == 9
    assert [button.words for button in evening.form(evening.alice, "dismiss").buttons] == [
        "Ilse says: Maps Expert [+4] counts."], "no more of what is struck"
    assert not list(differences(campaign.pk))


def test_pq_05_what_stands_on_the_dice_keeps_them(evening: Evening, ilse: Any, marrow: Any) -> None:
    evening.conflict()
    evening.attack_on_marrow(ilse, marrow, (5, 10), sides=4, **SHIFT, lines_0_amount="1")  # 11 against 10
    assert evening.offered(evening.alice, "dismiss")
    evening.moment()
    evening.act(evening.alice, "take_damage", marrow)
    assert not evening.offered(evening.alice, "dismiss")


@pytest.mark.parametrize(("kind", "amount", "refused"), [
    ("badass", "9", "Being badass is one upshift"), ("upshift", "5", "Enter 4 upshifts at most")])
def test_pq_05_the_tray_bounds_a_players_word_and_not_the_gms(
    evening: Evening, ilse: Any, kind: str, amount: str, refused: str
) -> None:
    evening.puts(difficulty="average")
    lines = {"lines_0_kind": kind, "lines_0_amount": amount, "lines_0_reason": "I say so"}
    tray = Page(evening.bob.get(evening.url(""))).form(action="/roll/")
    answer = tray.send(evening.bob, **lines)
    assert answer.status_code == 422 and refused in answer.content.decode(), Page(answer).errors
    tray = Page(evening.bob.get(evening.url(""))).form(action="/roll/")
    assert tray.send(evening.bob, **{**lines, "lines_0_amount": "1"}).status_code == 302
    told = Entry.objects.get(kind="contest.tray").payload.text
    assert "Ilse says: 1 upshift for " in told
    assert "Ilse says" in evening.alice.get(evening.url("")).content.decode()
    tray = Page(evening.alice.get(evening.url("") + f"?who={ilse.pk}")).form(action="/roll/")
    answer = tray.send(evening.alice, **lines)
    assert answer.status_code == 302, Page(answer).errors


def test_pq_14_two_conflicts_of_a_scene_have_one_first_damage_and_one_chin(
    evening: Evening, campaign: Any, alices: Any, ilse: Any
) -> None:
    debtor = character(campaign, alices, "Zed", [("strength", "Rope", 3), ("weakness", "Lame", -1)], npc=True)
    present(evening, debtor)
    evening.conflict()
    assert weakness_is_offered(evening, ilse, debtor)
    evening.act(evening.alice, "defend", debtor, seed=evening.seed(
        "alice", 4, lambda faces: sum(faces[:2]) - sum(faces[2:]) == 2))
    evening.moment()
    evening.act(evening.alice, "take_on_the_chin", debtor, trait=str(trait(debtor, "Rope").pk))
    evening.act(evening.alice, "end")
    evening.conflict()
    assert not weakness_is_offered(evening, ilse, debtor), "its first damage of the scene is taken"
    evening.act(evening.alice, "defend", debtor, seed=evening.seed(
        "alice", 4, lambda faces: sum(faces[:2]) - sum(faces[2:]) == 2))
    evening.moment()
    assert evening.offered(evening.alice, "take_damage", debtor)
    assert not evening.offered(evening.alice, "take_on_the_chin", debtor), "once a scene"
    assert not list(differences(campaign.pk))


def test_pq_14_a_test_that_hurts_is_the_first_damage_too_and_the_next_scene_begins_anew(
    evening: Evening, campaign: Any, ilse: Any, marrow: Any
) -> None:
    evening.puts(difficulty="average", harm="on")
    tray = Page(evening.bob.get(evening.url(""))).form(action="/roll/")
    tray.controls["client_seed"].opens = [evening.seed("bob", 2, lambda faces: sum(faces) == 4)]
    assert tray.send(evening.bob).status_code == 302
    evening.conflict()
    assert not weakness_is_offered(evening, marrow, ilse)
    evening.act(evening.bob, "defend", ilse, seed=evening.seed(
        "bob", 4, lambda faces: sum(faces[:2]) + 4 < sum(faces[2:])))
    evening.act(evening.alice, "end")
    next_scene(evening, "momentary", ilse, marrow)
    evening.conflict()
    assert weakness_is_offered(evening, marrow, ilse)


def weakness_is_offered(evening: Evening, attacker: Any, target: Any) -> bool:
    """Attacks, and says whether the target is offered the first damage of the scene."""
    evening.turn_of(attacker)
    attacking = evening.bob if attacker.player_id else evening.alice
    evening.act(attacking, "attack", attacker, targets=[str(target.pk)])
    assert evening.state.phase.value == "defend"
    return "weakness" in evening.form(evening.bob if target.player_id else evening.alice, "defend", target).controls


def present(evening: Evening, *more: Any) -> None:
    form = Page(evening.alice.get(reverse("presence", args=[evening.campaign.slug]))).form(action="/scene/presence/")
    name = next(name for name, control in form.controls.items() if str(more[0].pk) in control.offered)
    there = [*form.controls[name].opens, *(str(character.pk) for character in more)]
    assert form.send(evening.alice, **{name: there}).status_code == 302


def next_scene(evening: Evening, danger: str, *people: Any) -> None:
    closing = Page(evening.alice.get(evening.url("scene/close/"))).form(button="End the scene")
    assert closing.send(evening.alice, danger=danger).status_code == 302
    opening = Page(evening.alice.get(evening.url("scene/open/"))).form(action="/scene/open/")
    name = next(name for name, control in opening.controls.items() if str(people[0].pk) in control.offered)
    there = [str(character.pk) for character in people]
    assert opening.send(evening.alice, title="After", **{name: there}).status_code == 302
    evening.campaign.refresh_from_db()


def test_pq_16_out_of_action_is_until_this_scene_ends_and_the_way_back_is_named(
    evening: Evening, campaign: Any, ilse: Any, marrow: Any
) -> None:
    evening.conflict(danger="continuing")
    evening.turn_of(marrow)
    evening.act(evening.alice, "attack", marrow)
    evening.act(evening.bob, "defend", ilse, seed=evening.seed(
        "bob", 4, lambda faces: sum(faces[:2]) - sum(faces[2:]) == 3))
    evening.moment()
    evening.act(evening.bob, "take_damage", ilse, spread_0="0", spread_1="3", spread_2="0")
    sheet = reverse("sheet", args=[campaign.slug, ilse.pk])
    out = "out of action until the scene ends"
    assert out in evening.bob.get(sheet).content.decode()
    assert reverse("recover", args=[campaign.slug]) in evening.alice.get(sheet).content.decode()
    evening_over(evening)
    next_scene(evening, "continuing", ilse, marrow)
    assert out not in evening.bob.get(sheet).content.decode()
    tray = Page(evening.bob.get(evening.url(""))).form(action="/roll/")
    assert tray.send(evening.bob).status_code == 302, "the scene is over"
    assert not list(differences(campaign.pk))


def evening_over(evening: Evening) -> None:
    if Contest.objects.filter(over=False).exists():
        evening.act(evening.alice, "end")


def test_pq_18_an_old_recovery_roll_goes_when_all_are_recovered(
    evening: Evening, campaign: Any, ilse: Any, marrow: Any
) -> None:
    evening.conflict(danger="continuing")
    evening.attack_on_marrow(ilse, marrow, (6, 8))  # 10 against 8
    evening.moment()
    evening.act(evening.alice, "take_damage", marrow)
    evening.act(evening.alice, "end")
    next_scene(evening, "continuing", ilse, marrow)
    assert PendingAllocation.objects.get(settled=False).type == PendingAllocation.Type.ROLL
    form = Page(evening.alice.get(reverse("recover", args=[campaign.slug]))).form(button="Let those ticked recover")
    name = next(name for name, control in form.controls.items() if str(marrow.pk) in control.offered)
    assert form.send(evening.alice, danger="momentary", **{name: [str(marrow.pk)]}).status_code == 302
    assert trait(marrow, "Grudges").damage == 0
    assert not PendingAllocation.objects.filter(settled=False).exists()
    assert not list(differences(campaign.pk))


def test_pq_16_a_gm_who_ends_a_conflict_is_asked_about_damage_that_nobody_placed(
    evening: Evening, ilse: Any, marrow: Any
) -> None:
    evening.conflict()
    evening.attack_on_marrow(ilse, marrow, (6, 8))
    form = evening.form(evening.alice, "end")
    answer = form.send(evening.alice)
    assert answer.status_code == 422 and "Old Marrow has 2 wounds to assign." in answer.content.decode()
    assert not Contest.objects.get().over
    assert "It is dropped." in evening.act(evening.alice, "end", drop="on")
    assert Contest.objects.get().over


def test_pq_17_nobody_is_killed_after_failure_ranks(evening: Evening, ilse: Any, marrow: Any) -> None:
    evening.conflict(harm="failure")
    evening.act(evening.alice, "take_out", who=str(marrow.pk))
    assert Contest.objects.get().over, "one side stands, and there is nobody to kill"


def test_pq_17_one_players_end_it_here_asks_the_others(
    evening: Evening, campaign: Any, bobs: Any, ilse: Any, marrow: Any
) -> None:
    second = character(campaign, bobs, "Bram", [("strength", "Strong", 1)], player=bobs)
    present(evening, second)
    evening.conflict()
    evening.act(evening.alice, "take_out", who=str(marrow.pk))
    assert "Bram can agree" in evening.act(evening.bob, "end_here", ilse)
    assert not Contest.objects.get().over and not evening.offered(evening.bob, "end_here", ilse)
    assert "end it here" in evening.bob.get(evening.url("")).content.decode()
    evening.act(evening.bob, "end_here", second)
    assert Contest.objects.get().over


def test_pq_17_the_text_above_damage_says_what_the_attacker_meant(
    evening: Evening, campaign: Any, ilse: Any, marrow: Any
) -> None:
    with_settings_of(campaign, killing="asked")
    evening.conflict()
    evening.act(evening.bob, "intent", ilse, intent="kill")
    evening.attack_on_marrow(ilse, marrow, (6, 8))
    evening.moment()
    assert "Assign 2 wounds. Ilse means to kill." in evening.alice.get(evening.at).content.decode()


def test_who_has_left_the_story_is_neither_attacked_nor_asked(
    evening: Evening, campaign: Any, alices: Any, ilse: Any, marrow: Any
) -> None:
    second = character(campaign, alices, "Aldo", [("strength", "Fists", 1)], npc=True)
    present(evening, second)
    evening.conflict()
    evening.turn_of(marrow)
    assert str(ilse.pk) in evening.form(evening.alice, "attack", marrow).controls["targets"].offered
    lifecycle.retire(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, retired=True)
    assert str(ilse.pk) not in evening.form(evening.alice, "attack", marrow).controls["targets"].offered


def test_pq_06_a_simple_situation_needs_no_roll_where_a_rank_is_above_it(evening: Evening, ilse: Any) -> None:
    maps = str(trait(ilse, "Maps").pk)
    for difficulty, automatic in (("good", True), ("expert", False)):
        evening.puts(difficulty=difficulty, simple="on")
        tray = Page(evening.bob.get(evening.url(""))).form(action="/roll/")
        assert tray.send(evening.bob, traits=[maps]).status_code == 302
        told = json.loads(Entry.objects.filter(kind="contest.tray").latest("seq").payload.text)["outcome"]
        assert (told["result"].get("automatic") == "success", not told["dice"]) == (automatic, automatic)


def test_pq_09_a_quality_of_the_target_sets_the_difficulty(evening: Evening, ilse: Any, marrow: Any) -> None:
    tray = Page(evening.alice.get(evening.url("") + f"?character={ilse.pk}")).form(action="/roll/")
    assert tray.send(evening.alice, against=str(trait(marrow, "Grudges").pk)).status_code == 302
    told = Entry.objects.get(kind="contest.tray").payload.text
    assert json.loads(told)["outcome"]["result"]["target"] == 11
    assert "The difficulty comes from the target’s own Grudges (Old Marrow): 11." in told


def test_pq_13_who_stands_rolls_nothing_and_shifts_do_not_move_it(
    evening: Evening, campaign: Any, ilse: Any, marrow: Any
) -> None:
    with_settings_of(campaign, defence="stand")
    evening.conflict()
    evening.turn_of(ilse)
    evening.act(evening.bob, "attack", ilse)
    told = evening.act(evening.alice, "defend", marrow, **SHIFT, qualities=[str(trait(marrow, "Club").pk)])
    assert "Old Marrow uses 9" in told and "shifts do not move a target number" in told
    assert {die["role"] for die in json.loads(told)["outcome"]["dice"]} == {"Ilse"}


def test_pq_10_a_quality_that_proved_useless_is_replaced_by_the_gm(
    evening: Evening, campaign: Any, ilse: Any
) -> None:
    knife = trait(ilse, "Knife")
    address = reverse("replace", args=[campaign.slug, ilse.pk, knife.pk])
    assert evening.bob.get(address).status_code == 404
    form = Page(evening.alice.get(address)).form(action=address)
    answer = form.send(evening.alice, **{**form.as_it_opens(), "name": "Snares"})
    assert answer.status_code == 302, Page(answer).errors
    lines = {line.name: line.value for line in ilse.traits.all()}
    assert "Knife" not in lines and lines["Snares"] == 1
    assert not list(differences(campaign.pk))
