"""A challenge as a page draws it: who rolls, the dice as they lie, what one more would make of it."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules.engine import Sheets
from rules.procedure import Ask, Participant, Perspective, View
from rules.sheet import Sheet
from rules.systems.pdq_sharp.after_dice import Addition, Cast
from rules.systems.pdq_sharp.challenge.ellipsis import additions, chance_after, chances
from rules.systems.pdq_sharp.challenge.state import Entrant, Phase, State, behind, decider, side, standing, total
from rules.systems.pdq_sharp.chart import signed
from rules.systems.pdq_sharp.keep import drawn
from rules.systems.pdq_sharp.reckoning import KEEP


@dataclass(frozen=True, slots=True)
class Detail:
    """What the page of a challenge draws beside what all procedures have."""

    casts: tuple[Cast, ...]
    verdict: str
    who: str
    additions: tuple[Addition, ...]


def view(state: State, sheets: Sheets, viewer: Perspective, asks: Sequence[Ask]) -> View:
    """The challenge at this moment; `asks` is whom it waits for."""
    groups = tuple((_participant(entrant, asks),) for entrant in state.entrants)
    facts = [f"{helper.name} helps." for helper in state.helps]
    if state.target:
        facts.append(f"The target number is {state.target}.")
    return View(_heading(state), "It is over." if state.outcome and not asks else "", groups, tuple(facts),
                _detail(state, sheets, viewer))


def _heading(state: State) -> str:
    if state.outcome:
        return f"{state.outcome[:1].upper()}{state.outcome[1:]}"
    return {Phase.FRAME: "Before the dice", Phase.ELLIPSIS: "Not final yet"}.get(state.phase, "")


def _participant(who: Entrant, asks: Sequence[Ask]) -> Participant:
    return Participant(who.id, who.name, "", current=any(ask.by == who.id for ask in asks),
                       note="" if who.cast is None else f"{total(who)}")


def _detail(state: State, sheets: Sheets, viewer: Perspective) -> Detail:
    casts = tuple(
        Cast(entrant.name, drawn(entrant.cast.faces, KEEP), signed(side(entrant, True).adds), total(entrant))
        for entrant in state.entrants if entrant.cast)
    verdict = ""
    if state.phase is Phase.ELLIPSIS:
        verdict = f"{standing(state)}: {'not enough as it lies' if behind(state) else 'enough'}"
    who = decider(state) if state.phase is Phase.ELLIPSIS else ""
    rows: tuple[Addition, ...] = ()
    if who and (who in viewer.plays or (viewer.runs and not state.entrant(who).player)):
        rows = tuple(sorted((_addition(state, sheets[who], *way)
                             for way in additions(state, sheets[who], state.entrant(who))),
                            key=lambda row: -row.chance))
    return Detail(casts, verdict, who if rows else "", rows)


def _addition(state: State, sheet: Sheet, what: str, label: str) -> Addition:
    counted = Counter(chances(state, sheet.id, what))
    alone = Fraction(counted["won"], counted.total())
    return Addition(what, label, alone, chance_after(state, sheet, sheet.id, what))
