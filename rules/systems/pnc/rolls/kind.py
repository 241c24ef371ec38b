"""The kinds of procedure in which standard rolls are made, each with its place at the table."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.came import Came, TellsOfOne
from rules.engine import Sheets, Values
from rules.fields import Field
from rules.moves import Need
from rules.procedure import Casting, Offer, Options, Perspective, Placement, View
from rules.sheet import Sheet
from rules.strike import DISMISS, HearsWords
from rules.systems.pnc.character import WOUND
from rules.systems.pnc.rolls import question, throws, weighing, word
from rules.systems.pnc.rolls.question import ANSWER_FIELDS, ROLL_FIELDS, begin_answer, begin_rolls
from rules.systems.pnc.rolls.state import VERDICTS, Result, State
from rules.systems.pnc.rolls.tray import from_tray, said_there, tray
from rules.systems.pnc.rolls.view import view
from rules.systems.pnc.settings import RollSettings
from rules.systems.pnc.standing import OfTheAwake
from rules.tray import Around, RollsFromTray, TrayAct, TrayRoll
from rules.values import Value


class Rolls(OfTheAwake[State], TellsOfOne[State], HearsWords[State]):
    """Everybody who is in it makes a standard roll; factors come first, mulligans after."""

    placement = Placement(exclusive=False)
    instead = "settle"
    afterwards = (DISMISS,)
    fields: tuple[Field, ...] = ROLL_FIELDS
    reads: type | None = RollSettings
    events = (*question.EVENTS, *weighing.EVENTS, *throws.EVENTS, *word.EVENTS)
    acts = (throws.ROLL, *weighing.OWN, *throws.AFTERWARDS, *weighing.GMS, word.DISMISS, *question.ACTS)

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return begin_rolls(values, sheets, faces, self.casting.least)

    def blank(self) -> State:
        return State()

    def seats(self, state: State) -> Sequence[str]:
        return [roller.id for roller in state.rollers]

    def is_over(self, state: State) -> bool:
        return state.over

    def said(self, state: State) -> Options:
        return word.said(state)

    def came(self, state: State) -> tuple[str, Came] | None:
        if state.verdict or not (state.over and state.all_rolled and state.alone):
            return None
        roller = state.rollers[0]
        return roller.name, Came("success" if roller.success else "failure", roller.reading)

    def story(self, state: State) -> tuple[str, ...]:
        if state.verdict:
            return (f"{VERDICTS[state.verdict]}.", *([state.words] if state.words else []))
        if not (state.over and state.all_rolled):
            return ()
        if not (came := self.came(state)):
            return (state.winner,)
        name, verdict = came
        meaning = state.meaning(state.rollers[0].band)
        return (verdict.told(name, ""), *([meaning] if meaning else []))

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer)

    def summary(self, state: State) -> Mapping[str, Value]:
        return {"over": state.over}


class StandardRollContest(Rolls, RollsFromTray[State]):
    """One standard roll, on a page of its own: alone or in a scene."""

    name = "pnc.roll"
    title = "Standard roll"
    casting = Casting("one")
    placement = Placement(exclusive=False, needs_scene=False, open_to_players=True)

    @property
    def start_label(self) -> str:
        return "Make a roll"

    def tray(self, sheet: Sheet, setup: Values, around: Around) -> Offer:
        return tray(sheet, around.obstacles)

    def from_tray(
        self, sheet: Sheet, setup: Values, given: Mapping[str, Value], around: Around
    ) -> TrayRoll:
        return from_tray(sheet, setup, given, around.against)

    def button(self, state: State, sheets: Sheets, act: TrayAct) -> str:
        return f"Roll {throws.falling(state, sheets, act.by, act.given).kept.button}"

    def counts_on_word(self, kind: str) -> bool:
        return kind != WOUND

    def said_there(self, who: str, given: Mapping[str, Value]) -> Options:
        return said_there(who, given)


class Race(Rolls):
    """A competition: standard rolls compared by degree (PN-08)."""

    name = "pnc.competition"
    title = "Competition"
    casting = Casting("many", least=2)


class Answer(Rolls):
    """A question that the story answers by itself (PN-01): over as soon as it is asked."""

    name = "pnc.answer"
    title = "Answer"
    casting = Casting("one")
    placement = Placement(exclusive=False, needs_scene=False)
    fields = ANSWER_FIELDS
    reads = None

    @property
    def start_label(self) -> str:
        return "Answer without a roll"

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return begin_answer(values, sheets, faces)
