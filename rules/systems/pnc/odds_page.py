"""The page of odds: the nine bands by net dice, attacks by net dice, and calculators (PN-02 to PN-08)."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.fields import Flag, Whole
from rules.systems.pnc.competition import Competition, Pair
from rules.systems.pnc.dice import MOST_EXTRA
from rules.systems.pnc.factors import dice_in_words
from rules.systems.pnc.reckoning import by_number
from rules.systems.pnc.roll_odds import ALL_BANDS, spread
from rules.systems.pnc.rolls.state import span
from rules.tables import Calculator, Cell, OddsAnswer, Table
from rules.wording import percent

NETS = range(MOST_EXTRA, -MOST_EXTRA - 1, -1)
MOST = 20


def tables(settings: Mapping[str, Any]) -> tuple[Table, ...]:
    """The chances of success and of each band, and of each size of hit, for every net of dice."""
    opens = bool(settings["open_ended"])
    heads = tuple(f"{net} bonus" if net > 0 else f"{-net} penalty" if net else "Even" for net in NETS)
    spreads = {net: spread(by_number(max(0, -net), max(0, net), open_ended=opens).roll) for net in NETS}
    success = ("Success", tuple(Cell(spreads[net].success) for net in NETS))
    bands = tuple(
        (f"{band.capitalize()}, {span(index)}", tuple(Cell(spreads[net].bands[band]) for net in NETS))
        for index, band in enumerate(ALL_BANDS)
    )
    attacks = tuple(
        (row[0][0], tuple(Cell(chance) for _, chance, _ in row))
        for row in zip(*((*spreads[net].hits, *spreads[net].misses) for net in NETS), strict=True)
    )
    return (
        Table("Standard rolls", "The plain success, then the degree, by the dice that the factors leave.", "PN-03",
              "Dice", heads, (success, *bands)),
        Table("Attacks", "What comes of an attack. Bonus dice help the attacker, penalty dice the defender.", "PN-06",
              "Dice", heads, attacks),
    )


def calculators(settings: Mapping[str, Any]) -> tuple[Calculator, ...]:
    """Any factors, for one roll and for a competition."""
    opens = Flag(name="open_ended", label="Open-ended d20", default=bool(settings["open_ended"]))
    return (
        Calculator("roll", "Any roll", "How many dice the factors add, before they cancel.", (*_extra("", ""), opens),
                   _one),
        Calculator("competition", "Any competition", "Two standard rolls, compared by degree.",
                   (*_extra("first_", "One: "), *_extra("second_", "Other: "), opens), _two),
    )


def _extra(start: str, whose: str) -> tuple[Whole, ...]:
    return (
        Whole(name=f"{start}bonus", label=f"{whose}bonus dice".capitalize(), default=0, most=MOST),
        Whole(name=f"{start}penalty", label=f"{whose}penalty dice".capitalize(), default=0, most=MOST),
    )


def _one(values: Mapping[str, Any]) -> OddsAnswer:
    known = by_number(values["penalty"], values["bonus"], open_ended=values["open_ended"])
    chances = spread(known.roll)
    facts = (f"{known.button}: {dice_in_words(known.roll.net)}.", f"Success {percent(chances.success)}.")
    return OddsAnswer(chances.by_band(), facts)


def _two(values: Mapping[str, Any]) -> OddsAnswer:
    pair = Pair(*(
        by_number(values[f"{who}_penalty"], values[f"{who}_bonus"], open_ended=values["open_ended"]).roll
        for who in ("first", "second")))
    odds = Competition().odds(pair, "outcome")
    return OddsAnswer((("One wins", odds["first"], "good"), ("Nobody", odds["tie"], "fair"),
                     ("The other wins", odds["second"], "bad")))
