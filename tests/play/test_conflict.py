"""A conflict played from two browsers (PQ-11 to PQ-18)."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

import verify
from campaigns.errors import Refused
from campaigns.models import Entry
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import differences
from characters.services import lifecycle
from play.models import Contest, LineUsed
from play.services import contests
from rules.codec import read
from tests import laid
from tests.conftest import refusal
from tests.play.conftest import MOVED, body, leads_to, state_of, stays_on_top, trait
from tests.verifier.conftest import exported
from tests.verifier.test_broken import _forged, _place, found_out
from tests.verifier.test_on_the_server import through
from tests.verifier.test_sound import RULES

pytestmark = pytest.mark.django_db


def begin(client: Client, campaign: Any, **more: Any) -> Any:
    """Ilse against Old Marrow; rows are in the order of names, players' characters first."""
    sent = {"title": "Knives at the well", "side_one": "The party", "side_two": "The others", "danger": "momentary",
            "harm": "damage", "c0_side": "one", "c1_side": "two", **more}
    return client.post(f"/c/{campaign.slug}/contests/start/conflict/", body(**sent))


def at() -> str:
    contest = Contest.objects.select_related("campaign").get()
    return f"/c/{contest.campaign.slug}/contests/{contest.pk}/"


def act(client: Client, who: Any, action: str, **values: Any) -> Any:
    return client.post(f"{at()}{action}/{who.pk if who else 'gm'}/", body(**values))


def state() -> Any:
    return state_of(Contest.objects.select_related("campaign").prefetch_related("log").get())


@laid.fixture
def fight(as_alice: Client, campaign: Any, scene: Any) -> Contest:
    answer = begin(as_alice, campaign)
    assert answer.status_code == 302, answer.content.decode()
    return Contest.objects.get()


def offered(client: Client) -> set[str]:
    answer = client.get(at())
    return {form.offer.action for form in answer.context["acts"]}


def wound(as_alice: Client, as_bob: Client, ilse: Any, marrow: Any) -> int:
    """Attacks until Old Marrow is hurt; answers how much."""
    for _ in range(60):
        now = state()
        hurt = now.wound_of(str(marrow.pk))
        if hurt and not now.attack and not now.acting:
            return int(hurt.amount)
        if now.attack:
            client, who = (as_bob, ilse) if str(ilse.pk) in now.attack.unanswered else (as_alice, marrow)
            assert act(client, who, "defend").status_code == 302
        elif now.wounds and not now.acting:
            act(as_bob, ilse, "take_damage", spread_0="1")
        elif str(ilse.pk) in now.acting and not hurt:
            values = {"targets": [str(marrow.pk)], "qualities": [str(trait(ilse, "Maps").pk)]}
            assert act(as_bob, ilse, "attack", **values).status_code == 302
        else:
            client, who = (as_bob, ilse) if str(ilse.pk) in now.acting else (as_alice, marrow)
            assert act(client, who, "pass").status_code == 302
    pytest.fail("Sixty attacks did nothing.")


def test_pq_11_the_order_is_settled(as_bob: Client, fight: Contest, ilse: Any, marrow: Any) -> None:
    page = as_bob.get(at()).content.decode()
    assert "Knives at the well" in page and "Round 1" in page
    assert state().order == ((str(ilse.pk), str(marrow.pk)),)


def test_pq_13_the_other_player_defends_from_their_own_browser(
    as_alice: Client, as_bob: Client, fight: Contest, ilse: Any, marrow: Any
) -> None:
    act(as_alice, marrow, "attack", targets=[str(ilse.pk)], qualities=[str(trait(marrow, "Club").pk)])
    assert offered(as_bob) == {"defend"}
    assert act(as_bob, ilse, "defend", qualities=[str(trait(ilse, "Knife").pk)]).status_code == 302
    last = Entry.objects.filter(kind="contest.defend").latest("seq")
    assert "PQ-14" in last.payload.text or "PQ-02" in last.payload.text
    assert as_bob.get(at()).status_code == 200


