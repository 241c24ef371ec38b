"""The order: who rolls for a place in it, who rolls again before anybody acts, whose turn follows (PN-07, PN-09)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rules import turns
from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.moves import Die, Need, Roll, Step, take
from rules.odds import chances
from rules.procedure import Ask, Offer
from rules.sheet import Effect
from rules.systems.pnc.competition import degree_ways
from rules.systems.pnc.contract_rolls import order, standard
from rules.systems.pnc.dice import Fallen, degree_text, draw, nothing_left
from rules.systems.pnc.factors import Weight, fields_for, steps_of
from rules.systems.pnc.fight.ending import Ended
from rules.systems.pnc.fight.state import Phase, Result, State, place
from rules.systems.pnc.initiative import ahead
from rules.systems.pnc.mulligans import Purse
from rules.systems.pnc.origins import why as why_of
from rules.systems.pnc.reckoning import Kept, ready, settle, terms, ticked
from rules.tables import OddsAnswer
from rules.why import Why
from rules.wording import join

Faces = Sequence[int]


@dataclass(frozen=True)
class InitiativeRolled(Event[State]):
    """A roll for the order: a standard roll, or with `dice` None one d6, which the score holds (PN-07)."""

    who: str
    weights: tuple[Weight, ...]
    dice: Fallen | None
    score: int

    def after(self, state: State) -> State:
        state = state.with_(self.who, weights=self.weights, dice=self.dice, score=self.score)
        return replace(state, new_places=(*state.new_places, self.who))


@dataclass(frozen=True)
class Placed(Event[State]):
    """An initiative roll stands."""

    who: str

    def after(self, state: State) -> State:
        return state.with_(self.who, placed=True, waiting=state.round > 0)


@dataclass(frozen=True)
class OrderReopened(Event[State]):
    """Somebody rolled for a place again before anybody acted: the first round begins again (PN-09)."""

    def after(self, state: State) -> State:
        return replace(state, round=0, acting=())


@dataclass(frozen=True)
class RoundBegan(Event[State]):
    """Everybody who can act has a turn to come."""

    round: int

    def after(self, state: State) -> State:
        for combatant in state.able:
            state = state.with_(combatant.id, waiting=True)
        return replace(state, round=self.round, acting=())

    def explained(self, before: State, after: State) -> tuple[tuple[Step, ...], tuple[Roll, ...]]:
        if self.round > 1:
            return (Step("PN-07", f"Round {self.round} begins."),), ()
        places = "; ".join(join([combatant.name for combatant in group]) for group in after.order if group[0].placed)
        # The order, as soon as all who can act have their place in it by a roll of their own.
        read = (combatant.thrown(open_ended=after.settings.open_ended) for combatant in after.able)
        thrown = [throw for throw in read if throw]
        return (Step("PN-07", f"The order is: {places}."),), (order(thrown),) if thrown else ()


@dataclass(frozen=True)
class TurnBegan(Event[State]):
    """The turn of all of one place; `losing` are those who lose it."""

    who: tuple[str, ...]
    losing: tuple[str, ...]

    def after(self, state: State) -> State:
        for who in self.who:
            state = state.with_(who, waiting=who in self.acting, held=False, loses_next=False)
        return replace(state, acting=self.acting)

    @property
    def acting(self) -> tuple[str, ...]:
        """Those who act."""
        return tuple(who for who in self.who if who not in self.losing)

    def explained(self, before: State, after: State) -> tuple[tuple[Step, ...], tuple[Roll, ...]]:
        lost = tuple(Step("PN-06", f"{after.combatant(who).name} loses this turn.") for who in self.losing)
        acting = [after.combatant(who).name for who in self.acting]
        together = ", at the same moment" if len(acting) > 1 else ""
        return (*lost, *((Step("PN-07", f"It is the turn of {join(acting)}{together}."),) if acting else ())), ()


def onward(state: State) -> Event[State] | None:
    """What follows by itself, without anybody acting: the next turn, the next time round, or the end."""
    if not state.combatants or state.over or state.attack:
        return None
    if state.settings.opposed:
        return Ended("", "")
    if not state.goes_on:
        return None if state.unruled else Ended("".join(turns.sides_left(state.combatants)), "")
    if state.unplaced or not state.able or state.acting:
        return None
    if not state.round:
        return RoundBegan(1)
    first = turns.next_up((combatant for combatant in state.able if combatant.waiting), place)
    if not first:
        return RoundBegan(state.round + 1)
    lose = tuple(combatant.id for combatant in first if combatant.loses_next)
    return TurnBegan(tuple(combatant.id for combatant in first), lose)


def offer_initiative(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who can act and has no place yet."""
    if state.phase is not Phase.INITIATIVE:
        return
    for who in state.unplaced:
        if who.dice:
            continue
        if state.settings.initiative == "d6":
            yield Offer("initiative", who.id, "Roll 1d6 for initiative", "The highest acts first.", rolls=True)
            continue
        lines, now = ticked(sheets[who.id])
        yield Offer("initiative", who.id, "Roll initiative", "The greatest degree acts first.",
                    fields_for(lines), {"features": lines}, rolls=True, now=now or None)


