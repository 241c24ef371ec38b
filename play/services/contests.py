"""Contests of several rounds: set up by the GM, carried on by whoever's turn it is, each act an entry."""
from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db.models import Min

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Change, Entry, Member, Role
from characters.models import Character
from characters.queries import sheets
from play.models import Contest, ContestEvent, Prepared, Presence, Scene, Session
from play.services.bank import spec_of
from play.services.pools import apply, held
from rules.codec import canonical
from rules.contests import Around, ContestKind, Past, Turn
from rules.moves import Need
from rules.sheet import Sheet
from rules.tables import Reckoned
from rules.values import BadMove, Value

MOST_PAST = 60  # earlier contests that a kind may be told of


def kind_of(campaign: Campaign, name: str) -> ContestKind[Any, Any]:
    """The kind of contest of this name in the campaign's game; raises `Refused`."""
    for kind in campaign.rules.contests:
        if kind.name == name:
            return kind
    raise Refused("This game has no such contest.", "kind")


def state_of(contest: Contest) -> Any:
    """The contest as its events tell it, placed in what the campaign holds. Prefetch `told`."""
    kind = kind_of(contest.campaign, contest.kind)
    state = _folded(contest, kind)
    return kind.placed(state, around(contest, kind)) if kind.remembers else state


def _folded(contest: Contest, kind: ContestKind[Any, Any]) -> Any:
    state = kind.blank()
    for event in sorted(contest.told.all(), key=lambda each: each.number):
        state = kind.evolve(state, kind.read(json.loads(event.text)))
    return state


def around(contest: Contest, kind: ContestKind[Any, Any]) -> Around:
    """What the campaign holds beside a contest: shared pools, the latest contests that it remembers, the bank."""
    campaign = contest.campaign
    earlier = Contest.objects.filter(campaign=campaign, kind__in=kind.remembers).exclude(pk=contest.pk)
    known = list(earlier.select_related("scene").prefetch_related("told").order_by("-scene__opened", "pk")[:MOST_PAST])
    marks = Change.objects.filter(campaign=campaign, object_id__in=[each.pk for each in known], field="")
    first = dict(marks.values("object_id").annotate(first=Min("seq")).values_list("object_id", "first"))
    past = tuple(
        Past(first.get(each.pk, 0), each.title, bool(each.scene and each.scene.session_id == campaign.session_id),
             _folded(each, kind_of(campaign, each.kind)))
        for each in sorted(known, key=lambda each: first.get(each.pk, 0))
    )
    pools = tuple((each.name, held(campaign, each.name)) for each in campaign.rules.shared_pools)
    bank = Prepared.objects.filter(campaign=campaign).order_by("name", "pk")[:200] if campaign.rules.bank else ()
    prepared = tuple((str(each.pk), each.name, spec_of(each)) for each in bank)
    return Around(pools, past, prepared, str(campaign.session_id or _latest_session(campaign)))


def _latest_session(campaign: Campaign) -> uuid.UUID | str:
    found = Session.objects.filter(campaign=campaign).order_by("-number").values_list("pk", flat=True)
    return found.first() or ""


@trail.answers_once
def start(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, share: str, kind: str, title: str,
    setup: Mapping[str, Value], characters: Sequence[uuid.UUID],
) -> Entry:
    """Starts a contest in the scene that is on, between characters that everybody may know of. Raises `BadMove`."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, kind="contest.start", title=title) as entry:
        rules = kind_of(entry.campaign, kind)
        scene = _scene(entry, rules)
        found = list(Character.objects.filter(campaign=campaign, pk__in=list(characters)))
        _may_start(actor, rules, found, characters)
        taking_part = sheets(campaign, characters)
        turn = _throw(entry, share, lambda faces: rules.start(setup, taking_part, faces))
        contest = entry.create(Contest(
            id=id_from(campaign, op_id), campaign=entry.campaign, scene=scene, kind=kind, title=title,
            setup=canonical(setup),
        ))
        entry.about(contest.pk, *([scene.pk] if scene else []), *(uuid.UUID(each) for each in taking_part))
        _tell(entry, contest, rules, turn, {"setup": setup})
    return entry.written


@trail.answers_once
def act(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, share: str, contest_id: uuid.UUID, by: str, action: str,
    given: Mapping[str, Value],
) -> Entry:
    """Does what is offered to the character `by` ("" for what only the GM may). Raises `BadMove` in words."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, kind=f"contest.{action}", title="") as entry:
        contest = entry.fresh(Contest, pk=contest_id)
        if contest.over:
            raise Refused("This contest is over.")
        _may(actor, campaign, by)
        rules, state = kind_of(entry.campaign, contest.kind), state_of(contest)
        taking_part = sheets_in(contest)
        if any(each.personal and (each.action, each.by) == (action, by) for each in rules.offers(state, taking_part)):
            _personally(actor, campaign, by)
        turn = _throw(
            entry, share, lambda faces: rules.act(state, taking_part, by, action, given, faces)
        )
        who = taking_part[by].name if by in taking_part else contest.title
        if turn.sealed:
            entry.audience = trail.GM if actor.may(Role.GM) else str(actor.pk)
        entry.title = turn.outcome.steps[0].text if turn.outcome.steps else f"{who}: {action}"
        entry.about(contest.pk, *([uuid.UUID(by)] if by else []))
        _tell(entry, contest, rules, turn, {"by": by, "who": who, "action": action, "given": given})
    return entry.written


