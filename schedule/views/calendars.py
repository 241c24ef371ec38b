"""Calendars: one evening as a file, everybody's own feed, and the page where its address is made."""
from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import calendar_addresses
from accounts.models import User
from accounts.zones import zone_name
from campaigns.access import Viewer, member_only
from campaigns.models import Member
from campaigns.web import ActionForm, render_page
from rules.dice import new_token
from schedule import queries
from schedule.calendars import calendar
from schedule.models import Evening, State
from schedule.series import AHEAD
from schedule.words import day_of

BACK = timedelta(days=92)  # what is over stays for so long
SHOWN = (State.FIXED, State.CALLED_OFF)
RENEWED = "This calendar address was renewed on {}, so it shows nothing now. Your account page has the new one.\n"


def _url_of(request: HttpRequest, evening: Evening) -> str:
    return request.build_absolute_uri(reverse("date", args=[evening.campaign.slug, evening.pk]))


def _answer(request: HttpRequest, evenings: list[Evening], name: str) -> HttpResponse:
    return HttpResponse(calendar(evenings, name, lambda evening: _url_of(request, evening)),
                        content_type="text/calendar; charset=utf-8")


@require_safe
@member_only()
def evening(request: HttpRequest, viewer: Viewer, evening_id: uuid.UUID) -> HttpResponse:
    """One date that was set, as a file for a calendar."""
    shown = queries.find(viewer.campaign, evening_id)
    if shown is None or shown.state not in SHOWN:
        raise Http404("There is no such date.")
    answer = _answer(request, [shown], viewer.campaign.name)
    answer["Content-Disposition"] = f'attachment; filename="{viewer.campaign.slug}.ics"'
    return answer


@require_safe
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """All dates of a person's campaigns that were set, for whoever has the secret in the address."""
    address = calendar_addresses.find(token)
    if address is None:
        raise Http404("There is no such calendar.")
    if address.renewed:
        said = RENEWED.format(day_of(address.renewed, zone_name(address.user)))
        return HttpResponse(said, status=410, content_type="text/plain; charset=utf-8")
    mine = Member.objects.filter(user=address.user, active=True, campaign__archived=False)
    now, campaigns = timezone.now(), list(mine.values_list("campaign_id", flat=True))
    return _answer(request, queries.dates(now - BACK, now + AHEAD, campaigns, states=SHOWN), "Ledger & Lantern")


@never_cache
@login_required
def address(request: HttpRequest) -> HttpResponse:
    """Makes the address of one's feed, or another one. This answer is the only one that ever shows it."""
    user, token = cast(User, request.user), new_token()
    context: dict[str, Any] = {"form": ActionForm(auto_id=False)}
    if request.method == "POST":
        calendar_addresses.renew(user=user, token=token)
        url = request.build_absolute_uri(reverse("calendar_feed", args=[token]))
        context |= {"address": url, "webcal": f"webcal:{url.partition(':')[2]}"}
    elif known := calendar_addresses.address_of(user):
        context["made"] = day_of(known.made, zone_name(user))
    return render_page(request, "schedule/calendar.html", context)
