"""Rounds of something that goes on for hours: whoever stops it early is told what came of it until then.

SIGTERM or Ctrl-C ends a run at the end of the round that is under way; then it is counted and checked as at its end.
What a run has started, a server and its clients, hears neither.
"""
from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Event
from typing import NoReturn

LOOKED = 0.2  # seconds between two looks at whether a run has ended
_asked = Event()
_above = os.getppid()


def rounds(wanted: int) -> Iterator[int]:
    """1, 2, 3 … until there were as many, or until somebody stops the run; the first in any case."""
    for number in range(1, wanted + 1):
        yield number
        if stopped():
            return


def stopped() -> bool:
    """Whether no further round is to begin: somebody said so, or who started the run is gone."""
    return _asked.is_set() or os.getppid() != _above


def counted(run: int, wanted: int) -> str:
    """How many were run, for the line at the end."""
    return f"{run:,}" if run >= wanted else f"stopped early: {run:,} of {wanted:,}"


def listen() -> None:
    """From now on SIGTERM and Ctrl-C stop the run, and nothing else."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: _asked.set())


def until_stopped(play: Callable[[], bool]) -> NoReturn:
    """Plays it and ends this process, with status 0 where `play` answers that all is as promised.

    It is played in a process of its own with a group of its own: what is sent to all that somebody has started (Ctrl-C,
    `timeout`) reaches this one, which hands it on to the one that plays, and not the server in the middle of a write.
    """
    global _above
    listen()
    above = os.getpid()
    if not (player := os.fork()):
        os.setpgid(0, 0)
        _above = above
        sys.exit(not play())
    told = False
    while not (ended := os.waitpid(player, os.WNOHANG))[0]:
        if _asked.is_set() and not told:
            told = True
            with suppress(ProcessLookupError):
                os.kill(player, signal.SIGTERM)
        time.sleep(LOOKED)
    sys.exit(os.waitstatus_to_exitcode(ended[1]))
