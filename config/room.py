"""Room on the disk. Where little is left, the site is read and nothing is written: a full disk breaks more."""
from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.troubles import FULL, NOTHING, SAFE, Trouble

MB = 1024 * 1024
LOW = Trouble("The server’s disk is nearly full.", NOTHING, FULL.advice)
# Whoever keeps the server gets in and makes room; a session is small.
ALWAYS = ("/log-in/", "/log-out/", "/operator/")


def bytes_left() -> int:
    """How much is left on the disk where the site keeps its files: the database's, where that is a file."""
    name: Any = settings.DATABASES["default"]["NAME"]
    folder = Path(str(name)).parent if _is_file() else Path(settings.BASE_DIR)
    disk = os.statvfs(folder if folder.is_dir() else settings.BASE_DIR)
    return disk.f_bavail * disk.f_frsize


def is_low() -> bool:
    """Whether less is left than `LEAST_DISK_MB`. A database elsewhere looks after its own disk."""
    return bool(settings.LEAST_DISK_MB) and _is_file() and bytes_left() < settings.LEAST_DISK_MB * MB


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
