"""The chained contest: every defeat hurts at once, until one side has to concede (QW-57)."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, TypeVar

from rules.fields import Choice, Group, Listing, Whole
from rules.moves import Face, MoveKind, Need, Outcome, Step
from rules.odds import to_the_end
from rules.systems.questworlds.contest import (
    ABILITY,
    LEADS,
    MODIFIERS,
    RESISTANCE,
    STORY_POINT,
    Terms,
    drawn,
    led,
)
from rules.systems.questworlds.edition import FIRST, Edition, Modifiers
from rules.systems.questworlds.notation import ScoreField, notation, signed
from rules.systems.questworlds.roll import SIDES, Clash, Known, counting
from rules.values import BadMove, Value

MOST_STATES = 20_000  # of a contest whose chances a page tells: 200 against 200; the contract counts them all
TO_A_CRITICAL = 3  # bumps up, from a fumble
Ranks = tuple[int, ...]
S = TypeVar("S")


def penalty(ranks: Sequence[int], by_value: bool, edition: Edition = FIRST) -> int:
    """What consequences of these ranks take off together: by rank, or by what each takes (QW-61).

    >>> penalty((1, 2), False), penalty((1, 2), True)
    (-9, -9)
    >>> penalty((2, 2), False), penalty((2, 2), True)
    (-20, -12)
    """
    ladder = edition.modifiers
    if by_value:
        return -sum(ladder.of_rank(ladder.held(rank)) for rank in ranks)
    return -ladder.of_rank(ladder.held(sum(ranks)))


def worn(terms: Terms, ours: int, theirs: int) -> Terms:
    """The same with what the consequences of both sides take off."""
    return replace(
        terms, modifiers=(*terms.modifiers, *([ours] if ours else [])),
        resistance_modifiers=(*terms.resistance_modifiers, *([theirs] if theirs else [])))


def conceding(terms: Terms) -> tuple[bool, bool]:
    """Which side has a target number below 0, and has to concede."""
    return terms.score < 0, terms.resistance + sum(terms.resistance_modifiers) < 0


def to_one_that_stands(
    lies: Clash, start: tuple[S, S], off: Callable[[S], int], worse: Callable[[S, int], S | None],
    tell: Callable[[Clash], tuple[int, int]], known: Known[tuple[int, int]], *, most: int | None, wears_out: bool,
) -> Fraction | None:
    """The first side's chance to be the one that does not concede, when both go on until a target number is below 0.

    In: each side's state, what one takes off, the one after a defeat (None: out at once), which side leads by how much
    in a clash, and whether each defeat takes something more. None where it may never end, or has more states than
    `most`.
    """
    sides = lies.player, lies.resistance
    told = counting(lies, tell, known)
    # So many masteries ahead one wins whatever falls, and then all the more: a fumble is a critical, a critical none.
    beyond = TO_A_CRITICAL + sum(lies.down) + sum(side.story_point for side in sides)
    side = cache(lambda which, state: replace(sides[which], score=sides[which].score - off(state)))

    @cache
    def after(loser: int, state: S, by: int) -> S | None:
        then = worse(state, by)
        return None if then is None or sides[loser].score < off(then) else then

    def moves(state: tuple[S, S]) -> dict[tuple[S, S] | bool, int]:
        one, two = state
        ahead = lies.left(side(0, one), side(1, two))
        if wears_out and abs(ahead) >= beyond:
            return {ahead > 0: 1}
        following_ways: dict[tuple[S, S] | bool, int] = {}
        for (lead, by), ways in told(side(0, one), side(1, two)).items():
            if not lead:
                continue  # it is rolled again
            then = after(lead > 0, two if lead > 0 else one, by)
            following = lead > 0 if then is None else (one, then) if lead > 0 else (then, two)
            if following != state:  # past the end of the ladder nothing gets worse
                following_ways[following] = following_ways.get(following, 0) + ways
        return following_ways

    if any(beaten := [side.score < off(state) for side, state in zip(sides, start, strict=True)]):
        return Fraction(not beaten[0])
    return to_the_end(start, moves, most)


def to_win(
    terms: Terms, ours: Ranks, theirs: Ranks, by_value: bool, most: int | None = MOST_STATES,
) -> Fraction | None:
    """The first side's chance to be the one that does not concede, when both go on with what they have.

    None where it may never end, as neither falls below 0 by the consequences that there are; or where there are more
    than `most` states to count.
    """
    # By rank the sum of the ranks counts, as far as the ladder goes; by value what all take.
    one, two = ((-penalty(taken, True, terms.edition) if by_value else terms.edition.modifiers.held(sum(taken)))
                for taken in (ours, theirs))
    return by_numbers(terms.clash((1, 1)), one, two, by_value, terms.edition.modifiers, most)


@lru_cache(maxsize=512)
def by_numbers(
    lies: Clash, ours: int, theirs: int, by_value: bool, ladder: Modifiers, most: int | None,
) -> Fraction | None:
    """The same by what both sides roll with in the end, so that whatever comes to the same numbers is counted once."""
    if by_value:
        return to_one_that_stands(lies, (ours, theirs), int,
                                  lambda taken, rank: taken + ladder.of_rank(ladder.held(rank)), led, LEADS,
                                  most=most, wears_out=True)
    return to_one_that_stands(lies, (ours, theirs), ladder.of_rank, lambda taken, rank: ladder.held(taken + rank),
                              led, LEADS, most=most, wears_out=False)


@dataclass(frozen=True)
class Harm:
    """What a defeat comes to, and how that adds up: a consequence of the outcome's rank (QW-57, QW-61).

    Contests are built with it, those of the contract and those at the table; by the tables of the older options they
    are built with another.
    """

    edition: Edition = FIRST
    by_value: bool = False

    def hurt(self, clash: Clash, had: Sequence[Sequence[int]]) -> tuple[int, int] | None:
        """Who is hurt by a round (0 the first side, 1 the second), and by which rank; None for nobody.

        `had` are the ranks of the consequences of both sides before.
        """
        return (int(clash.lead > 0), self.edition.modifiers.held(clash.rank)) if clash.lead else None

    def unhurt(self, clash: Clash) -> Step:
        """Why nobody is."""
        return Step("QW-57", "A tie: nobody suffers.")

    def because(self, clash: Clash, name: str, rank: int) -> tuple[Step, ...]:
        """How the rank came, where that is not plain."""
        return ()

    def ends(self, rank: int) -> bool:
        """Whether a consequence of this rank puts one out at once, whatever the target number is."""
        return False

    def penalty(self, ranks: Sequence[int]) -> int:
        """What consequences of these ranks take off together."""
        return penalty(ranks, self.by_value, self.edition)

    def to_win(self, terms: Terms, ours: Ranks, theirs: Ranks, most: int | None = MOST_STATES) -> Fraction | None:
        """The first side's chance to win by it; None where it may never end, or takes too long to count."""
        return to_win(terms, ours, theirs, self.by_value, most)


