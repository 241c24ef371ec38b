"""Notes: the shelf, a page, writing one, its picture, its history, and who sees it."""
from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from campaigns import linking, pages, sight
from campaigns.access import Viewer, member_only
from campaigns.contexts import viewer_context
from campaigns.models import Page, Role, View
from campaigns.pageforms import PageForm, PictureForm, SightForm
from campaigns.services import pages as services
from campaigns.web import ActionForm, ask_once, by_htmx, render_page, submit


@member_only()
def listing(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The notes by their titles; `sort` narrows them, `after` goes on."""
    sort = request.GET.get("sort", "")
    rows, after = pages.listed(viewer, sort if sort in dict(services.SORTS) else "", request.GET.get("after", ""))
    return render_page(request, "campaigns/pages/list.html", {
        "viewer": viewer, "rows": rows, "after": after, "sort": sort, "sorts": services.SORTS[1:],
        "button_form": _button_form})


@member_only()
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
        **_who(viewer, form), **form.said(), about_id=about.id if about else None))
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
    form = PageForm(viewer, held, request.POST if request.method == "POST" else None)
    entry = submit(form, lambda: services.write(
        **_who(viewer, form), page_id=page_id, **{"looks": held.looks, **form.said()}))
    if entry:
        return _saved(request, viewer, held, entry.seq)
    return render_page(request, "campaigns/pages/edit.html", {
        "viewer": viewer, "title": held.title, "back": _url(viewer, held)}, form=form)


@member_only(Role.PLAYER)
def picture(request: HttpRequest, viewer: Viewer, page_id: uuid.UUID) -> HttpResponse:
    """Gives a note a picture, or removes it."""
    held = pages.find_to_edit(viewer, page_id)
    down = request.method == "POST" and "down" in request.POST
    form: ActionForm = ActionForm(request.POST) if down else PictureForm(
        request.POST, request.FILES) if request.method == "POST" else PictureForm()
    entry = submit(form, lambda: services.set_picture(
        **_who(viewer, form), page_id=page_id, data=None if down else form.cleaned_data["picture"].read()))
    if entry:
        return _saved(request, viewer, held, entry.seq)
    return render_page(request, "campaigns/pages/picture.html", {
        "viewer": viewer, "title": held.title, "back": _url(viewer, held), "has_one": bool(held.digest),
        "fields": PictureForm() if down else form, "down": ActionForm(auto_id=False)}, form=form)


@member_only()
@require_GET
def image(request: HttpRequest, viewer: Viewer, page_id: uuid.UUID, digest: str) -> HttpResponse:
    """The picture, for whoever may know of the note. Its address changes with it, so a browser may keep it."""
    return HttpResponse(pages.image(viewer, page_id, digest), content_type="image/webp", headers={
        "Cache-Control": "private, max-age=86400, immutable", "ETag": f'"{digest}"',
        "Content-Disposition": 'inline; filename="picture.webp"',
    })


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
    entry = submit(form, lambda: services.see(**_who(viewer, form), page_id=page_id, view=view))
    if by_htmx(request) and request.POST.get("place") == "list":
        now, _ = pages.find(viewer, page_id)
        return render(request, "shared/views.html", {
            "viewer": viewer_context(viewer), "views": sight.choices(View(now.view)), "id": now.pk, "listed": True,
            "button_form": _button_form, "of": "page_view", "refused": [] if entry else form.non_field_errors()})
    if entry is None:
        return _draw(request, viewer, page_id, form)
    return redirect("pages", viewer.campaign.slug) if request.POST.get("place") == "list" else _saved(
        request, viewer, held, entry.seq)


@member_only(Role.GM)
def who_sees(request: HttpRequest, viewer: Viewer, page_id: uuid.UUID) -> HttpResponse:
    """What single players know of a note beyond everyone."""
    held = pages.find_to_edit(viewer, page_id)
    form = SightForm(sight.players(viewer), sight.of(page_id), request.POST if request.method == "POST" else None)
    entry = submit(form, lambda: services.tell(**_who(viewer, form), page_id=page_id, views=form.views()))
    if entry:
        return _saved(request, viewer, held, entry.seq)
    return render_page(request, "campaigns/pages/who_sees.html", {
        "viewer": viewer, "title": held.title, "back": _url(viewer, held),
        "everyone": sight.HELP[View(held.view)]}, form=form)


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
    if submit(form, lambda: services.remove(**_who(viewer, form), page_id=page_id)) is None:
        return _draw(request, viewer, page_id, form)
    return redirect("pages", viewer.campaign.slug)


def _saved(request: HttpRequest, viewer: Viewer, held: Page, seq: int) -> HttpResponse:
    messages.info(request, f"Saved as entry {seq}.")
    return redirect(_url(viewer, held))


def _url(viewer: Viewer, held: Page) -> str:
    return reverse("page", args=[viewer.campaign.slug, held.pk])


def _who(viewer: Viewer, form: ActionForm) -> dict[str, Any]:
    return {"campaign": viewer.campaign, "actor": viewer.member, **form.submission()}


def _button_form() -> ActionForm:
    return ActionForm(auto_id=False)
