"""A sheet that a link shows to people without an account."""
from __future__ import annotations

import uuid
from dataclasses import replace

from django.urls import reverse

from campaigns import sharing
from campaigns.access import NOBODY, Viewer
from campaigns.models import Campaign, Member
from campaigns.trail.visible import last_seq
from characters import queries
from characters.contexts import sheet_context, state_of
from characters.models import Character
from characters.services.common import may_edit

SHEET = "sheet"


def _may(member: Member, character_id: uuid.UUID | None) -> bool:
    character = Character.objects.filter(campaign=member.campaign_id, pk=character_id or NOBODY, hidden=False).first()
    return character is not None and may_edit(member, character)


def _name(campaign: Campaign, character_id: uuid.UUID | None) -> str:
    return f"{Character.objects.get(campaign=campaign, pk=character_id or NOBODY).name}’s sheet"


def _draw(viewer: Viewer, character_id: uuid.UUID | None, token: str, earlier: str) -> sharing.Drawn | None:
    character = queries.known_sheet(viewer, character_id) if character_id else None
    if character is None:
        return None
    sheet = sheet_context(viewer, character, state_of(character), why=False)
    digest = character.portrait.digest if sheet.portrait else ""
    # Who plays it is nobody's business outside.
    sheet = replace(sheet, player="", portrait=reverse("shared_picture", args=[token, digest]) if digest else "")
    system = viewer.campaign.system
    return sharing.Drawn("characters/shared_sheet.html", {
        "sheet": sheet, "last": last_seq(viewer, character.pk), "links": {},
        "parts": (f"systems/{system}/sheet_notes.html", "characters/sheet_notes.html"),
    })


def _picture(viewer: Viewer, character_id: uuid.UUID | None, digest: str) -> bytes:
    return queries.picture(viewer, queries.find(viewer, character_id), digest) if character_id else b""


sharing.offer(SHEET, sharing.Shareable(_may, _name, _draw, _picture))
