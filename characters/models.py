"""Characters, their traits and pools."""
from __future__ import annotations

import uuid

from django.db import models

from campaigns.carrying.pictures import carried
from campaigns.models import Campaign, Member, View
from campaigns.trail.tracked import tracked
from rules import sheet
from rules.system import System
from rules.values import Value

# Who has a part in what comes: neither retired nor dead.
IN_STORY = models.Q(retired=False, dead=False)


@tracked(
    "character", "name", "concept", "story", "player_id", "npc", "hidden", "retired", "dead", "face", "looks",
    campaign="campaign_id", word="Character", players_see=models.Q(hidden=False) | models.Q(face=True),
)
class Character(models.Model):
    """A person of the story: a player character, or an NPC.

    `hidden` keeps it to the GM; with `face` players know its name, its portrait, and how it `looks`, but no number.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="characters")
    name = models.CharField(max_length=120)
    concept = models.CharField(max_length=200, blank=True)
    story = models.TextField(max_length=20000, blank=True)
    player = models.ForeignKey(Member, models.PROTECT, null=True, blank=True, related_name="characters")
    npc = models.BooleanField(default=False)
    hidden = models.BooleanField(default=False)
    retired = models.BooleanField(default=False)
    dead = models.BooleanField(default=False)
    face = models.BooleanField(default=False)
    looks = models.TextField(max_length=2000, blank=True)

    class Meta:
        indexes = [models.Index(fields=["campaign", "name", "id"])]

    def __str__(self) -> str:
        return self.name

    @property
    def view(self) -> View:
        """How much of it everyone may know."""
        return View.ALL if not self.hidden else View.FACE if self.face else View.NOTHING

    @property
    def hurt(self) -> int:
        """All damage on the sheet. Prefetch `traits`."""
        return sum(trait.damage for trait in self.traits.all())

    def sheet(self) -> sheet.Sheet:
        """The character as the rules see it. Prefetch `traits` and `pools`."""
        traits = sorted(self.traits.all(), key=lambda trait: trait.place)
        return sheet.Sheet(
            str(self.pk), self.name, tuple(trait.for_rules() for trait in traits),
            tuple((pool.name, pool.value) for pool in self.pools.all()), self.dead, self.npc,
            retired=self.retired,
        )


def _line_in_words(rules: System, field: str, value: Value, kind: str) -> str | None:
    """A line's value as the game writes it, and its kind as the game calls it."""
    if field == "value" and kind and isinstance(value, int):
        return rules.sheet.notation(kind, value)
    if field == "kind":
        return next((trait_kind.label for trait_kind in rules.sheet.trait_kinds if trait_kind.name == value), "")
    return None


def _pool_in_words(rules: System, field: str, value: Value, kind: str) -> str | None:
    """A pool's name as the game calls it."""
    return next((pool.label for pool in rules.sheet.pools if field == "name" and pool.name == value), None)


@tracked(
    "trait", "character_id", "kind", "name", "value", "damage", "note", "place", "parent_id",
    "failures", campaign="campaign_id", subject="character_id", word="Line of a sheet", unsaid=("place",),
    in_words=_line_in_words, players_see=models.Q(character__hidden=False),
)
class Trait(models.Model):
    """A line of a sheet. `value` is the system's own number, `damage` how far it is lowered at the moment.

    `failures` is how much of the damage is no wound.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    character = models.ForeignKey(Character, models.PROTECT, related_name="traits")
    kind = models.CharField(max_length=40)
    name = models.CharField(max_length=120)
    value = models.IntegerField()
    damage = models.PositiveIntegerField(default=0)
    failures = models.PositiveIntegerField(default=0)
    note = models.CharField(max_length=1000, blank=True)
    place = models.PositiveIntegerField(default=0)
    # The line that it belongs to: a breakout's keyword.
    parent = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="children")

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(damage__gte=0), name="damage_not_below_0")]
        indexes = [models.Index(fields=["campaign", "character", "place"])]

    def for_rules(self) -> sheet.Trait:
        """The line as the rules see it."""
        parent = str(self.parent_id or "")
        return sheet.Trait(str(self.pk), self.kind, self.name, self.value, self.damage, self.note, parent,
                           failures=self.failures)


@tracked(
    "pool", "character_id", "name", "value", campaign="campaign_id", subject="character_id", word="Pool",
    in_words=_pool_in_words,
)
class Pool(models.Model):
    """A number that a character holds and spends, never below 0."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    character = models.ForeignKey(Character, models.PROTECT, related_name="pools")
    name = models.CharField(max_length=40)
    value = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["character", "name"], name="one_pool_a_name"),
            models.CheckConstraint(condition=models.Q(value__gte=0), name="pool_not_below_0"),
        ]


@tracked(
    "note", "character_id", "text", campaign="campaign_id", subject="character_id", word="GM’s note", unsaid=("text",),
)
class GMNote(models.Model):
    """What only the GM reads about a character. Its entries are sealed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    character = models.OneToOneField(Character, models.PROTECT, related_name="gm_note")
    text = models.TextField(max_length=20000, blank=True)


@tracked(
    "portrait", "character_id", "digest", campaign="campaign_id", subject="character_id", word="Portrait",
    unsaid=("digest",),
)
class Portrait(models.Model):
    """Which picture a character has. The trail carries the digest; the picture itself stands in `Picture`."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    character = models.OneToOneField(Character, models.PROTECT, related_name="portrait")
    digest = models.CharField(max_length=64)


@carried("picture")
class Picture(models.Model):
    """The bytes of a picture, re-encoded. Not in the trail: whoever takes a picture down wants it gone."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    digest = models.CharField(max_length=64)
    webp = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "digest"], name="one_picture_a_digest")]


class Snapshot(models.Model):
    """The numbers of the entries that a character as of `seq` follows from.

    A projection, see `characters/snapshots.py`; one of another `version` is thrown away.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="+")
    character = models.ForeignKey(Character, models.CASCADE, related_name="+")
    seq = models.PositiveIntegerField()
    version = models.PositiveSmallIntegerField()
    entries = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "character", "seq"], name="one_snapshot_an_entry")]
