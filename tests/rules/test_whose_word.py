"""Whose word a field is, of every act and tray of every game: what players fill changes no roll unmarked."""
from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from rules.engine import Procedure
from rules.fields import Field, Word
from rules.procedure import Offer, without_gms_word
from rules.registry import SYSTEMS
from rules.system import System
from rules.tray import Around, RollsFromTray
from tests.effort import tries
from tests.rules.at_any_table import AnyTable

PROCEDURES = [(system, kind) for system in SYSTEMS.values() for kind in system.procedures]
each_procedure = pytest.mark.parametrize(
    ("system", "kind"), PROCEDURES, ids=[kind.name for _, kind in PROCEDURES])
# What is not on a sheet, in an act that rolls, and why it is whoever plays who says it.
THEIRS = {
    "words": "a description, which no roll reads", "name": "what a new aspect is called, which is paid for",
    "under": "where a new aspect belongs", "obstacle": "the GM put it there",
    "bout": "which of the pairs there are", "who": "which of the characters", "whom": "who is helped",
    "what": "an own technique, or a die that is paid",
    "style": "paid", "burn": "burned on the sheet", "danger": "the track rises by it", "new_points": "paid",
    "strategy": "costs what it gives", "stance": "the split of one's own dice", "tweak": "costs what it gives",
    "tactic": "both sides choose", "aim": "chooses what is lost", "bid": "staked", "points": "staked",
    "test": "asks the GM", "lead": "which of one's own",
}


@cache
def offers_to_players(system: System, kind: Procedure[Any]) -> tuple[Offer, ...]:
    """Acts of players' characters along some plays, and the trays of the game."""
    return tuple(offer for offer, _ in offers_on_sheets(system, kind))


@cache
def offers_on_sheets(system: System, kind: Procedure[Any]) -> tuple[tuple[Offer, frozenset[str]], ...]:
    """The same, each with the ids of all characters and their lines."""
    return tuple(_played(system, kind))


def known(table: AnyTable) -> frozenset[str]:
    return frozenset({*table.sheets, *(line.id for sheet in table.sheets.values() for line in sheet.traits)})


def _played(system: System, kind: Procedure[Any]) -> Iterator[tuple[Offer, frozenset[str]]]:
    for seed in range(tries(4, 40)):
        table = AnyTable(system, kind, Random(seed))
        if isinstance(kind, RollsFromTray):
            sheet = next(iter(table.sheets.values()))
            for obstacles in ((), (("x", "The wall"),)):
                setup = {"contestants": [{"sheet": sheet.id}], "title": ""}
                yield kind.tray(sheet, setup, Around(obstacles)), known(table)
        for _ in range(14):
            offers = list(table.offers())
            yield from ((offer, known(table)) for offer in offers if offer.by)
            table.chance.shuffle(offers)
            done = next((tried for offer in offers if (tried := table.found(offer))), None)
            if done is None:
                break
            table.keep(done[1])
            if kind.is_over(table.plain):
                break


def free(field: Field, offer: Offer, known: frozenset[str]) -> bool:
    """Whether somebody can say there what stands on no sheet; whatever kind of field it is."""
    offered = (offer.options or {}).get(field.name)
    return offered is None or not {id_ for id_, _ in offered} <= known


@each_procedure
def test_what_can_change_a_roll_beyond_the_sheet_says_whose_word_it_is(system: System, kind: Procedure[Any]) -> None:
    for offer, lines in offers_on_sheets(system, kind):
        for field in offer.fields if offer.rolls else ():
            if free(field, offer, lines) and field.word is Word.OWN:
                assert THEIRS.get(field.name), f"{offer.action}: whose word is {field.name}?"
            if field.name == "difficulty":
                assert field.word is Word.GM, "a difficulty is the GM's"


@each_procedure
def test_players_get_nothing_that_is_the_gms_and_where_it_asks_first_nothing_said(
    system: System, kind: Procedure[Any]
) -> None:
    for offer in offers_to_players(system, kind):
        usual, asking = (without_gms_word(offer, asks_first=asks) for asks in (False, True))
        assert all(field.word is not Word.GM for field in usual.fields)
        assert all(field.word is Word.OWN for field in asking.fields)
        left = {field.name for field in asking.fields}
        assert set(asking.now or {}) <= set(offer.now or {}) and {*(asking.options or {})} <= {*(offer.options or {})}
        assert left <= {field.name for field in offer.fields}


@pytest.mark.parametrize("name", ["pdq.conflict", "pnc.roll", "pnc.competition"])
def test_what_a_player_says_of_a_roll_is_told_as_theirs(name: str) -> None:
    """By chance: a shift, a weapon, a circumstance: a step of its entry says whose word it is."""
    system, kind = next((system, kind) for system, kind in PROCEDURES if kind.name == name)
    heard = 0
    for seed in range(tries(60, 400)):
        table = AnyTable(system, kind, Random(seed))
        for _ in range(14):
            offers = [offer for offer in table.offers() if offer.by]
            table.chance.shuffle(offers)
            tried = next(((offer, done) for offer in offers if (done := table.found(offer))), None)
            if tried is None or kind.is_over(table.plain):
                break
            offer, (given, result) = tried
            player = getattr(next((one for one in getattr(table.plain, "contestants", ()) if one.id == offer.by), None),
                             "player", True)
            words = " ".join(step.text for step in result.steps)
            for field in offer.fields:
                # Where no dice fall it changes nothing, nor where a defence is a number that stands.
                stands = getattr(getattr(table.plain, "settings", None), "defence", "") == "stand"
                rolls = offer.action not in ("act", "defend") or (result.dice and not stands) or given.get("test")
                if field.word is Word.SAID and given.get(field.name) and player and rolls:
                    heard += 1
                    assert f"{table.sheets[offer.by].name} says" in words, (offer.action, given, words)
            table.keep(result)
    assert heard > 20, "nothing was said"