def _scene(entry: trail.Draft, rules: ContestKind[Any, Any]) -> Scene | None:
    if rules.everybody:
        if Contest.objects.filter(campaign=entry.campaign, kind=rules.name, over=False).exists():
            raise Refused(f"{rules.title}: that is going on already. End it first.")
        return None
    if not entry.campaign.scene_id:
        if rules.needs_scene:
            raise Refused("Open a scene first: a contest takes place in one.")
        return None
    scene = entry.fresh(Scene, pk=entry.campaign.scene_id)
    if rules.exclusive and Contest.objects.filter(scene=scene, over=False, kind__in=exclusive(entry.campaign)).exists():
        raise Refused("A contest is going on in this scene. End it first.")
    return scene


def exclusive(campaign: Campaign) -> list[str]:
    """The kinds of contest of which a scene holds one at a time."""
    return [kind.name for kind in campaign.rules.contests if kind.exclusive]


def _may_start(
    actor: Member, rules: ContestKind[Any, Any], characters: list[Character], ids: Sequence[uuid.UUID]
) -> None:
    if hidden := next((each for each in characters if each.hidden), None):
        raise Refused(f"{hidden.name} is hidden. Show {hidden.name} to the players first.", "characters")
    if actor.may(Role.GM):
        return
    if not rules.open_to_players or not actor.may(Role.PLAYER):
        raise Refused("Only the GM can start this.")
    # One's own contest may name somebody else beside, where the rules have a place for them.
    own = ids[:1] if rules.seats == "one" else ids
    if other := next((each for each in characters if each.pk in own and each.player_id != actor.pk), None):
        raise Refused(f"{other.name} is not yours to play.", "who")


def forecast(contest: Contest, by: str, action: str, given: Mapping[str, Value]) -> tuple[tuple[str, Reckoned], ...]:
    """The odds of an act, as (against whom, odds); nothing while it can't be done."""
    try:
        return kind_of(contest.campaign, contest.kind).forecast(
            state_of(contest), sheets_in(contest), by, action, given
        )
    except BadMove:
        return ()


def sheets_in(contest: Contest) -> dict[str, Sheet]:
    """The sheets of everybody in a contest, by id as text."""
    kind = kind_of(contest.campaign, contest.kind)
    ids = list(kind.taking_part(json.loads(contest.setup)))
    if kind.onlookers and contest.scene_id:
        here = Presence.objects.filter(scene_id=contest.scene_id, character__hidden=False)
        ids += [str(pk) for pk in here.values_list("character_id", flat=True) if str(pk) not in ids]
    return sheets(contest.campaign, ids)


def id_from(campaign: Campaign, op_id: uuid.UUID) -> uuid.UUID:
    """The id of the contest that this operation starts. The campaign is in it: operations of others may be known."""
    return uuid.uuid5(op_id, f"contest {campaign.pk}")


def _may(actor: Member, campaign: Campaign, by: str) -> None:
    if actor.may(Role.GM):
        return
    if not by:
        raise Refused("Only the GM can do this.")
    mine = Character.objects.filter(campaign=campaign, player=actor).values_list("pk", flat=True)
    if by not in {str(pk) for pk in mine}:
        raise Refused("This is not your character's turn to take.")


def _personally(actor: Member, campaign: Campaign, by: str) -> None:
    """What only a character's own player may say; where nobody plays it, the GM says it."""
    character = Character.objects.select_related("player__user").get(campaign=campaign, pk=by)
    if character.player_id not in (None, actor.pk):
        raise Refused(f"Only {character.player} can say this for {character.name}.")


def _throw(
    entry: trail.Draft, share: str, ask: Callable[[Sequence[int]], Turn[Any] | Need]
) -> Turn[Any]:
    """Rolls what an act wants, as often as it asks."""
    faces: list[int] = []
    while isinstance(answer := ask(tuple(faces)), Need):
        faces += entry.roll(answer.sides, share)
    return answer


def _tell(
    entry: trail.Draft, contest: Contest, rules: ContestKind[Any, Any], turn: Turn[Any], move: dict[str, Value]
) -> None:
    """Keeps the events and what explains them; applies the effects."""
    for number, event in enumerate(turn.events, contest.events + 1):
        text = canonical(rules.write(event))
        entry.create(ContestEvent(campaign=entry.campaign, contest=contest, number=number, text=text))
    entry.change(contest, events=contest.events + len(turn.events))
    told = Contest.objects.select_related("campaign").prefetch_related("told").get(pk=contest.pk)
    over = rules.is_over(state_of(told))
    if over != contest.over:
        entry.change(contest, over=over)
    apply(entry, turn.effects)
    entry.move({"contest": str(contest.pk), **move}, turn.outcome)
