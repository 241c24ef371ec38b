"""How often what is random is tried: a little in every run, much more with `LONG=1`, as `make torture` has it."""
from __future__ import annotations

import os

LONG = os.environ.get("LONG", "") == "1"


def tries(usual: int, long: int) -> int:
    """`usual` in every run, `long` in a long one."""
    return long if LONG else usual
