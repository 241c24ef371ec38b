"""The exact chances of an exchange by its bid, and of the next rounds by a stated plan of bids (QW-51, QW-52)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rules.odds import chances
from rules.sheet import Sheet
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.extended import lost
from rules.systems.questworlds.long.rounds import choice_of
from rules.systems.questworlds.long.state import State
from rules.tables import OddsAnswer
from rules.wording import percent

Sheets = Mapping[str, Sheet]
Points = tuple[int, int]
ROUNDS_AHEAD = 4  # so many are counted: what points do after that takes too long to say exactly
TONES = (("victory", "Victory", "good"), ("tie", "Tie", "fair"), ("defeat", "Defeat", "bad"))


@dataclass(frozen=True)
class Row:
    """What an exchange may come to: how, what it moves on either side, and how likely it is."""

    how: str
    ours: int
    theirs: int
    chance: Fraction


@lru_cache(maxsize=256)
def _ways(terms: Terms) -> tuple[tuple[int, int, bool, int], ...]:
    """In how many throws which side leads, by how many levels, with a critical that transfers."""
    found: Counter[tuple[int, int, bool]] = Counter()
    for ours, theirs, ways in terms.clash((1, 1)).throws():
        clash = terms.clash((ours, theirs))
        found[clash.lead, clash.levels, clash.transfers] += ways
    return tuple((*key, ways) for key, ways in found.items())


def _moved(lead: int, levels: int, takes: bool, bid: int) -> Points:
    """What an exchange for this bid moves on both sides."""
    loss = lost(bid, levels)
    if not lead:
        return -loss, -loss
    gain = loss if takes else 0
    return (gain, -loss) if lead > 0 else (-loss, gain)


def rows(terms: Terms, bid: int) -> tuple[Row, ...]:
    """All that an exchange for this bid may come to, the best first."""
    made = []
    for lead, levels, takes, ways in _ways(terms):
        how = "by the die" if not levels else f"by {levels} level{'s' if levels > 1 else ''}"
        how = f"{how}, a critical" if takes else how if lead else "a tie"
        made.append(Row(how, *_moved(lead, levels, takes, bid), Fraction(ways, 400)))
    return tuple(sorted(made, key=lambda each: each.theirs - each.ours))


def ahead(terms: Terms, start: Points, bids: Points, rounds: int = ROUNDS_AHEAD) -> tuple[Fraction, Fraction]:
    """The chances to have won and to have lost within so many rounds, when both always bid the same.

    In each round the first side's exchange comes first. The other side never stakes more than it has left.
    """
    found = _ways(terms)
    moves = {stake: tuple(_weighed(found, stake).items()) for stake in {*range(1, bids[1] + 1), bids[0]}}
    now: Counter[Points] = Counter({start: 1})
    won = gone = 0
    for number in range(2 * rounds):
        then: Counter[Points] = Counter()
        won, gone = won * 400, gone * 400
        for (ours, theirs), many in now.items():
            stake = bids[0] if not number % 2 else min(bids[1], theirs)
            for (mine, other), ways in moves[stake]:
                left = ours + mine, theirs + other
                if left[0] <= 0:
                    gone += many * ways
                elif left[1] <= 0:
                    won += many * ways
                else:
                    then[left] += many * ways
        now = then
    whole = 400 ** (2 * rounds)
    return Fraction(won, whole), Fraction(gone, whole)


def _weighed(found: tuple[tuple[int, int, bool, int], ...], stake: int) -> Counter[Points]:
    moves: Counter[Points] = Counter()
    for lead, levels, takes, ways in found:
        moves[_moved(lead, levels, takes, stake)] += ways
    return moves


def of_bid(
    state: State, sheets: Sheets, by: str, action: str, values: Mapping[str, Any]
) -> tuple[tuple[str, OddsAnswer], ...]:
    """The chances of an exchange; what is not told of the other side's total is in none of them (QW-52)."""
    if action == "bid":
        first, whom, bid = values.get("who", "") or by, values["whom"], values["bid"]
    else:
        asked = state.bid_of(state.turn)
        if asked is None:
            return ()
        first, whom, bid = asked.whom, asked.who, asked.choice.bid
    me, foe = state.entrant(first), state.entrant(whom)
    if foe.part.resistance is None and foe.using is None:
        return ()
    choice = choice_of(state, sheets, first, values)
    score, none = state.score_of(whom), state.edition.resolution.no_ability
    terms = Terms(choice.score, state.modifiers(first), none if score is None else score, state.modifiers(whom),
                  down=(state.down(first), state.down(whom)), edition=state.edition)
    told: Counter[str] = Counter()
    for ours, theirs, ways in terms.clash((1, 1)).throws():
        told[terms.clash((ours, theirs)).outcome] += ways
    shares = chances(told)
    facts = _in_words(terms, bid, foe.name)
    has = me.ap if me.armed else terms.score
    worst = has + min(each.ours for each in rows(terms, bid))
    facts.append("At worst this puts you out." if worst <= 0 else f"At worst you are left with {worst}.")
    if foe.asked and action == "bid":
        usual = state.edition.bids.bid
        won, gone = ahead(terms, (has, foe.ap), (bid, usual))
        facts.append(f"With {bid} each time against {usual}: {percent(won)} won and {percent(gone)} lost within "
                     f"{ROUNDS_AHEAD} rounds. Later ones are not counted.")
    return (("This exchange", OddsAnswer(
        tuple((label, shares.get(word, Fraction(0)), tone) for word, label, tone in TONES), tuple(facts))),)


def _in_words(terms: Terms, bid: int, foe: str) -> list[str]:
    """What each difference in results costs either side, and how likely it is."""
    told, found = [], rows(terms, bid)
    for levels in range(4):
        loss = lost(bid, levels)
        won, gone = (sum((each.chance for each in found if _is(each, loss, place, levels)), Fraction(0))
                     for place in (0, 1))
        how = "By the die" if not levels else f"By {levels} level{'s' if levels > 1 else ''}"
        if won or gone:
            told.append(f"{how}: {foe} −{loss}, {percent(won)}; you −{loss}, {percent(gone)}.")
    takes = [sum((each.chance for each in found if "critical" in each.how and (each.ours > 0) == mine), Fraction(0))
             for mine in (True, False)]
    return [*told, f"By a critical the winner gains it: you {percent(takes[0])}, {foe} {percent(takes[1])}."]


def _is(row: Row, loss: int, place: int, levels: int) -> bool:
    """Whether a row is a victory (place 0) or a defeat by so many levels."""
    how = "by the die" if not levels else f"by {levels} level"
    return row.how.startswith(how) and (row.ours if place else row.theirs) == -loss
