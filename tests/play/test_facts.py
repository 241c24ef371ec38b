"""What plot edits made so, on a page (QW-91)."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns import trail
from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.services.undoing import reveal, undo
from characters.models import Character
from play import session_summary
from play.models import Contest
from play.services import sessions
from play.services.pools import set_pool
from tests import laid
from tests.conftest import join, logged_in, person
from tests.play.conftest import body, character
from tests.play.test_session_summary import evening, source, text
from tests.play.test_threads import pass_sessions, told

pytestmark = pytest.mark.django_db


@laid.fixture
def campaign(alice: Any) -> Any:
    """Alice's campaign, of a game whose contests make facts."""
    return found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system="questworlds")


@laid.fixture
def ilse(campaign: Any, bobs: Any) -> Character:
    return character(campaign, bobs, "Ilse", [("ability", "Knife", 13)], player=bobs)


@laid.fixture
def tam(campaign: Any, alices: Any) -> Character:
    """Alice plays him herself."""
    return character(campaign, alices, "Tam", [("ability", "Songs", 14)], player=alices)


def propose(client: Client, campaign: Any, who: Character, fact: str, level: str = "minor") -> Contest:
    before = set(Contest.objects.values_list("pk", flat=True))
    sent = body(title=fact, who=str(who.pk), level=level)
    answer = client.post(f"/c/{campaign.slug}/contests/start/plot/", sent)
    assert answer.status_code == 302, answer.content.decode()
    return Contest.objects.exclude(pk__in=before).get()


def answer(client: Client, contest: Contest, word: str) -> Entry:
    at = f"/c/{contest.campaign.slug}/contests/{contest.pk}/{word}/gm/"
    assert client.post(at, body()).status_code == 302
    return Entry.objects.filter(kind=f"contest.{word}").order_by("-seq")[0]


@laid.fixture
def plenty(campaign: Any, alices: Any, ilse: Character, tam: Character) -> None:
    """A session, and more story points than anybody needs."""
    evening(campaign, alices, ilse, tam)
    set_pool(campaign=campaign, actor=alices, op_id=uuid.uuid4(), pool="story_points", value=99, reason="A test")
    campaign.refresh_from_db()


@pytest.mark.usefixtures("plenty")
def test_qw_91_what_the_gm_accepts_is_a_fact_of_the_campaign(
    as_alice: Client, as_bob: Client, as_charlie: Client, campaign: Any, ilse: Character
) -> None:
    contest = propose(as_bob, campaign, ilse, "The ferryman is an old friend")
    waits = text(as_bob, campaign, "facts/")
    assert re.search(r"Waits for the GM \d+ The ferryman is an old friend Minor, for 2 story points Ilse", waits)
    assert "No facts yet" in waits
    assert f"/contests/{contest.pk}/" in source(as_bob, campaign, "facts/")
    entry = answer(as_alice, contest, "accept")
    page = text(as_bob, campaign, "facts/")
    assert f"{entry.seq} The ferryman is an old friend Minor, for 2 story points Ilse Session 1 today" in page
    assert "Waits" not in page and f"/ledger/{entry.seq}/" in source(as_bob, campaign, "facts/")
    answer(as_alice, propose(as_bob, campaign, ilse, "The moon is made of salt", "marginal"), "refuse")
    assert text(as_bob, campaign, "facts/") == page
    assert as_charlie.get(f"/c/{campaign.slug}/facts/").status_code == 404


@pytest.mark.usefixtures("plenty")
def test_qw_91_facts_are_paged_the_newest_first(
    as_alice: Client, as_bob: Client, campaign: Any, ilse: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_summary, "FACTS", 2)
    for number in range(5):
        answer(as_alice, propose(as_bob, campaign, ilse, f"It is number {number}", "marginal"), "accept")
    seen, at = [], "facts/"
    while at:
        seen.append(re.findall(r"It is number (\d)", text(as_bob, campaign, at)))
        older = re.search(r'href="(\?before=\d+)"', source(as_bob, campaign, at))
        at = f"facts/{older[1]}" if older else ""
    assert seen == [["4", "3"], ["2", "1"], ["0"]]
    assert "No older facts" in text(as_bob, campaign, "facts/?before=1")


@pytest.mark.usefixtures("plenty")
def test_qw_91_a_word_that_is_taken_back_is_no_fact(
    as_alice: Client, as_bob: Client, campaign: Any, ilse: Character, alices: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = propose(as_bob, campaign, ilse, "The ferryman is an old friend", "major")
    entry = answer(as_alice, contest, "accept")
    undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=entry.seq)
    assert "No facts yet" in text(as_bob, campaign, "facts/")
    again = answer(as_alice, contest, "accept")
    monkeypatch.setattr(session_summary, "FACTS", 1)
    assert "No older facts" in text(as_bob, campaign, f"facts/?before={again.seq}")
    page = text(as_bob, campaign, "facts/")
    assert page.count("The ferryman") == 1 and f"{again.seq} The ferryman" in page and again.seq > entry.seq


