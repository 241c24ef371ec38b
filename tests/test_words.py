"""What a person reads is in everyday words: sentences that were once riddles do not come back."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from django import forms
from django.template import Context, Template

from accounts.wording import NOTHING_CHOSEN
from tests.page_words import offered, page_words

ROOT = Path(__file__).resolve().parent.parent
RIDDLES = (
    "What is so by now", "What was learned", "Go through what lasts", "Let something last", "Count what lasts",
    "Because", "Let this count", "keeps a seat", "Take a seat", "will lie here", "whoever shall play",
    "has a slip in it", "Leave it as it was", "Keep this sheet", "Take this password", "front door", "Leaf back",
    "Put a picture up", "You have nobody to play", "whom someone plays", "That was all", "Leave it at that",
)
# What plain English has shorter, each with what is written in its place.
PLAIN = {
    r"\bwhoever\b": "anyone who, or a noun",
    r"\banew\b": "again",
    r"\bfor ever\b": "always",
    r"\b(some|every|any)body\b": "someone, everyone, anyone",
    r"(?<![-\w])stands?\b": "is, resists",
    r"[A-Za-z]'(s|t|re|ve|ll|d)\b": "a curly apostrophe",
    r"\d %": "58.3%",
    r"load (the page|it) again": "reload the page",
    r"\bwhom\b": "who, or a noun: Character, Target, Recipient",
    r"^\s*(Who|Whose|What) (it|they) (is|are|was|does|means?|costs?|covers|touches)( (called|about|for|in it))?\s*$":
        "a noun: Name, Description, Type",
    r"\bas ever\b|\bany more\b|\bbrought along\b|\bbears? on\b": "as usual, no longer, applies to",
    r"\b(still|left) open\b|\bleft empty\b|\bleave (this|it|that) empty\b|^\s*empty[,:]":
        "left, unfinished, left blank, leave blank",
    r"\b(is|are|says|have|has) (it |this |so )+already\b|\bis so\b": "No change: it is already …",
    r"enters the story|gives way to|lets the turn go by|your turn goes by": "joins, is replaced by, passes",
    r"how (hard|difficult) it is|how hard is it": "difficulty",
    r"thrown away|taken down": "deleted, removed",
    r"over the mark": "over",
    r"break the seal": "reveal",
    r"place in the order": "initiative",
    r"^\s*(who|what) \w+ [^?]*\b(acts|rolls|counts|is)\b[^?]*$": "a noun, or anyone who",
    r"^\s*Give (a number|a list|at most|numbers|two)\b": "enter, or choose at most",
    r"\byour move\b": "your turn",
    r"\bplace (the )?(damage|\{\} damage)|(damage|wounds?|ranks?) to place\b": "assign",
    r"\b(nobody|she|he) (waits for|lies) (here|there)\b": "what is missing, and the next step",
    r"\broll (when|whenever) you (like|want)|\bcan (always )?roll (at any time|whenever)": "what can be rolled now",
    r"\bis (like that|of this (type|kind))\b|^\s*(no|nothing) .*\bso far\b": "no matching …, no … yet",
    r"\bsuccessfully\b|\bplease\b": "nothing instead",
}
# Where "stand" stays: in the button that lets a result be, and where one gets up.
STANDS = re.compile(
    r"(\blets?|\{\}) (it|the roll|the roll against the poison|the impasse) stand\b|\bstands? up\b", re.IGNORECASE)
PLACES = tuple(sorted(path.name for path in (ROOT / "templates").iterdir() if path.is_dir()))


@pytest.mark.parametrize("place", PLACES)
def test_pages_are_in_everyday_words(place: str) -> None:
    for path in sorted((ROOT / "templates" / place).rglob("*.html")):
        text = re.sub(r"\{#.*?#\}|\{%.*?%\}", "", path.read_text())
        assert not [riddle for riddle in RIDDLES if riddle in text], path.name
        assert not re.search(r"\bseats?\b", re.sub(r"\{\{.*?\}\}", "", text)), f"{path.name}: a role, not a seat"


@pytest.mark.parametrize("pattern", PLAIN)
def test_sentences_are_plain(pattern: str) -> None:
    plain = re.compile(pattern, re.IGNORECASE)
    said = [(place, text.strip()) for place, text in page_words() if plain.search(STANDS.sub("", text))]
    assert not said, f"Write {PLAIN[pattern]}."


def test_riddles_stay_away_in_scripts_and_in_python_too() -> None:
    assert not [(place, text) for place, text in page_words() if any(riddle in text for riddle in RIDDLES)]


def test_a_field_is_called_by_a_noun() -> None:
    makes = r"""(?:label=|(?:text|one_of|some_of|several|some|who_field|_which)\((?:"\w+", )?)"""
    asks = re.compile(makes + '"((Who|Whom|Whose|Which|With wh)(?! rolls)'
                      '|((By|For|On|To) what|What|Where|Why|How|It is|By|For|As|Of)")')
    apps = [ROOT / app for app in ("campaigns", "characters", "play", "rules", "schedule")]
    asked = [str(path) for app in apps for path in app.rglob("*.py") if asks.search(path.read_text())]
    assert not asked, "Write a noun: Character, Target, Flaw. “Who rolls” alone may stay."


# What a button begins with; a game's own move goes by its name, and a question asks.
VERB = re.compile(
    r"(Accept|Act|Add|Agree|Answer|Apply|Ask|Assign|Attack|Back|Bid|Bolster|Boost|Break|"
    r"Bring|Burn|Call|Cancel|Cede|Cement|Change|Choose|Claim|Clear|Come|Compel|Concede|Count|"
    r"Deal|Decide|Declare|Describe|Divide|Do|End|Engage|Fill|Find|Finish|Give|Go|Grant|Heal|"
    r"Help|Hold|Hurt|Inflict|Join|Keep|Kill|Leave|Lend|Let|List|Lose|Lower|Make|Move|Offer|"
    r"Pair|Pass|Pause|Pay|Poison|Put|Raise|React|Refuse|Remove|Require|Reserve|Rest|Restore|"
    r"Resume|Return|Review|Reward|Roll|Rule|Set|Show|Skip|Spend|State|Stay|Strike|Surrender|"
    r"Take|Throw|Use|Warn|Withdraw|Withstand)\b")
TERMS = ("Coup de grace", "Second wind", "Parting shot", "Ready")


def test_what_is_offered_is_said_with_a_verb() -> None:
    titles = {title for path in sorted((ROOT / "rules" / "systems").rglob("*.py")) for title in offered(path)}
    assert len(titles) > 150
    nouns = [title for title in titles if not VERB.match(title) and not title.startswith(TERMS) and "?" not in title]
    assert not nouns, "Write verb and object."


class Several(forms.Form):
    """Fields that need not be sent; three of them always say something, and one is refused blank at times."""

    needed = ("at_times",)
    empty = forms.CharField(required=False)
    ticked = forms.MultipleChoiceField(required=False, choices=[("a", "A")], widget=forms.CheckboxSelectMultiple)
    nobody = forms.ChoiceField(required=False, choices=[("", "Nobody"), ("a", "A")])
    blank = forms.ChoiceField(required=False, choices=[NOTHING_CHOSEN, ("a", "A")])
    always = forms.ChoiceField(required=False, choices=[("a", "A"), ("b", "B")])
    at_times = forms.CharField(required=False)
    one_of = forms.ChoiceField(required=False, choices=[("a", "A")], widget=forms.RadioSelect)
    sent = forms.CharField()


# Buttons of one word that say it all.
ALONE = {"All", "Cancel", "Close", "Home", "Join", "Print", "Recalculate", "Search"}
BUTTON = re.compile(
    r'<button\b.*?</button>|<a [^>]*class="[^"]*\bbutton\b.*?</a>|<summary class="button.*?</summary>'
    r"|\{% block button %\}.*?\{% endblock %\}", re.DOTALL)
BARE = re.compile(r"\s*[A-Z]\w*( it)?\s*")
PRONOUN = re.compile(r"\b(it|them|him|her)\b\s*$")  # which is known to whoever sees what stands beside it


def test_a_button_says_what_it_does_when_it_is_read_alone() -> None:
    """*Save*, *Add*, *Stay out of it*: a verb without its thing, unless ears are told it."""
    bare = []
    for path in sorted({*(ROOT / "templates").rglob("*.html")} - {ROOT / "templates" / "styleguide.html"}):
        for button in BUTTON.findall(path.read_text()):
            said = re.sub(r"<[^>]*>", "", button)
            # One of several where it begins by asking which: {% if … %}Begin{% else %}Prepare it{% endif %}.
            ways = re.split(r"\{%.*?%\}", said) if said.startswith("{%") else [re.sub(r"\{%.*?%\}", "", said)]
            if "aria-label" not in button and "seen-by-ear" not in button:
                bare += [f"{path.name}: {words}" for words in map(str.strip, ways)
                         if (BARE.fullmatch(words) and words not in ALONE) or PRONOUN.search(words)]
    titles = {(path.name, words) for path in sorted((ROOT / "rules" / "systems").rglob("*.py"))
              for words in offered(path)}
    assert len(titles) > 150
    bare += [f"{name}: {words}" for name, words in sorted(titles) if PRONOUN.search(words)]
    assert not bare, "Write verb and object."


def test_optional_is_only_said_of_a_field_that_can_be_left_empty() -> None:
    form = Several()
    drawn = {name: Template("{% field one %}").render(Context({"one": form[name]})) for name in form.fields}
    said = {name for name, html in drawn.items() if "optional" in html}
    assert said == {"empty", "ticked", "blank"}


def test_who_has_a_player_is_told_in_the_fields_words() -> None:
    """Docstrings and comments too, wherever a line breaks."""
    riddle = re.compile(r"\b(whom|which|that) (nobody|somebody) plays\b")
    sources = [path for path in ROOT.rglob("*.py") if not path.relative_to(ROOT).parts[0].startswith(".")]
    told = [str(path) for path in sources if riddle.search(re.sub(r"\s*\n\s*(# )?", " ", path.read_text()))]
    assert not told, "Write player character, or NPC."
