"""The Chronicle that a link shows to people without an account."""
from __future__ import annotations

import uuid

from campaigns import sharing
from campaigns.access import Viewer
from campaigns.models import Campaign, Member, Role
from play import queries
from play.contexts.sessions import session_context
from play.journals import shared_journals
from play.stories import stories

CHRONICLE = "chronicle"


def _may(member: Member, nothing: uuid.UUID | None) -> bool:
    return member.may(Role.GM)


def _name(campaign: Campaign, nothing: uuid.UUID | None) -> str:
    return "the Chronicle"


def _draw(viewer: Viewer, nothing: uuid.UUID | None, token: str, earlier: str) -> sharing.Drawn:
    sessions, older = queries.sessions(viewer, int(earlier[:6]) if earlier.isdecimal() else 0)
    by_scene, written = stories(viewer, sessions), shared_journals(viewer, sessions)
    return sharing.Drawn("play/shared_chronicle.html", {  # without who was there: they are people
        "sessions": [session_context(session, scenes=True, stories=by_scene, journals=written) for session in sessions],
        "links": {},
        "older": f"?earlier={older}" if older else "",
    })


sharing.offer(CHRONICLE, sharing.Shareable(_may, _name, _draw))
