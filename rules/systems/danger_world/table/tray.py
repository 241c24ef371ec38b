"""A check from the tray: the difficulty, the pool and the dice in one act (DW-02, DW-05)."""
from __future__ import annotations

from collections.abc import Mapping

from rules.fields import Field, Text
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.danger_world.table.offers import pool_offer
from rules.systems.danger_world.table.setup import CHALLENGE
from rules.systems.danger_world.table.state import State
from rules.tray import Obstacle, TrayAct, TrayRoll
from rules.values import Value

RATED = tuple(field.name for field in CHALLENGE)


def tray(sheet: Sheet, obstacles: Options) -> Offer:
    """The difficulty, then what the pool is made of."""
    pool = pool_offer(State(who=sheet.id), sheet)
    against: tuple[Field, ...] = CHALLENGE[:1]
    named = dict(pool.options or {})
    now: dict[str, Value] = {}
    if obstacles:
        against = (Text(name="obstacle", label="Against"), *against)
        named["obstacle"], now["obstacle"] = obstacles, obstacles[-1][0]
    if len(stats := named["stats"]) == 2:
        now["stats"] = [pk for pk, _ in stats]
    fields = (*against[:1], *pool.fields, *against[1:])
    return Offer("propose", sheet.id, "Roll", pool.help, fields, named, rolls=True, now=now)


def from_tray(
    sheet: Sheet, setup: Mapping[str, Value], given: Mapping[str, Value], obstacle: Obstacle | None
) -> TrayRoll:
    """The check, the pool, and the dice, unless the GM agrees to each pool first."""
    rated = {name: given[name] for name in RATED if name in given}
    if obstacle:
        rated = {"title": obstacle.name, **{name: obstacle.values[name] for name in RATED if name in obstacle.values}}
    pool = {name: value for name, value in given.items() if name not in (*RATED, "obstacle")}
    acts = [TrayAct("propose", sheet.id, pool)]
    # Where the GM has said how hard it is, nobody has to agree to anything more.
    if obstacle or not setup.get("agree", True):
        acts.append(TrayAct("roll", sheet.id, {}))
    return TrayRoll({**setup, **rated, **({"agree": False} if obstacle else {})}, tuple(acts))
