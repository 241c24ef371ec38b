"""A side that has won ends a long contest, whatever dice still wait; nobody who is out is given back a pair."""
from __future__ import annotations

import pytest

from rules.procedure import Perspective
from rules.systems.questworlds.long import ExtendedLong
from rules.systems.questworlds.long.pairs import Returned, WentOut
from rules.systems.questworlds.long.state import Phase
from tests.rules.questworlds.longing import Table


def shot_with(*faces: int) -> Table:
    """Ilse took the clerk out; her parting shot fell so, and waits for a story point."""
    table = Table(ExtendedLong(), "Clerk 6", points=1)
    table.act("i", "bid", 3, 19, whom="~0", ability="k", bid=6)
    if table.state.throws:
        table.act("i", "stand")
    assert table.state.phase is Phase.AFTER
    table.shot(*faces, whom="~0", action="last_bid", ability="k", bid=6, words="His ledger")
    assert table.state.throws
    return table


@pytest.fixture
def shot() -> Table:
    """She missed, against a critical: it brings the clerk back."""
    return shot_with(19, 6)


def test_qw_53_the_won_contest_is_over_but_for_the_dice_that_wait(shot: Table) -> None:
    assert shot.state.phase is Phase.AFTER and shot.state.won_by == 0
    assert shot.offered("i") == {"spend", "stand"} and "close" not in shot.offered("")
    asked = shot.kind.asks(shot.state, shot.sheets)
    assert asked and all(ask.action != "close" for ask in asked)
    for viewer in (Perspective(), Perspective(frozenset("i")), Perspective(runs=True)):
        assert shot.kind.view(shot.state, shot.sheets, viewer)


def test_qw_53_a_parting_shot_that_stands_brings_them_back_into_the_rounds(shot: Table) -> None:
    shot.act("i", "stand")
    assert not shot.state.throws and shot.state.entrant("~0").status == "in" and shot.state.won_by is None
    assert shot.state.phase is Phase.ROUNDS and "close" not in shot.offered("")
    assert [ask.action for ask in shot.kind.asks(shot.state, shot.sheets)] == ["gm_bid"]


@pytest.mark.parametrize("decision", ["spend", "stand"])
def test_qw_53_a_parting_shot_that_hits_leaves_the_contest_won_for_the_gm_to_finish(decision: str) -> None:
    hit = shot_with(12, 12)
    hit.act("i", decision)
    assert not hit.state.throws and hit.state.phase is Phase.AFTER and "close" in hit.offered("")


@pytest.mark.parametrize("out", [False, True])
def test_qw_45_who_is_back_has_their_pair_again_only_with_somebody_who_stands(out: bool) -> None:
    table = Table()
    went = ("~0", "i") if out else ("~0",)
    events = (*(WentOut(who, "beaten", 0, 5) for who in went), Returned("~0", "parting", 0))
    for event in events:
        table.plain = table.kind.evolve(table.plain, event)
    assert table.state.entrant("~0").status == "in" and table.state.bout(0).closed is out
    assert not [bout for bout in table.state.open_bouts
                if not all(table.state.entrant(who).fights for who in (bout.ours, bout.theirs))]
    table.kind.offers(table.state, table.sheets)
    table.kind.view(table.state, table.sheets, Perspective(runs=True))
