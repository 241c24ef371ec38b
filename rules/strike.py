"""What players say of a roll, and the GM strikes, alike in every game: before the dice, and after them while nothing
stands on them.

What a player says counts at once and is marked as theirs. A line that the GM strikes no longer counts; where dice lie
there already, the same faces are read again. A game says what was said, by ids and sentences, and what its dice come to
without it.
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from rules.engine import Act, Event, Sheets, Values, after
from rules.fields import REQUIRED, Text
from rules.moves import Step
from rules.procedure import ActResult, Offer, Options, ReadingOffer
from rules.values import Value

S = TypeVar("S")

DISMISS = "dismiss"
WHICH = Text(name="which", label="Modifier", default=REQUIRED, most=120, missing="Choose a modifier.")


class HearsWords(ABC, Generic[S]):
    """A procedure in which what players say counts until the GM strikes it."""

    @abstractmethod
    def said(self, state: S) -> Options:
        """What players said that the GM may strike now: ids and sentences."""


def strike_act(
    rule: str, said: Callable[[S, Sheets], Options], strike: Callable[[S, Sheets, str], ActResult[Event[S]]],
    lie: Callable[[S], bool], came: Callable[[S], str] | None = None, *, title: str = "Strike what was said",
    takes_back: bool = False,
) -> Act[S]:
    """The GM's act that strikes one thing that was `said`, at one tap.

    `strike` says what follows without the one of this id, of the same faces where dice `lie`; `came` is what they come
    to in a few words, None where that is told otherwise. `takes_back`: what their first reading did to sheets and pools
    is undone before.
    """
    def offered(state: S, sheets: Sheets) -> Iterator[Offer]:
        if not (lines := said(state, sheets)):
            return
        if lie(state):
            yield ReadingOffer(DISMISS, "", title, "It no longer counts, and the same dice are read again.", (WHICH,),
                               {"which": lines}, chips="which", takes_back=takes_back)
        else:
            yield Offer(DISMISS, "", title, "It no longer counts.", (WHICH,), {"which": lines}, chips="which")

    def do(state: S, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> ActResult[Event[S]]:
        result = strike(state, sheets, values["which"])
        steps = [Step(rule, f"The GM strikes what counted: {dict(said(state, sheets))[values['which']]}")]
        if came and (before := came(state)) and (now := came(after(state, result.events))):
            steps.append(Step(rule, f"Before: {before}. Now: {now}."))
        read: dict[str, Value] = {**result.result, "again": True} if lie(state) else {**result.result}
        return replace(result, steps=(*steps, *result.steps), result=read)

    return Act(DISMISS, offered, do)
