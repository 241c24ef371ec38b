"""The extended contest: exchanges in which advantage points are bid, lost and won (QW-51 to QW-53)."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from rules.fields import Choice, Field, Flag, Group, Listing, Whole
from rules.moves import Face, MoveKind, Need, Outcome, Step
from rules.odds import chances
from rules.systems.questworlds.contest import (
    ABILITY,
    MODIFIERS,
    RESISTANCE,
    STORY_POINT,
    Terms,
    drawn,
    levels_led,
)
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.notation import ScoreField
from rules.systems.questworlds.roll import SIDES, Clash
from rules.systems.questworlds.tally import Moves, Points, Tally, begun
from rules.values import BadMove, Value

Ways = tuple[tuple[tuple[int, int, bool], int], ...]  # who leads by how many levels and takes it, in how many throws
MOST_ROUNDS = 6  # of a plan of bids: what comes later is told as undecided


@dataclass(frozen=True)
class Exchange:
    """What an exchange is rolled with, whose bid it is and how high, and whether the player has another aim."""

    terms: Terms
    by: str
    bid: int = FIRST.bids.bid
    asymmetrical: bool = False


@dataclass(frozen=True)
class Struggle:
    """The exchanges of a contest and the points that both sides begin with."""

    start: Points
    exchanges: tuple[Exchange, ...]
    later: tuple[Exchange, ...] = ()  # those of the plan, for odds


def lost(bid: int, levels: int) -> int:
    """What a bid costs the loser: half, rounded up, on the same result, else the bid for each level (QW-51).

    >>> lost(7, 0), lost(7, 1), lost(7, 3)
    (4, 7, 21)
    """
    return bid * levels if levels else (bid + 1) // 2


def moved(lead: int, levels: int, takes: bool, bid: int, aims: tuple[bool, bool] = (False, False)) -> Points:
    """By how much an exchange moves both sides' points (QW-51, QW-53), the first side's first.

    In: which side leads (1, 0, −1) by how many levels, whether the winner takes the points over, the bid that counts,
    and who of them is after something else: who wins that takes no points, and in a tie only they lose any.

    >>> moved(1, 2, False, 5), moved(-1, 1, True, 5), moved(0, 0, False, 5), moved(0, 0, False, 5, (True, False))
    ((0, -10), (-5, 5), (-3, -3), (-3, 0))
    """
    loss = lost(bid, levels)
    if not lead:
        return 0 if aims[1] else -loss, 0 if aims[0] else -loss
    if aims[lead < 0]:
        return 0, 0
    gain = loss if takes else 0
    return (gain, -loss) if lead > 0 else (-loss, gain)


def staked(bid: int, left: int | None) -> int:
    """The bid that counts: of a player as it is, of the GM never more than is `left` (QW-52)."""
    return bid if left is None else min(bid, max(1, left))


def after(points: Points, exchange: Exchange, clash: Clash) -> Points:
    """Both sides' points after an exchange."""
    bid, aims = _staked(points, exchange), (exchange.asymmetrical, False)
    ours, theirs = moved(clash.lead, clash.levels, clash.transfers, bid, aims)
    return points[0] + ours, points[1] + theirs


def _staked(points: Points, exchange: Exchange) -> int:
    return staked(exchange.bid, None if exchange.by == "player" else points[1])


def outcome_of(points: Points) -> str | None:
    """`victory`, `defeat`, or `tie` where both are at 0 or under; None while the contest goes on."""
    ours, theirs = points[0] <= 0, points[1] <= 0
    return "tie" if ours and theirs else "victory" if theirs else "defeat" if ours else None


def _fields(bid: int) -> tuple[Field, ...]:
    return (
        ABILITY, MODIFIERS, RESISTANCE,
        Listing(name="followers", label="Followers", default=(), most=20, help="Each adds what it is good for.",
                of=ScoreField(name="follower", label="Follower")),
        Listing(name="exchanges", label="Exchanges", default=(), most=40, of=_exchange(bid)),
        Group(name="plan", label="How both sides go on", default=None,
              help="For the odds of the winner: rounds after the exchanges, the player’s bid first in each.", fields=(
                  _bids("player", "The player’s bids", bid), _bids("resistance", "The GM’s bids", bid),
                  Whole(name="rounds", label="Rounds", default=MOST_ROUNDS, least=1, most=MOST_ROUNDS))),
    )


