"""What the GM does in a check leads to: the difficulty, threat dice, what botches cost."""
from __future__ import annotations

from collections.abc import Sequence

from rules.engine import Sheets, Values
from rules.moves import Need, Step
from rules.sheet import Gain, Spend, SpendShared
from rules.systems.danger_world.damage import suffer
from rules.systems.danger_world.reading import (
    GENERAL,
    KEPT,
    POINTS,
    SETBACK,
    botches,
    dice,
    level_of,
    raise_danger,
    rank_at,
    rank_word,
)
from rules.systems.danger_world.table.events import (
    Agreed,
    Benefited,
    Complicated,
    Drew,
    Ended,
    LetGo,
    Paid,
    RatedAs,
    Result,
    ThreatsRemoved,
)
from rules.systems.danger_world.table.evolve import evolve
from rules.systems.danger_world.table.resolution import healable, row_sentence
from rules.systems.danger_world.table.rulings import COSTS_OF, HITS
from rules.systems.danger_world.table.state import Complication, State
from rules.systems.danger_world.track import Hit
from rules.values import BadMove
from rules.wording import quoted, sentence


def agree(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The pool may be rolled as it is."""
    return Result((Agreed(),), (Step("DW-02", f"The GM agrees to {sheets[state.who].name}’s pool."),))


def rate(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The difficulty, and which keywords help or hinder."""
    helps, hinders = tuple(values.get("helps", ())), tuple(values.get("hinders", ()))
    if both := set(helps) & set(hinders):
        raise BadMove(f"{min(both)} can’t help and hinder at once. Choose one.", "hinders")
    event = RatedAs(values["difficulty"], helps, hinders)
    rated = evolve(state, event).rated
    steps = [Step("DW-05", f"The difficulty is {rated.difficulty}, {rank_word(rated.difficulty)}."), *rated.steps]
    if rated.warning:
        steps.append(Step("DW-09", rated.warning))
    return Result((event,), tuple(steps))


def complicate(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Threat dice for a complication."""
    number, why = values["dice"], values["why"]
    added = Complication(why, number, stays=True)
    return Result((Complicated(added),), (Step("DW-02", f"{dice(number, 'threat')}: {sentence(why)}"),))


def clear_threats(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Threat dice that were left on the challenge are gone."""
    number = values["number"]
    step = Step("DW-06", f"The GM takes {dice(number, 'threat')} off {state.title}.")
    return Result((ThreatsRemoved(number),), (step,))


def threaten(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A threat that stands on the sheet counts in this check."""
    trait = sheets[state.who].trait(values["threat"])
    if trait is None:
        raise BadMove("This is no longer on the sheet. Choose again.", "threat")
    waiting = Complication(f"A threat that waited: {trait.name}", trait.value, trait.id)
    return Result((Complicated(waiting),), (Step("DW-06", f"{dice(trait.value, 'threat')}: {trait.name}."),))


def dark_side(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM pays the player for an aspect that stands in the way (DW-10)."""
    sheet, number = sheets[state.who], values["number"]
    trait = sheet.trait(values["aspect"])
    if trait is None:
        raise BadMove("This is no longer on the sheet. Choose again.", "aspect")
    added = Complication(f"The dark side of {trait.name}", number)
    points = "a story point" if number == 1 else f"{number} story points"
    step = Step("DW-10", f"The GM pays {sheet.name} {points} for the dark side of {trait.name}: "
                         f"{dice(number, 'threat')}.")
    return Result((Complicated(added),), (step,),
                  effects=(SpendShared(GENERAL, -number), Spend(sheet.id, POINTS, number)))


def benefit(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What the excess is good for: a further row of the move, which is really done, or something in words (DW-05)."""
    row, words = int(values.get("row") or 0), values["words"]
    if not row and not words:
        raise BadMove("Choose a row, or say in words what the benefit is.", "words")
    sheet = sheets[state.who]
    patient = sheets.get(state.beside, sheet)
    steps = [Step("DW-05", f"The benefit for {sheet.name}: {sentence(words)}")] if words else []
    if row:
        steps.insert(0, Step("DW-16", f"A benefit for {sheet.name}: {row_sentence(state, row, patient)}"))
    return Result((Benefited(row, words, bool(row and healable(state, patient, row))),), tuple(steps))


def no_benefit(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The bonus dice are all that comes of the excess."""
    step = Step("DW-05", f"No benefit for {sheets[state.who].name} besides the bonus dice.")
    return Result((Benefited(0, "", False),), (step,))


def pay(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Botches are spent on the table of costs (DW-06)."""
    word, words, sheet = values["cost"], values["words"], sheets[state.who]
    cost = COSTS_OF[word]
    event, first = Paid(cost, word), botches(cost)
    more = f" {words}" if words else ""
    if word in HITS:
        hurt = suffer(sheet, Hit(word), faces)
        if isinstance(hurt, Need):
            return hurt
        paid = Step("DW-06", f"{first}: {hurt.steps[0].text}{more}")
        return Result((event,), (paid, *hurt.steps[1:]), dice=hurt.dice, effects=hurt.effects)
    if faces:
        raise BadMove(f"Give 0 dice; there are {len(faces)}.", "dice")
    if word == "danger":
        level = level_of(sheet) + 1
        step = Step("DW-06", f"{first}: the danger rises to {level}, zone {rank_at(level)}.{more}")
        return Result((event,), (step,), effects=raise_danger(sheet, 1))
    if word == "threat":
        on = values["on"]
        if not on:
            raise BadMove("Say which challenge the threat die waits on.", "on")
        step = Step("DW-06", f"{first}: a threat die waits on {on}, for whoever tries it next.{more}")
        return Result((Paid(cost, word, on, words),), (step,))
    if not words:
        raise BadMove("Say what happens: it goes on the sheet as a setback.", "words")
    step = Step("DW-06", f"{first}: {words}.")
    undo = Step("DW-07", f"Undoing it takes a height of {cost}.")
    return Result((event,), (step, undo), effects=(Gain(sheet.id, SETBACK, words, cost),))


def let_go(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The botches that are left are spent on nothing."""
    text = f"The GM lets {botches(state.botches)} go." if state.botches else "The GM uses no kept botches."
    return Result((LetGo(False),), (Step("DW-06", text),))


def keep(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The botches that are left are kept for a later check."""
    step = Step("DW-06", f"The GM keeps {botches(state.botches)} for later.")
    return Result((LetGo(True),), (step,), effects=(SpendShared(KEPT, state.botches),))


def draw(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Botches that were kept are spent in this check."""
    number = values["number"]
    step = Step("DW-06", f"The GM uses {botches(number)} that were kept.")
    return Result((Drew(number),), (step,), effects=(SpendShared(KEPT, -number),))


def end(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Nothing comes of the check."""
    words = values["words"]
    return Result((Ended(words),), (Step("DW-02", f"The check is cancelled{quoted(words)}"),))
