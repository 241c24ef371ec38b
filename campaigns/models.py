"""A campaign, who belongs to it, and how one gets in. What is tracked changes only through an entry of the trail."""
from __future__ import annotations

import json
import uuid
from typing import Any

from django.conf import settings
from django.db import models

from campaigns.carrying.pictures import carried
from campaigns.trail.models import Change, Commitment, Entry, Erasure, Payload, Revelation
from campaigns.trail.tracked import tracked
from rules.common_settings import REAL_DICE
from rules.registry import system_of
from rules.system import System

__all__ = [
    "Boundary", "BoundaryType", "Campaign", "Change", "Commitment", "Entry", "Erasure", "Found", "Image", "Invitation",
    "Member", "Page", "Payload", "Revelation", "Role", "SharedLink", "Sight", "View",
]


class Role(models.TextChoices):
    """What a member may do; each may do what the ones before may."""

    OBSERVER = "observer", "Observer"
    PLAYER = "player", "Player"
    GM = "gm", "GM"
    OWNER = "owner", "Owner"

    def at_least(self, other: Role) -> bool:
        """Whether this role may do all that `other` may."""
        return ORDER.index(self) >= ORDER.index(other)


ORDER = tuple(Role)


@tracked(
    "campaign", "name", "pitch", "settings_json", "session_id", "scene_id", "archived", "stopped", word="Campaign",
    stored={"settings_json": "dials"},
)
class Campaign(models.Model):
    """A group's campaign. Its row is the lock that every write takes; `head_seq` is how far its trail has come."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=120)
    pitch = models.TextField(max_length=4000, blank=True)
    system = models.CharField(max_length=40)
    edition = models.CharField(max_length=40)
    settings_json = models.TextField(default="{}")
    # The open session and the scene that is on: they live in another app, so these are plain ids.
    session_id = models.UUIDField(null=True, blank=True)
    scene_id = models.UUIDField(null=True, blank=True)
    archived = models.BooleanField(default=False)
    # Somebody pressed the X-card: nothing is rolled and nothing is done in a contest until a GM goes on.
    stopped = models.BooleanField(default=False)
    # Made to look at: its owner throws it away with one press. It is no part of the story, so the trail has none of it.
    sample = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)
    head_seq = models.PositiveIntegerField(default=0)
    head_hash = models.CharField(max_length=64, default="0" * 64)
    # How much its entries take up, as they were written: what the budget looks at, and no page has to add up.
    ledger_bytes = models.PositiveBigIntegerField(default=0)
    # How its words were laid out for the search; 0 before anybody searched.
    search_version = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return self.name

    @property
    def rules(self) -> System:
        """The game system, as the campaign's settings have it."""
        return system_of(self.system).in_edition(self.edition).with_settings(json.loads(self.settings_json))

    @property
    def settings(self) -> dict[str, Any]:
        """The settings, with the defaults for those that were never touched."""
        return self.rules.read_settings(json.loads(self.settings_json))

    @property
    def types_dice(self) -> bool:
        """Whether people may type what their own dice show."""
        return bool(json.loads(self.settings_json).get(REAL_DICE))


@tracked("member", "role", "active", campaign="campaign_id", word="Member")
class Member(models.Model):
    """A person at a table. The id is the pseudonym that the trail knows; the person's name never enters it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    active = models.BooleanField(default=True)
    joined = models.DateTimeField(auto_now_add=True)
    seen_seq = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "user"], name="one_membership_each")]

    def __str__(self) -> str:
        return self.user.shown_name

    def may(self, role: Role) -> bool:
        """Whether this member may do what `role` may."""
        return self.active and Role(self.role).at_least(role)


@tracked(
    "invitation", "role", "expires", "most_uses", "uses", "revoked", campaign="campaign_id", word="Invitation",
)
class Invitation(models.Model):
    """A link that lets people in. Only the hash of its token is kept: whoever reads the database can't use it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="invitations")
    token_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=10, choices=Role)
    expires = models.DateTimeField()
    most_uses = models.PositiveIntegerField(null=True, blank=True)
    uses = models.PositiveIntegerField(default=0)
    revoked = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)


