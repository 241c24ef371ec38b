"""A contest as it stands while one request looks at it: read once, folded once, asked once what it offers.

    position = find(campaign, contest_id)
    offer = position.offer("attack", by)
    written = contests.act(position=position, ...)     # under the lock it is read again only if something moved since
"""
from __future__ import annotations

import json
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any

from django.db.models import F, OuterRef, Prefetch, Q, QuerySet, Subquery, prefetch_related_objects
from django.utils.functional import SimpleLazyObject

from campaigns.errors import Refused
from campaigns.models import Campaign, Change
from campaigns.statements import compiled_once
from characters.cast import Cast, lines_of
from characters.models import Character, Pool, Trait
from play.models import Contest, ContestEvent, PrepItem, Presence, Session
from play.services.bank import spec_of
from play.services.pools import all_held
from rules.engine import Forecasts, KnowsCampaign, KnowsOrigins, Procedure, find
from rules.procedure import Ask, CampaignContext, Offer, Options, PastContest, Suggestion
from rules.sheet import Sheet
from rules.sheet import Trait as Line
from rules.values import BadMove, Value
from rules.withheld import Withheld

MOST_PAST = 60  # earlier contests that a procedure may be told of
MOST_LINES = 1000  # of NPCs elsewhere whom a form may name
MOST_KEPT = 500  # folds that are kept in memory


def procedure_of(campaign: Campaign, name: str) -> Procedure[Any, Any]:
    """The procedure of this name in the campaign's game; raises `Refused`."""
    for procedure in campaign.rules.procedures:
        if procedure.name == name:
            return procedure
    raise Refused("This game has no such contest.", "kind")


LAST = ContestEvent.objects.filter(contest=OuterRef("pk")).order_by("-number")


@dataclass
class Position:
    """A contest at one moment: its rules, its state, who is in it. `head` is how far the campaign was by then."""

    contest: Contest
    procedure: Procedure[Any, Any]
    folded: Any  # the state as its events alone have it
    cast: Cast  # everybody who may do something in it
    head: int

    @cached_property
    def state(self) -> Any:
        """The state with what the campaign holds beside it, where the rules look at that."""
        if isinstance(self.procedure, KnowsCampaign):
            return self.procedure.with_context(self.folded, campaign_context(self.contest, self.procedure))
        return self.folded

    def in_context(self, held: Held) -> None:
        """Places it in what the campaign holds, where that was read for several contests together."""
        if isinstance(self.procedure, KnowsCampaign):
            context = campaign_context(self.contest, self.procedure, held)
            self.state = self.procedure.with_context(self.folded, context)

    @property
    def characters(self) -> dict[str, Character]:
        """Everybody who may do something in it, by id."""
        return self.cast.characters

    @cached_property
    def sheets(self) -> dict[str, Sheet]:
        """Their sheets, by id."""
        if isinstance(self.procedure, KnowsOrigins) and self.procedure.needs_origins(self.folded):
            return self.cast.with_provenance(self.contest.campaign)
        return self.cast.sheets()

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """Every legal act."""
        return () if self.contest.over else self.procedure.offers(self.state, self.sheets)

    @cached_property
    def asks(self) -> tuple[Ask, ...]:
        """Whom it waits for, and for what; it is told to all, so that it has no number of a face alone."""
        return () if self.contest.over else self.procedure.asks(self.state, self.sheets_for(self.hidden))

    @property
    def hidden(self) -> frozenset[str]:
        """Those of whom not everybody knows all."""
        return frozenset(pk for pk, each in self.characters.items() if each.hidden)

    @property
    def has_faces(self) -> bool:
        """Whether numbers count in it of somebody of whom not everybody knows all."""
        named = {*self.procedure.taking_part(json.loads(self.contest.setup)), *self.procedure.involved(self.folded)}
        return not named.isdisjoint(self.hidden)

    def sheets_for(self, faces: frozenset[str]) -> dict[str, Sheet]:
        """The sheets as somebody has them who knows these by their face alone."""
        return {pk: each.face if pk in faces else each for pk, each in self.sheets.items()}

    def offers_for(self, faces: frozenset[str]) -> tuple[Offer, ...]:
        """Every legal act, in words that tell nothing of these."""
        if not faces or self.contest.over:
            return self.offers
        return self.procedure.offers(self.state, self.sheets_for(faces))

    def offer(self, action: str, by: str) -> Offer | None:
        """The offer of this action to this sheet ("" for the GM's), or None."""
        return find(self.offers, action, by)

    def forecast(
        self, by: str, action: str, given: Mapping[str, Value], faces: frozenset[str] = frozenset()
    ) -> Forecasts:
        """The odds of an act, as (against whom, odds); nothing while it can't be done.

        Raises `NotKnown` where they count somebody's numbers of whom whoever asks knows the face alone (`faces`).
        """
        sheets = self.sheets_for(faces)
        try:
            return self.procedure.forecast(self.state, sheets, by, action, given, Withheld(self.sheets, faces))
        except BadMove:
            return ()


MET = Q(hidden=False) | Q(face=True)  # of whom players know all, or the face


