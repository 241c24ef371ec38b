"""The duel as a procedure that goes on over turns (PS-20 to PS-28, PS-30 to PS-32)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.deaths import HearsOfDeath
from rules.engine import Act, KnowsCampaign, Sheets, Values
from rules.moves import Need
from rules.procedure import Options, Perspective, View
from rules.sheet import Sheet
from rules.strike import DISMISS, HearsWords
from rules.systems.pdq_sharp.duel import (
    clash,
    counts,
    damage,
    deaths,
    ellipsis,
    engaging,
    envenoming,
    impasse,
    mercy,
    order,
    stances,
    start,
    withstanding,
)
from rules.systems.pdq_sharp.duel.onward import completed, going_on
from rules.systems.pdq_sharp.duel.state import Result, State
from rules.systems.pdq_sharp.duel.story import story
from rules.systems.pdq_sharp.duel.view import view
from rules.systems.pdq_sharp.settings import DuelSettings
from rules.values import Value

ACTS: tuple[Act[State], ...] = (
    *mercy.ANSWERS, *impasse.ANSWERS, *withstanding.OWN, *ellipsis.OWN, damage.PLACE,
    stances.STANCE, *engaging.OWN, order.CEDE, mercy.KILL, engaging.BREAK_OFF, impasse.CALL, mercy.SURRENDER,
    *engaging.GMS, *stances.GMS, *ellipsis.GMS, *damage.GMS,
    mercy.TAKE_OUT, mercy.BRING_BACK, mercy.REARM, *counts.GMS, envenoming.ENVENOM, damage.RULE_HARM, mercy.END,
)


class Duel(HearsOfDeath[State], KnowsCampaign[State], HearsWords[State]):
    """Turns of engaging, dividing dice in secret, clash and volte-face, until one side stands.

    The sheets of all come in with every call, with their damage and style dice as they are; the effects of an act have
    to be applied before the next one.
    """

    name = "pdq_sharp.duel"
    title = "Duel"
    default_title = "A duel"
    has_aftermath = True
    afterwards = (DISMISS,)
    exchanges = ("engage", "engage_npcs", "stance", "stances", "impasse", "end", "end_here")
    fields = start.FIELDS
    reads = DuelSettings
    events = (start.Begun, *order.EVENTS, *engaging.EVENTS, *stances.EVENTS, *ellipsis.EVENTS, *clash.EVENTS,
              *damage.EVENTS, *impasse.EVENTS, *envenoming.EVENTS, *withstanding.EVENTS,
              *counts.EVENTS, *mercy.EVENTS, *deaths.EVENTS)
    acts = tuple(going_on(act) for act in ACTS)

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return completed(self.blank(), sheets, start.begin(values, sheets, faces))

    def unfit(self, sheet: Sheet) -> str:
        return start.unfit(sheet)

    def blank(self) -> State:
        return State()

    def seats(self, state: State) -> Sequence[str]:
        return [fencer.id for fencer in state.order]

    def is_over(self, state: State) -> bool:
        return state.over

    def of_death(self, state: State, sheets: Sheets, who: str) -> Result | None:
        came = deaths.of_death(state, sheets, who)
        return completed(state, sheets, came) if came else None

    def said(self, state: State) -> Options:
        return state.unread.said if state.unread else ()

    def story(self, state: State) -> tuple[str, ...]:
        return story(state)

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer, self.asks(state, sheets))

    def summary(self, state: State) -> Mapping[str, Value]:
        return {"phase": state.phase.value, "turn": state.turn}

    def refusal(self, state: State, by: str) -> str:
        return "" if state.fencers else "The duel has not begun. Start it first."
