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
    found = documents(file)
    change(found)
    return b"".join(packed(found))


def of(found: list[dict[str, Any]], kind: str, number: int = 0) -> dict[str, Any]:
    return [document for document in found if document["is"] == kind][number]


def swapped(found: list[dict[str, Any]]) -> None:
    at = found.index(of(found, "entry", 2))
    found[at], found[at + 1] = found[at + 1], found[at]


def recounted(found: list[dict[str, Any]]) -> None:
    found[-1]["lines"] = len(found) - 1


def without(kind: str, number: int) -> Callable[[list[dict[str, Any]]], None]:
    def remove(found: list[dict[str, Any]]) -> None:
        found.remove(of(found, kind, number))
        recounted(found)

    return remove


def doubled(found: list[dict[str, Any]]) -> None:
    found.insert(1, dict(of(found, "person")))
    recounted(found)


def rewritten(found: list[dict[str, Any]]) -> None:
    """Another name in an entry, whose hashes are all made anew, as whoever has the file can."""
    entry = of(found, "entry")
    entry["payload"] = entry["payload"].replace("The Salt Road", "The Sugar Road")


def later_table(found: list[dict[str, Any]]) -> None:
    entry = of(found, "entry")
    entry["payload"] = entry["payload"].replace('"of":"member"', '"of":"spaceship"')


def in_the_entry(words: str, other: str, number: int = 0) -> Callable[[list[dict[str, Any]]], None]:
    """Other words in the payload of an entry."""
    def replace(found: list[dict[str, Any]]) -> None:
        entry = of(found, "entry", number)
        assert words in entry["payload"], entry["payload"]
        entry["payload"] = entry["payload"].replace(words, other)

    return replace


def another_campaign_changed(found: list[dict[str, Any]]) -> None:
    in_the_entry(f'"id":"{found[0]["campaign"]}"', f'"id":"{uuid.uuid4()}"')(found)


def one_operation_twice(found: list[dict[str, Any]]) -> None:
    first, second = of(found, "entry"), of(found, "entry", 1)
    op_ids = [json.loads(entry["envelope"])["op_id"] for entry in (first, second)]
    second["envelope"] = second["envelope"].replace(op_ids[1], op_ids[0])


HOSTILE: dict[str, tuple[Callable[[list[dict[str, Any]]], object], str]] = {
    "a future version": (lambda found: found[0].update(v=2), "later version"),
    "a game that is not here": (lambda found: found[0].update(system="chess"), "later version"),
    "a table that is not here": (later_table, "later version"),
    "an entry of a later version": (in_the_entry('"v":1', '"v":2'), "later version"),
    "a column that is not here": (in_the_entry('"pitch"', '"mascot"'), "later version"),
    "pictures of what is not here": (lambda found: of(found, "picture").update(of="hologram"), "later version"),
    "another campaign is changed": (another_campaign_changed, "does not have the shape"),
    "one operation twice": (one_operation_twice, "does not have the shape"),
    "cut": (lambda found: found.pop(), "ends too early"),
    "an entry is missing": (without("entry", 3), "not in their order"),
    "the last entry is missing": (without("entry", -1), "ends too early"),
    "reordered": (swapped, "not in their order"),
    "another campaign's": (lambda found: found[0].update(campaign=str(uuid.uuid4())), "not in their order"),
    "another head": (lambda found: found[0]["head"].update(hash="0" * 64), "Ledger in this file is broken"),
    "rewritten": (rewritten, "Ledger in this file is broken"),
    "a seal is broken that no entry broke": (lambda found: of(found, "entry", 1).update(shown=3), "is broken"),
    "shown to others": (lambda found: of(found, "entry", -2).update(audience="all"), "is broken"),
    "a secret of the importer's choice": (
        lambda found: of(found, "secret", 40).update(secret="5a" * 32), "does not have the shape"),
    "a secret is missing": (without("secret", -1), "Ledger in this file is broken"),
    "a picture that is another": (lambda found: of(found, "picture").update(webp="UklGRgAAAABXRUJQ"), "damaged"),
    "nobody owns it": (lambda found: of(found, "person").update(member=str(uuid.uuid4())), "does not have the shape"),
    "a name that is none": (lambda found: of(found, "person").update(name="<b>"), "does not have the shape"),
    "no numbers": (lambda found: found[0].update(head={"seq": True, "hash": ""}), "does not have the shape"),
    "the same place twice": (doubled, "does not have the shape"),
}
