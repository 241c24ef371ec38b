"""`manage.py retire_dice`: all unused secrets of dice are given up, by an entry in each campaign.

`restore` and `move` do it. It is for whoever put a copy of the database in place by hand: what was rolled since the
copy is known, and must not fall again.
"""
from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaigns.errors import Refused
from campaigns.models import Campaign
from campaigns.trail import retiring
from campaigns.trail.write import retire_lost


class Command(BaseCommand):
    help = "Gives up all unused secrets of dice, after a copy of the database was put in place by hand."

    def handle(self, *args: Any, **options: Any) -> None:
        retiring.forget()
        failed = []
        for campaign in Campaign.objects.order_by("slug").iterator():
            try:
                retire_lost(campaign)
            except Refused as error:
                failed.append(f"{campaign.slug}: {error.sentence}")
        if failed:
            raise CommandError(" ".join(failed))
        self.stdout.write("All unused secrets of dice are retired.")
