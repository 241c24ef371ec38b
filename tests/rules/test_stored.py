"""Events as they are stored: what older ones did not say yet, and what is not one of them."""
from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, Union

import pytest

from rules.codec import Unreadable
from rules.registry import SYSTEMS
from rules.stored import StoredEvents, name_of


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


EVENTS: StoredEvents[Any] = StoredEvents(Union[HitHome, Ended])
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


# What an entry that is older than a field means. A default that changes changes what was played: never do that; a new
# field has its line here.
MEANT = {
    "danger_world paid.on = ''",
    "danger_world paid.why = ''",
    "danger_world used.benefit = False",
    "danger_world used.draws = False",
    "pdq passed.strategy = ''",
    "pdq_sharp added.technique = ''",
    "pdq_sharp begun.target = 0",
    "pdq_sharp chose.paid = False",
    "pdq_sharp clashed.carried = ()",
    "pdq_sharp clashed.disarmed = ()",
    "pdq_sharp clashed.rearmed = ()",
    "pdq_sharp clashed.spent = ()",
    "pdq_sharp clashed.stings = ()",
    "pdq_sharp ended.words = ''",
    "pdq_sharp envenomed.lasting = False",
    "pdq_sharp lull_added.face = 0",
    "pdq_sharp lull_added.technique = ''",
    "pdq_sharp settled.kind = ''",
    "pdq_sharp settled.ranks = 0",
    "pdq_sharp settled.who = ''",
    "pdq_sharp suffered.out = ''",
    "pdq_sharp withstood.by = ''",
    "pdq_sharp withstood.out = ''",
    "pnc wounded.final = False",
    "questworlds advantage.first = False",
    "questworlds ended.done = True",
    "questworlds founded.settings = CommunityOptions(name='', base=14, symbol='M', tie_to_player=False, "
    "by_value=False, counts=True, players=())",
    "questworlds joined.player = False",
    "questworlds learned.flaw = None",
    "questworlds learned.session = ''",
    "questworlds massed.fate = ''",
    "questworlds massed.force = ''",
    "questworlds massed.score = 0",
    "questworlds out.bout = -1",
    "questworlds out.points = 0",
    "questworlds parted.why = ''",
    "questworlds proposed.helper = ''",
    "questworlds resisted.ability = ''",
    "questworlds resolved.aim = ''",
    "questworlds resolved.told = ''",
    "questworlds resolved.whom = ''",
    "questworlds returned.bout = -1",
    "questworlds settled.side = ''",
    "questworlds thrown.deciders = ()",
    "questworlds thrown.step = 0",
    "questworlds thrown.whom = ''",
}


def _defaults(kind: type) -> Iterator[str]:
    game = kind.__module__.split(".")[2]
    for each in fields(kind):
        if each.default is not MISSING or each.default_factory is not MISSING:
            default = each.default if each.default is not MISSING else each.default_factory()  # type: ignore[misc]
            yield f"{game} {name_of(kind)}.{each.name} = {default!r}"


def test_the_defaults_of_young_fields_stay() -> None:
    assert SYSTEMS  # the games are imported, and their procedures with them
    known = [each for each in gc.get_objects() if type(each) is StoredEvents and each is not EVENTS]
    assert len(known) >= 8
    assert {line for each in known for kind in each.kinds.values() for line in _defaults(kind)} == MEANT
