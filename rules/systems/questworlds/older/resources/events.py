"""What happens to a community with scores, and what is so after it (QW-A9)."""
from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Union

from rules.procedure import ActResult, CampaignContext
from rules.systems.questworlds.community import events as lobbying
from rules.systems.questworlds.community.evolve import evolve as heard
from rules.systems.questworlds.community.state import Request
from rules.systems.questworlds.community.state import Resource as Named
from rules.systems.questworlds.community.state import State as Lobby
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.older.resources.tables import Resource, average


@dataclass(frozen=True)
class Founded:
    """It is there from now on. `settings` are the campaign's dials, as lobbying takes them."""

    name: str
    interval: str
    symbol: str
    base: int
    resources: tuple[Resource, ...]
    settings: lobbying.Settings = field(default_factory=lobbying.Settings)


@dataclass(frozen=True)
class Changed:
    """Resources stand so from now on; `how` is what did it, `background` or `interval` among others."""

    how: str
    resources: tuple[Resource, ...]


@dataclass(frozen=True)
class Used:
    """What somebody was granted is used with that."""

    who: str
    resource: str


@dataclass(frozen=True)
class Ended:
    """The group has left it."""

    done: bool = True


Event = Union[
    Founded, Changed, Used, Ended, lobbying.Requested, lobbying.Faced, lobbying.Closed, lobbying.Rolled,
    lobbying.PointDecided, lobbying.Settled, lobbying.Learned,
]
Result = ActResult[Event]


@dataclass(frozen=True)
class Granted:
    """A resource that somebody convinced the community to let them use, and what for."""

    who: str
    name: str
    resource: str
    words: str


@dataclass(frozen=True)
class State:
    """A community at one moment; `tested` is whether this interval has had its background events."""

    name: str = ""
    interval: str = ""
    symbol: str = "M"
    base: int = 14
    resources: tuple[Resource, ...] = ()
    number: int = 1
    tested: bool = False
    over: bool = False
    settings: lobbying.Settings = field(default_factory=lobbying.Settings)
    requests: tuple[Request, ...] = ()
    granted: tuple[Granted, ...] = ()
    learned: tuple[lobbying.Learned, ...] = ()
    context: CampaignContext = field(default_factory=CampaignContext)
    edition: Edition = FIRST

    @property
    def average(self) -> int:
        """What background events and crises resist with."""
        return average(self.resources)

    @property
    def lobby(self) -> Lobby:
        """Those who ask it for something, as any community hears them."""
        settings = replace(self.settings, name=self.name, base=self.base, symbol=self.symbol)
        return Lobby(settings, tuple(Named(each.name, 0, 0) for each in self.resources), requests=self.requests,
                     learned=self.learned, context=self.context, edition=self.edition)

    def grant(self, who: str, resource: str) -> Granted | None:
        """What somebody was granted of a resource, and has not used."""
        return next((each for each in self.granted if (each.who, each.resource) == (who, resource)), None)


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
