"""`manage.py trials`: what trial tables need, made where it is missing; those that are over are deleted."""
from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config.trials import files


class Command(BaseCommand):
    help = "Makes the empty database that trial tables are copied from, and deletes trial tables that are over."

    def handle(self, *args: Any, **options: Any) -> None:
        """Both."""
        if settings.TRIALS:
            files.prepare()
        files.sweep()
        self.stdout.write(f"{len(files.there())} of {settings.TRIALS} trial tables, in {files.folder()}")
