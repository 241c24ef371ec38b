"""Looking for garbage. What the site was read into stays for ever, and is a hundred times what a page leaves behind."""
from __future__ import annotations

import gc

OFTEN = (50_000, 20, 100)  # new objects until the newest are looked through, and how many of those until older ones are


def look_less_often() -> None:
    """From now on only what comes after this is looked through, and seldom: else it takes a twentieth of the time, and
    a page waits a tenth of a second now and then."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*OFTEN)
