"""Turns, alike in every fight: who is in it, in which order they act, who comes next, who is out, whether it goes on.

Those in a fight are frozen dataclasses of the game's own. What is asked of them stands in `Entrant`; what they are
called, how long an action can be held, and what a place in the order is worth, each game says by itself.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Protocol, TypeVar, cast

from rules.wording import join


class Entrant(Protocol):
    """Somebody in a fight, on one of its sides."""

    @property
    def id(self) -> str:
        """The id of their sheet, or a name of the fight's own."""

    @property
    def name(self) -> str:
        """What they are called."""

    @property
    def side(self) -> str:
        """On whose side they are."""

    @property
    def fights(self) -> bool:
        """Whether they are still in it, and not out."""


E = TypeVar("E", bound=Entrant)


def entrant(entrants: Iterable[E], who: str) -> E:
    """The one of this id; raises `KeyError`."""
    for one in entrants:
        if one.id == who:
            return one
    raise KeyError(who)


def changed(entrants: Iterable[E], who: str, **changes: Any) -> tuple[E, ...]:
    """All of them, with these facts of one changed; as they were where that one is not among them."""
    return tuple(cast(E, replace(cast(Any, one), **changes)) if one.id == who else one for one in entrants)


def names(entrants: Iterable[E], ids: Iterable[str]) -> str:
    """The names of these, as a person lists them; raises `KeyError`."""
    named = {one.id: one.name for one in entrants}
    return join([named[who] for who in ids])


def fighting(entrants: Iterable[E]) -> tuple[E, ...]:
    """Those who are still in it."""
    return tuple(one for one in entrants if one.fights)


def sides_left(entrants: Iterable[E]) -> tuple[str, ...]:
    """The sides that have somebody left, in the order in which they were set up."""
    return tuple(dict.fromkeys(one.side for one in entrants if one.fights))


def goes_on(entrants: Iterable[E]) -> bool:
    """Whether more than one side has somebody left."""
    return len(sides_left(entrants)) > 1


def in_order(entrants: Iterable[E], place: Callable[[E], int]) -> tuple[tuple[E, ...], ...]:
    """The order in its groups, the lowest place first; those of one place act at the same moment."""
    groups: dict[int, list[E]] = {}
    for one in entrants:
        groups.setdefault(place(one), []).append(one)
    return tuple(tuple(groups[at]) for at in sorted(groups))


def next_up(waiting: Iterable[E], place: Callable[[E], int]) -> tuple[E, ...]:
    """Of those whose turn is still to come, whoever acts first, all of one place together; () where nobody waits."""
    return next(iter(in_order(waiting, place)), ())
