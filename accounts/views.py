"""Signing up, in and out, passwords, the account page. Deleting an account asks the campaigns, so it lives there."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_required
from django.contrib.auth.mixins import LoginRequiredMixin
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST
from django.views.generic import FormView, TemplateView

from accounts import forms
from accounts.conflicts import retried
from accounts.devices import remember
from accounts.guessing import unlock
from accounts.models import User
from accounts.registration import may_sign_up
from accounts.tallies import Wait
from accounts.zones import called, is_zone

if TYPE_CHECKING:  # at run time Django's views take no type in brackets
    AnyFormView = FormView[Any]
else:
    AnyFormView = FormView

GUESSED = "Times are shown for {}, where your browser says you are. You can change that on your account page."
FRAME: Mapping[str, Any] = {"frame": "shared/page.html"}


class Says422:
    """A form view that answers 422 when it refuses, 429 when it was tried too often, and keeps what was typed."""

    extra_context: Mapping[str, Any] | None = FRAME

    def form_invalid(self, form: Any) -> HttpResponse:
        """The page again, with what to do at each field."""
        context = self.get_context_data(form=form)  # type: ignore[attr-defined]
        answer: HttpResponse = self.render_to_response(context, status=422)  # type: ignore[attr-defined]
        if seconds := forms.seconds_to_wait(form):
            answer.status_code, answer["Retry-After"] = 429, str(seconds)
        return answer


class WithRequest:
    """A form view whose form counts by the address that asks."""

    request: HttpRequest

    def get_form_kwargs(self) -> dict[str, Any]:
        """With the request."""
        return {**super().get_form_kwargs(), "request": self.request}  # type: ignore[misc]


@method_decorator([sensitive_post_parameters(), never_cache], name="dispatch")
class SignUp(Says422, WithRequest, auth.RedirectURLMixin, AnyFormView):
    """Makes an account, logs it in, and goes on to where one came from."""

    template_name = "accounts/sign_up.html"
    form_class = forms.SignUpForm
    next_page = "home"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Says so where accounts are not made here, or not without an invitation."""
        if not may_sign_up(self.get_redirect_url()):
            return render(request, "accounts/no_sign_up.html", FRAME, status=403)
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """With the address to go on to, if it is one of ours."""
        return super().get_context_data(next=self.get_redirect_url(), **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        """Two people who take one name at the same moment: the second is told."""
        try:
            user = _kept(form)
        except IntegrityError:
            form.taken_meanwhile()
            return self.form_invalid(form)
        except Wait as wait:
            form.add_error(None, forms.too_often(wait))
            return self.form_invalid(form)
        login(self.request, user, backend="django.contrib.auth.backends.ModelBackend")
        if user.time_zone:
            messages.info(self.request, GUESSED.format(called(user.time_zone)))
        return remember(super().form_valid(form), user)


class LogIn(Says422, auth.LoginView):
    """Logs in, and goes on to where one came from."""

    template_name = "accounts/log_in.html"
    form_class = forms.LogInForm
    redirect_authenticated_user = True

    def form_valid(self, form: Any) -> HttpResponse:
        """This device is known from now on."""
        return remember(super().form_valid(form), form.get_user())

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """With the address to go on to, if it is one of ours."""
        return {**super().get_context_data(**kwargs), "next": self.get_redirect_url()}


class Account(Says422, LoginRequiredMixin, WithRequest, AnyFormView):
    """One's own name and address, and the way to the rest."""

    template_name = "accounts/account.html"
    form_class = forms.AccountForm
    success_url = reverse_lazy("account")

    def get_form_kwargs(self) -> dict[str, Any]:
        """The form works on a copy, so that a refused name is not shown as one's own."""
        mine = User.objects.get(pk=cast(User, self.request.user).pk)
        return {**super().get_form_kwargs(), "instance": mine}

    def form_valid(self, form: Any) -> HttpResponse:
        """Keeps both."""
        try:
            _kept(form)
        except IntegrityError:
            form.taken_meanwhile()
            return self.form_invalid(form)
        messages.info(self.request, "Saved.")
        return super().form_valid(form)


@retried
@transaction.atomic
def _kept(form: Any) -> User:
    """What somebody said of themselves, written."""
    user: User = form.save()
    return user


@require_POST
@login_required
def guess_zone(request: HttpRequest) -> HttpResponse:
    """The browser says where somebody is who has not said so themselves; a zone that is none changes nothing."""
    zone = request.POST.get("time_zone", "")
    user = cast(User, request.user)
    if not is_zone(zone) or not User.objects.filter(pk=user.pk, time_zone="").update(time_zone=zone):
        return HttpResponse(status=204)
    return render(request, "accounts/guessed_zone.html", {"said": GUESSED.format(called(zone))})


class ChangePassword(Says422, WithRequest, auth.PasswordChangeView):
    """A new password for whoever knows the old one; other devices are logged out by it."""

    template_name = "accounts/change_password.html"
    form_class = forms.ChangePasswordForm  # type: ignore[assignment]  # it asks the same, with our words
    success_url = reverse_lazy("account")

    def form_valid(self, form: Any) -> HttpResponse:
        """Says so."""
        messages.info(self.request, "Password changed. On other devices you are logged out.")
        return super().form_valid(form)


class ResetPassword(Says422, WithRequest, auth.PasswordResetView):
    """Sends a link for a new password, and never tells whether there is such an address."""

    template_name = "accounts/reset_password.html"
    email_template_name = "accounts/mail/reset.txt"
    subject_template_name = "accounts/mail/reset_subject.txt"
    form_class = forms.MailForm
    success_url = reverse_lazy("reset_password_sent")


class ResetPasswordSent(TemplateView):
    """What to do now."""

    template_name = "accounts/reset_password_sent.html"
    extra_context = FRAME


class SetPassword(Says422, auth.PasswordResetConfirmView):
    """A new password, by the link. It ends every wait for the name too."""

    template_name = "accounts/set_password.html"
    form_class = forms.NewPasswordForm
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        """Keeps it, and forgets what was guessed."""
        answer = super().form_valid(form)
        unlock(form.user)
        messages.info(self.request, "Password changed. Log in with it.")
        return answer
