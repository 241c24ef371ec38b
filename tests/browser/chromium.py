"""Which browser the tests drive, and how it is started."""
from __future__ import annotations

from pathlib import Path
from typing import Any

# The one without windows takes a third of the other's processor time.
BROWSERS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)


def launched_with() -> dict[str, Any]:
    """What the driver is given: Debian's browser, if it is there, or else the driver's own; and its switches."""
    here = next((path for path in BROWSERS if path.exists()), None)
    return {**({"executable_path": str(here)} if here else {}), "args": list(SWITCHES)}
