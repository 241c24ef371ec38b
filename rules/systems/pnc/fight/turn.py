"""What is done with a turn beside attacking: acting, holding, and what the GM says of turns (PN-07)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.engine import Act, Event, Sheets, Values
from rules.fields import REQUIRED, Text
from rules.moves import Step
from rules.procedure import Ask, Offer
from rules.systems.pnc.fight.state import Deed, Phase, Result, State, about, spent
from rules.wording import quoted

Faces = Sequence[int]

SAID = Text(name="words", label="Action", default=REQUIRED, most=1000)


@dataclass(frozen=True)
class Acted(Deed):
    """Something else was done than attacking."""

    who: str
    words: str

    def done(self, state: State) -> State:
        return spent(state, self.who)


@dataclass(frozen=True)
class Held(Deed):
    """A turn is held until the next time round."""

    who: str

    def done(self, state: State) -> State:
        return spent(state, self.who).with_(self.who, held=True)


@dataclass(frozen=True)
class Skipped(Deed):
    """A turn went by."""

    who: str

    def done(self, state: State) -> State:
        return spent(state, self.who)


@dataclass(frozen=True)
class Readied(Event[State]):
    """Somebody who was caught off guard can act now."""

    who: str

    def after(self, state: State) -> State:
        return state.with_(self.who, ready=True)


def offer_act(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each whose turn it is."""
    for who in state.on_turn:
        yield Offer("act", who.id, "Do something else",
                    "It takes your turn. If it needs a roll, make that at the table.", (SAID,))


def act(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Something else than an attack."""
    text = f"{state.combatant(by).name} acts{quoted(values['words'])}"
    return Result((Acted(by, values["words"]),), (Step("PN-07", text),))


def offer_hold(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each whose turn has come and who does not hold one already."""
    for who in state.on_turn:
        if who.id in state.acting:
            yield Offer("hold", who.id, "Hold your turn",
                        "Act later, up to your turn of the next round; never before it has come.")


def hold(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The turn is held."""
    text = f"{state.combatant(by).name} holds, until the next time round at the latest."
    return Result((Held(by),), (Step("PN-07", text),))


def offer_skip(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, while somebody's turn it is."""
    if state.phase is Phase.TURN and state.acting:
        yield about("skip", "Skip a turn", (state.combatant(who) for who in state.acting))


def skip(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM lets a turn go by."""
    text = f"{state.combatant(values['who']).name} passes."
    return Result((Skipped(values["who"]),), (Step("PN-07", text),))


def offer_ready(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, while somebody can't act."""
    unready = [who for who in state.fighting if not who.ready]
    if unready and state.phase in (Phase.INITIATIVE, Phase.TURN):
        yield about("ready", "Let someone act", unready,
                    help="Who was caught off guard rolls for a place in the order.")


def ask_to_ready(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, where nobody can act."""
    if state.phase is Phase.TURN and not state.acting:
        waiting = any(not who.ready for who in state.fighting)
        yield Ask("", "ready", "say who can act") if waiting else Ask("", "end", "end the fight", "End")


def ready(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Who was caught off guard can act, and rolls for a place."""
    text = f"{state.combatant(values['who']).name} can act now, and rolls for a place in the order."
    return Result((Readied(values["who"]),), (Step("PN-07", text),))


HOLD, ACT = Act("hold", offer_hold, hold), Act("act", offer_act, act)
GMS = (Act("skip", offer_skip, skip), Act("ready", offer_ready, ready, ask_to_ready))
EVENTS = (Acted, Held, Skipped, Readied)
