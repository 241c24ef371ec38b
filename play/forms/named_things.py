"""What a GM's form names of the library, and how much players see of it from then on."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence

from django import forms

from accounts.wording import speak
from campaigns.access import Viewer
from campaigns.models import View
from campaigns.sight import ORDER
from play.models import PrepItem
from play.services.on_scene import UNKNOWN

SEEN = ((View.NOTHING, "Only that something is there"), (View.FACE, "Its name and picture"),
        (View.ALL, "Everything: the difficulty and the text, too"))


def seen_field(name: str, view: View) -> forms.ChoiceField:
    """Asks how much players see of something of this name, of which they see so much now."""
    field = forms.ChoiceField(
        label=f"Players see of “{name}”", required=False, choices=SEEN[ORDER.index(view):], initial=view)
    speak(field)
    return field


class NamedThings:
    """The things of the library that are called as texts of a form are, and of which players don't know all.

    Until the GM says more of one, players read what its label says: nothing but that something is there, or its name.
    """

    def __init__(self, viewer: Viewer, texts: Iterable[str]) -> None:
        called = {text for text in texts if text} if viewer.runs else set()
        named = PrepItem.objects.filter(campaign=viewer.campaign, name__in=called, shown=False) if called else ()
        self.things: Sequence[PrepItem] = tuple(named)

    def fields(self) -> dict[str, forms.Field]:
        """A field for each, by its name in the form."""
        return {f"sees_{thing.pk}": seen_field(thing.name, thing.view) for thing in self.things}

    def views(self, said: dict[str, str]) -> dict[uuid.UUID, View]:
        """How much players see of each from now on, as the fields say; what says nothing stays as it is."""
        return {thing.pk: View(said.get(f"sees_{thing.pk}") or thing.view) for thing in self.things}

    def for_players(self, text: str, said: dict[str, str]) -> str:
        """A text as players read it: what they don't know by its name has none."""
        views = self.views(said)
        hidden = {thing.name for thing in self.things if views[thing.pk] is View.NOTHING}
        return UNKNOWN if text in hidden else text
