"""`manage.py person NAME --link`: what the operator's page does to an account, where there is no mail or no page."""
from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from campaigns.errors import Refused
from config.operating import services


class Command(BaseCommand):
    """One account."""

    help = "Makes a link for a new password, locks or unlocks an account, or deletes it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whose, and one thing to do."""
        parser.add_argument("name")
        choice = parser.add_mutually_exclusive_group(required=True)
        for what in ("link", "lock", "unlock", "delete"):
            choice.add_argument(f"--{what}", action="store_const", const=what, dest="what")

    def handle(self, *args: Any, name: str, what: str, **options: Any) -> None:
        """Does it and says so."""
        try:
            person = User.objects.get_by_natural_key(name)
            self.stdout.write(self._done(person, what))
        except User.DoesNotExist:
            raise CommandError(f"Nobody here is called {name}.") from None
        except Refused as refused:
            raise CommandError(str(refused)) from refused

    @staticmethod
    def _done(person: User, what: str) -> str:
        name = person.username
        if what == "link":
            return services.password_link(person=person)
        if what == "delete":
            services.delete(person=person)
            return f"The account of {name} is deleted."
        services.lock(person=person, locked=what == "lock")
        return f"{name} is locked out." if what == "lock" else f"{name} can log in again."
