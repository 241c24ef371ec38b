"""The disk is full, or broken, at one write after the other: the short form of `python -m tests.clusters.writes`."""
from __future__ import annotations

import pytest

from tests.clusters import writes
from tests.effort import tries

pytestmark = pytest.mark.processes


@pytest.mark.skipif(not writes.compiler(), reason="what lets writes fail is built by a C compiler: apt install gcc")
def test_what_fails_at_any_write_is_told_and_leaves_nothing_half_done() -> None:
    told = writes.play(writes.Tried(tries(36, 1)))
    assert not told["wrong"], "\n".join(told["wrong"])
    acts = {name.partition(",")[0] for name in told["failed"]}
    assert acts == {"a roll", "an upload", "an export", "a backup", "an import"}
