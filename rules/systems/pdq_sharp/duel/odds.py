"""The chances of a split against each of a foe's: to touch, and to be touched, exactly (PS-22 to PS-24)."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product

from rules.systems.pdq_sharp.chart import modifier
from rules.systems.pdq_sharp.duel.state import UNAWARE, Choice, Fencer, State
from rules.systems.pdq_sharp.duel.trays import Sheets, ranks_of, sizes
from rules.systems.pdq_sharp.duel_turn import DICE, STANCES, sums
from rules.systems.pdq_sharp.reading import minions_left
from rules.wording import percent

BY_ATTACK = tuple(sorted(STANCES, key=lambda each: -STANCES[each]))  # as a page lists them


@dataclass(frozen=True, slots=True)
class Pair:
    """A split against a split: the chance to touch, to be touched, and the mean of the ranks given less those taken."""

    touch: Fraction
    touched: Fraction
    mean: Fraction

    @property
    def touch_shown(self) -> str:
        """The chance to touch as people read it, in per cent."""
        return percent(self.touch).removesuffix(" %")

    @property
    def touched_shown(self) -> str:
        """The chance to be touched."""
        return percent(self.touched).removesuffix(" %")


@dataclass(frozen=True, slots=True)
class Form:
    """What somebody brings to a turn but the split: MODs on attack and defence, how many dice, whose they are."""

    attack: int
    defence: int
    dice: int = DICE
    pc: bool = False
    attacks: bool = True


def form_of(state: State, sheets: Sheets, fencer: Fencer) -> Form:
    """What somebody would bring with the fortes that counted last."""
    mod = modifier(ranks_of(state, sheets, Choice(fencer.id, "", fencer.fortes)))
    dice = minions_left(sheets[fencer.id]) if fencer.squad else DICE
    return Form(mod + fencer.attack_carry, mod + fencer.defence_carry, dice, fencer.player,
                fencer.surprise != UNAWARE)


@lru_cache(maxsize=4096)
def pair(mine: Form, own: str, theirs: Form, other: str) -> Pair:
    """The chances of one split against another, before style dice and techniques."""
    touch = touched = mean = whole = 0
    for (a, d, ways), (b, e, more) in product(_spread(mine, own), _spread(theirs, other)):
        given = taken = 0
        if mine.attacks:
            given, taken = _ranks(a - e, mine.pc, theirs.pc)
        if theirs.attacks:
            back, cost = _ranks(b - d, theirs.pc, mine.pc)
            given, taken = given + cost, taken + back
        weight = ways * more
        whole += weight
        touch += weight * (given > 0)
        touched += weight * (taken > 0)
        mean += weight * (given - taken)
    return Pair(Fraction(touch, whole), Fraction(touched, whole), Fraction(mean, whole))


def _ranks(margin: int, attacker: bool, defender: bool) -> tuple[int, int]:
    """The ranks of an attack, for the one attacked and for the attacker (PS-23, PS-24)."""
    if margin:
        return max(0, margin), 0
    return (int(attacker), int(defender)) if attacker != defender else (0, 0)


@lru_cache(maxsize=1024)
def _spread(form: Form, stance: str) -> tuple[tuple[int, int, int], ...]:
    """Attack and defence with in how many throws they come up."""
    attack, _ = sizes(stance, min(DICE, form.dice))
    if form.dice >= DICE:
        found = sums(attack, form.dice - DICE)
    else:
        found = Counter((sum(faces[:attack]), sum(faces[attack:]))
                        for faces in product(range(1, 7), repeat=form.dice))
    return tuple((a + form.attack, d + form.defence, ways) for (a, d), ways in found.items())


def table(state: State, sheets: Sheets, who: str, foe: str) -> tuple[tuple[str, tuple[tuple[str, Pair], ...]], ...]:
    """Each split of somebody against each of a foe's."""
    mine, theirs = (form_of(state, sheets, state.fencer(each)) for each in (who, foe))
    return tuple((own, tuple((other, pair(mine, own, theirs, other)) for other in BY_ATTACK)) for own in BY_ATTACK)


def likely(state: State, sheets: Sheets, who: str, foe: str) -> str:
    """The split with the best mean over all that the foe may choose; of equal ones the more careful."""
    rows = {own: sum((each.mean for _, each in cells), Fraction(0))
            for own, cells in table(state, sheets, who, foe)}
    return max(reversed(BY_ATTACK), key=lambda own: rows[own])


