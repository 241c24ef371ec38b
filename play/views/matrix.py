"""The matrix: prepared obstacles against the player characters."""
from __future__ import annotations

import uuid
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.models import Entry, Role
from campaigns.web import ActionForm, render_page, submit
from play import library
from play import matrix as queries
from play.contexts.library import desk_tabs
from play.contexts.matrix import matrix_people, matrix_row, matrix_rows, tones
from play.forms.matrix import LimitsForm, RowForm
from play.models import PrepItem
from play.services import asked_rolls, bank
from play.services import matrix as services
from play.views.library import place_of
from rules.values import BadMove


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
    """The page; with a button that was refused, its sentence on top."""
    limits = queries.limits(viewer.campaign)
    tag, who, tone = (request.GET.get(each, "").replace("\x00", "")[:40] for each in ("tag", "who", "tone"))
    people = queries.people(viewer)
    found, more = queries.prepared(viewer, tag, place_of(request))
    last = found[-1].item if more else None
    at = reverse("matrix", args=[viewer.campaign.slug])
    asked, rows = {"tag": tag, "who": who, "tone": tone}, matrix_rows(viewer, found, people, limits, who)
    context = {
        "viewer": viewer, "tabs": desk_tabs(viewer, "matrix"), "people": matrix_people(people, who), "tag": tag,
        "counted": viewer.campaign.rules.rolls.counted,
        "rows": [each for each in rows if each.has(tone)], "tones": tones(rows), "tone": tone,
        "tags": library.tags(viewer), "limits": limits,
        "older": f"{at}?{urlencode({**asked, 'after': f'{last.pk},{last.name}'})}" if last else "",
        "button_form": ActionForm(auto_id=False), "refused": refused, "limits_form": form,
    }
    return render_page(request, "play/matrix.html", context, form=refused or form)


@member_only(Role.GM)
def row(request: HttpRequest, viewer: Viewer, prepared_id: uuid.UUID, place: int) -> HttpResponse:
    """A row that is being changed: what it would be as one types; a POST keeps it."""
    item = PrepItem.objects.filter(campaign=viewer.campaign, pk=prepared_id).first()
    found = queries.of_item(viewer, item)[place:place + 1] if item else []
    if not found:
        raise Http404("This is no longer in the library.")
    form = RowForm(viewer, found[0].obstacle.values, request.POST or None)
    if item and form.is_bound and submit(form, lambda: bank.write(
        campaign=viewer.campaign, actor=viewer.member, prepared_id=prepared_id, type=item.type, name=item.name,
        words=item.text, fields=queries.with_values(viewer.campaign, found[0], form.given()), **form.submission(),
    )):
        return redirect("matrix", viewer.campaign.slug)
    return _row(request, viewer, found[0], form)


def _row(request: HttpRequest, viewer: Viewer, found: queries.ItemObstacle, form: RowForm) -> HttpResponse:
    looked = form
    if "look" in request.GET:
        typed = request.GET.copy()
        typed["op_id"] = str(uuid.uuid4())
        looked = RowForm(viewer, found.obstacle.values, typed)
    values = looked.given() if looked.is_bound and looked.is_valid() else found.obstacle.values
    who = request.GET.get("who", "")
    people, limits = queries.people(viewer), queries.limits(viewer.campaign)
    context = {
        "viewer": viewer, "tabs": desk_tabs(viewer, "matrix"), "people": matrix_people(people, who), "who": who,
        "row": matrix_row(viewer, found, people, limits, who, values), "row_form": looked,
        "only": "look" in request.GET or "open" in request.GET,
    }
    only = request.headers.get("HX-Request") and context["only"]
    return render_page(request, "play/matrix_row.html" if only else "play/matrix_change.html", context, form=form)


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
    try:
        who, thing, place = cell.split(":")
        item = PrepItem.objects.get(campaign=viewer.campaign, pk=uuid.UUID(thing))
        found = queries.of_item(viewer, item)[int(place)]
        character = next(each for each in queries.people(viewer) if str(each.pk) == who)
    except (ValueError, IndexError, StopIteration, PrepItem.DoesNotExist) as gone:
        raise BadMove("This is no longer in the matrix. Load the page again.") from gone
    way = queries.way_of(viewer, character, found.obstacle.values)
    return asked_rolls.ask(
        campaign=viewer.campaign, actor=viewer.member, characters=[character.pk], what=found.obstacle.name,
        lines=way.way.lines if way else (), values=found.obstacle.values, **form.submission())
