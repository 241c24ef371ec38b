"""Guessing passwords: what is counted, and how long one has to wait.

Wrong passwords are counted three ways: for a name from an address, for an address across all names, and for a name
from all addresses. An address stands for a /64 where it is IPv6. The first few cost nothing; after that each wrong one
doubles the wait, up to an hour, for that address. Nobody waits for what another address did: the count of a name from
everywhere only takes the free tries away, so that the first try from a fresh address is always answered.

A try counts as wrong before it is looked at, and is taken back when it was right: of many at once, only
so many are looked at.
"""
from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth import authenticate
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from accounts.conflicts import retried
from accounts.models import Tally, User
from accounts.names import key_of
from accounts.tallies import Wait, address_of, count, digest, locked

GUESS = "guess"
FREE = 5  # wrong ones for a name from an address
FREE_UNDER_ATTACK = 1  # the same once the name was tried from everywhere
ATTACK = 50  # wrong ones for a name, from everywhere
FREE_ADDRESS = 20  # wrong ones from an address, for all names
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=1)

TOO_MANY = "Too many failed attempts. Wait before trying again; each further attempt makes the wait longer."


def checked(request: HttpRequest, name: str, password: str) -> User | None:
    """The person of this name, if it is their password; raises `Wait`, for what is too early and after a wrong one."""
    key, address = key_of(name.strip()), address_of(request)
    _begin(key, address)
    user = authenticate(request, username=name, password=password)
    if isinstance(user, User):
        _right(key, address)
        return user
    if left := waits(key, address):
        raise Wait(TOO_MANY, left)
    return None


def knows_password(request: HttpRequest, password: str) -> bool:
    """Whether this is the password of who is logged in; raises `Wait`."""
    assert isinstance(request.user, User)  # noqa: S101 - only asked behind log-in
    return checked(request, request.user.username, password) is not None


@retried
@transaction.atomic
def waits(key: str, address: str) -> timedelta | None:
    """How long this address has to wait before it may try this name; None when it need not."""
    now = timezone.now()
    left = _opens(_rows(key, address, now)) - now
    return left if left > timedelta() else None


def unlock(user: User) -> None:
    """Forgets what was guessed for this name: whoever reads the person's mail need not guess."""
    Tally.objects.filter(what=GUESS, account=digest(key_of(user.username))).delete()


@retried
@transaction.atomic
def _begin(key: str, address: str) -> None:
    now = timezone.now()
    rows = _rows(key, address, now)
    if (left := _opens(rows) - now) > timedelta():
        raise Wait(TOO_MANY, left)
    for row in rows:
        count(row, now)


@retried
@transaction.atomic
def _right(key: str, address: str) -> None:
    guesses = Tally.objects.filter(what=GUESS)
    guesses.filter(account=digest(key), address=digest(address)).delete()
    for account, place in ((digest(key), ""), ("", digest(address))):
        guesses.filter(account=account, address=place, times__gt=0).update(times=F("times") - 1)


def _rows(key: str, address: str, now: datetime) -> tuple[Tally, Tally, Tally]:
    """For the name, for the address, for the name from this address. Always in this order, so that no two block."""
    return (
        locked(GUESS, account=key, now=now), locked(GUESS, address=address, now=now),
        locked(GUESS, account=key, address=address, now=now),
    )


def _opens(rows: tuple[Tally, Tally, Tally]) -> datetime:
    """When the next try may be looked at."""
    everywhere, any_name, from_here = rows
    free = FREE if everywhere.times < ATTACK else FREE_UNDER_ATTACK
    return max(_opens_after(from_here, free), _opens_after(any_name, FREE_ADDRESS))


def _opens_after(row: Tally, free: int) -> datetime:
    last: datetime = row.last
    if row.times < free:
        return last - LONGEST_WAIT
    wait: timedelta = min(FIRST_WAIT * 2 ** min(row.times - free, 10), LONGEST_WAIT)
    return last + wait
