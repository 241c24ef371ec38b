"""Several changes of one row as one: what it was first, what it became last."""
from __future__ import annotations

from typing import Any

Changes = dict[tuple[str, str], dict[str, Any]]  # by kind and id


def add(changes: Changes, kind: str, pk: str, was: Any, became: Any) -> None:
    """Adds a change to those before it: values by field, None for `was` of what is made and `became` of what is gone.

    What is made and gone again is no change. Raises `LookupError` where something that is gone is changed.
    """
    key = (kind, pk)
    if key not in changes:
        changes[key] = {"of": kind, "id": pk, "was": was, "became": became}
        return
    known = changes[key]
    if became is None:
        known["was"] = None if known["was"] is None else {**was, **known["was"]}
        known["became"] = None
        if known["was"] is None:
            del changes[key]
    elif known["became"] is None:
        _back(changes, key, was, became)
    elif known["was"] is None:
        known["became"] = {**known["became"], **became}
    else:
        known["was"] = {**was, **known["was"]}
        known["became"] = {**known["became"], **became}


def _back(changes: Changes, key: tuple[str, str], was: Any, became: Any) -> None:
    """A row that was removed is there again: only what became different is a change."""
    if was is not None:
        raise LookupError(f"{key} was removed by this entry: it can’t be changed.")
    before = changes[key]["was"]
    different = [name for name in became if before[name] != became[name]]
    if not different:
        del changes[key]
        return
    changes[key] |= {"was": {name: before[name] for name in different},
                     "became": {name: became[name] for name in different}}
