"""120 lines as people type them: each is understood, or it is said what is not and how to write it."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules import quick_lines
from rules.quick_lines import QuickLine
from rules.registry import SYSTEMS
from tests.games import FINISHED

CORPUS = Path(__file__).with_name("quick_lines.txt")
LINES = re.findall(r"^(\w+) (\w+) < (.+)\n    > (.+)$", CORPUS.read_text(), re.MULTILINE)


def read_back(said: QuickLine) -> str:
    """What a line was understood as, in one line."""
    parts = [f"?{part.words}: {part.unread}" if part.unread else part.reads for part in said.parts]
    asks = [f"? {said.refused}"] if said.refused and not any(part.unread for part in said.parts) else []
    times = [f"{said.count} of them"] if said.count > 1 else []
    return " / ".join(filter(None, [said.name, *parts, *(f"#{tag}" for tag in said.tags), *times, *asks]))


@pytest.mark.parametrize("slug", FINISHED)
def test_every_line_reads_back(slug: str) -> None:
    lines = [(kind, line, back) for game, kind, line, back in LINES if game == slug]
    assert len(LINES) >= 120 and len(lines) >= 20
    for kind, line, back in lines:
        said = quick_lines.read(line, SYSTEMS[slug], kind)
        assert read_back(said) == back, line
        assert said.ready == ("?" not in back.removeprefix(said.name)), line


@pytest.mark.parametrize(("slug", "kind", "line", "part"), [
    ("questworlds", "resistance", "Route 66", "66"), ("pdq", "resistance", "Room 9", "9"),
    ("questworlds", "npc", "Ilse +6 fencing", "+6 fencing"),
])
def test_what_was_taken_from_a_name_goes_back_into_it(slug: str, kind: str, line: str, part: str) -> None:
    assert quick_lines.read(line, SYSTEMS[slug], kind).name != line
    assert quick_lines.read(line, SYSTEMS[slug], kind, without=[part]).name == line
