"""What a contest shows one viewer: on its own page, and as a card on the table."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from django.http import HttpRequest
from django.template.loader import select_template

from campaigns.access import Viewer
from campaigns.contexts import viewer_context
from campaigns.services.undoing import last_standing
from campaigns.trail import queries as trail
from campaigns.trail.contexts import EntryRow, rows, title_of
from campaigns.trail.visible import head_of
from campaigns.web import ActionForm
from characters.queries import sees_all
from play import word
from play.contexts.contest_named import ContestContext, contest_context
from play.contexts.ending import Ending, ending
from play.contexts.scene_menu import Link
from play.contexts.tray import UNKNOWN
from play.contexts.ways_back import ways_back
from play.contexts.why import explain
from play.forms.afterwords import AfterwordForm
from play.forms.contest import OfferForm
from play.models import Contest
from play.services import afterwords
from play.services.folds import contained
from play.services.position import Position
from rules.common_settings import FACE_ODDS
from rules.engine import Forecasts, find
from rules.procedure import Offer, View
from rules.sheet import NotKnown
from rules.tables import OddsAnswer
from rules.values import Value
from rules.wording import join

ENTRIES = "entries"
UNSHOWN = "play/contest_unshown.html"
LATELY, ALL_OF_IT = 8, 40  # of its entries, on the page of a contest that goes on, and of one that is over

T = TypeVar("T")


@dataclass(frozen=True)
class ParticipantLine:
    """A line of a sheet as it counts now; `within` says that it belongs to the one above."""

    name: str
    notation: str
    damage: int
    within: bool


@dataclass(frozen=True)
class ParticipantRow:
    """How somebody in a contest is doing: the name, and each line of the sheet."""

    id: str
    name: str
    traits: tuple[ParticipantLine, ...]
    known: bool = True  # whether the viewer knows more than the face


@dataclass(frozen=True)
class OutOfIt:
    """A character of the viewer's who can't act: why, and what brings them back."""

    name: str
    why: str
    ways: tuple[Link, ...]


@dataclass(frozen=True)
class Afterword:
    """What came of a contest in the GM's own words, and the form in which a GM says so."""

    words: str
    form: AfterwordForm | None


@dataclass(frozen=True)
class ContestPage:
    """A contest with what the viewer may do now; what is read only where it is drawn is a function."""

    viewer: Viewer
    contest: ContestContext
    view: View | None
    ending: Ending | None
    afterword: Afterword | None  # of one that is over: what came of it in the GM's words
    participants: tuple[ParticipantRow, ...]
    faces: str  # whom of those in it the viewer knows by the face alone
    at_table: bool
    acts: tuple[OfferForm, ...]  # all that are done by somebody in it
    own_acts: tuple[OfferForm, ...]
    offered: Mapping[str, OfferForm]  # the same, by what they are
    for_players: tuple[OfferForm, ...]  # what a GM does in a player's place
    decision: tuple[OfferForm, ...]  # one-tap answers to what is left to decide after the dice
    rulings: tuple[OfferForm, ...]  # the GM's
    waits_for_gm: tuple[str, ...]  # the acts that are asked of the GM
    out: tuple[OutOfIt, ...]
    entries_fetched: bool
    entries: Callable[[], list[EntryRow]]
    latest: Callable[[], str]  # what the first of them is called
    button_form: Callable[[], ActionForm]
    thumb_label: str = "Act"


@dataclass(frozen=True)
class Unshown:
    """A contest that can't be shown, or that was called off from outside; `last` is the entry that the GM can undo."""

    viewer: Viewer
    contest: ContestContext
    gets_out: bool
    last: int | None
    button_form: Callable[[], ActionForm]


def faces_in(viewer: Viewer, position: Position) -> frozenset[str]:
    """Those in a contest of whom the viewer knows the face alone; a query where there are hidden ones."""
    characters = list(position.characters.values())
    known = {str(pk) for pk in sees_all(viewer, characters)}
    return frozenset(pk for pk in position.characters if pk not in known)


def contest_view(viewer: Viewer, position: Position, faces: frozenset[str] = frozenset()) -> View | None:
    """A contest as this viewer may see it, who knows some by their `faces`; None where it can't be shown."""
    return position.view(position.perspective(viewer.member.pk, runs=viewer.runs), faces)


def odds_of_act(
    viewer: Viewer, position: Position, by: str, action: str, given: Mapping[str, Value]
) -> Forecasts:
    """The odds of an act as this viewer may know them; where they count a face's numbers, that they are unknown."""
    faces = faces_in(viewer, position)
    try:
        return position.forecast(by, action, given, faces)
    except NotKnown:
        names = {position.characters[face].name for face in faces}
    if not viewer.campaign.settings[FACE_ODDS]:
        return ((UNKNOWN, OddsAnswer(())),)
    # Odds alone: what they were reckoned from stays on the sheet.
    return tuple((next((name for name in sorted(names) if name in against), "The odds"), OddsAnswer(answer.outcomes))
                 for against, answer in position.forecast(by, action, given))


