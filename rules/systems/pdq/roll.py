"""Shifts and the dice they leave: what a side of any roll comes to (PQ-02 to PQ-05)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.fields import Choice, Field, Group, Listing, Text, Whole
from rules.moves import MoveKind, Outcome, Roll, Step
from rules.systems.pdq.chart import Rank, rank_field
from rules.values import BadMove, Value
from rules.wording import join

MOST_SHIFTS = 20
MOST_QUALITIES = 20
MOST_SAID = Rank.MASTER - Rank.POOR  # ranks that a player's word alone moves a roll, up or down


@dataclass(frozen=True)
class Shift:
    """Upshifts (downshifts, where less than 0) with the reason for them and the rule that gives them.

    `said_by` is the character whose player says so; "" for the game's own, and for what the GM says.
    """

    amount: int
    reason: str = ""
    rule: str = "PQ-03"
    said_by: str = ""

    @property
    def short(self) -> str:
        """`1 upshift`, `2 downshifts`."""
        return _shifts(self.amount)

    @property
    def phrase(self) -> str:
        """What shifts and why, inside a sentence: `1 upshift for “The leap over the well”`."""
        return f"{self.short} for {_quoted(self)}" if self.reason else self.short

    @property
    def words(self) -> str:
        """What shifts and why, as a sentence; who says so comes first."""
        if not self.said_by:
            return f"{self.phrase}."
        what = "being badass" if self.rule == "PQ-05" else ""
        why = " ".join(filter(None, (what, f"“{self.reason}”" if self.reason else "")))
        return f"{self.said_by} says: {_shifts(self.amount)}{f' for {why}' if why else ''}."


@dataclass(frozen=True)
class Line:
    """A quality as it counts in a roll: what it is called, and whose it is ("" for whoever rolls).

    `said_by` is the character whose player says that it counts; "" for the GM, and where nobody is named.
    """

    name: str = ""
    whose: str = ""
    said_by: str = ""

    def words(self, rank: Rank) -> str:
        """What counts, as a sentence; who says so comes first."""
        whose = f"{self.whose}’s " if self.whose else ""
        return f"{self.said_by} says: {whose}{self.name} {rank.notation} counts."


@dataclass(frozen=True)
class Side:
    """One side of a roll: the ranks of every quality applied, the shifts, and which quality leads.

    `upshifts` and `downshifts` are plain counts, `shifts` those that come with a reason; all of them count together.
    `lead` is an index into `qualities`; None lets the highest lead. No quality at all counts as one average. `lines`
    say what the qualities are called, where that is known: the contract knows ranks alone.
    """

    qualities: tuple[Rank, ...] = ()
    upshifts: int = 0
    downshifts: int = 0
    lead: int | None = None
    shifts: tuple[Shift, ...] = ()
    lines: tuple[Line, ...] = field(default=(), compare=False)

    @property
    def applied(self) -> tuple[Rank, ...]:
        """The ranks that count."""
        return self.qualities or (Rank.AVERAGE,)

    @property
    def leading(self) -> int:
        """The index of the lead quality."""
        return self.lead if self.lead is not None else self.applied.index(max(self.applied))

    @property
    def ups(self) -> int:
        """All upshifts."""
        return self.upshifts + sum(shift.amount for shift in self.shifts if shift.amount > 0)

    @property
    def downs(self) -> int:
        """All downshifts."""
        return self.downshifts - sum(shift.amount for shift in self.shifts if shift.amount < 0)

    @property
    def shifted(self) -> int:
        """The lead's rank after the shifts: below poor and past master too."""
        return self.applied[self.leading] + self.ups - self.downs

    @property
    def fails(self) -> bool:
        """Whether a downshift goes below poor: it fails without a roll (PQ-04)."""
        return self.shifted < Rank.POOR

    @property
    def extra_dice(self) -> int:
        """One die more for each upshift past master (PQ-04)."""
        return max(0, self.shifted - Rank.MASTER)

    @property
    def dice(self) -> int:
        """How many dice fall."""
        return 0 if self.fails else 2 + self.extra_dice

    @property
    def best(self) -> int:
        """The best rank in play after the shifts: never past master, for what is past it is dice."""
        ranks = [int(rank) for i, rank in enumerate(self.applied) if i != self.leading]
        return max([*ranks, min(self.shifted, Rank.MASTER)])

    @property
    def modifier(self) -> int:
        """What is added to the dice: every quality, the lead as shifted."""
        others = sum(rank.modifier for i, rank in enumerate(self.applied) if i != self.leading)
        return others + 2 * max(Rank.POOR, min(Rank.MASTER, self.shifted))

    @property
    def notation(self) -> str:
        """The roll as a button says it: `2d6 +4`; `2d6` where nothing is added."""
        return f"{self.dice}d6{f' {signed(self.modifier)}' if self.modifier else ''}"

    def steps(self, who: str = "") -> tuple[Step, ...]:
        """Why the modifier is what it is; `who` goes before each sentence."""
        start = f"{who}: " if who else ""
        steps = [self._applied_step(start)]
        for shift in self.shifts:
            if shift.amount and (shift.reason or shift.said_by):
                steps.append(Step(shift.rule, shift.words if shift.said_by else start + shift.words))
        if self.ups or self.downs:
            steps.append(Step("PQ-03", start + self._shift_text()))
        if self.fails:
            steps.append(Step("PQ-04", f"{start}a downshift below Poor fails without a roll."))
        elif self.extra_dice:
            steps.append(Step("PQ-04", f"{start}past Master, each upshift is one die more: {self.dice}d6."))
        if who:
            return tuple(steps)
        return tuple(Step(step.rule, step.text[:1].upper() + step.text[1:]) for step in steps)

    def _applied_step(self, start: str) -> Step:
        if not self.qualities:
            return Step("PQ-01", f"{start}no quality applies, which counts as Average [0].")
        names = [line.name for line in self.lines] or ("",) * len(self.qualities)
        named = join([f"{name} {rank.notation}".strip() for name, rank in zip(names, self.qualities, strict=True)])
        return Step("PQ-02", f"{start}{named} {'applies' if len(self.qualities) == 1 else 'apply'}.")

    def _shift_text(self) -> str:
        net = self.ups - self.downs
        if not net:
            return f"{_count(self.ups, 'upshift')} and {_count(self.downs, 'downshift')} cancel."
        lead = self.applied[self.leading].notation
        left = _shifts(net)
        if self.fails or self.extra_dice == net:
            return f"{left} left for {lead}."
        return f"{left} left: {lead} becomes {Rank(min(Rank.MASTER, self.shifted)).notation}."


