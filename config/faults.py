"""What is answered where the database fails: 503 and a sentence that says what to do, on pages, fragments and streams.

Nothing is tried again here: whether something was written is the person's to see. Other faults are the plain 500 page.
"""
from __future__ import annotations

import logging
import sys
from http import HTTPStatus

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views.defaults import server_error

from accounts.troubles import SAFE, Trouble, trouble_of
from config import hosts
from config.logs import route_of

PLAIN = "text/plain; charset=utf-8"
PAUSE = {"Retry-After": "5"}

log = logging.getLogger(__name__)


def fault(request: HttpRequest) -> HttpResponse:
    """Answers what nobody else caught; Django calls it while the exception is being handled."""
    error = sys.exc_info()[1]
    if (trouble := trouble_of(error)) is None:
        return server_error(request)
    log.error("%s %s: %s", request.method, route_of(request.resolver_match), error)
    answered = answer(request, trouble)
    # Where the fault lies is known: a traceback for each request would only help to fill a full disk.
    answered._has_been_logged = True  # type: ignore[attr-defined]
    return answered


def answer(request: HttpRequest, trouble: Trouble) -> HttpResponse:
    """503: a page that has kept what was typed, or for a script the sentence alone. It asks the database nothing."""
    sentence, status = trouble.sentence(request.method or ""), HTTPStatus.SERVICE_UNAVAILABLE
    if "HX-Request" in request.headers or "text/html" not in request.headers.get("Accept", "text/html"):
        return HttpResponse(f"{sentence}\n", status=status, content_type=PLAIN, headers=PAUSE)
    context = {"sentence": sentence, "again": request.get_full_path(), "sends": request.method not in SAFE}
    if context["sends"]:
        # A password is typed again, and a file chosen again: neither goes into a page.
        context["typed"] = [
            (name, value) for name, values in request.POST.lists() if "password" not in name for value in values]
        context["left_out"] = bool(request.FILES) or any("password" in name for name in request.POST)
    return HttpResponse(loader.get_template("503.html").render(context), status=status, headers=PAUSE)


def not_accepted(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400; where the name of a home's own network is all that is wrong, with the line that makes it right."""
    host = hosts.name_of(request.META.get("HTTP_HOST", "")) if isinstance(exception, DisallowedHost) else ""
    context = {"host": host, "line": hosts.with_host(host) if hosts.is_of_a_network(host) else ""}
    return HttpResponse(loader.get_template("400.html").render(context), status=HTTPStatus.BAD_REQUEST)
