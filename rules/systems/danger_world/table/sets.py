"""The set that is used, and what it accomplishes: its row, bonus dice, aid, healing, a benefit (DW-04 to DW-07, DW-16).

A check accomplishes what its difficulty stands for, as the challenge has it before keywords help or hinder; a higher
set does not make it another row. Each height over the difficulty is a further row that the GM may let the benefit be.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import REQUIRED, Field, Text
from rules.moves import Roll, Step
from rules.procedure import Ask, Offer, Options
from rules.sheet import Damage as Hurt
from rules.sheet import Effect, Gain, Lose, Sheet
from rules.systems.danger_world.damage import open_box
from rules.systems.danger_world.moves import HEALING, HEALS, MOVE_OF, aid
from rules.systems.danger_world.reading import (
    BONUS,
    STAT,
    dice,
    filled,
    level_of,
    of_kind,
    raise_danger,
    rank_at,
    rank_word,
)
from rules.systems.danger_world.reckoning import Settled
from rules.systems.danger_world.table.state import Phase, Result, State
from rules.systems.danger_world.table.throws import all_dice, result_words, roll_of, set_words, sets_shown
from rules.systems.danger_world.track import DEAD, INJURED, ZONES, Zone
from rules.values import BadMove
from rules.wording import sentence

WONDER = 6  # the row of a healing that is more than any box
Explained = tuple[tuple[Step, ...], tuple[Roll, ...]]
HEIGHT_1 = ("One die showing 1 is a set of height 1, a ruling of this game: a partial success worth 1 bonus die. The 1 "
            "is a botch all the same.")


@dataclass(frozen=True)
class Stood(Event[State]):
    """The player kept all dice as they lie."""

    def after(self, state: State) -> State:
        return replace(state, stood=True)

    def explained(self, before: State, after: State) -> Explained:
        return (Step("DW-03", "Nobody has a die of their own here: the threat dice lie as they fell."),), ()


@dataclass(frozen=True)
class Used(Event[State]):
    """A set was used, `height` 0 for none; `heals` says that the healer chooses a box next.

    `benefit`: the GM says next what the excess is good for. `draws`: there are kept botches that the GM may take.
    """

    height: int
    botches: int
    heals: bool
    benefit: bool = False
    draws: bool = False
    wonder: bool = False  # whether the GM says next if it opens the last box (DW-14)

    def after(self, state: State) -> State:
        return replace(state, height=self.height, botches=self.botches, heals=self.heals, benefit=self.benefit,
                       draws=self.draws, wonder=self.wonder)

    def explained(self, before: State, after: State) -> Explained:
        return (Step("DW-04", f"No set is used: {result_words(before, 0)}."),), ()


@dataclass(frozen=True)
class Healed(Event[State]):
    """A box of this zone was opened (DW-16)."""

    zone: str

    def after(self, state: State) -> State:
        return replace(state, heals=False)


@dataclass(frozen=True)
class Benefited(Event[State]):
    """The GM said what the excess is good for: a further `row`, 0 for none, or words; `heals` as in `Used` (DW-05)."""

    row: int
    words: str
    heals: bool
    wonder: bool = False

    def after(self, state: State) -> State:
        return replace(state, benefit=False, heals=self.heals, healed_row=self.row, wonder=self.wonder)


@dataclass(frozen=True)
class Wondered(Event[State]):
    """The GM said whether a wonder of healing opens the last box (DW-14)."""

    opens: bool

    def after(self, state: State) -> State:
        return replace(state, wonder=False)


def without_own_dice(state: State) -> Event[State] | None:
    """What follows where only threat dice fell: there is nothing to roll again, and no set to choose (DW-03)."""
    if state.pool is None or state.pool.own:
        return None
    if state.phase is Phase.REROLL:
        return Stood()
    return Used(0, state.settled(0).botches, False, draws=state.kept > 0) if state.phase is Phase.CHOOSE else None


def set_options(state: State) -> Options:
    """The sets that lie there, the highest first, then none."""
    heights = (*sorted(state.sets, reverse=True), 0)
    return tuple((str(height), set_words(state, height)) for height in heights)


def offer_standing(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the one who tries: all dice are kept, and one of their sets may be used at once."""
    if state.lies(sheets):
        options = set_options(state)
        field = Text(name="height", label="Set", help="Choose it now or after.")
        title = f"Keep all dice, {options[0][1][:1].lower()}{options[0][1][1:]}"
        yield Offer("stand", state.who, title, "", (field,), {"height": options})


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """No re-rolls any more; with a height, that set is used."""
    stood, first = Stood(), Step("DW-03", f"{sheets[state.who].name} keeps all dice.")
    if not values["height"]:
        return Result((stood,), (first, *sets_shown(state)))
    used = use(stood.after(state), sheets, by, values, faces)
    return replace(used, events=(stood, *used.events), steps=(first, *used.steps))


