"""The rules as a contract: one JSON object a line in, one a line out, in order. No database is touched."""
from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.dice import Throw, new_secret
from rules.moves import Face, Need
from rules.registry import kind_of
from rules.values import BadMove

Answer = dict[str, Any]


def resolve(request: Mapping[str, Any]) -> Answer:
    """Answers `{"move", "given", "dice"}`; dice left out are rolled fairly. Raises `BadMove`."""
    kind = kind_of(_word(request, "move"))
    move = kind.read(_given(request))
    asked = _dice(request["dice"]) if request.get("dice") is not None else None
    throw = Throw(secret=new_secret(), campaign="", number=1, client_seed=b"")
    faces: list[int] = []
    while isinstance(answer := kind.resolve(move, tuple(faces)), Need):
        faces += throw.roll(answer.sides) if asked is None else _next(asked, len(faces), answer.sides)
    if asked is not None and len(asked) > len(faces):
        raise BadMove(f"This takes {len(faces)} dice; there are {len(asked)}.", "dice")
    steps = [{"rule": step.rule, "text": step.text} for step in answer.steps]
    return {"move": kind.name, "dice": faces, "result": answer.result, "steps": steps}


def odds(request: Mapping[str, Any]) -> Answer:
    """Answers `{"move", "given", "of"}` with the exact chance of each value. Raises `BadMove`."""
    kind = kind_of(_word(request, "move"))
    chances = kind.odds(kind.read(_given(request)), _word(request, "of"))
    return {"odds": {key_of(value): str(chance) for value, chance in sorted(chances.items(), key=_order)}}


def key_of(value: Face) -> str:
    """A value as JSON writes it, as a key: words as they are, `true`, `null`, `12`."""
    return value if isinstance(value, str) else json.dumps(value)


def answer_lines(lines: Iterable[str], command: Callable[[Mapping[str, Any]], Answer]) -> Iterator[Answer]:
    """One answer for each line that is not blank; a bad line answers `{"error": ...}` and the rest go on."""
    for line in lines:
        if not line.strip():
            continue
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise BadMove("Enter a JSON object on each line.")
            yield command(request)
        except (json.JSONDecodeError, RecursionError) as error:
            yield {"error": f"This line is not JSON: {error}."}
        except BadMove as bad:
            yield {"error": str(bad)}


@dataclass(frozen=True)
class _Rank:
    kind: int
    number: int
    word: str

    def __lt__(self, other: _Rank) -> bool:
        return (self.kind, self.number, self.word) < (other.kind, other.number, other.word)


def _order(item: tuple[Face, Fraction]) -> _Rank:
    value = item[0]
    return _Rank(1, 0, value) if isinstance(value, str) else _Rank(0, int(value or 0), "")


def _word(request: Mapping[str, Any], name: str) -> str:
    if not isinstance(request.get(name), str):
        raise BadMove("Enter this as text.", name)
    return str(request[name])


def _given(request: Mapping[str, Any]) -> Mapping[str, Any]:
    given = request.get("given", {})
    if not isinstance(given, dict):
        raise BadMove("Enter a JSON object.", "given")
    return given


def _dice(given: Any) -> list[int]:
    if not isinstance(given, list) or not all(type(face) is int for face in given):
        raise BadMove("Enter a list of whole numbers.", "dice")
    return given


def _next(asked: list[int], used: int, sides: tuple[int, ...]) -> list[int]:
    faces = asked[used : used + len(sides)]
    if len(faces) < len(sides):
        raise BadMove(f"Enter at least {used + len(sides)} dice; there are {len(asked)}.", "dice")
    for index, (face, most) in enumerate(zip(faces, sides, strict=True)):
        if not 1 <= face <= most:
            raise BadMove(f"Enter a face from 1 to {most}.", f"dice.{used + index}")
    return faces
