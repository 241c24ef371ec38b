"""What is drawn is also said: dice, shares, scales and places."""
from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.template import Context, Template
from django.test import RequestFactory

from campaigns import drawing
from rules.moves import Die
from rules.tables import Cell

ROOT = Path(__file__).resolve().parent.parent


def drawn(template: str, **context: object) -> str:
    """The template with this context."""
    return Template(template).render(Context(context))


@pytest.mark.parametrize(
    ("die", "heard"),
    [
        ((6, 6), "six, kept"),
        ((6, 3, "danger", False), "danger: three, dropped"),
        ((20, 20), "twenty, kept"),
        ((100, 64), "64, kept"),
        ((6, 2, "1"), "two, kept"),
    ],
)
def test_a_die_says_its_face(die: tuple[int, int], heard: str) -> None:
    assert drawing.a_die(*die).heard == heard


@pytest.mark.parametrize("face", range(1, 7))
def test_a_d6_has_as_many_pips_as_its_face(face: int) -> None:
    assert drawn("{% die 6 face %}", face=face).count('class="pip"') == face


def test_dice_of_the_rules_and_of_the_trail_look_the_same() -> None:
    of_rules = [Die(6, 4, "attacker"), Die(6, 1, "defender", False)]
    of_trail = [{"sides": 6, "face": 4, "role": "attacker"}, {"sides": 6, "face": 1, "role": "defender", "kept": False}]
    assert drawn("{% dice all %}", all=of_rules) == drawn("{% dice all %}", all=of_trail)


@pytest.mark.parametrize(
    ("chance", "percent"),
    [
        (Fraction(1, 2), "50%"), (Fraction(13, 18), "72.2%"), (Fraction(0), "0%"), (Fraction(1), "100%"),
        (Fraction(1, 7776), "under 0.1%"), (Fraction(7775, 7776), "over 99.9%"),
        (Fraction(209, 400), "52.3%"), (Fraction(245, 400), "61.3%"),
    ],
)
def test_a_share_is_never_said_to_be_sure_when_it_is_not(chance: Fraction, percent: str) -> None:
    assert drawing.segments([("", chance, "good")])[0].percent == percent


def test_a_share_reads_the_same_in_a_bar_and_in_a_table() -> None:
    for ways in range(401):
        chance = Fraction(ways, 400)
        assert drawing.segments([("", chance, "good")])[0].percent == Cell(chance).percent


def test_what_is_sure_is_said_in_words() -> None:
    bars = drawing.segments([("", Fraction(0), "good"), ("", Fraction(1), "bad"), ("", Fraction(1, 2), "fair")])
    assert [bar.exact for bar in bars] == ["never", "always", "1 in 2"]


def test_an_odds_bar_says_what_it_shows() -> None:
    odds = [("Success", Fraction(13, 18), "good"), ("Failure", Fraction(5, 18), "bad")]
    html = drawn("{% odds_bar odds %}", odds=odds)
    assert 'aria-label="Success 72.2%, Failure 27.8%"' in html
    assert "13 in 18" in html
    assert "style=" not in html


def test_parts_of_one_tone_have_fills_of_their_own() -> None:
    third = Fraction(1, 3)
    bars = drawing.segments([("Height 2", third, "fair"), ("Height 1", third, "fair"), ("No set", third, "bad")])
    assert [bar.fill for bar in bars] == ["fair", "fair step-1", "bad"]
    fills = (ROOT / "static/css/components.css").read_text()
    for tone in ("good", "fair"):
        steps = [fills.split(f".odds rect.{tone}.step-{step} {{ fill: ")[1].split(";")[0] for step in range(1, 5)]
        assert len({*steps}) == drawing.MOST_STEPS
    html = drawn("{% odds_bar odds %}", odds=[(bar.label, third, bar.tone) for bar in bars])
    assert html.count("fair step-1") == 2


@pytest.mark.parametrize(
    ("value", "low", "high", "filled"),
    [(3, 0, 5, "0123"), (0, 0, 5, "0"), (-2, -3, 3, "−2−1"), (2, -3, 3, "12"), (0, -3, 3, "0"), (4, 1, 6, "1234")],
)
def test_a_track_is_filled_up_to_its_value(value: int, low: int, high: int, filled: str) -> None:
    assert "".join(box.number for box in drawing.boxes(value, low, high, {}) if box.filled) == filled


def test_many_are_a_number_instead_of_pips() -> None:
    assert drawn('{% pool "Fortune" 3 5 %}').count("<circle") == 5
    assert "<circle" not in drawn('{% pool "Fortune" 41 60 %}')


def test_a_place_that_is_not_built_has_no_address() -> None:
    assert drawn("{% place 'no_such_place' 'x' as url %}[{{ url }}]") == "[]"


def test_the_place_where_one_is_is_marked_and_no_other() -> None:
    viewer = SimpleNamespace(campaign=SimpleNamespace(slug="salt", game=SimpleNamespace(own_places=())), runs=False)
    request = RequestFactory().get("/c/salt/characters/new/")
    output = drawn(
        "{% places as all %}{% for place in all %}{% if place.current %}{{ place.label }} {% endif %}{% endfor %}",
        viewer=viewer, request=request,
    )
    assert output.split() == ["Characters"]
