"""What the gate leaves to `make torture`: `tests/effort.py` says how that is chosen."""
from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

import pytest

from tests.effort import ALL, asked

# Whose parameters are all asked, though they are games, as what comes of it is each one's own; but on SQLite alone.
every = pytest.mark.every
RULES = Path(__file__).parent / "rules"  # ask no database, and each game refuses what is its own
ON_SQLITE = not os.environ.get("DATABASE_URL", "").startswith("postgres")
# What others of the gate make up for, as they take the same branches: written by `python -m bench.overlap`, which asks
# it. On SQLite alone, where the others are.
MET = Path(__file__).with_name("met_elsewhere.txt")
# What other tests of the gate meet too, by another door; or what is long beside how seldom it breaks.
seldom = pytest.mark.skipif(not ALL, reason="left to `make torture`")


def met_elsewhere() -> set[str]:
    """The ids of those tests that others make up for, where these are left."""
    return set(MET.read_text().splitlines()) if ON_SQLITE and not (ALL or os.environ.get("OVERLAP")) else set()


def thinned(tests: list[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests that the gate runs, and those that it leaves."""
    cases: dict[tuple[str, str], list[pytest.Function]] = defaultdict(list)
    for test in tests:
        whole = RULES in test.path.parents or (test.get_closest_marker("every") and ON_SQLITE)
        if isinstance(test, pytest.Function) and hasattr(test, "callspec") and not whole:
            cases[str(test.path), test.originalname].append(test)
    met = met_elsewhere()
    left = {test for test in tests if test.nodeid in met}
    for (_, name), of_one in cases.items():
        taken = asked(name, [test.callspec.id for test in of_one])
        left |= {test for test in of_one if test.callspec.id not in taken}
    return [test for test in tests if test not in left], [test for test in tests if test in left]
