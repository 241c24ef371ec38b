"""Characters from text: an NPC from one line, a player's character from prose with marked phrases (QW-71, QW-77)."""
from __future__ import annotations

import re

from rules import npc_lines
from rules.npc_lines import NpcLine
from rules.sheet import TraitDraft
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.notation import read_either
from rules.systems.questworlds.traits import ABILITY, KEYWORD
from rules.values import BadMove

EXAMPLE = "Harbour guard, Halberd 17"
GOOD = "good"
MOST_SCORE = 200
MARKED = re.compile(r"\[\[([^\[\]]+)\]\]|\[([^\[\]]+)\]")
MOST_MARKED = 120


def quick(line: str, symbol: str = "M", edition: Edition = FIRST) -> tuple[str, tuple[TraitDraft, ...]]:
    """A character from one line: a name, then abilities with scores, in the campaign's notation (QW-77).

    Of a squad one sheet is made; a score alone is what the squad is good for, as one. Raises `BadMove` with what to
    change where something was not understood.

    >>> quick("Harbour guard, Halberd 17, Watchful 1M")[1][1]
    TraitDraft(kind='ability', name='Watchful', value=21, note='', within='')
    >>> [(draft.name, draft.value, draft.note) for draft in quick("2 squads of 5 guards, good")[1]]
    [('Guards', 17, 'A squad of 5')]
    """
    said = npc_lines.read(line, EXAMPLE)
    first, _, last = said.name.rpartition(" ")
    if first and said.size == 1 and (_score(last, symbol) or 0) >= edition.resolution.no_ability:
        if said.parts:
            raise BadMove(f"Say what {last} is, after the name: {first}, Halberd {last}.", "line")
        raise BadMove(f"“{said.name}” reads like an ability. Begin with a name: {EXAMPLE}.", "line")
    return said.name, tuple(_draft(said, part, symbol, edition) for part in said.parts)


def _draft(said: NpcLine, part: str, symbol: str, edition: Edition) -> TraitDraft:
    """What one part of a line says; raises `BadMove` where that is not clear."""
    if said.size > 1 and (alone := _of_squad(part, symbol, edition)):
        return TraitDraft(ABILITY, said.name, alone, f"A squad of {said.size}")
    called, _, written = part.rpartition(" ")
    opening, _, rest = part.partition(" ")
    if rest and _measure(written, symbol, edition) is None and _measure(opening, symbol, edition) is not None:
        called, written = rest, opening
    score = _measure(written, symbol, edition)
    if score is None:
        if any(letter.isdigit() for letter in written):
            raise BadMove(f"“{part}” ends in no score. Write it so: Halberd 17, Watchful 1{symbol}.", "line")
        if ask := npc_lines.written_out(part):
            raise BadMove(ask, "line")
        return TraitDraft(ABILITY, part, edition.creation.other)
    called = called.rstrip(" :=")
    if not called or not 1 <= score <= MOST_SCORE:
        raise BadMove(f"Write each ability with a score: Halberd 17, Watchful 1{symbol}.", "line")
    return TraitDraft(ABILITY, called, score)


def _of_squad(part: str, symbol: str, edition: Edition) -> int:
    """What a squad has as one, where a part is a measure alone; else 0.

    *Ruling*: good is what a new character is best at; a word for a resistance is that resistance (QW-04).
    """
    if part.casefold() == GOOD:
        return edition.creation.defining
    rank = edition.difficulty.rank_named(part.casefold())
    if rank is not None:
        return max(edition.difficulty.least, edition.difficulty.base + edition.modifiers.of_rank(rank))
    score = _score(part, symbol)
    return score if score is not None and 1 <= score <= MOST_SCORE else 0


def _measure(written: str, symbol: str, edition: Edition) -> int | None:
    """A score, or what a rank comes to on the base: `17`, `1M`, `+6`. None for what is neither."""
    plain = written.replace("−", "-")
    if plain[:1] in "+-" and plain[1:].isdecimal():
        return edition.difficulty.base + int(plain)
    return _score(written, symbol)


def _score(written: str, symbol: str) -> int | None:
    try:
        return read_either(written, symbol)
    except BadMove:
        return None


def from_prose(text: str, edition: Edition = FIRST) -> tuple[str, tuple[TraitDraft, ...]]:
    """The text without its marks, and what was marked: [ability], [[keyword]] (QW-71). Raises `BadMove`.

    There is no limit to how many there are. The first keyword is what the character is best at.

    >>> from_prose("A [[smuggler]] who is [proud].")[1][0].kind
    'keyword'
    """
    rule, drafts = edition.creation, list[TraitDraft]()
    for keyword, ability in MARKED.findall(text):
        name = " ".join((keyword or ability).split())
        if len(name) > MOST_MARKED:
            excess = f"“{name[:30]}…” has {len(name)}"
            raise BadMove(f"Mark fewer words: {MOST_MARKED} characters at most. {excess}.", "text")
        if name and not any(draft.name.casefold() == name.casefold() for draft in drafts):
            first = bool(keyword) and not any(draft.kind == KEYWORD for draft in drafts)
            drafts.append(TraitDraft(KEYWORD if keyword else ABILITY, name, rule.defining if first else rule.other))
    if not drafts:
        raise BadMove("Mark what matters: [an ability] in brackets, [[a keyword]] in two.", "text")
    return MARKED.sub(lambda mark: mark[1] or mark[2], text), tuple(drafts)


def words_in(text: str) -> int:
    """How many words a text has, marks apart (QW-71).

    >>> words_in("A [[naive smuggler]] -- who  is [proud]!")
    6
    """
    return sum(any(letter.isalnum() for letter in word) for word in text.split())