def explained(viewer: Viewer, position: Position, form: OfferForm) -> OfferForm | None:
    """The form with where what it would roll comes from, as it is filled in; None where its act says no such thing."""
    faces = faces_in(viewer, position)
    if offer := find(position.offers_for(faces), form.offer.action, form.offer.by):
        explain(viewer, position, [(offer, form)], faces)
    return form if any(act.why for act in position.procedure.acts if act.action == form.offer.action) else None


def participant_rows(
    viewer: Viewer, position: Position, faces: frozenset[str] = frozenset()
) -> tuple[ParticipantRow, ...]:
    """Everybody in a contest, with their lines as they count now."""
    notation = viewer.campaign.rules.sheet.notation
    return tuple(
        ParticipantRow(sheet.id, sheet.name, tuple(
            ParticipantLine(line.name, notation(line.kind, line.now), line.damage, within)
            for line, within in sheet.nested), sheet.known)
        for sheet in position.sheets_for(faces).values()
    )


def may_take(viewer: Viewer, position: Position, offer: Offer) -> bool:
    """Whether the viewer may take this offer: the GM nearly all, a player those of their own characters."""
    if not offer.by:
        return viewer.runs
    player = position.player_of(offer.by)
    if viewer.runs:
        return not offer.personal or player in (None, viewer.member.pk)
    return viewer.plays and player == viewer.member.pk


def as_taken(viewer: Viewer, position: Position, offer: Offer) -> Offer | None:
    """The offer as the viewer may take it, None where they may not: what is the GM's word is not in a player's."""
    if not may_take(viewer, position, offer):
        return None
    return word.in_contest(viewer.campaign, offer, runs=viewer.runs, scene=position.contest.scene_id)


def _for_player(viewer: Viewer, position: Position, offer: Offer) -> bool:
    """Whether a GM would take this offer in a player's place."""
    return viewer.runs and position.player_of(offer.by) not in (None, viewer.member.pk)




def drawn(
    viewer: Viewer, position: Position, draw: Callable[[tuple[str, ...], ContestPage | Unshown], T], *,
    refused: OfferForm | None = None, at_table: bool = False, unfolded: Collection[str] = (),
) -> T:
    """What `draw` makes of the templates of a contest and of what they may see, as `contest_page` makes it. Whatever
    fails at the rules or in the templates, the card that says so is drawn instead."""
    def whole() -> T | None:
        page = contest_page(viewer, position, refused=refused, at_table=at_table, unfolded=unfolded)
        shows = not (position.is_broken or position.was_called_off)
        return draw(templates(viewer, position), page) if shows else None

    answer = contained(position.contest, whole, None)
    return draw((UNSHOWN,), unshown(viewer, position)) if answer is None else answer


def unshown(viewer: Viewer, position: Position) -> Unshown:
    """What is said of a contest that can't be shown."""
    contest = position.contest
    gets_out = viewer.runs and not contest.over
    last = last_standing(viewer.campaign, [contest.pk], "events", "over").get(contest.pk) if gets_out else None
    return Unshown(viewer, contest_context(contest), gets_out, last, _button_form)


def templates(viewer: Viewer, position: Position) -> tuple[str, ...]:
    """The game's own template of it, then the plain one."""
    name = position.contest.kind.rpartition(".")[2]
    return f"systems/{viewer.campaign.system}/{name}.html", "play/contest.html"


def contest_page(
    viewer: Viewer, position: Position, *, refused: OfferForm | None = None, at_table: bool = False,
    unfolded: Collection[str] = (),
) -> ContestPage:
    """The contest with what the viewer may do now; a form that was `refused` stands as it was filled in.

    On the table what is folded is fetched when somebody unfolds it: a page names the elements that it has `unfolded`.
    """
    faces = faces_in(viewer, position)
    contest, offered = position.contest, _offered(viewer, position, faces, refused)
    forms = [form for _, form in offered]
    own = [form for form in forms if form.offer.by and not _for_player(viewer, position, form.offer)]
    rulings = [form for form in forms if not form.offer.by]
    asked = {(ask.action, ask.by) for ask in position.asks}
    waiting = [form for form in (*own, *rulings) if (form.offer.action, form.offer.by) in asked]
    several = viewer.runs or len({form.offer.by for form in own}) > 1
    for form in forms:
        form.is_next, form.waits, form.said_of = form in waiting[:1], form in waiting, form.of_whom if several else ""
        form.fetched = at_table and not form.waits and form.offer_id not in unfolded
    # What is one press has no fold from which it could be fetched.
    explain(viewer, position, [(offer, form) for offer, form in offered if form.plain or not form.fetched], faces)
    entries_fetched = at_table and ENTRIES not in unfolded
    size = 1 if entries_fetched else ALL_OF_IT if contest.over else LATELY
    listed = cache(lambda: trail.page(viewer, character=str(contest.pk), size=size).entries)
    return ContestPage(
        viewer=viewer, contest=contest_context(contest), view=contest_view(viewer, position, faces),
        ending=None if at_table else ending(viewer, position, faces),
        afterword=None if at_table else _afterword(viewer, contest),
        participants=participant_rows(viewer, position, faces), faces=_named(viewer, position, faces),
        at_table=at_table, acts=tuple(form for form in forms if form.offer.by), own_acts=tuple(own),
        offered={form.offer.action: form for form in own},
        for_players=tuple(form for form in forms if form.offer.by and form not in own),
        decision=tuple(_decision(position, own)), rulings=tuple(rulings),
        waits_for_gm=tuple(ask.action for ask in position.asks if not ask.by),
        out=_out(viewer, position), entries_fetched=entries_fetched,
        # Not every card says what was last: then nobody reads it.
        entries=cache(lambda: rows(viewer, listed())),
        latest=cache(lambda: next((title_of(viewer, entry) for entry in listed()), "")),
        button_form=_button_form)


