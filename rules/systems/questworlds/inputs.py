"""Fields that several procedures and sheet actions ask for."""
from __future__ import annotations

from rules.fields import REQUIRED, Text


def text(name: str, label: str, help: str = "", *, needed: bool = False, most: int = 300) -> Text:
    """Words, that may be left out unless they are `needed`."""
    return Text(name=name, label=label, help=help, most=most, default=REQUIRED if needed else "")
