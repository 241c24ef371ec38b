"""PostgreSQL beyond one machine: a server without LISTEN, and an address of its own for it past a pooler."""
from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from tests.databases import OwnDatabase
from tests.live.serving import Server
from tests.live.test_stream import SEED, Stream

ON_POSTGRESQL = os.environ.get("DATABASE_URL", "").startswith("postgres")
pytestmark = [pytest.mark.processes, pytest.mark.skipif(not ON_POSTGRESQL, reason="PostgreSQL")]

SAY = """
import uuid
from campaigns import trail
from campaigns.models import Campaign
campaign = Campaign.objects.get(slug="the-salt-road")
with trail.entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="note.add", title="A word") as entry:
    pass
print(entry.written.seq)
"""


@pytest.mark.parametrize("listen", ["none", "itself"])
def test_an_entry_is_heard_where_the_database_does_not_tell_and_where_it_tells_past_a_pooler(
    real_database: OwnDatabase, listen: str
) -> None:
    cookies = json.loads(real_database.python(SEED))
    url = real_database.url if listen == "itself" else listen
    database = replace(real_database, environment={**real_database.environment, "LISTEN_URL": url})
    server = Server(database, DJANGO_SETTINGS_MODULE="tests.live.settings")
    server.start()
    try:
        stream = Stream(server.port, "the-salt-road", cookies["Bob"])
        assert stream.next()[0] == 3
        written = int(database.python(SAY))
        assert stream.next()[0] == written
        stream.close()
    finally:
        server.kill()
