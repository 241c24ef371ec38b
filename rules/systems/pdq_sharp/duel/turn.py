"""One turn of a duel between two: the charge, the clash, and the volte-face (PS-22 to PS-24)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod
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
        attack = STANCES[self.stance]
        return sums((attack, DICE - attack), self.bonus_dice - len(hand), hand)

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
    attack, defence = laid((base[:attacking], base[attacking:]), bonus)
    return attack, defence


Lowest = tuple[tuple[int, int], ...]  # (face, number of the tray)


def laid(trays: Sequence[Sequence[int]], loose: Sequence[int]) -> list[list[int]]:
    """The dice of each tray as they lie with loose ones over the lowest of all, the first tray's where equal (PS-22).

    >>> laid([[3, 4], [1, 4], [2]], [2, 6])
    [[3, 4], [6, 4], [2]]
    """
    lie = [list(tray) for tray in trays]
    for tray, old, new in over_lowest(lowest_first(trays), sorted(loose, reverse=True)):
        lie[tray][lie[tray].index(old)] = new
    return lie


def lowest_first(trays: Sequence[Sequence[int]]) -> Lowest:
    """All dice with the number of their tray, the lowest first."""
    return tuple(sorted((face, tray) for tray, dice in enumerate(trays) for face in dice))


def over_lowest(lowest: Lowest, loose: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Loose dice, the highest first, each over the lowest that is left, if higher: (tray, face before, face now)."""
    for (old, tray), new in zip(lowest, loose, strict=False):
        if new <= old:
            return
        yield tray, old, new


@cache
def sums(trays: tuple[int, ...], bonus: int, hand: tuple[str, ...] = (), attack: int = 0) -> dict[tuple[int, int], int]:
    """In how many throws the dice of one attack and of the defence come to each two sums.

    `trays` are so many dice for each attack, then the defence; `attack` is the number of the one that is meant, `hand`
    says where further dice were put. The loose ones lie over the lowest dice of all trays.
    """
    defence, totals = len(trays) - 1, Counter[tuple[int, int]]()
    # From the highest face down: how many loose dice show it, and what those lie over.
    waiting = Counter({(*lies, bonus): ways for lies, ways in _lying(trays, bonus, hand, attack).items()})
    for face in range(6, 0, -1):
        following: Counter[tuple[int, int, Lowest, int]] = Counter()
        for (strikes, parries, lowest, left), ways in waiting.items():
            lower = sum(old < face for old, _ in lowest)
            rest = face**left
            for many in range(min(lower, left + 1)):
                throws = comb(left, many) * (face - 1) ** (left - many)
                rest -= throws
                if throws:
                    following[strikes, parries, lowest[many:], left - many] += ways * comb(left, many)
                old, tray = lowest[many]
                strikes += (face - old) * (tray == attack)
                parries += (face - old) * (tray == defence)
            if rest:  # all that is lower has such a face over it
                totals[strikes, parries] += ways * rest
        waiting = following
    return dict(totals)


def _lying(trays: tuple[int, ...], bonus: int, hand: tuple[str, ...], attack: int) -> Counter[tuple[int, int, Lowest]]:
    """Throws by what matters of them: the sums of attack and defence, and the dice that loose ones can lie over."""
    # Which die of a tray shows what makes no difference.
    tray_throws = [Counter(tuple(sorted(faces)) for faces in product(range(1, 7), repeat=size)) for size in trays]
    counts: Counter[tuple[int, int, Lowest]] = Counter()
    for dice, ways in _put(tray_throws, hand, attack):
        counts[sum(dice[attack]), sum(dice[-1]), lowest_first(dice)[:bonus]] += ways
    return counts


def _put(
    tray_throws: Sequence[Counter[tuple[int, ...]]], hand: Sequence[str], attack: int
) -> Iterator[tuple[tuple[tuple[int, ...], ...], int]]:
    """All throws of these trays with how often they come up, and the dice that are put on one of them by hand."""
    for to in hand:
        tray = attack if to == "attack" else len(tray_throws) - 1
        following: Counter[tuple[int, ...]] = Counter()
        for dice, ways in tray_throws[tray].items():
            for face in range(1, 7):
                following[tuple(sorted(laid([dice], [face])[0]))] += ways
        tray_throws = [following if place == tray else dice for place, dice in enumerate(tray_throws)]
    for several in product(*(dice.items() for dice in tray_throws)):
        yield tuple(dice for dice, _ in several), prod(ways for _, ways in several)


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