def ask_for_initiative(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Each who can act and has no place yet."""
    if state.phase is Phase.INITIATIVE:
        text = "roll initiative"
        yield from (Ask(who.id, "initiative", text, "Roll") for who in state.unplaced if not who.dice)


def initiative(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """A roll for one's place in the order (PN-07)."""
    if state.settings.initiative == "d6":
        return _d6(state, by, faces) if take(faces, 1) else Need((6,))
    weighed = terms(sheets[by], values, by=by, open_ended=state.settings.open_ended)
    rolled = _roll(state, by, weighed.own, faces, purse_of(state, sheets, by))
    if isinstance(rolled, Need):
        return rolled
    nothing_left(faces[len(rolled.dice) :], faces)
    return replace(rolled, steps=(*rolled.steps, *weighed.omissions))


def odds_of_initiative(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chance to act before all others, whose dice may have fallen."""
    if state.settings.initiative == "d6":
        return ()
    by, open_ended = offer.by, state.settings.open_ended
    own = terms(sheets[by], values, by=by, open_ended=open_ended).roll
    others = []
    for other in state.able:
        if other.id == by:
            continue
        # Whose dice have not fallen brings wounds: who may not know them may not know these odds.
        others.append({other.score: Fraction(1)} if other.dice else chances(
            degree_ways(ready(sheets[other.id], open_ended=open_ended).roll)))
    if not others:
        return ()
    first = ahead(chances(degree_ways(own)), others)
    return (("Acting first", OddsAnswer((("First", first, "good"), ("Later, or together", 1 - first, "bad")))),)


def why_initiative(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """The dice for one’s place in the order, with what is added to them (PN-05, PN-07)."""
    if state.settings.initiative == "d6":
        return None
    falls = terms(sheets[offer.by], values, by=offer.by, open_ended=state.settings.open_ended)
    return why_of(sheets[offer.by], falls, state.names)


def offer_rest(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, as long as somebody has no place."""
    if state.phase is Phase.INITIATIVE:
        waiting = join([who.name for who in state.unplaced])
        plain = state.settings.initiative == "d6"
        counts = ", without factors." if plain else ". Their wounds count, and nothing else."
        yield Offer("roll_the_rest", "", "Roll for the rest", f"For {waiting}{counts}", rolls=True)


def roll_the_rest(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """The GM rolls for everybody who has not, with the wounds that stand ready in each one’s own form (PN-10)."""
    events: list[Event[State]] = []
    steps = [Step("PN-07", "The GM rolls for the rest.")]
    dice: list[Die] = []
    effects: list[Effect] = []
    rolls: list[Roll] = []
    left = faces
    for who in state.unplaced:
        if who.dice:
            events.append(Placed(who.id))  # a fight from before a roll was a place at once
            continue
        if state.settings.initiative == "d6":
            rolled = _d6(state, who.id, left) if left else Need((6,))
        else:
            own = ready(sheets[who.id], open_ended=state.settings.open_ended).own
            rolled = _roll(state, who.id, own, left, purse_of(state, sheets, who.id))
        if isinstance(rolled, Need):
            return rolled
        left = left[len(rolled.dice) :]
        events += rolled.events
        steps += rolled.steps
        dice += _owned(rolled.dice, who.name)
        effects += rolled.effects
        rolls += rolled.rolls
    nothing_left(left, faces)
    return Result(tuple(events), tuple(steps), {}, tuple(dice), tuple(effects), tuple(rolls))


def roll_again(state: State, sheets: Sheets, by: str, faces: Faces, purse: Purse) -> Result | Need:
    """The same roll again, for a point that is spent already (PN-09). Where nobody has acted, the round does too."""
    rolled = _roll(state, by, state.combatant(by).weights, faces, purse)
    if isinstance(rolled, Need):
        return rolled
    nothing_left(faces[len(rolled.dice) :], faces)
    before = (OrderReopened(),) if state.nobody_acted else ()
    return replace(rolled, events=(*before, *rolled.events))


def purse_of(state: State, sheets: Sheets, who: str) -> Purse:
    """The mulligan points of one who rolls."""
    return Purse(sheets[who], player=state.combatant(who).player, swing=state.settings.swing)


def _roll(
    state: State, who: str, weights: tuple[Weight, ...], faces: Faces, purse: Purse
) -> Result | Need:
    """A standard roll read off the front of `faces`."""
    roll = Kept(weights, state.settings.open_ended).roll
    drawn = draw(roll, faces)
    if isinstance(drawn, Need):
        return drawn
    fallen, _ = drawn
    thrown = settle(roll, fallen)
    again = "rolls again" if purse.effects else "rolls"
    purse.fell(thrown.first)
    rolled = InitiativeRolled(who, weights, fallen, thrown.degree)
    steps = (Step("PN-07", f"{purse.sheet.name} {again} for initiative: {degree_text(thrown.degree)}."),
             *steps_of(weights, state.names), *thrown.steps(purse.sheet.name), *purse.steps)
    return Result((rolled, Placed(who)), steps, {"degree": thrown.degree}, thrown.laid(), tuple(purse.effects),
                  (standard(thrown),))


def _d6(state: State, who: str, faces: Faces) -> Result:
    """One d6. Who comes later goes behind those who showed the same."""
    name = state.combatant(who).name
    rolled = InitiativeRolled(who, (), None, faces[0] * 100 - 99)
    step = Step("PN-07", f"{name} rolls {faces[0]} for initiative.")
    return Result((rolled, Placed(who)), (step,), dice=(Die(6, faces[0], name),))


def _owned(dice: Sequence[Die], name: str) -> tuple[Die, ...]:
    """The dice of one of several, with whose they are; bonus and penalty dice keep their word."""
    return tuple(replace(die, role=name) if die.role in ("d20", "3d6") else die for die in dice)


OWN = (Act("initiative", offer_initiative, initiative, ask_for_initiative, odds_of_initiative, why_initiative),)
GMS = (Act("roll_the_rest", offer_rest, roll_the_rest),)
EVENTS = (InitiativeRolled, Placed, OrderReopened, RoundBegan, TurnBegan)
