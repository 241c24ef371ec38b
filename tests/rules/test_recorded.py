"""What procedures store, offer and answer is as it was recorded; `python -m tests.rules.record` writes it anew."""
from __future__ import annotations

from difflib import unified_diff

import pytest

from tests.games import FINISHED
from tests.rules import evening, walks
from tests.rules.record import STORED, kept_walks, walks_file
from tests.rules.stored_events import stored_events_text


def changes(was: str, now: str, around: int) -> str:
    """What changed, as a difference that is read."""
    return "\n".join(unified_diff(was.splitlines(), now.splitlines(), "recorded", "now", lineterm="", n=around))


def test_what_is_stored_keeps_its_names_types_and_defaults() -> None:
    """An entry that is older than a field means what the field's default says: a default never changes."""
    was, is_ = STORED.read_text(), stored_events_text()
    if was != is_:
        pytest.fail(
            f"{changes(was, is_, 6)}\nWhat is stored is read for ever: a field may come, with a default, and "
            "nothing else changes. Where that is so, write the record anew with: python -m tests.rules.record",
            pytrace=False)


@pytest.mark.parametrize("name", walks.procedures())
def test_every_walk_is_as_it_was_recorded(name: str) -> None:
    was, is_ = walks_file(name).read_text(), walks.text_of(name, kept_walks(name))
    parted = walks.differences(was, is_)
    if was != is_:
        pytest.fail("\n".join([
            f"{name}: {len(parted)} lines are not as they were recorded.", *parted[:12],
            f"A step in full, here and at an earlier commit: python -m tests.rules.record --show {name} <walk> <step>",
            f"Where it was meant, write the record anew with: python -m tests.rules.record {name}"]), pytrace=False)


@pytest.mark.parametrize("name", evening.evenings())
def test_every_evening_goes_as_it_was_written_down(name: str) -> None:
    was = evening.evening_file(name).read_text()
    if was != (now := evening.played(was)):
        pytest.fail(f"{changes(was, now, 2)}\nWhere it was meant, write it anew with: "
                    f"python -m tests.rules.record {name}", pytrace=False)


def test_there_are_twenty_evenings_and_some_of_every_game() -> None:
    texts = [evening.evening_file(name).read_text() for name in evening.evenings()]
    assert len(texts) >= 20
    assert {evening.Script(text).procedure.partition(".")[0] for text in texts} >= set(FINISHED)


def test_every_procedure_has_its_record_and_nothing_else_has() -> None:
    assert {path.stem for path in walks.FOLDER.iterdir()} == set(walks.procedures())
