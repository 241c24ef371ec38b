"""What a conflict keeps can be read; what is like it and is none of it is refused."""
from __future__ import annotations

import pytest

from rules.codec import Unreadable
from rules.systems.pdq.conflict import Conflict


def test_every_event_can_be_stored_and_nothing_else_is_read() -> None:
    assert len(Conflict.stored.kinds) == 34
    for stored in (None, [], {"event": "danced"}, {"event": "held"}, {"event": "held", "who": 3},
                   {"event": "held", "who": "a", "more": 1}, {"event": "turn_began", "who": "a"},
                   {"event": "struck", "who": "a", "hits": [3]},
                   {"event": "suffered", "who": "a", "losses": [["a", 1, 2]], "out": False, "killed": False}):
        with pytest.raises(Unreadable):
            Conflict().read(stored)  # type: ignore[arg-type]
