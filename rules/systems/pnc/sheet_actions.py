"""What can be done with a sheet at any time: a wound that a roll left, in the GM's words (PN-10)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.engine import check
from rules.fields import REQUIRED, Choice, Text
from rules.moves import Step, take
from rules.procedure import ActResult, Offer
from rules.sheet import Gain, Sheet
from rules.systems.pnc.character import LONGEST, SIZES, WOUND, notation
from rules.values import Value

ADD = "wound"


def offers(sheet: Sheet) -> tuple[Offer, ...]:
    """To the GM: it is a line with its degree."""
    sizes = tuple((str(size), words) for size, words in SIZES)
    return (Offer(ADD, "", "Add a wound", "It stays until the story heals it.", (
        Text(name="words", label="The wound", default=REQUIRED, most=LONGEST, missing="Describe the wound."),
        Choice(name="size", label="Severity", options=sizes, default="2"))),)


def act(sheet: Sheet, action: str, given: Mapping[str, Value], faces: Sequence[int]) -> ActResult[Any]:
    """The line on the sheet; raises `BadMove`."""
    take(faces, 0)
    values = check(next(offer for offer in offers(sheet) if offer.action == action), given)
    words, size = values["words"], int(values["size"])
    step = Step("PN-10", f"On {sheet.name}’s sheet: {words} ({notation(WOUND, size)}).")
    return ActResult((), (step,), effects=(Gain(sheet.id, WOUND, words, size),))
