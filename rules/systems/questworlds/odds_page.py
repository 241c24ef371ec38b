"""The page of odds: the chance of victory by ability and resistance, and any contest."""
from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from rules.fields import Flag
from rules.systems.questworlds.contest import Contest, Terms
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.notation import ScoreField, notation
from rules.systems.questworlds.reckoning import Modifier, Party, terms
from rules.systems.questworlds.resistance import resistance
from rules.tables import Calculator, Cell, OddsAnswer, Table

SCORES = (6, 10, 13, 17, 20, 23, 27, 31, 37, 41)
RANKS = (-2, -1, 0, 1, 2, 3, 4)


def tables(settings: Mapping[str, Any], edition: Edition = FIRST) -> tuple[Table, ...]:
    """Victory without and, where the campaign has them, with a story point."""
    plain = _table(settings, False, edition)
    return (plain, _table(settings, True, edition)) if settings["points"] else (plain,)


def _table(settings: Mapping[str, Any], point: bool, edition: Edition) -> Table:
    symbol, base = settings["symbol"], settings["base"]
    facing = tuple(resistance(rank, base, edition) for rank in RANKS)
    rows = tuple(
        (
            notation(score, symbol),
            tuple(Cell(_chance(terms(Party(score, point=point), Party(foe), edition=edition))) for foe in facing),
        )
        for score in SCORES
    )
    title = "Victory with a story point" if point else "Victory"
    lead = (
        "When it is spent whatever the dice show." if point else "An ability against a resistance, before any modifier."
    )
    return Table(
        title, lead, "QW-12" if point else "QW-13", "Resistance", tuple(notation(foe, symbol) for foe in facing), rows
    )


def _chance(roll: Terms) -> Fraction:
    return Contest().odds(roll, "outcome").get("victory", Fraction(0))


def calculators(settings: Mapping[str, Any], edition: Edition = FIRST) -> tuple[Calculator, ...]:
    """Any contest."""
    symbol = settings["symbol"]
    fields = (
        ScoreField(name="ability", label="Ability", default=17, symbol=symbol, help=f"17, 7{symbol}, 1{symbol}2."),
        ScoreField(name="modifier", label="Modifiers, all together", default=0, symbol=symbol),
        ScoreField(name="resistance", label="Resistance", default=int(settings["base"]), symbol=symbol),
        *((Flag(name="point", label="With a story point"),) if settings["points"] else ()),
    )
    return (Calculator("contest", "Any contest", "As both sides are now.", fields, partial(_answer, symbol, edition)),)


def _answer(symbol: str, edition: Edition, values: Mapping[str, Any]) -> OddsAnswer:
    counts = (Modifier("", "", "", values["modifier"]),)
    roll = terms(Party(values["ability"], counts=counts, point=bool(values.get("point"))), Party(values["resistance"]),
                 edition=edition)
    chances = Contest().odds(roll, "outcome")
    outcomes = tuple((label, chances.get(word, Fraction(0)), tone) for word, label, tone in (
        ("victory", "Victory", "good"), ("tie", "Tie", "fair"), ("defeat", "Defeat", "bad")))
    return OddsAnswer(outcomes, (f"{notation(roll.score, symbol)} against {notation(roll.resistance, symbol)}.",))
