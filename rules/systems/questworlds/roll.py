"""One roll against another: results, masteries, story points, who wins and by how much (QW-05, QW-10 to QW-14)."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Protocol, TypeVar

from rules.moves import Step
from rules.systems.questworlds.edition import FIRST
from rules.systems.questworlds.notation import Score, notation

T = TypeVar("T")
SIDES = 20
MOST_KNOWN = 512  # kinds of roll, by masteries apart, bumps and story points, of which it is kept what they come to


class Result(IntEnum):
    """How one side's roll came out, worst first; a bump is one step."""

    FUMBLE = 0
    FAILURE = 1
    SUCCESS = 2
    CRITICAL = 3

    @property
    def word(self) -> str:
        """As a person says it: `success`."""
        return self.name.lower()

    def bumped(self, steps: int) -> Result:
        """So many steps up (down, if under 0), as far as it goes."""
        return Result(max(Result.FUMBLE, min(Result.CRITICAL, self + steps)))


@dataclass(frozen=True)
class Side:
    """One side of a contest: its score after modifiers, and whether a story point is spent on it."""

    score: int
    story_point: bool = False
    fumble_on: int = FIRST.resolution.fumble_on

    @cached_property
    def target(self) -> int:
        """The target number."""
        return Score(self.score).rating

    @cached_property
    def masteries(self) -> int:
        """The masteries before they cancel; none at 0 or less."""
        return Score(self.score).masteries

    def read(self, die: int) -> Result:
        """What the die shows, before any bump (QW-10); at 0 or less a failure whatever it shows (QW-05)."""
        if self.score <= 0:
            return Result.FAILURE
        if die == self.target:
            return Result.CRITICAL
        if die == self.fumble_on:
            return Result.FUMBLE
        return Result.SUCCESS if die < self.target else Result.FAILURE


@dataclass(frozen=True)
class Names:
    """What the steps of a roll call both sides, and the sign of a mastery that the campaign writes."""

    player: str = "the player"
    resistance: str = "the resistance"
    symbol: str = "M"

    @property
    def own(self) -> bool:
        """Whether they are names, of one or of many ("The guards"), so that no verb follows them."""
        return self.player != "the player"


CONTRACT = Names()