def _offered(
    viewer: Viewer, position: Position, faces: frozenset[str], refused: OfferForm | None
) -> list[tuple[Offer, OfferForm]]:
    """Each offer with its form as the viewer may take it; what was refused stands as it was filled in."""
    names, typed = {pk: sheet.name for pk, sheet in position.sheets.items()}, viewer.campaign.types_dice
    return [
        (offer, refused if refused and refused.key == (taken.action, taken.by)
         else OfferForm(taken, names.get(taken.by, ""), seldom=position.procedure.seldom, real_dice=typed))
        for offer in position.offers_for(faces) if (taken := as_taken(viewer, position, offer))
    ]


def _afterword(viewer: Viewer, contest: Contest) -> Afterword | None:
    words = afterwords.said_of(contest.pk) if contest.over else ""
    form = AfterwordForm(initial={"words": words}, auto_id="afterword_%s") if viewer.runs else None
    return Afterword(words, form) if contest.over and (form or words) else None


def _out(viewer: Viewer, position: Position) -> tuple[OutOfIt, ...]:
    """Those of the player's who can't act while it goes on."""
    if viewer.runs or position.contest.over:
        return ()
    unable = viewer.campaign.rules.sheet.unable
    mine = [character for pk, character in position.characters.items()
            if pk in position.named and pk in position.sheets and character.player_id == viewer.member.pk]
    return tuple(OutOfIt(character.name, why, ways_back(viewer, character))
                 for character in mine if (why := unable(position.sheets[str(character.pk)])))


def _button_form() -> ActionForm:
    """The form of a button that asks for nothing; its operation is its own."""
    return ActionForm(auto_id=False)


def _decision(position: Position, own: Sequence[OfferForm]) -> list[OfferForm]:
    """The one-tap answers to what is left to decide after the dice: to let it stand first, then what else there is."""
    left = {ask.by: ask.action for ask in position.asks if ask.stands}
    answers = [form for form in own if form.plain and form.offer.by in left]
    if not any(answer.offer.action == left[answer.offer.by] for answer in answers):
        return []
    return sorted(answers, key=lambda answer: (answer.offer.by, answer.offer.action != left[answer.offer.by]))


def _named(viewer: Viewer, position: Position, faces: frozenset[str]) -> str:
    """Whom of those in it the viewer knows by the face alone, as one lists them, where that hides the odds."""
    if viewer.campaign.settings[FACE_ODDS]:
        return ""
    return join([position.characters[pk].name for pk in position.named if pk in faces], empty="")


@dataclass(frozen=True)
class CardContext:
    """A contest on the table, in three places of it: how it stands, what one may do now, and what one may look up."""

    stands: str
    acts: str
    below: str


@dataclass(frozen=True)
class NotDone:
    """A press in a contest that was not taken: the form as it was filled in, or None where what was pressed is `late`,
    as something else may be done by now; then what happened `meanwhile`."""

    contest: uuid.UUID
    form: OfferForm | None
    meanwhile: tuple[EntryRow, ...] = ()

    @property
    def said(self) -> dict[str, Any]:
        """What the templates say of it."""
        form = {} if self.form is None else {"form": self.form}
        return {"late": self.form is None, "meanwhile": self.meanwhile, **form}


def not_done(viewer: Viewer, position: Position, form: OfferForm | None, seen: str) -> NotDone:
    """A press that was not taken, by somebody who had `seen` the campaign up to an entry."""
    late = form is None and seen.isdecimal() and len(seen) < 10
    page = trail.page(viewer, character=str(position.contest.pk), size=LATELY).entries if late else ()
    news = rows(viewer, [entry for entry in page if entry.seq > int(seen)])
    return NotDone(position.contest.pk, form, tuple(news))


def contest_card(
    request: HttpRequest, viewer: Viewer, position: Position, refused: NotDone | None = None
) -> CardContext:
    """The same as a card on the table: what is done there leads back there, and so does what was not done."""
    frame = {"viewer": viewer_context(viewer), "frame": "shared/card.html", "head_seq": head_of(viewer).seq}

    def draw(names: tuple[str, ...], page: ContestPage | Unshown) -> CardContext:
        template = select_template(names)
        whole = {**vars(page), **frame, **said}
        return CardContext(*(
            template.render({**whole, "part": part}, request) for part in ("stands", "acts", "below")))

    form, said = (refused.form, refused.said) if refused else (None, {})
    return drawn(viewer, position, draw, refused=form, at_table=True, unfolded=request.GET.getlist("unfolded"))
