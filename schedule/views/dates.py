"""The dates of a campaign: what each person answers, and what a GM does with them."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.zones import zone_info, zone_name
from campaigns.access import Viewer, member_only
from campaigns.models import Entry, Role
from campaigns.offline import kept_offline
from campaigns.web import ActionForm, ask_once, by, by_htmx, render_page, submit
from schedule import queries
from schedule.contexts import DateCard, date_card, schedule_page, zone_note
from schedule.forms import MoveForm, ProposeForm, RepeatForm, SeriesForm
from schedule.models import Evening, Says, Series
from schedule.series import title
from schedule.services import evenings, proposing, repeating
from schedule.words import exactly


def _place(viewer: Viewer, at: str) -> str:
    """The page on which somebody answered: `at` is what its form says."""
    slug = viewer.campaign.slug
    return {"home": reverse("home"), "table": reverse("table", args=[slug])}.get(at, reverse("dates", args=[slug]))


def _page(request: HttpRequest, viewer: Viewer, form: ActionForm | None = None) -> HttpResponse:
    context = {"viewer": viewer, "page": schedule_page(viewer), "date_form": lambda: ActionForm(auto_id=False),
               "refused": form}
    return render_page(request, "schedule/dates.html", context, form=form)


@member_only()
@kept_offline
def dates(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What is proposed and fixed, and who can come."""
    return _page(request, viewer)


def _evening(viewer: Viewer, evening_id: uuid.UUID) -> Evening:
    evening = queries.find(viewer.campaign, evening_id)
    if evening is None:
        raise Http404("There is no such date.")
    return evening


def _card(viewer: Viewer, evening: Evening) -> DateCard:
    said = queries.answers([evening])[evening.pk]
    return date_card(viewer, evening, said, queries.players(viewer.campaign))


@member_only()
def date(request: HttpRequest, viewer: Viewer, evening_id: uuid.UUID) -> HttpResponse:
    """One date. A link from a mail says an answer, which is ready here; only pressing it saves it."""
    evening = _evening(viewer, evening_id)
    form = ActionForm(request.POST if request.method == "POST" else None, auto_id=False)
    at = request.POST.get("at", "")
    if request.method == "POST":
        if not viewer.plays:
            raise Http404("There is nothing here for you.")
        says = request.POST.get("says", "")
        if says not in Says.values:
            form.add_error(None, "Choose Yes, If need be or No.")
        if submit(form, lambda: evenings.answer(evening_id=evening.pk, says=says, **by(viewer, form))):
            form = ActionForm(auto_id=False)
            if not by_htmx(request):
                return redirect(f"{_place(viewer, at)}#date-{evening.pk}")
    ready = next((Say for Say in Says if Say == request.GET.get("says")), None)
    context = {"viewer": viewer, "card": _card(viewer, _evening(viewer, evening_id)), "ready": ready, "at": at,
               "named": "named" in request.POST,
               "date_form": form if form.is_bound else lambda: ActionForm(auto_id=False)}
    template = "schedule/answered.html" if by_htmx(request) and request.method == "POST" else "schedule/date.html"
    return render_page(request, template, context, form=form)


