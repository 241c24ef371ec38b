"""Who is dead has no part in what comes: nothing is asked of them, dealt to them, or begun with them."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import trail
from campaigns.access import Viewer
from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from characters.models import Character
from play import matrix, planned
from play.models import Contest, PendingAllocation, Presence, Scene
from play.services import plan, sessions
from play.services.pools import held
from tests import laid
from tests.conftest import join, logged_in, person
from tests.html_forms import Page
from tests.play.conftest import body, character
from tests.play.test_asked_rolls import GAMES, ask
from tests.play.test_conflict_deaths import marks, taken_back
from tests.play.test_late_comers import comes, opened
from tests.play.test_now import bar
from tests.play.test_pdq_one_scene import Evening
from tests.play.test_struck_words import SHIFT, strike

pytestmark = pytest.mark.django_db

ALIVE = "Bring back to life"


@laid.fixture
def runa(campaign: Any, alices: Any, bobs: Any) -> Character:
    """Another of Bob's."""
    return character(campaign, alices, "Runa", [("strength", "Ropes", 1)], player=bobs)


def there() -> set[str]:
    """Who is in the scene that was opened last."""
    scene = Scene.objects.latest("number")
    return {presence.character.name for presence in Presence.objects.filter(scene=scene).select_related("character")}


@pytest.mark.parametrize("system", sorted(GAMES))
def test_no_roll_is_asked_of_the_dead_until_they_live_again(alice: Any, as_alice: Client, system: str) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name=f"The dead of {system}", system=system)
    elsa = join(campaign, person("Elsa"), "player")
    nell = character(campaign, elsa, "Nell", GAMES[system], player=elsa)
    gm = campaign.members.get(user=alice)
    sessions.open_session(campaign=campaign, actor=gm, op_id=uuid.uuid4())
    sessions.open_scene(campaign=campaign, actor=gm, op_id=uuid.uuid4(), title="The pier", characters=[nell.pk])
    assert ask(as_alice, campaign, nell).status_code == 302
    as_elsa = logged_in(elsa.user)
    assert "The GM asks for: Cross the pier" in bar(as_elsa, campaign)

    def asked_at_the_table() -> int:
        return len(Page(as_alice.get(f"/c/{campaign.slug}/")).matching(action="/withdraw/"))

    assert asked_at_the_table() == 1
    marks(as_alice, nell)
    assert "Cross the pier" not in bar(as_elsa, campaign) and "Cross the pier" not in bar(as_alice, campaign)
    assert asked_at_the_table() == 0
    assert ask(as_alice, campaign, nell).status_code == 422, "nor can it be asked again"
    marks(as_alice, nell, button=ALIVE)
    assert "The GM asks for: Cross the pier" in bar(as_elsa, campaign)


def test_pq_16_nobody_places_damage_for_the_dead(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    with trail.entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="contest.end", title="Hurt") as entry:
        entry.create(PendingAllocation(
            campaign=entry.campaign, character=ilse, type="damage", amount=2, reason="the falling beam"))
    marks(as_alice, ilse)
    for client in (as_alice, as_bob):
        page = client.get(reverse("table", args=[campaign.slug])).content.decode()
        assert "falling beam" not in bar(client, campaign) and "Assign" not in page.partition("<main")[2]


def test_scenes_open_without_them_by_whichever_door(
    as_alice: Client, campaign: Any, alices: Any, ilse: Character, runa: Character
) -> None:
    marks(as_alice, ilse)
    first = reverse("open_first_scene", args=[campaign.slug])
    table = Page(as_alice.get(reverse("table", args=[campaign.slug])))
    assert table.form(action=first).send(as_alice, title="The ferry").status_code == 302
    assert there() == {"Runa"}
    ends = reverse("close_scene", args=[campaign.slug])
    as_alice.post(ends, body(danger="momentary"))
    next_scene = reverse("open_scene", args=[campaign.slug])
    form = Page(as_alice.get(next_scene)).form(action=next_scene)
    assert "Ilse (dead)" in as_alice.get(next_scene).content.decode(), "somebody may carry them in"
    assert form.send(as_alice, title="The pier").status_code == 302
    assert there() == {"Runa"}
    as_alice.post(ends, body(danger="momentary"))
    plan.write_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The wake")
    planned_scene = Page(as_alice.get(reverse("plan", args=[campaign.slug]))).form(action="/open/")
    assert planned_scene.send(as_alice).status_code == 302
    assert there() == {"Runa"}


