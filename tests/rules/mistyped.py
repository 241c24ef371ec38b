"""What a type checker refuses: `make types` reads this file, and complains where an `ignore` has nothing to ignore.

An act answers with events of its own procedure's state, and an event applies itself.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.engine import Act, Event, Sheets, Values
from rules.procedure import ActResult, Offer


@dataclass(frozen=True)
class State:
    """The state of a procedure."""


@dataclass(frozen=True)
class OtherState:
    """The state of another one."""


class Inert(Event[State]):
    """An event that does not say what is so after it."""


def offered(state: State, sheets: Sheets) -> Iterator[Offer]:
    yield Offer("say", "", "Say it")


def say(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> ActResult[Event[State]]:
    return ActResult(())


def say_elsewhere(
    state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]
) -> ActResult[Event[OtherState]]:
    return ActResult(())


def chat(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> ActResult[str]:
    return ActResult(("Hello.",))


def nothing() -> Inert:
    return Inert()  # type: ignore[abstract]


SAY: Act[State] = Act("say", offered, say)
SAY_ELSEWHERE: Act[State] = Act("say", offered, say_elsewhere)  # type: ignore[arg-type]
CHAT: Act[State] = Act("say", offered, chat)  # type: ignore[arg-type]
