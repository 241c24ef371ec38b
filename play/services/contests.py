"""Contests of several rounds: set up by the GM, carried on by whoever's turn it is, each act an entry."""
from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import reduce
from types import MappingProxyType
from typing import Any

from django.db import Error as DatabaseError

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role, View
from campaigns.trail.visible import payload_of
from characters.cast import NOBODY, Cast, under_lock
from characters.models import Character
from characters.queries import known_to
from characters.services import sight
from play import word
from play.models import Contest, ContestEvent
from play.services import on_scene, reading_again, uses
from play.services.folds import FOLDS, contained
from play.services.pools import apply
from play.services.position import (
    GET_OUT,
    Position,
    campaign_context,
    find_position,
    procedure_of,
    taking_part,
)
from rules.codec import canonical
from rules.engine import KnowsCampaign, Procedure
from rules.moves import Need
from rules.procedure import ActResult, ReadingOffer, Use
from rules.values import BadMove, Value

log = logging.getLogger(__name__)

CONTESTS = trail.Filter("contests", "Contests")
trail.declare("contest.start", "A contest begins", CONTESTS, felt=True, waits=True)
trail.declare("contest.", "Something in a contest", CONTESTS, felt=True, waits=True)
trail.declare("contest.call_off", "A contest is called off", CONTESTS, felt=True)

NOT_WRITTEN = "contest.not-written"
REFUSED = (
    "Nothing of this was saved, because the rules can’t go on from what came of it. {}Try something else. In a "
    "contest that goes on the GM can also undo the last entry, or end it.")
USED_UP = REFUSED.format("The dice that fell are used up, as the Ledger says. ")
BROKEN = "This contest can’t be shown. The GM can undo its last entry, or call it off."
trail.declare(NOT_WRITTEN, "Dice are used up", CONTESTS, undoable=False, refusal=USED_UP)


class Unshowable(Exception):
    """What would come of an act can't be shown; the log has the reason."""


@trail.answers_once
def start(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, client_seed: str, kind: str, title: str,
    setup: Mapping[str, Value], characters: Sequence[uuid.UUID], known: Cast = NOBODY, needs: Role = Role.PLAYER,
    faces: Sequence[uuid.UUID] = (), sees: Mapping[uuid.UUID, View] = MappingProxyType({}),
    part_of: list[trail.Draft] | None = None,
) -> Entry:
    """Starts a contest in the scene that is on, between characters that everybody may know of. Raises `BadMove`.

    `known` is what the request has read of them already, `needs` the role that it takes. From now on `faces` are seen
    by their face, and of things of the library so much as `sees` says. `part_of`: see `trail.together`.
    """
    with trail.together(campaign) if faces and part_of is None else nullcontext(part_of) as whole:
        for face in faces:
            sight.face(campaign=campaign, actor=actor, op_id=uuid.uuid5(op_id, f"face {face}"), character_id=face)
        with trail.entry(
            campaign=campaign, actor=actor, op_id=op_id, needs=needs, kind="contest.start", title=title, part_of=whole
        ) as entry:
            on_scene.all_seen(entry, sees)
            rules = procedure_of(entry.campaign, kind)
            scene = scene_for(entry, rules)
            cast = under_lock(entry, characters, known) if characters else NOBODY
            playing = {pk: character for pk, character in cast.characters.items() if character.pk in set(characters)}
            if not rules.allowed_by(entry.campaign.settings):
                raise Refused(f"This campaign’s settings leave this out: {rules.title.lower()}.")
            may_start(entry.actor, rules, list(playing.values()), characters)
            taking_part = {pk: sheet for pk, sheet in cast.with_provenance(entry.campaign).items() if pk in playing}
            if isinstance(rules, KnowsCampaign):
                around = Contest(campaign=entry.campaign, scene_id=scene)
                with _whole_or_not(entry, title):
                    rules.may_start(setup, campaign_context(around, rules), taking_part)
            result = throw(entry, client_seed, title, lambda faces: rules.start(setup, taking_part, faces))
            contest = Contest(
                id=id_from(campaign, op_id), campaign=entry.campaign, scene_id=scene, kind=kind, title=title,
                setup=canonical(setup),
            )
            entry.index(contest.pk, *([scene] if scene else []), *(uuid.UUID(pk) for pk in taking_part))
            if any(character.hidden for character in playing.values()):
                entry.audience = trail.GM  # the order may tell a rank; the contest itself is seen by all
            tell(entry, Position(contest, rules, rules.blank(), cast, 0), result, {"setup": setup})
    return entry.written


