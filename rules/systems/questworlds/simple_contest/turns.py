"""Where a simple contest is, and what it waits for: the one who is asked is "you"."""
from __future__ import annotations

from collections.abc import Iterable

from rules.procedure import Perspective
from rules.systems.questworlds.simple_contest.state import Entrant, Phase, State
from rules.wording import join

ENDS = {
    "backed out": "They backed out before the dice.", "called off": "It was called off.",
    "submitted": "The flaw had its way.", "no conflict": "Both sides have what they want.",
}
NOBODY = Perspective()


def is_own(state: State, who: str, viewer: Perspective) -> bool:
    """Whether it is the viewer's to say for this one: their own, or, for the GM, one whom nobody plays."""
    return who in viewer.plays or (viewer.runs and who not in state.settings.players)


def heading(state: State) -> str:
    """Where the contest is, in a word or two."""
    return {
        Phase.BLANK: "", Phase.FRAME: "Framing", Phase.MODIFY: "Modifiers", Phase.ROLL: "Rolling",
        Phase.OWN_POINT: "Story point", Phase.POINT: "Story points", Phase.AFTER: "Aftermath", Phase.OVER: "Done",
    }[state.phase]


def waits_for(state: State, viewer: Perspective = NOBODY) -> str:  # noqa: PLR0911  # an answer for each phase
    """What it waits for, in a sentence for this viewer."""
    match state.phase:
        case Phase.FRAME if state.settings.mode == "flaw" and not state.oppositions:
            if viewer.runs:
                return "Your turn: compel the flaw. Or wait until the player acts against it."
            if any(is_own(state, each.id, viewer) for each in state.entrants):
                return "Your turn: act against your flaw, or let the GM compel it."
            return _gm(viewer, "compel the flaw")
        case Phase.FRAME:
            silent = [each for each in state.entrants if not each.chosen]
            if silent:
                return _asked(state, silent, viewer, "say how {they} go about it")
            return _gm(viewer, "set the resistance")
        case Phase.MODIFY:
            return _modifying(state, viewer)
        case Phase.ROLL:
            return _asked(state, [each for each in state.entrants if each.dice is None and each.face is None], viewer,
                          "roll")
        case Phase.OWN_POINT:
            mine = state.own_roll is not None and is_own(state, state.own_roll.who, viewer)
            who = "Your turn: say" if mine else "Waiting for somebody to say"
            return f"{who} whether a story point is spent."
        case Phase.POINT:
            able = [each for each in state.entrants if state.may_spend(each.id)]
            return _asked(state, able or state.entrants, viewer, "spend a story point, or let it stand")
        case Phase.AFTER:
            choosing = [each for each in state.entrants if state.goal_open(each.id)]
            if choosing:
                return _asked(state, choosing, viewer, "choose which goal is won")
            return _gm(viewer, "add what lasts, and finish")
        case Phase.BLANK:
            return ""
        case Phase.OVER:
            return ENDS.get(state.ended, "The contest is done.")


def _modifying(state: State, viewer: Perspective) -> str:
    wary = [each for each in state.entrants
            if (against := state.against(each.id)) and against.ending and not each.accepted]
    rolling = [each.by for each in state.proposals if each.open and each.verdict == "roll"]
    if any(not each.verdict for each in state.proposals):
        return _gm(viewer, "answer the augment")
    if rolling:
        mine = any(is_own(state, each, viewer) for each in rolling)
        return "Your turn: roll for the augment." if mine else "An augment is rolled for."
    if wary:
        return _asked(state, wary, viewer, "accept that the story may end here, or back out")
    if viewer.runs:
        return "Your turn: add modifiers, then press “Ready to roll”."
    return "Offer augments now. The GM adds modifiers and says when you roll."


def _asked(state: State, who: Iterable[Entrant], viewer: Perspective, what: str) -> str:
    """`Your turn: roll.` for whoever plays one of them, else for whom they wait; `{they}` stands for either."""
    found = tuple(who)
    if any(is_own(state, each.id, viewer) for each in found):
        return f"Your turn: {what.format(they='you')}."
    return f"Waiting for {join([each.name for each in found])} to {what.format(they='they')}."


def _gm(viewer: Perspective, what: str) -> str:
    return f"Your turn: {what}." if viewer.runs else f"Waiting for the GM to {what}."
