"""What the templates of campaigns may see, built for one viewer: an allow-list."""
from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format

from campaigns.access import Viewer
from campaigns.carrying import seats
from campaigns.invitations import State, makers, state_of
from campaigns.models import Invitation, Member, Role
from campaigns.now import NowContext
from campaigns.roles import YOU_CAN, A, may_set_role
from campaigns.telling import Sentence
from rules.system import System
from rules.values import Value


@dataclass(frozen=True)
class GameContext:
    """What pages ask of a game, whichever it is."""

    name: str
    has_tray: bool
    has_obstacles: bool
    has_modifiers: bool
    has_facts: bool
    teaches: bool
    solo_slug: str  # the contest that a player starts alone, "" where there is none
    solo_label: str
    scene_end_help: str
    own_places: tuple[tuple[str, str, str, bool], ...] = ()  # address, what it is of, label, whether it is the GM's


@dataclass(frozen=True)
class CampaignSummary:
    """A campaign as its own pages name it."""

    slug: str
    name: str
    pitch: str
    system: str
    edition: str
    head_seq: int
    in_scene: bool
    archived: bool
    sample: bool
    settings: Mapping[str, Value]
    game: GameContext
    stopped: bool = False


@dataclass(frozen=True)
class ViewerContext:
    """Who is looking, for templates: what they may do, never who they are in the tables.

    `seen_as` is the name of the player whose view a GM has taken, "" elsewhere.
    """

    campaign: CampaignSummary
    runs: bool
    plays: bool
    owns: bool
    seen_as: str = ""


@dataclass(frozen=True)
class Moment:
    """A time as people say it, and exactly."""

    said: str
    exact: str


@dataclass(frozen=True)
class News:
    """One thing that happened since one last looked, and where it is told at length."""

    when: Moment
    text: str
    url: str


@dataclass(frozen=True)
class SettingChange:
    """An entry that changed a setting: what it was, what it became."""

    seq: int
    when: Moment
    label: str
    was: str
    became: str


@dataclass(frozen=True)
class CampaignCard:
    """A campaign on the home page."""

    slug: str
    name: str
    system: str
    system_name: str
    pitch: str
    role: str
    archived: bool
    sample: bool  # and the viewer owns it
    throwaway: bool  # and nobody else is in it
    news: tuple[News, ...]
    now: NowContext


@dataclass(frozen=True)
class PersonRow:
    """A member as the people's page shows them."""

    id: uuid.UUID
    name: str
    role: str
    characters: int
    you: bool
    may_look: bool
    may_set_role: bool
    may_inherit: bool
    may_match: bool = False


@dataclass(frozen=True)
class LinkRow:
    """A link that lets people in; its address is known to nobody any more. `op_id` is for the form that closes it,
    `renew_id` for the one that gives it another address."""

    id: uuid.UUID
    op_id: uuid.UUID
    renew_id: uuid.UUID
    role: str
    maker: str
    made: Moment
    ends: Moment
    used: str
    state: str
    open: bool
    may_close: bool


@dataclass(frozen=True)
class InvitationCard:
    """What a link says to whoever follows it."""

    campaign: str
    system: str
    system_name: str
    pitch: str
    role: str
    lets: str
    maker: str


def _own_places(rules: System, settings: Mapping[str, Any]) -> tuple[tuple[str, str, str, bool], ...]:
    """What the game adds to the places of a campaign: what goes on beside the scenes, and lists for the GM."""
    carried = (("ongoing", procedure.slug, procedure.title, False) for procedure in rules.procedures
               if procedure.placement.session_end or (procedure.placement.always and procedure.allowed_by(settings)))
    lists = (("lines", kind.name, kind.plural, True) for kind in rules.sheet.trait_kinds if kind.listed)
    return (*carried, *lists)


