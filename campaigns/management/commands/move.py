"""`manage.py move --to URL`: takes the server to another database, SQLite or PostgreSQL."""
from __future__ import annotations

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.keeping.database import NotKept
from campaigns.keeping.moving import move, take_in


class Command(BaseCommand):
    help = "Brings everything to another, empty database, while no server runs. This one stays as it is."

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--to", metavar="URL", help="sqlite:////absolute/path or postgres://user:password@host/name")
        which.add_argument("--take-in", action="store_true", help="What it runs on the other database by itself.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["take_in"]:
                take_in(json.load(sys.stdin), self.stdout.write)
                return
            move(options["to"], self.stdout.write)
        except NotKept as error:
            raise CommandError(str(error)) from error
        self.stdout.write("Everything is there. Set DATABASE_URL to that address and start the server; keep this "
                          "database until you have looked around, and never start a server on it again.")
