"""One turn of a duel between two: the charge, the clash, and the volte-face (PS-22 to PS-24)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any

from rules.fields import Choice, Field, Flag, Group, Listing, Whole
from rules.moves import Die, Face, MoveKind, Need, Outcome, Step, field_of, take
from rules.odds import chances
from rules.systems.pdq_sharp.chart import fortes_field, fortes_text
from rules.systems.pdq_sharp.reckoning import Terms, settle
from rules.values import Value

DICE = 3
MOST_BONUS = 8
# How many of the three dice go to the attack; the others defend.
STANCES = {"all_out_defence": 0, "strong_defence": 1, "strong_attack": 2, "all_out_attack": 3}
WORDS = {
    "all_out_defence": "all-out defence", "strong_defence": "strong defence", "strong_attack": "strong attack",
    "all_out_attack": "all-out attack",
}


@dataclass(frozen=True)
class Duelist:
    """Somebody in a duel: the stance, fortes, bonus dice, flat bonuses, and whether a player's character."""

    stance: str
    fortes: tuple[str, ...] = ()
    bonus_dice: int = 0
    flat_attack: int = 0
    flat_defence: int = 0
    pc: bool = False
    placed: tuple[str, ...] = ()  # where each bonus die was put by hand: `attack`, `defence`, or `best`

    @property
    def dice(self) -> int:
        """How many dice fall."""
        return DICE + self.bonus_dice

    def totals(self, faces: Sequence[int]) -> tuple[int, int]:
        """Attack and defence. A stance without dice on a side leaves the modifiers alone (PS-22)."""
        attack, defence = (settle(terms, dice, len(dice)).total for terms, dice in zip(
            self.terms, self.lie(faces), strict=True))
        return attack, defence

    @property
    def terms(self) -> tuple[Terms, Terms]:
        """What goes into the attack and into the defence."""
        return Terms(self.fortes, flat=self.flat_attack), Terms(self.fortes, flat=self.flat_defence)

    def _sums(self) -> dict[tuple[int, int], int]:
        hand = tuple(side for side in self.placed[: self.bonus_dice] if side != "best")
        return sums(STANCES[self.stance], self.bonus_dice - len(hand), hand)

    def lie(self, faces: Sequence[int]) -> tuple[list[int], list[int]]:
        """The dice of attack and defence, with those that were put somewhere by hand, then the others (PS-22)."""
        shown, loose = by_hand(STANCES[self.stance], faces[:DICE], faces[DICE:], self.placed)
        return placed(STANCES[self.stance], shown, loose)

    @property
    def spread(self) -> dict[tuple[int, int], int]:
        """How often each pair of attack and defence comes up."""
        strikes, parries = (terms.adds for terms in self.terms)
        return {(attack + strikes, defence + parries): ways for (attack, defence), ways in self._sums().items()}


def by_hand(
    attacking: int, base: Sequence[int], bonus: Sequence[int], where: Sequence[str]
) -> tuple[list[int], list[int]]:
    """The dice as they lie with each that was put on one side over its lowest, if higher; and the bonus dice left.

    >>> by_hand(2, [2, 5, 1], [4, 6], ["attack", "best"])
    ([4, 5, 1], [6])
    """
    shown, loose = list(base), []
    for die, to in zip(bonus, [*where, *["best"] * len(bonus)], strict=False):
        side = {"attack": range(attacking), "defence": range(attacking, DICE)}.get(to)
        if side is None:
            loose.append(die)
        elif side:
            lowest = min(side, key=lambda place: shown[place])
            shown[lowest] = max(shown[lowest], die)
    return shown, loose


def placed(attacking: int, base: Sequence[int], bonus: Sequence[int]) -> tuple[list[int], list[int]]:
    """The dice of attack and defence after the bonus dice: highest first, over the lowest die shown on either side
    (the attack's where both are equal), if higher (PS-22).

    >>> placed(3, [3, 2, 6], [6])
    ([3, 6, 6], [])
    """
    shown = list(base)
    for die in sorted(bonus, reverse=True):
        lowest = shown.index(min(shown))
        shown[lowest] = max(shown[lowest], die)
    return shown[:attacking], shown[attacking:]


@cache
def sums(attacking: int, bonus: int, hand: tuple[str, ...] = ()) -> dict[tuple[int, int], int]:
    """In how many throws attack and defence dice come to each two sums; `hand` says where further dice were put.

    Of the bonus dice only the best three matter: a fourth finds three dice that are no lower.
    """
    # Which die of a side shows what makes no difference.
    lying: Counter[tuple[int, ...]] = Counter(
        (*sorted(faces[:attacking]), *sorted(faces[attacking:])) for faces in product(range(1, 7), repeat=DICE))
    for to in hand:
        following: Counter[tuple[int, ...]] = Counter()
        for base, ways in lying.items():
            for face in range(1, 7):
                following[tuple(by_hand(attacking, base, (face,), (to,))[0])] += ways
        lying = following
    totals: Counter[tuple[int, int]] = Counter()
    for more, several in best_of(bonus).items():
        for base, ways in lying.items():
            attack, defence = placed(attacking, base, more)
            totals[sum(attack), sum(defence)] += ways * several
    return dict(totals)


