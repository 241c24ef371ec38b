"""Things of the library have the three views of characters, and pictures: nothing, face, all; for all or for some."""
from __future__ import annotations

import io
import json
import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.access import Viewer
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Image, Sight, View
from campaigns.services.founding import found
from campaigns.trail.export import export
from campaigns.trail.rebuild import differences
from characters.models import Character, Trait
from characters.services import npcs, sight
from play.models import Obstacle, PrepItem
from play.services import bank, library, obstacles, sessions
from rules import quick_lines
from rules.codec import canonical
from rules.registry import SYSTEMS
from rules.system import Opposes
from tests.characters.test_portrait import picture
from tests.conftest import join
from tests.games import STOCKED
from tests.html_forms import Page as Html
from tests.play.conftest import body, character

pytestmark = pytest.mark.django_db


def by(campaign: Any, actor: Any, **more: Any) -> dict[str, Any]:
    return {"campaign": campaign, "actor": actor, "op_id": uuid.uuid4(), **more}


def made(campaign: Any, gm: Any, **more: Any) -> PrepItem:
    written = bank.write(**by(campaign, gm, type="place", name="The dry well", words="A body lies below", fields={},
                              looks="A ring of stones", **more))
    return PrepItem.objects.get(pk=bank.id_from(campaign, written.op_id))


def got(browser: Client, campaign: Any, item: PrepItem) -> tuple[int, str]:
    answer = browser.get(reverse("library_thing", args=[campaign.slug, item.pk]))
    return answer.status_code, answer.content.decode()


@pytest.mark.parametrize("slug", SYSTEMS)
def test_one_tap_shows_nothing_the_face_or_all(
    as_alice: Client, as_bob: Client, alice: Any, bob: Any, slug: str
) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name=slug, system=slug)
    item = made(campaign, campaign.members.get())
    bobs = join(campaign, bob, "player")
    assert got(as_bob, campaign, item)[0] == 404
    listed = reverse("library_put", args=[campaign.slug])
    assert as_alice.post(listed, body(see=f"{item.pk} face")).status_code == 302
    status, text = got(as_bob, campaign, item)
    assert status == 200 and "A ring of stones" in text and "A body lies below" not in text
    story = as_bob.get(reverse("shown", args=[campaign.slug])).content.decode()
    assert "The dry well" in story and "A body" not in story
    page = reverse("thing_view", args=[campaign.slug, item.pk])
    assert as_alice.post(page, body(view="all")).status_code == 302
    assert "A body lies below" in got(as_bob, campaign, item)[1]
    assert "A body lies below" in as_bob.get(reverse("shown", args=[campaign.slug])).content.decode()
    assert as_alice.post(page, body(view="nothing")).status_code == 302
    assert got(as_bob, campaign, item)[0] == 404
    assert as_alice.post(page, body(view="nothing")).status_code == 422
    assert not list(differences(campaign.pk))
    assert bobs.pk


def test_at_face_no_other_word_of_a_thing_is_in_a_players_bytes(
    campaign: Any, alices: Any, bobs: Any, as_bob: Client
) -> None:
    item = made(campaign, alices)
    bank.see(**by(campaign, alices, prepared_id=item.pk, view=View.FACE))
    assert "A body" not in "".join(export(Viewer(campaign, bobs)))
    found_ = as_bob.get(reverse("search", args=[campaign.slug]) + "?q=body").content.decode()
    assert "dry well" not in found_
    found_ = as_bob.get(reverse("search", args=[campaign.slug]) + "?q=stones").content.decode()
    assert "The dry well" in found_ and reverse("library_thing", args=[campaign.slug, item.pk]) in found_


def test_a_single_player_may_see_more_than_everyone(
    campaign: Any, alices: Any, bobs: Any, as_alice: Client, as_bob: Client, as_charlie: Client, charlie: Any
) -> None:
    item, charlies = made(campaign, alices), join(campaign, charlie, "player")
    page = reverse("thing_who_sees", args=[campaign.slug, item.pk])
    assert as_alice.post(page, body(**{f"member-{bobs.pk}": "all"})).status_code == 302
    assert got(as_bob, campaign, item)[0] == 200 and got(as_charlie, campaign, item)[0] == 404
    assert Entry.objects.get(campaign=campaign, kind="bank.show").audience == str(bobs.pk)
    with pytest.raises(Refused, match="Nothing here"):
        bank.tell(**by(campaign, alices, prepared_id=item.pk, views={bobs.pk: View.ALL}, lines={}))
    bank.remove(**by(campaign, alices, prepared_id=item.pk))
    assert not Sight.objects.exists() and not list(differences(campaign.pk)) and charlies.pk


