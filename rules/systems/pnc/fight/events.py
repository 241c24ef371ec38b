"""What happened in a fight. Ids are those of sheets; names are looked up in the state."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Union, assert_never

from rules.systems.pnc.factors import Weight
from rules.systems.pnc.fight.state import Attack, Combatant, Fallen, Settings, State


@dataclass(frozen=True)
class Started:
    """The fight begins; with a d6 for the order the places are known already."""

    settings: Settings
    combatants: tuple[Combatant, ...]


@dataclass(frozen=True)
class InitiativeRolled:
    """A roll for the order: a standard roll, or with `dice` None one d6, told in the score (PN-07)."""

    who: str
    weights: tuple[Weight, ...]
    dice: Fallen | None
    score: int


@dataclass(frozen=True)
class Placed:
    """An initiative roll stands."""

    who: str


@dataclass(frozen=True)
class RoundBegan:
    """Everybody who can act has a turn to come."""

    round: int


@dataclass(frozen=True)
class TurnBegan:
    """The turn of all of one place; `losing` are those who lose it."""

    who: tuple[str, ...]
    losing: tuple[str, ...]


@dataclass(frozen=True)
class Attacked:
    """An attack is declared; a free one costs no turn (PN-06)."""

    who: str
    target: str
    words: str
    weights: tuple[Weight, ...]
    free: bool


@dataclass(frozen=True)
class Judged:
    """The GM put factors down for the attack."""

    weights: tuple[Weight, ...]


@dataclass(frozen=True)
class Struckout:
    """The GM took a factor off the attack."""

    place: int


@dataclass(frozen=True)
class Defended:
    """The defender's part: factors, and the six-sided dice."""

    who: str
    weights: tuple[Weight, ...]
    faces: tuple[int, ...]


@dataclass(frozen=True)
class Struck:
    """The attacker's part: the d20, and what followed an open one."""

    who: str
    first: int
    second: int | None


@dataclass(frozen=True)
class Thrown6:
    """The defender rolled their part again."""

    who: str
    faces: tuple[int, ...]


@dataclass(frozen=True)
class Stood:
    """Somebody lets both parts stand."""

    who: str


@dataclass(frozen=True)
class WasRead:
    """Both parts stand. `pending` says whether a wound or the GM's word follows."""

    pending: bool


@dataclass(frozen=True)
class Wounded:
    """The hit was put into words; "" where it leaves no mark."""

    who: str
    words: str
    standing: str


@dataclass(frozen=True)
class Backfired:
    """What a great failure did: `nothing`, `wound`, `place`, `turn` or `free`."""

    who: str
    what: str
    words: str
    against: str


@dataclass(frozen=True)
class Acted:
    """Something else was done than attacking."""

    who: str
    words: str


@dataclass(frozen=True)
class Held:
    """A turn is held until the next time round (PN-07)."""

    who: str


@dataclass(frozen=True)
class Skipped:
    """A turn went by."""

    who: str


@dataclass(frozen=True)
class Stands:
    """Somebody stands differently now: out of the fight, or in it again (PN-11)."""

    who: str
    standing: str
    words: str


@dataclass(frozen=True)
class Readied:
    """Somebody who was caught off guard can act now."""

    who: str


@dataclass(frozen=True)
class Ended:
    """The fight is over. `winner` is the one side that is left, or ""."""

    winner: str
    words: str


Event = Union[
    Started, InitiativeRolled, Placed, RoundBegan, TurnBegan, Attacked, Judged, Struckout, Defended, Struck, Thrown6,
    Stood, WasRead, Wounded, Backfired, Acted, Held, Skipped, Stands, Readied, Ended,
]


def evolve(state: State, event: Event) -> State:
    """What is so after the event. Total: what was once kept can always be replayed."""
    match event:
        case Started():
            return State(event.settings, event.combatants)
        case InitiativeRolled():
            return state.with_(event.who, weights=event.weights, dice=event.dice, score=event.score)
        case Placed():
            return state.with_(event.who, placed=True, waiting=state.round > 0)
        case RoundBegan():
            for each in state.able:
                state = state.with_(each.id, waiting=True)
            return replace(state, round=event.round, acting=())
        case TurnBegan():
            for who in event.who:
                lost = who in event.losing
                state = state.with_(who, waiting=not lost, held=False, loses_next=False)
            return replace(state, acting=tuple(each for each in event.who if each not in event.losing))
        case Attacked() | Judged() | Struckout() | Defended() | Struck() | Thrown6() | Stood() | WasRead():
            return _attack(state, event)
        case Wounded():
            return _stands(replace(state, attack=None), event.who, event.standing)
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
            return replace(state, over=True, winner=event.winner, words=event.words, attack=None, acting=())
        case _:
            assert_never(event)


def onward(state: State) -> Event | None:
    """What follows by itself, without anybody acting: the next turn, the next time round, or the end."""
    if not state.combatants or state.over or state.attack:
        return None
    if state.settings.opposed:
        return Ended("", "")
    if not state.goes_on:
        return Ended("".join(dict.fromkeys(each.side for each in state.fighting)), "")
    if state.unplaced or not state.able or state.acting:
        return None
    if not state.round:
        return RoundBegan(1)
    waiting = [each for each in state.able if each.waiting]
    if not waiting:
        return RoundBegan(state.round + 1)
    best = max(each.score for each in waiting)
    first = [each for each in waiting if each.score == best]
    return TurnBegan(tuple(each.id for each in first), tuple(each.id for each in first if each.loses_next))


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
        return replace(spent, attack=made)
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
            return replace(state, attack=replace(attack, read=True) if event.pending else None, last=attack)
        case _:
            assert_never(event)
    return replace(state, attack=attack)


def _backfired(state: State, event: Backfired) -> State:
    if event.what == "place":
        last = min(each.score for each in state.combatants if each.placed)
        return state.with_(event.who, score=last - 1)
    if event.what == "turn":
        return state.with_(event.who, loses_next=True)
    if event.what == "free":
        return state.with_(event.against, free_at=event.who)
    return state
