"""What the lines of a PDQ# sheet mean: ranks that count, what can be hurt, who is out."""
from __future__ import annotations

from collections.abc import Iterable

from rules.sheet import Sheet, Trait
from rules.systems.pdq_sharp.chart import MASTER, MODIFIERS, POOR, WORDS, notation
from rules.systems.pdq_sharp.kinds import (
    BURNED,
    FALLEN,
    FALLS,
    FOIBLE,
    FORTES,
    HOOK,
    MOTIVATIONS,
    SQUAD,
    SWASHBUCKLING_KINDS,
    TECHNIQUE,
    TEMPORARY,
    THIS_SCENE,
    THREAT,
)

STYLE, TRAINING = "style_dice", "training_points"  # pools of a character
HITS, MISFORTUNES = "scene_hits", "misfortunes"  # counted, shown on no sheet
SPLURGES = "splurges"  # purchases of a session that pushed a character's means
LONGEST_NOTE = 80
BOWL, GM_DICE = "bowl", "gm_style_dice"  # pools of the campaign; the box has no end


def of_kind(sheet: Sheet, *kinds: str) -> list[Trait]:
    """The lines of these kinds, in the sheet's order."""
    return [trait for trait in sheet.traits if trait.kind in kinds]


def lines_of(sheet: Sheet, ids: Iterable[str]) -> list[Trait]:
    """The lines of these ids, in this order; what is no longer there is left out."""
    return [trait for line in ids if (trait := sheet.trait(line))]


def fortes(sheet: Sheet) -> list[Trait]:
    """The fortes that take damage: temporary ones and foibles are none of them (PS-30)."""
    return of_kind(sheet, *FORTES)


def is_forte(trait: Trait) -> bool:
    """Whether it is a forte that takes damage."""
    return trait.kind in FORTES


def usable(trait: Trait) -> bool:
    """Whether a line can be rolled with: a forte that is not zeroed out, a temporary one, a foible as Poor."""
    return trait.kind in (FOIBLE, TEMPORARY) or (is_forte(trait) and trait.now >= POOR)


def rank_word(trait: Trait) -> str:
    """The rank at the moment, as the moves take it; a foible counts as poor (PS-13)."""
    return "poor" if trait.kind == FOIBLE else WORDS[max(POOR, min(MASTER, trait.now))]


def as_offered(trait: Trait) -> str:
    """A line as a person chooses it: name, rank, and what it covers where that was written down."""
    covers = f": {trait.note[:LONGEST_NOTE]}" if trait.note and is_forte(trait) else ""
    return f"{trait.name}, {rank_word(trait)}{covers}"


def at_the_margin(trait: Trait) -> str:
    """The same for a tray's row, whose number stands at the margin: `Fencing: old school · Expert [+4]`."""
    covers = f": {trait.note[:LONGEST_NOTE]}" if trait.note and is_forte(trait) else ""
    return f"{trait.name}{covers} · {notation(rank_word(trait))}"


def modifier_of(trait: Trait) -> int:
    """What a line adds to a roll at the moment; 0 for what is no forte."""
    return MODIFIERS[rank_word(trait)] if usable(trait) else 0


def is_burned(sheet: Sheet, motivation: Trait) -> bool:
    """Whether a motivation counts double in this scene (PS-12)."""
    return motivation.kind in MOTIVATIONS and any(
        trait.value == THIS_SCENE and trait.name.casefold() == motivation.name.casefold()
        for trait in of_kind(sheet, BURNED))


def rank_words(sheet: Sheet, traits: Iterable[Trait]) -> list[str]:
    """The ranks of all lines that bear on a roll, as the moves take them; a burned motivation stands twice (PS-12)."""
    return [word for trait in traits for word in [rank_word(trait)] * (2 if is_burned(sheet, trait) else 1)]


def swashbuckling(sheet: Sheet) -> Trait | None:
    """The swashbuckling forte, None where there is none."""
    return next(iter(of_kind(sheet, *SWASHBUCKLING_KINDS)), None)


def techniques(sheet: Sheet, applying: Iterable[str] = ()) -> list[Trait]:
    """The techniques that go with these fortes, by id: those chained to one of them, and the unchained (PS-04)."""
    chosen = set(applying)
    return [trait for trait in of_kind(sheet, TECHNIQUE) if not trait.parent or trait.parent in chosen]


def fitting(sheet: Sheet, applying: Iterable[str], chosen: Iterable[str]) -> tuple[str, ...]:
    """Of these techniques, by id, those that count: where the forte does that they hang on (PS-04, PS-11)."""
    able = {technique.id for technique in techniques(sheet, applying)}
    return tuple(technique for technique in chosen if technique in able)


def hangs_on(sheet: Sheet, technique: Trait) -> str:
    """The forte that a technique hangs on, as `with Brawling`; "" for one that goes with any (PS-04)."""
    forte = sheet.trait(technique.parent) if technique.parent else None
    return f"with {forte.name}" if forte else ""


def with_its_forte(sheet: Sheet, technique: Trait) -> str:
    """A technique with the forte that it hangs on: `Found objects, with Brawling`."""
    return ", ".join(filter(None, (technique.name, hangs_on(sheet, technique))))


def hooks(sheet: Sheet) -> list[Trait]:
    """The story hooks of a character."""
    return of_kind(sheet, HOOK)


def squad(sheet: Sheet) -> Trait | None:
    """The line that says how many minions act as one, None for a person."""
    return next(iter(of_kind(sheet, SQUAD)), None)


def minions_left(sheet: Sheet) -> int:
    """How many of a squad still stand; 0 for who is no squad."""
    line = squad(sheet)
    return max(0, line.now) if line else 0


def threat(sheet: Sheet) -> int:
    """The threat level of an NPC, 0 where it says none."""
    return max((trait.value for trait in of_kind(sheet, THREAT)), default=0)


def can_lose(trait: Trait) -> int:
    """How many ranks damage can take from a line: a forte falls to one below Poor, a squad to nobody (PS-31, PS-25)."""
    if trait.kind == SQUAD:
        return max(0, trait.now)
    return max(0, trait.now - POOR + 1) if is_forte(trait) else 0


def absorbing(sheet: Sheet) -> list[Trait]:
    """The lines that damage can be put on now: of a squad its minions alone."""
    line = squad(sheet)
    return [forte for forte in ([line] if line else fortes(sheet)) if can_lose(forte)]


def capacity(sheet: Sheet) -> int:
    """How much damage a sheet can take before it is out."""
    return sum(can_lose(trait) for trait in absorbing(sheet))


def zeroed(sheet: Sheet) -> list[Trait]:
    """The fortes below Poor: neither rolled with nor hurt any more (PS-31)."""
    return [forte for forte in fortes(sheet) if forte.now < POOR]


def is_out(sheet: Sheet) -> bool:
    """Whether somebody has nothing left: every forte zeroed out, every minion of the squad down (PS-31)."""
    if squad(sheet):
        return not minions_left(sheet)
    return bool(fortes(sheet)) and not capacity(sheet)


def how_fallen(sheet: Sheet) -> str:
    """How somebody who is out fell: mostly dead, or what the kind of conflict calls it; "" for who is not out."""
    line = next(iter(of_kind(sheet, FALLEN)), None)
    if line is None and not is_out(sheet):
        return ""
    return dict(FALLS).get(line.value if line else 0, FALLS[0][1])
