"""How a duel goes on from event to event. Total: what was once kept is always read."""
from __future__ import annotations

from dataclasses import replace
from typing import TypeVar, assert_never

from rules.systems.pdq_sharp.duel import events as e
from rules.systems.pdq_sharp.duel.state import (
    CLEAN,
    DEAD,
    FREE_ONCE,
    IMPASSE,
    SURRENDERED,
    LullSide,
    Resisting,
    State,
    Throw,
)

Rolled = TypeVar("Rolled", LullSide, Resisting)


def evolve(state: State, event: e.Event) -> State:
    """The state after an event."""
    match event:
        case e.Begun(settings, fencers):
            return replace(State(settings, fencers), context=state.context)
        case e.TurnBegan():
            return _turn(state, event)
        case e.Ceded(places):
            return _placed(state, places)
        case e.Engaged() | e.BackedUp() | e.HeldBack() | e.BrokeOff():
            return _finding_foes(state, event)
        case e.Chose() | e.Thrown() | e.Added() | e.DiePlaced() | e.Stood():
            return _dice(state, event)
        case e.Clashed():
            return _clashed(state, event)
        case e.Suffered(who, _, out):
            left = list(state.wounds)
            left.remove(next(each for each in left if each.who == who))
            state = replace(state, wounds=tuple(left))
            return _gone(state, who, out) if out else state
        case e.LullBegan() | e.LullAdded() | e.LullStood() | e.Lulled():
            return _lull(state, event)
        case e.Envenomed(who, rank, lasting):
            return state.with_(who, poison=rank, doses=lasting)
        case e.PoisonMet(roll):
            return replace(state, resisting=(*state.resisting, roll))
        case e.PoisonAdded(who, face, technique):
            return replace(state, resisting=tuple(
                _bettered(each, face, technique) if each.who == who else each for each in state.resisting))
        case e.Withstood(who, out, by):
            state = _without_poison(state, who, by)
            return _gone(state, who, out) if out else state
        case e.TermsOffered(who, terms):
            return replace(state, terms=(who, terms))
        case e.TermsAnswered(who, _, accepted):
            state = replace(state, terms=("", ""))
            return _gone(state, who, SURRENDERED) if accepted else state
        case e.KillAnnounced(who, target):
            return replace(state, coup=(who, target))
        case e.KillAnswered(killed):
            target, state = state.coup[1], replace(state, coup=("", ""))
            return _gone(state, target, DEAD) if killed else state
        case e.Rearmed(who):
            return state.with_(who, disarmed="")
        case e.HarmRuled(harm):
            return replace(state, settings=replace(state.settings, harm=harm))
        case e.TakenOut(who, how):
            return _gone(state, who, how)
        case e.BroughtBack(who):
            return state.with_(who, out="", held=False, backing="")
        case e.Ended(winner):
            return replace(state, over=True, winner=winner)
        case _:
            assert_never(event)


def _turn(state: State, event: e.TurnBegan) -> State:
    """What was carried counts now; who faces each other still stays engaged, the others look for a foe."""
    standing = {each.id for each in state.standing}
    pairs = tuple(pair for pair in state.pairs if standing.issuperset(pair))
    busy = {one for pair in pairs for one in pair}
    fencers = tuple(
        replace(
            each, held=False, attack_carry=each.next_attack, defence_carry=each.next_defence, next_attack=0,
            next_defence=0, surprise=each.surprise if event.turn == 1 else "",
            backing=each.backing if each.backing in busy else "",
        )
        for each in state.fencers
    )
    fresh = replace(state, fencers=fencers, turn=event.turn, pairs=pairs, choices=(), throws=(), stood=(), clashed=())
    return _placed(fresh, event.places)


def _placed(state: State, places: tuple[tuple[str, int], ...]) -> State:
    for who, place in places:
        state = state.with_(who, place=place)
    return replace(state, pairs=tuple(_quicker(state, *pair) for pair in state.pairs))


def _quicker(state: State, one: str, other: str) -> tuple[str, str]:
    return (one, other) if state.fencer(one).place <= state.fencer(other).place else (other, one)


def _finding_foes(state: State, event: e.Engaged | e.BackedUp | e.HeldBack | e.BrokeOff) -> State:
    match event:
        case e.Engaged(who, foes):
            state = state.with_(who, held=False, backing="")
            fresh = tuple(_quicker(state, who, foe) for foe in foes)
            for foe in foes:
                state = state.with_(foe, held=False, backing="")
            return replace(state, pairs=tuple(dict.fromkeys((*state.pairs, *fresh))))
        case e.BackedUp(who, whom, fortes):
            return state.with_(who, backing=whom, fortes=fortes)
        case e.HeldBack(who):
            return state.with_(who, held=True)
        case e.BrokeOff(who):
            return _without_pairs(state.with_(who, backing="", held=False), who)


