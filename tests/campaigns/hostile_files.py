"""Files of a campaign that somebody changed, each with what its refusal says."""
from __future__ import annotations

import gzip
import json
import uuid
from collections.abc import Callable
from typing import Any

from campaigns.carrying.lines import packed


def documents(file: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(file).splitlines()]


def changed(file: bytes, change: Callable[[list[dict[str, Any]]], object]) -> bytes:
    lines = documents(file)
    change(lines)
    return b"".join(packed(lines))


def of(documents: list[dict[str, Any]], kind: str, number: int = 0) -> dict[str, Any]:
    return [document for document in documents if document["is"] == kind][number]


def swapped(lines: list[dict[str, Any]]) -> None:
    at = lines.index(of(lines, "entry", 2))
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


def recounted(lines: list[dict[str, Any]]) -> None:
    lines[-1]["lines"] = len(lines) - 1


def without(kind: str, number: int) -> Callable[[list[dict[str, Any]]], None]:
    def remove(lines: list[dict[str, Any]]) -> None:
        lines.remove(of(lines, kind, number))
        recounted(lines)

    return remove


def doubled(lines: list[dict[str, Any]]) -> None:
    lines.insert(1, dict(of(lines, "person")))
    recounted(lines)


def rewritten(lines: list[dict[str, Any]]) -> None:
    """Another name in an entry, whose hashes are all made anew, as whoever has the file can."""
    entry = of(lines, "entry")
    entry["payload"] = entry["payload"].replace("The Salt Road", "The Sugar Road")


def later_table(lines: list[dict[str, Any]]) -> None:
    entry = of(lines, "entry")
    entry["payload"] = entry["payload"].replace('"of":"member"', '"of":"spaceship"')


def in_the_entry(words: str, other: str, number: int = 0) -> Callable[[list[dict[str, Any]]], None]:
    """Other words in the payload of an entry."""
    def replace(lines: list[dict[str, Any]]) -> None:
        entry = of(lines, "entry", number)
        assert words in entry["payload"], entry["payload"]
        entry["payload"] = entry["payload"].replace(words, other)

    return replace


def another_campaign_changed(lines: list[dict[str, Any]]) -> None:
    in_the_entry(f'"id":"{lines[0]["campaign"]}"', f'"id":"{uuid.uuid4()}"')(lines)


def one_operation_twice(lines: list[dict[str, Any]]) -> None:
    first, second = of(lines, "entry"), of(lines, "entry", 1)
    op_ids = [json.loads(entry["envelope"])["op_id"] for entry in (first, second)]
    second["envelope"] = second["envelope"].replace(op_ids[1], op_ids[0])


HOSTILE: dict[str, tuple[Callable[[list[dict[str, Any]]], object], str]] = {
    "a future version": (lambda lines: lines[0].update(v=2), "later version"),
    "a game that is not here": (lambda lines: lines[0].update(system="chess"), "later version"),
    "a table that is not here": (later_table, "later version"),
    "an entry of a later version": (in_the_entry('"v":1', '"v":2'), "later version"),
    "a column that is not here": (in_the_entry('"pitch"', '"mascot"'), "later version"),
    "pictures of what is not here": (lambda lines: of(lines, "picture").update(of="hologram"), "later version"),
    "another campaign is changed": (another_campaign_changed, "does not have the shape"),
    "one operation twice": (one_operation_twice, "does not have the shape"),
    "cut": (lambda lines: lines.pop(), "ends too early"),
    "an entry is missing": (without("entry", 3), "not in their order"),
    "the last entry is missing": (without("entry", -1), "ends too early"),
    "reordered": (swapped, "not in their order"),
    "another campaign's": (lambda lines: lines[0].update(campaign=str(uuid.uuid4())), "not in their order"),
    "another head": (lambda lines: lines[0]["head"].update(hash="0" * 64), "Ledger in this file is broken"),
    "rewritten": (rewritten, "Ledger in this file is broken"),
    "a seal is broken that no entry broke": (lambda lines: of(lines, "entry", 1).update(shown=3), "is broken"),
    "shown to others": (lambda lines: of(lines, "entry", -2).update(audience="all"), "is broken"),
    "a secret of the importer's choice": (
        lambda lines: of(lines, "secret", 40).update(secret="5a" * 32), "does not have the shape"),
    "a secret is missing": (without("secret", -1), "Ledger in this file is broken"),
    "a picture that is another": (lambda lines: of(lines, "picture").update(webp="UklGRgAAAABXRUJQ"), "damaged"),
    "nobody owns it": (lambda lines: of(lines, "person").update(member=str(uuid.uuid4())), "does not have the shape"),
    "a name that is none": (lambda lines: of(lines, "person").update(name="<b>"), "does not have the shape"),
    "no numbers": (lambda lines: lines[0].update(head={"seq": True, "hash": ""}), "does not have the shape"),
    "the same place twice": (doubled, "does not have the shape"),
}
