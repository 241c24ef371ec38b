"""What the GM takes off an attack: any factor before its dice, and what a player said after them, while nothing stands
on them (PN-05); and off a roll for the order, as long as nobody has acted since (PN-07)."""
from __future__ import annotations

from dataclasses import dataclass, replace

from rules.engine import Event, Sheets, after
from rules.moves import Step
from rules.procedure import Options
from rules.strike import strike_act
from rules.systems.pnc.contract_rolls import standard
from rules.systems.pnc.dice import degree_text
from rules.systems.pnc.factors import come_to, in_words, without
from rules.systems.pnc.fight.aftermath import undone
from rules.systems.pnc.fight.reading import AttackReopened, pending, settled
from rules.systems.pnc.fight.state import Attack, OfAttack, Result, State
from rules.systems.pnc.reckoning import Kept, strikable


@dataclass(frozen=True)
class Dismissed(OfAttack):
    """The GM took a factor off the attack; dice that lie are read without it."""

    stored = "struckout"

    place: int

    def to(self, attack: Attack) -> Attack:
        return replace(attack, weights=without(attack.weights, self.place))


@dataclass(frozen=True)
class PlaceReadAgain(Event[State]):
    """The GM took a factor off somebody's roll for the order: the same dice give them another place, or the same. Where
    nobody has acted, the first round begins again."""

    who: str
    place: int

    def after(self, state: State) -> State:
        again = replace(state.combatant(self.who), weights=without(state.combatant(self.who).weights, self.place))
        thrown = again.thrown(open_ended=state.settings.open_ended)
        state = replace(state, round=0, acting=()) if state.nobody_acted else state
        return state.with_(self.who, weights=again.weights, score=thrown.degree if thrown else again.score)


def said(state: State) -> Options:
    """What may be taken off now: before the dice any factor, after them what was said."""
    return (*_of_attack(state), *_of_places(state))


def _of_attack(state: State) -> Options:
    attack = state.attack or _read_last(state)
    if attack is None or attack.stands:
        return ()
    places = strikable(attack.terms, len(attack.faces)) if attack.faces else range(len(attack.weights))
    return tuple((str(place), in_words(attack.weights[place], state.names)) for place in places)


def _of_places(state: State) -> Options:
    """What was said of rolls for the order that nobody has acted upon; who acts now has had the place there was."""
    if state.attack or state.over:
        return ()
    return tuple((f"{who.id} {place}", in_words(who.weights[place], state.names))
                 for who in state.able if who.dice and who.id in state.new_places
                 and (who.id not in state.acting or state.nobody_acted)
                 for place in strikable(Kept(who.weights, state.settings.open_ended), len(who.dice.faces)))


def _read_last(state: State) -> Attack | None:
    """The attack that was read last, where nothing was done since."""
    if state.over:
        return state.last if state.settings.opposed and not state.words else None
    aftermath = state.aftermath
    return aftermath.attack if aftermath and aftermath.may_roll_again and not aftermath.ruled else None


def strike(state: State, sheets: Sheets, which: str) -> Result:
    """It no longer counts; the same faces are read without it, and the wound that they made is another, or none."""
    who, _, place = which.rpartition(" ")
    if who:
        return _placed_again(state, who, int(place))
    dismissed = Dismissed(int(place))
    if state.attack is None:
        return _again(state, sheets, dismissed)
    now = dismissed.after(state)
    struck = pending(now)
    if not struck.faces:
        gone = state.attack.weights[dismissed.place]
        return Result((dismissed,), (Step("PN-05", f"“{gone.reason}” no longer counts; {come_to(struck.roll)}."),))
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


def _placed_again(state: State, who: str, place: int) -> Result:
    """The same dice for the order."""
    again = PlaceReadAgain(who, place)
    thrown = again.after(state).combatant(who).thrown(open_ended=state.settings.open_ended)
    if thrown is None:
        raise LookupError("Nothing is offered where no dice lie.")
    return Result((again,), thrown.steps(state.combatant(who).name), {"degree": thrown.degree},
                  rolls=(standard(thrown),))


def came(state: State) -> str:
    """What the dice come to, in a few words: both parts of an attack, and rolls for the order while they are new."""
    attack = state.attack or state.last
    new = [who for who in state.combatants if who.id in state.new_places]
    places = [f"{who.name}: {degree_text(thrown.degree)}" for who in new
              if (thrown := who.thrown(open_ended=state.settings.open_ended))]
    return "; ".join(filter(None, (attack.reading if attack else "", *places)))


def _lie(state: State) -> bool:
    return state.attack is None or bool(state.attack.faces)


DISMISS = strike_act("PN-05", lambda state, sheets: said(state), strike, _lie, came, title="Remove a factor")
EVENTS: tuple[type[Event[State]], ...] = (Dismissed, PlaceReadAgain)
