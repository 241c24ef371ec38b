"""What a set accomplishes: its difficulty's row, the excess over it, aid and healing (DW-05, DW-07, DW-16).

A check accomplishes what its difficulty stands for, as the challenge has it before keywords help or hinder; a higher
set does not make it another row. Each height over the difficulty is a further row that the GM may let the benefit be.
"""
from __future__ import annotations

from rules.moves import Step
from rules.sheet import Effect, Gain, Lose, Sheet
from rules.systems.danger_world.moves import AID_ANOTHER, HEALING, HEALS, MOVES, aid
from rules.systems.danger_world.pool import Pool, bonus_dice, result_of
from rules.systems.danger_world.pool import Table as Dice
from rules.systems.danger_world.reading import BONUS, botches, dice, filled, raise_danger, rank_word
from rules.systems.danger_world.table.state import State
from rules.systems.danger_world.track import Zone

OWN, AID = "own", "aid_another"
MOVE_OF = {each.name.lower().replace(" ", "_"): each for each in MOVES}
MOVE_OPTIONS = (
    ("", "None"), *((word, each.name) for word, each in MOVE_OF.items()), (OWN, "One of your own, in words"),
)
HEIGHTS = (2, 3, 4, 5, 6)
HEIGHT_1 = ("One die showing 1 is a set of height 1, a ruling of this game: a partial success worth 1 bonus die. The 1 "
            "is a botch all the same.")


def row_words(state: State, row: int) -> str:
    """What a row of the move accomplishes; "" where no move says it."""
    if state.move == OWN:
        table: tuple[str, ...] = state.own
    else:
        table = MOVE_OF[state.move].by_height if state.move in MOVE_OF else ()
    return table[row - HEIGHTS[0]] if table and row in HEIGHTS else ""


def is_aid(state: State) -> bool:
    """Whether the set's height itself goes to somebody else as bonus dice, so that no excess is left (DW-16)."""
    return MOVE_OF.get(state.move) is AID_ANOTHER


def further_rows(state: State, height: int) -> tuple[int, ...]:
    """The rows that the benefit of the excess may be: one for each height over the difficulty."""
    over = 0 if is_aid(state) else max(0, height - state.difficulty)
    return tuple(row for row in range(state.base + 1, state.base + over + 1) if row_words(state, row))


def healable(state: State, patient: Sheet, row: int) -> tuple[Zone, ...]:
    """The zones in which this row of a healing can open a box."""
    if MOVE_OF.get(state.move) is not HEALING:
        return ()
    return tuple(zone for zone in HEALS.get(row, ()) if filled(patient, zone))


def heals_nothing(state: State, patient: Sheet, row: int) -> bool:
    """Whether this row of a healing would clear a box, and none of these is filled."""
    return MOVE_OF.get(state.move) is HEALING and row in HEALS and not healable(state, patient, row)


def what_it_does(
    state: State, height: int, danger_used: int, sheet: Sheet, beside: Sheet | None
) -> tuple[tuple[Effect, ...], tuple[Step, ...]]:
    """Effects and reasons of using a set of this height, 0 for none; boxes are opened by the healer afterwards."""
    effects: list[Effect] = list(raise_danger(sheet, danger_used))
    steps: list[Step] = []
    done = height >= state.difficulty
    if done and row_words(state, state.base) and not is_aid(state):
        steps.append(Step("DW-16", row_sentence(state, state.base, beside or sheet)))
    if done and is_aid(state) and beside and (given := aid(height)):
        effects.append(Gain(beside.id, BONUS, f"Aid from {sheet.name}", given, state.title))
        steps.append(Step("DW-16", f"Aid another: {beside.name} gets {dice(given, 'bonus')} for one use, one for each "
                                   f"of the set’s height."))
    elif bonus := bonus_dice(height, state.difficulty):
        effects.append(Gain(sheet.id, BONUS, state.title, bonus, "What went well" if done else "A partial success"))
        steps.append(Step("DW-05", f"{sheet.name} holds {dice(bonus, 'bonus')} for one use."))
    undone = sheet.trait(state.proposal.undoes) if state.proposal else None
    if undone and done:
        effects.append(Lose(undone.id))
        steps.append(Step("DW-07", f"The setback is undone: {undone.name}."))
    if height == 1:
        steps.append(Step("DW-04", HEIGHT_1))
    if done:
        effects += [Lose(each.trait) for each in state.complications if each.trait and sheet.trait(each.trait)]
    return tuple(effects), tuple(steps)


def row_sentence(state: State, row: int, patient: Sheet) -> str:
    """What a row of the move does here: `Fighting, 3 meaningful: an ordinary foe is beaten.`"""
    name = MOVE_OF[state.move].name if state.move in MOVE_OF else "The move"
    at = f"{name}, {row} {rank_word(row)}"
    if heals_nothing(state, patient, row):
        zones = " or ".join(zone.name for zone in HEALS[row])
        return f"{at}: {patient.name} has no filled box of {zones}, so none is cleared."
    return f"{at}: {row_words(state, row)}."


def dice_on_table(state: State) -> Dice:
    """The faces by kind."""
    pool = state.pool or Pool(0)
    return Dice(state.faces[: pool.action], state.faces[pool.action : pool.own], state.faces[pool.own :])


def set_words(state: State, height: int) -> str:
    """What using a set of this height means: `Height 4: accomplished, 1 bonus die and a benefit; 2 botches`."""
    return f"{f'Height {height}' if height else 'No set'}: {result_words(state, height)}"


def result_words(state: State, height: int) -> str:
    """What comes of a set of this height, 0 for none: `accomplished; no botches; the danger rises by 1`."""
    result = result_of(dice_on_table(state), height, state.difficulty)
    number, rise = int(str(result["botches"])), result["danger_increase"]
    danger = f"; the danger rises by {rise}" if rise else ""
    return f"{_success_words(state, height)}; {botches(number) if number else 'no botches'}{danger}"


def _success_words(state: State, height: int) -> str:
    bonus = dice(bonus_dice(height, state.difficulty), "bonus")
    if not height:
        return "not accomplished"
    if height < state.difficulty:
        return f"a partial success, {bonus}"
    if is_aid(state) and aid(height):
        return f"accomplished, {dice(aid(height), 'bonus')} for the other one"
    return f"accomplished, {bonus} and a benefit" if height > state.difficulty else "accomplished"
