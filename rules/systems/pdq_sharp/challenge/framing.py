"""What is tried: how difficult it is, who helps, and calling it off (PS-10, PS-14, PS-15)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import REQUIRED, Choice, Listing, Text, Word
from rules.moves import Step
from rules.procedure import Ask, Offer, Options
from rules.sheet import Sheet
from rules.systems.pdq_sharp.challenge.state import (
    CALLED_OFF,
    FAILING_COSTS,
    HARMS,
    NONE,
    ContestOptions,
    Entrant,
    Help,
    Phase,
    Result,
    State,
)
from rules.systems.pdq_sharp.chart import difficulty_field, fortes_text
from rules.systems.pdq_sharp.reading import as_offered, how_fallen, usable
from rules.systems.pdq_sharp.reckoning import terms

FAILING = Choice(name="harm", label="Failing", default=NONE, options=HARMS, word=Word.GM)
NOTHING_LEARNED = "Until the GM sets it. A training point is earned against the GM’s difficulty alone."


@dataclass(frozen=True)
class Begun(Event[State]):
    """Somebody is challenged, by a task or by somebody. `target` is 0 while the GM has not set it."""

    settings: ContestOptions
    entrants: tuple[Entrant, ...]
    target: int = 0

    def after(self, state: State) -> State:
        return State(self.settings, self.entrants, self.target, context=state.context)


@dataclass(frozen=True)
class DifficultySet(Event[State]):
    """The GM set the target number, and whether failing hurts."""

    target: int
    harm: str

    def after(self, state: State) -> State:
        return replace(state, target=self.target, said=False, settings=replace(state.settings, harm=self.harm))


@dataclass(frozen=True)
class DifficultySaid(Event[State]):
    """Whoever rolls said how hard it is and whether failing hurts, and the GM has not."""

    target: int
    harm: str = ""  # as it was before, where it is not said

    def after(self, state: State) -> State:
        hurts = replace(state.settings, harm=self.harm or state.settings.harm)
        return replace(state, target=self.target, said=True, settings=hurts)


@dataclass(frozen=True)
class Helped(Event[State]):
    """Somebody's fortes count with the one who rolls (PS-15)."""

    help: Help

    def after(self, state: State) -> State:
        others = (help for help in state.helps if help.who != self.help.who)
        return replace(state, helps=(*others, self.help))


@dataclass(frozen=True)
class CalledOff(Event[State]):
    """The GM let it go."""

    def after(self, state: State) -> State:
        return replace(state, outcome=CALLED_OFF, hurt=("", 0, ""))


def begin(values: Values, sheets: Sheets, *, flashy: bool) -> Result:
    """Who rolls for what; `target` is 0 where the GM has yet to say."""
    settings = ContestOptions(flashy, values["title"], values.get("harm", NONE))
    taking_part = [sheets[line["sheet"]] for line in values["contestants"]]
    entrants = tuple(Entrant(sheet.id, sheet.name, not sheet.npc) for sheet in taking_part)
    names = " against ".join(entrant.name for entrant in entrants)
    steps = [Step("PS-16" if flashy else "PS-10", f"{names}: {settings.title}" if settings.title else names)]
    target = values.get("difficulty") or 0
    if target:
        steps.append(Step("PS-10", f"The target number is {target}."))
    return Result((Begun(settings, entrants, target),), tuple(steps))


def countable(sheet: Sheet) -> Options:
    """What can count in a roll; a foible counts as poor (PS-13)."""
    return tuple((trait.id, as_offered(trait)) for trait in sheet.traits if usable(trait))


def can_help(sheet: Sheet) -> bool:
    """Whether somebody can do anything for others now (PS-15)."""
    return not sheet.dead and not how_fallen(sheet) and any(usable(trait) for trait in sheet.traits)


def some(name: str, label: str, missing: str = "") -> Listing:
    return Listing(name=name, label=label, of=Text(name="id", label=label, most=100), missing=missing,
                   default=REQUIRED if missing else ())


def offer_help(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To everybody else, until the dice fall."""
    if state.phase is not Phase.FRAME or state.settings.flashy:
        return
    roller = state.entrants[0]
    for who, sheet in sheets.items():
        if who != roller.id and can_help(sheet):
            fortes = some("fortes", "Fortes", "Choose a forte to help with.")
            yield Offer("help", who, f"Help {roller.name}", "They roll, and your fortes count with theirs.",
                        (fortes,), {"fortes": countable(sheet)})


def help_somebody(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Several act together: one rolls, all fortes that bear on it add (PS-15)."""
    sheet, name = sheets[by], state.entrants[0].name
    counted = terms(sheet, fortes=values["fortes"])
    # Of an NPC whoever rolls says so.
    said_by = sheet.name if not sheet.npc else name if state.entrants[0].player else ""
    steps = (Step("PS-15", f"{sheet.name} helps {name}."), Step("PS-10", fortes_text(counted.ranks, sheet.name)))
    return Result((Helped(Help(by, sheet.name, counted.ranks, counted.lines, said_by)),), steps)


def offer_difficulty(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, until the dice fall."""
    if state.phase is Phase.FRAME and not state.settings.flashy:
        fields = (difficulty_field(), replace(FAILING, default=REQUIRED))
        yield Offer("set", "", "Set the difficulty", fields=fields,
                    now={"harm": state.settings.harm, **({"difficulty": state.target} if state.target else {})})


def ask_for_difficulty(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Of the GM, where nobody has set one."""
    if state.phase is Phase.FRAME and not state.ready:
        yield Ask("", "set", f"set the difficulty for {state.entrants[0].name}", "Set")


def set_difficulty(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM sets what has to be reached, and whether failing hurts (PS-10, PS-14)."""
    costs = FAILING_COSTS.get(values["harm"], "does not hurt")
    step = Step("PS-10", f"The target number is {values['difficulty']}. Failing {costs}.")
    return Result((DifficultySet(values["difficulty"], values["harm"]),), (step,))


def offer_own_word(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever rolls, as long as nobody has said how hard it is."""
    if state.phase is Phase.FRAME and not state.ready:
        yield Offer("say", state.entrants[0].id, "Set the difficulty", NOTHING_LEARNED, (difficulty_field(), FAILING),
                    now={"harm": state.settings.harm})


def say_difficulty(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Whoever rolls says how hard it is, which the GM may set otherwise (PS-10)."""
    steps = [Step("PS-10", f"{sheets[by].name} says that the target number is {values['difficulty']}.")]
    if costs := FAILING_COSTS.get(values["harm"], ""):
        steps.append(Step("PS-14", f"{sheets[by].name} says that failing {costs}."))
    return Result((DifficultySaid(values["difficulty"], values["harm"]),), tuple(steps))


def offer_calling_off(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, at any time."""
    if state.phase is not Phase.BLANK:
        yield Offer("call_off", "", "Call off the challenge")


def call_off(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM lets it go."""
    return Result((CalledOff(),), (Step("PS-10", "The challenge is called off."),))


HELP = Act("help", offer_help, help_somebody)
SET = Act("set", offer_difficulty, set_difficulty, ask_for_difficulty)
SAY = Act("say", offer_own_word, say_difficulty)
CALL_OFF = Act("call_off", offer_calling_off, call_off)
EVENTS = (Begun, DifficultySet, DifficultySaid, Helped, CalledOff)
