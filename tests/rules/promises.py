"""What a game promises of each of its acts, beside what all do; its own stand in `promises.py` of its folder here."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from rules import contract
from rules.codec import canonical
from rules.moves import Roll
from rules.procedure import ActResult, Offer, PastContest, View
from rules.sheet import Sheet
from rules.system import System

if TYPE_CHECKING:
    from tests.rules.at_any_table import AnyTable


class Promises:
    """Those of one game, for one table: what it begins with, and what holds after each act."""

    rules = ""  # what the ids of its rules begin with
    walks = 40  # so many until most has happened
    untold: frozenset[str] = frozenset()  # acts that explain nothing

    def sheet(self, sheet: Sheet, chance: Random) -> Sheet:
        """A sheet to begin with, made of one that has lines of any kind."""
        return sheet

    def setup(self, setup: dict[str, Any], chance: Random) -> dict[str, Any]:
        """What a procedure begins with, made of what was said to its fields."""
        return setup

    def past(self, chance: Random) -> tuple[PastContest, ...]:
        """The contests of the scene that went before."""
        return ()

    def given(self, table: AnyTable, offer: Offer, given: dict[str, Any]) -> Mapping[str, Any]:
        """What is said to an offer, made of what chance said."""
        return given

    def waits(self, offer: Offer) -> int:
        """By how much more than others this act is put off, once it was done."""
        return 1

    def finds(self, offer: Offer) -> bool:
        """Whether chance always finds something that this offer takes."""
        return False

    def hold(self, table: AnyTable, result: ActResult[Any]) -> None:
        """Fails where something is not as it should be after this act, which the table has taken in."""

    def seen(self, view: View) -> None:
        """The same of what somebody sees."""


def promises_of(system: System) -> Promises:
    """Those of a game, for a new table."""
    if not (Path(__file__).parent / system.slug / "promises.py").exists():
        return Promises()
    own: Promises = import_module(f"tests.rules.{system.slug}.promises").OwnPromises()
    return own


def as_the_contract_says(rolls: Sequence[Roll]) -> None:
    """What the trail keeps of a roll is what the contract answers to what was given and thrown."""
    for roll in rolls:
        answer = contract.resolve({"move": roll.move, "given": roll.given, "dice": list(roll.dice)})
        assert canonical(answer["result"]) == canonical(roll.result)
