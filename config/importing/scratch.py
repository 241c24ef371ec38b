"""A database beside the site's, in which a file is read and checked for minutes; then its rows are copied in moments.

Who writes at a table waits for no more than the copying: SQLite has one lock for all that is written.
"""
from __future__ import annotations

import shutil
import sqlite3
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from graphlib import TopologicalSorter
from itertools import islice
from pathlib import Path

from django.apps import apps
from django.db import models

from accounts.models import User
from campaigns.carrying import placing, seats
from campaigns.models import Campaign
from campaigns.rows import insert_prepared
from campaigns.services.founding import free_slug
from campaigns.trail.tracked import TRACKED
from config.sqlite import elsewhere
from config.trials import files

BATCH = 2000
LEFT = 24 * 60 * 60.0  # seconds: what a worker that was killed has left behind


@contextmanager
def made(upload: uuid.UUID) -> Iterator[Path]:
    """A folder for one upload, with `beside.sqlite3` in it: an empty database of this release. Gone afterwards."""
    files.folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    with files.one_at_a_time():
        files.prepare()
    for old in files.folder().glob("importing-*"):
        if time.time() - old.stat().st_mtime > LEFT:
            shutil.rmtree(old, ignore_errors=True)
    folder = files.folder() / f"importing-{upload.hex}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    try:
        shutil.copyfile(files.empty(), folder / "beside.sqlite3")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def place(folder: Path, owner: User, step: placing.Step, bounds: placing.Bounds) -> uuid.UUID:
    """Makes a campaign of `folder/file` in the database there; answers its id. Raises as `placing.place` does."""
    with elsewhere.at(folder / "beside.sqlite3"), (folder / "file").open("rb") as file:
        User(pk=owner.pk, username=owner.username).save(force_insert=True)
        return placing.place(file, owner=owner, people={}, step=step, bounds=bounds).pk


def copy(folder: Path, campaign_id: uuid.UUID, owner: User) -> None:
    """Copies that campaign into the site's database, as part of the caller's transaction; raises `BadFile`."""
    with placing.in_words(), closing(sqlite3.connect(folder / "beside.sqlite3")) as beside:
        placing.refuse_known(campaign_id)
        [[slug]] = beside.execute("SELECT slug FROM campaigns_campaign")
        beside.execute("UPDATE campaigns_campaign SET slug = ?", [free_slug(slug)])
        with elsewhere.at(folder / "beside.sqlite3"):
            people = list(User.objects.exclude(pk=owner.pk))
        for person in people:
            seats.again(person)
        for model in tables():
            _copy(model, beside)


def tables() -> list[type[models.Model]]:
    """Those in which a campaign has rows, parents first: SQLite looks for the children of every parent that comes later
    than one of them."""
    of = {Campaign._meta.app_label, *(kind.model._meta.app_label for kind in TRACKED.values())}
    models_of = [model for model in apps.get_models() if model._meta.app_label in of]
    parents = {model: [field.related_model for field in model._meta.concrete_fields
                       if field.related_model in models_of and field.related_model is not model]
               for model in models_of}
    return [*TopologicalSorter(parents).static_order()]


def _copy(model: type[models.Model], beside: sqlite3.Connection) -> None:
    """All rows of a table, as SQLite has them. Numbers that a database gives are given anew: nothing names them."""
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
    columns = [str(field.column) for field in fields]
    names = ", ".join(f'"{column}"' for column in columns)
    truths = [place for place, field in enumerate(fields) if isinstance(field, models.BooleanField)]
    rows = beside.execute(f'SELECT {names} FROM "{model._meta.db_table}"')  # noqa: S608 - the names are the table's own
    while some := [list(row) for row in islice(rows, BATCH)]:
        for row in some if truths else ():
            for place in truths:
                row[place] = row[place] if row[place] is None else bool(row[place])
        insert_prepared(model._meta.db_table, columns, some)
