"""`manage.py rebuild SLUG`: builds a campaign's tables again from its trail; `--check` only looks, `--all` takes each.

The trail itself is checked first, with all that stands beside it: the index, who may read what, the secrets of dice.
"""
from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from campaigns.models import Campaign, Entry
from campaigns.trail import triggers
from campaigns.trail.rebuild import differences, rebuild
from campaigns.trail.verifying import whole


class Command(BaseCommand):
    help = "Builds a campaign’s tables again from its trail."

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("slug", nargs="?")
        which.add_argument("--all", action="store_true", help="Every campaign, and what keeps trails append-only.")
        parser.add_argument("--check", action="store_true", help="Changes nothing; status 1 where something differs.")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["all"]:
            campaign = Campaign.objects.filter(slug=options["slug"]).first()
            if campaign is None:
                raise CommandError(f"There is no campaign {options['slug']!r}.")
            self._one(campaign, check=options["check"])
            return
        if gone := triggers.missing(connection):
            raise CommandError(f"Ledgers are not append-only: {', '.join(gone)} missing. Run manage.py migrate.")
        wrong = []
        for campaign in Campaign.objects.order_by("slug").iterator():
            self.stdout.write(f"{campaign.slug}: {campaign.head_seq} entries.")
            try:
                self._one(campaign, check=options["check"])
            except CommandError as error:
                self.stdout.write(f"{campaign.slug}: {error}")
                wrong.append(campaign.slug)
        if wrong:
            raise CommandError(f"Something is wrong with {', '.join(wrong)}. manage.py rebuild SLUG --check says what.")
        self.stdout.write("Every Ledger is sound.")

    def _one(self, campaign: Campaign, *, check: bool) -> None:
        # What tables are built from, and held against, has to be sound itself.
        if fault := whole(campaign).fault:
            raise CommandError(f"The Ledger is broken, and nothing was changed. {fault}")
        if Entry.objects.filter(campaign=campaign, seq=campaign.head_seq, kind="campaign.delete").exists():
            return  # it is emptied: its entries say nothing any more
        rows = list(differences(campaign.pk)) if check else rebuild(campaign.pk)
        for difference in rows:
            self.stdout.write(str(difference))
        if check and rows:
            raise CommandError(f"{len(rows)} rows differ from the trail.")
        self.stdout.write("The tables say what the trail says." if not rows else f"{len(rows)} rows were put right.")
