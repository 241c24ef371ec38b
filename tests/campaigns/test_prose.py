"""What people write is shown, and can do nothing."""
from __future__ import annotations

import pytest

from campaigns.prose import prose


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Two words", "<p>Two words</p>"),
        ("*so* and **so**", "<em>so</em> and <strong>so</strong>"),
        ("one\ntwo", "one<br>\ntwo"),
        ("# Loud", "<h3>Loud</h3>"),
        ("[a map](https://example.org/m)", 'href="https://example.org/m"'),
    ],
)
def test_it_reads_well(typed: str, shown: str) -> None:
    assert shown in prose(typed)


@pytest.mark.parametrize(
    "typed",
    [
        "<script>alert(1)</script>", "[x](javascript:alert(1))", "<img src=x onerror=alert(1)>",
        "![p](https://example.org/p.png)", "<a href='x' style='color:red' onclick='y()'>z</a>",
        "<iframe src=x></iframe>",
    ],
)
def test_it_can_do_nothing(typed: str) -> None:
    html = prose(typed)
    for bad in ("<script", "<img", "<iframe", 'href="javascript', "<a href='x'", "style=", "onclick=\""):
        assert bad not in html.replace("&lt;a href='x' style='color:red' onclick='y()'&gt;", "")
