"""Deleting one's account. It asks the campaigns, so it lives here and not with the accounts."""
from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.debug import sensitive_post_parameters

from campaigns.forms import DeleteAccountForm
from campaigns.services.departing import depart, left_alone, to_hand_over
from campaigns.web import render_page
from rules.values import BadMove


@sensitive_post_parameters("password")
@login_required
def delete_account(request: HttpRequest) -> HttpResponse:
    """Says what goes and what stays, and with the password does it."""
    form = DeleteAccountForm(request, request.POST or None)
    if form.is_valid():
        try:
            depart(user=request.user, **form.submission())
        except BadMove as bad:
            form.refuse(bad)
        else:
            logout(request)
            messages.info(request, "Your account is deleted.")
            return redirect("home")
    context = {"owned": to_hand_over(request.user), "alone": left_alone(request.user)}
    return render_page(request, "campaigns/delete_account.html", context, form=form)