def _exchange(bid: int) -> Group:
    return Group(name="exchange", label="Exchange", fields=(
        Choice(name="by", label="Bidder", options=(("player", "The player’s"), ("resistance", "The GM’s"))),
        Whole(name="bid", label="Bid", default=bid, least=1),
        Flag(name="asymmetrical", label="After something else", help="Winning the exchange takes no points."),
        ScoreField(name="ability", label="Ability of this exchange", default=None, may_lack=True),
        STORY_POINT,
    ))


def _bids(name: str, label: str, bid: int) -> Field:
    return Listing(name=name, label=label, default=(bid,), most=MOST_ROUNDS, help="The last one stays.",
                   of=Whole(name="bid", label="Bid", least=1))


class ExtendedContest(MoveKind[Struggle]):
    """Exchanges in a row. Those that are named after the end do not take place.

    >>> kind = ExtendedContest()
    >>> given = {"ability": 17, "resistance": 14, "exchanges": [{"by": "player", "bid": 5}]}
    >>> kind.resolve(kind.read(given), [3, 16]).result["points"]
    [17, 9]
    """

    name = "questworlds.extended_contest"
    title = "Extended contest"
    def __init__(self, edition: Edition = FIRST) -> None:
        self.edition = edition
        self.fields = _fields(edition.bids.bid)

    def build(self, **values: Any) -> Struggle:
        first = Terms(values["ability"], values["modifiers"], values["resistance"], edition=self.edition)
        start = (first.score + sum(values["followers"]), values["resistance"])
        if outcome_of(start):
            raise BadMove("Both sides begin with 1 point at least.", "ability" if start[0] <= 0 else "resistance")
        exchanges = []
        for number, value in enumerate(values["exchanges"]):
            if value["by"] == "player" and value["bid"] > start[0]:
                raise BadMove(f"Bid at most what the contest began with, {start[0]}.", f"exchanges.{number}.bid")
            ability = values["ability"] if value["ability"] is None else value["ability"]
            terms = Terms(ability, values["modifiers"], values["resistance"],
                          story_points=(value["story_point"], False), edition=self.edition)
            exchanges.append(Exchange(terms, value["by"], value["bid"], value["asymmetrical"]))
        return Struggle(start, tuple(exchanges), tuple(self._planned(start, first, values["plan"])))

    def _planned(self, start: Points, terms: Terms, plan: Mapping[str, Any] | None) -> Iterator[Exchange]:
        """The exchanges of a plan: of each side the bids in their order, the last one again in each later round."""
        if plan is None:
            return
        if not plan["player"] or not plan["resistance"]:
            raise BadMove("Name one bid at least for each side.", "plan")
        if over := [bid for bid in plan["player"] if bid > start[0]]:
            raise BadMove(f"Bid at most what the contest began with, {start[0]}, not {over[0]}.", "plan.player")
        for number in range(plan["rounds"]):
            for by in ("player", "resistance"):
                bids = plan[by]
                yield Exchange(terms, by, bids[min(number, len(bids) - 1)])

    def resolve(self, move: Struggle, faces: Sequence[int]) -> Outcome | Need:
        points, used = move.start, 0
        steps = [Step("QW-51", f"The contest begins with {points[0]} to {points[1]} advantage points.")]
        for number, exchange in enumerate(move.exchanges, 1):
            if outcome_of(points):
                steps.append(Step("QW-51", "The contest is over; the exchanges named after it do not take place."))
                break
            if len(faces) < used + 2:
                return Need((SIDES,) * (used + 2 - len(faces)))
            clash = exchange.terms.clash((faces[used], faces[used + 1]))
            used += 2
            following = after(points, exchange, clash)
            start = f"Exchange {number}: "
            steps += [Step(step.rule, start + step.text[0].lower() + step.text[1:]) for step in exchange.terms.steps()]
            steps += [*clash.steps(start), *_bid_steps(exchange, clash, points, following, start)]
            points = following
        if len(faces) > used:
            raise BadMove(f"Enter {used} dice; there are {len(faces)}.", "dice")
        if outcome := outcome_of(points):
            out = {"victory": "the resistance is", "defeat": "the player is", "tie": "both are"}[outcome]
            steps.append(Step("QW-51", f"At 0 or fewer it ends; {out} out of points: a {outcome}."))
        return Outcome({"start": list(move.start), **result_of(points)}, tuple(steps), drawn(faces))

    def odds(self, move: Struggle, of: str) -> dict[Face, Fraction]:
        """The chances of `over`, `outcome` and `points` (written `[20, 4]`) after these exchanges, and of the `winner`.

        The winner is that of the whole contest by the plan of bids: `player`, `resistance`, `tie` where both have no
        points left, None where the rounds of the plan have not decided it.
        """
        if of not in ("over", "outcome", "points", "winner"):
            raise BadMove("Ask for over, outcome, points or winner.", "of")
        if of == "winner" and not move.later:
            raise BadMove("Enter the bids of both sides.", "plan")
        if of == "points":
            return chances({json.dumps(list(points)): ways for points, ways in
                            self._ways(move.start, move.exchanges).items()})
        tally = tallied(move.start, (*move.exchanges, *(move.later if of == "winner" else ())))
        counts: Counter[Face] = Counter()
        for outcome, ways in (("victory", tally.victory), ("defeat", tally.defeat), ("tie", tally.tie),
                              (None, tally.going_on)):
            counts[WINNERS[outcome] if of == "winner" else outcome if of == "outcome" else outcome is not None] += ways
        return chances(counts)

    def _ways(self, start: Points, exchanges: Sequence[Exchange]) -> dict[Points, int]:
        """In how many throws of all exchanges both sides come to which points."""
        over: dict[Points, int] = {}
        ways = {start: 1}
        for exchange in exchanges:
            over = {points: number * SIDES * SIDES for points, number in over.items()}
            moves, following = _moves(exchange), dict[Points, int]()
            for (ours, theirs), number in ways.items():
                for (mine, other), times in moves(_staked((ours, theirs), exchange)):
                    points = ours + mine, theirs + other
                    following[points] = following.get(points, 0) + number * times
            ways = {}
            for points, number in following.items():
                if outcome_of(points):
                    over[points] = over.get(points, 0) + number
                else:
                    ways[points] = number
        return {**over, **ways}


