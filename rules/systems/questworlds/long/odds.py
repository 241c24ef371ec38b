"""The exact chances of a round before it is rolled, and of the whole bout that it stands in.

The whole: this round as it is chosen, the later ones normal on both sides, with the abilities of now. What points or
consequences a bout has can only grow, so that the chance of each state follows from later ones.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rules.odds import chances
from rules.sheet import Sheet
from rules.systems.questworlds.chained import leads, penalty, worn
from rules.systems.questworlds.chained import to_win as chain
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.long.bid_odds import of_bid
from rules.systems.questworlds.long.events import Choice
from rules.systems.questworlds.long.rounds import choice_of, each_chooses, mover
from rules.systems.questworlds.long.scored_rounds import FOLLOWER_FALLS
from rules.systems.questworlds.long.state import NO_CHOICE, Bout, State
from rules.systems.questworlds.older.long_tables import to_win as chain_by_table
from rules.systems.questworlds.older.options import LONG_TABLES
from rules.systems.questworlds.scored import points
from rules.tables import OddsAnswer
from rules.wording import percent

Sheets = Mapping[str, Sheet]
Forecasts = tuple[tuple[str, OddsAnswer], ...]
Pair = tuple[int, int]
TONES = (("victory", "Victory", "good"), ("tie", "Tie", "fair"), ("defeat", "Defeat", "bad"))


def terms_of(state: State, bout: Bout, first: str, choice: Choice) -> Terms:
    """What a round would be rolled with."""
    second = bout.other(first)
    score, none = state.score_of(second, bout.choice(second)), state.edition.resolution.no_ability
    return Terms(choice.score, state.modifiers(first), none if score is None else score, state.modifiers(second),
                 down=(state.down(first), state.down(second)), edition=state.edition)


def of_round(terms: Terms) -> tuple[tuple[str, Fraction, str], ...]:
    """Victory, tie and defeat of a round."""
    counts: Counter[str] = Counter()
    for ours, theirs, ways in terms.clash((1, 1)).throws():
        counts[terms.clash((ours, theirs)).outcome] += ways
    chance_of = chances(counts)
    return tuple((label, chance_of.get(word, Fraction(0)), tone) for word, label, tone in TONES)


def to_win(state: State, bout: Bout, first: str, choice: Choice) -> Callable[[str, str], Fraction | None]:
    """Answers the chance to win the bout by both sides' tactics in this round; None where it may go on for ever."""
    if state.form == "chained":
        found = _chained(state, bout, first, choice)
        return lambda mine, theirs: found
    return _scored(state, bout, first, choice)


def _scored(state: State, bout: Bout, first: str, choice: Choice) -> Callable[[str, str], Fraction | None]:
    rule, second = state.edition.scored, bout.other(first)
    place = bout.place(first)
    start = bout.points[place], bout.points[1 - place]
    followers = tuple(bool(state.entrant(who).part.leader) for who in (first, second))
    ways = {(lead, rank): times for lead, rank, times in leads(terms_of(state, bout, first, choice))}
    whole = sum(ways.values())
    known: dict[Pair, Fraction] = {}

    def gets(lead: int, rank: int, mine: str, theirs: str) -> Pair:
        if not lead:
            return 0, 0
        return (points(rank, mine, theirs, rule), 0) if lead > 0 else (0, points(rank, theirs, mine, rule))

    def after(score: Pair, more: Pair) -> Fraction:
        """The chance once a round has added so much."""
        now = score[0] + more[0], score[1] + more[1]
        if now[0] >= rule.to_win or (followers[1] and more[0] >= FOLLOWER_FALLS):
            return Fraction(1)
        if now[1] >= rule.to_win or (followers[0] and more[1] >= FOLLOWER_FALLS):
            return Fraction(0)
        return wins(now)

    def wins(score: Pair) -> Fraction:
        if score not in known:
            moves = {(lead, rank): times for (lead, rank), times in ways.items() if lead}
            known[score] = sum((after(score, gets(*each, "normal", "normal")) * times
                                for each, times in moves.items()), Fraction(0)) / sum(moves.values())
        return known[score]

    def answer(mine: str, theirs: str) -> Fraction | None:
        return sum((after(start, gets(*each, mine, theirs)) * times for each, times in ways.items()),
                   Fraction(0)) / whole

    return answer


def _chained(state: State, bout: Bout, first: str, choice: Choice) -> Fraction | None:
    """Both go on with what they have until one has to concede (QW-57)."""
    second = state.entrant(bout.other(first))
    terms = terms_of(state, bout, first, choice)
    mine, theirs = (tuple(rank for rank, _ in each.hurts) for each in (state.entrant(first), second))
    by_table = state.on(LONG_TABLES)
    by_value = by_table or state.settings.by_value
    bare = worn(terms, -penalty(mine, by_value, state.edition), -penalty(theirs, by_value, state.edition))
    if by_table:
        return chain_by_table(bare, mine, theirs)
    return chain(bare, mine, theirs, state.settings.by_value)


def forecast(state: State, sheets: Sheets, by: str, action: str, values: Mapping[str, Any]) -> Forecasts:
    """The chances of a round as it is being chosen, and of its bout."""
    for each in state.contestants:
        sheets.get(each.id)  # their numbers are in the state: who may not know one of them may not know these odds
    if action in ("bid", "answer_bid"):
        return of_bid(state, sheets, by, action, values)
    if action not in ("round", "choose", "gm_round"):
        return ()
    bout = state.bout(int(values["bout"]))
    first = mover(state, bout)
    secret = each_chooses(state, bout)
    if secret:
        first = next(who for who in (bout.ours, bout.theirs) if state.keeper(who) == by)
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
        facts.append(UNCOUNTED if chance is None else
                     f"{percent(chance)} to win against {state.name_of(bout.other(first))} in the end. {BASIS}")
    return (("This round", OddsAnswer(of_round(terms), tuple(facts))),)


BASIS = "Exact: this round so, later ones normal on both sides."
UNCOUNTED = "No chance to win in the end is shown: this can go on for more rounds than we can count."
