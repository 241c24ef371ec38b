"""Commitments: secrets whose digests stand in the trail before the roll that uses them, in order, one each."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from campaigns.errors import Refused
from campaigns.trail.models import Commitment
from rules.dice import SHARE_BYTES, Throw, commitment, new_secret
from rules.values import Value

BATCH = 32  # commitments published at once
LOW = 8  # when so few are left, the next batch is published


class Roll:
    """The dice of one entry."""

    def __init__(self, commitment: Commitment, throw: Throw, share: str) -> None:
        self.commitment, self._throw, self._share = commitment, throw, share
        self._sides: list[int] = []
        self._faces: list[int] = []

    def roll(self, sides: Sequence[int]) -> list[int]:
        """The next faces of this throw."""
        faces = self._throw.roll(sides)
        self._sides += sides
        self._faces += faces
        return faces

    def told(self) -> Value:
        """What the payload says, enough to work the faces out again."""
        return {
            "commitment": self.commitment.digest, "secret": self.commitment.secret, "share": self._share,
            "sides": self._sides, "faces": self._faces,
        }


def take_commitment(campaign: Any, op_id: uuid.UUID, share: str) -> Roll:
    """The next unused commitment of a locked campaign. A share that is missing leaves the roll unwitnessed."""
    try:
        shared = bytes.fromhex(share)
    except ValueError:
        raise Refused("The browser's share of the dice is not readable. Load the page again.") from None
    if len(shared) not in (0, SHARE_BYTES):
        raise Refused("The browser's share of the dice has the wrong length. Load the page again.")
    next_one = Commitment.objects.filter(campaign=campaign, used_by=None).order_by("place").first()
    if next_one is None:
        raise Refused("This campaign has no dice committed. Tell the person who runs this server.")
    secret = bytes.fromhex(next_one.secret)
    throw = Throw(secret=secret, campaign=str(campaign.pk), op_id=str(op_id), share=shared)
    return Roll(next_one, throw, shared.hex())


def top_up(campaign: Any, entry: Callable[..., Any]) -> None:
    """Publishes the next batch of commitments when few are left; `entry` is the trail's own."""
    if Commitment.objects.filter(campaign=campaign, used_by=None).count() >= LOW:
        return
    place = Commitment.objects.filter(campaign=campaign).count()
    made = []
    for offset in range(BATCH):
        secret = new_secret()
        made.append(Commitment(campaign=campaign, place=place + offset, digest=commitment(secret), secret=secret.hex()))
    Commitment.objects.bulk_create(made)
    title = f"{BATCH} dice secrets committed to"
    with entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="dice.commit", title=title) as draft:
        draft.extra["commitments"] = [each.digest for each in made]
    campaign.refresh_from_db()
