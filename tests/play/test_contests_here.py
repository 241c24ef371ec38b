"""All contests of the scene stand on the table: the one that waits for whoever looks is unfolded, others are a line."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.services.founding import found
from characters.models import Character
from play.models import Contest
from play.services import contests, sessions
from tests import laid
from tests.conftest import join, refusal
from tests.play.conftest import body, character
from tests.play.test_following import news

pytestmark = pytest.mark.django_db


@laid.fixture
def salt(alice: Any, bob: Any, charlie: Any) -> Any:
    """Alice's QuestWorlds, with Bob's Tam and Charlie's Una in a scene."""
    campaign = found(user=alice, op_id=uuid.uuid4(), name="Salt", system="questworlds")
    gm, made = campaign.members.get(), []
    for name, user in (("Tam", bob), ("Una", charlie)):
        seat = join(campaign, user, "player")
        made.append(character(campaign, gm, name, [("ability", f"{name}'s maps", 17)], player=seat))
    by = {"campaign": campaign, "actor": gm}
    sessions.open_session(**by, op_id=uuid.uuid4())
    sessions.open_scene(**by, op_id=uuid.uuid4(), title="The pier", characters=[character.pk for character in made])
    campaign.refresh_from_db()
    return campaign


def test_what_begins_leads_to_its_card_on_the_table(as_alice: Client, salt: Any, two: list[Contest]) -> None:
    tam, start = Character.objects.get(campaign=salt, name="Tam"), f"/c/{salt.slug}/contests/start/"
    sent = body(title="The rope", who=str(tam.pk))
    begun = as_alice.post(f"{start}framed/", sent)
    rope = Contest.objects.get(title="The rope")
    card = f"/c/{salt.slug}/?contest={rope.pk}#contest"
    assert begun["Location"] == as_alice.post(f"{start}framed/", sent)["Location"] == card
    page = as_alice.get(card).content.decode()
    assert ("The rope", True) in standing(page)
    assert f'<a href="/c/{salt.slug}/contests/{rope.pk}/">Open full page: The rope</a>' in page


def test_what_the_table_does_not_show_begins_on_its_own_page(as_alice: Client, salt: Any) -> None:
    """What everybody is in, and what is sent again once its scene is over."""
    tam, start = Character.objects.get(campaign=salt, name="Tam"), f"/c/{salt.slug}/contests/start/"
    weeks = as_alice.post(f"{start}downtime/", body(title="Two weeks", c0_side="on"))
    assert weeks["Location"] == f"/c/{salt.slug}/contests/{Contest.objects.get(title='Two weeks').pk}/"
    sent = body(title="The rope", who=str(tam.pk))
    as_alice.post(f"{start}framed/", sent)
    assert as_alice.post(f"/c/{salt.slug}/scene/close/", body()).status_code == 302
    rope = Contest.objects.get(title="The rope")
    assert as_alice.post(f"{start}framed/", sent)["Location"] == f"/c/{salt.slug}/contests/{rope.pk}/"


@laid.fixture
def two(as_alice: Client, salt: Any) -> list[Contest]:
    """A contest of Tam's, then one of Una's."""
    for name in ("Tam", "Una"):
        who = Character.objects.get(campaign=salt, name=name)
        sent = as_alice.post(f"/c/{salt.slug}/contests/start/framed/", body(
            title=f"What {name} does", who=str(who.pk), obstacle="The guard"))
        assert sent.status_code == 302, sent.content.decode()
    return [Contest.objects.get(campaign=salt, title=f"What {name} does") for name in ("Tam", "Una")]


def standing(page: str) -> list[tuple[str, bool]]:
    """The contests on a table in their order, each with whether it is unfolded."""
    part = page.partition('<div id="contests"')[2].partition('<aside class="side"')[0]
    cards = re.findall(
        r'<section class="card-here[^"]*" aria-label="([^"]*)"|<p class="contest-line[^>]*><a [^>]*>([^<]*)</a>', part)
    return [(card or line, bool(card)) for card, line in cards]


def test_the_one_that_waits_for_whoever_looks_comes_first_and_is_unfolded(
    as_bob: Client, as_charlie: Client, salt: Any, two: list[Contest]
) -> None:
    for browser, mine, other in ((as_bob, "Tam", "Una"), (as_charlie, "Una", "Tam")):
        page = browser.get(f"/c/{salt.slug}/").content.decode()
        assert standing(page) == [(f"What {mine} does", True), (f"What {other} does", False)]
        line = re.search(r'<p class="contest-line">.*?</p>', page, re.DOTALL)
        assert line and "Waiting for" in line[0]
        assert page.count('id="view"') == page.count('id="acts"') == 1
        places = [page.index(f'id="{part}"') for part in ("view", "side", "acts", "tray", "below", "present")]
        assert places == sorted(places), "as one reads: how it stands, what one may do, what one may look up"


