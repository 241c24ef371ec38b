"""Sessions as the framework keeps them, read by SQL that is made once: every request reads one."""
from __future__ import annotations

from datetime import datetime

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from accounts.statements import compiled_once


class SessionStore(db.SessionStore):
    """The framework's, by its own name: sessions are signed with it."""

    def _get_session_from_db(self) -> Session | None:
        for session in _open(self.session_key or "", timezone.now()):
            return session
        self._session_key = None
        return None


@compiled_once
def _open(key: str, now: datetime) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=now)
