"""What happens to a community with scores, as it is stored (QW-A9)."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from rules.procedure import ActResult
from rules.systems.questworlds.community import events as lobbying
from rules.systems.questworlds.older.resources.tables import Resource


@dataclass(frozen=True)
class Founded:
    """It is there from now on. `settings` are the campaign's settings, as lobbying takes them."""

    name: str
    interval: str
    symbol: str
    base: int
    resources: tuple[Resource, ...]
    settings: lobbying.CommunityOptions = field(default_factory=lobbying.CommunityOptions)


@dataclass(frozen=True)
class Changed:
    """Resources stand so from now on; `how` is what did it, `background` or `interval` among others."""

    how: str
    resources: tuple[Resource, ...]


@dataclass(frozen=True)
class Used:
    """What somebody was granted is used with that."""

    who: str
    resource: str


@dataclass(frozen=True)
class Ended:
    """The group has left it."""

    done: bool = True


Event = Union[
    Founded, Changed, Used, Ended, lobbying.Requested, lobbying.Faced, lobbying.Closed, lobbying.Rolled,
    lobbying.PointDecided, lobbying.Settled, lobbying.Learned,
]
Result = ActResult[Event]
