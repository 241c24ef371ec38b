"""Resources with ranks: which there are, what they give and are given, what the GM rules of them (QW-92 to QW-94)."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice, Text, text
from rules.moves import Step, take
from rules.procedure import Ask, Offer, Options
from rules.sheet import Gain
from rules.systems.questworlds.community.lobbying import going_on, odds_of_request, offer_request, request, why_request
from rules.systems.questworlds.community.state import (
    BOLSTER,
    DRAW,
    CommunityOptions,
    Request,
    Resource,
    Result,
    State,
)
from rules.systems.questworlds.learning import players_in
from rules.systems.questworlds.notation import signed
from rules.systems.questworlds.traits import SUPPORT
from rules.values import BadMove
from rules.wording import join, sentence

USUAL = ("Wealth", "Diplomacy", "Morale", "Military", "Magic")
WHICH = text("resource", "Resource", needed=True)


@dataclass(frozen=True)
class Founded(Event[State]):
    """It is there."""

    settings: CommunityOptions

    def after(self, state: State) -> State:
        return replace(state, settings=self.settings)


@dataclass(frozen=True)
class Listed(Event[State]):
    """Its resources, highest rank first, with the ranks that they get (QW-92)."""

    resources: tuple[tuple[str, int], ...]

    def after(self, state: State) -> State:
        known = {resource.name: resource for resource in state.resources}
        # What was said of one before stays.
        return replace(state, resources=tuple(
            replace(known.get(name, Resource(name, rank, rank)), rank=rank, now=rank, bolstered=False)
            for name, rank in self.resources))


@dataclass(frozen=True)
class Drawn(Event[State]):
    """A resource is given out, and drops a rank (QW-93)."""

    resource: str
    who: str
    required: bool

    def after(self, state: State) -> State:
        resource = state.resource(self.resource)
        # What bolstering gave is all that goes with this use (QW-94).
        if resource.bolstered:
            return state.with_resource(self.resource, bolstered=False)
        return state.with_resource(self.resource, now=state.held(resource.now - 1))


@dataclass(frozen=True)
class Bolstered(Event[State]):
    """A resource has another rank until it is used; one below 0 is at 0 again (QW-94)."""

    resource: str

    def after(self, state: State) -> State:
        below = state.resource(self.resource).counts < 0
        return state.with_resource(self.resource, **({"now": 0} if below else {"bolstered": True}))


@dataclass(frozen=True)
class Moved(Event[State]):
    """What goes on in the background moves a resource by so many ranks (QW-94)."""

    resource: str
    by: int

    def after(self, state: State) -> State:
        return state.with_resource(self.resource, now=state.held(state.resource(self.resource).now + self.by))


@dataclass(frozen=True)
class Restored(Event[State]):
    """Resources are back at their own ranks (QW-93)."""

    resources: tuple[str, ...]

    def after(self, state: State) -> State:
        return replace(state, resources=tuple(
            replace(resource, now=resource.rank) if resource.name in self.resources else resource
            for resource in state.resources))


@dataclass(frozen=True)
class Veiled(Event[State]):
    """Whether players see the rank of a resource."""

    resource: str
    veiled: bool

    def after(self, state: State) -> State:
        return state.with_resource(self.resource, veiled=self.veiled)


@dataclass(frozen=True)
class Required(Event[State]):
    """What always takes this resource, in words (QW-94)."""

    resource: str
    words: str

    def after(self, state: State) -> State:
        return state.with_resource(self.resource, required=self.words)


@dataclass(frozen=True)
class Ended(Event[State]):
    """The group has nothing to do with it any more."""

    def after(self, state: State) -> State:
        return replace(state, over=True)


def begin(values: Values, sheets: Sheets, faces: Sequence[int]) -> Result:
    """The group has a community from now on."""
    take(faces, 0)
    settings = replace(values["settings"], name=values["title"], players=players_in(values))
    return Result((Founded(settings),), (Step("QW-92", f"{settings.name} is the community of the group."),))


def offer_list(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, while nobody asks for one of them."""
    if state.requests:
        return
    standing = "\n".join(resource.name for resource in sorted(state.resources, key=lambda resource: -resource.rank))
    most = len(state.edition.community)
    ranks = ", ".join(signed(state.edition.modifiers.of_rank(rank), state.symbol) for rank in state.edition.community)
    names = Text(name="names", label="Resources, the highest rank first", lines=True, most=300,
                 help=f"One on a line, up to {most}. They get {ranks} in this order.")
    yield Offer("resources", "", "Change the resources" if state.resources else "List the resources",
                "All are at their own ranks then." if state.resources else "", (names,),
                now={"names": standing or "\n".join(USUAL)})


