"""The one reckoning of a roll: what goes into it before the dice, and what they come to (PS-10 to PS-13, PS-17).

    counted = terms(sheet, fortes=["fencing"], techniques=["rapier"], style=1, purse=2, target=11)
    result = settle(counted, faces)

Every door calls these two: tray, challenge, flashy challenge, duel, impasse, poison, best ways, odds. What was thrown
`lies` until it stands; `ways_to_better`, `bettered`, `most_more` and `best_with` are what can be added to it (PS-17).
Nothing adds a die or +1 but a technique that is used up with it, or a style die that is paid.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, Protocol, TypeVar

from rules.moves import Step
from rules.odds import spread
from rules.procedure import Options
from rules.sheet import Sheet
from rules.systems.pdq_sharp.bonus import check_idioms, open_techniques
from rules.systems.pdq_sharp.chart import MODIFIERS, modifier, notation, signed
from rules.systems.pdq_sharp.keep import SIDES, best, best_sums
from rules.systems.pdq_sharp.kinds import IDIOM, MOTIVATIONS
from rules.systems.pdq_sharp.reading import fitting, is_burned, lines_of, rank_word, with_its_forte
from rules.values import BadMove
from rules.wording import added

KEEP = 2
AS_DIE, FLAT, STYLE_DIE = "die", "flat", "style"


@dataclass(frozen=True)
class Reason:
    """Why something counts, and what it adds to the total, or so many dice more."""

    words: str
    adds: int = 0
    dice: int = 0

    @property
    def comes_to(self) -> str:
        """`+4`, `1 die`."""
        what = [signed(self.adds)] if self.adds or not self.dice else []
        return ", ".join([*what, *([many_dice(self.dice)] if self.dice else [])])

    def __str__(self) -> str:
        return f"{self.words}: {self.comes_to}"


@dataclass(frozen=True)
class Counted:
    """A forte that counts in a roll: its id, what it is called with its rank, how many ranks that are (two where it is
    burned), the techniques of the roll that hang on it, and whether it is burned with this roll."""

    id: str
    words: str
    ranks: int = 1
    hung: tuple[str, ...] = ()
    burns: bool = False


@dataclass(frozen=True)
class Terms:
    """A roll before the dice: the ranks that count, bonus dice, +1s, what is used up with it, and what it is against.

    `others` are what else adds: a feint's margin, what somebody still carries. `target` is 0 where there is none.
    """

    ranks: tuple[str, ...] = ()
    bonus_dice: int = 0
    flat: int = 0
    others: int = 0
    used: tuple[str, ...] = ()
    style: int = 0
    burned: str = ""  # the motivation that is burned with it
    target: int = 0
    reasons: tuple[Reason, ...] = ()
    lines: tuple[Counted, ...] = ()  # the fortes of one's own

    @property
    def adds(self) -> int:
        """What is added to the dice that are kept."""
        return modifier(self.ranks) + self.flat + self.others


@dataclass(frozen=True)
class Settled:
    """What a roll comes to: the dice that were kept, the total, and by how much it falls short (0 for enough)."""

    kept: tuple[int, ...]
    total: int
    short: int = 0

    @property
    def success(self) -> bool:
        """Whether it is enough; equal is."""
        return not self.short


def terms(
    sheet: Sheet, *, fortes: Sequence[str], techniques: Sequence[str] = (), flat: Sequence[str] = (), style: int = 0,
    purse: int = 0, burn: bool = False, used: Sequence[str] = (), helps: Iterable[tuple[str, Sequence[str]]] = (),
    others: Iterable[Reason] = (), target: int = 0,
) -> Terms:
    """What goes into a roll; raises `BadMove` at the field that says too much (PS-04, PS-10 to PS-13, PS-15).

    `fortes`, `techniques` (a die each) and `flat` (+1 each) are ids of this sheet's lines, `style` dice out of
    `purse`, `used` the techniques that are used up already in this turn, `helps` the ranks of others by name.
    """
    lines, spent = lines_of(sheet, fortes), (*techniques, *flat)
    _check(sheet, fortes, techniques, flat, used)
    if style > purse:
        raise BadMove(f"You have {many_dice(purse, 'style ') if purse else 'no style dice'}.", "style")
    reasons, ranks, counted, burned = [], list[str](), list[Counted](), ""
    for trait in lines:
        before = len(ranks)
        ranks.append(rank_word(trait))
        reasons.append(Reason(f"{trait.name}, {notation(ranks[-1])}", MODIFIERS[ranks[-1]]))
        if is_burned(sheet, trait) or (burn and not burned and trait.kind in MOTIVATIONS):
            burned = burned or ("" if is_burned(sheet, trait) else trait.name)
            ranks.append(rank_word(trait))
            reasons.append(Reason(f"{trait.name} is burned", MODIFIERS[ranks[-1]]))
        without = fitting(sheet, [forte for forte in fortes if forte != trait.id], spent)
        hung = tuple(technique for technique in spent if technique not in without)
        counted.append(Counted(trait.id, f"{trait.name}, {notation(ranks[-1])}", len(ranks) - before, hung,
                               burned == trait.name))
    if burn and not burned:
        raise BadMove("Choose the motivation that you burn among the fortes.", "burn")
    reasons += [Reason(trait.name, dice=1) for trait in lines_of(sheet, techniques)]
    reasons += [Reason(trait.name, 1) for trait in lines_of(sheet, flat)]
    reasons += [Reason("Style dice", dice=style)] if style else []
    for name, more in helps:
        ranks += more
        reasons.append(Reason(f"{name} helps", modifier(more)))
    carried = tuple(others)
    return Terms(tuple(ranks), len(techniques) + style, len(flat), sum(reason.adds for reason in carried), spent, style,
                 burned, target, (*reasons, *carried), tuple(counted))


def settle(counted: Terms, faces: Sequence[int], keep: int = KEEP) -> Settled:
    """What the dice come to: the best of them and all that adds, against the target (PS-10)."""
    kept = best(faces, keep)
    total = sum(kept) + counted.adds
    return Settled(kept, total, max(0, counted.target - total) if counted.target else 0)


def sums(counted: Terms, keep: int = KEEP) -> dict[int, int]:
    """In how many throws a roll comes to each total, with its bonus dice.

    >>> sums(Terms(("good",)), keep=1)
    {3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1}
    """
    return {kept + counted.adds: ways for kept, ways in best_sums(keep + counted.bonus_dice, keep).items()}


def lead(first: int, second: int, players: tuple[bool, bool]) -> int:
    """Who has it of two totals: 1 the first, −1 the second, 0 nobody; a tie is a player's against an NPC's (PS-16).

    >>> lead(9, 8, (True, True)), lead(8, 8, (False, True)), lead(8, 8, (True, True))
    (1, -1, 0)
    """
    margin = first - second or players[0] - players[1]
    return (margin > 0) - (margin < 0)


def odds_between(
    first: Mapping[int, int], second: Mapping[int, int], players: tuple[bool, bool]
) -> dict[int, Fraction]:
    """The chance that the first has it, the second, or nobody, by `sums` of both."""
    odds = spread(first, second, tell=lambda mine, theirs: lead(mine, theirs, players))
    return {has: odds.get(has, Fraction(0)) for has in (1, 0, -1)}


class Lying(Protocol):
    """A roll whose dice have fallen and do not stand yet, as each procedure keeps it."""

    @property
    def ranks(self) -> tuple[str, ...]: ...

    @property
    def faces(self) -> tuple[int, ...]: ...

    @property
    def flat(self) -> int: ...

    @property
    def used(self) -> tuple[str, ...]: ...


Cast = TypeVar("Cast", bound=Any)  # a `Lying` that is a dataclass


def lies(cast: Lying, target: int = 0, keep: int = KEEP) -> Settled:
    """What a roll comes to as it lies."""
    return settle(Terms(cast.ranks, flat=cast.flat, target=target), cast.faces, keep)


def bettered(cast: Cast, face: int, technique: str) -> Cast:
    """A roll with a die more, or +1 where there is no face; by a technique (its id), or "" by a style die."""
    used = (*cast.used, technique) if technique else cast.used
    faces = (*cast.faces, face) if face else cast.faces
    return replace(cast, used=used, faces=faces, flat=cast.flat + (not face))


def ways_to_better(sheet: Sheet, fortes: Iterable[str], used: Sequence[str], style: int = 0) -> Options:
    """Each source as a die or as +1: (`id|die`, "Showy, with Fencing: a die")."""
    hung = {tool.id: with_its_forte(sheet, tool) for tool in open_techniques(sheet, fortes, used)}
    return tuple((f"{source}|{how}", f"{hung.get(source, name)}: {words}")
                 for source, name in sources(sheet, fortes, used, style)
                 for how, words in ((AS_DIE, "a die"), (FLAT, "+1")))


def sources(sheet: Sheet, fortes: Iterable[str], used: Sequence[str], style: int = 0) -> tuple[tuple[str, str], ...]:
    """What can still add a die or +1, as (id, name): techniques of these fortes that are not used up, a style die."""
    left = [(trait.id, trait.name) for trait in open_techniques(sheet, fortes, used)]
    return (*left, *([(STYLE_DIE, "A style die")] if style else []))


def most_more(sheet: Sheet, fortes: Iterable[str], used: Sequence[str], style: int = 0) -> int:
    """How many dice or +1s can be added at most: of idioms one, of the others all, and each style die (PS-04)."""
    left = open_techniques(sheet, fortes, used)
    idioms = sum(trait.value == IDIOM for trait in left)
    return len(left) - idioms + min(1, idioms) + style


@cache
def best_with(kept: tuple[int, ...], needed: int, more: int) -> Fraction:
    """The chance that dice which lie so come to `needed` with so many additions more, each as it helps most.

    >>> best_with((3, 3), 8, 2), best_with((3, 3), 9, 1)
    (Fraction(1, 1), Fraction(1, 6))
    """
    if sum(kept) >= needed:
        return Fraction(1)
    if more <= 0:
        return Fraction(0)
    return max(best_after(how, kept, needed, more - 1) for how in (AS_DIE, FLAT))


def best_after(how: str, kept: tuple[int, ...], needed: int, more: int) -> Fraction:
    """The chance with one addition, a die or +1, and so many after it, each as it helps most.

    >>> best_after(FLAT, (3, 2), 7, 1), best_after(FLAT, (3, 2), 7, 0)
    (Fraction(1, 1), Fraction(0, 1))
    """
    if how == FLAT:
        return best_with(kept, needed - 1, more)
    faces = (best_with(best((*kept, face), len(kept)), needed, more) for face in range(1, SIDES + 1))
    return sum(faces, Fraction(0)) / SIDES


def many_dice(dice: int, what: str = "") -> str:
    """So many dice, in words."""
    return f"{dice} {what}{'die' if dice == 1 else 'dice'}"


def steps_of(counted: Terms, who: str = "") -> tuple[Step, ...]:
    """Each thing that counts, and why."""
    start = f"{who}: " if who else ""
    if not counted.reasons:
        return (Step("PS-10", f"{start}no forte applies, which adds nothing."),)
    return tuple(Step("PS-11" if reason.dice else "PS-10", f"{start}{reason}.") for reason in counted.reasons)


def kept_step(result: Settled, counted: Terms, who: str = "") -> Step:
    """What the dice come to, in a sentence."""
    start, shown = f"{who}: " if who else "", " and ".join(map(str, result.kept))
    return Step("PS-10", f"{start}the best two are {shown}: {added(sum(result.kept), counted.adds)}.")


def _check(
    sheet: Sheet, fortes: Sequence[str], dice: Sequence[str], flat: Sequence[str], used: Sequence[str]
) -> None:
    """Each technique once, one idiom, and each with a forte that counts (PS-04, PS-11); raises `BadMove`."""
    chosen = (*dice, *flat)
    if len(set(chosen)) < len(chosen):
        raise BadMove("Use each technique as a die or as +1, not both.", "flat")
    check_idioms(sheet, (*used, *chosen))
    able = fitting(sheet, fortes, chosen)
    for trait in lines_of(sheet, chosen):
        where = "flat" if trait.id in flat else "techniques"
        if trait.id in used:
            raise BadMove(f"{trait.name} is used up in this turn.", where)
        if trait.id not in able:
            host = sheet.trait(trait.parent)
            needs = f"Choose {host.name} too, or leave it." if host else "Choose another one."
            raise BadMove(f"{trait.name} goes with a forte that you have not chosen. {needs}", where)
