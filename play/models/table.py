"""Sessions, scenes, and what is being played in them."""
from __future__ import annotations

import json
import uuid

from django.db import models

from campaigns.models import Campaign, Member, View
from campaigns.trail.tracked import tracked
from characters.models import Character
from rules.system import System
from rules.values import Value

ROUTINE = "routine"  # in the setup of a contest: it is a roll from the tray


@tracked("session", "number", "title", "recap", "opened", "closed", campaign="campaign_id", word="Session")
class Session(models.Model):
    """An evening. Open while `closed` is empty; the campaign's row says which one is open."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="sessions")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=120, blank=True)
    recap = models.TextField(max_length=20000, blank=True)
    opened = models.DateTimeField()
    closed = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "number"], name="one_session_a_number")]

    def __str__(self) -> str:
        return self.title or f"Session {self.number}"


@tracked(
    "scene", "session_id", "number", "title", "text", "opened", "closed", "danger", campaign="campaign_id",
    word="Scene", unsaid=("text",),
)
class Scene(models.Model):
    """A place in a session. Closing one runs the system's recovery."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="scenes")
    session = models.ForeignKey(Session, models.PROTECT, related_name="scenes")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=120)
    text = models.TextField(max_length=20000, blank=True)
    danger = models.CharField(max_length=20, blank=True)
    opened = models.DateTimeField()
    closed = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.title


def _pool_in_words(rules: System, field: str, value: Value, kind: str) -> str | None:
    """A pool's name as the game calls it."""
    return rules.session.pool_label(str(value)) if field == "name" else None


def _purse_in_words(rules: System, field: str, value: Value, kind: str) -> str | None:
    """A pool on one side of a transfer, as the game calls it."""
    kinds = (*rules.sheet.pools, *rules.session.shared_pools)
    return next((kind.label for kind in kinds if field in ("source_pool", "target_pool") and kind.name == value), None)


def _contest_in_words(rules: System, field: str, value: Value, kind: str) -> str | None:
    """A contest's kind as the game calls it."""
    if field != "kind":
        return None
    return next((procedure.title for procedure in rules.procedures if procedure.name == value), "")


@tracked(
    "shared_pool", "name", "value", campaign="campaign_id", word="Pool of the campaign", in_words=_pool_in_words,
)
class SharedPool(models.Model):
    """A number that the whole campaign holds and spends, never below 0. Without a row it is as it starts."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="shared_pools")
    name = models.CharField(max_length=40)
    value = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name"], name="one_shared_pool_a_name"),
            models.CheckConstraint(condition=models.Q(value__gte=0), name="shared_pool_not_below_0"),
        ]


@tracked(
    "pool_transfer", "session_id", "seq", "amount", "source_pool", "source_character_id", "target_pool",
    "target_character_id", "why", campaign="campaign_id", word="Points that moved",
    unseen=("session_id", "seq", "source_character_id", "target_character_id"), in_words=_purse_in_words,
)
class PoolTransfer(models.Model):
    """Points that went from one holder to another, and why. No pool on a side: there is no end of them there.

    `seq` is the entry in which they went.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="pool_transfers")
    session = models.ForeignKey(Session, models.PROTECT, null=True, blank=True, related_name="+")
    seq = models.PositiveIntegerField()
    amount = models.PositiveIntegerField()
    source_pool = models.CharField(max_length=40, blank=True)
    source_character = models.ForeignKey(Character, models.PROTECT, null=True, blank=True, related_name="+")
    target_pool = models.CharField(max_length=40, blank=True)
    target_character = models.ForeignKey(Character, models.PROTECT, null=True, blank=True, related_name="+")
    why = models.CharField(max_length=400, blank=True)

    class Meta:
        indexes = [models.Index(fields=["campaign", "session", "seq"])]


@tracked("presence", "scene_id", "character_id", campaign="campaign_id", subject="character_id", word="Presence")
class Presence(models.Model):
    """A character is in a scene."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    scene = models.ForeignKey(Scene, models.PROTECT, related_name="presences")
    character = models.ForeignKey(Character, models.PROTECT, related_name="presences")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scene", "character"], name="present_once")]


@tracked(
    "obstacle", "scene_id", "number", "name", "spec", "character_id", "view", "thing_id", campaign="campaign_id",
    word="Obstacle", unsaid=("number", "spec"), unseen=("character_id", "view", "thing_id"),
    players_see=models.Q(view=View.ALL) & ~models.Q(character__hidden=True),
)
class Obstacle(models.Model):
    """Obstacle in a scene: rolls are made against it. `spec` is the fields that the game has for it.

    What players know of one that came of somebody (`character`) or of something in the library (`thing_id`) is what
    they know of those: that something is there, its name, or how hard it is too. `view` is the thing's, and follows it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    scene = models.ForeignKey(Scene, models.PROTECT, related_name="obstacles")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=120)
    spec = models.TextField()
    character = models.ForeignKey(Character, models.PROTECT, null=True, blank=True, related_name="+")
    view = models.CharField(max_length=10, choices=View.choices, default=View.ALL)
    thing_id = models.UUIDField(null=True, blank=True)


