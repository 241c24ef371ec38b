"""Begins a trial table."""
from __future__ import annotations

import uuid
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from accounts.models import User
from accounts.registration import Registration
from accounts.tallies import take
from accounts.zones import is_zone
from campaigns.errors import Refused
from config.room import is_low
from config.trials import files, work
from jobs.queue import ask
from play.services import samples
from rules.dice import new_token
from rules.registry import SYSTEMS

LASTS = timedelta(days=1)
BACKEND = "django.contrib.auth.backends.ModelBackend"
NOT_NOW = "No trial table is free at the moment. Try again later, or sign up."
TOO_OFTEN = "Too many trial tables were begun from your network."


def offered() -> bool:
    """Whether visitors may try a table: where everyone may sign up, and the operator gives them room."""
    is_open = Registration(settings.REGISTRATION) is Registration.OPEN
    return is_open and settings.TRIALS > 0 and files.empty().exists()


def begin(*, game: str, address: str, zone: str = "") -> tuple[files.Trial, str]:
    """Makes a table of a game for somebody at this address; answers it, and where it is. Raises `Refused`, `Wait`."""
    rules = SYSTEMS.get(game)
    if not offered() or rules is None or rules.sample is None or is_low():
        raise Refused(NOT_NOW)
    until = timezone.now() + LASTS
    with files.one_at_a_time():
        files.sweep()
        if len(files.there()) >= settings.TRIALS:
            raise Refused(NOT_NOW)
        take("trial", most=settings.TRIALS_AN_HOUR, too_often=TOO_OFTEN, address=address)
        name = files.copied(until, new_token())
    ask(work.sweep, at=until)
    with files.at(files.Trial(name, "").file):
        visitor = User.objects.create_user("Visitor", time_zone=zone if is_zone(zone) else "")
        campaign = samples.begin(user=visitor, op_id=uuid.uuid4(), game=game)
        return files.Trial(name, _session_of(visitor)), campaign.slug


def _session_of(visitor: User) -> str:
    """A session in which they are logged in, in the database that is theirs."""
    session = SessionStore()
    session[SESSION_KEY] = str(visitor.pk)
    session[BACKEND_SESSION_KEY] = BACKEND
    session[HASH_SESSION_KEY] = visitor.get_session_auth_hash()
    session.save()
    return str(session.session_key)
