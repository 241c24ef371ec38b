"""Lobbying for a resource that has a score, heard as any community hears its people (QW-A9, QW-93)."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from rules.moves import Need
from rules.sheet import Sheet
from rules.systems.questworlds.community import acts
from rules.systems.questworlds.community.state import LOBBY
from rules.systems.questworlds.older.resources.events import Result
from rules.systems.questworlds.older.resources.state import State

Sheets = Mapping[str, Sheet]
Values = Mapping[str, Any]
Act = Callable[[State, Sheets, str, Values, Sequence[int]], "Result | Need"]
RULE = "QW-A9"


def lobby(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Somebody asks to be let use a resource."""
    return cast(Result, acts.request(state.lobby, sheets, by, LOBBY, values))


def _heard(act: Callable[..., Any]) -> Act:
    """The same act of a community, told by this rule."""
    def handler(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
        found = act(state.lobby, sheets, by, values, faces)
        if isinstance(found, Need):
            return found
        steps = tuple(replace(each, rule=RULE) if each.rule == "QW-93" else each for each in found.steps)
        return cast(Result, replace(found, steps=steps))
    return handler


HANDLERS: Mapping[str, Act] = {
    "lobby": lobby,
    **{name: _heard(getattr(acts, name)) for name in ("face", "withdraw", "roll", "spend", "stand")},
}
