"""A server that is killed while people write: the short form of `python -m tests.clusters.kills`."""
from __future__ import annotations

import pytest

from tests.clusters import kills
from tests.databases import OwnDatabase
from tests.gate import seldom

pytestmark = pytest.mark.processes


@seldom
def test_what_was_acknowledged_outlives_kills_and_is_there_once(real_database: OwnDatabase) -> None:
    figures = kills.play(real_database, 2)
    assert figures.well, figures
    assert figures.acknowledged >= 2
