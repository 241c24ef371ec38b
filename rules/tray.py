"""A roll from the tray: a procedure for one character, gone through in a single act.

    roll = procedure.from_tray(sheet, setup, given, around)   # what the tray says, as a setup and acts
    result = in_one(procedure, roll, sheets, faces)           # everything that follows from them, or the dice it wants
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from rules.engine import KnowsCampaign, Procedure, S, Sheets, check, find
from rules.fields import Field
from rules.modifiers import Modifier
from rules.moves import Need
from rules.procedure import ActResult, CampaignContext, Offer, Options
from rules.sheet import Sheet
from rules.tables import OddsAnswer
from rules.values import BadMove, Value
from rules.why import Why


@dataclass(frozen=True)
class TrayAct:
    """One act of a procedure: the offer's action, whose it is ("" for the GM's), and what it is given."""

    action: str
    by: str
    given: Mapping[str, Value]


@dataclass(frozen=True)
class TrayRoll:
    """What the tray comes to: the whole setup, and the acts in their order. Only the last of them may roll.

    `uses` are the lines of the sheet that it is made with, without what only helps; `with_others` are the ids of those
    whose lines count in it too.
    """

    setup: Mapping[str, Value]
    acts: tuple[TrayAct, ...]
    uses: tuple[str, ...] = ()
    with_others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Obstacle:
    """What the GM has put on the scene: its name, and the values of the fields that an obstacle of the game has."""

    name: str
    values: Mapping[str, Value]
    patient: str = ""  # the sheet of whom it is for, where it is a treatment


@dataclass(frozen=True)
class Treatment:
    """What a healer can roll for somebody: what tells it apart, what it is called, what an obstacle would say of it."""

    key: str
    name: str
    values: Mapping[str, Value]


class Treats(ABC):
    """A procedure of the tray in which one can roll for somebody else who is hurt."""

    @abstractmethod
    def treatments(self, healer: Sheet, patient: Sheet) -> tuple[Treatment, ...]:
        """What this one can try for the other now, what helps most first; () where nothing is to be mended."""


@dataclass(frozen=True)
class Around:
    """What is around whoever rolls, beside their own sheet and the settings.

    `obstacles` are what can be rolled against, for a field `obstacle`, and `against` the one that was chosen; `others`
    are the sheets of those whose lines may count beside theirs, or against them, by id; `waiting` is what the GM has
    given for the next roll. What whoever `runs` the game says there is the GM's word. `context` is what the campaign
    holds beside, which may be read only when somebody looks at it.
    """

    obstacles: Options = ()
    against: Obstacle | None = None
    others: Sheets = field(default_factory=dict)
    waiting: tuple[Modifier, ...] = ()
    runs: bool = False
    context: CampaignContext = field(default_factory=CampaignContext)


def named_field(fields: Sequence[Field]) -> str:
    """The first field of an obstacle that has words to choose from; "" where none has."""
    return next((field.name for field in fields if getattr(field, "options", ())), "")


def named_words(fields: Sequence[Field]) -> Options:
    """The words of that field, each with what a person reads: named difficulties."""
    named = named_field(fields)
    return next((tuple(getattr(field, "options", ())) for field in fields if named and field.name == named), ())


class RollsFromTray(Procedure[S]):
    """A procedure that can be gone through from the roll tray in one act; more may follow from the dice."""

    of_others: tuple[str, ...] = ()  # the fields of its tray that name lines of others who are here
    in_secret: bool = False  # whether a GM may roll it behind the screen: nothing goes on once its dice lie

    @abstractmethod
    def tray(self, sheet: Sheet, setup: Mapping[str, Value], around: Around) -> Offer:
        """What the tray asks of this character."""

    @abstractmethod
    def from_tray(
        self, sheet: Sheet, setup: Mapping[str, Value], given: Mapping[str, Value], around: Around
    ) -> TrayRoll:
        """The setup with what was chosen, and the acts that follow; raises `BadMove`."""

    def tells_how_hard(self, given: Mapping[str, Value]) -> bool:
        """Whether these choices tell by themselves how hard it is, where nothing is in the way: nobody is asked."""
        return False

    def said_there(self, who: str, given: Mapping[str, Value]) -> Options:
        """What the player of the one who is called so says in these choices, and the GM may strike: the field with the
        place in it, `lines 0`, and a sentence each."""
        return ()

    def counts_on_word(self, kind: str) -> bool:
        """Whether it is a player's word that a line of this kind of trait counts, and the GM may strike it: what binds,
        and what hangs on another line, is none."""
        return False

    def button(self, state: Any, sheets: Sheets, act: TrayAct) -> str:
        """What the button says of the last act, as it is filled in; "" for what its offer is called."""
        return ""

    def score(self, state: Any, who: str) -> str:
        """What the line that somebody uses counts, with all that counts on it, just before the dice."""
        return ""


@dataclass(frozen=True)
class Rehearsal:
    """What a roll would be: the words of its button, whether dice fall, and the odds as (against whom, odds).

    `score` is what the line that is used counts by now, as one reads it; "" where the game says no such number.
    """

    button: str
    rolls: bool
    odds: tuple[tuple[str, OddsAnswer], ...]
    score: str = ""
    why: Why | None = None  # where dice fall


def in_one(
    procedure: Procedure[Any], roll: TrayRoll, sheets: Sheets, faces: Sequence[int] = (),
    context: CampaignContext | None = None,
) -> ActResult[Any] | Need:
    """Everything that follows from a roll of the tray, as one result, or the dice that it wants; raises `BadMove`."""
    state, result = _begun(procedure, roll, sheets)
    for act in roll.acts:
        last = act is roll.acts[-1]
        aware = _aware(procedure, state, context)
        came = procedure.act(aware, sheets, act.by, act.action, act.given, faces if last else ())
        if isinstance(came, Need):
            return came
        state = reduce(procedure.evolve, came.events, state)
        result = _joined(result, came)
    return result


def rehearse(
    procedure: Procedure[Any], roll: TrayRoll, sheets: Sheets, context: CampaignContext | None = None
) -> Rehearsal:
    """What the last act would be, with its odds, and no die thrown; raises `BadMove`."""
    *before, last = roll.acts
    state, _ = _begun(procedure, roll, sheets)
    for act in before:
        came = procedure.act(_aware(procedure, state, context), sheets, act.by, act.action, act.given)
        if isinstance(came, Need):
            raise TypeError(f"{act.action} rolls before the end.")
        state = reduce(procedure.evolve, came.events, state)
    aware = _aware(procedure, state, context)
    offer = find(procedure.offered(aware, sheets, last.action), last.action, last.by)
    if offer is None:
        raise BadMove(procedure.why_not(aware, sheets, last.by), "action")
    filled_in = replace(last, given=check(offer, last.given))
    odds = procedure.odds(aware, sheets, offer, filled_in.given)
    if not (offer.rolls and isinstance(procedure, RollsFromTray)):
        return Rehearsal(offer.title, offer.rolls, odds)
    return Rehearsal(procedure.button(aware, sheets, filled_in) or offer.title, offer.rolls, odds,
                     procedure.score(aware, last.by), procedure.why(aware, sheets, offer, filled_in.given))


def _begun(procedure: Procedure[Any], roll: TrayRoll, sheets: Sheets) -> tuple[Any, ActResult[Any]]:
    result = procedure.start(roll.setup, sheets)
    if isinstance(result, Need):
        raise TypeError(f"{procedure.name} rolls as it begins.")
    return reduce(procedure.evolve, result.events, procedure.blank()), result


def _aware(procedure: Procedure[Any], state: Any, context: CampaignContext | None) -> Any:
    if isinstance(procedure, KnowsCampaign) and context is not None:
        return procedure.with_context(state, context)
    return state


def _joined(before: ActResult[Any], after: ActResult[Any]) -> ActResult[Any]:
    """Both as one; the numbers are those of the later one."""
    return replace(
        after, events=(*before.events, *after.events), steps=(*before.steps, *after.steps),
        dice=(*before.dice, *after.dice), effects=(*before.effects, *after.effects),
        rolls=(*before.rolls, *after.rolls),
    )
