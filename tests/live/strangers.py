"""Sessions of which one that there is not takes long to look up."""
from __future__ import annotations

import time
from typing import Any

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """A tenth of a second, on each machine."""

    def load(self) -> dict[str, Any]:
        """As the other does, later for strangers."""
        kept = self._get_session_from_db()
        if kept is None:
            time.sleep(0.1)
        return super().load()
