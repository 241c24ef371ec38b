"""How damage stands spread as its form opens (PQ-16)."""
from __future__ import annotations

import pytest

from rules.systems.pdq.chart import can_lose, capacity, spare
from rules.systems.pdq.harm import easiest
from tests.rules.pdq.test_pdq_conflict import DEE


@pytest.mark.parametrize("amount", range(1, capacity(DEE) + 3))
def test_pq_16_the_damage_opens_spread_where_it_hurts_least(amount: int) -> None:
    spread = easiest(DEE, amount)
    assert sum(spread.values()) == min(amount, capacity(DEE))
    lost = {trait.id: can_lose(trait) for trait in DEE.traits}
    below_poor = [quality for quality, ranks in spread.items() if ranks == lost[quality]]
    assert bool(below_poor) == (amount > spare(DEE)) and all(spread[id_] <= lost[id_] for id_ in spread)
