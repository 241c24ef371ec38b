"""`manage.py worker` does what is asked for outside requests: mails, reminders."""
from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.crypto import get_random_string

from jobs.worker import Worker


class Command(BaseCommand):
    """Runs until it is told to end; what it does then it ends first."""

    help = "Does what is asked for outside requests, until it is told to end. There may be several."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How often it looks, and whether it ends by itself."""
        parser.add_argument("--interval", type=float, default=1.0, help="seconds between looks (1)")
        parser.add_argument("--parent", type=int, default=0, help="end once the process of this number is gone")
        parser.add_argument("--once", action="store_true", help="do what is ready, then end")

    def handle(self, *args: Any, interval: float, once: bool, parent: int, **options: Any) -> None:
        """Works."""
        worker = Worker(worker_id=get_random_string(12), interval=interval, once=once, parent=parent)
        worker.configure_signals()
        worker.run()
