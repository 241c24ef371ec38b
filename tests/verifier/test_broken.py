"""Exports that somebody touched: each is found out."""
from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest

import verify
from campaigns.trail import chain
from rules.codec import canonical
from tests import laid
from tests.effort import tries
from tests.verifier.conftest import exported
from tests.verifier.test_sound import RULES, command

# Of all flips so many are passed over: less than four bytes, so that no part of a line goes free, and odd, so that each
# bit of a byte has its turn.
EACH = tries(31, 1)


def found_out(lines: list[bytes]) -> str:
    """What the verifier says of these lines; fails when it finds nothing."""
    with pytest.raises(verify.Broken) as broken:
        verify.verify(lines, rules=RULES)
    return str(broken.value)


def holds(lines: list[bytes]) -> bool:
    """Whether the verifier finds nothing."""
    try:
        verify.verify(lines)
    except verify.Broken:
        return False
    return True


def test_every_flipped_bit(campaign: Any, alices: Any) -> None:
    """All bits of an export: the founding, 32 commitments, and a header."""
    whole = b"".join(exported(campaign, alices))
    assert holds(whole.splitlines(keepends=True))
    missed = []
    for place, bit in itertools.islice(itertools.product(range(len(whole)), range(8)), 0, None, EACH):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << bit
        if holds(_lines(bytes(flipped))):
            missed.append((place, bit))
    assert missed == []


def test_every_flipped_bit_of_a_roll_and_of_a_sealed_entry(secret: Any, bobs: Any) -> None:
    """All bits of the two kinds of line that the founding does not have."""
    lines = exported(secret, bobs)
    rows = [json.loads(line) for line in lines[1:]]
    roll = next(n for n, row in enumerate(rows) if json.loads(row["envelope"])["dice"]) + 1
    sealed = next(n for n, row in enumerate(rows) if row["payload"] is None) + 1
    for wanted in (roll, sealed):
        missed = []
        for place, bit in itertools.islice(itertools.product(range(len(lines[wanted])), range(8)), 0, None, EACH):
            flipped = bytearray(lines[wanted])
            flipped[place] ^= 1 << bit
            missed += [(place, bit)] if holds([*lines[:wanted], bytes(flipped), *lines[wanted + 1 :]]) else []
        assert missed == []


def _lines(whole: bytes) -> list[bytes]:
    """As a file gives them: split after line feeds, and after nothing else."""
    return [part + b"\n" for part in whole.split(b"\n")[:-1]] + ([tail] if (tail := whole.split(b"\n")[-1]) else [])


def test_every_deletion_swap_duplicate_and_insertion_of_lines(secret: Any, bobs: Any) -> None:
    lines = exported(secret, bobs)
    for place in range(len(lines)):
        assert not holds(lines[:place] + lines[place + 1 :]), f"line {place} gone"
        for other in range(place):
            swapped = list(lines)
            swapped[place], swapped[other] = swapped[other], swapped[place]
            assert not holds(swapped), f"lines {other} and {place} swapped"
    for place, line in itertools.product(range(len(lines) + 1), (*lines, b"\n", b"{}\n", b"null\n")):
        assert not holds([*lines[:place], line, *lines[place:]]), f"inserted before line {place}"


def test_a_cut_off_end(played: Any, bobs: Any) -> None:
    lines = exported(played, bobs)
    for end in range(1, len(lines)):
        assert not holds(lines[:end])
    assert not holds([*lines[:-1], lines[-1][:-1]])


def test_a_cut_off_end_with_a_new_header_departs_from_a_kept_head(played: Any, bobs: Any, tmp_path: Any) -> None:
    lines = _forged(exported(played, bobs)[:-1], 1, lambda payload: None)
    assert command(tmp_path, lines)[0] == 0
    assert command(tmp_path, lines, "--head", played.head_hash)[0] == 3


@pytest.mark.parametrize("line", [
    b'{"a":1, "b":2}\n', b'{"b":1,"a":2}\n', b'{"a":1,"a":1}\n', b'{"a":1.0}\n', b'{"a":1e2}\n', b'{"a":NaN}\n',
    b'{"a":"\\u0041"}\n', b'{"a":1}\r\n', b' {"a":1}\n', b'{"a":1}', b'{"a":-0}\n', b'{"a":"\\ud800"}\n', b"[]\n",
    b"1\n", b'{"a":1}\xc0\n', b'{"a":' + b"9" * 5000 + b"}\n",
])
def test_a_line_is_written_in_one_way_only(line: bytes) -> None:
    with pytest.raises((verify.Broken, ValueError)):
        verify.exact(line)
    assert verify.exact(b'{"a":1}\n') == {"a": 1}


def test_the_first_flaw_is_named(played: Any, bobs: Any) -> None:
    lines = exported(played, bobs)
    place = next(n for n, line in enumerate(lines) if "Café".encode() in line)
    lines[place] = lines[place].replace("Café".encode(), b"Cafe")
    assert found_out(lines) == f"Entry {place}: its payload is not the one that its envelope was made with."


# From here on somebody who can hash: each forged file has all its hashes worked out again.