def ask_standing(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The player, whether all dice are kept."""
    if state.phase is Phase.REROLL:
        out = state.lies(sheets) and not state.rerolls(sheets)
        yield Ask(state.who, "stand", "keep all dice" if out else "keep all dice, or roll some again", "Decide",
                  decision=True, stands=True)


def offer_using(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the one who tries, when nothing is rolled again."""
    if state.phase is not Phase.CHOOSE or state.who not in sheets:
        return
    options = set_options(state)
    field = Text(name="height", label="Set", default=REQUIRED, missing="Choose a set, or none.")
    yield Offer("use", state.who, "Use this set", "", (field,), {"height": options}, now={"height": options[0][0]})


def use(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A set is used, or none: what it accomplishes, its bonus dice, its botches."""
    sheet, beside = sheets[state.who], sheets.get(state.beside)
    came = state.settled(int(values["height"]))
    effects, more = what_it_does(state, came, sheet, beside)
    heals = came.accomplished and bool(healable(state, beside or sheet, state.base))
    benefit = came.accomplished and not state.is_aid and came.height > state.difficulty
    which = f"a set of height {came.height}" if came.height else "no set"
    steps = [Step("DW-04", f"{sheet.name} uses {which}: {result_words(state, came.height)}.")]
    if came.danger:
        level = level_of(sheet) + came.danger
        steps.append(Step("DW-08", f"{dice(came.danger, 'danger')} in the set: the danger rises to {level}, zone "
                                   f"{rank_at(level)}."))
    wonder = came.accomplished and may_bring_back(state, beside or sheet, state.base)
    event = Used(came.height, came.botches, heals, benefit, state.kept > 0, wonder)
    used = Result((event,), (*steps, *more), dice=all_dice(state), effects=effects,
                  rolls=roll_of(state, came.height))
    return _and_healed(used, event.after(state), sheets)


def _and_healed(before: Result, state: State, sheets: Sheets) -> Result:
    """With the healing where there is only one box that it can open: there is nothing to choose."""
    boxes = box_options(state, sheets) if state.phase is Phase.HEAL else ()
    if len(boxes) != 1:
        return before
    healed = heal(state, sheets, state.who, {"box": boxes[0][0]}, ())
    return replace(before, events=(*before.events, *healed.events), steps=(*before.steps, *healed.steps),
                   effects=(*before.effects, *healed.effects))


def what_it_does(
    state: State, came: Settled, sheet: Sheet, beside: Sheet | None
) -> tuple[tuple[Effect, ...], tuple[Step, ...]]:
    """Effects and reasons of using this set; boxes are opened by the healer afterwards."""
    effects: list[Effect] = list(raise_danger(sheet, came.danger))
    steps: list[Step] = []
    done, given = came.accomplished, aid(came.height)
    if done and state.row_words(state.base) and not state.is_aid:
        steps.append(Step("DW-16", row_sentence(state, state.base, beside or sheet)))
    if done and state.is_aid and beside and given:
        effects.append(Gain(beside.id, BONUS, f"Aid from {sheet.name}", given, state.title))
        steps.append(Step("DW-16", f"Aid another: {beside.name} gets {dice(given, 'bonus')} for one use, one for each "
                                   f"of the set’s height."))
    elif came.bonus:
        why = "What went well" if done else "A partial success"
        effects.append(Gain(sheet.id, BONUS, state.title, came.bonus, why))
        steps.append(Step("DW-05", f"{sheet.name} holds {dice(came.bonus, 'bonus')} for one use."))
    undone = sheet.trait(state.proposal.undoes) if state.proposal else None
    if undone and done:
        effects.append(Lose(undone.id))
        steps.append(Step("DW-07", f"The setback is undone: {undone.name}."))
    if came.height == 1:
        steps.append(Step("DW-04", HEIGHT_1))
    if done:
        counted = (added.trait for added in state.complications)
        effects += [Lose(trait_id) for trait_id in counted if trait_id and sheet.trait(trait_id)]
    return tuple(effects), tuple(steps)


def row_sentence(state: State, row: int, patient: Sheet) -> str:
    """What a row of the move does here: `Fighting, 3 meaningful: an ordinary foe is beaten.`"""
    name = MOVE_OF[state.move].name if state.move in MOVE_OF else "The move"
    at = f"{name}, {row} {rank_word(row)}"
    if heals_nothing(state, patient, row):
        zones = " or ".join(zone.name for zone in HEALS[row])
        return f"{at}: {patient.name} has no filled box of {zones}, so none is cleared."
    return f"{at}: {state.row_words(row)}."


def ask_using(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The player."""
    if state.phase is Phase.CHOOSE:
        yield Ask(state.who, "use", "choose a set", "Choose")


def offer_healing(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the healer, who says which box opens."""
    if state.phase is not Phase.HEAL or state.who not in sheets:
        return
    patient = sheets.get(state.beside, sheets[state.who])
    field = Text(name="box", label="Box to clear", default=REQUIRED, missing="Choose a box.")
    yield Offer("heal", state.who, f"Heal {patient.name}", "", (field,), {"box": box_options(state, sheets)})


def box_options(state: State, sheets: Sheets) -> Options:
    """The boxes that the healing can open; an injury for each stat that may rise."""
    patient = sheets.get(state.beside, sheets[state.who])
    options: list[tuple[str, str]] = []
    for zone in healable(state, patient, state.healed_row or state.base):
        if zone is INJURED and (low := [stat for stat in of_kind(patient, STAT) if stat.damage]):
            options += [(f"{zone.rank}:{stat.id}", f"An injury: {stat.name} rises again") for stat in low]
        else:
            options.append((f"{zone.rank}:", f"A box of {zone.name}"))
    return tuple(options)


def heal(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The healer chooses the box that opens."""
    sheet = sheets[state.who]
    patient = sheets.get(state.beside, sheet)
    rank, _, stat = values["box"].partition(":")
    zone = next(row for row in ZONES if row.rank == int(rank))
    effects = open_box(patient, zone, stat)
    risen = [trait.name for effect in effects if isinstance(effect, Hurt) and effect.trait == stat
             and (trait := patient.trait(stat))]
    more = f"; {risen[0]} rises again" if risen else ""
    step = Step("DW-16", f"{sheet.name} heals {patient.name}: a box of {zone.name} opens{more}.")
    return Result((Healed(zone.name),), (step,), effects=effects)


def healable(state: State, patient: Sheet, row: int) -> tuple[Zone, ...]:
    """The zones in which this row of a healing can open a box."""
    if MOVE_OF.get(state.move) is not HEALING:
        return ()
    return tuple(zone for zone in HEALS.get(row, ()) if filled(patient, zone))


def heals_nothing(state: State, patient: Sheet, row: int) -> bool:
    """Whether this row of a healing would clear a box, and none of these is filled."""
    return MOVE_OF.get(state.move) is HEALING and row in HEALS and not healable(state, patient, row)


def may_bring_back(state: State, patient: Sheet, row: int) -> bool:
    """Whether this row is a wonder of healing for somebody whose last box is filled: the GM says if it opens."""
    return MOVE_OF.get(state.move) is HEALING and row == WONDER and filled(patient, DEAD) > 0


def offer_wonder(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, with one tap: life or death is theirs (DW-14)."""
    if state.phase is Phase.WONDER and state.who in sheets:
        patient = sheets.get(state.beside, sheets[state.who])
        answers = (("yes", f"Yes: {patient.name} is back from the dead"), ("no", "No: the last box stays filled"))
        yield Offer("wonder", "", f"Does the wonder clear {patient.name}’s last box?", "", (
            Text(name="answer", label="Your answer", default=REQUIRED, missing="Choose an answer."),),
            {"answer": answers}, chips="answer")


def wonder(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The last box opens, or does not."""
    patient, opens = sheets.get(state.beside, sheets[state.who]), values["answer"] == "yes"
    text = f"{patient.name} is back from the dead." if opens else f"{patient.name}’s last box stays filled."
    return Result((Wondered(opens),), (Step("DW-14", text),), effects=open_box(patient, DEAD) if opens else ())


def ask_wonder(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM."""
    if state.phase is Phase.WONDER:
        yield Ask("", "wonder", "say whether the last box is cleared", "Answer", decision=True, waits=True)


def ask_healing(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The healer."""
    if state.phase is Phase.HEAL:
        yield Ask(state.who, "heal", "choose the box that opens", "Choose")


def offer_benefit(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM: what the excess may be good for (DW-05, DW-16)."""
    if state.phase is not Phase.BENEFIT or state.who not in sheets:
        return
    height, patient = state.height or 0, sheets.get(state.beside, sheets[state.who])
    rows = tuple((str(row), f"{row} {rank_word(row)}: {state.row_words(row)}") for row in further_rows(state, height)
                 if not heals_nothing(state, patient, row))
    fields: list[Field] = [Text(name="words", label="The benefit, in words", most=300)]
    if rows:
        fields.insert(0, Text(name="row", label="A further row",
                              help="It is really done, as if it had been tried for."))
    yield Offer("benefit", "", "Give the benefit", f"Height {height} is {height - state.difficulty} over the "
                "difficulty. Agree with the player what that is good for, besides the bonus dice.", tuple(fields),
                {"row": rows} if rows else {})


def further_rows(state: State, height: int) -> tuple[int, ...]:
    """The rows that the benefit of the excess may be: one for each height over the difficulty."""
    over = 0 if state.is_aid else max(0, height - state.difficulty)
    return tuple(row for row in range(state.base + 1, state.base + over + 1) if state.row_words(row))


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
    event = Benefited(row, words, bool(row and healable(state, patient, row)), may_bring_back(state, patient, row))
    return _and_healed(Result((event,), tuple(steps)), event.after(state), sheets)


def ask_benefit(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM."""
    if state.phase is Phase.BENEFIT:
        yield Ask("", "benefit", "say what the benefit is", "Say", waits=True)


def offer_no_benefit(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    if state.phase is Phase.BENEFIT and state.who in sheets:
        yield Offer("no_benefit", "", "Give no further benefit", "The bonus dice are all.")


def no_benefit(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The bonus dice are all that comes of the excess."""
    step = Step("DW-05", f"No benefit for {sheets[state.who].name} besides the bonus dice.")
    return Result((Benefited(0, "", False),), (step,))


OWN_ACTS = (
    Act("stand", offer_standing, stand, ask_standing), Act("use", offer_using, use, ask_using),
    Act("heal", offer_healing, heal, ask_healing),
)
GMS = (
    Act("wonder", offer_wonder, wonder, ask_wonder), Act("benefit", offer_benefit, benefit, ask_benefit),
    Act("no_benefit", offer_no_benefit, no_benefit),
)
EVENTS = (Stood, Used, Healed, Benefited, Wondered)
