"""What a player does in a check leads to: the pool, the dice, the set, the healing."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.engine import Sheets, Values
from rules.moves import Die, Need, Step, take
from rules.sheet import Damage as Hurt
from rules.sheet import Effect, Gain, Lose, Raise, Sheet, Spend, SpendShared
from rules.systems.danger_world.damage import open_box, out_of_it
from rules.systems.danger_world.pool import ROUNDS, SIDES, Pool, result_of
from rules.systems.danger_world.reading import ASPECTS, GENERAL, POINTS, dice, level_of, rank_at
from rules.systems.danger_world.table.contract_roll import roll_of
from rules.systems.danger_world.table.events import (
    Event,
    Healed,
    Proposed,
    RatedAs,
    Rerolled,
    Result,
    Rolled,
    Stood,
    Used,
)
from rules.systems.danger_world.table.evolve import evolve
from rules.systems.danger_world.table.pooling import aspect_of, pool_from, pool_steps, pool_words, reasons
from rules.systems.danger_world.table.resolution import dice_on_table, healable, is_aid, result_words, what_it_does
from rules.systems.danger_world.table.state import Invoked, Proposal, State
from rules.systems.danger_world.track import ZONES
from rules.values import BadMove
from rules.wording import join


def proposal_from(values: Mapping[str, Any]) -> Proposal:
    """What the form of the pool says; raises `BadMove`."""
    if len(values["stats"]) != 2:
        raise BadMove("Choose two stats.", "stats")
    invoked = [Invoked(id_, number) for id_, number in values.get("points", {}).items()]
    name, under, number = values.get("name", ""), values.get("under", ""), values.get("new_points", 0)
    if name or number:
        if not name:
            raise BadMove("Give the aspect a name.", "name")
        if not under:
            raise BadMove("Choose where the aspect belongs.", "under")
        if not number:
            raise BadMove("A new aspect takes at least one story point. Put one on it.", "new_points")
        invoked.append(Invoked("", number, name, under))
    return Proposal(values["stats"], values.get("bonus", ()), tuple(invoked), values["danger"],
                    values.get("undoes", ""))


def propose(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The player says which dice to throw; the difficulty becomes that of a setback which is to be undone."""
    take(faces, 0)
    sheet = sheets[state.who]
    _may_act(sheet)
    proposal = proposal_from(values)
    lines = reasons(state, sheet, proposal)
    events: list[Event] = [Proposed(proposal)]
    stats = join([trait.name for each in proposal.stats if (trait := sheet.trait(each))])
    steps = [Step("DW-02", f"{sheet.name} rolls {stats}: {pool_words(pool_from(lines))}."), *pool_steps(lines)]
    setback = sheet.trait(proposal.undoes)
    if setback and state.base != setback.value:
        events.insert(0, RatedAs(setback.value, state.helps, state.hinders))
        steps.append(Step("DW-07", f"Undoing {setback.name} takes a height of {setback.value}."))
    return Result(tuple(events), tuple(steps))


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The dice fall; bonus dice and story points are used up."""
    sheet = sheets[state.who]
    if state.proposal is None:
        raise BadMove("Put a pool together first.")
    _may_act(sheet)
    lines = reasons(state, sheet, state.proposal)
    pool, difficulty = pool_from(lines), state.rated.difficulty
    if len(faces) < pool.all:
        return Need((SIDES,) * (pool.all - len(faces)))
    take(faces, pool.all)
    event = Rolled(pool.action, pool.danger, pool.threat, tuple(faces), difficulty)
    steps = [Step("DW-02", f"{sheet.name} rolls {pool_words(pool)} against {difficulty}."), *pool_steps(lines)]
    effects: list[Effect] = [Lose(each) for each in state.proposal.bonus]
    if spent := sum(each.points for each in state.proposal.invoked):
        effects += [Spend(sheet.id, POINTS, -spent), SpendShared(GENERAL, spent)]
        steps.append(Step("DW-10", f"{spent} to the general pool."))
    effects += [_used(sheet, each) for each in state.proposal.invoked]
    after = evolve(state, event)
    return Result((event,), (*steps, *_sets_shown(after)), dice=_all_dice(after), effects=tuple(effects),
                  rolls=roll_of(after))


def reroll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """One of two rounds of re-rolls."""
    again = tuple(sorted(int(each) for each in values["dice"]))
    if len(faces) < len(again):
        return Need((SIDES,) * (len(again) - len(faces)))
    take(faces, len(again))
    event = Rerolled(again, tuple(faces))
    after = evolve(state, event)
    changed = ", ".join(f"{state.faces[index]} becomes {face}" for index, face in zip(again, faces, strict=True))
    which = f"round {after.rounds} of {ROUNDS}"
    first = Step("DW-03", f"{sheets[state.who].name} rolls {dice(len(again))} again, {which}: {changed}.")
    return Result((event,), (first, *_sets_shown(after)), dice=_all_dice(after), rolls=roll_of(after))


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """No re-rolls any more."""
    first = Step("DW-03", f"{sheets[state.who].name} keeps all dice.")
    return Result((Stood(),), (first, *_sets_shown(state)))


def use(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A set is used, or none: what it accomplishes, its bonus dice, its botches."""
    sheet, beside = sheets[state.who], sheets.get(state.beside)
    height = int(values["height"])
    result = result_of(dice_on_table(state), height, state.difficulty)
    botches, used = int(str(result["botches"])), int(str(result["danger_increase"]))
    done = height >= state.difficulty
    effects, more = what_it_does(state, height, used, sheet, beside)
    heals = done and bool(healable(state, beside or sheet, state.base))
    benefit = done and not is_aid(state) and height > state.difficulty
    which = f"a set of height {height}" if height else "no set"
    steps = [Step("DW-04", f"{sheet.name} uses {which}: {result_words(state, height)}.")]
    if used:
        level = level_of(sheet) + used
        steps.append(Step("DW-08", f"{dice(used, 'danger')} in the set: the danger rises to {level}, zone "
                                   f"{rank_at(level)}."))
    event = Used(height, botches, heals, benefit, draws=state.kept > 0)
    return Result((event,), (*steps, *more), dice=_all_dice(state), effects=effects, rolls=roll_of(state, height))


