"""Notes: the shelf, a page, writing one, its picture, its history, and who sees it."""
from __future__ import annotations

import uuid
from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from campaigns import linking, pages, sight
from campaigns.access import Viewer, member_only
from campaigns.contexts import viewer_context
from campaigns.models import Page, Role, View
from campaigns.offline import kept_offline
from campaigns.pageforms import PageForm
from campaigns.services import pages as services
from campaigns.views import things
from campaigns.views.things import saved
from campaigns.web import ActionForm, ask_once, by, by_htmx, render_page, submit


@member_only()
@kept_offline
def listing(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The notes by their titles; `type` narrows them, `after` goes on."""
    type = request.GET.get("type", "")
    rows, after = pages.listed(viewer, type if type in dict(services.TYPES) else "", request.GET.get("after", ""))
    return render_page(request, "campaigns/pages/list.html", {
        "viewer": viewer, "rows": rows, "after": after, "type": type, "types": services.TYPES[1:],
        "button_form": _button_form})


@member_only()
@kept_offline
def page(request: HttpRequest, viewer: Viewer, page_id: uuid.UUID) -> HttpResponse:
    """A note."""
    return _draw(request, viewer, page_id)


def _draw(request: HttpRequest, viewer: Viewer, page_id: uuid.UUID, refused: ActionForm | None = None) -> HttpResponse:
    context = pages.page_context(viewer, *pages.find(viewer, page_id))
    return render_page(request, "campaigns/pages/page.html", {
        "viewer": viewer, "page": context, "button_form": _button_form}, form=refused)


@member_only(Role.PLAYER)
def new(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """A new note, on something where `about` says so."""
    about = _about(viewer, request.GET.get("about", ""))
    form = PageForm(viewer, None, request.POST or None, initial={
        "title": request.GET.get("title", "")[: services.TITLE].replace("\0", "")})
    entry = submit(form, lambda: services.write(
        **by(viewer, form), **form.said(), about_id=about.id if about else None))
    if entry:
        messages.info(request, f"Saved as entry {entry.seq}.")
        made = services.id_from(viewer.campaign, entry.op_id)
        return redirect(about.url if about else reverse("page", args=[viewer.campaign.slug, made]))
    return render_page(request, "campaigns/pages/edit.html", {
        "viewer": viewer, "about": about, "title": f"A note on {about.name}" if about else "A new note",
        "back": about.url if about else reverse("pages", args=[viewer.campaign.slug])}, form=form)


def _about(viewer: Viewer, said: str) -> linking.Named | None:
    """The thing that a note is about; 404 for what the viewer may not know of."""
    if not said:
        return None
    try:
        return linking.by_id(viewer, [uuid.UUID(said)])[uuid.UUID(said)]
    except (ValueError, KeyError):
        raise Http404("There is nothing here for you.") from None


@member_only(Role.PLAYER)
def edit(request: HttpRequest, viewer: Viewer, page_id: uuid.UUID) -> HttpResponse:
    """A note changed."""
    held = pages.find_to_edit(viewer, page_id)
    if held.type == services.JOURNAL:
        return redirect("journal", viewer.campaign.slug, held.about_id)
    form = PageForm(viewer, held, request.POST if request.method == "POST" else None)
    entry = submit(form, lambda: services.write(
        **by(viewer, form), page_id=page_id, **{"looks": held.looks, **form.said()}))
    if entry:
        return saved(request, _url(viewer, held), entry)
    return render_page(request, "campaigns/pages/edit.html", {
        "viewer": viewer, "title": held.title, "back": _url(viewer, held)}, form=form)


@member_only(Role.PLAYER)
def picture(request: HttpRequest, viewer: Viewer, page_id: uuid.UUID) -> HttpResponse:
    """Gives a note a picture, or removes it."""
    held = pages.find_to_edit(viewer, page_id)
    return things.picture_page(
        request, viewer, held, _url(viewer, held), partial(services.set_picture, page_id=page_id))


@member_only()
@kept_offline
@require_GET
def image(request: HttpRequest, viewer: Viewer, page_id: uuid.UUID, digest: str) -> HttpResponse:
    """The picture, for whoever may know of the note."""
    return things.picture_answer(pages.image(viewer, page_id, digest), digest)


@member_only()
def history(request: HttpRequest, viewer: Viewer, page_id: uuid.UUID) -> HttpResponse:
    """How a note came to say what it says."""
    held, whole = pages.find(viewer, page_id)
    if not whole:
        raise Http404("There is nothing here for you.")
    before = request.GET.get("before", "")
    rows, older = pages.history(viewer, held, int(before[:9]) if before.isdecimal() else 0)
    return render_page(request, "campaigns/pages/history.html", {
        "viewer": viewer, "title": held.title, "back": _url(viewer, held), "rows": rows, "older": older})


@require_POST
@member_only(Role.PLAYER)
def see(request: HttpRequest, viewer: Viewer, page_id: uuid.UUID) -> HttpResponse:
    """One tap: everyone sees nothing of a note, its face, or all of it."""
    form, held = ActionForm(request.POST), pages.find_to_edit(viewer, page_id)
    said = request.POST.get("view", "")
    view = View(said) if said in View else View.NOTHING
    entry = submit(form, lambda: services.see(**by(viewer, form), page_id=page_id, view=view))
    if by_htmx(request) and request.POST.get("place") == "list":
        now, _ = pages.find(viewer, page_id)
        return render(request, "shared/views.html", {
            "viewer": viewer_context(viewer), "views": sight.choices(View(now.view)), "id": now.pk, "listed": True,
            "button_form": _button_form, "of": "page_view", "refused": [] if entry else form.non_field_errors()})
    if entry is None:
        return _draw(request, viewer, page_id, form)
    return redirect("pages", viewer.campaign.slug) if request.POST.get("place") == "list" else saved(
        request, _url(viewer, held), entry)


@member_only(Role.GM)
def who_sees(request: HttpRequest, viewer: Viewer, page_id: uuid.UUID) -> HttpResponse:
    """What single players know of a note beyond everyone."""
    held = pages.find_to_edit(viewer, page_id)
    return things.who_sees_page(request, viewer, held, _url(viewer, held), partial(services.tell, page_id=page_id))


@require_POST
@member_only(Role.PLAYER)
def remove(request: HttpRequest, viewer: Viewer, page_id: uuid.UUID) -> HttpResponse:
    """Takes a note away, which is asked once."""
    held, form = pages.find_to_edit(viewer, page_id), ActionForm(request.POST)
    if asked := ask_once(
        request, viewer, question=f"“{held.title}” leaves the notes. The Ledger keeps what it said, for those who "
        "could read it.", button=f"Remove {held.title}", back=_url(viewer, held),
    ):
        return asked
    if submit(form, lambda: services.remove(**by(viewer, form), page_id=page_id)) is None:
        return _draw(request, viewer, page_id, form)
    return redirect("pages", viewer.campaign.slug)


def _url(viewer: Viewer, held: Page) -> str:
    return reverse("page", args=[viewer.campaign.slug, held.pk])


def _button_form() -> ActionForm:
    return ActionForm(auto_id=False)
