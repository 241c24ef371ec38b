"""A contest of several rounds: setting it up, and playing it from everybody's own browser."""
from __future__ import annotations

import uuid
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from campaigns.access import Viewer, anew, member_only
from campaigns.contexts import viewer_context
from campaigns.models import Entry, Role
from campaigns.web import ActionForm, by, by_htmx, render_page, submit
from play import planned, queries
from play.contexts.contest_named import prep_item
from play.contexts.contest_page import (
    ContestPage,
    NotDone,
    Unshown,
    as_taken,
    drawn,
    explained,
    faces_in,
    not_done,
    odds_of_act,
)
from play.forms.afterwords import AfterwordForm
from play.forms.contest import OfferForm, StartForm
from play.models import Contest
from play.planned import PlannedContest
from play.services import afterwords, contests, exchanges, plan
from play.services.position import Position, choices, find_position, suggestions
from play.services.standing import is_here
from play.transfers import transfers
from play.views.open_table import (
    Gone,
    done,
    gone_on,
    led_on_when_gone,
    not_taken,
    posted,
    refused,
    rolled,
    told_when_gone,
)
from rules.engine import Procedure, find

ON_ITS_PAGE = "contest"  # where a form says that it stands, on a contest's own page


@member_only(Role.PLAYER)
def start(request: HttpRequest, viewer: Viewer, kind: str) -> HttpResponse:
    """Sets a contest up: the GM with those who are in the scene, a player alone where the rules let them."""
    if (rules := next((procedure for procedure in queries.startable(viewer) if procedure.slug == kind), None)) is None:
        return instead(request, viewer)
    bank = queries.fillings(viewer, rules)
    chosen = next((item for item in bank if str(item.pk) == request.GET.get("prepared")), None)
    form = StartForm(viewer, rules, *queries.may_take_part(viewer, rules), request.POST or None, request.GET, chosen,
                     choices(viewer.campaign, rules))
    if as_planned := planned.one(viewer, request.GET.get("planned", "")):
        form.fill(as_planned.said)
    if form.is_bound and (written := started(viewer, rules, form, as_planned)):
        at = "" if rules.casting.who == "everyone" else "table"  # what everybody is in has a page of its own
        return back(request, viewer, contests.id_from(viewer.campaign, written.op_id), written, at)
    own = f"systems/{viewer.campaign.system}/start_{rules.slug}.html"
    context = {
        "viewer": viewer, "kind": rules, "bank": [prep_item(item) for item in bank],
        "chosen": prep_item(chosen) if chosen else None, "suggestions": suggestions(viewer.campaign, rules),
    }
    return render_page(request, (own, "play/start_contest.html"), context, form=form)


def started(
    viewer: Viewer, kind: Procedure[Any], form: StartForm, held: PlannedContest | None = None
) -> Entry | None:
    """Starts what the form says, of the plan where it was planned; None, with the reason in the form, if refused."""
    start = partial(plan.begin_contest, line_id=held.id) if held and held.kind == kind.name else contests.start
    return submit(form, lambda: start(
        campaign=viewer.campaign, actor=viewer.member, kind=kind.name, title=form.cleaned_data["title"],
        setup=form.setup(), characters=form.characters(), known=form.known(), faces=form.faces(), sees=form.sees(),
        **form.rolling(),
    ))


