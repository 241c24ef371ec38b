"""NPCs from one line, as every game reads one: a name first, then what is said of it between commas.

A game's `quick` calls `read` and makes the lines of one sheet; how many such sheets there are is `squads`.
"""
from __future__ import annotations

import re
from dataclasses import dataclass

from rules.values import BadMove

MOST_SQUADS, MOST_PEOPLE = 20, 500

UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
         "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBERS = {
    **{word: number for number, word in enumerate(UNITS)},
    **{ten: 20 + 10 * place for place, ten in enumerate(TENS)},
    **{f"{ten}-{UNITS[unit]}": 20 + 10 * place + unit for place, ten in enumerate(TENS) for unit in range(1, 10)},
}
SQUADS = re.compile(r"(?:(?P<squads>\S+) )?(?:squad|group|band)s? of (?P<size>\S+) (?P<name>.+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NpcLine:
    """What a line says: the name of one NPC, and the parts after it, each with single blanks.

    `squads` is how many NPCs it makes, all alike; `size` how many people each of them stands for, 1 for a person.
    """

    name: str
    parts: tuple[str, ...] = ()
    squads: int = 1
    size: int = 1


def read(line: str, example: str) -> NpcLine:
    """The line, taken apart; raises `BadMove` for one without a name, or with a number where the name should be.

    `example` is a line of the game that reads well. A line "N squads of M name" makes N NPCs that stand for M people
    each; what they are good at follows as with anybody, and a game may read a value without a name as the squad's own.

    >>> read("2 squads of 5 guards, good", "guard, Fighting good")
    NpcLine(name='Guards', parts=('good',), squads=2, size=5)
    >>> read("Mara,  Rapier good", "guard, Fighting good")
    NpcLine(name='Mara', parts=('Rapier good',), squads=1, size=1)
    """
    name, *said = [" ".join(part.split()) for part in re.split(r"[,;\n]", line)]
    parts = tuple(filter(None, said))
    if not name:
        raise BadMove(f"Begin with a name: {example}.", "line")
    match = SQUADS.fullmatch(name)
    if match and (size := number(match["size"])) is not None:
        squads = number(match["squads"] or "a")
        if squads is None:
            raise BadMove(f"Write how many squads there are as a number: 2 squads of {size} {match['name']}.", "line")
        if not (1 <= squads <= MOST_SQUADS and 1 <= size <= MOST_PEOPLE):
            raise BadMove(f"Make 1 to {MOST_SQUADS} squads of 1 to {MOST_PEOPLE} people.", "line")
        return NpcLine(match["name"][:1].upper() + match["name"][1:], parts, squads, size)
    if not parts and " " in name and written_out(name):
        raise BadMove(f"“{name}” reads like something that someone can do. Begin with a name: {example}.", "line")
    return NpcLine(name, parts)


def number(word: str) -> int | None:
    """A whole number in figures or in words, `a` being one; None for what is none.

    >>> number("5"), number("Seventeen"), number("twenty-one"), number("a"), number("guards")
    (5, 17, 21, 1, None)
    """
    plain = word.casefold()
    if plain in ("a", "an"):
        return 1
    return int(plain) if re.fullmatch(r"[0-9]{1,4}", plain) else NUMBERS.get(plain)


def written_out(part: str) -> str:
    """What to ask where a part of a line ends with a number in words, which no game reads as a value; "" otherwise.

    A capital makes it part of a name: Agent Seven.

    >>> written_out("Rapier seventeen")
    'Write the number of “Rapier seventeen” in figures: Rapier 17.'
    >>> written_out("Agent Seven"), written_out("Rapier 17")
    ('', '')
    """
    words = part.split()
    for length in (2, 1):
        last = "-".join(words[-length:])
        if len(words) > length and last in NUMBERS:
            return f"Write the number of “{part}” in figures: {' '.join(words[:-length])} {NUMBERS[last]}."
    return f"Say what “{part}” belongs to, and write it in figures: {NUMBERS[part]}." if part in NUMBERS else ""
