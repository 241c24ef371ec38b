"""What a browser may keep of the site for when there is no network: for whose log-in, and of which release."""
from __future__ import annotations

from functools import cache

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

# In an answer: that the browser may keep it, with release and keeper. In a request: that it is asked for to be kept.
HEADER = "X-Keep-Offline"


@cache
def release() -> str:
    """The name of this release's static files; "" where they have no names of their own (`DEBUG`): nothing is kept."""
    return str(getattr(staticfiles_storage, "manifest_hash", ""))


def keeper(request: HttpRequest) -> str:
    """A name for this log-in that says nothing of the person; "" where nobody is logged in, or nothing is kept."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated or not release():
        return ""
    return salted_hmac("offline", str(request.session.session_key), algorithm="sha256").hexdigest()[:32]


def may_keep(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """The same answer, which the browser of whoever is logged in may keep now if it is a page that was read."""
    if request.method == "GET" and answer.status_code == 200 and (whose := keeper(request)):
        answer[HEADER] = f"{release()} {whose}"
    return answer


def asked_to_keep(request: HttpRequest) -> bool:
    """Whether nobody looks at the answer now: what is said once is not said in it."""
    return HEADER in request.headers
