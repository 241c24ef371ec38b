"""PnC at the table: rolls, answers, competitions and a fight, from several browsers."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

import verify
from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from campaigns.trail.visible import payload_of
from characters.models import Character, Pool
from play.models import Contest
from play.services import sessions
from rules.codec import read
from rules.systems.pnc.fight.state import Phase
from tests import laid
from tests.conftest import join
from tests.play.conftest import MOVED, body, character, leads_to, seed_for, state_of, stays_on_top, trait
from tests.verifier.conftest import exported
from tests.verifier.test_on_the_server import through
from tests.verifier.test_sound import RULES

pytestmark = pytest.mark.django_db


@laid.fixture
def campaign(alice: Any) -> Any:
    """Alice's campaign of this game."""
    return found(user=alice, op_id=uuid.uuid4(), name="The Iron Ferry", system="pnc")


@laid.fixture
def nell(campaign: Any, bobs: Any) -> Character:
    """Bob's."""
    return character(campaign, bobs, "Nell", [("feature", "Good jumper", 1), ("feature", "Slow", -1)], player=bobs)


@laid.fixture
def marrow(campaign: Any, alices: Any) -> Character:
    """An NPC in plain sight."""
    return character(campaign, alices, "Marrow", [("feature", "Heavy coat", 2)], npc=True)


@laid.fixture
def scene(campaign: Any, alices: Any, nell: Character, marrow: Character) -> None:
    """A session and a scene in it."""
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The pier", characters=[nell.pk, marrow.pk])
    campaign.refresh_from_db()


def start(client: Client, campaign: Any, kind: str, /, **values: Any) -> Any:
    return client.post(f"/c/{campaign.slug}/contests/start/{kind}/", body(**values))


def at() -> str:
    contest = Contest.objects.select_related("campaign").latest("pk")
    return f"/c/{contest.campaign.slug}/contests/{contest.pk}/"


def act(client: Client, who: Any, action: str, /, **values: Any) -> Any:
    answer = client.post(f"{at()}{action}/{who.pk if who else 'gm'}/", body(**values))
    assert answer.status_code == 302, answer.content.decode()
    return payload_of(Entry.objects.filter(kind=f"contest.{action}").latest("seq"))


def settle(client: Client, who: Any) -> Any:
    """Lets a roll stand that waits for it: a 20 earns a point, so that one can always be asked."""
    if not state().over:
        act(client, who, "stand")
    return payload_of(Entry.objects.filter(kind__startswith="contest.").latest("seq"))


def state() -> Any:
    return state_of(Contest.objects.select_related("campaign").prefetch_related("log").get())


def points(who: Character) -> int:
    return sum(Pool.objects.filter(character=who, name="mulligans").values_list("value", flat=True))


def degree(member: Any, wanted: int) -> str:
    """A seed with which the member's next roll, 1d20 against 3d6, has this degree and no open end."""
    return seed_for(member, (20, 6, 6, 6), lambda faces: 1 < faces[0] < 20 and faces[0] - sum(faces[1:]) == wanted)


def sound(campaign: Any) -> None:
    assert not list(differences(campaign.pk))
    assert not through(campaign).fault


def test_pn_09_a_session_fills_everybody_up(campaign: Any, scene: None, nell: Any, marrow: Any) -> None:
    assert (points(nell), points(marrow)) == (3, 0)
    sound(campaign)


def test_pn_02_a_player_rolls_without_session_or_scene(as_bob: Client, campaign: Any, nell: Any) -> None:
    table = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert "Make a roll" in table and "Start a fight" not in table
    assert start(as_bob, campaign, "roll", title="Over the gap", who=str(nell.pk)).status_code == 302
    payload = act(as_bob, nell, "roll", features=[str(trait(nell, "Good jumper").pk)])
    assert payload is not None and payload["outcome"]["result"]["who"] == "Nell"
    settle(as_bob, nell)
    assert state().over
    assert "Over the gap" in as_bob.get(at()).content.decode()
    sound(campaign)


