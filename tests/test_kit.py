"""The style sheets keep to the kit: two corners, named widths, and an edge in the accent that means one thing."""
from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

STYLES = Path(__file__).parent.parent / "static/css"
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
CORNERS = {"0", "var(--radius)", "var(--round)"}
WIDEST = 24  # in rem: what is wider is as wide as a page, or as what is filled in


def rules() -> Iterator[tuple[str, str, str]]:
    """The file, the choice and what is said of each rule but those of the tokens."""
    for sheet in sorted(STYLES.glob("*.css")):
        said = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
        yield from ((sheet.name, choice.strip(), inside) for choice, inside in RULE.findall(said)
                    if sheet.name != "tokens.css")


def test_there_are_two_corners() -> None:
    odd = [f"{name} {choice}: {corner}" for name, choice, inside in rules()
           for corner in re.findall(r"border-radius: ([^;]+)", inside) if not set(corner.split()) <= CORNERS]
    assert not odd


def test_wide_things_have_widths_with_names() -> None:
    odd = [f"{name} {choice}: {width}rem" for name, choice, inside in rules()
           for width in re.findall(r"max-width: (?:min\()?([\d.]+)rem", inside) if float(width) > WIDEST]
    assert not odd


def test_the_accents_left_edge_says_yours_now_and_nothing_else() -> None:
    edge = re.compile(r"border(-left|-inline-start|-left-color|-inline-start-color)?: [^;]*var\(--accent\)"
                      r"|box-shadow: [^;]*inset \d+px 0 (0 )?(0 )?var\(--accent\)")
    left = [(name, choice) for name, choice, inside in rules()
            if (one := edge.search(inside)) and not one[0].startswith(("border:", "border: "))]
    assert [name for name, _ in left] == ["kit.css"], left
    assert ".card-here.yours" in left[0][1]
