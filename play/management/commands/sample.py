"""`manage.py sample [GAME]`: a campaign to look at, played through the services, with log-ins that are told once."""
from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from django.urls import reverse

from campaigns.models import Campaign
from play.sample import people
from play.sample.games import FIRST, SAMPLES


class Command(BaseCommand):
    help = "Makes a sample campaign with its accounts: of a game that is named, else where there is no campaign yet."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", nargs="?", choices=sorted(SAMPLES), help="another one, whatever is there already")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["game"] and Campaign.objects.exists():
            self.stdout.write("There is a campaign already, so no sample is made.")
            return
        sample = SAMPLES[options["game"] or FIRST]
        # All of it or none of it: half a sample would keep the next start from making a whole one.
        with transaction.atomic():
            made = {name: people.make(name) for name, _ in sample.people}
            campaign = sample.between({name: member.user for name, member in made.items()})
        self.stdout.write(f"A sample campaign is ready: {campaign.name}, at {reverse('table', args=[campaign.slug])}")
        self.stdout.write(f"Log in at {reverse('login')}. These passwords are shown this once and kept nowhere:")
        for name, seat in sample.people:
            self.stdout.write(f"  {made[name].user.username:<8} {made[name].password:<24} {seat}")
