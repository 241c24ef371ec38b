"""How the rules write lists, signs and fractions: one way each, for all games."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction


def join(names: Sequence[str], empty: str = "nobody") -> str:
    """Names as a person lists them.

    >>> join(["Ann"]), join(["Ann", "Ben", "Cleo"]), join([])
    ('Ann', 'Ann, Ben and Cleo', 'nobody')
    """
    if not names:
        return empty
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def signed(number: int) -> str:
    """A number with its sign, as it is printed: `+3`, `−2`, `+0`."""
    return f"−{-number}" if number < 0 else f"+{number}"


def added(thrown: int, modifier: int) -> str:
    """A sum as it is worked out.

    >>> added(7, 6), added(7, -2)
    ('7 + 6 = 13', '7 − 2 = 5')
    """
    return f"{thrown} {'−' if modifier < 0 else '+'} {abs(modifier)} = {thrown + modifier}"


def quoted(words: str) -> str:
    """How a sentence ends: with what a person typed (`: “words”.`), or just so."""
    if not words:
        return "."
    return f": “{words}”" if words[-1] in ".!?…" else f": “{words}”."


def within(name: str) -> str:
    """A name inside a sentence: an article is no part of it.

    >>> within("The party"), within("A stubborn guard"), within("Theo")
    ('the party', 'a stubborn guard', 'Theo')
    """
    return name[:1].lower() + name[1:] if name.startswith(("The ", "A ", "An ")) else name


def alone(side: str) -> str:
    """That no other side stands; a side may be one or several: the party, the others.

    >>> alone("The party")
    'Nobody but the party is still standing'
    """
    return f"Nobody but {within(side)} is still standing"


def beat(winner: str, members: Mapping[str, Sequence[str]]) -> str:
    """Which side beat which, as one tells it later; `members` by side. Who is a side alone goes by their own name.

    >>> beat("The party", {"The party": ["Ilse", "Bram"], "The others": ["Old Marrow"]})
    'The party beat Old Marrow'
    """
    called = {side: names[0] if len(names) == 1 else side for side, names in members.items()}
    lost = [within(name) for side, name in called.items() if side != winner]
    return f"{called.get(winner, winner)} beat {join(lost)}" if lost else f"{called.get(winner, winner)} won"


def by_side(placed: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Names by side, from each one's (side, name)."""
    members: dict[str, list[str]] = {}
    for side, name in placed:
        members.setdefault(side, []).append(name)
    return members


def sentence(words: str) -> str:
    """Words that end as a sentence does."""
    return words if words[-1:] in ".!?…" else f"{words}."


def decimal(number: Fraction, places: int = 1) -> str:
    """A fraction as a decimal, rounded half up: 7/3 is `2.3`. Whole arithmetic: the same on every machine."""
    scale = 10**places
    rounded = (2 * number.numerator * scale + number.denominator) // (2 * number.denominator)
    whole, part = divmod(abs(rounded), scale)
    sign = "−" if rounded < 0 else ""
    return f"{sign}{whole}.{part:0{places}d}"


def percent(chance: Fraction, *, narrow: bool = False) -> str:
    """A chance as people read it, on every page the same; never 0 or 100 for what can happen or fail.

    `narrow` is for the cell of a table, whose heading says that it is per cent.

    >>> [percent(Fraction(ways, 400)) for ways in (0, 209, 245, 200, 400)]
    ['0%', '52.3%', '61.3%', '50%', '100%']
    >>> percent(Fraction(1, 7776)), percent(Fraction(7775, 7776))
    ('under 0.1%', 'over 99.9%')
    >>> percent(Fraction(1, 7776), narrow=True), percent(Fraction(1, 2), narrow=True)
    ('<0.1', '50')
    """
    under, over, sign = ("<", ">", "") if narrow else ("under ", "over ", "%")
    if 0 < chance < Fraction(1, 1000):
        return f"{under}0.1{sign}"
    if Fraction(999, 1000) < chance < 1:
        return f"{over}99.9{sign}"
    return f"{decimal(chance * 100).removesuffix('.0')}{sign}"


def odds_in_words(chance: Fraction) -> str:
    """A chance exactly: `13 in 18`, and in words where nothing is left to chance.

    >>> [odds_in_words(Fraction(ways, 18)) for ways in (0, 13, 18)]
    ['never', '13 in 18', 'always']
    """
    if chance in (0, 1):
        return "always" if chance else "never"
    return f"{chance.numerator} in {chance.denominator}"
