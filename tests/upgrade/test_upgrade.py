"""Databases of an earlier version go on: migrated, checked, rebuilt, exported, every page opened, and played on.

Each file is a compressed SQLite database, played with the version of the day in its name.
"""
from __future__ import annotations

import io
import json
import lzma
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from campaigns.carrying.placing import place
from campaigns.carrying.writing import file_of
from campaigns.trail.rebuild import differences
from tests import forks

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FILES = {
    "2026-11-21-pdq-danger-pnc": {"nine-days-dry": 111, "test-danger_world": 39, "test-pdq": 63, "test-pnc": 44},
    "2026-11-21-questworlds": {"nine-days-dry": 94, "salt-and-iron": 80},
    # Where an extended contest was won while others had not acted; the duels of a year.
    "2026-11-23-questworlds-long": {
        "lamp-2add": 39, "lamp-4007": 14, "lamp-8b52": 36, "lamp-ae05": 21, "lamp-ea62": 82, "lamp-f052": 38,
        "nine-days-dry": 85},
    "2026-11-23-pdq-sharp": {"nine-days-dry": 100, "the-gilded-compass": 109},
}


def test_every_file_is_opened() -> None:
    assert {path.name for path in HERE.glob("*.xz")} == {f"{name}.sqlite3.xz" for name in FILES}


def opened(name: str, folder: Path) -> dict[str, Any]:
    """What `tests.upgrade.opening` found in a copy of the file."""
    copy = folder / "table.sqlite3"
    copy.write_bytes(lzma.decompress((HERE / f"{name}.sqlite3.xz").read_bytes()))
    here = {"DATABASE_URL": f"sqlite:///{copy}", "DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": str(ROOT)}
    run = forks.run(
        [sys.executable, "-W", "ignore", "-m", "tests.upgrade.opening"], cwd=ROOT, env={**os.environ, **here},
        text=True, capture_output=True, timeout=1800,
    )
    assert run.returncode == 0, run.stderr[-4000:]
    return dict(json.loads(run.stdout))


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="The files are SQLite’s; they are opened in that run.")
@pytest.mark.parametrize("name", FILES)
@pytest.mark.django_db
def test_an_earlier_database_goes_on(name: str, tmp_path: Path) -> None:
    assert connection.vendor == "sqlite"
    opened_by = opened(name, tmp_path)
    assert opened_by["wrong"] == []
    assert opened_by["campaigns"] == FILES[name]
    assert opened_by["pages"] > 400, opened_by["pages"]
    for slug, owner in opened_by["owners"].items():
        comes_in_as_it_went_out((tmp_path / f"{slug}.campaign.gz").read_bytes(), owner)


def comes_in_as_it_went_out(file: bytes, owner: str) -> None:
    """A campaign's file, imported into this empty server and exported again."""
    user, _ = User.objects.get_or_create(username=owner)
    campaign = place(io.BytesIO(file), owner=user, people={}, say=lambda said: None)
    assert b"".join(file_of(campaign)) == file
    assert not list(differences(campaign.pk))
