"""What stands large on somebody's table: the picture or text that was shown to them last in the scene that is on."""
from __future__ import annotations

from dataclasses import dataclass

from campaigns import pages
from campaigns.access import Viewer
from campaigns.models import Entry
from campaigns.sight import SHOWN
from campaigns.trail.cards import ShownCard
from campaigns.trail.contexts import EntryContext, entries
from campaigns.trail.declared import declared, found_by
from campaigns.trail.visible import readable
from characters import queries as characters
from play import library
from play.waiting import waits

LATEST = 5  # entries that are looked through
# Of which things somebody may know all, and which by their face.
KNOWN = {
    "page": (pages.open_to, pages.met), "thing": (library.known, library.met),
    "character": (characters.known, characters.met),
}


@dataclass(frozen=True)
class Handout:
    """A card that was shown, and the entry that did it."""

    seq: int
    card: ShownCard


def handout(viewer: Viewer) -> Handout | None:
    """What was shown to the viewer last in the scene that is on, as long as they may know that much of it; a GM has
    none.

    What has neither a picture nor a text is in the story alone.
    """
    if viewer.runs or not viewer.campaign.scene_id or not waits(viewer, Entry):
        return None
    shown = Entry.objects.filter(
        readable(viewer), found_by(SHOWN.name), campaign=viewer.campaign, scene_id=viewer.campaign.scene_id)
    rows = shown.select_related("payload", "revelation", "actor__user").order_by("-seq")[:LATEST]
    large = (Handout(entry.seq, entry.card) for entry in entries(viewer, list(rows))
             if entry.card and (entry.card.picture or entry.card.whole) and not entry.undone_by
             and _still_known(viewer, entry, entry.card))
    return next(large, None)


def shows(kind: str) -> bool:
    """Whether an entry of this kind puts something in front of people."""
    known = declared(kind)
    return known is not None and SHOWN in known.filters


def _still_known(viewer: Viewer, entry: EntryContext, card: ShownCard) -> bool:
    if card.of not in KNOWN:
        return False
    by_face = entry.kind.endswith(".face")
    return KNOWN[card.of][by_face](viewer).filter(pk=card.id).exists()
