"""Mails that come back later: reading a report of a mail server (RFC 3464), which anybody could have written."""
from __future__ import annotations

import email
import email.utils
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from typing import Any

from campaigns.errors import Refused

MOST_BYTES = 2_000_000
MOST_PARTS, MOST_RECIPIENTS = 10, 20
LONGEST = 320  # characters of an address or of a mail's name
RECIPIENTS = ("Original-Recipient", "Final-Recipient")
NO_REPORT = "This is no report of a returned mail (a delivery status notification, RFC 3464)."


@dataclass(frozen=True)
class Returned:
    """A mail that came back: its name, to which addresses it may have gone, and whether no more tries are made."""

    message_id: str
    addresses: tuple[str, ...]
    for_good: bool


def read(raw: bytes) -> Returned:
    """What a report says; a sentence where it is none."""
    if len(raw) > MOST_BYTES:
        raise Refused(f"This is larger than {MOST_BYTES // 1_000_000} MB. Reports of returned mails are small.")
    try:
        parts = _parts(email.message_from_bytes(raw))
    except (RecursionError, ValueError, LookupError, TypeError):  # what the library meets in a mail made to upset it
        raise Refused(NO_REPORT) from None
    reports = [part for kind, part in parts if kind == "message/delivery-status"]
    if not reports:
        raise Refused(NO_REPORT)
    mails = [mail for kind, part in parts if (mail := _mail(kind, part)) is not None]
    names = [name for mail in mails if (name := _header(mail, "Message-ID"))]
    if not names:
        raise Refused("The report does not say which mail came back: the mail’s own headers are missing.")
    recipients = [fields for report in reports for fields in _recipients(report)]
    said = [_address(_header(fields, name)) for fields in recipients for name in RECIPIENTS]
    to = [email.utils.parseaddr(_header(mail, "To"))[1] for mail in mails]
    return Returned(names[0], tuple(dict.fromkeys(address for address in (*said, *to) if address)),
                    any(map(_failed, recipients)))


def _parts(report: Message) -> list[tuple[str, Message]]:
    """The parts of a report, each with its kind: no part of a mail that stands in it."""
    within: Any = report.get_payload()
    if not report.is_multipart() or report.get_content_type() != "multipart/report":
        return []
    return [(part.get_content_type(), part) for part in within[:MOST_PARTS]]


def _mail(kind: str, part: Message) -> Message | None:
    """The mail that came back, or its headers."""
    if kind == "message/rfc822":
        within: Any = part.get_payload()
        return within[0] if within else None
    if kind in ("text/rfc822-headers", "message/rfc822-headers"):
        return email.message_from_string(str(part.get_payload()))
    return None


def _recipients(report: Message) -> Iterator[Message]:
    """What is said of each address: all groups of fields but the first, which is about the mail."""
    within: Any = report.get_payload()
    yield from within[1:MOST_RECIPIENTS + 1] if report.is_multipart() else ()


def _header(mail: Message, name: str) -> str:
    value = " ".join(str(mail.get(name, "")).split())
    return value if len(value) <= LONGEST else ""


def _address(field: str) -> str:
    """`rfc822; bob@example.org` without its kind."""
    return field.rpartition(";")[2].strip().strip("<>")


def _failed(fields: Message) -> bool:
    """Whether the mail server has given up on this address: a status of 4 means that it may still arrive."""
    return _header(fields, "Action").lower() == "failed" and _header(fields, "Status").startswith("5.")
