"""PnC: somebody can go on, and a roll is what the contract answers."""
from __future__ import annotations

from collections import Counter
from typing import Any

from rules.procedure import ActResult, Offer
from tests.rules.at_any_table import AnyTable
from tests.rules.promises import Promises


class OwnPromises(Promises):
    """Counts the faces that fell: a roll is told with dice of its own, or of an act before it."""

    rules = "PN-"

    def __init__(self) -> None:
        self.fallen = Counter[int]()

    def waits(self, offer: Offer) -> int:
        """Those in it act more often than the GM rules."""
        return 1 if offer.by else 3

    def finds(self, offer: Offer) -> bool:
        """Whatever is said is taken, sooner or later."""
        return True

    def hold(self, table: AnyTable, result: ActResult[Any]) -> None:
        """Somebody can do something beside ending it, and the rolls are those of the contest."""
        self.fallen.update(die.face for die in result.dice)
        for roll in result.rolls:
            assert not Counter(roll.dice) - self.fallen
        resolved_anew(table.plain, result, str(result.result["action"]))
        over = table.kind.is_over(table.plain)
        assert over or any(offer.by or offer.action not in ("end", "settle") for offer in table.offers())


def resolved_anew(state: Any, result: ActResult[Any], action: str) -> None:
    """What the contest says came of its rolls is what they tell."""
    told = result.result
    for roll in result.rolls:
        if roll.move in ("pnc.standard_roll", "pnc.attack_roll") and action != "roll_the_rest":
            assert all(roll.result[key] == told[key] for key in roll.result if key in told)
            assert roll.result["degree"] == told["degree"]
        if roll.move == "pnc.initiative":
            assert roll.result["places"] == placed(state)
    numbers = "degree" in told and action not in ("wound", "unmarked", "deal")
    assert result.rolls or not (numbers or (result.dice and not silent(state, action)))
    ranking: Any = told.get("ranking")
    if ranking:
        compared = [roll.result for roll in result.rolls if roll.move == "pnc.competition"]
        assert [round_["outcome"] == "tie" for round_ in compared] == [
            together for place in ranking for together in [True] * (len(place) - 1) + [False]][:-1]


def placed(state: Any) -> list[list[int]]:
    """The order of those who can act, as the contract writes it."""
    able = [combatant.id for combatant in state.able]
    groups = [[able.index(member.id) for member in group if member.id in able] for group in state.order]
    return [group for group in groups if group]


def silent(state: Any, action: str) -> bool:
    """Acts with dice that tell no roll: half an attack, and a d6 of somebody who comes to an order that stands."""
    return action == "defend" or (
        action in ("initiative", "roll_the_rest") and state.settings.initiative == "d6")
