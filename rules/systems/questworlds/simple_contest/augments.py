"""Help from an ability: offered, answered by the GM, rolled for where it is in doubt (QW-22)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice, text
from rules.moves import Need, Step, take
from rules.procedure import Ask, Offer
from rules.sheet import Sheet
from rules.systems.questworlds.helping import verdicts_of
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.reckoning import Modifier, binding
from rules.systems.questworlds.roll import SIDES
from rules.systems.questworlds.simple_contest.approach import akin
from rules.systems.questworlds.simple_contest.modifiers import Answered, Modified
from rules.systems.questworlds.simple_contest.own_contests import roll_own
from rules.systems.questworlds.simple_contest.state import Phase, Proposal, Result, State, abilities, entrants
from rules.systems.questworlds.simple_contest.values import OwnRoll
from rules.systems.questworlds.traits import score_of, usable
from rules.values import BadMove
from rules.wording import sentence


@dataclass(frozen=True)
class Proposed(Event[State]):
    """Somebody offers an augment: with which line of which sheet, for whom."""

    by: str
    whom: str
    trait: str
    name: str
    score: int
    words: str
    helper: str = ""  # whose it is, by name

    def after(self, state: State) -> State:
        proposal = Proposal(self.by, self.whom, self.trait, self.name, self.score, self.words, self.helper)
        return replace(state, proposals=(*state.proposals, proposal))


def offer_to_augment(state: State, sheets: Sheets) -> Iterator[Offer]:
    """Help from the sheet of whoever is there (QW-22)."""
    if state.phase is not Phase.MODIFY:
        return
    fields = (text("trait", "Ability", needed=True), text("whom", "Character", needed=True),
              text("words", "How it helps", needed=True, most=300))
    for sheet in sheets.values():
        if usable(sheet) and not sheet.dead:
            yield Offer("augment", sheet.id, "Offer an augment",
                        "One of your abilities helps. The GM accepts it, or not.", fields,
                        {"trait": abilities(state, sheet), "whom": entrants(state)})


def augment(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """An offer of help."""
    whom = values["whom"]
    trait = next(trait for trait in sheets[by].traits if trait.id == values["trait"])
    main = state.entrant(whom).chosen
    if by == whom and main and (why := akin(state, main, trait)):
        raise BadMove(why, "trait")
    mine = [proposal for proposal in state.proposals if (proposal.by, proposal.whom) == (by, whom)]
    if any(proposal.won is False for proposal in mine):
        raise BadMove("There is no second try to augment the same contest.", "trait")
    if any(proposal.verdict != "refused" for proposal in mine):
        raise BadMove("Each augments with one ability. One is offered already.", "trait")
    score = score_of(trait, sheets[by]) or 0
    made = Proposed(by, whom, trait.id, trait.name, score, values["words"], sheets[by].name)
    what = f"{trait.name} {notation(score, state.settings.symbol)}"
    text = f"{sheets[by].name} offers {what} as an augment: {sentence(values['words'])}"
    return Result((made,), (Step("QW-22", text),))


def offer_to_answer(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, about the augments that were offered."""
    options = tuple(
        (str(place), f"{proposal.name}, {notation(proposal.score, state.settings.symbol)}: {proposal.words}")
        for place, proposal in enumerate(state.proposals) if not proposal.verdict
    )
    if options and state.phase is Phase.MODIFY:
        fields = (text("proposal", "Augment", needed=True),
                  Choice(name="verdict", label="Your answer", options=verdicts_of(state)))
        yield Offer("answer", "", "Answer an augment", "", fields, {"proposal": options},
                    now={"proposal": options[0][0]})


def ask_to_answer(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, about the first that was offered."""
    unanswered = [proposal for proposal in state.proposals if not proposal.verdict]
    if unanswered and state.phase is Phase.MODIFY:
        yield Ask("", "answer", f"answer the augment: {unanswered[0].name}", waits=True)


def answer(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM's answer to an augment."""
    place = int(values["proposal"])
    offered, verdict = state.proposals[place], values["verdict"]
    if verdict == "refused":
        return Result((Answered(place, "refused", 0),), (Step("QW-22", f"{offered.name} does not help here."),))
    bonus = int(verdict.removeprefix("roll").removeprefix("assured"))
    if verdict.startswith("roll"):
        text = f"{offered.name} may help with {signed(bonus)}: its own contest against the base decides."
        return Result((Answered(place, "roll", bonus),), (Step("QW-22", text),))
    made = Modifier(offered.whom, "augment", offered.name, bonus, offered.words, offered.trait)
    text = f"{offered.name} helps {state.entrant(offered.whom).name}: {signed(bonus)}, assured."
    return Result((Answered(place, "assured", bonus), Modified(made)), (Step("QW-22", text),))


def _to_roll_for(state: State) -> tuple[Proposal, ...]:
    """The augments whose own contest decides."""
    return tuple(proposal for proposal in state.waiting if state.phase is Phase.MODIFY and proposal.verdict == "roll")


def offer_to_roll(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever offered the first of those that are rolled for."""
    for proposal in _to_roll_for(state)[:1]:
        yield Offer("roll_augment", proposal.by, f"Roll for the augment: {proposal.name}", rolls=True)


def ask_to_roll(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The same, once all are answered."""
    if all(proposal.verdict for proposal in state.proposals):
        for proposal in _to_roll_for(state)[:1]:
            yield Ask(proposal.by, "roll_augment", f"roll for the augment: {proposal.name}", "Roll")


def roll_augment(
    state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]
) -> Result | Need:
    """The augment's own contest against the base; it teaches nothing."""
    place = next(number for number, proposal in enumerate(state.proposals)
                 if proposal.by == by and proposal.verdict == "roll" and proposal.open)
    if take(faces, 2) is None:
        return Need((SIDES,) * (2 - len(faces)))
    offered = state.proposals[place]
    return roll_own(state, sheets, OwnRoll(
        "augment", by, offered.whom, offered.trait, offered.name, offered.score, offered.bonus, offered.words, place,
        faces[0], faces[1], _binding(state, sheets[by], offered.trait)))


def _binding(state: State, sheet: Sheet, trait_id: str) -> tuple[Modifier, ...]:
    """What lasts and touches the ability that helps."""
    used = [trait for trait in sheet.traits if trait.id == trait_id]
    return binding(sheet, used, state.settings.by_value, state.edition)


AUGMENT = Act("augment", offer_to_augment, augment)
ANSWER = Act("answer", offer_to_answer, answer, ask_to_answer)
ROLL_AUGMENT = Act("roll_augment", offer_to_roll, roll_augment, ask_to_roll)
EVENTS = (Proposed,)
