"""Commitments: secrets whose digests stand in the trail before the roll that uses them.

Each member who may roll has a list of their own, numbered from 1, used in order, one secret a roll. Nobody else's
roll can use up one of them, so that nothing is left for the server to choose once a browser has sent its seed.
"""
from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import Exists, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.statements import compiled_once, insert, save
from campaigns.errors import Refused
from campaigns.trail import chain, pins, retiring
from campaigns.trail.models import Commitment, Entry
from rules.dice import SEED_BYTES, Throw, commitment, new_secret
from rules.values import Value

BATCH = 32  # commitments published at once
LOW = 8  # when so few are left, the next batch is published
DICE = '"dice":"'  # is in the envelopes of rolls alone
FORM = 2  # how faces follow from a secret; entries of the first form say none
TYPED = 3  # faces that people read off their own dice: no secret is used, and nothing in them can be worked out


class NotLaidOut(Refused):
    """The member has no secret that was committed to before: a list is published, and the roll made anew."""

    def __init__(self) -> None:
        super().__init__("Your dice were just laid out. Send it again: now your browser’s seed comes after them.")


class Roll:
    """The dice of one entry."""

    def __init__(self, taken: Commitment, client_seed: str, left: int) -> None:
        self.commitment, self._seed, self._left = taken, client_seed, left
        self._throw = Throw(
            secret=bytes.fromhex(taken.secret), campaign=str(taken.campaign_id), number=taken.number or 0,
            client_seed=bytes.fromhex(client_seed),
        )
        self._sides: list[int] = []
        self._faces: list[int] = []

    def roll(self, sides: Sequence[int]) -> list[int]:
        """The next faces of this throw."""
        faces = self._throw.roll(sides)
        self._sides += sides
        self._faces += faces
        return faces

    @property
    def digest(self) -> str | None:
        """What the envelope says of them."""
        return self.commitment.digest

    def ended(self) -> None:
        """Raises `Refused` where the roll leaves dice over, which these never do."""

    def used_by(self, entry: Entry) -> None:
        """The secret is used up."""
        self.commitment.used_by = entry
        save([self.commitment], ["used_by"])

    def runs_low(self) -> bool:
        """Whether few secrets are left behind this one."""
        return self._left < LOW

    def pin(self, campaign: Any, refused: Any, entry: Callable[..., Any]) -> None:
        """What was thrown and then refused falls again: the secret keeps the first seed that it was thrown with.

        `campaign` is locked, `refused` the draft that came to nothing, `entry` the trail's own.
        """
        if self.commitment.pinned is None:
            pins.take_over(campaign, entry)
            pins.keep(campaign, refused, self.commitment, self.record(), entry)

    def record(self) -> Value:
        """What the payload says, enough to work the faces out again."""
        return {
            "v": FORM, "commitment": self.commitment.digest, "number": self.commitment.number,
            "secret": self.commitment.secret, "client_seed": self._seed, "sides": self._sides, "faces": self._faces,
        }


class TypedRoll:
    """The dice of one entry, as somebody read them off the table and typed them; nobody witnessed them."""

    digest = None

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = list(faces)
        self._sides: list[int] = []

    def roll(self, sides: Sequence[int]) -> list[int]:
        """The next faces that were typed; raises `Refused` where one can't fall, or too few were typed."""
        first = len(self._sides)
        self._sides += sides
        faces = self._faces[first : len(self._sides)]
        for side, face in zip(sides, faces, strict=False):
            if not 1 <= face <= side:
                raise Refused(f"A d{side} shows 1 to {side}, not {face}.", "typed")
        if len(faces) < len(sides):
            raise Refused(self._wanted, "typed")
        return faces

    def ended(self) -> None:
        """Raises `Refused` where more was typed than falls."""
        if len(self._faces) > len(self._sides):
            raise Refused(self._wanted, "typed")

    @property
    def _wanted(self) -> str:
        if not self._sides:
            return "No dice fall here. Leave this blank."
        dice = ", ".join(f"d{side}" for side in self._sides)
        return f"Type {len(self._sides)} here, in this order: {dice}. There {_are(len(self._faces))} so far."

    def used_by(self, entry: Entry) -> None:
        """No secret is used up."""

    def runs_low(self) -> bool:
        """The same."""
        return False

    def pin(self, campaign: Any, refused: Any, entry: Callable[..., Any]) -> None:
        """No seed is kept."""

    def record(self) -> Value:
        """What the payload says."""
        return {"v": TYPED, "sides": self._sides, "faces": self._faces}