@dataclass(frozen=True)
class Clash:
    """Both sides with their dice: the player's first, then the resistance's."""

    player: Side
    resistance: Side
    dice: tuple[int, int]
    tie_to_player: bool = False
    lift: int = 0  # bumps up for the player from a resistance with negative masteries (QW-40)
    down: tuple[int, int] = (0, 0)  # bumps down for either from a stretch (QW-21)

    @cached_property
    def net(self) -> int:
        """Masteries left when they cancel: over 0 the player's, under 0 the resistance's (QW-11)."""
        return self.left(self.player, self.resistance)

    def left(self, player: Side, resistance: Side) -> int:
        """The masteries that would be left between two others."""
        return player.masteries - resistance.masteries + self.lift

    @cached_property
    def thrown(self) -> tuple[Result, Result]:
        """Both results as the dice show them."""
        return self.player.read(self.dice[0]), self.resistance.read(self.dice[1])

    @cached_property
    def mastered(self) -> tuple[Result, Result]:
        """Both results after the masteries: their owner up to a critical first, then the other side down (QW-11)."""
        ours, theirs = self.stretched
        if self.net >= 0:
            return _mastered(ours, theirs, self.net)
        theirs, ours = _mastered(theirs, ours, -self.net)
        return ours, theirs

    @cached_property
    def stretched(self) -> tuple[Result, Result]:
        """Both results after what a stretch bumps down (QW-21)."""
        return self.thrown[0].bumped(-self.down[0]), self.thrown[1].bumped(-self.down[1])

    @cached_property
    def spent(self) -> tuple[bool, bool]:
        """Whose story point is spent: not on a critical, which nothing betters (QW-12)."""
        ours, theirs = self.improvable
        return self.player.story_point and ours, self.resistance.story_point and theirs

    def throws(self) -> tuple[tuple[int, int, int], ...]:
        """All throws of both dice, in classes that come out alike."""
        player, resistance = self.player, self.resistance
        return tuple((*throw, ways) for _, throw, ways in classes(
            player.target, resistance.target, player.fumble_on, resistance.fumble_on))

    @property
    def improvable(self) -> tuple[bool, bool]:
        """Whose result a story point would better: none betters a critical (QW-12)."""
        return self.mastered[0] < Result.CRITICAL, self.mastered[1] < Result.CRITICAL

    @property
    def transfers(self) -> bool:
        """Whether the winner takes what the loser of a bid loses: with a critical, after all bumps (QW-51)."""
        return bool(self.lead) and self.results[self.lead < 0] is Result.CRITICAL

    @cached_property
    def results(self) -> tuple[Result, Result]:
        """Both results in the end."""
        (ours, theirs), (by_us, by_them) = self.mastered, self.spent
        return ours.bumped(by_us), theirs.bumped(by_them)

    @cached_property
    def lead(self) -> int:
        """1 where the player wins by result or by die, −1 where the resistance does, 0 where all is equal (QW-13)."""
        ours, theirs = self.results
        above = (ours - theirs) or (self.dice[0] - self.dice[1])
        return (above > 0) - (above < 0)

    @property
    def outcome(self) -> str:
        """`victory`, `defeat` or `tie`, from the player's side (QW-13)."""
        if not self.lead:
            return "victory" if self.tie_to_player else "tie"
        return "victory" if self.lead > 0 else "defeat"

    @property
    def levels(self) -> int:
        """By how many levels the results differ."""
        ours, theirs = self.results
        return abs(ours - theirs)

    @property
    def rank(self) -> int:
        """1 for the better die, one more for each level; 0 for a tie, to whomever it goes (QW-14)."""
        return self.levels + 1 if self.lead else 0

    def steps(self, start: str = "", names: Names = CONTRACT) -> Iterator[Step]:
        """Why it came out so; `start` goes before each sentence (`Round 2: `)."""
        called = (names.player, names.resistance)
        for side, die, thrown, name in zip((self.player, self.resistance), self.dice, self.thrown, called, strict=True):
            target = notation(side.score, names.symbol)
            if side.score <= 0:
                yield step("QW-05", start, f"{name} has a target number of {target}: a failure whatever the die "
                                            "shows.")
            elif names.own:
                yield step("QW-10", start, f"{name}: {die} against {target}, a {thrown.word}.")
            else:
                yield step("QW-10", start, f"{name} rolls {die} against {target}: a {thrown.word}.")
        for down, result, name in zip(self.down, self.stretched, called, strict=True):
            if down > 0:
                yield step("QW-21", start, f"the stretch bumps {name} down {_times(down)}, to a {result.word}.")
            elif down:
                yield step("QW-A7", start, f"a state of fortune bumps {name} up {_times(-down)}, to a {result.word}.")
        yield from self._mastery_steps(start, called)
        for spent, ours, name in zip(self.spent, self.results, called, strict=True):
            if spent:
                yield step("QW-12", start, f"a story point bumps {name} up to a {ours.word}.")
        if self.player.story_point and not self.spent[0]:
            yield step("QW-12", start, "nothing is better than a critical: the story point stays in the pool.")
        yield from self._outcome_steps(start, called)

    def _mastery_steps(self, start: str, called: tuple[str, str]) -> Iterator[Step]:
        if self.lift:
            many = "a mastery" if self.lift == 1 else f"{self.lift} masteries"
            # What they bump is said once, by the masteries themselves.
            yield step("QW-40", start, f"{called[1]} is below 1, which counts as {many} for {called[0]}.")
        if self.player.masteries and self.resistance.masteries:
            left = f"{abs(self.net)} left" if self.net else "none left"
            yield step("QW-11", start, f"masteries cancel, {left}.")
        if not self.net:
            return
        owner, other = (0, 1) if self.net > 0 else (1, 0)
        before, after = self.stretched, self.mastered
        if after[owner] != before[owner]:
            yield step("QW-11", start, f"masteries bump {called[owner]} up {_times(after[owner] - before[owner])}, "
                                        f"to a {after[owner].word}.")
        if after[other] != before[other]:
            yield step("QW-11", start, f"what is left after a critical bumps {called[other]} down "
                                        f"{_times(before[other] - after[other])}, to a {after[other].word}.")

    def _outcome_steps(self, start: str, called: tuple[str, str]) -> Iterator[Step]:
        ours, theirs = self.results
        if not self.lead:
            to = f"it goes to {called[0]}" if self.tie_to_player else "a tie"
            yield step("QW-13", start, f"the same result and the same die: {to}.")
            return
        who = called[0] if self.lead > 0 else called[1]
        how = "the better result" if self.levels else "the higher die on the same result"
        yield step("QW-13", start, f"{ours.word} against {theirs.word}: {who} wins by {how}.")
        apart = f"1, and {self.levels} for the levels between the results" if self.levels else "1 for the better die"
        yield step("QW-14", start, f"the outcome has rank {self.rank}: {apart}.")


