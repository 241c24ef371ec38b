"""Every component on one page, while one works on them (`/styleguide/` with DEBUG)."""
from __future__ import annotations

import re
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from campaigns.web import render_page

LONG = "Maximiliane-Theodora von Hohenlohe-Waldenburg-Schillingsfürst zu Oberstinkenbrunn"
GERMAN = "Donaudampfschifffahrtsgesellschaftskapitänswitwenversicherung"


class Sample(forms.Form):
    """One field of each kind; bound to too little, it shows how refusals look."""

    name = forms.CharField(label="Name", help_text="As the others will call you.")
    pitch = forms.CharField(label="Title (what is at stake)", required=False, widget=forms.Textarea)
    strength = forms.ChoiceField(
        label="Strength", widget=forms.RadioSelect, choices=[("g", "Good"), ("e", "Expert"), ("l", GERMAN)],
        help_text="You may raise it later.",
    )
    seen = forms.MultipleChoiceField(
        label="Readers", required=False, widget=forms.CheckboxSelectMultiple,
        choices=[("a", "Ana"), ("b", "Bartolo"), ("c", LONG)],
    )
    rank = forms.ChoiceField(label="Rank", choices=[("", "Choose one"), ("2", "Good +2")])
    tn = forms.IntegerField(label="Target number", min_value=5)
    portrait = forms.FileField(label="Portrait", required=False)
    hidden_from = forms.BooleanField(label="Keep it from the players", required=False, help_text="You may show it.")


def games() -> list[str]:
    """The games that have an accent of their own."""
    tokens = (settings.BASE_DIR / "static/css/tokens.css").read_text()
    return re.findall(r'^\[data-system="(\w+)"\] \{ --accent', tokens, re.MULTILINE)


def entry(seq: int, title: str, **more: object) -> SimpleNamespace:
    """A row of a ledger that never was."""
    usual = {"who": "Ana", "exact": "21 November 2026, 20:14:09", "day": "today", "clock": "20:14",
             "templates": ["campaigns/trail/plain.html"]}
    return SimpleNamespace(seq=seq, title=title, **{**usual, **more})


def die(sides: int, face: int, role: str = "", kept: bool = True) -> dict[str, object]:
    """A die as a trail holds one."""
    return {"sides": sides, "face": face, "role": role, "kept": kept}


def lying(face: int, words: str, **more: object) -> SimpleNamespace:
    """A die with a word below it."""
    usual = {"kind": "action", "in_set": words == "set", "keep": False, "free": False, "ticked": False}
    return SimpleNamespace(sides=6, face=face, words=words, id=str(face), spoken=str(face), **{**usual, **more})


def _dice_and_odds() -> dict[str, Any]:
    """Dice of every kind, and bars of odds."""
    return {
        "d6": [die(6, face) for face in range(1, 7)],
        "kinds": [die(4, 3), die(8, 8), die(10, 10), die(12, 11), die(20, 17), die(100, 64)],
        "roles": [die(6, 5, "attacker"), die(6, 2, "attacker"), die(6, 4, "defender"), die(6, 3, "defender", False),
                  die(6, 6, "bonus"), die(6, 1, "penalty"), die(6, 5, "danger"), die(6, 2, "threat"),
                  die(20, 13, "penalty", False)],
        "lying": [lying(3, "set"), lying(3, "set", keep=True), lying(1, "botch", free=True, ticked=True),
                  lying(2, "threat", kind="threat")],
        "odds": [("Success", Fraction(26, 36), "good"), ("Failure", Fraction(10, 36), "bad")],
        "three": [("You win", Fraction(473, 1296), "good"), ("A draw", Fraction(146, 1296), "fair"),
                  ("They win", Fraction(677, 1296), "bad")],
        "sure": [("Success", Fraction(1), "good"), ("Failure", Fraction(0), "bad")],
        "what_if": [("with +1", [("", Fraction(30, 36), "good"), ("", Fraction(6, 36), "bad")]),
                    ("without the rapier", [("", Fraction(15, 36), "good"), ("", Fraction(21, 36), "bad")])],
    }


def styleguide(request: HttpRequest) -> HttpResponse:
    """All of it: empty, one, many; names of 80 letters, German words; each game's accent, both themes."""
    viewer = None
    if game := request.GET.get("game"):
        campaign = SimpleNamespace(
            name="The Salt Road", slug="salt-road", system=game, game=SimpleNamespace(own_places=(), has_tray=True))
        viewer = SimpleNamespace(campaign=campaign, runs=True, plays=True)
    if "notice" in request.GET:
        messages.info(request, "Fencing is at +4 again.")
    context = {
        **({"viewer": viewer} if viewer else {}),
        "shown": SimpleNamespace(campaign=SimpleNamespace(name="The Salt Road", slug="salt-road", system="")),
        "games": games(), "long": LONG, "german": GERMAN, "themes": ("light", "dark"),
        "blank": Sample(), "refused": Sample({"tn": "two"}),
        **_dice_and_odds(),
        "steps": [SimpleNamespace(rule="PQ-02", text="2d6 and the modifiers make 11."),
                  SimpleNamespace(rule="PQ-14", text="The attack is higher by 3: 3 damage.")],
        "entries": [
            entry(113, "Ana takes 2 damage to Fencing."),
            entry(112, "Bartolo hits Ana by 3.", undone_by=114),
            entry(111, "", sealed=True), entry(110, "The duke lies.", secret=True),
            entry(9, f"{LONG} and {GERMAN} meet at the mill.", who=LONG),
        ],
        "scale": {0: "unheard of", 5: "talked about", 10: "cast out"},
        "pairs": [("Ana", "The Duke"), (LONG, GERMAN)], "alone": ["Bartolo"],
        "groups": [
            [SimpleNamespace(name="Ana", out=True)],
            [SimpleNamespace(name="Bartolo", current=True), SimpleNamespace(name="The Duke", url="#order", note="+4")],
            [SimpleNamespace(name=LONG, held=True)],
        ],
        "tabs": [SimpleNamespace(label="All", url="?", current=True, count=512),
                 SimpleNamespace(label="Rolls", url="?of=rolls"), SimpleNamespace(label=GERMAN, url="?of=long")],
    }
    return render_page(request, "styleguide.html", context)
