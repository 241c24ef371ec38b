"""What procedures store, offer and answer is as it was recorded; `python -m tests.rules.record` writes it anew."""
from __future__ import annotations

from difflib import unified_diff

import pytest

from tests.rules import walks
from tests.rules.record import STORED, kept_walks, walks_file
from tests.rules.stored_events import stored_events_text


def test_what_is_stored_keeps_its_names_types_and_defaults() -> None:
    """An entry that is older than a field means what the field's default says: a default never changes."""
    was, is_ = STORED.read_text(), stored_events_text()
    changed = "\n".join(unified_diff(was.splitlines(), is_.splitlines(), "recorded", "now", lineterm="", n=6))
    if was != is_:
        pytest.fail(
            f"{changed}\nWhat is stored is read for ever: a field may come, with a default, and nothing else changes. "
            "Where that is so, write the record anew with: python -m tests.rules.record", pytrace=False)


@pytest.mark.parametrize("name", walks.procedures())
def test_every_walk_is_as_it_was_recorded(name: str) -> None:
    was, is_ = walks_file(name).read_text(), walks.text_of(name, kept_walks(name))
    parted = walks.differences(was, is_)
    if was != is_:
        pytest.fail("\n".join([
            f"{name}: {len(parted)} lines are not as they were recorded.", *parted[:12],
            f"A step in full, here and at an earlier commit: python -m tests.rules.record --show {name} <walk> <step>",
            f"Where it was meant, write the record anew with: python -m tests.rules.record {name}"]), pytrace=False)


def test_every_procedure_has_its_record_and_nothing_else_has() -> None:
    assert {path.stem for path in walks.FOLDER.iterdir()} == set(walks.procedures())
