"""The parts of `make torture` are named, begun, and written down, however they end."""
from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.torture import PARTS, Part, chosen, play


def test_each_part_is_written_down_with_its_day_and_its_last_line(tmp_path: Path) -> None:
    results = tmp_path / "torture.md"
    says = "import os; print('begun'); print(os.environ['LONG'], os.environ['DATABASE_URL'])"
    assert play(Part("that goes well", (sys.executable, "-c", says)), results)
    assert not play(Part("that fails", (sys.executable, "-c", "raise SystemExit('It is lost.')")), results)
    assert play(Part("that lacks something", ("nothing",), needs=str(tmp_path / "none")), results)
    lines = results.read_text().splitlines()
    assert [line.split(" · ")[1:2] + line.split(" · ")[3:] for line in lines] == [
        ["that goes well", "well", "1 sqlite://:memory:"], ["that fails", "status 1", "It is lost."],
        ["that lacks something", "left out", f"It needs {tmp_path / 'none'}."]]
    assert (tmp_path / "torture" / "that-goes-well.txt").read_text().startswith("begun")


def test_parts_have_names_of_their_own_and_are_there() -> None:
    assert len({part.name for part in PARTS}) == len(PARTS)
    assert [part.name for part in chosen(["restores on SQLite"])] == ["restores on SQLite"]
    with pytest.raises(SystemExit, match="There is no part 'sleep'"):
        chosen(["sleep"])
    for part in PARTS:
        module = part.command[part.command.index("-m") + 1]
        assert find_spec(module), module
