"""A community with scores at one moment (QW-A9)."""
from __future__ import annotations

from dataclasses import dataclass, field, replace

from rules.procedure import CampaignContext
from rules.systems.questworlds.community import events as lobbying
from rules.systems.questworlds.community.state import Request
from rules.systems.questworlds.community.state import Resource as Named
from rules.systems.questworlds.community.state import State as Lobby
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.older.resources.tables import Resource, average


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
    settings: lobbying.CommunityOptions = field(default_factory=lobbying.CommunityOptions)
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
