"""The cookie of a device on which somebody logged in: a place in the queue, and nothing else."""
from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.devices import COOKIE, KEPT, Device, device_of

RIGHT = {"username": "Alice", "password": "a long password"}


def cookies_of(client: Client) -> str:
    return f"{COOKIE}={client.cookies[COOKIE].value}"


def test_a_log_in_makes_the_device_known_and_no_script_reads_it(anonymous: Client, alice: Any) -> None:
    anonymous.post("/log-in/", RIGHT)
    kept = anonymous.cookies[COOKIE]
    assert (kept["httponly"], kept["samesite"], kept["max-age"]) == (True, "Lax", KEPT.total_seconds())
    assert bool(kept["secure"]) is settings.SESSION_COOKIE_SECURE
    known = device_of(f"a=b; {cookies_of(anonymous)}")
    assert known and known.person == alice.pk.hex


def test_each_log_in_is_another_device_of_the_same_person(anonymous: Client, alice: Any) -> None:
    devices = []
    for client in (anonymous, Client()):
        client.post("/log-in/", RIGHT)
        devices.append(device_of(cookies_of(client)))
    first, second = devices
    assert first and second
    assert (first.person, first.nonce != second.nonce) == (second.person, True)


@pytest.mark.django_db
def test_signing_up_makes_it_known_too(anonymous: Client) -> None:
    twice = {"password1": "a lantern over it", "password2": "a lantern over it"}
    assert anonymous.post("/sign-up/", {"username": "Dora", "email": "", **twice}).status_code == 302
    assert isinstance(device_of(cookies_of(anonymous)), Device)


def test_a_wrong_password_makes_nothing_known(anonymous: Client, alice: Any) -> None:
    anonymous.post("/log-in/", {**RIGHT, "password": "wrong"})
    assert COOKIE not in anonymous.cookies


def test_it_opens_nothing(anonymous: Client, alice: Any) -> None:
    anonymous.post("/log-in/", RIGHT)
    thief = Client()
    thief.cookies[COOKIE] = anonymous.cookies[COOKIE].value
    assert thief.get("/account/").status_code == 302
    assert [thief.post("/log-in/", {**RIGHT, "password": "wrong"}).status_code for _ in range(5)] == [422] * 4 + [429]


def test_it_outlives_the_session(anonymous: Client, alice: Any) -> None:
    anonymous.post("/log-in/", RIGHT)
    anonymous.post("/log-out/")
    assert device_of(cookies_of(anonymous))


@pytest.mark.parametrize("cookies", [
    "", "device=", "device=x", "device=a.b:c:d", "device=\0", "device=ä.ß:é:ü", "device=" + "x:" * 9000, "sessionid=x",
])
def test_what_was_not_signed_here_is_no_device(cookies: str) -> None:
    assert device_of(cookies) is None


def test_nor_is_one_that_was_changed_or_is_too_old(
    anonymous: Client, alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    anonymous.post("/log-in/", RIGHT)
    cookies = cookies_of(anonymous)
    assert device_of(cookies.replace(alice.pk.hex, bob.pk.hex)) is None
    monkeypatch.setattr("accounts.devices.KEPT", timedelta(seconds=-1))
    assert device_of(cookies) is None
