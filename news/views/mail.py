"""What one is told by mail: one's own choice for each campaign, the address, and links in mails."""
from __future__ import annotations

from typing import cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from accounts import tallies
from accounts.forms import MAILS_ACCOUNT, TOO_MANY_MAILS
from accounts.models import User
from campaigns.access import Viewer, member_only
from campaigns.models import Member
from campaigns.queries import my_memberships
from campaigns.web import render_page
from news import links, queries
from news.confirming import ask_to_confirm as ask_again
from news.contexts import address_context, mail_rows
from news.forms import MailForm
from news.links import Stop, Stream
from news.reach import mailbox_of
from news.services import choosing


@login_required
def mail(request: HttpRequest) -> HttpResponse:
    """How it is with one's address, and what one is told of each campaign."""
    user = cast(User, request.user)
    members, last = my_memberships(user, request.GET.get("after", ""))
    context = {
        "address": address_context(user, mailbox_of(user)), "rows": mail_rows(members, queries.subscriptions(members)),
        "older": f"{reverse('mail')}?after={last.pk}" if last else "", "plain_form": forms.Form(),
    }
    return render_page(request, "news/mail.html", context)


@member_only(own=True)
def mail_settings(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What one is told of a campaign. It is nobody's business else: a GM who looks as a player sees their own."""
    user = cast(User, request.user)
    form = MailForm(request, queries.subscription_of(viewer.member), runs=viewer.runs, needs_address=not user.email)
    if form.is_valid():
        choosing.choose(member=viewer.member, pace=form.cleaned_data["pace"], kinds=form.kinds(),
                        email=form.cleaned_data.get("email", ""))
        messages.info(request, "Saved.")
        return redirect("mail")
    context = {"viewer": viewer, "address": address_context(user, mailbox_of(user))}
    return render_page(request, "news/mail_settings.html", context, form=form)


@require_POST
@login_required
def ask_to_confirm(request: HttpRequest) -> HttpResponse:
    """Sends another link that confirms one's address."""
    user = cast(User, request.user)
    try:
        tallies.take("mail", most=MAILS_ACCOUNT, too_often=TOO_MANY_MAILS, account=str(user.pk))
    except tallies.Wait as wait:
        messages.error(request, wait.sentence)
    else:
        ask_again(user=user, again=True)
        said = f"A link is on its way to {user.email}." if user.email else "Add an e-mail address first."
        messages.info(request, said)
    return redirect("mail")


def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """The link that confirms an address. Programs that scan mails follow links, so it takes a press."""
    user = links.read_confirm(token)
    done = user is not None and request.method == "POST"
    if user and done:
        choosing.confirm(user=user)
    context = {"address": user.email if user else "", "done": done, "plain_form": forms.Form()}
    return render_page(request, "news/confirm.html", context)


@csrf_exempt
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Stops mails of one kind, for whoever has the mail: mail programs send the POST by themselves (RFC 8058)."""
    what = links.read_stop(token)
    done = what is not None and request.method == "POST"
    if what and done:
        choosing.stop(what=what)
    context = {"what": _said(what), "done": done, "plain_form": forms.Form()}
    return render_page(request, "news/stop.html", context)


def _said(what: Stop | None) -> str:
    """What is stopped, in words; "" for a link that is not ours."""
    if what is None or what.stream == Stream.DAILY:
        return "the daily mail" if what else ""
    member = Member.objects.filter(pk=what.of).select_related("campaign").first()
    kind = {Stream.NEWS: "news", Stream.DATES: "dates"}[what.stream]
    return f"{kind} of {member.campaign.name}" if member else kind
