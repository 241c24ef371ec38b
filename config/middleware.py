"""What every page says to caches, and a session that fails no page."""
from __future__ import annotations

import logging
from collections.abc import Callable

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from accounts.troubles import SAFE, trouble_of

log = logging.getLogger(__name__)


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


class Sessions(SessionMiddleware):
    """Django's, where what a session can't keep is only a notice and undoes neither what was read nor what was written.

    A view for which the session is all there is to write saves it itself. Who logs in gets a new one, and hears of it.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Saves the session, as far as it can."""
        try:
            return super().process_response(request, response)
        except Error as error:
            same = request.session.session_key == request.COOKIES.get(settings.SESSION_COOKIE_NAME)
            if trouble_of(error) is None or not (same or request.method in SAFE):
                raise
            log.warning("A session was not saved: %s", error)
            return response
