"""The sample campaign: everything that it is meant to show is there, whatever the dice said."""
from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import User
from campaigns.access import Viewer
from campaigns.models import Campaign, Entry, Member, Role
from campaigns.trail.export import export
from campaigns.trail.rebuild import differences
from campaigns.trail.verifying import Progress, check
from characters.models import Character, GMNote
from characters.models import Trait as TraitRow
from play.models import Contest, PendingAllocation, PendingModifier, Presence, Scene, Session
from play.sample.fight import Ending
from play.sample.recap import Evening, dawn, recap
from play.sample.story import NPCS, PLAYED
from play.sample.table import spread_bluntly, spread_gently
from play.sample.words import OURS, THEIRS
from rules.sheet import Sheet, Trait
from tests.play.conftest import state_of
from tests.play.test_sample_command import passwords, sample

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def said(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """What the command says, made once for all tests here and taken back after them."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield sample()
        transaction.set_rollback(True)


@pytest.fixture
def table(said: str) -> Campaign:
    """The sample."""
    return Campaign.objects.get()


def kinds() -> list[str]:
    return list(Entry.objects.order_by("seq").values_list("kind", flat=True))


def payload(entry: Entry) -> dict[str, Any]:
    return dict(json.loads(entry.payload.text))


def test_the_passwords_that_are_told_log_in(said: str, table: Campaign) -> None:
    known = passwords(said)
    assert set(known) == {member.user.username for member in table.members.all()} and len(known) == 2
    for name, password in known.items():
        browser = Client()
        answer = browser.post("/log-in/", {"username": name, "password": password})
        assert answer.status_code == 302
        assert browser.get(f"/c/{table.slug}/").status_code == 200
        assert not Entry.objects.filter(payload__text__contains=password).exists()


def test_a_second_run_does_nothing(said: str, table: Campaign) -> None:
    again = sample()
    assert "There is a campaign already" in again and not passwords(again)
    assert (Campaign.objects.count(), User.objects.count(), Entry.objects.count()) == (1, 2, table.head_seq)


def test_the_trail_is_sound(table: Campaign) -> None:
    progress = Progress()
    while not progress.over:
        progress = check(table, progress)
    assert (progress.fault, progress.seq) == ("", table.head_seq)
    assert progress.rolls > 15 and progress.outcomes > 0
    assert not list(differences(table.pk))


@pytest.mark.parametrize("role", [Role.OWNER, Role.PLAYER])
def test_the_verifier_accepts_both_exports(table: Campaign, tmp_path: Path, role: Role) -> None:
    member = Member.objects.select_related("campaign").get(role=role)
    file = tmp_path / "trail.jsonl"
    file.write_text("".join(export(Viewer(table, member))))
    checked = subprocess.run([sys.executable, ROOT / "verify.py", file], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_who_is_in_the_story(table: Campaign) -> None:
    played = Character.objects.filter(npc=False)
    assert {character.name for character in played} == {person.name for person in PLAYED}
    assert all(len(character.story.split("\n\n")) == 2 and character.concept for character in played)
    roles = sorted(character.player.role if character.player else "" for character in played)
    assert roles == ["", "owner", "player", "player"]
    assert set(Character.objects.filter(hidden=True).values_list("name", flat=True)) == {"Mr Pell", "The Ringer"}
    assert Character.objects.filter(npc=True).count() == 7
    assert GMNote.objects.count() == len(PLAYED) + len(NPCS)
    assert not TraitRow.objects.filter(character__npc=False, note="").exists()


def test_the_first_session_is_told_and_over(table: Campaign) -> None:
    first, second = Session.objects.order_by("number")
    assert first.closed and first.recap.count("\n\n") == 2
    assert [scene.danger for scene in first.scenes.order_by("number")] == ["continuing", "momentary"]
    assert not second.closed and table.session_id == second.pk


def test_rolls_of_every_kind(table: Campaign) -> None:
    rolls = [payload(entry) for entry in Entry.objects.filter(kind="contest.tray").select_related("payload")]
    tests = [dice["given"] for roll in rolls for dice in roll["outcome"]["rolls"]]
    assert any(len(test.get("team", ())) > 1 for test in tests) and any(test.get("whose") for test in tests)
    assert any(line["kind"] == "badass" and line["reason"] for test in tests for line in test.get("lines", ()))
    assert any(roll["outcome"]["result"].get("damage") for roll in rolls)
    assert any(roll["outcome"]["result"].get("automatic") for roll in rolls)
    assert Entry.objects.filter(kind="pdq.test", audience="gm", revelation=None).count() == 1
    shown = Entry.objects.filter(kind="pdq.test", audience="gm").exclude(revelation=None)
    assert [payload(entry)["move"]["who"] for entry in shown] == ["Marten Creel"]
    assert {"undo", "due.place", "pdq.recovery", "character.grow", "character.show"} <= set(kinds())


def test_the_conflict_goes_to_its_end(table: Campaign) -> None:
    contest = Contest.objects.select_related("campaign").prefetch_related("log").get(kind="pdq.conflict")
    state = state_of(contest)
    assert contest.over and state.over and 2 <= state.round <= 5
    assert any(contestant.out for contestant in state.contestants)
    events = [json.loads(contest_event.text) for contest_event in contest.log.order_by("number")]
    names = {event["event"] for event in events}
    assert {"attacked", "defended", "struck", "suffered", "took_on_the_chin", "held", "pledged", "granted"} <= names
    strategies = {event["strategy"] for event in events if event["event"] in ("attacked", "acted")}
    assert {"flip_out", "cagey"} <= strategies
    assert any(event["words"] for event in events if event["event"] == "defended")


def test_a_newcomer_can_roll_at_once(said: str, table: Campaign) -> None:
    assert Scene.objects.get(pk=table.scene_id).closed is None
    here = Presence.objects.filter(scene_id=table.scene_id)
    assert {presence.character.name for presence in here} >= {person.name for person in PLAYED}
    assert PendingModifier.objects.filter(used=False).count() == 1
    assert not PendingAllocation.objects.filter(settled=False).exists()
    assert not TraitRow.objects.filter(damage__gt=0).exists()
    player = table.members.get(role=Role.PLAYER)
    browser = Client()
    browser.force_login(player.user, backend="django.contrib.auth.backends.ModelBackend")
    form = browser.get(f"/c/{table.slug}/").context["tray"]
    sent = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    sent["shown"] = form.token
    answer = browser.post(f"/c/{table.slug}/roll/", {k: v for k, v in sent.items() if v not in (None, False, "")})
    assert answer.status_code == 302
    # After a roll the site may publish its next dice secrets.
    assert Entry.objects.exclude(kind="dice.commit").latest("seq").kind == "contest.tray"


@pytest.mark.parametrize("winner", [OURS, THEIRS, ""])
@pytest.mark.parametrize("luck", [True, False])
def test_every_ending_can_be_told(winner: str, luck: bool) -> None:
    ending = Ending(winner, ("dunn",), 3)
    evening = Evening(("Ivo Lund",) if luck else (), luck, luck, luck, ending, ("Dunn",) if luck else ())
    text = recap(evening) + dawn(ending)
    assert text.count("\n\n") == 2 and "  " not in text and "!" not in text


def test_where_damage_goes() -> None:
    sheet = Sheet("", "", (Trait("a", "strength", "Arms", 2), Trait("b", "strength", "Wits", 1),
                           Trait("c", "weakness", "Proud", -1)))
    assert spread_gently(sheet, 3) == {"a": 2, "b": 1}
    assert spread_gently(sheet, 6) == {"a": 4, "b": 2}  # nothing above Poor is left: the first goes
    assert spread_bluntly(sheet, 5) == {"a": 4, "b": 1}
    assert spread_bluntly(sheet, 99) == spread_gently(sheet, 99) == {"a": 4, "b": 3, "c": 1}
