"""A standard roll from the tray: what is ticked, and what the GM has put on the scene, in one act (PN-02, PN-05)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.fields import Text
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.pnc import debts
from rules.systems.pnc.factors import fields_for, in_words, weights_of
from rules.systems.pnc.reckoning import bearing, ticked
from rules.tray import Obstacle, TrayAct, TrayRoll
from rules.values import Value


def tray(sheet: Sheet, obstacles: Options) -> Offer:
    """Features to tick, and circumstances; what is owed in the scene is told."""
    lines, ready = ticked(sheet)
    named: dict[str, Options] = {"features": lines} if lines else {}
    fields = fields_for(lines)
    if obstacles:
        fields = (Text(name="obstacle", label="Against"), *fields)
        named["obstacle"] = obstacles
    now = {**ready, **({"obstacle": obstacles[-1][0]} if obstacles else {})}
    return Offer("roll", sheet.id, "Roll", debts.in_words(sheet), fields, named, rolls=True, now=now or None)


def said_there(who: str, given: Mapping[str, Value]) -> Options:
    """The circumstances that a player says, each by its place."""
    said = weights_of(None, {"circumstances": given.get("circumstances", ())}, by="player")
    return tuple((f"circumstances {place}", in_words(weight, {"player": who})) for place, weight in enumerate(said))


def from_tray(
    sheet: Sheet, setup: Mapping[str, Value], given: Mapping[str, Value], obstacle: Obstacle | None
) -> TrayRoll:
    """The question, the circumstance that the obstacle is, and the roll."""
    chosen = {name: value for name, value in given.items() if name != "obstacle"}
    acts = [TrayAct("judge", "", {"circumstances": [{"rung": obstacle.values["rung"], "reason": obstacle.name}]})] \
        if obstacle and obstacle.values.get("rung") else []
    features = chosen.get("features", ())
    wounds = {wound.id for wound in bearing(sheet)}
    uses = tuple(str(line) for line in features if line not in wounds) if isinstance(features, Sequence) else ()
    return TrayRoll(setup, (*acts, TrayAct("roll", sheet.id, chosen)), uses)
