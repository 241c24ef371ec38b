"""A campaign’s file, as a page asks for it."""
from __future__ import annotations

from django import forms

from accounts.models import User
from accounts.names import key_of
from accounts.wording import OwnWords
from config import limits


class FileForm(OwnWords, forms.Form):
    """A campaign's file."""

    MOST_MB = limits.CARRIED.most_bytes // limits.MB - 1  # the rest of the request needs a little

    file = forms.FileField(
        label="File", help_text=f"It ends in .campaign.gz: up to {MOST_MB} MB.",
        allow_empty_file=True, widget=forms.ClearableFileInput(attrs={"accept": ".gz"}),
        error_messages={"required": "Choose a file."})


class ImportForm(FileForm):
    """A campaign's file, and the account here that owns it from then on."""

    owner = forms.CharField(
        label="Owner", help_text="An account on this server. They get the owner’s place, and give the others theirs.")

    def clean_owner(self) -> User:
        """The account of that name."""
        user = User.objects.filter(is_active=True, name_key=key_of(self.cleaned_data["owner"])).first()
        if user is None:
            raise forms.ValidationError("There is no account of this name here.")
        return user
