"""The bytes of the chain: what is hashed, and how a run of entries is checked. `verify.py` does the same offline."""
from __future__ import annotations

import hashlib
import json
from typing import Any

from rules.codec import canonical
from rules.dice import new_secret
from rules.values import Value

ENVELOPE_DOMAIN = b"campaign-trail-envelope-v1\n"
PAYLOAD_DOMAIN = b"campaign-trail-payload-v1\n"
GENESIS = "0" * 64
FIRST, ENVELOPE_VERSION = 1, 2  # versions of the envelope; the second says for whom the payload is


def new_salt() -> str:
    """32 bytes in hexadecimal: without them nobody can guess a sealed payload from its commitment."""
    return new_secret().hex()


def payload_commit(salt: str, text: str) -> str:
    """What the envelope says of its payload."""
    return hashlib.sha256(PAYLOAD_DOMAIN + bytes.fromhex(salt) + text.encode()).hexdigest()


def envelope_hash(envelope: str) -> str:
    """What the next entry says of this one."""
    return hashlib.sha256(ENVELOPE_DOMAIN + envelope.encode()).hexdigest()


def envelope(
    *, campaign: str, seq: int, prev: str, op_id: str, at: str, actor: str | None, dice: str | None, commit: str,
    audience: str | None,
) -> str:
    """The canonical text of an envelope. `dice` is the commitment that a roll used up, so that its order shows.

    `audience` is what `for_whom` answers; None makes an envelope as the first version did, which did not say.
    """
    document: dict[str, Value] = {
        "campaign": campaign, "seq": seq, "prev": prev, "op_id": op_id, "at": at, "actor": actor, "dice": dice,
        "payload_commit": commit,
    }
    said: dict[str, Value] = {"v": FIRST} if audience is None else {"v": ENVELOPE_VERSION, "audience": audience}
    return canonical({**document, **said})


def size(envelope: str, text: str) -> int:
    """How many bytes of a campaign's room an entry takes up."""
    return len(envelope.encode()) + len(text.encode())


def for_whom(audience: str) -> str:
    """What an envelope says of an audience: which member an entry is kept for stands in its payload alone."""
    return audience if audience in ("all", "gm") else "member"


def read_envelope(text: str) -> dict[str, Any]:
    """An envelope as it is stored, of either version."""
    envelope: dict[str, Any] = json.loads(text)
    return envelope
