"""Forty rolls by all doors of a challenge: what they come to is written down beside them (PS-10 to PS-15)."""
from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from itertools import product
from typing import Any

import pytest

from rules.procedure import ActResult, CampaignContext
from rules.registry import kind_of
from rules.sheet import Sheet, Trait
from rules.systems.pdq_sharp.challenge import ChallengeAtTable
from rules.systems.pdq_sharp.chart import TARGETS
from rules.tray import Around, Obstacle, in_one, rehearse
from tests.rules.pdq_sharp.people import JACKDAW, hurt, sheet_of

KIND = ChallengeAtTable()
RAVEN = sheet_of("Jackdaw", JACKDAW, style_dice=2)
SORE = hurt(RAVEN, fencing=2)  # Expert is Average
TAM = Sheet("tam", "Tam", (Trait("brawling", "forte", "Brawling", 1), Trait("sailor", "forte", "Sailor", 2)))
# What is ticked, how many dice fall, what is added to the best two, and the reasons.
TICKED: tuple[tuple[dict[str, Any], int, int, tuple[str, ...]], ...] = (
    ({}, 2, 0, ()),
    ({"fortes": ["fencing"]}, 2, 4, ("Fencing",)),
    ({"fortes": ["fencing", "bow", "vengeful"]}, 2, 4, ("Fencing", "Bow", "Vengeful")),
    ({"fortes": ["fencing"], "techniques": ["sabre"]}, 3, 4, ("Fencing", "Sabre")),
    ({"fortes": ["fencing"], "flat": ["sabre"]}, 2, 5, ("Fencing", "Sabre")),
    ({"fortes": ["fencing"], "techniques": ["sabre"], "flat": ["among trees"]}, 3, 5,
     ("Fencing", "Sabre", "Among trees")),
    ({"fortes": ["fencing"], "flat": ["showy"], "style": 1}, 3, 5, ("Fencing", "Showy", "Style dice")),
    ({"fortes": ["bow"], "techniques": ["trick shot"], "help": ["brawling"]}, 3, 4, ("Bow", "Trick shot", "Tam helps")),
    ({"fortes": ["ruin the margrave"], "burn": True}, 2, 4, ("Ruin the Margrave", "Ruin the Margrave is burned")),
    ({"fortes": ["fencing"], "help": ["brawling", "sailor"]}, 2, 10, ("Fencing", "Tam helps")),
)
OBSTACLES: tuple[dict[str, Any], ...] = ({"difficulty": "expert"}, {"difficulty": 14, "harm": "wound"})
CASES = list(product((RAVEN, SORE), TICKED, OBSTACLES))
Came = tuple[str, Fraction, tuple[str, ...]]  # how the odds are headed, the chance of success, each reason


def told(counted: Any) -> tuple[str, ...]:
    """The reasons as they are told, without their numbers."""
    return tuple(str(line).rpartition(":")[0] for line in counted)


def came_of(odds: Any, why: Any) -> Came:
    ((label, answer),) = odds
    rest = 3 if "failing" in label else 2  # the dice, the target, and what failing costs
    counted = tuple(part.label for part in why.parts[:-rest] if part.label != "No forte")
    return label, answer.outcomes[0][1], counted


def by_the_tray(sheet: Sheet, ticked: Mapping[str, Any], obstacle: Mapping[str, Any]) -> Came:
    """Of what is ticked the fortes and techniques are one list."""
    given = {**{name: ticked[name] for name in ticked if name != "techniques"},
             "fortes": [*ticked.get("fortes", ()), *ticked.get("techniques", ())]}
    around = Around(against=Obstacle("The wall", obstacle), others={"tam": TAM})
    setup = {"contestants": [{"sheet": sheet.id}], "title": "The wall"}
    roll, sheets = KIND.from_tray(sheet, setup, given, around), {sheet.id: sheet, "tam": TAM}
    rehearsed = rehearse(KIND, roll, sheets)
    done = in_one(KIND, roll, sheets, [1] * (2 + len(ticked.get("techniques", ())) + ticked.get("style", 0)),
                  CampaignContext((("bowl", 0),)))
    assert isinstance(done, ActResult)
    move = kind_of(done.rolls[0].move)
    chance = move.odds(move.read(done.rolls[0].given), "success").get(True, Fraction(0))
    assert chance == rehearsed.odds[0][1].outcomes[0][1], "and so the dice are read"
    assert roll.with_others == (("tam",) if "help" in ticked else ())
    return came_of(rehearsed.odds, rehearsed.why)


def by_the_page(sheet: Sheet, ticked: Mapping[str, Any], obstacle: Mapping[str, Any], *, framed: bool = False) -> Came:
    """Begun with the GM's difficulty, or `framed` without one; whoever helps says so."""
    sheets = {sheet.id: sheet, "tam": TAM}
    setup = {"contestants": [{"sheet": sheet.id}], "title": "", **({} if framed else obstacle)}
    begun = KIND.start(setup, sheets)
    assert isinstance(begun, ActResult)
    state = reduce(KIND.evolve, begun.events, KIND.blank())
    acts: list[tuple[str, str, Mapping[str, Any]]] = [("", "set", {"harm": "none", **obstacle})] if framed else []
    if "help" in ticked:
        acts.append(("tam", "help", {"fortes": ticked["help"]}))
    for by, action, given in acts:
        done = KIND.act(state, sheets, by, action, given)
        assert isinstance(done, ActResult)
        state = reduce(KIND.evolve, done.events, state)
    given = {name: ticked[name] for name in ticked if name != "help"}
    rolled = KIND.act(state, sheets, sheet.id, "roll", given, [1] * (
        2 + len(ticked.get("techniques", ())) + ticked.get("style", 0)))
    assert isinstance(rolled, ActResult)
    ((label, answer),) = KIND.forecast(state, sheets, sheet.id, "roll", given)
    cast = reduce(KIND.evolve, rolled.events, state).entrants[0].cast
    assert cast is not None
    return label, answer.outcomes[0][1], told(cast.reasons)


def by_the_frame(sheet: Sheet, ticked: Mapping[str, Any], obstacle: Mapping[str, Any]) -> Came:
    return by_the_page(sheet, ticked, obstacle, framed=True)


@pytest.mark.parametrize("door", [by_the_tray, by_the_page, by_the_frame], ids=["tray", "page", "frame"])
@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_ps_10_the_same_dice_odds_and_reasons_at_every_door(case: Any, door: Any) -> None:
    sheet, (ticked, dice, adds, reasons), obstacle = case
    adds -= 4 if sheet is SORE and "fencing" in ticked.get("fortes", ()) else 0
    hard = obstacle["difficulty"]
    target = TARGETS.get(hard, hard)
    throws = [sum(sorted(faces)[-2:]) + adds for faces in product(range(1, 7), repeat=dice)]
    label, chance, why = door(sheet, ticked, obstacle)
    assert chance == Fraction(sum(total >= target for total in throws), len(throws))
    signed = f"−{-adds}" if adds < 0 else f"+{adds}"
    assert label == (f"{dice}d6{', the best two' if dice > 2 else ''}, {signed} against {target}"
                     f"{'; failing costs wound ranks' if 'harm' in obstacle else ''}")
    assert [line.partition(",")[0] for line in why] == list(reasons)
