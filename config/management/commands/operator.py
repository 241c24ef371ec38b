"""`manage.py operator NAME` gives somebody the operator's page; with `--remove`, takes it away."""
from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User


class Command(BaseCommand):
    """Only by who has the machine: no page makes an operator."""

    help = "Opens the page /operator/ to a person, or closes it to them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who, and whether no longer."""
        parser.add_argument("name")
        parser.add_argument("--remove", action="store_true", help="take it away")

    def handle(self, *args: Any, name: str, remove: bool, **options: Any) -> None:
        """Says so."""
        try:
            person = User.objects.get_by_natural_key(name)
        except User.DoesNotExist:
            raise CommandError(f"Nobody here is called {name}.") from None
        person.is_staff = not remove
        person.save(update_fields=["is_staff"])
        self.stdout.write(f"{person.username} is no operator." if remove else f"{person.username} has /operator/ now.")
