"""Rounds and turns: who comes next, holding an action, passing, and whom the GM skips (PQ-11)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules import turns
from rules.engine import Act, Event, Sheets, Values
from rules.moves import Roll, Step
from rules.procedure import Ask, Offer
from rules.systems.pdq.conflict.ending import Ended
from rules.systems.pdq.conflict.fields import STRATEGY, about
from rules.systems.pdq.conflict.state import DONE, HOLDING, WAITING, Deed, Phase, Result, State, adopted, place, spent

Faces = Sequence[int]


@dataclass(frozen=True)
class RoundBegan(Event[State]):
    """A round begins; round 0 is the free one against the unaware (PQ-11)."""

    round: int

    def after(self, state: State) -> State:
        for contestant in state.contestants:
            ready = not contestant.out and (self.round > 0 or contestant.surprises)
            turn = WAITING if ready else DONE
            state = state.with_(contestant.id, turn=turn, pledge=None, moved=False, dodged=False)
        return replace(state, round=self.round, acting=(), fresh=False)

    def explained(self, before: State, after: State) -> tuple[tuple[Step, ...], tuple[Roll, ...]]:
        free = "A free round begins, against those who are unaware."
        return (Step("PQ-11", f"Round {self.round} begins." if self.round else free),), ()


@dataclass(frozen=True)
class TurnBegan(Event[State]):
    """The turn of these contestants begins: their strategies end, and they are no longer unaware."""

    who: tuple[str, ...]

    def after(self, state: State) -> State:
        for who in self.who:
            state = state.with_(who, turn=WAITING, strategy="", unaware=False)
        return replace(state, turn=state.turn + 1, acting=self.who, fresh=True)

    def explained(self, before: State, after: State) -> tuple[tuple[Step, ...], tuple[Roll, ...]]:
        together = ", at the same moment" if len(self.who) > 1 else ""
        return (Step("PQ-11", f"It is the turn of {after.names(self.who)}{together}."),), ()


@dataclass(frozen=True)
class Held(Deed):
    """An action is held for later in the round (PQ-11)."""

    who: str

    def done(self, state: State) -> State:
        acting = turns.without(state.acting, self.who)
        return replace(state.with_(self.who, turn=HOLDING), acting=acting, fresh=False)


@dataclass(frozen=True)
class Passed(Deed):
    """A turn went by: passed on, let go from hold, or skipped by the GM."""

    who: str
    strategy: str = ""

    def done(self, state: State) -> State:
        return adopted(spent(state, self.who), self.who, self.strategy)


def onward(state: State) -> Event[State] | None:
    """What follows by itself, without anybody acting: the next turn, the next round, or the end."""
    if state.phase not in (Phase.TURN, Phase.LAST_CALL):
        return None
    if state.decided:
        return Ended("".join(state.sides_standing), "")
    if state.acting:
        return None
    first = turns.next_up((contestant for contestant in state.standing if contestant.turn == WAITING), place)
    if first:
        return TurnBegan(tuple(contestant.id for contestant in first))
    return None if state.holders else RoundBegan(state.round + 1)


def stepping_in(state: State, by: str) -> tuple[Event[State], ...]:
    """Who acts from hold comes between the others: that is a turn of its own (PQ-11)."""
    return () if by in state.acting else (TurnBegan((by,)),)


def on_turn(state: State) -> tuple[str, ...]:
    """Those whose turn it is."""
    return state.acting if state.phase is Phase.TURN else ()


def told_holding(state: State, who: str) -> Step:
    """They keep the action for later in the round (PQ-11)."""
    name = state.contestant(who).name
    return Step("PQ-11", f"{name} holds the action: it can come between any two turns of this round.")


def offer_pass(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To those whose turn it is."""
    for who in on_turn(state):
        yield Offer("pass", who, "Pass", "Skip your turn.", (STRATEGY,))


def pass_(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Lets the turn go by."""
    text = f"{state.contestant(by).name} passes."
    return Result((Passed(by, values["strategy"]),), (Step("PQ-11", text),))


def offer_let_go(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To those who may act from hold now."""
    for who in state.able:
        if who.id not in state.acting:
            yield Offer("let_go", who.id, "Give up your held action")


def ask_to_let_go(state: State, sheets: Sheets) -> Iterator[Ask]:
    """All who hold, once the round ends."""
    for who in state.holders if state.phase is Phase.LAST_CALL else ():
        yield Ask(who.id, "let_go", "act from hold or give it up, as the round ends", "Act", decision=True)


def let_go(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Gives a held action up (PQ-11)."""
    return Result((Passed(by),), (Step("PQ-11", f"{state.contestant(by).name} lets the held action go."),))


def offer_skip(state: State) -> Offer | None:
    """Of those whose turn it is; at the end of a round, of those who hold."""
    if state.phase not in (Phase.TURN, Phase.LAST_CALL):
        return None
    whom = map(state.contestant, state.waited_for)
    return about("skip", "Skip a turn", whom, help="For someone who is not there.")


def told_skipping(state: State, who: str) -> Step:
    """The turn of somebody who is not there goes by."""
    return Step("PQ-11", f"The GM skips {state.contestant(who).name}.")


LET_GO = Act("let_go", offer_let_go, let_go, ask_to_let_go)
HOLD = turns.hold_act(on_turn, Held, "Hold", "Act later in this round, or lose the action.", told_holding)
WAITS = (HOLD, Act("pass", offer_pass, pass_))
SKIP = turns.skip_act(offer_skip, Passed, told_skipping)
EVENTS = (RoundBegan, TurnBegan, Held, Passed)
