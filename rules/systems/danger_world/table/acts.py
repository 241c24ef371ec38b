"""What each action of a check leads to."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.moves import Die, Need, Roll, Step
from rules.sheet import Damage as Hurt
from rules.sheet import Effect, Gain, Lose, Raise, Sheet, Spend, SpendShared
from rules.systems.danger_world.damage import open_box, out_of_it, suffer
from rules.systems.danger_world.pool import ROUNDS, SIDES, Pool, result_of
from rules.systems.danger_world.reading import (
    ASPECTS,
    GENERAL,
    KEPT,
    POINTS,
    SETBACK,
    THREAT,
    dice,
    level_of,
    raise_danger,
    rank_word,
)
from rules.systems.danger_world.table.accomplished import healable, what_it_does
from rules.systems.danger_world.table.offers import BUYS, HITS, lying, set_words
from rules.systems.danger_world.table.pooling import aspect_of, pool_from, pool_steps, reasons
from rules.systems.danger_world.table.state import (
    Agreed,
    Complicated,
    Complication,
    Drew,
    Ended,
    Event,
    Healed,
    Invoked,
    LetGo,
    Paid,
    Proposal,
    Proposed,
    RatedAs,
    Rerolled,
    Rolled,
    State,
    Stood,
    Used,
    evolve,
)
from rules.systems.danger_world.table.told import roll_of
from rules.systems.danger_world.track import ZONES, Hit, zone_of
from rules.values import BadMove

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Scene:
    """Who is in a check: the one who tries, whoever is beside, and what it is called."""

    sheet: Sheet
    beside: Sheet | None


@dataclass(frozen=True)
class Done:
    """What an action led to."""

    events: tuple[Event, ...]
    steps: tuple[Step, ...]
    effects: tuple[Effect, ...] = ()
    dice: tuple[Die, ...] = ()
    rolls: tuple[Roll, ...] = ()


def proposal_from(sheet: Sheet, values: Values) -> Proposal:
    """What the form of the pool says; raises `BadMove`."""
    if len(values["stats"]) != 2:
        raise BadMove("Choose two stats.", "stats")
    invoked = [Invoked(pk, number) for pk, number in (values.get("points") or {}).items()]
    name, under, number = values.get("name", ""), values.get("under", ""), values.get("new_points", 0)
    if name or number:
        if not name:
            raise BadMove("Give the aspect a name.", "name")
        if not under:
            raise BadMove("Say where it grows.", "under")
        if not number:
            raise BadMove("Declaring an aspect takes a story point on it at least.", "new_points")
        invoked.append(Invoked("", number, name, under))
    return Proposal(
        tuple(values["stats"]), tuple(values.get("bonus", ())), tuple(invoked), values["danger"],
        values.get("undoes", ""),
    )


def propose(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done:
    if why := out_of_it(scene.sheet):
        raise BadMove(why)
    proposal = proposal_from(scene.sheet, values)
    told = reasons(state, scene.sheet, proposal)
    pool = pool_from(told)
    events: list[Event] = [Proposed(proposal)]
    stats = " and ".join(trait.name for each in proposal.stats if (trait := scene.sheet.trait(each)))
    first = Step("DW-02", f"{scene.sheet.name} puts {stats} to it: {pool_words(pool)}.")
    setback = scene.sheet.trait(proposal.undoes)
    steps = [first, *pool_steps(told)]
    if setback and state.base != setback.value:
        events.insert(0, RatedAs(setback.value, state.helps, state.hinders))
        steps.append(Step("DW-07", f"Undoing {setback.name} takes a height of {setback.value}."))
    return Done(tuple(events), tuple(steps))


def pool_words(pool: Pool) -> str:
    """`5 dice, 2 danger dice and 1 threat die`."""
    told = [dice(number, kind) for number, kind in
            ((pool.action, ""), (pool.danger, "danger"), (pool.threat, "threat")) if number]
    return " and ".join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told) if told else "no dice"


def agree(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done:
    return Done((Agreed(),), (Step("DW-02", f"The GM agrees to {scene.sheet.name}’s pool."),))


def rate(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done:
    helps, hinders = tuple(values.get("helps", ())), tuple(values.get("hinders", ()))
    if both := set(helps) & set(hinders):
        raise BadMove(f"{sorted(both)[0]} can't speak for and against at once.", "hinders")
    event = RatedAs(values["difficulty"], helps, hinders)
    rated = evolve(state, event).rated
    steps = [Step("DW-05", f"The difficulty is {rated.difficulty}, {rank_word(rated.difficulty)}."), *rated.steps]
    if rated.warning:
        steps.append(Step("DW-09", rated.warning))
    return Done((event,), tuple(steps))


def complicate(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done:
    number, why = values["dice"], values["why"]
    if not why:
        raise BadMove("Say why.", "why")
    return Done((Complicated(Complication(why, number)),), (Step("DW-02", f"{dice(number, 'threat')}: {why}."),))


def threaten(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done:
    trait = scene.sheet.trait(values["threat"])
    if trait is None:
        raise BadMove("Choose one of them.", "threat")
    told = Complication(f"A threat that waited: {trait.name}", trait.value, trait.id)
    return Done((Complicated(told),), (Step("DW-06", f"{dice(trait.value, 'threat')}: {trait.name}."),))


def dark_side(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done:
    trait, number = scene.sheet.trait(values["aspect"]), values["number"]
    if trait is None:
        raise BadMove("Choose one of the aspects.", "aspect")
    told = Complication(f"The dark side of {trait.name}", number)
    points = "a story point" if number == 1 else f"{number} story points"
    step = Step("DW-10", f"The GM pays {scene.sheet.name} {points} for the dark side of {trait.name}: "
                         f"{dice(number, 'threat')}.")
    return Done((Complicated(told),), (step,),
                (SpendShared(GENERAL, -number), Spend(scene.sheet.id, POINTS, number)))


def roll(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done | Need:
    sheet = scene.sheet
    if state.proposal is None:
        raise BadMove("Put a pool together first.")
    if why := out_of_it(sheet):
        raise BadMove(why)
    told = reasons(state, sheet, state.proposal)
    pool, difficulty = pool_from(told), state.rated.difficulty
    if len(faces) < pool.all:
        return Need((SIDES,) * (pool.all - len(faces)))
    event = Rolled(pool.action, pool.danger, pool.threat, tuple(faces), difficulty)
    first = Step("DW-02", f"{sheet.name} throws {pool_words(pool)} against {difficulty}.")
    steps = [first, *pool_steps(told)]
    effects: list[Effect] = [Lose(each) for each in state.proposal.bonus]
    spent = sum(each.points for each in state.proposal.invoked)
    if spent:
        effects += [Spend(sheet.id, POINTS, -spent), SpendShared(GENERAL, spent)]
        steps.append(Step("DW-10", f"{spent} to the general pool."))
    for each in state.proposal.invoked:
        effects.append(_used(sheet, each))
    after = evolve(state, event)
    return Done((event,), (*steps, *_lie(after)), tuple(effects), _drawn(after, range(pool.all)), roll_of(after))


def _used(sheet: Sheet, invoked: Invoked) -> Effect:
    if invoked.aspect:
        return Raise(invoked.aspect, 1)
    name, depth = aspect_of(sheet, invoked)
    return Gain(sheet.id, ASPECTS[depth], name, 1, parent=invoked.under if depth else "")


def reroll(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done | Need:
    again = tuple(sorted({int(each) for each in values["dice"]}))
    if not again:
        raise BadMove("Tap the dice to roll again, or let them all lie.", "dice")
    if len(faces) < len(again):
        return Need((SIDES,) * (len(again) - len(faces)))
    event = Rerolled(again, tuple(faces))
    after = evolve(state, event)
    told = ", ".join(f"{state.faces[index]} becomes {face}" for index, face in zip(again, faces, strict=True))
    which = f"round {after.rounds} of {ROUNDS}"
    first = Step("DW-03", f"{scene.sheet.name} rolls {dice(len(again))} again, {which}: {told}.")
    return Done((event,), (first, *_lie(after)), (), _drawn(after, again), roll_of(after))


def stand(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done:
    return Done((Stood(),), (Step("DW-03", f"{scene.sheet.name} lets the dice lie."), *_lie(state)))


def use(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done:
    height = int(values["height"])
    result = result_of(lying(state), height, state.difficulty)
    botches, used = int(str(result["botches"])), int(str(result["danger_increase"]))
    done = height >= state.difficulty
    effects, more = what_it_does(state, height, used, scene.sheet, scene.beside)
    heals = done and bool(healable(state, scene.beside or scene.sheet))
    how = "accomplishes it" if done else "does not accomplish it" if not height else "accomplishes a part of it"
    steps = [Step("DW-04", f"{scene.sheet.name} {how}. {set_words(state, height)}.")]
    if used:
        level = level_of(scene.sheet) + used
        steps.append(Step("DW-08", f"{dice(used, 'danger')} in the set: the danger rises to {level}, zone "
                                   f"{zone_of(level).rank}."))
    return Done((Used(height, botches, heals),), (*steps, *more), effects, _drawn(state, ()),
                roll_of(state, height))


def heal(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done:
    patient = scene.beside or scene.sheet
    rank, _, stat = values["box"].partition(":")
    zone = next(each for each in ZONES if each.rank == int(rank))
    effects = open_box(patient, zone, stat)
    risen = [trait.name for each in effects if isinstance(each, Hurt) and each.trait == stat
             and (trait := patient.trait(stat))]
    more = f"; {risen[0]} rises again" if risen else ""
    step = Step("DW-16", f"{scene.sheet.name} heals {patient.name}: a box of {zone.name} opens{more}.")
    return Done((Healed(zone.name),), (step,), effects)


def pay(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done | Need:
    word, words, sheet = values["cost"], values.get("words", ""), scene.sheet
    cost = next(cost for each, cost, _ in BUYS if each == word)
    event, first = Paid(cost, word), f"{cost} {'botch' if cost == 1 else 'botches'}"
    said = f" {words}" if words else ""
    if word in HITS:
        hurt = suffer(sheet, Hit(word), faces)
        if isinstance(hurt, Need):
            return hurt
        paid = Step("DW-06", f"{first}: {hurt.steps[0].text}{said}")
        return Done((event,), (paid, *hurt.steps[1:]), hurt.effects, hurt.dice)
    if word == "danger":
        level = level_of(sheet) + 1
        step = Step("DW-06", f"{first}: the danger rises to {level}, zone {zone_of(level).rank}.{said}")
        return Done((event,), (step,), raise_danger(sheet, 1))
    if word == "threat":
        step = Step("DW-06", f"{first}: a threat die waits on {state.title}.{said}")
        return Done((event,), (step,), (Gain(sheet.id, THREAT, state.title, 1, words),))
    if not words:
        raise BadMove("Say what happens: it stands on the sheet as a setback.", "words")
    step = Step("DW-06", f"{first}: {words}.")
    undo = Step("DW-07", f"Undoing it takes a height of {cost}.")
    return Done((event,), (step, undo), (Gain(sheet.id, SETBACK, words, cost),))


def let_go(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done:
    return Done((LetGo(False),), (Step("DW-06", f"The GM lets {_botches(state.botches)} go."),))


def keep(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done:
    step = Step("DW-06", f"The GM keeps {_botches(state.botches)} for later.")
    return Done((LetGo(True),), (step,), (SpendShared(KEPT, state.botches),))


def draw(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done:
    number = values["number"]
    step = Step("DW-06", f"The GM draws on {_botches(number)} that were kept.")
    return Done((Drew(number),), (step,), (SpendShared(KEPT, -number),))


def end(state: State, scene: Scene, values: Values, faces: Sequence[int]) -> Done:
    words = values.get("words", "")
    return Done((Ended(words),), (Step("DW-02", f"The check is dropped{f': {words}' if words else ''}."),))


def _botches(number: int) -> str:
    return f"{number} {'botch' if number == 1 else 'botches'}"


def _lie(state: State) -> tuple[Step, ...]:
    """What the dice show now."""
    if not state.sets:
        return (Step("DW-04", "There is no set yet." if state.rounds < ROUNDS else "There is no set."),)
    heights = [str(each) for each in state.sets]
    told = " and ".join([", ".join(heights[:-1]), heights[-1]] if len(heights) > 1 else heights)
    return (Step("DW-04", f"{'A set' if len(heights) == 1 else 'Sets'} of height {told} could be used."),)


def _drawn(state: State, rolled: Sequence[int] | range) -> tuple[Die, ...]:
    """All dice as they lie; which were rolled just now the sentence tells."""
    pool = state.pool or Pool(0)
    names = {"action": "action", "danger": "danger", "threat": "threat"}
    return tuple(Die(SIDES, face, names[pool.kind(index)]) for index, face in enumerate(state.faces))
