"""What is said of an attack once it is read: the wound in words, and what a great failure does (PN-06, PN-10)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.engine import Sheets, Values
from rules.moves import Step
from rules.sheet import Become, Effect, Gain, Lose, Trait
from rules.systems.pnc.character import LONGEST, WOUND
from rules.systems.pnc.fight.events import Backfired, Result, Wounded
from rules.systems.pnc.fight.state import WORDS, Aftermath, Attack, Combatant, State
from rules.systems.pnc.standard_roll import damage_of
from rules.values import BadMove, Value
from rules.wording import quoted

Faces = Sequence[int]

HARMLESS = "grazed"  # the size of a hit that leaves no line on a sheet, unless somebody puts it into words


def wound(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The attacker's player puts the hit into words; it is a line on the other's sheet (PN-06, PN-10)."""
    return _hurt(state, sheets, values["words"], _target(state).standing)


def unmarked(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """A hit that leaves nothing behind."""
    return _hurt(state, sheets, "", _target(state).standing)


def deal(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM says what the hit does, and how its target stands now (PN-06, PN-11)."""
    return _hurt(state, sheets, values["words"], values["standing"], final=True)


def backfire(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """What a great failure or worse does to the attacker (PN-06)."""
    attack, what = _aftermath(state).attack, values["what"]
    name, foe = state.combatant(attack.by).name, state.combatant(attack.target).name
    if what == "wound" and not values["words"]:
        raise BadMove("Say how the attacker is hurt.", "words")
    text = {
        "nothing": "The failure has no further cost", "wound": f"{name} is hurt",
        "place": f"{name} goes last from now on", "turn": f"{name} loses the next turn",
        "free": f"{foe} gets a free attack on {name}",
    }[what]
    effects = (Gain(attack.by, WOUND, values["words"], attack.degree),) if what == "wound" else ()
    return Result((Backfired(attack.by, what, values["words"], attack.target),),
                  (Step("PN-06", f"{text}{quoted(values['words'])}"),), {"what": what}, effects=effects)


def wound_in_words(attack: Attack, by: str) -> str:
    """What is written on the sheet of whoever is hit, until somebody says it better: `Hurt by Ada: a thrust`.

    *Ruling*: a graze leaves no mark of itself.
    """
    size = damage_of(attack.degree) or ""
    if size == HARMLESS:
        return ""
    plain = f"{size.capitalize()} by {by}"
    manner = " ".join(attack.words.split()).rstrip(".")
    whole = f"{plain}: {manner}" if manner else plain
    return whole if len(whole) <= LONGEST else plain[:LONGEST]


def mark(attack: Attack, target: Combatant, words: str) -> Step:
    """What a hit leaves on the sheet, as a step."""
    if not words:
        return Step("PN-10", f"The hit leaves no mark on {target.name}.")
    return Step("PN-10", f"On {target.name}’s sheet: {words} ({attack.reading}).")


def undone(state: State, sheets: Sheets) -> tuple[Effect, ...]:
    """Before a part falls anew, the wound that it made leaves the sheet."""
    line = _line(state, sheets)
    return (Lose(line.id),) if line else ()


def _hurt(state: State, sheets: Sheets, words: str, standing: str, *, final: bool = False) -> Result:
    attack, who = _aftermath(state).attack, _target(state)
    steps = [mark(attack, who, words)]
    if standing != who.standing:
        steps.append(Step("PN-11", f"{who.name} is {WORDS[standing]} now."))
    line = _line(state, sheets)
    effects: tuple[Effect, ...] = ()
    if line:
        effects = (Become(line.id, WOUND, words),) if words else (Lose(line.id),)
    elif words:
        effects = (Gain(who.id, WOUND, words, attack.degree),)
    result: dict[str, Value] = {"who": who.name, "wound": words, "degree": attack.degree, "standing": standing}
    return Result((Wounded(who.id, words, standing, final),), tuple(steps), result, effects=effects)


def _line(state: State, sheets: Sheets) -> Trait | None:
    """The wound of the attack that was read last, where it still stands on the sheet."""
    after = _aftermath(state)
    written = (WOUND, after.wound, after.attack.degree)
    lines = [each for each in sheets[after.attack.target].traits if (each.kind, each.name, each.value) == written]
    return lines[-1] if lines else None


def _target(state: State) -> Combatant:
    return state.combatant(_aftermath(state).attack.target)


def _aftermath(state: State) -> Aftermath:
    if state.aftermath is None:
        raise BadMove("No attack was made just now.")
    return state.aftermath
