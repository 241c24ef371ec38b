"""What can be done with a sheet at any time: boxes, danger, hits, rests, aspects declared, what is used up."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.contests import Offer, Turn
from rules.fields import Choice, Text, Whole, read_all
from rules.moves import Need, Outcome, Step
from rules.sheet import Effect, Gain, Lose, Sheet, Spend
from rules.systems.danger_world.damage import Suffered, change_boxes, open_box, rest, suffer
from rules.systems.danger_world.reading import (
    ASPECTS,
    BONUS,
    POINTS,
    SETBACK,
    THREAT,
    box_line,
    damage_of,
    growable,
    level_of,
    of_kind,
    raise_danger,
)
from rules.systems.danger_world.track import FIRST_LEVEL, ZONES, Hit, zone_of
from rules.values import BadMove, Value

RESTS = (("short", "A short rest, some hours"), ("long", "A long rest"),
         ("episode", "A long rest, and the episode is over"))


def deeds(sheet: Sheet) -> tuple[Offer, ...]:
    """Every deed that this sheet has now; its player may do the first ones, the GM all."""
    zones = tuple((str(zone.rank), zone.name.capitalize()) for zone in ZONES if box_line(sheet, zone))
    gone = tuple((each.id, each.name) for kind in (BONUS, SETBACK, THREAT) for each in of_kind(sheet, kind))
    me = sheet.id
    found = []
    if zones:
        found += [
            Offer("fill", me, "Fill a box", "", (Text(name="zone", label="Which"),), {"zone": zones}),
            Offer("open", me, "Open a box again", "", (Text(name="zone", label="Which"),), {"zone": zones}),
            Offer("hit", "", "A hit", "Where it lands follows from the danger.", (Choice(
                name="how", label="How hard", default=Hit.REDUCED.value,
                options=tuple((hit.value, hit.value.capitalize()) for hit in Hit)),)),
        ]
    if places := growable(sheet):
        found.append(Offer("declare", me, "Declare an aspect", "A child grows from what was used twice.", (
            Text(name="name", label="The aspect", most=120), Text(name="under", label="Where it grows"),
        ), {"under": places}))
    if gone:
        found.append(Offer("drop", me, "Take something off", "Bonus dice used elsewhere, a setback that is over.",
                           (Text(name="line", label="What"),), {"line": gone}))
    if zones:
        found.append(Offer("rest", "", "Rest", "", (Choice(name="how", label="How long", default="short",
                                                           options=RESTS),)))
    found.append(Offer("danger", "", "Raise or lower the danger", "",
                       (Whole(name="by", label="By", least=-20, most=20, default=1),)))
    found.append(Offer("points", "", "Deal out the session’s story points", "For one who was not there when it began."))
    return tuple(found)


def do(
    sheet: Sheet, dials: Mapping[str, Any], action: str, given: Mapping[str, Value], faces: Sequence[int]
) -> Turn[Any] | Need:
    """What a deed leads to."""
    offer = next(each for each in deeds(sheet) if each.action == action)
    values = read_all(offer.fields, given)
    for name, options in (offer.options or {}).items():
        if values[name] not in dict(options):
            raise BadMove("Choose one.", name)
    if action in ("fill", "hit"):
        hurt = _fill(sheet, values["zone"], faces) if action == "fill" else suffer(sheet, Hit(values["how"]), faces)
        return hurt if isinstance(hurt, Need) else Turn((), Outcome({}, hurt.steps, hurt.dice), hurt.effects)
    effects, step = _plain(sheet, dials, action, values)
    return Turn((), Outcome({}, (step,)), effects)


def _fill(sheet: Sheet, rank: str, faces: Sequence[int]) -> Suffered | Need:
    zone = ZONES[int(rank) - 1]
    before = damage_of(sheet)
    if not before.open(zone):
        raise BadMove(f"All boxes of {zone.name} are filled.", "zone")
    boxes = tuple(each + (index == zone.rank - 1) for index, each in enumerate(before.filled))
    first = Step("DW-14", f"{sheet.name} fills a box of {zone.name}.")
    return change_boxes(sheet, replace(before, filled=boxes), first, faces)


def _plain(
    sheet: Sheet, dials: Mapping[str, Any], action: str, values: Mapping[str, Any]
) -> tuple[tuple[Effect, ...], Step]:
    if action == "open":
        zone = ZONES[int(values["zone"]) - 1]
        return open_box(sheet, zone), Step("DW-14", f"{sheet.name}: a box of {zone.name} is open again.")
    if action == "danger":
        level = max(FIRST_LEVEL, level_of(sheet) + values["by"])
        if level == level_of(sheet):
            raise BadMove("The danger stands there already.", "by")
        way = "rises" if values["by"] > 0 else "sinks"
        told = f"{sheet.name}’s danger {way} to {level}, zone {zone_of(level).rank}."
        return raise_danger(sheet, values["by"]), Step("DW-12", told)
    if action == "rest":
        return rest(sheet, values["how"]), Step("DW-14", f"{sheet.name}: {dict(RESTS)[values['how']].lower()}.")
    if action == "points":
        number = dials["points"]
        by = number - sheet.pool(POINTS)
        return (Spend(sheet.id, POINTS, by),) if by else (), Step("DW-10", f"{sheet.name} has {number} story points.")
    if action == "drop":
        line = sheet.trait(values["line"])
        name = line.name if line else ""
        return (Lose(values["line"]),), Step("DW-05", f"{sheet.name} lets go of {name}.")
    return _declare(sheet, values["name"], values["under"])


def _declare(sheet: Sheet, name: str, under: str) -> tuple[tuple[Effect, ...], Step]:
    if not name:
        raise BadMove("Give the aspect a name.", "name")
    parent = sheet.trait(under)
    kind = ASPECTS[ASPECTS.index(parent.kind) + 1] if parent else ASPECTS[0]
    beneath = f", beneath {parent.name}" if parent else ""
    step = Step("DW-11", f"{sheet.name} declares an aspect{beneath}: {name}.")
    return (Gain(sheet.id, kind, name, 0, parent=parent.id if parent else ""),), step
