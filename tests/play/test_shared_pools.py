"""What the campaign holds together: set by the GM, spent so that no point is spent twice."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from play.models import SharedPool
from play.services import pools
from rules.sheet import SpendShared
from rules.system import PoolKind
from rules.systems.pdq.session import PdqSession
from tests.conftest import refusal
from tests.gate import seldom
from tests.play.conftest import body


def spend(campaign: Any, actor: Any, pool: str = "luck", amount: int = 1) -> None:
    """What a rule does that costs points of the campaign."""
    with trail.entry(campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="a.test", title="Spent") as entry:
        pools.apply(entry, [SpendShared(pool, -amount)])


@pytest.fixture
def luck(monkeypatch: pytest.MonkeyPatch, ilse: Any) -> PoolKind:
    """A game that has a pool of its own: one for each player character, and two more."""
    kind = PoolKind("luck", "Luck", "What the group has left of it.", "PQ-19")
    monkeypatch.setattr(PdqSession, "shared_pools", (kind,))
    monkeypatch.setattr(PdqSession, "shared_start", lambda self, pool, players, settings: players + 2)
    return kind


def test_it_starts_as_the_game_says(campaign: Any, bobs: Any, luck: PoolKind) -> None:
    assert pools.held(campaign, "luck") == 3
    spend(campaign, bobs, amount=2)
    assert pools.held(campaign, "luck") == SharedPool.objects.get().value == 1
    with pytest.raises(Refused, match="Luck: there is not enough, 1 left and 2 wanted"):
        spend(campaign, bobs, amount=2)
    assert not list(differences(campaign.pk))


def test_the_rules_spend_it_by_an_effect(campaign: Any, alices: Any, luck: PoolKind) -> None:
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="a.test", title="Luck") as entry:
        pools.apply(entry, [SpendShared("luck", 4), SpendShared("luck", -1)])
    assert pools.held(campaign, "luck") == 6


def test_the_gm_sets_it_with_a_reason(as_alice: Client, as_bob: Client, campaign: Any, bobs: Any, luck: Any) -> None:
    at = f"/c/{campaign.slug}/pools/luck/"
    assert 'value="3"' in as_alice.get(at).content.decode()
    refused = as_alice.post(at, body(value="7"))
    assert refused.status_code == 422 and 'value="7"' in refused.content.decode()
    assert as_alice.post(at, body(value="7", reason="A new day")).status_code == 302
    assert pools.held(campaign, "luck") == 7
    assert Entry.objects.latest("seq").kind == "shared_pool.set"
    assert as_bob.get(at).status_code in (403, 404)
    page = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert "Luck" in page and "pools/luck" not in page
    assert "pools/luck" in as_alice.get(f"/c/{campaign.slug}/").content.decode()


def test_no_other_pool_is_known(as_alice: Client, campaign: Any, alices: Any, luck: Any) -> None:
    assert as_alice.get(f"/c/{campaign.slug}/pools/gold/").status_code == 404
    with pytest.raises(Refused):
        spend(campaign, alices, "gold")


PROCESSES, EACH, HELD = 4, 4, 5

PLAYED = """
from rules.system import PoolKind
from rules.systems.pdq.session import PdqSession
PdqSession.shared_pools = (PoolKind("luck", "Luck", "", ""),)
PdqSession.shared_start = lambda self, pool, players, settings: HELD
"""

SETUP = """
import uuid
from accounts.models import User
from campaigns.services.founding import found
user = User.objects.create_user(username="Alice", email="alice@example.org", password="a long password")
found(user=user, op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
"""

SPEND = """
import threading, uuid
from django.db import connection
from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Member
from rules.sheet import SpendShared
from play.services import pools
campaign, owner, spent = Campaign.objects.get(), Member.objects.get(), []
start = threading.Barrier(EACH)
@trail.retried  # as each service is
def spend():
    with trail.entry(campaign=campaign, actor=owner, op_id=uuid.uuid4(), kind="a.test", title="Spent") as entry:
        pools.apply(entry, [SpendShared("luck", -1)])
def one():
    start.wait()
    try:
        spend()
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


@seldom
@pytest.mark.processes
def test_16_spenders_of_a_shared_pool_of_5_give_exactly_5_successes(real_database: Any) -> None:
    real_database.python(SETUP)
    code = f"EACH, HELD = {EACH}, {HELD}\n{PLAYED}{SPEND}"
    started = [real_database.start(code) for _ in range(PROCESSES)]
    spent = [int(process.communicate(timeout=100)[0]) for process in started]
    assert [process.returncode for process in started] == [0] * PROCESSES
    assert sum(spent) == HELD
    left = "from play.models import SharedPool\nprint(SharedPool.objects.get().value)"
    assert real_database.python(left).strip() == "0"


def test_it_holds_so_much(campaign: Any, alices: Any, luck: PoolKind) -> None:
    def gain(op_id: uuid.UUID) -> None:
        with trail.entry(campaign=campaign, actor=alices, op_id=op_id, kind="a.test", title="Luck") as entry:
            pools.apply(entry, [SpendShared("luck", 9997)])

    assert refusal(gain) == ("amount", "A pool holds 9999 at most.")