def side_fields() -> tuple[Field, ...]:
    """What one side of a roll asks for; `side_of` makes the side."""
    return (
        Listing(name="qualities", label="Qualities", of=rank_field("quality", "Quality"), default=(),
                most=MOST_QUALITIES, help="Every quality that applies; their modifiers add up."),
        Whole(name="upshifts", label="Upshifts", default=0, most=MOST_SHIFTS),
        Whole(name="downshifts", label="Downshifts", default=0, most=MOST_SHIFTS),
        Whole(name="lead", label="Lead quality", default=None, most=MOST_QUALITIES - 1,
              help="Which of the qualities the shifts move; the highest one, where none is named."),
        lines_field(LINE_KINDS, SAID_BY),
    )


LINE_KINDS = (("upshift", "Upshift"), ("downshift", "Downshift"), ("badass", "Being badass"))


SAID_BY = Text(name="said_by", label="On whose word", most=100, help="Left blank, the game or the GM says so.")


def lines_field(
    kinds: tuple[tuple[str, str], ...] = LINE_KINDS, *more: Field, most: int = MOST_SHIFTS
) -> Field:
    """Shifts with their reasons: upshifts, downshifts, and what the GM grants for a good description (PQ-05)."""
    line = Group(name="line", label="Shift", fields=(
        Choice(name="kind", label="Kind", options=kinds),
        Whole(name="amount", label="How many", default=1, least=1, most=most),
        Text(name="reason", label="Reason"),
        *more,
    ))
    return Listing(name="lines", label="Shifts with a reason", of=line, default=(), most=20)


