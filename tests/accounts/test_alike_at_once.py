"""Names that look alike, chosen at the same moment: real processes, a real database; and those that were there."""
from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps

from accounts.models import User
from accounts.names import look_of
from campaigns.carrying import seats
from tests.conftest import logged_in, person
from tests.databases import MEETING, OwnDatabase
from tests.html_forms import Page

ALIKE = ("Ilse", "llse", "1lse", "Marnie", "Mamie")

# Each signs up by the page; what it found free is not looked at again before all have looked.
RACE = MEETING + """
import sys
from django.test import Client
from accounts import forms
from tests.html_forms import Page
why = forms.NamedForm._why_taken
def slowly(form, name):
    said = why(form, name)
    meet(sys.argv[2], int(sys.argv[3]))
    return said
client = Client(headers={"host": "localhost"})
form = Page(client.get("/sign-up/")).form(button="Sign up")
forms.NamedForm._why_taken = slowly
word = "a long password"
answer = form.send(client, username=sys.argv[1], password1=word, password2=word)
print(answer.status_code, "looks like another one here" in answer.content.decode())
"""


@pytest.mark.processes
def test_of_names_that_look_alike_one_is_taken_at_one_moment(real_database: OwnDatabase, tmp_path: Path) -> None:
    (meeting := tmp_path / "meeting").mkdir()
    started = [real_database.start(RACE, name, str(meeting), str(len(ALIKE))) for name in ALIKE]
    said = [process.communicate(timeout=120)[0].strip() for process in started]
    assert sorted(said[:3]) == ["302 False", "422 True", "422 True"], said
    assert sorted(said[3:]) == ["302 False", "422 True"], said
    there = real_database.python("from accounts.models import User\nprint(User.objects.count())")
    assert there.strip() == "2"


def alike_before() -> tuple[Any, Any]:
    """Two accounts of a time when nobody was refused for that."""
    younger, elder = person("Ilse"), person("Younger")
    User.objects.filter(pk=elder.pk).update(
        username="llse", name_key="llse", look=look_of("llse"), date_joined="2020-01-01T00:00Z")
    User.objects.update(sole_look=None)
    migration = import_module("accounts.migrations.0006_nobody_looks_like_another")
    migration.the_elder_keeps_it(apps, None)
    elder.refresh_from_db()
    younger.refresh_from_db()
    return elder, younger


def test_who_looked_alike_before_stays_so_and_the_elder_keeps_it(db: None) -> None:
    elder, younger = alike_before()
    assert (elder.sole_look, younger.sole_look) == (look_of("llse"), None)
    younger.save()
    younger.save(update_fields=["username"])
    younger.refresh_from_db()
    assert (younger.username, younger.sole_look) == ("Ilse", None)
    younger.username = "Ilse.2"
    younger.save()
    younger.refresh_from_db()
    assert younger.sole_look == look_of("Ilse.2")


def test_an_account_that_looks_like_an_elder_one_keeps_its_page(db: None) -> None:
    _, younger = alike_before()
    browser = logged_in(younger)
    answer = Page(browser.get("/account/")).form(button="Save your account").send(browser, username="Ilse.b")
    assert answer.status_code == 302
    assert User.objects.get(pk=younger.pk).sole_look == look_of("Ilse.b")


def test_a_place_that_waits_looks_like_no_other(db: None) -> None:
    names = [seats.empty(name).username for name in ("Marnie", "Mamie")]
    assert names == ["Marnie.unmatched", "Mamie.unmatched.2"]
