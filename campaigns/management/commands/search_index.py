"""`manage.py search_index`: lays out what the search has not got yet; `--anew` lays out all of it again."""
from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import connection

from campaigns.models import Campaign
from campaigns.search_building import build, build_missing
from campaigns.search_index import analyse


class Command(BaseCommand):
    help = "Lays out for the search what is missing there. People can play meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--anew", action="store_true", help="Lays out every campaign again.")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["anew"]:
            for campaign_id in list(Campaign.objects.values_list("pk", flat=True)):
                build(campaign_id, self.stdout.write)
        else:
            build_missing(self.stdout.write)
        analyse(connection)
        self.stdout.write("Everything is in the search.")
