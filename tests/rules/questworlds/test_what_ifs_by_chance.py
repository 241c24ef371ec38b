"""What a page says of augments that are still open, and of a story point, held against every throw that is then made by
the acts themselves: one augment or two, plain or told well, assured or rolled for, by any older options (QW-12, QW-22).
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import copy
from fractions import Fraction
from functools import reduce
from itertools import product
from random import Random
from typing import Any

from rules.engine import find
from rules.moves import Need
from rules.procedure import ActResult, CampaignContext
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.older.degrees import NAMES
from rules.systems.questworlds.older.options import OPTIONS
from rules.systems.questworlds.simple_contest import SimpleContest
from rules.systems.questworlds.simple_contest.odds import what_ifs
from rules.tables import OddsAnswer
from rules.wording import percent
from tests.effort import tries

KIND, CASES = SimpleContest(), tries(2, 300)
HELP = {"i": ("b", "Maps"), "t": ("s", "Songs")}  # who may augment, with what


class Table:
    """One who stands against something by chance, with one or two who offer to help, and story points or none."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        lines = [Trait(id_, "ability", name, chance.randint(1, 45)) for id_, name in (("a", "Knife"), ("b", "Maps"))]
        hurt = Trait("h", "consequence", "Cut hand", chance.randint(1, 2), note="Knife")
        songs = Trait("s", "ability", "Songs", chance.randint(1, 45))
        self.sheets = {"i": Sheet("i", "Ilse", (*lines, *([hurt] if chance.random() < 0.5 else []))),
                       "t": Sheet("t", "Tam", (songs,))}
        self.points = chance.randint(0, 1)
        self.older = [name for name in OPTIONS if chance.random() < 0.3]
        begun = KIND.start({"contestants": [{"sheet": "i", "player": True}], "title": "The gate",
                            **dict.fromkeys(self.older, True)}, self.sheets)
        assert not isinstance(begun, Need)
        self.plain: Any = reduce(KIND.evolve, begun.events, KIND.blank())
        self.act("i", "choose", {"tactic": "By hand", "ability": "a"})
        self.act("", "oppose", {"name": "It", "resistance": str(chance.randint(1, 45))})
        self.helpers = chance.sample(sorted(HELP), chance.randint(1, 2))
        for who in self.helpers:
            self.act(who, "augment", {"trait": HELP[who][0], "whom": "i", "words": "So"})

    def aware(self, plain: Any) -> Any:
        return KIND.with_context(plain, CampaignContext((("story_points", self.points),)))

    def tried(
        self, plain: Any, by: str, action: str, given: Mapping[str, Any], faces: tuple[int, ...] = ()
    ) -> tuple[Any, ActResult[Any]]:
        came = KIND.act(self.aware(plain), self.sheets, by, action, given, faces)
        assert not isinstance(came, Need)
        return reduce(KIND.evolve, came.events, plain), came

    def act(self, by: str, action: str, given: Mapping[str, Any], faces: tuple[int, ...] = ()) -> ActResult[Any]:
        self.plain, came = self.tried(self.plain, by, action, given, faces)
        return came

    def answers(self, place: int) -> list[str]:
        """What the GM may say of the augment at this place, but no."""
        offer = find(KIND.offers(self.aware(self.plain), self.sheets), "answer", "")
        field = next(field for field in offer.fields if field.name == "verdict") if offer else None
        return [word for word, _ in getattr(field, "options", ()) if word != "refused"]

    def branch(self) -> Table:
        return copy(self)

    def roll_for(self, who: str) -> None:
        """An augment's own contest, with a story point wherever chance has it."""
        self.act(who, "roll_augment", {}, (self.chance.randint(1, 20), self.chance.randint(1, 20)))
        if self.plain.own_roll:
            offers = KIND.offers(self.aware(self.plain), self.sheets)
            spends = self.chance.random() < 0.5 and find(offers, "spend", who)
            self.act(who, "spend" if spends else "stand", {})
            self.points -= bool(spends)

    def every_throw(self, *, spending: bool) -> OddsAnswer:
        """How often it is won, tied and lost, and by how much; with a story point wherever one is offered, or none."""
        counted, levels, degrees = Counter[str](), Counter[tuple[str, int]](), self.plain.policy.degrees
        for faces in product(range(1, 21), repeat=2):
            then, _ = self.tried(self.plain, "i", "roll", {}, faces)
            offers = KIND.offers(self.aware(then), self.sheets)
            for action in ("spend", "stand"):
                if (spending or action == "stand") and find(offers, action, "i"):
                    then, _ = self.tried(then, "i", action, {})
                    break
            came = then.outcome("i")
            counted[came.outcome] += 1
            levels[came.outcome, abs(came.degree) if degrees else came.rank] += 1
        facts = (f"{percent(Fraction(ways, 400))} {NAMES[level]} {word}" if degrees else
                 f"{percent(Fraction(ways, 400))} {word} of rank {level}"
                 for (word, level), ways in sorted(levels.items(), reverse=True) if level)
        tones = {"victory": "good", "tie": "fair", "defeat": "bad"}
        return OddsAnswer(tuple((word.capitalize(), Fraction(counted[word], 400), tone)
                                for word, tone in tones.items()), tuple(facts))