def test_pn_05_the_gm_weighs_and_the_factors_are_listed(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Any
) -> None:
    start(as_bob, campaign, "roll", title="Over the gap", who=str(nell.pk))
    act(as_alice, None, "judge", circumstances_0_rung="very hard", circumstances_0_reason="A very wide gap")
    act(as_bob, nell, "weigh", features=[str(trait(nell, "Good jumper").pk)])
    page = as_bob.get(at()).content.decode()
    assert "A very wide gap" in page and "1d20 against 4d6, the highest three" in page
    answer = as_bob.post(f"{at()}weigh/{nell.pk}/", body(circumstances_0_rung="hard"))
    assert answer.status_code == 422 and "Enter what makes it so." in answer.content.decode()
    assert leads_to(answer.content.decode(), "weigh", nell.pk)
    assert '<details class="more" open>' in answer.content.decode(), "what is wrong is not folded away"
    late = as_bob.post(f"{at()}judge/gm/", body())
    assert late.status_code == 409 and stays_on_top(late.content.decode(), MOVED)


def test_pn_03_the_page_reads_out_what_the_gm_wrote(as_alice: Client, as_bob: Client, campaign: Any, nell: Any) -> None:
    start(as_bob, campaign, "roll", title="Over the gap", who=str(nell.pk))
    act(as_alice, None, "mean", **{f"band_{number}": f"Meaning {number}" for number in range(9)})
    assert "Meaning 4" in as_bob.get(at()).content.decode()
    act(as_bob, nell, "roll")
    payload = settle(as_bob, nell)
    assert payload is not None
    result = payload["outcome"]["result"]
    assert result["meaning"] == state().meaning(result["band"])


def test_pn_02_odds_while_one_chooses(as_bob: Client, campaign: Any, nell: Any) -> None:
    start(as_bob, campaign, "roll", title="Over the gap", who=str(nell.pk))
    values = body(features=[str(trait(nell, "Good jumper").pk)])
    page = as_bob.post(f"{at()}roll/{nell.pk}/odds/", values).content.decode()
    assert "1d20 against 4d6, the lowest three" in page and "Great success" in page


def test_pn_09_a_mulligan_from_the_page(as_bob: Client, campaign: Any, bobs: Any, scene: None, nell: Any) -> None:
    start(as_bob, campaign, "roll", title="Over the gap", who=str(nell.pk))
    act(as_bob, nell, "roll", client_seed=degree(bobs, -3))
    assert f"{at()}mulligan/{nell.pk}/" in as_bob.get(at()).content.decode()
    act(as_bob, nell, "mulligan", client_seed=degree(bobs, 2))
    assert points(nell) == 2 and not state().over
    act(as_bob, nell, "stand")
    assert state().over and state().rollers[0].degree == "+2"
    sound(campaign)


def test_pn_09_the_best_result_stands_by_itself(
    as_bob: Client, campaign: Any, bobs: Any, scene: None, nell: Any
) -> None:
    start(as_bob, campaign, "roll", title="Over the gap", who=str(nell.pk))
    act(as_bob, nell, "roll", client_seed=degree(bobs, 11))
    assert state().over and points(nell) == 3
    assert f"{at()}mulligan/" not in as_bob.get(at()).content.decode()
    sound(campaign)


def test_pn_01_the_gm_answers_in_words(as_alice: Client, as_bob: Client, campaign: Any, nell: Any) -> None:
    sent = {"title": "Does he let them in?", "who": str(nell.pk), "verdict": "partly",
            "words": "Only as far as the hall"}
    assert start(as_bob, campaign, "answer", **sent)["Location"] == f"/c/{campaign.slug}/"
    assert not Contest.objects.exists()
    assert start(as_alice, campaign, "answer", **{**sent, "words": ""}).status_code == 422
    answered = start(as_alice, campaign, "answer", **sent)
    campaign.refresh_from_db()  # it is over at once, and the table shows what came of it
    assert answered["Location"] == f"/c/{campaign.slug}/?rolled={campaign.head_seq}#rolled"
    html = as_bob.get(f"/c/{campaign.slug}/ledger/").content.decode()
    assert "Does he let them in?" in html and "Only as far as the hall" in html
    assert "Only as far as the hall" in as_bob.get(at()).content.decode()
    sound(campaign)


def test_pn_01_an_open_question_can_be_settled_in_words(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Any
) -> None:
    start(as_bob, campaign, "roll", title="Over the gap", who=str(nell.pk))
    act(as_alice, None, "settle", verdict="success", words="It is a small gap")
    assert "It is a small gap" in as_bob.get(at()).content.decode()


