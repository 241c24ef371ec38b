"""What a scene and a session came to, for whoever looks: what was done, who grew, what is owed, what comes next."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from django.urls import reverse

from campaigns.access import Viewer
from campaigns.telling import Sentence
from characters.models import Character
from play import queries, session_summary
from play.contexts.contest_named import ContestContext, contest_context
from play.contexts.pending import PendingAllocationRow, pending_allocations
from play.contexts.session_summary import CharacterAwards, awards_by_character
from play.contexts.sessions import SceneContext, story_context
from play.deeds import Deed, deeds
from play.forms.contest import OfferForm, StartForm
from play.forms.journals import JournalForm
from play.growth_told import Moved, moved_in
from play.journals import done_then, draft_key, own_journal, writes_as
from play.models import Scene, Session
from play.stories import stories
from rules.procedure import ExperienceRule, Offer
from rules.sheet import Sheet


@dataclass(frozen=True)
class Review:
    """What the GM can go through once a session is over, with one press: a kind of contest, and the names of who
    carries something that lasts."""

    slug: str
    label: str
    names: tuple[str, ...]
    form: Callable[[], StartForm]


@dataclass(frozen=True)
class Tried:
    """Somebody with the lines that they used in the session, each with where it can be raised now, "" for nowhere; and
    the advance that they make, None where they make none."""

    pk: uuid.UUID
    name: str
    lines: tuple[tuple[Deed, str], ...]
    advance: Advance | None


@dataclass(frozen=True)
class Advance:
    """An advance made of what was used: each line (name, score, score after it). `form` takes it with one press, None
    where something else is to be chosen first; `others` is where something else can be chosen."""

    action: str
    lines: tuple[tuple[str, str, str], ...]
    form: Callable[[], OfferForm] | None
    others: str


def scenes_of(viewer: Viewer, session: Session) -> list[SceneContext]:
    """The scenes of a session with what came of their contests, in the order of play. Three queries."""
    told = stories(viewer, [session])
    return [
        SceneContext(scene.pk, scene.title, scene.text, stories=tuple(
            story_context(story) for story in told.get(scene.pk, ())))
        for scene in Scene.objects.filter(session=session).order_by("number")]


def last_scene(viewer: Viewer, session: Session | None) -> SceneContext | None:
    """The scene that has just ended, while the session goes on and no other is on."""
    if session is None or viewer.campaign.scene_id or session.closed:
        return None
    scenes = scenes_of(viewer, session)
    return scenes[-1] if scenes else None


def recap_begins(viewer: Viewer, session: Session) -> str:
    """How a recap may begin: each scene, with what came of its contests."""
    paragraphs = [f"{scene.title}. {' '.join(f'{story.title}: {story.brief}' for story in scene.stories)}".strip()
                  for scene in scenes_of(viewer, session)]
    return "\n\n".join(paragraphs)


@dataclass(frozen=True)
class EveningAfter:
    """What the page of a session that is over shows: the viewer's own `characters`, to the GM the `scenes` with what
    came of them and the contests `left_open`, to a player what they have `done`; who `grew`, which numbers `moved` by
    name, what was `tried`, what is owed (`pending_allocations`) and may be gone through (`reviews`); the viewer's
    `journal`, kept as `draft`."""

    characters: list[str]
    scenes: list[SceneContext]
    left_open: list[ContestContext]
    done: list[Sentence]
    grew: list[CharacterAwards]
    moved: list[tuple[str, tuple[Moved, ...]]]
    tried: list[Tried]
    rule: ExperienceRule | None
    pending_allocations: tuple[PendingAllocationRow, ...]
    reviews: list[Review]
    journal: Callable[[], JournalForm] | None
    draft: str


def evening_after(viewer: Viewer, session: Session) -> EveningAfter:
    """What a session came to, for who looks at its page."""
    own = writes_as(viewer) if viewer.plays else []
    when = session_summary.span(viewer, str(session.pk))
    awards = session_summary.awards(viewer, when)
    grew = awards_by_character(awards, session_summary.sheets(viewer, awards))
    mine = {character.pk for character in own}
    whose = queries.known(viewer).filter(npc=False, retired=False, player__isnull=False).order_by("name", "pk")
    played = list(whose if viewer.runs else whose.filter(player=viewer.member))
    moved = moved_in(viewer, when, played)
    used = deeds(viewer, when, [character.pk for character in played], awards)
    return EveningAfter(
        characters=[character.name for character in own if not character.npc and not character.retired],
        scenes=scenes_of(viewer, session) if viewer.runs else [],
        left_open=[contest_context(contest) for contest in queries.left_open(viewer)],
        done=[] if viewer.runs else done_then(viewer, session, None, own),
        grew=[grown for grown in grew if viewer.runs or grown.id in mine],
        moved=[(character.name, moved[character.pk]) for character in played if character.pk in moved],
        tried=[_tried(viewer, character, used[character.pk]) for character in played if character.pk in used],
        rule=viewer.campaign.rules.experience_rule,
        pending_allocations=pending_allocations(queries.pending_allocations(viewer)),
        reviews=_reviews(viewer) if viewer.runs and not viewer.campaign.session_id else [],
        journal=(lambda: JournalForm(viewer, own_journal(viewer, session.pk), own)) if viewer.plays else None,
        draft=draft_key(viewer, session.pk),
    )


def _tried(viewer: Viewer, character: Character, used: tuple[Deed, ...]) -> Tried:
    """Prefetch `traits` and `pools`."""
    campaign, sheet = viewer.campaign, character.sheet()
    growing, _ = campaign.rules.growth.advance
    actions_now = campaign.rules.sheet.actions(sheet, campaign.settings) if growing else ()
    advance = next((offer for offer in actions_now if offer.action == growing), None)
    bought = {purchase.trait for purchase in campaign.rules.growth.purchases(sheet, campaign.settings)}
    actions = reverse("sheet_actions", args=[campaign.slug, character.pk])
    grow = reverse("grow", args=[campaign.slug, character.pk]) if bought else ""
    return Tried(character.pk, character.name, tuple(
        (deed, f"{actions}?raise={deed.trait}#action-{growing}" if advance else
         f"{grow}?line={deed.trait}" if str(deed.trait) in bought else "") for deed in used),
        _advance(viewer, sheet, used, advance, actions) if advance else None)


def _advance(
    viewer: Viewer, sheet: Sheet, used: tuple[Deed, ...], offer: Offer, actions: str
) -> Advance | None:
    """The advance that this offer makes of what was used."""
    campaign = viewer.campaign
    made = campaign.rules.growth.advance_of(sheet, [str(deed.trait) for deed in used], campaign.settings)
    if made is None:
        return None
    form = partial(OfferForm, replace(offer, now=made.values)) if made.complete else None
    return Advance(offer.action, made.lines, form, f"{actions}?raise={used[0].trait}#action-{offer.action}")


def _reviews(viewer: Viewer) -> list[Review]:
    reviews = []
    for kind in queries.startable(viewer):
        names = [carrier.name for carrier in queries.carriers(viewer, kind)] if kind.casting.carrying else []
        if names:
            people = queries.may_take_part(viewer, kind)
            reviews.append(Review(kind.slug, kind.start_label, tuple(names), partial(StartForm, viewer, kind, *people)))
    return reviews
