"""A contest prepared in the plan: on the night one press begins it, or opens its form with everything filled in."""
from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.forms import ChoiceField, MultipleChoiceField
from django.test import Client
from django.urls import reverse

from campaigns.access import Viewer
from campaigns.models import Entry, Role, View
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from characters.models import Character
from play import planned
from play.models import Contest, PlanLine, PlanScene, SessionPlan
from play.services import plan, sessions
from rules import quick_lines
from rules.registry import SYSTEMS
from tests import laid
from tests.play.conftest import body, character
from tests.play.test_library import scrubbed
from tests.play.test_plan import at, door

KINDS = [(slug, kind.slug) for slug, game in SYSTEMS.items() for kind in game.procedures
         if kind.placement.offered and kind.casting.who != "everyone"]
pytestmark = pytest.mark.django_db

__all__ = ["door"]


def filled(page: Any, **more: str) -> dict[str, Any]:
    """What the form of a page sends as it stands, with what is typed besides."""
    form = page.context["form"]
    held = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    # Of a list to choose from, a browser sends the first.
    held |= {name: field.choices[0][0] for name, field in form.fields.items()
             if isinstance(field, ChoiceField) and not isinstance(field, MultipleChoiceField) and held[name] is None}
    return {name: value for name, value in held.items() if value not in (None, "", False, ())} | more


def brawl(as_alice: Client, campaign: Any, scene: PlanScene, **more: str) -> PlanLine:
    """A conflict that is prepared for a scene of the plan."""
    new = at(campaign, f"scenes/{scene.pk}/contest/")
    answer = as_alice.post(new, filled(as_alice.get(new), title="Hold the bridge", **more))
    assert answer.status_code == 302, answer.content.decode()
    return PlanLine.objects.get(type="contest")


@laid.fixture
def bridge(campaign: Any, alices: Any, ilse: Character, marrow: Character) -> PlanScene:
    """A planned scene in which Old Marrow comes; Ilse is Bob's."""
    by = {"campaign": campaign, "actor": alices}
    plan.write_scene(**by, op_id=uuid.uuid4(), title="The bridge")
    row = PlanScene.objects.get()
    plan.add_line(**by, op_id=uuid.uuid4(), plan_scene_id=row.pk, thing_id=marrow.pk)
    return row


@pytest.mark.parametrize(("slug", "kind"), KINDS)
def test_every_kind_is_prepared_and_comes_back_filled_in(as_alice: Client, alice: Any, slug: str, kind: str) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name="Plans", system=slug)
    owner = campaign.members.get()
    starter = next(starter for starter in campaign.rules.starters if starter.kind == "npc")
    said = quick_lines.read(starter.line, campaign.rules, "npc").line
    drafts = campaign.rules.sheet.from_line(said)[1]
    lines = [(draft.kind, draft.name, draft.value) for draft in drafts if not draft.within]
    character(campaign, owner, "Hero", lines, player=owner)
    foe = character(campaign, owner, "Foe", lines, npc=True)
    plan.write_scene(campaign=campaign, actor=owner, op_id=uuid.uuid4(), title="The bridge")
    row = PlanScene.objects.get()
    plan.add_line(campaign=campaign, actor=owner, op_id=uuid.uuid4(), plan_scene_id=row.pk, thing_id=foe.pk)
    viewer = Viewer(campaign, owner)
    if kind not in {kind.slug for kind in planned.kinds(viewer)}:
        pytest.skip("The usual settings of the game do not have it.")
    new = at(campaign, f"scenes/{row.pk}/contest/?kind={kind}")
    page = as_alice.get(new)
    asked = [name for name, field in page.context["form"].fields.items() if field.required and name != "op_id"]
    sent = {**dict.fromkeys(asked, "Words"), **filled(page, title="Hold the bridge")}
    answer = as_alice.post(new, sent)
    assert answer.status_code == 302, answer.context["form"].errors
    line = PlanLine.objects.get(type="contest")
    again = filled(as_alice.get(at(campaign, f"contests/{line.pk}/")))
    assert {**again, "op_id": ""} == {**sent, "op_id": ""}
    assert as_alice.post(at(campaign, f"scenes/{row.pk}/open/"), body()).status_code == 302
    assert "Contest ready" in as_alice.get(f"/c/{campaign.slug}/").content.decode()
    begun = as_alice.post(at(campaign, f"contests/{line.pk}/begin/"), body(client_seed="0" * 64))
    assert begun.status_code == 302
    if not Contest.objects.filter(title="Hold the bridge").exists():
        opened = as_alice.get(begun["Location"])
        assert "Hold the bridge" in opened.content.decode() and filled(opened)["title"] == "Hold the bridge"
        assert 'role="status"' in opened.content.decode()
    assert not list(differences(campaign.pk))


