"""Events as they are stored: what older ones did not say yet, and what is not one of them."""
from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from rules.codec import StoredEvents, Unreadable


@dataclass(frozen=True)
class Blow:
    """Part of an event; `where` is younger than the others."""

    by: int
    where: str = "arm"


@dataclass(frozen=True)
class HitHome:
    """An event with young fields of all sorts."""

    who: str
    blow: Blow
    harm: int = 3
    deadly: bool = True
    blows: tuple[Blow, ...] = (Blow(1),)
    pairs: tuple[str, int] = ("", 0)
    maker: str | None = "somebody"
    seen: tuple[str, ...] = field(default_factory=lambda: ("all",))


@dataclass(frozen=True)
class Ended:
    """Another event."""

    reason: str


EVENTS: StoredEvents[Any] = StoredEvents((HitHome, Ended))
WHOLE = HitHome("Ilse", Blow(2, "leg"), 7, False, (Blow(4, "eye"), Blow(5)), ("a", 9), None, ("gm",))
OLD = {"event": "hit_home", "who": "Ilse", "blow": {"by": 2}}
YOUNG = ("harm", "deadly", "blows", "pairs", "maker", "seen")


def test_what_is_written_is_read_again() -> None:
    for event in (WHOLE, HitHome("Ilse", Blow(2)), Ended("They leave")):
        assert EVENTS.read(EVENTS.write(event)) == event
    assert EVENTS.write(WHOLE) == {
        "event": "hit_home", "who": "Ilse", "blow": {"by": 2, "where": "leg"}, "harm": 7, "deadly": False,
        "blows": [{"by": 4, "where": "eye"}, {"by": 5, "where": "arm"}], "pairs": ["a", 9], "maker": None,
        "seen": ["gm"],
    }


def test_an_older_event_means_what_the_defaults_of_its_young_fields_say() -> None:
    meant = HitHome("Ilse", Blow(2, "arm"), 3, True, (Blow(1, "arm"),), ("", 0), "somebody", ("all",))
    assert EVENTS.read(OLD) == meant


@pytest.mark.parametrize("young", YOUNG)
def test_each_young_field_may_be_there_alone(young: str) -> None:
    said = EVENTS.write(WHOLE)
    assert isinstance(said, dict)
    plain = HitHome("Ilse", Blow(2))
    assert EVENTS.read({**OLD, young: said[young]}) == replace(plain, **{young: getattr(WHOLE, young)})


@pytest.mark.parametrize("stored", [
    {}, {"event": "hit_home"}, {"event": "nothing"}, {**OLD, "who": None}, {**OLD, "more": 1}, {**OLD, "harm": "3"},
    {**OLD, "harm": True}, {**OLD, "deadly": 1}, {**OLD, "blow": {}}, {**OLD, "blow": 2}, {**OLD, "blows": "ab"},
    {**OLD, "blow": {"by": 1, "why": ""}}, {**OLD, "pairs": ["a"]}, {**OLD, "seen": [1]}, [], "hit_home",
    {"event": "ended"}, {"event": "ended", "reason": "", "who": "Ilse"}, {**OLD, "maker": 3},
])
def test_what_is_no_event_is_refused(stored: Any) -> None:
    with pytest.raises(Unreadable):
        EVENTS.read(stored)
