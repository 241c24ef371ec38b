"""A challenge from the tray: how hard it is, what counts, who helps, and the dice in one act (PS-10, PS-15)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rules.fields import Field, Text
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.pdq_sharp.challenge.framing import FAILING, can_help, some
from rules.systems.pdq_sharp.challenge.roll import BURN, FLAT, style_field, with_their_fortes
from rules.systems.pdq_sharp.challenge.state import NONE
from rules.systems.pdq_sharp.chart import difficulty_field
from rules.systems.pdq_sharp.kinds import MOTIVATIONS, TECHNIQUE, TECHNIQUES
from rules.systems.pdq_sharp.reading import (
    STYLE,
    at_the_margin,
    is_burned,
    lines_of,
    of_kind,
    usable,
)
from rules.systems.pdq_sharp.reckoning import terms
from rules.tray import Around, TrayAct, TrayRoll
from rules.values import BadMove, Value

HELP = "Techniques and style dice can be added after the dice as well, as a die or as +1."


def tray(sheet: Sheet, around: Around) -> Offer:
    """What it is against, what counts with its techniques beneath it, who helps, and style dice that are paid."""
    named: dict[str, Options] = {"fortes": tuple(_lines(sheet))}
    against: tuple[Field, ...] = ()
    now: dict[str, Value] = {"difficulty": "average"}
    if around.obstacles:
        against = (Text(name="obstacle", label="Against"),)
        named["obstacle"], now["obstacle"] = around.obstacles, around.obstacles[-1][0]
    fields: tuple[Field, ...] = (*against, some("fortes", "Fortes"), difficulty_field(), FAILING)
    if helping := tuple(_of_others(around, sheet.id)):
        fields, named["help"] = (*fields, some("help", "With help from")), helping
    if techniques := with_their_fortes(sheet):
        fields, named["flat"] = (*fields, FLAT), techniques
    if held := sheet.pool(STYLE):
        fields += (style_field(held),)
    if any(not is_burned(sheet, drive) for drive in of_kind(sheet, *MOTIVATIONS)):
        fields += (BURN,)
    return Offer("roll", sheet.id, "Roll", HELP, fields, named, rolls=True, now=now)


def _lines(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Everything that can count, its rank at the margin; each technique beneath the forte that it hangs on."""
    kinds = dict(TECHNIQUES)
    techniques = of_kind(sheet, TECHNIQUE)
    for line in (trait for trait in sheet.traits if usable(trait)):
        yield line.id, at_the_margin(line)
        yield from ((trait.id, f"↳ {kinds[trait.value]}: {trait.name} · 1 die") for trait in techniques
                    if trait.parent == line.id)
    yield from ((trait.id, f"{kinds[trait.value]}: {trait.name}, with any forte · 1 die") for trait in techniques
                if not trait.parent)


def _of_others(around: Around, roller: str) -> Iterator[tuple[str, str]]:
    """What others who are here can help with, each with whose it is (PS-15)."""
    for who, other in around.others.items():
        if who != roller and can_help(other):
            yield from ((line.id, f"{other.name}: {at_the_margin(line)}") for line in other.traits if usable(line))


def from_tray(sheet: Sheet, setup: Mapping[str, Value], given: Mapping[str, Value], around: Around) -> TrayRoll:
    """How hard it is, on the GM's word where they have put it there or roll and else on the player's; the help of
    others; then the roll."""
    rolled = _roll(sheet, given)
    put: Mapping[str, Value] = around.against.values if around.against else {}
    said = {name: given[name] for name in ("difficulty", "harm") if name in given}
    gms, hard = put or around.runs, {"harm": NONE, **(put or said)}
    if around.runs and said.get("harm", NONE) != NONE:
        hard["harm"] = said["harm"]  # what a GM says in their tray of something that is in the way already
    how_hard = TrayAct("set" if gms else "say", "" if gms else sheet.id, hard)
    helping = {who: lines for who, other in around.others.items()
               if (lines := [trait.id for trait in other.traits if trait.id in _ids(given, "help")])}
    helps = (TrayAct("help", who, {"fortes": lines}) for who, lines in helping.items())
    if "difficulty" not in hard:
        raise BadMove("Ask the GM for the difficulty.", "difficulty")
    return TrayRoll(setup, (how_hard, *helps, rolled), tuple(_ids(rolled.given, "fortes")), tuple(helping))


def _roll(sheet: Sheet, given: Mapping[str, Value]) -> TrayAct:
    """The roll, its one list told apart; raises `BadMove` at the tray's own fields."""
    lines, flat = _ids(given, "fortes"), _ids(given, "flat")
    techniques = [trait.id for trait in lines_of(sheet, lines) if trait.kind == TECHNIQUE]
    fortes = [line for line in lines if line not in techniques]
    try:
        terms(sheet, fortes=fortes, techniques=techniques, flat=flat, burn=bool(given.get("burn")))
    except BadMove as bad:
        raise BadMove(bad.sentence, "fortes" if bad.field == "techniques" else bad.field) from None
    rest = {name: given[name] for name in ("flat", "style", "burn") if name in given}
    return TrayAct("roll", sheet.id, {"fortes": fortes, "techniques": techniques, **rest})


def _ids(given: Mapping[str, Value], name: str) -> list[str]:
    ticked = given.get(name, ())
    return [line for line in ticked if isinstance(line, str)] if isinstance(ticked, Sequence) else []
