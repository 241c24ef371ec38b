"""Bids: what somebody says before the dice, and for how many points (QW-51, QW-52, QW-56).

The exact chances of an exchange are told by its bid, those of the next rounds by a stated plan of bids.
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.engine import after as after_all
from rules.fields import Choice as ChoiceField
from rules.fields import Field, Whole, text
from rules.moves import Need, Step, take
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.questworlds.contest import Terms, levels_led
from rules.systems.questworlds.extended import Ways, lost, moved, weighed
from rules.systems.questworlds.long.chances import look_at_all, of_round
from rules.systems.questworlds.long.dice import abilities, both, choice_of, fall, last_ability, rolled_with, two
from rules.systems.questworlds.long.extended import (
    UNEQUAL,
    Bid,
    Bidder,
    ExtendedState,
    arming,
    by_bidder,
    dice_of,
    transferable,
)
from rules.systems.questworlds.long.pairs import awaited, gms, new_pair
from rules.systems.questworlds.long.rounds import AIMS
from rules.systems.questworlds.long.state import Result
from rules.systems.questworlds.long.values import Contestant
from rules.systems.questworlds.long.why import of_pair
from rules.systems.questworlds.tally import THROWS, Moves, Points, Tally, begun
from rules.tables import OddsAnswer
from rules.values import BadMove, Value
from rules.why import Why
from rules.wording import percent

MOST_BID = 200
ROUNDS_AHEAD = 6  # so many are counted at most
MOST_COUNTED = 12_000  # how many pairs of points there may be when one more round is
NO_TRANSFER = f"The abilities are {UNEQUAL} or more apart: with a critical, the winner gains no points."


@dataclass(frozen=True)
class BidMade(Bid, Event[ExtendedState]):
    """A bid stands."""

    stored = "bid"

    def after(self, state: ExtendedState) -> ExtendedState:
        if self.choice.trait or self.choice.score is not None:
            state = state.with_(self.who, using=self.choice)
        return replace(state, bids=(*state.bids, self))


def _bid(state: ExtendedState, sheets: Sheets, who: str, values: Values) -> tuple[tuple[Event[Any], ...], Step]:
    """What somebody says before the dice, and that it is not more than they may stake (QW-52)."""
    choice = replace(choice_of(state, sheets, who, values), bid=values["bid"])
    armed = arming(state, who, choice)
    bidding = after_all(state, armed).entrant(who)
    most = bidding.most_bid if state.keeper(who) else bidding.ap
    if choice.bid > most:
        over = "what you began with" if most == bidding.start and state.keeper(who) else "what is left"
        raise BadMove(f"Bid at most {over}, {most}.", "bid")
    name, whom = bidding.name, state.name_of(values["whom"])
    desperate = ", a desperation stake" if state.keeper(who) and choice.bid > bidding.ap else ""
    used = f" with {choice.name}" if choice.name else ""
    met: tuple[Event[Any], ...] = ()
    if not any({open_bout.ours, open_bout.theirs} == {who, values["whom"]} for open_bout in state.open_bouts):
        met = (new_pair(state, *state.in_order(who, values["whom"])),)
    return (*armed, *met, BidMade(who, values["whom"], choice)), Step(
        "QW-52" if desperate else "QW-51", f"{name} bids {choice.bid} against {whom}{used}{desperate}.")


def bid(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A bid. One against one it is rolled at once, or answered by another player; in a group all bid first (QW-56)."""
    events, step = _bid(state, sheets, values.get("who", "") or by, values)
    if len(state.fighters) > 2 or state.answered:
        take(faces, 0)
        return Result(events, (step,))
    if (fallen := two(faces)) is None:
        return both(faces)
    after = after_all(state, events)
    ending = fall(after, sheets, dice_of(after, sheets, values.get("who", "") or by, fallen))
    return replace(ending, events=(*events, *ending.events), steps=(*ending.steps[:1], step, *ending.steps[1:]))


