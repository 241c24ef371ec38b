"""Armies, markets, faiths: what those who contend are in a clash of forces (QW-29)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.fields import Choice
from rules.moves import Step
from rules.procedure import Offer
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.notation import ScoreField, notation
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.simple_contest import events as e
from rules.systems.questworlds.simple_contest.offer_forms import Sheets
from rules.systems.questworlds.simple_contest.state import State
from rules.values import BadMove
from rules.wording import join, sentence

DECIDES, CONTRIBUTES, SUFFERS = "decides", "contributes", "suffers"
ROLES = (
    (DECIDES, "They decide it: how they lead is what counts"),
    (CONTRIBUTES, "They contribute: the force’s number is rolled, and they help it"),
    (SUFFERS, "They are caught in it: you say how it goes, they see how they fare"),
)
WON, OPEN, LOST = "won", "open", "lost"
FATES = ((WON, "It goes well for their side"), (OPEN, "It hangs in the balance"), (LOST, "It goes badly"))
# *Ruling*: what a resistance is, where the GM writes none, for those who are caught in it.
RESISTANCES = {WON: "low", OPEN: "moderate", LOST: "high"}


def mass_conflict(state: State) -> Offer:
    """Which of the three they are."""
    symbol = state.settings.symbol
    fields = (
        Choice(name="role", label="What they are in it", options=ROLES, default=DECIDES),
        text("force", "Their force", "The river guard, the weavers’ guild, the congregation.", most=120),
        ScoreField(name="score", label="The force’s number", may_lack=True, default=None, symbol=symbol,
                   help="For those who contribute: 17, 7M. Their own abilities can augment it."),
        Choice(name="fate", label="How it goes on the whole", options=FATES, default=OPEN,
               help="For those who are caught in it."),
        text("resistance", "The resistance to come through", "Left open: low, moderate or high, by how it goes.",
             most=20),
    )
    now = {"role": state.mass.role, "force": state.mass.force} if state.mass else None
    return Offer("mass", "", "Make it a clash of forces", "", fields, {}, now=now)


def clash(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """How much those who contend matter in it, and what follows (QW-29)."""
    role, names = values["role"], join([each.name for each in state.entrants])
    force = values["force"] or "the force"
    if role == CONTRIBUTES:
        return _contributes(state, names, values["force"], values["score"])
    # Whoever rolled the force's number says anew what they do.
    sent = tuple(e.SentBack(each.id) for each in state.entrants if each.chosen) if state.lent else ()
    if role == DECIDES:
        said = f"{names}: how they lead {force} decides it. An ability to lead is what they need."
        return e.Result((*sent, e.Massed(role, values["force"])), (Step("QW-29", said),))
    symbol, fate = state.settings.symbol, values["fate"]
    number, why = resistance_of(
        values["resistance"] or RESISTANCES[fate], state.settings.base, symbol, state.edition)
    found = e.Opposition("", _fate(fate, values["force"]), number, why)
    said = f"{names}: caught in it. {dict(FATES)[fate]}, whatever they do."
    stands = f"To come through it they stand against {notation(number, symbol)}{f', {why}' if why else ''}."
    return e.Result((*sent, e.Massed(role, values["force"], fate=fate), e.Opposed(found)),
                (Step("QW-29", said), Step("QW-03", stands)))


def _contributes(state: State, names: str, force: str, score: int | None) -> e.Result:
    if score is None:
        raise BadMove("Give the force’s number, which is rolled: 17, 7M.", "score")
    if not force:
        raise BadMove("Say whose number it is.", "force")
    massed = e.Massed(CONTRIBUTES, force, score)
    chosen = tuple(e.Chose(each.id, lends(massed, each.chosen.tactic)) for each in state.entrants if each.chosen)
    said = (f"{names}: {force} {notation(score, state.settings.symbol)} is what is rolled; their own abilities may "
            "augment it.")
    return e.Result((massed, *chosen), (Step("QW-29", said),))


def lends(mass: e.Massed, tactic: str) -> e.Chosen:
    """What is used by whoever contributes: the force's number."""
    return e.Chosen(tactic, "", mass.force, mass.score)


def use_force(state: State, by: str, values: Mapping[str, Any]) -> e.Result:
    """How one helps a force (QW-29): its number is given."""
    if state.mass is None:
        raise BadMove("There is no clash of forces here.")
    chosen = lends(state.mass, values["tactic"])
    number = notation(state.mass.score, state.settings.symbol)
    said = f"{state.entrant(by).name} is with {state.mass.force} {number}: {sentence(chosen.tactic)}"
    return e.Result((e.Chose(by, chosen),), (Step("QW-29", said),))


def _fate(fate: str, force: str) -> str:
    of = f" for {force}" if force else ""
    return {WON: "A day that goes well", OPEN: "A day in the balance", LOST: "A day that goes badly"}[fate] + of
