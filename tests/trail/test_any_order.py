"""Rows that one entry makes, changes and removes in any order: it verifies, is rebuilt, and goes back and forth."""
from __future__ import annotations

import uuid
from random import Random
from typing import Any

import pytest

from campaigns import trail
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import differences
from campaigns.trail.verifying import whole
from characters.models import Trait
from tests.effort import tries

pytestmark = pytest.mark.django_db

LINES = [uuid.UUID(int=number) for number in range(1, 4)]
ENTRIES, MOST_STEPS = 6, 7


def table(ilse: Any) -> dict[uuid.UUID, tuple[str, int]]:
    """The lines as the table has them."""
    return {line.pk: (line.name, line.value) for line in Trait.objects.filter(character=ilse, pk__in=LINES)}


def step(entry: Any, ilse: Any, chance: Random) -> None:
    """A line that is there is changed or removed, one that is not is made: whatever this entry did to it before."""
    pk, name, value = chance.choice(LINES), chance.choice(("Ropes", "Knots")), chance.randint(1, 3)
    line = Trait.objects.filter(pk=pk).first()
    if line is None:
        entry.create(Trait(pk=pk, campaign=ilse.campaign, character=ilse, kind="strength", name=name, value=value))
    elif chance.random() < 0.5:
        entry.change(line, name=name, value=value)
    else:
        entry.remove(line)


@pytest.mark.parametrize("seed", range(tries(6, 200)))
def test_whatever_one_entry_does_to_a_row_is_told_once(campaign: Any, alices: Any, ilse: Any, seed: int) -> None:
    chance, written = Random(seed), []
    by = {"campaign": campaign, "actor": alices}
    for _ in range(ENTRIES):
        before = table(ilse)
        with trail.entry(**by, op_id=uuid.uuid4(), kind="character.edit", title="In any order") as entry:
            for _ in range(chance.randint(1, MOST_STEPS)):
                step(entry, ilse, chance)
        written.append((entry.written, before, table(ilse)))
        assert not list(differences(campaign.pk))
    for done, before, after in reversed(written):
        assert table(ilse) == after
        undo(**by, op_id=uuid.uuid4(), seq=done.seq)
        assert table(ilse) == before
    campaign.refresh_from_db()
    assert not list(differences(campaign.pk)) and not whole(campaign).fault


def test_what_the_entry_removed_is_not_changed_by_it(campaign: Any, alices: Any, ilse: Any) -> None:
    pk, head = ilse.traits.first().pk, campaign.head_seq
    with pytest.raises(LookupError, match="was removed by this entry"), trail.entry(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="character.edit", title="Gone"
    ) as entry:
        line = entry.locked(Trait, pk=pk)
        entry.remove(line)
        entry.change(line, name="A line that is gone")
    campaign.refresh_from_db()
    assert campaign.head_seq == head and ilse.traits.filter(pk=pk).exists()
    assert not list(differences(campaign.pk))
