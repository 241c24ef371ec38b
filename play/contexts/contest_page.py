"""What a contest shows one viewer: on its own page, and as a card on the table."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from django.http import HttpRequest
from django.template.loader import select_template

from campaigns.access import Viewer
from campaigns.contexts import viewer_context
from campaigns.services.undoing import last_standing
from campaigns.trail import queries as trail
from campaigns.trail.contexts import EntryRow, rows
from campaigns.trail.visible import head_of
from campaigns.web import ActionForm
from play.contexts import contest_view, faces_in, participant_rows
from play.contexts.ending import ending
from play.contexts.table import contest_context
from play.forms.contest import OfferForm
from play.services.contained import contained
from play.services.position import Position
from play.services.typed_dice import allowed
from rules.procedure import Offer
from rules.wording import join

ENTRIES = "entries"
LATELY, ALL_OF_IT = 8, 40  # of its entries, on the page of a contest that goes on, and of one that is over


def may_take(viewer: Viewer, position: Position, offer: Offer) -> bool:
    """Whether the viewer may take this offer: the GM nearly all, a player those of their own characters."""
    if not offer.by:
        return viewer.runs
    player = position.player_of(offer.by)
    if viewer.runs:
        return not offer.personal or player in (None, viewer.member.pk)
    return viewer.plays and player == viewer.member.pk


def _for_player(viewer: Viewer, position: Position, offer: Offer) -> bool:
    """Whether a GM would take this offer in a player's place."""
    return viewer.runs and position.player_of(offer.by) not in (None, viewer.member.pk)


UNSHOWN = "play/contest_unshown.html"
T = TypeVar("T")


def drawn(
    viewer: Viewer, position: Position, draw: Callable[[tuple[str, ...], dict[str, Any]], T], **shown: Any
) -> T:
    """What `draw` makes of the templates of a contest and of what they may see, which `shown` says more of, as
    `contest_page` takes it. Whatever fails at the rules or in the templates, the card that says so is drawn instead."""
    def whole() -> T | None:
        context = contest_page(viewer, position, **shown)
        shows = not (position.is_broken or position.was_called_off)
        return draw(templates(viewer, position), context) if shows else None

    answer = contained(position.contest, whole, None)
    return draw((UNSHOWN,), unshown(viewer, position)) if answer is None else answer


def unshown(viewer: Viewer, position: Position) -> dict[str, Any]:
    """A contest that can't be shown, or that was called off from outside; `last` is the entry that the GM can undo."""
    contest = position.contest
    gets_out = viewer.runs and not contest.over
    last = last_standing(viewer.campaign, contest.pk, "events", "over") if gets_out else None
    return {"viewer": viewer, "contest": contest_context(contest), "gets_out": gets_out, "last": last,
            "button_form": lambda: ActionForm(auto_id=False)}


def templates(viewer: Viewer, position: Position) -> tuple[str, ...]:
    """The game's own template of it, then the plain one."""
    name = position.contest.kind.rpartition(".")[2]
    return f"systems/{viewer.campaign.system}/{name}.html", "play/contest.html"


def contest_page(
    viewer: Viewer, position: Position, *, refused: OfferForm | None = None, at_table: bool = False,
    unfolded: Collection[str] = (),
) -> dict[str, Any]:
    """The contest with what the viewer may do now; a form that was `refused` stands as it was filled in.

    On the table what is folded is fetched when somebody unfolds it: a page names the elements that it has `unfolded`.
    """
    faces = faces_in(viewer, position)
    contest, names = position.contest, {pk: sheet.name for pk, sheet in position.sheets.items()}
    forms = [
        refused if refused and (refused.offer.action, refused.offer.by) == (each.action, each.by)
        else OfferForm(each, names.get(each.by, ""), real_dice=allowed(viewer.campaign))
        for each in position.offers_for(faces) if may_take(viewer, position, each)
    ]
    own = [form for form in forms if form.offer.by and not _for_player(viewer, position, form.offer)]
    decision, rulings = _decision(position, own), [form for form in forms if not form.offer.by]
    asked = {(ask.action, ask.by) for ask in position.asks}
    waiting = [each for each in (*own, *rulings) if (each.offer.action, each.offer.by) in asked]
    for form in waiting[:1]:
        form.first = True
        form.whose = form.of_whom if viewer.runs or len({each.offer.by for each in own}) > 1 else ""
    for form in forms:
        form.fetched = at_table and form not in waiting and form.offer_id not in unfolded
    entries_fetched = at_table and ENTRIES not in unfolded
    size = 1 if entries_fetched else ALL_OF_IT if contest.over else LATELY
    return {
        "viewer": viewer, "contest": contest_context(contest), "view": contest_view(viewer, position, faces),
        "ending": None if at_table else ending(viewer, position, faces),
        "thumb_label": "Act", "participants": participant_rows(viewer, position, faces),
        "faces": _named(viewer, position, faces), "at_table": at_table,
        "button_form": lambda: ActionForm(auto_id=False),
        "offered": {f.offer.action: f for f in own}, "own_acts": own,
        "for_players": [f for f in forms if f.offer.by and f not in own],
        "decision": decision, "acts": [f for f in forms if f.offer.by], "rulings": rulings,
        "waits_for_gm": [ask.action for ask in position.asks if not ask.by],
        "entries_fetched": entries_fetched,
        # Not every card says what was last: then nobody reads it.
        "entries": cache(lambda: rows(viewer, trail.page(viewer, character=str(contest.pk), size=size).entries)),
    }


def _decision(position: Position, own: Sequence[OfferForm]) -> list[OfferForm]:
    """The one-tap answers to what is left to decide after the dice: to let it stand first, then what else there is."""
    left = {ask.by: ask.action for ask in position.asks if ask.stands}
    answers = [each for each in own if each.plain and each.offer.by in left]
    if not any(answer.offer.action == left[answer.offer.by] for answer in answers):
        return []
    return sorted(answers, key=lambda each: (each.offer.by, each.offer.action != left[each.offer.by]))


def _named(viewer: Viewer, position: Position, faces: frozenset[str]) -> str:
    """Whom of those in it the viewer knows by the face alone, as one lists them."""
    return join([position.characters[each].name for each in position.named if each in faces], empty="")


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

    def draw(names: tuple[str, ...], context: dict[str, Any]) -> CardContext:
        template = select_template(names)
        whole = {**context, **frame, **said}
        return CardContext(*(
            template.render({**whole, "part": part}, request) for part in ("stands", "acts", "below")))

    form, said = (refused.form, refused.said) if refused else (None, {})
    return drawn(viewer, position, draw, refused=form, at_table=True, unfolded=request.GET.getlist("unfolded"))
