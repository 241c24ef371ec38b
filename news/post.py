"""One mail: plain text and HTML from one context, with what a mail program needs to tell copies and to unsubscribe."""
from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User
from news.links import absolute
from news.reach import digest_of

NAMES = uuid.UUID("0ad2f7c2-9d4c-4f0c-9fb3-5f6a4d1ea6b7")  # Message-IDs are made with it


@dataclass(frozen=True)
class Letter:
    """A mail to a person. `name` is the same whenever the same is sent again: mail programs show it once then."""

    name: str
    to: User
    subject: str
    template: str
    context: Mapping[str, Any]
    stop_url: str = ""


def send(letter: Letter) -> None:
    """Hands the mail to the mail server; raises what it raises."""
    context = {**letter.context, "to": letter.to.shown_name, "stop_url": letter.stop_url, "site": settings.SITE_URL,
               "settings_url": absolute(reverse("mail"))}
    mail = EmailMultiAlternatives(
        " ".join(letter.subject.split()), render_to_string(f"news/mail/{letter.template}.txt", context),
        to=[letter.to.email], headers=_headers(letter))
    mail.attach_alternative(render_to_string(f"news/mail/{letter.template}.html", context), "text/html")
    mail.send()


def _headers(letter: Letter) -> dict[str, str]:
    stop = {"List-Unsubscribe": f"<{letter.stop_url}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return {
        "Message-ID": _message_id(uuid.uuid5(NAMES, letter.name).hex, letter.to.email),
        "Auto-Submitted": "auto-generated", **(stop if letter.stop_url else {}),
    }


def _message_id(name: str, address: str) -> str:
    """The name of a mail, sealed for the address that it goes to."""
    seal = salted_hmac("news.post", f"{name} {digest_of(address)}", algorithm="sha256").hexdigest()[:32]
    return f"<{name}.{seal}@{urlsplit(settings.SITE_URL).hostname or 'localhost'}>"


def sent_as(message_id: str, address: str) -> str:
    """The name of a mail that this site sent to this address; "" for any other: nobody else can seal one."""
    said = f"<{message_id.strip().strip('<>')}>"
    name = said[1:].partition(".")[0]
    return name if constant_time_compare(_message_id(name, address), said) else ""
