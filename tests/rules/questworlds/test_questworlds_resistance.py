"""What a GM may write as a resistance, and what is said of it (QW-03, QW-04, QW-40)."""
from __future__ import annotations

import pytest

from rules.systems.questworlds.resistance import resistance_of
from rules.values import BadMove


@pytest.mark.parametrize(("written", "number", "why"), [
    ("17", 17, ""), ("7W", 27, ""), ("7M", 27, ""), ("6", 6, ""), ("", 14, "the base"),
    ("1", 6, "6 is the least"), ("5", 6, "6 is the least"),
    ("+3", 17, "the base +3"), ("+w", 34, "the base +W"), ("−6", 8, "the base −6"), ("+0", 14, "the base"),
    ("-9", 6, "the base −9, and never under 6"), ("-W", 6, "the base −W, and never under 6"),
    ("−W2", 6, "the base −W2, and never under 6"), ("high", 20, "high, the base +6"),
    ("rock-bottom", 6, "rock-bottom, the base −W, and never under 6"), ("moderate", 14, "moderate, the base"),
])
def test_qw_03_a_score_a_rank_or_a_name_and_never_under_6(written: str, number: int, why: str) -> None:
    assert resistance_of(written, 14, "W") == (number, why)


@pytest.mark.parametrize(("written", "number"), [("-25", -25), ("−5", -5), ("0", 0), ("-7W", -27)])
def test_qw_40_a_score_below_1_is_assured(written: str, number: int) -> None:
    assert resistance_of(written, 14, "W") == (number, "below 1, which is assured")


@pytest.mark.parametrize("written", ["+7", "+1", "+5W", "+7W", "+W3"])
def test_qw_03_what_is_no_rank_is_refused_with_the_ranks_that_there_are(written: str) -> None:
    with pytest.raises(BadMove) as bad:
        resistance_of(written, 14, "W")
    assert bad.value.field == "resistance"
    assert bad.value.sentence == (
        f"{written} is no rank. The ranks are +3, +6, +9, +W, +W2, and −3, −6, −9, −W, −W2. "
        "A score goes without a sign.")


def test_qw_03_with_a_harder_season_a_rank_may_go_deeper_before_the_floor_acts() -> None:
    assert resistance_of("-9", 23) == (14, "the base −9")
    assert resistance_of("-M", 26) == (6, "the base −M")
    assert resistance_of("-M", 25) == (6, "the base −M, and never under 6")
