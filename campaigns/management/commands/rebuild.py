"""`manage.py rebuild SLUG`: builds a campaign's tables anew from its trail; `--check` only looks.

The trail itself is checked first, with all that stands beside it: the index, who may read what, the secrets of dice.
"""
from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.models import Campaign
from campaigns.trail.rebuild import differences, rebuild
from campaigns.trail.verifying import whole


class Command(BaseCommand):
    help = "Builds a campaign's tables anew from its trail."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--check", action="store_true", help="Changes nothing; status 1 where something differs.")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(slug=options["slug"]).first()
        if campaign is None:
            raise CommandError(f"There is no campaign {options['slug']!r}.")
        # What tables are built from, and held against, has to be sound itself.
        if fault := whole(campaign).fault:
            raise CommandError(f"The Ledger is broken, and nothing was changed. {fault}")
        found = list(differences(campaign.pk)) if options["check"] else rebuild(campaign.pk)
        for difference in found:
            self.stdout.write(str(difference))
        if options["check"] and found:
            raise CommandError(f"{len(found)} rows differ from the trail.")
        self.stdout.write("The tables say what the trail says." if not found else f"{len(found)} rows were put right.")
