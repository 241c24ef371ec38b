"""Damage: failure ranks and wound ranks over fortes, zeroing out, story hooks, mostly dead (PS-30 to PS-32)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.fields import Text
from rules.moves import Step
from rules.sheet import Damage, Effect, Gain, Sheet, Spend, Trait
from rules.systems.pdq_sharp.chart import notation_of
from rules.systems.pdq_sharp.kinds import FALLEN, FALLS, HOOK, MOSTLY_DEAD, OPEN, SQUAD
from rules.systems.pdq_sharp.reading import HITS, absorbing, can_lose, capacity, is_out, squad
from rules.values import BadMove
from rules.wording import join

FAILURE, WOUND = "failure", "wound"  # as setups and events have it
FIRST = "It makes a story hook there. Leave blank for the one that loses most. Later hits make none."
FIRST_HIT, ZEROED = "The first hit of a scene", "Zeroed out"
LONGEST = 120


@dataclass(frozen=True)
class Harm:
    """What damage does: effects, what is said of it, the fortes that made a story hook, and whether all is lost."""

    effects: tuple[Effect, ...]
    steps: tuple[Step, ...]
    hooks: tuple[str, ...] = ()
    falls: bool = False


def ranks(amount: int, kind: str = WOUND) -> str:
    """So much damage in words.

    >>> ranks(1), ranks(3, FAILURE)
    ('1 wound rank', '3 failure ranks')
    """
    return f"{amount} {kind} rank{'' if amount == 1 else 's'}"


def in_words(trait: Trait) -> str:
    """The damage on one line: `2 wound ranks and 1 failure rank`; "" for none."""
    if trait.kind == SQUAD:
        return f"{trait.damage} out" if trait.damage else ""
    parts = [ranks(trait.wounds)] if trait.wounds else []
    return join([*parts, ranks(trait.failures, FAILURE)] if trait.failures else parts, empty="")


def checked(sheet: Sheet, amount: int, spread: Mapping[str, int]) -> dict[str, int]:
    """The spread, if it places exactly the damage, or all that the sheet can take; raises `BadMove` (PS-30)."""
    lines, to_place = {trait.id: trait for trait in absorbing(sheet)}, min(amount, capacity(sheet))
    for trait_id, loss in spread.items():
        if loss and trait_id not in lines:
            raise BadMove("Choose among the fortes that can take damage.", trait_id)
        if not 0 <= loss <= (can_lose(lines[trait_id]) if trait_id in lines else 0):
            raise BadMove(f"{lines[trait_id].name} can lose {can_lose(lines[trait_id])} at most.", trait_id)
    if sum(spread.values()) != to_place:
        raise BadMove(f"Assign {to_place} in all; you have assigned {sum(spread.values())}.")
    return {trait_id: loss for trait_id, loss in spread.items() if loss}


def opens(sheet: Sheet) -> bool:
    """Whether a hit would be their first of the scene, so that it matters where it goes (PS-30)."""
    return not (sheet.pool(HITS) or squad(sheet))


def first_field(sheet: Sheet) -> tuple[Text, ...]:
    """What asks where the first hit of a scene goes; nothing where there was one, or no story hook comes of it."""
    label = "The first hit of the scene goes to"
    return (Text(name="first", label=label, most=100, help=FIRST),) if opens(sheet) and not sheet.npc else ()


def take(
    sheet: Sheet, amount: int, spread: Mapping[str, int], kind: str = WOUND, *, first: str = "",
    fall: int = MOSTLY_DEAD, why: str = "",
) -> Harm:
    """Damage where the player puts it; raises `BadMove`.

    `first` is the line that takes the first hit of a scene (the largest loss where it is not said); it makes a story
    hook, as does each forte that is zeroed out. `fall` is what becomes of somebody with nothing left, `why` what hit.
    """
    placed = checked(sheet, amount, spread)
    effects: list[Effect] = [Damage(trait_id, loss, kind == FAILURE) for trait_id, loss in placed.items()]
    steps = [Step("PS-30", f"{sheet.name} takes {ranks(sum(placed.values()), kind)}: {_listed(sheet, placed)}.")]
    if not placed:
        return Harm((), steps=(Step("PS-30", f"{sheet.name} can take no more."),), falls=is_out(sheet))
    if squad(sheet):
        return Harm(tuple(effects), (_squad_step(sheet, placed),), falls=sum(placed.values()) == capacity(sheet))
    opening = first if first in placed else max(placed, key=lambda id_: placed[id_])
    arising = [(opening, FIRST_HIT)] if opens(sheet) else []
    gone = [trait for trait in absorbing(sheet) if placed.get(trait.id) == can_lose(trait)]
    arising += [(trait.id, ZEROED) for trait in gone]
    if gone:
        steps.append(Step("PS-31", f"{join([trait.name for trait in gone])}: zeroed out."))
    if not sheet.npc:
        effects += [_hook(sheet, trait_id, source, why) for trait_id, source in arising]
        steps += [Step("PS-30", f"A story hook: {_name(sheet, hook)}. {source}.") for hook, source in arising]
    effects.append(Spend(sheet.id, HITS, 1))
    falls = sum(placed.values()) == capacity(sheet)
    if falls:
        effects.append(Gain(sheet.id, FALLEN, dict(FALLS)[fall].capitalize(), fall, note=why[:1000]))
        steps.append(Step("PS-31", f"{sheet.name} has no forte left: {dict(FALLS)[fall]}."))
    return Harm(tuple(effects), tuple(steps), tuple(_name(sheet, hook) for hook, _ in arising), falls)


def _squad_step(sheet: Sheet, spread: Mapping[str, int]) -> Step:
    down = sum(spread.values())
    left = capacity(sheet) - down
    return Step("PS-25", f"{sheet.name}: {down} {'is' if down == 1 else 'are'} out, {left} left.")


def _hook(sheet: Sheet, trait_id: str, source: str, why: str) -> Gain:
    note = ": ".join(filter(None, (source, why)))[:1000]
    return Gain(sheet.id, HOOK, _name(sheet, trait_id)[:LONGEST], OPEN, note=note)


def _name(sheet: Sheet, trait_id: str) -> str:
    trait = sheet.trait(trait_id)
    return trait.name if trait else ""


def _listed(sheet: Sheet, spread: Mapping[str, int]) -> str:
    parts = []
    for trait_id, loss in spread.items():
        trait = sheet.trait(trait_id)
        if trait:
            parts.append(f"{trait.name} {notation_of(trait.now)} to {notation_of(trait.now - loss)}")
    return join(parts)
