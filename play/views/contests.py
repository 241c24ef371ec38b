"""A contest of several rounds: setting it up, and playing it from everybody's own browser."""
from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.models import Role
from campaigns.trail import queries as trail
from campaigns.trail.contexts import entries
from campaigns.web import DeedForm, do, show
from play import queries
from play.forms.contest import OfferForm, StartForm
from play.models import Contest
from play.services import contests

LATELY, ALL_OF_IT = 8, 40  # of its entries, on the page of a contest that goes on, and of one that is over


@member_only(Role.PLAYER)
def start(request: HttpRequest, viewer: Viewer, kind: str) -> HttpResponse:
    """Sets a contest up: the GM with those who are in the scene, a player alone where the rules let them."""
    if (rules := next((each for each in queries.startable(viewer) if each.slug == kind), None)) is None:
        return redirect("table", viewer.campaign.slug)
    bank = queries.fillings(viewer, rules)
    chosen = next((each for each in bank if str(each.pk) == request.GET.get("prepared")), None)
    form = StartForm(viewer, rules, queries.seatable(viewer, rules), request.POST or None,
                     request.GET, chosen, queries.beside(viewer, rules))
    if request.method == "POST":
        written = do(form, lambda: contests.start(
            campaign=viewer.campaign, actor=viewer.member, share=form.cleaned_data["share"], kind=rules.name,
            title=form.cleaned_data["title"], setup=form.setup(), characters=form.characters(), **form.deed(),
        ))
        if written:
            return redirect("contest", viewer.campaign.slug, contests.id_from(viewer.campaign, written.op_id))
    own = f"systems/{viewer.campaign.system}/start_{rules.slug}.html"
    context = {"viewer": viewer, "kind": rules, "bank": bank, "chosen": chosen}
    return show(request, (own, "play/start_contest.html"), context, form=form)


@member_only()
def contest(request: HttpRequest, viewer: Viewer, contest_id: uuid.UUID) -> HttpResponse:
    """The contest as it stands, with what the viewer may do now."""
    return _page(request, viewer, contest_id)


@require_POST
@member_only(Role.PLAYER)
def act(request: HttpRequest, viewer: Viewer, contest_id: uuid.UUID, action: str, by: str) -> HttpResponse:
    """Does one thing that is offered; what is no longer offered is refused in words."""
    playing = _playing(viewer, contest_id)
    sheet = "" if by == "gm" else by
    form = next((f for f in playing.forms if (f.offer.action, f.offer.by) == (action, sheet)), None)
    if form is None:
        return _page(request, viewer, contest_id, late=True)
    form = OfferForm(form.offer, form.of_whom, request.POST)
    written = do(form, lambda: contests.act(
        campaign=viewer.campaign, actor=viewer.member, share=form.cleaned_data["share"], contest_id=contest_id,
        by=sheet, action=action, given=form.given(), **form.deed(),
    ))
    if written is None:
        return _page(request, viewer, contest_id, refused=form)
    return redirect("contest", viewer.campaign.slug, contest_id)


@dataclass(frozen=True)
class Standing:
    """How somebody in a contest is doing: the name, and each line of the sheet with its damage."""

    id: str
    name: str
    traits: tuple[tuple[str, str, int], ...]  # name, notation now, damage


@dataclass(frozen=True)
class Playing:
    """A contest with what one viewer sees of it and may do in it."""

    contest: Contest
    state: Any
    board: Any
    forms: list[OfferForm]
    standings: list[Standing]
    picture: Any


def _playing(viewer: Viewer, contest_id: uuid.UUID) -> Playing:
    found = Contest.objects.select_related("campaign", "scene").prefetch_related("told")
    one = get_object_or_404(found, campaign=viewer.campaign, pk=contest_id)
    kind, state, sheets = contests.kind_of(viewer.campaign, one.kind), contests.state_of(one), contests.sheets_in(one)
    offers = [] if one.over else kind.offers(state, sheets)
    mine = queries.playable(viewer)
    own = queries.personal(viewer) if any(each.personal for each in offers) else mine
    allowed = [each for each in offers if (
        viewer.runs if not each.by else each.by in (own if each.personal else mine))]
    names = {sheet.id: sheet.name for sheet in sheets.values()}
    notation = viewer.campaign.rules.notation
    standings = [
        Standing(each.id, each.name, tuple((t.name, notation(t.kind, t.now), t.damage) for t in each.traits))
        for each in sheets.values()
    ]
    forms = [OfferForm(each, names.get(each.by, "")) for each in allowed]
    return Playing(one, state, kind.board(state, sheets), forms, standings, kind.picture(state, sheets))


@require_POST
@member_only(Role.PLAYER)
def forecast(request: HttpRequest, viewer: Viewer, contest_id: uuid.UUID, action: str, by: str) -> HttpResponse:
    """The odds of what is being filled in, as a fragment; nothing while it makes no sense yet."""
    playing = _playing(viewer, contest_id)
    sheet = "" if by == "gm" else by
    form = next((f for f in playing.forms if (f.offer.action, f.offer.by) == (action, sheet)), None)
    told: Any = ()
    if form is not None and (form := OfferForm(form.offer, form.of_whom, request.POST)).is_valid():
        told = contests.forecast(playing.contest, sheet, action, form.given())
    return show(request, "play/odds_of_act.html", {"viewer": viewer, "told": told})


def _page(
    request: HttpRequest, viewer: Viewer, contest_id: uuid.UUID, *, refused: OfferForm | None = None, late: bool = False
) -> HttpResponse:
    playing = _playing(viewer, contest_id)
    shown = [refused if refused and (f.offer.action, f.offer.by) == (refused.offer.action, refused.offer.by) else f
             for f in playing.forms]
    page = trail.page(viewer, character=str(contest_id), size=LATELY if not playing.contest.over else ALL_OF_IT)
    context = {
        "viewer": viewer, "contest": playing.contest, "board": playing.board, "late": late, "thumb_deed": "Act",
        "standings": playing.standings, "state": playing.state, "picture": playing.picture,
        "press": lambda: DeedForm(auto_id=False),
        "offered": {f.offer.action: f for f in shown if f.offer.by},
        "acts": [f for f in shown if f.offer.by], "rulings": [f for f in shown if not f.offer.by],
        "entries": entries(viewer, page.entries),
    }
    own = f"systems/{viewer.campaign.system}/{playing.contest.kind.rpartition('.')[2]}.html"
    answer = show(request, (own, "play/contest.html"), context, form=refused)
    if late:
        answer.status_code = 409
    return answer
