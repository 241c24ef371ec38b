"""Why a target number is what it is: the ability, what counts with it, its masteries, what does not (QW-02, QW-60)."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from rules.sheet import Sheet, Trait
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.notation import Score, notation, signed
from rules.systems.questworlds.older.states import worth_of
from rules.systems.questworlds.reckoning import Modifier, told
from rules.systems.questworlds.traits import BONUSES, lasting, score_of, supports
from rules.why import HOUSE_RULE, ON_THE_SHEET, Part

ON_THE_GMS_WORD = "on the GM’s word"
BY_VALUE = Part("", "Lasting effects add up by value", HOUSE_RULE)
TO_THE_PLAYER = Part("", "A tie goes to the player", HOUSE_RULE)


def rating(sheet: Sheet, trait: Trait, symbol: str) -> Part:
    """A line as it is used: a breakout with its keyword, and what that comes to."""
    within = sheet.trait(trait.parent)
    score = notation(score_of(trait, sheet) or 0, symbol)
    if within is None or trait.kind not in BONUSES:
        return Part(score, trait.name, ON_THE_SHEET, trait.id)
    both = f"{within.name} {notation(within.value, symbol)} with {trait.name} {signed(trait.value, symbol)}"
    return Part(score, both, ON_THE_SHEET, trait.id)


def unfit(edition: Edition, symbol: str) -> Part:
    """What counts where no ability fits (QW-06)."""
    return Part(notation(edition.resolution.no_ability, symbol), "No ability fits")


def counted_parts(lines: Iterable[Modifier], score: int, symbol: str) -> Iterator[Part]:
    """What counts with it, and the masteries of what all comes to."""
    for line in lines:
        yield Part(told(line, symbol), line.label, line.reason, line.source, lasts=bool(line.source))
    if many := Score(score).masteries:
        bumps = "a mastery, which bumps the result up" if many == 1 else f"{many} masteries, a bump up each"
        yield Part(notation(score, symbol), f"is {score}", bumps)


def left_out(sheet: Sheet, counted: Collection[str], symbol: str, edition: Edition) -> Iterator[Part]:
    """What lasts, or was given, and does not count: it touches something else, or was left out (QW-60, QW-93)."""
    for line in (*lasting(sheet), *supports(sheet)):
        if line.id not in counted:
            reason = f"it touches {line.note}" if line.note else "left out"
            yield Part(worth_of(line, symbol, edition), line.name, f"not counted: {reason}", line.id, lasts=True)
