"""Forms of characters, but for the builder's."""
from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from django import forms

from accounts.wording import OwnWords, choice
from campaigns.access import Viewer
from campaigns.web import ActionForm
from characters import queries
from characters.models import Character
from characters.services.common import CONCEPT, NAME, NOTE, REASON, STORY
from characters.services.pools import MOST_AT_ONCE, awarded
from characters.services.sight import LOOKS
from rules.values import BadMove

NOBODY = "nobody"


class SearchForm(forms.Form):
    """Looks for a name."""

    q = forms.CharField(label="Search by name", max_length=NAME, required=False,
                        widget=forms.TextInput(attrs={"type": "search"}))


class ProseForm(OwnWords, forms.Form):
    """A text in which phrases are marked."""

    text = forms.CharField(
        label="Description", max_length=STORY, widget=forms.Textarea(attrs={"rows": 10, "data-marks": ""}),
        error_messages={"required": "Write who they are."},
    )


class QuickForm(ActionForm):
    """An NPC from one line."""

    line = forms.CharField(label="An NPC in one line", max_length=1000, error_messages={"required": "Enter a name."})
    hidden = forms.BooleanField(label="Hidden from players", required=False, initial=True)


class LooksForm(ActionForm):
    """Appearance."""

    looks = forms.CharField(
        label="Appearance", max_length=LOOKS, required=False, widget=forms.Textarea(attrs={"rows": 5}),
        help_text="Players can read this once they see the name and picture. It shows no numbers.",
    )


class NoteForm(ActionForm):
    """What only the GM reads."""

    words = forms.CharField(label="Note", max_length=STORY, required=False, widget=forms.Textarea(attrs={"rows": 10}))


class AssignForm(ActionForm):
    """Who plays a character."""

    player = forms.ChoiceField(label="Player")

    def __init__(self, *args: Any, viewer: Viewer, character: Character, **kwargs: Any) -> None:
        super().__init__(*args, initial={"player": str(character.player_id or NOBODY)}, **kwargs)
        choice(self, "player").choices = [
            (NOBODY, "Nobody"), *((str(member.pk), str(member)) for member in queries.players(viewer)),
        ]


class AwardForm(ActionForm):
    """Points for a character."""

    pool = forms.ChoiceField(label="Points")
    amount = forms.IntegerField(label="How many", min_value=1, max_value=MOST_AT_ONCE, initial=1, error_messages={
        "required": "Enter a number."})
    reason = forms.CharField(label="Reason", max_length=REASON, error_messages={"required": "Enter a reason."})

    def __init__(self, *args: Any, viewer: Viewer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = awarded(viewer.campaign)
        choice(self, "pool").choices = [(kind.name, kind.label) for kind in kinds]
        if len(kinds) == 1:
            self.fields["pool"].widget = forms.HiddenInput()
            self.fields["pool"].initial = kinds[0].name


class GrowForm(ActionForm):
    """What a character buys."""

    choice = forms.ChoiceField(
        label="Improvement", widget=forms.RadioSelect, error_messages={"required": "Choose an improvement."},
    )
    name = forms.CharField(label="Its name", max_length=NAME, required=False, help_text="For something new.")

    def __init__(
        self, *args: Any, viewer: Viewer, character: Character, used: Collection[str] = (), **kwargs: Any
    ) -> None:
        """`used` are the ids of the lines that were used in the session: what raises one of them comes first."""
        super().__init__(*args, **kwargs)
        offers = viewer.campaign.rules.growth.purchases(character.sheet(), viewer.campaign.settings)
        self.offers = tuple(sorted(offers, key=lambda offer: offer.trait not in used))
        choice(self, "choice").choices = [
            (offer.choice, f"{offer.label}, for {offer.cost}") for offer in self.offers
        ]
        if not any(offer.asks_name for offer in self.offers):
            del self.fields["name"]
        asked = list(dict.fromkeys(offer.asks for offer in self.offers if offer.asks))
        if asked:
            self.fields["words"] = forms.CharField(
                label="Reason, or what comes with it", max_length=REASON, required=False,
                help_text=f"{'. '.join(asked)}, where the one you choose asks for it.")


class ReplaceForm(ActionForm):
    """Another quality in the place of one."""

    name = forms.CharField(label="The new one", max_length=NAME, error_messages={
        "required": "Give the new one a name."})
    note = forms.CharField(label="Scope", max_length=NOTE, required=False)
    reason = forms.CharField(label="Reason", max_length=REASON, error_messages={"required": "Enter a reason."})


class BeginForm(ActionForm):
    """A character in three lines; the rest is written later, on the whole sheet."""

    name = forms.CharField(
        label="Name", max_length=NAME, error_messages={"required": "Enter a name."})
    concept = forms.CharField(
        label="Concept", max_length=CONCEPT, required=False, help_text="The character in a few words.")
    good_at = forms.CharField(
        label="Strengths", max_length=NOTE, error_messages={"required": "Fill in at least one field."})

    def __init__(self, viewer: Viewer, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["good_at"].help_text = viewer.campaign.rules.sheet.good_at_help

    def clean_good_at(self) -> str:
        text: str = self.cleaned_data["good_at"]
        if not text.strip(" ,;"):
            raise forms.ValidationError("Fill in at least one field.")
        return text

    def said(self) -> list[str]:
        """What they are good at, each once, the best first."""
        parts = (" ".join(words.split()) for words in re.split(r"[,;]", self.cleaned_data["good_at"]))
        return list(dict.fromkeys(filter(None, parts)))

    def refuse(self, bad: BadMove) -> None:
        """What is wrong with a line of the sheet was said in the third field."""
        super().refuse(bad if bad.field in self.fields else BadMove(bad.sentence, "good_at"))
