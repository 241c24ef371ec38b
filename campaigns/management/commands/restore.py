"""`manage.py restore FILE`: puts a backup back; what was there is kept."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.keeping.database import NotKept
from campaigns.keeping.restoring import put_back


class Command(BaseCommand):
    help = "Puts a backup back, while no server runs. What was there is kept beside it."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--anyway", action="store_true", help="Also where the check finds a fault in it.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            kept = put_back(options["file"], self.stdout.write, anyway=options["anyway"])
        except NotKept as error:
            raise CommandError(str(error)) from error
        if kept:
            self.stdout.write(f"The database before it is kept in {kept}.")
