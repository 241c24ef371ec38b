"""Making a character: what a builder counts, with goods broken into smaller things (PS-02 to PS-06)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rules.sheet import Budget, BudgetLine, TraitDraft
from rules.system import Settings
from rules.systems.pdq_sharp.chart import AVERAGE, GOOD, WORDS
from rules.systems.pdq_sharp.kinds import (
    ARCHVILLAIN,
    FOIBLE,
    FORTES,
    MINIONS,
    MOTIVATIONS,
    PASTS,
    SIDEKICK,
    SIDEKICK_FOIBLE,
    SIDEKICK_FORTE,
    SIDEKICK_TECHNIQUE,
    SQUAD,
    SWASHBUCKLING,
    SWASHBUCKLING_KINDS,
    TECHNIQUE,
    THREAT,
    THREAT_SIDEKICK,
)
from rules.systems.pdq_sharp.npc import quick
from rules.wording import join

__all__ = ["budget", "quick", "technique_cost"]

GOODS, POINTS = 4, 2  # additional goods, and what each is worth when it is broken
TECHNIQUE_POINTS = 5
CHAINED_TO_BEST, CHAINED, UNCHAINED = 1, 2, 3
ARCHVILLAIN_POINTS = 8
SIDEKICK_TECHNIQUES = 2


def price(rank: int) -> int:
    """What a forte costs in points: its modifier, and 1 at Average (PS-03)."""
    return max(1, 2 * rank)


def technique_cost(technique: TraitDraft, best: str) -> int:
    """What a technique costs: chained to the swashbuckling forte (`best`), to another, or to none (PS-04)."""
    host = _plain(technique.within)
    if not host:
        return UNCHAINED
    return CHAINED_TO_BEST if host == _plain(best) else CHAINED


def budget(traits: Sequence[TraitDraft], settings: Settings) -> Budget:
    """What stands against what there is. Nothing is refused: the GM may allow more, with a reason (PS-06)."""
    built = [trait for trait in traits if not trait.later]
    if squad := next((draft for draft in built if draft.kind == SQUAD), None):
        spent = sum(draft.kind in FORTES for draft in built)
        return Budget((BudgetLine("Fortes of a minion", spent, 1, "" if spent else "Give them one forte."),),
                      notes=(f"{squad.value} of them act as one; each hit takes one out.",) if squad.value > 1 else ())
    if any(draft.kind == THREAT and draft.value == THREAT_SIDEKICK for draft in built):
        return Budget(tuple(_own_build(built)))
    spent = _on_techniques(built)
    broken = max(0, spent - TECHNIQUE_POINTS)
    lines = [
        _core(built),
        _additional(built, broken),
        BudgetLine("Technique points", spent, TECHNIQUE_POINTS + broken, _open_techniques(TECHNIQUE_POINTS - spent)),
        *_sidekick(built),
    ]
    return Budget(tuple(lines), _remarks(built), _notes(built, broken))


def _core(built: Sequence[TraitDraft]) -> BudgetLine:
    wanted = (("a foible", (FOIBLE,)), ("a motivation", MOTIVATIONS), ("a past", PASTS),
              ("a swashbuckling forte", SWASHBUCKLING_KINDS))
    missing = [words for words, kinds in wanted if not any(draft.kind in kinds for draft in built)]
    return BudgetLine("Core elements", len(wanted) - len(missing), len(wanted),
                      f"Still missing: {join(missing)}." if missing else "")


def _additional(built: Sequence[TraitDraft], broken: int) -> BudgetLine:
    """The points of the additional goods: new fortes, raised ones, foibles, technique points (PS-03)."""
    whole = GOODS * POINTS + sum(POINTS for _ in _doubled(built)[:1])
    whole += ARCHVILLAIN_POINTS * any((draft.kind, draft.value) == (THREAT, ARCHVILLAIN) for draft in built)
    core = _core_fortes(built)
    spent = broken + max(0, sum(draft.kind == FOIBLE for draft in built) - 1)
    for draft in built:
        if draft.kind in FORTES:
            rank = draft.value - draft.grown
            spent += max(0, price(rank) - POINTS) if draft in core else price(rank)
    left = whole - spent
    return BudgetLine("Points of additional fortes", spent, whole, _open_points(left))


def _core_fortes(built: Sequence[TraitDraft]) -> list[TraitDraft]:
    """Those that come at Good: the first motivation, past and swashbuckling forte."""
    drafts: list[TraitDraft] = []
    for kinds in (MOTIVATIONS, PASTS, SWASHBUCKLING_KINDS):
        drafts += [draft for draft in built if draft.kind in kinds and draft not in drafts][:1]
    return drafts


def _doubled(built: Sequence[TraitDraft]) -> list[TraitDraft]:
    """A motivation or past that is the swashbuckling forte as well, where it stands for two of the core elements."""
    if any(draft.kind == SWASHBUCKLING for draft in built):
        return []
    return [draft for draft in built if draft.kind in SWASHBUCKLING_KINDS]


def _on_techniques(built: Sequence[TraitDraft]) -> int:
    best = next((draft.name for draft in built if draft.kind in SWASHBUCKLING_KINDS), "")
    return sum(technique_cost(draft, best) for draft in built if draft.kind == TECHNIQUE)


def _open_points(left: int) -> str:
    if left <= 0:
        return f"{_points(-left)} too many." if left else ""
    return (f"{_points(left)} left: a Good forte or a rank is 2; an Average forte, a foible or a technique point "
            "is 1.")


def _open_techniques(left: int) -> str:
    if left <= 0:
        return ""
    dear = "3 unchained" if left >= UNCHAINED else ""
    ways = [f"1 chained to the swashbuckling forte{', 2 to another' if left >= CHAINED else ''}", dear]
    return f"{_points(left)} left: {', '.join(filter(None, ways))}."


def _sidekick(built: Sequence[TraitDraft]) -> Iterable[BudgetLine]:
    """A sidekick's own build: its ranks, a Good and an Average forte, a foible, two techniques (PS-05)."""
    for draft in built:
        if draft.kind != SIDEKICK:
            continue
        inner = [other for other in built if _plain(other.within) == _plain(draft.name)]
        spent = sum(price(other.value) for other in inner if other.kind == SIDEKICK_FORTE)
        whole = price(draft.value - draft.grown) + price(GOOD) + price(AVERAGE)
        yield BudgetLine(f"{draft.name}: fortes", spent, whole,
                         f"{_points(whole - spent)} left." if spent < whole else "")
        others = (("foible", SIDEKICK_FOIBLE, 1), ("techniques", SIDEKICK_TECHNIQUE, SIDEKICK_TECHNIQUES))
        for label, kind, most in others:
            number = sum(other.kind == kind for other in inner)
            yield BudgetLine(f"{draft.name}: {label}", number, most)


