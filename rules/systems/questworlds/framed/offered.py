"""Every legal act of a framed contest at one moment, in the order in which a table comes to it."""
from __future__ import annotations

from rules.contests import Offer
from rules.systems.questworlds.framed.asked import (
    Sheets,
    admit,
    answer,
    augment,
    choose,
    give,
    goal,
    hinder,
    last,
    modify,
    of_entrants,
    send_back,
    take_back,
    text,
)
from rules.systems.questworlds.framed.masses import mass
from rules.systems.questworlds.framed.opposing import crowd, oppose, stakes
from rules.systems.questworlds.framed.state import Phase, State
from rules.systems.questworlds.traits import FLAWS, usable


def offers(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """Every legal act now."""
    match state.phase:
        case Phase.FRAME:
            return tuple(_framing(state, sheets))
        case Phase.MODIFY:
            return tuple(_modifying(state, sheets))
        case Phase.ROLL | Phase.POINT:
            return tuple(_rolling(state))
        case Phase.AFTER:
            return tuple(_after(state))
        case Phase.BLANK | Phase.OVER:
            return ()


def _plain(action: str, by: str, title: str, help: str = "", *, rolls: bool = False) -> Offer:
    return Offer(action, by, title, help, rolls=rolls)


def _framing(state: State, sheets: Sheets) -> list[Offer]:
    found = [choose(state, sheets[each.id]) for each in state.entrants
             if each.id in sheets and not (state.pair and each.chosen)]
    return [*found, *_against(state, sheets), *_leaving(state, sheets)]


def _modifying(state: State, sheets: Sheets) -> list[Offer]:
    found: list[Offer | None] = []
    waiting = [each for each in state.proposals if each.open]
    for each in state.entrants:
        against = state.against(each.id)
        if against and against.ending and not each.accepted:
            found.append(Offer("accept", each.id, "Accept that the story may end here", personal=True))
    found += [_plain("roll_augment", each.by, f"Roll for the augment: {each.name}", rolls=True)
              for each in waiting if each.verdict == "roll"][:1]
    found += [answer(state)]
    found += [] if waiting else [_plain("set", "", "The frame stands")]
    found += [modify(state), hinder(state, sheets), last(state, sheets)]
    found += [augment(state, sheet) for sheet in sheets.values() if usable(sheet)]
    for each in state.entrants:
        found += [] if state.pair else [choose(state, sheets[each.id])]
        found.append(admit(state, sheets[each.id]))
        found.append(_plain("back_out", each.id, "Back out", "No dice fall, and nothing is won."))
    found += [*_against(state, sheets), take_back(state), *_leaving(state, sheets)]
    return [each for each in found if each]


def _against(state: State, sheets: Sheets) -> list[Offer]:
    """What stands in the way is the GM's to say, unless two stand against each other."""
    if state.pair:
        return [stakes(state)]
    return [each for each in (oppose(state, sheets), crowd(state), mass(state), send_back(state)) if each]


def _leaving(state: State, sheets: Sheets) -> list[Offer]:
    """Ways out before the dice."""
    found = []
    flaws = of_entrants(state, sheets, FLAWS)
    if flaws and not state.pair:
        found.append(Offer("compel", "", "Compel a flaw", "They act as it dictates: no dice, and 1 experience.",
                           (text("trait", "Which flaw", needed=True),), {"trait": flaws}))
    return [*found, _plain("no_conflict", "", "No conflict", "Both sides can have what they want: no dice fall."),
            _plain("call_off", "", "Call it off")]


def _rolling(state: State) -> list[Offer]:
    found = []
    for each in state.entrants:
        if each.dice is None:
            found.append(_plain("roll", each.id, "Roll", rolls=True))
        elif state.may_spend(each.id):
            found.append(_plain("spend", each.id, "Spend a story point", "One bump up, and the point is gone."))
            found.append(_plain("stand", each.id, "Let it stand"))
    if state.phase is Phase.POINT and not found:
        # The pool ran dry while they thought: somebody has to say that it is how it is.
        found = [_plain("stand", each.id, "Let it stand", "The pool is empty by now.")
                 for each in state.entrants if each.point is None]
    if all(each.dice is None for each in state.entrants):
        found.append(_plain("reopen", "", "Take the frame up again"))
    return [*found, _plain("call_off", "", "Call it off")]


def _after(state: State) -> list[Offer]:
    goals = [goal(state, each.id) for each in state.entrants if state.goal_open(each.id)]
    return [*goals, give(state), *([] if goals else [_plain("close", "", "Leave it at that")])]
