"""What may be done meanwhile, and its exact chances against brute force (QW-43 to QW-56)."""
from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from rules.procedure import Perspective
from rules.systems.questworlds.long import ExtendedLong
from rules.systems.questworlds.long.pairs import Returned
from rules.wording import percent
from tests.rules.questworlds.longing import Table, group

FACES = tuple((mine, theirs) for mine in range(1, 21) for theirs in range(1, 21))


def rows(table: Table, who: str) -> dict[str, Any]:
    mines = [mine for mine in table.view(who).detail.meanwhile if mine.by == who]
    return {row.action: row for mine in mines for row in mine.rows}


def by_hand(table: Table, by: str, action: str, **given: Any) -> tuple[dict[str, Fraction], Fraction]:
    """Every throw of it: how often each outcome comes up, and how often somebody is back."""
    counts: Counter[str] = Counter()
    back = 0
    for faces in FACES:
        result = table.kind.act(table.state, table.sheets, by, action, given, faces)
        counts[str(result.result["outcome"])] += 1
        back += any(isinstance(event, Returned) for event in result.events)
    return {outcome: Fraction(ways, 400) for outcome, ways in counts.items()}, Fraction(back, 400)


def the_clerk_out() -> Table:
    table = group()
    table.round(16, 20, by="o", bout=1, ability="s")
    table.round(9, 9)
    table.round(16, 20, by="o", bout=1, ability="s")
    return table


@pytest.mark.parametrize(("action", "given"), [
    ("assist", {"bout": "0", "ability": "s", "words": ""}), ("unrelated", {"ability": "w", "words": ""}),
])
def test_qw_48_the_chances_of_what_is_done_meanwhile_are_those_of_every_throw(
    action: str, given: dict[str, Any]
) -> None:
    table = the_clerk_out()
    (_, told), = table.kind.forecast(table.state, table.sheets, "o", action, given)
    outcomes, _ = by_hand(table, "o", action, **given)
    assert {label.lower(): chance for label, chance, _ in told.outcomes if chance} == outcomes


def test_qw_45_the_chance_that_who_fell_is_back_is_that_of_every_throw() -> None:
    table = the_clerk_out()
    given = {"whom": "~1", "ability": "w", "words": "The keys"}
    (_, asked), = table.kind.forecast(table.state, table.sheets, "o", "parting", given)
    table.act("o", "parting", **given)
    outcomes, back = by_hand(table, "", "answer_shot", answer="o:yes")
    assert back and asked.facts == (f"{percent(back)} that Clerk is back in it.",)
    assert {label.lower(): chance for label, chance, _ in asked.outcomes if chance} == outcomes


def test_qw_49_who_fell_sees_that_a_follower_may_take_points() -> None:
    table = Table(opponents="Captain Vey 17; Clerk 11", who=(("i", "The crew", True), ("o", "The crew", True)))
    table.act("i", "follower", trait="r", role="secondary")
    while table.state.entrant("i").status == "in":
        table.round(20, 17)
        if table.state.entrant("i").status == "in":
            table.round(9, 9, by="o", bout=1, ability="s")
    assert "shift" in rows(table, "i") and not rows(table, "o")
    (mine,) = table.view("i").detail.meanwhile
    assert mine.title == "You are out. What is left to you"


def test_qw_48_who_is_not_in_it_and_who_has_rolled_see_what_they_can_do() -> None:
    table = Table(opponents="Captain Vey 17; Clerk 11", who=(("i", "The crew", True), ("o", "The crew", True)))
    table.round(3, 19)
    assert "augment" in rows(table, "i") and table.view("i").detail.meanwhile[0].title == "While you wait"
    lone = Table()
    lone.sheets["o"] = table.sheets["o"]
    assert {"assist", "enter", "unrelated"} <= rows(lone, "o").keys() and rows(lone, "o")["assist"].chance
    bare = lone.kind.view(lone.state, lone.sheets, Perspective(frozenset("o"), odds=False))
    assert not any(row.chance for mine in bare.detail.meanwhile for row in mine.rows), "no odds were asked for"


def test_qw_53_an_answer_tells_no_total_of_an_extended_contest() -> None:
    table = Table(ExtendedLong(), "Clerk 6", points=1)
    table.act("i", "bid", 12, 19, whom="~0", ability="k", bid=15)
    assert table.state.throws
    titles = [offer.title for offer in table.kind.offers(table.state, table.sheets)
              if offer.action in ("stand", "spend")]
    assert len(titles) == 2 and all("Clerk −" in title and "out" not in title for title in titles)
