"""How a conflict ends: who stands lets the others live, or the GM says so (PQ-11, PQ-17)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.moves import Roll, Step
from rules.procedure import Ask, Offer
from rules.systems.pdq.conflict.state import WORDS, Phase, Result, State
from rules.wording import alone, join, quoted

Faces = Sequence[int]


@dataclass(frozen=True)
class Ended(Event[State]):
    """The conflict is over. `winner` is the one side that still stands, or ""."""

    winner: str
    words: str

    def after(self, state: State) -> State:
        return replace(state, over=True, winner=self.winner, acting=(), attack=None, wounds=())

    def explained(self, before: State, after: State) -> tuple[tuple[Step, ...], tuple[Roll, ...]]:
        text = alone(self.winner) if self.winner else "Nobody is still standing"
        return (Step("PQ-16", f"{text}: the conflict is over."),), ()


def offer_end_here(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To all who stand, where one side alone does."""
    for who in state.standing if state.phase is Phase.AFTERMATH else ():
        lives = [one.name for one in state.at_mercy if one.side != who.side]
        yield Offer("end_here", who.id, "End it here", f"{join(lives)} will live.", (WORDS,))


def ask_to_end_here(state: State, sheets: Sheets) -> Iterator[Ask]:
    """All who stand, where one side alone does."""
    for who in state.standing if state.phase is Phase.AFTERMATH else ():
        yield Ask(who.id, "end_here", "end it here, or kill who is out of action", "Decide", decision=True)


def end_here(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Who stands lets those who are out live, and it is over (PQ-17)."""
    live = "live" if len(state.at_mercy) > 1 else "lives"
    text = f"{state.contestant(by).name} ends it here: {state.names(one.id for one in state.at_mercy)} {live}"
    event = Ended("".join(state.sides_standing), values["words"])
    return Result((event,), (Step("PQ-17", text + quoted(values["words"])),))


def offer_end(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, at any time."""
    if state.contestants:
        yield Offer("end", "", "End the conflict", fields=(WORDS,))


def end(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The conflict is over, whoever stands."""
    sides = state.sides_standing
    winner = sides[0] if len(sides) == 1 else ""
    text = f"The GM ends the conflict{quoted(values['words'])}"
    return Result((Ended(winner, values["words"]),), (Step("PQ-11", text),))


END_HERE = Act("end_here", offer_end_here, end_here, ask_to_end_here)
END = Act("end", offer_end, end)
