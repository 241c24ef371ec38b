"""What a person reads is in everyday words: sentences that were once riddles do not come back."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from django import forms
from django.template import Context, Template

from accounts.wording import NOTHING_CHOSEN

ROOT = Path(__file__).resolve().parent.parent
RIDDLES = (
    "What is so by now", "What was learned", "Go through what lasts", "Let something last", "Count what lasts",
    "Because", "Let this count", "keeps a seat", "Take a seat", "will lie here", "whoever shall play",
    "has a slip in it", "Leave it as it was", "Keep this sheet", "Take this password", "front door", "Leaf back",
    "Put a picture up", "You have nobody to play", "whom somebody plays", "That was all", "Leave it at that",
)
PLACES = tuple(sorted(each.name for each in (ROOT / "templates").iterdir() if each.is_dir()))


@pytest.mark.parametrize("place", PLACES)
def test_pages_are_in_everyday_words(place: str) -> None:
    for path in sorted((ROOT / "templates" / place).rglob("*.html")):
        text = re.sub(r"\{#.*?#\}|\{%.*?%\}", "", path.read_text())
        assert not [each for each in RIDDLES if each in text], path.name
        assert not re.search(r"\bseats?\b", re.sub(r"\{\{.*?\}\}", "", text)), f"{path.name}: a role, not a seat"


class Several(forms.Form):
    """Fields that need not be sent; three of them always say something."""

    empty = forms.CharField(required=False)
    ticked = forms.MultipleChoiceField(required=False, choices=[("a", "A")], widget=forms.CheckboxSelectMultiple)
    nobody = forms.ChoiceField(required=False, choices=[("", "Nobody"), ("a", "A")])
    blank = forms.ChoiceField(required=False, choices=[NOTHING_CHOSEN, ("a", "A")])
    always = forms.ChoiceField(required=False, choices=[("a", "A"), ("b", "B")])
    one_of = forms.ChoiceField(required=False, choices=[("a", "A")], widget=forms.RadioSelect)
    needed = forms.CharField()


def test_optional_is_only_said_of_a_field_that_can_be_left_empty() -> None:
    form = Several()
    drawn = {name: Template("{% field one %}").render(Context({"one": form[name]})) for name in form.fields}
    said = {name for name, html in drawn.items() if "optional" in html}
    assert said == {"empty", "ticked", "blank"}
