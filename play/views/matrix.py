"""The matrix: what can stand in the way against the player characters."""
from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.models import Entry, Role, View
from campaigns.web import ActionForm, render_page, submit
from play import matrix as queries
from play.contexts.desk import desk_tabs
from play.contexts.matrix import Look, matrix_people, matrix_row
from play.contexts.matrix_cell import OpenCell, open_cell
from play.contexts.matrix_counts import CELLS, FIRST, matrix_counts, matrix_page
from play.forms.matrix import FitForm, LimitsForm, RowForm
from play.services import asked_rolls, bank
from play.services import matrix as services
from play.services.on_scene import UNKNOWN
from play.views.library import narrowed_to, place_of
from rules.values import BadMove


def asked_in(request: HttpRequest) -> dict[str, str]:
    """What the address narrows the matrix to, and what is switched on."""
    names = ("tag", "who", "tone", "with")
    asked = request.POST if "show" in request.POST else request.GET
    return {name: asked.get(name, "").replace("\x00", "")[:40] for name in names}


def look_of(viewer: Viewer, who: str = "", boost: str = "") -> Look:
    """Everybody with what fits them: what all pages of the matrix need."""
    people = queries.people(viewer, boost)
    return Look(viewer, people, queries.known_fits(viewer, people), queries.limits(viewer.campaign), who, boost)