def _without_pairs(state: State, who: str) -> State:
    """Nobody is engaged with this one any more, and nobody backs somebody without a foe. Their foes choose again."""
    again = {*state.foes_of(who), who}
    state = replace(state, pairs=tuple(pair for pair in state.pairs if who not in pair),
                    choices=tuple(each for each in state.choices if each.who not in again))
    for each in state.fencers:
        if each.backing and not state.foes_of(each.backing):
            state = state.with_(each.id, backing="")
    return state


def _dice(state: State, event: e.Chose | e.Thrown | e.Added | e.DiePlaced | e.Stood) -> State:
    match event:
        case e.Chose(choice):
            others = tuple(each for each in state.choices if each.who != choice.who)
            return replace(state, choices=(*others, choice))
        case e.Thrown(throws):
            # Before, what somebody chose is nowhere but in their choice: it is secret.
            for choice in state.choices:
                state = _used(state.with_(choice.who, fortes=choice.fortes), choice.who, choice.tweak)
            return replace(state, throws=throws, stood=(), clashed=())
        case e.Added(who, bonus, technique):
            throw = _throw(state, who)
            used = (*throw.used, technique) if technique else throw.used
            return _reopened(state.with_throw(replace(throw, bonus=(*throw.bonus, bonus), used=used)), who)
        case e.DiePlaced(who, number, to):
            throw = _throw(state, who)
            moved = tuple(replace(each, to=to) if place == number else each for place, each in enumerate(throw.bonus))
            return _reopened(state.with_throw(replace(throw, bonus=moved)), who)
        case e.Stood(who):
            return replace(state, stood=(*state.stood, who))


def _lull(state: State, event: e.LullBegan | e.LullAdded | e.LullStood | e.Lulled) -> State:
    match event:
        case e.LullBegan(sides):
            return replace(_used(state, sides[0].who, IMPASSE), lull=sides, stood=())
        case e.LullAdded(who, face, technique):
            sides = tuple(_bettered(each, face, technique) if each.who == who else each for each in state.lull)
            return replace(state, lull=sides, stood=())
        case e.LullStood(who):
            return replace(state, stood=(*state.stood, who))
        case e.Lulled(who, _, wounds):
            return replace(_used(state, who, IMPASSE), wounds=(*state.wounds, *wounds), lull=(), stood=())
        case _:
            assert_never(event)


def _bettered(side: Rolled, face: int, technique: str) -> Rolled:
    used = (*side.used, technique) if technique else side.used
    return replace(side, used=used, faces=(*side.faces, face) if face else side.faces, flat=side.flat + (not face))


def _throw(state: State, who: str) -> Throw:
    return next(each for each in state.throws if each.who == who)


def _reopened(state: State, who: str) -> State:
    """What is added opens it again for the others of the pair or trio (PS-17)."""
    among = state.reach(who)
    return replace(state, stood=tuple(each for each in state.stood if each not in among))


def _clashed(state: State, event: e.Clashed) -> State:
    state = replace(state, clashed=(*state.clashed, *event.who), wounds=(*state.wounds, *event.wounds),
                    stings=(*state.stings, *event.stings))
    for who in event.spent:
        state = state.with_(who, poison=CLEAN)
    for who in event.rearmed:
        state = state.with_(who, disarmed="")
    for lost in event.disarmed:
        state = state.with_(lost.who, disarmed=lost.forte)
    for each in event.carried:
        now = state.fencer(each.who)
        state = state.with_(each.who, next_attack=now.next_attack + each.attack,
                            next_defence=now.next_defence + each.defence)
    return state


def _without_poison(state: State, who: str, by: str = "") -> State:
    """Without what somebody has to withstand: the first from this blade, or all."""
    met = next((place for place, each in enumerate(state.stings) if by and (each.who, each.by) == (who, by)), None)
    left = [each for place, each in enumerate(state.stings) if (place != met if by else each.who != who)]
    return replace(state, stings=tuple(left),
                   resisting=tuple(each for each in state.resisting if each.who != who))


def _used(state: State, who: str, tweak: str) -> State:
    """A starred tweak is free once a duel (PS-27)."""
    fencer = state.fencer(who)
    if tweak not in FREE_ONCE or tweak in fencer.used_free:
        return state
    return state.with_(who, used_free=(*fencer.used_free, tweak))


def _gone(state: State, who: str, how: str) -> State:
    """Out of it. With the dice down, what they threw still counts (PS-23); else nobody is engaged with them."""
    state = _without_poison(state.with_(who, out=how, backing=""), who)
    state = replace(state, wounds=tuple(w for w in state.wounds if w.who != who))
    if state.throws:
        return state
    return _without_pairs(state, who)
