"""Danger World: no box is below nothing, and a check is what the contract answers."""
from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from rules.procedure import ActResult, Offer, PastContest
from rules.sheet import Sheet
from rules.systems.danger_world.table.state import State
from tests.rules.at_any_table import AnyTable
from tests.rules.danger_world.at_table import Played, a_sheet
from tests.rules.promises import Promises

ON = ("roll", "reroll", "use", "heal", "benefit", "pay")


class OwnPromises(Promises):
    """Characters of any danger level, hurt or not, some of whom meet what another left behind."""

    rules = "DW-"

    def sheet(self, sheet: Sheet, chance: Random) -> Sheet:
        """At another danger level, and hurt."""
        changes = {"danger": lambda: {"value": chance.randint(1, 23)},
                   "boxes": lambda: {"damage": chance.randint(0, 1)}}
        return replace(sheet, traits=tuple(
            replace(trait, **changes[trait.kind]()) if trait.kind in changes else trait for trait in sheet.traits))

    def setup(self, setup: dict[str, Any], chance: Random) -> dict[str, Any]:
        """Now and then at the challenge that was tried before; the GM's agreement is seldom waited for."""
        again = {"title": "Over the roofs"} if chance.random() < 0.5 else {}
        move = chance.choice(("", "healing", "aid_another", "fighting"))
        return {**setup, **again, "move": move, "agree": chance.random() < 0.2, "difficulty": chance.choice("2345")}

    def past(self, chance: Random) -> tuple[PastContest, ...]:
        """A check that left threat dice, or none."""
        if chance.random() < 0.5:
            return ()
        earlier = Played(a_sheet(), difficulty="4")
        earlier.do("complicate", gm=True, dice=2, why="A watchman")
        return (PastContest(1, earlier.state.title, True, earlier.state, "here"),)

    def waits(self, offer: Offer) -> int:
        """What leads on comes first."""
        return 1 if offer.action in ON else 2

    def hold(self, table: AnyTable, result: ActResult[Any]) -> None:
        """No box is opened that was not ticked; the dice are told as they fell."""
        assert all(trait.damage >= 0 and (trait.kind != "boxes" or trait.now >= 0)
                   for sheet in table.sheets.values() for trait in sheet.traits)
        if result.result["action"] != "start":
            resolved_anew(table.plain, result, list(table.thrown[id(result)]))


def resolved_anew(state: State, result: ActResult[Any], thrown: list[int]) -> None:
    """What the check says came of its roll is what the roll tells.

    Dice that choose which stat an injury lowers are no check, and the contract takes 40 threat dice at most.
    """
    action, pool = result.result["action"], state.pool
    used = action == "use" or (action == "stand" and state.height is not None)
    tells = (used or action in ("roll", "reroll")) and pool is not None and max(pool.action, pool.threat) <= 40
    assert len(result.rolls) == tells, action
    assert tells or not thrown or action == "pay" or (pool and pool.threat > 40)
    for roll in result.rolls:
        told: Any = roll.result
        assert not thrown or list(roll.dice[-len(thrown):]) == thrown
        height = max(state.sets, default=0) if state.height is None else state.height
        assert {**state.settled(height).result, "rounds": told["rounds"]} == told
        assert (tuple(told["rounds"][-1]), len(told["rounds"])) == (state.faces, state.rounds + 1)
        assert not used or told["botches"] == result.result["botches"] == state.botches
