"""Who has died by the word of their sheet is out of a long contest, and back in it with that word (QW-47).

*Ruling*: dice that wait between somebody and the dead, or for them, come to nothing, and so do augments that wait for
an answer. A pair keeps its points for whoever is brought back to life. A prize that is won is not lost by a death.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

from rules.engine import Event, Sheets
from rules.moves import Step
from rules.systems.questworlds.long.dice import gone
from rules.systems.questworlds.long.state import NOBODY, Result, State
from rules.systems.questworlds.long.values import DEAD, Out, Proposal, Throw


@dataclass(frozen=True)
class Died(Event[State]):
    """Somebody's sheet says that they are dead: nobody faces them, and what waited for them is gone."""

    who: str

    def after(self, state: State) -> State:
        won = state.won_by
        for bout in state.bouts_of(self.who):
            state = state.with_bout(bout.number, closed=True, why=DEAD, chosen=(), faces=())
        return replace(
            state.with_(self.who, status=DEAD), unread=None, heirs=NOBODY if won is None else won,
            throws=tuple(throw for throw in state.throws if not _concerns(throw, self.who)),
            proposals=tuple(_without(proposal, self.who) for proposal in state.proposals))


def _concerns(throw: Throw, who: str) -> bool:
    """Whether dice are somebody's, against them, or for them."""
    return who in (throw.thrown.first, throw.thrown.second, throw.thrown.whom)


def _without(proposal: Proposal, who: str) -> Proposal:
    """An augment that still waits for the GM, or for its own contest, is none by the dead, nor for them."""
    waits = not proposal.verdict or (proposal.verdict == "roll" and proposal.won is None)
    return replace(proposal, verdict="refused", bonus=0) if waits and who in (proposal.by, proposal.whom) else proposal


@dataclass(frozen=True)
class Revived(Event[State]):
    """Somebody's sheet no longer says that they are dead: they are as they were before, in the pairs that they left
    where the other one stands."""

    who: str

    def after(self, state: State) -> State:
        fell = state.entrant(self.who).fell
        state = replace(state.with_(self.who, status=fell.how if fell else "in"), unread=None)
        for bout in state.bouts:
            if bout.why == DEAD and self.who in (bout.ours, bout.theirs) and state.stand(bout):
                state = state.with_bout(bout.number, closed=False, why="")
        return state


def of_death(state: State, sheets: Sheets, who: str) -> Result | None:
    """A contestant dies by the GM's word on the sheet, or lives again."""
    contestant = state.contestant(who)
    if contestant is None or (contestant.status == DEAD) == sheets[who].dead:
        return None
    if not sheets[who].dead:
        again = "in the contest again" if contestant.fell is None else "out of the contest all the same"
        return Result((Revived(who),), (Step("QW-47", f"{contestant.name} lives, and is {again}."),))
    died = Died(who)
    left = contestant.status == "in" and state.won_by is None
    says = gone(died.after(state), Out(who, DEAD)) if left else Step("QW-47", f"{contestant.name} is dead.")
    dice = (Step("QW-12", f"The dice of {throw.thrown.first_name} come to nothing.")
            for throw in state.throws if _concerns(throw, who))
    return Result((died,), (says, *dice))


EVENTS = (Died, Revived)
