"""What a person reads is in everyday words: sentences that were once riddles do not come back."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from django import forms
from django.template import Context, Template

from accounts.wording import NOTHING_CHOSEN
from tests.page_words import page_words

ROOT = Path(__file__).resolve().parent.parent
RIDDLES = (
    "What is so by now", "What was learned", "Go through what lasts", "Let something last", "Count what lasts",
    "Because", "Let this count", "keeps a seat", "Take a seat", "will lie here", "whoever shall play",
    "has a slip in it", "Leave it as it was", "Keep this sheet", "Take this password", "front door", "Leaf back",
    "Put a picture up", "You have nobody to play", "whom someone plays", "That was all", "Leave it at that",
)
# What plain English has shorter, each with what is written in its place.
PLAIN = {
    r"\b[Ww]hoever\b": "anyone who, or a noun",
    r"\b[Aa]new\b": "again",
    r"\bfor ever\b": "always",
    r"\b([Ss]ome|[Ee]very|[Aa]ny)body\b": "someone, everyone, anyone",
    r"(?<!it )(?<!mine )(?<!roll )(?<!impasse )(?<!poison )\bstands?\b(?! up)": "is, resists",
    r"[A-Za-z]'(s|t|re|ve|ll|d)\b": "a curly apostrophe",
    r"\d %": "58.3%",
    r"[Ll]oad (the page|it) again": "reload the page",
    r"\b[Ww]hom\b": "who, or a noun: Character, Target, Recipient",
    r"^\s*(Who|Whose|What) (it|they) (is|are|was|does|means?|costs?|covers|touches)( (called|about|for|in it))?\s*$":
        "a noun: Name, Description, Type",
    r"\bas ever\b|\bany more\b|\bbrought along\b|\bbears? on\b": "as usual, no longer, applies to",
    r"\b(still|left) open\b|\b[Ll]eft empty\b": "left, unfinished, left blank",
    r"\b(is|are|says|have|has) (it |this |so )+already\b|\bis so\b": "No change: it is already …",
    r"enters the story|gives way to|lets the turn go by|[Yy]our turn goes by": "joins, is replaced by, passes",
    r"^\s*Give (a number|a list|at most|numbers|two)\b": "enter, or choose at most",
    r"\b[Yy]our move\b": "your turn",
    r"\b[Pp]lace (the )?(damage|\{\} damage)|(damage|wounds?|ranks?) to place\b": "assign",
    r"\b([Nn]obody|[Ss]he|[Hh]e) (waits for|lies) (here|there)\b": "what is missing, and the next step",
    r"\b[Ss]uccessfully\b|\b[Pp]lease\b": "nothing instead",
}
PLACES = tuple(sorted(path.name for path in (ROOT / "templates").iterdir() if path.is_dir()))


@pytest.mark.parametrize("place", PLACES)
def test_pages_are_in_everyday_words(place: str) -> None:
    for path in sorted((ROOT / "templates" / place).rglob("*.html")):
        text = re.sub(r"\{#.*?#\}|\{%.*?%\}", "", path.read_text())
        assert not [riddle for riddle in RIDDLES if riddle in text], path.name
        assert not re.search(r"\bseats?\b", re.sub(r"\{\{.*?\}\}", "", text)), f"{path.name}: a role, not a seat"


@pytest.mark.parametrize("pattern", PLAIN)
def test_sentences_are_plain(pattern: str) -> None:
    said = [(place, text.strip()) for place, text in page_words() if re.search(pattern, text)]
    assert not said, f"Write {PLAIN[pattern]}."


def test_a_field_is_called_by_a_noun() -> None:
    makes = r"""(?:label=|(?:text|one_of|some_of|several|some|who_field|_which)\((?:"\w+", )?)"""
    asks = re.compile(makes + '"(Who|Whom|Whose|Which|With wh)(?! rolls)')
    apps = [ROOT / app for app in ("campaigns", "characters", "play", "rules", "schedule")]
    asked = [str(path) for app in apps for path in app.rglob("*.py") if asks.search(path.read_text())]
    assert not asked, "Write a noun: Character, Target, Flaw. “Who rolls” alone may stay."


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
