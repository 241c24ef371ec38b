"""Any conflict, played with any legal actions: it never gets stuck, and its events alone replay it."""
from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules import contract
from rules.codec import Unreadable, canonical
from rules.moves import Outcome
from rules.procedure import Perspective
from rules.sheet import Sheet
from rules.systems.pdq.conflict import Conflict
from rules.systems.pdq.conflict.state import Phase
from rules.values import BadMove
from tests.effort import tries
from tests.rules.pdq.walking import KIND, Table, any_given, sheet

STEPS = 80
ACTIONS = {
    "attack", "act", "hold", "pass", "let_go", "help", "withdraw", "kill", "intent", "defend", "move", "take_damage",
    "take_on_the_chin", "end_here", "intents", "grant", "skip", "call_weakness", "take_out", "bring_back", "place",
    "end",
}


def any_table(chance: random.Random) -> Table:
    """Two to five contestants with any qualities, any surprise and any settings."""
    sheets: list[Sheet] = []
    lines: list[dict[str, Any]] = []
    for index in range(chance.randint(2, 5)):
        ranks = {f"q{number}": chance.choice((-1, 1, 1, 2, 3)) for number in range(chance.randint(0, 4))}
        made = sheet("ABCDE"[index], **ranks)
        surprises = chance.random() < 0.3
        sheets.append(made)
        lines.append({
            "sheet": made.id, "side": "xy"[index % 2], "player": chance.random() < 0.5, "surprises": surprises,
            "unaware": not surprises and chance.random() < 0.4, "position": chance.randint(-40, 40),
            "speed": [trait.id for trait in made.traits if chance.random() < 0.2],
        })
    met = any(one["surprises"] and two["unaware"] and one["side"] != two["side"] for one in lines for two in lines)
    return Table(
        sheets, dice=lambda sides: chance.randint(1, sides), contestants=lines, free_round=met,
        ties=chance.choice(("together", "roll")), defence=chance.choice(("roll", "stand")),
        weapons=chance.random() < 0.5, killing=chance.choice(("free", "asked")), ranges=chance.random() < 0.5,
    )


@settings(max_examples=tries(30, 1000), suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False))
def test_any_legal_play_goes_on_and_can_be_replayed(chance: random.Random) -> None:
    played = any_table(chance)
    for _ in range(STEPS):
        if played.state.over:
            break
        offered = KIND.offers(played.state, played.sheets)
        assert any(offer.by for offer in offered), f"nobody can act in {played.state.phase}"
        own = [offer for offer in offered if offer.by]
        rulings = [offer for offer in offered if not offer.by and offer.action != "end"]
        offer = chance.choice(own if chance.random() < 0.9 or not rulings else rulings)
        refused_otherwise(played, {(offer.action, offer.by) for offer in offered}, chance)
        played.act(offer.by, offer.action, **any_given(played, offer, chance.choice))
        check(played)
    assert played.replayed() == played.state


def refused_otherwise(played: Table, offered: set[tuple[str, str]], chance: random.Random) -> None:
    """An action that is not offered is refused with a sentence."""
    actions = sorted((action, who.id) for action in ACTIONS for who in played.state.contestants)
    action, by = chance.choice([action for action in actions if action not in offered])
    with pytest.raises(BadMove) as bad:
        KIND.act(played.state, played.sheets, by, action, {})
    assert bad.value.sentence.endswith(".")


LAST_ONES = (Phase.DEFEND, Phase.DAMAGE, Phase.TURN, Phase.AFTERMATH, Phase.RULING)


def check(played: Table) -> None:
    """What holds at every moment."""
    state = played.state
    assert played.last is not None
    assert played.last.outcome.steps
    assert all(step.rule.startswith("PQ-") and step.text for step in played.last.outcome.steps)
    json.loads(canonical(dict(played.last.outcome.result)))
    resolved_anew(played.last.outcome)
    for event in played.last.events:
        stored = json.loads(canonical(KIND.write(event)))
        assert KIND.read(stored) == event
    for who in state.contestants:
        assert not (who.out and who.id in state.acting)
        assert who.out or not who.killed
        assert who.chin_used <= who.hurt
    assert all(trait.damage >= 0 and trait.now >= -2 for one in played.sheets.values() for trait in one.traits)
    assert state.over or len(state.sides_standing) > 1 or state.phase in LAST_ONES
    assert all(played.sheets[who.id].dead == who.killed for who in state.contestants)
    board = KIND.view(state, played.sheets, Perspective())
    assert board.waits_for or state.over


def resolved_anew(outcome: Outcome) -> None:
    """What the trail keeps of a roll is what the contract answers, and what the conflict says came of it.

    Dice that break ties of initiative have no move of the contract, but they fall at the start alone.
    """
    result, faces = outcome.result, [die.face for die in outcome.dice]
    if result.get("again"):
        # Dice that were read again fell with an earlier act: they are those that the rolls tell.
        faces = [face for roll in outcome.rolls for face in roll.dice]
    for roll in outcome.rolls:
        answer = contract.resolve({"move": roll.move, "given": roll.given, "dice": list(roll.dice)})
        assert canonical(answer["result"]) == canonical(roll.result)
        assert not Counter(roll.dice) - Counter(faces)
        if roll.move == "pdq.test":
            assert {name: result[name] for name in roll.result} == roll.result
    hits: Any = result.get("hits", ())
    assert bool(outcome.rolls) == bool(faces or hits or "success" in result)
    if len(outcome.rolls) == 1 and not result.get("again"):
        assert list(outcome.rolls[0].dice) == faces
    for hit, roll in zip(hits, outcome.rolls if faces else outcome.rolls * len(hits), strict=False):
        assert roll.move == "pdq.attack"
        assert (result["attack"], hit["defence"]) == (roll.result["attack"], roll.result["defence"])
        assert hit["damage"] == roll.result["damage"]
    assert not faces or not hits or len(hits) == len(outcome.rolls)


def test_every_event_can_be_stored_and_nothing_else_is_read() -> None:
    assert len(Conflict.stored.kinds) == 29
    for stored in (None, [], {"event": "danced"}, {"event": "held"}, {"event": "held", "who": 3},
                   {"event": "held", "who": "a", "more": 1}, {"event": "turn_began", "who": "a"},
                   {"event": "struck", "who": "a", "hits": [3]},
                   {"event": "suffered", "who": "a", "losses": [["a", 1, 2]], "out": False, "killed": False}):
        with pytest.raises(Unreadable):
            KIND.read(stored)  # type: ignore[arg-type]
