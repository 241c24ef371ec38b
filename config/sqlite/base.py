"""SQLite, with connections that are kept for as long as their file is where it was."""
from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

_opened: set[Path] = set()  # files that this process has had open
PRIVATE = 0o600


def _to_owner_alone(file: Path) -> None:
    """Nobody else on the machine reads the file; what SQLite puts beside it gets the same rights."""
    with suppress(PermissionError):  # it is somebody else's, who let us in: their rights stay
        if not file.exists():
            with suppress(FileNotFoundError):  # no folder: SQLite says so
                file.touch(PRIVATE)
        elif file.stat().st_mode & 0o077:
            file.chmod(PRIVATE)


class DatabaseWrapper(base.DatabaseWrapper):
    """Looks at each request whether somebody has put another file into the place of the one that is open."""

    _identity: tuple[int, int] | None = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        """Opens the file; raises `OperationalError` where one that was there is gone.

        A file that is being put back must not find a new and empty one in its place.
        """
        if self._file in _opened and self._file and not self._file.exists():
            raise OperationalError("The file of the database is gone.")
        if self._file:
            _to_owner_alone(self._file)
        opened: sqlite3.Connection = super().get_new_connection(conn_params)
        self._identity = self._there()
        if self._file:
            _opened.add(self._file)
        return opened

    def is_usable(self) -> bool:
        """Whether what is open is still what stands at the address; asked with `CONN_HEALTH_CHECKS`."""
        return self._there() == self._identity

    @property
    def _file(self) -> Path | None:
        """None for a database in memory."""
        return None if self.is_in_memory_db() else Path(self.settings_dict["NAME"])

    def _there(self) -> tuple[int, int] | None:
        try:
            status = self._file.stat() if self._file else None
        except FileNotFoundError:
            return None
        return (status.st_dev, status.st_ino) if status else None
