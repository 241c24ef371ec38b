"""What is done with a turn beside attacking: acting, holding, and what the GM says of turns (PN-07)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules import turns
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


def not_holding(state: State) -> tuple[str, ...]:
    """Each whose turn has come and who does not hold one already."""
    return tuple(who.id for who in turns.on_turn(state.on_turn, state.acting))


def told_holding(state: State, who: str) -> Step:
    """The turn is held."""
    return Step("PN-07", f"{state.combatant(who).name} holds, until the next time round at the latest.")


def offer_skip(state: State) -> Offer | None:
    """While somebody's turn it is."""
    if state.phase is not Phase.TURN or not state.acting:
        return None
    return about("skip", "Skip a turn", (state.combatant(who) for who in state.acting))


def told_skipping(state: State, who: str) -> Step:
    """A turn goes by."""
    return Step("PN-07", f"{state.combatant(who).name} passes.")


def offer_ready(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, while somebody can't act."""
    unready = [who for who in state.fighting if not who.ready]
    if unready and state.phase in (Phase.INITIATIVE, Phase.TURN):
        yield about("ready", "Let someone act", unready,
                    help="Anyone caught off guard rolls initiative.")


def ask_to_ready(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, where nobody can act."""
    if state.phase is Phase.TURN and not state.acting:
        waiting = any(not who.ready for who in state.fighting)
        yield Ask("", "ready", "say who can act") if waiting else Ask("", "end", "finish the fight", "Finish")


def ready(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Who was caught off guard can act, and rolls for a place."""
    text = f"{state.combatant(values['who']).name} can act now, and rolls initiative."
    return Result((Readied(values["who"]),), (Step("PN-07", text),))


HOLD = turns.hold_act(
    not_holding, Held, "Hold your turn", "Act later, up to your turn of the next round; never before it has come.",
    told_holding)
ACT = Act("act", offer_act, act)
GMS = (turns.skip_act(offer_skip, Skipped, told_skipping), Act("ready", offer_ready, ready, ask_to_ready))
EVENTS = (Acted, Held, Skipped, Readied)
