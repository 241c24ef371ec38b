"""`manage.py sample`: a campaign to look at, where there is none yet, with log-ins that are told once."""
from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from django.urls import reverse

from campaigns.models import Campaign
from play.sample import people
from play.sample.evenings import play


class Command(BaseCommand):
    help = "Makes a sample campaign with two accounts, if the database has no campaign yet."

    def handle(self, *args: Any, **options: Any) -> None:
        if Campaign.objects.exists():
            self.stdout.write("There is a campaign already, so no sample is made.")
            return
        # All of it or none of it: half a sample would keep the next start from making a whole one.
        with transaction.atomic():
            gm, player = people.make(people.GM), people.make(people.PLAYER)
            campaign = play(gm=gm.user, player=player.user)
        self.stdout.write(f"A sample campaign is ready: {campaign.name}, at {reverse('table', args=[campaign.slug])}")
        self.stdout.write(f"Log in at {reverse('login')}. These passwords are shown this once and kept nowhere:")
        for told, seat in ((gm, "runs the game"), (player, "plays Nell and Hester")):
            self.stdout.write(f"  {told.user.username:<8} {told.password:<24} {seat}")