@tracked(
    "asked_roll", "scene_id", "character_id", "what", "lines", "spec", "sealed", "asked", "rolled", "choice",
    campaign="campaign_id", subject="character_id", word="Roll that the GM asks for",
    unseen=("scene_id", "character_id", "lines", "spec", "sealed", "asked", "choice"),
)
class AskedRoll(models.Model):
    """A roll that the GM asks one character's player for. `spec` is how hard it is, as of an obstacle; where that is
    `sealed`, players don't know it before they roll. `lines` are the names of lines to use. `asked` and `rolled` are
    the entries in which it was asked for and made.

    Where the player asked how hard it is, `choice` is what they mean to roll with, `spec` is empty until the GM has
    answered, and `asked` is the entry of the answer from then on."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    scene = models.ForeignKey(Scene, models.PROTECT, related_name="+")
    character = models.ForeignKey(Character, models.PROTECT, related_name="+")
    what = models.CharField(max_length=120)
    lines = models.TextField()
    spec = models.TextField()
    sealed = models.BooleanField(default=False)
    asked = models.PositiveIntegerField()
    rolled = models.PositiveIntegerField(null=True, blank=True)
    choice = models.TextField(default="", blank=True)

    class Meta:
        indexes = [models.Index(fields=["campaign", "scene", "asked"])]


@tracked(
    "asked_recovery", "character_id", campaign="campaign_id", subject="character_id",
    word="Request to recover",
)
class AskedRecovery(models.Model):
    """A player asks the GM to let a character recover who is hurt or out of it. It is gone once there is an answer."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    character = models.ForeignKey(Character, models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "character"], name="one_recovery_asked_each")]


@tracked(
    "contest", "scene_id", "kind", "title", "setup", "events", "over", campaign="campaign_id", word="Contest",
    unseen=("setup", "events"), in_words=_contest_in_words,
)
class Contest(models.Model):
    """A contest of several rounds: what it was set up with, and its events as the rules write them.

    `events` is how many there are; the events themselves are in the rows of `ContestEvent`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    scene = models.ForeignKey(Scene, models.PROTECT, null=True, blank=True, related_name="contests")
    kind = models.CharField(max_length=60)
    title = models.CharField(max_length=120)
    setup = models.TextField()
    events = models.PositiveIntegerField(default=0)
    over = models.BooleanField(default=False)

    @property
    def is_routine(self) -> bool:
        """Whether it is a roll from the tray, which is over as soon as it is settled."""
        return ROUTINE in json.loads(self.setup)

    @property
    def roller(self) -> str:
        """The id of the sheet of whoever rolled, of a roll from the tray; "" for nobody."""
        contestants = json.loads(self.setup).get("contestants") or [{}]
        return str(contestants[0].get("sheet", ""))


@tracked("afterword", "contest_id", "words", campaign="campaign_id", subject="contest_id", word="What came of it",
         unseen=("contest_id",))
class Afterword(models.Model):
    """What came of a contest in the GM's own words."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    contest = models.OneToOneField(Contest, models.PROTECT, related_name="+")
    words = models.CharField(max_length=500)


@tracked("contest_event", "contest_id", "number", "text", campaign="campaign_id", subject="contest_id")
class ContestEvent(models.Model):
    """One event of a contest."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    contest = models.ForeignKey(Contest, models.PROTECT, related_name="log")
    number = models.PositiveIntegerField()
    text = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["contest", "number"], name="one_event_a_number")]


@tracked(
    "boon", "character_id", "kind", "amount", "reason", "used", campaign="campaign_id", subject="character_id",
    word="Modifier for the next roll",
)
class PendingModifier(models.Model):
    """A modifier that the GM gave for a good description, waiting for the character's next roll."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    character = models.ForeignKey(Character, models.PROTECT, related_name="pending_modifiers")
    kind = models.CharField(max_length=40)
    amount = models.PositiveIntegerField(default=1)
    reason = models.CharField(max_length=200)
    used = models.BooleanField(default=False)


@tracked(
    "due", "character_id", "type", "amount", "reason", "settled", campaign="campaign_id", subject="character_id",
    word="Damage or recovery to assign", stored={"type": "sort"},
)
class PendingAllocation(models.Model):
    """Something that a character's player has yet to place on the sheet: damage taken, or ranks recovered."""

    class Type(models.TextChoices):
        DAMAGE = "damage", "damage"
        RECOVERY = "recovery", "recovery"
        ROLL = "roll", "a recovery roll"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    character = models.ForeignKey(Character, models.PROTECT, related_name="pending_allocations")
    type = models.CharField(max_length=10, choices=Type)
    amount = models.PositiveIntegerField()
    reason = models.CharField(max_length=300)
    settled = models.BooleanField(default=False)


@tracked(
    "attendance", "session_id", "member_id", campaign="campaign_id", subject="session_id",
    word="Someone who was there",
)
class Attendance(models.Model):
    """Somebody was there at a session. What they had answered before belongs to the date (`schedule.Answer`)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    session = models.ForeignKey(Session, models.PROTECT, related_name="attendance")
    member = models.ForeignKey(Member, models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "member"], name="one_attendance_each")]
