"""One way through every procedure: the offer is found, the choice is held against it, its handler says what follows.

    state = procedure.fold(stored)                        # total: what was once written is always read
    result = procedure.act(state, sheets, by, action, given, faces)
    while isinstance(result, Need): ...                   # dice are kept before anybody is asked again

Only events are replayed. States, events and words differ by game and stay there.
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, ClassVar, Generic, TypeVar, Union, cast, final

from rules.codec import StoredEvents
from rules.fields import REQUIRED, Field, Text, read_all
from rules.moves import Need, Roll, Step, take
from rules.procedure import (
    ActResult,
    Ask,
    CampaignContext,
    Casting,
    Offer,
    Options,
    Perspective,
    Placement,
    Suggestion,
    Use,
    View,
)
from rules.settings import kept
from rules.sheet import Effect, Sheet
from rules.tables import OddsAnswer
from rules.values import BadMove, Value
from rules.waiting import as_refused, waiting
from rules.why import Why

S = TypeVar("S")

Sheets = Mapping[str, Sheet]
Forecasts = tuple[tuple[str, OddsAnswer], ...]
Values = Mapping[str, Any]


class Event(ABC, Generic[S]):
    """Something that happened, as it is kept: a frozen dataclass that applies itself.

    Its name and its fields are stored and stay for ever; a field that was added later has a default, which is what
    older events meant. `stored` is the name, where the class has another by now.
    """

    stored: ClassVar[str] = ""

    @abstractmethod
    def after(self, state: S) -> S:
        """The state after it. Total, and from the state alone: it reads no sheet and raises nothing."""

    def explained(self, before: S, after: S) -> tuple[tuple[Step, ...], tuple[Roll, ...]]:
        """What it says where it follows by itself, and the rolls that it comes to."""
        return (), ()

    def used(self, before: S) -> tuple[Use, ...]:
        """Who met what with which lines, where dice fell by it."""
        return ()


# What an act leads to, or the dice that it still needs: from state, sheets, who acts ("" for the GM), values, faces.
Handler = Callable[[S, Sheets, str, Values, Sequence[int]], Union[ActResult[Event[S]], Need]]


def after(state: S, events: Iterable[Event[S]]) -> S:
    """The state after these events, in their order."""
    return reduce(lambda so_far, event: event.after(so_far), events, state)


@dataclass(frozen=True)
class Act(Generic[S]):
    """What people do in a procedure: when and to whom it is offered, what it leads to, who is asked, its odds, and why
    what it would roll is what it is: that tells one’s own side while nobody is chosen in the field of its `aim`."""

    action: str
    offered: Callable[[S, Sheets], Iterable[Offer]]
    do: Handler[S]
    asks: Callable[[S, Sheets], Iterable[Ask]] | None = None
    odds: Callable[[S, Sheets, Offer, Values], Forecasts] | None = None
    why: Callable[[S, Sheets, Offer, Values], Why | None] | None = None
    aim: str = ""


def find(offers: Iterable[Offer], action: str, by: str) -> Offer | None:
    """The offer of this action to this sheet ("" for the GM's), or None."""
    return next((offer for offer in offers if (offer.action, offer.by) == (action, by)), None)


def check(offer: Offer, given: Mapping[str, Value], unchosen: Collection[str] = ()) -> dict[str, Any]:
    """The fields of an offer, read; raises `BadMove` for an id that is no option, twice, or none but `unchosen`."""
    values = read_all(offer.fields, given)
    options = offer.options or {}
    for field in offer.fields:
        value = values[field.name]
        if field.default is REQUIRED and value in ("", (), {}) and field.name not in unchosen:
            raise BadMove(field.ask, field.name)
        if field.name in options and value not in ("", None):
            _check_ids(field, value, options[field.name])
    return values


def _check_ids(field: Field, value: Any, options: Options) -> None:
    known = dict(options)
    named = [value] if isinstance(field, Text) else list(value)
    for name in named:
        if name not in known:
            listed = ", ".join(known.values())
            raise BadMove(f"Choose from these: {listed}." if listed else "There is nothing to choose now.", field.name)
        if named.count(name) > 1:
            raise BadMove(f"{known[name]} is chosen twice. Choose it once.", field.name)


class Procedure(ABC, Generic[S]):
    """A procedure of one game system: a state machine that can be replayed, and what may be done in each state."""

    name: str  # `pdq.conflict`
    title: str
    title_label: str = "Title (what is at stake)"  # what the title of one says
    default_title: str = ""
    fields: tuple[Field, ...] = ()  # what `start` asks for
    reads: type | None = None  # a dataclass of those settings of the campaign that it keeps in its first event
    settings: type | None = None  # the game's `Settings`, where what it reads is kept otherwise than it is set
    exchanges: tuple[str, ...] = ()  # acts with which an exchange begins, which one undo takes back; none: all of it
    afterwards: tuple[str, ...] = ()  # acts that stay possible once it is over, or a roll from the tray is settled
    seldom: tuple[str, ...] = ()  # fields of its acts that stay folded until somebody wants them
    casting: Casting = Casting()
    placement: Placement = Placement()
    has_aftermath: bool = False  # whether its end is a page of its own: what lasts for whom, and what comes next
    events: tuple[type[Event[Any]], ...] = ()  # all that may happen in it; what was ever written is read for ever
    acts: tuple[Act[S], ...] = ()  # all that people may do in it, in the order in which a page offers it
    stored: StoredEvents[Event[S]]
    handlers: Mapping[str, Handler[S]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "events" in vars(cls):
            cls.stored = StoredEvents(cls.events)
        if "acts" in vars(cls):
            cls.handlers = {act.action: act.do for act in cls.acts}

    @property
    def slug(self) -> str:
        """The procedure's name in an address: what follows the system's."""
        return self.name.rpartition(".")[2].replace("_", "-")

    @property
    def start_label(self) -> str:
        """What the button that starts one says."""
        return f"Start a {self.title.lower()}"

    # What a game answers.

    @abstractmethod
    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> ActResult[Event[S]] | Need:
        """The first events, from the checked values of `fields`, or the dice it wants; raises `BadMove`.

        `settings` among the values is what it `reads`, frozen: its first event keeps it.
        """

    @abstractmethod
    def blank(self) -> S:
        """The state before the first event."""

    @final
    def evolve(self, state: S, event: Event[S]) -> S:
        """The state after an event. Total: raises nothing for an event that was once kept."""
        return event.after(state)

    def seats(self, state: S) -> Sequence[str]:
        """The ids of the sheets in the order in which their acts are offered; whoever is not named comes last."""
        return ()

    def offers(self, state: S, sheets: Sheets) -> tuple[Offer, ...]:
        """Every legal act now; nothing else is accepted by `act`. Seat by seat, each in the order of the acts."""
        offers = self.offered(state, sheets)
        seats = {who: place for place, who in enumerate(self.seats(state))} if offers else {}
        return tuple(sorted(offers, key=lambda offer: seats.get(offer.by, len(seats))))

    def offered(self, state: S, sheets: Sheets, action: str = "") -> list[Offer]:
        """The same in the order of the acts; with an action what is offered of that alone, and nothing else is made."""
        over = self.is_over(state)
        acts = [act for act in self.acts if action in ("", act.action) and (not over or act.action in self.afterwards)]
        return [offer for act in acts for offer in act.offered(state, sheets)]

    @abstractmethod
    def is_over(self, state: S) -> bool:
        """Whether nothing more can happen, but for what is done `afterwards`."""

    def is_settled(self, state: S) -> bool:
        """Whether nothing more has to happen: a roll from the tray is over by then, and only `afterwards` goes on."""
        return self.is_over(state)

    @abstractmethod
    def view(self, state: S, sheets: Sheets, viewer: Perspective) -> View:
        """The procedure as this viewer may see it; `seen` says whom it waits for."""

    def asks(self, state: S, sheets: Sheets) -> tuple[Ask, ...]:
        """Whom it waits for now, and for which of the offers; what is merely possible is not asked for.

        What its acts ask for; where none of them does, of each character the first offer, and only where there is
        none the GM's first.
        """
        if self.is_over(state):
            return ()
        asking = [act.asks for act in self.acts if act.asks]
        if asking:
            return tuple(ask for asks in asking for ask in asks(state, sheets))
        offers = self.offers(state, sheets)
        first = {offer.by: offer for offer in reversed(offers) if offer.by}
        asked = sorted(first.values(), key=offers.index) or offers[:1]
        return tuple(Ask(offer.by, offer.action, f"{offer.title[:1].lower()}{offer.title[1:]}") for offer in asked)

    def refusal(self, state: S, by: str) -> str:
        """Why an act that is not offered can't be done now; "" where it waits for something else, or is over."""
        return ""

    def follow_up(self, state: S) -> Event[S] | None:
        """The event that follows by itself, or None."""
        return None

    def noted(self, state: S, sheets: Sheets) -> tuple[Effect, ...]:
        """What makes the sheets keep what of this state lasts beyond it; after each act."""
        return ()

    def summary(self, state: S) -> Mapping[str, Value]:
        """What the result of each act says of the state after it."""
        return {}

    def story(self, state: S) -> tuple[str, ...]:
        """What came of one that is over, in sentences that everybody may read, the outcome first; () for no story."""
        return ()

    def forecast(
        self, state: S, sheets: Sheets, by: str, action: str, given: Mapping[str, Value],
        counted: Sheets | None = None,
    ) -> Forecasts:
        """The odds of an act before it is done, as (against whom, odds); raises `BadMove`.

        `counted` are the sheets that odds count where these are others: it raises where a number is not known.
        """
        offer = find(self.offered(state, sheets, action), action, by)
        return self.odds(state, sheets if counted is None else counted, offer, check(offer, given)) if offer else ()

    def odds(self, state: S, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
        """The odds of an offer as it was filled in; whose numbers count is read from `sheets`. Raises `BadMove`."""
        odds = next((act.odds for act in self.acts if act.action == offer.action), None)
        return odds(state, sheets, offer, values) if odds else ()

    def why(self, state: S, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
        """What an offer as it was filled in would be rolled with, and where each part of that comes from."""
        why = next((act.why for act in self.acts if act.action == offer.action), None)
        return why(state, sheets, offer, values) if why else None

    def involved(self, state: S) -> tuple[str, ...]:
        """The ids of those sheets whose numbers count in it, beside those that it was set up with."""
        return ()

    def scene_of(self, state: S) -> str:
        """The id of the scene that it goes on in; "" for the one that it began in."""
        return ""

    def unfit(self, sheet: Sheet) -> str:
        """Why this one can't be in a new one, as a sentence; "" for whoever can."""
        return ""

    def allowed_by(self, settings: Mapping[str, Value]) -> bool:
        """Whether the campaign's settings have it: it can be started."""
        return True

    def of_campaign(self, settings: Mapping[str, Value]) -> dict[str, Value]:
        """Those of a campaign's settings that a new one begins with."""
        asked = {field.name for field in self.fields}
        return {name: value for name, value in settings.items() if name in asked}

    def as_proposed(self, setup: Mapping[str, Value]) -> Mapping[str, Value]:
        """A setup where a player says it, in a scene: what is the GM's word in it they are asked for."""
        return setup

    def taking_part(self, setup: Mapping[str, Any]) -> tuple[str, ...]:
        """The ids of the sheets in a setup."""
        return tuple(str(contestant["sheet"]) for contestant in setup["contestants"])

    # The way through, the same for all.

    @final
    def seen(self, state: S, sheets: Sheets, viewer: Perspective, asks: Sequence[Ask] | None = None) -> View:
        """It as this viewer may see it, with whom it waits for; `asks` are what all are told, where that is known."""
        view = self.view(state, sheets, viewer)
        waits = waiting(self.asks(state, sheets) if asks is None else asks, sheets, viewer)
        return replace(view, waits_for=" ".join(filter(None, (waits, view.waits_for))))

    @final
    def why_not(self, state: S, sheets: Sheets, by: str) -> str:
        """Why an act that is not offered can't be done now, in a sentence."""
        over = "This is over." if self.is_over(state) else ""
        return self.refusal(state, by) or over or as_refused(self.asks(state, sheets), sheets, by)

    def start(
        self, setup: Mapping[str, Value], sheets: Sheets, faces: Sequence[int] = ()
    ) -> ActResult[Event[S]] | Need:
        """The first events with all that follows from them, or the dice it wants; raises `BadMove`."""
        values = read_all(self.fields, setup)
        for index, who in enumerate(self.taking_part(values)):
            if who not in sheets:
                raise BadMove("Choose a character of this campaign.", f"contestants.{index}.sheet")
        if self.reads:
            values["settings"] = kept(self.reads, values, self.settings)
        need = self.begin(values, sheets, faces)
        return need if isinstance(need, Need) else self.completed(self.blank(), sheets, "start", "", need)

    def act(
        self, state: S, sheets: Sheets, by: str, action: str, given: Mapping[str, Value], faces: Sequence[int] = ()
    ) -> ActResult[Event[S]] | Need:
        """What an act leads to, or the dice it wants; raises `BadMove` with a sentence where it is not offered now."""
        offer = find(self.offered(state, sheets, action), action, by)
        if offer is None:
            raise BadMove(self.why_not(state, sheets, by), "action")
        return self.perform(state, sheets, offer, given, faces)

    def perform(
        self, state: S, sheets: Sheets, offer: Offer, given: Mapping[str, Value], faces: Sequence[int] = ()
    ) -> ActResult[Event[S]] | Need:
        """The same, for an offer that was found already."""
        values = check(offer, given)
        if not offer.rolls:
            take(faces, 0)
        need = self.handlers[offer.action](state, sheets, offer.by, values, faces)
        return need if isinstance(need, Need) else self.completed(state, sheets, offer.action, offer.by, need)

    def completed(
        self, state: S, sheets: Sheets, action: str, by: str, done: ActResult[Event[S]]
    ) -> ActResult[Event[S]]:
        """The result with everything that follows by itself."""
        events, steps, rolls = list(done.events), list(done.steps), list(done.rolls)
        for event in done.events:
            state = self.evolve(state, event)
        while (following := self.follow_up(state)) is not None:
            before, state = state, self.evolve(state, following)
            events.append(following)
            following_steps, rolled = following.explained(before, state)
            steps += following_steps
            rolls += rolled
        return replace(
            done, events=tuple(events), steps=tuple(steps), rolls=tuple(rolls),
            effects=(*done.effects, *self.noted(state, sheets)),
            result={"action": action, "by": by, **done.result, **self.summary(state)},
        )

    def fold(self, stored: Iterable[Value]) -> S:
        """The state that stored events add up to."""
        state = self.blank()
        for event in stored:
            state = self.evolve(state, self.read(event))
        return state

    def write(self, event: Event[S]) -> Value:
        """The event as it is stored."""
        return self.stored.write(event)

    def read(self, stored: Value) -> Event[S]:
        """The event that was stored; raises `Unreadable` for what is not known."""
        return self.stored.read(stored)


class KnowsCampaign(ABC, Generic[S]):
    """A procedure whose offers and acts look at what the campaign holds beside it."""

    remembers: tuple[str, ...] = ()  # the names of the procedures whose earlier contests it is told of
    of_scene: bool = False  # whether it is told of all of them in its own scene, and of no other

    def with_context(self, state: S, context: CampaignContext) -> S:
        """The state with what the campaign holds beside it, which stands in its field `context`."""
        return cast(S, replace(cast(Any, state), context=context))

    def may_start(self, setup: Mapping[str, Value], context: CampaignContext, sheets: Sheets) -> None:
        """Raises `BadMove` where what goes on in the campaign stands against a new one with these."""

    def suggestions(self, context: CampaignContext) -> tuple[Suggestion, ...]:
        """What a new one could be about, as its form offers it."""
        return ()

    def choices(self, context: CampaignContext) -> Mapping[str, Options]:
        """What fields of a new one's form may name of the campaign; a field with nothing to name is left out."""
        return {}


class KnowsOrigins(ABC, Generic[S]):
    """A procedure whose offers ask, in some states, which lines of a sheet came with growth."""

    @abstractmethod
    def needs_origins(self, state: S) -> bool:
        """Whether this state is such a one: elsewhere nobody reads where lines come from."""