def test_pq_16_the_defender_places_the_damage(
    as_alice: Client, as_bob: Client, campaign: Any, fight: Contest, ilse: Any, marrow: Any
) -> None:
    amount = wound(as_alice, as_bob, ilse, marrow)
    assert "take_damage" in offered(as_alice)
    wrong = act(as_alice, marrow, "take_damage", spread_0="0")
    assert wrong.status_code == 422
    lose = min(amount, 4)  # Grudges is Expert: four ranks to below Poor
    rest = min(amount - lose, 3)
    assert act(as_alice, marrow, "take_damage", spread_0=str(lose), spread_1=str(rest)).status_code == 302
    assert trait(marrow, "Grudges").damage == lose
    assert not list(differences(campaign.pk))


def test_pq_15_on_the_chin(as_alice: Client, as_bob: Client, fight: Contest, ilse: Any, marrow: Any) -> None:
    wound(as_alice, as_bob, ilse, marrow)
    if "take_on_the_chin" not in offered(as_alice):
        pytest.skip("a tie can’t be taken on the chin by the attacker")
    assert act(as_alice, marrow, "take_on_the_chin", trait=str(trait(marrow, "Grudges").pk)).status_code == 302
    assert trait(marrow, "Grudges").damage == 1
    assert state().contestant(str(marrow.pk)).chin_used


def test_nobody_acts_for_another(as_bob: Client, as_charlie: Client, fight: Contest, ilse: Any, marrow: Any) -> None:
    before = Entry.objects.count()
    assert act(as_bob, marrow, "pass").status_code == 409
    assert act(as_bob, None, "end").status_code == 409
    assert act(as_charlie, ilse, "pass").status_code == 404
    assert Entry.objects.count() == before


def test_what_is_not_offered_is_refused_in_words(as_bob: Client, fight: Contest, ilse: Any) -> None:
    answer = act(as_bob, ilse, "defend")
    assert answer.status_code == 409
    assert stays_on_top(answer.content.decode(), MOVED)
    assert answer.content.decode().count("what you can do now") == 1


def test_forged_targets_and_qualities_are_refused(as_bob: Client, fight: Contest, ilse: Any, marrow: Any) -> None:
    for values in ({"targets": [str(ilse.pk)]}, {"targets": [str(marrow.pk)], "qualities": [str(marrow.pk)]}):
        answer = act(as_bob, ilse, "attack", words="Kept as typed", **values)
        assert answer.status_code == 422
        assert "Kept as typed" in answer.content.decode()


def test_a_refusal_is_said_on_top_and_leads_to_its_form(as_bob: Client, fight: Contest, ilse: Any, marrow: Any) -> None:
    assert 'class="not-done"' not in as_bob.get(at()).content.decode()
    answer = act(as_bob, ilse, "attack", words="Kept", targets=[str(ilse.pk)])
    page = answer.content.decode()
    assert answer.status_code == 422 and leads_to(page, "attack", ilse.pk)
    assert "data-touched" in page, "what was typed outlasts the next move of the table"


def test_a_hidden_character_is_in_it_if_the_gm_says_so_and_seen_then(
    as_alice: Client, campaign: Any, alices: Any, scene: Any, whisper: Any, ilse: Any, marrow: Any
) -> None:
    as_alice.post(f"/c/{campaign.slug}/scene/presence/", body(characters=[str(ilse.pk), str(whisper.pk)]))
    form = as_alice.get(f"/c/{campaign.slug}/contests/start/conflict/").context["form"]
    assert {part.name: part.side.value() for part in form.parts} == {"Ilse": "one", "Whisper": ""}, (
        "she is on no side unless the GM says so")
    assert begin(as_alice, campaign, c1_side="").status_code == 422
    whisper.refresh_from_db()
    assert whisper.hidden and not whisper.face
    assert begin(as_alice, campaign).status_code == 302
    whisper.refresh_from_db()
    assert whisper.hidden and whisper.face


def test_one_contest_at_a_time(as_alice: Client, campaign: Any, alices: Any, fight: Contest) -> None:
    answer = begin(as_alice, campaign)
    assert answer.status_code == 302  # to the table, where the one that is going on stands
    assert Contest.objects.get() == fight
    with pytest.raises(Refused, match="A contest is in progress in this scene"):
        contests.start(
            campaign=campaign, actor=alices, op_id=uuid.uuid4(), client_seed="", kind=fight.kind, title="Another",
            setup={}, characters=[],
        )


