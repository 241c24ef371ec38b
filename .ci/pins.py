"""Which versions are pinned, since when, and whether something is known against them.

    python3 .ci/pins.py requirements.txt requirements-dev.txt

The date is that of the commit which set the pin. What is known is asked of osv.dev; where that can't be reached, this
says so and goes on. Exits with 1 where something is known. Python's standard library is all it needs.
"""
from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

PIN = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(\[[^]]*\])?==(?P<version>[^\s;\\]+)")
AUDIT = "https://api.osv.dev/v1/querybatch"

Pin = tuple[str, str]


def pins(text: str) -> list[Pin]:
    """Names and versions, in the file's order.

    >>> pins("django==5.2.19 \\\\\\n    --hash=sha256:ab\\npsycopg[pool]==3.3.9\\n    # via x==1\\n")
    [('django', '5.2.19'), ('psycopg', '3.3.9')]
    """
    return [(pin["name"], pin["version"]) for line in text.splitlines() if (pin := PIN.match(line))]


def dates(blame: str) -> dict[Pin, str]:
    """When each pin was set, from what `git blame --line-porcelain` says."""
    since, day = {}, ""
    for line in blame.splitlines():
        if line.startswith("committer-time "):
            day = datetime.fromtimestamp(int(line.split()[1]), UTC).date().isoformat()
        elif line.startswith("\t"):
            since.update(dict.fromkeys(pins(line[1:]), day))
    return since


def known_against(wanted: list[Pin], ask: Callable[[bytes], bytes]) -> dict[Pin, list[str]] | None:
    """The ids of what is known, by pin; None where nobody can be asked."""
    queries = [{"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in wanted]
    try:
        answer: dict[str, Any] = json.loads(ask(json.dumps({"queries": queries}).encode()))
    except (OSError, ValueError):
        return None
    both = zip(wanted, answer.get("results", []), strict=False)
    return {pin: [vuln["id"] for vuln in result["vulns"]] for pin, result in both if result.get("vulns")}


def _ask(query: bytes) -> bytes:
    request = urllib.request.Request(AUDIT, query, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310
        return bytes(answer.read())


def _blame(path: str) -> str:
    command = ["git", "blame", "--line-porcelain", "--", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout


def main(paths: Iterable[str], say: Callable[[str], object] = sys.stdout.write) -> int:
    """Says it all."""
    since: dict[Pin, str] = {}
    for path in paths:
        set_on = dates(_blame(path))
        for pin in pins(Path(path).read_text()):
            since.setdefault(pin, set_on.get(pin, "unknown"))
    for (name, version), day in sorted(since.items()):
        say(f"{name:28} {version:14} since {day}\n")
    known = known_against(sorted(since), _ask)
    if known is None:
        say("Audit: SKIPPED. Its data can't be reached from here.\n")
        return 0
    for (name, version), ids in known.items():
        say(f"Audit: {name} {version}: {', '.join(ids)}\n")
    say(f"Audit: something is known against {len(known)} of {len(since)} packages.\n")
    return 1 if known else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
