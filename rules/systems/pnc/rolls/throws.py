"""The dice: a roll, a mulligan, letting it stand, and what came of it (PN-02, PN-03, PN-08, PN-09)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Forecasts, Sheets, Values, after
from rules.moves import Need, Step
from rules.procedure import Ask, Offer, Use
from rules.systems.pnc.contract_rolls import competitions, standard
from rules.systems.pnc.dice import Fallen, draw, nothing_left, reading
from rules.systems.pnc.factors import D20, fields_for, steps_of, used
from rules.systems.pnc.mulligans import MULLIGANS, Purse, left_of
from rules.systems.pnc.origins import as_it_lies
from rules.systems.pnc.origins import why as why_of
from rules.systems.pnc.reckoning import Kept, Terms, left_out, settle, terms, ticked
from rules.systems.pnc.roll_odds import both_readings, spread
from rules.systems.pnc.rolls.state import Result, Roller, State
from rules.systems.pnc.rolls.weighing import Weighed, waiting
from rules.systems.pnc.standing import unable
from rules.values import Value
from rules.why import Why
from rules.wording import percent


@dataclass(frozen=True)
class Rolled(Event[State]):
    """Dice fell: the d20, what followed an open one, and the six-sided dice. `terms` are what they fell with; where
    there are none, what was put down before."""

    who: str
    first: int
    second: int | None
    faces: tuple[int, ...]
    terms: Kept | None = None

    def after(self, state: State) -> State:
        known = self._terms(state)
        return state.with_(self.who, dice=Fallen(self.first, self.second, self.faces), weights=known.weights,
                           open_ended=known.open_ended, times=state.roller(self.who).times + 1)

    def used(self, before: State) -> tuple[Use, ...]:
        return (Use(self.who, used(self._terms(before).weights)),)

    def _terms(self, before: State) -> Kept:
        return self.terms or before.roller(self.who).terms


@dataclass(frozen=True)
class Stood(Event[State]):
    """Somebody lets the roll stand."""

    who: str

    def after(self, state: State) -> State:
        return state.with_(self.who, stands=True)


@dataclass(frozen=True)
class Ended(Event[State]):
    """The result was read."""

    def after(self, state: State) -> State:
        return replace(state, over=True)


def offer_roll(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who has yet to roll."""
    for who in waiting(state, sheets):
        lines, now = ticked(sheets[who.id], who.weights)
        yield Offer("roll", who.id, f"Roll {D20}", "Your choices here count, too.",
                    fields_for(lines), {"features": lines}, rolls=True, now=now or None)


