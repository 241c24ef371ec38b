"""Files made to hurt the verifier: each is refused in a sentence, without a traceback, in 64 MB of memory."""
from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from tempfile import NamedTemporaryFile
from typing import Any

import pytest

import verify
from campaigns.trail import chain
from tests.effort import ALL, LONG, tries
from tests.gate import seldom
from tests.verifier.conftest import exported
from tests.verifier.test_broken import _forged, _place
from tests.verifier.test_sound import RULES, command

ROOT = Path(verify.__file__).parent
MOST_MEMORY = 64 * 1024  # kilobytes
SMALL = 10_000  # bytes
CAMPAIGN = "00000000-0000-4000-8000-000000000001"

# Starts the verifier and prints the most memory that it took, from a small process: what forks has a say in it.
MEASURE = """
import resource, subprocess, sys
run = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
print(run.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, run.stdout, sep="\\n")
"""


def measured(path: Path, *arguments: str) -> tuple[int, int, str]:
    """The exit status, the memory in kilobytes, and what was said; with the site's own rules beside it."""
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", MEASURE, sys.executable, "-I", "-S", str(ROOT / "verify.py"), str(path),
         *arguments], check=True, text=True, stdout=subprocess.PIPE, timeout=1800,
    )
    status, memory, said = run.stdout.split("\n", 2)
    return int(status), int(memory), said


def line(document: Any) -> bytes:
    return (verify.canonical(document) + "\n").encode()


HEADER = {"v": 1, "export": "campaign-trail", "campaign": CAMPAIGN, "head": {"seq": 1, "hash": "0" * 64}}
WHOLE = line(HEADER)


def header(text: bytes) -> bytes:
    """A header with this in the place of its version."""
    return WHOLE.replace(b'"v":1', b'"v":' + text)


FILES: dict[str, list[bytes]] = {
    "a line without an end": [b"x" * 1_000_000] * 200,
    "a line of one megabyte and a bit": [b'{"a":"' + b"x" * 1_000_000 + b'"}\n'],
    "deep brackets": [b"[" * 999_000 + b"\n"],
    "deep objects": [b'{"a":' * 150_000 + b"1" + b"}" * 150_000 + b"\n"],
    "not so deep objects": [b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"\n"],
    "many small lists": [b'{"a":[' + b"[]," * 300_000 + b"[]]}\n"],
    "many numbers": [b'{"a":[' + b"0," * 480_000 + b"0]}\n"],
    "many keys": [b"{" + b",".join(b'"%d":0' % n for n in range(80_000)) + b"}\n"],
    "the same key twice": [WHOLE.replace(b'"v":1', b'"v":1,"v":1')],
    "true for 1": [header(b"true")],
    "one and a half": [header(b"1.5")],
    "an exponent": [header(b"1e400")],
    "NaN": [header(b"NaN")],
    "infinity": [header(b"-Infinity")],
    "a number of 900,000 digits": [header(b"9" * 900_000)],
    "a number of 19 digits": [header(b"1" * 19)],
    "minus nothing": [header(b"-0")],
    "no UTF-8": [WHOLE.replace(b"campaign-trail", b"\xff\xfe")],
    "half a surrogate": [WHOLE.replace(b"campaign-trail", b"\\ud800")],
    "nothing": [b""],
    "an empty line": [b"\n"],
    "a header alone": [WHOLE],
    "zeros": [b"\0" * 900_000, b"\n"],
    "a list": [b"[1]\n"],
    "null": [b"null\n"],
    "lines upon lines": [WHOLE, *([b"{}\n"] * 100_000)],
}
# Alike to one of the others, for most of a second each.
LARGE = {"a line of one megabyte and a bit", "deep objects", "not so deep objects", "many small lists", "many numbers",
         "zeros", "lines upon lines"}


