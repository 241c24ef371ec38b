"""Bids, and the exchanges that they are rolled in (QW-51, QW-52, QW-53, QW-56)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from rules.moves import Need, Step, take
from rules.sheet import Sheet
from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.long.evolve import evolve
from rules.systems.questworlds.long.rounds import choice_of, fall
from rules.systems.questworlds.long.state import NO_CHOICE, State
from rules.systems.questworlds.roll import SIDES
from rules.values import BadMove

Sheets = Mapping[str, Sheet]
Values = Mapping[str, Any]


def _arming(state: State, who: str, choice: e.Choice) -> tuple[e.Event, ...]:
    """The points that the first ability brings, with all that counts for it (QW-51)."""
    found = state.entrant(who)
    if found.armed:
        return ()
    target = state.target(who, choice)
    if target <= 0:
        raise BadMove("This would bring no advantage points. Begin with another ability.", "ability")
    return (e.Advantage(who, target, True),)


def _bid(state: State, sheets: Sheets, who: str, values: Values) -> tuple[tuple[e.Event, ...], Step]:
    """What somebody says before the dice, and that it is not more than they may stake (QW-52)."""
    choice = replace(choice_of(state, sheets, who, values), bid=values["bid"])
    arming = _arming(state, who, choice)
    found = reduce(evolve, arming, state).entrant(who)
    most = found.most_bid if state.keeper(who) else found.ap
    if choice.bid > most:
        over = "what you began with" if most == found.start and state.keeper(who) else "what is left"
        raise BadMove(f"Bid at most {over}, {most}.", "bid")
    name, whom = found.name, state.name_of(values["whom"])
    desperate = ", a desperation stake" if state.keeper(who) and choice.bid > found.ap else ""
    used = f" with {choice.name}" if choice.name else ""
    met: tuple[e.Event, ...] = ()
    if not any({each.ours, each.theirs} == {who, values["whom"]} for each in state.open_bouts):
        pair = state.in_order(who, values["whom"])
        met = (e.Paired(len(state.bouts), *pair),)
    return (*arming, *met, e.Bid(who, values["whom"], choice)), Step(
        "QW-52" if desperate else "QW-51", f"{name} bids {choice.bid} against {whom}{used}{desperate}.")


def bid(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """A bid. One against one it is rolled at once, or answered by another player; in a group all bid first (QW-56)."""
    events, step = _bid(state, sheets, values.get("who", "") or by, values)
    if len(state.fighters) > 2 or state.answered:
        take(faces, 0)
        return e.Result(events, (step,))
    if take(faces, 2) is None:
        return Need((SIDES,) * (2 - len(faces)))
    after = reduce(evolve, events, state)
    ending = fall(after, sheets, _exchange(after, sheets, values.get("who", "") or by, (faces[0], faces[1])))
    return replace(ending, events=(*events, *ending.events), steps=(*ending.steps[:1], step, *ending.steps[1:]))


def _exchange(
    state: State, sheets: Sheets, actor: str, dice: tuple[int, int], answer: e.Choice | None = None
) -> e.Thrown:
    """The dice of an exchange, from the side of whom somebody plays."""
    bid = state.bid_of(actor) or e.Bid(actor, next(state.foes(actor)).id, NO_CHOICE)
    first, second = (actor, bid.whom) if state.keeper(actor) or not state.keeper(bid.whom) else (bid.whom, actor)
    choices = {actor: bid.choice, bid.whom: answer or state.entrant(bid.whom).using or NO_CHOICE}
    mine, theirs = (_with_score(state, who, choices[who]) for who in (first, second))
    none = state.edition.resolution.no_ability
    return e.Thrown(
        "exchange", _bout(state, first, second), first, state.name_of(first), second, state.name_of(second), mine,
        theirs, state.modifiers(first), none if theirs.score is None else theirs.score, state.modifiers(second),
        (state.down(first), state.down(second)), dice, (state.keeper(first), state.keeper(second)), actor,
        bid.choice.bid)


def _with_score(state: State, who: str, choice: e.Choice) -> e.Choice:
    part = state.entrant(who).part
    return choice if part.resistance is None else replace(choice, name=part.ability, score=part.resistance)


def _bout(state: State, first: str, second: str) -> int:
    return next((each.number for each in state.open_bouts if {each.ours, each.theirs} == {first, second}), -1)


def exchange(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """One's own exchange, when its turn has come (QW-56)."""
    if take(faces, 2) is None:
        return Need((SIDES,) * (2 - len(faces)))
    return fall(state, sheets, _exchange(state, sheets, values.get("who", "") or by, (faces[0], faces[1])))


def answer_bid(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """The answer to a bid of the GM's side, or of another player, with an ability of one's own (QW-51)."""
    if take(faces, 2) is None:
        return Need((SIDES,) * (2 - len(faces)))
    actor = state.turn
    against = state.bid_of(actor)
    who = against.whom if against else by
    choice = choice_of(state, sheets, who, values)
    arming = _arming(state, who, choice)
    after = reduce(evolve, arming, state)
    ending = fall(after, sheets, _exchange(after, sheets, actor, (faces[0], faces[1]), choice))
    return replace(ending, events=(*arming, *ending.events))


def gm_bid(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The GM bids for one whom nobody plays: never more than is left (QW-52)."""
    who, whom = values["who"], state.entrant(values["whom"])
    if whom.part.side == state.entrant(who).part.side:
        raise BadMove("They are on the same side. Choose somebody else.", "whom")
    events, step = _bid(state, sheets, who, values)
    return e.Result(events, (step,))


def gm_exchange(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """An exchange between two whom nobody plays."""
    if take(faces, 2) is None:
        return Need((SIDES,) * (2 - len(faces)))
    return fall(state, sheets, _exchange(state, sheets, state.turn, (faces[0], faces[1])))


def defer(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """Somebody lets others act first; they may come in at any point (QW-56)."""
    who = values.get("who", "") or by
    return e.Result((e.Deferred(who),), (Step("QW-56", f"{state.name_of(who)} waits, to act later in this round."),))


def ask(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The total of an opponent is told, once some of it has moved (QW-52)."""
    found = state.entrant(values["whom"])
    step = Step("QW-52", f"{found.name} has {notation_of(found.ap)} advantage points.")
    return e.Result((e.Asked(found.id),), (step,))


def notation_of(points: int) -> str:
    """Points as a number, never as masteries."""
    return f"−{-points}" if points < 0 else str(points)

