"""A contest as it stands while one request looks at it: read once, folded once, asked once what it offers.

    position = find(campaign, contest_id)
    offer = position.offer("attack", by)
    written = contests.act(position=position, ...)     # under the lock it is read again only if something moved since
"""
from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from django.db.models import F, OuterRef, Prefetch, Q, QuerySet, Subquery, prefetch_related_objects
from django.utils.functional import SimpleLazyObject

from accounts.statements import compiled_once
from campaigns.errors import Refused
from campaigns.models import Campaign, Change, Entry
from characters.cast import Cast, lines_of
from characters.models import Character, Pool, Trait
from play.models import Contest, ContestEvent, Presence, Session
from play.services.around import away_from, prepared_in, waiting_here
from play.services.folds import FOLDS, UNREADABLE, contained, readable
from play.services.pools import all_held
from play.services.reading_again import reading
from play.services.standing import is_here
from rules.common_settings import FACE_ODDS
from rules.engine import Forecasts, KnowsCampaign, KnowsOrigins, Procedure, find
from rules.procedure import Ask, CampaignContext, Offer, Options, PastContest, Perspective, ReadingOffer, Suggestion
from rules.procedure import View as Drawn
from rules.sheet import NotKnown, Sheet, Withheld
from rules.values import BadMove, Value

T = TypeVar("T")

MOST_PAST = 60  # earlier contests that a procedure may be told of


def procedure_of(campaign: Campaign, name: str) -> Procedure[Any]:
    """The procedure of this name in the campaign's game; raises `Refused`."""
    for procedure in campaign.rules.procedures:
        if procedure.name == name:
            return procedure
    raise Refused("This game has no such contest.", "kind")


GET_OUT = Ask(
    "", "get-out", "this contest can’t be shown: undo its last entry, or call it off", "Get out of the contest")

LAST = ContestEvent.objects.filter(contest=OuterRef("pk")).order_by("-number")


