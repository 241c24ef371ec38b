"""What only the GM says in a conflict: a granted upshift, who is out of action, who is back (PQ-05, PQ-16)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.engine import Act, Event, Sheets, Values
from rules.fields import REQUIRED, Text
from rules.moves import Step
from rules.procedure import Offer
from rules.systems.pdq.conflict.fields import WORDS, about
from rules.systems.pdq.conflict.killing import without_proposals
from rules.systems.pdq.conflict.state import DONE, Deed, Phase, Result, State, put_out
from rules.wording import quoted

Faces = Sequence[int]

REASON = Text(name="reason", label="Reason", default=REQUIRED, most=300, missing="Enter what the upshift is for.")


@dataclass(frozen=True)
class Granted(Event[State]):
    """The GM granted an upshift for the next roll, and why (PQ-05)."""

    who: str
    reason: str

    def after(self, state: State) -> State:
        return state.with_(self.who, grants=(*state.contestant(self.who).grants, self.reason))


@dataclass(frozen=True)
class TakenOut(Deed):
    """The GM took somebody out of action."""

    who: str
    words: str

    def done(self, state: State) -> State:
        return put_out(state, self.who)


@dataclass(frozen=True)
class BroughtBack(Deed):
    """The GM brought somebody back who was out of action (PQ-16)."""

    who: str
    words: str

    def done(self, state: State) -> State:
        return without_proposals(state, self.who).with_(self.who, out=False, turn=DONE)


def offer_grant(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, for all who stand."""
    if state.standing:
        yield about("grant", "Grant an upshift", state.standing, REASON, help="It counts on the next roll.")


def grant(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """An upshift for a description that was fun, on the next roll (PQ-05)."""
    text = f"An upshift for {_name(state, values)} on the next roll: “{values['reason']}”."
    return Result((Granted(values["who"], values["reason"]),), (Step("PQ-05", text),))


def offer_take_out(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, between attacks."""
    if _between_attacks(state):
        yield about("take_out", "Take out of action", state.standing, WORDS)


def take_out(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Out of action at the GM's word (PQ-16)."""
    text = f"{_name(state, values)} is out of action{quoted(values['words'])}"
    return Result((TakenOut(values["who"], values["words"]),), (Step("PQ-16", text),))


def offer_bring_back(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, between attacks, of those who are out."""
    if _between_attacks(state) and state.gone:
        yield about("bring_back", "Bring back into action", state.gone, WORDS,
                    help="They act from the next round on.")


def bring_back(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Back in action at the GM's word, to act from the next round on (PQ-16)."""
    text = f"{_name(state, values)} is back{quoted(values['words'])}"
    return Result((BroughtBack(values["who"], values["words"]),), (Step("PQ-16", text),))


def _between_attacks(state: State) -> bool:
    return state.phase in (Phase.TURN, Phase.LAST_CALL, Phase.AFTERMATH)


def _name(state: State, values: Values) -> str:
    return state.contestant(values["who"]).name


GRANT = Act("grant", offer_grant, grant)
GMS = (Act("take_out", offer_take_out, take_out), Act("bring_back", offer_bring_back, bring_back))
EVENTS = (Granted, TakenOut, BroughtBack)
