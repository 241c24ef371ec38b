"""The state after an event."""
from __future__ import annotations

from dataclasses import replace
from typing import Union, assert_never

from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.long.state import Bout, Contestant, Proposal, State, Throw

Advantages = Union[e.Advantage, e.Moved, e.Asked, e.Bid, e.Deferred, e.Acted, e.Edged, e.ChanceTaken]


def evolve(state: State, event: e.Event) -> State:
    """Total: raises nothing for an event that was once given."""
    match event:
        case e.Begun(settings, parts):
            return replace(state, settings=settings, contestants=tuple(Contestant(each) for each in parts))
        case e.Joined(part, player):
            players = (*state.settings.players, part.id) if player else state.settings.players
            return replace(state, contestants=(*state.contestants, Contestant(part)),
                           settings=replace(state.settings, players=players))
        case e.Paired(number, ours, theirs):
            return _paired(state, number, ours, theirs)
        case e.Parted(number, why):
            return state.with_bout(number, closed=True, why=why, chosen=(), faces=())
        case e.RoundBegan(number):
            lines = tuple(each for each in state.lines if not each.once)
            return replace(state, round=number, bids=(), deferred=(), done=(), lines=lines)
        case e.Chose(number, who, choice):
            chosen = {**dict(state.bout(number).chosen), who: choice}
            return state.with_bout(number, chosen=tuple(chosen.items()))
        case e.Fell(number, who, face):
            return state.with_bout(number, faces=(*state.bout(number).faces, (who, face)))
        case e.Thrown():
            return _thrown(state, event)
        case e.Decided(who, spend):
            return replace(state, throws=tuple(
                replace(each, decided=(*each.decided, (who, spend))) if who in each.thrown.deciders else each
                for each in state.throws))
        case e.Resolved():
            return _resolved(state, event)
        case e.Scored(number, ours, theirs):
            before = state.bout(number).points
            return state.with_bout(number, points=(max(0, before[0] + ours), max(0, before[1] + theirs)))
        case e.Hurt(who, rank, name):
            return state.with_(who, hurts=(*state.entrant(who).hurts, (rank, name)))
        case e.PassedOn(who, follower, rank):
            return _passed_on(state, who, follower, rank)
        case e.Out(who, how, _, _):
            return _out(state, event, who, how)
        case e.Returned(who, _, number):
            return _returned(state, who, number)
        case e.PartingMade(whom):
            return state.with_(whom, shot_at=True)
        case e.Shifted(number, follower, points):
            return _shifted(state, number, follower, points)
        case e.Added(line):
            return replace(state, lines=(*state.lines, line))
        case e.Removed(place):
            return replace(state, lines=(*state.lines[:place], *state.lines[place + 1:]))
        case e.Proposed(by, helper, whom, trait, name, score, words):
            return replace(state, proposals=(*state.proposals, Proposal(by, helper, whom, trait, name, score, words)))
        case e.Answered(place, verdict, bonus):
            return replace(state, proposals=tuple(
                replace(each, verdict=verdict, bonus=bonus) if number == place else each
                for number, each in enumerate(state.proposals)))
        case e.Resisted(who, resistance, ability):
            part = state.entrant(who).part
            return state.with_(who, part=replace(part, resistance=resistance, ability=ability or part.ability))
        case e.Gave():
            return replace(state, gave=(*state.gave, event))
        case e.Learned():
            return replace(state, learned=(*state.learned, event))
        case e.Advantage() | e.Moved() | e.Asked() | e.Bid() | e.Deferred() | e.Acted() | e.Edged() | e.ChanceTaken():
            return _advantage(state, event)
        case e.AssistsFrom(rank):
            return replace(state, assists_from=rank)
        case e.Paused():
            return replace(state, paused=True)
        case e.Resumed(scene):
            return replace(state, paused=False, scene=scene)
        case e.Ruled():
            return replace(state, ruled=event)
        case e.Ended(how):
            return replace(state, ended=how)
        case _:
            assert_never(event)


