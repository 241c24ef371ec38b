"""What is so in a fight after each event, and what follows by itself."""
from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rules import turns
from rules.systems.pnc.fight.events import (
    Acted,
    Attacked,
    AttackReopened,
    Backfired,
    Defended,
    Ended,
    Event,
    Held,
    InitiativeRolled,
    Judged,
    OrderReopened,
    Placed,
    Readied,
    RoundBegan,
    Skipped,
    Stands,
    Started,
    Stood,
    Struck,
    Struckout,
    Thrown6,
    TurnBegan,
    WasRead,
    Wounded,
)
from rules.systems.pnc.fight.state import Aftermath, Attack, State, place


def evolve(state: State, event: Event) -> State:
    """What is so after the event. Total: what was once kept can always be replayed."""
    if isinstance(event, (Acted, Held, Skipped, Attacked, Stands)):
        state = _let_stand(state)
    match event:
        case Started():
            return State(event.settings, event.combatants)
        case InitiativeRolled() | Placed() | OrderReopened() | RoundBegan() | TurnBegan():
            return _order(state, event)
        case Attacked() | Judged() | Struckout() | Defended() | Struck() | Thrown6() | Stood() | WasRead():
            return _attack(state, event)
        case AttackReopened():
            return replace(state, attack=replace(state.last, stands=()) if state.last else None)
        case Wounded():
            return _stands(_wounded(state, event), event.who, event.standing)
        case Backfired():
            return _backfired(replace(state, attack=None), event)
        case Acted():
            return _spent(state, event.who)
        case Held():
            return _spent(state, event.who).with_(event.who, held=True)
        case Skipped():
            return _spent(state, event.who)
        case Stands():
            return _stands(state, event.who, event.standing)
        case Readied():
            return state.with_(event.who, ready=True)
        case Ended():
            return replace(state, over=True, winner=event.winner, words=event.words, attack=None, acting=(),
                           aftermath=None, new_places=())
        case _:
            assert_never(event)


def onward(state: State) -> Event | None:
    """What follows by itself, without anybody acting: the next turn, the next time round, or the end."""
    if not state.combatants or state.over or state.attack:
        return None
    if state.settings.opposed:
        return Ended("", "")
    if not state.goes_on:
        return Ended("".join(turns.sides_left(state.combatants)), "")
    if state.unplaced or not state.able or state.acting:
        return None
    if not state.round:
        return RoundBegan(1)
    first = turns.next_up((one for one in state.able if one.waiting), place)
    if not first:
        return RoundBegan(state.round + 1)
    return TurnBegan(tuple(one.id for one in first), tuple(one.id for one in first if one.loses_next))


def _let_stand(state: State) -> State:
    """Somebody acts: what was rolled before that stands."""
    after = replace(state.aftermath, may_roll_again=False) if state.aftermath else None
    return replace(state, aftermath=after, new_places=())


def _order(
    state: State, event: InitiativeRolled | Placed | OrderReopened | RoundBegan | TurnBegan
) -> State:
    match event:
        case InitiativeRolled():
            state = state.with_(event.who, weights=event.weights, dice=event.dice, score=event.score)
            return replace(state, new_places=(*state.new_places, event.who))
        case Placed():
            return state.with_(event.who, placed=True, waiting=state.round > 0)
        case OrderReopened():
            return replace(state, round=0, acting=())
        case RoundBegan():
            for each in state.able:
                state = state.with_(each.id, waiting=True)
            return replace(state, round=event.round, acting=())
        case TurnBegan():
            for who in event.who:
                lost = who in event.losing
                state = state.with_(who, waiting=not lost, held=False, loses_next=False)
            return replace(state, acting=tuple(each for each in event.who if each not in event.losing))
        case _:
            assert_never(event)


def _spent(state: State, who: str) -> State:
    """A turn is used up: one's own, or the one that was held; that leaves one's next turn as it is."""
    if who not in state.acting:
        return state.with_(who, held=False)
    state = state.with_(who, waiting=False, held=False, free_at="")
    return replace(state, acting=tuple(each for each in state.acting if each != who))


def _stands(state: State, who: str, standing: str) -> State:
    state = state.with_(who, standing=standing)
    if state.combatant(who).fights:
        return state
    state = state.with_(who, waiting=False, held=False, free_at="", loses_next=False)
    return replace(state, acting=tuple(each for each in state.acting if each != who))


def _attack(
    state: State, event: Attacked | Judged | Struckout | Defended | Struck | Thrown6 | Stood | WasRead
) -> State:
    if isinstance(event, Attacked):
        spent = state.with_(event.who, free_at="") if event.free else _spent(state, event.who)
        made = Attack(event.who, event.target, event.words, state.settings.open_ended, event.weights)
        return replace(spent, attack=made, aftermath=None)
    attack = state.attack
    if attack is None:
        return state
    match event:
        case Judged():
            attack = replace(attack, weights=(*attack.weights, *event.weights))
        case Struckout():
            kept = tuple(each for place, each in enumerate(attack.weights) if place != event.place)
            attack = replace(attack, weights=kept)
        case Defended():
            attack = replace(attack, weights=(*attack.weights, *event.weights), faces=event.faces)
        case Struck():
            # Whatever falls anew has to be let stand anew.
            attack = replace(attack, first=event.first, second=event.second, stands=())
        case Thrown6():
            attack = replace(attack, faces=event.faces, stands=())
        case Stood():
            attack = replace(attack, stands=(*attack.stands, event.who))
        case WasRead():
            for who, foe in ((attack.by, attack.target), (attack.target, attack.by)):
                met = tuple(each for each in state.combatant(who).met if each != foe)
                state = state.with_(who, met=(*met, foe))
            return replace(state, attack=None, last=attack, aftermath=Aftermath(attack))
        case _:
            assert_never(event)
    return replace(state, attack=attack)


def _wounded(state: State, event: Wounded) -> State:
    after = state.aftermath
    if after:
        again = after.may_roll_again and not event.final
        after = replace(after, wound=event.words, may_roll_again=again)
    return replace(state, attack=None, aftermath=after)


def _backfired(state: State, event: Backfired) -> State:
    if state.aftermath:
        state = replace(state, aftermath=replace(state.aftermath, ruled=True, may_roll_again=False))
    if event.what == "place":
        last = min(each.score for each in state.combatants if each.placed)
        return state.with_(event.who, score=last - 1)
    if event.what == "turn":
        return state.with_(event.who, loses_next=True)
    if event.what == "free":
        return state.with_(event.against, free_at=event.who)
    return state
