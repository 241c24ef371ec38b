"""A community as its page draws it, for one viewer."""
from __future__ import annotations

from dataclasses import dataclass

from rules.engine import Sheets
from rules.procedure import Perspective, View
from rules.systems.questworlds.community.offers import asks
from rules.systems.questworlds.community.state import Resource, State
from rules.systems.questworlds.notation import signed
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


def view(state: State, sheets: Sheets, viewer: Perspective) -> View:
    """The resources with what the viewer may know of them."""
    questions = tuple(QuestionRow(each.text, tuple(
        (answer.words, ", ".join(f"{name} {points}" for name, points in answer.adds),
         tuple(sheets[who].name for who, given in each.votes if given == number and who in sheets),
         each.answer == number)
        for number, answer in enumerate(each.answers))) for each in state.questions)
    symbol, ladder = state.settings.symbol, state.edition.modifiers
    given = tuple(
        (sheet.id, sheet.name, line.name, signed(ladder.of_rank(ladder.held(line.value)), symbol), line.note)
        for sheet in sheets.values() for line in sheet.traits if line.kind == SUPPORT)
    detail = CommunityDetail(tuple(_row(state, each, viewer) for each in state.resources), questions, given)
    return View("Left" if state.over else "Community", _waits_for(state, sheets), (), detail=detail)


def _row(state: State, found: Resource, viewer: Perspective) -> ResourceRow:
    symbol, ladder = state.settings.symbol, state.edition.modifiers
    if found.veiled and not viewer.runs:
        return ResourceRow(found.name, "", "", False, False, True, found.required, ())
    own = signed(ladder.of_rank(found.rank), symbol) if found.counts != found.rank else ""
    return ResourceRow(
        found.name, signed(state.bonus(found), symbol), own, found.counts < 0, found.bolstered, found.veiled,
        found.required, tuple(rank <= found.counts for rank in range(1, ladder.highest_rank + 1)))


def _waits_for(state: State, sheets: Sheets) -> str:
    if state.over:
        return "The group has left it."
    found = next(iter(asks(state, sheets)), None)
    if found is None:
        return "What it has, and what the group may ask of it."
    who = sheets[found.by].name if found.by in sheets else "the GM"
    return f"Waiting for {who}: {found.text}."
