"""`manage.py version` says what runs here; with `--notes`, what it brought."""
from __future__ import annotations

import platform
from argparse import ArgumentParser
from typing import Any

import django
from django.core.management.base import BaseCommand
from django.db import Error, connection

from config.version import newest_notes, version


class Command(BaseCommand):
    """For who asks for help, and before an upgrade."""

    help = "Says which version this is, with those of Django, Python and the database."
    requires_system_checks: list[str] = []  # newer versions of Django ask the database, which may be away

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What else it says."""
        parser.add_argument("--notes", action="store_true", help="what the newest version brought")

    def handle(self, *args: Any, notes: bool, **options: Any) -> None:
        """Prints it."""
        self.stdout.write(f"Ledger & Lantern {version()}")
        if notes:
            self.stdout.write(newest_notes())
            return
        self.stdout.write(f"Django {django.__version__}, Python {platform.python_version()}")
        try:
            connection.ensure_connection()
        except Error as error:
            self.stdout.write(f"The database can’t be used: {' '.join(str(error).split())}")
            return
        number = ".".join(str(part) for part in connection.get_database_version())
        self.stdout.write(f"{connection.display_name} {number}")
