"""Room on the disk. Where little is left, the site is read and nothing is written: a full disk breaks more."""
from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.troubles import FULL, NOTHING, SAFE, Trouble

MB = 1024 * 1024
LOOKS = 30.0  # seconds between looks at the size of a database
LOW = Trouble("The server’s disk is nearly full.", NOTHING, FULL.advice)
# Whoever keeps the server gets in and makes room; a session is small.
ALWAYS = ("/log-in/", "/log-out/", "/operator/")


def bytes_left() -> int:
    """How much is left on the disk where the site keeps its files: the database's, where that is a file."""
    name: Any = settings.DATABASES["default"]["NAME"]
    folder = Path(str(name)).parent if _is_file() else Path(settings.BASE_DIR)
    disk = os.statvfs(folder if folder.is_dir() else settings.BASE_DIR)
    return disk.f_bavail * disk.f_frsize


def bytes_of_database() -> int:
    """How much room the database takes."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    file = Path(str(connection.settings_dict["NAME"]))
    return sum(part.stat().st_size for part in file.parent.glob(f"{file.name}*")) if file.is_file() else 0


def is_low() -> bool:
    """Whether less is left than `LEAST_DISK_MB`; of PostgreSQL, whose disk may be elsewhere, whether the database has
    grown to `LARGEST_DATABASE_MB`."""
    if _is_file():
        return bool(settings.LEAST_DISK_MB) and bytes_left() < settings.LEAST_DISK_MB * MB
    most = settings.LARGEST_DATABASE_MB * MB
    return bool(most) and _SIZE.now() >= most


class _Size:
    """The size of the database, looked at now and then: PostgreSQL goes through its files for it."""

    def __init__(self) -> None:
        self._bytes, self._looked = 0, float("-inf")

    def now(self) -> int:
        """As it was half a minute ago at most. Of a database that does not answer others say so."""
        if time.monotonic() - self._looked > LOOKS:
            self._looked = time.monotonic()
            with suppress(DatabaseError):
                self._bytes = bytes_of_database()
        return self._bytes

    def forget(self) -> None:
        """Looks again."""
        self._looked = float("-inf")


_SIZE = _Size()


def _is_file() -> bool:
    return "sqlite" in str(settings.DATABASES["default"]["ENGINE"])


def reads_only(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """While the disk is nearly full pages say so, and what is sent is answered with 503, what was typed in it."""
    from config.faults import answer

    def middleware(request: HttpRequest) -> HttpResponseBase:
        low = is_low()
        request.disk_is_low = low  # type: ignore[attr-defined]
        if low and request.method not in SAFE and not request.path.startswith(ALWAYS):
            return answer(request, LOW)
        return get_response(request)

    return middleware
