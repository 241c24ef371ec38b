"""Why a roll is what it is: each forte, technique and style die, and what could count beside (PS-04, PS-10)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.sheet import Sheet
from rules.systems.pdq_sharp.bonus import open_techniques
from rules.systems.pdq_sharp.chart import signed
from rules.systems.pdq_sharp.kinds import TECHNIQUE
from rules.systems.pdq_sharp.reading import hangs_on, modifier_of, of_kind, rank_word, usable
from rules.systems.pdq_sharp.reckoning import Terms
from rules.why import LEFT_OUT, ON_THE_SHEET, Part


def counted_parts(sheet: Sheet, counted: Terms) -> list[Part]:
    """What counts of a roll before its dice, each with what it hangs on."""
    hung = {trait.name: hangs_on(sheet, trait) or "with any forte" for trait in of_kind(sheet, TECHNIQUE)}
    return [Part(reason.comes_to, reason.words, hung.get(reason.words, ON_THE_SHEET if reason.adds else "paid"))
            for reason in counted.reasons] or [Part("+0", "No forte", "nothing is added")]


def left_out(sheet: Sheet, fortes: Sequence[str], ticked: Sequence[str]) -> Iterator[Part]:
    """Fortes that are not ticked, and techniques of those that are; of idioms one alone counts (PS-04)."""
    for forte in sheet.traits:
        if usable(forte) and forte.id not in fortes:
            yield Part(signed(modifier_of(forte)), forte.name, f"{LEFT_OUT}, {rank_word(forte)}", forte.id)
    for technique in open_techniques(sheet, fortes, ticked):
        yield Part("+1 die", technique.name, f"{LEFT_OUT}, {hangs_on(sheet, technique) or 'with any forte'}",
                   technique.id)
