"""Before the dice: how hard it is and whose word that is, what the GM grants, and calling it off (PQ-02 to PQ-09)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import REQUIRED, Field, Flag, Text, Word
from rules.moves import Step
from rules.procedure import Ask, Offer, Options
from rules.sheet import Sheet, Trait
from rules.systems.pdq.at_table.state import CALLED_OFF, Result, State
from rules.systems.pdq.chart import difficulty_field, rank_of, usable
from rules.systems.pdq.reckoning import Hard, by_word, how_hard
from rules.systems.pdq.roll import Shift, lines_field
from rules.systems.pdq.test import TestMove

GRANTING = replace(lines_field(), default=REQUIRED, word=Word.GM)
SIMPLE, HARM = (field for field in TestMove.fields if isinstance(field, Flag))


@dataclass(frozen=True)
class HowHard(Event[State]):
    """It is known how hard it is, and whose word that is."""

    hard: Hard

    def after(self, state: State) -> State:
        return replace(state, hard=self.hard)


@dataclass(frozen=True)
class Granted(Event[State]):
    """The GM's shifts count, with their reasons (PQ-03, PQ-05)."""

    shifts: tuple[Shift, ...]

    def after(self, state: State) -> State:
        return replace(state, granted=(*state.granted, *self.shifts))


@dataclass(frozen=True)
class LetGo(Event[State]):
    """The GM called it off."""

    def after(self, state: State) -> State:
        return replace(state, outcome=CALLED_OFF)


def difficulty_fields(others: Sheets, who: str) -> tuple[tuple[Field, ...], dict[str, Options]]:
    """What says how hard it is, all of it the GM's word; with the qualities of others that can stand against it."""
    lines = of_others(others, who)
    against = (Text(name="against", label="Opposed by", most=100, word=Word.GM),) if lines else ()
    return (replace(difficulty_field(), default=None), *against, SIMPLE, HARM), {"against": lines} if lines else {}


def of_others(sheets: Sheets, who: str) -> Options:
    """The qualities of everybody else that can be used, each with whose it is."""
    return tuple((trait.id, f"{sheet.name}: {name}") for id_, sheet in sheets.items() if id_ != who and not sheet.dead
                 for trait, name in countable(sheet))


def countable(sheet: Sheet) -> Iterator[tuple[Trait, str]]:
    """The qualities of a sheet that can be used, each as it is hurt now (PQ-16)."""
    return ((trait, f"{trait.name} · {rank_of(trait).notation}") for trait in sheet.traits if usable(trait))


def offer_setting(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, until the dice fall."""
    if not state.open or state.left:
        return
    fields, options = difficulty_fields(sheets, state.who)
    yield Offer("set", "", "Set the difficulty", "", fields, options)


def offer_saying(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever tries, as long as nobody has said how hard it is."""
    if state.open and not state.hard:
        yield Offer("say", state.who, "Set the difficulty", "", (difficulty_field(), SIMPLE, HARM))


def ask_how_hard(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Of the GM, where nobody has said it."""
    if state.open and not state.hard:
        yield Ask("", "set", f"set the difficulty for {state.name}", "Set")


def set_difficulty(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM's difficulty, or a player's where no GM is there to be asked (PQ-02, PQ-09)."""
    opposing = next(((trait, sheet.name) for sheet in sheets.values() for trait in sheet.traits
                     if trait.id == values.get("against")), None)
    hard = how_hard(values, opposing, said_by=state.name if by else "")
    said = hard.said or f"The difficulty is {hard.words}."
    return Result((HowHard(hard),), (Step("PQ-02", said),))


def offer_granting(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, until the dice fall."""
    if state.open and not state.left:
        yield Offer("grant", "", "Grant a shift", "It counts on this roll.", (GRANTING,))


def grant(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What the GM grants counts whatever the player chooses (PQ-03, PQ-05)."""
    shifts = by_word(values["lines"])
    return Result((Granted(shifts),), tuple(Step(shift.rule, f"The GM grants {shift.words}") for shift in shifts))


def offer_calling_off(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, until the dice fall."""
    if state.open:
        yield Offer("call_off", "", "Call off the roll")


def call_off(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM lets it go."""
    return Result((LetGo(),), (Step("PQ-02", "The test is called off."),))


def of_death(state: State, sheets: Sheets, who: str) -> Result | None:
    """Whoever tries it dies by the GM's word on the sheet, and no die has fallen yet: it is called off (PQ-17).

    *Ruling*: dice that lie stay, and so does what they came to.
    """
    if who != state.who or not state.open or not sheets[who].dead:
        return None
    return Result((LetGo(),), (Step("PQ-17", f"{state.name} is dead: the test is called off."),))


SAY = Act("say", offer_saying, set_difficulty)
GMS = (
    Act("set", offer_setting, set_difficulty, ask_how_hard), Act("grant", offer_granting, grant),
    Act("call_off", offer_calling_off, call_off),
)
EVENTS = (HowHard, Granted, LetGo)
