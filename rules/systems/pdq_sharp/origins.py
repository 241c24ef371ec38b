"""Why a roll is what it is: each forte, technique and style die, and what could count beside (PS-04, PS-10)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.sheet import Sheet
from rules.systems.pdq_sharp.bonus import open_techniques
from rules.systems.pdq_sharp.chart import signed
from rules.systems.pdq_sharp.kinds import TECHNIQUE
from rules.systems.pdq_sharp.reading import hangs_on, modifier_of, of_kind, rank_word, usable
from rules.systems.pdq_sharp.reckoning import KEEP, Terms
from rules.why import LEFT_OUT, ON_THE_SHEET, Part, Why


def counted_parts(sheet: Sheet, counted: Terms) -> list[Part]:
    """What counts of a roll before its dice, each with what it hangs on."""
    hung = {trait.name: hangs_on(sheet, trait) or "with any forte" for trait in of_kind(sheet, TECHNIQUE)}
    return [Part(reason.comes_to, reason.words, hung.get(reason.words, ON_THE_SHEET if reason.adds else "paid"))
            for reason in counted.reasons] or [Part("+0", "No forte", "nothing is added")]


def of_roll(sheet: Sheet, counted: Terms, against: Sequence[Part], fortes: Sequence[str], ticked: Sequence[str]) -> Why:
    """A roll of which the best two dice count, what stands against it, and what is not ticked (PS-10 to PS-12)."""
    dice = KEEP + counted.bonus_dice
    best = Part(f"{dice} dice", "The best two count") if counted.bonus_dice else Part("2 dice", "Both count")
    idle = left_out(sheet, fortes, ticked)
    return Why(f"{dice}d6 {signed(counted.adds)}", (*counted_parts(sheet, counted), best, *against), tuple(idle))


def left_out(sheet: Sheet, fortes: Sequence[str], ticked: Sequence[str]) -> Iterator[Part]:
    """Fortes that are not ticked, and techniques of those that are; of idioms one alone counts (PS-04)."""
    for forte in sheet.traits:
        if usable(forte) and forte.id not in fortes:
            yield Part(signed(modifier_of(forte)), forte.name, f"{LEFT_OUT}, {rank_word(forte)}", forte.id)
    for technique in open_techniques(sheet, fortes, ticked):
        yield Part("+1 die", technique.name, f"{LEFT_OUT}, {hangs_on(sheet, technique) or 'with any forte'}",
                   technique.id)
