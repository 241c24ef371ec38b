"""Everything before a server can start, done once and then only looked at: `python -m config.first_start`.

An `.env` with a secret of its own, the database's tables, the static files, and a sample campaign where there is none.
"""
from __future__ import annotations

import os
import sys
from pathlib import Path

import django
from django.core.management import call_command, get_commands
from django.core.management.utils import get_random_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent


def write_env(path: Path) -> bool:
    """Writes a file with a new secret key, readable by its owner only; answers False when there is one already."""
    if path.exists():
        return False
    path.touch(mode=0o600)
    # Single quotes, and none of the signs that the file's reader would take for more than themselves.
    key = "".join(sign for sign in get_random_secret_key() + get_random_secret_key() if sign.isalnum())
    path.write_text(f"# Settings of this machine; docs/operating.md lists what can stand here.\nSECRET_KEY='{key}'\n")
    return True


def prepare() -> None:
    """Brings database and static files up to date."""
    (BASE_DIR / "data").mkdir(exist_ok=True)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)
    from campaigns.models import Campaign

    if "sample" in get_commands() and not Campaign.objects.exists():
        call_command("sample")


if __name__ == "__main__":
    if write_env(BASE_DIR / ".env"):
        sys.stdout.write("A secret key was made and written to .env.\n")
    prepare()
    host, port = os.environ.get("HOST", "127.0.0.1"), os.environ.get("PORT", "8000")
    sys.stdout.write(f"The site is open at http://{host}:{port}/ (Ctrl-C closes it).\n")
