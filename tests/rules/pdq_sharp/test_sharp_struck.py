"""Fortes that the GM strikes in a challenge: the same dice come to what they would have, had nobody said them."""
from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from rules.moves import Need
from rules.sheet import Sheet, Trait
from rules.strike import DISMISS
from rules.systems.pdq_sharp.challenge.state import Cast
from rules.values import BadMove
from tests.effort import tries
from tests.rules.pdq_sharp.people import JACKDAW, SERAFINE, sheet_of
from tests.rules.pdq_sharp.test_sharp_challenge import Task

FORTES = ("fencing", "bow", "forester", "vengeful", "ruin the margrave")
HANGS = {"showy": "fencing", "sabre": "fencing", "tumbling": "fencing", "trick shot": "bow"}
HELPER = Sheet("oak", "Oak", (Trait("oar", "forte", "Oar", 2), Trait("knot", "forte", "Knots", 1)), npc=True)


class Said:
    """What Jackdaw says of a roll, by chance."""

    def __init__(self, chance: Random) -> None:
        self.fortes = chance.sample(FORTES, chance.randint(0, 4))
        fitting = [technique for technique, forte in HANGS.items() if forte in self.fortes]
        self.techniques = [name for name in fitting if chance.random() < 0.3]
        self.flat = [name for name in fitting if name not in self.techniques and chance.random() < 0.3]
        self.style, self.burn = chance.randint(0, 1), chance.random() < 0.3
        self.help = ["oar", "knot"] if chance.random() < 0.5 else []
        self.harm, self.difficulty = chance.choice(("none", "wound")), chance.choice((5, 9, 13, 17))
        self.faces = [chance.randint(1, 6) for _ in range(2 + len(self.techniques) + self.style)]

    def without(self, forte: str) -> list[int]:
        """Leaves it out, and what hangs on it; the places of the dice that are left."""
        self.fortes = [name for name in self.fortes if name != forte]
        self.help = [name for name in self.help if name != forte]
        dice = [number for number, name in enumerate(self.techniques) if HANGS[name] == forte]
        gone = {number + 2 for number in dice}
        self.techniques = [name for name in self.techniques if HANGS[name] != forte]
        self.flat = [name for name in self.flat if HANGS[name] != forte]
        self.burn = self.burn and forte != "ruin the margrave"
        return [number for number in range(len(self.faces)) if number not in gone]

    def rolled(self, *, flashy: bool = False) -> Task:
        jackdaw = sheet_of("Jackdaw", JACKDAW, style_dice=2, training_points=0)
        others = (sheet_of("Serafine", SERAFINE, style_dice=2, training_points=0),) if flashy else (HELPER,)
        about: dict[str, Any] = {} if flashy else {"difficulty": self.difficulty, "harm": self.harm}
        task = Task(jackdaw, *others, entrants=1 + flashy, **about)
        if flashy:
            task.do("roll", "serafine", 3, 4, fortes=["royal rider"])
        elif self.help:
            task.do("help", "oak", fortes=self.help)
        task.do("roll", "jackdaw", *self.faces, fortes=self.fortes, techniques=self.techniques, flat=self.flat,
                style=self.style, burn=self.burn)
        return task


def to_strike(task: Task) -> dict[str, str]:
    offers = [offer for offer in task.offers() if offer.action == DISMISS]
    return dict((offers[0].options or {})["which"]) if offers else {}


def cast_of(task: Task) -> Cast:
    cast = task.plain.entrant("jackdaw").cast
    assert isinstance(cast, Cast)
    return cast


def purses(task: Task) -> Any:
    return {who: dict(sheet.pools) for who, sheet in task.sheets.items()}, [
        line.name for line in task.sheets["jackdaw"].traits if line.kind == "burned"]


def agrees(chance: Random, *, flashy: bool) -> Counter[str]:
    struck: Counter[str] = Counter()
    kept = chance.getstate()
    try:
        first = Said(chance).rolled(flashy=flashy)
    except BadMove:
        return struck  # two idioms, or a motivation that is burned and does not count
    for which in to_strike(first):
        who, _, forte = which.partition(" ")
        if who == "serafine":
            continue
        again = Random()
        again.setstate(kept)
        bare = Said(again)
        task = bare.rolled(flashy=flashy)
        bare.faces = [bare.faces[place] for place in bare.without(forte)]
        expected = bare.rolled(flashy=flashy)
        done = task.do(DISMISS, which=which)
        assert not isinstance(done, Need) and not done.dice
        assert cast_of(task) == cast_of(expected), (which, vars(bare))
        assert (task.plain.phase, task.plain.outcome, task.plain.hurt, task.plain.helps) == (
            expected.plain.phase, expected.plain.outcome, expected.plain.hurt, expected.plain.helps)
        assert purses(task) == purses(expected), "what was learned, won and burned"
        struck["help" if who == "oak" else forte] += 1
        struck["flashy"] += flashy
        struck["the last"] += not cast_of(task).ranks
    return struck


def test_ps_10_the_same_dice_lead_to_what_they_would_have_without_a_forte() -> None:
    chance, struck = Random(5), Counter[str]()
    for number in range(tries(120, 2500)):
        struck += agrees(chance, flashy=bool(number % 3 == 0))
    assert set(struck) == {*FORTES, "help", "flashy", "the last"} and min(struck.values()) > 4, struck


def test_ps_17_what_was_added_after_the_dice_stands_on_them() -> None:
    task = Task(sheet_of("Jackdaw", JACKDAW, style_dice=2, training_points=0), difficulty=13)
    task.do("roll", "jackdaw", 3, 3, fortes=["fencing"])
    assert set(to_strike(task)) == {"jackdaw fencing"}
    task.do("add", "jackdaw", what="style|flat")
    assert not to_strike(task)


def test_ps_15_a_helpers_forte_is_struck_before_the_dice_and_the_gms_own_are_not() -> None:
    task = Task(sheet_of("Jackdaw", JACKDAW), HELPER, difficulty=9)
    task.do("help", "oak", fortes=["oar", "knot"])
    assert to_strike(task) == {"oak oar": "Jackdaw says: Oak’s Oar, Expert [+4] counts.",
                               "oak knot": "Jackdaw says: Oak’s Knots, Good [+2] counts."}
    task.do(DISMISS, which="oak oar")
    assert task.said("The GM strikes what counted: Jackdaw says: Oak’s Oar")
    assert task.plain.helps[0].ranks == ("good",)
    task.do(DISMISS, which="oak knot")
    assert not task.plain.helps and not to_strike(task)
    gms = Task(HELPER, difficulty=9)
    gms.do("roll", "oak", 3, 3, fortes=["oar"])
    assert not to_strike(gms)
