"""An extended contest: bids, in their order, and the exchanges that they are rolled in (QW-51, QW-52, QW-56)."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

from rules.engine import Event, Sheets
from rules.moves import Step
from rules.procedure import Options
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.extended import moved, staked
from rules.systems.questworlds.long.dice import (
    Settled,
    comes_of,
)
from rules.systems.questworlds.long.pairs import WentOut
from rules.systems.questworlds.long.rounds import aimed
from rules.systems.questworlds.long.state import State
from rules.systems.questworlds.long.values import Choice, Contestant, Judged, Throw
from rules.systems.questworlds.older import long_tables as tables
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.roll import Clash

UNEQUAL = 6  # so far apart two abilities give no points over


@dataclass(frozen=True)
class Bidder(Contestant):
    """Somebody in an extended contest, with advantage points."""

    start: int = 0  # what they began with (QW-51)
    ap: int = 0
    armed: bool = False  # whether they have a first ability, and the points of it
    moved: bool = False  # whether some of them have moved since
    asked: bool = False  # whether the total is told (QW-52)
    edge: int = 0
    chance_taken: bool = False

    @property
    def most_bid(self) -> int:
        """The most that a player stakes for them: all they have, or as many as they began with (QW-52)."""
        return max(self.start, self.ap)


@dataclass(frozen=True)
class Bid:
    """Somebody says whom they act against, how, and for how many points (QW-51)."""

    who: str
    whom: str
    choice: Choice


@dataclass(frozen=True)
class ExtendedState(State):
    """An extended contest at one moment: the bids of a round, and who has had their exchange in it."""

    form: ClassVar[str] = "extended"
    rule: ClassVar[str] = "QW-51"
    shot: ClassVar[str] = "last_bid"
    hides_totals: ClassVar[bool] = True
    contestant_kind: ClassVar[type[Contestant]] = Bidder

    contestants: tuple[Bidder, ...] = ()
    bids: tuple[Bid, ...] = ()
    deferred: tuple[str, ...] = ()
    done: tuple[str, ...] = ()

    def entrant(self, who: str) -> Bidder:
        return cast(Bidder, super().entrant(who))

    def contestant(self, who: str) -> Bidder | None:
        return cast("Bidder | None", super().contestant(who))

    def side(self, place: int) -> tuple[Bidder, ...]:
        return cast(tuple[Bidder, ...], super().side(place))

    @property
    def fighters(self) -> tuple[Bidder, ...]:
        return cast(tuple[Bidder, ...], super().fighters)

    @property
    def round_over(self) -> bool:
        return all(bidder.id in self.done for bidder in self.fighters)

    def next_round(self, number: int) -> Self:
        return replace(super().next_round(number), bids=(), deferred=(), done=())

    def bid_of(self, who: str) -> Bid | None:
        """What somebody has bid in this round; None where whoever it was against is out by now (QW-56)."""
        latest = next((bid for bid in reversed(self.bids) if bid.who == who), None)
        against = self.contestant(latest.whom) if latest else None
        return latest if against and against.fights else None

    @property
    def turn(self) -> str:
        """Whose exchange is next in an extended contest; "" while bids are missing, or all have had theirs.

        One against one: whom somebody plays goes first. In a group the highest bid does, and who defers comes last.
        """
        left = [fighter for fighter in self.fighters if fighter.id not in self.done]
        if len(self.fighters) == 2:
            return min(left, key=lambda bidder: (not self.keeper(bidder.id), bidder.part.side)).id if left else ""
        bids = {bidder.id: bid.choice.bid for bidder in left if (bid := self.bid_of(bidder.id))}
        if len(bids) < len(left) or not bids:
            return ""
        return min(bids, key=lambda who: (who in self.deferred, -bids[who]))

    @property
    def answered(self) -> bool:
        """Whether a bid waits for the other player's answer: two players alone, each with an ability of their own."""
        return len(self.fighters) == 2 and all(self.keeper(fighter.id) for fighter in self.fighters)

    def roles(self, who: Contestant) -> Options:
        """Points of a follower come at the beginning, before any of one's own have moved (QW-51)."""
        adds = () if self.entrant(who.id).moved else (("points", "Adds its points to yours"),)
        return (*adds, ("supporter", "In the background"))

    @property
    def by_tables(self) -> bool:
        return self.policy.tables_of_long

    def judged(self, who: Contestant, arc: str) -> Judged:
        """By the last total of whoever has none left (QW-A5)."""
        bidder, foe = self.entrant(who.id), self.entrant(self.bouts_had(who.id)[-1].other(who.id))
        lost = bidder.status != "in" and bidder.ap <= 0
        final = bidder.ap if lost else foe.ap
        row = tables.extended(final)
        total = str(final).replace("-", "−")
        if row is None:
            return Judged(0, (), f"nobody’s points ran out ({total} left), which is a tie.")
        degree = -row.degree if lost else row.degree
        whose = bidder.name if lost else foe.name
        return Judged(degree, (-row.loser if lost else row.winner,), f"{whose} ended at {total}, a {in_words(degree)}.")


