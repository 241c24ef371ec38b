"""What a builder counts of a QuestWorlds character, scores of flaws, and characters from a line or from prose."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.sheet import Budget, BudgetLine, Fault, TraitDraft
from rules.systems.questworlds import creation
from rules.systems.questworlds.creation import Draft, flaw_score
from rules.systems.questworlds.notation import notation, read_either, signed
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
    is_package,
)
from rules.values import BadMove

MOST_ABILITIES, MOST_FLAWS = 12, 3
SIDEKICK_STARTS, SIDEKICK_POINTS = (16, 13, 13), 15
COUNTED = (CHARACTERISTIC, CHARACTERISTIC_BREAKOUT, KEYWORD, BREAKOUT, ABILITY, *RELATIONSHIPS, RETAINER, SIDEKICK)
# What a character has one of, and a sidekick three.
ONLY = (
    ((SIDEKICK,), 1, "A character has one sidekick."),
    ((CHARACTERISTIC, CHARACTERISTIC_BREAKOUT), 1, "There is one distinguishing characteristic. Make this an ability."),
    ((SIDEKICK_ABILITY,), 3, "A sidekick has three abilities."),
)
MARKED = re.compile(r"\[\[([^\[\]]+)\]\]|\[([^\[\]]+)\]")
MOST_MARKED = 120


def budget(traits: Sequence[TraitDraft], dials: Mapping[str, Any]) -> Budget:
    """Abilities, points and flaws (QW-70 to QW-75). Nothing is refused."""
    drafts = _drafts(traits, is_package(dials))
    counted = creation.budget([draft for _, draft in drafts])
    many = _abilities(traits)
    flaws = [trait for trait in traits if trait.kind in FLAWS and not trait.within]
    spent = counted.lines[0].spent
    lines = [
        BudgetLine("Abilities", many, MOST_ABILITIES,
                   _open_abilities(MOST_ABILITIES - many)),
        BudgetLine("Points", spent, creation.POINTS, _open_points(creation.POINTS - spent)),
    ]
    if len(flaws) > MOST_FLAWS:
        lines.append(BudgetLine("Flaws", len(flaws), MOST_FLAWS))
    remarks = list(counted.remarks) if traits else ["Begin with a characteristic and an occupation: two words do."]
    own = [_as_made(trait) for trait in traits if trait.kind == SIDEKICK_ABILITY]
    if own:
        placed = _sidekick_points(own)
        lines.append(BudgetLine("The sidekick’s points", placed, SIDEKICK_POINTS,
                                _open_sidekick(SIDEKICK_POINTS - placed)))
    remarks += _sidekick_remarks(traits, own)
    if sum(trait.kind == SIDEKICK for trait in traits) > 1:
        remarks.append("A new character has one sidekick.")
    keywords = {trait.name.casefold() for trait in traits if trait.kind == KEYWORD}
    remarks += [f"{trait.name} stands in no keyword yet." for trait in traits
                if trait.kind in BONUSES and trait.within.casefold() not in keywords]
    remarks += _twice(traits)
    notes = ("What growth gave is not counted.",) if any(trait.grown for trait in traits) else ()
    return Budget(tuple(lines), tuple(remarks), notes, _faults(traits, drafts, dials["symbol"]))


def _as_made(trait: TraitDraft) -> TraitDraft:
    """A line as the making of the sheet left it: of the kind that it was, without what growth gave."""
    return replace(trait, kind=trait.began or trait.kind, value=trait.value - trait.grown)


def _abilities(traits: Sequence[TraitDraft]) -> int:
    """How many of the twelve are there. What came with growth is none of them (QW-81).

    *Ruling*: a sidekick that is taken on in play fills an open one, where there is one (QW-75).
    """
    made = sum(_as_made(trait).kind in COUNTED for trait in traits if not trait.later)
    followers = sum(trait.kind == SIDEKICK for trait in traits if trait.later)
    return made + min(followers, max(0, MOST_ABILITIES - made))


def _open_abilities(left: int) -> str:
    return f"{_count(left, 'ability', 'abilities')} still open: write them now, or in play." if left > 0 else ""


def _open_points(left: int) -> str:
    return f"{_count(left, 'point', 'points')} to spend." if left > 0 else ""


def _open_sidekick(left: int) -> str:
    return f"{_count(left, 'point', 'points')} to spend on the sidekick." if left > 0 else ""


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _drafts(traits: Sequence[TraitDraft], package: bool = False) -> list[tuple[int, Draft]]:
    """Each with its place and where it starts: the highest that is no characteristic is the defining one (QW-72).

    What stands in a package starts where its keyword does, and rises with it for the same points (QW-73).
    """
    made = [_as_made(trait) for trait in traits]
    scored = [trait for trait in made if trait.kind in (KEYWORD, ABILITY, *RELATIONSHIPS, RETAINER)]
    defining = max((trait for trait in scored if not trait.later), key=lambda trait: trait.value, default=None)
    if defining and defining.value < creation.STARTS[creation.DEFINING] and KEYWORD not in {t.kind for t in scored}:
        defining = None  # a few abilities and no occupation yet: each of them is one of the rest
    starts = {CHARACTERISTIC: creation.CHARACTERISTIC, BREAKOUT: creation.PACKAGED if package else creation.BREAKOUT,
              CHARACTERISTIC_BREAKOUT: creation.CHARACTERISTIC_BREAKOUT}
    found = []
    for place, trait in enumerate(made):
        if trait in scored or trait.kind in starts:
            kind = creation.DEFINING if trait is defining else starts.get(trait.kind, creation.OTHER)
            points = trait.value - creation.STARTS[kind]
            if trait.later:  # what is left of its value was placed on it when it was there
                kind, points = creation.OTHER, trait.value
            # In play a keyword may have risen past what stands in it: that costs nothing, and gives nothing back.
            found.append((place, Draft(trait.name, kind, max(0, points) if kind == creation.PACKAGED else points)))
    return found


def _faults(traits: Sequence[TraitDraft], drafts: Sequence[tuple[int, Draft]], symbol: str) -> tuple[Fault, ...]:
    """What no player may write: too much on a line, a line under its start, a second of what there is one of."""
    found = [fault for place, draft in drafts for fault in _out_of_range(place, traits[place], draft.points, symbol)]
    own = sorted(((place, _as_made(trait)) for place, trait in enumerate(traits) if trait.kind == SIDEKICK_ABILITY),
                 key=lambda each: -each[1].value)
    for (place, trait), start in zip(own, SIDEKICK_STARTS, strict=False):
        found += _out_of_range(place, traits[place], trait.value - start, symbol)
    for kinds, most, sentence in ONLY:
        places = [place for place, trait in enumerate(traits) if {trait.kind, trait.began} & {*kinds}]
        # What growth turned was there before any that is written now.
        places.sort(key=lambda place: not traits[place].began)
        found += [Fault(place, kinds[0], sentence, field="name") for place in places[most:]]
    for place, (trait, score) in enumerate(zip(traits, _by_rule(traits), strict=True)):
        if score and trait.value and trait.value != score:
            sentence = f"By rule this flaw has {notation(score, symbol)}. Leave its score open."
            found.append(Fault(place, "score", sentence, abs(trait.value - score)))
    return tuple(found)


def _out_of_range(place: int, trait: TraitDraft, points: int, symbol: str) -> list[Fault]:
    """A line on which there are less than no points, or too many."""
    written = signed if trait.kind in BONUSES else notation
    if points < 0:
        sentence = f"This starts at {written(trait.value - points, symbol)}. It can't stand lower."
        return [Fault(place, "start", sentence, -points)]
    more = points - creation.MOST_ON_ONE
    sentence = f"{creation.MOST_ON_ONE} points are the most on one: {written(trait.value - more, symbol)} here."
    return [Fault(place, "most", sentence, more)] if more > 0 else []


def _sidekick_points(own: Sequence[TraitDraft]) -> int:
    values = sorted((trait.value for trait in own), reverse=True)
    return sum(values) - sum((*SIDEKICK_STARTS, *(13 for _ in values))[: len(values)])


def _sidekick_remarks(traits: Sequence[TraitDraft], own: Sequence[TraitDraft]) -> list[str]:
    names = {trait.name.casefold() for trait in traits if trait.kind == SIDEKICK}
    if not names and not own:
        return []
    alone = [f"{trait.name} is nobody’s yet: say which sidekick it stands in." for trait in own
             if trait.within.casefold() not in names]
    values = sorted((trait.value for trait in own), reverse=True)
    starts = (*SIDEKICK_STARTS, *(13 for _ in values))
    remarks = [f"A sidekick has three abilities; here are {len(own)}."] if len(own) != len(SIDEKICK_STARTS) else []
    if any(value - start > creation.MOST_ON_ONE for value, start in zip(values, starts, strict=False)):
        remarks.append(f"{creation.MOST_ON_ONE} points are the most on one ability of a sidekick.")
    if any(value < start for value, start in zip(values, starts, strict=False)):
        remarks.append("A sidekick’s abilities start at 16, 13 and 13.")
    return [*remarks, *alone]


def _twice(traits: Sequence[TraitDraft]) -> list[str]:
    """Names that two lines have. A flaw may be called as an ability is."""
    many = Counter((trait.kind in FLAWS, trait.name.casefold()) for trait in traits if trait.kind not in LASTING)
    first = {(trait.kind in FLAWS, trait.name.casefold()): trait.name for trait in reversed(traits)}
    return [f"{first[each]} is there more than once." for each, number in many.items() if number > 1]


def finished(traits: Sequence[TraitDraft], dials: Mapping[str, Any]) -> tuple[TraitDraft, ...]:
    """With the scores of flaws that nobody set: by their order, from the scores of all abilities (QW-74)."""
    found = _by_rule(traits)
    return tuple(replace(trait, value=trait.value or score) for trait, score in zip(traits, found, strict=True))


def _by_rule(traits: Sequence[TraitDraft]) -> list[int]:
    """For each line the score that it has as a flaw; 0 for what is none, and where there is no ability yet."""
    keywords = {trait.name.casefold(): trait.value for trait in traits if trait.kind == KEYWORD}
    scores = [
        trait.value + (keywords.get(trait.within.casefold(), 0) if trait.kind in BONUSES else 0)
        for trait in traits if trait.kind in COUNTED and trait.kind != SIDEKICK
    ]
    found, number = [], 0
    for trait in traits:
        number += trait.kind in FLAWS
        found.append(flaw_score(number, scores) if trait.kind in FLAWS and scores else 0)
    return found


def quick(line: str, symbol: str = "M") -> tuple[str, tuple[TraitDraft, ...]]:
    """A character from one line: a name, then abilities with scores, in the campaign's notation (QW-77).

    Raises `BadMove`.

    >>> quick("Harbour guard, Halberd 17, Watchful 1M")[1][1]
    TraitDraft(kind='ability', name='Watchful', value=21, note='', within='')
    """
    name, *parts = [" ".join(part.split()) for part in re.split(r"[,;\n]", line)]
    if not name:
        raise BadMove("Begin with a name: Harbour guard, Halberd 17.", "line")
    drafts = []
    for part in filter(None, parts):
        called, _, written = part.rpartition(" ")
        try:
            value = read_either(written, symbol)
        except BadMove:
            called, value = part, 13
        if not called or not 1 <= value <= 200:
            raise BadMove(f"Write each ability with a score: Halberd 17, Watchful 1{symbol}.", "line")
        drafts.append(TraitDraft(ABILITY, called, value))
    return name, tuple(drafts)


def from_prose(text: str) -> tuple[str, tuple[TraitDraft, ...]]:
    """The text without its marks, and what was marked: [ability], [[keyword]] (QW-71). Raises `BadMove`.

    >>> from_prose("A [[smuggler]] who is [proud].")[1][0].kind
    'keyword'
    """
    drafts: list[TraitDraft] = []
    for keyword, ability in MARKED.findall(text):
        name = " ".join((keyword or ability).split())
        if len(name) > MOST_MARKED:
            told = f"“{name[:30]}…” has {len(name)}"
            raise BadMove(f"Mark fewer words: {MOST_MARKED} characters at most. {told}.", "text")
        if name and not any(draft.name.casefold() == name.casefold() for draft in drafts):
            first = bool(keyword) and not any(draft.kind == KEYWORD for draft in drafts)
            drafts.append(TraitDraft(KEYWORD if keyword else ABILITY, name, 17 if first else 13))
    if not drafts:
        raise BadMove("Mark what matters: [an ability] in brackets, [[a keyword]] in two.", "text")
    return MARKED.sub(lambda found: found[1] or found[2], text), tuple(drafts)
