"""An open table gets what is new since the entry that it has, and no more; what is sealed leaves nothing in it."""
from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns import trail
from campaigns.access import Viewer
from campaigns.services.undoing import reveal, undo
from campaigns.trail.visible import head_of
from characters.models import Character
from characters.services import lifecycle
from play.contexts.feed import RECENT
from play.services import sessions
from schedule.models import Evening
from schedule.services import evenings, proposing
from tests.play.rolled import rolled as made
from tests.play.test_conflict import begin
from tests.play.test_sealed_stays_quiet import ONCE
from tests.trail.test_ledger import renamed

pytestmark = pytest.mark.django_db


def news(browser: Client, campaign: Any, since: int) -> Any:
    """What a table that stands open gets."""
    address = reverse("feed", args=[campaign.slug])
    answer = browser.get(address, {"since": since}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return answer


def rolled(campaign: Any, actor: Any, who: Character, what: str, *, hidden: bool = False) -> Any:
    """A roll that changes nothing on a sheet."""
    return made(campaign, actor, who, what=what, hidden=hidden)


def news_of(answer: Any) -> tuple[list[int], bool, bool]:
    """The numbers of the rows that came, whether they are the list as a whole, and whether the scene came along."""
    page = answer.content.decode()
    story = page.partition("hx-swap-oob")[0]  # what stands beside it has its own place
    rows = [int(number) for number in re.findall(r'<li class="entry[^>]*data-seq="(\d+)"', story)]
    return rows, answer.get("HX-Reswap") == "morph:innerHTML", 'id="present"' in page


def test_a_roll_is_one_row_and_the_bar(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any, ilse: Any, scene: Any
) -> None:
    campaign.refresh_from_db()
    before = campaign.head_seq
    entry = rolled(campaign, bobs, ilse, "Climbs")
    for browser in (as_alice, as_bob):
        answer = news(browser, campaign, before)
        assert news_of(answer) == ([entry.seq], False, False)
        page = answer.content.decode()
        assert f'id="since" name="since" value="{entry.seq}"' in page and 'hx-swap-oob="morph:#now"' in page
        assert news_of(news(browser, campaign, entry.seq)) == ([], False, False)
    assert ('data-theirs="Bob"' in news(as_alice, campaign, before).content.decode())
    assert ('data-theirs' not in news(as_bob, campaign, before).content.decode())


def test_the_scene_comes_along_when_something_in_it_moves(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any, ilse: Any, scene: Any, marrow: Any
) -> None:
    campaign.refresh_from_db()
    before = campaign.head_seq
    entry = renamed(campaign, alices, marrow, "Older Marrow")
    answer = news(as_bob, campaign, before)
    assert news_of(answer) == ([entry.seq], False, True) and "Older Marrow" in answer.content.decode()
    assert begin(as_alice, campaign).status_code == 302  # a contest begins: what can be begun is another
    rows, again, moved = news_of(news(as_bob, campaign, entry.seq))
    assert (len(rows), again, moved) == (1, False, True)


def test_open_trays_are_told_only_where_something_in_them_may_be_another(
    as_bob: Client, campaign: Any, alices: Any, bobs: Any, ilse: Any, scene: Any, marrow: Any
) -> None:
    campaign.refresh_from_db()
    before = campaign.head_seq
    assert "HX-Trigger" not in news(as_bob, campaign, before)
    rolled(campaign, bobs, ilse, "Climbs")
    assert "HX-Trigger" not in news(as_bob, campaign, before)
    renamed(campaign, alices, marrow, "Older Marrow")
    assert news(as_bob, campaign, before)["HX-Trigger"] == "stale"


def test_what_changes_an_earlier_row_brings_the_list_as_a_whole(
    as_bob: Client, campaign: Any, alices: Any, bobs: Any, ilse: Any
) -> None:
    climbs = rolled(campaign, bobs, ilse, "Climbs")
    hidden = rolled(campaign, alices, ilse, "Reads their faces", hidden=True)
    undone = undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=climbs.seq)
    answer = news(as_bob, campaign, climbs.seq)
    rows, again, _ = news_of(answer)
    assert again and rows[:2] == [undone.seq, climbs.seq] and hidden.seq not in rows
    assert f"Undone by entry {undone.seq}" in answer.content.decode()
    shown = reveal(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=hidden.seq)
    rows, again, _ = news_of(news(as_bob, campaign, undone.seq))
    assert again and rows[:4] == [shown.seq, undone.seq, hidden.seq, climbs.seq]


