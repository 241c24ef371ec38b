"""What a player says hinders them in a long contest, struck after any dice: as if it had never been said (QW-21)."""
from __future__ import annotations

from collections import Counter
from functools import reduce
from random import Random
from typing import Any

import pytest

from rules.moves import Need
from rules.registry import SYSTEMS
from rules.strike import DISMISS
from rules.systems.questworlds.long import ChainedLong, ExtendedLong, ScoredLong
from rules.systems.questworlds.long.opening import as_they_stand
from rules.systems.questworlds.long.values import OF_THEIR_OWN
from rules.systems.questworlds.long.word import Struck
from tests.effort import tries
from tests.rules.at_any_table import AnyTable
from tests.rules.questworlds.promises import OwnPromises

# Beside rounds and exchanges: what one does apart counts what hinders, too.
BESIDE = {"scored": {"assist", "unrelated", "remove"}, "chained": {"unrelated"}, "extended": {"lend", "against_a_flaw"}}


def without(table: AnyTable, before: Any, line: Any, act: tuple[str, str, dict[str, Any]], faces: Any) -> Any:
    """Where the same dice lead to, had nobody said it."""
    bare = Struck(line.who, line.source).after(before)
    by, action, given = act
    came = table.kind.act(bare, table.sheets, by, action, given, faces)
    assert not isinstance(came, Need)
    return came, reduce(table.kind.evolve, came.events, bare)


@pytest.mark.parametrize("kind", [ScoredLong(), ChainedLong(), ExtendedLong()], ids=["scored", "chained", "extended"])
def test_qw_21_the_same_faces_lead_to_what_they_would_have_without_it(kind: Any) -> None:
    heard: Counter[str] = Counter()
    for seed in range(tries(60, 600)):
        table = AnyTable(SYSTEMS["questworlds"], kind, Random(seed), promises=OwnPromises())
        for _ in range(24):
            offers = list(table.offers())
            table.chance.shuffle(offers)
            # Whoever can says that a flaw hinders them.
            offers.sort(key=lambda offer: not (offer.action == "hinder" and offer.by))
            did = next(((offer, done) for offer in offers if offer.action != DISMISS
                        if (done := table.found(offer))), None)
            if did is None or kind.is_over(table.plain):
                break
            offer, (given, result) = did
            before, sheets, faces = table.state, table.sheets, table.thrown[id(result)]
            after = kind.with_context(reduce(kind.evolve, result.events, table.plain), before.context)
            if after.unread and faces and after.unread[1].kind not in OF_THEIR_OWN:
                heard[after.unread[1].kind] += _agrees(table, before, after, (offer.by, offer.action, given), faces)
            table.keep(result)
            assert table.sheets is not sheets or not result.effects
    assert heard.total() > 20 and set(heard) & BESIDE[kind.name.partition(".")[2]]


def _agrees(table: AnyTable, before: Any, after: Any, act: tuple[str, str, dict[str, Any]], faces: Any) -> int:
    """How many lines could be struck; each leads to what would have been without it."""
    dice, many = after.unread[1], 0
    for line in after.unread[0].lines:
        if not line.said_by or line.who not in (dice.first, dice.second) or line not in before.lines:
            continue
        struck = table.kind.act(after, table.sheets, "", DISMISS, {"which": f"{line.who} {line.source}"})
        assert not isinstance(struck, Need) and not struck.dice
        now = reduce(table.kind.evolve, struck.events, after)
        came, expected = without(table, as_they_stand(before, table.sheets), line, act, faces)
        assert (now.record, now.contestants, now.bouts, now.lines, now.throws) == (
            expected.record, expected.contestants, expected.bouts, expected.lines, expected.throws), act
        assert struck.effects == came.effects
        many += 1
    return many
