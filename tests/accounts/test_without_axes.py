"""A database from the time of django-axes loses its tables and keeps the rest."""
from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

without_axes = importlib.import_module("accounts.migrations.0003_without_axes")


@pytest.mark.django_db
def test_its_tables_and_traces_go(alice: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE axes_accessattempt (id integer PRIMARY KEY)")
        cursor.execute("CREATE TABLE axes_accesslog (id integer PRIMARY KEY)")
    recorder = MigrationRecorder(connection)
    recorder.record_applied("axes", "0001_initial")
    kind = ContentType.objects.create(app_label="axes", model="accessattempt")
    Permission.objects.create(content_type=kind, codename="view_accessattempt", name="x")
    others = ContentType.objects.exclude(app_label="axes").count()

    for _ in range(2):  # a second time finds nothing, and that is no fault
        with connection.cursor() as cursor:
            without_axes.forget(apps, SimpleNamespace(connection=connection, execute=cursor.execute))

    assert not [name for name in connection.introspection.table_names() if name.startswith("axes")]
    assert not [key for key in recorder.applied_migrations() if key[0] == "axes"]
    assert not ContentType.objects.filter(app_label="axes").exists()
    assert not Permission.objects.filter(codename="view_accessattempt").exists()
    assert ContentType.objects.count() == others
    alice.refresh_from_db()
