"""After the dice, before they stand: techniques and style dice are added and put somewhere, or it stands (PS-17)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.moves import Die, Need, Step
from rules.procedure import Options
from rules.sheet import Effect
from rules.systems.pdq_sharp.bonus import open_techniques, payment, purse
from rules.systems.pdq_sharp.duel.events import Added, DiePlaced, Event, Result, Stood
from rules.systems.pdq_sharp.duel.evolve import evolve
from rules.systems.pdq_sharp.duel.state import DEFENCE, Bonus, State, Throw
from rules.systems.pdq_sharp.duel.touch import balance, rolls_of, taken
from rules.systems.pdq_sharp.duel.trays import Sheets, total
from rules.values import BadMove, Value

STYLE_DIE, AS_DIE, FLAT = "style", "die", "flat"
Values = Mapping[str, Any]


def answering(state: State, bout: Sequence[str]) -> str:
    """Who says next whether the dice stand: whoever is worse off, of those who have not; "" when all have (PS-17)."""
    off = balance(state, bout)
    left = [who for who in bout if who not in state.stood]
    return max(left, key=lambda who: off[who], default="")


def deciders(state: State) -> tuple[str, ...]:
    """Those who are asked now, one of each pair or trio whose dice do not stand yet."""
    if not state.live:
        return ()
    found = (answering(state, bout) for bout in state.bouts if bout[0] not in state.clashed)
    return tuple(who for who in found if who)


def can_answer(state: State, sheets: Sheets, who: str) -> bool:
    """Whether there is anything that they could add, or put elsewhere; else the dice stand by themselves."""
    throw = state.throw_of(who)
    if throw is None:
        return False
    # Nobody minds where a squad's dice lie: they lie where they help.
    return bool(additions(state, sheets, throw) or (loose(state, throw) and not state.fencer(who).squad))


def additions(state: State, sheets: Sheets, throw: Throw) -> Options:
    """What somebody can add now: each technique that is left and a style die, as a die or as +1, on either side."""
    fencer, sheet = state.fencer(throw.who), sheets[throw.who]
    choice = state.choice_of(throw.who)
    counting = (*choice.fortes, choice.gambit) if choice else ()
    sources = [(each.id, each.name) for each in open_techniques(sheet, counting, throw.used)]
    if purse(sheet, state.context, player=fencer.player):
        sources.append((STYLE_DIE, "A style die"))
    return tuple(option for source in sources for option in _uses(state, throw, *source))


def _uses(state: State, throw: Throw, source: str, name: str) -> Iterator[tuple[str, str]]:
    for tray in throw.trays:
        if tray.dice:
            yield f"{source}|{AS_DIE}|{tray.to}", f"{name}: a die on {where(state, throw, tray.to)}"
    yield f"{source}|{AS_DIE}|", f"{name}: a die, put down when it has fallen"
    for tray in throw.trays:
        yield f"{source}|{FLAT}|{tray.to}", f"{name}: +1 on {where(state, throw, tray.to)}"


def where(state: State, throw: Throw, to: str) -> str:
    """A tray in words: the attack, the attack on somebody where there are two, the defence."""
    if to == DEFENCE:
        return "the defence"
    return "the attack" if len(throw.attacks) == 1 else f"the attack on {state.fencer(to).name}"


def loose(state: State, throw: Throw) -> Options:
    """The bonus dice that nobody has put anywhere, and where each can go."""
    return tuple(
        (f"{number}|{tray.to}", f"The {bonus.face} of {bonus.source} on {where(state, throw, tray.to)}")
        for number, bonus in enumerate(throw.bonus) if bonus.face and not bonus.to
        for tray in throw.trays if tray.dice
    )


def add(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A technique, once a turn, or a style die: one more die, or +1 (PS-11, PS-22)."""
    source, how, to = values["what"].split("|")
    throw, sheet, fencer = _throw(state, by), sheets[by], state.fencer(by)
    technique = sheet.trait(source)
    name = technique.name if technique else "a style die"
    if how == AS_DIE and not faces:
        return Need((6,))
    if len(faces) != (how == AS_DIE):
        raise BadMove("Give one die for a die, and none for +1.", "dice")
    bonus = Bonus(name, faces[0] if faces else 0, to)
    event = Added(by, bonus, technique.id if technique else "")
    effects: tuple[Effect, ...] = () if technique else payment(sheet, 1)
    after = evolve(state, event)
    place = where(state, throw, to) if to else "where it helps most, until it is put somewhere"
    what = f"shows {bonus.face}" if faces else "adds 1"
    steps = (Step("PS-11", f"{fencer.name}: {name} {what}, on {place}."), *_before_after(state, after, by, to))
    gives, takes = taken(after, by)
    result: dict[str, Value] = {"gives": {"ranks": gives}, "takes": {"ranks": takes}}
    dice = tuple(Die(6, face, f"{fencer.name}: {name}") for face in faces)
    return Result((event,), steps, result, dice, effects, rolls_of(after, tuple(state.reach(by))) if faces else ())


def _before_after(before: State, after: State, who: str, to: str) -> Iterator[Step]:
    """Both moments in the trail: what a side came to, and what it comes to now."""
    was, now = _throw(before, who), _throw(after, who)
    for tray in now.trays:
        if total(was, tray.to) != total(now, tray.to):
            yield Step("PS-17", f"{before.fencer(who).name}, {where(before, now, tray.to)}: {total(was, tray.to)} "
                                f"becomes {total(now, tray.to)}.")


def place_die(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A bonus die goes where the player puts it, over a lower one (PS-22)."""
    number, to = values["where"].split("|")
    event = DiePlaced(by, int(number), to)
    throw = _throw(state, by)
    text = f"{state.fencer(by).name} puts the {throw.bonus[int(number)].face} on {where(state, throw, to)}."
    return Result((event,), (Step("PS-22", text), *_before_after(state, evolve(state, event), by, to)))


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Lets the dice stand as they lie."""
    return Result((Stood(by),), (Step("PS-17", f"{state.fencer(by).name} lets it stand."),))


def stand_npcs(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM lets the dice of all NPCs stand who are asked now."""
    who = npcs(state)
    events: tuple[Event, ...] = tuple(Stood(each) for each in who)
    lets = "lets" if len(who) == 1 else "let"
    return Result(events, (Step("PS-17", f"{state.names(who)} {lets} it stand."),))


def npcs(state: State) -> tuple[str, ...]:
    """The NPCs that are asked now."""
    return tuple(each for each in deciders(state) if not state.fencer(each).player)


def _throw(state: State, who: str) -> Throw:
    return next(each for each in state.throws if each.who == who)
