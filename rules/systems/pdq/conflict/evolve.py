"""The state after an event. Total and exhaustive: what was once kept can always be replayed."""
from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rules import turns
from rules.systems.pdq.conflict.events import (
    Acted,
    Attacked,
    BroughtBack,
    Defended,
    Ended,
    Event,
    Granted,
    Held,
    IntentStated,
    Killed,
    Moved,
    Passed,
    Placed,
    Pledged,
    RoundBegan,
    Started,
    Struck,
    Suffered,
    TakenOut,
    TookOnTheChin,
    TurnBegan,
    WeaknessCalled,
    Withdrew,
)
from rules.systems.pdq.conflict.state import (
    DONE,
    FLIP_OUT,
    HOLDING,
    WAITING,
    Attack,
    Phase,
    Pledge,
    Reaction,
    State,
    Wound,
    place,
)

WAITS = (Phase.BLANK, Phase.OVER, Phase.INTENT, Phase.DEFEND, Phase.DAMAGE, Phase.AFTERMATH)


def evolve(state: State, event: Event) -> State:
    """What is so after the event."""
    match event:
        case Started():
            before_first = -1 if event.settings.free_round else 0
            return State(settings=event.settings, contestants=event.contestants, round=before_first)
        case IntentStated():
            return state.with_(event.who, intent=event.intent)
        case RoundBegan():
            return _round_began(state, event.round)
        case TurnBegan():
            return _turn_began(state, event.who)
        case Attacked():
            return _attacked(state, event)
        case Defended():
            return _defended(state, event)
        case Struck():
            return _struck(state, event)
        case Acted():
            state = _adopt(_spend_turn(state, event.who, *event.helpers), event.who, event.strategy)
            return state.with_(event.who, grants=()) if event.rolled else state
        case Held():
            return _held(state, event.who)
        case Passed():
            return _adopt(_spend_turn(state, event.who), event.who, event.strategy)
        case Killed():
            return state.with_(event.target, killed=True)
        case Suffered() | TookOnTheChin():
            return _settled(state, event)
        case Pledged() | Withdrew() | Moved():
            return _prepared(state, event)
        case Granted() | WeaknessCalled() | TakenOut() | BroughtBack() | Placed():
            return _ruled(state, event)
        case Ended():
            return replace(state, over=True, winner=event.winner, acting=(), attack=None, wounds=())
        case _:
            assert_never(event)


def onward(state: State) -> Event | None:
    """What follows by itself, without anybody acting: the next turn, the next round, or the end."""
    if state.phase in WAITS or state.wounds:
        return None
    if state.decided:
        return Ended("".join(state.sides_standing), "")
    if state.acting:
        return None
    first = turns.next_up((one for one in state.standing if one.turn == WAITING), place)
    if first:
        return TurnBegan(tuple(one.id for one in first))
    return None if state.holders else RoundBegan(state.round + 1)


def _round_began(state: State, number: int) -> State:
    for each in state.contestants:
        ready = not each.out and (number > 0 or each.surprises)
        turn = WAITING if ready else DONE
        state = state.with_(each.id, turn=turn, pledge=None, moved=False, dodged=False)
    return replace(state, round=number, acting=(), fresh=False)


def _turn_began(state: State, who: tuple[str, ...]) -> State:
    for each in who:
        state = state.with_(each, turn=WAITING, strategy="", unaware=False)
    return replace(state, turn=state.turn + 1, acting=who, fresh=True)


def _spend_turn(state: State, *who: str) -> State:
    """These have acted, on their own or by helping: a strategy of an earlier turn is over either way."""
    for each in who:
        state = _without_pledges_to(state, each)
        state = state.with_(each, turn=DONE, strategy="", unaware=False, pledge=None)
    return replace(state, acting=tuple(each for each in state.acting if each not in who), fresh=False)