@member_only(Role.GM)
def matrix(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """All of it; a POST says what counts as easy and hard."""
    easy, hard = queries.limits(viewer.campaign)
    form = LimitsForm(request.POST or None, initial={"easy": easy, "hard": hard})
    if form.is_bound and submit(form, lambda: services.set_limits(
        campaign=viewer.campaign, actor=viewer.member, easy=form.cleaned_data["easy"],
        hard=form.cleaned_data["hard"], **form.submission(),
    )):
        return redirect("matrix", viewer.campaign.slug)
    return the_matrix(request, viewer, form)


def the_matrix(
    request: HttpRequest, viewer: Viewer, form: LimitsForm, refused: ActionForm | None = None
) -> HttpResponse:
    """The page, or by htmx the part of its rows that follows; with a button that was refused, its sentence on top."""
    asked = asked_in(request)
    look = look_of(viewer, asked["who"], asked["with"])
    part = bool(request.headers.get("HX-Request")) and "part" in request.GET
    rows, last = matrix_page(look, asked["tag"], asked["tone"], place_of(request), CELLS if part else FIRST)
    at = reverse("matrix", args=[viewer.campaign.slug])
    context = {
        "viewer": viewer, "people": matrix_people(look.people, asked["who"]), **asked, "boost": asked["with"],
        "rows": rows, "more": f"{at}?{urlencode({**asked, 'after': last})}" if last else "", "first": not part}
    if part:
        return render_page(request, "play/matrix_part.html", context)
    counted = matrix_counts(look, asked["tag"]) if "counts" in request.GET else None
    context |= {
        "tabs": desk_tabs(viewer, "matrix"), "rules": viewer.campaign.rules.rolls, "counts": counted, "at": at,
        "here": narrowed_to(at, asked), "counts_url": f"{at}counts/?{urlencode(asked)}", "limits": look.limits,
        "button_form": ActionForm(auto_id=False), "refused": refused, "limits_form": form,
    }
    return render_page(request, "play/matrix.html", context, form=refused or form)


@member_only(Role.GM)
def counts(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """How many rows of all pages are so: asked for when the first page is there."""
    asked = asked_in(request)
    look = look_of(viewer, asked["who"], asked["with"])
    context = {"viewer": viewer, "counts": matrix_counts(look, asked["tag"]), **asked, "boost": asked["with"],
               "rules": viewer.campaign.rules.rolls, "at": reverse("matrix", args=[viewer.campaign.slug])}
    return render_page(request, "play/matrix_counts.html", context)


@member_only(Role.GM)
def row(request: HttpRequest, viewer: Viewer, prepared_id: uuid.UUID, place: int) -> HttpResponse:
    """A row that is being changed: what it would be as one types; a POST keeps it."""
    obstacle = _found(viewer, prepared_id, place)
    form, item = RowForm(viewer, obstacle.obstacle.values, request.POST or None), obstacle.item
    if item is None:
        raise Http404("This is a trait of a sheet.")
    if form.is_bound and "show" not in request.POST and submit(form, lambda: bank.write(
        campaign=viewer.campaign, actor=viewer.member, prepared_id=prepared_id, type=item.type, name=item.name,
        words=item.text, fields=queries.with_values(viewer.campaign, item, place, form.given()), **form.submission(),
    )):
        return redirect("matrix", viewer.campaign.slug)
    return _row(request, viewer, obstacle, form)


def _found(viewer: Viewer, thing_id: uuid.UUID, place: int) -> queries.MatrixObstacle:
    obstacle = queries.row_of(viewer, thing_id, place)
    if obstacle is None:
        raise Http404("This is no longer in the matrix.")
    return obstacle


def _row(request: HttpRequest, viewer: Viewer, place: queries.MatrixObstacle, form: RowForm) -> HttpResponse:
    looked, asked = form, asked_in(request)
    if "look" in request.GET or "show" in request.POST:
        typed = (request.POST or request.GET).copy()
        typed["op_id"] = str(uuid.uuid4())
        looked = RowForm(viewer, place.obstacle.values, typed)
    values = looked.given() if looked.is_bound and looked.is_valid() else place.obstacle.values
    look = look_of(viewer, asked["who"], asked["with"])
    return _one_row(request, look, {"row": matrix_row(look, place, values), "row_form": looked}, form)


def _one_row(request: HttpRequest, look: Look, context: dict[str, Any], form: ActionForm) -> HttpResponse:
    """A row that is open, by itself where it is asked for so, else on a page."""
    only = request.headers.get("HX-Request") and ("look" in request.GET or "open" in request.GET)
    shown = {"viewer": look.viewer, "tabs": desk_tabs(look.viewer, "matrix"), "who": look.who, "boost": look.boost,
             "people": matrix_people(look.people, look.who), **context}
    return render_page(request, "play/matrix_row.html" if only else "play/matrix_change.html", shown, form=form)


@member_only(Role.GM)
def fit(request: HttpRequest, viewer: Viewer, thing_id: uuid.UUID, place: int, character_id: uuid.UUID) -> HttpResponse:
    """A cell that is open: with what somebody goes about it. A POST says what fits, or takes that back."""
    obstacle, asked = _found(viewer, thing_id, place), asked_in(request)
    look = look_of(viewer, asked["who"], asked["with"])
    person = _person(look.people, character_id)
    cell = open_cell(look, obstacle, person)
    form = FitForm(cell, request.POST or None)
    if form.is_bound and _say(request, viewer, obstacle, person, form):
        return redirect(f"{reverse('matrix', args=[viewer.campaign.slug])}?{urlencode(asked)}#row-{thing_id}-{place}")
    return _one_row(request, look, {
        "row": matrix_row(look, obstacle, open_=character_id), "cell": cell, "fit_form": form,
        "asks": _asks(cell, obstacle, viewer, person), "called": _called(obstacle),
        "sealed": obstacle.view is not View.ALL, "button_form": ActionForm(auto_id=False)}, form)


def _say(
    request: HttpRequest, viewer: Viewer, place: queries.MatrixObstacle, person: queries.Person, form: FitForm
) -> Entry | None:
    spot: dict[str, Any] = {
        "campaign": viewer.campaign, "actor": viewer.member, "character_id": person.id, "thing_id": place.thing,
        "place": place.place, "name": place.obstacle.name}
    if "forget" in request.POST:
        del form.fields["fits"]
        return submit(form, lambda: services.forget_fit(**spot, **form.submission()))
    return submit(form, lambda: services.say_fit(**spot, **form.said(), **form.submission()))


def _asks(cell: OpenCell, place: queries.MatrixObstacle, viewer: Viewer, person: queries.Person) -> str:
    """What a press asks for; "" where nobody can be asked now, and where that would say whom players don't know."""
    can = viewer.campaign.scene_id and cell.player and not (place.whose and place.whose.hidden)
    return f"{person.id}:{place.thing}:{place.place}" if can else ""


def _called(place: queries.MatrixObstacle) -> str:
    """What players read as its name."""
    of = place.item or place.whose
    return {View.ALL: place.obstacle.name, View.FACE: of.name if of else "", View.NOTHING: UNKNOWN}[place.view]


def _person(people: Sequence[queries.Person], character_id: uuid.UUID) -> queries.Person:
    person = next((person for person in people if person.id == character_id), None)
    if person is None:
        raise Http404("This is no player character.")
    return person


@require_POST
@member_only(Role.GM)
def ask(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Asks a character's player for the roll of a cell."""
    form = ActionForm(request.POST)
    entry = submit(form, lambda: _asked(viewer, request.POST.get("cell", ""), form))
    if entry is None:
        easy, hard = queries.limits(viewer.campaign)
        return the_matrix(request, viewer, LimitsForm(initial={"easy": easy, "hard": hard}), form)
    messages.info(request, "Asked. The roll is at the table.")
    return redirect("matrix", viewer.campaign.slug)


def _asked(viewer: Viewer, cell: str, form: ActionForm) -> Entry:
    people = queries.people(viewer)
    try:
        who, thing, place = cell.split(":")
        obstacle = queries.row_of(viewer, uuid.UUID(thing), int(place))
        person = next(person for person in people if str(person.id) == who)
    except (ValueError, StopIteration) as gone:
        raise BadMove("This is no longer in the matrix. Reload the page.") from gone
    if obstacle is None:
        raise BadMove("This is no longer in the matrix. Reload the page.")
    chosen = queries.way_of(viewer, queries.known_fits(viewer, [person]), person, obstacle)
    return asked_rolls.ask(
        campaign=viewer.campaign, actor=viewer.member, characters=[person.id], what=_called(obstacle),
        lines=chosen.best.way.lines if chosen else (), values=obstacle.obstacle.values,
        sealed=obstacle.view is not View.ALL, **form.submission())
