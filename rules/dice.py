"""Dice that anyone can check: the only place where chance comes from.

The server commits to a secret before a roll (its digest is in the trail); the browser adds a share of its own. Faces
follow from both, from the campaign and from the roll's id, so that neither side can choose them, and whoever knows the
secret afterwards can work them out again.
"""
from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

DOMAIN = b"campaign-dice-v1"
SECRET_BYTES = 32
SHARE_BYTES = 32


def new_secret() -> bytes:
    """32 bytes that nobody can guess."""
    return secrets.token_bytes(SECRET_BYTES)


def new_token() -> str:
    """What an invitation's address ends with: 128 bits that nobody can guess."""
    return secrets.token_urlsafe(16)


def commitment(secret: bytes) -> str:
    """What is shown before the roll: the SHA-256 of the secret, in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


class Throw:
    """The stream of faces of one roll: the same secret, ids and share give the same faces, in the same order.

    >>> throw = Throw(secret=bytes(32), campaign="c", op_id="o", share=b"")
    >>> throw.roll([6, 6]) == Throw(secret=bytes(32), campaign="c", op_id="o", share=b"").roll([6, 6])
    True
    """

    def __init__(self, *, secret: bytes, campaign: str, op_id: str, share: bytes) -> None:
        """`campaign` and `op_id` are UUIDs as text; `share` is what the browser added, empty when unwitnessed."""
        self._secret = secret
        # Lengths go in, so that no two different rolls can have the same message.
        parts = [DOMAIN, campaign.encode(), op_id.encode(), share]
        self._message = b"".join(len(part).to_bytes(2, "big") + part for part in parts)
        self._counter = 0
        self._bytes = b""

    def roll(self, sides: Sequence[int]) -> list[int]:
        """One face for each die, in order; `sides` are from 2 to 256."""
        return [self._face(each) for each in sides]

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
