"""Forms of campaigns."""
from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.html import format_html

from accounts.forms import checked_password
from accounts.wording import choice, speak
from campaigns.models import Campaign, Role
from campaigns.roles import CAN
from campaigns.setting_fields import FEW, setting_fields, setting_values
from campaigns.web import ActionForm
from rules.registry import SYSTEMS
from rules.system import System
from rules.values import BadMove, Value

NAME_HELP = "What the group calls it."
PITCH_HELP = "A few sentences: what it is about, and what to bring along."


class Deed(ActionForm):
    """A form that changes something, in the site's words; alone it is a button."""


class FoundForm(Deed):
    """A new campaign. Every game's settings are on the page, and only the chosen game's are read."""

    name = forms.CharField(label="Name", max_length=120, help_text=NAME_HELP)
    system = forms.ChoiceField(label="Game", choices=lambda: games(), widget=forms.RadioSelect)
    pitch = forms.CharField(
        label="Pitch", max_length=4000, required=False, widget=forms.Textarea(attrs={"rows": 4}), help_text=PITCH_HELP
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(SYSTEMS) == 1:
            self.fields["system"].initial = next(iter(SYSTEMS))
        for system in SYSTEMS.values():
            self.fields |= setting_fields(system, f"{system.slug}-")
        speak_all(self)

    def clean(self) -> dict[str, Any]:
        """Forgets what is wrong with the settings of games that were not chosen."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        chosen = cleaned.get("system", "")
        for name in [name for name in self.errors if "-" in name and not name.startswith(f"{chosen}-")]:
            del self.errors[name]
        return cleaned

    def settings(self) -> dict[str, Value]:
        """The chosen game's settings."""
        slug = self.cleaned_data["system"]
        return setting_values(SYSTEMS[slug], self.cleaned_data, f"{slug}-")

    def refuse(self, bad: BadMove) -> None:
        """A refused setting belongs to the chosen game's field."""
        setting = f"{self.cleaned_data.get('system')}-{bad.field.split('.')[0]}"
        super().refuse(BadMove(bad.sentence, setting) if setting in self.fields else bad)

    def by_game(self) -> list[tuple[System, list[forms.BoundField], bool]]:
        """Each game with its settings, and whether they are to be open from the start."""
        drawn = []
        for system in SYSTEMS.values():
            fields = [self[name] for name in self.fields if name.startswith(f"{system.slug}-")]
            drawn.append((system, fields, any(field.errors for field in fields)))
        return [row for row in drawn if row[1]]


def games() -> list[tuple[str, str]]:
    """The games to choose from, each with its pitch."""
    drawn = '<span><span class="name">{}</span><small>{}</small></span>'
    return [(system.slug, format_html(drawn, system.name, system.pitch)) for system in SYSTEMS.values()]


def speak_all(form: forms.BaseForm) -> None:
    """Puts our sentences on fields that were added after the form was made."""
    for field in form.fields.values():
        speak(field)


class SettingsForm(Deed):
    """A campaign's name, pitch and settings. `base` is the last change that whoever opened the form knew of."""

    base = forms.IntegerField(widget=forms.HiddenInput)
    name = forms.CharField(label="Name", max_length=120, help_text=NAME_HELP)
    pitch = forms.CharField(
        label="Pitch", max_length=4000, required=False, widget=forms.Textarea(attrs={"rows": 4}), help_text=PITCH_HELP
    )

    def __init__(self, campaign: Campaign, *args: Any, base: int, **kwargs: Any) -> None:
        self.rules = campaign.rules
        kwargs["initial"] = {"base": base, "name": campaign.name, "pitch": campaign.pitch}
        super().__init__(*args, **kwargs)
        self.fields |= setting_fields(self.rules, "setting-", campaign.settings)
        speak_all(self)

    def values(self) -> dict[str, Any]:
        """What the service takes."""
        return {
            **self.submission(), **{name: self.cleaned_data[name] for name in ("base", "name", "pitch")},
            "settings": setting_values(self.rules, self.cleaned_data, "setting-"),
        }

    def settings(self) -> list[forms.BoundField]:
        """The settings' fields that stand open."""
        return [setting for setting in self._settings() if setting not in self.switches()]

    def switches(self) -> list[forms.BoundField]:
        """The settings that are a tick each, where there are so many that they fold away."""
        fields = [setting for setting in self._settings() if isinstance(setting.field, forms.BooleanField)]
        return fields if len(fields) > FEW else []

    def _settings(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("setting-")]

    def refuse(self, bad: BadMove) -> None:
        """A refused setting belongs to its field."""
        setting = f"setting-{bad.field.split('.')[0]}"
        super().refuse(BadMove(bad.sentence, setting) if setting in self.fields else bad)

    def rebase(self, sentence: str, base: int) -> None:
        """Lets what was typed be kept after all, once the other change was seen."""
        self.add_error(None, sentence)
        data = cast(QueryDict, self.data).copy()
        data["base"] = str(base)
        self.data = data


LASTS = {"day": timedelta(days=1), "week": timedelta(weeks=1), "month": timedelta(days=30)}


class InviteForm(Deed):
    """A link that lets people in."""

    role = forms.ChoiceField(label="Role", widget=forms.RadioSelect)
    lasts = forms.ChoiceField(
        label="The link works for", initial="week", widget=forms.RadioSelect,
        choices=[("day", "a day"), ("week", "a week"), ("month", "thirty days")],
    )
    uses = forms.ChoiceField(
        label="It can be used by", initial="one", widget=forms.RadioSelect,
        choices=[("one", "one person"), ("many", "everyone who has it")],
    )

    def __init__(self, roles: tuple[Role, ...], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice(self, "role").choices = role_choices(roles)
        self.fields["role"].initial = Role.PLAYER

    def values(self) -> dict[str, Any]:
        """What the service takes."""
        return {
            **self.submission(), "role": Role(self.cleaned_data["role"]), "lasts": LASTS[self.cleaned_data["lasts"]],
            "most_uses": 1 if self.cleaned_data["uses"] == "one" else None,
        }


class RoleForm(Deed):
    """Another role for a member."""

    role = forms.ChoiceField(label="Role", widget=forms.RadioSelect)

    def __init__(self, roles: tuple[Role, ...], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice(self, "role").choices = role_choices(roles)


class MatchForm(Deed):
    """Who of the members somebody is who came with a campaign's file."""

    member = forms.ChoiceField(label="Member", widget=forms.RadioSelect)

    def __init__(self, members: list[tuple[str, str]], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice(self, "member").choices = members


def role_choices(roles: tuple[Role, ...]) -> list[tuple[str, str]]:
    """Roles to choose from, each with what it lets one do."""
    return [
        (role.value, format_html("<span>{}<small>{}</small></span>", role.label, CAN[role])) for role in roles
    ]


class DeleteAccountForm(Deed):
    """Deleting one's account asks for the password."""

    password = forms.CharField(
        label="Your password", strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        self.request = request
        super().__init__(*args, **kwargs)

    def clean_password(self) -> str:
        """The password, checked. Wrong ones count as they do at log-in."""
        return checked_password(self.request, self.cleaned_data["password"])


class BoundaryForm(Deed):
    """A line or a veil. `named` is what the page told its writer: whether their name is stored with it."""

    type = forms.ChoiceField(label="Type", choices=[
        ("line", "A line: it never comes up"), ("veil", "A veil: it can happen, but we don’t play it out"),
    ], initial="line", widget=forms.RadioSelect)
    name = forms.CharField(label="Description", max_length=200, help_text="A few words: “harm to animals”.",
                           error_messages={"required": "Write what it is about."})
    named = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, names: bool, **kwargs: Any) -> None:
        kwargs["initial"] = {"named": names}
        super().__init__(*args, **kwargs)

    def said(self) -> dict[str, Any]:
        """What the service takes."""
        return {name: self.cleaned_data[name] for name in ("type", "name", "named")}

    def tell(self, names: bool) -> None:
        """A form that comes back says what the page says by now."""
        if self.is_bound:
            self.data = data = cast(QueryDict, self.data).copy()
            data["named"] = str(names)


class DeleteForm(ActionForm):
    """The campaign's name, typed to be sure."""

    name = forms.CharField(label="The campaign’s name", max_length=120, error_messages={
        "required": "Type the campaign’s name."})
