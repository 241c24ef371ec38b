"""What a sheet is made of, what a builder counts, and a character from one line (DW-01, DW-11, DW-15)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rules import npc_lines
from rules.sheet import Budget, BudgetLine, TraitDraft
from rules.system import TraitKind
from rules.systems.danger_world.aspects import CHILDREN, USES_BEFORE_CHILDREN
from rules.systems.danger_world.character import DICE_TO_SPREAD, HIGHEST, KNOWN_ASPECTS, LOWEST, STATS
from rules.systems.danger_world.reading import ACT, ASPECTS, BONUS, BOXES, DANGER, LASTING, MOVE, SETBACK, STAT, THREAT
from rules.systems.danger_world.track import FIRST_LEVEL, ZONES, LongTerm
from rules.values import BadMove
from rules.wording import join

USES = tuple((uses, words) for uses, words in enumerate(("not used yet", "used once", "used twice")))
DICE = tuple((number, f"{number} {'die' if number == 1 else 'dice'}") for number in range(1, 7))
EXAMPLE = "harbour guard, strength 3, Sleeps on watch"
BOXES_OF = ((1, "1 box"), (3, "3 boxes"))

KINDS = (
    TraitKind(STAT, "Stat", "Stats", "One die in each, and eight more to spread. A check takes two of them.",
              tuple((n, f"{n} {'die' if n == 1 else 'dice'}") for n in range(LOWEST, HIGHEST + 1)), LOWEST,
              fixed=True, drawn=True),
    TraitKind(ASPECTS[0], "Primary aspect", "Primary aspects",
              "Three that you know now. A fourth shows itself in play.", USES, 0, note_label="Meaning",
              values_are="Uses", drawn=True, unearned=0),
    TraitKind(ASPECTS[1], "Secondary aspect", "Secondary aspects",
              "They refine a primary one that was used twice: one bonus die more.", USES, 0, condition=True,
              note_label="Meaning", values_are="Uses", drawn=True, within=(ASPECTS[0],), unearned=0),
    TraitKind(ASPECTS[2], "Tertiary aspect", "Tertiary aspects",
              "They refine a secondary one that was used twice: two bonus dice more.", USES, 0, condition=True,
              note_label="Meaning", values_are="Uses", drawn=True, within=(ASPECTS[1],), unearned=0),
    TraitKind(MOVE, "Special move", "Special moves",
              "What this character can do and others can’t: healing, teleportation, a move of your own.",
              ((1, "known"),), 1, condition=True, note_label="Effect"),
    TraitKind(BONUS, "Bonus dice", "Bonus dice held", "They come from checks that went well, and are used up at once.",
              DICE, 1, condition=True, note_label="From", values_are="Dice", unearned=0),
    TraitKind(SETBACK, "Setback", "Setbacks", "What botches cost in the story. A check of this height undoes one.",
              tuple((n, f"height {n}") for n in range(1, 7)), 2, condition=True, note_label="Meaning",
              values_are="Height"),
    TraitKind(THREAT, "Threat", "Threats that wait", "Threat dice that botches put on a challenge.",
              DICE, 1, condition=True, note_label="On which challenge", values_are="Dice"),
    TraitKind(ACT, "Mark of the story", "Marks of the story",
              "Gains and losses by the acts of the campaign. In the end they decide what stays.",
              ((-1, "loss"), (1, "gain")), 1, condition=True, note_label="In which act", values_are="Gain or loss"),
    TraitKind(LASTING, "Lasting consequence", "Lasting consequences", "What stays with a character for long.",
              tuple((goal.value, goal.name.replace("_", " ").capitalize()) for goal in LongTerm), 1, condition=True,
              note_label="Meaning"),
    TraitKind(DANGER, "Danger level", "Danger", "It rises within an episode.", ((FIRST_LEVEL, "level 1"),),
              FIRST_LEVEL, played=True, drawn=True, fixed=True),
    TraitKind(BOXES, "Boxes", "Damage boxes", "What hits fill.", BOXES_OF, 3, played=True, drawn=True, fixed=True),
)


def starting() -> tuple[TraitDraft, ...]:
    """Eight stats at one die, three aspects to name, the first danger level and open boxes."""
    return (
        *(TraitDraft(STAT, name.capitalize(), LOWEST) for name in STATS),
        *(TraitDraft(ASPECTS[0], "", 0) for _ in range(KNOWN_ASPECTS)),
        TraitDraft(DANGER, "Danger level", FIRST_LEVEL),
        *(TraitDraft(BOXES, zone.name.capitalize(), zone.boxes) for zone in ZONES),
    )


def sheet_of(stats: Mapping[str, int], aspects: Mapping[str, str]) -> tuple[TraitDraft, ...]:
    """The lines of a new sheet with these dice in stats (one in all others) and these aspects, each with its note."""
    return (
        *(TraitDraft(STAT, name.capitalize(), stats.get(name, LOWEST)) for name in STATS),
        *(TraitDraft(ASPECTS[0], name, 0, note) for name, note in aspects.items()),
        *(draft for draft in starting() if draft.kind in (DANGER, BOXES)),
    )


def good_at(said: Sequence[str]) -> tuple[TraitDraft, ...]:
    """A sheet of what somebody is good at: stats by their names, which share the dice, and aspects.

    >>> [trait.name for trait in good_at(["cool", "Born on the roofs"]) if trait.value == 4]
    ['Cool']
    """
    named = [word.casefold() for word in said if word.casefold() in STATS]
    more = min(HIGHEST - LOWEST, DICE_TO_SPREAD // max(1, len(set(named))))
    return sheet_of(dict.fromkeys(named, LOWEST + more), {word: "" for word in said if word.casefold() not in STATS})


def budget(traits: Sequence[TraitDraft], settings: Mapping[str, Any]) -> Budget:
    """Eight dice over one in each stat, three aspects known, and a tree that holds (DW-01, DW-11)."""
    stats = {trait.name.casefold(): trait.value for trait in traits if trait.kind == STAT}
    spent = sum(value - LOWEST for value in stats.values())
    primaries = [trait for trait in traits if trait.kind == ASPECTS[0]]
    known = min(len(primaries), KNOWN_ASPECTS)
    missing = tuple(f"{name.capitalize()} is missing." for name in STATS if name not in stats)
    return Budget((
        BudgetLine("Dice in stats", spent, DICE_TO_SPREAD),
        BudgetLine("Known aspects", known, KNOWN_ASPECTS,
                   "" if known == KNOWN_ASPECTS else "Name three in a few words."),
    ), (*missing, *_tree(traits)))


def _tree(traits: Sequence[TraitDraft]) -> tuple[str, ...]:
    remarks = []
    for depth in (0, 1):
        parents = {trait.name.strip().casefold(): trait for trait in traits if trait.kind == ASPECTS[depth]}
        below = [trait for trait in traits if trait.kind == ASPECTS[depth + 1]]
        for trait in below:
            parent = parents.get(trait.within.strip().casefold())
            if parent is None:
                remarks.append(f"Choose the {ASPECTS[depth]} aspect that {trait.name} is beneath.")
            elif parent.value < USES_BEFORE_CHILDREN:
                remarks.append(f"{parent.name} has to be used twice before {trait.name} can grow from it.")
        for name, number in Counter(trait.within.strip().casefold() for trait in below).items():
            if name in parents and number > CHILDREN[depth]:
                remarks.append(f"{parents[name].name} has {number} aspects beneath it; {CHILDREN[depth]} is the most.")
    if len([trait for trait in traits if trait.kind == ASPECTS[0]]) > KNOWN_ASPECTS + 1:
        remarks.append(f"There are {KNOWN_ASPECTS + 1} primary aspects at most.")
    return tuple(remarks)


def quick(line: str) -> tuple[str, tuple[TraitDraft, ...]]:
    """`Mara, speed 3, cool 2, Born on the roofs`: a name, stats that differ from one die, and aspects.

    What reads like a number of something that is no stat is asked about. Of a squad one sheet is made, which says so.

    >>> name, traits = quick("Mara, speed 3, Born on the roofs")
    >>> name, [(trait.name, trait.value) for trait in traits if trait.name in ("Speed", "Born on the roofs")]
    ('Mara', [('Speed', 3), ('Born on the roofs', 0)])
    """
    said = npc_lines.read(line, EXAMPLE)
    first, _, ending = said.name.rpartition(" ")
    who, _, last = first.rpartition(" ")
    if ending.isdecimal() and last.casefold() in STATS:
        raise BadMove(f"Put a comma after the name: {who or 'Mara'}, {last} {ending}.", "line")
    stats, aspects = dict.fromkeys(STATS, LOWEST), []
    if said.size > 1:
        aspects.append(TraitDraft(ASPECTS[0], f"A squad of {said.size}", 0))
    for part in said.parts:
        stat, number = _stat(part)
        if number:
            stats[stat] = number
        else:
            aspects.append(TraitDraft(ASPECTS[0], part, 0))
    lines = [TraitDraft(STAT, stat.capitalize(), value) for stat, value in stats.items()]
    return said.name, (*lines, *aspects, *(draft for draft in starting() if draft.kind in (DANGER, BOXES)))


def _stat(part: str) -> tuple[str, int]:
    """The stat and its dice that a part says, ("", 0) for an aspect; raises `BadMove` for what is neither."""
    if asks := npc_lines.written_out(part):
        raise BadMove(asks, "line")
    name, _, last = part.rpartition(" ")
    stat = name.casefold().rstrip(" :=")
    if part.casefold() in STATS:
        raise BadMove(f"Enter how many dice it has: {part} 3.", "line")
    if not last.isdecimal():
        return "", 0
    if stat not in STATS:
        raise BadMove(f"There is no stat {name or part}; there are {join(STATS)}.", "line")
    if not LOWEST <= int(last) <= HIGHEST:
        raise BadMove(f"{stat.capitalize()} goes from {LOWEST} to {HIGHEST}.", "line")
    return stat, int(last)
