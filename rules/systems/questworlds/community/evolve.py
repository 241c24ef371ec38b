"""What each event makes of a community."""
from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rules.systems.questworlds.community import events as e
from rules.systems.questworlds.community.state import Question, Request, Resource, State


def evolve(state: State, event: e.Event) -> State:
    """The state after an event."""
    match event:
        case e.Founded(settings):
            return replace(state, settings=settings)
        case e.Listed(resources):
            return replace(state, resources=tuple(_ranked(state, *each) for each in resources))
        case e.Asked(text, answers):
            return replace(state, questions=(*state.questions, Question(text, answers)))
        case e.Dropped(place):
            return replace(state, questions=(*state.questions[:place], *state.questions[place + 1:]))
        case e.Voted(who, place, answer):
            votes = tuple(each for each in state.questions[place].votes if each[0] != who)
            return _question(state, place, votes=(*votes, (who, answer)))
        case e.Decided(place, answer):
            return _question(state, place, decided=answer)
        case e.Requested():
            players = tuple(dict.fromkeys((*state.settings.players, event.who)))
            return replace(state, requests=(*state.requests, Request(event)),
                           settings=replace(state.settings, players=players))
        case e.Faced(who, resistance):
            return _request(state, who, resistance=resistance)
        case e.Rolled(who, ours, theirs):
            return _request(state, who, dice=(ours, theirs))
        case e.PointDecided(who, spend):
            return _request(state, who, point=spend)
        case e.Closed(who) | e.Settled(who):
            return replace(state, requests=tuple(each for each in state.requests if each.who != who))
        case e.Learned():
            return replace(state, learned=(*state.learned, event))
        case _:
            return _resources(state, event)


def _resources(state: State, event: e.Event) -> State:
    match event:
        case e.Drawn(name):
            found = state.resource(name)
            # What bolstering gave is all that goes with this use (QW-94).
            if found.bolstered:
                return state.with_resource(name, bolstered=False)
            return state.with_resource(name, now=state.held(found.now - 1))
        case e.Bolstered(name):
            found = state.resource(name)
            return state.with_resource(name, **({"now": 0} if found.counts < 0 else {"bolstered": True}))
        case e.Moved(name, by):
            return state.with_resource(name, now=state.held(state.resource(name).now + by))
        case e.Restored(names):
            return replace(state, resources=tuple(
                replace(each, now=each.rank) if each.name in names else each for each in state.resources))
        case e.Veiled(name, veiled):
            return state.with_resource(name, veiled=veiled)
        case e.Required(name, words):
            return state.with_resource(name, required=words)
        case e.Ended():
            return replace(state, over=True)
        case e.Founded() | e.Listed() | e.Asked() | e.Dropped() | e.Voted() | e.Decided() | e.Requested() | e.Faced():
            return state
        case e.Closed() | e.Rolled() | e.PointDecided() | e.Settled() | e.Learned():
            return state
        case _:
            assert_never(event)


def _ranked(state: State, name: str, rank: int) -> Resource:
    """A resource at a rank of its own; what was said of it before stays."""
    known = next((each for each in state.resources if each.name == name), None)
    return replace(known, rank=rank, now=rank, bolstered=False) if known else Resource(name, rank, rank)


def _question(state: State, place: int, **changes: object) -> State:
    return replace(state, questions=tuple(
        replace(each, **changes) if number == place else each  # type: ignore[arg-type]
        for number, each in enumerate(state.questions)))


def _request(state: State, who: str, **changes: object) -> State:
    return replace(state, requests=tuple(
        replace(each, **changes) if each.who == who else each  # type: ignore[arg-type]
        for each in state.requests))