def test_a_new_character_comes_in_where_the_player_s_other_one_lies_dead(
    as_alice: Client, campaign: Any, scene: Any, bobs: Any, ilse: Character
) -> None:
    marks(as_alice, ilse)
    comes(campaign, bobs, "Runa")
    assert there() == {"Ilse", "Old Marrow", "Runa"}
    assert "Ilse</a> <b>dead</b>" in as_alice.get(reverse("table", args=[campaign.slug])).content.decode()


def test_whose_only_character_has_died_takes_another_from_the_table(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any, scene: Any, ilse: Character
) -> None:
    spare = character(campaign, alices, "Spare", [("strength", "Ropes", 1)])
    table = reverse("table", args=[campaign.slug])
    assert not Page(as_bob.get(table)).matching(action="/take/"), "one is enough"
    marks(as_alice, ilse)
    form = Page(as_bob.get(table)).form(action="/take/")
    assert form.send(as_bob, next(button for button in form.buttons if "Spare" in button.words)).status_code == 302
    spare.refresh_from_db()
    assert spare.player == bobs and there() == {"Ilse", "Old Marrow", "Spare"}
    assert not Page(as_bob.get(table)).matching(action="/take/") and not list(differences(campaign.pk))


def test_the_matrix_and_the_plan_leave_them_out(
    as_alice: Client, campaign: Any, alices: Any, ilse: Character, runa: Character
) -> None:
    marks(as_alice, ilse)
    viewer = Viewer(campaign, alices)
    assert [person.character.name for person in matrix.people(viewer)] == ["Runa"]
    assert [row.name for row in planned.people_of(viewer, None, None)] == ["Runa"]


@pytest.mark.parametrize(("system", "pool", "each"), [("questworlds", "story_points", 1), ("pdq_sharp", "bowl", 2)])
def test_a_session_deals_nothing_to_the_dead(
    as_alice: Client, campaign: Any, alices: Any, bobs: Any, system: str, pool: str, each: int
) -> None:
    session = opened(campaign, alices, system)
    nell = comes(session, bobs, "Nell")
    with_nell = held(session, pool)
    marks(as_alice, nell)
    comes(session, bobs, "Runa")
    assert held(session, pool) == with_nell, "what was dealt for her is still there"
    sessions.close_session(campaign=session, actor=alices, op_id=uuid.uuid4())
    sessions.open_session(campaign=session, actor=alices, op_id=uuid.uuid4())
    assert held(session, pool) == with_nell, "one of Bob’s lives"
    assert "Nell" not in Entry.objects.filter(kind="session.open").latest("seq").payload.text
    assert not list(differences(session.pk))


def test_pq_17_a_test_that_still_waits_for_its_dice_is_called_off(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, alices: Any, bobs: Any, ilse: Character
) -> None:
    evening = Evening(campaign, as_alice, as_bob, {"alice": alices, "bob": bobs})
    evening.puts(difficulty="average", simple="on")
    tray = Page(as_bob.get(evening.url(""))).form(action="/roll/")
    assert tray.send(as_bob, **SHIFT).status_code == 302
    assert "it takes a roll" in str(strike(evening)["outcome"])
    assert "Your turn: roll" in bar(as_bob, campaign)
    written = marks(as_alice, ilse)
    assert "Ilse is dead: the test is called off." in written.payload.text
    assert not Contest.objects.filter(over=False).exists() and "roll" not in bar(as_bob, campaign)
    taken_back(campaign, alices, written)
    assert "Your turn: roll" in bar(as_bob, campaign) and not list(differences(campaign.pk))