def weighed(ways: Ways, bid: int, aims: tuple[bool, bool] = (False, False)) -> tuple[tuple[Points, int], ...]:
    """In how many throws an exchange for this bid moves both sides' points by how much."""
    moves: Counter[Points] = Counter()
    for outcome, times in ways:
        moves[moved(*outcome, bid, aims)] += times
    return tuple(moves.items())


def _moves(exchange: Exchange) -> Callable[[int], tuple[tuple[Points, int], ...]]:
    """Answers in how many throws an exchange moves both sides' points by how much, for what is staked on it."""
    ways, aims = tuple(levels_led(exchange.terms).items()), (exchange.asymmetrical, False)
    return cache(lambda bid: weighed(ways, bid, aims))


WINNERS = {"victory": "player", "defeat": "resistance", "tie": "tie", None: None}


def tallied(start: Points, exchanges: Sequence[Exchange]) -> Tally:
    """How a contest stands after all these exchanges."""
    tally = begun(start, len(exchanges))
    for exchange in exchanges:
        tally = tally.after(_by_what_is_left(exchange))
    return tally


def _by_what_is_left(exchange: Exchange) -> Moves:
    moves = _moves(exchange)
    return lambda theirs: moves(_staked((0, theirs), exchange))


def result_of(points: Points) -> dict[str, Value]:
    """The contract's fields: the player's points first."""
    return {"points": list(points), "over": outcome_of(points) is not None, "outcome": outcome_of(points)}


def _bid_steps(exchange: Exchange, clash: Clash, points: Points, following: Points, start: str) -> list[Step]:
    # At a table nobody reads totals from a roll (`long/exchanges.py`), so that the sentences can't be the same ones.
    bid = _staked(points, exchange)
    whose = "the player’s" if exchange.by == "player" else "the resistance’s"
    steps = []
    if bid < exchange.bid:
        steps.append(Step("QW-52", f"{start}the resistance stakes no more than the {bid} it has left."))
    elif exchange.by == "player" and bid > points[0]:
        steps.append(Step("QW-52", f"{start}a desperation stake of {bid}, over the {points[0]} that are left."))
    if exchange.asymmetrical and clash.lead > 0:
        return [*steps, Step("QW-53", f"{start}the player gets what the exchange was about, and no points move.")]
    ours, theirs = following[0] - points[0], following[1] - points[1]
    moved = ", ".join(f"{who} {'gains' if by > 0 else 'loses'} {abs(by)}"
                      for who, by in (("the player", ours), ("the resistance", theirs)) if by)
    part = f"{clash.levels} times" if clash.levels else "rounded up, half of"
    stake = f"{part} {whose} bid of {bid}"
    steps.append(Step("QW-51", f"{start}{stake}: {moved or 'nothing moves'}; {following[0]} to {following[1]}."))
    return steps
