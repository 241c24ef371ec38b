"""What the GM takes off an attack: any factor before its dice, and what a player said after them, while nothing stands
on them (PN-05)."""
from __future__ import annotations

from dataclasses import dataclass, replace

from rules.engine import Event, Sheets, after
from rules.moves import Step
from rules.procedure import Options
from rules.strike import strike_act
from rules.systems.pnc.factors import in_words, without
from rules.systems.pnc.fight.aftermath import undone
from rules.systems.pnc.fight.reading import AttackReopened, pending, settled
from rules.systems.pnc.fight.state import Attack, OfAttack, Result, State
from rules.systems.pnc.reckoning import strikable


@dataclass(frozen=True)
class Dismissed(OfAttack):
    """The GM took a factor off the attack; dice that lie are read without it."""

    stored = "struckout"

    place: int

    def to(self, attack: Attack) -> Attack:
        return replace(attack, weights=without(attack.weights, self.place))


def said(state: State) -> Options:
    """What may be taken off now: before the dice any factor, after them what was said."""
    attack = state.attack or _read_last(state)
    if attack is None or attack.stands:
        return ()
    places = strikable(attack.terms, len(attack.faces)) if attack.faces else range(len(attack.weights))
    return tuple((str(place), in_words(attack.weights[place], state.names)) for place in places)


def _read_last(state: State) -> Attack | None:
    """The attack that was read last, where nothing was done since."""
    if state.over:
        return state.last if state.settings.opposed and not state.words else None
    aftermath = state.aftermath
    return aftermath.attack if aftermath and aftermath.may_roll_again and not aftermath.ruled else None


def strike(state: State, sheets: Sheets, which: str) -> Result:
    """It no longer counts; the same faces are read without it, and the wound that they made is another, or none."""
    dismissed = Dismissed(int(which))
    if state.attack is None:
        return _again(state, sheets, dismissed)
    now = dismissed.after(state)
    struck = pending(now)
    if not struck.faces:
        gone = state.attack.weights[dismissed.place]
        return Result((dismissed,), (Step("PN-05", f"“{gone.reason}” no longer counts: {struck.button}."),))
    if struck.thrown is None:
        steps = (Step("PN-06", f"The dice of {state.names[struck.target]} come to {struck.d6}."),)
        return Result((dismissed,), steps, {"d6": struck.d6})
    return settled(state, sheets, Result((dismissed,), struck.thrown.steps()))


def _again(state: State, sheets: Sheets, dismissed: Dismissed) -> Result:
    events = (AttackReopened(), dismissed)
    reopened = after(state, events[:1])
    thrown = pending(after(state, events)).thrown
    effects = undone(state, sheets) if state.aftermath else ()
    read = settled(reopened, sheets, Result((dismissed,), thrown.steps() if thrown else ()))
    return replace(read, events=(AttackReopened(), *read.events), effects=(*effects, *read.effects))


def came(state: State) -> str:
    """What the dice come to, in a few words; "" before both parts lie there."""
    attack = state.attack or state.last
    return attack.reading if attack else ""


def _lie(state: State) -> bool:
    attack = state.attack or state.last
    return attack is not None and bool(attack.faces)


DISMISS = strike_act("PN-05", said, strike, _lie, came, title="Remove a factor")
EVENTS: tuple[type[Event[State]], ...] = (Dismissed,)
