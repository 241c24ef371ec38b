"""The site keeps its shape: imports point down, chance has one source, a game's name stays in its own folder."""
from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ["rules", "accounts", "campaigns", "characters", "play", "config"]  # from the ground up
FILES = sorted(
    path for app in APPS for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts
)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported(path: Path) -> set[str]:
    """The modules that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_point_down(path: Path) -> None:
    app = path.relative_to(ROOT).parts[0]
    above = set(APPS[APPS.index(app) + 1 :])
    up = {module for module in imported(path) if module.split(".")[0] in above}
    assert not up, f"{name_of(path)} reaches up to {up}"


@pytest.mark.parametrize("path", [path for path in FILES if "rules" in path.parts[:-1]], ids=name_of)
def test_rules_know_nothing_of_the_web(path: Path) -> None:
    if "management" in path.parts or path.name == "apps.py":
        return
    outside = {"django", "accounts", "campaigns", "characters", "play", "config"}
    assert not {module.split(".")[0] for module in imported(path)} & outside


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_chance_has_one_source(path: Path) -> None:
    if name_of(path) == "rules/dice.py":
        return
    assert not {module.split(".")[0] for module in imported(path)} & {"random", "secrets"}
    assert "urandom" not in path.read_text()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_systems_name_stays_in_its_folder(path: Path) -> None:
    from rules.registry import SYSTEMS

    parts = path.relative_to(ROOT).parts
    if parts[:2] == ("rules", "systems") or name_of(path) == "rules/registry.py" or "sample" in parts:
        return
    # Documentation may give an example; code may not know one.
    tree = ast.parse(path.read_text())
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    words = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented
    ]
    for slug in SYSTEMS:
        assert not [word for word in words if re.search(rf"\b{slug}\b", word)], f"{name_of(path)} knows {slug}"


# What is handed on as a single file is as long as it has to be.
ONE_FILE = {"verify.py": 660}


def test_no_room_is_too_long() -> None:
    kinds = ("*.py", "*.html", "*.css", "*.js")
    roots = [ROOT / app for app in [*APPS, "tests", "templates", "static", "bench"]] + [ROOT / "verify.py"]
    files = [path for root in roots for kind in kinds for path in ([root] if root.is_file() else root.rglob(kind))]
    long = {
        name_of(path): lines
        for path in files
        if "vendor" not in path.parts and "migrations" not in path.parts
        and (lines := len(path.read_text().splitlines())) > ONE_FILE.get(name_of(path), 400)
    }
    assert not long


PROCEDURES = sorted(path.parent for path in (ROOT / "rules" / "systems").rglob("kind.py"))


@pytest.mark.parametrize("folder", PROCEDURES, ids=name_of)
def test_each_procedure_has_the_same_files(folder: Path) -> None:
    wanted = {f"{each}.py" for each in ("state", "events", "evolve", "offers", "acts", "view", "kind")}
    assert wanted <= {path.name for path in folder.iterdir()}