@cache
def best_of(dice: int) -> dict[tuple[int, ...], int]:
    """In how many throws of so many dice the best three, or all where they are fewer, are these.

    >>> best_of(1)[(6,)], best_of(4)[(6, 6, 6)], sum(best_of(5).values()) == 6**5
    (1, 21, True)
    """
    kept: Counter[tuple[int, ...]] = Counter()
    waiting: dict[tuple[int, ...], int] = {(): 1}  # the dice that show more than the face, none left out so far
    for face in range(6, 0, -1):
        following: Counter[tuple[int, ...]] = Counter()
        for best, ways in waiting.items():
            left, need = dice - len(best), min(DICE, dice) - len(best)
            fewer = [comb(left, many) * (face - 1) ** (left - many) for many in range(need)]
            kept[(*best, *(face,) * need)] += ways * (face**left - sum(fewer))
            for many in range(need):
                following[(*best, *(face,) * many)] += ways * comb(left, many)
        waiting = following
    return {best: ways for best, ways in kept.items() if ways}


@dataclass(frozen=True)
class Turn:
    """A turn: who charges, and who is charged and then strikes back."""

    first: Duelist
    second: Duelist


FIELDS: tuple[Field, ...] = (
    Choice(name="stance", label="Stance", options=tuple((name, words.capitalize()) for name, words in WORDS.items()),
           help="How the three dice are divided."),
    fortes_field(),
    Whole(name="bonus_dice", label="Bonus dice", default=0, most=MOST_BONUS),
    Whole(name="flat_attack", label="Flat bonus on the attack", default=0, most=100),
    Whole(name="flat_defence", label="Flat bonus on the defence", default=0, most=100),
    Flag(name="pc", label="A player’s character"),
    Listing(name="placed", label="Where each bonus die was put", default=(), most=MOST_BONUS, of=Choice(
        name="side", label="Side", options=(("attack", "Attack"), ("defence", "Defence"), ("best", "Where it helps")))),
)


class DuelTurnMove(MoveKind[Turn]):
    """Both throw at once; each attack meets the other's defence, and hurts by the difference.

    >>> move = DuelTurnMove().read({"first": {"stance": "all_out_attack"}, "second": {"stance": "strong_defence"}})
    >>> DuelTurnMove().resolve(move, [6, 5, 4, 1, 2, 3]).result["second"]
    {'attack': 1, 'defence': 5, 'damage': 10}
    """

    name = "pdq_sharp.duel_turn"
    title = "Turn of a duel"
    fields = (Group(name="first", label="Attacker", fields=FIELDS),
              Group(name="second", label="Target", fields=FIELDS))

    def build(self, **values: Any) -> Turn:
        return Turn(Duelist(**values["first"]), Duelist(**values["second"]))

    def resolve(self, move: Turn, faces: Sequence[int]) -> Outcome | Need:
        wanted = move.first.dice, move.second.dice
        runs = take(faces, *wanted)
        if runs is None:
            return Need((6,) * (sum(wanted) - len(faces)))
        first, second = move.first.totals(runs[0]), move.second.totals(runs[1])
        steps = (
            *_charge(move.first, runs[0], "First"), *_charge(move.second, runs[1], "Second"),
            Step("PS-23", _clash(first[0], second[1], move, "first", "second")),
            Step("PS-23", "Volte-face: " + _clash(second[0], first[1], move, "second", "first")),
        )
        dice = tuple(
            Die(6, face, role) for role, run in (("first", runs[0]), ("second", runs[1])) for face in run
        )
        return Outcome(_result(move, first, second), steps, dice)

    def odds(self, move: Turn, of: str) -> dict[Face, Fraction]:
        counted: Counter[Face] = Counter()
        for first, ways in move.first.spread.items():
            for second, others in move.second.spread.items():
                counted[field_of(_result(move, first, second), of)] += ways * others
        return chances(counted)


def ranks_of_attack(margin: int, attacker: bool, defender: bool) -> tuple[int, int]:
    """The ranks of an attack by its margin, for the one attacked and for the attacker; who is a player's character.

    A tie is the player's character's, whoever attacked: the NPC takes one rank (PS-23, PS-24).

    >>> ranks_of_attack(3, True, False), ranks_of_attack(0, False, True), ranks_of_attack(-2, True, True)
    ((3, 0), (0, 1), (0, 0))
    """
    if margin or attacker == defender:
        return max(0, margin), 0
    return int(attacker), int(defender)


def _result(move: Turn, first: tuple[int, int], second: tuple[int, int]) -> dict[str, Value]:
    hurt = {"first": 0, "second": 0}
    for by, on, margin in (("first", "second", first[0] - second[1]), ("second", "first", second[0] - first[1])):
        hurts, costs = ranks_of_attack(margin, getattr(move, by).pc, getattr(move, on).pc)
        hurt[on] += hurts
        hurt[by] += costs
    return {
        "first": {"attack": first[0], "defence": first[1], "damage": hurt["first"]},
        "second": {"attack": second[0], "defence": second[1], "damage": hurt["second"]},
    }


def _charge(who: Duelist, faces: Sequence[int], name: str) -> tuple[Step, ...]:
    attack, defence = (", ".join(map(str, dice)) or "no dice" for dice in who.lie(faces))
    shown = f"attack {attack}, defence {defence}"
    steps = [Step("PS-22", f"{name}: {WORDS[who.stance]}; {shown}."), Step("PS-10", fortes_text(who.fortes, name))]
    if who.bonus_dice:
        steps.insert(1, Step("PS-22", f"{name}: bonus dice replace lower ones, on either side."))
    totals = who.totals(faces)
    steps.append(Step("PS-23", f"{name}: {totals[0]} to attack, {totals[1]} to defend."))
    return tuple(steps)


def _clash(attack: int, defence: int, move: Turn, attacker: str, defender: str) -> str:
    start = f"{attack} by the {attacker} against {defence}"
    if attack > defence:
        return f"{start}: {attack - defence} damage to the {defender}."
    if attack < defence:
        return f"{start}: turned aside."
    if move.first.pc == move.second.pc:
        return f"{start}: a tie, and nothing happens."
    return f"{start}: a tie, which costs the NPC one rank."
