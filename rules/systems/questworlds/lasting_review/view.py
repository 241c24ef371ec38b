"""A review of lasting effects as a page draws it."""
from __future__ import annotations

from dataclasses import dataclass

from rules.engine import Sheets
from rules.procedure import Participant, Perspective, View
from rules.sheet import Trait
from rules.systems.questworlds.lasting_review.state import ReviewState
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.states import worth_of
from rules.systems.questworlds.traits import ADVERSITY, FORTUNE, lasting


@dataclass(frozen=True, slots=True)
class LastingEffect:
    """A consequence or benefit, and whether it was reviewed."""

    id: str
    name: str
    amount: str
    rank: int
    note: str
    what: str  # what it is, in words
    reviewed: bool


@dataclass(frozen=True, slots=True)
class ReviewDetail:
    """What lasts, by whom it is on, while it is reviewed; how much is left; and the base in earlier seasons."""

    rows: tuple[tuple[str, str, tuple[LastingEffect, ...]], ...]  # the sheet's id, its name, what is on it
    left: int
    base: str  # the base of the season that began with this review, "" where it stayed
    seasons: tuple[tuple[int, str], ...]  # the entry's number, the base since then


def view(state: ReviewState, sheets: Sheets, viewer: Perspective) -> View:
    """What still lasts, and what the GM has reviewed of it."""
    left = [] if state.over else state.left(sheets)
    asked = "Your turn: review each." if viewer.runs else "Waiting for the GM to review each."
    waits_for = asked if left else "All of it is reviewed."
    groups = tuple((Participant(who, sheets[who].name, ""),) for who in state.who if who in sheets)
    return View("Done" if state.over else "Review", "The review is finished." if state.over else waits_for, groups,
                detail=_detail(state, sheets, len(left)))


def _detail(state: ReviewState, sheets: Sheets, left: int) -> ReviewDetail:
    # Sheets go on changing when it is over: what was said of each line then is told by its entries.
    rows = tuple(
        (who, sheets[who].name, tuple(_effect(state, trait) for trait in lasting(sheets[who])))
        for who in state.who if who in sheets and lasting(sheets[who]) and not state.over
    )
    base = notation(state.base, state.symbol) if state.base else ""
    seasons = tuple(
        (each.seq, notation(each.state.base, state.symbol)) for each in state.context.past if each.state.base)
    return ReviewDetail(rows, left, base, seasons)


def _effect(state: ReviewState, trait: Trait) -> LastingEffect:
    what = {ADVERSITY: "state of adversity", FORTUNE: "state of fortune"}.get(
        trait.kind, f"{trait.kind}, rank {trait.value}")
    amount = worth_of(trait, state.symbol, state.edition)
    return LastingEffect(
        trait.id, trait.name, amount, trait.value, trait.note, what, trait.id in state.reviewed)