def in_it(procedure: Procedure[Any, Any], contest: Contest, folded: Any) -> list[str]:
    """The ids of a contest's sheets: those of the setup, then those whose numbers count in it by now."""
    found = (*procedure.taking_part(json.loads(contest.setup)), *procedure.involved(folded))
    return [each for each in dict.fromkeys(found) if _is_id(each)]


def _is_id(text: str) -> bool:
    """Whether it is a sheet's: who has none has a name of the contest's own."""
    try:
        return bool(uuid.UUID(text))
    except ValueError:
        return False


def find_position(campaign: Campaign, contest_id: uuid.UUID) -> Position | None:
    """The contest of this id as it stands now; None where there is none. Three queries where its fold is kept."""
    for contest in _contest(campaign.pk, contest_id):
        contest.campaign = campaign
        procedure = procedure_of(campaign, contest.kind)
        folded = FOLDS.kept(contest.last, contest.events) or fold(procedure, contest)
        return Position(contest, procedure, folded, taking_part(procedure, contest, folded), campaign.head_seq)
    return None


@compiled_once
def _contest(campaign: uuid.UUID, pk: uuid.UUID) -> QuerySet[Any]:
    found = Contest.objects.select_related("scene").filter(campaign=campaign, pk=pk)
    return found.annotate(last=Subquery(LAST.values("pk")[:1]))


def taking_part(procedure: Procedure[Any, Any], contest: Contest, folded: Any) -> Cast:
    """Who takes part, in the order of the setup, then who else in the scene may do something in it. Two queries."""
    ids, campaign = in_it(procedure, contest, folded), contest.campaign
    near = (contest.scene_id, campaign.scene_id if procedure.casting.onward else None)
    scenes = [each for each in near if each] if procedure.casting.bystanders else []
    found: dict[str, Character] = {}
    pools: dict[str, list[Pool]] = {}
    # One row for each pool of each, which may have nothing on the sheet.
    for row in _among(campaign.pk, [uuid.UUID(each) for each in ids], scenes or None,
                      campaign.scene_id, procedure.casting.open):
        one = found.setdefault(str(row.pk), row)
        if row.pool:
            known = {"id": row.pool, "campaign_id": row.campaign_id, "character_id": row.pk, "name": row.called,
                     "value": row.held}
            pools.setdefault(str(one.pk), []).append(Pool.from_db(row._state.db, list(known), list(known.values())))
    traits: dict[str, list[Trait]] = {}
    for line in lines_of([each.pk for each in found.values()]):
        traits.setdefault(str(line.character_id), []).append(line)
    known = {pk: found[pk] for pk in (*ids, *found) if pk in found}
    return Cast(known, traits, pools, campaign.head_seq)


@compiled_once
def _among(
    campaign: uuid.UUID, ids: list[uuid.UUID], near: list[uuid.UUID] | None, here: uuid.UUID | None, open_to_all: bool,
) -> QuerySet[Any]:
    """Those of these ids, who is in the scenes `near`, and where it is open to all, PCs and the NPCs who are `here`."""
    among = Q(pk__in=ids)
    if open_to_all:
        there = Presence.objects.filter(scene=here).values("character_id")
        among |= Q(player__isnull=False, retired=False, hidden=False) | Q(pk__in=there, npc=True, hidden=False)
    if near:
        there = Presence.objects.filter(scene__pk__in=near).values("character_id")
        among |= Q(MET, pk__in=there, retired=False)
    found = Character.objects.filter(among, campaign=campaign).select_related("player__user").defer("story")
    found = found.annotate(pool=F("pools__pk"), held=F("pools__value"), called=F("pools__name"))
    return found.order_by("npc", "name", "pk", "pools__name")


class Folds:
    """States after the first n events, by the last of these: what never changes is added up once, and kept, bounded."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[uuid.UUID, int], Any] = OrderedDict()
        self._lock = Lock()

    def longest(self, events: Sequence[uuid.UUID], blank: Callable[[], Any]) -> tuple[int, Any]:
        """How many of these events have been added up already, and to what."""
        with self._lock:
            for number in range(len(events), 0, -1):
                if (key := (events[number - 1], number)) in self._kept:
                    self._kept.move_to_end(key)
                    return number, self._kept[key]
        return 0, blank()

    def kept(self, last: uuid.UUID | None, number: int) -> Any:
        """What so many events with this last one add up to, where that is known already; else None."""
        with self._lock:
            return self._kept.get((last, number)) if last else None

    def keep(self, last: uuid.UUID, number: int, state: Any) -> None:
        """Keeps a state; the one that nobody asked for longest makes way."""
        with self._lock:
            self._kept[last, number] = state
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)


FOLDS = Folds()


def fold(procedure: Procedure[Any, Any], contest: Contest) -> Any:
    """What the contest's events add up to. `log` may have been prefetched in its order."""
    events = list(_events(contest))
    number, state = FOLDS.longest([pk for pk, _ in events], procedure.blank)
    for _, text in events[number:]:
        state = procedure.evolve(state, procedure.read(json.loads(text)))
    if len(events) > number:
        FOLDS.keep(events[-1][0], len(events), state)
    return state


