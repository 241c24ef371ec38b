"""Making a character: what a builder counts, and a whole character from one line (PQ-10)."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules import npc_lines
from rules.npc_lines import NpcLine
from rules.sheet import Budget, BudgetLine, TraitDraft
from rules.systems.pdq.chart import STRENGTH, WEAKNESS, WORDS, Rank
from rules.values import BadMove

LONGEST = 100
EXAMPLE = "guard, Fighting good, Slow poor"
MODIFIERS = {rank.modifier: rank for rank in Rank}


def budget(traits: Sequence[TraitDraft], settings: Mapping[str, Any]) -> Budget:
    """What the settings allow, what the drafts spend, and in words what is open. Nothing is refused."""
    strengths = [trait for trait in traits if trait.kind == STRENGTH]
    weaknesses = [trait for trait in traits if trait.kind == WEAKNESS]
    ranks, weak = int(settings["strength_ranks"]), int(settings["weakness_ranks"])
    spent = sum(max(0, trait.value) for trait in strengths)
    fewest = -(-ranks // Rank.MASTER)  # a strength holds three ranks at most
    lines = (
        BudgetLine("Ranks of strengths", spent, ranks, _open_ranks(spent, ranks, len(strengths), fewest)),
        BudgetLine("Weaknesses", len(weaknesses), weak, _open_weaknesses(len(weaknesses), weak)),
    )
    return Budget(lines, _remarks(traits, strengths, weaknesses, ranks, fewest))


def _open_ranks(spent: int, ranks: int, chosen: int, fewest: int) -> str:
    if not chosen:
        return f"{ranks} ranks left: choose {_between(fewest, ranks)}."
    if spent < ranks:
        return f"{ranks - spent} left: raise a strength, or add one."
    return f"Take {_count(spent - ranks, 'rank')} away from the strengths." if spent > ranks else ""


def _open_weaknesses(chosen: int, wanted: int) -> str:
    if chosen < wanted:
        return f"{wanted - chosen} left: add {_count(wanted - chosen, 'weakness')}."
    return f"Take {_count(chosen - wanted, 'weakness')} away." if chosen > wanted else ""


def _remarks(
    traits: Sequence[TraitDraft], strengths: Sequence[TraitDraft], weaknesses: Sequence[TraitDraft],
    ranks: int, fewest: int,
) -> tuple[str, ...]:
    said = []
    if len(strengths) > ranks:
        said.append(f"There are {len(strengths)} strengths; {ranks} is the most that {_count(ranks, 'rank')} allow.")
    elif 0 < len(strengths) < fewest and sum(trait.value for trait in strengths) >= len(strengths) * Rank.MASTER:
        said.append(f"There are too few strengths: choose {_between(fewest, ranks)}.")
    for trait in strengths:
        if not Rank.GOOD <= trait.value <= Rank.MASTER:
            said.append(f"{trait.name or 'A strength'} is no strength at this rank: choose Good, Expert or Master.")
    for trait in weaknesses:
        if trait.value != Rank.POOR:
            said.append(f"{trait.name or 'A weakness'} is no weakness at this rank: a weakness is Poor.")
    if any(not trait.name.strip() for trait in traits):
        said.append("A quality has no name yet.")
    names = Counter(_plain(trait.name) for trait in traits if trait.name.strip())
    for trait in traits:
        if names.pop(_plain(trait.name), 0) > 1:
            said.append(f"{trait.name.strip()} is there more than once.")
    return tuple(said)


def quick(line: str) -> tuple[str, tuple[TraitDraft, ...]]:
    """A character from one line; raises `BadMove` with what to change.

    The name comes first, then qualities that end (or begin) with a rank's word or modifier, with commas between. Of a
    squad one sheet is made; a rank alone is what the squad is, as one.

    >>> [(draft.kind, draft.name, draft.value) for draft in quick("guard, Fighting good, Slow -2")[1]]
    [('strength', 'Fighting', 1), ('weakness', 'Slow', -1)]
    >>> [(draft.name, draft.value, draft.note) for draft in quick("2 squads of 5 guards, good")[1]]
    [('Guards', 1, 'A squad of 5')]
    """
    said = npc_lines.read(line, EXAMPLE)
    name = said.name
    _check_name(said)
    drafts = [draft for part in said.parts for draft in _drafts(said, part)]
    for text in (name, *(draft.name for draft in drafts)):
        if len(text) > LONGEST:
            raise BadMove(f"Keep names to {LONGEST} characters.", "line")
    for known, ways in Counter(_plain(draft.name) for draft in drafts).items():
        if ways > 1:
            twice = next(draft.name for draft in drafts if _plain(draft.name) == known)
            raise BadMove(f"“{twice}” is there more than once. Keep one of them.", "line")
    return name, tuple(drafts)


def _check_name(said: NpcLine) -> None:
    """Asks where what should be a name ends with a rank, for the comma may be missing; Robin Good keeps his name."""
    opening, _, rest = said.name.partition(" ")
    if rest and not said.parts and said.size == 1 and _rank(opening) is not None:
        wanted = f"Guard, {rest} {opening.lower()}"
        raise BadMove(f"“{said.name}” reads like a quality. Begin with a name: {wanted}.", "line")
    first, _, last = said.name.rpartition(" ")
    if not first or _rank(last) is None or (said.parts and last[:1].isupper()):
        return
    if said.parts or said.size > 1:
        raise BadMove(f"Put a comma after the name: {first}, {EXAMPLE.partition(', ')[2]}.", "line")
    raise BadMove(f"“{said.name}” reads like a quality. Begin with a name: {EXAMPLE}.", "line")


def _drafts(said: NpcLine, part: str) -> tuple[TraitDraft, ...]:
    """The quality that a part says; a rank alone is a squad's own, and an average one has none."""
    rank = _rank(part) if said.size > 1 else None
    if rank is None:
        return (_draft(part),)
    return () if rank == Rank.AVERAGE else (replace(_with_rank(part, said.name, rank), note=f"A squad of {said.size}"),)


