"""What a builder counts of a QuestWorlds character, and the scores of flaws (QW-70 to QW-75)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.sheet import Budget, BudgetLine, Fault, Sheet, Trait, TraitDraft
from rules.systems.questworlds import creation
from rules.systems.questworlds.creation import Draft, flaw_score
from rules.systems.questworlds.edition import FIRST, Creation, Edition, SidekickRule
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.settings import is_package
from rules.systems.questworlds.traits import (
    ABILITY,
    BONUSES,
    BREAKOUT,
    CHARACTERISTIC,
    CHARACTERISTIC_BREAKOUT,
    FLAWS,
    KEYWORD,
    LASTING,
    RELATIONSHIPS,
    RETAINER,
    SIDEKICK,
    SIDEKICK_ABILITY,
    ability_scores,
    flaws,
)
from rules.wording import join

COUNTED = (CHARACTERISTIC, CHARACTERISTIC_BREAKOUT, KEYWORD, BREAKOUT, ABILITY, *RELATIONSHIPS, RETAINER, SIDEKICK)
# What a character has one of, and a sidekick three.
ONLY = (
    ((SIDEKICK,), 1, "A character has one sidekick."),
    ((CHARACTERISTIC, CHARACTERISTIC_BREAKOUT), 1, "There is one distinguishing characteristic. Make this an ability."),
    ((SIDEKICK_ABILITY,), 3, "A sidekick has three abilities."),
)


def budget(traits: Sequence[TraitDraft], settings: Mapping[str, Any], edition: Edition = FIRST) -> Budget:
    """Abilities, points and flaws (QW-70 to QW-75). Nothing is refused.

    *Ruling*: more abilities than as-you-go and the list make are the GM's to look at, as a text has no limit (QW-71).
    """
    rule = edition.creation
    drafts = _drafts(traits, rule, is_package(settings))
    counted = creation.budget([draft for _, draft in drafts], rule)
    many = abilities_made(traits, rule)
    own_flaws = [trait for trait in traits if trait.kind in FLAWS and not trait.within]
    spent = counted.lines[0].spent
    lines = [
        BudgetLine("Abilities", many, rule.abilities, _open_abilities(rule.abilities - many), for_gm=True),
        BudgetLine("Points", spent, rule.points, _open_points(rule.points - spent)),
    ]
    if len(own_flaws) > rule.flaws:
        lines.append(BudgetLine("Flaws", len(own_flaws), rule.flaws))
    remarks = list(counted.remarks) if traits else ["Begin with a characteristic and an occupation: two words do."]
    own = [_as_made(trait) for trait in traits if trait.kind == SIDEKICK_ABILITY]
    if own:
        placed, points = _sidekick_points(own, rule.sidekick), rule.sidekick.points
        lines.append(BudgetLine("The sidekick’s points", placed, points, _open_sidekick(points - placed)))
    remarks += _sidekick_remarks(traits, own, rule.sidekick)
    if sum(trait.kind == SIDEKICK for trait in traits) > 1:
        remarks.append("A new character has one sidekick.")
    keywords = {trait.name.casefold() for trait in traits if trait.kind == KEYWORD}
    remarks += [f"{trait.name} is in no keyword yet." for trait in traits
                if trait.kind in BONUSES and trait.within.casefold() not in keywords]
    remarks += _twice(traits)
    notes = ("Growth is not counted.",) if any(trait.grown for trait in traits) else ()
    return Budget(tuple(lines), tuple(remarks), notes, _faults(traits, drafts, settings["symbol"], rule))


def _as_made(trait: TraitDraft) -> TraitDraft:
    """A line as the making of the sheet left it: of the kind that it was, without what growth gave."""
    return replace(trait, kind=trait.began or trait.kind, value=trait.value - trait.grown)


def abilities_made(lines: Iterable[TraitDraft | Trait], rule: Creation = FIRST.creation) -> int:
    """How many of a new character's abilities are there, in a builder and in play alike (QW-70).

    A sidekick is one of them, and none of its abilities is; what came with growth is none of them (QW-81). *Ruling*: a
    sidekick that is taken on in play fills an open one, where there is one (QW-75).
    """
    known = [(line.began or line.kind, line.later) for line in lines]
    made = sum(kind in COUNTED for kind, later in known if not later)
    followers = sum(kind == SIDEKICK for kind, later in known if later)
    return made + min(followers, max(0, rule.abilities - made))


def _open_abilities(left: int) -> str:
    if left < 0:
        return f"{_count(-left, 'ability', 'abilities')} more than a list makes: the GM says whether they stay."
    return f"{_count(left, 'ability', 'abilities')} left: write them now, or in play." if left else ""


def _open_points(left: int) -> str:
    return f"{_count(left, 'point', 'points')} to spend." if left > 0 else ""


def _open_sidekick(left: int) -> str:
    return f"{_count(left, 'point', 'points')} to spend on the sidekick." if left > 0 else ""


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _drafts(traits: Sequence[TraitDraft], rule: Creation, package: bool = False) -> list[tuple[int, Draft]]:
    """Each with its place and where it starts: the highest that is no characteristic is the defining one (QW-72).

    What stands in a package starts where its keyword does, and rises with it for the same points (QW-73).
    """
    made = [_as_made(trait) for trait in traits]
    scored = [trait for trait in made if trait.kind in (KEYWORD, ABILITY, *RELATIONSHIPS, RETAINER)]
    defining = max((trait for trait in scored if not trait.later), key=lambda trait: trait.value, default=None)
    if defining and defining.value < rule.defining and KEYWORD not in {t.kind for t in scored}:
        defining = None  # a few abilities and no occupation yet: each of them is one of the rest
    starts = {CHARACTERISTIC: creation.CHARACTERISTIC, BREAKOUT: creation.PACKAGED if package else creation.BREAKOUT,
              CHARACTERISTIC_BREAKOUT: creation.CHARACTERISTIC_BREAKOUT}
    drafts = []
    for place, trait in enumerate(made):
        if trait in scored or trait.kind in starts:
            kind = creation.DEFINING if trait is defining else starts.get(trait.kind, creation.OTHER)
            points = trait.value - creation.start_of(kind, rule)
            if trait.later:  # what is left of its value was placed on it when it was there
                kind, points = creation.OTHER, trait.value
            # In play a keyword may have risen past what stands in it: that costs nothing, and gives nothing back.
            drafts.append((place, Draft(trait.name, kind, max(0, points) if kind == creation.PACKAGED else points)))
    return drafts


def _faults(
    traits: Sequence[TraitDraft], drafts: Sequence[tuple[int, Draft]], symbol: str, rule: Creation
) -> tuple[Fault, ...]:
    """What no player may write: too much on a line, a line under its start, a second of what there is one of."""
    faults = [fault for place, draft in drafts
             for fault in _out_of_range(place, traits[place], draft.points, symbol, rule.most_on_one)]
    own = sorted(((place, _as_made(trait)) for place, trait in enumerate(traits) if trait.kind == SIDEKICK_ABILITY),
                 key=lambda pair: -pair[1].value)
    for (place, trait), start in zip(own, rule.sidekick.starts, strict=False):
        faults += _out_of_range(place, traits[place], trait.value - start, symbol, rule.sidekick.most_on_one)
    for kinds, most, sentence in ONLY:
        places = [place for place, trait in enumerate(traits) if {trait.kind, trait.began} & {*kinds}]
        # What growth turned was there before any that is written now.
        places.sort(key=lambda place: not traits[place].began)
        faults += [Fault(place, kinds[0], sentence, field="name") for place in places[most:]]
    for place, (trait, score) in enumerate(zip(traits, _by_rule(traits, rule), strict=True)):
        if score and trait.value and trait.value != score:
            sentence = f"By rule this flaw has {notation(score, symbol)}. Leave its score blank."
            faults.append(Fault(place, "score", sentence, abs(trait.value - score)))
    return tuple(faults)


def _out_of_range(place: int, trait: TraitDraft, points: int, symbol: str, most: int) -> list[Fault]:
    """A line on which there are less than no points, or too many."""
    written = signed if trait.kind in BONUSES else notation
    if points < 0:
        sentence = f"This starts at {written(trait.value - points, symbol)}. It can’t be lower."
        return [Fault(place, "start", sentence, -points)]
    more = points - most
    sentence = f"{most} points are the most on one: {written(trait.value - more, symbol)} here."
    return [Fault(place, "most", sentence, more)] if more > 0 else []


def _sidekick_points(own: Sequence[TraitDraft], rule: SidekickRule) -> int:
    return sum(trait.value for trait in own) - sum(_sidekick_starts(len(own), rule))


def _sidekick_starts(many: int, rule: SidekickRule) -> Sequence[int]:
    """Where so many of a sidekick's abilities start, the highest first."""
    return (*rule.starts, *(rule.later for _ in range(many)))[:many]


