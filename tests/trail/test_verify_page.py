"""Checking the chronicle from its page, in steps where it is long; taking it home; the checker itself."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client

import verify
from campaigns.models import Entry
from campaigns.trail import export as exporting
from campaigns.trail import triggers
from campaigns.trail.verifying import check
from campaigns.views import checking
from tests.verifier.conftest import played, renamed, secret

__all__ = ["played", "secret"]

pytestmark = pytest.mark.django_db
PAGE = "/c/the-salt-road/chronicle/verify/"


@pytest.fixture
def in_steps(monkeypatch: pytest.MonkeyPatch) -> int:
    """Three entries a request."""
    monkeypatch.setattr(checking, "check", lambda campaign, progress: check(campaign, progress, 3))
    return 3


def words(answer: Any) -> str:
    """What a page says, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_looking_checks_nothing(as_bob: Client, secret: Any) -> None:
    page = as_bob.get(PAGE)
    assert page.context["progress"] is None
    assert f"Check all {secret.head_seq} entries" in words(page)
    assert "sound" not in words(page)


def test_a_short_one_is_checked_at_once(as_bob: Client, secret: Any) -> None:
    page = as_bob.post(PAGE)
    said = words(page)
    assert f"The chronicle is sound: {secret.head_seq} entries." in said
    assert "5 rolls worked out again from their secrets; 1 of them without a browser's share" in said
    assert "5 outcomes resolved anew" in said
    assert secret.head_hash in said


def test_a_long_one_is_checked_in_steps(as_bob: Client, secret: Any, in_steps: int) -> None:
    seen, sent = [], {}
    for _ in range(secret.head_seq):
        page = as_bob.post(PAGE, sent)
        sent = {"on": "1"}
        seen.append(page.context["progress"].seq)
        if page.context["progress"].over:
            break
        assert f"{seen[-1]} of {secret.head_seq} entries are sound so far." in words(page)
        assert f'<progress max="{secret.head_seq}" value="{seen[-1]}">' in page.content.decode()
        assert "The chronicle is sound" not in words(page)
    steps = list(range(in_steps, secret.head_seq, in_steps))
    assert seen == [*steps, secret.head_seq]
    assert len(seen) > 2
    assert f"The chronicle is sound: {secret.head_seq} entries." in words(page)
    assert "5 rolls worked out again" in words(page)


def test_going_on_needs_a_start(as_bob: Client, secret: Any, in_steps: int) -> None:
    """A page that was kept since yesterday goes on from the beginning, and never claims what was not looked at."""
    assert as_bob.post(PAGE, {"on": "1"}).context["progress"].seq == in_steps
    assert as_bob.post(PAGE).context["progress"].seq == in_steps, "A new check begins at the beginning."


def test_everybody_has_a_progress_of_their_own(
    as_alice: Client, as_bob: Client, secret: Any, in_steps: int
) -> None:
    as_bob.post(PAGE)
    as_alice.post(PAGE)
    assert as_bob.post(PAGE, {"on": "1"}).context["progress"].seq == 2 * in_steps
    assert as_alice.post(PAGE, {"on": "1"}).context["progress"].seq == 2 * in_steps


def test_what_is_written_meanwhile_does_not_hold_it_up(
    as_bob: Client, secret: Any, alices: Any, in_steps: int
) -> None:
    as_bob.post(PAGE)
    renamed(secret, alices, "Later")
    for _ in range(secret.head_seq):
        page = as_bob.post(PAGE, {"on": "1"})
        if page.context["progress"].over:
            break
    assert f"The chronicle is sound: {secret.head_seq} entries." in words(page)


def test_a_fault_is_said_and_ends_it(as_bob: Client, secret: Any, in_steps: int) -> None:
    triggers.uninstall(connection)
    Entry.objects.filter(campaign=secret, seq=5).update(hash="0" * 64)
    triggers.install(connection)
    assert as_bob.post(PAGE).context["progress"].fault == ""
    page = as_bob.post(PAGE, {"on": "1"})
    assert "The chronicle is broken. Entry 5: its envelope does not have the hash" in words(page)
    assert "Go on" not in words(page)
    assert "Whisper" not in words(page)
    assert "Entry 5" in words(as_bob.post(PAGE, {"on": "1"})), "Going on does not skip it."


def test_the_fragment_has_the_form_that_goes_on(as_bob: Client, secret: Any, in_steps: int) -> None:
    html = as_bob.post(PAGE, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in html
    assert 'hx-trigger="load' in html and 'name="on"' in html


def taken_home(client: Client) -> tuple[Any, list[bytes]]:
    """The export's answer, and its lines."""
    answer = client.get("/c/the-salt-road/chronicle/export/")
    return answer, answer.getvalue().splitlines(keepends=True)


def test_the_gm_takes_all_of_it_home(as_alice: Client, secret: Any) -> None:
    answer, lines = taken_home(as_alice)
    assert answer.status_code == 200
    name = f'attachment; filename="the-salt-road-{secret.head_seq}.jsonl"'
    assert answer["Content-Disposition"] == name
    report = verify.verify(lines)
    assert (report.entries, report.head, report.sealed) == (secret.head_seq, secret.head_hash, 0)
    assert "Ilse the Second" in b"".join(lines).decode()


def test_a_player_takes_home_what_is_theirs(as_bob: Client, secret: Any) -> None:
    _, lines = taken_home(as_bob)
    report = verify.verify(lines)
    assert (report.entries, report.head, report.sealed) == (secret.head_seq, secret.head_hash, 2)
    assert "Ilse the Second" not in b"".join(lines).decode()


def test_a_long_one_comes_whole(as_bob: Client, secret: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, whole = taken_home(as_bob)
    monkeypatch.setattr(exporting, "CHUNK", 4)
    assert taken_home(as_bob)[1] == whole
    assert len(whole) == secret.head_seq + 1


def test_strangers_take_nothing_home(as_charlie: Client, anonymous: Client, secret: Any) -> None:
    assert as_charlie.get("/c/the-salt-road/chronicle/export/").status_code == 404
    assert as_charlie.post(PAGE).status_code == 404
    assert anonymous.get("/c/the-salt-road/chronicle/export/").status_code == 302


def test_the_checker_is_the_file_in_the_house(anonymous: Client) -> None:
    answer = anonymous.get("/verify.py")
    assert answer.getvalue() == Path(verify.__file__).read_bytes()
    assert 'filename="verify.py"' in answer["Content-Disposition"]


def test_the_command_on_the_page_is_one_that_works(as_bob: Client, secret: Any, tmp_path: Path) -> None:
    """Whoever copies the line and has both files has a check."""
    told = re.search(r"python3 verify\.py (\S+)( --head (\S+))?", words(as_bob.get(PAGE)))
    assert told
    assert told[1] == f"the-salt-road-{secret.head_seq}.jsonl"
    (tmp_path / told[1]).write_bytes(b"".join(taken_home(as_bob)[1]))
    arguments = [str(tmp_path / told[1]), *(("--head", told[3]) if told[2] else ())]
    assert verify.main(arguments) == verify.SOUND
