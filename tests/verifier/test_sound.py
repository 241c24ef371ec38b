"""Exports that are whole, and what the command says of them."""
from __future__ import annotations

import json
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

import verify
from campaigns.services.undoing import reveal
from campaigns.trail import export as exporting
from tests.verifier.conftest import exported, renamed

ROOT = Path(verify.__file__).parent
RULES = verify.house_rules(ROOT)


def command(tmp_path: Path, lines: list[bytes], *arguments: str) -> tuple[int, str]:
    """Runs `verify.py` as a person would: a Python with nothing installed, and the file alone in its folder."""
    alone = tmp_path / "alone"
    alone.mkdir(exist_ok=True)
    (alone / "verify.py").write_bytes((ROOT / "verify.py").read_bytes())
    (alone / "trail.jsonl").write_bytes(b"".join(lines))
    run = subprocess.run(
        [sys.executable, "-I", "-S", "verify.py", "trail.jsonl", *arguments], cwd=alone, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
    )
    return run.returncode, run.stdout


def test_a_whole_trail_is_sound(played: Any, bobs: Any) -> None:
    report = verify.verify(exported(played, bobs), rules=RULES)
    assert (report.entries, report.sealed, report.rolls, report.unwitnessed) == (played.head_seq, 0, 3, 1)
    assert (report.outcomes, report.unknown_outcomes) == (3, 0)
    assert (report.followed, report.head, report.name) == (played.head_seq, played.head_hash, "The Salt Road")


def test_the_command_needs_nothing_but_python(played: Any, bobs: Any, tmp_path: Path) -> None:
    status, said = command(tmp_path, exported(played, bobs))
    assert status == 0, said
    assert f"Head to keep: {played.head_hash}" in said
    assert "not worked out again" in said


def test_the_command_works_outcomes_out_with_the_rules(played: Any, bobs: Any, tmp_path: Path) -> None:
    status, said = command(tmp_path, exported(played, bobs), "--rules", str(ROOT))
    assert status == 0, said
    assert "Outcomes: 3 worked out again" in said


def test_secrets_stay_sealed_in_a_players_export(secret: Any, bobs: Any, alices: Any) -> None:
    lines = exported(secret, bobs)
    report = verify.verify(lines, rules=RULES)
    assert (report.entries, report.sealed, report.rolls, report.sealed_rolls) == (secret.head_seq, 2, 4, 1)
    assert b"Ilse the Second" not in b"".join(lines)
    hidden = [json.loads(line) for line in lines[-3:-1]]
    assert all(row["salt"] is None and row["payload"] is None for row in hidden)
    whole = verify.verify(exported(secret, alices), rules=RULES)
    assert (whole.sealed, whole.rolls, whole.sealed_rolls) == (0, 5, 0)


def test_a_revealed_entry_opens_in_a_players_export(secret: Any, bobs: Any, alices: Any) -> None:
    entry = secret.entries.get(seq=secret.head_seq - 2)
    reveal(campaign=secret, actor=alices, op_id=uuid.uuid4(), seq=entry.seq)
    report = verify.verify(exported(secret, bobs), rules=RULES)
    assert (report.sealed, report.sealed_rolls, report.rolls) == (1, 0, 5)


def test_a_kept_head(played: Any, bobs: Any, tmp_path: Path) -> None:
    kept = played.head_hash
    renamed(played, bobs, "Ilse again")
    assert command(tmp_path, exported(played, bobs), "--head", kept)[0] == 0
    assert command(tmp_path, exported(played, bobs), "--head", kept.upper())[0] == 0
    status, said = command(tmp_path, exported(played, bobs), "--head", "0" * 64)
    assert status == 3
    assert "Departs" in said


def test_a_file_that_is_no_trail(tmp_path: Path) -> None:
    assert command(tmp_path, [])[0] == 2
    assert command(tmp_path, [b"Dear diary\n"])[0] == 2
    assert command(tmp_path, [b"[" * 100_000 + b"\n"])[0] == 2
    assert command(tmp_path, [b"\xff\xfe\n"])[0] == 2


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_an_export_of_several_chunks_is_the_same(
    played: Any, bobs: Any, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a chunk holds: no entry is left out between two of them, and none comes twice."""
    whole = exported(played, bobs)
    assert played.head_seq > size and len(whole) == played.head_seq + 1
    monkeypatch.setattr(exporting, "CHUNK", size)
    assert exported(played, bobs) == whole
    assert verify.verify(exported(played, bobs), rules=RULES).entries == played.head_seq


@pytest.mark.parametrize("size", [1, 3, 500])
def test_an_export_takes_one_query_for_each_chunk(played: Any, bobs: Any, size: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(exporting, "CHUNK", size)
    whole = exported(played, bobs)
    with CaptureQueriesContext(connection) as queries:
        assert exported(played, bobs) == whole
    assert len(queries) == 1 + -(-played.head_seq // size)