def _sidekick_remarks(traits: Sequence[TraitDraft], own: Sequence[TraitDraft], rule: SidekickRule) -> list[str]:
    names = {trait.name.casefold() for trait in traits if trait.kind == SIDEKICK}
    if not names and not own:
        return []
    alone = [f"{trait.name} belongs to no one yet. Choose the sidekick it belongs to." for trait in own
             if trait.within.casefold() not in names]
    values = sorted((trait.value for trait in own), reverse=True)
    starts = _sidekick_starts(len(values), rule)
    remarks = [f"A sidekick has three abilities; here are {len(own)}."] if len(own) != len(rule.starts) else []
    if any(value - start > rule.most_on_one for value, start in zip(values, starts, strict=True)):
        remarks.append(f"{rule.most_on_one} points are the most on one ability of a sidekick.")
    if any(value < start for value, start in zip(values, starts, strict=True)):
        remarks.append(f"A sidekick’s abilities start at {join([str(start) for start in rule.starts])}.")
    return [*remarks, *alone]


def _twice(traits: Sequence[TraitDraft]) -> list[str]:
    """Names that two lines have. A flaw may be called as an ability is."""
    many = Counter((trait.kind in FLAWS, trait.name.casefold()) for trait in traits if trait.kind not in LASTING)
    first = {(trait.kind in FLAWS, trait.name.casefold()): trait.name for trait in reversed(traits)}
    return [f"{first[name]} is there more than once." for name, number in many.items() if number > 1]


