"""Who sends a request is read anew each time: a session as the framework keeps it, and the person that it names."""
from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.backends import db as of_django
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.sessions import SessionStore
from tests.conftest import person


def test_a_session_that_the_framework_s_own_store_kept_is_read(db: Any) -> None:
    theirs = _kept({"said": "kept"})
    assert SessionStore(theirs).load() == {"said": "kept"}


def test_a_session_that_ran_out_or_never_was_is_an_empty_one_without_its_key(db: Any) -> None:
    theirs = _kept({"said": "kept"})
    Session.objects.filter(pk=theirs).update(expire_date=timezone.now() - timedelta(seconds=1))
    for key in (theirs, "of-nobody"):
        store = SessionStore(key)
        assert (store.load(), store.session_key) == ({}, None)


def test_what_became_of_a_person_holds_from_the_next_request_on(db: Any, client: Client) -> None:
    user = person("Alice")
    client.force_login(user)
    User.objects.filter(pk=user.pk).update(time_zone="Europe/Lisbon")
    assert _who_asks(client).time_zone == "Europe/Lisbon"
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert not _who_asks(client).is_authenticated
    User.objects.filter(pk=user.pk).update(is_active=True)
    assert _who_asks(client) == user
    User.objects.filter(pk=user.pk).delete()
    assert not _who_asks(client).is_authenticated


def test_a_person_by_their_id_alone_or_with_more_is_the_same_or_nobody(db: Any) -> None:
    user = person("Alice")
    assert User.objects.get(pk=user.pk) == User.objects.get(pk=str(user.pk)) == User.objects.get(
        pk=user.pk, username="Alice") == user
    for asked in ({"pk": uuid.uuid4()}, {"pk": user.pk, "username": "Bob"}):
        with pytest.raises(User.DoesNotExist):
            User.objects.get(**asked)


def _who_asks(client: Client) -> Any:
    return client.get("/").wsgi_request.user


def _kept(data: dict[str, str]) -> str:
    store = of_django.SessionStore()
    store.update(data)
    store.create()
    return str(store.session_key)
