"""What happens to a community. Whatever was once written is always read."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from rules.procedure import ActResult
from rules.systems.questworlds.after import Learned as Learned


@dataclass(frozen=True)
class CommunityOptions:
    """What it is called, and the campaign's settings as it began with them."""

    name: str = ""
    base: int = 14
    symbol: str = "M"
    tie_to_player: bool = False
    by_value: bool = False
    counts: bool = True  # whether experience is counted
    players: tuple[str, ...] = ()


@dataclass(frozen=True)
class Founded:
    """It is there."""

    settings: CommunityOptions


@dataclass(frozen=True)
class Listed:
    """Its resources, highest rank first, with the ranks that they get (QW-92)."""

    resources: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Choice:
    """An answer of the questionnaire, and what it adds to which resources."""

    words: str
    adds: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Asked:
    """A question of the questionnaire."""

    text: str
    answers: tuple[Choice, ...]


@dataclass(frozen=True)
class Dropped:
    """A question goes again, by its place."""

    place: int


@dataclass(frozen=True)
class Voted:
    """Somebody's answer to a question, by their places."""

    who: str
    place: int
    answer: int


@dataclass(frozen=True)
class Decided:
    """The GM says which answer a question has."""

    place: int
    answer: int


@dataclass(frozen=True)
class Requested:
    """Somebody would draw on a resource (`draw`) or bolster it (`bolster`), with this ability, in these words."""

    who: str
    name: str
    kind: str
    resource: str
    words: str
    trait: str
    ability: str
    score: int | None
    modifier: int
    why: str  # what the modifier is made of


@dataclass(frozen=True)
class Faced:
    """The GM says what resistance a request meets."""

    who: str
    resistance: int
    told: str


@dataclass(frozen=True)
class Closed:
    """A request is over before the dice: `refused` or `withdrawn`."""

    who: str
    how: str


@dataclass(frozen=True)
class Rolled:
    """The dice of a request: one's own, the community's."""

    who: str
    ours: int
    theirs: int


@dataclass(frozen=True)
class PointDecided:
    """Somebody spends a story point on it, or lets it stand."""

    who: str
    spend: bool


@dataclass(frozen=True)
class Settled:
    """How a request came out; it is over with that."""

    who: str
    outcome: str
    rank: int


@dataclass(frozen=True)
class Drawn:
    """A resource is given out, and drops a rank (QW-93)."""

    resource: str
    who: str
    required: bool


@dataclass(frozen=True)
class Bolstered:
    """A resource has another rank until it is used; one below 0 is at 0 again (QW-94)."""

    resource: str


@dataclass(frozen=True)
class Moved:
    """What goes on in the background moves a resource by so many ranks (QW-94)."""

    resource: str
    by: int


@dataclass(frozen=True)
class Restored:
    """Resources are back at their own ranks (QW-93)."""

    resources: tuple[str, ...]


@dataclass(frozen=True)
class Veiled:
    """Whether players see the rank of a resource."""

    resource: str
    veiled: bool


@dataclass(frozen=True)
class Required:
    """What always takes this resource, in words (QW-94)."""

    resource: str
    words: str


@dataclass(frozen=True)
class Ended:
    """The group has nothing to do with it any more."""


Event = Union[
    Founded, Listed, Asked, Dropped, Voted, Decided, Requested, Faced, Closed, Rolled, PointDecided, Settled, Learned,
    Drawn, Bolstered, Moved, Restored, Veiled, Required, Ended,
]

Result = ActResult[Event]
