"""Tables that lie ready where a player has something to decide in a contest of each kind."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.browser.serving import Server
from tests.effort import LONG

# What is left to decide after the dice.
AFTER_DICE = [
    ("pdq_sharp", "duel"), ("pdq_sharp", "flashy"), ("danger_world", "check"), ("questworlds", "scored"),
    ("questworlds", "chained"), ("questworlds", "extended"), ("questworlds", "framed"), ("questworlds", "group"),
    ("pnc", "roll"), ("pnc", "opposed"), ("pdq_sharp", "impasse"),
    *([("pnc", "competition"), ("questworlds", "versus")] if LONG else [])]
# A turn, an answer to what somebody does: where no die waits.
TURNS = [("pdq", "conflict"), ("pdq_sharp", "duel"), ("pnc", "fight"), ("danger_world", "check"),
         ("questworlds", "extended")]
CALLED = {"impasse": "duel"}  # what a player calls in another contest
STEPS, TABLES = 16, 8  # a table may fall so that nothing is left to decide
PLAYERS = ("Bob", "Dana")
THROWN = {"pnc": {"20": 1, "6": 6}}  # a failure may always be rolled again; otherwise dice fall as they like


@dataclass(frozen=True)
class Waiting:
    """A table whose contest waits for a player: its address, everyone's cookies."""

    address: str
    cookies: dict[str, str]

    @property
    def players(self) -> list[str]:
        """The cookies of those of whom one is asked."""
        return [self.cookies[name] for name in PLAYERS]


def _laid(server: Server, system: str, kind: str) -> Waiting:
    laid: Any = server.lay("table", system, {"long": "all"} if system == "questworlds" else {})
    server.lay("begin", laid["address"], CALLED.get(kind, kind))
    return Waiting(laid["address"], laid["cookies"])


def after_dice(server: Server, system: str, kind: str) -> Waiting:
    """A table where a player decides after the dice of such a contest."""
    left = f"{kind}_stand" if kind in CALLED else "stand"
    for _ in range(TABLES):
        table, called, faces = _laid(server, system, kind), kind not in CALLED, THROWN.get(system)
        for _ in range(STEPS):
            called = called or any(server.lay("act", table.address, name, kind, faces) for name in PLAYERS)
            if any(action == left and who != "the GM" for who, action, _ in server.lay("waiting", table.address)):
                return table
            if server.lay("step", table.address, [], faces) is None:
                break
    raise AssertionError("Nothing was left to decide.")


def on_a_turn(server: Server, system: str, kind: str) -> Waiting:
    """A table where a player is asked for something in such a contest."""
    table = _laid(server, system, kind)
    for _ in range(STEPS):
        if any(who != "the GM" for who, _, _ in server.lay("waiting", table.address)):
            return table
        server.lay("step", table.address)
    raise AssertionError("No player was asked.")
