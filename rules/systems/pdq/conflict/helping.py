"""Help that is promised and taken: qualities of several add up, and one of them rolls (PQ-08)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.engine import Act, Event, Sheets, Values
from rules.fields import REQUIRED, Text
from rules.moves import Step
from rules.procedure import Offer, Options
from rules.systems.pdq.chart import rank_of
from rules.systems.pdq.conflict.fields import qualities, several
from rules.systems.pdq.conflict.state import HOLDING, WAITING, Applied, Contestant, Phase, Pledge, Result, State

Faces = Sequence[int]

HELPERS = several("helpers", "Use the help of")


@dataclass(frozen=True)
class Pledged(Event[State]):
    """Help was promised; it costs the helper's turn when it is taken (PQ-08)."""

    who: str
    to: str
    qualities: tuple[Applied, ...]

    def after(self, state: State) -> State:
        return state.with_(self.who, pledge=Pledge(self.to, self.qualities))


@dataclass(frozen=True)
class Withdrew(Event[State]):
    """Help was taken back."""

    who: str

    def after(self, state: State) -> State:
        return state.with_(self.who, pledge=None)


def offer_withdraw(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To those who have promised help."""
    for who in _free(state):
        if who.pledge:
            yield Offer("withdraw", who.id, "Withdraw your help")


def withdraw(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Takes a promise of help back."""
    return Result((Withdrew(by),), (Step("PQ-08", f"{state.contestant(by).name} takes the help back."),))


def offer_help(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To who has a turn left: help goes to one who acts first or at the same moment, for the quickest rolls (PQ-08)."""
    for who in _free(state):
        helped = tuple((helper.id, helper.name) for helper in _free(state)
                       if helper.id != who.id and helper.side == who.side and helper.place <= who.place
                       and _can_act(helper))
        own = qualities(sheets[who.id])
        if not who.pledge and _can_act(who) and helped and own:
            fields = (
                Text(name="to", label="Character", default=REQUIRED, most=100, missing="Choose a character to help."),
                several("qualities", "Qualities", "Choose a quality to help with."),
            )
            yield Offer("help", who.id, "Help", "If your help is used, it takes your turn this round.", fields,
                        {"to": helped, "qualities": own})


def help_(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Promises help (PQ-08)."""
    pledged = tuple(Applied(by, trait) for trait in values["qualities"])
    text = f"{state.contestant(by).name} offers {state.contestant(values['to']).name} help."
    return Result((Pledged(by, values["to"], pledged),), (Step("PQ-08", text),))


def helpers(state: State, sheets: Sheets, who: Contestant) -> Options:
    """Who has promised them help, and with what."""
    return tuple((contestant.id, f"{contestant.name}: {_pledged(sheets, contestant.pledge)}")
                 for contestant in state.contestants if contestant.pledge and contestant.pledge.to == who.id)


def _free(state: State) -> tuple[Contestant, ...]:
    return state.standing if state.phase in (Phase.TURN, Phase.LAST_CALL) else ()


def _can_act(who: Contestant) -> bool:
    return who.turn in (WAITING, HOLDING)


def _pledged(sheets: Sheets, pledge: Pledge) -> str:
    traits = (sheets[applied.sheet].trait(applied.trait) for applied in pledge.qualities)
    return ", ".join(f"{trait.name}, {rank_of(trait).notation}" for trait in traits if trait)


ACTS = (Act("withdraw", offer_withdraw, withdraw), Act("help", offer_help, help_))
EVENTS = (Pledged, Withdrew)
