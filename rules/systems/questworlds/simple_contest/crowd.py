"""Many against few: heads are counted, and change the resistance (QW-28)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.fields import Choice, Field, Whole
from rules.moves import Step
from rules.procedure import Offer, Options
from rules.systems.questworlds.crowds import BODIES, WORDS, Heads, heads
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.simple_contest import events as e
from rules.systems.questworlds.simple_contest.offer_forms import Sheets
from rules.systems.questworlds.simple_contest.state import State

WAYS = ((BODIES, "With bodies: six at most get at one"), (WORDS, "With words: two at most talk at one"))
MANY = 10**6


def crowd(state: State) -> Offer | None:
    """Heads against heads, once there is a resistance for them to change (QW-28)."""
    counted = [each for each in state.oppositions if not each.rival]
    if state.pair or not counted:
        return None
    fields: list[Field] = [
        Whole(name="them", label="How many of them", default=1, least=1, most=MANY),
        Whole(name="us", label="How many of us", default=len(state.entrants), least=1, most=MANY,
              help="Followers count too."),
        Choice(name="way", label="How they contend", options=WAYS, default=BODIES),
        Choice(name="amount", label="What it makes of the resistance", default="", options=(
            ("", "What the heads say"), *((str(each), signed(each)) for each in (9, 6, 3, 0, -3, -6, -9)))),
    ]
    options: dict[str, Options] = {}
    if len(counted) > 1:
        fields.insert(0, text("whom", "For what stands against", "Left open: for all."))
        options["whom"] = tuple((each.who, state.entrant(each.who).name) for each in counted if each.who)
    return Offer("crowd", "", "Count heads", "Many against few: two on one are +3, three or four +6, more +9.",
                 tuple(fields), options)


def count_heads(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """The larger side divides among the smaller, which makes a resistance harder, or easier (QW-28)."""
    counted = heads(values["them"], values["us"], values["way"], state.edition)
    by_rank = state.edition.modifiers.of_rank(counted.rank)
    amount = int(values["amount"]) if values["amount"] else by_rank
    division, symbol = _heads(values["them"], values["us"], counted), state.settings.symbol
    found, steps = [], [Step("QW-28", f"{values['them']} of them against {values['us']} of us: {division}.")]
    if amount != by_rank:
        steps.append(Step("QW-28", f"The GM makes it {signed(amount)}; the heads say {signed(by_rank)}."))
    for each in state.oppositions:
        if not each.rival and values.get("whom", "") in ("", each.who):
            changed = with_crowd(state, each, amount, division)
            found.append(e.Opposed(changed))
            before = notation(each.resistance - each.crowd, symbol)
            floor = "" if changed.crowd == amount else f"; {state.edition.difficulty.least} is the least"
            steps.append(Step("QW-28", f"{each.name}: {before}, {signed(amount, symbol)} for the heads, comes to "
                                       f"{notation(changed.resistance, symbol)}{floor}."))
    return e.Result(tuple(found), tuple(steps))


def _heads(them: int, us: int, counted: Heads) -> str:
    if counted.each == 1:
        return "one on one"
    more, whose = ("of them", "of us") if them > us else ("of us", "of them")
    each = f"{counted.each} {more} on {'one' if min(them, us) == 1 else 'each'} {whose}"
    return each if counted.engaged == counted.each else f"{each}, {counted.engaged} at a time"


def with_crowd(state: State, found: e.Opposition, amount: int, division: str) -> e.Opposition:
    """With what the heads make of it; a resistance that was 6 or more does not fall under 6 by it (QW-03)."""
    alone = found.resistance - found.crowd
    number = max(alone + amount, min(alone, state.edition.difficulty.least))
    return replace(found, resistance=number, crowd=number - alone, heads=division)