def test_a_table_that_slept_gets_the_list_as_a_whole(as_bob: Client, campaign: Any, bobs: Any, ilse: Any) -> None:
    campaign.refresh_from_db()
    before = campaign.head_seq
    for number in range(RECENT + 1):
        rolled(campaign, bobs, ilse, f"Try {number}")
    rows, again, moved = news_of(news(as_bob, campaign, before))
    assert (len(rows), again, moved) == (RECENT, True, True)


@pytest.mark.parametrize("since", ["", "x", "-1", "9" * 12])
def test_whoever_has_nothing_gets_the_feed(as_bob: Client, bobs: Any, campaign: Any, since: str) -> None:
    page = news(as_bob, campaign, since).content.decode()  # type: ignore[arg-type]
    assert '<div id="story">' in page


def test_what_is_sealed_leaves_nothing_in_it(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any, ilse: Any, whisper: Any, scene: Any
) -> None:
    campaign.refresh_from_db()
    before = head_of(Viewer(campaign, bobs)).seq
    page = ONCE.sub("", news(as_bob, campaign, before).content.decode())
    renamed(campaign, alices, whisper, "Murmur", trail.GM)
    rolled(campaign, alices, ilse, "Reads their faces", hidden=True)
    by = {"campaign": campaign, "actor": alices}
    lifecycle.note(**by, op_id=uuid.uuid4(), character_id=ilse.pk, words="She will betray them.")
    sessions.set_presence(**by, op_id=uuid.uuid4(), characters=list(
        Character.objects.filter(campaign=campaign).values_list("pk", flat=True)))
    campaign.refresh_from_db()
    assert head_of(Viewer(campaign, bobs)).seq == before < campaign.head_seq
    assert ONCE.sub("", news(as_bob, campaign, before).content.decode()) == page
    # Nor does it, when something that all may read comes after it.
    climbs = rolled(campaign, bobs, ilse, "Climbs")
    answer = news(as_bob, campaign, before)
    assert news_of(answer) == ([climbs.seq], False, False)
    seen_by_gm = news(as_alice, campaign, before).content.decode()
    for secret in ("Murmur", "Reads their faces"):
        assert secret in seen_by_gm and secret not in answer.content.decode()


def test_an_event_asks_little_of_the_database(as_bob: Client, campaign: Any, bobs: Any, ilse: Any, scene: Any) -> None:
    campaign.refresh_from_db()
    before = campaign.head_seq
    rolled(campaign, bobs, ilse, "Climbs")
    with CaptureQueriesContext(connection) as asked:
        news(as_bob, campaign, before)
    assert len(asked) <= 8, "\n".join(captured_query["sql"] for captured_query in asked.captured_queries)


def test_an_answer_to_a_date_comes_to_an_open_table_without_the_scene(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any, scene: Any
) -> None:
    known: dict[str, Any] = {"campaign": campaign}
    starts = timezone.now() + timedelta(days=4)
    proposing.propose(**known, actor=alices, op_id=uuid.uuid4(), minutes=180, zone="UTC",
                      wanted=[proposing.Wanted(starts, "when_1")])
    campaign.refresh_from_db()
    before, heads = campaign.head_seq, head_of(Viewer(campaign, alices)).seq
    table = as_alice.get(reverse("table", args=[campaign.slug])).content.decode()
    assert '<div id="dates">' in table
    evenings.answer(**known, actor=bobs, op_id=uuid.uuid4(), evening_id=Evening.objects.get().pk, says="yes")
    campaign.refresh_from_db()
    assert head_of(Viewer(campaign, alices)).seq == campaign.head_seq > heads, "the stream tells of it"
    answer = news(as_alice, campaign, before)
    page = answer.content.decode()
    assert news_of(answer) == ([], False, False), "it is no story"
    dates = page.partition('id="dates" hx-swap-oob="morph:#dates"')[2]
    assert "Bob" in dates.partition("</section>")[0]
