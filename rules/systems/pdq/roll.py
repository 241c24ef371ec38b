"""Shifts and the dice they leave: what a side of any roll comes to (PQ-02 to PQ-04)."""
from __future__ import annotations

from dataclasses import dataclass

from rules.moves import Step
from rules.systems.pdq.chart import Rank


@dataclass(frozen=True)
class Side:
    """One side of a roll: the ranks of every quality applied, the shifts, and which quality leads.

    `lead` is an index into `qualities`; None lets the highest lead. No quality at all counts as one average.
    """

    qualities: tuple[Rank, ...] = ()
    upshifts: int = 0
    downshifts: int = 0
    lead: int | None = None

    @property
    def applied(self) -> tuple[Rank, ...]:
        """The ranks that count."""
        return self.qualities or (Rank.AVERAGE,)

    @property
    def leading(self) -> int:
        """The index of the lead quality."""
        return self.lead if self.lead is not None else self.applied.index(max(self.applied))

    @property
    def shifted(self) -> int:
        """The lead's rank after the shifts: below poor and past master too."""
        return self.applied[self.leading] + self.upshifts - self.downshifts

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
    def modifier(self) -> int:
        """What is added to the dice: every quality, the lead as shifted."""
        others = sum(rank.modifier for i, rank in enumerate(self.applied) if i != self.leading)
        return others + 2 * max(Rank.POOR, min(Rank.MASTER, self.shifted))

    def steps(self, who: str = "") -> tuple[Step, ...]:
        """Why the modifier is what it is; `who` goes before each sentence."""
        start = f"{who}: " if who else ""
        if self.qualities:
            named = ", ".join(rank.notation for rank in self.qualities)
            told = [Step("PQ-02", f"{start}{named} {'applies' if len(self.qualities) == 1 else 'apply'}.")]
        else:
            told = [Step("PQ-01", f"{start}no quality applies, which counts as Average [0].")]
        if self.upshifts or self.downshifts:
            told.append(Step("PQ-03", start + self._shift_text()))
        if self.fails:
            told.append(Step("PQ-04", f"{start}a downshift below Poor fails without a roll."))
        elif self.extra_dice:
            told.append(Step("PQ-04", f"{start}past Master, each upshift is one die more: {self.dice}d6."))
        return tuple(told)

    def _shift_text(self) -> str:
        net = self.upshifts - self.downshifts
        if not net:
            return f"{_count(self.upshifts, 'upshift')} and {_count(self.downshifts, 'downshift')} cancel."
        lead = self.applied[self.leading].notation
        left = _count(abs(net), "upshift" if net > 0 else "downshift")
        if self.fails or self.extra_dice == net:
            return f"{left} left for {lead}."
        return f"{left} left: {lead} becomes {Rank(min(Rank.MASTER, self.shifted)).notation}."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def signed(number: int) -> str:
    """A modifier as it is written: +4, −2, +0."""
    return f"−{-number}" if number < 0 else f"+{number}"