def said(table: Table, label: str) -> OddsAnswer | None:
    """What the page shows under this label; None where it says nothing."""
    return dict(what_ifs(table.aware(table.plain), "i")).get(label)


def in_vain(table: Table, who: str) -> Table:
    """The table once an augment's own contest has brought nothing."""
    for faces in product(range(20, 0, -1), range(1, 21)):
        then = table.branch()
        then.act(who, "roll_augment", {}, faces)
        if then.plain.own_roll:
            then.act(who, "stand", {})
        if then.plain.modifiers == table.plain.modifiers:
            return then
    raise AssertionError("every throw brings something")


def alone(table: Table, place: int, bonus: int) -> OddsAnswer:
    """What every throw comes to with this augment and none of those that are open."""
    then = table.branch()
    if not then.plain.proposals[place].verdict:
        then.act("", "answer", {"proposal": str(place), "verdict": f"assured{bonus}"})
    for number, proposal in enumerate(then.plain.proposals):
        if not proposal.verdict:
            then.act("", "answer", {"proposal": str(number), "verdict": "refused"})
        elif proposal.open:
            then = in_vain(then, proposal.by)
    then.act("", "set", {})
    return then.every_throw(spending=False)


def test_qw_22_what_open_augments_and_a_story_point_are_said_to_make_of_it_is_what_every_throw_comes_to() -> None:
    chance, seen, older = Random(22), Counter[str](), set[str]()
    for _ in range(CASES):
        table = Table(chance)
        older.update(table.plain.policy.older)
        seen["two at once"] += len(table.helpers) == 2
        for place, who in enumerate(table.helpers):
            name = HELP[who][1]
            assert said(table, f"With {name}, +3") == alone(table, place, 3), table.older
        for place, who in enumerate(table.helpers):
            verdict = chance.choice(table.answers(place))
            well = table.branch()
            table.act("", "answer", {"proposal": str(place), "verdict": verdict})
            bonus = int(verdict[-1])
            if verdict.startswith("roll"):
                # It is open as long as its own contest is: what that brings where it is won for so much.
                assert said(table, f"With {HELP[who][1]}, +{bonus}") == alone(well, place, bonus)
            seen[verdict] += 1
        for who in table.helpers:
            if any(proposal.by == who and proposal.open for proposal in table.plain.proposals):
                table.roll_for(who)
        table.act("", "set", {})
        now, with_point = said(table, "As it is now"), said(table, "With a story point")
        assert now == table.every_throw(spending=False), (table.older, table.plain.modifiers)
        assert (with_point is not None) == bool(table.points), "as long as the pool has one"
        if with_point is not None:
            seen["a story point"] += 1
            assert with_point == table.every_throw(spending=True), table.older
    print(dict(seen), sorted(older))
    assert {"two at once", "a story point"} < set(seen) and any("6" in word for word in seen) and older
