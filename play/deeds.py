"""What somebody's lines did in a session: against what they were used, and which of them taught something."""
from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from campaigns.access import Viewer
from campaigns.trail.models import Change
from characters.models import Trait
from play import session_summary
from play.models import LineUsed
from play.session_summary import AwardEntry, SessionSpan


@dataclass(frozen=True)
class Deed:
    """A line of a sheet that was used, against what, and whether it taught something that counts."""

    trait: uuid.UUID
    name: str
    against: tuple[str, ...]
    taught: bool


def deeds(
    viewer: Viewer, when: SessionSpan, ids: Collection[uuid.UUID], awards: Iterable[AwardEntry] = ()
) -> Mapping[uuid.UUID, tuple[Deed, ...]]:
    """Of each of these characters what they used in a session, what taught something first; two queries."""
    if when.session is None or not ids:
        return {}
    came = Change.objects.filter(campaign=viewer.campaign, object_id=OuterRef("pk"), field="", **when.range)
    rows = LineUsed.objects.filter(Exists(came), campaign=viewer.campaign, character__in=ids).order_by("pk")
    used: dict[uuid.UUID, dict[str, None]] = {}
    for row in rows:
        used.setdefault(row.trait_id, {})[row.against] = None
    taught = {(award.award.who, award.award.about.casefold()) for award in awards if award.award.counts}
    learned: dict[uuid.UUID, list[Deed]] = {}
    for line in Trait.objects.filter(campaign=viewer.campaign, character__in=ids).order_by("place", "pk"):
        counts = (str(line.character_id), line.name.casefold()) in taught
        if line.pk in used or counts:
            deed = Deed(line.pk, line.name, tuple(used.get(line.pk, ())), counts)
            learned.setdefault(line.character_id, []).append(deed)
    return {pk: tuple(sorted(lines, key=lambda deed: not deed.taught)) for pk, lines in learned.items()}


def lately(viewer: Viewer, character_id: uuid.UUID) -> tuple[Deed, ...]:
    """What this character used in the session that is on, or in the last one."""
    when = session_summary.span(viewer)
    return deeds(viewer, when, [character_id], session_summary.awards(viewer, when)).get(character_id, ())
