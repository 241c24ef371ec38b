"""A check: a pool of six-sided dice, two rounds of re-rolls, and the set that is used (DW-02 to DW-08, DW-17)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from rules.fields import Field, Group, Listing, Whole
from rules.moves import Die, Face, MoveKind, Need, Outcome, Step
from rules.odds import chances
from rules.systems.danger_world.challenge import EASIEST
from rules.systems.danger_world.goal import chance_of
from rules.systems.danger_world.play import danger_ways, results_of
from rules.systems.danger_world.pool import ROUNDS, SIDES, Pool, Table, bonus_dice, sets_in
from rules.systems.danger_world.reckoning import settle
from rules.values import BadMove, Value

HIGHEST = -1
NO_SET = 0
HARDEST = 9


@dataclass(frozen=True)
class Check:
    """A check: `rerolls` are the indices rolled again, round by round; `chosen` is a height, NO_SET or HIGHEST."""

    pool: Pool
    difficulty: int
    rerolls: tuple[tuple[int, ...], ...] = ()
    chosen: int = HIGHEST


class SetField(Field):
    """The height of the set to use; 0 or null uses none."""

    def check(self, value: Value) -> int:
        if value is None:
            return NO_SET
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= SIDES:
            raise BadMove("Enter the height of a set from 1 to 6, or 0 to use none.")
        return value


class CheckMove(MoveKind[Check]):
    """Dice are indexed action dice first, then danger dice, then threat dice.

    >>> CheckMove().resolve(Check(Pool(3), 2, ((0,),)), [5, 2, 4, 2]).result["accomplished"]
    True
    """

    name = "danger_world.check"
    title = "Check"
    fields = (
        Group(name="pool", label="The pool", fields=(
            Whole(name="action", label="Action dice", most=40, help="Two stats, bonus dice, story points; one less "
                  "for each stunned box."),
            Whole(name="danger", label="Danger dice", default=0, most=10, help="Up to the rank of the danger zone."),
            Whole(name="threat", label="Threat dice", default=0, most=40, help="For bashed boxes and complications."),
        )),
        Whole(name="difficulty", label="Difficulty", least=EASIEST, most=HARDEST,
              help="From 2, minor, to 6, monumental."),
        Listing(name="rerolls", label="Dice to roll again", default=(), most=ROUNDS,
                of=Listing(name="round", label="Round", of=Whole(name="index", label="Die", most=49))),
        SetField(name="set", label="Set to use", default=HIGHEST, help="The highest one where nothing is chosen."),
    )

    def build(self, **values: Any) -> Check:
        pool = Pool(**values["pool"])
        rounds = []
        for number, indices in enumerate(values["rerolls"]):
            if len(set(indices)) < len(indices):
                raise BadMove("Name each die once in a round.", f"rerolls.{number}")
            for index in indices:
                if index >= pool.all:
                    raise BadMove(f"There is no die {index}; the last one is {pool.all - 1}.", f"rerolls.{number}")
                if pool.kind(index) == "threat":
                    raise BadMove(f"Die {index} is a threat die and lies as it fell.", f"rerolls.{number}")
            rounds.append(tuple(sorted(indices)))
        return Check(pool, values["difficulty"], tuple(rounds), values["set"])

    def resolve(self, move: Check, faces: Sequence[int]) -> Outcome | Need:
        # All re-rolls are named before the dice fall here; at a table they follow what is seen, as moves of their own.
        wanted = move.pool.all
        for again in ((), *move.rerolls):
            wanted += len(again)
            if len(faces) < wanted:
                return Need((SIDES,) * (wanted - len(faces)))
        if len(faces) > wanted:
            raise BadMove(f"Enter {wanted} dice; there are {len(faces)}.", "dice")
        rounds = tuple(_rounds(move, faces))
        table = _table(move.pool, rounds[-1])
        height = _used(move, table)
        steps = (*_pool_steps(move, rounds), *_steps(move, table, height))
        result = settle(move.pool, rounds[-1], height, move.difficulty).result
        return Outcome({**result, "rounds": [list(round_) for round_ in rounds]}, steps, _all_dice(move, faces))

    def odds(self, move: Check, of: str) -> dict[Face, Fraction]:
        """The chances under best play toward the difficulty; the re-rolls of the move are left aside."""
        if move.chosen != HIGHEST:
            raise BadMove("Odds are those of best play with the highest set. Leave this out.", "set")
        pool, difficulty = move.pool, move.difficulty
        counted: Counter[Face] = Counter()
        if of == "accomplished":
            chance = chance_of(pool.own, difficulty)
            return {value: part for value, part in ((True, chance), (False, 1 - chance)) if part}
        if of in ("set", "bonus_dice"):
            for (height, _), ways in results_of(pool.own, difficulty).items():
                counted[(height or None) if of == "set" else bonus_dice(height, difficulty)] += ways
            return chances(counted)
        if of == "botches":
            return chances(botch_ways(pool, difficulty))
        if of == "danger_increase":
            counted.update(danger_ways(pool.action, pool.danger, difficulty))
            return chances(counted)
        raise BadMove("Ask for accomplished, set, bonus_dice, botches or danger_increase.", "of")


def botch_ways(pool: Pool, difficulty: int) -> Counter[Face]:
    """In how many equally likely ends of best play so many dice are botches, threat dice among them."""
    counted: Counter[Face] = Counter()
    for (height, botches), ways in results_of(pool.own, difficulty).items():
        bad = max(height, 1)  # faces of a threat die that are botches
        for more in range(pool.threat + 1):
            threat_ways = comb(pool.threat, more) * bad**more * (SIDES - bad) ** (pool.threat - more)
            counted[botches + more] += ways * threat_ways
    return counted


def _rounds(move: Check, faces: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The dice after the first throw and after each round of re-rolls."""
    lying, rest = list(faces[: move.pool.all]), iter(faces[move.pool.all :])
    yield tuple(lying)
    for again in move.rerolls:
        for index in again:
            lying[index] = next(rest)
        yield tuple(lying)