def test_a_scene_waits_for_its_contest(as_alice: Client, campaign: Any, fight: Contest) -> None:
    answer = as_alice.post(f"/c/{campaign.slug}/scene/close/", body(danger="momentary"))
    assert answer.status_code == 422
    assert act(as_alice, None, "end", words="They think better of it").status_code == 302
    assert Contest.objects.get().over
    assert as_alice.post(f"/c/{campaign.slug}/scene/close/", body(danger="momentary")).status_code == 302


def test_two_sides_are_needed(as_alice: Client, campaign: Any, scene: Any) -> None:
    answer = begin(as_alice, campaign, c1_side="one")
    assert answer.status_code == 422
    assert "A conflict needs two sides" in answer.content.decode()
    assert not Contest.objects.exists()


def test_undoing_an_act_takes_the_conflict_back(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, fight: Contest, ilse: Any, marrow: Any
) -> None:
    before = state()
    act(as_bob, ilse, "attack", targets=[str(marrow.pk)])
    assert state().attack is not None
    done = Entry.objects.get(kind="contest.attack")
    undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=done.seq)
    assert state() == before
    assert "attack" in offered(as_bob)
    assert not list(differences(campaign.pk))


def test_pq_12_an_attack_is_undone_with_all_that_followed_by_one_press(
    as_alice: Client, as_bob: Client, campaign: Any, fight: Contest, ilse: Any, marrow: Any
) -> None:
    before = state()
    act(as_bob, ilse, "attack", targets=[str(marrow.pk)])
    if state().attack:
        act(as_alice, marrow, "defend")
    done = Entry.objects.get(kind="contest.attack")
    many = Entry.objects.filter(seq__gt=done.seq).count()
    at_entry = f"/c/{campaign.slug}/ledger/{done.seq}/"
    page = as_alice.get(at_entry).content.decode()
    assert many and f"Undo entry {done.seq} and the" in page and "that followed" in page
    assert "that followed" not in as_bob.get(at_entry).content.decode()
    sent = body(reason="", back="1")
    assert as_bob.post(f"{at_entry}undo/", sent).status_code == 422
    for _ in range(2):  # sent twice it is done once
        assert as_alice.post(f"{at_entry}undo/", sent).status_code == 302
    assert state() == before and Entry.objects.filter(kind="undo").count() == many + 1
    assert not list(differences(campaign.pk))


def test_odds_before_the_attack(as_bob: Client, fight: Contest, ilse: Any, marrow: Any) -> None:
    sent = body(targets=[str(marrow.pk)], qualities=[str(trait(ilse, "Maps").pk)])
    page = as_bob.post(f"{at()}attack/{ilse.pk}/odds/", sent, headers={"HX-Request": "true"}).content.decode()
    assert "reacting with Grudges, Expert [+4]" in page
    assert "44.4" in page
    assert Entry.objects.filter(kind="contest.attack").count() == 0


@laid.fixture
def fought(as_alice: Client, as_bob: Client, campaign: Any, fight: Contest, ilse: Any, marrow: Any) -> int:
    """A test, an attack that fails of itself, one that is answered; answers how many rolls were told."""
    maps, grudges = str(trait(ilse, "Maps").pk), str(trait(marrow, "Grudges").pk)
    acted = act(as_alice, ilse, "act", words="Bars the door", qualities=[maps], difficulty="good", strategy="cagey",
                lines_0_kind="upshift", lines_0_amount="4", lines_0_reason="It has a bar")
    dark = {"lines_0_kind": "downshift", "lines_0_amount": "4", "lines_0_reason": "In the dark"}
    failed = act(as_alice, marrow, "attack", targets=[str(ilse.pk)], qualities=[grudges], **dark)
    assert (acted.status_code, failed.status_code) == (302, 302)
    wound(as_alice, as_bob, ilse, marrow)
    campaign.refresh_from_db()
    outcomes = [read(entry.payload.text)["outcome"] for entry in Entry.objects.filter(campaign=campaign)]
    rolled = [outcome
              for outcome in outcomes if outcome and ("hits" in outcome["result"] or "success" in outcome["result"])]
    assert all(step.get("rolls") for step in rolled)
    return sum(len(outcome.get("rolls", ())) for outcome in outcomes if outcome)


