"""The kinds of line that a sheet has, and what each says of itself (QW-70 to QW-76)."""
from __future__ import annotations

from rules.system import TraitKind
from rules.systems.questworlds.edition import FIRST, Creation, Edition
from rules.systems.questworlds.notation import ScoreField, notation, signed
from rules.systems.questworlds.older import states
from rules.systems.questworlds.traits import (
    ABILITY,
    ADVERSARY,
    ALLY,
    BENEFIT,
    BREAKOUT,
    CHARACTERISTIC,
    CHARACTERISTIC_BREAKOUT,
    CONSEQUENCE,
    CONTACT,
    DEPENDENT,
    FLAW,
    KEYWORD,
    PATRON,
    RELATIONSHIP,
    RETAINER,
    SIDEKICK,
    SIDEKICK_ABILITY,
    SUPPORT,
)
from rules.wording import join

MOST, MOST_BONUS = 120, 60
Values = tuple[tuple[int, str], ...]


def kinds(symbol: str, package: bool = False, edition: Edition = FIRST) -> tuple[TraitKind, ...]:
    """All of them, written with this mastery sign; `package` says how keywords are meant (QW-73)."""
    rule = edition.creation
    scores = tuple((score, notation(score, symbol)) for score in range(1, MOST + 1))
    return (
        *_abilities(symbol, scores, package, rule), *_people(symbol, scores, rule), *_flaws(symbol, scores, rule),
        *_lasting(edition.modifiers.highest_rank), _support(symbol, edition),
    )


def _scored(symbol: str, scores: Values, name: str, label: str, plural: str, help: str, default: int, *,
            lines: int = 1, under: str = "", first: int | None = None) -> TraitKind:
    typed = ScoreField(name="value", label="Score", symbol=symbol)
    return TraitKind(name, label, plural, help, scores, default, typed=typed, lines=lines, values_are="Score",
                     under=under, first=first)


def _abilities(symbol: str, scores: Values, package: bool, rule: Creation) -> tuple[TraitKind, ...]:
    def scored(*said: str, default: int = rule.other, lines: int = 1, first: int | None = None) -> TraitKind:
        return _scored(symbol, scores, said[0], said[1], said[2], said[3], default, lines=lines, first=first)

    return (
        scored(CHARACTERISTIC, "Distinguishing characteristic", "Distinguishing characteristic",
               "How they act, in a word or two: haughty, sardonic, naive.", default=rule.characteristic),
        scored(KEYWORD, "Keyword", "Keywords", "An occupation, a culture, a faith: all that goes with it.",
               first=rule.defining),
        _inner(symbol, package, rule),
        TraitKind(
            CHARACTERISTIC_BREAKOUT, "Characteristic in a keyword" if package else "Characteristic as a breakout",
            "Characteristic in a keyword" if package else "Characteristic as a breakout",
            "Instead of a separate ability: it starts at "
            f"{signed(rule.characteristic_breakout)} in a keyword.",
            _bonuses(symbol, package), rule.characteristic_breakout,
            typed=ScoreField(name="value", label="Bonus", symbol=symbol), values_are="Bonus", within=(KEYWORD,),
            lines=0,
        ),
        scored(ABILITY, "Ability", "Abilities", "Anything in your own words that solves a problem.", lines=4),
    )


def _inner(symbol: str, package: bool, rule: Creation) -> TraitKind:
    """What stands in a keyword: a breakout of an umbrella, or an ability of a package (QW-73)."""
    if package:
        return TraitKind(
            BREAKOUT, "Ability of a keyword", "Abilities of a keyword",
            "They start where their keyword does, and rise with it until play begins. Then each is separate.",
            _bonuses(symbol, package), 0, typed=ScoreField(name="value", label="Bonus", symbol=symbol, default=0),
            values_are="Bonus", within=(KEYWORD,), lines=1,
        )
    return TraitKind(
        BREAKOUT, "Breakout", "Breakouts", "What they do better than the rest of a keyword.",
        _bonuses(symbol, package), rule.breakout, typed=ScoreField(name="value", label="Bonus", symbol=symbol),
        values_are="Bonus", within=(KEYWORD,), lines=1,
    )


