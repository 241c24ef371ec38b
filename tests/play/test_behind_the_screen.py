"""Somebody of whom players know nothing rolls behind the screen, by the GM's own tray, in every game."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.services.founding import found
from play.models import Contest, Presence
from play.services import obstacles, sessions, tray
from tests.conftest import join, refusal
from tests.html_forms import Page
from tests.play.conftest import character
from tests.play.rolled import planned

pytestmark = pytest.mark.django_db
LINES = {
    "pdq": [("quality", "Listening", 4)], "pdq_sharp": [("forte", "Listening", 4)],
    "questworlds": [("ability", "Listening", 17)], "pnc": [("feature", "Listening", 3)],
    "danger_world": [("stat", name, 2) for name in ("agility", "perception")],
}
HARD: dict[str, Any] = {"questworlds": {"resistance": "20"}, "danger_world": {"difficulty": "3"}}


def put_in_the_way(campaign: Any, gm: Any) -> None:
    """An obstacle that everybody sees, where a game's rolls need one."""
    if campaign.system in HARD:
        obstacles.put(campaign=campaign, actor=gm, op_id=uuid.uuid4(), name="The thin wall",
                      values=HARD[campaign.system])


def roll_unseen(browser: Client, campaign: Any, gm: Any, name: str) -> Entry:
    """Somebody of this name, of whom players know nothing, rolls in the scene; answers the entry."""
    unseen = character(campaign, gm, name, LINES[campaign.system], npc=True, hidden=True)
    Presence.objects.create(campaign=campaign, scene_id=campaign.scene_id, character=unseen)
    page = Page(browser.get(f"/c/{campaign.slug}/?character={unseen.pk}"))
    form = page.form(action=f"/c/{campaign.slug}/roll/")
    assert form.controls["character"].opens == [str(unseen.pk)]
    values: dict[str, Any] = {}
    if campaign.system == "danger_world":
        values["stats"] = form.controls["stats"].offered[:2]
    answer = form.send(browser, **values)
    assert answer.status_code == 302, Page(answer).errors
    entry = Entry.objects.order_by("seq").last()
    assert entry is not None
    return entry


@pytest.mark.parametrize("system", [*LINES])
def test_a_hidden_npc_rolls_behind_the_screen(as_alice: Client, as_bob: Client, alice: Any, bob: Any, system: str
                                              ) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name="Unseen", system=system)
    gm = campaign.members.get()
    join(campaign, bob, "player")
    by = {"campaign": campaign, "actor": gm}
    sessions.open_session(**by, op_id=uuid.uuid4())
    sessions.open_scene(**by, op_id=uuid.uuid4(), title="The wall", characters=[])
    campaign.refresh_from_db()
    put_in_the_way(campaign, gm)
    before = Contest.objects.count()
    assert roll_unseen(as_alice, campaign, gm, "Vantongeren").audience == "gm"
    assert Contest.objects.count() == before
    for address in ("", "ledger/", "people/"):
        assert "Vantongeren" not in as_bob.get(f"/c/{campaign.slug}/{address}").content.decode()


def test_whose_roll_it_is_is_read_again_under_the_lock(
    campaign: Any, bobs: Any, ilse: Any, marrow: Any, whisper: Any
) -> None:
    def said(whose: Any, hidden: bool = False) -> tuple[str, str]:
        plan = planned(campaign, bobs, whose, hidden=hidden)
        return refusal(tray.roll, campaign=campaign, actor=bobs, client_seed="", planned=plan, again=lambda now: plan)

    assert said(ilse, hidden=True) == ("hidden", "Only the GM can roll behind the screen.")
    assert said(whisper) == ("character", "Choose one of your characters.")
    assert said(marrow) == ("character", "Old Marrow is not yours to roll for.")
