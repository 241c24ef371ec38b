"""Flaws in a contest: one that hinders, and one that has its way (QW-23, QW-24)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Need, Step, take
from rules.sheet import Trait
from rules.systems.questworlds.experience import FLAW
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.roll import SIDES
from rules.systems.questworlds.simple_contest import events as e
from rules.systems.questworlds.simple_contest.offer_forms import Sheets
from rules.systems.questworlds.simple_contest.own_contests import hindered, thrown
from rules.systems.questworlds.simple_contest.state import State
from rules.systems.questworlds.traits import score_of
from rules.values import BadMove


def hinder(
    state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]
) -> e.Result | Need:
    """A flaw straight away, or after its own contest (QW-23); a penalty earns experience (QW-80)."""
    who, trait = _whose(state, sheets, values["trait"])
    if any((each.kind, each.source) == ("hindrance", trait.id) for each in state.lines(who)):
        raise BadMove(f"{trait.name} hinders {sheets[who].name} already.", "trait")
    amount = int(values.get("amount") or -state.edition.modifiers.hindrance[0])
    if values.get("how") == "rolled":
        if take(faces, 2) is None:
            return Need((SIDES,) * (2 - len(faces)))
        score = score_of(trait, sheets[who])
        return thrown(state, sheets, e.OwnRolled(
            "hindrance", who, who, trait.id, trait.name, score, amount, values["reason"], -1, faces[0], faces[1]))
    take(faces, 0)
    made = e.Modifier(who, "hindrance", trait.name, amount, values["reason"], trait.id)
    return e.Result((e.Modified(made),), hindered(state, sheets, made))


def compel(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """A compelled act earns a point, and there is no contest (QW-24)."""
    who, trait = _whose(state, sheets, values["trait"])
    lesson, why, effects = learned(state, sheets[who], FLAW, trait.name, "compelled")
    text = Step("QW-24", f"{sheets[who].name} acts as {trait.name} dictates: no die falls.")
    return e.Result((*lesson, e.Ended("submitted")), (text, *why), effects=effects)


def resist(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """Somebody acts against a flaw: it resists with its own score (QW-24)."""
    _, trait = _whose(state, sheets, values["flaw"])
    number = score_of(trait, sheets[by]) or state.settings.base
    found = e.Opposition(by, trait.name, number, f"the score of {trait.name}", flaw=trait.id, flaw_name=trait.name,
                         tie_to_player=state.settings.tie_to_player)
    text = (f"{sheets[by].name} acts against {trait.name}, which resists with "
            f"{notation(number, state.settings.symbol)}.")
    return e.Result((e.Opposed(found),), (Step("QW-24", text),))


def _whose(state: State, sheets: Sheets, trait_id: str) -> tuple[str, Trait]:
    """Whose line it is, among those who contend, and the line."""
    return next((each.id, found) for each in state.entrants
                if (found := sheets[each.id].trait(trait_id)) is not None)
