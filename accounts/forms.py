"""Forms of accounts: Django's own, in the site's words."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.conf import settings
from django.contrib.auth import forms as auth
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from accounts import guessing, tallies, zones
from accounts.models import User
from accounts.names import LONGEST, check_free, key_of, look_of
from accounts.tallies import Wait
from accounts.wording import OwnWords, choice
from accounts.zones import NO_ZONE, called, is_zone

TAKEN = "This name is taken. Choose another."
LOOKS_TAKEN = "This name looks like another one here. Choose one that nobody takes for it."
WRONG = "This is not your password. Type it again."
PASSWORD_HELP = "Eight characters or more, and not one that many people use."  # noqa: S105 - a sentence
WAIT = "wait"  # the code of a refusal that time will undo
MAILS_ACCOUNT, MAILS_ADDRESS = 3, 6  # in an hour
TOO_MANY_MAILS = "Too many links were asked for from here."
TOO_MANY_ACCOUNTS = "Too many accounts were made from here."
NAME_HELP = f"What others see: letters, digits, and . - _, {LONGEST} at most."


if TYPE_CHECKING:  # at run time Django's forms take no type in brackets
    UserForm = forms.ModelForm[User]
    CreationForm = auth.BaseUserCreationForm[User]
    PasswordForm = auth.SetPasswordForm[User]
else:
    UserForm, CreationForm, PasswordForm = forms.ModelForm, auth.BaseUserCreationForm, auth.SetPasswordForm


class NamedForm(UserForm):
    """A form in which a person says what they are called."""

    def clean_username(self) -> str:
        """A name that is free, however it is spelt."""
        name: str = self.cleaned_data["username"]
        check_free(name)
        if why := self._why_taken(name):
            raise ValidationError(why, "taken")
        return name

    def taken_meanwhile(self) -> None:
        """Says at the name what somebody else has chosen since it was found free."""
        self.add_error("username", self._why_taken(self.cleaned_data["username"]) or TAKEN)

    def _why_taken(self, name: str) -> str:
        others = User.objects.exclude(pk=self.instance.pk)
        if others.filter(name_key=key_of(name)).exists():
            return TAKEN
        return LOOKS_TAKEN if others.filter(look=look_of(name)).exists() else ""


class SignUpForm(OwnWords, NamedForm, CreationForm):
    """A new account: a name, a password, and an address if one wants to be able to reset it.

    The browser adds its time zone; one that is none is left out.
    """

    time_zone = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput(attrs={"data-zone": ""}))

    error_messages = {"password_mismatch": "The two passwords differ. Type the same one twice."}

    class Meta:
        model = User
        fields = ("username", "email")
        field_classes = {"username": auth.UsernameField}

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        self.request = request
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = NAME_HELP
        self.fields["email"].label = "E-mail"
        self.fields["email"].help_text = (
            "For a new password when you forget this one, and for mail that you choose. Nobody sees it.")
        self.fields["password1"].label, self.fields["password2"].label = "Password", "The same password again"
        self.fields["password1"].help_text, self.fields["password2"].help_text = PASSWORD_HELP, ""

    def save(self, commit: bool = True) -> User:
        """Makes the account; raises `Wait` where too many were made from one address."""
        tallies.take(
            "sign-up", most=settings.SIGN_UPS_AN_HOUR, too_often=TOO_MANY_ACCOUNTS,
            address=tallies.address_of(self.request),
        )
        if is_zone(zone := self.cleaned_data.get("time_zone", "")):
            self.instance.time_zone = zone
        user: User = super().save(commit)
        return user


class LogInForm(OwnWords, auth.AuthenticationForm):
    """Name and password."""

    error_messages = {
        "invalid_login": "Wrong name or password. Type them again, or set a new password.",
        "inactive": "This account is closed.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"

    def clean(self) -> dict[str, Any]:
        """Who it is. Wrong passwords are counted, whether or not there is such a name."""
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if name and password:
            try:
                self.user_cache = guessing.checked(cast(HttpRequest, self.request), name, password)
            except Wait as wait:
                raise too_often(wait) from None
            if self.user_cache is None:
                raise self.get_invalid_login_error()
            self.confirm_login_allowed(self.user_cache)
        return self.cleaned_data


class NewPasswordForm(OwnWords, PasswordForm):
    """A new password, by the link in a mail."""

    error_messages = SignUpForm.error_messages

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        first, second = self.fields["new_password1"], self.fields["new_password2"]
        first.label, first.help_text = "New password", PASSWORD_HELP
        second.label, second.help_text = "The new password again", ""


class ChangePasswordForm(NewPasswordForm):
    """A new password, for whoever knows the old one. Wrong guesses count as they do at log-in."""

    old_password = forms.CharField(
        label="The password you have now", strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    field_order = ["old_password", "new_password1", "new_password2"]

    def __init__(self, user: User, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        self.request = request
        super().__init__(user, *args, **kwargs)

    def clean_old_password(self) -> str:
        """The old password, checked."""
        return checked_password(self.request, self.cleaned_data["old_password"])


class MailForm(OwnWords, auth.PasswordResetForm):
    """Where to send a link for a new password."""

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        self.request = request
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "E-mail"

    def clean(self) -> dict[str, Any]:
        """Counts by address, which tells nobody whether there is such an account."""
        if "email" in self.cleaned_data:
            try:
                address = tallies.address_of(self.request)
                tallies.take("mail", most=MAILS_ADDRESS, too_often=TOO_MANY_MAILS, address=address)
            except Wait as wait:
                raise too_often(wait) from None
        return self.cleaned_data

    def get_users(self, email: str) -> Iterator[User]:
        """Whom to write to: whoever has had too many in an hour gets no more, and nobody is told."""
        for user in super().get_users(email):
            with suppress(Wait):
                tallies.take("mail", most=MAILS_ACCOUNT, too_often=TOO_MANY_MAILS, account=str(user.pk))
                yield user


class AccountForm(OwnWords, NamedForm):
    """One's own name, address and time zone. A new address asks for the password: whoever has it can set a new one."""

    time_zone = forms.ChoiceField(
        label="Time zone", required=False, error_messages={"invalid_choice": NO_ZONE},
        help_text="All times are shown as your clock has them.")
    password = forms.CharField(
        label="Your password", strip=False, required=False, help_text="Only needed for another e-mail address.",
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    class Meta:
        model = User
        fields = ("username", "email", "time_zone")
        field_classes = {"username": auth.UsernameField}

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        self.request = request
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = NAME_HELP
        self.fields["email"].label = "E-mail"
        # A browser may have said an older name of a zone: it stays one of the choices.
        own = self.instance.time_zone
        choice(self, "time_zone").choices = [
            ("", f"Not chosen: the site’s ({called(settings.TIME_ZONE)})"), *([(own, called(own))] if own else []),
            *zones.choices()]

    def clean(self) -> dict[str, Any]:
        """Asks for the password where the address changes."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if "email" in self.changed_data and "password" in cleaned:
            try:
                checked_password(self.request, cleaned["password"])
            except ValidationError as wrong:
                self.add_error("password", wrong)
        return cleaned


def checked_password(request: HttpRequest, password: str) -> str:
    """The password of who is logged in; raises `ValidationError`."""
    try:
        if password and guessing.knows_password(request, password):
            return password
    except Wait as wait:
        raise too_often(wait) from None
    raise ValidationError(WRONG, "wrong")


def too_often(wait: Wait) -> ValidationError:
    """How long to wait, where the form says what is wrong."""
    return ValidationError(wait.sentence, WAIT, {"seconds": wait.seconds})


def seconds_to_wait(form: forms.BaseForm) -> int:
    """For how long a form was refused because something was tried too often; 0 where that is not the reason."""
    errors = (error for messages in form.errors.values() for error in messages.as_data())
    return max((int(error.params["seconds"]) for error in errors if error.code == WAIT and error.params), default=0)