@member_only(Role.GM)
def propose(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Asks everyone for some dates, or sets one at once."""
    form = ProposeForm(zone_name(viewer.member.user), request.POST or None)
    fixed = "fixed" in request.POST
    if request.method == "POST" and submit(form, lambda: proposing.propose(
        wanted=form.cleaned_data["wanted"], fixed=fixed, campaign=viewer.campaign, actor=viewer.member,
        **form.evening(),
    )):
        messages.info(request, "The date is set." if fixed else "Everyone is asked.")
        return redirect("dates", viewer.campaign.slug)
    return _form(request, viewer, "schedule/propose.html", form)


def _form(request: HttpRequest, viewer: Viewer, template: str, form: ActionForm, **more: Any) -> HttpResponse:
    context = {"viewer": viewer, "zone": zone_note(viewer.member.user), **more}
    return render_page(request, template, context, form=form)


@require_POST
@member_only(Role.GM)
def fix(request: HttpRequest, viewer: Viewer, evening_id: uuid.UUID) -> HttpResponse:
    """Sets a proposed date."""
    pk = _evening(viewer, evening_id).pk
    return _done(request, viewer, lambda form: proposing.fix(evening_id=pk, **by(viewer, form)),
                 "The date is set.")


@require_POST
@member_only(Role.GM)
def take_back(request: HttpRequest, viewer: Viewer, evening_id: uuid.UUID) -> HttpResponse:
    """A proposed date is no longer asked for."""
    pk = _evening(viewer, evening_id).pk
    return _done(request, viewer, lambda form: proposing.take_back(evening_id=pk, **by(viewer, form)),
                 "The date is no longer proposed.")


def _done(request: HttpRequest, viewer: Viewer, do: Callable[[ActionForm], Entry], said: str) -> HttpResponse:
    """Does what one button says, and leads back to the dates."""
    form = ActionForm(request.POST, auto_id=False)
    if submit(form, lambda: do(form)):
        messages.info(request, said)
        return redirect("dates", viewer.campaign.slug)
    return _page(request, viewer, form)


@member_only(Role.GM)
def move(request: HttpRequest, viewer: Viewer, evening_id: uuid.UUID) -> HttpResponse:
    """Another time or place."""
    evening, zone = _evening(viewer, evening_id), zone_name(viewer.member.user)
    when = f"{evening.starts.astimezone(zone_info(zone)):%Y-%m-%dT%H:%M}"
    form = MoveForm(zone, request.POST or None, initial={
        "when": when, "minutes": str(evening.minutes), "place": evening.place})
    if request.method == "POST" and submit(form, lambda: evenings.move(
        evening_id=evening_id, starts=form.cleaned_data["starts"], campaign=viewer.campaign, actor=viewer.member,
        **form.evening(),
    )):
        messages.info(request, "Saved.")
        return redirect("dates", viewer.campaign.slug)
    return _form(request, viewer, "schedule/move.html", form, card=_card(viewer, evening))


@require_POST
@member_only(Role.GM)
def call_off(request: HttpRequest, viewer: Viewer, evening_id: uuid.UUID) -> HttpResponse:
    """A fixed date will not be played; asks once."""
    evening, back = _evening(viewer, evening_id), reverse("dates", args=[viewer.campaign.slug])
    when = exactly(evening.starts, zone_name(viewer.member.user))
    question = f"Call off {when}? It is marked as cancelled in everyone’s calendar."
    if asked := ask_once(request, viewer, question=question, button="Call off the date", back=back):
        return asked
    return _done(request, viewer, lambda form: evenings.call_off(evening_id=evening_id, **by(viewer, form)),
                 "The date is called off.")


@member_only(Role.GM)
def repeat(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Makes a series."""
    form = SeriesForm(zone_name(viewer.member.user), request.POST or None)
    if request.method == "POST" and submit(form, lambda: repeating.repeat(
        first=form.cleaned_data["when"], every=int(form.cleaned_data["every"]), campaign=viewer.campaign,
        actor=viewer.member, **form.evening(),
    )):
        messages.info(request, "The series is set.")
        return redirect("dates", viewer.campaign.slug)
    return _form(request, viewer, "schedule/repeat.html", form)


@member_only(Role.GM)
def go_on_from(request: HttpRequest, viewer: Viewer, evening_id: uuid.UUID) -> HttpResponse:
    """Makes a series of a date that is set."""
    evening, form = _evening(viewer, evening_id), RepeatForm(request.POST or None)
    if request.method == "POST" and submit(form, lambda: repeating.go_on_from(
        evening_id=evening_id, every=int(form.cleaned_data["every"]), **by(viewer, form),
    )):
        messages.info(request, "The series is set.")
        return redirect("dates", viewer.campaign.slug)
    return _form(request, viewer, "schedule/go_on_from.html", form, card=_card(viewer, evening))


@require_POST
@member_only(Role.GM)
def end_series(request: HttpRequest, viewer: Viewer, series_id: uuid.UUID) -> HttpResponse:
    """A series has no more evenings; asks once."""
    series = Series.objects.filter(campaign=viewer.campaign, pk=series_id).first()
    if series is None:
        raise Http404("There is no such series.")
    back = reverse("dates", args=[viewer.campaign.slug])
    question = f"End the series “{title(series)}”? Its later dates are called off."
    if asked := ask_once(request, viewer, question=question, button="End the series", back=back):
        return asked
    return _done(request, viewer, lambda form: repeating.end_series(series_id=series_id, **by(viewer, form)),
                 "The series has ended.")
