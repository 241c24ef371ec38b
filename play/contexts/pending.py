"""What waits for characters: damage and the like to place, modifiers of their next rolls."""
from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from campaigns.models import Campaign
from play.models import PendingAllocation, PendingModifier
from play.services.pending_modifiers import given_words


@dataclass(frozen=True)
class PendingAllocationRow:
    """What a character's player has yet to place."""

    pk: uuid.UUID
    name: str
    type: str
    label: str
    amount: int
    reason: str


@dataclass(frozen=True)
class PendingModifierRow:
    """A modifier that waits for a character's next roll."""

    name: str
    gives: str
    reason: str


def pending_allocations(allocations: Iterable[PendingAllocation]) -> tuple[PendingAllocationRow, ...]:
    """What the viewer has to place."""
    return tuple(
        PendingAllocationRow(
            allocation.pk, allocation.character.name, allocation.type, allocation.get_type_display(),
            allocation.amount, allocation.reason,
        )
        for allocation in allocations
    )


def pending_modifiers(campaign: Campaign, waiting: Iterable[PendingModifier]) -> tuple[PendingModifierRow, ...]:
    """What waits for next rolls."""
    return tuple(PendingModifierRow(pending.character.name, given_words(campaign, pending.kind), pending.reason)
                 for pending in waiting)
