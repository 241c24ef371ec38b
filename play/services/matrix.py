"""What a GM says of the matrix: what counts as easy and hard in it."""
from __future__ import annotations

import uuid

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from play.models import MatrixLimits
from play.services import bank

trail.declare("matrix.limits", "The limits of the matrix change", bank.PREPARED, story=False)


@trail.answers_once
def set_limits(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, easy: int, hard: int) -> Entry:
    """Says from which percent on something is called easy, and down from which hard."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="matrix.limits", audience=trail.GM,
        title=f"The matrix: easy from {easy} %, hard up to {hard} %",
    ) as entry:
        if not 0 <= hard < easy <= 100:
            raise Refused("Give two numbers from 0 to 100, the one for hard lower than the one for easy.", "hard")
        kept = MatrixLimits.objects.filter(campaign=campaign).first()
        if kept is None:
            entry.create(MatrixLimits(campaign=entry.campaign, easy=easy, hard=hard))
        elif not entry.change(entry.locked(MatrixLimits, pk=kept.pk), easy=easy, hard=hard):
            raise Refused("These are the limits already.", "hard")
    return entry.written
