"""The exact chances of a round before it is rolled, and of the whole bout that it stands in.

The whole: this round as it is chosen, the later ones normal on both sides, with the abilities of now. What points or
consequences a bout has can only grow, so that the chance of each state follows from later ones.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rules.engine import Act, Forecasts, Sheets, Values
from rules.procedure import Offer
from rules.systems.questworlds.chained import leads, worn
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.long.chained import ChainedState
from rules.systems.questworlds.long.chances import look_at_all, of_round
from rules.systems.questworlds.long.dice import choice_of, rolled_with
from rules.systems.questworlds.long.pairs import gms
from rules.systems.questworlds.long.rounds import (
    can_choose,
    can_roll_for_two,
    can_roll_round,
    choose,
    each_chooses,
    mover,
    round_,
)
from rules.systems.questworlds.long.scored import FOLLOWER_FALLS
from rules.systems.questworlds.long.state import State
from rules.systems.questworlds.long.values import NO_CHOICE, Bout, Choice
from rules.systems.questworlds.scored import Score, added, outcome_of
from rules.systems.questworlds.scored import to_win as to_win_scored
from rules.tables import OddsAnswer
from rules.wording import percent

BASIS = "Exact: this round so, later ones normal on both sides."
UNCOUNTED = "This may never end: neither falls below 0 by what a defeat can do here. One of you can concede."
TOO_HIGH = "Scores this high are too many to count. It ends when one falls below 0, or concedes."


def terms_of(state: State, bout: Bout, first: str, choice: Choice) -> Terms:
    """What a round would be rolled with."""
    second = bout.other(first)
    return rolled_with(state, first, choice, second, bout.choice(second))


def why_uncounted(state: State) -> str:
    """Why a chained contest has no chance to be told: by rank what a defeat takes has an end, by value it has none."""
    return TOO_HIGH if isinstance(state, ChainedState) and state.harm.by_value else UNCOUNTED


def to_win(state: State, bout: Bout, first: str, choice: Choice) -> Callable[[str, str], Fraction | None]:
    """Answers the chance to win the bout by both sides' tactics in this round; None where it may go on for ever."""
    if isinstance(state, ChainedState):
        chance = _chained(state, bout, first, choice)
        return lambda mine, theirs: chance
    return _scored(state, bout, first, choice)


def _scored(state: State, bout: Bout, first: str, choice: Choice) -> Callable[[str, str], Fraction | None]:
    rule, second = state.edition.scored, bout.other(first)
    place = bout.place(first)
    start = bout.points[place], bout.points[1 - place]
    followers = tuple(bool(state.entrant(who).part.leader) for who in (first, second))
    ways = leads(terms_of(state, bout, first, choice))

    def adds(*tactics: str) -> Counter[Score]:
        """In how many throws a round by these tactics adds what."""
        throws: Counter[Score] = Counter()
        for (lead, rank), times in ways.items():
            throws[added(lead, rank, (tactics[0], tactics[1]), rule)] += times
        return throws

    def over(score: Score, more: Score) -> str | None:
        """As points have it; a follower falls by what one round brings (QW-49)."""
        fallen = [who for who in (0, 1) if followers[who] and more[1 - who] >= FOLLOWER_FALLS]
        return outcome_of(score, rule) or (("defeat", "victory")[fallen[0]] if fallen else None)

    wins = to_win_scored(adds("normal", "normal"), over)

    def answer(mine: str, theirs: str) -> Fraction | None:
        return sum((wins((start[0] + more[0], start[1] + more[1]), more) * times
                    for more, times in adds(mine, theirs).items()), Fraction(0)) / sum(ways.values())

    return answer


def _chained(state: ChainedState, bout: Bout, first: str, choice: Choice) -> Fraction | None:
    """Both go on with what they have until one has to concede (QW-57)."""
    second = state.entrant(bout.other(first))
    terms = terms_of(state, bout, first, choice)
    mine, theirs = (tuple(rank for rank, _ in contestant.hurts) for contestant in (state.entrant(first), second))
    harm = state.harm
    return harm.to_win(worn(terms, -harm.penalty(mine), -harm.penalty(theirs)), mine, theirs)


def forecast(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of a round as it is being chosen, and of its bout."""
    look_at_all(state, sheets)
    bout = state.bout(int(values["bout"]))
    first = mover(state, bout)
    secret = each_chooses(state, bout)
    if secret:
        first = next(who for who in (bout.ours, bout.theirs) if state.keeper(who) == offer.by)
        second = state.entrant(bout.other(first))
        if second.part.resistance is None and second.using is None:
            return ()
        bout = replace(bout, chosen=())  # what the other one chose is no part of what is told
    choice = choice_of(state, sheets, first, values)
    other = bout.choice(bout.other(first)) or NO_CHOICE
    terms = terms_of(state, bout, first, choice)
    facts = []
    if not choice.aim:
        chance = to_win(state, bout, first, choice)(choice.tactic, other.tactic)
        facts.append(why_uncounted(state) if chance is None else
                     f"{percent(chance)} to win against {state.name_of(bout.other(first))} in the end. {BASIS}")
    return (("This round", OddsAnswer(of_round(terms), tuple(facts))),)


ROUND: Act[Any] = Act("round", can_roll_round, round_, odds=forecast)
CHOOSE: Act[Any] = Act("choose", can_choose, choose, odds=forecast)
GM_ROUND: Act[Any] = Act("gm_round", gms(can_roll_for_two), round_, odds=forecast)
