"""Advantage points from elsewhere: followers, lending, gifts, a second chance, coming back (QW-51, QW-53 to QW-56)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.moves import Need, Step, take
from rules.sheet import Sheet, SpendShared
from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.long.rounds import choice_of, fall
from rules.systems.questworlds.long.state import NO_CHOICE, POOL, State
from rules.systems.questworlds.roll import SIDES
from rules.values import BadMove

Sheets = Mapping[str, Sheet]
Values = Mapping[str, Any]
SECOND_CHANCE = 1  # story points that it costs (QW-56)


def _dice(faces: Sequence[int]) -> tuple[int, int] | None:
    return None if take(faces, 2) is None else (faces[0], faces[1])


def reinforce(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """Followers whom the players do not see add what they are good for (QW-51)."""
    found, points = state.entrant(values["whom"]), values["points"]
    step = Step("QW-51", f"{found.name} begins with {points} more, unseen by the players.")
    return e.Result((e.Advantage(found.id, points),), (step,), sealed=True)


def edge(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """An edge, or a handicap (QW-55)."""
    found, number = state.entrant(values["whom"]), values["edge"]
    what = "no edge" if not number else f"{'an edge' if number > 0 else 'a handicap'} of {abs(number)}"
    return e.Result((e.Edged(found.id, number),), (Step("QW-55", f"{found.name} has {what}."),))


def lend(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """Points of one's own for somebody on one's side, against as many (QW-54)."""
    many = values["points"]
    if many > state.entrant(by).ap:
        raise BadMove(f"You have {state.entrant(by).ap} points.", "points")
    dice = _dice(faces)
    if dice is None:
        return Need((SIDES,) * (2 - len(faces)))
    choice = choice_of(state, sheets, by, values)
    return fall(state, sheets, e.Thrown(
        "lend", -1, by, sheets[by].name, "", "what it takes", choice, NO_CHOICE, state.modifiers(by), many, (),
        (state.down(by), 0), dice, (state.keeper(by), ""), values["whom"], many))


def gift(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """Points from somebody who is not in it, against twice as many (QW-54)."""
    choice, many = choice_of(state, sheets, by, values), values["points"]
    target = state.edition.resolution.no_ability if choice.score is None else choice.score
    if many > target:
        raise BadMove(f"Give at most your target number, {target}.", "points")
    dice = _dice(faces)
    if dice is None:
        return Need((SIDES,) * (2 - len(faces)))
    whom = values["whom"]
    foe = next((each.other(whom) for each in state.bouts_of(whom)), "") or next(
        (each.id for each in state.foes(whom)), "")
    return fall(state, sheets, e.Thrown(
        "gift", -1, by, sheets[by].name, foe, "what it takes", choice, NO_CHOICE, (), 2 * many, (), (0, 0), dice,
        (by, ""), whom, many))


def second_chance(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """Once, for a story point: a contest against the points that one is below 0 (QW-56)."""
    dice = _dice(faces)
    if dice is None:
        return Need((SIDES,) * (2 - len(faces)))
    choice, below = choice_of(state, sheets, by, values), -state.entrant(by).ap
    # The point is the price of it: it brings no bump, and no other one is spent on it.
    ending = fall(state, sheets, e.Thrown(
        "second_chance", -1, by, sheets[by].name, "", "what beat them", choice, NO_CHOICE, state.modifiers(by), below,
        (), (state.down(by), 0), dice, ("", "")))
    paid = Step("QW-56", f"{sheets[by].name} spends a story point for a second chance.")
    return replace(ending, steps=(*ending.steps[:1], paid, *ending.steps[1:]),
                   effects=(SpendShared(POOL, -SECOND_CHANCE), *ending.effects))


def rejoin(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """Who got away comes back, with the points that they left with (QW-53)."""
    found = state.entrant(by)
    step = Step("QW-53", f"{found.name} is back in it, with the points that they left with.")
    return e.Result((e.Returned(by, "rejoined"), e.Acted(by)), (step,))


def restore(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The GM gives points back to whoever came back with something that changes things (QW-53)."""
    found, points = state.entrant(values["whom"]), values["points"]
    step = Step("QW-53", f"{found.name} gets {points} advantage points back: {values['reason']}")
    return e.Result((e.Moved(found.id, points),), (step,))


def last_bid(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """A parting shot: one more bid at somebody who has just fallen, for a further prize (QW-53)."""
    own = state.entrant(by)
    if values["bid"] > own.most_bid:
        over = "what you began with" if own.most_bid == own.start else "what is left"
        raise BadMove(f"Bid at most {over}, {own.most_bid}.", "bid")
    dice = _dice(faces)
    if dice is None:
        return Need((SIDES,) * (2 - len(faces)))
    whom, none = values["whom"], state.edition.resolution.no_ability
    choice, score = choice_of(state, sheets, by, values), state.score_of(whom)
    return fall(state, sheets, e.Thrown(
        "last_bid", -1, by, sheets[by].name, whom, state.name_of(whom), choice,
        state.entrant(whom).using or NO_CHOICE, state.modifiers(by), none if score is None else score,
        state.modifiers(whom), (state.down(by), state.down(whom)), dice, (state.keeper(by), state.keeper(whom)), whom,
        values["bid"]))
