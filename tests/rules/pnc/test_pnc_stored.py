"""What a contest keeps is read, and nothing that is only like it."""
from __future__ import annotations

from typing import Any

import pytest

from rules.codec import Unreadable
from rules.systems.pnc.fight import Fight
from rules.systems.pnc.rolls import Race, StandardRollContest


@pytest.mark.parametrize("kind", [Fight(), Race(), StandardRollContest()])
def test_nothing_else_is_read(kind: Any) -> None:
    for stored in (None, [], {"event": "danced"}, {"event": "stood"}, {"event": "stood", "who": 3},
                   {"event": "stood", "who": "a", "more": 1}):
        with pytest.raises(Unreadable):
            kind.read(stored)
