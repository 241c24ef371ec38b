"""64 who spend at once from a pool of 10: exactly 10 succeed. Real processes, on the tests' own kind of database."""
from __future__ import annotations

import os
from dataclasses import replace

import pytest

from tests.effort import tries

PROCESSES, EACH, HELD = 8, 8, 10

SETUP = """
import uuid
from accounts.models import User
from campaigns.models import Member
from campaigns.services.founding import found
from characters.services import editing, pools
user = User.objects.create_user(username="Alice", email="alice@example.org", password="a long password")
campaign = found(user=user, op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
owner = Member.objects.get()
entry = editing.create(campaign=campaign, actor=owner, op_id=uuid.uuid4(), name="Ilse", player=owner)
ilse = editing.id_from(campaign, entry.op_id)
pools.award(campaign=campaign, actor=owner, op_id=uuid.uuid4(), character_id=ilse, pool="xp", amount=HELD,
            reason="All at once")
print(ilse)
"""

SPEND = """
import sys, threading, uuid
from django.db import connection
from campaigns.errors import Refused
from campaigns.models import Campaign, Member
from characters.services import pools
campaign, owner, spent = Campaign.objects.get(), Member.objects.get(), []
start = threading.Barrier(EACH)
def one():
    start.wait()
    try:
        pools.spend(campaign=campaign, actor=owner, op_id=uuid.uuid4(), character_id=uuid.UUID(sys.argv[1]), pool="xp",
                    amount=1)
        spent.append(1)
    except Refused as refused:
        assert "not enough" in refused.sentence, refused
    finally:
        connection.close()
connection.close()
threads = [threading.Thread(target=one) for _ in range(EACH)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(spent))
"""

ISOLATION = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SHOW transaction_isolation")
    print(cursor.fetchone()[0])
"""

LEFT = """
from campaigns.models import Campaign, Entry
from characters.models import Pool
campaign = Campaign.objects.get()
seqs = sorted(Entry.objects.values_list("seq", flat=True))
assert seqs == list(range(1, campaign.head_seq + 1))
print(Pool.objects.get().value, Entry.objects.filter(kind="character.spend").count())
"""


@pytest.mark.processes
def test_64_spenders_of_a_pool_of_10_give_exactly_10_successes(real_database):
    spend_at_once(real_database)


@pytest.mark.processes
@pytest.mark.skipif(not os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="PostgreSQL")
def test_the_same_where_the_database_takes_back_what_others_came_before(real_database):
    strict = f"{real_database.url}?options=-c%20default_transaction_isolation%3Dserializable"
    serializable = replace(real_database, environment={**real_database.environment, "DATABASE_URL": strict})
    assert serializable.python(ISOLATION).strip() == "serializable"
    spend_at_once(serializable, tries(2, PROCESSES))


def spend_at_once(real_database, processes=PROCESSES):
    character = real_database.python(f"HELD = {HELD}\n{SETUP}").strip()
    started = [real_database.start(f"EACH = {EACH}\n{SPEND}", character) for _ in range(processes)]
    spent = [int(process.communicate(timeout=100)[0]) for process in started]
    assert [process.returncode for process in started] == [0] * processes
    assert sum(spent) == HELD
    assert real_database.python(LEFT).split() == ["0", str(HELD)]
