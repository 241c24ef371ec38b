"""An extended contest as it stands: what is bid, whose turn it is, and how points come and go (QW-51, QW-56)."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

from rules.engine import Event, Sheets
from rules.moves import Step
from rules.procedure import Options
from rules.sheet import Sheet
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.long.dice import DiceFell, Settled, laid
from rules.systems.questworlds.long.pairs import Joined, WentOut
from rules.systems.questworlds.long.state import Phase, Result, State
from rules.systems.questworlds.long.values import NO_CHOICE, Choice, Contestant, Judged, Line, Part, Thrown
from rules.systems.questworlds.older import long_tables as tables
from rules.systems.questworlds.older.degrees import in_words
from rules.values import BadMove

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
    armed_with: str = ""  # the first ability, by id, and the points that it brought
    brought: int = 0
    on_word: tuple[str, ...] = ()  # what they said themselves that was reckoned into it, by its source

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

        One against one: the player character goes first. In a group the highest bid does, and who defers comes last.
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

    def unsaid(self, line: Line) -> Self:
        """What one begins with is one’s target, and that was reckoned with it (QW-51)."""
        bidder = self.contestant(line.who)
        if bidder is None or line.source not in bidder.on_word:
            return self
        left = tuple(source for source in bidder.on_word if source != line.source)
        return self.with_(line.who, start=bidder.start - line.amount, ap=bidder.ap - line.amount,
                          brought=bidder.brought - line.amount, on_word=left)

    def without_ability(self, who: str, trait: str, *, lie: bool) -> Self:
        """Points that it brought are those of none where dice lie, else the next one brings them; not once they have
        had an exchange. What was bid with it and not rolled is bid again; nobody has bid more than they may (QW-51,
        QW-52)."""
        state, bidder = super().without_ability(who, trait, lie=lie), self.entrant(who)
        mine = [bid for bid in self.bids if (bid.who, bid.choice.trait) == (who, trait)]
        fresh = not bidder.moved and not any(who in (came.first, came.second) for _, came in self.record)
        if fresh and bidder.armed_with == trait:
            none = max(1, state.target(who, NO_CHOICE)) if lie else 0
            less = bidder.brought - none
            state = state.with_(who, start=bidder.start - less, ap=bidder.ap - less, armed=lie, armed_with="",
                                brought=none, on_word=bidder.on_word if lie else ())
        most = state.entrant(who).most_bid
        return replace(state, bids=tuple(
            replace(bid, choice=replace(bid.choice.unfit, bid=min(most, bid.choice.bid))) if bid in mine else bid
            for bid in state.bids if lie or bid not in mine or who in state.done))

    def staked(self, dice: Thrown) -> int:
        """A bid, as far as whoever acts may still bid it (QW-52)."""
        acts = self.contestant(dice.whom) if dice.kind == "exchange" and self.keeper(dice.whom) else None
        return min(dice.step, acts.most_bid) if acts else dice.step

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
    ability: str = ""  # the first one, by id; older entries did not say so

    def after(self, state: ExtendedState) -> ExtendedState:
        bidder = state.entrant(self.who)
        said = tuple(line.source for line in state.lines if line.said_by and line.who == self.who and self.first)
        return state.with_(self.who, start=bidder.start + self.points, ap=bidder.ap + self.points,
                           armed=bidder.armed or self.first,
                           armed_with=self.ability or bidder.armed_with, on_word=(*bidder.on_word, *said),
                           brought=self.points if self.first else bidder.brought)


@dataclass(frozen=True)
class Moved(Event[ExtendedState]):
    """Advantage points are lost, won, or given (QW-51, QW-54)."""

    who: str
    by: int

    def after(self, state: ExtendedState) -> ExtendedState:
        return state.with_(self.who, ap=state.entrant(self.who).ap + self.by, moved=True)


def transferable(edition: Edition, ability: int | None, resistance: int) -> bool:
    """Whether a critical takes points over: not where the abilities, before modifiers, are far apart.

    *Ruling*: it is the exchanges that this is about; a parting shot has a rule of its own.
    """
    score = edition.resolution.no_ability if ability is None else ability
    return abs(score - resistance) < UNEQUAL


def arming(state: ExtendedState, who: str, choice: Choice) -> tuple[Event[Any], ...]:
    """The points that the first ability brings, with all that counts for it (QW-51)."""
    bidder = state.entrant(who)
    if bidder.armed:
        return ()
    target = state.target(who, choice)
    if target <= 0:
        raise BadMove("This would bring no advantage points. Begin with another ability.", "ability")
    return (Advantage(who, target, True, choice.trait),)


def adds_points(made: Part, by: str) -> Result:
    """A follower takes part for the points that it is good for, which its leader has from now on (QW-51)."""
    points = made.resistance or 0
    step = Step("QW-51", f"{made.name} adds {points} advantage points.")
    return Result((Joined(made), Advantage(by, points)), (step,))


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


def by_bidder(state: ExtendedState, sheets: Sheets) -> Iterator[tuple[Sheet, list[Bidder]]]:
    """Each player's sheet, with those of theirs who stand and whose dice do not wait."""
    if state.phase is Phase.ROUNDS:
        for by in state.settings.players:
            if by in sheets and not state.busy(by):
                yield sheets[by], [state.entrant(entrant.id) for entrant in state.own(by)
                                   if entrant.fights and not state.busy(entrant.id)]


def dice_of(
    state: ExtendedState, sheets: Sheets, actor: str, dice: tuple[int, int], answer: Choice | None = None
) -> DiceFell:
    """The dice of an exchange, from the side of the player character."""
    bid = state.bid_of(actor) or Bid(actor, next(state.foes(actor)).id, NO_CHOICE)
    first, second = (actor, bid.whom) if state.keeper(actor) or not state.keeper(bid.whom) else (bid.whom, actor)
    choices = {actor: bid.choice, bid.whom: answer or state.entrant(bid.whom).using or NO_CHOICE}
    mine, theirs = (_with_score(state, who, choices[who]) for who in (first, second))
    return laid(
        state, "exchange", first, mine, dice, second=second, other=theirs, bout=_bout(state, first, second),
        deciders=(state.keeper(first), state.keeper(second)), whom=actor, step=bid.choice.bid)


def _with_score(state: ExtendedState, who: str, choice: Choice) -> Choice:
    part = state.entrant(who).part
    return choice if part.resistance is None else replace(choice, name=part.ability, score=part.resistance)


def _bout(state: ExtendedState, first: str, second: str) -> int:
    return next((bout.number for bout in state.open_bouts if {bout.ours, bout.theirs} == {first, second}), -1)


EVENTS = (Advantage, Moved)