def test_every_roll_of_a_conflict_is_worked_out_again(fought: int, campaign: Any, alices: Any) -> None:
    assert fought >= 3
    for most in (1, 500):
        progress = through(campaign, most)
        assert (progress.fault, progress.outcomes) == ("", fought)
    report = verify.verify(exported(campaign, alices), rules=RULES)
    assert (report.outcomes, report.unknown_outcomes) == (fought, 0)


def better(payload: dict[str, Any]) -> None:
    payload["outcome"]["rolls"][0]["result"]["total"] += 1


def higher(payload: dict[str, Any]) -> None:
    """Another roll altogether, which is sound in itself."""
    roll = payload["outcome"]["rolls"][0]
    roll["dice"] = [face % 6 + 1 for face in payload["dice"]["faces"]]
    if sorted(roll["dice"]) == sorted(payload["dice"]["faces"]):
        roll["dice"] = [1] * len(roll["dice"])
    roll["result"] = RULES(roll["move"], payload["edition"], roll["given"], roll["dice"]) if RULES else {}


@pytest.mark.parametrize(("touch", "said"), [(better, "does not follow"), (higher, "did not fall in its contest")])
def test_a_roll_of_a_conflict_that_was_told_otherwise_is_found(
    fought: int, campaign: Any, alices: Any, touch: Callable[[dict[str, Any]], None], said: str
) -> None:
    lines = exported(campaign, alices)
    assert said in found_out(_forged(lines, _place(lines, "contest.act"), touch))


def test_pq_14_the_matrix_learns_what_an_attack_was_made_with(
    as_alice: Client, as_bob: Client, fight: Contest, ilse: Any, marrow: Any
) -> None:
    values = {"targets": [str(marrow.pk)], "qualities": [str(trait(ilse, "Knife").pk)]}
    assert act(as_bob, ilse, "attack", **values).status_code == 302
    assert not LineUsed.objects.exists(), "no die fell yet"
    assert act(as_alice, marrow, "defend", qualities=[str(trait(marrow, "Club").pk)]).status_code == 302
    assert [(used.character_id, used.against, used.trait_id) for used in LineUsed.objects.all()] == [
        (ilse.pk, "Old Marrow: Club", trait(ilse, "Knife").pk)]


def test_whose_turn_it_is_is_read_again_under_the_lock(
    as_alice: Client, campaign: Any, alices: Any, bobs: Any, fight: Contest, ilse: Any, marrow: Any
) -> None:
    def said(actor: Any, by: str, action: str, contest: uuid.UUID = fight.pk) -> tuple[str, str]:
        return refusal(contests.act, campaign=campaign, actor=actor, client_seed="", contest_id=contest, by=by,
                       action=action, given={})

    assert said(bobs, "", "end") == ("", "Only the GM can do this.")
    assert said(bobs, str(marrow.pk), "attack") == ("", "It isn’t this character’s turn.")
    assert said(alices, str(marrow.pk), "defend") == (
        "action", "You can’t do that right now. Choose one of the actions shown.")
    assert said(alices, "", "end", uuid.uuid4()) == ("", "This no longer exists. Reload the page.")
    lifecycle.retire(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, retired=True)
    assert said(bobs, str(ilse.pk), "attack") == (
        "", "Ilse is retired. Your GM decides what becomes of this.")
    assert act(as_alice, None, "end", words="They think better of it").status_code == 302
    assert said(alices, "", "end") == ("", "This contest is over.")
    assert refusal(contests.call_off, campaign=campaign, actor=alices, contest_id=fight.pk) == (
        "", "This contest is over.")


def test_who_may_start_it_is_read_again_under_the_lock(
    campaign: Any, alices: Any, bobs: Any, scene: Any, whisper: Any, ilse: Any, marrow: Any
) -> None:
    def said(actor: Any, *who: Any, kind: str = "pdq.conflict") -> tuple[str, str]:
        return refusal(contests.start, campaign=campaign, actor=actor, client_seed="", kind=kind, title="Knives",
                       setup={}, characters=[person.pk for person in who])

    assert said(bobs, ilse, marrow) == ("", "Only the GM can start this.")
    assert said(alices, ilse, whisper) == (
        "characters", "Whisper is hidden. Show Whisper to the players first.")
    assert said(alices, ilse, kind="questworlds.scored") == ("kind", "This game has no such contest.")
