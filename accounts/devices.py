"""Devices on which somebody logged in: a cookie says so, and buys a place among those who wait to log in.

It is no credential. It names a person and a number of its own under the server's signature; the log-in asks for the
password as ever, and `config.turns` bounds how often one cookie, and all of one person, go ahead.
"""
from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import parse_cookie
from django.http.response import HttpResponseBase
from django.utils.crypto import get_random_string

from accounts.models import User

Response = TypeVar("Response", bound=HttpResponseBase)

COOKIE = "device"
KEPT = timedelta(days=180)  # after the last log-in


@dataclass(frozen=True)
class Device:
    """`person` is an account's id, `nonce` the cookie's own number."""

    person: str
    nonce: str


def remember(response: Response, user: User) -> Response:
    """The answer to a log-in, with the cookie."""
    response.set_cookie(
        COOKIE, _signer().sign(f"{user.pk.hex}.{get_random_string(16)}"), max_age=KEPT, httponly=True,
        secure=settings.SESSION_COOKIE_SECURE, samesite=settings.SESSION_COOKIE_SAMESITE,
    )
    return response


def device_of(cookies: str) -> Device | None:
    """The device that a request's cookies name, None where the signature is not ours or too old. Asks no database."""
    try:
        person, _, nonce = _signer().unsign(parse_cookie(cookies).get(COOKIE, ""), max_age=KEPT).partition(".")
    except BadSignature:
        return None
    return Device(person, nonce)


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="accounts.devices")