def test_a_picture_is_on_the_card_of_a_thing_and_on_its_page(
    campaign: Any, alices: Any, bobs: Any, as_alice: Client, as_bob: Client
) -> None:
    item = made(campaign, alices)
    page = reverse("thing_picture", args=[campaign.slug, item.pk])
    with io.BytesIO(picture()) as file:
        file.name = "well.png"
        assert as_alice.post(page, body(picture=file)).status_code == 302
    item.refresh_from_db()
    image = reverse("thing_image", args=[campaign.slug, item.pk, item.digest])
    assert image in as_alice.get(reverse("prepare", args=[campaign.slug])).content.decode()
    assert as_alice.get(image).status_code == 200 and as_bob.get(image).status_code == 404
    bank.see(**by(campaign, alices, prepared_id=item.pk, view=View.FACE))
    answer = as_bob.get(image)
    assert answer["Content-Type"] == "image/webp", answer.content.decode()[-1500:]
    assert image in got(as_bob, campaign, item)[1]
    assert image in as_bob.get(reverse("shown", args=[campaign.slug])).content.decode()
    assert as_alice.post(page, body(down="1")).status_code == 302
    assert not Image.objects.exists() and as_bob.get(image).status_code == 404


def test_tags_are_found_by_gms_alone(campaign: Any, alices: Any, bobs: Any, as_alice: Client, as_bob: Client) -> None:
    item, asked = made(campaign, alices), reverse("search", args=[campaign.slug]) + "?q=moonlit"
    assert "The dry well" not in as_alice.get(asked).content.decode()
    page = reverse("library_thing", args=[campaign.slug, item.pk])
    assert as_alice.post(page, body(tags="moonlit water")).status_code == 302
    text = as_alice.get(asked).content.decode()
    assert "The dry well" in text and page in text and "Tag" in text
    bank.see(**by(campaign, alices, prepared_id=item.pk, view=View.ALL, lines={}))
    assert "The dry well" not in as_bob.get(asked).content.decode()
    assert as_alice.post(page, body(tags="water")).status_code == 302
    assert "The dry well" not in as_alice.get(asked).content.decode()


ADDRESSES = ("", "feed/", "ledger/", "search/?q=zwirn", "search/?q=fang", "ledger/export/", "chronicle/")


def told(browser: Client, campaign: Any, *addresses: str) -> str:
    """All that a player's pages hold, without what was typed into the search."""
    pages = (browser.get(f"/c/{campaign.slug}/{address}") for address in addresses or ADDRESSES)
    return "".join((b"".join(page.streaming_content) if page.streaming else page.content).decode() for page in pages
                   ).replace('value="zwirn"', "").replace('value="fang"', "")


def chances_told(browser: Client, campaign: Any, obstacle: Obstacle) -> bool:
    """Whether a player reads chances against it, in a campaign that shows odds against NPCs by their face."""
    here = Campaign.objects.filter(pk=campaign.pk)
    here.update(settings_json=canonical({**json.loads(campaign.settings_json), "face_odds": True}))
    tray = Html(browser.get(reverse("table", args=[campaign.slug]))).form(action="/roll/")
    assert str(obstacle.pk) in tray.controls["obstacle"].offered
    page = browser.post(reverse("tray", args=[campaign.slug]), tray.filled(obstacle=str(obstacle.pk))).content.decode()
    here.update(settings_json=campaign.settings_json)
    return "%" in page.partition('id="forecast"')[2]


