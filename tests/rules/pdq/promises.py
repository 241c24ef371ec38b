"""PDQ: nobody who is out acts, what is marked has room for it, and a roll is what the contract answers."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from rules.moves import Outcome
from rules.procedure import ActResult, Offer
from rules.systems.pdq.conflict import Conflict
from rules.systems.pdq.conflict.state import Phase
from tests.rules.at_any_table import AnyTable
from tests.rules.pdq.walking import spread
from tests.rules.promises import Promises

LAST_ONES = (Phase.DEFEND, Phase.DAMAGE, Phase.TURN, Phase.AFTERMATH, Phase.RULING)


class OwnPromises(Promises):
    """A conflict goes on while two sides stand, and its dead are dead on their sheets."""

    rules = "PQ-"
    walks = 60

    def given(self, table: AnyTable, offer: Offer, given: dict[str, Any]) -> Mapping[str, Any]:
        """All damage is marked where there is room; and somebody may stay where they are."""
        if not isinstance(table.kind, Conflict):
            return given
        if offer.action == "take_damage":
            ids = [id_ for id_, _ in (offer.options or {})["spread"]]
            return {**given, "spread": spread(table.plain, table.sheets, offer.by, ids, table.chance.choice)}
        if offer.action == "move" and table.chance.random() < 0.5:
            return {**given, "to": table.plain.contestant(offer.by).position}
        return given

    def setup(self, setup: dict[str, Any], chance: Random) -> dict[str, Any]:
        """More often than not somebody may die of it."""
        if "killing" in setup and chance.random() < 0.5:
            return {**setup, "killing": "asked", "harm": "damage"}
        return setup

    def waits(self, offer: Offer) -> int:
        """Those in it act more often than the GM rules."""
        return 1 if offer.by else 4

    def finds(self, offer: Offer) -> bool:
        """Whatever is said is taken, but for a roll that is certain either way."""
        return offer.action != "roll"

    def hold(self, table: AnyTable, result: ActResult[Any]) -> None:
        """What holds at every moment of a conflict."""
        assert all(trait.damage >= 0 and trait.now >= -2 for sheet in table.sheets.values() for trait in sheet.traits)
        if not isinstance(table.kind, Conflict):
            return
        resolved_anew(result.outcome)
        state = table.plain
        for who in state.contestants:
            assert not (who.out and who.id in state.acting)
            assert who.out or not who.killed
            assert who.chin_used <= who.hurt
        assert state.over or len(state.sides_standing) > 1 or state.phase in LAST_ONES
        assert all(table.sheets[who.id].dead == who.killed for who in state.contestants)
        assert state.over or state.phase is Phase.RULING or any(offer.by for offer in table.offers()), (
            f"nobody can act in {state.phase}")


def resolved_anew(outcome: Outcome) -> None:
    """What the conflict says came of its rolls is what they tell.

    Dice that break ties of initiative have no move of the contract, but they fall at the start alone.
    """
    result, faces = outcome.result, [die.face for die in outcome.dice]
    if result["action"] == "start":
        return
    if result.get("again"):
        # Dice that were read again fell with an earlier act: they are those that the rolls tell.
        faces = [face for roll in outcome.rolls for face in roll.dice]
    for roll in outcome.rolls:
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
