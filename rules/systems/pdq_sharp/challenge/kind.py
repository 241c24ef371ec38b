"""Challenges as procedures: against a task, and against somebody before an audience (PS-10 to PS-17)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules.came import WORDS, Came, TellsOfOne
from rules.deaths import HearsOfDeath
from rules.engine import KnowsCampaign, Sheets, Values
from rules.fields import Field, Group, Listing, Text
from rules.moves import Need, take
from rules.procedure import Casting, Offer, Options, Perspective, Placement, View
from rules.sheet import Sheet
from rules.strike import DISMISS, HearsWords
from rules.systems.pdq_sharp.challenge import ellipsis, failing, framing, roll, word
from rules.systems.pdq_sharp.challenge.deaths import of_death
from rules.systems.pdq_sharp.challenge.framing import FAILING
from rules.systems.pdq_sharp.challenge.state import Phase, Result, State, standing
from rules.systems.pdq_sharp.challenge.tray import from_tray, tray
from rules.systems.pdq_sharp.challenge.view import view
from rules.systems.pdq_sharp.chart import difficulty_field
from rules.systems.pdq_sharp.kinds import FOIBLE, FORTES, TEMPORARY
from rules.systems.pdq_sharp.reading import how_fallen
from rules.tray import Around, RollsFromTray, TrayRoll
from rules.values import BadMove, Value
from rules.wording import join, within

WHO = Listing(name="contestants", label="Character", most=2, of=Group(
    name="one", label="One", fields=(Text(name="sheet", label="Character"),)))
TITLE = Text(name="title", label="Task", default="", most=200)


class Challenging(HearsOfDeath[State], KnowsCampaign[State], TellsOfOne[State], HearsWords[State]):
    """A roll, what is added to it, and what failing costs: against a target number, or against somebody."""

    flashy = False
    events = (*framing.EVENTS, *roll.EVENTS, *ellipsis.EVENTS, *failing.EVENTS, *word.EVENTS)
    acts = (
        roll.ROLL, framing.SAY, framing.HELP, framing.SET, ellipsis.STAND, ellipsis.ADD, *failing.ACTS, word.DISMISS,
        framing.CALL_OFF,
    )
    afterwards = (DISMISS,)

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        take(faces, 0)
        self.check_cast([line["sheet"] for line in values["contestants"]], sheets)
        return framing.begin(values, sheets, flashy=self.flashy)

    def check_cast(self, ids: Sequence[str], sheets: Sheets) -> None:
        """Raises `BadMove` where these can't be in it."""
        if not self.casting.holds(len(ids)) or len(set(ids)) < len(ids):
            raise BadMove(*(("Choose a challenger and a different character to challenge.", "beside") if self.flashy
                            else ("Choose one who rolls. Others can help.", "who")))
        for id_ in ids:
            if why := self.unfit(sheets[id_]):
                raise BadMove(why, "who" if id_ == ids[0] else "beside")

    def unfit(self, sheet: Sheet) -> str:
        unable = sheet.dead or how_fallen(sheet)
        return f"{sheet.name} can’t do anything now. Choose someone else." if unable else ""

    def blank(self) -> State:
        return State()

    def seats(self, state: State) -> Sequence[str]:
        return [entrant.id for entrant in state.entrants]

    def involved(self, state: State) -> tuple[str, ...]:
        return tuple(helper.who for helper in state.helps)

    def is_over(self, state: State) -> bool:
        return state.phase is Phase.OVER

    def of_death(self, state: State, sheets: Sheets, who: str) -> Result | None:
        return of_death(state, sheets, who)

    def said(self, state: State) -> Options:
        return word.said(state)

    def came(self, state: State) -> tuple[str, Came] | None:
        if state.outcome not in WORDS or len(state.entrants) != 1:
            return None
        return state.entrants[0].name, Came(state.outcome, standing(state) if state.entrants[0].cast else "")

    def story(self, state: State) -> tuple[str, ...]:
        if not state.outcome or not state.entrants:
            return ()
        return (_told(state, self.came(state)), *(f"{helper.name} helped." for helper in state.helps))

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer, self.asks(state, sheets))

    def summary(self, state: State) -> Mapping[str, Value]:
        return {"phase": state.phase.value}


class ChallengeAtTable(Challenging, RollsFromTray[State]):
    """One who rolls against a target number, with everybody who helps; the roll of the tray too."""

    name = "pdq_sharp.challenge_at_table"
    title = "Challenge"
    title_label = "What you try"
    casting = Casting("one", most=1, bystanders=True)
    placement = Placement(exclusive=False, needs_scene=False, open_to_players=True)
    of_others, seldom = ("help",), ("help", "flat")
    fields: tuple[Field, ...] = (
        WHO, TITLE, replace(difficulty_field(), default=None, help="Leave blank to let the GM set it."), FAILING,
    )

    @property
    def slug(self) -> str:
        return "challenge"

    def tray(self, sheet: Sheet, setup: Values, around: Around) -> Offer:
        return tray(sheet, around)

    def from_tray(
        self, sheet: Sheet, setup: Values, given: Mapping[str, Value], around: Around
    ) -> TrayRoll:
        return from_tray(sheet, setup, given, around)

    def counts_on_word(self, kind: str) -> bool:
        return kind in (*FORTES, FOIBLE, TEMPORARY)


class FlashyAtTable(Challenging):
    """Two who show off: a style die for one, a failure rank for the other (PS-16)."""

    name = "pdq_sharp.flashy_at_table"
    title = "Flashy challenge"
    title_label = "Title (what is at stake)"
    default_title = "A flashy challenge"
    flashy = True
    casting = Casting("one", least=2, most=2, second_role="Opponent", second_needed=True)
    placement = Placement(exclusive=False, open_to_players=True)
    fields: tuple[Field, ...] = (WHO, TITLE)

    @property
    def slug(self) -> str:
        return "flashy"


def _told(state: State, of_one: tuple[str, Came] | None) -> str:
    """What came of it in a sentence: who beat whom, or the target number."""
    if of_one:
        name, verdict = of_one
        return verdict.told(name, "")
    names = [entrant.name for entrant in state.entrants]
    winner = next((name for name in names if state.outcome == f"{name} wins"), "")
    if winner:
        return f"{winner} beat {within(join([name for name in names if name != winner]))}."
    met = f" against {within(names[1])}:" if len(names) > 1 else ""
    return f"{names[0]}{met} {state.outcome}."
