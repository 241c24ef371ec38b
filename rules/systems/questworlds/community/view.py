"""A community as its page draws it, for one viewer."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.engine import Sheets
from rules.procedure import Ask, Participant, Perspective, View
from rules.systems.questworlds.community.state import Resource, ScoredState, State
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.traits import SUPPORT


@dataclass(frozen=True, slots=True)
class ResourceRow:
    """A resource: what it adds, "" where the viewer may not know; its own rank where it stands elsewhere; words."""

    name: str
    now: str
    own: str
    penalty: bool
    bolstered: bool
    veiled: bool
    required: str
    steps: tuple[bool, ...]  # the ranks of its scale from 0 up, filled as far as it stands


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question: its answers as (words, what each adds, who gave it, whether it stands)."""

    text: str
    answers: tuple[tuple[str, str, tuple[str, ...], bool], ...]


@dataclass(frozen=True, slots=True)
class CommunityDetail:
    """Resources, questions, and what waits for its contest on sheets as (sheet, name, what, amount, what for)."""

    resources: tuple[ResourceRow, ...]
    questions: tuple[QuestionRow, ...]
    given: tuple[tuple[str, str, str, str, str], ...]
    design: tuple[str, ...] = ("resources", "ask", "decide", "drop", "end", "veil", "takes")  # acts that are seldom


IDLE = "What it has, and what the group may ask of it."


def view(state: State, sheets: Sheets, viewer: Perspective, asks: Sequence[Ask]) -> View:
    """The resources with what the viewer may know of them; `asks` is whom it waits for."""
    questions = tuple(QuestionRow(question.text, tuple(
        (answer.words, ", ".join(f"{name} {points}" for name, points in answer.adds),
         tuple(sheets[who].name for who, given in question.votes if given == number and who in sheets),
         question.answer == number)
        for number, answer in enumerate(question.answers))) for question in state.questions)
    symbol, ladder = state.symbol, state.edition.modifiers
    given = tuple(
        (sheet.id, sheet.name, line.name, signed(ladder.of_rank(ladder.held(line.value)), symbol), line.note)
        for sheet in sheets.values() for line in sheet.traits if line.kind == SUPPORT)
    rows = tuple(_row(state, resource, viewer) for resource in state.resources)
    return View("Left" if state.over else "Community", _besides(state, asks, IDLE), (),
                detail=CommunityDetail(rows, questions, given))


def _besides(state: State | ScoredState, asks: Sequence[Ask], idle: str) -> str:
    return "The group has left it." if state.over else "" if asks else idle


def _row(state: State, resource: Resource, viewer: Perspective) -> ResourceRow:
    ladder = state.edition.modifiers
    if resource.veiled and not viewer.runs:
        return ResourceRow(resource.name, "", "", False, False, True, resource.required, ())
    own = signed(ladder.of_rank(resource.rank), state.symbol) if resource.counts != resource.rank else ""
    return ResourceRow(
        resource.name, state.adds(resource), own, resource.counts < 0, resource.bolstered, resource.veiled,
        resource.required, tuple(rank <= resource.counts for rank in range(1, ladder.highest_rank + 1)))


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table of resources: name, score, total and what the group brought, as they are written."""

    name: str
    score: str
    total: str
    pc: str


@dataclass(frozen=True, slots=True)
class ScoresDetail:
    """What the page draws beside what every procedure has."""

    lines: tuple[Line, ...]
    interval: str
    number: int
    average: str
    granted: tuple[tuple[str, str, str], ...]  # who, which resource, what for


def view_of_scores(state: ScoredState, sheets: Sheets, asks: Sequence[Ask]) -> View:
    """Its table, what was granted, and what it waits for."""
    symbol = state.symbol
    lines = tuple(Line(resource.name, notation(resource.score, symbol),
                       signed(resource.total, symbol) if resource.total else "",
                       signed(resource.pc, symbol) if resource.pc else "") for resource in state.resources)
    average = notation(state.average, symbol) if state.resources else ""
    detail = ScoresDetail(lines, state.interval, state.number, average,
                          tuple((grant.name, grant.resource, grant.words) for grant in state.granted))
    facts = tuple(f"{line.name} {line.score}{f', {line.total} in all' if line.total else ''}"
                  f"{f', {line.pc} of it the group’s' if line.pc else ''}." for line in lines)
    groups = tuple((Participant(sheet.id, sheet.name, ""),) for sheet in sheets.values() if not sheet.npc)
    waits = _besides(state, asks, IDLE if state.tested else "Roll for background events.")
    return View(f"{state.interval} {state.number}", waits, groups, facts, detail)