def test_pn_08_a_competition(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any
) -> None:
    sent = {"title": "To the ferry", "c0_side": "one", "c1_side": "one"}
    assert start(as_alice, campaign, "competition", **sent).status_code == 302
    act(as_alice, marrow, "roll")
    act(as_bob, nell, "roll")
    last = settle(as_bob, nell)
    assert last is not None and last["outcome"]["result"]["reading"].endswith(".")
    assert as_bob.get(at()).status_code == 200
    sound(campaign)


def test_pn_06_a_fight_from_two_browsers(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any
) -> None:
    sent = {"title": "Over the cash box", "side_one": "The party", "side_two": "The others", "c0_side": "one",
            "c1_side": "two"}
    assert start(as_alice, campaign, "fight", **sent).status_code == 302
    late = as_bob.post(f"{at()}initiative/{marrow.pk}/", body())
    assert late.status_code == 409 and stays_on_top(late.content.decode(), MOVED)
    act(as_bob, nell, "initiative")
    act(as_alice, None, "roll_the_rest")
    seen: set[Phase] = set()
    for _ in range(400):
        now = state()
        if now.over or any(trait.kind == "wound" for trait in marrow.traits.all()):
            break
        if now.phase not in seen:
            seen.add(now.phase)
            assert [client.get(at()).status_code for client in (as_alice, as_bob)] == [200, 200]
        step(as_alice, as_bob, now, nell, marrow)
    written = marrow.traits.get(kind="wound").name
    assert written.endswith("by Nell: With the boat hook") and written in as_alice.get(at()).content.decode()
    act(as_bob, nell, "wound", words="A cut on the arm")
    wound = marrow.traits.get(kind="wound")
    assert (wound.name, wound.value > 0) == ("A cut on the arm", True)
    sheet = as_bob.get(f"/c/{campaign.slug}/characters/{marrow.pk}/").content.decode()
    assert "A cut on the arm" in sheet and campaign.rules.sheet.notation("wound", wound.value) in sheet
    act(as_alice, None, "stands", who=str(marrow.pk), standing="surrendered", words="He drops the club")
    assert state().over and state().winner == "The party"
    assert as_alice.get(at()).status_code == 200
    assert as_alice.post(f"/c/{campaign.slug}/scene/close/", body()).status_code == 302
    assert as_bob.get(f"/c/{campaign.slug}/ledger/").status_code == 200
    sound(campaign)


def step(as_alice: Client, as_bob: Client, now: Any, nell: Any, marrow: Any) -> None:
    """Nell attacks whenever she can; everything else goes by."""
    mine = str(nell.pk)
    if now.aftermath and now.aftermath.backfires:
        assert as_bob.post(f"{at()}backfire/gm/", body(what="nothing")).status_code == 409
        act(as_alice, None, "backfire", what="nothing")
    match now.phase:
        case Phase.TURN if mine in now.acting:
            act(as_bob, nell, "attack", target=str(marrow.pk), words="With the boat hook")
        case Phase.TURN:
            act(as_alice, None, "skip", who=str(marrow.pk))
        case Phase.DEFENCE:
            act(as_alice, marrow, "defend", features=[str(trait(marrow, "Heavy coat").pk)])
        case Phase.STRIKE:
            act(as_bob, nell, "strike")


def test_pn_06_an_attack_between_two_players_is_three_presses(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any, nell: Any
) -> None:
    """Attack, defend, roll the d20: then it is the next one's turn, though both have mulligans left."""
    tam = character(campaign, bobs, "Tam", [("feature", "Quick", 1)], player=bobs)
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="A duel",
                        characters=[nell.pk, tam.pk])
    sent = {"title": "First blood", "side_one": "Nell", "side_two": "Tam", "c0_side": "one", "c1_side": "two"}
    assert start(as_alice, campaign, "fight", **sent).status_code == 302
    for who in (nell, tam):
        act(as_bob, who, "initiative")
    # Equal degrees act together; then either may begin.
    first, second = (nell, tam) if str(nell.pk) in state().acting else (tam, nell)
    before = Entry.objects.filter(kind__startswith="contest.").count()
    act(as_bob, first, "attack", target=str(second.pk), words="A lunge")
    act(as_bob, second, "defend")
    act(as_bob, first, "strike")
    assert Entry.objects.filter(kind__startswith="contest.").count() == before + 3
    assert (state().phase, state().acting) == (Phase.TURN, (str(second.pk),))
    page = as_bob.get(at()).content.decode()
    assert "may spend a mulligan point to roll again, until someone acts" in page
    assert f"{at()}mulligan/{first.pk}/" in page and f"{at()}attack/{second.pk}/" in page
    act(as_bob, first, "mulligan")
    assert state().phase is Phase.TURN
    act(as_bob, second, "act", words="Steps back")
    assert f"{at()}mulligan/" not in as_bob.get(at()).content.decode()
    sound(campaign)


