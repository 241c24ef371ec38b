"""Who crosses blades with whom: pairs and trios, a squad being one, and gangs (PS-20, PS-21, PS-26)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Step
from rules.systems.pdq_sharp.duel import initiative
from rules.systems.pdq_sharp.duel.events import BackedUp, BrokeOff, Ceded, Engaged, Event, HeldBack, Result
from rules.systems.pdq_sharp.duel.evolve import evolve
from rules.systems.pdq_sharp.duel.state import Fencer, State
from rules.systems.pdq_sharp.duel.trays import Sheets
from rules.systems.pdq_sharp.kinds import LIEUTENANT
from rules.systems.pdq_sharp.reading import minions_left, modifier_of
from rules.values import BadMove
from rules.wording import join, signed

MOST_FOES, MOST_TOGETHER = 2, 3
SMALL_SQUAD = 3

Values = Mapping[str, Any]


def possible(state: State, who: Fencer) -> tuple[Fencer, ...]:
    """Whom somebody may engage now: at most two foes each, and nobody in more than a trio (PS-21)."""
    mine = state.foes_of(who.id)
    if len(mine) >= MOST_FOES:
        return ()
    return tuple(
        each for each in state.standing
        if each.side != who.side and each.id not in mine and len(state.foes_of(each.id)) < MOST_FOES
        and len(state.reach(who.id) | state.reach(each.id)) <= MOST_TOGETHER
    )


def friends(state: State, who: Fencer) -> tuple[Fencer, ...]:
    """Whom somebody may back: a friend who has a foe (PS-26)."""
    return tuple(
        each for each in state.standing
        if each.side == who.side and each.id != who.id and state.foes_of(each.id) and not each.squad
    ) if not who.squad else ()


def idle(state: State, who: Fencer) -> bool:
    """Whether there is nothing for them to do this turn."""
    return not possible(state, who) and not friends(state, who)


def engage(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """One foe, or two (PS-21)."""
    foes, now = tuple(values["foes"]), state
    for foe in foes:
        if foe not in {each.id for each in possible(now, now.fencer(by))}:
            raise BadMove(f"{state.names(foes)} can’t be engaged together: two foes at most, and nobody is in more "
                          "than a pair or a trio.", "foes")
        now = evolve(now, Engaged(by, (foe,)))
    return Result((Engaged(by, foes),), (Step("PS-21", f"{state.fencer(by).name} engages {state.names(foes)}."),))


def engage_npcs(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM's NPCs, as long as it is their turn to look for a foe: each takes the one with the fewest foes."""
    events: list[Event] = []
    steps: list[Step] = []
    while state.undecided and not state.undecided[0].player:
        who = state.undecided[0]
        event, step = _first_best(state, sheets, who)
        events.append(event)
        steps.append(step)
        state = evolve(state, event)
    return Result(tuple(events), tuple(steps))


def _first_best(state: State, sheets: Sheets, who: Fencer) -> tuple[Event, Step]:
    if open_to := possible(state, who):
        foe = min(open_to, key=lambda each: len(state.foes_of(each.id)))
        return Engaged(who.id, (foe.id,)), Step("PS-21", f"{who.name} engages {foe.name}.")
    if found := friends(state, who):
        return BackedUp(who.id, found[0].id, who.fortes), _backs(state, sheets, who, found[0], who.fortes)
    return HeldBack(who.id), Step("PS-21", f"{who.name} stays out of it this turn.")


def back_up(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A gang: one rolls, the others add their MODs (PS-26)."""
    who, whom, fortes = state.fencer(by), state.fencer(values["whom"]), tuple(values["fortes"])
    steps = [_backs(state, sheets, who, whom, fortes)]
    if bad := bad_form(state, sheets, who, whom):
        steps.append(Step("PS-26", bad))
    return Result((BackedUp(by, whom.id, fortes),), tuple(steps))


def _backs(state: State, sheets: Sheets, who: Fencer, whom: Fencer, fortes: Sequence[str]) -> Step:
    lines = [trait for each in fortes if (trait := sheets[who.id].trait(each))]
    what = join([f"{each.name} {signed(modifier_of(each))}" for each in lines], empty="nothing")
    return Step("PS-26", f"{who.name} backs {whom.name} and adds {what}; {whom.name} alone rolls.")


def bad_form(state: State, sheets: Sheets, who: Fencer, whom: Fencer) -> str:
    """Why players' characters should not join forces here, as a sentence; "" where they may well (PS-26)."""
    if not (who.player and whom.player):
        return ""
    for foe in (state.fencer(each) for each in state.foes_of(whom.id)):
        alone = not any(each.side == foe.side and each.id != foe.id for each in state.standing)
        small = foe.squad and minions_left(sheets[foe.id]) <= SMALL_SQUAD
        if small or (alone and foe.threat == LIEUTENANT):
            return f"Bad form: several against {foe.name}, {'a small squad' if small else 'alone'}."
    return ""


def hold_back(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Out of it for this turn."""
    return Result((HeldBack(by),), (Step("PS-21", f"{state.fencer(by).name} stays out of it this turn."),))


def break_off(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Leaves a foe, or a friend, to look for another place."""
    return Result((BrokeOff(by),), (Step("PS-21", f"{state.fencer(by).name} breaks off."),))


def cede(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Leaves initiative to a foe with less (PS-20)."""
    who, to = state.fencer(by), state.fencer(values["to"])
    step = Step("PS-20", f"{who.name} cedes initiative to {to.name}.")
    return Result((Ceded(initiative.ceded(state, who, to)),), (step,))
