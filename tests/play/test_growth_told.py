"""A session's end says what it made of each number: what it was, and what it became; in each game that has one."""
from __future__ import annotations

import uuid

import pytest

from campaigns import trail
from characters.models import Pool
from play.models import Session
from rules.registry import SYSTEMS
from tests.browser import moments
from tests.html_forms import Page
from tests.play.test_story_cards import seated
from tests.play.test_ways_back import of_player

pytestmark = pytest.mark.django_db
GROWING = sorted(name for name, system in SYSTEMS.items() if system.has_tray)


@pytest.mark.parametrize("system", GROWING)
def test_a_sessions_end_shows_each_number_before_and_after(system: str) -> None:
    laid = moments.table(system)
    campaign, clients = seated(laid)
    gm = campaign.members.get(user__username__startswith="Alice")
    who = of_player(campaign, "Bob")
    kinds = {kind.name: kind for kind in campaign.rules.sheet.pools if kind.sheets != "none" and not kind.of_scene}
    assert kinds
    for value in (8, 9, 10):  # what was in between is not told
        with trail.entry(campaign=campaign, actor=gm, op_id=uuid.uuid4(), kind="test", title="It grows") as entry:
            for name in kinds:
                if pool := Pool.objects.filter(character=who, name=name).first():
                    entry.change(entry.locked(Pool, pk=pool.pk), value=value)
                else:
                    entry.create(Pool(campaign=entry.campaign, character=who, name=name, value=value))
        campaign.refresh_from_db()
    session = Session.objects.get(campaign=campaign)
    assert Page(clients["Alice"].get(f"{laid['address']}chronicle/close/")).form(action="/close/").send(
        clients["Alice"]).status_code == 302
    page = clients["Bob"].get(f"/c/{campaign.slug}/chronicle/{session.pk}/ended/").content.decode()
    told = page.partition('class="moved"')[2].partition("</section>")[0]
    for name, kind in kinds.items():
        # Style dice that are left go back as a session ends, with what that gives.
        assert f"<b>10</b></span> {kind.label.lower()}" in told or name == "style_dice", (name, told)
    assert ">9" not in told
