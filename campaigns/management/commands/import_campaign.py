"""`manage.py import_campaign FILE --owner NAME`: makes a campaign of a file, all of it or nothing."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from accounts.models import User
from accounts.troubles import trouble_of
from campaigns.carrying.placing import bring_in
from campaigns.errors import Refused


class Command(BaseCommand):
    help = "Makes a campaign of a file that was exported here or elsewhere. Ctrl-C stops it, and nothing is there."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--owner", required=True, metavar="NAME", help="The account that the campaign belongs to.")
        parser.add_argument(
            "--person", action="append", default=[], metavar="NAME=ACCOUNT",
            help="Who is who: a name in the file, and the account here. The others’ places wait for them.")

    def handle(self, *args: Any, **options: Any) -> None:
        pairs = [pair.partition("=") for pair in options["person"]]
        people = {name: self._account(account) for name, _, account in pairs}
        try:
            with options["file"].open("rb") as file:
                campaign = bring_in(
                    file, owner=self._account(options["owner"]), people=people, say=self.stdout.write)
        except Refused as error:
            raise CommandError(f"{error.sentence} Nothing was imported.") from error
        except DatabaseError as error:
            if (trouble := trouble_of(error)) is None:
                raise
            raise CommandError(f"{trouble.what} Nothing was imported.") from error
        except OSError as error:
            raise CommandError(f"This file can’t be read. {error}") from error
        except KeyboardInterrupt:
            raise CommandError("Stopped. Nothing was imported.") from None
        self.stdout.write(f"{campaign.name} is at /c/{campaign.slug}/, with {campaign.head_seq:,} entries.")

    def _account(self, name: str) -> User:
        user = User.objects.filter(is_active=True, username=name).first()
        if user is None:
            raise CommandError(f"There is no account {name!r} here.")
        return user
