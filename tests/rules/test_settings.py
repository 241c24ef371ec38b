"""A campaign’s settings in a procedure: those that it reads are frozen as it begins, and stay as they were."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from random import Random
from typing import Any

import pytest

from rules.engine import Procedure
from rules.fields import Choice, Flag, read_all
from rules.registry import SYSTEMS
from rules.settings import asked, kept, setting
from tests.games import SET
from tests.rules.at_any_table import AnyTable

READING = [(system, kind) for system in SYSTEMS.values() for kind in system.procedures if kind.reads]


@dataclass(frozen=True)
class Settings:
    """What a campaign can set."""

    lamps: bool = setting(Flag(name="lamps", label="Lamps go out", default=True))
    tide: str = setting(Choice(name="tide", label="Tide", default="low", options=(("low", "Low"), ("high", "High"))))


@dataclass(frozen=True)
class Crossing:
    """What one procedure reads of it; older ones had no lamps that go out."""

    deep: int = 0
    lamps: bool = False


def _signs(values: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(name for name in ("lamps", "bells") if values[name])


@dataclass(frozen=True)
class Otherwise:
    """What a campaign can set, and a procedure keeps as something else."""

    tide: str = setting(Choice(name="tide", label="Tide", default="low", options=(("low", "Low"), ("high", "High"))),
                        kept_as="deep", by=lambda values: values["tide"] == "high")
    lamps: bool = setting(Flag(name="lamps", label="Lamps"), kept_as="signs", by=_signs)
    bells: bool = setting(Flag(name="bells", label="Bells"), kept_as="signs", by=_signs)


@dataclass(frozen=True)
class Kept:
    """The same, as it is kept."""

    signs: tuple[str, ...] = ()
    deep: bool = False


def test_a_procedure_asks_for_the_settings_that_it_names_as_the_campaign_does() -> None:
    assert [field.name for field in asked(Settings)] == ["lamps", "tide"]
    assert asked(Settings, by=Crossing) == asked(Settings)[:1]


def test_what_is_not_kept_is_as_it_was_before_the_setting() -> None:
    assert kept(Crossing, {"lamps": True, "tide": "high"}) == Crossing(lamps=True)
    assert Crossing().lamps is False, "an older one, whatever a new campaign begins with"


def test_what_is_kept_otherwise_than_it_is_set_says_what_it_is_made_of() -> None:
    assert [field.name for field in asked(Otherwise)] == ["tide", "lamps", "bells"]
    assert [field.name for field in asked(Otherwise, by=Kept)] == ["lamps", "bells", "tide"], "as they are kept"
    assert [field.name for field in asked(Otherwise, by=("bells",))] == ["bells"]
    values = {"tide": "high", "lamps": False, "bells": True}
    assert kept(Kept, values, Otherwise) == Kept(("bells",), True)


@pytest.mark.parametrize(("system", "kind"), READING, ids=[kind.name for _, kind in READING])
def test_what_a_procedure_reads_is_in_its_first_event(system: Any, kind: Procedure[Any]) -> None:
    of_campaign = {field.metadata["kept_as"] for field in fields(kind.settings)} if kind.settings else {
        field.name for field in system.setting_fields}
    names = {field.name for field in fields(kind.reads or object)} & of_campaign
    assert names
    seen = {name: set[Any]() for name in names}
    for seed in range(16):
        table = AnyTable(system, kind, Random(seed))
        first: Any = kind.read(kind.write(table.events[0]))
        values = read_all(kind.fields, table.setup)
        if values.get("harm") == "failure":
            values["killing"] = "free"  # nobody is killed by failure ranks, so nobody is asked (PQ-17)
        frozen, expected = getattr(first, "settings", first), kept(kind.reads or object, values, kind.settings)
        # A choice between numbers is kept as the number.
        assert {name: str(getattr(frozen, name)) for name in names} == {
            name: str(getattr(expected, name)) for name in names}
        for name in names:
            seen[name].add(getattr(expected, name))
    usual = kept(kind.reads or object, system.read_settings({}), kind.settings)
    assert all(values - {getattr(usual, name)} for name, values in seen.items()), f"each was set otherwise once: {seen}"


@pytest.mark.parametrize(("system", "kind"), READING, ids=[kind.name for _, kind in READING])
def test_a_procedure_begins_with_those_of_the_campaigns_settings_that_it_asks_for(
    system: Any, kind: Procedure[Any]
) -> None:
    game = import_module(f"rules.systems.{system.slug}.settings").Settings
    settings = system.read_settings({})
    taken = kind.of_campaign(settings)
    assert {field.name for field in asked(game, by=kind.reads)} <= set(taken) < set(settings)


@pytest.mark.parametrize("game", SET)
def test_a_game_of_one_settings_class_asks_for_each_of_its_fields_once(game: str) -> None:
    all_of_them = import_module(f"rules.systems.{game}.settings").Settings
    assert [field.name for field in SYSTEMS[game].setting_fields] == [field.name for field in fields(all_of_them)]
