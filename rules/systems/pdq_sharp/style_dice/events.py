"""What happens with style dice in a session. Dice themselves lie in pools; their ways are told by transfers."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from rules.procedure import ActResult


@dataclass(frozen=True)
class Opened:
    """A session's style dice are out: what is said for style, how many misfortunes go without a warning."""

    phrase: str
    misfortunes: int


@dataclass(frozen=True)
class Awarded:
    """The awards of the session's start were given."""


@dataclass(frozen=True)
class FoibleOffered:
    """The GM offers dice for a foible; `means` is what taking them leads to."""

    number: int
    who: str
    foible: str
    dice: int
    means: str


@dataclass(frozen=True)
class FoibleRaised:
    """The GM offers more."""

    number: int
    dice: int


@dataclass(frozen=True)
class FoibleClaimed:
    """A player says that a foible came up; the GM has yet to say how many dice it is worth."""

    number: int
    who: str
    foible: str
    means: str


@dataclass(frozen=True)
class FoibleSettled:
    """An offer was taken, refused or withdrawn, or a claim was answered; `dice` is what came of it."""

    number: int
    dice: int


@dataclass(frozen=True)
class Given:
    """Somebody got dice from the GM, for the plot or as an NPC's own."""

    who: str
    dice: int


@dataclass(frozen=True)
class Gifted:
    """Somebody gave dice for style (`giver` "" is the GM): the GM may answer with more from the box."""

    giver: str
    taker: str
    dice: int


@dataclass(frozen=True)
class Answered:
    """The GM moved one more from the box to the bowl."""


@dataclass(frozen=True)
class Suffered:
    """A vexing misfortune."""

    who: str


@dataclass(frozen=True)
class FactBegun:
    """Somebody states a fact of the world, and pays so much of its price; others may add the rest."""

    number: int
    who: str
    weight: str
    words: str
    cost: int
    paid: int


@dataclass(frozen=True)
class FactPaid:
    """Somebody adds dice to a fact."""

    number: int
    who: str
    dice: int


@dataclass(frozen=True)
class Created:
    """Something of the world came to be at once: a named NPC, or something of theirs."""

    number: int
    who: str
    weight: str
    words: str
    cost: int


@dataclass(frozen=True)
class Spent:
    """Dice were spent on something that leaves nothing to be told here."""

    who: str


@dataclass(frozen=True)
class LastCall:
    """The GM says that the session ends soon."""


@dataclass(frozen=True)
class Ended:
    """The session's style dice are over."""


Event = Union[
    Opened, Awarded, FoibleOffered, FoibleRaised, FoibleClaimed, FoibleSettled, Given, Gifted, Answered, Suffered,
    FactBegun, FactPaid, Created, Spent, LastCall, Ended,
]

Result = ActResult[Event]
