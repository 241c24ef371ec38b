"""Signing up; logging in and out are Django's own views."""
from __future__ import annotations

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts.forms import SignUpForm


def sign_up(request: HttpRequest) -> HttpResponse:
    """Makes an account and logs it in."""
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = form.save()
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        return redirect(request.POST.get("next") or "home")
    frame = "shared/page.html"
    return render(request, "accounts/sign_up.html", {"form": form, "frame": frame}, status=422 if form.errors else 200)


def locked_out(request: HttpRequest, credentials: dict[str, str], *args: object, **kwargs: object) -> HttpResponse:
    """What one reads after too many wrong passwords."""
    return render(request, "accounts/locked_out.html", status=429)
