"""A session's end says what it made of each number: what it was, and what it became; in each game that has one."""
from __future__ import annotations

import re
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
    made = set[uuid.UUID]()
    for value in (8, 9, 10):  # what was in between is not told
        with trail.entry(campaign=campaign, actor=gm, op_id=uuid.uuid4(), kind="test", title="It grows") as entry:
            for name in kinds:
                if pool := Pool.objects.filter(character=who, name=name).first():
                    entry.change(entry.locked(Pool, pk=pool.pk), value=value)
                else:
                    made.add(entry.create(Pool(campaign=entry.campaign, character=who, name=name, value=value)).pk)
        campaign.refresh_from_db()
    session = Session.objects.get(campaign=campaign)
    assert Page(clients["Alice"].get(f"{laid['address']}chronicle/close/")).form(action="/close/").send(
        clients["Alice"]).status_code == 302
    page = clients["Bob"].get(f"/c/{campaign.slug}/chronicle/{session.pk}/ended/").content.decode()
    told = page.partition('class="moved"')[2].partition("</section>")[0]
    for name, kind in kinds.items():
        # Style dice that are left go back as a session ends, with what that gives.
        assert f"<b>10</b></span> {kind.label.lower()}" in told or name == "style_dice", (name, told)
        if name != "style_dice" and Pool.objects.filter(character=who, name=name, pk__in=made).exists():
            from_nothing = rf'notation">0 <(?:(?!notation).)*<b>10</b></span> {kind.label.lower()}'
            assert re.search(from_nothing, told), "before it was there it was 0"
    assert ">9" not in told


@pytest.mark.parametrize("system", ["pdq", "pdq_sharp", "questworlds"])
def test_growth_between_sessions_shows_each_number_before_and_after_on_its_card(system: str) -> None:
    """The price and what rises, as a session’s end shows them: in the story and at the entry."""
    laid = moments.table(system)
    campaign, clients = seated(laid)
    who, address = of_player(campaign, "Bob"), laid["address"]
    pool = {"pdq": "xp", "pdq_sharp": "training_points"}.get(system)
    with trail.entry(campaign=campaign, actor=campaign.members.get(user__username__startswith="Alice"),
                     op_id=uuid.uuid4(), kind="test", title="They learn") as entry:
        if pool and (held := Pool.objects.filter(character=who, name=pool).first()):
            entry.change(entry.locked(Pool, pk=held.pk), value=8)
        elif pool:
            entry.create(Pool(campaign=entry.campaign, character=who, name=pool, value=8))
    assert pool or moments.used_two(address, "Bob")
    assert Page(clients["Alice"].get(f"{address}chronicle/close/")).form(action="/close/").send(
        clients["Alice"]).status_code == 302
    at = f"{address}sheet-actions/{who.pk}/" if system == "questworlds" else f"{address}characters/{who.pk}/grow/"
    page = Page(clients["Bob"].get(at))
    form = page.form(action="/advance/" if system == "questworlds" else "/grow/")
    choices = {} if system == "questworlds" else {
        "choice": next(choice for choice in form.controls["choice"].offered if choice.startswith("raise"))}
    assert form.send(clients["Bob"], **choices).status_code == 302
    campaign.refresh_from_db()
    for page_of in (address, f"{address}ledger/", f"{address}ledger/{campaign.head_seq}/"):
        told = clients["Bob"].get(page_of).content.decode()
        (grown, *_) = [part.partition("</p>")[0] for part in told.split('<p class="aside-note">')[1:] if "→" in part]
        assert re.search(r"\w+ \d+ → \d+", grown) and grown.count("→") >= 2, (page_of, grown)
