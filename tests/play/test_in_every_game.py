"""What holds at the table of every game: who has left the story is offered nowhere, and an entry says its rule."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.services.founding import found
from characters.models import Character
from play.models import Presence
from play.services import sessions
from tests.conftest import join
from tests.html_forms import Form, Page
from tests.play.conftest import character
from tests.play.test_behind_the_screen import LINES, put_in_the_way

pytestmark = pytest.mark.django_db



@pytest.fixture(params=[*LINES])
def evening(request: Any, alice: Any, bob: Any) -> Any:
    """A campaign of each game with a scene: Nell and Tam are Bob's, Marrow and Rook nobody's."""
    campaign = found(user=alice, op_id=uuid.uuid4(), name="The pier", system=request.param)
    gm, seat = campaign.members.get(), join(campaign, bob, "player")
    sessions.open_session(campaign=campaign, actor=gm, op_id=uuid.uuid4())
    lines = LINES[campaign.system]
    here = [character(campaign, gm, name, lines, **more) for name, more in (
        ("Nell", {"player": seat}), ("Tam", {"player": seat}), ("Marrow", {"npc": True}), ("Rook", {"npc": True}))]
    sessions.open_scene(campaign=campaign, actor=gm, op_id=uuid.uuid4(), title="The wall",
                        characters=[who.pk for who in here])
    campaign.refresh_from_db()
    put_in_the_way(campaign, gm)
    return campaign


def offered(forms: list[Form]) -> set[str]:
    """All that these forms offer to be chosen, or have chosen already."""
    controls = [control for form in forms for control in form.controls.values()]
    return {value for control in controls for value in (*control.offered, *control.opens)}


def test_who_has_left_the_story_is_offered_no_roll_and_no_place_in_a_contest(
    evening: Any, as_alice: Client, as_bob: Client
) -> None:
    table = f"/c/{evening.slug}/"
    gone = {str(pk) for pk in Character.objects.filter(name__in=("Tam", "Rook")).values_list("pk", flat=True)}
    assert Presence.objects.filter(character__in=gone).count() == 2
    starts = sorted(set(re.findall(rf"{table}contests/start/\w+/", as_alice.get(table).content.decode())))
    assert starts or evening.system == "danger_world"
    before = [offered(Page(as_alice.get(at)).forms) for at in (table, *starts)]
    assert any(gone & values for values in before), "while they are in it"
    Character.objects.filter(name="Tam").update(retired=True)
    Character.objects.filter(name="Rook").update(dead=True)
    for client in (as_alice, as_bob):
        for at in (table, *starts):
            page = Page(client.get(at))
            forms = page.matching(action="/roll/") if at == table else page.forms
            assert not gone & offered(forms), at
    for who in gone:
        tray = Page(as_alice.get(f"{table}?character={who}")).matching(action="/roll/")
        assert all(who not in form.controls["character"].opens for form in tray if "character" in form.controls)


def test_the_entry_of_a_roll_says_its_rule_in_the_list(evening: Any, as_alice: Client) -> None:
    marrow = Character.objects.get(name="Marrow")
    form = Page(as_alice.get(f"/c/{evening.slug}/?character={marrow.pk}")).form(action="/roll/")
    values = {"stats": form.controls["stats"].offered[:2]} if evening.system == "danger_world" else {}
    assert form.send(as_alice, **values).status_code == 302
    newest = re.search(r'<p class="meta">.*', as_alice.get(f"/c/{evening.slug}/ledger/").content.decode())
    assert newest and re.search(r'<span class="rule">(PQ|PS|QW|PN|DW)-\d\d</span>', newest[0])
