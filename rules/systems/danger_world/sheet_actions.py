"""What can be done with a sheet at any time: boxes, danger, hits, rests, aspects declared, what is used up."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.engine import check
from rules.fields import REQUIRED, Choice, Text, Whole
from rules.moves import Need, Step, take
from rules.procedure import ActResult, Offer
from rules.sheet import Gain, Lose, Sheet, Spend
from rules.systems.danger_world.damage import Suffered, change_boxes, open_box, rest, suffer
from rules.systems.danger_world.reading import (
    ASPECTS,
    BONUS,
    POINTS,
    SETBACK,
    THREAT,
    box_line,
    damage_of,
    filled,
    growable,
    level_of,
    of_kind,
    raise_danger,
    to_boxes,
)
from rules.systems.danger_world.track import DEAD, FIRST_LEVEL, ZONES, Hit, zone_of
from rules.values import BadMove, Value

RESTS = (("short", "A short rest, some hours"), ("long", "A long rest"),
         ("episode", "A long rest, and the episode is over"))
LAST_IS_THE_GMS = "The last box, death, only your GM fills or clears."
HIT = "hit"
Values = Mapping[str, Any]
Result = ActResult[Any]


def offers(sheet: Sheet) -> tuple[Offer, ...]:
    """Every action that this sheet has now; its player may do the first ones, the GM all."""
    there = [zone for zone in ZONES if box_line(sheet, zone)]
    zones = tuple((str(zone.rank), zone.name.capitalize()) for zone in there if zone is not DEAD)
    gone = tuple((trait.id, trait.name) for kind in (BONUS, SETBACK, THREAT) for trait in of_kind(sheet, kind))
    me = sheet.id
    which = Text(name="zone", label="Box", default=REQUIRED, missing="Choose a box.")
    offered = []
    if zones:
        offered += [
            Offer("fill", me, "Fill a box", LAST_IS_THE_GMS, (which,), {"zone": zones}, rolls=True),
            Offer("open", me, "Clear a box", LAST_IS_THE_GMS, (which,), {"zone": zones}),
            Offer(HIT, "", "Take a hit", "Where it lands follows from the danger.", (Choice(
                name="how", label="Hit", default=Hit.REDUCED.value,
                options=tuple((hit.value, hit.value.capitalize()) for hit in Hit)),), rolls=True),
        ]
    if DEAD in there:
        offered.append(Offer("last_box", "", "Clear the last box" if filled(sheet, DEAD) else "Fill the last box",
                           "Only you do this: it is life or death."))
    if places := growable(sheet):
        offered.append(Offer("declare", me, "Declare an aspect", "One goes beneath another that was used twice.", (
            Text(name="name", label="The aspect", default=REQUIRED, most=120, missing="Enter a name for the aspect."),
            Text(name="under", label="Belongs to", default=REQUIRED, missing="Choose what it belongs to."),
        ), {"under": places}))
    if gone:
        offered.append(Offer("drop", me, "Remove a line", "Bonus dice used elsewhere, a setback that is over.",
                           (Text(name="line", label="Trait", default=REQUIRED, missing="Choose a line."),),
                           {"line": gone}))
    if zones:
        offered.append(Offer("rest", "", "Rest", "", (Choice(name="how", label="How long", default="short",
                                                           options=RESTS),)))
    offered.append(Offer("danger", "", "Raise or lower the danger", "",
                       (Whole(name="by", label="Change", least=-20, most=20, default=1),)))
    offered.append(Offer("points", "", "Deal the session’s story points", "For one who was not there when it began."))
    return tuple(offered)


def act(
    sheet: Sheet, settings: Mapping[str, Any], action: str, given: Mapping[str, Value], faces: Sequence[int]
) -> Result | Need:
    """What an action leads to, or the dice that it wants; raises `BadMove`."""
    offer = next(offer for offer in offers(sheet) if offer.action == action)
    values = check(offer, given)
    if offer.rolls:
        hurt = _fill(sheet, values["zone"], faces) if action == "fill" else suffer(sheet, Hit(values["how"]), faces)
        return hurt if isinstance(hurt, Need) else Result((), hurt.steps, dice=hurt.dice, effects=hurt.effects)
    take(faces, 0)
    return HANDLERS[action](sheet, settings, values)


def _fill(sheet: Sheet, rank: str, faces: Sequence[int]) -> Suffered | Need:
    zone = ZONES[int(rank) - 1]
    before = damage_of(sheet)
    if not before.open(zone):
        raise BadMove(f"All boxes of {zone.name} are filled.", "zone")
    boxes = tuple(boxes_filled + (index == zone.rank - 1) for index, boxes_filled in enumerate(before.filled))
    first = Step("DW-14", f"{sheet.name} fills a box of {zone.name}.")
    return change_boxes(sheet, replace(before, filled=boxes), first, faces)


def _open(sheet: Sheet, settings: Mapping[str, Any], values: Values) -> Result:
    zone = ZONES[int(values["zone"]) - 1]
    step = Step("DW-14", f"{sheet.name}: a box of {zone.name} is clear again.")
    return Result((), (step,), effects=open_box(sheet, zone))


def _last_box(sheet: Sheet, settings: Mapping[str, Any], values: Values) -> Result:
    if filled(sheet, DEAD):
        return Result((), (Step("DW-14", f"{sheet.name} is back from the dead."),), effects=open_box(sheet, DEAD))
    before = damage_of(sheet)
    after = replace(before, filled=(*before.filled[:-1], DEAD.boxes))
    return Result((), (Step("DW-14", f"{sheet.name} is dead."),), effects=to_boxes(sheet, after))


def _danger(sheet: Sheet, settings: Mapping[str, Any], values: Values) -> Result:
    level = max(FIRST_LEVEL, level_of(sheet) + values["by"])
    if level == level_of(sheet):
        raise BadMove("No change: the danger is already at this level.", "by")
    way = "rises" if values["by"] > 0 else "sinks"
    step = Step("DW-12", f"{sheet.name}’s danger {way} to {level}, zone {zone_of(level).rank}.")
    return Result((), (step,), effects=raise_danger(sheet, values["by"]))


def _rest(sheet: Sheet, settings: Mapping[str, Any], values: Values) -> Result:
    step = Step("DW-14", f"{sheet.name}: {dict(RESTS)[values['how']].lower()}.")
    return Result((), (step,), effects=rest(sheet, values["how"]))


def _points(sheet: Sheet, settings: Mapping[str, Any], values: Values) -> Result:
    number = settings["points"]
    by = number - sheet.pool(POINTS)
    step = Step("DW-10", f"{sheet.name} has {number} story points.")
    return Result((), (step,), effects=(Spend(sheet.id, POINTS, by),) if by else ())


def _drop(sheet: Sheet, settings: Mapping[str, Any], values: Values) -> Result:
    line = sheet.trait(values["line"])
    step = Step("DW-05", f"{sheet.name} no longer has {line.name if line else 'this'}.")
    return Result((), (step,), effects=(Lose(values["line"]),))


def _declare(sheet: Sheet, settings: Mapping[str, Any], values: Values) -> Result:
    parent = sheet.trait(values["under"])
    kind = ASPECTS[ASPECTS.index(parent.kind) + 1] if parent else ASPECTS[0]
    beneath = f", beneath {parent.name}" if parent else ""
    step = Step("DW-11", f"{sheet.name} declares an aspect{beneath}: {values['name']}.")
    return Result((), (step,), effects=(Gain(sheet.id, kind, values["name"], 0, parent=parent.id if parent else ""),))


HANDLERS: dict[str, Callable[[Sheet, Mapping[str, Any], Values], Result]] = {
    "open": _open, "last_box": _last_box, "danger": _danger, "rest": _rest, "points": _points, "drop": _drop,
    "declare": _declare,
}
