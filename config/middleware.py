"""What every page says to caches, where an address leads that is only sent to, and a session that fails no page."""
from __future__ import annotations

import logging
from collections.abc import Callable

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import is_valid_path
from django.utils import timezone

from accounts.troubles import SAFE, trouble_of
from accounts.zones import zone_of
from config.logs import route_of
from config.requests import NOTE, Note

log = logging.getLogger(__name__)


def tell(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: tells a request's note which view answered, and for whom. It asks the database nothing."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        note: Note | None = request.META.get(NOTE)
        try:
            return get_response(request)
        finally:
            if note:
                match, person = request.resolver_match, getattr(request, "_cached_user", None)
                note.route = route_of(match) if match else note.route
                note.person = str(person.pk) if person and person.pk else ""

    return middleware


def refuse_foreign(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Says with every answer what a page may load. No view has another policy, so it is put into words once; the
    framework's own pages about a fault in DEBUG are without."""
    policy = build_policy()

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not (settings.DEBUG and response.status_code in (404, 500)):
            response[HEADER] = policy
        return response

    return middleware


def keep_private(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Nothing that a view makes is kept by a cache or a browser, unless the view says otherwise.

    Every page names who is logged in or holds a token of theirs. Static files don't come this way.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            response["Cache-Control"] = "private, no-store"
        return response

    return middleware


def own_time(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Every time on a page is that of its reader's zone. Who has no session is not looked for."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        known = settings.SESSION_COOKIE_NAME in request.COOKIES
        with timezone.override(zone_of(request.user if known else None)):
            return get_response(request)

    return middleware


def lead_up(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Who loads an address again that only takes what is sent is led to the page above it, as its address says.

    A browser that was closed opens the address of a refusal with a plain GET: that page is where it was sent from.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        sent_only = response.status_code == 405 and "POST" in response.get("Allow", "")
        if not sent_only or request.method not in ("GET", "HEAD") or "HX-Request" in request.headers:
            return response
        return redirect(above(request.path))

    return middleware


def above(path: str) -> str:
    """The address of the nearest page above this one; that of Home where there is none.

    >>> above("/c/the-glass-harbour/ledger/12/undo/")
    '/c/the-glass-harbour/ledger/12/'
    """
    while path := path.rstrip("/").rpartition("/")[0]:
        if is_valid_path(f"{path}/"):
            return f"{path}/"
    return "/"


class Sessions(SessionMiddleware):
    """Django's, where what a session can't keep is only a notice and undoes neither what was read nor what was written.

    A view for which the session is all there is to write saves it itself. Who logs in gets a new one, and hears of it.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Saves the session, as far as it can."""
        try:
            return super().process_response(request, response)
        except (Error, SessionInterrupted) as failed:
            error = _of_database(failed)
            same = request.session.session_key == request.COOKIES.get(settings.SESSION_COOKIE_NAME)
            if trouble_of(error) is None or not (same or request.method in SAFE):
                raise
            log.warning("A session was not saved: %s", error)
            return response


def _of_database(failed: BaseException) -> BaseException | None:
    """What the database said: Django takes whatever it says for a session that somebody deleted meanwhile."""
    error: BaseException | None = failed
    while error is not None and not isinstance(error, Error):
        error = error.__context__
    return error
