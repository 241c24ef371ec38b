"""Checking the Ledger from its page, in steps, and taking it home."""
from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

import verify
from campaigns import trail
from campaigns.models import Entry
from campaigns.trail import triggers
from campaigns.views import checking
from characters.models import Character

pytestmark = pytest.mark.django_db

STEP = 5
HTMX = {"HX-Request": "true"}


@pytest.fixture
def long(campaign: Any, alices: Any, ilse: Character, whisper: Character, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A chain that takes three steps and a bit."""
    monkeypatch.setattr(checking, "CHUNK", STEP)
    while campaign.head_seq < 3 * STEP + 2:
        with trail.entry(
            campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="character.edit", title="A new name"
        ) as entry:
            entry.change(ilse, name=f"Ilse {campaign.head_seq}")
        campaign.refresh_from_db()
    return campaign


def page(campaign: Any) -> str:
    return f"/c/{campaign.slug}/ledger/verify/"


def test_a_long_chain_is_checked_in_steps(as_bob: Client, long: Any) -> None:
    assert "progress" not in as_bob.get(page(long)).content.decode()
    answer, seen = as_bob.post(page(long), headers=HTMX), []
    for _ in range(10):
        html, progress = answer.content.decode(), answer.context["progress"]
        if progress.over:
            break
        seen.append(progress.seq)
        assert f'<progress max="{long.head_seq}" value="{progress.seq}">' in html
        assert f"{progress.seq} of {long.head_seq} entries are sound so far." in html
        assert 'hx-trigger="load, submit"' in html, "Nothing would go on by itself."
        answer = as_bob.post(page(long), {"on": "1"}, headers=HTMX)
    assert seen == [STEP, 2 * STEP, 3 * STEP]
    assert f"The Ledger is sound: {long.head_seq} entries." in html
    assert long.head_hash in html


def test_without_javascript_one_goes_on_by_a_button(as_bob: Client, long: Any) -> None:
    answer = as_bob.post(page(long))
    for _ in range(3):
        html = answer.content.decode()
        assert "<html" in html and "<button>Continue verifying</button>" in html
        assert '<input type="hidden" name="on" value="1">' in html
        answer = as_bob.post(page(long), {"on": "1"})
    html = answer.content.decode()
    assert "The Ledger is sound" in html and "Continue verifying" not in html


def test_a_check_begins_anew_when_asked_to(as_bob: Client, long: Any) -> None:
    as_bob.post(page(long))
    assert as_bob.post(page(long)).context["progress"].seq == STEP
    assert as_bob.post(page(long), {"on": "1"}).context["progress"].seq == 2 * STEP


def test_to_go_on_with_nothing_begun_begins(as_bob: Client, long: Any, bobs: Any) -> None:
    assert as_bob.post(page(long), {"on": "1"}).context["progress"].seq == STEP


def test_two_people_check_without_disturbing_each_other(as_alice: Client, as_bob: Client, long: Any) -> None:
    as_alice.post(page(long))
    as_alice.post(page(long), {"on": "1"})
    assert as_bob.post(page(long)).context["progress"].seq == STEP
    assert as_alice.post(page(long), {"on": "1"}).context["progress"].seq == 3 * STEP


@pytest.fixture
def at_the_prompt() -> Iterator[Any]:
    """Somebody with the database in their hands, who takes the triggers off first."""

    def run(statement: str, *parameters: Any) -> None:
        triggers.uninstall(connection)
        try:
            with connection.cursor() as cursor:
                cursor.execute(statement, parameters)
        finally:
            triggers.install(connection)

    yield run


def verdict(client: Client, campaign: Any) -> str:
    answer = client.post(page(campaign))
    while not answer.context["progress"].over:
        answer = client.post(page(campaign), {"on": "1"})
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize(("statement", "said"), [
    ("UPDATE campaigns_payload SET text = REPLACE(text, 'A new name', 'An old name') WHERE entry_id = %s",
     "its row or its payload is not what its envelope was made with"),
    ("UPDATE campaigns_entry SET actor_id = NULL WHERE id = %s",
     "its row or its payload is not what its envelope was made with"),
    ("UPDATE campaigns_entry SET hash = prev WHERE id = %s", "does not have the hash that is written beside it"),
    ("DELETE FROM campaigns_payload WHERE entry_id = %s", "its payload is gone"),
])
def test_a_broken_chain_is_said_with_the_entry_where_it_breaks(
    as_bob: Client, long: Any, at_the_prompt: Any, statement: str, said: str
) -> None:
    assert "The Ledger is sound" in verdict(as_bob, long)
    target = Entry.objects.get(campaign=long, seq=2 * STEP + 1)
    at_the_prompt(statement, target.pk.hex if connection.vendor == "sqlite" else str(target.pk))
    html = verdict(as_bob, long)
    assert "The Ledger is broken." in html and f"Entry {target.seq}: " in html and said in html
    assert "The Ledger is sound" not in html and "Continue verifying" not in html


def test_what_is_broken_and_sealed_is_said_without_what_it_says(
    as_bob: Client, long: Any, at_the_prompt: Any, whisper: Character
) -> None:
    sealed = Entry.objects.filter(campaign=long, audience="gm").first()
    key = sealed.pk.hex if connection.vendor == "sqlite" else str(sealed.pk)
    at_the_prompt("UPDATE campaigns_payload SET text = REPLACE(text, 'Whisper', 'Murmur') WHERE entry_id = %s", key)
    html = verdict(as_bob, long)
    assert f"Entry {sealed.seq}: " in html
    assert "Whisper" not in html and "Murmur" not in html and "character.create" not in html


def taken_home(client: Client, campaign: Any) -> tuple[Any, list[bytes]]:
    answer = client.get(f"/c/{campaign.slug}/ledger/export/")
    assert answer.status_code == 200
    return answer, b"".join(answer.streaming_content).splitlines(keepends=True)


def test_the_gm_takes_everything_home(as_alice: Client, long: Any) -> None:
    answer, lines = taken_home(as_alice, long)
    assert answer["Content-Disposition"] == f'attachment; filename="{long.slug}-{long.head_seq}.jsonl"'
    assert answer["Content-Type"] == "application/jsonl; charset=utf-8"
    report = verify.verify(lines, kept=long.head_hash)
    assert (report.entries, report.sealed, report.name) == (long.head_seq, 0, "The Salt Road")
    assert b"Whisper" in b"".join(lines)


def test_a_player_takes_home_what_is_theirs_and_it_checks_all_the_same(as_bob: Client, long: Any) -> None:
    _, lines = taken_home(as_bob, long)
    report = verify.verify(lines, kept=long.head_hash)
    assert (report.entries, report.sealed) == (long.head_seq, 1)
    assert b"Whisper" not in b"".join(lines)
    hidden = [row for row in map(json.loads, lines[1:]) if row["payload"] is None]
    assert [row["salt"] for row in hidden] == [None], "With its salt, a sealed payload can be guessed at."


def test_the_page_says_how_to_check_at_home(as_bob: Client, long: Any, bobs: Any) -> None:
    html = as_bob.get(page(long)).content.decode()
    assert f"python3 verify.py {long.slug}-{long.head_seq}.jsonl" in html
    assert 'href="/verify.py"' in html and f'href="/c/{long.slug}/ledger/export/"' in html


def test_the_document_calls_things_as_the_pages_do(as_bob: Client, long: Any, bobs: Any) -> None:
    """What it says to press is there, and its file is called as the export is."""
    document = (Path(settings.BASE_DIR) / "docs" / "verification.md").read_text()
    pages = "".join(as_bob.get(f"/c/{long.slug}/ledger/{path}").content.decode() for path in (
        "", "verify/", "receipts/"))
    for label in re.findall(r"\*([A-Z][^*]+)\*", document):
        assert label in pages, f"no page says {label}"
    assert not re.search(r"\b(trail|chronicle|share)\b", document, re.IGNORECASE), "what pages call otherwise"
    named = as_bob.get(f"/c/{long.slug}/ledger/export/")["Content-Disposition"]
    assert re.search(r'"[\w-]+-\d+\.jsonl"', named) and re.search(r"verify\.py [\w-]+-\d+\.jsonl", document)


def test_the_checker_is_the_file_itself(anonymous: Client) -> None:
    answer = anonymous.get("/verify.py")
    assert b"".join(answer.streaming_content) == (Path(settings.BASE_DIR) / "verify.py").read_bytes()
    assert answer["Content-Disposition"] == 'attachment; filename="verify.py"'
