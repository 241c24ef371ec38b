"""What is so in a community at one moment, be it one with ranks or one with scores."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from rules.engine import Event
from rules.procedure import ActResult, CampaignContext
from rules.systems.questworlds.after import Learned
from rules.systems.questworlds.community import tables
from rules.systems.questworlds.community.tables import ScoredResource
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.notation import signed
from rules.systems.questworlds.reckoning import LASTING, Modifier, Party, settle, terms
from rules.systems.questworlds.roll import Clash

POOL = "story_points"
DRAW, BOLSTER = "draw", "bolster"
LOBBY = "lobby"  # for a resource that has a score of its own (QW-A9)

Result = ActResult[Event[Any]]


@dataclass(frozen=True)
class CommunityOptions:
    """What it is called, and the campaign's settings as it began with them."""

    name: str = ""
    base: int = 14
    symbol: str = "M"
    tie_to_player: bool = False
    by_value: bool = False
    counts: bool = True  # whether experience is counted
    players: tuple[str, ...] = ()


@dataclass(frozen=True)
class Request:
    """What somebody asks of the community: to draw on a resource, to bolster it, or to be let use it."""

    who: str
    name: str
    kind: str
    resource: str
    words: str
    trait: str
    ability: str
    score: int | None
    modifier: int
    why: str  # what the modifier is made of


@dataclass(frozen=True)
class OpenRequest:
    """A request on its way."""

    asked: Request
    resistance: int | None = None
    dice: tuple[int, int] | None = None
    point: bool | None = None

    @property
    def who(self) -> str:
        """Whose it is."""
        return self.asked.who

    @property
    def faces(self) -> tuple[int, int]:
        """The dice of one that was rolled."""
        return self.dice or (1, 1)


@dataclass(frozen=True)
class Lobbied:
    """A community as far as it hears people. `context` is what the campaign holds beside it; it is in no event."""

    rule: ClassVar[str] = "QW-93"

    settings: CommunityOptions = field(default_factory=CommunityOptions)
    requests: tuple[OpenRequest, ...] = ()
    learned: tuple[Learned, ...] = ()
    over: bool = False
    context: CampaignContext = field(default_factory=CampaignContext)
    edition: Edition = FIRST

    @property
    def symbol(self) -> str:
        """The sign of a mastery."""
        return self.settings.symbol

    @property
    def founded(self) -> bool:
        """Whether there is anything to ask of it."""
        return bool(self.settings.name)

    def named(self, id_: str) -> str:
        """The name of the resource that an act names by its id, which is its place."""
        raise NotImplementedError

    def request(self, who: str) -> OpenRequest | None:
        """What somebody asks for just now; None for nothing."""
        return next((request for request in self.requests if request.who == who), None)

    def with_request(self, who: str, **changes: Any) -> Self:
        """The state with these facts of a request changed."""
        return replace(self, requests=tuple(
            replace(request, **changes) if request.who == who else request for request in self.requests))

    def without_request(self, who: str) -> Self:
        """The state when nothing is asked for by this one any more."""
        return replace(self, requests=tuple(request for request in self.requests if request.who != who))

    def convinced(self, asked: Request) -> Self:
        """The state when a request was heard."""
        return self

    def resisting(self, asked: Request, *, seen: bool = False) -> int | None:
        """What the resource itself adds to the base; None where that says nothing, or may not be `seen`."""
        return None

    def name_of(self, who: str) -> str:
        """What somebody with an open request is called."""
        request = self.request(who)
        return request.asked.name if request else ""

    def terms(self, request: OpenRequest) -> Terms:
        """What a request is rolled with; the base where the GM has not answered yet."""
        asked, settings = request.asked, self.settings
        resistance = settings.base if request.resistance is None else request.resistance
        counts = (Modifier(asked.who, LASTING, asked.why, asked.modifier),) if asked.modifier else ()
        return terms(Party(asked.score, counts=counts, point=bool(request.point)), Party(resistance),
                     tie_to_player=settings.tie_to_player, edition=self.edition)

    def clash(self, request: OpenRequest) -> Clash | None:
        """How its dice lie, with the story point that was spent; None before they fell."""
        return settle(self.terms(request), request.dice) if request.dice else None

    def may_spend(self, request: OpenRequest) -> bool:
        """Whether a story point may be offered: there is one, and another outcome comes of it (QW-12)."""
        stands, bumped = self.clash(request), self.clash(replace(request, point=True))
        if stands is None or bumped is None or request.point is not None:
            return False
        return bool(self.context.pool(POOL)) and stands.improvable[0] and bumped.outcome != stands.outcome


@dataclass(frozen=True)
class Resource:
    """A resource: its own rank, the rank where it stands, and a rank more until it is used."""

    name: str
    rank: int
    now: int
    bolstered: bool = False
    veiled: bool = False  # players do not see its rank
    required: str = ""  # what always takes it

    @property
    def counts(self) -> int:
        """The rank that counts."""
        return self.now + self.bolstered


