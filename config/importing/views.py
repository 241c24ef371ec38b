"""Importing a campaign: the file is sent, and a page of its own says how far the worker is with it."""
from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.tallies import Wait
from campaigns.errors import Refused
from campaigns.models import Campaign
from campaigns.web import render_page
from config.importing import services
from config.importing.forms import FileForm, ImportForm
from config.models import Upload
from config.operating.views import operators_only
from jobs import queue

SIGN = timedelta(minutes=2)  # a worker that does nothing else gives one every half minute


@operators_only
def import_for_another(request: HttpRequest) -> HttpResponse:
    """A campaign of a file, for whomever the operator names."""
    form = ImportForm(request.POST or None, request.FILES or None, initial={"owner": request.user})
    return _sent(request, form, by_operator=True, back="operator")


@never_cache
@login_required
def import_own(request: HttpRequest) -> HttpResponse:
    """The same for oneself, where the server lets everyone: so many an hour, as an account has room for it."""
    if settings.IMPORTS != "everyone":
        raise Http404
    return _sent(request, FileForm(request.POST or None, request.FILES or None), by_operator=False, back="found")


def _sent(request: HttpRequest, form: FileForm, *, by_operator: bool, back: str) -> HttpResponse:
    """Keeps the file and leads to the page that says how far it is; else the form, with what is wrong at its field."""
    if form.is_valid():
        data = form.cleaned_data
        try:
            upload = services.keep(
                data["file"], user=request.user, owner=data.get("owner", request.user), by_operator=by_operator)
            return redirect("import_progress", upload.pk)
        except Refused as refused:
            form.add_error(refused.field or None, f"{refused.sentence} Nothing was imported.")
        except Wait as wait:
            form.add_error(None, wait.sentence)
    context: dict[str, Any] = {"back": back, "upload": services.open_of(request.user)}
    return render_page(request, "importing/import.html", context, form=form)


@require_safe
@never_cache
@login_required
def progress(request: HttpRequest, upload: uuid.UUID) -> HttpResponse:
    """How far it is, for whoever sent it."""
    mine = get_object_or_404(Upload.objects.select_related("owner"), pk=upload, user=request.user)
    sign = queue.last_sign()
    context = {
        "upload": mine, "campaign": Campaign.objects.filter(pk=mine.campaign_id).first() if mine.campaign_id else None,
        "own": mine.owner_id == mine.user_id, "no_worker": sign is None or sign > SIGN,
        "back": "operator" if mine.by_operator else "found",
    }
    return render_page(request, "importing/progress.html", context)


@require_POST
@login_required
def stop(request: HttpRequest, upload: uuid.UUID) -> HttpResponse:
    """Ends it, where it has not ended; its page says which."""
    services.stop(get_object_or_404(Upload, pk=upload, user=request.user))
    return redirect("import_progress", upload)
