"""What the campaign holds together."""
from __future__ import annotations

from dataclasses import dataclass

from campaigns.access import Viewer
from play.services import pools
from rules.system import PoolKind


@dataclass(frozen=True)
class Holding:
    """A pool of the campaign: its kind, what is in it, and to a GM what there is when it is fresh."""

    kind: PoolKind
    held: int
    fresh: int | None = None


def shared(viewer: Viewer) -> list[Holding]:
    """What the campaign holds together, and how much of it; to a GM also how much a fresh pool has."""
    kinds = viewer.campaign.rules.session.shared_pools
    held = pools.touched(viewer.campaign) if kinds else {}
    untouched = any(kind.name not in held for kind in kinds)
    fresh = pools.with_fresh(viewer.campaign, {}) if untouched or (kinds and viewer.runs) else {}
    return [Holding(kind, held.get(kind.name, fresh.get(kind.name, 0)), fresh[kind.name] if viewer.runs else None)
            for kind in kinds]
