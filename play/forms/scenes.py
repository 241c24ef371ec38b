"""Evenings and scenes, and what is placed after them."""
from __future__ import annotations

import uuid
from typing import Any

from django import forms

from accounts.wording import choice, speak
from campaigns.access import Viewer
from campaigns.rulefields import form_fields, values_of
from campaigns.web import ActionForm
from characters.models import Character, Trait
from play import queries
from play.forms.typed_dice import TypedFaces
from play.models import PendingAllocation
from play.services.contests import open_in
from rules.allocates import Allocates
from rules.fields import Field, read_all
from rules.system import System
from rules.wording import join


class SessionForm(ActionForm):
    """A session's name and recap."""

    title = forms.CharField(
        label="Its name", max_length=120, required=False, help_text="Leave blank to use the session number."
    )
    recap = forms.CharField(
        label="What happened", max_length=20000, required=False, widget=forms.Textarea(attrs={"rows": 6}),
        help_text="A few sentences for those who could not come, and for you in a year.",
    )


class RecapForm(SessionForm):
    """A recap, and how far its writer had read."""

    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1)


class AttendanceForm(ActionForm):
    """Who was there at a session."""

    there = forms.MultipleChoiceField(label="Attendance", required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, people: list[tuple[str, str]], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice(self, "there").choices = people

    def were_there(self) -> list[uuid.UUID]:
        """Those who are ticked."""
        return [uuid.UUID(pk) for pk in self.cleaned_data["there"]]


class FirstSceneForm(ActionForm):
    """The first scene of a session that is about to open."""

    title = forms.CharField(label="Scene title", max_length=120)


class SceneForm(ActionForm):
    """A scene that is about to be on."""

    title = forms.CharField(label="Scene title", max_length=120)
    text = forms.CharField(
        label="Description (players see this)", max_length=20000, required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    characters = forms.MultipleChoiceField(label="Characters", required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, characters: list[Character], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice(self, "characters").choices = [
            (str(character.pk), f"{character.name}{' (hidden)' * character.hidden}{' (dead)' * character.dead}")
            for character in characters
        ]

    def there(self) -> list[uuid.UUID]:
        """Who was ticked."""
        return [uuid.UUID(character) for character in self.cleaned_data["characters"]]


class PresenceForm(SceneForm):
    """Who is in the scene that is on."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["title"], self.fields["text"]


class ModifierForm(ActionForm):
    """A modifier that the GM gives for a good description."""

    character = forms.ChoiceField(label="Character")
    kind = forms.ChoiceField(label="Modifier")
    reason = forms.CharField(label="Reason", max_length=200)

    def __init__(self, viewer: Viewer, characters: list[Character], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice(self, "character").choices = [(str(character.pk), character.name)
            for character in characters]
        choice(self, "kind").choices = [(kind.name, kind.label) for kind in viewer.campaign.rules.modifiers]


def _lines(allocation: PendingAllocation, rules: System) -> list[Trait]:
    """The lines of a sheet that this is about, as the game says."""
    if not isinstance(rules.session, Allocates):
        return []
    ids = {line.id for line in rules.session.lines(allocation.character.sheet(), allocation.type)}
    return [trait for trait in allocation.character.traits.all() if str(trait.pk) in ids]


class PlaceForm(ActionForm):
    """Spreading what is pending over the lines of a sheet."""

    def __init__(self, allocation: PendingAllocation, rules: System, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._traits = _lines(allocation, rules)
        # Where all of it comes back there is nothing to choose, and one tap does it.
        whole = (allocation.type == PendingAllocation.Type.RECOVERY
                 and allocation.amount >= sum(trait.damage for trait in self._traits))
        for trait in self._traits:
            rank = rules.sheet.notation(trait.kind, trait.value - trait.damage)
            now = " · ".join(filter(None, (rank, rules.sheet.harm_in_words(trait.for_rules()))))
            field = forms.IntegerField(label=f"{trait.name} · {now}", min_value=0, max_value=999, required=False,
                                       initial=trait.damage if whole else None)
            speak(field)
            self.fields[f"on_{trait.pk.hex}"] = field
        self.needed = tuple(self.fields)  # together they take all of it

    def spread(self) -> dict[str, int]:
        """What goes where, by trait id."""
        chosen = {str(trait.pk): self.cleaned_data[f"on_{trait.pk.hex}"] for trait in self._traits}
        return {pk: amount for pk, amount in chosen.items() if amount}


class RecoveryForm(ActionForm):
    """The lines that bear on healing, for a recovery roll."""

    traits = forms.MultipleChoiceField(
        label="What affects healing", required=False, widget=forms.CheckboxSelectMultiple,
        help_text="What helps, and what hinders.",
    )

    def __init__(self, allocation: PendingAllocation, rules: System, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice(self, "traits").choices = [
            (str(trait.pk), f"{trait.name} · {rules.sheet.notation(trait.kind, trait.value - trait.damage)}")
            for trait in _lines(allocation, rules)
        ]
        if allocation.campaign.types_dice:
            self.fields["typed"] = TypedFaces()


def still_open(viewer: Viewer) -> dict[str, forms.Field]:
    """A tick to close the scene all the same, where something in it is open that it asks about."""
    open_ = open_in(viewer.campaign.scene_id, viewer.campaign)
    names = join([contest.title for contest in open_])
    return {"anyway": forms.BooleanField(
        label="End the scene all the same", required=False, help_text=f"Unfinished: {names}.")} if open_ else {}


class AsksOfScene(ActionForm):
    """What a game asks as the scene that is on closes; nothing where none is."""

    asked: tuple[Field, ...] = ()

    def ask(self, viewer: Viewer, closes: bool = True) -> None:
        """Asks it: the game's own questions, and, where the scene closes, a tick where something is unfinished."""
        self.asked = viewer.campaign.rules.session.closing
        self.fields |= form_fields(self.asked)
        for name, value in viewer.campaign.rules.session.closing_from(queries.setups_of_scene(viewer)).items():
            self.fields[name].initial = value
        if closes:
            self.fields |= still_open(viewer)

    @property
    def anyway(self) -> bool:
        """Whether it closes though something is still open."""
        return bool(self.cleaned_data.get("anyway"))

    def values(self) -> dict[str, Any]:
        """The answers, as the rules read them."""
        return read_all(self.asked, values_of(self.asked, self.cleaned_data))


class ClosingForm(AsksOfScene):
    """What is asked when a scene closes."""

    def __init__(self, viewer: Viewer, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ask(viewer)


class CloseForm(AsksOfScene, AttendanceForm, SessionForm):
    """What is said of a session when it ends, and of the scene that ends with it, if one is on."""

    def __init__(self, viewer: Viewer, people: list[tuple[str, str]], *args: Any, **kwargs: Any) -> None:
        super().__init__(people, *args, **kwargs)
        if viewer.campaign.scene_id:
            self.ask(viewer)


class RecoverAgainForm(AsksOfScene):
    """Who recovers once more."""

    characters = forms.MultipleChoiceField(label="Characters", widget=forms.CheckboxSelectMultiple)

    def __init__(self, viewer: Viewer, hurt: list[Character], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ask(viewer, closes=False)
        choice(self, "characters").choices = [(str(character.pk), character.name) for character in hurt]

    def there(self) -> list[uuid.UUID]:
        """Who was ticked."""
        return [uuid.UUID(character) for character in self.cleaned_data["characters"]]