@dataclass
class Position:
    """A contest at one moment: its rules, its state, who is in it. `head` is how far the campaign was by then.

    Where the rules fail at it, they answer nothing, and it `is_broken` from then on: pages show a card in its place.
    """

    contest: Contest
    procedure: Procedure[Any]
    folded: Any  # the state as its events alone have it; `UNREADABLE` where the rules fail at them
    cast: Cast  # everybody who may do something in it
    head: int
    known: CampaignContext | None = None  # what the campaign holds, where that was read already
    failed: bool = False

    @property
    def is_broken(self) -> bool:
        """Whether the rules failed at it, as far as they were asked: it can't be shown."""
        return self.failed or self.folded is UNREADABLE

    def _ask(self, ask: Callable[[], T], nothing: T) -> T:
        """What the rules answer; nothing where they fail, or have failed already."""
        if self.is_broken:
            return nothing
        answer = contained(self.contest, lambda: (ask(),), None)
        self.failed = answer is None
        return nothing if answer is None else answer[0]

    @cached_property
    def state(self) -> Any:
        """The state with what the campaign holds beside it, where the rules look at that."""
        return self._ask(self._in_context, self.folded)

    def _in_context(self) -> Any:
        if isinstance(self.procedure, KnowsCampaign):
            return self.procedure.with_context(self.folded, self.around)
        return self.folded

    @cached_property
    def around(self) -> CampaignContext:
        """What the campaign holds beside it."""
        return self.known or campaign_context(self.contest, self.procedure)

    def moved_to(self, folded: Any) -> Position:
        """It in another state, while all else in the campaign is as it was."""
        return replace(self, folded=folded, known=self.around, failed=False)

    @cached_property
    def was_called_off(self) -> bool:
        """Whether it is over though its rules would go on: a GM called it off where it could not be shown."""
        return self.contest.over and not self._ask(lambda: self.procedure.is_settled(self.folded), True)

    @property
    def afterwards(self) -> tuple[str, ...]:
        """The acts that stay possible though it is over: by its rules, or as a roll from the tray that is settled."""
        return self.procedure.afterwards if self.contest.over and not self.was_called_off else ()

    @cached_property
    def reading(self) -> Entry | None:
        """The entry whose dice can be read again, None where something depends on what came of them."""
        return reading(self.contest)

    @property
    def characters(self) -> dict[str, Character]:
        """Everybody who may do something in it, by id."""
        return self.cast.characters

    @cached_property
    def sheets(self) -> dict[str, Sheet]:
        """Their sheets, by id."""
        rules = self.procedure
        if isinstance(rules, KnowsOrigins) and self._ask(lambda: rules.needs_origins(self.folded), False):
            return self.cast.with_provenance(self.contest.campaign)
        return self.cast.sheets()

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """Every legal act."""
        return self._offers(self.sheets)

    def _offers(self, sheets: Mapping[str, Sheet]) -> tuple[Offer, ...]:
        nothing: tuple[Offer, ...] = ()
        if self.contest.over and not self.afterwards:
            return nothing
        offers = self._ask(lambda: self.procedure.offers(self.state, sheets), nothing)
        return tuple(offer for offer in offers if (not self.contest.over or offer.action in self.afterwards)
                     and (not isinstance(offer, ReadingOffer) or self.reading))

    @cached_property
    def asks(self) -> tuple[Ask, ...]:
        """Whom it waits for, and for what; it is told to all, so that it has no number of a face alone.

        Where it can't be shown, it waits for the GM to get everybody out of it.
        """
        if self.contest.over:
            return ()
        nothing: tuple[Ask, ...] = ()
        asked = self._ask(lambda: self.procedure.asks(self.state, self.sheets_for(self.hidden)), nothing)
        return (GET_OUT,) if self.is_broken else asked

    @property
    def is_here(self) -> bool:
        """Whether it stands on the table as long as it goes on: in the scene that is on, or in none."""
        return is_here(self.contest, self._ask(lambda: self.procedure.scene_of(self.folded), ""))

    def player_of(self, who: str) -> uuid.UUID | None:
        """The member who answers for somebody, None where the GM does: nobody is asked for who has left the story."""
        character = self.characters.get(who)
        return character.player_id if character and not character.retired else None

    def perspective(self, member: uuid.UUID | None, *, runs: bool, odds: bool = True) -> Perspective:
        """How this member looks at it, None for somebody who plays nobody in it; `runs` for a GM."""
        played = {pk: character for pk, character in self.characters.items() if self.player_of(pk)}
        whole = self.sheets if self.contest.campaign.settings[FACE_ODDS] else None
        return Perspective(
            frozenset(pk for pk, character in played.items() if character.player_id == member), runs,
            {pk: str(character.player) for pk, character in played.items()}, whole, odds)

    def view(self, viewer: Perspective, faces: frozenset[str]) -> Drawn | None:
        """What this viewer may see of it, who knows these by their face alone; None where it can't be shown.

        Where only the odds in it fail, it is shown without them.
        """
        def seen(odds: bool) -> Drawn:
            return self.procedure.seen(self.state, self.sheets_for(faces), replace(viewer, odds=odds), self.asks)

        whole = contained(self.contest, lambda: seen(True), None) if viewer.odds and not self.is_broken else None
        return whole or self._ask(lambda: seen(False), None)

    @cached_property
    def named(self) -> list[str]:
        """The ids of its sheets: those of the setup, then those whose numbers count in it by now."""
        return self._ask(lambda: in_it(self.procedure, self.contest, self.folded), [])

    @property
    def hidden(self) -> frozenset[str]:
        """Those of whom not everybody knows all."""
        return frozenset(pk for pk, character in self.characters.items() if character.hidden)

    @property
    def has_faces(self) -> bool:
        """Whether numbers count in it of somebody of whom not everybody knows all."""
        return not self.hidden.isdisjoint(self.named)

    def sheets_for(self, faces: frozenset[str]) -> dict[str, Sheet]:
        """The sheets as somebody has them who knows these by their face alone."""
        return {pk: sheet.face if pk in faces else sheet for pk, sheet in self.sheets.items()}

    def offers_for(self, faces: frozenset[str]) -> tuple[Offer, ...]:
        """Every legal act, in words that tell nothing of these."""
        return self._offers(self.sheets_for(faces)) if faces else self.offers

    def offer(self, action: str, by: str) -> Offer | None:
        """The offer of this action to this sheet ("" for the GM's), or None."""
        return find(self.offers, action, by)

    def forecast(
        self, by: str, action: str, given: Mapping[str, Value], faces: frozenset[str] = frozenset()
    ) -> Forecasts:
        """The odds of an act, as (against whom, odds); nothing while it can't be done.

        Raises `NotKnown` where they count somebody's numbers of whom whoever asks knows the face alone (`faces`).
        """
        sheets, counted = self.sheets_for(faces), Withheld(self.sheets, faces)

        def told() -> Forecasts | NotKnown:
            try:
                return self.procedure.forecast(self.state, sheets, by, action, given, counted)
            except BadMove:
                return ()
            except NotKnown as unknown:
                return unknown

        # Odds that fail are not told; the contest itself may well be shown.
        answer = () if self.is_broken else contained(self.contest, told, ())
        if isinstance(answer, NotKnown):
            raise answer
        return answer


