"""People who stand with a character, or in the way: taken on, promoted, found anew, lost (QW-75, QW-76)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.fields import Field, Flag, text
from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import Become, Effect, Gain, Lose, Raise, Sheet, Trait, TraitDraft
from rules.systems.questworlds.builder import abilities_made
from rules.systems.questworlds.edition import SidekickRule
from rules.systems.questworlds.growth.improving import Answer, Options, fresh_name, options
from rules.systems.questworlds.growth.terms import GrowthTerms
from rules.systems.questworlds.notation import ScoreField, notation
from rules.systems.questworlds.traits import (
    ADVERSARY,
    ALLY,
    CONTACT,
    DEPENDENT,
    FLAWS,
    PATRON,
    RELATIONSHIP,
    RETAINER,
    SIDEKICK,
    SIDEKICK_ABILITY,
    SUPPORTING,
)
from rules.values import BadMove

PLACES = (("first", "The first ability"), ("second", "The second ability"), ("third", "The third ability"))
MOST_SCORE = 120
WORDS = {
    ALLY: "an ally", PATRON: "a patron", CONTACT: "a contact", RELATIONSHIP: "a relationship",
    RETAINER: "retainers", SIDEKICK: "the sidekick", DEPENDENT: "a dependent", ADVERSARY: "an adversary",
}


def offers(sheet: Sheet, terms: GrowthTerms) -> tuple[Offer, ...]:
    """Who can come, rise or go now."""
    offered = []
    if not any(trait.kind == SIDEKICK for trait in sheet.traits):
        offered.append(_sidekick(sheet, terms))
        if retainers := _of(sheet, RETAINER):
            offered.append(_promotion(sheet, terms, options(sheet, terms, retainers, lambda trait: ())))
    offered.append(_finding(terms))
    if people := _of(sheet, *SUPPORTING):
        offered.append(_losing(tuple((trait.id, _in_words(trait)) for trait in people)))
    return tuple(offered)


def _of(sheet: Sheet, *kinds: str) -> list[Trait]:
    return [trait for trait in sheet.traits if trait.kind in kinds]


def _in_words(trait: Trait) -> str:
    """Somebody and what they are: `Old Wren, the sidekick`."""
    return f"{trait.name}, {WORDS[trait.kind]}"


def _three(terms: GrowthTerms) -> list[Field]:
    """The name and three abilities of a sidekick."""
    fields: list[Field] = [
        text("name", "The sidekick’s name", needed=True, most=120),
        text("reason", "How they came to follow, and why they stay", needed=True),
    ]
    rule = terms.creation.sidekick
    for (which, label), start in zip(PLACES, rule.starts, strict=True):
        help = "" if which != "first" else (
            "One of the three says how they are. One that is not human says with another what it is.")
        least, most = (notation(score, terms.symbol) for score in (start, start + rule.most_on_one))
        fields += [
            text(f"{which}_name", label, help, needed=True, most=120),
            ScoreField(name=f"{which}_score", label=f"{label}’s score", default=start, symbol=terms.symbol,
                       help=f"{least} to {most}."),
        ]
    return fields


def _whose(sheet: Sheet, terms: GrowthTerms) -> tuple[str, str]:
    """Whether the player may take a sidekick on, or the GM alone, with a sentence on it (QW-75).

    *Ruling*: a sidekick takes one of a new character's abilities, and losing one opens it again. On a sheet that has
    all of them it can't be seen whether one was lost: there the GM says so.
    """
    most = terms.creation.abilities
    if abilities_made(sheet.traits, terms.creation) < most:
        return sheet.id, f"It takes one of the {most} abilities."
    return "", f"All {most} abilities are written, so it is the GM’s to give: after one was lost, say."


def _sidekick(sheet: Sheet, terms: GrowthTerms) -> Offer:
    by, room = _whose(sheet, terms)
    text = f"No experience is paid. {room} {_points(terms)}"
    return Offer("sidekick", by, "Take on a sidekick", text, tuple(_three(terms)))


def _points(terms: GrowthTerms) -> str:
    rule = terms.creation.sidekick
    return f"{rule.points} points are spent on the three, {rule.most_on_one} at most on one."


def _promotion(sheet: Sheet, terms: GrowthTerms, retainers: Options) -> Offer:
    by, room = _whose(sheet, terms)
    fields = (
        text("retainer", "Retainer", needed=True),
        Flag(name="stay", label="Others stay retainers", default=True,
             help="Then their line stays, and the sidekick gets one. Else their line becomes the sidekick."),
        *_three(terms),
    )
    hint = f"{room} {_points(terms)}"
    return Offer("promote", by, "Make a retainer the sidekick", hint, fields, {"retainer": retainers},
                 now={"retainer": retainers[0][0], "stay": True})


def _finding(terms: GrowthTerms) -> Offer:
    fields = (
        text("name", "The retainers", needed=True, most=120),
        ScoreField(name="score", label="Their score", default=terms.rule.new_ability, symbol=terms.symbol,
                   help="The score of the retainers they replace."),
        text("reason", "How they are found", needed=True),
    )
    return Offer("retainers", "", "Find new retainers", "To replace some who were lost.", fields)


def _losing(people: Options) -> Offer:
    fields = (text("who", "Character", needed=True), text("reason", "What became of them", needed=True))
    return Offer("lose", "", "Lose a supporting character", "They leave the sheet, with everything listed under them.",
                 fields, {"who": people})


def take_on(sheet: Sheet, terms: GrowthTerms, values: Mapping[str, Any]) -> Answer:
    """A sidekick, where there is none: the first one, or another after one was lost (QW-75)."""
    name = fresh_name(sheet, values["name"], "name")
    abilities = _abilities(values, terms.creation.sidekick)
    drafts = tuple(TraitDraft(SIDEKICK_ABILITY, called, score) for called, score in abilities)
    steps = [Step("QW-75", f"{sheet.name} takes on a sidekick, {name}."), *_came(values, abilities, terms)]
    return steps, [Gain(sheet.id, SIDEKICK, name, 0, lines=drafts)]


def promote(sheet: Sheet, terms: GrowthTerms, values: Mapping[str, Any]) -> Answer:
    """A retainer gets a name and three abilities: a line of its own, or the retainers' where none is left (QW-75)."""
    line = next(trait for trait in sheet.traits if trait.id == values["retainer"])
    others = tuple(trait for trait in sheet.traits if values["stay"] or trait != line)
    name = fresh_name(Sheet(sheet.id, sheet.name, others), values["name"], "name")
    abilities, came = _abilities(values, terms.creation.sidekick), f"{sheet.name} makes a sidekick of "
    if values["stay"]:
        drafts = tuple(TraitDraft(SIDEKICK_ABILITY, called, score) for called, score in abilities)
        effects: list[Effect] = [Gain(sheet.id, SIDEKICK, name, 0, lines=drafts)]
        first = Step("QW-75", f"{came}one of the retainers, {line.name}: {name}. The others stay.")
    else:
        effects = [Become(line.id, SIDEKICK, name), Raise(line.id, -line.value)]
        effects += [Gain(sheet.id, SIDEKICK_ABILITY, called, score, parent=line.id) for called, score in abilities]
        first = Step("QW-75", f"{came}the retainer {line.name}: {name}.")
    return [first, *_came(values, abilities, terms)], effects