@trail.answers_once
def act(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, client_seed: str, contest_id: uuid.UUID, by: str,
    action: str, given: Mapping[str, Value], position: Position | None = None, typed: Sequence[int] = (),
) -> Entry:
    """Does what is offered to the character `by` ("" for what only the GM may). Raises `BadMove` in words.

    `position` is what the request has read already; it serves as long as nothing moved before the lock was held.
    """
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind=f"contest.{action}") as entry:
        entry.typed(typed)
        now = _position(entry, contest_id, position)
        if now.contest.over and action not in now.afterwards:
            raise Refused("This contest is over.")
        offer, runs = now.offer(action, by), entry.actor.may(Role.GM)
        if offer:
            offer = word.in_contest(entry.campaign, offer, runs=runs, scene=now.contest.scene_id)
        if now.is_broken:
            raise Refused(BROKEN)
        _may(entry.actor, now, by, personal=offer is not None and offer.personal)
        if offer is None:
            told = now.sheets_for(now.hidden)
            why = contained(now.contest, lambda: now.procedure.why_not(now.state, told, by), BROKEN)
            raise Refused(why, "action")
        first = now.reading if isinstance(offer, ReadingOffer) else None
        if first and isinstance(offer, ReadingOffer) and offer.takes_back:
            reading_again.as_before(entry, now.contest, first)
            now = _position(entry, contest_id, None)
        entry.index(now.contest.pk, *([uuid.UUID(by)] if by else []))
        entry.audience = trail.GM if runs and now.has_faces else trail.ALL  # until it is known what came of it
        result = throw(
            entry, client_seed, now.contest.title,
            lambda faces: now.procedure.perform(now.state, now.sheets, offer, given, faces))
        entry.audience = first.audience if first else _audience(entry, now, result)
        who = now.sheets[by].name if by in now.sheets else now.contest.title
        entry.title = result.steps[0].text if result.steps else f"{who}: {action}"
        move: dict[str, Value] = {"by": by, "who": who, "action": action, "given": given}
        tell(entry, now, result, move)
    return entry.written


def _audience(entry: trail.Draft, now: Position, result: ActResult[Any]) -> str:
    """Who reads what came of an act."""
    runs = entry.actor.may(Role.GM)
    if result.sealed:
        return trail.GM if runs else str(entry.actor.pk)
    if runs and not result.dice:
        with _whole_or_not(entry, now.contest.title):
            after = now.moved_to(reduce(now.procedure.evolve, result.events, now.folded))
        if now.has_faces or after.has_faces:
            return trail.GM  # what is used is told by the dice, as at a table
    return trail.ALL


def _position(entry: trail.Draft, contest_id: uuid.UUID, known: Position | None) -> Position:
    """The contest under the lock: what is known of it where nothing has moved since, else as it is now."""
    if known is not None and known.contest.pk == contest_id and known.head == entry.campaign.head_seq:
        return known
    now = find_position(entry.campaign, contest_id)
    if now is None:
        raise Refused("This no longer exists. Reload the page.")
    return now


def scene_for(entry: trail.Draft, rules: Procedure[Any]) -> uuid.UUID | None:
    """The id of the scene that a procedure starts in, None for none; raises `Refused` where it can't start now."""
    everyone = rules.casting.who == "everyone"
    scene: uuid.UUID | None = None if everyone else entry.campaign.scene_id
    if not everyone and not scene and rules.placement.needs_scene:
        raise Refused("Open a scene first: a contest takes place in one.")
    if why := in_its_place(entry.campaign, rules, scene):
        raise Refused(why)
    return scene