MET = Q(hidden=False) | Q(face=True)  # of whom players know all, or the face


def in_it(procedure: Procedure[Any], contest: Contest, folded: Any) -> list[str]:
    """The ids of a contest's sheets: those of the setup, then those whose numbers count in it by now."""
    counted = () if folded is UNREADABLE else procedure.involved(folded)
    named = (*procedure.taking_part(json.loads(contest.setup)), *counted)
    return [pk for pk in dict.fromkeys(named) if _is_id(pk)]


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
        folded = FOLDS.kept(contest.last, contest.events) or readable(procedure, contest)
        return Position(contest, procedure, folded, taking_part(procedure, contest, folded), campaign.head_seq)
    return None


@compiled_once
def _contest(campaign: uuid.UUID, pk: uuid.UUID) -> QuerySet[Any]:
    contests = Contest.objects.select_related("scene").filter(campaign=campaign, pk=pk)
    return contests.annotate(last=Subquery(LAST.values("pk")[:1]))


def taking_part(procedure: Procedure[Any], contest: Contest, folded: Any) -> Cast:
    """Who takes part, in the order of the setup, then who else in the scene may do something in it. Two queries."""
    ids, campaign = contained(contest, lambda: in_it(procedure, contest, folded), []), contest.campaign
    near = (contest.scene_id, campaign.scene_id if procedure.casting.onward else None)
    scenes = [pk for pk in near if pk] if procedure.casting.bystanders else []
    characters: dict[str, Character] = {}
    pools: dict[str, list[Pool]] = {}
    # One row for each pool of each, which may have nothing on the sheet.
    for row in _among(campaign.pk, [uuid.UUID(pk) for pk in ids], scenes or None,
                      campaign.scene_id, procedure.casting.open):
        one = characters.setdefault(str(row.pk), row)
        if row.pool:
            known = {"id": row.pool, "campaign_id": row.campaign_id, "character_id": row.pk, "name": row.called,
                     "value": row.held}
            pools.setdefault(str(one.pk), []).append(Pool.from_db(row._state.db, list(known), list(known.values())))
    traits: dict[str, list[Trait]] = {}
    for line in lines_of([character.pk for character in characters.values()]):
        traits.setdefault(str(line.character_id), []).append(line)
    return Cast(lined_up(ids, characters), traits, pools, campaign.head_seq)


def lined_up(ids: Sequence[str], people: Mapping[str, Character]) -> dict[str, Character]:
    """People of a contest as its pages show them: those of the setup in its order, then who else may do something in
    it, as a scene lists them."""
    others = sorted(people, key=lambda pk: (people[pk].npc, people[pk].name, pk))
    return {pk: people[pk] for pk in (*ids, *others) if pk in people}


@compiled_once
def _among(
    campaign: uuid.UUID, ids: list[uuid.UUID], near: list[uuid.UUID] | None, here: uuid.UUID | None, open_to_all: bool,
) -> QuerySet[Any]:
    """Those of these ids, who is in the scenes `near`, and where it is open to all, PCs and the NPCs who are `here`."""
    among = Q(pk__in=ids)
    if open_to_all:
        there = Presence.objects.filter(scene=here).values("character_id")
        fit = Q(retired=False, hidden=False, dead=False)
        among |= Q(fit, player__isnull=False) | Q(fit, pk__in=there, npc=True)
    if near:
        there = Presence.objects.filter(scene__pk__in=near).values("character_id")
        among |= Q(MET, pk__in=there, retired=False)
    characters = Character.objects.filter(among, campaign=campaign).select_related("player__user").defer("story")
    characters = characters.annotate(pool=F("pools__pk"), held=F("pools__value"), called=F("pools__name"))
    return characters.order_by("npc", "name", "pk", "pools__name")


