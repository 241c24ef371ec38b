"""Style dice heal: a second wind, and raising those who are mostly dead (PS-34, PS-35)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.engine import Act, Sheets, Values
from rules.fields import REQUIRED, Listing, Text
from rules.moves import Die, Need, Step, take
from rules.procedure import Offer, Options
from rules.sheet import Effect, NewAllocation, Sheet
from rules.systems.pdq_sharp.kinds import POISONED
from rules.systems.pdq_sharp.reading import fortes, of_kind, zeroed
from rules.systems.pdq_sharp.recovery import RECOVERY, needs_raising, raise_fortes
from rules.systems.pdq_sharp.style_dice.state import MOST_AT_ONCE, Deed, Result, State, many
from rules.wording import join


@dataclass(frozen=True)
class Spent(Deed):
    """Dice were spent on something that leaves nothing to be told here."""

    who: str

    def then(self, state: State) -> State:
        return state


def wind_cost(sheet: Sheet) -> int:
    """What a second wind costs: twice as much with a poison that weakens (PS-35, PS-49)."""
    return 2 if of_kind(sheet, POISONED) else 1


def raisable(sheets: Sheets) -> Options:
    """The zeroed fortes of those who are mostly dead, as `sheet/forte`."""
    return tuple((f"{sheet.id}/{forte.id}", f"{sheet.name}: {forte.name}") for sheet in sheets.values()
                 if needs_raising(sheet) and not sheet.dead for forte in zeroed(sheet))


def offer_wind(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who is hurt and can pay it."""
    for sheet in sheets.values():
        cost, hurt = wind_cost(sheet), any(forte.damage for forte in fortes(sheet))
        if state.dice_of(sheet) >= cost and hurt and not needs_raising(sheet):
            yield Offer("second_wind", sheet.id, f"Second wind, {cost}", "Roll a die: so many ranks come back.",
                        rolls=True)


def second_wind(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A die is rolled, and so many ranks come back where the player chooses (PS-35)."""
    if take(faces, 1) is None:
        return Need((6,))
    sheet, cost = sheets[by], wind_cost(sheets[by])
    hurt = sum(forte.damage for forte in fortes(sheet))
    back = min(faces[0], hurt)
    step = Step("PS-35", f"{sheet.name} catches a second wind for {many(cost)}: {faces[0]}, so {back} "
                         f"{'rank comes' if back == 1 else 'ranks come'} back.")
    healing = NewAllocation(by, RECOVERY, back, "A second wind")
    effects: tuple[Effect, ...] = (*state.pays(sheet, cost, "Second wind"), healing)
    return Result((Spent(by),), (step,), {"recovered": back}, (Die(6, faces[0]),), effects)


def offer_raising(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who holds dice, while somebody is mostly dead."""
    low = raisable(sheets)
    for sheet in sheets.values() if low else ():
        if state.dice_of(sheet):
            yield Offer("raise", sheet.id, "Raise someone, 1 for each forte", "Back to Poor, from mostly dead.", (
                Listing(name="fortes", label="Fortes", of=Text(name="forte", label="Forte"), most=MOST_AT_ONCE,
                        default=REQUIRED, missing="Choose the fortes."),), {"fortes": low})


def raise_somebody(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Fortes of those who are mostly dead come back to Poor, a die each, from anybody's dice (PS-34)."""
    chosen = [low.partition("/") for low in values["fortes"]]
    effects: list[Effect] = list(state.pays(sheets[by], len(chosen), f"Raising {_fallen(sheets, chosen)}"))
    steps = [Step("PS-34", f"{sheets[by].name} spends {many(len(chosen))} on {_fallen(sheets, chosen)}.")]
    for id_ in dict.fromkeys(sheet for sheet, _, _ in chosen):
        back, step = raise_fortes(sheets[id_], [line for sheet, _, line in chosen if sheet == id_])
        effects += back
        steps.append(step)
    return Result((Spent(by),), tuple(steps), effects=tuple(effects))


def _fallen(sheets: Sheets, chosen: Sequence[tuple[str, str, str]]) -> str:
    return join(list(dict.fromkeys(sheets[sheet].name for sheet, _, _ in chosen)))


ACTS = (Act("second_wind", offer_wind, second_wind), Act("raise", offer_raising, raise_somebody))
EVENTS = (Spent,)
