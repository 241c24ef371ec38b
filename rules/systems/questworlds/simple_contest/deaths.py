"""Who has died by the word of their sheet rolls no die of a simple contest that has not fallen yet (QW-20, QW-42).

*Ruling*: of a group they leave, and what was said of them counts no more; who was alone in it, or one of two against
each other, leaves nothing to contend for, and no die falls. Dice that lie stay, and are decided to their end: between
two players one may have thrown already.
"""
from __future__ import annotations

from dataclasses import replace

from rules.engine import Sheets, after
from rules.moves import Step
from rules.systems.questworlds.simple_contest.framing import BEFORE_THE_DICE, leaving
from rules.systems.questworlds.simple_contest.resolution import Ended, settle
from rules.systems.questworlds.simple_contest.state import Phase, Result, State


def of_death(state: State, sheets: Sheets, who: str) -> Result | None:
    """An entrant dies by the GM's word on the sheet; one who lives again is in it only as that entry is undone."""
    entrant = next((entrant for entrant in state.entrants if entrant.id == who), None)
    if entrant is None or not sheets[who].dead or state.phase not in BEFORE_THE_DICE:
        return None
    rival = state.rival(who)
    if entrant.rolled_die or (rival and rival.rolled_die):
        return None
    if not (left := leaving(state, who)):
        return Result((Ended("called off"),), (Step("QW-20", f"{entrant.name} is dead: the contest is called off."),))
    then = after(state, left)
    says = Step("QW-42", f"{entrant.name} is dead, and out of the contest. The others go on.")
    ending = settle(then, sheets) if then.phase in (Phase.ROLL, Phase.POINT) else None
    if ending is None:
        return Result(left, (says,))
    return replace(ending, events=(*left, *ending.events), steps=(says, *ending.steps))
