"""The GM's bank: people and things without a sheet, and how hard each is, by situation (QW-77)."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.fields import Text
from rules.prep import PreparedObstacle, PrepItemKind
from rules.systems.questworlds.notation import MOST, notation
from rules.systems.questworlds.resistance import NoRank, resistance_of
from rules.values import BadMove, Value

LINES, WORDS, WRITTEN = 20, 120, 20  # situations to an entry, letters to a situation, letters to a resistance


@dataclass(frozen=True)
class Situation:
    """When, in a few words, and the resistance then, as the GM wrote it; "" for the base."""

    words: str
    resistance: str

    @property
    def behind(self) -> str:
        """Its words behind a name, as the GM wrote them."""
        return f" · {self.words}" if self.words else ""


def situations(spec: Mapping[str, Any]) -> tuple[Situation, ...]:
    """What an entry of the bank may be up against a character with: one at least, which may be empty.

    Entries from before there were situations have one, and its words in `obstacle`.

    >>> situations({"situations": "In a fight: high\\nHer secret: +6"})
    (Situation(words='In a fight', resistance='high'), Situation(words='Her secret', resistance='+6'))
    >>> situations({"resistance": "1M", "obstacle": "A wet wall"})
    (Situation(words='A wet wall', resistance='1M'),)
    >>> situations({})
    (Situation(words='', resistance=''),)
    """
    if listed := tuple(_situation(line) for line in _lines(str(spec.get("situations", "")))):
        return listed
    return (Situation(str(spec.get("obstacle", "")), str(spec.get("resistance", ""))),)


def _lines(text: str) -> list[str]:
    return [words for line in text.splitlines() if (words := " ".join(line.split()))]


def _written(cases: Iterable[Situation]) -> str:
    return "\n".join(f"{case.words}: {case.resistance}" if case.words else case.resistance for case in cases)


def _situation(line: str) -> Situation:
    """One line: `In a fight: high`; without a colon it is a resistance for everything."""
    words, _, written = line.rpartition(":")
    return Situation(words.strip(), written.strip())


@dataclass(frozen=True, kw_only=True)
class SituationsField(Text):
    """Situations, one a line, each with its resistance behind a colon. `symbol` is another mastery sign it reads."""

    most: int = 2000
    lines: bool = True
    symbol: str = "M"

    def check(self, value: Value) -> str:
        text = Text.check(self, value)
        lines = _lines(text)
        if len(lines) > LINES:
            raise BadMove(f"Enter at most {LINES} situations.")
        known: set[str] = set()
        for number, line in enumerate(lines, 1):
            self._check_line(number, line)
            words = _situation(line).words.casefold()
            if words in known:
                raise BadMove(f"Line {number}, “{_cut(line)}”: an earlier line has this situation. Keep one of them.")
            known.add(words)
        return text

    def _check_line(self, number: int, line: str) -> None:
        situation, where = _situation(line), f"Line {number}, “{_cut(line)}”"
        if len(situation.words) > WORDS:
            raise BadMove(f"{where}: say the situation in at most {WORDS} characters.")
        try:
            if len(situation.resistance) > WRITTEN or resistance_of(situation.resistance, None, self.symbol)[0] > MOST:
                raise BadMove("That is too much.")
        except NoRank as bad:
            raise BadMove(f"{where}: {bad.sentence}") from bad
        except BadMove as bad:
            if ":" not in line:
                raise BadMove(f"{where}, has no resistance. Put one behind a colon: {_cut(line, 40)}: high.") from bad
            raise BadMove(
                f"{where}: behind the colon goes a score (17, 7{self.symbol}), a rank (+6) or a name (high)."
            ) from bad


def _cut(line: str, most: int = 60) -> str:
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


@dataclass(frozen=True, slots=True)
class Resistances(PrepItemKind):
    """Somebody or something without a sheet. `symbol` is the sign of a mastery that the campaign uses."""

    symbol: str = "M"

    @property
    def filled(self) -> frozenset[str]:
        return frozenset(("obstacle",))

    def filling(self, name: str, spec: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"obstacle": name}

    def obstacles(self, name: str, spec: Mapping[str, Any]) -> tuple[PreparedObstacle, ...]:
        return tuple(
            PreparedObstacle(f"{name}: {case.words}"[:WORDS] if case.words else name, {"resistance": case.resistance})
            for case in situations(spec))

    def with_obstacle(self, spec: Mapping[str, Any], place: int, values: Mapping[str, Value]) -> Mapping[str, Any]:
        lines = [replace(case, resistance=str(values.get("resistance", ""))) if number == place else case
                 for number, case in enumerate(situations(spec))]
        return {**self._kept(spec), "situations": _written(lines)}

    def read_part(self, part: str, spec: Mapping[str, Any]) -> Mapping[str, Any] | None:
        # The arguments name the class: slots make it anew, and a bare `super()` would mean the one before.
        if (known := super(Resistances, self).read_part(part, {"situations": "", **spec})) is not None:
            return {name: value for name, value in known.items() if name != "situations" or value or name in spec}
        lines = "\n".join(filter(None, (str(spec.get("situations", "")), part)))
        try:
            return {**spec, "situations": self.fields[0].check(lines)}
        except BadMove:
            return None

    def _kept(self, spec: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in spec.items() if name not in ("resistance", "obstacle")}

    def current(self, spec: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**self._kept(spec), "situations": _written(situations(spec))}

    def rows(
        self, spec: Mapping[str, Any], settings: Mapping[str, Any], players: bool = False
    ) -> tuple[tuple[str, str, str], ...]:
        # A secret may be in the words of a situation: what is shown to players leaves them out.
        rows = [] if players else [self._row(situation, int(settings["base"])) for situation in situations(spec)]
        if stake := str(spec.get("stake", "")):
            rows.append(("At stake", "", stake))
        return tuple(rows)

    def _row(self, situation: Situation, base: int) -> tuple[str, str, str]:
        try:
            score, how = resistance_of(situation.resistance, base, self.symbol)
        except BadMove:  # it was written with a sign of a mastery that is no longer in use
            return situation.words or "Resistance", situation.resistance, "Write it again."
        return situation.words or "Resistance", notation(score, self.symbol), how


def kinds(symbol: str) -> tuple[PrepItemKind, ...]:
    """What a GM prepares."""
    fields = (
        SituationsField(
            name="situations", label="Resistance, by situation", symbol=symbol,
            help=f"One a line, with a score, a rank or a name behind a colon: “In a fight: 7{symbol}”, “At dice: +6”, "
            "“In daylight: low”. Without a colon it counts for everything. Yours alone, also when you show the rest.",
        ),
        Text(name="stake", label="At stake", most=300),
    )
    return (
        Resistances(
            "resistance", "Resistance", "Resistances and people",
            "Someone or something without a sheet: a name, and its resistance by situation.", fields, symbol,
        ),
        Resistances(
            "challenge", "Challenge", "Challenges",
            "Something to be tried: the resistance of each way, and what is at stake.", fields, symbol,
        ),
    )
