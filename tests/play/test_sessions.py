"""Opening and closing sessions and scenes."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.models import Entry
from campaigns.trail.visible import payload_of
from play.models import Contest, Presence, Scene, Session
from play.services import sessions
from tests.conftest import refusal
from tests.play.conftest import body, character

pytestmark = pytest.mark.django_db


def test_an_evening_from_end_to_end(as_alice: Client, campaign: Any, ilse: Any, marrow: Any) -> None:
    at = f"/c/{campaign.slug}"
    assert as_alice.post(f"{at}/chronicle/open/", body(title="")).status_code == 302
    scene = body(title="The dry well", text="A rope, cut.", characters=[str(ilse.pk)])
    assert as_alice.post(f"{at}/scene/open/", scene).status_code == 302
    page = as_alice.get(f"{at}/").content.decode()
    assert "The dry well" in page and "A rope, cut." in page
    here = body(characters=[str(marrow.pk)])
    assert as_alice.post(f"{at}/scene/presence/", here).status_code == 302
    assert [presence.character for presence in Presence.objects.all()] == [marrow]
    assert as_alice.post(f"{at}/scene/close/", body(danger="momentary")).status_code == 302
    assert as_alice.post(f"{at}/chronicle/close/", body(title="Dust", recap="They slept badly.")).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.session_id, campaign.scene_id) == (None, None)
    session = Session.objects.get()
    assert (session.title, session.recap, session.closed is None) == ("Dust", "They slept badly.", False)
    assert "They slept badly." in as_alice.get(f"{at}/chronicle/").content.decode()


def test_a_player_without_a_character_is_led_to_making_one(
    as_alice: Client, as_bob: Client, campaign: Any, bobs: Any
) -> None:
    at = f"/c/{campaign.slug}"
    link = f'href="{at}/characters/begin/">Create your own</a>'
    page = as_bob.get(f"{at}/").content.decode()
    feed = page.partition('<div id="feed"')[2]
    assert link in feed.partition("<h1")[0], "it is the first thing of the table"
    assert "look at your sheet" not in page and "contests/start" not in page
    assert link in as_bob.get(f"{at}/feed/").content.decode()
    assert link not in as_alice.get(f"{at}/").content.decode()
    made = character(campaign, bobs, "Ilse", [("strength", "Maps", 2)], player=bobs)
    page = as_bob.get(f"{at}/").content.decode()
    assert "Make your character" not in page and "look at your sheet" in page
    with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="test", title="Gone") as entry:
        entry.change(made, retired=True)
    assert link in as_bob.get(f"{at}/").content.decode()


@pytest.mark.parametrize(
    "path", ["chronicle/open/", "chronicle/close/", "scene/open/", "scene/close/", "scene/presence/"]
)
def test_only_the_gm_may(as_bob: Client, as_charlie: Client, campaign: Any, scene: Any, path: str) -> None:
    before = Entry.objects.count()
    for client in (as_bob, as_charlie):
        assert client.post(f"/c/{campaign.slug}/{path}", body(title="x")).status_code == 404
    assert Entry.objects.count() == before


@pytest.mark.parametrize(("asked", "order"), [("", ["2", "1"]), ("?oldest", ["1", "2"])], ids=["newest", "oldest"])
def test_the_chronicle_begins_with_what_was_played_last_or_first(
    as_bob: Client, bobs: Any, campaign: Any, alices: Any, asked: str, order: list[str]
) -> None:
    for _ in range(2):
        sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
        sessions.close_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    page = as_bob.get(f"/c/{campaign.slug}/chronicle/{asked}").content.decode()
    assert re.findall(r'<article class="session" id="session-(\d)"', page) == order
    bar, _, more = page.partition('<nav class="bar"')[2].partition("</nav>")[0].partition("<details>")
    assert "/chronicle/" in bar and "/ledger/" not in bar and "/ledger/" in more, "what people read is under the thumb"


@pytest.mark.parametrize(("many", "cut"), [(24, False), (25, True)])
def test_what_the_chronicle_cuts_is_read_on(
    as_bob: Client, bobs: Any, campaign: Any, alices: Any, many: int, cut: bool
) -> None:
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The dry well",
                        text=" ".join(["rope"] * many))
    page = as_bob.get(f"/c/{campaign.slug}/chronicle/").content.decode()
    told = page.partition("<strong>The dry well")[2].partition("</li>")[0]
    assert "rope" in told and ("…" in told) == ("Read more" in told) == cut


def test_one_session_at_a_time(as_alice: Client, campaign: Any, scene: Any) -> None:
    answer = as_alice.post(f"/c/{campaign.slug}/chronicle/open/", body(title="Another"))
    assert answer.status_code == 422
    assert "A session is already open. End it first." in answer.content.decode()


def test_one_scene_at_a_time(as_alice: Client, campaign: Any, scene: Any) -> None:
    answer = as_alice.post(f"/c/{campaign.slug}/scene/open/", body(title="Another", text="Kept words"))
    assert answer.status_code == 422
    assert "Kept words" in answer.content.decode()


def test_a_scene_needs_a_session(as_alice: Client, campaign: Any) -> None:
    answer = as_alice.post(f"/c/{campaign.slug}/scene/open/", body(title="Nowhere"))
    assert answer.status_code == 422
    assert "Open a session first." in answer.content.decode()
    assert not Scene.objects.exists()


def test_a_session_ends_with_its_scene_but_never_in_the_midst_of_a_fight(
    as_alice: Client, campaign: Any, scene: Any
) -> None:
    sent = {"title": "Knives", "side_one": "Us", "side_two": "Them", "danger": "momentary", "harm": "damage",
            "c0_side": "one", "c1_side": "two"}
    assert as_alice.post(f"/c/{campaign.slug}/contests/start/conflict/", body(**sent)).status_code == 302
    answer = as_alice.post(f"/c/{campaign.slug}/chronicle/close/", body(recap="Too early"))
    assert answer.status_code == 422
    assert "Too early" in answer.content.decode() and "A contest is in progress." in answer.content.decode()
    at = f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/"
    assert as_alice.post(f"{at}end/gm/", body()).status_code == 302
    again = as_alice.post(f"/c/{campaign.slug}/chronicle/close/", body(recap="They fought."))
    session = Session.objects.get()
    assert again["Location"] == f"/c/{campaign.slug}/chronicle/{session.pk}/ended/"
    assert session.closed and session.recap == "They fought."
    scene.refresh_from_db()
    assert scene.closed


def test_a_player_writes_the_recap(as_bob: Client, campaign: Any, scene: Any) -> None:
    session = Session.objects.get()
    at = f"/c/{campaign.slug}/chronicle/{session.pk}/recap/"
    seen = as_bob.get(at).context["form"].initial["seen"]
    assert as_bob.post(at, body(title="Bread", recap="We stole it.", seen=seen)).status_code == 302
    session.refresh_from_db()
    assert session.recap == "We stole it."
    # Whoever had read less is told, loses nothing, and can send it again.
    late = as_bob.post(at, body(title="Bread", recap="We paid.", seen=seen))
    assert late.status_code == 422
    page = late.content.decode()
    assert "Someone else saved a recap" in page and "We paid." in page and "We stole it." in page
    again = body(title="Bread", recap="We paid, later.", seen=late.context["form"].data["seen"])
    assert as_bob.post(at, again).status_code == 302


def test_who_is_hidden_comes_in_unseen(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, marrow: Any, whisper: Any
) -> None:
    sessions.set_presence(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[ilse.pk, marrow.pk, whisper.pk]
    )
    hidden = Entry.objects.filter(campaign=campaign, kind="scene.presence", audience="gm").get()
    assert "Whisper" in payload_of(hidden)["title"]
    for entry in Entry.objects.filter(campaign=campaign, audience="all"):
        assert str(whisper.pk) not in entry.payload.text
    assert "Whisper" in as_alice.get(f"/c/{campaign.slug}/").content.decode()
    assert "Whisper" not in as_bob.get(f"/c/{campaign.slug}/").content.decode()


def test_the_same_form_twice_opens_one_session(as_alice: Client, campaign: Any) -> None:
    sent = body(title="Once")
    for _ in range(2):
        assert as_alice.post(f"/c/{campaign.slug}/chronicle/open/", sent).status_code == 302
    assert Session.objects.count() == 1


def test_a_session_that_somebody_else_has_ended_is_not_ended_again(campaign: Any, alices: Any) -> None:
    assert refusal(sessions.close_session, campaign=campaign, actor=alices) == ("", "No session is open.")