@tracked(
    "shared_link", "of", "object_id", "closed", campaign="campaign_id", word="Link to show", unseen=("of", "object_id"),
)
class SharedLink(models.Model):
    """A link that shows one thing to anyone who has it, as everyone in the campaign may see it.

    `of` is the kind of thing (`campaigns.sharing`), `object_id` which one; None where the campaign has one alone. Only
    the hash of the link's token is kept.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="shared_links")
    of = models.CharField(max_length=20)
    object_id = models.UUIDField(null=True, blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    closed = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["campaign", "of", "object_id"])]


class BoundaryType(models.TextChoices):
    """What a group agrees to do with a subject."""

    LINE = "line", "Line"
    VEIL = "veil", "Veil"


@tracked("boundary", "name", "type", "writer_id", campaign="campaign_id", word="Line or veil", unseen=("writer_id",))
class Boundary(models.Model):
    """A subject that is left out (a line) or not shown (a veil). `writer` is None unless the group shows names."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="boundaries")
    name = models.CharField(max_length=200)
    type = models.CharField(max_length=10, choices=BoundaryType)
    writer = models.ForeignKey(Member, models.PROTECT, null=True, related_name="+")

    class Meta:
        indexes = [models.Index(fields=["campaign", "type", "name"])]

    def __str__(self) -> str:
        return self.name


class View(models.TextChoices):
    """How much of a thing somebody may know; each is more than the one before."""

    NOTHING = "nothing", "Hidden"
    FACE = "face", "Name and picture"
    ALL = "all", "Everything"


@tracked(
    "sight", "object_id", "member_id", "view", campaign="campaign_id", subject="object_id", word="View of a player",
    players_see=models.Q(pk=None),
)
class Sight(models.Model):
    """What one member may know of a thing beyond what everyone may. Its entries are sealed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    object_id = models.UUIDField()
    member = models.ForeignKey(Member, models.PROTECT, related_name="+")
    view = models.CharField(max_length=10, choices=View)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["member", "object_id"], name="one_view_of_a_thing")]
        indexes = [models.Index(fields=["campaign", "object_id"])]


class Found(models.Model):
    """Words that the search finds a thing by: a projection, laid out anew whenever it is asked for.

    `part` says for whom they are: a thing's face, all of it, or what GMs alone read. `key` is what its address is made
    with. `words` is what the database looks in; it has an index of its own, see `campaigns/search_index.py`.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="+")
    of = models.CharField(max_length=20)
    part = models.CharField(max_length=10)
    object_id = models.UUIDField()
    key = models.CharField(max_length=80)
    title = models.CharField(max_length=200)
    text = models.TextField()
    words = models.TextField()

    class Meta:
        indexes = [
            models.Index(fields=["campaign", "of", "object_id"]),
            models.Index(fields=["campaign", "id"], name="found_by_age"),
        ]


@tracked(
    "page", "title", "type", "looks", "text", "digest", "view", "private", "keeper_id", "about_id", "shared",
    "left_out", campaign="campaign_id", word="Note", unsaid=("looks", "text", "digest"), unseen=("private",),
    players_see=models.Q(private=False) & ~models.Q(view=View.NOTHING), stored={"type": "sort"},
)
class Page(models.Model):
    """A note: a page of Markdown. `private` is for whoever keeps it alone; else `view` says how much everyone sees.

    `looks` is its face: what anyone would see. `about_id` is the thing that it is a note on. A journal that is `shared`
    is also read by whoever has a link to the Chronicle; one that is `left_out` is not in the Chronicle, as a GM chose.
    The trail carries the picture's digest; the picture itself stands in `Image`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="pages")
    title = models.CharField(max_length=120)
    type = models.CharField(max_length=10, blank=True)
    looks = models.TextField(max_length=2000, blank=True)
    text = models.TextField(max_length=20000, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    view = models.CharField(max_length=10, choices=View, default=View.NOTHING)
    private = models.BooleanField(default=False)
    keeper = models.ForeignKey(Member, models.PROTECT, related_name="+")
    about_id = models.UUIDField(null=True, blank=True)
    shared = models.BooleanField(default=False)
    left_out = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(fields=["campaign", "title", "id"]), models.Index(fields=["campaign", "about_id"]),
        ]

    def __str__(self) -> str:
        return self.title


@carried("image")
class Image(models.Model):
    """The bytes of a page's picture, drawn anew. Not in the trail: whoever takes a picture down wants it gone."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    digest = models.CharField(max_length=64)
    webp = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "digest"], name="one_image_a_digest")]