def _bonuses(symbol: str, package: bool) -> Values:
    """In play an ability of a package may come to stand below its keyword."""
    least = -MOST_BONUS if package else 1
    return tuple((bonus, signed(bonus, symbol)) for bonus in range(least, MOST_BONUS + 1))


def _people(symbol: str, scores: Values, rule: Creation) -> tuple[TraitKind, ...]:
    def scored(*said: str) -> TraitKind:
        return _scored(symbol, scores, said[0], said[1], said[2], said[3], rule.other, lines=0, under="Relationships")

    return (
        scored(ALLY, "Ally", "Allies", "As able as you are. For each favour that you ask, they ask one of you."),
        scored(PATRON, "Patron", "Patrons", "Higher up, with means to lend and orders to give. What you did for "
               "them lately makes their help easier to get, or harder."),
        scored(CONTACT, "Contact", "Contacts", "Someone, or a circle, who knows a trade and gives word for word. "
               "To ask around in your own occupation instead is a stretch."),
        scored(RELATIONSHIP, "Relationship", "Other relationships", "Any other tie that opens doors: a crew, a "
               "family, a love."),
        scored(RETAINER, "Retainers", "Retainers", "Helpers without a name. Those who are lost can be replaced, "
               "with a word on how."),
        TraitKind(SIDEKICK, "Sidekick", "Sidekick", "A follower with a name and three abilities, at your side or "
                  "away on an errand.", ((0, "a follower"),), 0, lines=0),
        TraitKind(
            SIDEKICK_ABILITY, "Ability of a sidekick", "Abilities of the sidekick",
            f"They start at {join([str(start) for start in rule.sidekick.starts])}, with {rule.sidekick.points} points "
            "to spend. One says how they are; one that is not human says with another what it is.", scores,
            rule.sidekick.later,
            typed=ScoreField(name="value", label="Score", symbol=symbol), values_are="Score", within=(SIDEKICK,),
            lines=0, first=rule.sidekick.starts[0],
        ),
    )


def _flaws(symbol: str, scores: Values, rule: Creation) -> tuple[TraitKind, ...]:
    typed = ScoreField(name="value", label="Score", symbol=symbol, default=0)

    def flaw(name: str, label: str, plural: str, help: str, lines: int = 0) -> TraitKind:
        return TraitKind(name, label, plural, help, ((0, "by rule"), *scores), 0, typed=typed, values_are="Score",
                         within=(KEYWORD,), lines=lines, under="Flaws", trouble=True)

    return (
        flaw(FLAW, "Flaw", "Flaws", f"Up to {rule.flaws}, people among them. The first counts as much as "
             "your best ability. One that comes with a keyword belongs to it and doesn’t count here.", 1),
        flaw(DEPENDENT, "Dependent", "Dependents", "Someone who needs you. The GM may put them in danger. A flaw."),
        flaw(ADVERSARY, "Adversary", "Adversaries", "Someone who crosses your plans. A flaw; what you feel for "
             "them can be an ability instead."),
    )


def _lasting(highest: int) -> tuple[TraitKind, ...]:
    ranks = tuple((rank, f"rank {rank}") for rank in range(1, highest + 1))
    return (
        TraitKind(CONSEQUENCE, "Consequence", "Consequences", "What earlier contests left behind.", ranks, 1,
                  condition=True, played=True),
        TraitKind(BENEFIT, "Benefit", "Benefits", "What earlier contests won.", ranks, 1, condition=True, played=True),
        *states.kinds(),
    )


def _support(symbol: str, edition: Edition) -> TraitKind:
    """What a community gave, until the contest that it is for; below 0 where its use was required (QW-93, QW-94)."""
    ladder = edition.modifiers
    ranks = tuple((rank, signed(ladder.of_rank(rank), symbol))
                  for rank in range(-ladder.highest_rank, ladder.highest_rank + 1))
    return TraitKind(SUPPORT, "From the community", "From the community", "For one contest.", ranks, 0, condition=True,
                     played=True, note_label="Purpose")
