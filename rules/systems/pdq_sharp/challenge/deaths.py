"""Who has died by the word of their sheet rolls no challenge, and helps in none, before its dice have fallen (PS-32).

*Ruling*: dice that lie stay, and the challenge goes to its end.
"""
from __future__ import annotations

from dataclasses import replace

from rules.engine import Sheets
from rules.moves import Step
from rules.systems.pdq_sharp.challenge.framing import CalledOff
from rules.systems.pdq_sharp.challenge.state import Phase, Result, State
from rules.systems.pdq_sharp.challenge.word import HelpStruck


def of_death(state: State, sheets: Sheets, who: str) -> Result | None:
    """Whoever was to roll, or helps with it, dies by the GM's word on the sheet; one who lives again is in it only as
    that entry is undone."""
    if state.phase is not Phase.FRAME or who not in sheets or not sheets[who].dead:
        return None
    if any(entrant.id == who and not entrant.cast for entrant in state.entrants):
        return Result((CalledOff(),), (Step("PS-32", f"{sheets[who].name} is dead: the challenge is called off."),))
    helps = next((help for help in state.helps if help.who == who), None)
    if helps is None:
        return None
    return Result((HelpStruck(replace(helps, ranks=(), lines=())),),
                  (Step("PS-15", f"{helps.name} is dead, and no longer helps."),))
