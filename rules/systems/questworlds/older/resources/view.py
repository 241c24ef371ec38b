"""A community with scores as everybody sees it (QW-A9)."""
from __future__ import annotations

from dataclasses import dataclass

from rules.engine import Sheets
from rules.procedure import Ask, Participant, View
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.resources.offers import asks
from rules.systems.questworlds.older.resources.state import State


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table of resources: name, score, total and what the group brought, as they are written."""

    name: str
    score: str
    total: str
    pc: str


@dataclass(frozen=True, slots=True)
class Detail:
    """What the page draws beside what every procedure has."""

    lines: tuple[Line, ...]
    interval: str
    number: int
    average: str
    granted: tuple[tuple[str, str, str], ...]  # who, which resource, what for


def view(state: State, sheets: Sheets) -> View:
    """Its table, what was granted, and what it waits for."""
    symbol, waits = state.symbol, asks(state)
    lines = tuple(Line(each.name, notation(each.score, symbol), signed(each.total, symbol) if each.total else "",
                       signed(each.pc, symbol) if each.pc else "") for each in state.resources)
    average = notation(state.average, symbol) if state.resources else ""
    detail = Detail(lines, state.interval, state.number, average,
                    tuple((each.name, each.resource, each.words) for each in state.granted))
    facts = tuple(f"{each.name} {each.score}{f', {each.total} in all' if each.total else ''}"
                  f"{f', {each.pc} of it the group’s' if each.pc else ''}." for each in lines)
    groups = tuple((Participant(each.id, each.name, ""),) for each in sheets.values() if not each.npc)
    text = "The group has left it." if state.over else f"Waiting for {_who(sheets, waits[0])}." if waits else (
        "Roll for background events." if not state.tested else "What it has, and what the group may ask of it.")
    return View(f"{state.interval} {state.number}", text, groups, facts, detail)


def _who(sheets: Sheets, ask: Ask) -> str:
    return f"{sheets[ask.by].name if ask.by in sheets else 'the GM'}: {ask.text}"