def _came(values: Mapping[str, Any], abilities: Sequence[tuple[str, int]], terms: GrowthTerms) -> list[Step]:
    text = ", ".join(f"{name} {notation(score, terms.symbol)}" for name, score in abilities)
    rule = terms.creation.sidekick
    spent = sum(score for _, score in abilities) - sum(rule.starts)
    return [Step("QW-75", f"Why they follow: {values['reason'].rstrip('.')}."),
            Step("QW-75", f"{text}: {spent} of {rule.points} points are spent.")]


def _abilities(values: Mapping[str, Any], rule: SidekickRule) -> list[tuple[str, int]]:
    """Three different names with their scores; raises `BadMove` at the field that is wrong (QW-75)."""
    listed: list[tuple[str, int]] = []
    for (which, _), start in zip(PLACES, rule.starts, strict=True):
        name, score = " ".join(values[f"{which}_name"].split()), int(values[f"{which}_score"])
        if name.casefold() in {known.casefold() for known, _ in listed}:
            raise BadMove(f"{name} is named twice.", f"{which}_name")
        if score < start:
            raise BadMove(f"This one starts at {start}.", f"{which}_score")
        if score > start + rule.most_on_one:
            raise BadMove(f"{rule.most_on_one} points are the most on one: it starts at {start}.", f"{which}_score")
        listed.append((name, score))
    spent = sum(score for _, score in listed) - sum(rule.starts)
    if spent > rule.points:
        raise BadMove(f"This takes {spent} points, and there are {rule.points}. Lower one of the three.", "third_score")
    return listed


def find(sheet: Sheet, terms: GrowthTerms, values: Mapping[str, Any]) -> Answer:
    """Retainers in the place of some who were lost, for a word on how (QW-75)."""
    name, score = fresh_name(sheet, values["name"], "name"), int(values["score"])
    if not 1 <= score <= MOST_SCORE:
        raise BadMove(f"Enter a score from 1 to {notation(MOST_SCORE, terms.symbol)}.", "score")
    text = f"{sheet.name} finds new retainers, {name} {notation(score, terms.symbol)}: {values['reason']}"
    return [Step("QW-75", f"{text.rstrip('.')}.")], [Gain(sheet.id, RETAINER, name, score)]


def lose(sheet: Sheet, terms: GrowthTerms, values: Mapping[str, Any]) -> Answer:
    """Somebody is dead, gone or estranged: the line leaves with all that stands in it (QW-76)."""
    line = next(trait for trait in sheet.traits if trait.id == values["who"])
    symbol = terms.symbol
    steps = [Step("QW-76", f"{sheet.name} loses {_in_words(line)}: {values['reason'].rstrip('.')}.")]
    if line.kind == SIDEKICK:
        inner = [f"{trait.name} {notation(trait.value, symbol)}" for trait in sheet.traits if trait.parent == line.id]
        gone = f"With {line.name} go {', '.join(inner)}. " if inner else ""
        steps.append(Step("QW-75", f"{gone}Another sidekick may take the place, without experience paid for it."))
    else:
        word = "flaw" if line.kind in FLAWS else "ability"
        score = f" of {notation(line.value, symbol)}" if line.value else ""
        steps.append(Step("QW-76", f"The {word}{score} goes with them."))
    if line.kind == RETAINER:
        steps.append(Step("QW-75", "Others can be found, with a word on how."))
    return steps, [Lose(line.id)]