def list_resources(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The resources, highest rank first."""
    names = [" ".join(line.split()) for line in values["names"].splitlines() if line.strip()]
    most = len(state.edition.community)
    if not names or len(names) > most:
        raise BadMove(f"Enter one to {most} resources, one on a line.", "names")
    for name in names:
        if len(name) > 40 or [other.casefold() for other in names].count(name.casefold()) > 1:
            raise BadMove(f"{name[:40]}: give each resource a name of its own, of 40 letters at most.", "names")
    listed = Listed(tuple(zip(names, state.edition.community, strict=False)))
    return Result((listed,), (ranks_in_words(state, listed, ()),))


def ranks_in_words(state: State, listed: Listed, veiled: Sequence[str]) -> Step:
    """Which resource has which rank; of those that players do not see, only that they have one."""
    modifier = state.edition.modifiers.of_rank
    parts = [name if name in veiled else f"{name} {signed(modifier(rank), state.symbol)}"
             for name, rank in listed.resources]
    return Step("QW-92", f"{state.settings.name}: {join(parts)}.")


def ask_for_list(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, as long as there are none."""
    if not state.resources:
        yield Ask("", "resources", f"list the resources of {state.settings.name}", "List")


def offer_draw(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each player; what is known to have nothing to give is left out."""
    return _offer(state, sheets, DRAW, lambda resource: resource.veiled or resource.counts > 0)


def offer_bolster(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each player; what has its rank more already is left out."""
    return _offer(state, sheets, BOLSTER, lambda resource: not resource.bolstered)


def _offer(state: State, sheets: Sheets, kind: str, listed: Callable[[Resource], bool]) -> Iterator[Offer]:
    resources = tuple(
        (str(place), resource.name if resource.veiled else f"{resource.name} {state.adds(resource)}")
        for place, resource in enumerate(state.resources) if listed(resource))
    for sheet in sheets.values():
        if not sheet.npc:
            yield from offer_request(state, sheet, kind, resources)


def brings(state: State, asked: Request) -> Result:
    """What comes of a request that was heard."""
    if asked.kind == DRAW:
        return drawn(state, asked.who, asked.resource, asked.words)
    after = (bolstered := Bolstered(asked.resource)).after(state)
    now = after.adds(after.resource(asked.resource))
    text = f"The penalty of {asked.resource} is gone: it is at {now}." if state.resource(
        asked.resource).counts < 0 else f"{asked.resource} is bolstered: {now}, until it is used."
    return Result((bolstered,), (Step("QW-94", text),))


def drawn(state: State, who: str, name: str, words: str, *, required: bool = False) -> Result:
    """The resource is given out: it waits on the sheet for the contest, and drops a rank whatever comes of that.

    *Ruling*: it drops when it is given. What is 0 or less has nothing to give, unless its use is required.
    """
    resource = state.resource(name)
    if resource.counts <= 0 and not required:
        return Result((), (Step("QW-93", f"{name} has nothing to give at this time, and stays as it is."),))
    after = (given := Drawn(name, who, required)).after(state)
    then = after.adds(after.resource(name))
    of_it = f"{name} of {state.settings.name}" if state.settings.name else name
    effect = Gain(who, SUPPORT, of_it[:120], state.held(resource.counts), words)
    steps = [Step("QW-93", f"{name} gives {state.adds(resource)}, for one contest: {sentence(words)}")]
    if resource.bolstered:
        steps.append(Step("QW-94", f"The bolster on {name} is used up: it is at {then}."))
    else:
        steps.append(Step("QW-93", f"{name} drops a rank with that, whatever comes of it: it is at {then}."))
    return Result((given,), tuple(steps), effects=(effect,))


def _which(state: State) -> Options:
    """All resources, as the GM chooses among them."""
    return tuple((str(place), f"{resource.name} {state.adds(resource)}")
                 for place, resource in enumerate(state.resources))


def offer_require(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    played = tuple((sheet.id, sheet.name) for sheet in sheets.values() if not sheet.npc)
    if state.resources and played:
        yield Offer("require", "", "Require a resource", "The act takes it in any case: no lobbying. Below 0 it is a "
                    "penalty.", (text("whom", "Character", needed=True), WHICH,
                                 text("words", "Reason", needed=True, most=200)),
                    {"whom": played, "resource": _which(state)}, now={"resource": "0", "whom": played[0][0]})


def require(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What somebody does takes a resource in any case: a bonus, or a penalty below 0, and no lobbying (QW-94)."""
    name = state.named(values["resource"])
    given = drawn(state, values["whom"], name, values["words"], required=True)
    step = Step("QW-94", f"What {sheets[values['whom']].name} does takes {name}, without being asked.")
    return replace(given, steps=(step, *given.steps))


def offer_move(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    by = tuple((str(ranks), f"{abs(ranks)} {'rank' if abs(ranks) == 1 else 'ranks'} {'down' if ranks < 0 else 'up'}")
               for ranks in (-1, 1, -2, 2, -3, 3))
    if state.resources:
        yield Offer("move", "", "Apply a background event", "Until you restore it.",
                    (WHICH, Choice(name="ranks", label="Moves", options=by, default="-1"),
                     text("words", "Description", needed=True, most=200)), {"resource": _which(state)},
                    now={"resource": "0"})


def move(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Background events, and what a contest cost the community that did not draw on it (QW-93, QW-94)."""
    resource = state.chosen(values["resource"])
    after = (moved := Moved(resource.name, int(values["ranks"]))).after(state)
    text = f"{sentence(values['words'])} {resource.name} is at {after.adds(after.resource(resource.name))} for now."
    return Result((moved,), (Step("QW-94", text),), sealed=resource.veiled)


def offer_restore(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where one is not at its own rank."""
    if away := tuple(name for name, resource in zip(_which(state), state.resources, strict=True)
                     if resource.now != resource.rank):
        yield Offer("restore", "", "Restore", "Leave blank for all of them.", (text("resource", "Resource"),),
                    {"resource": away})


def restore(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A resource is back at its own rank, or all are (QW-93)."""
    wanted = [state.chosen(values["resource"])] if values["resource"] else state.resources
    away = [resource for resource in wanted if resource.now != resource.rank]
    names = tuple(resource.name for resource in away)
    after = (restored := Restored(names)).after(state)
    back = join([f"{resource.name} is at {after.adds(resource)} again" for resource in after.resources
                 if resource.name in names])
    return Result((restored,), (Step("QW-93", f"{back}."),), sealed=any(resource.veiled for resource in away))


def offer_veil(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    if state.resources:
        yield Offer("veil", "", "Show or hide a rank", "", (WHICH,), {"resource": tuple(
            (str(place), f"{resource.name}: {'show to players' if resource.veiled else 'hide from players'}")
            for place, resource in enumerate(state.resources))}, now={"resource": "0"})


def veil(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Whether players see a rank."""
    resource = state.chosen(values["resource"])
    text = (f"Players see the rank of {resource.name}." if resource.veiled else
            f"The rank of {resource.name} is for the GM.")
    return Result((Veiled(resource.name, not resource.veiled),), (Step("QW-92", text),))


def offer_takes(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    if state.resources:
        yield Offer("takes", "", "Reserve a resource", "", (
            WHICH, text("words", "Reserved for", "Leave blank for none.", most=200)),
            {"resource": _which(state)}, now={"resource": "0"})


def takes(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What always takes a resource, in words (QW-94)."""
    name, words = state.named(values["resource"]), values["words"]
    text = f"{name} is needed for: {sentence(words)}" if words else f"Nothing always takes {name}."
    return Result((Required(name, words),), (Step("QW-94", text),))


def offer_end(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    yield Offer("end", "", "Leave this community", "The group has nothing more to do with it.")


def end(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The group has no more to do with it."""
    return Result((Ended(),), (Step("QW-92", f"{state.settings.name} is no longer the community of the group."),))


EVENTS = (Founded, Listed, Drawn, Bolstered, Moved, Restored, Veiled, Required, Ended)
OWN = going_on(brings)
REQUESTS = (Act("draw", offer_draw, partial(request, DRAW), odds=odds_of_request, why=why_request),
            Act("bolster", offer_bolster, partial(request, BOLSTER), odds=odds_of_request, why=why_request))
RULINGS = (Act("require", offer_require, require), Act("move", offer_move, move),
           Act("restore", offer_restore, restore), Act("veil", offer_veil, veil), Act("takes", offer_takes, takes))
LIST = Act("resources", offer_list, list_resources, ask_for_list)
END = Act("end", offer_end, end)
