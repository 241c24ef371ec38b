"""What docs/security.md promises has the tests that it names."""
from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_every_test_that_is_named_is_there() -> None:
    named = set(re.findall(r"`([a-z_/]*test_[a-z0-9_]+(?:\.py)?)`", (ROOT / "docs" / "security.md").read_text()))
    assert len(named) > 40
    files = list((ROOT / "tests").rglob("test_*.py"))
    written = {name for path in files for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)}
    missing = [
        test for test in named
        if test not in written and not any(str(path).endswith(f"/{test}") for path in files)
    ]
    assert not missing, f"docs/security.md names tests that are not there: {missing}"
