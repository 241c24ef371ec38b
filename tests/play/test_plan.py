"""A session's plan: scenes in order, one press opens one with all that belongs to it, ticks, and the next plan."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from play.models import Obstacle, PlanLine, PlanScene, PrepItem, Presence, Scene, SessionPlan
from play.services import bank, sessions
from rules.registry import SYSTEMS
from tests.play.conftest import body, character
from tests.play.test_library import scrubbed

pytestmark = pytest.mark.django_db


def at(campaign: Any, more: str = "") -> str:
    return f"/c/{campaign.slug}/prepare/plan/{more}"


def planned(browser: Client, campaign: Any, title: str, *lines: str, **more: str) -> PlanScene:
    """A scene of the plan, with what these words add."""
    assert browser.post(at(campaign, "scenes/new/"), body(title=title, **more)).status_code == 302
    scene = PlanScene.objects.get(title=title)
    for words in lines:
        assert browser.post(at(campaign, "lines/"), body(scene=str(scene.pk), words=words)).status_code == 302
    return scene


@pytest.fixture
def door(campaign: Any, alices: Any) -> PrepItem:
    """A locked door in the library."""
    bank.write(campaign=campaign, actor=alices, op_id=uuid.uuid4(), type="resistance", name="A locked door",
               fields={"difficulty": "good"})
    return PrepItem.objects.get()


def test_an_empty_plan_teaches_and_a_scene_begins_one(as_alice: Client, campaign: Any) -> None:
    assert "No scenes are planned" in as_alice.get(at(campaign)).content.decode()
    planned(as_alice, campaign, "The cellar", text="Water to the knees.", notes="The bell is *here*.")
    page = as_alice.get(at(campaign)).content.decode()
    assert "The cellar" in page and "Water to the knees." in page and "<em>here</em>" in page
    assert as_alice.post(at(campaign), body(title="Ebb tide", notes="Otto leaves at eleven")).status_code == 302
    assert "Plan: Ebb tide" in as_alice.get(at(campaign)).content.decode() and SessionPlan.objects.count() == 1
    refused = as_alice.post(at(campaign, "scenes/new/"), body(title="", text="Kept words"))
    assert refused.status_code == 422 and "Kept words" in refused.content.decode()


def test_a_scene_is_planned_in_one_form_with_all_that_belongs_to_it(
    as_alice: Client, campaign: Any, marrow: Any, whisper: Any, door: PrepItem
) -> None:
    new = at(campaign, "scenes/new/")
    assert "Old Marrow" in as_alice.get(new).content.decode()
    sent = body(title="The cellar", things=[str(marrow.pk), str(door.pk)],
                lines="whisper\n\nThe bell rings\n a LOCKED door \n")
    for _ in range(2):
        assert as_alice.post(new, sent).status_code == 302
    assert PlanScene.objects.count() == 1
    assert sorted(PlanLine.objects.values_list("type", "words")) == [
        ("obstacle", "A locked door"), ("person", "Old Marrow"), ("person", "Whisper"), ("todo", "The bell rings")]
    refused = as_alice.post(new, body(title="Too much", lines="\n".join("abcdefg" * 6)))
    assert refused.status_code == 422 and "at most 30 lines" in refused.content.decode()
    assert as_alice.post(new, body(title="Forged", things=[str(uuid.uuid4())])).status_code == 422
    assert PlanScene.objects.count() == 1 and not list(differences(campaign.pk))


def test_opening_a_scene_brings_people_and_obstacles_and_the_hidden_stay_hidden(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, marrow: Any, whisper: Any, door: PrepItem
) -> None:
    row = planned(as_alice, campaign, "The cellar", "Old Marrow", "whisper", "A locked door", "The bell rings",
                  text="Water to the knees.")
    assert set(PlanLine.objects.values_list("type", flat=True)) == {"person", "obstacle", "todo"}
    page = as_alice.get(at(campaign)).content.decode()
    assert "Whisper stays hidden" in page and "Ends “The dry well”" in page
    before = scrubbed(as_bob.get(f"/c/{campaign.slug}/").content.decode())
    head = as_bob.get(f"/c/{campaign.slug}/head/").content
    planned(as_alice, campaign, "Another", "Whisper")
    assert scrubbed(as_bob.get(f"/c/{campaign.slug}/").content.decode()) == before
    assert as_bob.get(f"/c/{campaign.slug}/head/").content == head
    sent = body(danger="momentary")
    for _ in range(2):
        answer = as_alice.post(at(campaign, f"scenes/{row.pk}/open/"), sent)
        assert answer.status_code == 302, answer.content.decode()
    campaign.refresh_from_db()
    now = Scene.objects.get(pk=campaign.scene_id)
    assert (now.title, now.text) == ("The cellar", "Water to the knees.")
    here = {each.character.name for each in Presence.objects.filter(scene=now).select_related("character")}
    assert here == {"Ilse", "Old Marrow", "Whisper"}
    assert list(Obstacle.objects.filter(scene=now).values_list("name", flat=True)) == ["A locked door"]
    seen = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert "The cellar" in seen and "Old Marrow" in seen and "Whisper" not in seen and "bell rings" not in seen
    assert as_alice.post(at(campaign, f"scenes/{row.pk}/open/"), body(danger="momentary")).status_code == 422
    assert "open now" in as_alice.get(at(campaign)).content.decode()
    assert not list(differences(campaign.pk))


def test_opening_begins_a_session_where_none_is_open(as_alice: Client, campaign: Any, ilse: Any) -> None:
    row = planned(as_alice, campaign, "The cellar")
    assert as_alice.post(at(campaign, f"scenes/{row.pk}/open/"), body()).status_code == 302
    campaign.refresh_from_db()
    assert campaign.session_id and Presence.objects.get().character_id == ilse.pk


def test_ticks_and_what_is_left_goes_on_to_the_next_plan(
    as_alice: Client, campaign: Any, ilse: Any, door: PrepItem
) -> None:
    first = planned(as_alice, campaign, "First", "The bell rings", "Offer the flaw", "A locked door")
    second = planned(as_alice, campaign, "Second", "Later")
    bell = PlanLine.objects.get(words="The bell rings")
    for name, ticked in (("tick", True), ("untick", False), ("tick", True)):
        assert as_alice.post(at(campaign, "change/"), body(**{name: str(bell.pk)})).status_code == 302
        bell.refresh_from_db()
        assert bell.ticked is ticked
    assert as_alice.post(at(campaign, f"scenes/{first.pk}/open/"), body()).status_code == 302
    assert as_alice.post(at(campaign, "change/"), body(carry="1")).status_code == 302
    new = SessionPlan.objects.get(done=False)
    assert [each.title for each in PlanScene.objects.filter(plan=new)] == ["Second"]
    assert {each.words: each.plan_scene_id for each in PlanLine.objects.filter(plan=new)} == {
        "Later": second.pk, "Offer the flaw": None}
    assert "Still open" in as_alice.get(at(campaign)).content.decode()
    assert not list(differences(campaign.pk))


def test_scenes_change_places_and_leave(as_alice: Client, campaign: Any) -> None:
    planned(as_alice, campaign, "First", "A word")
    second = planned(as_alice, campaign, "Second", "Another")
    assert as_alice.post(at(campaign, "change/"), body(up=str(second.pk))).status_code == 302
    assert list(PlanScene.objects.order_by("place").values_list("title", flat=True)) == ["Second", "First"]
    assert as_alice.post(at(campaign, "change/"), body(up=str(second.pk))).status_code == 422
    word = PlanLine.objects.get(words="A word")
    assert as_alice.post(at(campaign, "change/"), body(drop=str(word.pk))).status_code == 302
    assert as_alice.post(at(campaign, "change/"), body(remove=str(second.pk))).status_code == 302
    assert PlanScene.objects.get().title == "First" and not PlanLine.objects.exists()
    for wrong in ({}, {"tick": "x"}, {"drop": str(uuid.uuid4())}):
        assert as_alice.post(at(campaign, "change/"), body(**wrong)).status_code == 422


def test_it_is_the_gms_and_sealed(as_alice: Client, as_bob: Client, campaign: Any, bobs: Any) -> None:
    planned(as_alice, campaign, "Quillon dies", "Quillon’s ring")
    assert as_bob.get(at(campaign)).status_code == 404
    assert not Entry.objects.filter(kind="plan.write").exclude(audience="gm").exists()
    assert "uillon" not in as_bob.get(f"/c/{campaign.slug}/ledger/").content.decode()


@pytest.mark.parametrize("slug", SYSTEMS)
def test_every_game_opens_a_planned_scene_while_another_is_on(as_alice: Client, alice: Any, slug: str) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name=slug, system=slug)
    owner = campaign.members.get()
    hero = character(campaign, owner, "Hero", [], player=owner)
    sessions.open_first_scene(campaign=campaign, actor=owner, op_id=uuid.uuid4(), title="Before")
    first = next(each for each in campaign.rules.starters if each.kind in ("resistance", "challenge"))
    as_alice.post(f"/c/{campaign.slug}/prepare/", body(line=first.line, kind=first.kind))
    row = planned(as_alice, campaign, "After", PrepItem.objects.get().name)
    page = as_alice.get(at(campaign, f"scenes/{row.pk}/open/"))
    sent = {name: field.initial for name, field in page.context["form"].fields.items() if field.initial}
    answer = as_alice.post(at(campaign, f"scenes/{row.pk}/open/"), body(**{
        name: value for name, value in sent.items() if name != "op_id"}))
    assert answer.status_code == 302, answer.content.decode()
    assert Obstacle.objects.filter(scene__title="After").exists()
    assert Presence.objects.filter(scene__title="After").get().character_id == hero.pk
