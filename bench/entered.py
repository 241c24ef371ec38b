"""How many of the product's files one request enters: what somebody has to have read who would follow it."""
from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
APPS = tuple(f"{ROOT / app}/" for app in ("config", "play", "characters", "campaigns", "accounts", "rules"))
COUNTED = ("roll, the whole request", "an act in a contest", "a contest's page")


def entered(send: Callable[[], Any]) -> list[str]:
    """The files in which a function was called, as they lie in the project; a first request makes what is kept."""
    send()
    files: set[str] = set()

    def called(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(APPS):
            files.add(frame.f_code.co_filename)

    sys.setprofile(called)
    try:
        send()
    finally:
        sys.setprofile(None)
    return sorted(str(Path(name).relative_to(ROOT)) for name in files)


def told(runs: dict[str, Callable[[], Any]]) -> None:
    """Prints for each request that is counted how many files it enters, and which."""
    for name in COUNTED:
        files = entered(runs[name])
        print(f"{name}: {len(files)} files")
        print(*(f"  {file}" for file in files), sep="\n")
