"""Lines and veils, and the X-card. Nobody is named where the group has not asked for names."""
from __future__ import annotations

import uuid
from collections.abc import Callable

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Boundary, BoundaryType, Campaign, Entry, Member, Role
from campaigns.texts import text
from rules.common_settings import SAFETY_NAMES

SAFETY = trail.Filter("safety", "Safety")
NAME, MOST = 200, 200
Press = Callable[..., Entry]  # what one press does: by whom, by which form

# An undo would name whoever undoes: what was written is taken off instead.
trail.declare("safety.write", "A line or a veil is written", SAFETY, undoable=False, story=False)
trail.declare("safety.remove", "A line or a veil is removed", SAFETY, undoable=False, story=False)
trail.declare("safety.stop", "The X-card", SAFETY, undoable=False, story=False, felt=True)
trail.declare("safety.go_on", "The scene goes on", SAFETY, undoable=False, story=False, felt=True)


def shows_names(campaign: Campaign) -> bool:
    """Whether the group wants to see who wrote a line or a veil."""
    return bool(campaign.settings[SAFETY_NAMES])


@trail.answers_once
def write(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, name: str, type: BoundaryType, named: bool
) -> Entry:
    """Adds a line or a veil. `named` is what its writer was told; refused where the setting is another by now."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.OBSERVER, kind="safety.write", nameless=not named,
    ) as entry:
        if shows_names(entry.campaign) != named:
            raise Refused("Whether names are shown has just changed. Read the text below, then send it again.")
        said = text(name, NAME, "name", needed="Write what it is about.")
        if Boundary.objects.filter(campaign=entry.campaign).count() >= MOST:
            raise Refused(f"There are {MOST} already. Remove one first.", "name")
        made = entry.create(Boundary(
            id=uuid.uuid5(op_id, f"boundary of {campaign.pk}"), campaign=entry.campaign, name=said, type=type,
            writer=entry.actor))
        entry.title = f"{BoundaryType(made.type).label} added: {made.name}"
    return entry.written


@trail.answers_once
def remove(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, boundary_id: uuid.UUID) -> Entry:
    """Takes a line or a veil off. It may be anybody's, so anybody may, and the entry names nobody."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.OBSERVER, kind="safety.remove", nameless=True,
    ) as entry:
        gone = entry.locked(Boundary, pk=boundary_id)
        entry.title = f"{BoundaryType(gone.type).label} removed: {gone.name}"
        entry.remove(gone)
    return entry.written


@trail.answers_once
def stop(*, campaign: Campaign, actor: Member, op_id: uuid.UUID) -> Entry:
    """The X-card: the scene stops. The entry says that it was pressed, and nothing else."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.OBSERVER, kind="safety.stop", nameless=True,
        title="The X-card was pressed",
    ) as entry:
        if not entry.change(entry.campaign, stopped=True):
            raise Refused("The scene is already stopped.")
    return entry.written


@trail.answers_once
def go_on(*, campaign: Campaign, actor: Member, op_id: uuid.UUID) -> Entry:
    """A GM lets the scene go on."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="safety.go_on", title="The scene goes on",
    ) as entry:
        if not entry.change(entry.campaign, stopped=False):
            raise Refused("The scene is not stopped.")
    return entry.written