def test_a_line_unfolds_in_its_place_with_and_without_a_script(
    as_bob: Client, salt: Any, two: list[Contest]
) -> None:
    for headers in ({}, {"HX-Request": "true"}):
        page = as_bob.get(f"/c/{salt.slug}/", {"contest": two[1].pk}, headers=headers).content.decode()
        assert standing(page) == [("What Tam does", False), ("What Una does", True)]
        assert f'<p class="contest-line yours"><a href="?contest={two[0].pk}#contest"' in page
    for silly in ("x", uuid.uuid4()):
        assert standing(as_bob.get(f"/c/{salt.slug}/", {"contest": silly}).content.decode())[0][1]


def test_an_open_table_follows_the_contest_that_it_has_unfolded(
    as_alice: Client, as_bob: Client, as_charlie: Client, salt: Any, two: list[Contest]
) -> None:
    salt.refresh_from_db()
    before = salt.head_seq
    tam = Character.objects.get(campaign=salt, name="Tam")
    sent = as_bob.post(f"/c/{salt.slug}/contests/{two[0].pk}/choose/{tam.pk}/", body(
        ability=str(tam.traits.get().pk), tactic="By the back door", at="table"))
    assert sent["Location"] == f"/c/{salt.slug}/?contest={two[0].pk}#contest"
    page = as_charlie.get(f"/c/{salt.slug}/feed/", {"since": before, "contest": two[0].pk},
                          headers={"HX-Request": "true"}).content.decode()
    assert standing(page) == [("What Una does", False), ("What Tam does", True)]
    acts = page.partition('<div id="contest-acts" hx-swap-oob="morph:#contest-acts">')[2]
    assert 'id="acts"' in acts.partition('<div id="contests"')[0]
    assert 'id="open-contest" name="contest" value="' + str(two[0].pk) in page
    assert 'hx-trigger="moved from:body"' not in page, "a card is not fetched a second time"
    assert "By the back door" in news(as_alice, salt, before).content.decode()


def test_what_is_folded_is_fetched_by_whoever_unfolds_it_and_follows_then(
    as_alice: Client, as_bob: Client, salt: Any, two: list[Contest]
) -> None:
    tam, fragment = Character.objects.get(campaign=salt, name="Tam"), {"HX-Request": "true"}
    own, unfolded = f"/c/{salt.slug}/contests/{two[0].pk}/", [f"offer-choose-{tam.pk}", "entries"]
    form, entry = f'action="{own}choose/{tam.pk}/"', '<li class="entry"'

    def parts(address: str, **query: Any) -> tuple[bool, bool]:
        """Whether the form in which the GM would choose for Tam is there, and the contest's entries."""
        page = as_alice.get(address, query, headers=fragment).content.decode()
        assert f'id="{unfolded[0]}"' in page and 'id="below"' in page
        return form in page, entry in page.partition('id="below"')[2].partition('id="present"')[0]

    salt.refresh_from_db()
    news = {"since": salt.head_seq - 1, "contest": two[0].pk}
    assert parts(f"/c/{salt.slug}/", contest=two[0].pk) == parts(f"/c/{salt.slug}/feed/", **news) == (False, False)
    assert parts(own, at="table", unfolded=unfolded[0]) == (True, False)
    assert parts(own, at="table", unfolded=unfolded[1]) == (False, True)
    assert parts(f"/c/{salt.slug}/feed/", **news, unfolded=unfolded) == (True, True)
    assert parts(own) == (True, True), "its own page shows everything"
    assert form in as_bob.get(f"/c/{salt.slug}/").content.decode(), "what one is asked for is there at once"


def test_a_player_starts_nothing_with_somebody_elses(salt: Any, bob: Any) -> None:
    una, mine = Character.objects.get(campaign=salt, name="Una"), salt.members.get(user=bob)
    assert refusal(
        contests.start, campaign=salt, actor=mine, client_seed="", kind="questworlds.framed", title="The rope",
        setup={}, characters=[una.pk]) == ("who", "Una is not yours to play.")
