"""The simple contests: one against a resistance, two characters against each other, a group (QW-20 to QW-42)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules.deaths import HearsOfDeath
from rules.engine import KnowsCampaign, KnowsOrigins, Sheets, Values
from rules.excludes import Excludes
from rules.fields import Field, Flag, Listing, Text
from rules.fields import Group as Fields
from rules.moves import Need, Step, take
from rules.procedure import Casting, Offer, Options, Perspective, Placement, View
from rules.sheet import Sheet
from rules.strike import DISMISS, HearsWords
from rules.systems.questworlds.after import taken_by_another
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.learning import CountsExperience, experience_rule, players_in
from rules.systems.questworlds.names import SIMPLE, TEACHING
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.settings import Settings, setting_fields
from rules.systems.questworlds.simple_contest import (
    aftermath,
    answering,
    approach,
    augments,
    deaths,
    dice,
    flaws,
    framing,
    masses,
    modifiers,
    opposition,
    own_contests,
    resolution,
    word,
)
from rules.systems.questworlds.simple_contest.framing import Begun
from rules.systems.questworlds.simple_contest.state import Phase, Result, State
from rules.systems.questworlds.simple_contest.story import story
from rules.systems.questworlds.simple_contest.tray import from_tray, tray
from rules.systems.questworlds.simple_contest.values import ContestOptions
from rules.systems.questworlds.simple_contest.view import view
from rules.systems.questworlds.traits import flaws as flaws_of
from rules.tray import Around, RollsFromTray, TrayRoll
from rules.values import BadMove, Value
from rules.wording import join


class SimpleContest(RollsFromTray[State], HearsOfDeath[State], KnowsCampaign[State], KnowsOrigins[State],
                    CountsExperience[State], HearsWords[State], Excludes[State]):
    """One against what the GM puts in the way."""

    name = SIMPLE[0]
    title = "Contest"
    title_label = "The prize"
    start_label = "Frame a contest"
    mode = "one"
    wrong_number = "Choose one character."
    afterwards = ("give", DISMISS)
    seldom = ("second", "contacts", "ending", "tie_to_player", "assured", "announced", "rival", "threshold", "least",
              "second_prize", "heals", "flaw")
    casting = Casting("one", most=1, bystanders=True)
    placement = Placement(exclusive=False, open_to_players=True)
    remembers = TEACHING
    reads, settings = ContestOptions, Settings
    frame: tuple[Field, ...] = (
        Listing(name="contestants", label="Contestants", of=Fields(name="contestant", label="Contestant", fields=(
            Text(name="sheet", label="Character"), Flag(name="player", label="Player character")))),
        Text(name="title", label="The prize", default="", most=200),
        Text(name="obstacle", label="Obstacle", most=300, default="",
             help="Use the same words as last time and you are warned when a tactic was already tried."),
    )

    events = (*framing.EVENTS, *approach.EVENTS, *opposition.EVENTS, *masses.EVENTS, *modifiers.EVENTS,
              *augments.EVENTS, *own_contests.EVENTS, *dice.EVENTS, *resolution.EVENTS, *aftermath.EVENTS,
              *word.EVENTS)
    # What decides stands first for each, then what the frame is made of; what ends it stands last.
    acts = (
        dice.ROLL, dice.SPEND, dice.STAND, framing.ACCEPT, augments.ROLL_AUGMENT, augments.ANSWER, framing.SET,
        modifiers.MODIFY, augments.AUGMENT, approach.CHOOSE, modifiers.SUPPORT, flaws.HINDER, modifiers.LASTING,
        opposition.STAKES, answering.AGAINST, opposition.OPPOSE, masses.CROWD, masses.MASS, approach.SEND_BACK,
        modifiers.TAKE_BACK, word.DISMISS, flaws.RESIST, flaws.COMPEL, aftermath.CHOOSE_GOAL, aftermath.WORSEN,
        aftermath.BOOST, aftermath.CLOSE, aftermath.GIVE, framing.BACK_OUT, framing.NO_CONFLICT, framing.REOPEN,
        framing.CALL_OFF)

    def __init__(self, edition: Edition = FIRST, symbol: str = "M") -> None:
        self.edition, self.experience_rule = edition, experience_rule(edition)
        self.fields = (*self.frame, *setting_fields(symbol, edition, ContestOptions))

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        take(faces, 0)
        who = values["contestants"]
        self.check_cast(len(who))
        settings = replace(
            values["settings"], mode=self.mode, prize=values["title"],
            players=players_in(values))
        begun = Begun(settings, tuple((entrant["sheet"], sheets[entrant["sheet"]].name) for entrant in who))
        names = join([name for _, name in begun.entrants])
        steps = [Step("QW-20", f"{names}: {settings.prize}" if settings.prize else names)]
        if settings.obstacle:
            steps.append(Step("QW-20", f"Obstacle: {settings.obstacle}"))
        return Result((begun,), tuple(steps))

    def check_cast(self, many: int) -> None:
        """Raises `BadMove` where there are too few for it, or too many."""
        if not self.casting.holds(many):
            raise BadMove(self.wrong_number, "who")

    def blank(self) -> State:
        return State(edition=self.edition)

    def seats(self, state: State) -> Sequence[str]:
        return [entrant.id for entrant in state.entrants]

    def is_over(self, state: State) -> bool:
        return bool(state.ended)

    def is_settled(self, state: State) -> bool:
        return bool(state.ended) or aftermath.may_close(state)

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer)

    def of_death(self, state: State, sheets: Sheets, who: str) -> Result | None:
        return deaths.of_death(state, sheets, who)

    def stands_against(self, state: State) -> str:
        return taken_by_another(state.laid, state.context)

    def said(self, state: State) -> Options:
        return word.said(state)

    def involved(self, state: State) -> tuple[str, ...]:
        return tuple(against.npc for against in state.oppositions if against.npc)

    def needs_origins(self, state: State) -> bool:
        # A new ability is offered while the frame is open, as long as the making of the sheet leaves room (QW-70).
        return state.phase is Phase.FRAME

    def story(self, state: State) -> tuple[str, ...]:
        return story(state)

    def tray(self, sheet: Sheet, setup: Values, around: Around) -> Offer:
        return tray(sheet, setup, around, self.edition)

    def from_tray(
        self, sheet: Sheet, setup: Values, given: Mapping[str, Value], around: Around
    ) -> TrayRoll:
        return from_tray(sheet, setup, given, around.against)

    def score(self, state: State, who: str) -> str:
        return notation(state.unannounced.terms(who).score, state.settings.symbol)



class OpposedContest(SimpleContest):
    """Two characters against each other, each choosing in secret (QW-41)."""

    name = SIMPLE[1]
    title = "Contest between two"
    start_label = "Frame a contest between two"
    mode = "pair"
    wrong_number = "Choose two characters: they are against each other."
    casting = Casting("many", least=2, most=2, bystanders=True)
    placement = Placement(exclusive=False)


class GroupContest(SimpleContest):
    """A group against one resistance, or each against their own (QW-42)."""

    name = SIMPLE[2]
    title = "Group contest"
    start_label = "Frame a group contest"
    mode = "group"
    wrong_number = "Choose two characters at least."
    casting = Casting("many", least=2, bystanders=True)
    placement = Placement(exclusive=False)


class FlawContest(SimpleContest):
    """A flaw comes up in a scene: its owner does as it dictates, or acts against it (QW-24)."""

    name = SIMPLE[3]
    title = "Flaw"
    title_label = "Effect of the flaw"
    start_label = "Compel a flaw"
    mode = "flaw"
    placement = Placement(exclusive=False)
    frame = tuple(field for field in SimpleContest.frame if field.name != "obstacle")

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        for contestant in values["contestants"]:
            if why := self.unfit(sheets[contestant["sheet"]]):
                raise BadMove(why, "who")
        return super().begin(values, sheets, faces)

    def unfit(self, sheet: Sheet) -> str:
        return "" if flaws_of(sheet) else "There is no flaw on this sheet."
