"""A census of the events that people at earlier tables made: each is one that its kind of contest knows and folds."""
from __future__ import annotations

import json
import lzma
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.registry import SYSTEMS

HERE = Path(__file__).resolve().parent
FILES = sorted(path.name for path in HERE.glob("*.xz"))
PROCEDURES = {procedure.name: procedure for system in SYSTEMS.values() for procedure in system.procedures}
CENSUS = {name: set(events.split()) for name, events in (
    line.split(":") for line in (HERE / "census.txt").read_text().splitlines())}


def contests(name: str, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Each contest of a database: its kind, and its events as they are stored."""
    copy = folder / "table.sqlite3"
    copy.write_bytes(lzma.decompress((HERE / name).read_bytes()))
    events: dict[tuple[str, str], list[str]] = defaultdict(list)
    with sqlite3.connect(copy) as asked:
        for contest, kind, text in asked.execute(
                "SELECT contest_id, kind, text FROM play_contestevent e JOIN play_contest c ON c.id = e.contest_id "
                "ORDER BY contest_id, number"):
            events[contest, kind].append(text)
    for (_, kind), texts in events.items():
        yield kind, texts


@pytest.mark.parametrize("name", FILES)
def test_every_event_of_an_earlier_table_is_of_its_kind_and_folds(name: str, tmp_path: Path) -> None:
    met: dict[str, set[str]] = defaultdict(set)
    for kind, texts in contests(name, tmp_path):
        stored = [json.loads(text) for text in texts]
        met[kind] |= {event["event"] for event in stored}
        assert PROCEDURES[kind].fold(stored) != PROCEDURES[kind].blank()
    assert met
    assert not {kind: sorted(events - CENSUS[kind]) for kind, events in met.items() if events - CENSUS[kind]}


def test_each_kind_of_contest_reads_all_that_was_counted_for_it() -> None:
    assert not {kind: sorted(events - PROCEDURES[kind].stored.kinds.keys()) for kind, events in CENSUS.items()
                if events - PROCEDURES[kind].stored.kinds.keys()}
