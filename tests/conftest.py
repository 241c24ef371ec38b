"""The few people and places that every test knows: Alice owns, Bob plays, Charlie is an outsider."""
from __future__ import annotations

import os
import secrets
import sys
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core import management
from django.db import connection
from django.db.backends.signals import connection_created
from django.test import Client, TransactionTestCase
from hypothesis import settings

from config.garbage import look_less_often
from config.stack import in_one_piece
from tests import gate, laid, refused
from tests.databases import OwnDatabase, Template, filled, gone_from, migrated_on

# How fast a machine is decides nothing, and what is tried is the same every time, too.
settings.register_profile("same", deadline=None, derandomize=not laid.DICE)
settings.load_profile("same")
ON_SERVER = url if (url := os.environ.get("DATABASE_URL", "")).startswith("postgres") else ""
RUN = "TEST_RUN"
LONGEST = ("tests/upgrade/",)  # a minute and more each: begun last, they would keep one process waiting for the other


def pytest_configure(config: pytest.Config) -> None:
    """With REFUSED=folder, each process notes there which refusals it met. With REVERSED=1, SQLite answers backwards
    what is asked for in no order: PostgreSQL answers it as it likes.

    What is compiled is kept: hundreds of processes are started, and each would compile the whole site anew. What a
    test calls lies in one piece, as what a page calls does.
    """
    as_usual = partial(pytest.CallInfo.from_call.__func__, pytest.CallInfo)
    pytest.CallInfo.from_call = lambda work, *args, **more: as_usual(partial(in_one_piece, work), *args, **more)
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if folder := os.environ.get("REFUSED"):
        config.add_cleanup(refused.watch(Path(folder)))
    if ON_SERVER and RUN not in os.environ:  # the others of this run are started with it
        os.environ[RUN] = uuid.uuid4().hex[:12]
        config.add_cleanup(lambda: gone_from(ON_SERVER, os.environ.pop(RUN)))
    if os.environ.get("REVERSED"):
        connection_created.connect(_backwards)


def _backwards(connection: Any, **_: Any) -> None:
    if connection.vendor == "sqlite":
        connection.connection.execute("PRAGMA reverse_unordered_selects = ON")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of what is asked of all games some is asked; what takes longest begins first."""
    items[:], left = gate.thinned(items)
    if left:
        config.hook.pytest_deselected(items=left)
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


def pytest_collection_finish() -> None:
    """What was imported and collected stays: looking through it for garbage took a seventh of the time."""
    look_less_often()


@pytest.fixture(scope="session")
def django_db_modify_db_settings_xdist_suffix(request: pytest.FixtureRequest) -> None:
    """Each process has a database of its own: one in memory is that already, a named one gets the process's name."""
    process = getattr(request.config, "workerinput", {}).get("workerid", "")
    database = django_settings.DATABASES["default"]
    if ON_SERVER:
        database.setdefault("TEST", {})["TEMPLATE"] = migrated_on(ON_SERVER, os.environ[RUN])
    if process and database["NAME"] != ":memory:":
        database.setdefault("TEST", {})["NAME"] = f"test_{database['NAME']}_{process}"


