"""One way to a roll: the same character, feature and wounds come to the same dice at every door (PN-05, PN-10)."""
from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from rules.procedure import Use
from rules.registry import SYSTEMS
from rules.sheet import Sheet, Trait
from rules.systems import pnc
from rules.systems.pnc.dice import Roll
from rules.systems.pnc.fight import Fight, Opposed
from rules.systems.pnc.fight.reading import Struck
from rules.systems.pnc.ladder import Rung, word_of
from rules.systems.pnc.rolls import StandardRollContest
from rules.systems.pnc.rolls.question import Started
from rules.systems.pnc.rolls.state import Seated
from rules.systems.pnc.rolls.state import State as RollState
from rules.systems.pnc.rolls.throws import Rolled
from rules.systems.pnc.rolls.tray import from_tray, tray
from tests.rules.one_place import said_in
from tests.rules.pnc.playing import Table, sheet

ROLLS = SYSTEMS["pnc"].rolls
# The feature, its rung, the wounds, the GM's word of the obstacle, and what all of it comes to: bonus and penalty dice.
CASES: list[tuple[int, dict[str, int], int, tuple[int, int]]] = [
    (0, {}, 0, (0, 0)),
    (2, {}, 0, (2, 0)),
    (-1, {}, 0, (0, 1)),
    (1, {"A graze": 1}, 0, (1, 0)),
    (1, {"A cut": 3}, 0, (1, 1)),
    (2, {"A crushed hand": 7}, 0, (2, 2)),
    (1, {"A cut": 3, "A burn": 2, "Fell on the blade": -10}, 0, (1, 4)),
    (0, {"A cut": 3}, -2, (0, 3)),
    (2, {"A cut": 3}, 1, (3, 1)),
    (2, {"A crushed hand": 7}, -2, (2, 4)),
    (0, {"A graze": 1, "A burn": 2}, 1, (1, 1)),
]

# What wounds take together, as it is written down above.
TAKES: list[tuple[dict[str, int], int]] = [
    ({}, 0), ({"A graze": 1}, 0), ({"A cut": 3}, 1), ({"A crushed hand": 7}, 2),
    ({"A cut": 3, "A burn": 2, "Fell on the blade": -10}, 4)]
CASES += [(rung, wounds, obstacle, (max(0, rung) + max(0, obstacle), max(0, -rung) + max(0, -obstacle) + takes))
          for rung, (wounds, takes), obstacle in product((-1, 1, 2), TAKES, (0, -1))]


def who(rung: int, wounds: dict[str, int]) -> Sheet:
    return sheet("Ada", 0, wounds, knack=rung)


def as_it_opens(offer: Any, feature: str = "ada.knack") -> dict[str, Any]:
    """What is sent where somebody ticks the feature and leaves the rest as the form opens."""
    return {"features": [*(offer.now or {}).get("features", ()), feature]}


@pytest.mark.parametrize(("rung", "wounds", "obstacle", "dice"), CASES)
def test_pn_05_every_door_reckons_the_same(
    rung: int, wounds: dict[str, int], obstacle: int, dice: tuple[int, int]
) -> None:
    ada, word = who(rung, wounds), word_of(obstacle) if obstacle else ""
    matrix = next(way for way in ROLLS.approaches(ada, {"rung": word} if word else {}, {}) if way.lines == ("Knack",))
    assert (matrix.given["bonus"], matrix.given["penalty"]) == dice

    page = Table(StandardRollContest(), [ada], contestants=[{"sheet": "ada", "player": True}])
    if word:
        page.act("", "judge", circumstances=[{"rung": word, "reason": "The ice"}])
    [(label, odds)] = page.kind.forecast(
        page.state, page.sheets, "ada", "roll", as_it_opens(page.offer("ada", "roll")))[:1]
    page.act("ada", "roll", [10] + [3] * (3 + min(3, abs(dice[0] - dice[1]))), **as_it_opens(page.offer("ada", "roll")))
    rolled = page.state.roller("ada").roll
    assert (rolled.bonus, rolled.penalty) == dice and str(rolled.dice) + "d6" in label and odds.outcomes

    opened = tray(ada, ())
    planned = from_tray(ada, {}, as_it_opens(opened), None)
    assert planned.acts[-1].given == as_it_opens(page_offer(ada)), "the tray sends what the page would"
    assert planned.uses == ("ada.knack",), "a wound is nothing that somebody uses"


def page_offer(ada: Sheet) -> Any:
    return Table(StandardRollContest(), [ada], contestants=[{"sheet": "ada", "player": True}]).offer("ada", "roll")


