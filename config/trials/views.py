"""A trial table, at one press."""
from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.tallies import Wait, address_of
from campaigns.errors import Refused
from campaigns.web import render_page
from config.trials import services
from config.trials.door import COOKIE
from rules.registry import SYSTEMS


@require_POST
def try_table(request: HttpRequest) -> HttpResponse:
    """Makes a table for a visitor and sits them down at its tray. Who is logged in has samples on Home."""
    if request.user.is_authenticated:
        return redirect("home")
    sent = request.POST
    try:
        trial, slug = services.begin(
            game=sent.get("game", ""), address=address_of(request), zone=sent.get("zone", ""))
    except Wait as wait:
        answer = render_page(request, "trials/none.html", {"why": wait.sentence})
        answer.status_code, answer["Retry-After"] = 429, str(wait.seconds)
        return answer
    except Refused as refused:
        answer = render_page(request, "trials/none.html", {"why": refused.sentence})
        answer.status_code = 503
        return answer
    seated = redirect(reverse("table", args=[slug]) + "#tray")
    seated.set_cookie(
        COOKIE, trial.cookie, expires=trial.until, httponly=True, secure=settings.SESSION_COOKIE_SECURE,
        samesite=settings.SESSION_COOKIE_SAMESITE)
    return seated


def trials(request: HttpRequest) -> dict[str, Any]:
    """For templates: the table of whoever tries one, and for others a function that answers the games to try."""
    return {"trial": getattr(request, "trial", None), "games_to_try": _games_to_try}


def _games_to_try() -> list[tuple[str, str]]:
    return [(game.slug, game.name) for game in SYSTEMS.values() if game.sample] if services.offered() else []
