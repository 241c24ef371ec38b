"""What a request may cost before anything of it is done, by the kind of page: bytes, seconds, and who does the work.

A kind has threads of its own, so that what is slow (passwords, pictures, mail) is done a little at a time and holds up
no other page. Each of their threads keeps a connection to the database.
"""
from __future__ import annotations

import re
from dataclasses import dataclass

from config.environment import of_process

KB, MB = 1024, 1024 * 1024


@dataclass(frozen=True)
class Kind:
    """A kind of page. `seconds` is how long the body may take to arrive, `waiting` how many may wait for a thread,
    `known_first` whether devices on which somebody logged in before go ahead (`config.turns`)."""

    name: str
    most_bytes: int
    seconds: float
    threads: int
    waiting: int
    known_first: bool = False


READ = Kind("read", 64 * KB, 10, of_process("WEB_THREADS", 4), 400)
FORM = Kind("form", 5 * MB // 2, 30, 0, 0)  # done by the threads of READ
# As many threads as hash at a time: of 200 who guess, one round takes under 30 s on two cores.
PASSWORD = Kind("password", 64 * KB, 10, 2, 400, known_first=True)
MAIL = Kind("mail", 64 * KB, 10, 1, 20)
# More than the largest picture that is taken, so that one a little over is refused in its form.
PORTRAIT = Kind("portrait", 5 * MB, 60, 1, 8)
# A campaign's file, out or in: one at a time, as it may take a minute.
CARRIED = Kind("carried", 16 * MB, 120, 1, 8)
TRIAL = Kind("trial", 64 * KB, 10, 1, 20)  # a table that a visitor tries: a whole sample is played
KINDS = (READ, FORM, PASSWORD, MAIL, PORTRAIT, CARRIED, TRIAL)
STREAM = Kind("stream", 0, 0, 1, 120)  # to look up whose stream it is; `config.live` has one more for the news

BY_PATH = (
    (re.compile(r"/(log-in|sign-up)/|/account/.*|/password/.+"), PASSWORD),
    (re.compile(r"/password/"), MAIL),
    (re.compile(r"/try/"), TRIAL),
    (re.compile(r"/c/[^/]+/(characters/[^/]+/portrait|(notes|prepare/things)/[^/]+/picture)/"), PORTRAIT),
    (re.compile(r"/(operator/)?import/|/c/[^/]+/take-along/"), CARRIED),
)

# All requests together, and those of one address. More than can wait for threads of all kinds: a queue that is full
# leaves room at the door.
MOST_VISITS, MOST_VISITS_EACH = 1000, 100
MOST_BYTES_HELD = 64 * MB
# Live streams that are open. Those of one address are as many as its connections; settings say how many a person and
# a campaign may have.
MOST_STREAMS = 1000
# Connections, requested or not, and live streams among them.
MOST_CONNECTIONS = 2000
MOST_CONNECTIONS_EACH = of_process("CONNECTIONS_PER_ADDRESS", 256)
HEAD_SECONDS = 15.0  # for a request's first line and headers
SEND_SECONDS = 30.0  # in which a reader has to take something
CLOSE_SECONDS = 10.0  # in which one has to take the rest once the answer is complete


def kind_of(method: str, path: str) -> Kind:
    """The kind of page that a request is for."""
    if method != "POST":
        return READ
    return next((kind for pattern, kind in BY_PATH if pattern.fullmatch(path)), FORM)
