"""Where a visitor's requests go: to their trial table, and never to the site's own database."""
from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template import loader
from django.urls import Resolver404, resolve

from config.trials import files
from config.trials.files import Trial

COOKIE = "trial"
# What leads out of a trial table is the site's own.
OUTSIDE = frozenset({
    "sign_up", "login", "reset_password", "reset_password_sent", "set_password", "join", "shared", "shared_picture",
    "calendar_feed", "mail_confirm", "mail_stop", "verifier", "manifest", "worker", "offline", "offline_list"})
# What a trial table has not, and why.
NOT_HERE = {
    **dict.fromkeys(("portrait", "page_picture", "thing_picture"), "Pictures can’t be uploaded to a trial table."),
    **dict.fromkeys(("invite", "renew_link", "close_link"), "Nobody can be invited to a trial table."),
    **dict.fromkeys(("share_sheet", "share_chronicle", "close_shared"), "Nothing of a trial table can be shared."),
    **dict.fromkeys(("account", "change_password", "delete_account", "calendar_address", "mail", "mail_link",
                     "mail_settings"), "A trial table has no account and sends no mail."),
    **dict.fromkeys(("found", "campaign_import", "import_progress", "import_stop", "sample_begin", "try_table"),
                    "This is your trial table. It is the only one."),
}


def own_table(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answers whoever has a trial table from its file. For everybody else it looks for a cookie and no more."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if COOKIE not in request.COOKIES:
            return get_response(request)
        trial, route = files.trial_of(request.COOKIES[COOKIE]), _route(request)
        if trial is None or route in OUTSIDE:
            response = get_response(request)
            user = getattr(request, "user", None)  # nobody has looked where an address is only corrected
            if trial is None or (user and user.is_authenticated):
                response.delete_cookie(COOKIE)
            return response
        return _within(request, trial, route, get_response)

    return middleware


def _within(
    request: HttpRequest, trial: Trial, route: str, get_response: Callable[[HttpRequest], HttpResponseBase],
) -> HttpResponseBase:
    request.COOKIES[settings.SESSION_COOKIE_NAME] = trial.session
    request.trial = trial  # type: ignore[attr-defined]
    with files.at(trial.file):
        response: Any = _not_here(request, route) or get_response(request)
        if response.streaming:  # read to its end while the database is theirs
            response.streaming_content = list(response.streaming_content)
    # Their session is named by our cookie alone: the site's own one stays as it is.
    response.cookies.pop(settings.SESSION_COOKIE_NAME, None)
    if route == "logout":
        files.remove(trial.file)
        response.delete_cookie(COOKIE)
    return response  # type: ignore[no-any-return]


def _not_here(request: HttpRequest, route: str) -> HttpResponse | None:
    if route not in NOT_HERE:
        return None
    page = loader.get_template("trials/not_here.html")
    return HttpResponse(page.render({"why": NOT_HERE[route]}, request), status=HTTPStatus.FORBIDDEN)


def _route(request: HttpRequest) -> str:
    try:
        return resolve(request.path_info).url_name or ""
    except Resolver404:
        return ""
