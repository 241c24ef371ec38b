"""What a GM prepares: the library, what fits in the matrix, plans."""
from __future__ import annotations

import uuid

from django.db import models

from campaigns.models import Campaign, View
from campaigns.trail.tracked import tracked
from characters.models import Character
from play.models.table import Scene


@tracked(
    "prepared", "type", "name", "text", "spec", "shown", "face", "looks", "digest", campaign="campaign_id",
    word="Something prepared", unsaid=("text", "spec", "looks", "digest"), players_see=models.Q(pk=None),
    stored={"type": "sort"},
)
class PrepItem(models.Model):
    """Something in the GM's bank. `spec` is the fields of its kind, as the rules read them; its entries are sealed.

    Everyone sees all of it where it is `shown`; with `face` its name, its picture and how it `looks`. The trail carries
    the picture's digest; the picture itself stands in `Image`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="prep_items")
    type = models.CharField(max_length=40)
    name = models.CharField(max_length=120)
    text = models.TextField(max_length=20000, blank=True)
    spec = models.TextField()
    shown = models.BooleanField(default=False)
    face = models.BooleanField(default=False)
    looks = models.TextField(max_length=2000, blank=True)
    digest = models.CharField(max_length=64, blank=True)

    class Meta:
        indexes = [models.Index(fields=["campaign", "type", "name", "id"])]

    def __str__(self) -> str:
        return self.name

    @property
    def view(self) -> View:
        """How much of it everyone may know."""
        return View.ALL if self.shown else View.FACE if self.face else View.NOTHING


@tracked(
    "library_tag", "thing_id", "tag", campaign="campaign_id", subject="thing_id", word="Tag",
    unsaid=("thing_id", "tag"), players_see=models.Q(pk=None),
)
class LibraryTag(models.Model):
    """A tag of something in the GM's library: of a `PrepItem`, or of an NPC. Its entries are sealed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    thing_id = models.UUIDField()
    tag = models.CharField(max_length=30)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "thing_id", "tag"], name="one_tag_a_thing")]
        indexes = [models.Index(fields=["campaign", "tag"])]


@tracked(
    "matrix_limits", "easy", "hard", campaign="campaign_id", word="Limits of the matrix", players_see=models.Q(pk=None),
)
class MatrixLimits(models.Model):
    """From which chance on, in percent, the GM's matrix calls something easy, and down from which hard."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.OneToOneField(Campaign, models.PROTECT, related_name="+")
    easy = models.PositiveSmallIntegerField(default=80)
    hard = models.PositiveSmallIntegerField(default=15)


@tracked(
    "matrix_fit", "character_id", "thing_id", "place", "tag", "lines", "stretch", campaign="campaign_id",
    subject="character_id", word="What fits", unsaid=("lines", "stretch"), unseen=("thing_id", "place", "tag"),
    players_see=models.Q(pk=None),
)
class MatrixFit(models.Model):
    """What a GM says a character goes about something with: for one row of the matrix, or for all rows of a tag.

    `lines` are ids of the character's lines, with spaces between; none where nothing fits. A row is something prepared
    (and which of its obstacles), or a line of an NPC. `stretch` is what it costs where the lines fit badly, else 0.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    character = models.ForeignKey(Character, models.PROTECT, related_name="+")
    thing_id = models.UUIDField(null=True, blank=True)
    place = models.PositiveSmallIntegerField(default=0)
    tag = models.CharField(max_length=30, blank=True)
    lines = models.TextField(max_length=2000, blank=True)
    stretch = models.SmallIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["campaign", "character"])]


@tracked(
    "line_used", "character_id", "trait_id", "against", campaign="campaign_id", subject="character_id",
    word="What was used against it",
)
class LineUsed(models.Model):
    """A line that a character really used against something of this name: the entry of the roll makes it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    character = models.ForeignKey(Character, models.PROTECT, related_name="+")
    trait_id = models.UUIDField()
    against = models.CharField(max_length=120)

    class Meta:
        indexes = [models.Index(fields=["campaign", "character", "against"])]


@tracked(
    "session_plan", "title", "notes", "done", campaign="campaign_id", word="Plan", unsaid=("title", "notes"),
    players_see=models.Q(pk=None),
)
class SessionPlan(models.Model):
    """What the GM means to play next. The one that is not `done` is the current one; its entries are sealed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    title = models.CharField(max_length=120, blank=True)
    notes = models.TextField(max_length=20000, blank=True)
    done = models.BooleanField(default=False)


@tracked(
    "plan_scene", "plan_id", "place", "title", "text", "notes", "scene_id", campaign="campaign_id",
    word="Planned scene", unsaid=("title", "text", "notes"), unseen=("place", "plan_id", "scene_id"),
    players_see=models.Q(pk=None),
)
class PlanScene(models.Model):
    """A scene of a plan, in its place. `text` is what players will read; `scene` is what was opened of it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    plan = models.ForeignKey(SessionPlan, models.PROTECT, related_name="scenes")
    place = models.PositiveIntegerField()
    title = models.CharField(max_length=120)
    text = models.TextField(max_length=20000, blank=True)
    notes = models.TextField(max_length=20000, blank=True)
    scene = models.ForeignKey(Scene, models.PROTECT, null=True, blank=True, related_name="+")


@tracked(
    "plan_line", "plan_id", "plan_scene_id", "type", "thing_id", "words", "spec", "from_seq", "ticked",
    "contest_id", campaign="campaign_id", word="Line of a plan", unsaid=("words", "spec", "thing_id"),
    unseen=("plan_id", "plan_scene_id", "from_seq", "contest_id"), players_see=models.Q(pk=None),
    stored={"type": "sort"},
)
class PlanLine(models.Model):
    """A line of a plan: a person, an obstacle, an expected contest, an outcome that is fixed, or what not to forget.

    `spec` holds the fields of an obstacle as they were fixed; `from_seq` is the entry that a thread comes from;
    `contest_id` is the contest that was begun of it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    plan = models.ForeignKey(SessionPlan, models.PROTECT, related_name="lines")
    plan_scene = models.ForeignKey(PlanScene, models.PROTECT, null=True, blank=True, related_name="lines")
    type = models.CharField(max_length=20)
    thing_id = models.UUIDField(null=True, blank=True)
    words = models.CharField(max_length=300)
    spec = models.TextField(blank=True)
    from_seq = models.PositiveIntegerField(null=True, blank=True)
    ticked = models.BooleanField(default=False)
    contest_id = models.UUIDField(null=True, blank=True)
