"""Turns, alike in every fight: who is in it, in which order they act, who comes next, who may act or holds a turn, who
is out, whether it goes on.

Those in a fight are frozen dataclasses of the game's own. What is asked of them stands in `Entrant`; what they are
called, how long an action can be held, and what a place in the order is worth, each game says by itself.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar, cast

from rules.engine import Act, Event, Sheets, Values
from rules.moves import Step
from rules.procedure import ActResult, Offer
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
S = TypeVar("S")


def entrant(entrants: Iterable[E], who: str) -> E:
    """The one of this id; raises `KeyError`."""
    for entrant in entrants:
        if entrant.id == who:
            return entrant
    raise KeyError(who)


def changed(entrants: Iterable[E], who: str, **changes: Any) -> tuple[E, ...]:
    """All of them, with these facts of one changed; as they were where that one is not among them."""
    return tuple(cast(E, replace(cast(Any, entrant), **changes)) if entrant.id == who else entrant
                 for entrant in entrants)


def names(entrants: Iterable[E], ids: Iterable[str]) -> str:
    """The names of these, as a person lists them; raises `KeyError`."""
    named = {entrant.id: entrant.name for entrant in entrants}
    return join([named[who] for who in ids])


def fighting(entrants: Iterable[E]) -> tuple[E, ...]:
    """Those who are still in it."""
    return tuple(entrant for entrant in entrants if entrant.fights)


def sides_left(entrants: Iterable[E]) -> tuple[str, ...]:
    """The sides that have somebody left, in the order in which they were set up."""
    return tuple(dict.fromkeys(entrant.side for entrant in entrants if entrant.fights))


def goes_on(entrants: Iterable[E]) -> bool:
    """Whether more than one side has somebody left."""
    return len(sides_left(entrants)) > 1


def in_order(entrants: Iterable[E], place: Callable[[E], int]) -> tuple[tuple[E, ...], ...]:
    """The order in its groups, the lowest place first; those of one place act at the same moment."""
    groups: dict[int, list[E]] = {}
    for entrant in entrants:
        groups.setdefault(place(entrant), []).append(entrant)
    return tuple(tuple(groups[at]) for at in sorted(groups))


def next_up(waiting: Iterable[E], place: Callable[[E], int]) -> tuple[E, ...]:
    """Of those whose turn is still to come, whoever acts first, all of one place together; () where nobody waits."""
    return next(iter(in_order(waiting, place)), ())


def on_turn(entrants: Iterable[E], acting: Sequence[str]) -> tuple[E, ...]:
    """Those whose turn it is and who have yet to act."""
    return tuple(entrant for entrant in entrants if entrant.id in acting)


def able(
    entrants: Iterable[E], acting: Sequence[str], holding: Callable[[E], bool], *, between: bool = True
) -> tuple[E, ...]:
    """Those who may act: on their turn, or from hold where that comes `between` the turns of others."""
    return tuple(entrant for entrant in entrants if entrant.id in acting or (between and holding(entrant)))


def without(acting: Sequence[str], *who: str) -> tuple[str, ...]:
    """Those who have yet to act, once these have."""
    return tuple(entrant for entrant in acting if entrant not in who)


def hold_act(
    whose: Callable[[S], Iterable[str]], held: Callable[[str], Event[S]], title: str, help: str,
    told: Callable[[S, str], Step],
) -> Act[S]:
    """Holding a turn for later, of those `whose` turn it is, in the game's own words."""
    def offered(state: S, sheets: Sheets) -> Iterator[Offer]:
        return (Offer("hold", who, title, help) for who in whose(state))

    def do(state: S, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> ActResult[Event[S]]:
        return ActResult((held(by),), (told(state, by),))

    return Act("hold", offered, do)


def skip_act(
    offer: Callable[[S], Offer | None], skipped: Callable[[str], Event[S]], told: Callable[[S, str], Step],
) -> Act[S]:
    """The GM lets the turn of somebody go by who is not there: the one that `offer` asks for as `who`."""
    def offered(state: S, sheets: Sheets) -> Iterator[Offer]:
        if made := offer(state):
            yield made

    def do(state: S, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> ActResult[Event[S]]:
        return ActResult((skipped(values["who"]),), (told(state, values["who"]),))

    return Act("skip", offered, do)