@dataclass(frozen=True)
class Chain:
    """Rounds in a row, and what each defeat in them comes to."""

    rounds: tuple[Terms, ...]
    first: Terms
    harm: Harm = Harm()
    taken: tuple[Ranks, Ranks] = ((), ())


STACKING = (("rank", "By rank"), ("value", "By value"))
TAKEN = Listing(name="taken", label="Ranks of consequences", default=(), most=20, of=Whole(
    name="rank", label="Rank", least=1, most=5))


class ChainedContest(MoveKind[Chain]):
    """Rounds until one side's target number falls below 0. Rounds that are named after the end do not take place.

    >>> kind = ChainedContest()
    >>> kind.resolve(kind.read({"ability": 17, "resistance": 14, "rounds": [{}]}), [3, 16]).result["penalties"]
    [0, -6]
    """

    name = "questworlds.chained_contest"
    title = "Chained contest"
    fields = (
        ABILITY, MODIFIERS, RESISTANCE,
        Listing(name="rounds", label="Rounds", default=(), most=30, of=Group(name="round", label="Round", fields=(
            ScoreField(name="ability", label="Ability of this round", default=None, may_lack=True),
            ScoreField(name="resistance", label="Resistance of this round", default=None, may_lack=True),
            Listing(name="modifiers", label="Modifiers of this round", default=None, most=40, of=MODIFIERS.of),
            STORY_POINT,
        ))),
        Choice(name="stacking", label="Several consequences", options=STACKING, default="rank"),
        TAKEN, Listing(name="resistance_taken", label="The resistance’s ranks", default=(), most=20, of=TAKEN.of),
    )

    def __init__(self, edition: Edition = FIRST) -> None:
        self.edition = edition

    def build(self, **values: Any) -> Chain:
        rounds = []
        for value in values["rounds"]:
            own = {name: values[name] if value[name] is None else value[name]
                   for name in ("ability", "modifiers", "resistance")}
            rounds.append(Terms(**own, story_points=(value["story_point"], False), edition=self.edition))
        first = Terms(values["ability"], values["modifiers"], values["resistance"], edition=self.edition)
        return Chain(tuple(rounds), first, Harm(self.edition, values["stacking"] == "value"),
                     (tuple(values["taken"]), tuple(values["resistance_taken"])))

    def resolve(self, move: Chain, faces: Sequence[int]) -> Outcome | Need:
        taken, used = [list(round_) for round_ in move.taken], 0
        steps: list[Step] = []
        rounds: list[Value] = []
        for number, round_ in enumerate(move.rounds, 1):
            now = self._now(move, round_, taken)
            if any(conceding(now)):
                steps.append(Step("QW-57", "The contest is over; the rounds named after it do not take place."))
                break
            if len(faces) < used + 2:
                return Need((SIDES,) * (used + 2 - len(faces)))
            clash = now.clash((faces[used], faces[used + 1]))
            used += 2
            start = f"Round {number}: "
            steps += [*now.steps(), *clash.steps(start)]
            if hurt := move.harm.hurt(clash, taken):
                loser, rank = hurt
                taken[loser].append(rank)
                # At a table it lands on a sheet, by name, and is told so (`long/chained.py`): the numbers are `Harm`'s.
                who, less = ("the player", "the resistance")[loser], move.harm.penalty(taken[loser])
                steps.append(Step("QW-57", f"{start}{who} has a consequence of rank {rank}: {signed(less)} in all, "
                                           "from the next round on."))
            else:
                why = move.harm.unhurt(clash)
                steps.append(Step(why.rule, start + why.text[0].lower() + why.text[1:]))
            rounds.append({"outcome": clash.outcome, "rank": clash.rank})
        if len(faces) > used:
            raise BadMove(f"Enter {used} dice; there are {len(faces)}.", "dice")
        return Outcome(*self._result(move, taken, rounds, steps), drawn(faces))

    def _result(
        self, move: Chain, taken: list[list[int]], rounds: list[Value], steps: list[Step]
    ) -> tuple[Mapping[str, Value], tuple[Step, ...]]:
        now = self._now(move, move.first, taken)
        beaten = conceding(now)
        outcome = None if not any(beaten) else "tie" if all(beaten) else "defeat" if beaten[0] else "victory"
        targets = [now.score, now.resistance + sum(now.resistance_modifiers)]
        if outcome:
            steps.append(Step("QW-57", f"Below 0 one has to concede: {notation(targets[0])} against "
                                       f"{notation(targets[1])}, a {outcome}."))
        less = [move.harm.penalty(ranks) for ranks in taken]
        return ({"penalties": [*less], "targets": [*targets], "over": outcome is not None, "outcome": outcome,
                 "rounds": rounds}, tuple(steps))

    def _now(self, move: Chain, terms: Terms, taken: list[list[int]]) -> Terms:
        ours, theirs = (move.harm.penalty(ranks) for ranks in taken)
        return worn(terms, ours, theirs)

    def odds(self, move: Chain, of: str) -> dict[Face, Fraction]:
        """The chances of the `winner`, `player` or `resistance`, when both go on until one has to concede."""
        if of != "winner" or move.rounds:
            raise BadMove("Ask for the winner, and leave the rounds out.", "of")
        chance = move.harm.to_win(move.first, *move.taken, most=None)
        if chance is None:
            raise BadMove("It may never end so: neither falls below 0. Choose other scores.", "ability")
        return {"player": chance, "resistance": 1 - chance}
