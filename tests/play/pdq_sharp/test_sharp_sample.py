"""The sample campaign of PDQ#: whatever the dice said, it holds what it is meant to show (`manage.py sample`)."""
from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

import verify
from campaigns.models import Campaign, Entry
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest, PendingAllocation, PoolTransfer, Session
from tests.play.conftest import state_of
from tests.play.test_sample_command import passwords, sample
from tests.verifier.conftest import exported
from tests.verifier.test_on_the_server import through
from tests.verifier.test_sound import RULES

pytestmark = pytest.mark.django_db


def test_the_sample_of_the_game_is_played_beside_what_is_there() -> None:
    sample()
    call_command("sample", "pdq_sharp", stdout=(said := StringIO()))
    table = Campaign.objects.get(system="pdq_sharp")
    logins = passwords(said.getvalue())
    assert len(logins) == 3 and set(logins) == {member.user.username for member in table.members.all()}
    for name, password in logins.items():
        browser = Client()
        assert browser.post("/log-in/", {"username": name, "password": password}).status_code == 302
        assert browser.get(f"/c/{table.slug}/").status_code == 200
    assert "plays Perpetua Vane" in said.getvalue() and "There is a campaign already" in sample()


def test_an_evening_with_style_dice_challenges_and_a_duel() -> None:
    call_command("sample", "pdq_sharp", stdout=StringIO())
    table = Campaign.objects.get()
    assert not list(differences(table.pk)) and not through(table).fault
    report = verify.verify(exported(table, table.members.get(role="owner")), rules=RULES)
    assert report.outcomes > 3, "challenges and clashes can be worked out again"
    duel = Contest.objects.select_related("campaign").prefetch_related("log").get(kind="pdq_sharp.duel")
    state = state_of(duel)
    assert duel.over and state.over and 1 <= state.turn <= 4 and len(state.fencers) == 4
    assert state.turn < 2 or Entry.objects.filter(kind="contest.impasse").exists()
    assert {"Showed up", "Hosted", "Indeed, good form", "The session ends"} <= {
        pool_transfer.why for pool_transfer in PoolTransfer.objects.all()}
    assert Entry.objects.filter(kind="contest.chip_in").exists() and Entry.objects.filter(kind="contest.take").exists()
    first, second = Session.objects.order_by("number")
    assert first.closed and first.recap and not second.closed and table.scene_id
    assert not PendingAllocation.objects.filter(settled=False).exists()
    for character in Character.objects.filter(npc=False):
        drafts = next(ready.traits for ready in table.rules.sheet.ready_made if ready.name == character.name)
        assert table.rules.sheet.budget(drafts, table.settings).settled
        assert character.traits.exclude(kind="hook").count() >= len(drafts)
