"""The exact chances of an exchange by its bid, and of the next rounds by a stated plan of bids (QW-51, QW-52)."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.engine import Act, Forecasts, Sheets, Values
from rules.procedure import Offer
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.extended import lost, moved
from rules.systems.questworlds.long.bids import answer_bid, bid, can_answer_bid, can_bid
from rules.systems.questworlds.long.chances import look_at_all, of_round
from rules.systems.questworlds.long.dice import choice_of, rolled_with
from rules.systems.questworlds.long.extended import UNEQUAL, Bidder, ExtendedState, transferable
from rules.systems.questworlds.roll import Known, counted
from rules.systems.questworlds.tally import THROWS, Moves, Points, Tally, begun
from rules.tables import OddsAnswer
from rules.values import BadMove
from rules.wording import percent

ROUNDS_AHEAD = 6  # so many are counted at most
MOST_COUNTED = 12_000  # how many pairs of points there may be when one more round is
NO_TRANSFER = f"The abilities are {UNEQUAL} or more apart: with a critical, the winner gains no points."


@dataclass(frozen=True)
class Row:
    """What an exchange may come to: how, what it moves on either side, and how likely it is."""

    how: str
    ours: int
    theirs: int
    chance: Fraction


WAYS: Known[tuple[int, int, bool]] = {}


def _ways(terms: Terms) -> tuple[tuple[int, int, bool, int], ...]:
    """In how many throws which side leads, by how many levels, with a critical that transfers."""
    ways_to: Counter[tuple[int, int, bool]] = Counter()
    takes = transferable(terms.edition, terms.ability, terms.resistance)
    for (lead, levels, critical), ways in counted(
            terms.clash((1, 1)), lambda clash: (clash.lead, clash.levels, clash.transfers), WAYS).items():
        ways_to[lead, levels, critical and takes] += ways
    return tuple((*outcome, ways) for outcome, ways in ways_to.items())


def rows(terms: Terms, bid: int) -> tuple[Row, ...]:
    """All that an exchange for this bid may come to, the best first."""
    made = []
    for lead, levels, takes, ways in _ways(terms):
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
    results = _ways(terms)
    moves = {stake: tuple(_weighed(results, stake).items()) for stake in {*range(1, usual + 1), *plan}}
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


def _weighed(results: tuple[tuple[int, int, bool, int], ...], stake: int) -> Counter[Points]:
    moves: Counter[Points] = Counter()
    for lead, levels, takes, ways in results:
        moves[moved(lead, levels, takes, stake)] += ways
    return moves


def of_bid(state: ExtendedState, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of an exchange; what is not told of the other side's total is in none of them (QW-52)."""
    look_at_all(state, sheets)
    answers = offer.action == "answer_bid"
    if not answers:
        first, whom, bid = values.get("who", "") or offer.by, values["whom"], values["bid"]
    else:
        asked = state.bid_of(state.turn)
        if asked is None:
            return ()
        first, whom, bid = asked.whom, asked.who, asked.choice.bid
    me, foe = state.entrant(first), state.entrant(whom)
    if foe.part.resistance is None and foe.using is None:
        return ()
    choice = choice_of(state, sheets, first, values)
    terms = rolled_with(state, first, choice, whom)
    facts = []
    if not transferable(terms.edition, terms.ability, terms.resistance):
        facts.append(NO_TRANSFER)
    has = me.ap if me.armed else terms.score
    worst = has + min(row.ours for row in rows(terms, bid))
    facts.append("At worst this puts you out." if worst <= 0 else f"At worst you are left with {worst}.")
    if answers:
        facts.append("The chance to win in the end is shown when you bid, not when you answer a bid.")
    elif (total := _total(foe)) <= 0:
        facts.append("No chance to win in the end is shown: their points are not known to you.")
    else:
        facts.append(_by_plan(terms, (has, total), (bid, *bids(values.get("plan", ""))), state.edition.bids.bid,
                              "" if foe.asked else f", if they began with {total}"))
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


BID: Act[Any] = Act("bid", can_bid, bid, odds=of_bid)
ANSWER_BID: Act[Any] = Act("answer_bid", can_answer_bid, answer_bid, odds=of_bid)
