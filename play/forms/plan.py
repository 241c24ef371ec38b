"""Forms of the plan: the plan itself, its scenes and their lines, and opening one."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from typing import Any

from django import forms

from accounts.wording import choice
from campaigns.access import Viewer
from campaigns.models import View
from campaigns.rulefields import form_fields, values_of
from campaigns.web import ActionForm
from characters.services.common import NAME, STORY
from play.contexts.plan import PlanLineRow, plan_choices
from play.forms.named_things import seen_field
from play.forms.scenes import still_open
from play.services.plan import CONTEST, FIXED, TODO, WORDS
from rules.values import Value

MOST_LINES = 30



class PlanForm(ActionForm):
    """The title and notes of a plan."""

    title = forms.CharField(label="Title", max_length=NAME, required=False)
    notes = forms.CharField(
        label="Session notes", max_length=STORY, required=False, widget=forms.Textarea(attrs={"rows": 5}))


class PlanSceneForm(ActionForm):
    """A planned scene."""

    title = forms.CharField(label="Title", max_length=NAME, error_messages={"required": "Give the scene a title."})
    text = forms.CharField(
        label="Text that players read when it opens", max_length=STORY, required=False,
        widget=forms.Textarea(attrs={"rows": 4}))
    notes = forms.CharField(
        label="Your notes", max_length=STORY, required=False, widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Players never see these.")


class NewSceneForm(PlanSceneForm):
    """A planned scene that is new: with whom and what of the library, and other words a line each."""

    things = forms.MultipleChoiceField(
        label="From the library", required=False, widget=forms.CheckboxSelectMultiple)
    lines = forms.CharField(
        label="Anything else, a line each", max_length=WORDS * MOST_LINES, required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One per line. A name from your library adds that item; anything else becomes a reminder.")
    field_order = ("title", "things", "lines", "text", "notes")

    def __init__(
        self, offered: Iterable[tuple[uuid.UUID, str]], named: Callable[[str], uuid.UUID | None], data: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(data, **kwargs)
        self._named = named
        choice(self, "things").choices = [(str(pk), name) for pk, name in offered]

    def clean_lines(self) -> str:
        """As many as can be added at once."""
        said: str = self.cleaned_data["lines"]
        if len(said.splitlines()) > MOST_LINES:
            raise forms.ValidationError(f"Write at most {MOST_LINES} lines.")
        return said

    def all_lines(self) -> list[uuid.UUID | str]:
        """What the service takes: the ids of the library that were ticked or named, and words."""
        typed = [words for line in self.cleaned_data["lines"].splitlines() if (words := " ".join(line.split())[:WORDS])]
        ticked: list[uuid.UUID | str] = [uuid.UUID(thing) for thing in self.cleaned_data.get("things", ())]
        return list(dict.fromkeys([*ticked, *(self._named(name) or name for name in typed)]))


class PlanLineForm(ActionForm):
    """A line of a scene of the plan, in words or from the library."""

    words = forms.CharField(label="Add", max_length=WORDS, required=False)
    type = forms.ChoiceField(label="Kind", required=False, choices=(
        (TODO, "not to forget"), (CONTEST, "an expected contest"), (FIXED, "an outcome that is fixed")))
    scene = forms.ChoiceField(label="Scene", required=False)
    thing = forms.UUIDField(required=False, widget=forms.HiddenInput)
    seq = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)

    def __init__(self, viewer: Viewer, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        choice(self, "scene").choices = plan_choices(viewer)


class OpenForm(ActionForm):
    """Opening a planned scene: how much players see of what is hidden, how hard it is where that has changed, and what
    the game asks when the scene before it closes."""

    def __init__(self, viewer: Viewer, obstacles: Iterable[PlanLineRow], data: Any = None) -> None:
        self._lines = tuple(obstacles)
        self._asked = viewer.campaign.rules.session.closing if viewer.campaign.scene_id else ()
        super().__init__(data, initial={f"sees_{line.id}": line.view for line in self._lines})
        for line in self._lines:
            if line.now:
                self.fields[f"hard_{line.id}"] = forms.ChoiceField(
                    label=f"{line.words}: planned {line.note}, now {line.now}", widget=forms.RadioSelect,
                    choices=(("now", f"Use {line.now}"), ("planned", f"Keep {line.note}")),
                    error_messages={"required": "Choose which counts."})
            if line.view is not View.ALL:
                self.fields[f"sees_{line.id}"] = seen_field(line.words, line.view)
        self.fields |= {**form_fields(self._asked), **still_open(viewer)}

    def views(self) -> dict[uuid.UUID, View]:
        """How much players see, by line."""
        return {line.id: View(said) for line in self._lines if (said := self.cleaned_data.get(f"sees_{line.id}"))}

    def current(self) -> list[uuid.UUID]:
        """The lines that are as hard as the library says by now."""
        return [line.id for line in self._lines if self.cleaned_data.get(f"hard_{line.id}") == "now"]

    @property
    def anyway(self) -> bool:
        """Whether the scene that is on closes though something in it is still open."""
        return bool(self.cleaned_data.get("anyway"))

    def values(self) -> dict[str, Value]:
        """What closes the scene that is on."""
        return values_of(self._asked, self.cleaned_data)
