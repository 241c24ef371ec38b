"""The tables that are measured with."""
from __future__ import annotations

from django.core.management import call_command


def lay_tables() -> None:
    """The site's by its migrations, then those of the bare page: they have none, and point at the site's."""
    call_command("migrate", verbosity=0)
    call_command("migrate", run_syncdb=True, verbosity=0)
