"""`manage.py backup FILE`: a backup while people play, checked; `--nightly` writes it where `BACKUPS` says."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.keeping.backing_up import back_up
from campaigns.keeping.database import NotKept
from campaigns.keeping.nightly import KEPT, nightly


class Command(BaseCommand):
    help = "Writes a backup of the database to a new file, and checks it. People can play meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        where = parser.add_mutually_exclusive_group(required=True)
        where.add_argument("file", nargs="?", type=Path)
        where.add_argument(
            "--nightly", action="store_true",
            help=f"Into the folder that BACKUPS names; the {KEPT} newest of these are kept.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["nightly"]:
                nightly(self.stdout.write)
            else:
                back_up(options["file"], self.stdout.write)
        except NotKept as error:
            raise CommandError(str(error)) from error
