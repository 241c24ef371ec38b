"""What a set accomplishes: moves as tables of heights, aid and healing, and what follows (DW-05, DW-07, DW-16)."""
from __future__ import annotations

from collections.abc import Iterator

from rules.moves import Step
from rules.sheet import Effect, Gain, Lose, Sheet
from rules.systems.danger_world.moves import AID_ANOTHER, HEALING, HEALS, MOVES, aid
from rules.systems.danger_world.pool import bonus_dice
from rules.systems.danger_world.reading import BONUS, dice, raise_danger
from rules.systems.danger_world.table.pooling import filled
from rules.systems.danger_world.table.state import State
from rules.systems.danger_world.track import Zone

OWN = "own"
WORD = {each.name.lower().replace(" ", "_"): each for each in MOVES}
MOVE_OPTIONS = (
    ("", "None of them"), *((word, each.name) for word, each in WORD.items()), (OWN, "One of your own, in words"),
)
HEIGHTS = (2, 3, 4, 5, 6)


def by_height(state: State) -> tuple[str, ...]:
    """What each height from 2 to 6 accomplishes in this check; () where no move says it."""
    if state.move == OWN:
        return state.own if any(state.own) else ()
    return WORD[state.move].by_height if state.move in WORD else ()


def healable(state: State, patient: Sheet) -> tuple[Zone, ...]:
    """The zones in which the healing that was tried for can open a box."""
    if WORD.get(state.move) is not HEALING:
        return ()
    return tuple(zone for zone in HEALS.get(state.difficulty, ()) if filled(patient, zone))


def what_it_does(
    state: State, height: int, danger_used: int, sheet: Sheet, beside: Sheet | None
) -> tuple[tuple[Effect, ...], tuple[Step, ...]]:
    """Effects and reasons of using a set of this height, 0 for none; boxes are opened by the healer afterwards."""
    effects: list[Effect] = list(raise_danger(sheet, danger_used))
    steps = list(_accomplishment(state, height))
    done = height >= state.difficulty
    if WORD.get(state.move) is AID_ANOTHER and beside and (gift := aid(height)) and done:
        effects.append(Gain(beside.id, BONUS, f"Aid from {sheet.name}", gift, state.title))
        steps.append(Step("DW-16", f"{beside.name} gets {dice(gift, 'bonus')} for one use."))
    elif bonus := bonus_dice(height, state.difficulty):
        effects.append(Gain(sheet.id, BONUS, state.title, bonus, "What went well" if done else "A partial success"))
        steps.append(Step("DW-05", f"{sheet.name} holds {dice(bonus, 'bonus')} for one use."))
    undone = sheet.trait(state.proposal.undoes) if state.proposal else None
    if undone and done and height >= undone.value:
        effects.append(Lose(undone.id))
        steps.append(Step("DW-07", f"The setback is undone: {undone.name}."))
    if done:
        for each in state.complications:
            if each.trait and sheet.trait(each.trait):
                effects.append(Lose(each.trait))
    return tuple(effects), tuple(steps)


def _accomplishment(state: State, height: int) -> Iterator[Step]:
    table = by_height(state)
    if height in HEIGHTS and height >= state.difficulty and table and table[height - 2]:
        name = WORD[state.move].name if state.move in WORD else "The move"
        yield Step("DW-16", f"{name}, at height {height}: {table[height - 2]}.")