@pytest.mark.parametrize("slug", STOCKED)
def test_what_is_put_on_the_scene_with_a_chip_is_seen_as_its_label_says(
    as_alice: Client, as_bob: Client, alice: Any, bob: Any, slug: str
) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name=slug, system=slug)
    gm, player = campaign.members.get(), join(campaign, bob, "player")
    hero = character(campaign, player, "Ilse", [], player=player)
    sessions.open_session(**by(campaign, gm))
    sessions.open_scene(**by(campaign, gm, title="The street", characters=[hero.pk]))
    starter = next(line for line in campaign.rules.starters
                   if line.kind != "npc" and bank.kind_of(campaign, line.kind).obstacles("", {}))
    line = quick_lines.read(starter.line, campaign.rules, starter.kind, text="Fangeisen")
    library.add(**by(campaign, gm, lines=[line]))
    item = PrepItem.objects.get()
    bank.write(**by(campaign, gm, type=item.type, name="Zwirnfaden", words=item.text, fields=bank.spec_of(item),
                    prepared_id=item.pk))
    table = reverse("table", args=[campaign.slug])
    [chip] = re.findall(rf'value="(item:{item.pk}:0)"', as_alice.get(table).content.decode())
    campaign.refresh_from_db()
    assert as_alice.post(reverse("put_obstacle", args=[campaign.slug]), body(chip=chip)).status_code == 302
    put = Obstacle.objects.get()
    hard = campaign.rules.rolls.obstacle_words(obstacles.values_of(put))
    assert f"{put.name} · {hard}, unknown to players" in as_alice.get(table).content.decode()
    assert "Something unknown · unknown" in told(as_bob, campaign) and "Zwirnfaden" not in told(as_bob, campaign)
    assert not chances_told(as_bob, campaign, put), "the setting speaks of NPCs"

    for view, name, number, text in (("face", True, False, False), ("all", True, True, True),
                                     ("face", True, False, False), ("nothing", False, False, False)):
        label = Html(as_alice.get(table)).matching(action=f"/{item.pk}/view/")[0]
        button = next(button for button in label.buttons if button.words == View(view).label)
        assert label.send(as_alice, button).status_code == 302
        seen = re.sub(r'(?s)<div id="story".*', "", told(as_bob, campaign, ""))  # the story keeps what was shown
        assert ("Zwirnfaden" in seen, f"{put.name} · {hard}" in seen) == (name, number), view
        assert view != "face" or "Zwirnfaden · unknown" in seen
        page = as_bob.get(reverse("library_thing", args=[campaign.slug, item.pk])).content.decode()
        assert ("Zwirnfaden" in page, "Fangeisen" in page) == (name, text), view
    assert not list(differences(campaign.pk))


@pytest.mark.parametrize("slug", [slug for slug, game in SYSTEMS.items() if isinstance(game.rolls, Opposes)])
def test_a_line_of_an_npc_is_seen_as_the_npcs_label_says(
    as_alice: Client, as_bob: Client, alice: Any, bob: Any, slug: str
) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name=slug, system=slug)
    gm, player = campaign.members.get(), join(campaign, bob, "player")
    hero = character(campaign, player, "Ilse", [], player=player)
    npcs.quick(**by(campaign, gm, line=next(
        quick_lines.read(line.line, campaign.rules, line.kind).line for line in campaign.rules.starters
        if line.kind == "npc"), hidden=True))
    npc = Character.objects.filter(npc=True)[0]
    Character.objects.filter(pk=npc.pk).update(name="Zwirnfaden")
    Trait.objects.filter(character=npc).update(name="Fangeisen")
    sight.face(**by(campaign, gm, character_id=npc.pk))
    sessions.open_session(**by(campaign, gm))
    sessions.open_scene(**by(campaign, gm, title="The street", characters=[hero.pk, npc.pk]))
    table = reverse("table", args=[campaign.slug])
    chip = re.findall(r'value="(line:[^"]*)"', as_alice.get(table).content.decode())[0]
    assert as_alice.post(reverse("put_obstacle", args=[campaign.slug]), body(chip=chip)).status_code == 302
    seen = told(as_bob, campaign)
    assert "Zwirnfaden · unknown" in seen and "Fangeisen" not in seen
    for view, name, line in ((View.ALL, True, True), (View.FACE, True, False), (View.NOTHING, False, False)):
        sight.see(**by(campaign, gm, character_id=npc.pk, view=view))
        seen = re.sub(r'(?s)<div id="story".*', "", told(as_bob, campaign, ""))
        assert ("Zwirnfaden" in seen, "Fangeisen" in seen) == (name, line), view