def test_qw_91_an_empty_page_says_what_it_is_for_and_how_to_begin(
    as_alice: Client, as_bob: Client, campaign: Any, ilse: Character
) -> None:
    observer = logged_in(join(campaign, person("Otto"), "observer").user)
    for client, may in ((as_alice, True), (as_bob, True), (observer, False)):
        assert "Accepted ones are kept here" in text(client, campaign, "facts/")
        assert ("Edit the plot" in text(client, campaign, "facts/")) is may


@pytest.mark.usefixtures("plenty")
def test_qw_91_the_name_of_who_is_hidden_stays_out(
    as_alice: Client, as_bob: Client, campaign: Any, tam: Character, bobs: Any, alices: Any
) -> None:
    answer(as_alice, propose(as_alice, campaign, tam, "The well is not dry"), "accept")
    with trail.entry(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="character.hide", title="Hidden", audience=trail.GM
    ) as entry:
        entry.change(entry.locked(Character, pk=tam.pk), hidden=True)
    page = source(as_bob, campaign, "facts/")
    assert "The well is not dry" in page and "Tam" not in page and str(tam.pk) not in page
    assert "Tam" in text(as_alice, campaign, "facts/")


@pytest.mark.usefixtures("plenty")
def test_qw_91_the_page_takes_as_many_queries_however_much_is_so(
    as_alice: Client, as_bob: Client, campaign: Any, ilse: Character, tam: Character
) -> None:
    def taken() -> int:
        as_bob.get(f"/c/{campaign.slug}/people/")  # what is asked of whom is reckoned once
        with CaptureQueriesContext(connection) as seen:
            as_bob.get(f"/c/{campaign.slug}/facts/")
        return len(seen)

    def decide(who: Character) -> None:
        answer(as_alice, propose(as_alice, campaign, who, "So it is", "marginal"), "accept")
        propose(as_alice, campaign, who, "So it may be", "marginal")

    decide(ilse)
    one = taken()
    for who in (ilse, tam, tam):
        decide(who)
    assert taken() == one <= 18


@pytest.mark.usefixtures("plenty")
def test_qw_91_the_search_finds_a_fact_for_whoever_may_see_it(
    as_alice: Client, as_bob: Client, as_charlie: Client, campaign: Any, ilse: Character, tam: Character, alices: Any,
) -> None:
    otto = logged_in(join(campaign, person("Otto"), "observer").user)

    def found_by(client: Client, word: str) -> list[str]:
        page = client.get(f"/c/{campaign.slug}/search/", {"q": word}).content.decode()
        return re.findall(r'href="/c/[^"]*/contests/([0-9a-f-]{36})/"', page.partition("<main")[2])

    friend = propose(as_bob, campaign, ilse, "The ferryman is an old friend")
    for client in (as_alice, as_bob, otto):
        assert found_by(client, "ferryman") == [], "it is asked for, and no fact yet"
    entry = answer(as_alice, friend, "accept")
    for client in (as_alice, as_bob, otto):
        assert found_by(client, "ferry") == [str(friend.pk)]
    assert as_charlie.get(f"/c/{campaign.slug}/search/", {"q": "ferryman"}).status_code == 404
    # What is taken back is found no more.
    undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=entry.seq)
    assert found_by(as_bob, "ferryman") == found_by(as_alice, "ferryman") == []
    refused = propose(as_bob, campaign, ilse, "The moon is made of salt", "marginal")
    answer(as_alice, refused, "refuse")
    assert found_by(as_alice, "moon") == found_by(as_bob, "moon") == []
    # Of whom players know the face alone, what the GM accepts is sealed, and so is the hit.
    with trail.entry(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="character.hide", title="Hidden", audience=trail.GM
    ) as hidden:
        hidden.change(hidden.locked(Character, pk=tam.pk), hidden=True, face=True, npc=True)
    campaign.refresh_from_db()
    secret = propose(as_alice, campaign, tam, "The lighthouse is hollow")
    accepted = answer(as_alice, secret, "accept")
    assert accepted.audience == "gm"
    assert found_by(as_alice, "lighthouse") == [str(secret.pk)]
    assert found_by(as_bob, "lighthouse") == found_by(otto, "lighthouse") == []
    reveal(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=accepted.seq)
    assert found_by(as_bob, "lighthouse") == [str(secret.pk)], "what was revealed is found at once"


@pytest.mark.usefixtures("plenty")
def test_a_fact_that_nobody_came_back_to_for_three_sessions_is_a_thread(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, ilse: Character
) -> None:
    ferryman, moon = "The ferryman is an old friend", "The moon is made of “salt”"
    made = [answer(as_alice, propose(as_bob, campaign, ilse, fact, "marginal"), "accept") for fact in (ferryman, moon)]
    assert "facts" not in told(campaign, alices)
    pass_sessions(campaign, alices)
    assert sorted(told(campaign, alices)["facts"]) == sorted([ferryman, moon])
    assert f'name="seq" value="{made[0].seq}"' in source(as_alice, campaign, "prepare/threads/")
    recap = f"It turned out that {moon}."
    sessions.write_recap(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="", recap=recap,
                         session_id=campaign.session_id, seen=campaign.head_seq)
    assert told(campaign, alices)["facts"] == [ferryman]