@dataclass(frozen=True)
class Answer:
    """An answer of the questionnaire, and what it adds to which resources."""

    words: str
    adds: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Question:
    """A question, who has given which answer, and the GM's word."""

    text: str
    answers: tuple[Answer, ...]
    votes: tuple[tuple[str, int], ...] = ()
    decided: int | None = None

    @property
    def answer(self) -> int | None:
        """Final answer: the GM's word, else the one with the most votes; None where there is none alone."""
        if self.decided is not None:
            return self.decided
        first = Counter(answer for _, answer in self.votes).most_common(2)
        if not first or (len(first) == 2 and first[0][1] == first[1][1]):
            return None
        return first[0][0]


@dataclass(frozen=True)
class State(Lobbied):
    """A community with ranks, at one moment."""

    resources: tuple[Resource, ...] = ()
    questions: tuple[Question, ...] = ()

    def resource(self, name: str) -> Resource:
        """The resource of this name; raises `KeyError`."""
        for resource in self.resources:
            if resource.name == name:
                return resource
        raise KeyError(name)

    def chosen(self, id_: str) -> Resource:
        """The resource that an act names by its id, which is its place: a name would tell what is sealed."""
        return self.resources[int(id_)]

    def named(self, id_: str) -> str:
        return self.chosen(id_).name

    def with_resource(self, name: str, **changes: Any) -> State:
        """The state with these facts of one resource changed."""
        return replace(self, resources=tuple(
            replace(resource, **changes) if resource.name == name else resource for resource in self.resources))

    def with_question(self, place: int, **changes: Any) -> State:
        """The state with these facts of one question changed."""
        return replace(self, questions=tuple(
            replace(question, **changes) if number == place else question
            for number, question in enumerate(self.questions)))

    def held(self, rank: int) -> int:
        """The nearest rank that there is."""
        return self.edition.modifiers.held(rank)

    def bonus(self, resource: Resource) -> int:
        """What a resource adds now, or takes off."""
        return self.edition.modifiers.of_rank(self.held(resource.counts))

    def adds(self, resource: Resource) -> str:
        """The same, as it is written."""
        return signed(self.bonus(resource), self.symbol)

    def resisting(self, asked: Request, *, seen: bool = False) -> int | None:
        resource = self.resource(asked.resource)
        return None if asked.kind != BOLSTER or (seen and resource.veiled) else self.bonus(resource)

    @property
    def scores(self) -> tuple[tuple[str, int], ...]:
        """What the questionnaire gives to each resource, the most first; as many stand in the order of the list."""
        counts: Counter[str] = Counter()
        for question in self.questions:
            if question.answer is not None:
                for name, points in question.answers[question.answer].adds:
                    counts[name] += points
        return tuple(sorted(((resource.name, counts[resource.name]) for resource in self.resources),
                            key=lambda scored: -scored[1]))

    @property
    def answered(self) -> bool:
        """Whether every question has its answer."""
        return bool(self.questions) and all(question.answer is not None for question in self.questions)


@dataclass(frozen=True)
class Granted:
    """A resource that somebody convinced the community to let them use, and what for."""

    who: str
    name: str
    resource: str
    words: str


@dataclass(frozen=True)
class ScoredState(Lobbied):
    """A community with scores; `tested` is whether this interval has had its background events."""

    rule: ClassVar[str] = "QW-A9"

    interval: str = ""
    resources: tuple[ScoredResource, ...] = ()
    number: int = 1
    tested: bool = False
    granted: tuple[Granted, ...] = ()

    @property
    def founded(self) -> bool:
        return bool(self.resources)

    @property
    def average(self) -> int:
        """What background events and crises resist with."""
        return tables.average(self.resources)

    @property
    def worn(self) -> tuple[ScoredResource, ...]:
        """Those with a penalty, which a crisis may come of."""
        return tuple(resource for resource in self.resources if resource.total < 0)

    def chosen(self, id_: str) -> ScoredResource:
        """The resource that an act names by its place."""
        return self.resources[int(id_)]

    def named(self, id_: str) -> str:
        return self.chosen(id_).name

    def grant(self, who: str, resource: str) -> Granted | None:
        """What somebody was granted of a resource, and has not used."""
        return next((grant for grant in self.granted if (grant.who, grant.resource) == (who, resource)), None)

    def without_grant(self, who: str, resource: str) -> ScoredState:
        """The state when that was used."""
        return replace(self, granted=tuple(
            grant for grant in self.granted if (grant.who, grant.resource) != (who, resource)))

    def convinced(self, asked: Request) -> ScoredState:
        others = self.without_grant(asked.who, asked.resource).granted
        return replace(self, granted=(*others, Granted(asked.who, asked.name, asked.resource, asked.words)))
