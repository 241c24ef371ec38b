"""Factors that are put down before a roll, and taken off again (PN-05)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.engine import Act, Event, Sheets, Values
from rules.fields import REQUIRED, Text
from rules.moves import Step
from rules.procedure import Offer
from rules.systems.pnc.dice import say
from rules.systems.pnc.factors import CIRCUMSTANCES, Weight, come_to, fields_for, without
from rules.systems.pnc.reckoning import terms, ticked
from rules.systems.pnc.rolls.state import Result, Roller, State
from rules.values import BadMove


@dataclass(frozen=True)
class Weighed(Event[State]):
    """Factors were put down for somebody's roll."""

    who: str
    weights: tuple[Weight, ...]

    def after(self, state: State) -> State:
        return state.with_(self.who, weights=(*state.roller(self.who).weights, *self.weights))


@dataclass(frozen=True)
class Dropped(Event[State]):
    """A factor was taken off again."""

    who: str
    place: int

    def after(self, state: State) -> State:
        weights = state.roller(self.who).weights
        return state.with_(self.who, weights=without(weights, self.place))


def waiting(state: State, sheets: Sheets) -> list[Roller]:
    """Those who have a sheet and have yet to roll."""
    return [roller for roller in state.rollers if roller.id in sheets and not roller.dice]


def offer_weighing(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each before their roll."""
    for who in waiting(state, sheets):
        lines, now = ticked(sheets[who.id], who.weights)
        yield Offer("weigh", who.id, "Add factors before you roll", "Everyone sees them, and the GM can answer.",
                    fields_for(lines), {"features": lines}, now=now or None)


def offer_judging(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, as long as somebody has yet to roll."""
    rollers = [roller for roller in state.rollers if not roller.dice]
    if rollers:
        whose = (Text(name="who", label="Character", default=REQUIRED, most=100),) if len(rollers) > 1 else ()
        yield Offer("judge", "", "Add circumstances", "You have the last word on what counts.",
                    (*whose, CIRCUMSTANCES), {"who": tuple((roller.id, roller.name) for roller in rollers)})


def weigh(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Factors are put down before the roll."""
    who = by or values.get("who") or next(roller.id for roller in state.rollers if not roller.dice)
    before = state.roller(who)
    counted = terms(sheets.get(by), values, by=by, so_far=before.weights, open_ended=before.open_ended)
    if not counted.own:
        raise BadMove("Name at least one factor.", "circumstances")
    weighed = Weighed(who, counted.own)
    roller = weighed.after(state).roller(who)
    text = say(roller.name, f"{come_to(roller.roll)}.")
    return Result((weighed,), (Step("PN-05", text), *counted.steps(state.names)), {"who": who})


def offer_dropping(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each before their roll: their own factors."""
    for who in waiting(state, sheets):
        own = tuple((str(place), weight.reason) for place, weight in enumerate(who.weights) if weight.by == who.id)
        if own:
            which = Text(name="which", label="Factor", default=REQUIRED, most=10)
            yield Offer("drop", who.id, "Remove a factor", fields=(which,), options={"which": own})


def drop(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A factor of one's own is taken off."""
    return dropped(state, by, int(values["which"]))


def dropped(state: State, who: str, place: int) -> Result:
    """A factor is taken off before the roll."""
    gone, event = state.roller(who).weights[place], Dropped(who, place)
    roller = event.after(state).roller(who)
    text = f"“{gone.reason}” no longer counts for {roller.name}; {come_to(roller.roll)}."
    return Result((event,), (Step("PN-05", text),), {"who": who})


OWN = (Act("weigh", offer_weighing, weigh), Act("drop", offer_dropping, drop))
GMS = (Act("judge", offer_judging, weigh),)
EVENTS = (Weighed, Dropped)
