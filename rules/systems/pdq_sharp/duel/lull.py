"""An impasse: a flashy challenge between two turns, with what is added after the dice (PS-16, PS-17, PS-28)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Die, Need, Roll, Step
from rules.procedure import Options
from rules.sheet import Effect
from rules.systems.pdq_sharp.bonus import open_techniques, payment, purse, winnings
from rules.systems.pdq_sharp.challenge_roll import FlashyMove
from rules.systems.pdq_sharp.chart import modifier
from rules.systems.pdq_sharp.duel.ellipsis import AS_DIE, FLAT, STYLE_DIE
from rules.systems.pdq_sharp.duel.events import Event, LullAdded, LullBegan, Lulled, LullStood, Result
from rules.systems.pdq_sharp.duel.evolve import evolve
from rules.systems.pdq_sharp.duel.state import IMPASSE, Choice, LullSide, State, Wound
from rules.systems.pdq_sharp.duel.trays import Sheets, ranks_of
from rules.systems.pdq_sharp.harm import FAILURE
from rules.systems.pdq_sharp.keep import best
from rules.values import BadMove, Value
from rules.wording import quoted

Values = Mapping[str, Any]


def total(state: State, side: LullSide) -> int:
    """What somebody has come to so far: the best two dice, or three by the campaign's setting."""
    return sum(best(side.faces, state.settings.impasse_dice)) + modifier(side.ranks) + side.flat


def behind(state: State) -> tuple[str, ...]:
    """Whoever does not have it as it lies; both where nobody gives way. A tie is a player's against an NPC's."""
    first, second = state.lull
    margin = total(state, first) - total(state, second)
    pcs = [state.fencer(each.who).player for each in state.lull]
    if margin == 0 and pcs[0] == pcs[1]:
        return (first.who, second.who)
    return (second.who,) if margin > 0 or (margin == 0 and pcs[0]) else (first.who,)


def decider(state: State) -> str:
    """Who is asked whether it stands; "" when it does (PS-17)."""
    return next((each for each in behind(state) if each not in state.stood), "")


def additions(state: State, sheets: Sheets, who: str) -> Options:
    """What somebody can add: techniques that go with what counted, a style die; as a die or as +1."""
    fencer, sheet = state.fencer(who), sheets[who]
    used = next(each for each in state.lull if each.who == who).used
    found = [(each.id, each.name) for each in open_techniques(sheet, fencer.fortes, used)]
    if purse(sheet, state.context, player=fencer.player):
        found.append((STYLE_DIE, "A style die"))
    return tuple((f"{source}|{how}", f"{name}: {words}") for source, name in found
                 for how, words in ((AS_DIE, "a die"), (FLAT, "+1")))


def outcomes(state: State, who: str, what: str) -> list[bool]:
    """For each face of what is added: whether it is enough."""
    faces = range(1, 7) if what.endswith(AS_DIE) else (0,)
    return [who not in behind(evolve(state, LullAdded(who, face))) for face in faces]


def as_it_lies(state: State, who: str) -> str:
    """What letting it stand leads to, for whoever is asked."""
    mine, theirs = sorted(state.lull, key=lambda each: each.who != who)
    comes = "nobody gives way" if len(behind(state)) > 1 else "a failure rank"
    return f"{comes}, {total(state, mine)} against {total(state, theirs)}"