def ask_to_roll(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Who has yet to roll."""
    return (Ask(who.id, "roll", f"roll {D20}", "Roll") for who in state.rollers if not who.dice)


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The standard roll, with what is added at the last moment (PN-02 to PN-05)."""
    who, weighed = state.roller(by), falling(state, sheets, by, values)
    before = (Weighed(by, weighed.own),) if weighed.own else ()
    purse = Purse(sheets[by], player=who.player, swing=state.settings.swing)
    return _throw(state, sheets, before, purse, faces, weighed.omissions)


def falling(state: State, sheets: Sheets, by: str, values: Values) -> Terms:
    """What somebody’s roll is made of, with what is filled in: the button, the odds and the reasons say the same."""
    who = state.roller(by)
    return terms(sheets[by], values, by=by, so_far=who.weights, open_ended=who.open_ended)


def why(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """The dice of a roll with what is added to it: each feature and circumstance, and what it does (PN-05)."""
    return why_of(sheets[offer.by], falling(state, sheets, offer.by, values), state.names)


def why_standing(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """What a roll came to, with what made it easier or harder (PN-05)."""
    who = state.roller(offer.by)
    omitted = [("", wound) for wound in left_out(sheets[who.id], who.weights)]
    return as_it_lies(who.thrown, who.weights, state.names, who.name, left_out=omitted) if who.thrown else None


def why_again(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """The dice that would fall again; where they can be let stand, that says it."""
    return None if state.roller(offer.by) in deciding(state, sheets) else why(state, sheets, offer, values)


def odds_of_roll(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of a roll with what is added to it."""
    falls = falling(state, sheets, offer.by, values).kept
    return both_readings(spread(falls.roll), f"{state.roller(offer.by).name}: {falls.button}")


def asked(state: State, sheets: Sheets, points: Mapping[str, int] | None = None) -> tuple[Roller, ...]:
    """Those who have yet to let their roll stand: it makes a difference to them, and they have a mulligan (PN-09).

    `points` are mulligan points that an act has changed.
    """
    return tuple(
        who for who in state.unsettled
        if who.player and (points or {}).get(who.id, sheets[who.id].pool(MULLIGANS)) and not unable(sheets[who.id])
    )


def deciding(state: State, sheets: Sheets) -> tuple[Roller, ...]:
    """Who decides after the dice; whoever spent the last point elsewhere meanwhile has to be able to end it."""
    if not state.all_rolled:
        return ()
    return asked(state, sheets) or tuple(who for who in state.rollers if not who.stands)


def offer_standing(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To those who decide after the dice."""
    for who in deciding(state, sheets):
        if who.id in sheets and not who.stands:
            verdict = "success" if who.success else "failure"
            yield Offer("stand", who.id, f"Let it stand: {verdict}, {who.reading}")


def ask_to_stand(state: State, sheets: Sheets) -> Iterator[Ask]:
    """After the dice, who has yet to let them stand."""
    return (
        Ask(who.id, "stand", f"let it stand ({who.reading}) or roll again", "Decide", decision=True, stands=True)
        for who in deciding(state, sheets))


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The roll stands; with the last one the result is read."""
    who = state.roller(by)
    steps = (Step("PN-09", f"{who.name} lets the roll stand: {who.reading}."),)
    return read(state, sheets, Result((Stood(by),), steps))


def offer_mulligan(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To a player with a point, as long as new dice could make a difference."""
    for who in state.rollers:
        if who.id not in sheets or not who.player or not who.dice or who.stands:
            continue
        points = sheets[who.id].pool(MULLIGANS)
        if points and (who in state.unsettled or not state.all_rolled):
            again = f"Costs a mulligan point; {left_of(points)}. The new dice count."
            yield Offer("mulligan", who.id, f"Roll again: {_chances(state, who)}", again, rolls=True)


def _chances(state: State, who: Roller) -> str:
    """What rolling again may come to: `38.5% to succeed`; where it is a success, `22% better, 60% worse`. Against
    others it is to be ahead of all of them, once they have rolled (PN-08)."""
    odds, degree = who.odds, who.thrown.degree if who.thrown else 0
    better = f"{percent(odds.better(degree))} better"
    if not state.alone and state.all_rolled:
        best = max(other.thrown.degree for other in state.rollers if other.thrown and other != who)
        return f"{percent(odds.better(best))} to win, {better}"
    if state.alone and not who.success:
        return f"{percent(odds.success)} to succeed, {better}"
    return f"{better}, {percent(odds.worse(degree))} worse"


def mulligan(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A point is spent, then all the dice of the roll fall again (PN-09)."""
    purse = Purse(sheets[by], player=state.roller(by).player, swing=state.settings.swing)
    purse.spend()
    return _throw(state, sheets, (), purse, faces)


def _throw(
    state: State, sheets: Sheets, before: tuple[Event[State], ...], purse: Purse, faces: Sequence[int],
    omissions: tuple[Step, ...] = (),
) -> Result | Need:
    """The dice fall, after what was put down `before` them in the same act."""
    who = after(state, before).roller(purse.sheet.id)
    answer = draw(who.roll, faces)
    if isinstance(answer, Need):
        return answer
    fallen, rest = answer
    nothing_left(rest, faces)
    thrown = settle(who.roll, fallen)
    again = "rolls again" if purse.effects else "rolls"
    purse.fell(thrown.first)
    rolled = Rolled(who.id, fallen.first, fallen.second, fallen.faces, who.terms)
    verdict = "success" if thrown.result()["success"] else "failure"
    text = f"{who.name} {again}: {verdict}, {reading(thrown.degree)}."
    steps = (Step("PN-03", text), *steps_of(who.weights, state.names), *omissions, *thrown.steps(), *purse.steps)
    result = Result((*before, rolled), steps, dice=thrown.laid(), effects=tuple(purse.effects))
    return read(state, sheets, result, {who.id: purse.points}, by=who.id)


def read(
    state: State, sheets: Sheets, so_far: Result, points: Mapping[str, int] | None = None, by: str = ""
) -> Result:
    """The result, once nobody is asked any more: the meaning of the band, or who did best (PN-03, PN-08)."""
    state = after(state, so_far.events)
    if by and (thrown := state.roller(by).thrown):
        result = {"who": state.roller(by).name, "told": state.roller(by).both_readings, **thrown.result()}
        so_far = replace(so_far, result=result, rolls=(standard(thrown),))
    if not state.all_rolled or asked(state, sheets, points):
        return so_far
    return (_alone if state.alone else _compared)(state, replace(so_far, events=(*so_far.events, Ended())))


def _compared(state: State, so_far: Result) -> Result:
    """Who did best (PN-08)."""
    ranking: list[Value] = [[who.name for who in place] for place in state.ranked]
    best_first = [who.thrown for place in state.ranked for who in place if who.thrown]
    return replace(so_far, steps=(*so_far.steps, Step("PN-08", state.winner)),
                   result={**so_far.result, "ranking": ranking, "reading": state.winner},
                   rolls=(*so_far.rolls, *competitions(best_first)))


def _alone(state: State, so_far: Result) -> Result:
    """What the band means here (PN-03)."""
    one = state.rollers[0]
    meaning = state.meaning(one.band)
    steps = (Step("PN-03", f"{one.band.capitalize()}: {meaning}"),) if meaning else ()
    if one.thrown is None:
        return so_far
    result = {"who": one.name, "told": one.both_readings, **one.thrown.result(), "meaning": meaning}
    return replace(so_far, steps=(*so_far.steps, *steps), result=result, rolls=(standard(one.thrown),))


ROLL = Act("roll", offer_roll, roll, ask_to_roll, odds_of_roll, why)
AFTERWARDS = (
    Act("stand", offer_standing, stand, ask_to_stand, why=why_standing),
    Act("mulligan", offer_mulligan, mulligan, odds=odds_of_roll, why=why_again),
)
EVENTS = (Rolled, Stood, Ended)