def in_its_place(
    campaign: Campaign, rules: Procedure[Any], scene: uuid.UUID | None, beside: uuid.UUID | None = None
) -> str:
    """That another contest than the one `beside` it goes on where only one may, in a sentence; "" where none does."""
    others = Contest.objects.filter(campaign=campaign, over=False)
    others = others.exclude(pk=beside) if beside else others
    if rules.casting.who == "everyone":
        going_on = others.filter(kind=rules.name).exists()
        return f"{rules.title}: one is already in progress. Finish it first." if going_on else ""
    if not scene or not rules.placement.exclusive:
        return ""
    going_on = others.filter(scene=scene, kind__in=exclusive(campaign)).exists()
    return "A contest is in progress in this scene. Finish it first." if going_on else ""


def exclusive(campaign: Campaign) -> list[str]:
    """The kinds of contest of which a scene holds one at a time."""
    return [kind.name for kind in campaign.rules.procedures if kind.placement.exclusive]


def open_in(scene_id: uuid.UUID | None, campaign: Campaign) -> list[Contest]:
    """What a scene asks about before it closes, because it is still open."""
    asking = [kind.name for kind in campaign.rules.procedures if kind.placement.asks_to_close]
    if not asking or not scene_id:
        return []
    return list(Contest.objects.filter(campaign=campaign, scene=scene_id, over=False, kind__in=asking).order_by("pk"))


def may_start(
    actor: Member, rules: Procedure[Any], characters: list[Character], ids: Sequence[uuid.UUID]
) -> None:
    """Refuses who may not start this with these characters, the one who acts first in it."""
    if hidden := next((character for character in characters if character.view is View.NOTHING), None):
        raise Refused(f"{hidden.name} is hidden. Show {hidden.name} to the players first.", "characters")
    if actor.may(Role.GM):
        return
    if not rules.placement.open_to_players or not actor.may(Role.PLAYER):
        raise Refused("Only the GM can start this.")
    # One's own contest may name somebody else beside, where the rules have a place for them.
    own = ids[:1] if rules.casting.who == "one" else ids
    if other := next((character
                      for character in characters if character.pk in own and character.player_id != actor.pk), None):
        raise Refused(f"{other.name} is not yours to play.", "who")


def id_from(campaign: Campaign, op_id: uuid.UUID) -> uuid.UUID:
    """The id of the contest that this operation starts. The campaign is in it: operations of others may be known."""
    return uuid.uuid5(op_id, f"contest {campaign.pk}")


def _may(actor: Member, now: Position, by: str, *, personal: bool) -> None:
    """Refuses who may not act for this character; what is `personal` is only its own player's to say."""
    character = now.characters.get(by)
    player = now.player_of(by)
    if actor.may(Role.GM):
        if personal and character and player not in (None, actor.pk):
            raise Refused(f"Only {character.player} can say this for {character.name}.")
        return
    if not by:
        raise Refused("Only the GM can do this.")
    if character and character.retired:
        raise Refused(f"{character.name} is retired. Your GM decides what becomes of this.")
    if player != actor.pk:
        raise Refused("It isn’t this character’s turn.")


@contextmanager
def _whole_or_not(entry: trail.Draft, title: str) -> Iterator[None]:
    """Where the rules fail in here nothing of the entry is written, and its dice are used up. `title` is the contest's.

    A bad move is refused as always; what fails in the database is raised.
    """
    try:
        yield
    except (BadMove, DatabaseError):
        raise
    except Exception as error:
        log.exception("An act of the contest “%s” (%s) was not written.", title, entry.kind)
        fell = entry.dice is not None and entry.dice.digest is not None
        told = f"{title}: the dice are used up, and nothing came of them"
        raise trail.NotWritten(USED_UP if fell else REFUSED.format(""), NOT_WRITTEN, told) from error


def throw(
    entry: trail.Draft, client_seed: str, title: str, ask: Callable[[Sequence[int]], ActResult[Any] | Need]
) -> ActResult[Any]:
    """Rolls what an act wants, as often as it asks. `title` is the contest's."""
    faces: list[int] = []
    with _whole_or_not(entry, title):
        while isinstance(answer := ask(tuple(faces)), Need):
            faces += entry.roll(answer.sides, client_seed)
    return answer


