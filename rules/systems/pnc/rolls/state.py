"""What is so while standard rolls are made, and what happened: `evolve` is total."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Union, assert_never

from rules.systems.pnc.chances import Spread, spread
from rules.systems.pnc.dice import BANDS, WORST, Roll, Thrown, band_of, signed
from rules.systems.pnc.factors import Weight, button, roll_of
from rules.tables import percent

BAND_WORDS = (*(word for _, word in BANDS), WORST)
VERDICTS = {"success": "It succeeds", "partly": "It succeeds in part", "failure": "It fails"}


@dataclass(frozen=True)
class Seated:
    """Somebody who rolls: a player's character or not."""

    id: str
    name: str
    player: bool


@dataclass(frozen=True)
class Meaning:
    """What the GM wrote that a band means here."""

    band: str
    words: str


@dataclass(frozen=True)
class Started:
    """The question is on the table."""

    open_ended: bool
    swing: bool
    seats: tuple[Seated, ...]


@dataclass(frozen=True)
class Weighed:
    """Factors were put down for somebody's roll (PN-05)."""

    who: str
    weights: tuple[Weight, ...]


@dataclass(frozen=True)
class Dropped:
    """A factor was taken off again."""

    who: str
    place: int


@dataclass(frozen=True)
class Meant:
    """The GM said what the degrees mean, all of them at once."""

    meanings: tuple[Meaning, ...]


@dataclass(frozen=True)
class Rolled:
    """Dice fell: the d20, what followed an open one, and the six-sided dice."""

    who: str
    first: int
    second: int | None
    faces: tuple[int, ...]


@dataclass(frozen=True)
class Stood:
    """Somebody lets the roll stand."""

    who: str


@dataclass(frozen=True)
class Settled:
    """The story decides; nobody rolls (PN-01)."""

    verdict: str
    words: str


@dataclass(frozen=True)
class Ended:
    """The result was read."""


Event = Union[Started, Weighed, Dropped, Meant, Rolled, Stood, Settled, Ended]


@dataclass(frozen=True)
class Roller:
    """Somebody who rolls, with the factors so far and the dice as they lie."""

    id: str
    name: str
    player: bool
    weights: tuple[Weight, ...] = ()
    dice: Rolled | None = None
    times: int = 0
    stands: bool = False
    open_ended: bool = True

    @property
    def roll(self) -> Roll:
        """What falls, with the factors so far."""
        return roll_of(self.weights, open_ended=self.open_ended)

    @property
    def button(self) -> str:
        """`1d20 against 4d6, the lowest three`."""
        return button(self.roll)

    @property
    def odds(self) -> Spread:
        """The exact chances before the dice fall."""
        return spread(self.roll)

    @property
    def thrown(self) -> Thrown | None:
        """The dice, read."""
        if self.dice is None:
            return None
        return Thrown(self.roll, self.dice.first, self.dice.second, self.dice.faces)

    @property
    def drawn(self) -> tuple[Any, ...]:
        """The dice as a page draws them."""
        return self.thrown.laid() if self.thrown else ()

    @property
    def told(self) -> str:
        """Both readings in a line: `Success: +1, partial success`; "" before the roll."""
        return f"{'Success' if self.success else 'Failure'}: {self.degree}, {self.band}" if self.thrown else ""

    @property
    def success(self) -> bool:
        """The plain reading."""
        return bool(self.thrown and self.thrown.result()["success"])

    @property
    def degree(self) -> str:
        """`+4`, or "" before the roll."""
        return signed(self.thrown.degree) if self.thrown else ""

    @property
    def band(self) -> str:
        """The other reading, or "" before the roll."""
        return band_of(self.thrown.degree) if self.thrown else ""


@dataclass(frozen=True)
class State:
    """Rolls at one moment."""

    rollers: tuple[Roller, ...] = ()
    swing: bool = True
    meanings: tuple[Meaning, ...] = ()
    over: bool = False
    verdict: str = ""
    words: str = ""

    def roller(self, who: str) -> Roller:
        """The roller of this id; raises `KeyError`."""
        for each in self.rollers:
            if each.id == who:
                return each
        raise KeyError(who)

    def with_(self, who: str, **changes: Any) -> State:
        """The state with these facts of one roller changed."""
        return replace(self, rollers=tuple(
            replace(each, **changes) if each.id == who else each for each in self.rollers
        ))

    def meaning(self, band: str) -> str:
        """What the GM wrote for a band, or ""."""
        return next((each.words for each in self.meanings if each.band == band), "")

    @property
    def names(self) -> dict[str, str]:
        """Names by id."""
        return {each.id: each.name for each in self.rollers}

    @property
    def begun(self) -> bool:
        """Whether any die has fallen."""
        return any(each.dice for each in self.rollers)

    @property
    def alone(self) -> bool:
        """Whether nobody is compared with anybody."""
        return len(self.rollers) == 1

    @property
    def ranked(self) -> tuple[tuple[Roller, ...], ...]:
        """Those who rolled from the highest degree down; equal degrees together (PN-08)."""
        rolled = [each for each in self.rollers if each.thrown]
        degrees = sorted({each.thrown.degree for each in rolled if each.thrown}, reverse=True)
        return tuple(tuple(each for each in rolled if each.thrown and each.thrown.degree == d) for d in degrees)

    @property
    def scale(self) -> tuple[tuple[str, str, str, str, bool], ...]:
        """The nine bands as a page lists them: degrees, band, chance, meaning, and whether it came."""
        one = self.rollers[0] if self.alone and self.rollers else None
        chances = one.odds.bands if one else {}
        rows = []
        for index, band in enumerate(BAND_WORDS):
            chance = percent(chances[band]) if band in chances else ""
            came = bool(one and self.over and one.band == band)
            rows.append((span(index), band, chance, self.meaning(band), came))
        return tuple(rows)


def span(index: int) -> str:
    """The degrees of a band, from the best down: `+5 to +7`."""
    if index == 0:
        return f"{signed(BANDS[0][0])} and more"
    if index == len(BANDS):
        return f"{signed(BANDS[-1][0] - 1)} and less"
    return f"{signed(BANDS[index][0])} to {signed(BANDS[index - 1][0] - 1)}"


def evolve(state: State, event: Event) -> State:
    """What is so after the event."""
    match event:
        case Started():
            made = (Roller(each.id, each.name, each.player, open_ended=event.open_ended) for each in event.seats)
            return State(tuple(made), event.swing)
        case Weighed():
            return state.with_(event.who, weights=(*state.roller(event.who).weights, *event.weights))
        case Dropped():
            kept = tuple(w for place, w in enumerate(state.roller(event.who).weights) if place != event.place)
            return state.with_(event.who, weights=kept)
        case Meant():
            return replace(state, meanings=event.meanings)
        case Rolled():
            return state.with_(event.who, dice=event, times=state.roller(event.who).times + 1)
        case Stood():
            return state.with_(event.who, stands=True)
        case Settled():
            return replace(state, over=True, verdict=event.verdict, words=event.words)
        case Ended():
            return replace(state, over=True)
        case _:
            assert_never(event)
