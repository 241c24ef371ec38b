"""What the documents say is there, is there."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules.engine import Procedure
from rules.registry import SYSTEMS

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "templates" / "shared" / "README.md"])
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


def anchors(path: Path) -> set[str]:
    """What a document's headings are called in an address."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=[str(path.relative_to(ROOT)) for path in DOCUMENTS])
def test_every_link_leads_somewhere(path: Path) -> None:
    for target, anchor in LINK.findall(re.sub(r"`[^`]*`", "", path.read_text())):
        there = (path.parent / target).resolve() if target else path
        assert there.exists(), f"{target} is not there"
        if anchor:
            assert anchor in anchors(there), f"{there.name} has no {anchor}"


def test_every_setting_has_a_row_and_every_row_a_setting() -> None:
    said = set(re.findall(r"^\| `([A-Z_]+)`", (ROOT / "docs" / "operating.md").read_text(), re.MULTILINE))
    read = set(re.findall(r"""env(?:\.\w+)?\(\s*"([A-Z_]+)\"""", (ROOT / "config" / "settings.py").read_text()))
    read |= set(re.findall(r'of_process\("([A-Z_]+)"', (ROOT / "config" / "limits.py").read_text()))
    assert read <= said
    assert said <= read | {"HOST", "WEB_CONCURRENCY", "WITH_WORKER", "TEST_POSTGRES_URL", "WORKERS"}


@pytest.mark.parametrize("name", ["requirements.in", "requirements-dev.in"])
def test_every_dependency_is_said_what_for(name: str) -> None:
    said = (ROOT / "docs" / "operating.md").read_text().lower()
    for wanted in re.findall(r"^([A-Za-z][\w-]*)", (ROOT / name).read_text(), re.MULTILINE):
        assert wanted.lower() in said, f"what {wanted} is for is not said"


def test_every_test_that_security_names_is_there() -> None:
    text = (ROOT / "docs" / "security.md").read_text()
    paths = [*(ROOT / "tests").rglob("test_*.py")]
    names, sources = {path.name for path in paths}, [path.read_text() for path in paths]
    for file in re.findall(r"\b(test_\w+\.py)", text):
        assert file in names, f"there is no {file}"
    for name in re.findall(r"`(test_\w+)`", text):
        assert any(f"def {name}(" in source for source in sources), f"there is no {name}"


def test_what_a_procedure_answers_is_what_the_recipe_lists() -> None:
    said = (ROOT / "docs" / "adding-a-game.md").read_text().partition("### 4. A procedure")[2]
    for name in Procedure.__abstractmethods__:
        assert re.search(rf"\| .*`{name}\(", said), f"the recipe does not say {name}"


def test_the_readme_names_every_game() -> None:
    readme = (ROOT / "README.md").read_text()
    for system in SYSTEMS.values():
        assert f"- **{system.name}**:" in readme


def test_what_runs_on_postgresql_is_there() -> None:
    """A test that was moved would be left out without a word, or end the run."""
    named = re.findall(r"^(?:OF_ANY|BY)_ENGINE := ((?:.*\\\n)*.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert len(named) == 2
    said = re.sub(r"\$\(filter-out .*?\)\)\)", "", " ".join(named).replace("\\", ""))
    for path in said.split():
        file, _, test = path.partition("::")
        assert (ROOT / "tests" / file).exists(), f"{file} is not there"
        assert not test or f"def {test}(" in (ROOT / "tests" / file).read_text(), f"{file} has no {test}"
