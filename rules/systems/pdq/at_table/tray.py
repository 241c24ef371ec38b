"""A test from the tray: what is ticked, and what the GM has put there, in one act."""
from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Values
from rules.fields import Field, Text
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.pdq.at_table.difficulty import difficulty_fields
from rules.systems.pdq.at_table.roll import roll_fields
from rules.systems.pdq.chart import difficulty_field
from rules.systems.pdq.reckoning import OF_AN_OBSTACLE, as_lines, by_word
from rules.tray import Around, TrayAct, TrayRoll
from rules.values import BadMove, Value


def tray(sheet: Sheet, around: Around) -> Offer:
    """What it is against, which qualities apply, who helps, and shifts."""
    fields, named = roll_fields(sheet, around.others)
    hard, opposing = difficulty_fields(around.others, sheet.id)
    now: dict[str, Value] = {"difficulty": "average"}
    against: tuple[Field, ...] = ()
    if around.obstacles:
        against, now["obstacle"] = (Text(name="obstacle", label="Against"),), around.obstacles[-1][0]
        named["obstacle"] = around.obstacles
    traits = tuple(field for field in fields if field.name == "traits")
    rest = tuple(field for field in fields if field.name != "traits")
    every = (*against, *traits, *(difficulty_field() if field.name == "difficulty" else field for field in hard), *rest)
    return Offer("roll", sheet.id, "Roll", "", every, {**named, **opposing}, rolls=True, now=now)


def said_there(who: str, given: Mapping[str, Value]) -> Options:
    """The shifts that a player says, each by its place."""
    return tuple((f"lines {place}", shift.words) for place, shift in enumerate(by_word(_rows(given.get("lines")), who)))


def from_tray(sheet: Sheet, setup: Values, given: Mapping[str, Value], around: Around) -> TrayRoll:
    """How hard it is, on the GM's word where they have put it there and else on the player's; what the GM has given
    for this roll; and the roll."""
    said = {name: given[name] for name in ("difficulty", "against", "simple", "harm") if name in given}
    put = dict(around.against.values) if around.against else {}
    gms = around.runs or bool(put)
    # What a GM says in their tray of something that is in the way already counts as well.
    also = {name: True for name in OF_AN_OBSTACLE if said.get(name)}
    hard = {**said, **put, **also} if around.runs else put or said
    lines = _rows(given.get("lines"))
    acts = [TrayAct("set", "", hard)] if gms else [TrayAct("say", sheet.id, hard)]
    if more := [*as_lines(around.waiting), *(lines if around.runs else ())]:
        acts.append(TrayAct("grant", "", {"lines": more}))
    own = ("traits", "help") if around.runs else ("traits", "help", "lines")
    acts.append(TrayAct("roll", sheet.id, {name: given[name] for name in own if name in given}))
    helping = _ids(given.get("help"))
    with_others = tuple(
        id_ for id_, other in around.others.items() if any(trait.id in helping for trait in other.traits))
    if not hard:
        raise BadMove("Ask the GM for the difficulty.", "difficulty")
    return TrayRoll(setup, tuple(acts), tuple(_ids(given.get("traits"))), with_others)


def _rows(lines: Value) -> list[Value]:
    return list(lines) if isinstance(lines, (list, tuple)) else []


def _ids(lines: Value) -> list[str]:
    return [str(line) for line in _rows(lines)]
