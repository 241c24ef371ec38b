"""The fight as a procedure that goes on over rounds, and the opposed roll (PN-06, PN-07, PN-11)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.deaths import HearsOfDeath
from rules.engine import Event, Sheets, Values
from rules.fields import Field
from rules.moves import Need
from rules.procedure import Casting, Options, Perspective, Placement, View
from rules.sheet import Effect, Sheet
from rules.strike import DISMISS, HearsWords
from rules.systems.pnc import debts
from rules.systems.pnc.fight import aftermath, attacks, ending, order, reading, start, turn, word
from rules.systems.pnc.fight.order import onward
from rules.systems.pnc.fight.start import FIGHT_FIELDS, OPPOSED_FIELDS, begin_fight, begin_opposed
from rules.systems.pnc.fight.state import Result, State
from rules.systems.pnc.fight.story import story
from rules.systems.pnc.fight.view import view
from rules.systems.pnc.settings import FightSettings, RollSettings
from rules.systems.pnc.standing import OfTheAwake, in_words, unable
from rules.values import Value


class Fight(HearsOfDeath[State], HearsWords[State]):
    """Initiative, turns and attacks, until one side is left or the GM ends it."""

    name = "pnc.fight"
    title = "Fight"
    default_title = "A fight"
    has_aftermath = True
    exchanges: tuple[str, ...] = ("initiative", "attack", "free_attack", "act", "end")
    fields: tuple[Field, ...] = FIGHT_FIELDS
    reads: type | None = FightSettings
    events = (start.Started, *order.EVENTS, *attacks.EVENTS, *reading.EVENTS, *aftermath.EVENTS, *turn.EVENTS,
              *ending.EVENTS, *word.EVENTS)
    acts = (
        *order.OWN, attacks.ATTACK, turn.HOLD, turn.ACT, ending.LEAVE, attacks.FREE_ATTACK, *attacks.ANSWERS,
        reading.STAND, *aftermath.OWN, reading.MULLIGAN,
        *attacks.GMS, word.DISMISS, *aftermath.GMS, *order.GMS, *turn.GMS, *ending.GMS,
    )

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return begin_fight(values, sheets, faces)

    def blank(self) -> State:
        return State()

    def seats(self, state: State) -> Sequence[str]:
        return [combatant.id for combatant in state.combatants]

    def is_over(self, state: State) -> bool:
        return state.over

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer)

    def unfit(self, sheet: Sheet) -> str:
        return in_words(sheet)

    def story(self, state: State) -> tuple[str, ...]:
        return story(state)

    def of_death(self, state: State, sheets: Sheets, who: str) -> Result | None:
        return ending.of_death(state, sheets, who)

    def said(self, state: State) -> Options:
        return word.said(state)

    def follow_up(self, state: State) -> Event[State] | None:
        return onward(state)

    def noted(self, state: State, sheets: Sheets) -> tuple[Effect, ...]:
        if state.settings.opposed:
            return ()
        return debts.kept({combatant.id: combatant.loses_next for combatant in state.combatants},
                          {combatant.id: combatant.free_at for combatant in state.combatants}, sheets)

    def summary(self, state: State) -> Mapping[str, Value]:
        return {"phase": state.phase.value, "round": state.round}


class Opposed(OfTheAwake[State], Fight):
    """An attack roll that hurts nobody: two against each other, each rolling their own part (PN-06)."""

    name = "pnc.opposed"
    title = "Opposed roll"
    default_title = ""
    has_aftermath = False
    exchanges = ()
    afterwards = (DISMISS,)
    instead = "end"
    casting = Casting("sides", sides=2, least=2, most=2, first="leads")
    placement = Placement(exclusive=False)
    fields = OPPOSED_FIELDS
    reads = RollSettings

    def unfit(self, sheet: Sheet) -> str:
        return unable(sheet)

    @property
    def start_label(self) -> str:
        return "Start an opposed roll"

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return begin_opposed(values, sheets, faces)
