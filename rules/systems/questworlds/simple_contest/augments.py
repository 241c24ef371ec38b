"""Help from an ability: offered, answered by the GM, rolled for where it is in doubt (QW-22)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Need, Step, take
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.roll import SIDES
from rules.systems.questworlds.simple_contest import events as e
from rules.systems.questworlds.simple_contest.offer_forms import Sheets, akin
from rules.systems.questworlds.simple_contest.own_contests import thrown
from rules.systems.questworlds.simple_contest.state import State
from rules.systems.questworlds.traits import score_of
from rules.values import BadMove
from rules.wording import sentence


def augment(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """An offer of help."""
    whom = values["whom"]
    trait = next(each for each in sheets[by].traits if each.id == values["trait"])
    main = state.entrant(whom).chosen
    if by == whom and main and (why := akin(state, main, trait)):
        raise BadMove(why, "trait")
    mine = [each for each in state.proposals if (each.by, each.whom) == (by, whom)]
    if any(each.won is False for each in mine):
        raise BadMove("There is no second try to augment the same contest.", "trait")
    if any(each.verdict != "refused" for each in mine):
        raise BadMove("Each augments with one ability. One is offered already.", "trait")
    score = score_of(trait, sheets[by]) or 0
    made = e.Proposed(by, whom, trait.id, trait.name, score, values["words"], sheets[by].name)
    what = f"{trait.name} {notation(score, state.settings.symbol)}"
    text = f"{sheets[by].name} offers {what} as an augment: {sentence(values['words'])}"
    return e.Result((made,), (Step("QW-22", text),))


def answer(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """The GM's answer to an augment."""
    place = int(values["proposal"])
    offered, verdict = state.proposals[place], values["verdict"]
    if verdict == "refused":
        return e.Result((e.Answered(place, "refused", 0),), (Step("QW-22", f"{offered.name} does not help here."),))
    bonus = int(verdict.removeprefix("roll").removeprefix("assured"))
    if verdict.startswith("roll"):
        text = f"{offered.name} may help with {signed(bonus)}: its own contest against the base decides."
        return e.Result((e.Answered(place, "roll", bonus),), (Step("QW-22", text),))
    made = e.Modifier(offered.whom, "augment", offered.name, bonus, offered.words, offered.trait)
    text = f"{offered.name} helps {state.entrant(offered.whom).name}: {signed(bonus)}, assured."
    return e.Result((e.Answered(place, "assured", bonus), e.Modified(made)), (Step("QW-22", text),))


def roll_augment(
    state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]
) -> e.Result | Need:
    """The augment's own contest against the base; it teaches nothing."""
    place = next(number for number, each in enumerate(state.proposals)
                 if each.by == by and each.verdict == "roll" and each.open)
    if take(faces, 2) is None:
        return Need((SIDES,) * (2 - len(faces)))
    offered = state.proposals[place]
    return thrown(state, sheets, e.OwnRolled(
        "augment", by, offered.whom, offered.trait, offered.name, offered.score, offered.bonus, offered.words, place,
        faces[0], faces[1]))
