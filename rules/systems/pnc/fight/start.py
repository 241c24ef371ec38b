"""How a fight and an opposed roll begin: who is in it, on which side, and who can act at first (PN-06, PN-07)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from rules import turns
from rules.engine import Event, Sheets, Values
from rules.fields import REQUIRED, Field, Flag, Group, Listing, Text
from rules.moves import Die, Need, Roll, Step, take
from rules.settings import asked
from rules.systems.pnc import debts
from rules.systems.pnc.contract_rolls import order_by_d6
from rules.systems.pnc.dice import Roll as Dice
from rules.systems.pnc.fight.attacks import declare
from rules.systems.pnc.fight.state import FIGHTING, Combatant, Result, State
from rules.systems.pnc.initiative import MOST_FIGHTERS, Fighters, Initiative
from rules.systems.pnc.reckoning import ticked
from rules.systems.pnc.rolls.question import SEAT
from rules.systems.pnc.settings import FightSettings, RollSettings, Settings
from rules.systems.pnc.standing import in_words, standing_of, unable
from rules.values import BadMove
from rules.wording import join

SIDE = Text(name="side", label="Side", default=REQUIRED, most=100, help="Characters with the same side fight together.")

COMBATANT = Group(name="contestant", label="Combatant", fields=(
    *SEAT.fields, SIDE, Flag(name="caught", label="Caught off guard"),
))
CONTENDER = Group(name="contestant", label="Participants", fields=(
    *SEAT.fields, replace(SIDE, help=""),
    Flag(name="leads", label="Rolls the d20", help="The one who acts. The other resists with 3d6."),
))

FIGHT_FIELDS: tuple[Field, ...] = (
    Listing(name="contestants", label="Participants", of=COMBATANT, most=MOST_FIGHTERS),
    *asked(Settings, by=FightSettings),
)
OPPOSED_FIELDS: tuple[Field, ...] = (
    Listing(name="contestants", label="Participants", of=CONTENDER, most=2), *asked(Settings, by=RollSettings),
)


@dataclass(frozen=True)
class Started(Event[State]):
    """The fight begins; with a d6 for the order the places are known already."""

    settings: FightSettings
    combatants: tuple[Combatant, ...]

    def after(self, state: State) -> State:
        return State(self.settings, self.combatants)


def begin_fight(values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
    """Who fights on which side, and who can act at first; raises `BadMove`. With a d6 the order is rolled now."""
    lines = values["contestants"]
    _check(lines, sheets)
    fighters = [_fighter(line, sheets, lines) for line in lines]
    out = _out_from_before(fighters, sheets)
    if not any(fighter.ready and fighter.fights for fighter in fighters):
        raise BadMove("Someone has to be able to act. Untick one who was caught off guard.", "contestants")
    off_guard = [fighter.name for fighter in fighters if not fighter.ready]
    steps = [Step("PN-11", f"A fight: {_sides(fighters)}."), *(Step("PN-11", text) for text in out)]
    steps += [Step("PN-06", text) for fighter in fighters if (text := _owing(fighter, sheets))]
    if off_guard:
        steps.append(Step("PN-07", f"{join(off_guard)} can’t act yet."))
    settings = values["settings"]
    dice: tuple[Die, ...] = ()
    rolls: tuple[Roll, ...] = ()
    if settings.initiative == "d6":
        rolled = _order(fighters, faces)
        if isinstance(rolled, Need):
            return rolled
        rolls = (order_by_d6(sum(fighter.ready and fighter.fights for fighter in fighters), faces),)
        fighters, more, dice = rolled
        steps += more
    else:
        take(faces, 0)
    return Result((Started(settings, tuple(fighters)),), tuple(steps), dice=dice, rolls=rolls)


def _fighter(line: Mapping[str, Any], sheets: Sheets, lines: Sequence[Mapping[str, Any]]) -> Combatant:
    """Somebody as they enter the fight: how they stand, and what is owed since an earlier fight of the scene."""
    sheet = sheets[line["sheet"]]
    foes = [sheets[other["sheet"]] for other in lines if other["side"] != line["side"]]
    stands = standing_of(sheet)
    fighter = Combatant(sheet.id, sheet.name, line["side"], line["player"], stands, ready=not line["caught"])
    if stands != FIGHTING:
        return fighter
    return replace(fighter, loses_next=debts.loses_next(sheet), free_at=debts.free_at(sheet, foes))


def _owing(fighter: Combatant, sheets: Sheets) -> str:
    """What is owed from before, as sentences."""
    lost = [f"{fighter.name} loses the next turn."] if fighter.loses_next else []
    free = [f"{fighter.name} has a free attack on {sheets[fighter.free_at].name}."] if fighter.free_at else []
    return " ".join((*lost, *free))


def begin_opposed(values: Values, sheets: Sheets, faces: Sequence[int]) -> Result:
    """The one who does something, and the one who stands against it; raises `BadMove`."""
    take(faces, 0)
    lines = values["contestants"]
    _check(lines, sheets)
    if why := next(filter(None, (unable(sheets[line["sheet"]]) for line in lines)), ""):
        raise BadMove(why, "contestants")
    leading = [line for line in lines if line["leads"]]
    if len(lines) != 2 or len(leading) != 1:
        raise BadMove("Put two in, one on each side, and say which one of them rolls the d20.", "contestants")
    fighters = tuple(
        Combatant(line["sheet"], sheets[line["sheet"]].name, line["side"], line["player"]) for line in lines
    )
    started = Started(FightSettings(**vars(values["settings"]), opposed=True), fighters)
    by = str(leading[0]["sheet"])
    target = next(fighter.id for fighter in fighters if fighter.id != by)
    declared = declare(started.after(State()), sheets, by, target, {"words": "", **ticked(sheets[by])[1]}, free=True)
    return replace(declared, events=(started, *declared.events), result={})


def _check(lines: Sequence[Mapping[str, Any]], sheets: Sheets) -> None:
    ids = [line["sheet"] for line in lines]
    for index, line in enumerate(lines):
        where = f"contestants.{index}"
        name = sheets[line["sheet"]].name
        if ids.count(line["sheet"]) > 1:
            raise BadMove(f"{name} is in the fight twice. Leave one out.", f"{where}.sheet")
        if not line["side"]:
            raise BadMove(f"Choose a side for {name}.", f"{where}.side")
        if sheets[line["sheet"]].dead:
            raise BadMove(f"{name} is dead. Leave them out.", f"{where}.sheet")
    if len({line["side"] for line in lines}) < 2:
        raise BadMove("A fight needs two sides. Put someone on another side.", "contestants")


def _out_from_before(fighters: Sequence[Combatant], sheets: Sheets) -> tuple[str, ...]:
    """Who is out of it since an earlier fight of the scene, in sentences; raises `BadMove` unless two sides stand."""
    out = tuple(in_words(sheets[fighter.id]) for fighter in fighters if not fighter.fights)
    if not turns.goes_on(fighters):
        raise BadMove(f"{' '.join(out)} Two sides need someone who can fight: let them recover first.", "contestants")
    return out


def _order(
    fighters: list[Combatant], faces: Sequence[int]
) -> tuple[list[Combatant], tuple[Step, ...], tuple[Die, ...]] | Need:
    """The order by a d6 each, ties rolled off, of those who can act."""
    able = [fighter for fighter in fighters if fighter.ready and fighter.fights]
    move = Fighters((Dice(),) * len(able), "d6", tuple(fighter.name for fighter in able))
    outcome = Initiative().resolve(move, faces)
    if isinstance(outcome, Need):
        return outcome
    groups = cast("list[list[int]]", outcome.result["places"])
    places = {index: place for place, group in enumerate(groups) for index in group}
    scores = {fighter.id: faces[index] * 100 - places[index] for index, fighter in enumerate(able)}
    placed = [
        replace(fighter, placed=True, score=scores[fighter.id]) if fighter.id in scores else fighter
        for fighter in fighters
    ]
    dice = tuple(replace(die, role=able[int(die.role)].name) for die in outcome.dice)
    return placed, outcome.steps, dice


def _sides(fighters: Sequence[Combatant]) -> str:
    sides = dict.fromkeys(fighter.side for fighter in fighters)
    return " against ".join(
        join([fighter.name for fighter in fighters if fighter.side == side]) for side in sides)