def viewer_context(viewer: Viewer) -> ViewerContext:
    """The viewer as every template of a campaign gets it."""
    campaign, rules = viewer.campaign, viewer.campaign.rules
    solo = rules.solo_procedure
    game = GameContext(
        rules.name, rules.has_tray, bool(rules.rolls.obstacle),
        bool(rules.modifiers), rules.has_facts, rules.experience_rule is not None,
        solo.slug if solo else "", solo.start_label if solo else "", rules.session.scene_end_help,
        _own_places(rules, campaign.settings),
    )
    summary = CampaignSummary(
        campaign.slug, campaign.name, campaign.pitch, campaign.system, campaign.edition, campaign.head_seq,
        campaign.scene_id is not None, campaign.archived, campaign.sample,
        MappingProxyType(dict(campaign.settings)), game, campaign.stopped,
    )
    return ViewerContext(summary, viewer.runs, viewer.plays, viewer.owns,
                         str(viewer.member) if viewer.through else "")


def moment(at: datetime) -> Moment:
    """A time for a person."""
    here, today = timezone.localtime(at), timezone.localdate()
    away = (here.date() - today).days
    day = {0: "today", -1: "yesterday", 1: "tomorrow"}.get(away) or date_format(
        here, "j F" if here.year == today.year else "j F Y"
    )
    said = f"{day}, {here:%H:%M}" if abs(away) <= 1 else day
    return Moment(said, here.strftime("%Y-%m-%d %H:%M %Z"))


def campaign_cards(
    members: Sequence[Member], happened: Mapping[uuid.UUID, Sequence[Sentence]], asked: Sequence[NowContext]
) -> list[CampaignCard]:
    """The home page's cards, where something waits first; `asked` is what is asked of each member, in their order."""
    cards = [_card(member, happened.get(member.campaign_id, ()), now)
             for member, now in zip(members, asked, strict=True)]
    return sorted(cards, key=lambda card: (card.archived, not card.now.count))


def _card(member: Member, happened: Sequence[Sentence], now: NowContext) -> CampaignCard:
    sample = member.campaign.sample and member.role == Role.OWNER
    return CampaignCard(
        slug=member.campaign.slug, name=member.campaign.name, system=member.campaign.system,
        system_name=member.campaign.rules.name, pitch=member.campaign.pitch, role=Role(member.role).label,
        archived=member.campaign.archived, sample=sample, throwaway=sample and getattr(member, "alone", False),
        news=tuple(News(moment(sentence.at), sentence.text, sentence.url) for sentence in happened), now=now,
    )


def person_row(viewer: Viewer, member: Member) -> PersonRow:
    """A member, and what the viewer may do about them."""
    you, waits = member.pk == viewer.member.pk, seats.waits(member)
    return PersonRow(
        id=member.pk, name=member.user.shown_name, role=Role(member.role).label,
        characters=getattr(member, "plays_many", 0), you=you, may_set_role=may_set_role(viewer.member, member),
        may_look=viewer.runs and not member.may(Role.GM),
        may_inherit=viewer.owns and member.active and not you and not waits,
        may_match=viewer.owns and member.active and waits,
    )


def link_rows(invitations: Sequence[Invitation]) -> list[LinkRow]:
    """The links with their state: one query for who made them."""
    made_by, now = makers(list(invitations)) if invitations else {}, timezone.now()
    rows = []
    for link in invitations:
        maker = made_by.get(str(link.pk))
        state = state_of(link, maker, now)
        used = {0: "not used yet", 1: "used once"}.get(link.uses, f"used {link.uses} times")
        if state is State.USED_UP:
            used = ""  # its state says so
        rows.append(LinkRow(
            id=link.pk, op_id=uuid.uuid4(), renew_id=uuid.uuid4(),
            role=A[Role(link.role)], maker=maker.user.shown_name if maker else "",
            made=moment(link.created), ends=moment(link.expires), used=used, state=state.value,
            open=state is State.OPEN, may_close=state in (State.OPEN, State.LAPSED),
        ))
    return rows


def invitation_card(link: Invitation, maker: Member | None) -> InvitationCard:
    """What whoever holds a link may know."""
    campaign, role = link.campaign, Role(link.role)
    return InvitationCard(
        campaign=campaign.name, system=campaign.system, system_name=campaign.rules.name, pitch=campaign.pitch,
        role=A[role], lets=YOU_CAN[role], maker=maker.user.shown_name if maker else "",
    )