@pytest.mark.parametrize(("rung", "wounds", "obstacle", "dice"), [case for case in CASES if not case[2]])
def test_pn_05_an_attack_counts_what_its_attacker_and_its_defender_bring(
    rung: int, wounds: dict[str, int], obstacle: int, dice: tuple[int, int]
) -> None:
    lines = [{"sheet": "ada", "side": "us", "player": True}, {"sheet": "cy", "side": "them"}]
    fight = Table(Fight(), [who(rung, wounds), sheet("Cy")], contestants=lines)
    for name, d20 in (("ada", 15), ("cy", 5)):
        fight.act(name, "initiative", [d20, 3, 3, 3])
    fight.act("ada", "attack", target="cy", words="", **as_it_opens(fight.offer("ada", "attack")))
    assert (fight.state.attack.roll.bonus, fight.state.attack.roll.penalty) == dice

    struck = Table(Fight(), [who(rung, wounds), sheet("Cy")], contestants=lines)
    for name, d20 in (("cy", 15), ("ada", 5)):
        struck.act(name, "initiative", [d20, 3, 3, 3])
    struck.act("cy", "attack", target="ada", words="")
    faces = [3] * (3 + min(3, abs(dice[0] - dice[1])))
    struck.act("ada", "defend", faces, **as_it_opens(struck.offer("ada", "defend")))
    roll = struck.state.attack.roll
    assert (roll.penalty, roll.bonus) == dice, "what helps a defender is as hard for the attacker"


def test_pn_05_an_npcs_line_in_the_way_counts_their_wounds() -> None:
    hurt = who(2, {"A cut": 3})
    knack = next(line for line in hurt.traits if line.name == "Knack")
    assert ROLLS.opposing_fields(knack, hurt, {}) == {"rung": word_of(-1)} == {"rung": Rung.HARD.word}
    assert ROLLS.opposing_fields(knack, Sheet("x", "X", (Trait("ada.knack", "feature", "Knack", 2),)), {}) == {
        "rung": Rung.VERY_HARD.word}


def test_pn_10_a_wound_that_is_left_out_is_seen_by_all() -> None:
    page = Table(StandardRollContest(), [who(1, {"A cut": 3})], contestants=[{"sheet": "ada", "player": True}])
    page.act("ada", "roll", [10, 3, 3, 3, 3], features=["ada.knack"])
    assert "Ada says that “A cut” doesn’t count here." in page.text("PN-10")


def test_pn_10_an_opposed_roll_counts_the_wounds_of_whoever_has_the_d20_from_the_start() -> None:
    lines = [{"sheet": "ada", "side": "us", "player": True, "leads": True}, {"sheet": "cy", "side": "them"}]
    opposed = Table(Opposed(), [who(1, {"A cut": 3}), sheet("Cy")], contestants=lines)
    assert opposed.state.attack.roll.penalty == 1 and "A cut" in opposed.text("PN-05")


def test_pn_10_a_factor_put_down_before_the_roll_leaves_nothing_out_yet() -> None:
    page = Table(StandardRollContest(), [who(1, {"A cut": 3})], contestants=[{"sheet": "ada", "player": True}])
    page.act("ada", "weigh", features=["ada.knack"])
    assert "doesn’t count" not in " ".join(step.text for step in page.last.steps)


def test_pn_05_the_terms_stand_with_the_dice_so_that_nothing_put_down_before_is_read_again() -> None:
    page = Table(StandardRollContest(), [who(1, {"A cut": 3})], contestants=[{"sheet": "ada", "player": True}])
    page.act("ada", "roll", [10, 3, 3, 3], features=["ada.knack", "ada.A cut"])
    [rolled] = [event for event in page.events if isinstance(event, Rolled)]
    bare = Started(open_ended=True, swing=True, seats=(Seated("ada", "Ada", True),)).after(RollState())
    assert rolled.after(bare).rollers == replace(page.state, over=False).rollers
    assert rolled.used(bare) == (Use("ada", ("ada.knack", "ada.A cut")),)
    older = replace(rolled, terms=None)
    assert older.after(bare).roller("ada").roll == Roll(), "an older entry counts what was put down before it"


def test_pn_06_an_attack_keeps_all_its_factors_with_the_d20() -> None:
    lines = [{"sheet": "ada", "side": "us", "player": True}, {"sheet": "cy", "side": "them"}]
    fight = Table(Fight(), [who(1, {"A cut": 3}), sheet("Cy", armour=2)], contestants=lines)
    for name, d20 in (("ada", 15), ("cy", 5)):
        fight.act(name, "initiative", [d20, 3, 3, 3])
    fight.act("ada", "attack", target="cy", words="", features=["ada.knack"])
    fight.act("cy", "defend", [3] * 4, features=["cy.armour"])
    fight.act("ada", "strike", [12])
    [struck] = [event for event in fight.events if isinstance(event, Struck)]
    assert struck.terms is not None and struck.terms.roll == Roll(2, 1)
    bare = replace(fight.state.last, weights=(), first=0)
    assert struck.to(bare).roll == Roll(2, 1) and replace(struck, terms=None).to(bare).roll == Roll()


def test_one_place_makes_a_roll_of_dice_and_one_reads_what_fell() -> None:
    """The contract's moves, the page of odds and each door ask `reckoning`."""
    made = said_in(pnc, r"\b(Roll|Thrown)\(")
    assert made == {("reckoning.py", "Roll"), ("reckoning.py", "Thrown"), ("dice.py", "Roll"),
                    ("contract_rolls.py", "Roll")}
