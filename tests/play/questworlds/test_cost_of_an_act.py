"""What an act of a contest costs: one fold, one listing of offers, so many queries at most whatever the history."""
from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from play.models import Contest
from play.services import folds
from play.services import position as positions
from rules.systems.questworlds.simple_contest.kind import SimpleContest
from tests.play.conftest import body
from tests.play.questworlds.conftest import act, begin, frame, latest, of

pytestmark = pytest.mark.django_db

MOST = 26  # three of them lay the entry, and the facts that a contest made, out for the search, two are for the views
EARLIER = 12


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts what the rules are asked."""
    counted: Counter[str] = Counter()
    for name in ("offers", "read", "view", "forecast"):
        asked = getattr(SimpleContest, name)

        def counting(self: Any, *args: Any, _name: str = name, _asked: Any = asked) -> Any:
            counted[_name] += 1
            return _asked(self, *args)

        monkeypatch.setattr(SimpleContest, name, counting)
    return counted


def history(as_alice: Client, as_bob: Client, campaign: Any, ilse: Any) -> None:
    """A dozen contests that are over."""
    for _ in range(EARLIER):
        frame(as_alice, as_bob, campaign, ilse)
        assert act(as_alice, None, "set").status_code == 302
        assert act(as_bob, ilse, "roll").status_code == 302
        while not latest().over:
            offers = {form.offer.action for form in as_alice.get(page_of(campaign)).context["acts"]}
            answer = act(as_bob, ilse, "stand") if "stand" in offers else act(as_alice, None, "close")
            assert answer.status_code == 302, answer.content.decode()
            if not Contest.objects.filter(over=False).exists():
                break


def page_of(campaign: Any) -> str:
    return f"/c/{campaign.slug}/contests/{latest().pk}/"


def cost(client: Client, who: Any, action: str, **values: Any) -> int:
    """The queries of one act, its own savepoint among them."""
    one = latest()
    address = f"/c/{one.campaign.slug}/contests/{one.pk}/{action}/{who.pk if who else 'gm'}/"
    sent = body(**values)
    with CaptureQueriesContext(connection) as queries:
        answer = client.post(address, sent)
    assert answer.status_code == 302, answer.content.decode()[-3000:]
    for captured_query in queries.captured_queries:
        print(captured_query["sql"][:140])
    # What PostgreSQL tells the live streams is no query: it reads nothing and waits for nobody.
    return sum("pg_notify" not in captured_query["sql"] for captured_query in queries.captured_queries)


def test_an_act_costs_the_same_whatever_went_before(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, calls: Counter[str]
) -> None:
    history(as_alice, as_bob, campaign, ilse)
    begin(as_bob, campaign, who=str(ilse.pk), obstacle="The guard at the gate")
    steps = (
        (as_bob, ilse, "choose", {"tactic": "A forged pass", "ability": of(ilse, "Mapmaker")}),
        (as_alice, None, "oppose", {"name": "The guard", "resistance": "1M"}),
        (as_alice, None, "set", {}), (as_bob, ilse, "roll", {}),
    )
    for client, who, action, values in steps:
        calls.clear()
        assert cost(client, who, action, **values) <= MOST, action
        assert calls["offers"] == 2, "the legal acts are listed once before it, and once after it"
        assert calls["view"] <= 3 and not calls["forecast"], "a POST sees that it can be shown, and reckons no odds"
        assert calls["read"] <= 4, "only what is new is added up"


def test_a_fold_begins_where_the_last_one_ended(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, calls: Counter[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame(as_alice, as_bob, campaign, ilse)
    calls.clear()
    first = positions.find_position(campaign, latest().pk)
    known = calls["read"]
    second = positions.find_position(campaign, latest().pk)
    assert calls["read"] == known and first and second and first.state.entrants == second.state.entrants
    monkeypatch.setattr(positions, "FOLDS", folds.Folds())
    monkeypatch.setattr(folds, "FOLDS", positions.FOLDS)
    third = positions.find_position(campaign, latest().pk)
    assert third and third.state.entrants == second.state.entrants and calls["read"] > known