@dataclass(frozen=True)
class Advantage(Event[ExtendedState]):
    """Somebody begins with so many advantage points, or with so many more, from followers (QW-51)."""

    who: str
    points: int
    first: bool = False

    def after(self, state: ExtendedState) -> ExtendedState:
        bidder = state.entrant(self.who)
        return state.with_(self.who, start=bidder.start + self.points, ap=bidder.ap + self.points,
                           armed=bidder.armed or self.first)


@dataclass(frozen=True)
class Moved(Event[ExtendedState]):
    """Advantage points are lost, won, or given (QW-51, QW-54)."""

    who: str
    by: int

    def after(self, state: ExtendedState) -> ExtendedState:
        return state.with_(self.who, ap=state.entrant(self.who).ap + self.by, moved=True)


@dataclass(frozen=True)
class Asked(Event[ExtendedState]):
    """Somebody's total is told: some of it has moved (QW-52)."""

    who: str

    def after(self, state: ExtendedState) -> ExtendedState:
        return state.with_(self.who, asked=True)


@dataclass(frozen=True)
class BidMade(Bid, Event[ExtendedState]):
    """A bid stands."""

    stored = "bid"

    def after(self, state: ExtendedState) -> ExtendedState:
        if self.choice.trait or self.choice.score is not None:
            state = state.with_(self.who, using=self.choice)
        return replace(state, bids=(*state.bids, self))


@dataclass(frozen=True)
class Deferred(Event[ExtendedState]):
    """Somebody waits, to act later in the round (QW-56)."""

    who: str

    def after(self, state: ExtendedState) -> ExtendedState:
        return replace(state, deferred=(*state.deferred, self.who))


@dataclass(frozen=True)
class Acted(Event[ExtendedState]):
    """Somebody has had their action in this round."""

    who: str

    def after(self, state: ExtendedState) -> ExtendedState:
        return replace(state, done=(*state.done, self.who))


@comes_of("exchange", ExtendedState, victory="wins", defeat="loses", tie="ties")
def exchanged(state: ExtendedState, sheets: Sheets, throw: Throw, clash: Clash) -> Settled:
    """The loser loses by the bid of whoever acts; a critical takes it over; at 0 or fewer one is out (QW-51)."""
    lies = throw.thrown
    actor = lies.whom
    bid = staked(lies.step, None if state.keeper(actor) else state.entrant(actor).ap)
    aim = lies.choice if actor == lies.first else lies.other
    aims = bool(aim.aim) and actor == lies.first, bool(aim.aim) and actor == lies.second
    events: list[Event[Any]] = [Acted(actor)]
    if not clash.lead:
        moves = zip((lies.first, lies.second), moved(0, 0, False, bid, aims), strict=True)
        return points_move(state, events, [*moves], "Half of the bid, rounded up.")
    winner, loser = (lies.first, lies.second) if clash.lead > 0 else (lies.second, lies.first)
    if aim.aim and winner == actor:
        won, because, words = aimed(state, lies.bout, winner, aim)
        return (*events, *won), because, words, ()
    # An edge or a handicap counts for whoever attacks, where it is the other one who loses (QW-55).
    edge = state.entrant(actor).edge if winner == actor else 0
    takes = clash.transfers and transferable(state.edition, lies.choice.score, lies.resistance)
    by = dict(zip((lies.first, lies.second), moved(clash.lead, clash.levels, takes, max(0, bid + edge), aims),
                  strict=True))
    stake = f"{clash.levels} times the bid of {bid}" if clash.levels else f"half of the bid of {bid}, rounded up"
    if edge:
        stake += f", with {'an edge' if edge > 0 else 'a handicap'} of {abs(edge)}"
    taken = ", which the winner gains by a critical" if takes else ""
    if clash.transfers and not takes:
        taken = f"; the winner gains nothing by the critical, as the abilities are {UNEQUAL} or more apart"
    return points_move(state, events, [(who, by[who]) for who in (loser, winner)],
                       f"{stake[0].upper()}{stake[1:]}{taken}.")


def transferable(edition: Edition, ability: int | None, resistance: int) -> bool:
    """Whether a critical takes points over: not where the abilities, before modifiers, are far apart.

    *Ruling*: it is the exchanges that this is about; a parting shot has a rule of its own.
    """
    score = edition.resolution.no_ability if ability is None else ability
    return abs(score - resistance) < UNEQUAL


def points_move(state: ExtendedState, events: list[Event[Any]], moves: list[tuple[str, int]], why: str) -> Settled:
    """Points move, and whoever has none left is out; totals are nobody's to read here (QW-52)."""
    parts = []
    for who, by in moves:
        if not by:
            continue
        events.append(Moved(who, by))
        parts.append(f"{state.name_of(who)} {'+' if by > 0 else '−'}{abs(by)}")
        if state.entrant(who).fights and state.entrant(who).ap + by <= 0:
            events.append(WentOut(who, "beaten"))
    return tuple(events), (Step("QW-51", why),), f"{', '.join(parts)}." if parts else "Nothing moves.", ()


EVENTS = (Advantage, Moved, Asked, BidMade, Deferred, Acted)
