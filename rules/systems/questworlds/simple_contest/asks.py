"""Whom a simple contest waits for, and for what: the same moments of which `turns.py` tells on its page."""
from __future__ import annotations

from rules.procedure import Ask
from rules.systems.questworlds.simple_contest.offer_forms import Sheets
from rules.systems.questworlds.simple_contest.state import Phase, State
from rules.systems.questworlds.traits import flaws


def asks(state: State, sheets: Sheets) -> tuple[Ask, ...]:
    """What each of those who are waited for is asked to do."""
    match state.phase:
        case Phase.BLANK | Phase.OVER:
            return ()
        case Phase.FRAME if state.settings.mode == "flaw" and not state.oppositions:
            return _flaw(state, sheets)
        case Phase.FRAME:
            silent = [each.id for each in state.entrants if not each.chosen and each.id in sheets]
            chosen = tuple(Ask(each, "choose", "choose an ability, and say how", "Choose") for each in silent)
            return chosen or (Ask("", "oppose", "set the resistance", "Set"),)
        case Phase.MODIFY:
            return _modifying(state)
        case Phase.ROLL:
            return tuple(
                Ask(each.id, "roll", f"roll against {state.foe(each.id)}", "Roll", routine=_usual(state, each.id))
                for each in state.entrants if each.dice is None and each.face is None)
        case Phase.OWN_POINT:
            who = state.own_roll.who if state.own_roll else ""
            return (Ask(who, "stand", "let it stand, or spend a story point", "Decide", decision=True, stands=True),)
        case Phase.POINT:
            able = [each for each in state.entrants if state.may_spend(each.id)]
            left = able or [each for each in state.entrants if each.point is None]
            return tuple(
                Ask(each.id, "stand", "let it stand, or spend a story point", "Decide", decision=True, stands=True,
                    hurts=_risky(state, each.id))
                for each in left)
        case Phase.AFTER:
            goals = tuple(Ask(each.id, "choose_goal", "choose which goal is won", "Choose", decision=True)
                          for each in state.entrants if state.goal_open(each.id))
            return goals or (Ask("", "close", "add what lasts, and finish", "Finish"),)


def _usual(state: State, who: str) -> bool:
    """Whether a defeat is one that can be got over."""
    against = state.against(who)
    return against is None or not (against.ending or against.rouses)


def _risky(state: State, who: str) -> bool:
    """Whether a sheet may be the worse for a defeat at once: a story ends, a wound that was to heal is worse."""
    against = state.against(who)
    return not _usual(state, who) or (against is not None and bool(against.heals))


def _flaw(state: State, sheets: Sheets) -> tuple[Ask, ...]:
    """Either answers: the GM compels, or its owner acts against it (QW-24)."""
    owners = [each.id for each in state.entrants if each.id in sheets and flaws(sheets[each.id])]
    text = "act against the flaw, or wait until it is compelled"
    against = tuple(Ask(each, "resist", text, "Act", decision=True) for each in owners)
    return (*against, Ask("", "compel" if owners else "call_off", "compel the flaw", "Compel"))


def _modifying(state: State) -> tuple[Ask, ...]:
    """An augment is answered first, then rolled for; then a story that may end is accepted; then the GM says go."""
    waiting = next((each for each in state.proposals if not each.verdict), None)
    if waiting:
        return (Ask("", "answer", f"answer the augment: {waiting.name}"),)
    rolling = next((each for each in state.proposals if each.open), None)
    if rolling:
        return (Ask(rolling.by, "roll_augment", f"roll for the augment: {rolling.name}", "Roll"),)
    text = "accept that the story may end here, or back out"
    wary = tuple(
        Ask(each.id, "accept", text, "Decide", decision=True) for each in state.entrants
        if (against := state.against(each.id)) and against.ending and not each.accepted
    )
    return wary or (Ask("", "set", "add modifiers, or say that it is ready to roll", "Ready"),)
