"""Which tests meet nothing that others don't meet too? Writes anew what the gate leaves to `make torture` for that.

    python -m bench.overlap [--again]

Runs what the gate runs on SQLite, and what it leaves for this, a third slower than usual, and notes which branches of
the apps each test takes. Then, the dearest first, a test of `PLAY` is left where each branch that it takes is taken
by `OTHERS` more of those that stay, in whatever folder. Not left are what is quick, the last test of a rule by its id,
and what is of `WHOLE`. What a test starts in another process is not seen, so that one with few branches stays as well.
`--again` chooses from what was noted before.

`python -m bench.mutants` tells afterwards how many breaks are still seen.
"""
from __future__ import annotations

import argparse
import json
import os
import re
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.gate import MET

ROOT = Path(__file__).resolve().parent.parent
NOTED = ROOT / "build" / "overlap"
APPS = ("accounts", "campaigns", "characters", "jobs", "news", "play", "rules", "schedule")
OTHERS = 2
QUICK = 0.1  # seconds of a test, as long as branches are noted
FEW = 200  # branches
# Tests that may be left, and the words of those that say who may see or do what, or how much is asked of the database,
# ask each procedure by its pages, or hold what is against what was recorded.
PLAY = "tests/play/"
WHOLE = re.compile(
    r"alone|as_many|as_much|asks?_no_more|byte|by_the_page|costs_the_same|faces|forge|hidden|may_know|named_things|never|"
    r"nobody|only_the|only_who|players_learn|private|quer|recorded|refus|screen|seal|secret|sight|stays_with|stranger|"
    r"_the_gms$|to_whom|view_as|whose_word|worked_out")
ID = re.compile(r"(?:^|_)((?:qw|ps|pq|pn|dw)_[a-z]?\d+)")
Branch = tuple[int, int, int]  # a file, and the lines from which and to which it goes


class Seconds:
    """How long each test takes, with what is done before and after it."""

    def __init__(self) -> None:
        self.of: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """As pytest tells of each of the three."""
        self.of[report.nodeid] += report.duration


def note() -> None:
    """Runs the tests, and puts down what each took and how long it was; ends here where one fails."""
    NOTED.mkdir(parents=True, exist_ok=True)
    os.environ |= {"DATABASE_URL": "sqlite://:memory:", "COVERAGE_FILE": str(NOTED / "branches"), "OVERLAP": "1"}
    seconds = Seconds()
    failed = pytest.main(
        ["-n2", *(f"--cov={app}" for app in APPS), "--cov-branch", "--cov-context=test", "--cov-report="], [seconds])
    (NOTED / "seconds.json").write_text(json.dumps(seconds.of))
    if failed:
        sys.exit("A choice among tests that fail would be none. Where they fail for this alone, go on with --again.")


def branches_taken() -> dict[str, set[Branch]]:
    """Those that each test takes, by its id."""
    taken: dict[str, set[Branch]] = defaultdict(set)
    with sqlite3.connect(NOTED / "branches") as noted:
        tests = dict(noted.execute("SELECT id, context FROM context WHERE context != ''"))
        for file, context, start, end in noted.execute("SELECT file_id, context_id, fromno, tono FROM arc"):
            if context in tests:  # a context is `test|run`, or `test|setup`
                taken[tests[context].rpartition("|")[0]].add((file, start, end))
    return taken


def rules_of(test: str) -> list[str]:
    """The rules that a test of play is named after."""
    return [] if not test.startswith(PLAY) else ID.findall(test.partition("[")[0].rpartition("::")[2])


def may_be_left(test: str) -> bool:
    """Not the rules, where two tests of one branch may be of two numbers, nor what keeps anything from anybody."""
    return test.startswith(PLAY) and not WHOLE.search(test.partition("[")[0])


def left(taken: Mapping[str, set[Branch]], seconds: Mapping[str, float]) -> list[str]:
    """Those tests that others make up for, each with its parameters."""
    takers = Counter(branch for branches in taken.values() for branch in branches)
    stay = Counter(rule for test in taken for rule in rules_of(test))
    chosen = []
    for test in sorted(taken, key=lambda test: (-seconds.get(test, 0), test)):
        branches, rules = taken[test], rules_of(test)
        if seconds.get(test, 0) < QUICK or len(branches) < FEW or not may_be_left(test):
            continue
        if all(stay[rule] > 1 for rule in rules) and all(takers[branch] > OTHERS for branch in branches):
            chosen.append(test)
            takers.subtract(branches)
            stay.subtract(rules)
    saved = sum(seconds[test] for test in chosen)
    print(f"{len(chosen)} of {len(taken)} are left: {saved:.0f} of {sum(seconds.values()):.0f} seconds.")
    return sorted(chosen)


def main() -> int:
    """Notes, chooses, and writes the list."""
    parser = argparse.ArgumentParser(description="Chooses what the gate leaves, as other tests of it meet the same.")
    parser.add_argument("--again", action="store_true")
    if not parser.parse_args().again:
        note()
    tests = left(branches_taken(), json.loads((NOTED / "seconds.json").read_text()))
    MET.write_text("".join(f"{test}\n" for test in tests))
    return 0


if __name__ == "__main__":
    sys.exit(main())
