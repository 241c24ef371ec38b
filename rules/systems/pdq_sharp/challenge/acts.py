"""What is done in a challenge: the difficulty, help, the roll, what is added to it, and what failing costs."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any

from rules.engine import Handler, Sheets
from rules.moves import Die, Need, Roll, Step
from rules.sheet import Effect, Gain, Sheet, Spend, Trait
from rules.systems.pdq_sharp import harm
from rules.systems.pdq_sharp.bonus import check_idioms, open_techniques, payment, purse, winnings
from rules.systems.pdq_sharp.challenge.events import (
    Added,
    CalledOff,
    DifficultySet,
    Event,
    HarmRuled,
    Helped,
    Result,
    Settled,
    Stood,
    Suffered,
    Thrown,
)
from rules.systems.pdq_sharp.challenge.evolve import evolve
from rules.systems.pdq_sharp.challenge.state import Cast, Entrant, Help, Phase, State, behind, side, total
from rules.systems.pdq_sharp.challenge_roll import KEEP, ChallengeMove, FlashyMove
from rules.systems.pdq_sharp.chart import fortes_text
from rules.systems.pdq_sharp.duel.damage import easiest
from rules.systems.pdq_sharp.duel.flow import after
from rules.systems.pdq_sharp.duel.state import Fencer
from rules.systems.pdq_sharp.duel.state import State as DuelState
from rules.systems.pdq_sharp.keep import drawn
from rules.systems.pdq_sharp.kinds import BURNED, MOTIVATIONS, THIS_SCENE
from rules.systems.pdq_sharp.reading import TRAINING, is_burned, rank_words
from rules.values import BadMove, Value
from rules.wording import quoted

STYLE_DIE, AS_DIE, FLAT = "style", "die", "flat"
Values = Mapping[str, Any]


def going_on(handler: Handler[State]) -> Callable[..., Result | Need]:
    """The handler of an act, with what follows from it: dice that stand are settled."""
    @wraps(handler)
    def act(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
        found = handler(state, sheets, by, values, faces)
        return found if isinstance(found, Need) else completed(state, sheets, found)
    return act


def completed(state: State, sheets: Sheets, found: Result) -> Result:
    """A result with all that follows from it by itself."""
    for event in found.events:
        state = evolve(state, event)
    pools, sheets = _pools(state, sheets, found.effects)
    while state.phase is Phase.ELLIPSIS:
        asked = decider(state)
        if asked and can_add(pools, sheets, state.entrant(asked)):
            break
        event, steps, effects = (Stood(asked), (), ()) if asked else settle(state)
        state = evolve(state, event)
        found = replace(found, events=(*found.events, event), steps=(*found.steps, *steps),
                        effects=(*found.effects, *effects))
    return found


def _pools(state: State, sheets: Sheets, effects: Sequence[Effect]) -> tuple[State, Sheets]:
    holder, changed = after(DuelState(context=state.context), sheets, effects)
    return replace(state, context=holder.context), changed


def decider(state: State) -> str:
    """Who is asked whether it stands: whoever does not have it, the worse off first; "" when it stands (PS-17)."""
    return next((each for each in behind(state) if each not in state.stood), "")


def can_add(state: State, sheets: Sheets, who: Entrant) -> bool:
    """Whether there is anything that they could still add, and it could make a difference.

    Where failing costs nothing, a roll that no addition can better enough stands by itself.
    """
    found = sources(state, sheets[who.id], who)
    if not found or state.settings.flashy or state.settings.harm != "none" or who.cast is None:
        return bool(found)
    many = sum(source != STYLE_DIE for source, _ in found) + purse(sheets[who.id], state.context, player=who.player)
    cast = who.cast
    best = (replace(who, cast=replace(cast, faces=(*cast.faces, *[6] * dice), flat=cast.flat + many - dice))
            for dice in range(many + 1))
    return any(total(each) >= state.target for each in best)


def sources(state: State, sheet: Sheet, who: Entrant) -> list[tuple[str, str]]:
    """What somebody can still add: techniques that were not used, a style die."""
    cast = who.cast or Cast((), (), ())
    found = [(each.id, each.name) for each in open_techniques(sheet, cast.fortes, cast.used)]
    if purse(sheet, state.context, player=who.player):
        found.append((STYLE_DIE, "A style die"))
    return found


def set_difficulty(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM sets what has to be reached, and whether failing hurts (PS-10, PS-14)."""
    hurts = {"none": "Failing does not hurt", "ask": "Failing may hurt"}.get(
        values["harm"], f"Failing costs {values['harm']} ranks")
    step = Step("PS-10", f"The target number is {values['difficulty']}. {hurts}.")
    return Result((DifficultySet(values["difficulty"], values["harm"]),), (step,))


