#!/usr/bin/env python
"""Django's command line for this project."""
import os
import sys

from config.stack import in_one_piece


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import ManagementUtility, execute_from_command_line

    from campaigns.keeping.alone import Kept

    try:
        if sys.argv[1:2] == ["version"]:  # Django would say its own
            import django

            django.setup()
            ManagementUtility(sys.argv).fetch_command("version").run_from_argv(sys.argv)
            return
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as wrong:
        sys.exit(str(wrong))
    except Kept as kept:
        sys.exit(f"The database can’t be used: {kept}")


if __name__ == "__main__":
    in_one_piece(main)
