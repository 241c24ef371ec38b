"""Sheets and pools as effects will leave them, for what follows in the same act."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.procedure import CampaignContext
from rules.sheet import Damage, Effect, Sheet, Spend, Transfer

Sheets = Mapping[str, Sheet]


def left_by(effects: Iterable[Effect], context: CampaignContext, sheets: Sheets) -> tuple[CampaignContext, Sheets]:
    """What the campaign holds, and all sheets, after these effects."""
    changed, pools = dict(sheets), dict(context.pools)
    for effect in effects:
        match effect:
            case Damage(trait, by, failure):
                changed = {who: _hurt(sheet, trait, by, failure) for who, sheet in changed.items()}
            case Spend(sheet, pool, by):
                changed[sheet] = _spent(changed[sheet], pool, by)
            case Transfer(amount, source, target):
                for purse, by in ((source, -amount), (target, amount)):
                    if purse and purse.sheet:
                        changed[purse.sheet] = _spent(changed[purse.sheet], purse.pool, by)
                    elif purse:
                        pools[purse.pool] = pools.get(purse.pool, 0) + by
            case _:
                pass  # what else there is has no part in what follows
    return replace(context, pools=tuple(pools.items())), changed


def _hurt(sheet: Sheet, line: str, by: int, failure: bool) -> Sheet:
    return replace(sheet, traits=tuple(
        replace(trait, damage=trait.damage + by, failures=trait.failures + (by if failure else 0))
        if trait.id == line else trait for trait in sheet.traits))


def _spent(sheet: Sheet, pool: str, by: int) -> Sheet:
    return replace(sheet, pools=tuple({**dict(sheet.pools), pool: sheet.pool(pool) + by}.items()))