def _are(count: int) -> str:
    return f"is {count}" if count == 1 else f"are {count}"


def can_fall(record: Any) -> bool:
    """Whether a record of typed dice is one: as many faces as dice, each on its die."""
    sides, faces = record["sides"], record["faces"]
    return len(sides) == len(faces) > 0 and all(
        type(face) is int and type(side) is int and 1 <= face <= side for side, face in zip(sides, faces, strict=True))


CHANGED = (
    "These dice are not the ones that were committed to: someone changed the database. Nothing is rolled until "
    "the person who runs this server has looked at it, with manage.py rebuild --check."
)


def take(campaign: Any, actor: Any, client_seed: str, entry: Callable[..., Any]) -> Roll:
    """The actor's next secret, in a locked campaign. A seed that is missing leaves the roll unwitnessed.

    `entry` is the trail's own.

    Raises `NotLaidOut` while the actor has none, and `Refused` where the secret is not what was committed to.
    """
    seed = _seed(client_seed)
    before, taken = _next(campaign, actor)
    if taken is None or taken.secret == retiring.LOST:
        raise NotLaidOut
    published = _as_published(taken)
    if published is None or taken.given_up or not _never_used(before, taken):
        raise Refused(CHANGED)
    if pins.MARK not in published:
        pins.take_over(campaign, entry)
    if taken.pinned != pins.seed_of(before, taken, published):
        raise Refused(pins.CHANGED)
    return Roll(taken, seed if taken.pinned is None else taken.pinned, taken.last - taken.number)


def unused(member: Any) -> QuerySet[Commitment]:
    """A member's secrets that no roll has used and no entry gave up, in order."""
    return unused_by(member.campaign_id, member.pk)


def unused_by(campaign: uuid.UUID, owner: uuid.UUID) -> QuerySet[Commitment]:
    """The same of a member by their id."""
    left = Commitment.objects.filter(campaign=campaign, owner=owner, used_by=None, retired_by=None)
    return left.order_by("number")


@compiled_once
def _held(campaign: uuid.UUID, owner: uuid.UUID) -> QuerySet[Any]:
    """The owner's first unused secret and the one before it, with all that is held against them."""
    # Whether the owner rolled after the entry that used this secret or gave it up, else after it was published.
    rolled = Entry.objects.filter(campaign=campaign, actor=owner, seq__gt=OuterRef("since"), envelope__contains=DICE)
    kept = Entry.objects.filter(campaign=campaign, actor=owner, seq__gt=OuterRef("since"), kind=pins.PIN)
    given_up = Entry.objects.filter(campaign=campaign, kind=retiring.RETIRE, seq__gt=OuterRef("published__seq"))
    latest = Commitment.objects.filter(owner=owner).order_by("-number").values("number")[:1]
    commitments = Commitment.objects.filter(
        campaign=campaign, owner=owner, number__gte=Subquery(unused_by(campaign, owner).values("number")[:1]) - 1)
    commitments = commitments.annotate(
        since=Coalesce("used_by__seq", "retired_by__seq", "published__seq"), rolled=Exists(rolled),
        last=Subquery(latest), kept=Subquery(kept.order_by("seq").values("pk")[:1]), given_up=Exists(given_up))
    read = ("campaign", "owner", "number", "digest", "secret", "pinned", "retired_by", "used_by__actor",
            "used_by__envelope",
            "published__campaign", "published__envelope", "published__payload__salt", "published__payload__text")
    return commitments.select_related("published__payload", "used_by").only(*read).order_by("number")[:2]