class Known(Protocol[T]):
    """What pairs of results come to, once seen: by the masteries that are left and what else a kind of roll has."""

    def __call__(self, left: int, like: tuple[object, ...], /) -> dict[int, T]: ...

    def cache_clear(self) -> None: ...


def remembered() -> Known[T]:
    """Nothing known yet; the kinds of roll that were asked for last are kept."""
    @lru_cache(maxsize=MOST_KNOWN)
    def comes_to(left: int, like: tuple[object, ...], /) -> dict[int, T]:
        return {}
    return comes_to


def counted(sides: Clash, tell: Callable[[Clash], T], known: Known[T]) -> dict[T, int]:
    """What `tell` says of the 400 throws of these sides, whatever their dice, and in how many of them.

    `known` keeps what each pair of results comes to: beyond that the numbers that are rolled against matter to nothing.
    """
    return counting(sides, tell, known)(sides.player, sides.resistance)


def counting(sides: Clash, tell: Callable[[Clash], T], known: Known[T]) -> Callable[[Side, Side], dict[T, int]]:
    """Answers `counted` for these sides at other scores: of long contests that is asked a thousand times."""
    like = (type(sides), sides.down, sides.tie_to_player, sides.player.story_point, sides.resistance.story_point)

    def answer(player: Side, resistance: Side) -> dict[T, int]:
        comes_to = known(sides.left(player, resistance), like)
        counted: dict[T, int] = {}
        for key, throw, ways in classes(player.target, resistance.target, player.fumble_on, resistance.fumble_on):
            if key not in comes_to:
                comes_to[key] = tell(replace(sides, player=player, resistance=resistance, dice=throw))
            came = comes_to[key]
            counted[came] = counted.get(came, 0) + ways
        return counted
    return answer


@lru_cache(maxsize=2048)
def classes(
    player: int, resistance: int, fumble_on: int, their_fumble_on: int
) -> tuple[tuple[int, tuple[int, int], int], ...]:
    """The 400 throws by both results and by which die is higher: a number for each such, a throw of it, how many.

    `player` and `resistance` are target numbers. Within a class nothing but the faces themselves tells throws apart.
    """
    numbers: dict[int, tuple[int, tuple[int, int], int]] = {}

    def add(key: int, throw: tuple[int, int], ways: int) -> None:
        if ways:
            numbers[key] = key, throw, ways + (numbers[key][2] if key in numbers else 0)

    theirs = _runs(resistance, their_fumble_on)
    for mine, low, high in _runs(player, fumble_on):
        for other, least, most in theirs:
            key, whole = mine * 100 + other * 10, (high - low + 1) * (most - least + 1)
            if high < least or low > most:
                add(key + (1 if low > most else -1), (low, least), whole)
                continue
            first, last = max(low, least), min(high, most)
            alike = last - first + 1
            # Of the faces that both runs have each is above those before it, and what lies beyond is above all.
            above = alike * (alike - 1) // 2 + alike * (first - least) + (high - last) * (most - least + 1)
            add(key, (first, first), alike)
            add(key + 1, (high, least), above)
            add(key - 1, (low, most), whole - alike - above)
    return tuple(numbers.values())


# The ways to count that editions name (`Resolution.counting`): whatever answers as a clash does.
COUNTING: Mapping[str, type[Clash]] = {"ladder_of_results": Clash}


def step(rule: str, start: str, text: str) -> Step:
    """A step that begins with `start`, else with a capital."""
    return Step(rule, start + text if start else text[0].upper() + text[1:])


def _mastered(owner: Result, other: Result, bumps: int) -> tuple[Result, Result]:
    up = min(bumps, Result.CRITICAL - owner)
    return owner.bumped(up), other.bumped(up - bumps)


def _times(number: int) -> str:
    return "once" if number == 1 else "twice" if number == 2 else f"{number} times"


@lru_cache(maxsize=64)
def _runs(target: int, fumble_on: int) -> tuple[tuple[int, int, int], ...]:
    """The faces from 1 to 20 in runs of the same result, each with its number: around those that stand alone."""
    side, alone = Side(target, fumble_on=fumble_on), {target, fumble_on}
    starts = [face for face in range(1, SIDES + 1) if face == 1 or face in alone or face - 1 in alone]
    return tuple((int(side.read(low)), low, after - 1)
                 for low, after in zip(starts, (*starts[1:], SIDES + 1), strict=True))
