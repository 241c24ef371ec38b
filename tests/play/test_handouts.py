"""Handouts: a picture or a text shown to some or all at a press stands large on their table, and is found again."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from campaigns.models import Page, Role, View
from campaigns.services import pages
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import differences
from play.services import scenes, sessions
from tests.characters.test_portrait import picture
from tests.conftest import join, logged_in, person
from tests.html_forms import Page as Html
from tests.play.conftest import body

pytestmark = pytest.mark.django_db


def large(browser: Client, campaign: Any) -> str:
    """What stands large on the table; "" for nothing."""
    html = browser.get(reverse("table", args=[campaign.slug])).content.decode()
    return next(iter(re.findall(r'<details class="handout".*?</details>', html, re.DOTALL)), "")


def show(browser: Client, campaign: Any, to: list[str], title: str, text: str = "", **files: Any) -> Any:
    """What the GM is answered, who goes from the table's menu and fills in what the page asks."""
    menu = browser.get(reverse("table", args=[campaign.slug])).content.decode()
    address = reverse("handout", args=[campaign.slug])
    assert f'<a href="{address}">Show a handout</a>' in menu
    form = Html(browser.get(address)).form(button="Show handout")
    return browser.post(address, {**form.filled(to=to, title=title, text=text), **files})


def test_a_text_that_everyone_is_shown_stands_large_and_is_found_again(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any
) -> None:
    assert large(as_bob, campaign) == ""
    words = "Come **alone**, at the turn of the tide. " * 20
    assert show(as_alice, campaign, ["all"], title="A wet letter", text=words).status_code == 302
    html = large(as_bob, campaign)
    assert "A wet letter" in html and html.count("<strong>alone</strong>") == 20
    assert large(as_alice, campaign) == ""  # the GM has it on the page of the note
    answer = as_bob.get(reverse("shown", args=[campaign.slug])).content.decode()
    assert answer.count("<strong>alone</strong>") == 20
    assert not list(differences(campaign.pk))


def test_a_picture_is_shown_to_those_who_were_chosen_alone(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any, scene: Any
) -> None:
    dana = logged_in(join(campaign, person("Dana"), Role.PLAYER).user)
    sent = show(as_alice, campaign, [str(bobs.pk)], title="The cellar", picture=SimpleUploadedFile(
        "cellar.png", picture(), "image/png"))
    assert sent.status_code == 302
    table = as_alice.get(sent["Location"]).content.decode()
    assert "Shown to Bob" in table
    [address] = re.findall(r'<img src="([^"]+)"', large(as_bob, campaign))
    assert as_bob.get(address).status_code == 200
    assert dana.get(address).status_code == 404 and large(dana, campaign) == ""
    assert "The cellar" not in dana.get(reverse("shown", args=[campaign.slug])).content.decode()
    assert "The cellar" in as_bob.get(reverse("shown", args=[campaign.slug])).content.decode()


def test_a_page_that_stands_open_gets_it(
    as_alice: Client, as_bob: Client, campaign: Any, bobs: Any, scene: Any
) -> None:
    campaign.refresh_from_db()
    since = campaign.head_seq
    show(as_alice, campaign, [str(bobs.pk)], title="The cellar", text="Three doors")
    fed = as_bob.get(f"{reverse('feed', args=[campaign.slug])}?since={since}", headers={"HX-Request": "true"})
    assert 'class="handout"' in fed.content.decode()


def test_what_is_no_longer_seen_no_longer_stands_there(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any
) -> None:
    by = {"campaign": campaign, "actor": alices}
    show(as_alice, campaign, ["all"], title="The cellar", text="Three doors")
    show(as_alice, campaign, ["all"], title="The attic", text="One door")
    assert "The attic" in large(as_bob, campaign)
    attic = Page.objects.get(title="The attic")
    pages.see(**by, op_id=uuid.uuid4(), page_id=attic.pk, view=View.FACE)
    assert "The cellar" in large(as_bob, campaign)
    campaign.refresh_from_db()
    entry = campaign.entries.filter(kind="page.show").order_by("seq").first()
    undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=entry.seq)
    assert large(as_bob, campaign) == ""
    pages.see(**by, op_id=uuid.uuid4(), page_id=attic.pk, view=View.ALL)
    assert "One door" in large(as_bob, campaign)
    scenes.close_scene(**by, op_id=uuid.uuid4(), values={})
    sessions.open_scene(**by, op_id=uuid.uuid4(), title="The street", characters=[])
    assert large(as_bob, campaign) == ""  # the next scene begins with a clear table


@pytest.mark.parametrize(("missing", "sentence"), [
    ({"title": ""}, "Give it a title."), ({"to": []}, "Choose at least one player."), ({"text": ""}, "add a picture"),
    ({"picture": "no"}, "picture"),
])
def test_what_is_missing_is_asked_for_and_nothing_typed_is_lost(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, missing: dict[str, Any], sentence: str
) -> None:
    sent = {"title": "The cellar", "text": "Three doors", "to": ["all"], **missing}
    if "picture" in missing:
        sent["picture"] = SimpleUploadedFile("cellar.png", b"no picture", "image/png")
    before = campaign.entries.count()
    answer = as_alice.post(reverse("handout", args=[campaign.slug]), body(**sent))
    assert answer.status_code == 422 and sentence in answer.content.decode()
    assert sent["title"] in answer.content.decode() and sent["text"] in answer.content.decode()
    assert campaign.entries.count() == before and not Page.objects.exists()
    assert as_bob.post(reverse("handout", args=[campaign.slug]), body(**sent)).status_code == 404