def gm_bid(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM bids for an NPC: never more than is left (QW-52)."""
    who, whom = values["who"], state.entrant(values["whom"])
    if whom.part.side == state.entrant(who).part.side:
        raise BadMove("They are on the same side. Choose someone else.", "whom")
    events, step = _bid(state, sheets, who, values)
    return Result(events, (step,))


def can_bid(state: ExtendedState, sheets: Sheets) -> Iterator[Offer]:
    """A bid; one against one when its turn has come."""
    duel, turn = len(state.fighters) == 2, state.turn
    for sheet, mine in by_bidder(state, sheets):
        silent = [bidder for bidder in mine if bidder.id not in state.done and not state.bid_of(bidder.id)
                  and (not duel or turn == bidder.id)]
        if duel:
            silent = [bidder for bidder in silent if not any(state.busy(foe.id) for foe in state.foes(bidder.id))]
        if silent:
            yield _asks_a_bid(state, sheet, silent[0], duel=duel)


def _asks_a_bid(state: ExtendedState, sheet: Sheet, who: Bidder, *, duel: bool) -> Offer:
    """Whom against, with what, for how many points; the first ability says with how many one begins (QW-51)."""
    foes = tuple((foe.id, foe.name) for foe in state.foes(who.id))
    has = f"You have {who.ap} of {who.start}: more than you have is desperate." if who.armed else (
        "Your points begin with the target number of this ability.")
    fields: list[Field] = [
        text("whom", "Opponent", needed=True), text("ability", "Ability"),
        Whole(name="bid", label="Your bid", default=state.edition.bids.bid, least=1, most=MOST_BID, help=has),
        ChoiceField(name="aim", label="Goal", options=AIMS, default=""),
        text("words", "In your words", most=200),
        text("plan", "Bids after this one", "For the chances alone: 5, 8. The last one stays.", most=40),
    ]
    options: dict[str, Options] = {"whom": foes, "ability": abilities(state, sheet)}
    now: dict[str, Value] = {"whom": _last_target(state, who, foes), "ability": last_ability(state, sheet)}
    if who.id != sheet.id:
        fields.append(text("who", "Character", needed=True))
        options["who"] = ((who.id, who.name),)
        now["who"] = who.id
    rolls = duel and not state.answered
    return Offer("bid", sheet.id, "Bid and roll" if rolls else "Bid", "", tuple(fields), options, rolls=rolls,
                 now=now, previews=not rolls)


def _last_target(state: ExtendedState, who: Contestant, foes: Options) -> str:
    faced = [bout.other(who.id) for bout in state.bouts if who.id in (bout.ours, bout.theirs)]
    last = [met.second if met.first == who.id else met.first for _, met in state.record
            if who.id in (met.first, met.second)]
    return next((foe for foe in (*reversed(last), *faced) if foe in dict(foes)), foes[0][0])


def can_bid_as_gm(state: ExtendedState, sheets: Sheets) -> Offer | None:
    """A bid for an NPC."""
    duel, turn = len(state.fighters) == 2, state.turn
    silent = tuple((bidder.id, bidder.name) for bidder in state.fighters
                   if not state.keeper(bidder.id) and bidder.id not in state.done and not state.bid_of(bidder.id)
                   and (not duel or turn == bidder.id) and not state.throws)
    if not silent:
        return None
    foes = tuple((fighter.id, fighter.name) for fighter in state.fighters
                 if any(state.entrant(who).part.side != fighter.part.side for who, _ in silent))
    fields = (text("who", "Character", needed=True), text("whom", "Opponent", needed=True),
              Whole(name="bid", label="Bid", default=state.edition.bids.bid, least=1, most=MOST_BID,
                    help="Never more than is left."))
    first = state.entrant(silent[0][0])
    against = next((bout.other(first.id) for bout in state.bouts_of(first.id)), "")
    facing = against if against in dict(foes) else next(foe.id for foe in state.foes(first.id))
    return Offer("gm_bid", "", "Bid for one of yours", "", fields, {"who": silent, "whom": foes},
                 now={"who": first.id, "whom": facing, "bid": min(state.edition.bids.bid, max(1, first.ap))})


@dataclass(frozen=True)
class Row:
    """What an exchange may come to: how, what it moves on either side, and how likely it is."""

    how: str
    ours: int
    theirs: int
    chance: Fraction


def _ways(terms: Terms) -> Ways:
    """In how many throws which side leads, by how many levels, with a critical that transfers."""
    ways_to: Counter[tuple[int, int, bool]] = Counter()
    takes = transferable(terms.edition, terms.ability, terms.resistance)
    for (lead, by, critical), ways in levels_led(terms).items():
        ways_to[lead, by, critical and takes] += ways
    return tuple(ways_to.items())


def rows(terms: Terms, bid: int) -> tuple[Row, ...]:
    """All that an exchange for this bid may come to, the best first."""
    made = []
    for (lead, levels, takes), ways in _ways(terms):
        how = "by the die" if not levels else f"by {levels} level{'s' if levels > 1 else ''}"
        how = f"{how}, a critical" if takes else how if lead else "a tie"
        made.append(Row(how, *moved(lead, levels, takes, bid), Fraction(ways, 400)))
    return tuple(sorted(made, key=lambda row: row.theirs - row.ours))


def ahead(
    terms: Terms, start: Points, plan: Sequence[int], usual: int, rounds: int = ROUNDS_AHEAD
) -> tuple[Fraction, Fraction, int]:
    """The chances to have won and to have lost by a plan of bids, whose last one stays, and within how many rounds.

    In each round the first side's exchange comes first. The other side always bids the same, never more than it has
    left. As many rounds are counted as take no longer than a person waits for: `rounds` at most, one at least.
    """
    return counted_ahead(_ways(terms), start, tuple(plan), usual, rounds)


@lru_cache(maxsize=512)
def counted_ahead(
    results: Ways, start: Points, plan: tuple[int, ...], usual: int, rounds: int
) -> tuple[Fraction, Fraction, int]:
    """The same by what an exchange may come to: whatever comes to the same numbers is counted once."""
    moves = {stake: weighed(results, stake) for stake in {*range(1, usual + 1), *plan}}
    tally = begun(start, 2 * rounds)

    def by_plan(number: int) -> Moves:
        return lambda theirs: moves[plan[min(number, len(plan) - 1)]]

    for number in range(rounds):
        if number and tally.size > MOST_COUNTED:
            return _chances(tally, number)
        tally = tally.after(by_plan(number)).after(lambda theirs: moves[min(usual, theirs)])
    return _chances(tally, rounds)


def _chances(tally: Tally, rounds: int) -> tuple[Fraction, Fraction, int]:
    whole = THROWS ** (2 * rounds)
    return Fraction(tally.victory, whole), Fraction(tally.defeat + tally.tie, whole), rounds


def of_bid(state: ExtendedState, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of an exchange; what is not told of the other side's total is in none of them (QW-52)."""
    first, foe, bid = values.get("who", "") or offer.by, state.entrant(values["whom"]), values["bid"]

    def in_the_end(terms: Terms, has: int) -> str:
        if (total := _total(foe)) <= 0:
            return "No chance to win in the end is shown: their points are not known to you."
        return _by_plan(terms, (has, total), (bid, *bids(values.get("plan", ""))), state.edition.bids.bid,
                        "" if foe.asked else f", if they began with {total}")
    return _of_exchange(state, sheets, first, foe.id, bid, values, in_the_end)


def of_answer(state: ExtendedState, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The same, for the one whom somebody has bid against."""
    asked = state.bid_of(state.turn)
    if asked is None:
        look_at_all(state, sheets)
        return ()
    return _of_exchange(state, sheets, asked.whom, asked.who, asked.choice.bid, values, lambda terms, has: (
        "The chance to win in the end is shown when you bid, not when you answer a bid."))


def why_bid(state: ExtendedState, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """Why the exchange is rolled against what it is, with the ability that is being chosen."""
    return of_pair(state, sheets, values.get("who", "") or offer.by, values["whom"], values)


def why_answer(state: ExtendedState, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """The same, for the one whom somebody has bid against."""
    asked = state.bid_of(state.turn)
    return of_pair(state, sheets, asked.whom, asked.who, values) if asked else None


def _of_exchange(
    state: ExtendedState, sheets: Sheets, first: str, whom: str, bid: int, values: Values,
    in_the_end: Callable[[Terms, int], str],
) -> Forecasts:
    look_at_all(state, sheets)
    me, foe = state.entrant(first), state.entrant(whom)
    if foe.part.resistance is None and foe.using is None:
        return ()
    terms = rolled_with(state, first, choice_of(state, sheets, first, values), whom)
    facts = []
    if not transferable(terms.edition, terms.ability, terms.resistance):
        facts.append(NO_TRANSFER)
    has = me.ap if me.armed else terms.score
    worst = has + min(row.ours for row in rows(terms, bid))
    facts.append("At worst this puts you out." if worst <= 0 else f"At worst you are left with {worst}.")
    facts.append(in_the_end(terms, has))
    return (("This exchange", OddsAnswer(of_round(terms), tuple(facts), _table(terms, bid))),)


def _total(foe: Bidder) -> int:
    """What the other side has, as far as it is known: as was told, else what it began with while nothing moved (QW-52).

    Who was added unseen is in neither. 0 where nobody can say.
    """
    if foe.asked:
        return foe.ap
    return foe.part.resistance or 0 if not foe.moved else 0


def bids(written: str) -> tuple[int, ...]:
    """A plan of later bids as it is typed, `5, 8`; raises `BadMove`."""
    numbers = [part for part in re.split(r"[,;\s]+", written) if part]
    if len(numbers) > ROUNDS_AHEAD or not all(number.isascii() and number.isdigit() and 0 < int(number) <= 200
                                            for number in numbers):
        raise BadMove(f"Write up to {ROUNDS_AHEAD} bids with commas between them: 5, 8.", "plan")
    return tuple(int(number) for number in numbers)


def _by_plan(terms: Terms, start: Points, plan: Sequence[int], usual: int, known: str) -> str:
    """How the next rounds come out by a plan of bids, and how many of them were counted."""
    won, gone, rounds_ = ahead(terms, start, plan, usual)
    told = f"With {', then '.join(map(str, plan))}" if len(plan) > 1 else f"With {plan[0]} each time"
    within = "in the next round" if rounds_ == 1 else f"within {rounds_} rounds"
    return (f"{told} against {usual}{known}: {percent(won)} won and {percent(gone)} lost {within}. Later ones are not "
            "counted.")


def _table(terms: Terms, bid: int) -> tuple[tuple[str, ...], ...]:
    """What each difference in results costs either side, and how likely it is."""
    made, results = [("", "They", "", "You", "")], rows(terms, bid)
    for levels in range(4):
        loss = lost(bid, levels)
        won, gone = (sum((row.chance for row in results if _is(row, loss, place, levels)), Fraction(0))
                     for place in (0, 1))
        if won or gone:
            how = "By the die" if not levels else f"By {levels} level{'s' if levels > 1 else ''}"
            made.append((how, f"−{loss}", percent(won), f"−{loss}", percent(gone)))
    takes = [sum((row.chance for row in results if "critical" in row.how and (row.ours > 0) == mine), Fraction(0))
             for mine in (True, False)]
    if any(takes):
        made.append(("Critical", "you gain", percent(takes[0]), "they gain", percent(takes[1])))
    if tie := sum((row.chance for row in results if row.how == "a tie"), Fraction(0)):
        made.append(("Tie", f"−{lost(bid, 0)}", percent(tie), f"−{lost(bid, 0)}", percent(tie)))
    return tuple(made)


def _is(row: Row, loss: int, place: int, levels: int) -> bool:
    """Whether a row is a victory (place 0) or a defeat by so many levels."""
    how = "by the die" if not levels else f"by {levels} level"
    return row.how.startswith(how) and (row.ours if place else row.theirs) == -loss


EVENTS = (BidMade,)
BID = awaited(Act("bid", can_bid, bid, odds=of_bid, why=why_bid), "bid for round {round}", "Bid")
GM_BID = awaited(Act("gm_bid", gms(can_bid_as_gm), gm_bid), "bid for round {round}", "Bid")
