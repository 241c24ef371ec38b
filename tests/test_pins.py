"""What CI says of the pinned versions."""
from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
spec = importlib.util.spec_from_file_location("pins", ROOT / ".ci" / "pins.py")
assert spec
assert spec.loader
pins = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pins)

BLAME = """abc 1 1 1
author Somebody
committer-time 1763683200
\tdjango==5.2.19 \\
abc 2 2 1
committer-time 1763769600
\t    --hash=sha256:ab
"""


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_package_of_ours_is_pinned_with_hashes(name: str) -> None:
    text = (ROOT / name).read_text()
    packages = pins.pins(text)
    assert ("django", "5.2.19") in packages
    blocks = [block for block in text.split("\n") if "==" in block and not block.startswith(" ")]
    assert len(packages) == len(blocks)
    assert text.count("--hash=sha256:") >= len(packages)


def test_a_pin_has_the_date_of_its_commit() -> None:
    assert pins.dates(BLAME) == {("django", "5.2.19"): "2025-11-21"}


def test_what_is_known_is_told_and_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(query: bytes) -> bytes:
        asked = json.loads(query)["queries"]
        return json.dumps({"results": [
            {"vulns": [{"id": "PYSEC-1"}]} if package["package"]["name"] == "django" else {} for package in asked
        ]}).encode()

    monkeypatch.setattr(pins, "_ask", ask)
    said: list[str] = []
    assert pins.main([str(ROOT / "requirements.txt")], said.append) == 1
    assert any(line.startswith("Audit: django 5.2.19: PYSEC-1") for line in said)


@pytest.mark.parametrize("answer", [OSError("unreachable"), b"<html>"])
def test_where_nobody_can_be_asked_it_says_so_and_goes_on(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    def ask(query: bytes) -> bytes:
        if isinstance(answer, Exception):
            raise answer
        return bytes(answer)

    monkeypatch.setattr(pins, "_ask", ask)
    said: list[str] = []
    assert pins.main([str(ROOT / "requirements.txt")], said.append) == 0
    assert said[-1].startswith("Audit: SKIPPED.")
