"""PostgreSQL goes and comes back under two servers: the short form of `python -m tests.clusters.restarts`."""
from __future__ import annotations

import pytest
from django.db import connection

from tests.clusters import restarts
from tests.clusters.postgresql import programs
from tests.effort import tries

pytestmark = pytest.mark.processes


def _installed() -> bool:
    try:
        return bool(programs())
    except IndexError:
        return False


@pytest.mark.skipif(connection.vendor != "postgresql", reason="about PostgreSQL")
@pytest.mark.skipif(not _installed(), reason="needs the programs of PostgreSQL's server")
def test_a_restarted_postgresql_loses_and_doubles_nothing() -> None:
    figures = restarts.play(tries(1, len(restarts.WAYS)))
    assert figures.well, figures
    assert figures.acknowledged >= 16