def _advantage(state: State, event: Advantages) -> State:
    """What moves in an extended contest."""
    match event:
        case e.Advantage(who, points, first):
            found = state.entrant(who)
            return state.with_(who, start=found.start + points, ap=found.ap + points, armed=found.armed or first)
        case e.Moved(who, by):
            return state.with_(who, ap=state.entrant(who).ap + by, moved=True)
        case e.Asked(who):
            return state.with_(who, asked=True)
        case e.Bid(who, _, choice):
            state = state.with_(who, using=choice) if choice.trait or choice.score is not None else state
            return replace(state, bids=(*state.bids, event))
        case e.Deferred(who):
            return replace(state, deferred=(*state.deferred, who))
        case e.Acted(who):
            return replace(state, done=(*state.done, who))
        case e.Edged(who, edge):
            return state.with_(who, edge=edge)
        case e.ChanceTaken(who):
            return state.with_(who, chance_taken=True)
        case _:
            assert_never(event)


def _paired(state: State, number: int, ours: str, theirs: str) -> State:
    """A new pair; where one of the two has had this round already, it begins with the next."""
    had = any(who in (each.ours, each.theirs) and each.played == state.round
              for each in state.bouts for who in (ours, theirs))
    return replace(state, bouts=(*state.bouts, Bout(number, ours, theirs, played=state.round if had else 0)))


def _thrown(state: State, event: e.Thrown) -> State:
    """Dice lie. Whoever rolled in a bout has used what they chose; a helper has acted."""
    state = replace(state, throws=(*state.throws, Throw(event)))
    for who, choice in ((event.first, event.choice), (event.second, event.other)):
        found = state.contestant(who)
        if event.kind == "round" and found and found.part.resistance is None:
            state = state.with_(who, using=choice)
    if event.kind == "round":
        return state.with_bout(event.bout, chosen=(), faces=())
    state = state.with_(event.first, acted=state.round)
    if event.kind == "assist":
        tries = dict(state.tries)
        state = replace(state, tries=tuple({**tries, event.whom: tries.get(event.whom, 0) + 1}.items()))
    return state


def _resolved(state: State, event: e.Resolved) -> State:
    """With it in the record, and its dice no longer waiting."""
    kept = tuple(each for each in state.throws if (each.thrown.kind, each.thrown.first, each.thrown.bout) != (
        event.kind, event.first, event.bout))
    state = replace(state, throws=kept, record=(*state.record, (state.round, event)))
    if event.kind not in ("round", "exchange") or event.bout < 0:
        return state
    return state.with_bout(event.bout, played=state.round, rounds=(*state.bout(event.bout).rounds, event))


def _passed_on(state: State, who: str, follower: str, rank: int) -> State:
    """The latest consequence of a leader is its follower's."""
    *kept, (_, name) = state.entrant(who).hurts
    return state.with_(who, hurts=tuple(kept)).with_(follower, hurts=(*state.entrant(follower).hurts, (rank, name)))


def _out(state: State, event: e.Out, who: str, how: str) -> State:
    state = state.with_(who, status=how, fell=event, fell_round=state.round, shot_at=False)
    for bout in state.bouts_of(who):
        state = state.with_bout(bout.number, closed=True, why=how, chosen=(), faces=())
    return state


def _returned(state: State, who: str, number: int) -> State:
    """Back in it, and in this pair where the other one is in it still: nobody who is out is given a pair back."""
    state = state.with_(who, status="in", fell=None)
    stands = number >= 0 and state.entrant(state.bout(number).other(who)).fights
    return state.with_bout(number, closed=False, why="") if stands else state


def _shifted(state: State, number: int, follower: str, points: int) -> State:
    """Points that were scored against the leader lie on the follower now."""
    bout, found = state.bout(number), state.entrant(follower)
    place = bout.place(found.part.leader)
    scored = list(bout.points)
    scored[1 - place] = max(0, scored[1 - place] - points)
    return state.with_bout(number, points=(scored[0], scored[1])).with_(follower, points=found.points + points)