def call(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Somebody calls it: both throw at once."""
    who, foe, many = state.fencer(by), state.fencer(values["foe"]), state.settings.impasse_dice
    if len(faces) < 2 * many:
        return Need((6,) * (2 * many - len(faces)))
    if len(faces) > 2 * many:
        raise BadMove(f"Give {2 * many} dice; there are {len(faces)}.", "dice")
    sides = tuple(LullSide(each.id, ranks_of(state, sheets, Choice(each.id, "", each.fortes)), tuple(run))
                  for each, run in ((who, faces[:many]), (foe, faces[many:])))
    event = LullBegan(sides)
    step = Step("PS-28", f"{who.name} calls an impasse{quoted(values['words'])}")
    dice = tuple(Die(6, face, (who if place < many else foe).name) for place, face in enumerate(faces))
    price = payment(sheets[by], int(IMPASSE in who.used_free), "An impasse")
    return _result(evolve(state, event), event, (step,), dice, price)


def add(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A technique, once, or a style die: one more die, or +1."""
    source, how = values["what"].split("|")
    if how == AS_DIE and not faces:
        return Need((6,))
    if len(faces) != (how == AS_DIE):
        raise BadMove("Give one die for a die, and none for +1.", "dice")
    technique = sheets[by].trait(source)
    event = LullAdded(by, faces[0] if faces else 0, technique.id if technique else "")
    was, now = state, evolve(state, event)
    before, after = (next(total(each, side) for side in each.lull if side.who == by) for each in (was, now))
    name = technique.name if technique else "a style die"
    shows = f"shows {faces[0]}" if faces else "adds 1"
    steps = (Step("PS-11", f"{state.fencer(by).name}: {name} {shows}."),
             Step("PS-17", f"{before} becomes {after}."))
    dice = tuple(Die(6, face, state.fencer(by).name) for face in faces)
    return _result(now, event, steps, dice, () if technique else payment(sheets[by], 1))


def _result(
    now: State, event: Event, steps: tuple[Step, ...], dice: tuple[Die, ...], effects: tuple[Effect, ...]
) -> Result:
    """The impasse as it lies, as a roll that anybody can work out again where it is the contract's two dice."""
    first, second = now.lull
    lies = f"{now.fencer(first.who).name} {total(now, first)}, {now.fencer(second.who).name} {total(now, second)}"
    lost = behind(now)
    side = {first.who: "challenger", second.who: "challenged"}
    winner = next((side[each] for each in side if each not in lost), None)
    result: dict[str, Value] = {"impasse": {"winner": winner}, "challenger": total(now, first),
                                "challenged": total(now, second)}
    rolls = _as_flashy(now) if now.settings.impasse_dice == 2 else ()
    return Result((event,), (*steps, Step("PS-16", f"{lies}, as it lies.")), result, dice, effects, rolls)


def _as_flashy(state: State) -> tuple[Roll, ...]:
    sides: list[dict[str, Value]] = [
        {"fortes": list(each.ranks), "bonus_dice": len(each.faces) - 2, "flat": each.flat,
         "pc": state.fencer(each.who).player} for each in state.lull]
    given: dict[str, Value] = {"challenger": sides[0], "challenged": sides[1]}
    faces = tuple(face for each in state.lull for face in each.faces)
    outcome = FlashyMove().resolve(FlashyMove().read(given), faces)
    return () if isinstance(outcome, Need) else (Roll(FlashyMove.name, given, faces, outcome.result),)


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Lets it stand."""
    return Result((LullStood(by),), (Step("PS-17", f"{state.fencer(by).name} lets it stand."),))


def settle(state: State) -> tuple[Event, tuple[Step, ...], tuple[Effect, ...]]:
    """A style die from the box for one, a failure rank for the other; nothing where nobody gives way."""
    first, second = state.lull
    lost, totals = behind(state), f"{total(state, first)} against {total(state, second)}"
    if len(lost) > 1:
        return Lulled(first.who, second.who, ()), (Step("PS-16", f"{totals}: nobody gives way."),), ()
    winner, loser = (second, first) if lost[0] == first.who else (first, second)
    name, other = state.fencer(winner.who).name, state.fencer(loser.who).name
    wound = Wound(loser.who, 1, FAILURE, f"an impasse with {name}")
    step = Step("PS-16", f"{totals}: {name} wins a style die from the box, {other} takes a failure rank.")
    return Lulled(first.who, second.who, (wound,)), (step,), (winnings(winner.who, "An impasse won"),)
