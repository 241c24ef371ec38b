"""What a database may suffer from that is nobody's fault here: a full disk, another writer, a server that is gone."""
from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
from django.db import Error, InterfaceError, OperationalError

SAFE = ("GET", "HEAD", "OPTIONS")
NOTHING = "Nothing was saved."

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Trouble:
    """What is wrong with the database, and what came of a change that was sent."""

    what: str
    written: str
    advice: str

    def sentence(self, method: str) -> str:
        """For somebody who asked for a page, or sent something."""
        if method in SAFE:
            return f"{self.what} This can’t be shown right now. Try again in a few seconds."
        return f"{self.what} {self.written} {self.advice}"


FULL = Trouble("The server’s disk is full, or can’t be written to.", NOTHING,
               "You can still read. Tell the person who runs this server, and send it again when there is room.")
BUSY = Trouble("The database is busy.", NOTHING, "Wait a few seconds, then send it again.")
AWAY = Trouble("The database can’t be reached.", NOTHING, "Wait a few seconds, then send it again.")
# Where a connection breaks at the very end, nobody knows on which side of it the change is.
LOST = Trouble("The connection to the database broke.", "This may not have been saved.",
               "Wait a few seconds, and look before you send it again.")

OF_SQLITE = {
    sqlite3.SQLITE_FULL: FULL, sqlite3.SQLITE_IOERR: FULL, sqlite3.SQLITE_READONLY: FULL,
    sqlite3.SQLITE_BUSY: BUSY, sqlite3.SQLITE_LOCKED: BUSY, sqlite3.SQLITE_PROTOCOL: BUSY,
    sqlite3.SQLITE_CANTOPEN: AWAY, sqlite3.SQLITE_NOMEM: AWAY,
}
OF_POSTGRESQL = (  # by class, where a code begins so
    ("53100", FULL), ("58030", FULL), ("40", BUSY), ("55P03", BUSY), ("57014", BUSY),
)


def trouble_of(error: BaseException | None) -> Trouble | None:
    """What the database suffers from; None where the fault is ours, as in a statement that names no table."""
    cause = error.__cause__ if isinstance(error, OperationalError | InterfaceError) else error
    if isinstance(cause, sqlite3.OperationalError):
        # The low byte is what kind of failure it is, the rest says where.
        return OF_SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)
    if isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        known = (trouble for code, trouble in OF_POSTGRESQL if (cause.sqlstate or "").startswith(code))
        # It carries what was half open where it never came to a connection.
        return next(known, AWAY if cause.pgconn else LOST)
    return AWAY if isinstance(error, OperationalError) and cause is None else None


@contextmanager
def beside_reading() -> Iterator[None]:
    """Inside is what gets written along with a page that is read: where it can't be, the page comes all the same."""
    try:
        yield
    except Error as error:
        if trouble_of(error) is None:
            raise
        log.warning("Not written beside a page: %s", error)
