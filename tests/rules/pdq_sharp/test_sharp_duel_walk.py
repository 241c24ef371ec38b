"""Duels at random: style dice are conserved, nobody who is out acts, what is secret stays so (PS-20 to PS-34)."""
from __future__ import annotations

from random import Random
from typing import Any

import pytest

from rules.procedure import Perspective
from rules.registry import SYSTEMS
from rules.sheet import Purse, Spend, SpendShared, Transfer
from rules.systems.pdq_sharp.duel.state import Phase
from rules.systems.pdq_sharp.reading import BOWL, GM_DICE, STYLE
from rules.values import BadMove
from tests.effort import tries
from tests.rules.at_any_table import AnyTable, Unpaid
from tests.rules.plainly import as_json

SYSTEM = SYSTEMS["pdq_sharp"]
DUEL = next(kind for kind in SYSTEM.procedures if kind.name == "pdq_sharp.duel")
ACTING = {"engage", "stance", "hold_back", "cede", "envenom", "break_off", "impasse"}
WAYS_OUT = ("end", "end_here")
STEPS, AT_ONCE = 25, tries(50, 500)


def dice(table: AnyTable) -> int:
    """All style dice that somebody holds, and those in the bowl."""
    return table.shared[BOWL] + table.shared[GM_DICE] + sum(sheet.pool(STYLE) for sheet in table.sheets.values())


def brought(result: Any) -> int:
    """How many of them come out of the box, less those that go back; they move in no other way."""
    box = 0
    for effect in result.effects:
        assert not (isinstance(effect, (Spend, SpendShared)) and effect.pool in (STYLE, BOWL, GM_DICE)), effect
        if isinstance(effect, Transfer):
            assert {purse.pool for purse in (effect.source, effect.target) if isinstance(purse, Purse)} <= {
                STYLE, BOWL, GM_DICE}
            box += effect.amount * ((effect.source is None) - (effect.target is None))
    return box


def check(table: AnyTable) -> None:
    state = table.plain
    out = {fencer.id for fencer in state.fencers if fencer.out}
    for offer in table.offers():
        assert offer.by not in out or offer.action not in ACTING, f"{offer.by} is out, and may {offer.action}"
        if offer.action == "stance" and offer.by:
            others = [fencer.id for fencer in state.fencers if fencer.id != offer.by]
            for who in others[:1]:
                _secret(table, offer, who)


def _secret(table: AnyTable, offer: Any, other: str) -> None:
    """Whatever split somebody chooses in secret, the other one's page is the same."""
    seen = set()
    for attempt in range(6):
        given = table.given(offer, attempt)
        try:
            result = table.try_(offer, given)
        except (BadMove, Unpaid):
            continue
        if not result.sealed:
            return
        state = table.plain
        for event in result.events:
            state = table.kind.evolve(state, event)
        seen.add(as_json(table.kind.view(state, table.sheets, Perspective(frozenset({other}), odds=False))))
    assert len(seen) < 2, f"{other} reads the split of {offer.by}"


def play(seed: int) -> None:
    table = AnyTable(SYSTEM, DUEL, Random(seed))
    moments = {len(table.events): table.plain}
    for _ in range(STEPS):
        offers = [offer for offer in table.offers() if offer.action not in WAYS_OUT or table.chance.random() < 0.05]
        if not offers:
            break
        offer = table.chance.choice(offers)
        if (choice := table.found(offer)) is None:
            continue
        before = dice(table)
        table.keep(choice[1])
        assert dice(table) == before + brought(choice[1]), offer.action
        moments[len(table.events)] = table.plain
        if seed % 10 == 0:
            check(table)
    check(table)
    stored = [table.kind.write(event) for event in table.events]
    for many in table.chance.sample(sorted(moments), min(3, len(moments))):
        assert table.kind.fold(stored[:many]) == moments[many]
    ended = table.plain.phase is Phase.OVER
    can_end = any(offer.action in WAYS_OUT and not offer.by for offer in table.offers())
    assert ended or can_end, "the GM can always end it"


@pytest.mark.parametrize("first", range(0, tries(100, 5000), AT_ONCE))
def test_duels_conserve_dice_keep_secrets_and_always_end(first: int) -> None:
    for seed in range(first, first + AT_ONCE):
        play(seed)
