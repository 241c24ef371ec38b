"""Who is in the campaign: roles given, changed and taken; leaving."""
from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from campaigns import queries
from campaigns.access import Viewer, member_only
from campaigns.contexts import PersonRow, link_rows, person_row
from campaigns.forms import Deed, RoleForm
from campaigns.models import Role
from campaigns.roles import A, gives
from campaigns.services import members
from campaigns.web import render_page, submit


@member_only()
def people(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Everybody at the table, and for a GM the links that let people in."""
    members, last = queries.people(viewer, request.GET.get("after", ""))
    older = f"{reverse('people', args=[viewer.campaign.slug])}?after={last.pk}" if last else ""
    return render_page(request, "campaigns/people.html", {
        "viewer": viewer, "people": [person_row(viewer, member) for member in members], "older": older,
        "links": link_rows(queries.links(viewer)),
    })


@member_only(Role.GM)
def change_role(request: HttpRequest, viewer: Viewer, member: uuid.UUID) -> HttpResponse:
    """Another role for somebody."""
    other = _other(request, viewer, member)
    form = RoleForm(gives(viewer.member.role), request.POST or None, initial={"role": other.role.lower()})
    written = submit(form, lambda: members.change_role(
        member_id=member, role=Role(form.cleaned_data["role"]), **_by(viewer), **form.submission()
    ))
    if written:
        return _back(request, viewer, f"{other.name} is {A[form.cleaned_data['role']]} now.")
    return render_page(request, "campaigns/change_role.html", {"viewer": viewer, "person": other}, form=form)


@member_only(Role.GM)
def remove(request: HttpRequest, viewer: Viewer, member: uuid.UUID) -> HttpResponse:
    """Removes somebody from the campaign."""
    other = _other(request, viewer, member)
    form = Deed(request.POST or None)
    if submit(form, lambda: members.remove(member_id=member, **_by(viewer), **form.submission())):
        return _back(request, viewer, f"{other.name} was removed.")
    return render_page(request, "campaigns/remove.html", {"viewer": viewer, "person": other}, form=form)


@member_only(Role.GM)
def hand_over(request: HttpRequest, viewer: Viewer, member: uuid.UUID) -> HttpResponse:
    """Makes somebody else the owner. A second click comes from one who is a GM by then: the service decides."""
    if request.method == "GET" and not viewer.owns:
        raise Http404("There is nothing here for you.")
    other = _other(request, viewer, member)
    form = Deed(request.POST or None)
    if submit(form, lambda: members.hand_over(member_id=member, **_by(viewer), **form.submission())):
        return _back(request, viewer, f"{other.name} is the owner now. You are a GM.")
    return render_page(request, "campaigns/hand_over.html", {"viewer": viewer, "person": other}, form=form)


@member_only()
def leave(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Leaves the campaign."""
    form = Deed(request.POST or None)
    if submit(form, lambda: members.leave(**_by(viewer), **form.submission())):
        messages.info(request, f"You have left {viewer.campaign.name}.")
        return redirect("home")
    return render_page(request, "campaigns/leave.html", {"viewer": viewer}, form=form)


def _by(viewer: Viewer) -> dict[str, Any]:
    return {"campaign": viewer.campaign, "actor": viewer.member}


def _other(request: HttpRequest, viewer: Viewer, member_id: uuid.UUID) -> PersonRow:
    other = queries.person(viewer, member_id)
    # A second click comes when the person is gone already; the service knows what it answered to the first.
    if other is None or (request.method == "GET" and not other.active):
        raise Http404("There is no such member.")
    return person_row(viewer, other)


def _back(request: HttpRequest, viewer: Viewer, sentence: str) -> HttpResponse:
    messages.info(request, sentence)
    return redirect("people", viewer.campaign.slug)