def help_(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Several act together: one rolls, all fortes that bear on it add (PS-15)."""
    sheet, name = sheets[by], state.entrants[0].name
    ranks = tuple(rank_words(sheet, _lines(sheet, values["fortes"])))
    steps = (Step("PS-15", f"{sheet.name} helps {name}."), Step("PS-10", fortes_text(ranks, sheet.name)))
    return Result((Helped(Help(by, sheet.name, ranks)),), steps)


def _lines(sheet: Sheet, ids: Sequence[str]) -> list[Trait]:
    return [trait for each in ids if (trait := sheet.trait(each))]


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The dice: two, and one more for each technique and style die; the best two count (PS-10, PS-11)."""
    who, sheet = state.entrant(by), sheets[by]
    cast, effects, steps = _prepared(state, sheet, who, values)
    wanted = KEEP + len(values["techniques"]) + values["style"]
    if len(faces) < wanted:
        return Need((6,) * (wanted - len(faces)))
    if len(faces) > wanted:
        raise BadMove(f"Give {wanted} dice; there are {len(faces)}.", "dice")
    event = Thrown(by, replace(cast, faces=tuple(faces)))
    rolled = evolve(state, event)
    entrant = rolled.entrant(by)
    steps += side(entrant, state.settings.flashy).steps(faces, sheet.name)
    result, rolls = as_it_lies(rolled)
    return Result((event,), (*steps, *_standing(rolled)), result, drawn(faces, KEEP, sheet.name), effects, rolls)


def _prepared(
    state: State, sheet: Sheet, who: Entrant, values: Values
) -> tuple[Cast, tuple[Effect, ...], tuple[Step, ...]]:
    """What goes into the roll before the dice; raises `BadMove`."""
    used = (*values["techniques"], *values["flat"])
    if len(set(used)) < len(used):
        raise BadMove("Use each technique as a die or as +1, not both.", "flat")
    check_idioms(sheet, used)
    fitting = {each.id for each in open_techniques(sheet, values["fortes"], ())}
    if odd := next((each for each in used if each not in fitting), ""):
        name = next((each.name for each in sheet.traits if each.id == odd), "This technique")
        raise BadMove(f"{name} goes with a forte that you have not chosen. Choose that forte too.", "techniques")
    if values["style"] > purse(sheet, state.context, player=who.player):
        raise BadMove("You have not so many style dice.", "style")
    lines = _lines(sheet, values["fortes"])
    ranks, effects = rank_words(sheet, lines), payment(sheet, values["style"])
    steps: tuple[Step, ...] = (Step("PS-10", f"{sheet.name} tries it{quoted(values['words'])}"),)
    if values["burn"]:
        burned = next((each for each in lines if each.kind in MOTIVATIONS and not is_burned(sheet, each)), None)
        if burned is None:
            raise BadMove("Choose the motivation that you burn among the fortes.", "burn")
        ranks += rank_words(sheet, [burned])
        effects += (Gain(sheet.id, BURNED, burned.name, THIS_SCENE),)
        steps += (Step("PS-12", f"{burned.name} is burned: it counts double in this scene, then it must be replaced."),)
    for each in state.helps if not state.settings.flashy else ():
        ranks += each.ranks
        steps += (Step("PS-15", f"{each.name} helps: {fortes_text(each.ranks)}"),)
    return Cast(tuple(values["fortes"]), tuple(ranks), (), len(values["flat"]), used), effects, steps


def as_it_lies(state: State) -> tuple[dict[str, Value], tuple[Roll, ...]]:
    """The result of the move of the contract as the dice lie, and the roll that says so; nothing while one waits."""
    casts = [each.cast for each in state.entrants]
    if not all(casts):
        return {}, ()
    dice = tuple(face for each in casts if each for face in each.faces)
    sides: list[dict[str, Value]] = []
    for each in state.entrants:
        own = side(each, state.settings.flashy)
        sides.append({"fortes": list(own.fortes), "bonus_dice": own.bonus_dice, "flat": own.flat})
    kind: Any = FlashyMove() if state.settings.flashy else ChallengeMove()
    if state.settings.flashy:
        pcs = [{**own, "pc": each.player} for own, each in zip(sides, state.entrants, strict=True)]
        given: dict[str, Value] = {"challenger": pcs[0], "challenged": pcs[1]}
    else:
        given = {**sides[0], "difficulty": state.target}
    outcome = kind.resolve(kind.read(given), dice)
    return dict(outcome.result), (Roll(kind.name, given, dice, outcome.result),)


def _standing(state: State) -> tuple[Step, ...]:
    if state.phase is not Phase.ELLIPSIS:
        return ()
    if not state.settings.flashy:
        one = state.entrants[0]
        return (Step("PS-10", f"{total(one)} against {state.target}, as it lies."),)
    first, second = state.entrants
    return (Step("PS-16", f"{first.name} {total(first)}, {second.name} {total(second)}, as it lies."),)


def add(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """After the dice: a technique, once, or a style die, as a die or as +1 (PS-11, PS-17)."""
    source, how = values["what"].split("|")
    sheet, was = sheets[by], total(state.entrant(by))
    technique = sheet.trait(source)
    if how == AS_DIE and not faces:
        return Need((6,))
    if len(faces) != (how == AS_DIE):
        raise BadMove("Give one die for a die, and none for +1.", "dice")
    event = Added(by, faces[0] if faces else 0, technique.id if technique else "")
    now = evolve(state, event)
    name = technique.name if technique else "a style die"
    steps = (Step("PS-11", f"{sheet.name}: {name} {f'shows {faces[0]}' if faces else 'adds 1'}."),
             Step("PS-17", f"{was} becomes {total(now.entrant(by))}."), *_standing(now))
    result, rolls = as_it_lies(now)
    dice = tuple(Die(6, face, sheet.name) for face in faces)
    return Result((event,), steps, result, dice, () if technique else payment(sheet, 1), rolls)


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Lets it stand."""
    result, rolls = as_it_lies(state)
    return Result((Stood(by),), (Step("PS-17", f"{state.entrant(by).name} lets it stand."),), result, rolls=rolls)


def settle(state: State) -> tuple[Event, tuple[Step, ...], tuple[Effect, ...]]:
    """What comes of it when it stands (PS-10, PS-14, PS-16)."""
    lost = behind(state)
    if state.settings.flashy:
        return _flashy(state, lost)
    one = state.entrants[0]
    if not lost:
        return Settled("success"), (Step("PS-10", f"{total(one)} against {state.target}: a success."),), ()
    short, kind = state.target - total(one), state.settings.harm
    steps: tuple[Step, ...] = (Step("PS-10", f"{total(one)} against {state.target}: a failure, by {short}."),)
    effects: tuple[Effect, ...] = ()
    if one.player:
        steps += (Step("PS-14", f"{one.name} learns from it: a training point."),)
        effects = (Spend(one.id, TRAINING, 1),)
    return (Settled("failure") if kind == "none" else Settled("failure", one.id, short, kind)), steps, effects


def _flashy(state: State, lost: Sequence[str]) -> tuple[Event, tuple[Step, ...], tuple[Effect, ...]]:
    first, second = state.entrants
    if len(lost) > 1:
        return Settled("tie"), (Step("PS-16", f"{total(first)} against {total(second)}: a tie, and nobody wins."),), ()
    winner, loser = (second, first) if lost[0] == first.id else (first, second)
    sentence = (f"{winner.name} wins, {total(winner)} against {total(loser)}: a style die from the box. "
                f"{loser.name} takes a failure rank.")
    steps: tuple[Step, ...] = (Step("PS-16", sentence),)
    effects: tuple[Effect, ...] = (winnings(winner.id, "A flashy challenge won"),)
    if loser.player:
        effects += (Spend(loser.id, TRAINING, 1),)
        steps += (Step("PS-14", f"{loser.name} learns from it: a training point."),)
    return Settled(f"{winner.name} wins", loser.id, 1, harm.FAILURE), steps, effects


def rule_harm(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says whether failing hurt, and how (PS-14)."""
    kind = values["harm"]
    text = "It does not hurt." if kind == "none" else f"It costs {harm.ranks(state.hurt[1], kind)}."
    return Result((HarmRuled(kind),), (Step("PS-14", text),))


def place(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Ranks over fortes, as the player likes; where nothing is said, where they hurt least (PS-30)."""
    _, amount, kind = state.hurt
    cast = state.entrant(by).cast
    spread = values["spread"] or easiest(sheets[by], Fencer(by, "", "", fortes=cast.fortes if cast else ()), amount)
    try:
        done = harm.take(sheets[by], amount, spread, kind, first=values["first"], why=state.settings.title)
    except BadMove as bad:
        raise bad.inside("spread") from None
    losses = tuple(sorted((trait, lost) for trait, lost in spread.items() if lost))
    return Result((Suffered(by, losses),), done.steps, {"placed": sum(spread.values())}, effects=done.effects)


def call_off(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM lets it go."""
    return Result((CalledOff(),), (Step("PS-10", "The challenge is called off."),))


def chances(state: State, who: str, what: str) -> list[str]:
    """For each face of what is added: `won`, `tie` or `lost` for this one, as it would lie."""
    faces = range(1, 7) if what.endswith(AS_DIE) else (0,)
    found = []
    for face in faces:
        lost = behind(evolve(state, Added(who, face)))
        found.append("tie" if len(lost) > 1 else "lost" if who in lost else "won")
    return found