def test_who_is_in_it_is_kept_by_person_and_one_press_begins_it(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bridge: PlanScene, marrow: Character
) -> None:
    before = scrubbed(as_bob.get(f"/c/{campaign.slug}/").content.decode())
    line = brawl(as_alice, campaign, bridge, side_one="The ferry", side_two="The watch")
    page = as_alice.get(at(campaign)).content.decode()
    assert "Contest ready" in page and "Ilse against Old Marrow" in page and "1 contest to begin" in page
    assert scrubbed(as_bob.get(f"/c/{campaign.slug}/").content.decode()) == before
    assert not Entry.objects.filter(kind="plan.write").exclude(audience="gm").exists()
    # Somebody comes before her in the form: what was said of each stays with each.
    first = character(campaign, alices, "Aaron", [("strength", "Oars", 2)], npc=True)
    assert as_alice.post(at(campaign, f"scenes/{bridge.pk}/open/"), body()).status_code == 302
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[
        first.pk, marrow.pk, *Character.objects.filter(name="Ilse").values_list("pk", flat=True)])
    table = as_alice.get(f"/c/{campaign.slug}/").content.decode()
    assert "Hold the bridge" in table and f"?planned={line.pk}" in table
    assert "Hold the bridge" not in as_bob.get(f"/c/{campaign.slug}/").content.decode()
    begun = as_alice.post(at(campaign, f"contests/{line.pk}/begin/"), sent := body(client_seed="0" * 64))
    contest = Contest.objects.get()
    assert begun["Location"] == f"/c/{campaign.slug}/?contest={contest.pk}#contest"
    setup = json.loads(contest.setup)
    sides = {Character.objects.get(pk=contestant["sheet"]).name: contestant["side"]
             for contestant in setup["contestants"]}
    assert sides == {"Ilse": "The ferry", "Old Marrow": "The watch"} and contest.title == "Hold the bridge"
    assert as_alice.post(at(campaign, f"contests/{line.pk}/begin/"), sent).status_code == 302
    assert Contest.objects.count() == 1
    assert "Contest ready" not in as_alice.get(f"/c/{campaign.slug}/").content.decode()
    assert "Contest begun" in as_alice.get(at(campaign)).content.decode()
    assert as_alice.post(at(campaign, "change/"), body(carry="1")).status_code == 302
    assert not PlanLine.objects.filter(plan=SessionPlan.objects.get(done=False), type="contest").exists()


def test_where_somebody_is_hidden_or_new_its_form_comes_with_all_that_was_said(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bridge: PlanScene, whisper: Character
) -> None:
    plan.add_line(campaign=campaign, actor=alices, op_id=uuid.uuid4(), plan_scene_id=bridge.pk, thing_id=whisper.pk)
    line = brawl(as_alice, campaign, bridge, side_two="The watch")
    assert "Ilse against Old Marrow and Whisper" in as_alice.get(at(campaign)).content.decode()
    as_alice.post(at(campaign, f"scenes/{bridge.pk}/open/"), body())
    answer = as_alice.post(at(campaign, f"contests/{line.pk}/begin/"), body())
    assert answer.status_code == 302 and not Contest.objects.exists()
    page = as_alice.get(answer["Location"])
    assert "players will see the name and picture" in page.content.decode() and filled(page)["side_two"] == "The watch"
    assert "Choose the participants." in page.content.decode()
    assert as_alice.post(answer["Location"], filled(page)).status_code == 302
    assert Contest.objects.get().title == "Hold the bridge"
    whisper.refresh_from_db()
    assert whisper.view is View.FACE and "Whisper" in as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert not list(differences(campaign.pk))


def test_what_was_only_expected_is_prepared_later_and_what_is_left_goes_on(
    as_alice: Client, as_bob: Client, campaign: Any, bridge: PlanScene
) -> None:
    as_alice.post(at(campaign, "lines/"), body(scene=str(bridge.pk), words="A chase", type="contest"))
    line = PlanLine.objects.get(type="contest")
    assert "Prepare it" in as_alice.get(at(campaign)).content.decode()
    page = as_alice.get(at(campaign, f"contests/{line.pk}/"))
    assert filled(page)["title"] == "A chase"
    assert as_bob.get(at(campaign, f"contests/{line.pk}/")).status_code == 404
    refused = as_alice.post(at(campaign, f"contests/{line.pk}/"), filled(page, title=""))
    assert refused.status_code == 422
    assert as_alice.post(at(campaign, f"contests/{line.pk}/"), filled(page, title="A long chase")).status_code == 302
    assert "A long chase" in as_alice.get(at(campaign)).content.decode() and PlanLine.objects.count() == 2
    as_alice.post(at(campaign, f"scenes/{bridge.pk}/open/"), body())
    as_alice.post(at(campaign, "change/"), body(carry="1"))
    assert PlanLine.objects.get(plan__done=False).words == "A long chase"