def _held(state: State, who: str) -> State:
    acting = tuple(each for each in state.acting if each != who)
    return replace(state.with_(who, turn=HOLDING), acting=acting, fresh=False)


def _adopt(state: State, who: str, strategy: str) -> State:
    # An upshift for the next attack lasts until that attack, unless another strategy takes its place.
    ready = strategy == FLIP_OUT if strategy else state.contestant(who).flip_ready
    return state.with_(who, strategy=strategy, flip_ready=ready)


def _attacked(state: State, event: Attacked) -> State:
    surprised = tuple(each for each in event.targets if state.contestant(each).unaware)
    state = _adopt(_spend_turn(state, event.who, *event.helpers), event.who, event.strategy)
    attack = Attack(
        event.who, event.targets, event.qualities, event.lead, event.shifts, event.weapon, event.words, surprised,
    )
    return replace(state.with_(event.who, flip_ready=False), attack=attack)


def _defended(state: State, event: Defended) -> State:
    if state.attack is None:
        return state
    reaction = Reaction(event.who, event.qualities, event.lead, event.shifts, event.weakness, event.words)
    return replace(state, attack=replace(state.attack, reactions=(*state.attack.reactions, reaction)))


def _struck(state: State, event: Struck) -> State:
    state = state.with_(event.who, grants=())
    wounds = list(state.wounds)
    for hit in event.hits:
        if hit.rolled:
            state = state.with_(hit.target, grants=())
        if hit.to_defender:
            wounds.append(Wound(hit.target, hit.to_defender, event.who))
            state = state.with_(hit.target, hurt=True)
        if hit.to_attacker:
            wounds.append(Wound(event.who, hit.to_attacker, hit.target, defending=False))
            state = state.with_(event.who, hurt=True)
    return replace(state, attack=None, wounds=tuple(wounds))


def _settled(state: State, event: Suffered | TookOnTheChin) -> State:
    answered = state.wound_of(event.who)
    wounds = list(state.wounds)
    if answered:
        wounds.remove(answered)
    state = replace(state, wounds=tuple(wounds))
    match event:
        case Suffered():
            return _put_out(state, event.who, killed=event.killed) if event.out else state
        case TookOnTheChin():
            return state.with_(event.who, chin_used=True)
        case _:
            assert_never(event)


def _put_out(state: State, who: str, *, killed: bool = False) -> State:
    state = state.with_(
        who, out=True, out_turn=state.turn, killed=killed, turn=DONE, strategy="", flip_ready=False, pledge=None,
    )
    state = _without_pledges_to(state, who)
    wounds = tuple(wound for wound in state.wounds if wound.who != who)
    return replace(state, acting=tuple(each for each in state.acting if each != who), wounds=wounds)


def _without_pledges_to(state: State, who: str) -> State:
    for each in state.contestants:
        if each.pledge and each.pledge.to == who:
            state = state.with_(each.id, pledge=None)
    return state


def _prepared(state: State, event: Pledged | Withdrew | Moved) -> State:
    match event:
        case Pledged():
            return state.with_(event.who, pledge=Pledge(event.to, event.qualities))
        case Withdrew():
            return state.with_(event.who, pledge=None)
        case Moved():
            used = {"dodged": True} if event.reaction else {"moved": True}
            return state.with_(event.who, position=event.to, **used)
        case _:
            assert_never(event)


def _ruled(state: State, event: Granted | WeaknessCalled | TakenOut | BroughtBack | Placed) -> State:
    match event:
        case Granted():
            return state.with_(event.who, grants=(*state.contestant(event.who).grants, event.reason))
        case WeaknessCalled():
            if state.attack is None:
                return state
            return replace(state, attack=replace(state.attack, weak=(*state.attack.weak, event.who)))
        case TakenOut():
            return _put_out(state, event.who)
        case BroughtBack():
            return state.with_(event.who, out=False, turn=DONE)
        case Placed():
            return state.with_(event.who, position=event.to)
        case _:
            assert_never(event)
