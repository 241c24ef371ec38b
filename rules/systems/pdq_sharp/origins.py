"""Why a roll is what it is: each forte, technique and style die, and what could count beside (PS-04, PS-10)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.sheet import Sheet
from rules.systems.pdq_sharp.bonus import open_techniques
from rules.systems.pdq_sharp.chart import MODIFIERS, signed
from rules.systems.pdq_sharp.keep import best
from rules.systems.pdq_sharp.kinds import TECHNIQUE
from rules.systems.pdq_sharp.reading import hangs_on, lines_of, modifier_of, of_kind, rank_word, usable
from rules.systems.pdq_sharp.reckoning import KEEP, Terms, many_dice, sources
from rules.why import LEFT_OUT, ON_THE_SHEET, Part, Why
from rules.wording import join


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


def of_lies(
    sheet: Sheet, faces: Sequence[int], total: int, before: Sequence[Part], against: Sequence[Part], *,
    fortes: Sequence[str], used: Sequence[str], style: int, keep: int = KEEP, rest: str = "Added after the dice"
) -> Why:
    """A roll as it lies: its dice, what counted `before` they fell, the `rest` of the total, what it is against; then
    what could still be added and is not, `style` dice among it (PS-11, PS-17)."""
    kept = best(faces, keep)
    count = {1: "it counts", 2: "both count"}.get(len(kept), "all count")
    many = count if len(faces) == len(kept) else f"the best of {len(faces)}"
    dice = Part(str(sum(kept)), f"The dice: {join([str(face) for face in kept])}", many)
    later = total - sum(kept) - sum(int(part.counts.replace("−", "-")) for part in before if part.counts[:1] in "+−0")
    added = (Part(signed(later), rest),) if later else ()
    names = [name for source, name in sources(sheet, fortes, used)] + ([many_dice(style, "style ")] if style else [])
    idle = tuple(Part("a die, or +1", name, LEFT_OUT) for name in names)
    return Why(str(total), (dice, *before, *added, *against), idle)


def ranks_that_count(sheet: Sheet, fortes: Sequence[str], ranks: Sequence[str]) -> list[Part]:
    """The fortes of a roll, each with the rank that it had as the dice fell."""
    return [Part(signed(MODIFIERS[rank]), trait.name, ON_THE_SHEET)
            for trait, rank in zip(lines_of(sheet, fortes), ranks, strict=False)]