def tell(entry: trail.Draft, now: Position, result: ActResult[Any], move: dict[str, Value]) -> None:
    """Keeps what an act leads to, and a new contest itself; raises `NotWritten` where that could not be shown.

    To end a contest is always possible: what the GM does without dice or effects, and ends it with, is kept anyhow.
    """
    with _whole_or_not(entry, now.contest.title):
        begins, folded = now.contest._state.adding, reduce(now.procedure.evolve, result.events, now.folded)
        move |= {"ended": True} if keep(entry, now, folded, result) and not begins else {}
        entry.move({"contest": str(now.contest.pk), **move}, result.outcome)
        if not now.contest.is_routine:  # what the tray rolls, the tray notes
            uses.learn_from(entry, now.contest, _used(now, result), now.cast)
        if now.contest.over and move.get("by") == "" and not (entry.dice or result.effects):
            return
        after = now.moved_to(folded)
        if begins or result.effects or not after.characters.keys() >= set(after.named):
            who = taking_part(now.procedure, now.contest, folded)
            after = Position(now.contest, now.procedure, folded, who, entry.campaign.head_seq)
        can_be_shown(entry.actor, after)


def _used(now: Position, result: ActResult[Any]) -> Iterator[Use]:
    """What was used against what, by the events that follow."""
    state = now.folded
    for event in result.events:
        yield from event.used(state)
        state = now.procedure.evolve(state, event)


def can_be_shown(actor: Member, after: Position) -> None:
    """Makes what pages show of it to whoever acted, to the GM and to a bystander, but for odds; raises `Unshowable`."""
    after.reading = None  # an offer to read dice again shows nothing else than the others: no query for it
    looks = {(None, False): after.hidden, (actor.pk, True): frozenset[str]()}
    if not actor.may(Role.GM):
        looks[actor.pk, False] = after.hidden - _known(actor, after.hidden)
    for (member, runs), faces in looks.items():
        after.offers_for(faces)
        after.view(after.perspective(member, runs=runs, odds=False), faces)
    if after.asks == (GET_OUT,) or after.is_broken:
        raise Unshowable("Nobody could be shown what would come of it.")


def _known(actor: Member, hidden: frozenset[str]) -> set[str]:
    """Those of the hidden of whom this member knows all."""
    characters = known_to(actor.campaign_id, actor.pk, False).filter(pk__in=hidden) if hidden else None
    return set() if characters is None else {str(pk) for pk in characters.values_list("pk", flat=True)}


def keep(entry: trail.Draft, now: Position, folded: Any, result: ActResult[Any]) -> bool:
    """Keeps the events that follow, of a new contest the contest too, and applies the effects; answers whether it is
    over with them."""
    contest, procedure = now.contest, now.procedure
    before = contest.events
    events, over = before + len(result.events), procedure.is_over(folded) or (
        contest.is_routine and procedure.is_settled(folded))
    if contest._state.adding:
        contest.events, contest.over = events, over
        entry.create(contest)
    else:
        entry.trust(contest)
        entry.change(contest, events=events, over=over)
    made = entry.create_all(
        ContestEvent(campaign=entry.campaign, contest=contest, number=number, text=canonical(procedure.write(event)))
        for number, event in enumerate(result.events, before + 1)
    )
    if made:
        FOLDS.keep(made[-1].pk, events, folded)
    apply(entry, result.effects, now.cast)
    return over


@trail.answers_once
def call_off(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, contest_id: uuid.UUID) -> Entry:
    """The GM ends a contest whatever its rules say: nobody asks them. It has no event of it, and comes to nothing."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="contest.call_off"
    ) as entry:
        contest = entry.locked(Contest, pk=contest_id)
        if contest.over:
            raise Refused("This contest is over.")
        entry.title = f"{contest.title}: called off"
        entry.change(contest, over=True)
        entry.index(contest.pk)
        entry.move({"contest": str(contest.pk), "by": "", "who": contest.title, "action": "call_off", "ended": True})
    return entry.written


def is_over_with(written: Entry) -> bool:
    """Whether this entry ended a contest."""
    changes = (payload_of(written) or {}).get("changes", ())
    return any(change["of"] == "contest" and (change["became"] or {}).get("over") for change in changes)


def has_aftermath(campaign: Campaign, contest_id: uuid.UUID) -> bool:
    """Whether the end of this contest is a page of its own."""
    kinds = [procedure.name for procedure in campaign.rules.procedures if procedure.has_aftermath]
    return Contest.objects.filter(campaign=campaign, pk=contest_id, kind__in=kinds).exists()
