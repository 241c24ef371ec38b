"""Forms of accounts."""
from __future__ import annotations

from django.contrib.auth.forms import UserCreationForm

from accounts.models import User


class SignUpForm(UserCreationForm):
    """A new account: a name, a password, and an address if one wants to be able to reset it."""

    class Meta:
        model = User
        fields = ("username", "email")
