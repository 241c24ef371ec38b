"""Standard rolls at one moment: who rolls, with what, how the dice lie, and the values that its events keep."""
from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from rules.engine import Event
from rules.procedure import ActResult
from rules.systems.pnc.dice import BANDS, WORST, Fallen, Roll, Thrown, band_of, degree_text, reading
from rules.systems.pnc.factors import Weight
from rules.systems.pnc.reckoning import Kept, settle
from rules.systems.pnc.roll_odds import Spread, spread
from rules.systems.pnc.settings import RollSettings
from rules.wording import join

BAND_WORDS = (*(word for _, word in BANDS), WORST)
VERDICTS = {"success": "It succeeds", "partly": "It succeeds in part", "failure": "It fails"}


@dataclass(frozen=True)
class Seated:
    """Somebody who rolls: a player character or not."""

    id: str
    name: str
    player: bool


@dataclass(frozen=True)
class Meaning:
    """What the GM wrote that a band means here."""

    band: str
    words: str


@dataclass(frozen=True)
class Roller:
    """Somebody who rolls, with the factors so far and the dice as they lie."""

    id: str
    name: str
    player: bool
    weights: tuple[Weight, ...] = ()
    dice: Fallen | None = None
    times: int = 0
    stands: bool = False
    open_ended: bool = True

    @property
    def terms(self) -> Kept:
        """The factors so far; once the dice lie there, those that they fell with."""
        return Kept(self.weights, self.open_ended)

    @property
    def roll(self) -> Roll:
        """What falls with them."""
        return self.terms.roll

    @property
    def button(self) -> str:
        """`1d20 against 4d6, the lowest three`."""
        return self.terms.button

    @property
    def odds(self) -> Spread:
        """The exact chances before the dice fall."""
        return spread(self.roll)

    @property
    def thrown(self) -> Thrown | None:
        """The dice, read."""
        return settle(self.roll, self.dice) if self.dice else None

    @property
    def drawn(self) -> tuple[Any, ...]:
        """The dice as a page draws them."""
        return self.thrown.laid() if self.thrown else ()

    @property
    def reading(self) -> str:
        """The degree and its band: `+1, partial success`; "" before the roll."""
        return reading(self.thrown.degree) if self.thrown else ""

    @property
    def both_readings(self) -> str:
        """The plain reading, then the degree: `Success: +1, partial success`; "" before the roll."""
        return f"{'Success' if self.success else 'Failure'}: {self.reading}" if self.thrown else ""

    @property
    def success(self) -> bool:
        """The plain reading."""
        return bool(self.thrown and self.thrown.result()["success"])

    @property
    def degree(self) -> str:
        """`+4`, or "" before the roll."""
        return degree_text(self.thrown.degree) if self.thrown else ""

    @property
    def band(self) -> str:
        """The other reading, or "" before the roll."""
        return band_of(self.thrown.degree) if self.thrown else ""


@dataclass(frozen=True)
class State:
    """Rolls at one moment."""

    rollers: tuple[Roller, ...] = ()
    settings: RollSettings = field(default_factory=lambda: RollSettings(open_ended=True, swing=True))
    meanings: tuple[Meaning, ...] = ()
    over: bool = False
    verdict: str = ""
    words: str = ""

    def roller(self, who: str) -> Roller:
        """The roller of this id; raises `KeyError`."""
        for roller in self.rollers:
            if roller.id == who:
                return roller
        raise KeyError(who)

    def with_(self, who: str, **changes: Any) -> State:
        """The state with these facts of one roller changed."""
        return replace(self, rollers=tuple(
            replace(roller, **changes) if roller.id == who else roller for roller in self.rollers
        ))

    def meaning(self, band: str) -> str:
        """What the GM wrote for a band, or ""."""
        return next((meaning.words for meaning in self.meanings if meaning.band == band), "")

    @property
    def names(self) -> dict[str, str]:
        """Names by id."""
        return {roller.id: roller.name for roller in self.rollers}

    @property
    def begun(self) -> bool:
        """Whether any die has fallen."""
        return any(roller.dice for roller in self.rollers)

    @property
    def all_rolled(self) -> bool:
        """Whether everybody's dice lie there."""
        return all(roller.dice for roller in self.rollers)

    @property
    def alone(self) -> bool:
        """Whether nobody is compared with anybody."""
        return len(self.rollers) == 1

    @property
    def ranked(self) -> tuple[tuple[Roller, ...], ...]:
        """Those who rolled from the highest degree down; equal degrees together (PN-08)."""
        degrees: dict[int, list[Roller]] = {}
        for roller in self.rollers:
            if roller.thrown:
                degrees.setdefault(roller.thrown.degree, []).append(roller)
        return tuple(tuple(degrees[degree]) for degree in sorted(degrees, reverse=True))

    @property
    def unsettled(self) -> tuple[Roller, ...]:
        """Those to whom rolling again could make a difference, once all have rolled (PN-09).

        Alone that is anybody below the best band. Against others it is whoever is not ahead of all of them. Who has
        let the roll stand is not asked again.
        """
        if not self.all_rolled or self.over:
            return ()
        if self.alone:
            could = [roller for roller in self.rollers if roller.band != BAND_WORDS[0]]
        else:
            first = self.ranked[0]
            could = [roller for roller in self.rollers if first != (roller,)]
        return tuple(roller for roller in could if not roller.stands)

    @property
    def winner(self) -> str:
        """Who did best, in a sentence with everybody's degree (PN-08)."""
        first = self.ranked[0]
        degrees = ", ".join(f"{roller.name} {roller.degree}" for place in self.ranked for roller in place)
        if len(first) == len(self.rollers):
            return f"The degrees are equal ({degrees}): nobody is ahead."
        names = join([roller.name for roller in first])
        return f"{names} {'wins' if len(first) == 1 else 'are level in the lead'}: {degrees}."


Result = ActResult[Event[State]]


def span(index: int) -> str:
    """The degrees of a band, from the best down: `+5 to +7`."""
    if index == 0:
        return f"{degree_text(BANDS[0][0])} and more"
    if index == len(BANDS):
        return f"{degree_text(BANDS[-1][0] - 1)} and less"
    return f"{degree_text(BANDS[index][0])} to {degree_text(BANDS[index - 1][0] - 1)}"
