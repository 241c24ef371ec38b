"""What is recorded of the rules, written anew; git shows what changed.

    python -m tests.rules.record                               # all of it, along the same walks and evenings
    python -m tests.rules.record pdq.conflict                  # the walks of these procedures, or these evenings
    python -m tests.rules.record --show pdq.conflict 3 17      # a step in full: walk 3, step 17
    python -m tests.rules.record --afresh [pdq.conflict]       # new walks, where the old ones miss too much
    python -m tests.rules.record --missed                      # the acts that no walk takes
"""
from __future__ import annotations

import sys
from pathlib import Path

from tests.rules import evening, walks
from tests.rules.stored_events import stored_events_text

STORED = Path(__file__).parent / "recorded" / "stored_events.txt"


def walks_file(name: str) -> Path:
    """Where the walks of a procedure are recorded."""
    return walks.FOLDER / f"{name}.txt"


def kept_walks(name: str) -> tuple[walks.Walk, ...]:
    """The walks of a procedure that are recorded."""
    return walks.read_walks(walks_file(name).read_text())


def main(*said: str) -> None:
    flags, names = [word for word in said if word.startswith("--")], [word for word in said if word[:2] != "--"]
    if "--show" in flags:
        print(walks.shown(names[0], kept_walks(names[0]), int(names[1]), int(names[2])))
    elif "--missed" in flags:
        for name in walks.procedures():
            print(f"{name}: {', '.join(walks.never_taken(name, kept_walks(name))) or 'none'}")
    else:
        for name in names or evening.evenings():
            if name in evening.evenings():
                kept = evening.evening_file(name)
                kept.write_text(evening.played(kept.read_text()))
        for name in [name for name in walks.procedures() if name in names or not names]:
            new = "--afresh" in flags or not walks_file(name).exists()
            walks_file(name).write_text(walks.text_of(name, walks.drawn(name) if new else kept_walks(name)))
        STORED.write_text(stored_events_text())


if __name__ == "__main__":
    main(*sys.argv[1:])
