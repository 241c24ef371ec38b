"""What an improvement makes of a line, a sheet as it is after some effects, and who catches up (QW-73, QW-82)."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from rules.fields import Listing, text
from rules.moves import Step
from rules.sheet import Become, Effect, Gain, Lose, Raise, Sheet, Trait
from rules.systems.questworlds.creation import flaw_score
from rules.systems.questworlds.growth.terms import GrowthTerms
from rules.systems.questworlds.notation import Score, notation, signed
from rules.systems.questworlds.traits import (
    BONUSES,
    FLAWS,
    KEYWORD,
    SCORED,
    SIDEKICK_ABILITY,
    ability_scores,
    flaws,
    score_of,
)
from rules.values import BadMove

Answer = tuple[list[Step], list[Effect]]
Options = tuple[tuple[str, str], ...]


def stands_alone(trait: Trait, terms: GrowthTerms) -> bool:
    """Whether a line sets off catch-ups and takes part in them: no breakout does, and nothing of a sidekick's (QW-82).

    *Ruling*: a sidekick's abilities are the sidekick's. What stands in a package is an ability by itself.
    """
    if trait.kind in BONUSES:
        return terms.package
    return trait.kind in SCORED and trait.kind != SIDEKICK_ABILITY


def score_text(trait: Trait, sheet: Sheet, terms: GrowthTerms) -> str:
    """A line's score as its sheet shows it: `+4 = 3M` under an umbrella."""
    if trait.kind in FLAWS:
        return f"flaw {notation(trait.value, terms.symbol)}" if trait.value else "flaw"
    alone = notation(score_of(trait, sheet) or 0, terms.symbol)
    return f"{signed(trait.value, terms.symbol)} = {alone}" if _breakout(trait, terms) else alone


def named(trait: Trait, sheet: Sheet) -> str:
    """A line's name; with its owner's, where it is a sidekick's."""
    owner = sheet.trait(trait.parent) if trait.kind == SIDEKICK_ABILITY else None
    return f"{owner.name}: {trait.name}" if owner else trait.name


def options(
    sheet: Sheet, terms: GrowthTerms, lines: Iterable[Trait], amounts: Callable[[Trait], Sequence[int]]
) -> Options:
    """Lines as a list shows them, each with what the amounts would make of it: `Knife · 13 (+9: 2M, +6: 19)`."""
    choices = []
    for trait in lines:
        after = ", ".join(f"{signed(by)}: {_would_be(trait, by, sheet, terms)}" for by in amounts(trait))
        words = f"{named(trait, sheet)} · {score_text(trait, sheet, terms)}"
        choices.append((trait.id, f"{words} ({after})" if after else words))
    return tuple(choices)


def _would_be(trait: Trait, by: int, sheet: Sheet, terms: GrowthTerms) -> str:
    return notation((score_of(trait, sheet) or 0) + by, terms.symbol)


def _breakout(trait: Trait, terms: GrowthTerms) -> bool:
    return trait.kind in BONUSES and not terms.package


def raised(trait: Trait, by: int, sheet: Sheet, terms: GrowthTerms) -> Answer:
    """A line rises. The keyword of a package rises alone: each of its abilities stays where it is (QW-73)."""
    inner = [bonus for bonus in sheet.traits if bonus.parent == trait.id and bonus.kind in BONUSES]
    if trait.kind != KEYWORD or not terms.package or not inner:
        return [], [Raise(trait.id, by)]
    names = ", ".join(trait.name for trait in inner)
    stay = "stays where it is" if len(inner) == 1 else "stay where they are"
    return ([Step("QW-73", f"{trait.name} is a package and rises alone: {names} {stay}.")],
            [Raise(trait.id, by), *(Raise(trait.id, -by) for trait in inner)])


def applied(sheet: Sheet, effects: Iterable[Effect]) -> Sheet:
    """The sheet after effects on its lines; new ones have ids of no importance."""
    lines = {trait.id: trait for trait in sheet.traits}
    for effect in effects:
        if isinstance(effect, Raise):
            lines[effect.trait] = replace(lines[effect.trait], value=lines[effect.trait].value + effect.by)
        elif isinstance(effect, Become):
            line = lines[effect.trait]
            lines[effect.trait] = replace(line, kind=effect.kind, name=effect.name or line.name)
        elif isinstance(effect, Lose):
            lines = {pk: line for pk, line in lines.items() if effect.trait not in (pk, line.parent)}
        elif isinstance(effect, Gain):
            pk = f"new {len(lines)}"
            lines[pk] = Trait(pk, effect.kind, effect.name, effect.value, note=effect.note, parent=effect.parent)
    return replace(sheet, traits=tuple(lines.values()))