def _draft(part: str) -> TraitDraft:
    words = part.split(" ")
    while len(words) > 1 and (rank := _rank(words[-1])) is not None:
        words.pop()
        # `Fighting good [+2]` says its rank twice; once is enough.
        if _rank(words[-1]) is None or len(words) == 1:
            return _with_rank(part, " ".join(words), rank)
    if len(words) > 1 and (rank := _rank(words[0])) is not None:
        return _with_rank(part, " ".join(words[1:]), rank)
    ranks = ", ".join(word for word, rank in WORDS.items() if rank != Rank.AVERAGE)
    if _rank(part) is not None:
        raise BadMove(f"Say what is “{part}”: Fighting {part}.", "line")
    raise BadMove(f"End “{part}” with a rank: {ranks}.", "line")


def _with_rank(part: str, name: str, rank: Rank) -> TraitDraft:
    name = name.rstrip(" :=-")
    if not name:
        raise BadMove(f"Say what has the rank in “{part}”.", "line")
    if rank == Rank.AVERAGE:
        raise BadMove(f"Everyone is average at what they have no quality for. Leave “{name}” out.", "line")
    return TraitDraft(WEAKNESS if rank == Rank.POOR else STRENGTH, name, int(rank))


def _rank(word: str) -> Rank | None:
    plain = word.strip("[]().:").casefold()
    if plain in WORDS:
        return WORDS[plain]
    if re.fullmatch(r"[+−-]\d", plain):
        return MODIFIERS.get(int(plain.replace("−", "-")))
    return None


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def _between(fewest: int, most: int) -> str:
    return _count(most, "strength") if fewest == most else f"{fewest} to {most} strengths"


def _count(number: int, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun}es" if noun.endswith("s") else f"{number} {noun}s"
