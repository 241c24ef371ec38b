"""Passwords cost two cores at most."""
from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password

from accounts import gate, hashing
from accounts.gate import Gate
from accounts.hashing import TwoAtATime
from config import settings
from tests.databases import OwnDatabase
from tests.gate import seldom


def test_two_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    inside, most = 0, 0

    def encode(*arguments: Any) -> str:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0.01)
        inside -= 1
        return ""

    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", encode)
    threads = [threading.Thread(target=TwoAtATime().encode, args=("a", "b")) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 2


@seldom
@pytest.mark.processes
def test_across_processes_too(real_database: OwnDatabase) -> None:
    code = "from accounts.hashing import GATE\nwith GATE: print('inside', flush=True)\n"
    with Gate(hashing.__file__), Gate(gate.__file__):
        third = real_database.start(code)
        with pytest.raises(Exception, match="timed out"):
            third.wait(timeout=3)
    assert third.communicate(timeout=20)[0] == "inside\n"
    with Gate(hashing.__file__):  # one place is left
        second = real_database.start(code)
        assert second.communicate(timeout=20)[0] == "inside\n"


def test_it_is_what_the_server_uses_and_reads_what_was_kept_before() -> None:
    assert settings.PASSWORD_HASHERS == ["accounts.hashing.TwoAtATime"]
    before = PBKDF2PasswordHasher().encode("quiet lanterns", "salt", 10)
    quick = django_settings.PASSWORD_HASHERS
    try:
        django_settings.PASSWORD_HASHERS = settings.PASSWORD_HASHERS
        assert before.startswith("pbkdf2_sha256$")
        assert TwoAtATime().verify("quiet lanterns", before)
        assert not TwoAtATime().verify("loud lanterns", before)
    finally:
        django_settings.PASSWORD_HASHERS = quick


def test_a_failure_inside_lets_the_next_one_in() -> None:
    one = Gate(__file__)
    with pytest.raises(ZeroDivisionError), one:
        raise ZeroDivisionError
    with one:
        pass
    assert check_password("a", make_password("a"))
