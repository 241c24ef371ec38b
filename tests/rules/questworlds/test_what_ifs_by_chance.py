"""What a page says of an augment that is still open, and of a story point, held against every throw that is then made
by the acts themselves (QW-12, QW-22)."""
from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from itertools import product
from random import Random
from typing import Any

from rules.engine import find
from rules.moves import Need
from rules.procedure import ActResult, CampaignContext
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.simple_contest import SimpleContest
from rules.systems.questworlds.simple_contest.odds import what_ifs
from tests.effort import tries

KIND, CASES = SimpleContest(), tries(2, 300)


class Table:
    """One who stands against something by chance, with story points in the pool or none."""

    def __init__(self, chance: Random) -> None:
        lines = [Trait(id_, "ability", name, chance.randint(1, 45)) for id_, name in (("a", "Knife"), ("b", "Maps"))]
        hurt = Trait("h", "consequence", "Cut hand", chance.randint(1, 2), note="Knife")
        self.sheets = {"i": Sheet("i", "Ilse", (*lines, *([hurt] if chance.random() < 0.5 else [])))}
        self.points = chance.randint(0, 1)
        begun = KIND.start({"contestants": [{"sheet": "i", "player": True}], "title": "The gate"}, self.sheets)
        assert not isinstance(begun, Need)
        self.plain: Any = reduce(KIND.evolve, begun.events, KIND.blank())
        self.act("i", "choose", {"tactic": "By hand", "ability": "a"})
        self.act("", "oppose", {"name": "It", "resistance": str(chance.randint(1, 45))})
        self.act("i", "augment", {"trait": "b", "whom": "i", "words": "By the map"})

    def aware(self, plain: Any) -> Any:
        return KIND.with_context(plain, CampaignContext((("story_points", self.points),)))

    def tried(
        self, plain: Any, by: str, action: str, given: Mapping[str, Any], faces: tuple[int, ...] = ()
    ) -> tuple[Any, ActResult[Any]]:
        came = KIND.act(self.aware(plain), self.sheets, by, action, given, faces)
        assert not isinstance(came, Need)
        return reduce(KIND.evolve, came.events, plain), came

    def act(self, by: str, action: str, given: Mapping[str, Any]) -> None:
        self.plain, _ = self.tried(self.plain, by, action, given)

    def every_throw(self, *, spending: bool) -> dict[str, Fraction]:
        """How often it is won, tied and lost; with a story point wherever one is offered, or with none."""
        counted = {"victory": 0, "tie": 0, "defeat": 0}
        for faces in product(range(1, 21), repeat=2):
            then, _ = self.tried(self.plain, "i", "roll", {}, faces)
            offers = KIND.offers(self.aware(then), self.sheets)
            for action in ("spend", "stand"):
                if (spending or action == "stand") and find(offers, action, "i"):
                    then, _ = self.tried(then, "i", action, {})
                    break
            outcome = then.outcome("i")
            counted[outcome.outcome] += 1
        return {word.capitalize(): Fraction(ways, 400) for word, ways in counted.items()}


def said(table: Table, label: str) -> dict[str, Fraction] | None:
    """The shares that the page shows under this label; None where it says none."""
    named = dict(what_ifs(table.aware(table.plain), "i"))
    return {word: share for word, share, _ in named[label].outcomes} if label in named else None


def test_qw_22_what_an_open_augment_and_a_story_point_are_said_to_make_of_it_is_what_every_throw_comes_to() -> None:
    chance, points = Random(22), 0
    for _ in range(CASES):
        table = Table(chance)
        promised = said(table, "With Maps, +3")
        table.act("", "answer", {"proposal": "0", "verdict": "assured3"})
        table.act("", "set", {})
        now, with_point = said(table, "As it is now"), said(table, "With a story point")
        assert promised == now == table.every_throw(spending=False)
        assert (with_point is not None) == bool(table.points), "as long as the pool has one"
        if with_point is not None:
            points += 1
            assert with_point == table.every_throw(spending=True)
    assert points, "a story point was there once"