def finished(
    traits: Sequence[TraitDraft], settings: Mapping[str, Any], edition: Edition = FIRST,
    before: Sequence[TraitDraft] = (), places: Sequence[int | None] = (),
) -> tuple[TraitDraft, ...]:
    """With the scores of flaws that nobody set: by their order, from the scores of all abilities (QW-74).

    `before` are the lines as they stood, and `places` says for each of `traits` which of them it was, None for a new
    one. A flaw that stood by rule moves with the abilities until the sheet is finished.
    """
    rule = edition.creation
    moving = set[int]()
    if before and not budget(before, settings, edition).settled:
        moving = {place for place, score in enumerate(_by_rule(before, rule)) if score == before[place].value}
    drafts = []
    for trait, score, place in zip(traits, _by_rule(traits, rule), places or [None] * len(traits), strict=True):
        moves = place is not None and place in moving and trait.value == before[place].value
        drafts.append(replace(trait, value=score) if score and (moves or not trait.value) else trait)
    return tuple(drafts)


def flaws_moved(sheet: Sheet, score: int, rule: Creation) -> tuple[tuple[Trait, int], ...]:
    """The flaws that stood by rule, each with its score once a new ability of this `score` is on the sheet (QW-74)."""
    before = ability_scores(sheet)
    moved = []
    for number, flaw in enumerate(flaws(sheet), 1):
        now = flaw_score(number, (*before, score), rule)
        if flaw.value == (flaw_score(number, before, rule) if before else 0) != now:
            moved.append((flaw, now))
    return tuple(moved)


def _by_rule(traits: Sequence[TraitDraft], rule: Creation) -> list[int]:
    """For each line the score that it has as a flaw; 0 for what is none, and where there is no ability yet."""
    keywords = {trait.name.casefold(): trait.value for trait in traits if trait.kind == KEYWORD}
    scores = [
        trait.value + (keywords.get(trait.within.casefold(), 0) if trait.kind in BONUSES else 0)
        for trait in traits if trait.kind in COUNTED and trait.kind != SIDEKICK
    ]
    ratings, number = [], 0
    for trait in traits:
        number += trait.kind in FLAWS
        ratings.append(flaw_score(number, scores, rule) if trait.kind in FLAWS and scores else 0)
    return ratings
