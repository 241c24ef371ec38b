"""What stands on a sheet: kinds of lines, the score that counts for each, what lasts after a contest (QW-60, QW-72)."""
from __future__ import annotations

import re
from collections.abc import Sequence

from rules.sheet import Sheet, Trait
from rules.systems.questworlds.edition import FIRST, Edition

CHARACTERISTIC, KEYWORD, BREAKOUT, ABILITY = "characteristic", "keyword", "breakout", "ability"
CHARACTERISTIC_BREAKOUT = "characteristic_breakout"
ALLY, PATRON, CONTACT, RELATIONSHIP = "ally", "patron", "contact", "relationship"
RETAINER, SIDEKICK, SIDEKICK_ABILITY = "retainer", "sidekick", "sidekick_ability"
FLAW, DEPENDENT, ADVERSARY = "flaw", "dependent", "adversary"
CONSEQUENCE, BENEFIT = "consequence", "benefit"
SUPPORT = "support"  # what a community gave, for one contest (QW-93)
ADVERSITY, FORTUNE = "adversity", "fortune"  # states, where the campaign has them (QW-A6, QW-A7)

# People who help: each is used as any ability is (QW-76).
RELATIONSHIPS = (ALLY, PATRON, CONTACT, RELATIONSHIP)
# What gets in the way, people among them (QW-74, QW-76).
FLAWS = (FLAW, DEPENDENT, ADVERSARY)
# Who can be lost, and takes the line along (QW-76).
SUPPORTING = (*RELATIONSHIPS, RETAINER, SIDEKICK, DEPENDENT, ADVERSARY)
# Lines that are written with a score of their own.
SCORED = (CHARACTERISTIC, KEYWORD, ABILITY, *RELATIONSHIPS, RETAINER, SIDEKICK_ABILITY)
# Lines that are a bonus on the keyword that they stand in.
BONUSES = (BREAKOUT, CHARACTERISTIC_BREAKOUT)
LASTING = (CONSEQUENCE, BENEFIT, ADVERSITY, FORTUNE)
WORSENING = (CONSEQUENCE, ADVERSITY)
STATES = (ADVERSITY, FORTUNE)
LAST_NUMBER = 3  # the last state that is a number; the next ones bump a roll, or allow none


def score_of(trait: Trait, sheet: Sheet) -> int | None:
    """What a line counts in a contest: a breakout with its keyword's score; None for what has no score."""
    if trait.kind in BONUSES:
        within = sheet.trait(trait.parent)
        return (within.value if within else 0) + trait.value
    return trait.value if trait.kind in SCORED or trait.kind in FLAWS else None


def usable(sheet: Sheet) -> tuple[Trait, ...]:
    """The lines that one can frame a contest with."""
    return tuple(trait for trait in sheet.traits if trait.kind in SCORED or trait.kind in BONUSES)


def ability_scores(sheet: Sheet) -> tuple[int, ...]:
    """The scores that those of flaws come from: all of the character's own abilities (QW-74)."""
    own = (trait for trait in usable(sheet) if trait.kind != SIDEKICK_ABILITY)
    return tuple(score for trait in own if (score := score_of(trait, sheet)) is not None)


def flaws(sheet: Sheet) -> tuple[Trait, ...]:
    """The flaws, and the people who are one."""
    return tuple(trait for trait in sheet.traits if trait.kind in FLAWS)


def counted_flaws(sheet: Sheet) -> tuple[Trait, ...]:
    """The flaws that count against three: those of a keyword do not (QW-74)."""
    return tuple(trait for trait in flaws(sheet) if not sheet.trait(trait.parent))


def lasting(sheet: Sheet) -> tuple[Trait, ...]:
    """Consequences and benefits that stand on a sheet."""
    return tuple(trait for trait in sheet.traits if trait.kind in LASTING)


def touches(line: Trait, used: Trait, sheet: Sheet) -> bool:
    """Whether what a line says that it touches is this ability, or the keyword that it stands in (QW-60)."""
    said = line.note.casefold()
    parts = [part.strip() for part in re.split(r"[,;/]| and | or ", said)]
    keyword = sheet.trait(used.parent)
    names = [trait.name.casefold() for trait in (used, keyword) if trait]
    return any(name in said or any(len(part) > 2 and part in name for part in parts) for name in names)


def supports(sheet: Sheet) -> tuple[Trait, ...]:
    """What a community gave, and waits for its contest (QW-93)."""
    return tuple(trait for trait in sheet.traits if trait.kind == SUPPORT)


def adds(trait: Trait, edition: Edition = FIRST) -> int:
    """What a consequence takes off, or a benefit adds; what a community gave adds its rank, or takes it off."""
    if trait.kind in STATES and trait.value > LAST_NUMBER:
        return 0
    modifiers = edition.modifiers
    if trait.kind == SUPPORT:
        return modifiers.of_rank(modifiers.held(trait.value))
    value = modifiers.of_rank(modifiers.held(abs(trait.value)))
    return -value if trait.kind in WORSENING else value


def bumps_down(trait: Trait) -> int:
    """The bumps down of a state that is no number, below 0 where it bumps up (QW-A6, QW-A7)."""
    if trait.kind not in STATES or trait.value <= LAST_NUMBER:
        return 0
    return 1 if trait.kind == ADVERSITY else -1


def family(trait: Trait) -> str:
    """The id of the keyword that a line is, or breaks out of; a sidekick's abilities are no family of that kind."""
    return trait.parent if trait.kind in BONUSES and trait.parent else trait.id


def together(lines: Sequence[Trait], by_value: bool = False, edition: Edition = FIRST) -> int:
    """What several consequences and benefits come to: added by rank, or by what each adds (QW-61).

    By rank, +2 against −1 is one rank up; past the end of the ladder it stays there. States add up by what each adds.
    """
    counted = [trait for trait in lines if by_value or trait.kind in STATES]
    ranks = sum(-trait.value if trait.kind == CONSEQUENCE else trait.value for trait in lines if trait not in counted)
    return sum(adds(trait, edition) for trait in counted) + edition.modifiers.of_rank(edition.modifiers.held(ranks))
