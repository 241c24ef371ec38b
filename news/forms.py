"""What a person says of their mails."""
from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from accounts.forms import checked_password
from accounts.wording import OwnWords, Pairs
from news.models import Pace, Subscription
from news.services.choosing import KINDS

PACES = Pairs((
    (Pace.AT_ONCE, "At once: a few minutes after it happens, unless you have seen it by then"),
    (Pace.DAILY, "Once a day: one mail each morning, with all campaigns that you choose this for"),
    (Pace.NEVER, "Never"),
))


class MailForm(OwnWords, forms.Form):
    """What somebody wants to be told of one campaign; and where, if their account has no address."""

    pace = forms.ChoiceField(label="News by mail", choices=PACES, widget=forms.RadioSelect)
    moves = forms.BooleanField(label="When it’s my turn", required=False)
    requests = forms.BooleanField(label="When a player asks you for something", required=False)
    recaps = forms.BooleanField(label="Recaps that others write", required=False)
    journals = forms.BooleanField(label="Journals that others let you read", required=False)
    dates = forms.BooleanField(label="Dates of the next session", required=False)
    email = forms.EmailField(
        label="E-mail", required=False, help_text="We send a link to it first, to be sure that it is yours.")
    password = forms.CharField(
        label="Your password", strip=False, required=False, help_text="Only needed for an e-mail address.",
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: HttpRequest, wanted: Subscription, *, runs: bool, needs_address: bool) -> None:
        self.request = request
        initial = {"pace": wanted.pace, **{name: getattr(wanted, name) for name in KINDS}}
        super().__init__(request.POST or None, initial=initial)
        if not runs:
            del self.fields["requests"]
        if not needs_address:
            del self.fields["email"], self.fields["password"]

    def clean(self) -> dict[str, Any]:
        """News need an address; and an address the password, because a new password can be sent to it."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if "email" in self.fields and cleaned.get("pace") in (Pace.AT_ONCE, Pace.DAILY) and not cleaned.get("email"):
            self.add_error("email", "Your account has no e-mail address. Fill it in to get mail.")
        elif cleaned.get("email"):
            try:
                checked_password(self.request, cleaned.get("password", ""))
            except ValidationError as wrong:
                self.add_error("password", wrong)
        return cleaned

    def kinds(self) -> frozenset[str]:
        """What is ticked; what the form didn't ask for stays as it was."""
        asked = {name for name in KINDS if name in self.fields}
        kept = {name for name in KINDS if name not in asked and self.initial[name]}
        return frozenset({name for name in asked if self.cleaned_data[name]} | kept)