@pytest.mark.parametrize("name", [name for name in FILES if ALL or name not in LARGE])
def test_it_is_refused_in_a_sentence(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is small takes no memory, and no process of its own."""
    path = tmp_path / "trail.jsonl"
    with path.open("wb") as file:
        file.writelines(FILES[name])
    if path.stat().st_size < SMALL:
        status, memory = verify.main([str(path)]), 0
        said = "".join(capsys.readouterr())
    else:
        status, memory, said = measured(path)
    assert status == verify.BROKEN and "Traceback" not in said
    assert said.startswith("Broken. ") and said.strip().endswith(".") and len(said) < 400 and said.count("\n") <= 2
    assert memory < MOST_MEMORY, f"It took {memory} kB."


def long_trail(entries: int, payload: Any) -> Iterator[bytes]:
    """A trail of so many entries whose hashes all fit; `payload` makes what an entry says, from its number."""
    rows, prev = [], chain.GENESIS
    for seq in range(1, entries + 1):
        text = verify.canonical(payload(seq))
        envelope = chain.envelope(
            campaign=CAMPAIGN, seq=seq, prev=prev, op_id=f"operation {seq}", at="2026-01-01T00:00:00+00:00", actor=None,
            dice=None, commit=chain.payload_commit("ab" * 32, text), audience="all")
        prev = chain.envelope_hash(envelope)
        rows.append(line({"envelope": envelope, "hash": prev, "salt": "ab" * 32, "payload": text}))
    yield line({**HEADER, "head": {"seq": entries, "hash": prev}})
    yield from rows


def payload_with(**more: Any) -> dict[str, Any]:
    return {"v": 1, "kind": "test", "title": "", "audience": "all", "edition": "", "session": None, "scene": None,
            "about": [], "move": None, "outcome": None, "dice": None, "changes": [], **more}


def made(seq: int) -> dict[str, Any]:
    """Makes ten things of three fields each."""
    state = {"name": f"Thing {seq}", "text": "x" * 40, "value": seq}
    return payload_with(changes=[{"of": "thing", "id": f"{seq} {n}", "was": None, "became": state} for n in range(10)])


def committed(seq: int) -> dict[str, Any]:
    """Commits to 500 secrets that nobody will use."""
    digests = [hashlib.sha256(b"%d %d" % (seq, n)).hexdigest() for n in range(500)]
    return payload_with(kind="dice.commit", of="somebody", first=(seq - 1) * 500 + 1, commitments=digests)


def fought(seq: int) -> dict[str, Any]:
    """An act of a contest of its own."""
    return payload_with(move={"contest": f"contest {seq}"}, outcome={"rolls": []})


@cache
def memory_of_a_short_one() -> int:
    """What a trail of ten entries takes, in kilobytes."""
    with NamedTemporaryFile() as file:
        file.writelines(long_trail(10, fought))
        file.flush()
        return measured(Path(file.name))[1]


# The last number is how many megabytes more it takes than a short one, at most: what was done to a thing is forgotten.
@seldom
@pytest.mark.parametrize(("entries", "payload", "status", "more"), [
    (tries(5_000, 20_000), made, verify.SOUND, 20), (400, committed, verify.BROKEN, 5),
    (tries(7_500, 30_000), fought, verify.SOUND, 5),
])
def test_a_long_trail_takes_no_more_memory(
    entries: int, payload: Any, status: int, more: int, tmp_path: Path
) -> None:
    path = tmp_path / "trail.jsonl"
    with path.open("wb") as file:
        file.writelines(long_trail(entries, payload))
    number, memory, said = measured(path)
    assert number == status, said
    assert memory < min(MOST_MEMORY, memory_of_a_short_one() + more * 1024), f"It took {memory} kB."


def test_hashes_are_met_once_and_take_little() -> None:
    chance, met, known = Random(7), verify.Hashes(), set[int]()
    for number in (0, *(chance.randrange(2**64) for _ in range(5_000)), *range(2**63, 2**63 + 900)):
        assert met.add(number) == (number not in known) and not met.add(number)
        known.add(number)
    assert len(met) == len(known)


@pytest.mark.skipif(not LONG, reason="two minutes")
def test_a_million_entries_are_read_in_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "trail.jsonl"
    with path.open("wb") as file:
        file.writelines(long_trail(verify.MOST_ENTRIES, lambda seq: payload_with()))
    status, memory, said = measured(path)
    assert status == verify.SOUND, said
    assert memory < MOST_MEMORY, f"It took {memory} kB."


def test_a_trail_of_more_entries_than_it_can_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "MOST_ENTRIES", 5)
    with pytest.raises(verify.Broken, match="5 entries at most"):
        verify.verify(long_trail(6, lambda seq: payload_with()))


@pytest.mark.parametrize("forgery", ["v", "seq", "payload", "number", "faces", "change", "head"])
def test_true_is_no_1_anywhere(forgery: str, played: Any, bobs: Any) -> None:
    """Python says that `True == 1`; the chain would hold, as its hashes are made of the forged text."""
    lines = exported(played, bobs)
    if forgery == "head":
        said = json.loads(lines[0])
        said["head"]["seq"] = True
        with pytest.raises(verify.Broken):
            verify.verify([line(said), lines[1]])
        return
    roll = _place(lines, "pdq.test")
    place = _place(lines, "character.create") if forgery == "change" else 1 if forgery == "seq" else roll

    def forge(payload: dict[str, Any]) -> None:
        if forgery == "payload":
            payload["v"] = True
        if forgery == "number":
            payload["dice"]["number"] = True
        if forgery == "faces":
            payload["dice"]["faces"] = [True if face == 1 else face for face in payload["dice"]["faces"]]
            payload["dice"]["sides"][0] = True
        if forgery == "change":
            # What is false becomes 0: the entry after it sets out from another state.
            payload["changes"][0]["became"]["hidden"] = 0

    changed = {"v": {"v": True}, "seq": {"seq": True}}.get(forgery, {})
    lines = _forged(lines, place, forge, **changed)
    if forgery == "change":
        state = json.loads(json.loads(lines[place])["payload"])["changes"][0]
        check = verify.Check()
        check._change({**state, "was": None})
        with pytest.raises(verify.Broken, match="sets out from another"):
            check._change({**state, "was": {"hidden": False}, "became": {"hidden": True}})
        return
    with pytest.raises(verify.Broken):
        verify.verify(lines, rules=RULES)


@pytest.mark.parametrize("arguments", [
    ["--head", ""], ["--head", "  "], ["--head", "ab"], ["--head", "g" * 64], ["--head", "0" * 65], ["--receipts"],
    ["--unknown"], ["--head"],
])
def test_a_wrong_call_is_no_verdict(arguments: list[str], played: Any, bobs: Any, tmp_path: Path) -> None:
    status, said = command(tmp_path, exported(played, bobs), *arguments)
    assert status == verify.MISUSED and "Sound" not in said and "Traceback" not in said


def test_a_file_that_is_not_there_is_no_verdict(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "verify.py"), str(tmp_path / "nothing.jsonl")], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    assert run.returncode == verify.MISUSED and "Traceback" not in run.stdout


def test_rules_that_fail_in_an_unforeseen_way_are_said_in_a_sentence(played: Any, bobs: Any) -> None:
    def failing(*given: Any) -> Any:
        raise ZeroDivisionError

    with pytest.raises(verify.Broken, match="does not have the shape"):
        verify.verify(exported(played, bobs), rules=failing)