def _next(campaign: Any, actor: Any) -> tuple[Any, Any]:
    """The one before the actor's first unused secret, and that one, in one query; None where there is none."""
    rows = _held(campaign.pk, actor.pk)
    taken = next((row for row in rows if row.used_by_id is None and row.retired_by_id is None), None)
    return next((row for row in rows if taken and row.number == int(taken.number or 0) - 1), None), taken


def _seed(client_seed: str) -> str:
    try:
        seed = bytes.fromhex(client_seed)
    except ValueError:
        raise Refused("The browser’s seed for the dice is not readable. Reload the page.") from None
    if len(seed) not in (0, SEED_BYTES):
        raise Refused("The browser’s seed for the dice has the wrong length. Reload the page.")
    return seed.hex()


def _as_published(taken: Commitment) -> dict[str, Any] | None:
    """What the trail says that was committed to; None where the secret, its number or its owner is another."""
    entry = taken.published
    said = pins.opened(entry) if entry is not None and entry.campaign_id == taken.campaign_id else None
    if said is None or said["kind"] != "dice.commit":
        return None
    place = (taken.number or 0) - said["first"]
    listed = said["commitments"][place] if 0 <= place < len(said["commitments"]) else ""
    digest = hashlib.sha256(bytes.fromhex(taken.secret)).hexdigest()
    return said if said["of"] == str(taken.owner_id) and digest == taken.digest == listed else None


def _never_used(before: Any, taken: Any) -> bool:
    """Whether no entry used it: the last roll of its owner used the one before it, as that entry says.

    Where the one before it was given up, nobody rolled since.
    """
    if taken.number == 1:
        return not taken.rolled
    if before and before.retired_by_id:
        return not before.rolled and retiring.says_so(before.retired_by, taken.owner_id, before.digest)
    last = before and before.used_by
    if last is None or last.actor_id != taken.owner_id or before.rolled:
        return False
    return bool(chain.read_envelope(last.envelope)["dice"] == before.digest)


def lay_out(campaign: Any, member: Any, entry: Callable[..., Any]) -> None:
    """Publishes a member's next secrets when few are left; `entry` is the trail's own."""
    if unused(member).exclude(secret=retiring.LOST).count() >= LOW:
        return
    pins.take_over(campaign, entry)
    retiring.retire_lost(campaign, entry)
    mine = Commitment.objects.filter(campaign=campaign, owner=member)
    first = (mine.aggregate(last=Max("number"))["last"] or 0) + 1
    place = Commitment.objects.filter(campaign=campaign).count()
    secrets = [new_secret() for _ in range(BATCH)]
    commitments = [
        Commitment(campaign=campaign, owner=member, place=place + step, number=first + step,
                   digest=commitment(secret), secret=secret.hex())
        for step, secret in enumerate(secrets)
    ]
    title = f"{BATCH} dice secrets committed"
    with entry(campaign=campaign, actor=None, kind="dice.commit", title=title) as draft:
        draft.extra |= {
            "of": str(member.pk), "first": first, "commitments": [row.digest for row in commitments], pins.MARK: "told"}
        if retired := list(_of_the_first_form(campaign)):
            draft.extra["retired"] = retired
    for row in commitments:
        row.published = draft.written
    insert(commitments)


def _of_the_first_form(campaign: Any) -> Any:
    """The digests that earlier versions committed to for everybody, while nobody has a list: no roll uses them now."""
    if Commitment.objects.filter(campaign=campaign).exclude(owner=None).exists():
        return []
    left = Commitment.objects.filter(campaign=campaign, owner=None, used_by=None)
    return left.order_by("place").values_list("digest", flat=True)
