"""How a conflict ends: who stands lets the others live, or the GM says so (PQ-11, PQ-17)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Flag
from rules.moves import Roll, Step
from rules.procedure import Ask, Offer
from rules.systems.pdq.conflict.fields import WORDS
from rules.systems.pdq.conflict.state import Phase, Result, State
from rules.systems.pdq.harm import ranks
from rules.values import BadMove
from rules.wording import alone, join, quoted

Faces = Sequence[int]

DROP = Flag(name="drop", label="Drop the damage that nobody has assigned")


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


@dataclass(frozen=True)
class WouldEnd(Event[State]):
    """One of several who stand would let the others live; it ends once all of those have said so (PQ-17)."""

    who: str

    def after(self, state: State) -> State:
        return replace(state, content=(*state.content, self.who))


def offer_end_here(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To those who stand and have not said so, where one side alone does."""
    for who in state.undecided_end if state.phase is Phase.AFTERMATH else ():
        lives = [contestant.name for contestant in state.at_mercy if contestant.side != who.side]
        undecided = state.undecided_end if who.player else ()
        others = [contestant.name for contestant in undecided if contestant.id != who.id]
        asked = f" {join(others)} {'is' if len(others) == 1 else 'are'} asked too." if others else ""
        yield Offer("end_here", who.id, "End the conflict here", f"{join(lives)} will live.{asked}", (WORDS,))


def ask_to_end_here(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Those who stand and have not said so, where one side alone does."""
    for who in state.undecided_end if state.phase is Phase.AFTERMATH else ():
        yield Ask(who.id, "end_here", "end it here, or kill who is out of action", "Decide", decision=True)


def end_here(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Who stands would let those who are out live; once all who are played say so, it is over (PQ-17)."""
    who = state.contestant(by)
    others = [contestant.name for contestant in state.undecided_end if contestant.id != by] if who.player else []
    if others:
        text = f"{who.name} would end it here. {join(others)} can agree{quoted(values['words'])}"
        return Result((WouldEnd(by),), (Step("PQ-17", text),))
    live = "live" if len(state.at_mercy) > 1 else "lives"
    text = f"{who.name} ends it here: {state.names(beaten.id for beaten in state.at_mercy)} {live}"
    event = Ended("".join(state.sides_standing), values["words"])
    return Result((event,), (Step("PQ-17", text + quoted(values["words"])),))


def offer_end(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, at any time; damage that nobody has placed is asked for first."""
    if state.contestants:
        dropped = (replace(DROP, help=f"{unplaced(state)} Assign that first, or tick this."),) if state.wounds else ()
        yield Offer("end", "", "Finish the conflict", fields=(*dropped, WORDS))


def end(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The conflict is over, whoever stands."""
    if state.wounds and not values[DROP.name]:
        raise BadMove(f"{unplaced(state)} Assign that first, or say that it is dropped.", DROP.name)
    sides = state.sides_standing
    winner = sides[0] if len(sides) == 1 else ""
    steps = [Step("PQ-11", f"The GM ends the conflict{quoted(values['words'])}")]
    if state.wounds:
        steps.append(Step("PQ-16", f"{unplaced(state)} It is dropped."))
    return Result((Ended(winner, values["words"]),), tuple(steps))


def unplaced(state: State) -> str:
    """The damage that nobody has placed, as sentences."""
    return " ".join(f"{state.contestant(wound.who).name} has {ranks(wound.amount, state.settings.harm)} to assign."
                    for wound in state.wounds)


END_HERE = Act("end_here", offer_end_here, end_here, ask_to_end_here)
END = Act("end", offer_end, end)
EVENTS = (WouldEnd, Ended)
