"""What else a duelist can do: tweaks of an attack or a defence, surrender on terms (PS-27)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.moves import Step
from rules.procedure import Options
from rules.sheet import Effect, Sheet
from rules.systems.pdq_sharp.bonus import purse, winnings
from rules.systems.pdq_sharp.duel.events import Result, TakenOut, TermsAnswered, TermsOffered
from rules.systems.pdq_sharp.duel.state import (
    DIRTY_TRICK,
    DISARM,
    FEINT,
    PARRY,
    RECOVER,
    SURRENDERED,
    Choice,
    Fencer,
    State,
)
from rules.systems.pdq_sharp.duel.trays import Sheets
from rules.systems.pdq_sharp.reading import as_offered, usable
from rules.values import BadMove
from rules.wording import quoted

TWEAKS = {
    FEINT: "Feint", DIRTY_TRICK: "Dirty trick", DISARM: "Disarm", PARRY: "Parry and riposte",
    RECOVER: "Recover the weapon",
}
HELP = {
    FEINT: "no damage; the margin helps your next attack, or hinders your next defence",
    DIRTY_TRICK: "counts as a feint", DISARM: "no damage; as much as the foe’s MOD and the weapon is lost",
    PARRY: "no attack; the margin of your defence helps your next attack, or hinders it",
    RECOVER: "no attack; the weapon is yours again when the turn ends",
}
Values = Mapping[str, Any]


def countable(sheet: Sheet, who: Fencer) -> Options:
    """The fortes that can count in a duel, as a person reads them; not one that needs the weapon that was lost."""
    return tuple((each.id, as_offered(each)) for each in sheet.traits
                 if usable(each) and each.id != who.disarmed)


def available(state: State, sheets: Sheets, who: Fencer) -> tuple[str, ...]:
    """The tweaks that somebody may declare with a split now (PS-27)."""
    foes = [state.fencer(each) for each in state.foes_of(who.id)]
    found = [FEINT, DIRTY_TRICK]
    if any(not each.squad and not each.disarmed for each in foes):
        found.append(DISARM)
    if any(each.place <= who.place for each in foes):
        found.append(PARRY)
    if who.disarmed:
        found.append(RECOVER)
    able = purse(sheets[who.id], state.context, player=who.player)
    return tuple(each for each in found if each == RECOVER or each not in who.used_free or able)


def aimed(state: State, sheets: Sheets, choice: Choice) -> Choice:
    """A choice with its tweak aimed at somebody it can be aimed at; raises `BadMove`."""
    if choice.tweak in ("", PARRY, RECOVER):
        return replace(choice, against="")
    foes = state.foes_of(choice.who)
    against = choice.against or (foes[0] if len(foes) == 1 else "")
    if not against:
        raise BadMove("Say against whom.", "against")
    foe = state.fencer(against)
    if choice.tweak == DISARM and (foe.squad or foe.disarmed):
        raise BadMove(f"{foe.name} can’t be disarmed.", "against")
    return replace(choice, against=against)


def surrender(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Gives up, on terms that a foe must accept, or on none (PS-27)."""
    name, terms = state.fencer(by).name, values["terms"]
    if not terms:
        return Result((TakenOut(by, SURRENDERED),), (Step("PS-27", f"{name} surrenders."),))
    return Result((TermsOffered(by, terms),), (Step("PS-27", f"{name} would surrender{quoted(terms)}"),))


def accept(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Takes the surrender, terms and all."""
    who = state.fencer(state.terms[0])
    step = Step("PS-27", f"{state.fencer(by).name} accepts: {who.name} surrenders{quoted(state.terms[1])}")
    return Result((TermsAnswered(who.id, by, True),), (step,))


def refuse(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Will not have it; an NPC who does that in bad form gives the player's character a style die (PS-27)."""
    who, foe = state.fencer(state.terms[0]), state.fencer(by)
    steps = [Step("PS-27", f"{foe.name} refuses. The duel goes on.")]
    effects: tuple[Effect, ...] = ()
    if values.get("bad_form"):
        effects = (winnings(who.id, "Bad form of a foe"),)
        steps.append(Step("PS-27", f"Bad form: {who.name} gains a style die from the box."))
    return Result((TermsAnswered(who.id, by, False),), tuple(steps), effects=effects)
