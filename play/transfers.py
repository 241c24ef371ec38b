"""The ways that points went from one holder to another, for one viewer."""
from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet, Sum

from campaigns.access import Viewer
from characters.models import Character
from play.models import PoolTransfer

ON_A_PAGE = 12


@dataclass(frozen=True)
class TransferRow:
    """One way: from whom to whom, how many and why, in which entry. A side is "" where there is no end of points."""

    seq: int
    source: str
    target: str
    amount: int
    why: str


@dataclass(frozen=True)
class TransferList:
    """The latest ways of a session, how many earlier ones there are, and how much came from where there is no end.

    `gone` is how many points more went out of each pool of the campaign than came in: with what it holds now, what it
    began with.
    """

    rows: tuple[TransferRow, ...]
    earlier: int
    from_outside: int
    gone: Mapping[str, int]


def transfers(viewer: Viewer, session_id: uuid.UUID | None, *, whole: bool = False) -> TransferList:
    """The ways of a session, the latest first: four queries. Who is hidden from the viewer has no name."""
    moved = PoolTransfer.objects.filter(campaign=viewer.campaign, session=session_id)
    many = moved.count()
    shown = moved.select_related("source_character", "target_character").order_by("-seq", "-pk")
    rows = tuple(
        TransferRow(transfer.seq, _side(viewer, transfer.source_character, transfer.source_pool),
                    _side(viewer, transfer.target_character, transfer.target_pool), transfer.amount, transfer.why)
        for transfer in (shown if whole else shown[:ON_A_PAGE]))
    outside = moved.filter(source_pool="").aggregate(all=Sum("amount"))["all"] or 0
    return TransferList(rows, many - len(rows), outside, _gone(moved))


def _gone(moved: QuerySet[PoolTransfer]) -> dict[str, int]:
    gone: dict[str, int] = {}
    own = moved.values_list("source_pool", "source_character", "target_pool", "target_character")
    for source, giver, target, taker, amount in own.annotate(all=Sum("amount")).order_by():
        if not giver:
            gone[source] = gone.get(source, 0) + amount
        if not taker:
            gone[target] = gone.get(target, 0) - amount
    return gone


def _side(viewer: Viewer, character: Character | None, pool: str) -> str:
    if character is not None:
        return character.name if viewer.runs or not character.hidden else "Someone"
    return next((shared.label for shared in viewer.campaign.rules.session.shared_pools if shared.name == pool), "")
