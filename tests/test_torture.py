"""The parts of `make torture` are named, begun, and written down, however they end; one that is stopped has counted."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.clusters.postgresql import wait_until
from tests.databases import PATIENCE, ROOT
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


PLAYED = """
import subprocess, sys, time
from tests.clusters.rounds import counted, rounds, until_stopped
def play():
    for number in rounds(1000):
        # As a write of the server: cut off, it would fail.
        subprocess.run([sys.executable, "-c", "import time; time.sleep(0.3)"], check=True)
        print(f"round {number}", flush=True)
    print(f"{counted(number, 1000)} rounds, 0 lost", flush=True)
    return True
until_stopped(play)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "Ctrl-C"])
def test_a_run_that_is_stopped_says_what_came_of_it_until_then(number: signal.Signals) -> None:
    command = [sys.executable, "-c", PLAYED]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, process_group=0) as played:
        assert played.stdout and played.stdout.readline() == "round 1\n"
        os.killpg(played.pid, number)
        *_, last = played.stdout.read().splitlines()
    assert played.returncode == 0
    assert last.startswith("stopped early: ") and last.endswith(" of 1,000 rounds, 0 lost")
    assert int(last.split()[2]) < 10


def test_a_part_that_is_stopped_is_written_down_with_its_count(tmp_path: Path) -> None:
    torture = f"""
from pathlib import Path
from tests import torture
torture.RESULTS = Path({str(tmp_path / 'torture.md')!r})
torture.play.__defaults__ = (torture.RESULTS,)
torture.PARTS = (torture.Part("rounds", ({sys.executable!r}, "-c", {PLAYED!r})),)
torture.chosen.__defaults__ = (torture.PARTS,)
raise SystemExit(not torture.main([]))
"""
    with subprocess.Popen([sys.executable, "-c", torture], cwd=ROOT, process_group=0) as running:
        said = tmp_path / "torture" / "rounds.txt"
        wait_until(lambda: said.exists() and "round 1" in said.read_text(), PATIENCE, "the first round")
        running.terminate()
    [line] = (tmp_path / "torture.md").read_text().splitlines()
    assert " · stopped · stopped early: " in line and line.endswith(" of 1,000 rounds, 0 lost")
