"""Turns: who acts first in each, and ceding that (PS-20)."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import Sheet
from rules.systems.pdq_sharp.chart import AVERAGE, notation_of
from rules.systems.pdq_sharp.duel.forms import named, one_of
from rules.systems.pdq_sharp.duel.state import SURPRISED, UNAWARE, Fencer, Result, State
from rules.systems.pdq_sharp.reading import STYLE, fortes, usable
from rules.wording import join

Key = tuple[bool, int, int, bool]


@dataclass(frozen=True)
class TurnBegan(Event[State]):
    """A turn begins with this initiative, as (who, place); those who still face each other stay engaged (PS-20)."""

    turn: int
    places: tuple[tuple[str, int], ...]

    def after(self, state: State) -> State:
        """What was carried counts now; the others look for a foe."""
        standing = {fencer.id for fencer in state.standing}
        pairs = tuple(pair for pair in state.pairs if standing.issuperset(pair))
        busy = {who for pair in pairs for who in pair}
        fencers = tuple(replace(
            fencer, held=False, attack_carry=fencer.next_attack, defence_carry=fencer.next_defence, next_attack=0,
            next_defence=0, surprise=fencer.surprise if self.turn == 1 else "",
            backing=fencer.backing if fencer.backing in busy else "") for fencer in state.fencers)
        fresh = replace(state, fencers=fencers, turn=self.turn, pairs=pairs, choices=(), prepaid=frozenset(),
                        throws=(), stood=(), clashed=())
        return _placed(fresh, self.places)


@dataclass(frozen=True)
class Ceded(Event[State]):
    """Initiative was ceded: these places hold from now on in this turn (PS-20)."""

    places: tuple[tuple[str, int], ...]

    def after(self, state: State) -> State:
        return _placed(state, self.places)


def _placed(state: State, places: tuple[tuple[str, int], ...]) -> State:
    for who, place in places:
        state = state.with_(who, place=place)
    return replace(state, pairs=tuple(quicker(state, *pair) for pair in state.pairs))


def quicker(state: State, one: str, other: str) -> tuple[str, str]:
    """Two with the one first who acts first."""
    return (one, other) if state.fencer(one).place <= state.fencer(other).place else (other, one)


def highest(sheet: Sheet) -> int:
    """The highest rank that somebody has at the moment."""
    return max((forte.now for forte in fortes(sheet) if usable(forte)), default=AVERAGE)


def _key(fencer: Fencer, sheet: Sheet, turn: int) -> Key:
    """Lower acts first: who is not surprised, then style dice, then rank, then the players' characters."""
    late = turn == 1 and fencer.surprise in (SURPRISED, UNAWARE)
    return late, -sheet.pool(STYLE), -highest(sheet), not fencer.player


def places(fencers: Iterable[Fencer], sheets: Sheets, turn: int) -> tuple[tuple[str, int], ...]:
    """The initiative of a turn, as (who, place); equal ones have the same place."""
    keys = {fencer.id: _key(fencer, sheets[fencer.id], turn) for fencer in fencers if fencer.fights}
    ranked = sorted(set(keys.values()))
    return tuple((who, ranked.index(key)) for who, key in keys.items())


def order_steps(fencers: Iterable[Fencer], sheets: Sheets, turn: int) -> tuple[Step, ...]:
    """The initiative in words, a step for each place."""
    by_key: dict[Key, list[Fencer]] = {}
    for fencer in fencers:
        if fencer.fights:
            by_key.setdefault(_key(fencer, sheets[fencer.id], turn), []).append(fencer)
    steps = []
    for place, key in enumerate(sorted(by_key), 1):
        late, dice, rank, _ = key
        why = f"{-dice} style {'die' if dice == -1 else 'dice'}, {notation_of(-rank)}"
        together = ", at the same moment" if len(by_key[key]) > 1 else ""
        late_too = "surprised; " if late else ""
        names = join([fencer.name for fencer in by_key[key]])
        steps.append(Step("PS-20", f"{place}. {names}{together}: {late_too}{why}."))
    return tuple(steps)


def next_turn(state: State, sheets: Sheets) -> tuple[TurnBegan, tuple[Step, ...]]:
    """The turn that follows, with what is said of it."""
    turn = state.turn + 1
    steps = (Step("PS-20", f"Turn {turn} begins."), *order_steps(state.fencers, sheets, turn))
    return TurnBegan(turn, places(state.fencers, sheets, turn)), steps


def offer_cede(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the first in initiative: to leave it to a foe who comes later."""
    for who in state.order if state.between else ():
        if who.fights and (later := _later(state, who)):
            yield Offer("cede", who.id, "Cede initiative", "Let your foe act before you.",
                        (one_of("to", "Recipient", "Choose a recipient."),), {"to": named(later)})


def _later(state: State, fencer: Fencer) -> tuple[Fencer, ...]:
    """To whom the first in initiative may leave it: foes who come later (PS-20)."""
    first = min((fencer.place for fencer in state.standing), default=0)
    if fencer.place != first or state.choices or state.throws:
        return ()
    return tuple(foe for foe in state.order
                 if foe.fights and foe.side != fencer.side and foe.place > fencer.place)


def cede(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Leaves initiative to a foe with less (PS-20)."""
    who, to = state.fencer(by), state.fencer(values["to"])
    step = Step("PS-20", f"{who.name} cedes initiative to {to.name}.")
    return Result((Ceded(_ceded(state, who, to)),), (step,))


def _ceded(state: State, who: Fencer, to: Fencer) -> tuple[tuple[str, int], ...]:
    """The places after somebody let this foe, and all before them, go first."""
    order = [fencer for fencer in state.order if fencer.fights and fencer.id != who.id]
    spots: dict[int, list[str]] = {}
    for fencer in order:
        spots.setdefault(fencer.place, []).append(fencer.id)
    groups: list[list[str]] = []
    for place in sorted(spots):
        groups.append(spots[place])
        if place == to.place:
            groups.append([who.id])
    return tuple((fencer, place) for place, group in enumerate(groups) for fencer in group)


CEDE = Act("cede", offer_cede, cede)
EVENTS: tuple[type[Event[State]], ...] = (TurnBegan, Ceded)