@dataclass(frozen=True)
class Held:
    """What a campaign holds by itself: what is in its pools, and the id of its latest session."""

    pools: tuple[tuple[str, int], ...]
    session: str


def campaign_context(
    contest: Contest, procedure: Procedure[Any], held: Held | None = None
) -> CampaignContext:
    """What the campaign holds beside a contest. What of it is asked for is read then."""
    if not isinstance(procedure, KnowsCampaign):
        return CampaignContext()
    campaign = contest.campaign
    pools: Any = held.pools if held else SimpleLazyObject(lambda: tuple(all_held(campaign).items()))
    session = held.session if held else str(campaign.session_id or _latest_session(campaign))
    past: Any = SimpleLazyObject(lambda: _past(contest, procedure))
    prepared: Any = SimpleLazyObject(lambda: prepared_in(campaign))
    return CampaignContext(
        pools, past, prepared, session, str(contest.scene_id or ""), str(campaign.scene_id or ""),
        SimpleLazyObject(lambda: away_from(contest)),  # type: ignore[arg-type]
        SimpleLazyObject(lambda: waiting_here(campaign)),  # type: ignore[arg-type]
        SimpleLazyObject(lambda: campaign.settings))  # type: ignore[arg-type]


def suggestions(campaign: Campaign, procedure: Procedure[Any]) -> tuple[Suggestion, ...]:
    """What a new contest of this kind could be about, in the scene that is on."""
    if not isinstance(procedure, KnowsCampaign):
        return ()
    return procedure.suggestions(campaign_context(Contest(campaign=campaign, scene_id=campaign.scene_id), procedure))


def choices(campaign: Campaign, procedure: Procedure[Any]) -> Mapping[str, Options]:
    """What the form of a new contest of this kind may name of the campaign."""
    if not isinstance(procedure, KnowsCampaign):
        return {}
    return procedure.choices(campaign_context(Contest(campaign=campaign, scene_id=campaign.scene_id), procedure))


def _latest_session(campaign: Campaign) -> uuid.UUID | str:
    sessions = Session.objects.filter(campaign=campaign).order_by("-number").values_list("pk", flat=True)
    return sessions.first() or ""


def _past(contest: Contest, procedure: KnowsCampaign[Any]) -> tuple[PastContest, ...]:
    """The latest contests of those that it remembers beside this one, or all of its scene where it is told of those,
    oldest first: two queries, one where all are known."""
    campaign, kinds = contest.campaign, list(procedure.remembers)
    if procedure.of_scene and contest.scene_id:
        known = list(_in_scene(campaign.pk, contest.pk, kinds, contest.scene_id))
    else:
        known = list(_earlier(campaign.pk, contest.pk, kinds)) if kinds else []
    states = {past.pk: FOLDS.kept(past.last, past.events) for past in known}
    prefetch_related_objects(
        [past for past in known if states[past.pk] is None],
        Prefetch("log", ContestEvent.objects.order_by("number")),
    )
    folded = ((past, states[past.pk] or readable(procedure_of(campaign, past.kind), past))
             for past in sorted(known, key=lambda past: past.first or 0))
    return tuple(
        PastContest(
            past.first or 0, past.title, bool(past.scene and past.scene.session_id == campaign.session_id), state,
            str(past.scene_id or ""), past.over)
        for past, state in folded if state is not UNREADABLE  # what can't be read is passed over
    )


@compiled_once
def _earlier(campaign: uuid.UUID, beside: uuid.UUID, kinds: list[str]) -> QuerySet[Any]:
    return _beside(campaign, beside, kinds).order_by("over", "-scene__opened", "pk")[:MOST_PAST]


@compiled_once
def _in_scene(campaign: uuid.UUID, beside: uuid.UUID, kinds: list[str], scene: uuid.UUID) -> QuerySet[Any]:
    return _beside(campaign, beside, kinds).filter(scene=scene).order_by("pk")


def _beside(campaign: uuid.UUID, beside: uuid.UUID, kinds: list[str]) -> QuerySet[Any]:
    first = Change.objects.filter(campaign=campaign, object_id=OuterRef("pk"), field="").order_by("seq")
    contests = Contest.objects.filter(campaign=campaign, kind__in=kinds).exclude(pk=beside).select_related("scene")
    contests = contests.annotate(last=Subquery(LAST.values("pk")[:1]), first=Subquery(first.values("seq")[:1]))
    return contests.defer("setup", "scene__text")
