"""A test at one moment: who tries what, how hard it is, what counts, and what came of it."""
from __future__ import annotations

from dataclasses import dataclass

from rules.engine import Event
from rules.procedure import ActResult
from rules.systems.pdq.reckoning import Hard, Terms
from rules.systems.pdq.roll import Shift

CALLED_OFF = "called off"


@dataclass(frozen=True)
class State:
    """A test at one moment: who tries what, how hard it is once somebody has said so, and what the GM has granted."""

    who: str = ""
    name: str = ""
    title: str = ""
    hard: Hard | None = None
    granted: tuple[Shift, ...] = ()
    terms: Terms | None = None
    team: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()  # those of the one who rolled
    faces: tuple[int, ...] = ()  # as they lie
    outcome: str = ""  # `success`, `failure` or `called off` once it is over
    total: int | None = None  # None where no dice fell

    @property
    def open(self) -> bool:
        """Whether it is still to be rolled."""
        return bool(self.who) and not self.outcome

    @property
    def left(self) -> Terms | None:
        """What it is still to be rolled with, where it was over without dice and the GM struck why; None for what the
        player has yet to say."""
        return self.terms if self.open else None


Result = ActResult[Event[State]]


@dataclass(frozen=True)
class Began(Event[State]):
    """Somebody tries something."""

    who: str
    name: str
    title: str

    def after(self, state: State) -> State:
        return State(self.who, self.name, self.title)