def test_nothing_begins_of_another_campaign_nor_for_a_player(
    as_alice: Client, as_bob: Client, campaign: Any, bridge: PlanScene, alice: Any
) -> None:
    line = brawl(as_alice, campaign, bridge)
    other = found(user=alice, op_id=uuid.uuid4(), name="Elsewhere", system="pdq")
    assert as_alice.post(at(other, f"contests/{line.pk}/begin/"), body()).status_code == 404
    assert as_alice.get(at(other, f"contests/{line.pk}/")).status_code == 404
    assert as_bob.post(at(campaign, f"contests/{line.pk}/begin/"), body()).status_code == 404
    assert planned.one(Viewer(campaign, campaign.members.get(role=Role.PLAYER)), str(line.pk)) is None
    # No scene is open: it can't start now.
    assert as_alice.post(at(campaign, f"contests/{line.pk}/begin/"), body()).status_code == 302
    assert not Contest.objects.exists()


def test_what_was_begun_is_known_whatever_it_is_called_and_nothing_else_is_taken_for_it(
    as_alice: Client, campaign: Any, alices: Any, bridge: PlanScene, ilse: Character, marrow: Character
) -> None:
    by: dict[str, Any] = {"campaign": campaign, "actor": alices}
    sessions.open_session(**by, op_id=uuid.uuid4())
    sessions.open_scene(**by, op_id=uuid.uuid4(), title="Before", characters=[ilse.pk, marrow.pk])
    start = f"/c/{campaign.slug}/contests/start/conflict/"
    assert as_alice.post(start, filled(as_alice.get(start), title="Hold the bridge")).status_code == 302
    ended = reverse("act", args=[campaign.slug, Contest.objects.get().pk, "end", "gm"])
    assert as_alice.post(ended, body()).status_code == 302
    line = brawl(as_alice, campaign, bridge)
    assert as_alice.post(at(campaign, f"scenes/{bridge.pk}/open/"), body(danger="momentary")).status_code == 302
    assert "Contest ready" in as_alice.get(f"/c/{campaign.slug}/").content.decode(), "another scene’s is not this one"
    form = f"{start}?planned={line.pk}"
    sent = filled(as_alice.get(form), title="Knives in the fog")
    assert [as_alice.post(form, sent).status_code for _ in range(2)] == [302, 302]
    assert Contest.objects.filter(title="Knives in the fog").count() == 1
    assert "Contest ready" not in as_alice.get(f"/c/{campaign.slug}/").content.decode()
    assert "Contest begun" in as_alice.get(at(campaign)).content.decode()
    assert not Entry.objects.filter(kind="plan.write").exclude(audience="gm").exists()
    as_alice.post(at(campaign, "change/"), body(carry="1"))
    assert not PlanLine.objects.filter(plan__done=False).exists()
    assert not list(differences(campaign.pk))


def test_what_goes_on_to_the_next_plan_is_begun_with_all_who_were_in_it(
    as_alice: Client, campaign: Any, alices: Any, bridge: PlanScene, ilse: Character, marrow: Character
) -> None:
    line = brawl(as_alice, campaign, bridge)
    as_alice.post(at(campaign, f"scenes/{bridge.pk}/open/"), body())
    as_alice.post(at(campaign, "change/"), body(carry="1"))
    assert PlanLine.objects.get(plan__done=False).pk == line.pk
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[ilse.pk])
    edit = at(campaign, f"contests/{line.pk}/")
    parts = {part.name: part.side.value() for part in as_alice.get(edit).context["form"].parts}
    assert parts == {"Ilse": "one", "Old Marrow": "two"}, "he is not here, and in it as before"
    begin = at(campaign, f"contests/{line.pk}/begin/")
    assert begin in as_alice.get(at(campaign)).content.decode()
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[ilse.pk, marrow.pk])
    assert as_alice.post(begin, body()).status_code == 302
    assert Contest.objects.get().title == "Hold the bridge"
    page = as_alice.get(at(campaign)).content.decode()
    assert "Contest begun" in page and begin not in page