def _forged(lines: list[bytes], entry: int, forge: Callable[[dict[str, Any]], None], **envelope: Any) -> list[bytes]:
    """The export with one entry's payload changed, and every hash after it made to fit."""
    header, *rows = [json.loads(line) for line in lines]
    prev = chain.GENESIS
    for number, row in enumerate(rows, 1):
        signed = json.loads(row["envelope"])
        if number == entry:
            payload = json.loads(row["payload"])
            forge(payload)
            row["payload"] = canonical(payload)
            signed |= envelope
        if row["payload"] is not None:
            signed["payload_commit"] = chain.payload_commit(row["salt"], row["payload"])
        row["envelope"] = canonical({**signed, "prev": prev})
        prev = row["hash"] = chain.envelope_hash(row["envelope"])
    header["head"] = {"seq": len(rows), "hash": prev}
    return [(verify.canonical(row) + "\n").encode() for row in (header, *rows)]


def _place(lines: list[bytes], kind: str, which: int = 0) -> int:
    """The number of an entry of this kind."""
    payloads = [json.loads(json.loads(line)["payload"]) for line in lines[1:]]
    return [number for number, payload in enumerate(payloads, 1) if payload["kind"] == kind][which]


@laid.fixture
def lines(played: Any, bobs: Any) -> list[bytes]:
    return exported(played, bobs)


def test_forging_nothing_is_sound(lines: list[bytes]) -> None:
    assert _forged(lines, 1, lambda payload: None) == lines


def test_forged_faces(lines: list[bytes]) -> None:
    def luckier(payload: dict[str, Any]) -> None:
        payload["dice"]["faces"] = [face % 6 + 1 for face in payload["dice"]["faces"]]

    said = found_out(_forged(lines, roll := _place(lines, "pdq.test"), luckier))
    assert said == f"Entry {roll}: the faces of its dice do not follow from the secret and the browser's seed."


def test_a_secret_of_ones_own(lines: list[bytes]) -> None:
    def mine(payload: dict[str, Any]) -> None:
        payload["dice"]["secret"] = "ab" * 32

    assert "not the one that was committed to" in found_out(_forged(lines, _place(lines, "pdq.test"), mine))


def test_a_secret_and_commitment_of_ones_own(lines: list[bytes]) -> None:
    digest = hashlib.sha256(bytes.fromhex("ab" * 32)).hexdigest()

    def mine(payload: dict[str, Any]) -> None:
        payload["dice"] |= {"secret": "ab" * 32, "commitment": digest}

    said = found_out(_forged(lines, _place(lines, "pdq.test"), mine, dice=digest))
    assert "do not come from the next secret" in said


def test_commitments_used_out_of_order(lines: list[bytes]) -> None:
    """The server may not try its secrets and take the one that it likes."""
    def swapped(payload: dict[str, Any]) -> None:
        first, second, *rest = payload["commitments"]
        payload["commitments"] = [second, first, *rest]

    assert "do not come from the next secret" in found_out(_forged(lines, _place(lines, "dice.commit"), swapped))


def test_a_commitment_used_twice(lines: list[bytes]) -> None:
    used = json.loads(json.loads(lines[_place(lines, "pdq.test")])["envelope"])["dice"]
    again = _place(lines, "pdq.test", 1)
    assert "do not come from the next secret" in found_out(_forged(lines, again, lambda _: None, dice=used))


def test_a_commitment_published_twice(lines: list[bytes]) -> None:
    def doubled(payload: dict[str, Any]) -> None:
        payload["commitments"][-1] = payload["commitments"][0]

    assert "committed to before" in found_out(_forged(lines, _place(lines, "dice.commit"), doubled))


def test_a_roll_that_is_kept_out_of_the_envelope(lines: list[bytes]) -> None:
    assert "disagree" in found_out(_forged(lines, _place(lines, "pdq.test"), lambda _: None, dice=None))


def test_a_forged_outcome(lines: list[bytes]) -> None:
    def better(payload: dict[str, Any]) -> None:
        payload["outcome"]["result"]["margin"] += 1

    assert "outcome does not follow" in found_out(_forged(lines, _place(lines, "pdq.test"), better))


def test_a_forged_change(lines: list[bytes]) -> None:
    def other(payload: dict[str, Any]) -> None:
        payload["changes"][0]["was"]["name"] = "Else"

    assert "sets out from another character" in found_out(_forged(lines, _place(lines, "character.rename"), other))


def test_an_operation_done_twice(lines: list[bytes]) -> None:
    op_id = json.loads(json.loads(lines[1])["envelope"])["op_id"]
    assert "already done" in found_out(_forged(lines, 3, lambda _: None, op_id=op_id))


@pytest.mark.parametrize("broken", [{"kind": 1}, {"changes": None}, {"move": {"given": 3}, "outcome": 4}, {"dice": {}}])
def test_a_payload_of_another_shape(lines: list[bytes], broken: dict[str, Any]) -> None:
    said = found_out(_forged(lines, roll := _place(lines, "pdq.test"), lambda payload: payload.update(broken)))
    assert said.startswith(f"Entry {roll}: ")


def test_an_outcome_of_another_edition_is_not_held_against_these_rules(lines: list[bytes]) -> None:
    """What was played by rules that changed since is no lie; the report says that it was not worked out again."""
    roll = _place(lines, "pdq.test")
    for edition in ("pdq 0.9", "pnc 1.0", ""):
        def older(payload: dict[str, Any], edition: str = edition) -> None:
            payload["edition"] = edition
            payload["outcome"]["result"]["margin"] += 1

        report = verify.verify(_forged(lines, roll, older), rules=RULES)
        assert (report.outcomes, report.unknown_outcomes) == (2, 1)
