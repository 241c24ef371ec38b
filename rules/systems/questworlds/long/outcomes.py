"""How dice come out: a round of each kind of contest, and what else is rolled for beside the rounds.

Consequences and benefits, and what is learned, come after the whole contest, in `aftermath.py`.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce

from rules.moves import Step
from rules.sheet import Effect, Sheet
from rules.systems.questworlds.contest import roll_of
from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.long.chained_rounds import chained_round
from rules.systems.questworlds.long.evolve import evolve
from rules.systems.questworlds.long.extended_rounds import (
    chance,
    exchanged,
    given,
    lent,
    overreached,
)
from rules.systems.questworlds.long.helping import assisted, parted_with, removed, unrelated
from rules.systems.questworlds.long.scored_rounds import scored_round
from rules.systems.questworlds.long.state import NOBODY, State, Throw
from rules.systems.questworlds.roll import Clash, Names
from rules.values import Value

Sheets = Mapping[str, Sheet]
# events, reasons, what is said of it in a few words, effects
Came = tuple[tuple[e.Event, ...], tuple[Step, ...], str, tuple[Effect, ...]]
Settling = Callable[[State, Sheets, Throw, Clash], Came]

ROUNDS: Mapping[str, Settling] = {"scored": scored_round, "chained": chained_round}
BESIDE: Mapping[str, Settling] = {
    "exchange": exchanged, "gift": given, "lend": lent, "second_chance": chance, "assist": assisted,
    "unrelated": unrelated, "parting": parted_with, "remove": removed, "last_bid": overreached,
}
WORDS: Mapping[str, Mapping[str, str]] = {
    "round": {"victory": "wins", "defeat": "loses", "tie": "ties"},
    "exchange": {"victory": "wins", "defeat": "loses", "tie": "ties"},
    "gift": {"victory": "helps", "defeat": "helps the wrong one", "tie": "changes nothing"},
    "lend": {"victory": "lends points", "defeat": "loses the points", "tie": "loses the points"},
    "second_chance": {"victory": "comes back", "defeat": "stays down", "tie": "stays down"},
    "assist": {"victory": "helps", "defeat": "makes it worse", "tie": "changes nothing"},
    "unrelated": {"victory": "succeeds", "defeat": "fails", "tie": "gets nothing of it"},
    "parting": {"victory": "has the last word", "defeat": "overreaches", "tie": "changes nothing"},
    "last_bid": {"victory": "has the last word", "defeat": "overreaches", "tie": "changes nothing"},
    "remove": {"victory": "succeeds", "defeat": "fails", "tie": "changes nothing"},
}
WINNERS = ("QW-13", "QW-14")


def settle(state: State, sheets: Sheets, throw: Throw) -> e.Result:
    """What comes of dice that nobody has anything more to say about."""
    lies, clash = throw.thrown, state.clash(throw)
    way = ROUNDS[state.form] if lies.kind == "round" else BESIDE[lies.kind]
    events, reasons, text, effects = way(state, sheets, throw, clash)
    ours, theirs = (each.word for each in clash.results)
    resolved = e.Resolved(
        lies.kind, lies.bout, lies.first, lies.second, (lies.first_name, lies.second_name),
        (lies.choice.name, lies.other.name), (lies.choice.tactic, lies.other.tactic), lies.dice, (ours, theirs),
        clash.outcome, clash.rank, text, lies.whom, lies.choice.aim)
    found: tuple[e.Event, ...] = (resolved, *events)
    after = reduce(evolve, found, state)
    verb = WORDS[lies.kind][clash.outcome]
    by = f" by rank {clash.rank}" if clash.rank else ""
    against = f" against {lies.second_name}" if lies.second_name else ""
    where = f"Round {state.round}: " if lies.kind in ("round", "exchange") else ""
    rule = {"scored": "QW-43", "chained": "QW-57", "extended": "QW-51"}[state.form]
    first = Step(rule, f"{where}{lies.first_name} {verb}{against}{by}. {text}".rstrip())
    outs = tuple(_gone(after, each) for each in events if isinstance(each, e.Out))
    result: dict[str, Value] = {"outcome": clash.outcome, "rank": clash.rank}
    return e.Result(found, (first, *why(state, throw), *reasons, *outs), result, effects=effects,
                    rolls=(roll_of(state.terms(throw), lies.dice),))


def why(state: State, throw: Throw, *, winners: bool = True) -> tuple[Step, ...]:
    """Why, in the contract's own steps, with the names of those who rolled."""
    lies = throw.thrown
    names = Names(lies.first_name, lies.second_name or "the resistance", state.settings.symbol)
    steps = (*state.terms(throw).steps(names), *state.clash(throw).steps(names=names))
    return steps if winners else tuple(each for each in steps if each.rule not in WINNERS)


def _gone(state: State, out: e.Out) -> Step:
    """That somebody is out, and whether that was the last of a side."""
    name = state.name_of(out.who)
    how = {"beaten": f"{name} is out.", "left": f"{name} gets away.", "conceded": f"{name} concedes.",
           "removed": f"{name} is taken out of it."}[out.how]
    ends = dict(enumerate(state.settings.sides)).get(NOBODY if state.won_by is None else state.won_by)
    return Step("QW-47", f"{how} The prize goes to {ends}: nobody else stands." if ends else how)


