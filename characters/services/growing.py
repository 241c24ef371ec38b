"""What a character’s growth makes of their numbers, in words: each before it and after it."""
from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.sheet import Effect, Gain, Raise, Sheet, Spend
from rules.system import System
from rules.wording import join


def moved(system: System, sheet: Sheet, effects: Iterable[Effect]) -> str:
    """`Experience 4 → 0, Old maps Good [+2] → Expert [+4]`: what these effects make of this sheet; "" for nothing."""
    return join([*_numbers(system, sheet, tuple(effects))], empty="")


def _numbers(system: System, sheet: Sheet, effects: tuple[Effect, ...]) -> Iterator[str]:
    rules = system.sheet
    paid: dict[str, int] = {}
    for effect in effects:
        if isinstance(effect, Spend) and effect.sheet == sheet.id:
            paid[effect.pool] = paid.get(effect.pool, 0) + effect.by
    for kind in rules.pools:
        if by := paid.get(kind.name, 0):
            yield f"{kind.label} {sheet.pool(kind.name)} → {max(0, sheet.pool(kind.name) + by)}"
    for effect in effects:
        if isinstance(effect, Raise) and (trait := sheet.trait(effect.trait)):
            was, became = (rules.notation(trait.kind, value) for value in (trait.value, trait.value + effect.by))
            yield f"{trait.name} {was} → {became}"
        elif isinstance(effect, Gain) and effect.sheet == sheet.id:
            yield f"new: {effect.name} {rules.notation(effect.kind, effect.value)}".rstrip()
