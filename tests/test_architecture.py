"""The site keeps its shape: imports point down, chance has one source, a game's name stays in its own folder."""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# From the ground up.
APPS = ["rules", "jobs", "accounts", "campaigns", "schedule", "characters", "play", "news", "config"]
FILES = sorted(
    path for app in APPS for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts
)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def imported(path: Path) -> set[str]:
    """The modules that a file imports, anywhere in it."""
    names = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def from_packages(path: Path, *packages: str) -> set[str]:
    """What a file imports from these."""
    return {module for module in imported(path) if module.split(".")[0] in packages}


def test_imports_point_down() -> None:
    above = {app: APPS[place + 1:] for place, app in enumerate(APPS)}
    up = {name_of(path): from_packages(path, *above[path.relative_to(ROOT).parts[0]]) for path in FILES}
    assert not {name: names for name, names in up.items() if names}


def test_rules_know_nothing_of_the_web() -> None:
    rules = [path for path in FILES if path.is_relative_to(ROOT / "rules")]
    pure = [path for path in rules if "management" not in path.parts and path.name != "apps.py"]
    assert pure and not [name_of(path) for path in pure if from_packages(path, "django", *APPS[1:])]


def test_chance_has_one_source() -> None:
    others = [path for path in FILES if name_of(path) != "rules/dice.py"]
    assert not [name_of(path) for path in others
                if from_packages(path, "random", "secrets") or "urandom" in path.read_text()]


def words_of(path: Path) -> Iterator[str]:
    """The texts in a file's code; documentation may give an example."""
    documented = {
        id(node.body[0].value)
        for node in ast.walk(parsed(path))
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.value


def test_a_systems_name_stays_in_its_folder() -> None:
    from rules.registry import SYSTEMS

    slug = re.compile(rf"\b({'|'.join(SYSTEMS)})\b")
    at_home = (ROOT / "rules" / "systems", ROOT / "rules" / "registry.py")
    shared = [path for path in FILES if not any(path.is_relative_to(root) for root in at_home)
              and "sample" not in path.relative_to(ROOT).parts]
    known = {name_of(path): [word for word in words_of(path) if slug.search(word)] for path in shared}
    assert not {name: words for name, words in known.items() if words}


# What is handed on as a single file is as long as it has to be.
ONE_FILE = {"verify.py": 730}


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
BY_ROLE = {f"{role}.py" for role in ("events", "evolve", "offers", "asks", "acts", "setup")}


def test_each_procedure_is_cut_by_what_people_do() -> None:
    files = {"/".join(folder.parts[len(ROOT.parts) + 2:]): {path.name for path in folder.glob("*.py")}
             for folder in PROCEDURES}
    assert len(files) > 5
    assert not {name: lacking for name, there in files.items() if (lacking := {"state.py", "view.py"} - there)}
    assert not {name: by_role for name, there in files.items() if (by_role := there & BY_ROLE)}


def test_a_thing_is_called_what_it_is() -> None:
    """Neither a loop's variable nor a result is called after what is done with it."""
    places = [path for root in (*APPS, "tests", "bench") for path in (ROOT / root).rglob("*.py")] + [ROOT / "verify.py"]
    named = [path for path in places if re.search(r"\b(each|found)\b", path.read_text())]
    stored = {
        f"{name_of(path)}:{node.lineno}: {node.id}"
        for path in named for bound in ast.walk(parsed(path))
        if isinstance(bound, (ast.For, ast.comprehension, ast.Assign, ast.AnnAssign, ast.NamedExpr))
        for node in (ast.walk(bound.target if isinstance(bound, (ast.For, ast.comprehension)) else bound))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        and node.id == ("each" if isinstance(bound, (ast.For, ast.comprehension)) else "found")
    }
    loops = re.compile(r"\{% for (\w+, ?)*each\b")
    assert not stored
    assert not [name_of(path) for path in (ROOT / "templates").rglob("*.*") if loops.search(path.read_text())]