def test_pn_06_an_opposed_roll(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any
) -> None:
    sent = {"title": "Past the guard", "side_one": "The party", "side_two": "The others", "c0_side": "one",
            "c1_side": "two", "c0_leads": "on"}
    assert start(as_alice, campaign, "opposed", **sent).status_code == 302
    act(as_bob, nell, "weigh", features=[str(trait(nell, "Slow").pk)])
    act(as_alice, marrow, "defend")
    act(as_bob, nell, "strike")
    settle(as_bob, nell)
    assert "prevails" in as_bob.get(at()).content.decode()
    sound(campaign)


def test_every_roll_of_a_fight_is_worked_out_again(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, alices: Any, nell: Any, marrow: Any
) -> None:
    sent = {"title": "Over the cash box", "side_one": "The party", "side_two": "The others", "c0_side": "one",
            "c1_side": "two"}
    start(as_alice, campaign, "fight", **sent)
    act(as_bob, nell, "initiative")
    act(as_bob, nell, "mulligan")
    act(as_alice, None, "roll_the_rest")
    while state().last is None:
        step(as_alice, as_bob, state(), nell, marrow)
    payloads = [read(entry.payload.text) for entry in Entry.objects.filter(kind__startswith="contest.")]
    rolls = [roll for payload in payloads for roll in (payload["outcome"] or {}).get("rolls", ())]
    assert {roll["move"] for roll in rolls} == {"pnc.standard_roll", "pnc.initiative", "pnc.attack_roll"}
    for most in (1, 500):
        progress = through(campaign, most)
        assert (progress.fault, progress.outcomes) == ("", len(rolls))
    report = verify.verify(exported(campaign, alices), rules=RULES)
    # The defender's dice are half a roll: the attacker's act tells of both.
    assert (report.outcomes, report.unknown_outcomes) == (len(rolls), 0)


def test_pn_10_a_character_is_built_in_prose(as_bob: Client, campaign: Any, bobs: Any) -> None:
    page = as_bob.get(f"/c/{campaign.slug}/characters/new/").content.decode()
    assert "Features" in page and "It makes things" in page and "Rank" not in page
    odds = as_bob.get(f"/c/{campaign.slug}/odds/?of=roll&bonus=1&penalty=0&open_ended=on")
    assert odds.status_code == 200 and "the lowest three" in odds.content.decode()


def test_pn_10_an_npc_in_one_line(as_alice: Client, campaign: Any) -> None:
    line = body(line="Ferry guard, good with a halberd, thinking hard")
    assert as_alice.post(f"/c/{campaign.slug}/characters/quick/", line).status_code == 302
    made = Character.objects.get(name="Ferry guard")
    assert {(trait.name, trait.value) for trait in made.traits.all()} == {("good with a halberd", 1), ("thinking", -1)}


def test_pn_10_squads_from_one_line(as_alice: Client, campaign: Any) -> None:
    sent = body(line="2 squads of 5 guards, good")
    assert as_alice.post(f"/c/{campaign.slug}/characters/quick/", sent).status_code == 302
    made = Character.objects.filter(campaign=campaign).order_by("name")
    assert [character.name for character in made] == ["Guards 1", "Guards 2"]
    assert [[(t.name, t.value, t.note) for t in character.traits.all()] for character in made] == [
        [("Guards", 1, "A squad of 5")]] * 2
    asked = as_alice.post(f"/c/{campaign.slug}/characters/quick/", body(line="Rapier seventeen"))
    assert asked.status_code == 422 and "Begin with a name" in asked.content.decode()


def test_observers_and_outsiders_only_look_on(
    as_charlie: Client, as_bob: Client, campaign: Any, charlie: Any, nell: Any
) -> None:
    start(as_bob, campaign, "roll", title="Over the gap", who=str(nell.pk))
    assert as_charlie.get(at()).status_code == 404
    join(campaign, charlie, "observer")
    assert as_charlie.get(at()).status_code == 200
    assert as_charlie.post(f"{at()}roll/{nell.pk}/", body()).status_code in (403, 404)