def _table(pool: Pool, faces: tuple[int, ...]) -> Table:
    return Table(faces[: pool.action], faces[pool.action : pool.own], faces[pool.own :])


def _used(move: Check, table: Table) -> int:
    sets = table.sets
    if move.chosen == HIGHEST:
        return max(sets, default=NO_SET)
    if move.chosen != NO_SET and move.chosen not in sets:
        there = ", ".join(map(str, sets)) or "none"
        raise BadMove(f"These dice make no set of height {move.chosen}; there are: {there}.", "set")
    return move.chosen


def _all_dice(move: Check, faces: Sequence[int]) -> tuple[Die, ...]:
    order = [*range(move.pool.all), *(index for again in move.rerolls for index in again)]
    last = {index: place for place, index in enumerate(order)}
    return tuple(Die(SIDES, faces[place], move.pool.kind(index), last[index] == place)
                 for place, index in enumerate(order))


def _pool_steps(move: Check, rounds: tuple[tuple[int, ...], ...]) -> Iterator[Step]:
    pool = move.pool
    kinds = ((pool.action, "action"), (pool.danger, "danger"), (pool.threat, "threat"))
    listed = ", ".join(f"{_count(number, f'{kind} die', f'{kind} dice')}" for number, kind in kinds if number)
    yield Step("DW-02", f"The pool: {listed or 'no dice'}.")
    for number, again in enumerate(move.rerolls, 1):
        if not again:
            yield Step("DW-03", f"Round {number}: every die stays.")
            continue
        changed = ", ".join(f"{rounds[number - 1][i]} becomes {rounds[number][i]}" for i in again)
        yield Step("DW-03", f"Round {number}, {_count(len(again), 'die', 'dice')} again: {changed}.")


def _steps(move: Check, table: Table, height: int) -> Iterator[Step]:
    if not height:
        there = "A set could be made and is not used." if sets_in(table.action + table.danger) else "There is no set."
        yield Step("DW-04", there)
        yield Step("DW-05", f"Without a set the difficulty of {move.difficulty} is not reached.")
    else:
        chosen = "" if height == max(table.sets) else ", lower than it could be"
        yield Step("DW-04", f"{_count(height, 'die', 'dice')} showing {height}: a set of height {height}{chosen}.")
        bonus = _count(bonus_dice(height, move.difficulty), "bonus die", "bonus dice")
        if height >= move.difficulty:
            over = f"; the excess is {bonus} for one use" if height > move.difficulty else ""
            yield Step("DW-05", f"Height {height} against a difficulty of {move.difficulty}: accomplished{over}.")
        else:
            yield Step("DW-05", f"Height {height} is under the difficulty of {move.difficulty}: a partial success, "
                                f"worth {bonus} for one use.")
    botches = table.botches(height)
    under = f" and dice under {height}" if height > 1 else ""
    threat = f", and threat dice at {height}" if height > 1 and height in table.threat else ""
    yield Step("DW-06", f"{_count(botches, 'botch', 'botches')}: ones{under}{threat}." if botches else "No botches.")
    if used := table.danger_used(height):
        yield Step("DW-08", f"{_count(used, 'danger die is', 'danger dice are')} in the set, because the action dice "
                            f"do not fill it: the danger level rises by {used}.")


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
