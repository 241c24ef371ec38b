"""`manage.py jobs` lists what waits and what was given up."""
from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from jobs.queue import given_up, late, ready, try_again


class Command(BaseCommand):
    """What an operator asks of the queue."""

    help = "Lists jobs that were given up after a day, and says how long the others wait."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What else it does."""
        parser.add_argument("--retry", action="store_true", help="try all of them again")

    def handle(self, *args: Any, retry: bool, **options: Any) -> None:
        """Prints a line for each."""
        self.stdout.write(f"Ready: {ready().count()}, the first for {late().total_seconds():.0f} s.")
        for job in given_up():
            reason = job.traceback.strip().rpartition("\n")[2]
            ended = timezone.localtime(job.finished_at) if job.finished_at else None
            self.stdout.write(f"Given up {ended:%Y-%m-%d %H:%M} {job.task_name} {job.pk}: {reason}")
        if retry:
            self.stdout.write(f"Tried again: {try_again(given_up())}.")
