"""What is so in a community at one moment."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from rules.procedure import CampaignContext
from rules.systems.questworlds.community.events import Choice, CommunityOptions, Learned, Requested
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.roll import Clash

POOL = "story_points"
DRAW, BOLSTER = "draw", "bolster"
LOBBY = "lobby"  # for a resource that has a score of its own (QW-A9)


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
class Question:
    """A question, who has given which answer, and the GM's word."""

    text: str
    answers: tuple[Choice, ...]
    votes: tuple[tuple[str, int], ...] = ()
    decided: int | None = None

    @property
    def answer(self) -> int | None:
        """The answer that stands: the GM's word, else the one with the most votes; None where there is none alone."""
        if self.decided is not None:
            return self.decided
        first = Counter(answer for _, answer in self.votes).most_common(2)
        if not first or (len(first) == 2 and first[0][1] == first[1][1]):
            return None
        return first[0][0]


@dataclass(frozen=True)
class Request:
    """What somebody asks of the community, on its way."""

    asked: Requested
    resistance: int | None = None
    dice: tuple[int, int] | None = None
    point: bool | None = None

    @property
    def who(self) -> str:
        """Whose it is."""
        return self.asked.who


@dataclass(frozen=True)
class State:
    """A community at one moment. `context` is what the campaign holds beside it; it is in no event."""

    settings: CommunityOptions = field(default_factory=CommunityOptions)
    resources: tuple[Resource, ...] = ()
    questions: tuple[Question, ...] = ()
    requests: tuple[Request, ...] = ()
    learned: tuple[Learned, ...] = ()
    over: bool = False
    context: CampaignContext = field(default_factory=CampaignContext)
    edition: Edition = FIRST

    def resource(self, name: str) -> Resource:
        """The resource of this name; raises `KeyError`."""
        for each in self.resources:
            if each.name == name:
                return each
        raise KeyError(name)

    def chosen(self, id_: str) -> Resource:
        """The resource that an act names by its id, which is its place: a name would tell what is sealed."""
        return self.resources[int(id_)]

    def with_resource(self, name: str, **changes: object) -> State:
        """The state with these facts of one resource changed."""
        return replace(self, resources=tuple(
            replace(each, **changes) if each.name == name else each  # type: ignore[arg-type]
            for each in self.resources))

    def held(self, rank: int) -> int:
        """The nearest rank that there is."""
        return self.edition.modifiers.held(rank)

    def bonus(self, resource: Resource) -> int:
        """What a resource adds now, or takes off."""
        return self.edition.modifiers.of_rank(self.held(resource.counts))

    def request(self, who: str) -> Request | None:
        """What somebody asks for just now; None for nothing."""
        return next((each for each in self.requests if each.who == who), None)

    def name_of(self, who: str) -> str:
        """What somebody with an open request is called."""
        found = self.request(who)
        return found.asked.name if found else ""

    def terms(self, request: Request) -> Terms:
        """What a request is rolled with; the base where the GM has not answered yet."""
        asked, settings = request.asked, self.settings
        resistance = settings.base if request.resistance is None else request.resistance
        modifiers = (asked.modifier,) if asked.modifier else ()
        return Terms(asked.score, modifiers, resistance, story_points=(bool(request.point), False),
                     tie_to_player=settings.tie_to_player, edition=self.edition)

    def clash(self, request: Request) -> Clash | None:
        """How its dice lie, with the story point that was spent; None before they fell."""
        return self.terms(request).clash(request.dice) if request.dice else None

    def may_spend(self, request: Request) -> bool:
        """Whether a story point may be offered (QW-12)."""
        clash = self.clash(request)
        if clash is None or request.point is not None:
            return False
        return bool(self.context.pool(POOL)) and clash.improvable[0]

    @property
    def scores(self) -> tuple[tuple[str, int], ...]:
        """What the questionnaire gives to each resource, the most first; as many stand in the order of the list."""
        counts: Counter[str] = Counter()
        for each in self.questions:
            if each.answer is not None:
                for name, points in each.answers[each.answer].adds:
                    counts[name] += points
        return tuple(sorted(((each.name, counts[each.name]) for each in self.resources), key=lambda each: -each[1]))

    @property
    def answered(self) -> bool:
        """Whether every question has its answer."""
        return bool(self.questions) and all(each.answer is not None for each in self.questions)
