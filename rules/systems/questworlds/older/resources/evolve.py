"""The state of a community with scores after each event (QW-A9)."""
from __future__ import annotations

from dataclasses import replace

from rules.systems.questworlds.community import events as lobbying
from rules.systems.questworlds.community.evolve import evolve as heard
from rules.systems.questworlds.older.resources.events import Changed, Ended, Event, Founded, Used
from rules.systems.questworlds.older.resources.state import Granted, State


def evolve(state: State, event: Event) -> State:
    """Total: raises nothing for an event that was once given."""
    match event:
        case Founded(name, interval, symbol, base, resources, settings):
            return State(name, interval, symbol, base, resources, settings=settings, edition=state.edition)
        case Changed(how, resources):
            ends = how == "interval"
            return replace(state, resources=resources, number=state.number + ends,
                           tested=(state.tested or how == "background") and not ends,
                           granted=() if ends else state.granted)
        case Used(who, resource):
            return replace(state, granted=tuple(
                each for each in state.granted if (each.who, each.resource) != (who, resource)))
        case Ended():
            return replace(state, over=True)
        case _:
            return _heard(state, event)


def _heard(state: State, event: lobbying.Event) -> State:
    after, granted = heard(state.lobby, event), state.granted
    if isinstance(event, lobbying.Settled) and event.outcome == "victory" and (
            found := state.lobby.request(event.who)):
        asked = found.asked
        granted = (*(each for each in granted if (each.who, each.resource) != (asked.who, asked.resource)),
                   Granted(asked.who, asked.name, asked.resource, asked.words))
    players = replace(state.settings, players=after.settings.players)
    return replace(state, requests=after.requests, learned=after.learned, granted=granted, settings=players)
