"""The operator's page. For everybody else there is none."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.mail import send_mail
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.models import User
from config import room
from config.operating import queries, services
from config.version import version
from jobs import queue
from rules.values import BadMove


def operators_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """404 for everybody else who is logged in."""

    def looked_at(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not getattr(request.user, "is_staff", False):
            raise Http404
        return view(request, *args, **kwargs)

    return never_cache(login_required(looked_at))


@operators_only
def operator(request: HttpRequest, link: str = "", status: int = 200) -> HttpResponse:
    """All of it."""
    name = request.GET.get("name", "").strip()
    context = {
        "version": version(), "left": room.bytes_left(), "size": room.bytes_of_database(), "name": name,
        "backups": bool(settings.BACKUPS), "backup": queries.last_backup(),
        "people": queries.people(name), "campaigns": queries.largest(), "ready": queue.ready().count(),
        "late": queue.late().total_seconds() // 60, "given_up": queue.given_up()[: queries.SHOWN], "link": link,
        "sign": queries.minutes_since_sign(), "refused_mail": queries.refused_mail(),
        "frame": "shared/page.html",
    }
    return render(request, "operating/operator.html", context, status=status)


@require_POST
@operators_only
def person(request: HttpRequest, person: uuid.UUID) -> HttpResponse:
    """One account: locked, let in, given a link, or deleted."""
    account = get_object_or_404(User, pk=person, deleted_at=None)
    name = account.username
    try:
        match request.POST.get("do"):
            case "lock":
                services.lock(person=account, locked=True)
                messages.info(request, f"{name} is locked out.")
            case "unlock":
                services.lock(person=account, locked=False)
                messages.info(request, f"{name} can log in again.")
            case "link":
                return operator(request, link=services.password_link(person=account))
            case "delete" if request.POST.get("name") == name:
                services.delete(person=account)
                messages.info(request, f"The account of {name} is deleted.")
            case _:
                messages.info(request, f"Nothing was changed. To delete an account, enter its name: {name}.")
    except BadMove as bad:
        messages.info(request, str(bad))
    return redirect("operator")


@require_POST
@operators_only
def maintain(request: HttpRequest) -> HttpResponse:
    """Failed jobs tried again, or a test mail."""
    if "mail" not in request.POST:
        messages.info(request, f"Jobs to be tried again: {queue.try_again(queue.given_up())}.")
    elif not (address := getattr(request.user, "email", "")):
        messages.info(request, "Your account has no mail address. Add one on your account page.")
    else:
        try:
            send_mail("A test", "This mail shows that the site can send mail.", None, [address])
        except OSError as error:
            messages.info(request, f"The mail could not be sent: {error.strerror or type(error).__name__}.")
        else:
            messages.info(request, f"A test mail was sent to {address}.")
    return redirect("operator")
