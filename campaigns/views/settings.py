"""A campaign's settings: its name, its pitch, its settings."""
from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaigns import queries
from campaigns.access import Viewer, member_only
from campaigns.budgets import Budget, of_campaign
from campaigns.forms import SettingsForm
from campaigns.models import Entry
from campaigns.services.setting import Stale, change_settings, last_change
from campaigns.setting_fields import in_words
from campaigns.web import ActionForm, render_page, submit


@member_only()
def campaign_settings(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """All members read them; the owner and the GMs change them."""
    if not viewer.runs:
        if request.method == "POST":
            raise Http404
        context = {"viewer": viewer, "now": _now(viewer), "moved": queries.setting_changes(viewer)}
        return render_page(request, "campaigns/settings.html", context)
    form = SettingsForm(viewer.campaign, request.POST or None, base=last_change(viewer.campaign))
    stale = False
    try:
        if _changed(viewer, form):
            messages.info(request, "Settings saved.")
            return redirect("campaign_settings", viewer.campaign.slug)
    except Stale as late:
        stale = True
        form.rebase(late.sentence, last_change(viewer.campaign))
        viewer.campaign.refresh_from_db()
    context = {"viewer": viewer, "button_form": ActionForm(auto_id=False), "now": _now(viewer), "stale": stale,
               "moved": queries.setting_changes(viewer), "budgets": _room(viewer)}
    answer = render_page(request, "campaigns/settings.html", context, form=form)
    answer.status_code = 409 if stale else answer.status_code
    return answer


def _room(viewer: Viewer) -> list[Budget]:
    return of_campaign(viewer.campaign, viewer.member.user) if viewer.owns else []


def _changed(viewer: Viewer, form: SettingsForm) -> Entry | None:
    return submit(form, lambda: change_settings(campaign=viewer.campaign, actor=viewer.member, **form.values()))


def _now(viewer: Viewer) -> list[tuple[str, str]]:
    campaign = viewer.campaign
    return [("Name", campaign.name), ("Pitch", campaign.pitch), *in_words(campaign.rules, campaign.settings)]
