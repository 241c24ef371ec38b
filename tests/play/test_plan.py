"""A session's plan: scenes in order, one press opens one with all that belongs to it, ticks, and the next plan."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry, View
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from play.models import Obstacle, PlanLine, PlanScene, PrepItem, Presence, Scene, SessionPlan
from play.services import bank, sessions
from tests import laid
from tests.games import STOCKED
from tests.html_forms import Page
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


@laid.fixture
def door(campaign: Any, alices: Any) -> PrepItem:
    """A locked door in the library."""
    bank.write(campaign=campaign, actor=alices, op_id=uuid.uuid4(), type="resistance", name="A locked door",
               fields={"difficulty": "good"})
    return PrepItem.objects.get()


def test_an_empty_plan_teaches_and_a_scene_begins_one(as_alice: Client, campaign: Any) -> None:
    assert "No scenes planned yet" in as_alice.get(at(campaign)).content.decode()
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
    form = Page(as_alice.get(new)).form(button="Search the library")
    find = next(button for button in form.buttons if button.words == "Search the library")
    looked = form.send(as_alice, find, q="lock", things=str(marrow.pk), title="The cel")
    assert not PlanScene.objects.exists()
    form = Page(looked).form(button="Save the scene")
    assert form.controls["things"].offered == [str(marrow.pk), str(door.pk)], "and what is ticked"
    assert form.controls["things"].opens == [str(marrow.pk)] and form.controls["title"].opens == ["The cel"]
    only = as_alice.get(new, {"q": "lock"}, headers={"HX-Request": "true"}).content.decode()
    assert "A locked door" in only and "Old Marrow" not in only and "<html" not in only
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


def test_a_scene_finds_things_by_typing_in_a_library_of_any_size(
    as_alice: Client, campaign: Any, marrow: Any, door: PrepItem
) -> None:
    PrepItem.objects.bulk_create(
        PrepItem(campaign=campaign, type="resistance", name=f"A gate {n:03}", spec=door.spec) for n in range(300))
    new = at(campaign, "scenes/new/")
    opens = Page(as_alice.get(new)).form(button="Search the library")
    assert len(opens.controls["things"].offered) < 100, "not all of them at once"
    search = next(button for button in opens.buttons if button.words == "Search the library")
    looked = opens.send(as_alice, search, q="gate 271")
    form = Page(looked).form(button="Save the scene")
    wanted = PrepItem.objects.get(name="A gate 271")
    assert form.controls["things"].offered == [str(wanted.pk)]
    typed = as_alice.get(new, {"q": "gate 271"}, headers={"HX-Request": "true"}).content.decode()
    assert "A gate 271" in typed and "A gate 270" not in typed
    save = next(button for button in form.buttons if button.words == "Save the scene")
    sent = form.send(as_alice, save, title="The gates", things=str(wanted.pk))
    assert sent.status_code == 302 and PlanLine.objects.get().thing_id == wanted.pk


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
    here = {presence.character.name for presence in Presence.objects.filter(scene=now).select_related("character")}
    assert here == {"Ilse", "Old Marrow", "Whisper"}
    assert list(Obstacle.objects.filter(scene=now).values_list("name", flat=True)) == ["A locked door"]
    seen = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert "The cellar" in seen and "Old Marrow" in seen and "Whisper" not in seen and "bell rings" not in seen
    assert as_alice.post(at(campaign, f"scenes/{row.pk}/open/"), body(danger="momentary")).status_code == 422
    assert "● in progress" in as_alice.get(at(campaign)).content.decode()
    assert not list(differences(campaign.pk))


def pressed(browser: Client, campaign: Any, scene: PlanScene) -> Any:
    """Presses the plan’s one button that opens a scene."""
    return Page(browser.get(at(campaign))).form(action=f"{scene.pk}/open/").send(browser)


def test_what_changed_since_it_was_planned_is_said_and_asked(
    as_alice: Client, campaign: Any, alices: Any, ilse: Any, door: PrepItem
) -> None:
    row = planned(as_alice, campaign, "The cellar", "A locked door")
    bank.write(campaign=campaign, actor=alices, op_id=uuid.uuid4(), type="resistance", name=door.name,
               fields={"difficulty": 15}, prepared_id=door.pk)
    assert "planned good 9, now 15" in as_alice.get(at(campaign)).content.decode()
    asked = pressed(as_alice, campaign, row)
    assert asked.status_code == 422 and not Obstacle.objects.exists()
    line = PlanLine.objects.get()
    form = Page(asked).form(button="Open this scene")
    assert form.controls[f"hard_{line.pk}"].offered == ["now", "planned"]
    assert form.send(as_alice, **{f"hard_{line.pk}": "now"}).status_code == 302
    assert '15' in Obstacle.objects.get().spec and PrepItem.objects.get().view is View.NOTHING


@pytest.mark.parametrize(("view", "seen", "label"), [
    ("nothing", "Something unknown · unknown", (False, False)), ("face", "A locked door · unknown", (False, True)),
    ("all", "A locked door · good 9", (True, False))])
def test_what_players_see_of_something_hidden_is_chosen_and_its_label_follows(
    as_alice: Client, as_bob: Client, campaign: Any, ilse: Any, door: PrepItem, view: str, seen: str,
    label: tuple[bool, bool],
) -> None:
    row = planned(as_alice, campaign, "The cellar", "A locked door")
    page = as_alice.get(at(campaign)).content.decode()
    assert "Players will see only that something is there: A locked door." in page and "hidden from players" in page
    form = Page(as_alice.get(at(campaign, f"scenes/{row.pk}/open/"))).form(button="Open this scene")
    assert form.send(as_alice, **{f"sees_{PlanLine.objects.get().pk}": view}).status_code == 302
    item = PrepItem.objects.get()
    assert (item.shown, item.face) == label
    table = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert seen in table, Page(as_bob.get(f"/c/{campaign.slug}/")).errors
    rolled = Page(as_bob.get(f"/c/{campaign.slug}/")).form(action="/roll/")
    assert rolled.send(as_bob, traits=[str(ilse.traits.get(name="Maps").pk)]).status_code in (200, 302)
    for address in ("", "ledger/", "head/", "feed/", "chronicle/", "search/?q=locked+door&", "export/"):
        page = as_bob.get(f"/c/{campaign.slug}/{address}").content.decode().replace("q=locked+door", "")
        assert view != "nothing" or "A locked door" not in page, address
    gms = as_alice.get(f"/c/{campaign.slug}/").content.decode()
    assert "A locked door · good 9" in gms and ("unknown to players" in gms) == (view == "nothing")
    assert not list(differences(campaign.pk))


def test_notes_and_ticks_are_at_the_gms_table_and_places_are_no_reminders(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, ilse: Any
) -> None:
    bank.write(campaign=campaign, actor=alices, op_id=uuid.uuid4(), type="place", name="The ferry house", fields={})
    row = planned(as_alice, campaign, "The cellar", "The bell rings", "The ferry house", notes="Speak *slowly*.")
    page = as_alice.get(at(campaign)).content.decode()
    assert "0 of 1 ticked" in page and "Places and more" in page
    assert pressed(as_alice, campaign, row).status_code == 302
    table = as_alice.get(f"/c/{campaign.slug}/")
    assert "From your plan" in table.content.decode() and "<em>slowly</em>" in table.content.decode()
    assert "From your plan" not in as_bob.get(f"/c/{campaign.slug}/").content.decode()
    form = Page(table).form(action="/plan/change/")
    answer = form.send(as_alice)
    assert answer["Location"] == f"/c/{campaign.slug}/" and PlanLine.objects.get(words="The bell rings").ticked
    assert as_alice.post(at(campaign, "change/"), body(carry="1")).status_code == 302
    assert not PlanLine.objects.filter(plan__done=False, words="The ferry house").exists()


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
    assert [plan_scene.title for plan_scene in PlanScene.objects.filter(plan=new)] == ["Second"]
    assert {plan_line.words: plan_line.plan_scene_id for plan_line in PlanLine.objects.filter(plan=new)} == {
        "Later": second.pk, "Offer the flaw": None}
    assert "Left to do" in as_alice.get(at(campaign)).content.decode()
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


@pytest.mark.parametrize("slug", STOCKED)
def test_every_game_opens_a_planned_scene_while_another_is_on(as_alice: Client, alice: Any, slug: str) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name=slug, system=slug)
    owner = campaign.members.get()
    hero = character(campaign, owner, "Hero", [], player=owner)
    sessions.open_first_scene(campaign=campaign, actor=owner, op_id=uuid.uuid4(), title="Before")
    first = next(starter for starter in campaign.rules.starters if starter.kind in ("resistance", "challenge"))
    as_alice.post(f"/c/{campaign.slug}/prepare/", body(line=first.line, kind=first.kind))
    row = planned(as_alice, campaign, "After", PrepItem.objects.get().name)
    page = as_alice.get(at(campaign, f"scenes/{row.pk}/open/"))
    sent = {name: field.initial for name, field in page.context["form"].fields.items() if field.initial}
    answer = as_alice.post(at(campaign, f"scenes/{row.pk}/open/"), body(**{
        name: value for name, value in sent.items() if name != "op_id"}))
    assert answer.status_code == 302, answer.content.decode()
    assert Obstacle.objects.filter(scene__title="After").exists()
    assert Presence.objects.filter(scene__title="After").get().character_id == hero.pk
