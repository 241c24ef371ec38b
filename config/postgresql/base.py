"""PostgreSQL, into which nobody comes while a backup is put back."""
from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import base

from campaigns.keeping.alone import refuse_kept


class DatabaseWrapper(base.DatabaseWrapper):
    """Asks on each new connection whether somebody has the database for themselves."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Connects; raises `Kept` where somebody has."""
        opened = super().get_new_connection(conn_params)
        refuse_kept(opened)
        return opened
