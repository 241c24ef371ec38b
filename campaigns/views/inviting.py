"""Links that let people in, from both ends: made and closed at the table, followed from outside."""
from __future__ import annotations

import uuid
from typing import cast

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.models import User
from campaigns.access import Viewer, member_only
from campaigns.contexts import invitation_card
from campaigns.forms import Deed, InviteForm
from campaigns.invitations import OLDER, SENTENCES, UNKNOWN, State, hash_of, makers, older_than_removal, state_of
from campaigns.models import Invitation, Member, Role
from campaigns.roles import gives
from campaigns.services import inviting
from campaigns.web import render_page, submit
from rules.dice import new_token


@never_cache
@member_only(Role.GM)
def invite(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Makes a link. This answer is the only one that ever shows its address."""
    form, token = InviteForm(gives(viewer.member.role), request.POST or None), new_token()
    written = submit(form, lambda: inviting.invite(
        campaign=viewer.campaign, actor=viewer.member, token=token, **form.values()
    ))
    if written is None:
        return render_page(request, "campaigns/invite.html", {"viewer": viewer}, form=form)
    return _shown_once(request, viewer, token)


def _shown_once(request: HttpRequest, viewer: Viewer, token: str) -> HttpResponse:
    # A second click found the first entry: its link has another token, which nobody can show again.
    known = Invitation.objects.filter(token_hash=hash_of(token)).exists()
    address = request.build_absolute_uri(reverse("join", args=[token])) if known else ""
    return render_page(request, "campaigns/invited.html", {"viewer": viewer, "address": address})


@never_cache
@require_POST
@member_only(Role.GM)
def renew(request: HttpRequest, viewer: Viewer, invitation: uuid.UUID) -> HttpResponse:
    """Makes a link anew. This answer is the only one that ever shows its address."""
    if not Invitation.objects.filter(campaign=viewer.campaign, pk=invitation).exists():
        raise Http404("There is no such link.")
    form, token = Deed(request.POST), new_token()
    if submit(form, lambda: inviting.renew(
        campaign=viewer.campaign, actor=viewer.member, invitation_id=invitation, token=token, **form.submission()
    )):
        return _shown_once(request, viewer, token)
    return render_page(request, "campaigns/not_closed.html", {"viewer": viewer}, form=form)


@require_POST
@member_only(Role.GM)
def close(request: HttpRequest, viewer: Viewer, invitation: uuid.UUID) -> HttpResponse:
    """Closes a link."""
    if not Invitation.objects.filter(campaign=viewer.campaign, pk=invitation).exists():
        raise Http404("There is no such link.")
    form = Deed(request.POST)
    if submit(form, lambda: inviting.close(
        campaign=viewer.campaign, actor=viewer.member, invitation_id=invitation, **form.submission()
    )):
        messages.info(request, "The link is closed.")
        return redirect("people", viewer.campaign.slug)
    return render_page(request, "campaigns/not_closed.html", {"viewer": viewer}, form=form)


@never_cache
def join(request: HttpRequest, token: str) -> HttpResponse:
    """What a link offers, and with a POST membership itself. Looking never uses a link up."""
    link = Invitation.objects.select_related("campaign").filter(token_hash=hash_of(token)).first()
    if link is None:
        return _dead(request, UNKNOWN, 404)
    mine = Member.objects.filter(campaign=link.campaign, user_id=cast(User, request.user).pk).first()
    if mine and mine.active:
        return redirect("table", link.campaign.slug)
    maker = makers([link]).get(str(link.pk))
    state = state_of(link, maker, timezone.now())
    if state is not State.OPEN:
        return _dead(request, SENTENCES[state], 410)
    if mine and older_than_removal(link, mine):
        return _dead(request, OLDER, 410)
    form = Deed(request.POST or None)
    if form.is_bound and not request.user.is_authenticated:
        return redirect_to_login(request.path)
    if submit(form, lambda: inviting.join(invitation=link, user=request.user, **form.submission())):
        return redirect("table", link.campaign.slug)
    return render_page(request, "campaigns/join.html", {"card": invitation_card(link, maker)}, form=form)


def _dead(request: HttpRequest, sentence: str, status: int) -> HttpResponse:
    answer = render_page(request, "campaigns/dead_link.html", {"sentence": sentence})
    answer.status_code = status
    return answer
