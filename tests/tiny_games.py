"""The game of docs/adding-a-game.md without its moves, in the registry before tests are collected.

For `pytest -p tests.tiny_games`. All that the recipe says of moves is left out: a game may be sheets alone.
"""
from __future__ import annotations

import re
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "adding-a-game.md"
FILES = dict(re.findall(r"^`(\S+/\S+\.\w+)`\n\n```\w+\n(.*?)^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL))
OF_MOVES = re.compile(r"^.*(?:ember\.rolls|ember\.vigil|ember\.daring|EmberRolls|Daring|Vigil).*\n", re.MULTILINE)
SHEETS_ALONE = ("__init__.py", "sheet.py", "system.py")


def without_moves(folder: Path) -> Any:
    """The game of the recipe as `folder` holds it: its sheets, and nothing that is rolled."""
    import rules.systems

    for path, text in FILES.items():
        if path.startswith("rules/systems/ember/") and Path(path).name in SHEETS_ALONE:
            kept = OF_MOVES.sub("", text).replace("ember", "hush").replace("Ember", "Hush")
            file = folder / path.removeprefix("rules/systems/").replace("ember", "hush")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(kept)
    rules.systems.__path__.append(str(folder))
    return import_module("rules.systems.hush").Hush()


def pytest_configure() -> None:
    """Before tests ask the registry which games there are."""
    from rules.registry import SYSTEMS

    game = without_moves(Path(tempfile.mkdtemp(prefix="tiny-games-")))
    SYSTEMS[game.slug] = game