def instead(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Where a form leads that starts nothing any more: to the contest that it started before, else to the table."""
    if queries.already_done(viewer, sent := request.POST.get("op_id", "")):
        started = contests.id_from(viewer.campaign, uuid.UUID(sent))
        if contest := Contest.objects.filter(campaign=viewer.campaign, pk=started).first():
            contest.campaign = viewer.campaign
            return back(request, viewer, started, None, "table" if is_here(contest) else "")
    return gone_on(request, reverse("table", args=[viewer.campaign.slug]))


@require_GET
@member_only()
def ongoing(request: HttpRequest, viewer: Viewer, kind: str) -> HttpResponse:
    """To what goes on as long as a session does, from wherever somebody is."""
    if pk := queries.ongoing(viewer, kind):
        return redirect("contest", viewer.campaign.slug, pk)
    if viewer.runs and any(procedure.slug == kind for procedure in queries.startable(viewer)):
        return redirect("start_contest", viewer.campaign.slug, kind)
    messages.info(request, "There is none now. The GM starts it.")
    return redirect("table", viewer.campaign.slug)


@member_only()
@told_when_gone
def contest(request: HttpRequest, viewer: Viewer, contest_id: uuid.UUID) -> HttpResponse:
    """The contest as it stands, with what the viewer may do now."""
    return _page(request, viewer, _position(viewer, contest_id))


@member_only(Role.PLAYER)
@posted
@told_when_gone
def act(request: HttpRequest, viewer: Viewer, contest_id: uuid.UUID, action: str, by: str) -> HttpResponse:
    """Does one thing that is offered; what is no longer offered is refused in words."""
    position, sheet = _position(viewer, contest_id), "" if by == "gm" else by
    form = _form(viewer, position, action, sheet, request.POST)
    written = submit(form, lambda: contests.act(
        campaign=viewer.campaign, actor=viewer.member, contest_id=contest_id,
        by=sheet, action=action, given=form.given(), position=position, **form.rolling(),
    )) if form else None
    if written or queries.already_done(viewer, request.POST.get("op_id", "")):
        return back(request, viewer, contest_id, written, request.POST.get("at", ""))
    why = not_done(viewer, position, form, request.POST.get("seen", ""))
    return _refused(request, viewer, position, why)


def _refused(request: HttpRequest, viewer: Viewer, position: Position, why: NotDone) -> HttpResponse:
    """What was not done, where it was pressed: at the table, or on the contest's own page."""
    at = request.POST.get("at", "")
    if at == "table" or (by_htmx(request) and at != ON_ITS_PAGE):
        return refused(request, viewer, why)
    return _page(request, viewer, position, why)


@member_only(Role.PLAYER)
@posted
@led_on_when_gone
def forecast(request: HttpRequest, viewer: Viewer, contest_id: uuid.UUID, action: str, by: str) -> HttpResponse:
    """The odds of what is being filled in, as a fragment; nothing while it makes no sense yet. Where it was a
    button that asked (`look`), without a script, they stand in the page, at the form as it was filled in."""
    position, sheet = _position(viewer, contest_id), "" if by == "gm" else by
    form = _form(viewer, position, action, sheet, request.POST)
    odds = odds_of_act(viewer, position, sheet, action, form.given()) if form and form.is_valid() else ()
    if form and "look" in request.POST:
        form.told = odds
        return _refused(request, viewer, position, NotDone(position.contest.pk, form))
    own = f"systems/{viewer.campaign.system}/odds_of_{action}.html"
    return render(request, [own, "play/odds_of_act.html"], {
        "odds": odds, "by": by, "apart": True, "form": form and explained(viewer, position, form),
        "viewer": viewer_context(viewer)})


@member_only(Role.GM)
@posted
@told_when_gone
def call_off(request: HttpRequest, viewer: Viewer, contest_id: uuid.UUID) -> HttpResponse:
    """Ends a contest that can't be shown, without its rules."""
    position, form = _position(viewer, contest_id), ActionForm(request.POST)
    written = submit(form, lambda: contests.call_off(
        campaign=viewer.campaign, actor=viewer.member, contest_id=position.contest.pk, **form.submission()))
    if written is None:
        return _refused(request, viewer, position, not_done(viewer, position, None, ""))
    return back(request, viewer, contest_id, written, ON_ITS_PAGE if _stays_there(request) else "now")


@member_only(Role.GM)
@posted
@told_when_gone
def afterword(request: HttpRequest, viewer: Viewer, contest_id: uuid.UUID) -> HttpResponse:
    """Keeps what came of a contest in the GM's own words; what was typed stands where it was refused."""
    position, form = _position(viewer, contest_id), AfterwordForm(request.POST)
    if submit(form, lambda: afterwords.say(
        contest_id=position.contest.pk, words=form.cleaned_data["words"], **by(viewer, form))):
        return gone_on(request, f"{reverse('contest', args=[viewer.campaign.slug, contest_id])}#afterword")
    return render_page(request, "play/afterword.html", {"viewer": viewer, "title": position.contest.title}, form=form)


@member_only(Role.GM)
@posted
@told_when_gone
def undo_exchange(request: HttpRequest, viewer: Viewer, contest_id: uuid.UUID) -> HttpResponse:
    """Takes back the last exchange of a contest, at its card on the table; with its beginning it is gone."""
    position, form = _position(viewer, contest_id), ActionForm(request.POST)
    written = submit(form, lambda: exchanges.undo_exchange(
        contest_id=position.contest.pk, last=_last_seen(request), **by(viewer, form)))
    if written is None:
        return not_taken(request, viewer, form)
    messages.info(request, f"Undone by entry {written.seq}.")
    return done(request, viewer, reverse("table", args=[viewer.campaign.slug]))


@member_only(Role.GM)
@posted
@told_when_gone
def undo_last(request: HttpRequest, viewer: Viewer, contest_id: uuid.UUID) -> HttpResponse:
    """Takes back the last entry of a contest that can't be shown, where that is said."""
    position, form = _position(viewer, contest_id), ActionForm(request.POST)
    written = submit(form, lambda: exchanges.undo_last(
        contest_id=position.contest.pk, last=_last_seen(request), **by(viewer, form)))
    if written is None:
        return _refused(request, viewer, position, not_done(viewer, position, None, ""))
    messages.info(request, f"Undone by entry {written.seq}.")
    return back(request, viewer, contest_id, None, request.POST.get("at", ""))


def _last_seen(request: HttpRequest) -> int:
    """The newest entry of a contest that whoever presses has seen; 0 where the form says none."""
    sent = request.POST.get("last", "")
    return int(sent) if sent.isdecimal() and len(sent) < 10 else 0


def back(
    request: HttpRequest, viewer: Viewer, contest_id: uuid.UUID, written: Entry | None, at: str
) -> HttpResponse:
    """To where the button was pressed: the contest's page, or its card on the `table`; from anywhere else (`now`), and
    where the contest is over by now, to what came of it: a fight has a page for that."""
    if _stays_there(request):
        viewer = anew(viewer)
        return _page(request, viewer, _position(viewer, contest_id))
    table = reverse("table", args=[viewer.campaign.slug])
    over = written is not None and contests.is_over_with(written)
    if over and at in ("table", "now") and contests.has_aftermath(viewer.campaign, contest_id):
        return gone_on(request, f"{reverse('contest', args=[viewer.campaign.slug, contest_id])}#ended")
    if written and (at == "now" or (at == "table" and over)):
        return rolled(request, viewer, written, apart=not over and not _is_here(viewer, contest_id))
    if at == "table":
        return done(request, viewer, f"{table}?contest={contest_id}#contest")
    return gone_on(request, reverse("contest", args=[viewer.campaign.slug, contest_id]))


def _is_here(viewer: Viewer, contest_id: uuid.UUID) -> bool:
    """Whether the contest stands on the table."""
    contest = Contest.objects.filter(campaign=viewer.campaign, pk=contest_id).select_related("campaign").first()
    return contest is not None and is_here(contest)


def _stays_there(request: HttpRequest) -> bool:
    """Whether it was pressed on a contest's own page that stands open: it changes there, and is not loaded anew."""
    return bool(by_htmx(request)) and request.POST.get("at") == ON_ITS_PAGE


def _position(viewer: Viewer, contest_id: uuid.UUID) -> Position:
    position = find_position(viewer.campaign, contest_id)
    if position is None:
        raise Gone if queries.ever_had(viewer, contest_id) else Http404("There is nothing here for you.")
    return position


def _form(viewer: Viewer, position: Position, action: str, by: str, data: Any) -> OfferForm | None:
    """The form of an offer that the viewer may take; None where there is none."""
    offer = find(position.offers_for(faces_in(viewer, position)), action, by)
    offer = as_taken(viewer, position, offer) if offer else None
    if offer is None:
        return None
    return OfferForm(offer, position.sheets[by].name if by in position.sheets else "", data,
                     seldom=position.procedure.seldom, real_dice=viewer.campaign.types_dice)


def _page(
    request: HttpRequest, viewer: Viewer, position: Position, refused: NotDone | None = None
) -> HttpResponse:
    at_table, form = request.GET.get("at") == "table", refused.form if refused else None
    more: dict[str, Any] = {
        **(refused.said if refused else {}),
        "here": reverse("contest", args=[viewer.campaign.slug, position.contest.pk])}
    if position.procedure.placement.session_end:
        more["moved"] = transfers(viewer, viewer.campaign.session_id, whole="all" in request.GET)

    def draw(names: tuple[str, ...], page: ContestPage | Unshown) -> HttpResponse:
        return render_page(request, names, {**more, **vars(page)}, form=form, page="shared/playing.html")

    answer = drawn(
        viewer, position, draw, refused=form, at_table=at_table, unfolded=request.GET.getlist("unfolded"))
    if refused and form is None:
        answer.status_code = 409
    return answer
