"""An older option is a policy that contests are built with: it knows none of them."""
from __future__ import annotations

import ast
from pathlib import Path

from rules.systems.questworlds import older
from rules.systems.questworlds.chained import Harm
from rules.systems.questworlds.edition import FIRST
from rules.systems.questworlds.older.long_tables import HarmByTable
from rules.systems.questworlds.older.options import LONG_TABLES
from rules.systems.questworlds.older.policy import Policy

FOLDER = Path(older.__file__).parent
PROCEDURES = ("simple_contest", "long", "community", "growth", "downtime", "lasting_review", "plot_edit")


def test_the_older_options_import_no_contest() -> None:
    imported = {(path.name, part) for path in FOLDER.glob("*.py") for node in ast.walk(ast.parse(path.read_text()))
                if isinstance(node, ast.ImportFrom) and node.module for part in node.module.split(".")}
    assert ("policy.py", "chained") in imported
    assert not {(file, part) for file, part in imported if part in PROCEDURES}


def test_a_contest_asks_its_policy_and_no_option_by_name() -> None:
    """Only the settings name options, the resources, which one of them turns on, and what compares approaches."""
    names = {name for name in vars(older) if name.isupper()}
    files = [path for path in FOLDER.parent.rglob("*.py") if path.parent != FOLDER]
    asking = {path.relative_to(FOLDER.parent).as_posix() for path in files
              for node in ast.walk(ast.parse(path.read_text()))
              if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rules.systems.questworlds.older")
              and {alias.name for alias in node.names} & names and (node.module or "").endswith(".options")}
    assert asking <= {"approaches.py", "community/kind.py"}


def test_qw_a5_a_chained_contest_is_built_with_what_a_defeat_comes_to() -> None:
    assert Policy().harm(False, FIRST) == Harm(FIRST, False)
    assert Policy().harm(True, FIRST) == Harm(FIRST, True)
    assert Policy((LONG_TABLES,)).harm(False, FIRST) == HarmByTable(FIRST)
