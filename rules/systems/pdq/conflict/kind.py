"""The conflict as a procedure that goes on over rounds (PQ-08, PQ-11 to PQ-18)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.deaths import HearsOfDeath
from rules.engine import Event, KnowsCampaign, Sheets, Values
from rules.moves import Need
from rules.procedure import Perspective, View
from rules.systems.pdq.conflict import (
    actions,
    attacks,
    damage,
    ending,
    helping,
    killing,
    moving,
    reactions,
    rulings,
    start,
    trying,
    turn,
    weakness,
    word,
)
from rules.systems.pdq.conflict.state import Phase, Result, State
from rules.systems.pdq.conflict.story import story
from rules.systems.pdq.conflict.view import out_of_reach, view
from rules.systems.pdq.settings import ConflictSettings
from rules.values import Value
from rules.wording import alone

SENTENCES = {
    Phase.BLANK: "The conflict has not begun. Start it first.",
    Phase.OVER: "The conflict is over.",
    Phase.RULING: "Wait for the GM’s word.",
}


class Conflict(HearsOfDeath[State], KnowsCampaign[State]):
    """Turns, attacks, reactions and damage, until one side stands or the GM ends it.

    The sheets of all contestants come in with every call, with their damage as it is; the effects of a turn have to be
    applied before the next one. What a sheet does not say (who has acted, who holds, what is pending) is in the state.
    """

    name = "pdq.conflict"
    title = "Conflict"
    default_title = "A conflict"
    has_aftermath = True
    exchanges = ("attack", "act", "help", "end", "end_here")
    fields = start.FIELDS
    reads = ConflictSettings
    events = (start.Started, *killing.EVENTS, *turn.EVENTS, attacks.Attacked, *reactions.EVENTS, *trying.EVENTS,
              *helping.EVENTS, *damage.EVENTS, *moving.EVENTS, *rulings.EVENTS, *word.EVENTS,
              *weakness.EVENTS, *ending.EVENTS)
    acts = (
        killing.INTENT, attacks.ATTACK, actions.ACT, *trying.OWN, turn.LET_GO, *turn.WAITS, ending.END_HERE,
        killing.KILLS, reactions.DEFEND, moving.MOVE, *damage.ACTS, *helping.ACTS,
        rulings.GRANT, turn.SKIP, *rulings.GMS, *killing.GMS, trying.RATE, *weakness.ACTS, word.DISMISS, moving.PLACE,
        ending.END,
    )

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return start.begin(values, sheets, faces)

    def blank(self) -> State:
        return State()

    def seats(self, state: State) -> Sequence[str]:
        """Those who are waited for, then everybody else."""
        return list(dict.fromkeys((*state.waited_for, *(contestant.id for contestant in state.contestants))))

    def is_over(self, state: State) -> bool:
        return state.over

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer)

    def follow_up(self, state: State) -> Event[State] | None:
        return turn.onward(state)

    def of_death(self, state: State, sheets: Sheets, who: str) -> Result | None:
        return killing.of_death(state, sheets, who)

    def story(self, state: State) -> tuple[str, ...]:
        return story(state)

    def summary(self, state: State) -> Mapping[str, Value]:
        return {"phase": state.phase.value, "round": state.round}

    def refusal(self, state: State, by: str) -> str:
        waited_for = state.names(state.waited_for)
        match state.phase:
            case Phase.BLANK | Phase.OVER | Phase.RULING:
                return SENTENCES[state.phase]
            case Phase.INTENT:
                return f"First {waited_for} must say whether to kill."
            case Phase.DEFEND:
                return f"An attack is under way. Wait for the reaction of {waited_for}."
            case Phase.DAMAGE:
                return f"First the damage has to be assigned, by {waited_for}."
            case Phase.LAST_CALL:
                return f"The round ends. {waited_for} can act from hold or let it go."
            case Phase.TRYING:
                return f"First {waited_for} must roll." if waited_for else "The GM sets the difficulty first."
            case Phase.AFTERMATH:
                return f"{alone(state.sides_standing[0])}. End it here, or kill who is out of action."
            case Phase.TURN:
                if by in state.acting:
                    return out_of_reach(state, state.contestant(by))
                return f"It is the turn of {waited_for}."
