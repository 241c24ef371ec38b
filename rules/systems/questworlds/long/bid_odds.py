"""The exact chances of an exchange by its bid, and of the next rounds by a stated plan of bids (QW-51, QW-52)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.odds import chances
from rules.sheet import Sheet
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.extended import lost
from rules.systems.questworlds.long.rounds import choice_of
from rules.systems.questworlds.long.state import State
from rules.tables import OddsAnswer, percent

Sheets = Mapping[str, Sheet]
Points = tuple[int, int]
ROUNDS_AHEAD = 5  # so many are counted: what points do after that takes too long to say exactly
TONES = (("victory", "Victory", "good"), ("tie", "Tie", "fair"), ("defeat", "Defeat", "bad"))


@dataclass(frozen=True)
class Row:
    """What an exchange may come to: how, what it moves on either side, and how likely it is."""

    how: str
    ours: int
    theirs: int
    chance: Fraction


def rows(terms: Terms, bid: int) -> tuple[Row, ...]:
    """All that an exchange for this bid may come to, the best first."""
    found: Counter[tuple[int, int, bool]] = Counter()
    for ours, theirs, ways in terms.clash((1, 1)).throws():
        clash = terms.clash((ours, theirs))
        found[clash.lead, clash.levels, clash.transfers] += ways
    made = []
    for (lead, levels, takes), ways in found.items():
        loss = lost(bid, levels)
        how = "by the die" if not levels else f"by {levels} level{'s' if levels > 1 else ''}"
        how = f"{how}, a critical" if takes else how if lead else "a tie"
        if not lead:
            made.append(Row(how, -loss, -loss, Fraction(ways, 400)))
        elif lead > 0:
            made.append(Row(how, loss if takes else 0, -loss, Fraction(ways, 400)))
        else:
            made.append(Row(how, -loss, loss if takes else 0, Fraction(ways, 400)))
    return tuple(sorted(made, key=lambda each: each.theirs - each.ours))


def ahead(terms: Terms, start: Points, bids: Points, rounds: int = ROUNDS_AHEAD) -> tuple[Fraction, Fraction]:
    """The chances to have won and to have lost within so many rounds, when both always bid the same.

    In each round the first side's exchange comes first. The other side never stakes more than it has left.
    """
    moves = [rows(terms, bids[0])]
    ways: Counter[Points] = Counter({start: 1})
    won = gone = 0
    whole = 1
    for _ in range(rounds):
        for place in (0, 1):
            following: Counter[Points] = Counter()
            whole *= 400
            won, gone = won * 400, gone * 400
            for points, number in ways.items():
                step = moves[0] if not place else rows(terms, min(bids[1], points[1]))
                for row in step:
                    now = points[0] + row.ours, points[1] + row.theirs
                    times = number * int(row.chance * 400)
                    if now[1] <= 0 < now[0]:
                        won += times
                    elif now[0] <= 0:
                        gone += times
                    else:
                        following[now] += times
            ways = following
    return Fraction(won, whole), Fraction(gone, whole)


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
    facts = [f"{percent(each.chance)} {each.how}: {_moves(each, foe.name)}" for each in rows(terms, bid)]
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


def _moves(row: Row, foe: str) -> str:
    told = [f"you {'+' if row.ours > 0 else '−'}{abs(row.ours)}"] if row.ours else []
    told += [f"{foe} {'+' if row.theirs > 0 else '−'}{abs(row.theirs)}"] if row.theirs else []
    return ", ".join(told) or "nothing moves"
