"""Processes that are made of one that has the site: each has its own database, and settings that are read for it."""
from __future__ import annotations

from tests.databases import OwnDatabase
from tests.gate import seldom

WHERE = "from django.db import connection as kept\nfrom django.conf import settings\nprint(kept.settings_dict['NAME']"


@seldom
def test_each_is_at_its_own_database(real_database: OwnDatabase) -> None:
    name = real_database.url.rpartition("/")[2]
    said = [real_database.python(f"{WHERE}, settings.DATABASES['default']['NAME'])").split() for _ in range(3)]
    assert all(there.endswith(name) for names in said for there in names), said
    made = "from accounts.models import User\nUser.objects.create_user('Alice')\nprint(User.objects.count())"
    assert real_database.python(made).strip() == "1"


@seldom
def test_who_has_something_else_around_reads_the_settings_anew(real_database: OwnDatabase) -> None:
    for zone in ("UTC", "Europe/Rome", "Europe/Rome"):
        around = {"DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "k" * 60, "TIME_ZONE": zone}
        other = OwnDatabase(real_database.url, {**real_database.environment, **around})
        assert other.python("from django.conf import settings\nprint(settings.TIME_ZONE)").strip() == zone
