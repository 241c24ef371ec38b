"""Forms of accounts: Django's own, in the house's words."""
from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import forms as auth
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from accounts.locks import knows_password
from accounts.models import User
from accounts.names import LONGEST, check_free, key_of
from accounts.wording import OwnWords

TAKEN = "Somebody is called this already. Choose another name."
WRONG = "This is not your password. Type it again."
PASSWORD_HELP = "Eight characters or more, and not one that many people use."  # noqa: S105 - a sentence
NAME_HELP = f"What others at the table read: letters, digits, and . - _, {LONGEST} at most."


class NamedForm(forms.ModelForm):
    """A form in which a person says what they are called."""

    def clean_username(self) -> str:
        """A name that is free, however it is spelt."""
        name: str = self.cleaned_data["username"]
        check_free(name)
        if User.objects.filter(name_key=key_of(name)).exclude(pk=self.instance.pk).exists():
            raise ValidationError(TAKEN, "taken")
        return name


class SignUpForm(OwnWords, NamedForm, auth.BaseUserCreationForm):
    """A new account: a name, a password, and an address if one wants to be able to reset it."""

    error_messages = {"password_mismatch": "The two passwords differ. Type the same one twice."}

    class Meta:
        model = User
        fields = ("username", "email")
        field_classes = {"username": auth.UsernameField}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = NAME_HELP
        self.fields["email"].label = "E-mail"
        self.fields["email"].help_text = "Only for a new password when you forget this one. Nobody sees it."
        self.fields["password1"].label, self.fields["password2"].label = "Password", "The same password again"
        self.fields["password1"].help_text, self.fields["password2"].help_text = PASSWORD_HELP, ""


class LogInForm(OwnWords, auth.AuthenticationForm):
    """Name and password."""

    error_messages = {
        "invalid_login": "Name and password don't belong together. Type them again, or set a new password.",
        "inactive": "This account is closed.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"


class NewPasswordForm(OwnWords, auth.SetPasswordForm):
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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "E-mail"


class AccountForm(OwnWords, NamedForm):
    """One's own name and address. A new address asks for the password: whoever has it can set a new one."""

    password = forms.CharField(
        label="Your password", strip=False, required=False, help_text="Only needed for another e-mail address.",
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    class Meta:
        model = User
        fields = ("username", "email")
        field_classes = {"username": auth.UsernameField}

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        self.request = request
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = NAME_HELP
        self.fields["email"].label = "E-mail"

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
    if not password or not knows_password(request, password):
        raise ValidationError(WRONG, "wrong")
    return password