def _events(contest: Contest) -> Sequence[tuple[uuid.UUID, str]] | QuerySet[ContestEvent, tuple[uuid.UUID, str]]:
    if "log" in getattr(contest, "_prefetched_objects_cache", {}):
        return [(each.pk, each.text) for each in contest.log.all()]
    return ContestEvent.objects.filter(contest=contest).order_by("number").values_list("pk", "text")


@dataclass(frozen=True)
class Held:
    """What a campaign holds by itself: what is in its pools, and the id of its latest session."""

    pools: tuple[tuple[str, int], ...]
    session: str


def campaign_context(
    contest: Contest, procedure: KnowsCampaign[Any], held: Held | None = None
) -> CampaignContext:
    """What the campaign holds beside a contest. What of it is asked for is read then."""
    campaign = contest.campaign
    pools: Any = held.pools if held else SimpleLazyObject(lambda: tuple(all_held(campaign).items()))
    session = held.session if held else str(campaign.session_id or _latest_session(campaign))
    past: Any = SimpleLazyObject(lambda: _past(contest, procedure.remembers))
    prepared: Any = SimpleLazyObject(lambda: _prepared(campaign))
    return CampaignContext(
        pools, past, prepared, session, str(contest.scene_id or ""), str(campaign.scene_id or ""),
        SimpleLazyObject(lambda: _away(contest)))  # type: ignore[arg-type]


def suggestions(campaign: Campaign, procedure: Procedure[Any, Any]) -> tuple[Suggestion, ...]:
    """What a new contest of this kind could be about, in the scene that is on."""
    if not isinstance(procedure, KnowsCampaign):
        return ()
    return procedure.suggestions(campaign_context(Contest(campaign=campaign, scene_id=campaign.scene_id), procedure))


def choices(campaign: Campaign, procedure: Procedure[Any, Any]) -> Mapping[str, Options]:
    """What the form of a new contest of this kind may name of the campaign."""
    if not isinstance(procedure, KnowsCampaign):
        return {}
    return procedure.choices(campaign_context(Contest(campaign=campaign, scene_id=campaign.scene_id), procedure))


def _latest_session(campaign: Campaign) -> uuid.UUID | str:
    found = Session.objects.filter(campaign=campaign).order_by("-number").values_list("pk", flat=True)
    return found.first() or ""


def _past(contest: Contest, kinds: Sequence[str]) -> tuple[PastContest, ...]:
    """The latest contests of these kinds beside this one, oldest first: two queries, one where all are known."""
    campaign = contest.campaign
    known = _earlier(campaign.pk, contest.pk, list(kinds)) if kinds else []
    states = {each.pk: FOLDS.kept(each.last, each.events) for each in known}
    prefetch_related_objects(
        [each for each in known if states[each.pk] is None],
        Prefetch("log", ContestEvent.objects.order_by("number")),
    )
    return tuple(
        PastContest(
            each.first or 0, each.title, bool(each.scene and each.scene.session_id == campaign.session_id),
            states[each.pk] or fold(procedure_of(campaign, each.kind), each),
            str(each.scene_id or ""),
        )
        for each in sorted(known, key=lambda each: each.first or 0)
    )


@compiled_once
def _earlier(campaign: uuid.UUID, beside: uuid.UUID, kinds: list[str]) -> QuerySet[Any]:
    first = Change.objects.filter(campaign=campaign, object_id=OuterRef("pk"), field="").order_by("seq")
    found = Contest.objects.filter(campaign=campaign, kind__in=kinds).exclude(pk=beside).select_related("scene")
    found = found.annotate(last=Subquery(LAST.values("pk")[:1]), first=Subquery(first.values("seq")[:1]))
    return found.defer("setup", "scene__text").order_by("over", "-scene__opened", "pk")[:MOST_PAST]


def _prepared(campaign: Campaign) -> tuple[tuple[str, str, Mapping[str, Any]], ...]:
    types = [each.name for each in campaign.rules.prep_items if each.filled]
    rows = _items(campaign.pk, types) if types else ()
    return tuple((str(each.pk), each.name, spec_of(each)) for each in rows)


@compiled_once
def _items(campaign: uuid.UUID, types: list[str]) -> QuerySet[PrepItem]:
    return PrepItem.objects.filter(campaign=campaign, type__in=types).order_by("name", "pk")[:200]


def _away(contest: Contest) -> tuple[Sheet, ...]:
    """The NPCs whom all may know of and who are not in its scene, by their lines: one query."""
    here = Presence.objects.filter(scene=contest.scene_id).values("character")
    lines = Trait.objects.filter(
        campaign=contest.campaign, character__npc=True, character__hidden=False, character__retired=False,
        character__dead=False).exclude(character__in=here).select_related("character")
    found: dict[Character, list[Line]] = {}
    for each in lines.order_by("character__name", "character", "place")[:MOST_LINES]:
        found.setdefault(each.character, []).append(each.for_rules())
    return tuple(Sheet(str(who.pk), who.name, tuple(own), npc=True) for who, own in found.items())
