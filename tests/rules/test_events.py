"""Events of all procedures: each class that there is can be written and read by the procedure that it belongs to."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, TypeVar, get_args

from rules.codec import _hints
from rules.engine import Event, Procedure
from rules.registry import SYSTEMS


def _concrete(kind: type[Event[Any]]) -> Iterator[type[Event[Any]]]:
    for below in kind.__subclasses__():
        yield from _concrete(below)
        # A game of another test may have been here, and is gone.
        if not below.__abstractmethods__ and below.__module__ in sys.modules:
            yield below


def _state_of(kind: type) -> Any:
    """The state that an event changes, as its base says; the most that it may be, where several states know it."""
    bases = [base for above in kind.__mro__ for base in getattr(above, "__orig_bases__", ())]
    state = next(get_args(base)[0] for base in bases if get_args(base))
    bound = state.__bound__ if isinstance(state, TypeVar) else state
    return object if bound is Any else bound


def _procedures() -> list[Procedure[Any]]:
    return [procedure for system in SYSTEMS.values() for procedure in system.procedures]


def test_no_event_is_forgotten_by_the_procedures_of_its_state() -> None:
    named = {event for procedure in _procedures() for event in procedure.events}
    assert named
    assert {kind.__qualname__ for kind in _concrete(Event) if kind not in named} == set()


def test_a_procedures_events_change_its_own_state_and_have_a_name_each() -> None:
    for procedure in _procedures():
        assert len(procedure.stored.kinds) == len(procedure.events or procedure.stored.kinds)
        assert all(isinstance(procedure.blank(), _state_of(event)) for event in procedure.events)


def test_what_an_event_keeps_can_be_read_before_any_old_one_is() -> None:
    for procedure in _procedures():
        for kind in procedure.stored.kinds.values():
            _hints(kind)
