"""`manage.py migrate`, which waits for nobody for long: who waits for a table holds up all who come after."""
from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as Migrate
from django.db import DatabaseError, OperationalError, connections

from config.one_at_a_time import one_at_a_time

WAITS = "3s"
LOCK_NOT_AVAILABLE = "55P03"


class Command(Migrate):
    """Django's, which ends with a sentence where a table is not free for three seconds."""

    def handle(self, *args: Any, **options: Any) -> str | None:
        """Brings the tables up to date; of two processes that want to, one waits for the other and has less to do."""
        with one_at_a_time(options["database"]):
            return self._migrate(*args, **options)

    def _migrate(self, *args: Any, **options: Any) -> str | None:
        connection = connections[options["database"]]
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('lock_timeout', %s, false)", [WAITS])
        try:
            return super().handle(*args, **options)
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) != LOCK_NOT_AVAILABLE:
                raise
            raise CommandError(
                f"A table was in use for more than {WAITS}. Everything done until then stays; nothing is half done. "
                "Run migrate again, or stop the server first."
            ) from error
        finally:
            if connection.vendor == "postgresql" and connection.connection and not connection.connection.closed:
                # A transaction that has failed takes no more: what went wrong in it is to be told, not this.
                with suppress(DatabaseError), connection.cursor() as cursor:
                    cursor.execute("RESET lock_timeout")
