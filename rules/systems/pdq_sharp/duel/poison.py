"""A poisoned blade: by the campaign's setting it adds to a touch, weakens, or has to be withstood (PS-49)."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.moves import Step
from rules.sheet import Effect, Gain
from rules.systems.pdq_sharp.chart import MODIFIERS, TARGETS, WORDS, notation_of
from rules.systems.pdq_sharp.duel.events import Envenomed, Result
from rules.systems.pdq_sharp.duel.state import CLEAN, State, Sting
from rules.systems.pdq_sharp.duel.trays import Sheets
from rules.systems.pdq_sharp.kinds import ENDURING, HOOK, ONE_SHOT, OPEN, POISONED
from rules.systems.pdq_sharp.reading import of_kind
from rules.systems.pdq_sharp.settings import HARMS, KILLS

Values = Mapping[str, Any]


def target(rank: int) -> int:
    """What withstanding a poison of this rank takes."""
    return TARGETS[WORDS[rank]]


def adds(state: State, who: str) -> int:
    """The ranks that the poison on somebody's blade adds to a touch."""
    rank = state.fencer(who).poison
    return max(0, MODIFIERS[WORDS[rank]]) if rank != CLEAN and state.settings.poison == HARMS else 0


@dataclass(frozen=True)
class Venom:
    """What poison did in a clash: what has to be withstood, whose one dose is spent, and what it left on sheets."""

    stings: tuple[Sting, ...] = ()
    spent: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    effects: tuple[Effect, ...] = ()

    @property
    def victims(self) -> set[str]:
        """Who was weakened."""
        return {each.sheet for each in self.effects if isinstance(each, Gain)}


def poisoned(state: State, sheets: Sheets, hits: Iterable[tuple[str, str]]) -> Venom:
    """What these touches, as (by, on), of poisoned blades lead to; a squad only loses its minions."""
    found = Venom()
    for by, on in hits:
        fencer = state.fencer(by)
        if fencer.poison == CLEAN:
            continue
        if not fencer.doses:
            found = replace(found, spent=(*found.spent, by))
        if state.fencer(on).squad or state.settings.poison == HARMS:
            continue
        if state.settings.poison == KILLS:
            found = replace(found, stings=(*found.stings, Sting(on, fencer.poison, by)))
        elif on not in found.victims and not of_kind(sheets[on], POISONED):
            lasting = ENDURING if fencer.doses else ONE_SHOT
            step = Step("PS-49", f"{state.fencer(on).name} is poisoned: no wound heals, and a second wind "
                                 "costs 2, until the antidote.")
            gains = (Gain(on, POISONED, "Poison", lasting),
                     Gain(on, HOOK, "Poisoned", OPEN, note=f"The blade of {fencer.name}"))
            found = replace(found, steps=(*found.steps, step), effects=(*found.effects, *gains))
    return found


def envenom(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says that there is poison on a blade."""
    who, rank = state.fencer(values["whom"]), int(values["rank"])
    how = "for good" if values["lasting"] else "one dose"
    step = Step("PS-49", f"The blade of {who.name} is poisoned, {notation_of(rank)}, {how}.")
    return Result((Envenomed(who.id, rank, values["lasting"]),), (step,))