@pytest.fixture(autouse=True)
def same_dice_every_time(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test throws the same dice whenever it runs, or others with TEST_DICE=2: what it meets can be met again.

    Faces follow from the server's secret and from ids, so both come from a source that begins anew with each test.
    """
    with laid.chance(f"{laid.DICE} {request.node.nodeid}"):
        yield


@pytest.fixture(scope="session", autouse=True)
def flush_may_clear_the_trail() -> Iterator[None]:
    """Transactional tests flush the tables afterwards: only then are the append-only triggers off."""
    from django.db import connections

    from campaigns.trail import triggers

    teardown = TransactionTestCase._fixture_teardown

    def without_triggers(self: Any) -> None:
        for name in self._databases_names(include_mirrors=False):
            triggers.uninstall(connections[name])
        try:
            teardown(self)
        finally:
            for name in self._databases_names(include_mirrors=False):
                triggers.install(connections[name])

    patch = pytest.MonkeyPatch()
    patch.setattr(TransactionTestCase, "_fixture_teardown", without_triggers)
    yield
    patch.undo()


def person(name: str) -> Any:
    """An account of this name."""
    from accounts.models import User

    return User.objects.create_user(username=name, email=f"{name.lower()}@example.org", password="a long password")


def logged_in(user: Any) -> Client:
    """A browser in which `user` is logged in: the session is written once, where `force_login` writes four times."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.auth.models import update_last_login
    from django.contrib.sessions.models import Session
    from django.utils import timezone

    from accounts.sessions import SessionStore

    said = {SESSION_KEY: str(user.pk), BACKEND_SESSION_KEY: "django.contrib.auth.backends.ModelBackend",
            HASH_SESSION_KEY: user.get_session_auth_hash()}
    session = Session.objects.create(
        session_key=secrets.token_hex(16), session_data=SessionStore().encode(said),
        expire_date=timezone.now() + timedelta(seconds=django_settings.SESSION_COOKIE_AGE))
    update_last_login(user.__class__, user)
    client = Client()
    client.cookies[django_settings.SESSION_COOKIE_NAME] = session.session_key
    return client


def refusal(service: Callable[..., Any], **given: Any) -> tuple[str, str]:
    """The field and the sentence with which a service refuses; it writes no entry then.

    For what a page no longer offers by the time that it is sent: what the page sends itself is sent by it.
    """
    from campaigns.models import Entry
    from rules.values import BadMove

    before = Entry.objects.count()
    with pytest.raises(BadMove) as refused:
        service(**{"op_id": uuid.uuid4(), **given})
    assert Entry.objects.count() == before, "what is refused is not written"
    return refused.value.field, refused.value.sentence


@laid.fixture
def alice(db: None) -> Any:
    """Owns the campaign."""
    return person("Alice")


@laid.fixture
def bob(db: None) -> Any:
    """Plays in it, once `bobs` is asked for."""
    return person("Bob")


@laid.fixture
def charlie(db: None) -> Any:
    """Has nothing to do with it."""
    return person("Charlie")


@laid.fixture
def campaign(alice: Any) -> Any:
    """Alice's campaign."""
    from campaigns.services.founding import found

    return found(user=alice, op_id=uuid.uuid4(), name="The Salt Road", system="pdq")


@laid.fixture
def alices(campaign: Any, alice: Any) -> Any:
    """Alice as a member: the owner."""
    return campaign.members.get(user=alice)


def join(campaign: Any, user: Any, role: str) -> Any:
    """Makes `user` a member, by an entry of the trail as always; refreshes `campaign`."""
    from campaigns import trail
    from campaigns.models import Member

    with trail.entry(
        campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="member.join", title=f"A {role} joins"
    ) as entry:
        member = entry.create(Member(campaign=campaign, user=user, role=role))
    campaign.refresh_from_db()
    return member


@laid.fixture
def bobs(campaign: Any, bob: Any) -> Any:
    """Bob as a member: a player."""
    return join(campaign, bob, "player")


@laid.fixture
def as_alice(alice: Any) -> Client:
    """Alice's browser."""
    return logged_in(alice)


@laid.fixture
def as_bob(bob: Any) -> Client:
    """Bob's browser."""
    return logged_in(bob)


@laid.fixture
def as_charlie(charlie: Any) -> Client:
    """Charlie's browser."""
    return logged_in(charlie)


@laid.fixture
def anonymous(db: None) -> Client:
    """A browser in which nobody is logged in."""
    return Client()


@pytest.fixture(scope="session")
def made_of_a_copy() -> pytest.MonkeyPatch:
    """From now on migrating begins, on SQLite, with a copy of what was migrated before; until it is undone."""
    patch, migrate = pytest.MonkeyPatch(), management.call_command

    def quickly(name: str, *args: Any, **options: Any) -> Any:
        if name == "migrate" and connection.vendor == "sqlite":
            connection.ensure_connection()
            filled(connection)
        return migrate(name, *args, **options)

    patch.setattr(management, "call_command", quickly)
    return patch


@pytest.fixture(scope="session")
def django_db_setup(made_of_a_copy: pytest.MonkeyPatch, django_db_setup: None, django_db_blocker: Any) -> None:
    """The tests' own database."""
    made_of_a_copy.undo()
    with django_db_blocker.unblock():
        laid.begin()


@pytest.fixture(scope="session")
def migrated_once(tmp_path_factory: Any) -> Iterator[Template]:
    """What `real_database` is a copy of."""
    name = migrated_on(ON_SERVER, os.environ[RUN]) if ON_SERVER else ""
    with Template(tmp_path_factory.mktemp("template"), name).made() as template:
        yield template


@pytest.fixture
def real_database(migrated_once: Template, tmp_path: Any) -> Iterator[OwnDatabase]:
    """A database that other processes can open too: a file, or a PostgreSQL database made for this test."""
    with migrated_once.copied(tmp_path) as database:
        yield database
