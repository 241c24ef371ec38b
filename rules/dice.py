"""Dice that anyone can check: the only place where chance comes from.

The server commits to numbered secrets beforehand (their digests are in the trail); the browser that rolls makes a seed
of its own. Faces follow from the secret, the campaign, the secret's number and the seed, and from nothing else. After
the commitment nothing is left for the server to choose, and whoever knows the secret afterwards can work them out.
"""
from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

DOMAIN = b"campaign-dice-v2"
EARLIER_DOMAIN = b"campaign-dice-v1"
SECRET_BYTES = 32
SEED_BYTES = 32


def new_secret() -> bytes:
    """32 bytes that nobody can guess."""
    return secrets.token_bytes(SECRET_BYTES)


def new_token() -> str:
    """What an invitation's address ends with: 128 bits that nobody can guess."""
    return secrets.token_urlsafe(16)


def commitment(secret: bytes) -> str:
    """What is shown before the roll: the SHA-256 of the secret, in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


class Stream:
    """Faces out of a secret and a message: the same two give the same faces, in the same order."""

    def __init__(self, secret: bytes, parts: Sequence[bytes]) -> None:
        self._secret = secret
        # Lengths go in, so that no two different rolls can have the same message.
        self._message = b"".join(len(part).to_bytes(2, "big") + part for part in parts)
        self._counter = 0
        self._bytes = b""

    def roll(self, sides: Sequence[int]) -> list[int]:
        """One face for each die, in order; `sides` are from 2 to 256."""
        return [self._face(side) for side in sides]

    def _face(self, sides: int) -> int:
        if not 2 <= sides <= 256:
            raise ValueError("A die has 2 to 256 sides.")
        # Bytes at or over the largest multiple of `sides` are passed over: without that low faces come up too often.
        fair = 256 - 256 % sides
        while (byte := self._next()) >= fair:
            pass
        return byte % sides + 1

    def _next(self) -> int:
        if not self._bytes:
            block = self._message + self._counter.to_bytes(4, "big")
            self._bytes = hmac.new(self._secret, block, hashlib.sha256).digest()
            self._counter += 1
        first, self._bytes = self._bytes[0], self._bytes[1:]
        return first


class Throw(Stream):
    """The faces of one roll.

    >>> throw = Throw(secret=bytes(32), campaign="c", number=1, client_seed=b"")
    >>> throw.roll([6, 6]) == Throw(secret=bytes(32), campaign="c", number=1, client_seed=b"").roll([6, 6])
    True
    """

    def __init__(self, *, secret: bytes, campaign: str, number: int, client_seed: bytes) -> None:
        """`campaign` is a UUID as text, `number` the secret's in its owner's list; an empty seed is unwitnessed."""
        super().__init__(secret, [DOMAIN, campaign.encode(), str(number).encode(), client_seed])


class EarlierThrow(Stream):
    """The faces of a roll of the earlier form, to check it. The operation's id was in it, which the server knew of
    before it threw: it could have chosen one that suited it, so these rolls prove less."""

    def __init__(self, *, secret: bytes, campaign: str, op_id: str, client_seed: bytes) -> None:
        super().__init__(secret, [EARLIER_DOMAIN, campaign.encode(), op_id.encode(), client_seed])