def heal(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The healer chooses the box that opens."""
    sheet = sheets[state.who]
    patient = sheets.get(state.beside, sheet)
    rank, _, stat = values["box"].partition(":")
    zone = next(each for each in ZONES if each.rank == int(rank))
    effects = open_box(patient, zone, stat)
    risen = [trait.name for each in effects if isinstance(each, Hurt) and each.trait == stat
             and (trait := patient.trait(stat))]
    more = f"; {risen[0]} rises again" if risen else ""
    step = Step("DW-16", f"{sheet.name} heals {patient.name}: a box of {zone.name} opens{more}.")
    return Result((Healed(zone.name),), (step,), effects=effects)


def _may_act(sheet: Sheet) -> None:
    if why := out_of_it(sheet):
        raise BadMove(why)


def _used(sheet: Sheet, invoked: Invoked) -> Effect:
    if invoked.aspect:
        return Raise(invoked.aspect, 1)
    name, depth = aspect_of(sheet, invoked)
    return Gain(sheet.id, ASPECTS[depth], name, 1, parent=invoked.under if depth else "")


def _sets_shown(state: State) -> tuple[Step, ...]:
    """Which sets the dice make now."""
    if not state.sets:
        return (Step("DW-04", "There is no set yet." if state.rounds < ROUNDS else "There is no set."),)
    heights = join([str(each) for each in state.sets])
    return (Step("DW-04", f"{'A set' if len(state.sets) == 1 else 'Sets'} of height {heights} could be used."),)


def _all_dice(state: State) -> tuple[Die, ...]:
    """All dice as they lie; which were rolled just now the sentence tells."""
    pool = state.pool or Pool(0)
    return tuple(Die(SIDES, face, pool.kind(index)) for index, face in enumerate(state.faces))