def fresh_name(sheet: Sheet, name: str, field: str, *, flaw: bool = False) -> str:
    """A name that no other ability has, or no other flaw; an ability and a flaw may share one. Raises `BadMove`."""
    name = " ".join(name.split())
    if not name:
        raise BadMove("Give it a name.", field)
    alike = (trait for trait in sheet.traits if (trait.kind in FLAWS) == flaw)
    if any(trait.name.casefold() == name.casefold() for trait in alike):
        raise BadMove(f"{name} is on the sheet already.", field)
    return name


def new_flaw(sheet: Sheet, kind: str, name: str, field: str, terms: GrowthTerms) -> tuple[Step, Gain]:
    """Another flaw, at the score that its place among the flaws gives it (QW-74)."""
    name, number, scores = fresh_name(sheet, name, field, flaw=True), len(flaws(sheet)) + 1, ability_scores(sheet)
    score = flaw_score(number, scores, terms.creation) if scores else terms.rule.new_ability
    place = {1: "the first flaw, as high as the best ability", 2: "the second flaw, as high as the second best"}
    why = place.get(number, "a later flaw, as high as the lowest ability")
    return Step("QW-74", f"{name} is {why}: {notation(score, terms.symbol)}."), Gain(sheet.id, kind, name, score)


def triggers(before: Sheet, after: Sheet, terms: GrowthTerms) -> tuple[int, ...]:
    """The new score of each line that has crossed a mastery, highest first (QW-82)."""
    fresh = []
    for trait in after.traits:
        was = before.trait(trait.id)
        if was and stands_alone(trait, terms):
            old, new = score_of(was, before) or 0, score_of(trait, after) or 0
            if Score(new).masteries > Score(old).masteries:
                fresh.append(new)
    return tuple(sorted(fresh, reverse=True))


def catch_up_field(sheet: Sheet, terms: GrowthTerms, reach: Callable[[Trait], int]) -> tuple[Listing, Options] | None:
    """Who may catch up, where some line could come past a mastery with what it may rise by; else None."""
    alone = [trait for trait in sheet.traits if stands_alone(trait, terms)]
    past = [score + reach(trait) for trait in alone for score in [score_of(trait, sheet) or 0]
            if Score(score + reach(trait)).masteries > Score(score).masteries]
    rule = terms.rule
    most = max(past, default=-10**6) - rule.catch_up_behind
    lines = [trait for trait in alone if (score_of(trait, sheet) or 0) <= most]
    if not lines:
        return None
    without = "" if terms.package else "Breakouts take no part. "
    field = Listing(
        name="catch_up", label="Catch up, where a score crosses a mastery", default=(), of=text("line", "Line"),
        help=f"Up to {rule.catch_up_most} for each mastery that is crossed, each {rule.catch_up_behind} or more below "
             f"it: {signed(rule.catch_up)}. {without}What catches up lets nothing else catch up.")
    return field, options(sheet, terms, lines, lambda trait: (rule.catch_up,))


def catch_up(chosen: Sequence[str], before: Sheet, after: Sheet, terms: GrowthTerms) -> Answer:
    """Lines that follow those that crossed a mastery (QW-82); raises `BadMove`.

    *Ruling*: each mastery that is crossed lets three catch up, a line catches up once, and what catches up lets
    nothing else catch up.
    """
    rule, crossed, symbol = terms.rule, triggers(before, after, terms), terms.symbol
    if not chosen:
        text = f"A mastery is crossed: {rule.catch_up_most * len(crossed)} others might have caught up."
        return ([Step("QW-82", text)] if crossed else []), []
    if not crossed:
        raise BadMove("Only an ability or keyword that crosses a mastery lets others catch up.", "catch_up")
    lines = sorted({pk: after.trait(pk) for pk in chosen}.values(), key=lambda line: -_score(line, after))
    room = [rule.catch_up_most] * len(crossed)
    steps: list[Step] = []
    effects: list[Effect] = []
    for trait in lines:
        score = _score(trait, after)
        if trait is None or score > crossed[0] - rule.catch_up_behind:
            name = trait.name if trait else "It"
            raise BadMove(f"{name} is not {rule.catch_up_behind} below {notation(crossed[0], symbol)}.", "catch_up")
        # The highest line goes to the highest mastery: the rest may follow a lower one as well.
        place = next((at for at, new in enumerate(crossed) if room[at] and score <= new - rule.catch_up_behind), None)
        if place is None:
            raise BadMove(f"At most {rule.catch_up_most} catch up with each mastery that is crossed.", "catch_up")
        room[place] -= 1
        more, rise = raised(trait, rule.catch_up, after, terms)
        steps += [Step("QW-82", f"{trait.name} catches up: {signed(rule.catch_up)}, "
                                f"{notation(score + rule.catch_up, symbol)}."), *more]
        effects += rise
    return steps, effects


def _score(trait: Trait | None, sheet: Sheet) -> int:
    return (score_of(trait, sheet) or 0) if trait else 0