def _own_build(built: Sequence[TraitDraft]) -> Iterable[BudgetLine]:
    """A sidekick who is an NPC has a sidekick's build, and not that of a player's character (PS-05, PS-07)."""
    spent = sum(price(draft.value - draft.grown) for draft in built if draft.kind in FORTES)
    whole = price(GOOD) + price(GOOD) + price(AVERAGE)
    yield BudgetLine("Fortes", spent, whole, f"{_points(whole - spent)} left." if spent < whole else "")
    yield BudgetLine("Foible", sum(draft.kind == FOIBLE for draft in built), 1)
    yield BudgetLine("Techniques", sum(draft.kind == TECHNIQUE for draft in built), SIDEKICK_TECHNIQUES)


def _remarks(built: Sequence[TraitDraft]) -> tuple[str, ...]:
    said = []
    best = [draft for draft in built if draft.kind in SWASHBUCKLING_KINDS]
    if len(best) > 1:
        said.append(f"There is one swashbuckling forte; {join([draft.name for draft in best])} are {len(best)}.")
    for core_forte in _core_fortes(built):
        if core_forte.value - core_forte.grown < GOOD:
            said.append(f"{core_forte.name} starts at Good.")
    names = Counter(_plain(draft.name) for draft in built if draft.kind in FORTES)
    for draft in built:
        if draft.kind in FORTES and names.pop(_plain(draft.name), 0) > 1:
            said.append(f"{draft.name} is there more than once.")
    for draft in built:
        if draft.kind == TECHNIQUE and draft.within and _plain(draft.within) in _plain(draft.name):
            said.append(f"{draft.name} covers all that {draft.within} does: that is bad form. Make it narrower.")
    return tuple(said)


def _notes(built: Sequence[TraitDraft], broken: int) -> tuple[str, ...]:
    notes = []
    if broken:
        notes.append(f"{_points(broken)} of techniques come from broken fortes.")
    for draft in built:
        if draft.kind == MINIONS:
            notes.append(f"{draft.name}: {7 + 2 * draft.value} minions, as many as the target number of "
                         f"{WORDS[min(draft.value, max(WORDS))].capitalize()}.")
    return tuple(notes)


def _points(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()
