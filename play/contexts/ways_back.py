"""What brings back a character who can't act: what there is to roll or to place, the game's own way, the GM's word; and
what others can try for somebody who is hurt."""
from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping
from urllib.parse import urlencode

from django.urls import reverse

from campaigns.access import Viewer
from characters.models import Character
from play import queries
from play.contexts.scene_menu import Link, Press
from play.models import AskedRecovery
from play.services.asked_recovery import asked_for, recoverable
from play.services.scenes import in_a_fight
from play.services.tray import treatments
from play.waiting import waits
from rules.ways_back import BringsBack, WayBack

ASK = "Ask the GM to let me recover"
PLACING = {"damage": "Assign damage", "recovery": "Recover", "roll": "Roll for recovery"}


def ways_back(viewer: Viewer, character: Character, present: Collection[Character] = ()) -> tuple[Link, ...]:
    """The buttons for this character, the likeliest first; where none is here, the sheet. Prefetch `traits`."""
    slug, rules = viewer.campaign.slug, viewer.campaign.rules.sheet
    if character.dead:
        return () if viewer.runs else (Link("Create a new character", reverse("character_begin", args=[slug])),)
    links = [Link(PLACING[allocation.type], reverse("place", args=[slug, allocation.pk]))
             for allocation in queries.pending_allocations(viewer) if allocation.character_id == character.pk]
    if isinstance(rules, BringsBack):
        links += _begun(viewer, rules.ways_back(character.sheet()))
    links += mending(viewer, [character], present).get(character.pk, ())
    links += asks_to_recover(viewer, [character]).values()
    if viewer.runs and queries.anybody_hurt(viewer):
        links.append(Link("Let them recover", reverse("recover", args=[slug])))
    return tuple(links) or (Link("Open the sheet", reverse("sheet", args=[slug, character.pk])),)


def asks_to_recover(viewer: Viewer, characters: Iterable[Character]) -> dict[uuid.UUID, Link]:
    """The press with which a player asks the GM to let one of these recover, of those who are theirs and have something
    to gain. There is none for whom it is asked already, and for whom a fight that goes on brings back."""
    mine = [character for character in characters
            if viewer.plays and character.player_id == viewer.member.pk and not character.dead]
    if viewer.runs or not mine or not viewer.campaign.rules.session.recoveries():
        return {}
    waiting = asked_for(viewer.campaign) if waits(viewer, AskedRecovery) else set()
    waiting |= in_a_fight(viewer.campaign, mine).keys()
    gain = recoverable(viewer.campaign, {character.pk for character in mine} - waiting)
    return {character.pk: Press(ASK, reverse("ask_recovery", args=[viewer.campaign.slug, character.pk]))
            for character in mine if character.pk in gain}


def mending(
    viewer: Viewer, hurt: Iterable[Character], present: Iterable[Character]
) -> Mapping[uuid.UUID, tuple[Link, ...]]:
    """What the viewer can begin for each who is hurt, with one of their characters who are here and can act.

    Prefetch `traits` of all, and `pools`.
    """
    rules = viewer.campaign.rules.sheet
    if not (viewer.plays and viewer.campaign.scene_id):
        return {}
    table = reverse("table", args=[viewer.campaign.slug])
    patients = {character: character.sheet() for character in hurt}
    able = {character.pk: sheet for character in present
            if (viewer.runs or character.player_id == viewer.member.pk) and not character.dead
            and not rules.unable(sheet := patients.get(character) or character.sheet())}
    links: dict[uuid.UUID, list[Link]] = {patient.pk: [] for patient in patients}
    for pk, healer in able.items():
        for way in treatments(viewer.campaign, healer, patients):
            if way.patient:
                tray = f"{table}?{urlencode({'character': pk, 'treats': way.pk})}#tray"
                links[way.patient.pk].append(Link(way.name, tray))
        if isinstance(rules, BringsBack):
            for patient, sheet in patients.items():
                links[patient.pk] += _begun(viewer, rules.mending(sheet, healer))
    # What several could do is offered once, with the first of them: who rolls is chosen there.
    return {pk: tuple({link.label: link for link in reversed(theirs)}.values())[::-1] for pk, theirs in links.items()}


def _begun(viewer: Viewer, ways: Iterable[WayBack]) -> list[Link]:
    """Where these are done: at what goes on, else at the form that starts it, filled in."""
    slug, links = viewer.campaign.slug, list[Link]()
    going_on = {contest.kind for contest in queries.contests(viewer)}
    for way in ways:
        kind = next(procedure for procedure in viewer.campaign.rules.procedures if procedure.name == way.procedure)
        if kind.placement.session_end:
            if kind.name in going_on:
                there = f"#offer-{way.act}-{way.by}" if way.act else ""
                links.append(Link(way.label, reverse("ongoing", args=[slug, kind.slug]) + there))
        elif viewer.campaign.scene_id:
            query = f"?{urlencode(way.said)}" if way.said else ""
            links.append(Link(way.label, reverse("start_contest", args=[slug, kind.slug]) + query))
    return links
