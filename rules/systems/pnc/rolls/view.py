"""Standard rolls as a page draws them."""
from __future__ import annotations

from dataclasses import dataclass

from rules.engine import Sheets
from rules.moves import Die
from rules.procedure import Participant, Perspective, View, is_known
from rules.systems.pnc.dice import Thrown, degree_text, plain
from rules.systems.pnc.factors import Weight
from rules.systems.pnc.reckoning import Kept, ready
from rules.systems.pnc.roll_odds import Outcome, spread
from rules.systems.pnc.rolls.state import BAND_WORDS, VERDICTS, Roller, State, span
from rules.wording import percent


@dataclass(frozen=True)
class RollView:
    """Somebody's roll: before it what would fall and the odds, after it the dice and both readings."""

    name: str
    button: str
    odds: tuple[Outcome, ...]
    factors: tuple[Weight, ...]
    dice: tuple[Die, ...] = ()
    reading: str = ""
    success: bool = False
    working: str = ""  # the d20 less the dice that count


@dataclass(frozen=True)
class BandView:
    """A row of the nine bands: `came` where the roll fell into it."""

    span: str
    band: str
    chance: str
    words: str
    came: bool


@dataclass(frozen=True)
class RollsView:
    """All that the page of rolls draws. `bands` are there for one who rolls alone; `winner` for several, at the end."""

    rolls: tuple[RollView, ...]
    bands: tuple[BandView, ...] = ()
    meaning: str = ""
    described: bool = False  # the GM said what some of them mean
    again: bool = False  # a partial success: it can be tried again
    winner: str = ""
    verdict: str = ""
    failed: bool = False
    words: str = ""


def view(state: State, sheets: Sheets, viewer: Perspective) -> View:
    """Who rolls and what came of it, to this viewer."""
    return View(_heading(state), _verdict(state), _groups(state),
                detail=_detail(state, sheets, viewer))


def _verdict(state: State) -> str:
    return f"{VERDICTS.get(state.verdict, 'The dice have spoken')}." if state.over else ""


def _heading(state: State) -> str:
    if state.over:
        return "Settled"
    return "Rolled" if state.begun else "Before the roll"


def _groups(state: State) -> tuple[tuple[Participant, ...], ...]:
    return tuple(
        (Participant(roller.id, roller.name, "", current=not roller.dice, note=roller.reading),)
        for roller in state.rollers)


def _detail(state: State, sheets: Sheets, viewer: Perspective) -> RollsView:
    rolls = tuple(_roll(roller, sheets, viewer) for roller in state.rollers)
    if state.verdict:
        return RollsView(rolls, verdict=VERDICTS[state.verdict], failed=state.verdict == "failure", words=state.words)
    if not state.alone:
        return RollsView(rolls, winner=state.winner if state.over else "")
    one = state.rollers[0]
    if not (one.thrown or viewer.may_count(sheets, one.id)):
        return RollsView(rolls)
    again = state.over and one.band == "partial success"
    bands = _bands(state, one, _falling(one, sheets, viewer))
    return RollsView(rolls, bands, state.meaning(one.band), bool(state.meanings), again)


def _roll(one: Roller, sheets: Sheets, viewer: Perspective) -> RollView:
    """Before the dice, what somebody brings of whom the viewer knows the face alone is not told."""
    if one.thrown:
        return RollView(one.name, one.button, (), one.weights, one.drawn, one.both_readings, one.success,
                        _working(one.thrown))
    falls = _falling(one, sheets, viewer)
    odds = spread(falls.roll).plain() if viewer.may_count(sheets, one.id) else ()
    known = is_known(sheets, one.id)
    return RollView(one.name, falls.button if known else "unknown", odds, falls.weights if known else ())


def _falling(one: Roller, sheets: Sheets, viewer: Perspective) -> Kept:
    """What the dice fell with; before them what would fall as the form opens, of a face by its numbers where odds may
    be told."""
    sheet = viewer.counted(sheets, one.id)
    return one.terms if one.dice or sheet is None else ready(sheet, one.weights, open_ended=one.open_ended).kept


def _working(thrown: Thrown) -> str:
    """`The d20 comes to 12, the dice to 9: a degree of +3.`"""
    return f"The d20 comes to {plain(thrown.d20)}, the dice to {thrown.d6}: a degree of {degree_text(thrown.degree)}."


def _bands(state: State, one: Roller, falls: Kept) -> tuple[BandView, ...]:
    chances = spread(falls.roll).bands
    return tuple(
        BandView(span(index), band, percent(chances[band]), state.meaning(band), one.band == band)
        for index, band in enumerate(BAND_WORDS)
    )