def side_of(values: Mapping[str, Any]) -> Side:
    """The side that checked values describe; raises `BadMove` for a lead that does not apply (PQ-03)."""
    qualities, lead = values["qualities"], values["lead"]
    if lead is not None and lead >= len(qualities):
        raise BadMove("Name one of the qualities that apply, counted from 0.", "lead")
    side = Side(qualities, values["upshifts"], values["downshifts"], lead, shifts_of(values["lines"]))
    if max(side.ups, side.downs) > MOST_SHIFTS:
        raise BadMove(f"Take at most {MOST_SHIFTS} upshifts and {MOST_SHIFTS} downshifts.", "lines")
    return side


def given_of(side: Side) -> dict[str, Value] | None:
    """The side as `side_fields` take it; None for one that is more than they can say.

    The shifts come without their reasons. What is too much for a field is joined to what comes to the same roll.
    """
    qualities, lead, ups, downs = side.qualities, side.lead, side.ups, side.downs
    if len(qualities) > MOST_QUALITIES:
        qualities, lead = _joined(side), 0
    if max(ups, downs) > MOST_SHIFTS:
        # Only what is left counts, and this many downshifts fail whatever leads.
        ups, downs = max(0, ups - downs), min(MOST_SHIFTS, max(0, downs - ups))
    if len(qualities) > MOST_QUALITIES or ups > MOST_SHIFTS:
        return None
    given: dict[str, Value] = {"qualities": [rank.word for rank in qualities], "upshifts": ups, "downshifts": downs}
    return given if lead is None else {**given, "lead": lead}


def _joined(side: Side) -> tuple[Rank, ...]:
    """The lead, and as few others as add up to the same."""
    others = sum(side.applied) - side.applied[side.leading]
    if others < 0:
        return (side.applied[side.leading], *(Rank.POOR,) * -others)
    masters, rest = divmod(others, Rank.MASTER)
    return (side.applied[side.leading], *(Rank.MASTER,) * masters, *(Rank(rest),) * bool(rest))


def as_move(kind: MoveKind[Any], given: Mapping[str, Value], dice: Sequence[int]) -> tuple[Roll, ...]:
    """The roll as this move of the contract, for whoever resolves it anew."""
    outcome = kind.resolve(kind.read(given), dice)
    return (Roll(kind.name, given, tuple(dice), outcome.result),) if isinstance(outcome, Outcome) else ()


def shifts_of(lines: Sequence[Mapping[str, Any]]) -> tuple[Shift, ...]:
    """The lines of `lines_field`, checked, as shifts; raises `BadMove` for more than a roll can bear."""
    if sum(line["amount"] for line in lines) > 2 * MOST_SHIFTS:
        raise BadMove(f"Take at most {2 * MOST_SHIFTS} shifts in all.", "lines")
    return tuple(_shift_of(line) for line in lines)


def _shift_of(line: Mapping[str, Any]) -> Shift:
    amount = -line["amount"] if line["kind"] == "downshift" else line["amount"]
    return Shift(amount, line["reason"], "PQ-05" if line["kind"] == "badass" else "PQ-03", line.get("said_by", ""))


def _quoted(shift: Shift) -> str:
    # Reasons of the game's own are part of the sentence; what a person typed is quoted.
    return f"“{shift.reason}”" if shift.rule in ("PQ-03", "PQ-05") else shift.reason


def _shifts(amount: int) -> str:
    return _count(abs(amount), "upshift" if amount > 0 else "downshift")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def signed(number: int) -> str:
    """A modifier as it is written: +4, −2, +0."""
    return f"−{-number}" if number < 0 else f"+{number}"
