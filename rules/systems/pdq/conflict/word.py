"""What players say of a roll, and the GM strikes: before the dice, and after them while nothing stands on them (PQ-03).

What a player says counts at once and is marked as theirs. A line that the GM strikes no longer counts; where dice lie
there already, the same faces are read again.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeVar

from rules.engine import Event, Sheets
from rules.moves import Need
from rules.procedure import Options
from rules.sheet import Spend
from rules.strike import strike_act
from rules.systems.pdq.attack import Strike, rolls_of
from rules.systems.pdq.chart import rank_of, usable
from rules.systems.pdq.conflict.reactions import Struck, first_hurt, hit_of, told
from rules.systems.pdq.conflict.sides import armed, counted_as, lines_of
from rules.systems.pdq.conflict.state import Attack, Hit, Landed, Reaction, Result, State, Trying
from rules.systems.pdq.conflict.weakness import unsaid
from rules.systems.pdq.harm import HURT, noted
from rules.systems.pdq.reckoning import (
    Hard,
    Terms,
    but,
    heard,
    lead_without,
    of_quality,
    place_of,
    settle_task,
    test_of,
    without,
)
from rules.systems.pdq.test import Task

Faces = Sequence[int]

R = TypeVar("R", Attack, Reaction, Trying)

WEAPON = "weapon"
NOTHING = Terms((), None, ())


@dataclass(frozen=True)
class Dismissed(Event[State]):
    """The GM struck what somebody said of the attack or the test under way: the number of a shift, a quality by its
    place, as `quality 0`, or `weapon`."""

    who: str
    what: str

    def after(self, state: State) -> State:
        attack, trying = state.attack, state.trying
        if trying and trying.who == self.who:
            state = replace(state, trying=_less(trying, self.what))
        if attack is None:
            return state
        if self.what == WEAPON:
            return replace(state, attack=replace(attack, weapon=False))
        if self.who == attack.by:
            return replace(state, attack=_less(attack, self.what))
        reactions = tuple(
            _less(reaction, self.what) if reaction.by == self.who else reaction for reaction in attack.reactions)
        return replace(state, attack=replace(attack, reactions=reactions))


@dataclass(frozen=True)
class ReadAgain(Event[State]):
    """The GM struck something when the dice lay there: what they come to without it."""

    struck: Struck

    def after(self, state: State) -> State:
        before = state.landed
        if before is None:
            return state
        wounds = list(state.wounds)
        for wound in before.wounds:
            wounds.remove(wound)
        for who in before.fresh:
            state = state.with_(who, hurt=False)
        state = replace(state, doubts=tuple(doubt for doubt in state.doubts if doubt not in self._open(state)))
        return self.struck.after(replace(state, wounds=tuple(wounds)))

    def _open(self, state: State) -> tuple[tuple[str, str], ...]:
        """What waits for the GM's word about the hits that are read again."""
        return tuple((hit.target, self.struck.who) for hit in state.landed.hits) if state.landed else ()


@dataclass(frozen=True)
class TestReadAgain(Event[State]):
    """The GM struck something when the dice of a test lay there: what was rolled with, without it."""

    terms: Terms

    def after(self, state: State) -> State:
        return replace(state, landed=replace(state.landed, terms=self.terms)) if state.landed else state


def words_said(state: State, sheets: Sheets) -> Options:
    """What players said of the attack or the test under way, or of the last one while it may be read again: ids and
    sentences."""
    if trying := state.trying:
        return _of(trying.who, _under_way(state, sheets, trying.who, trying))
    if attack := state.attack:
        answered = (_of(reaction.by, _under_way(state, sheets, reaction.by, reaction)) for reaction in attack.reactions)
        return (*_of(attack.by, _under_way(state, sheets, attack.by, attack)), *chain(*answered),
                *_armed(state, attack.by, attack.weapon))
    return _of_dice(state, state.landed) if state.landed else ()


def _under_way(state: State, sheets: Sheets, by: str, roll: Attack | Reaction | Trying) -> Iterator[tuple[str, str]]:
    """What counts on players' words in a roll whose dice have not fallen: qualities, then shifts."""
    for place, (applied, trait) in enumerate(zip(roll.qualities, lines_of(sheets, roll.qualities), strict=True)):
        line = counted_as(state, by, applied)
        if trait and usable(trait) and line.said_by:
            yield of_quality(place, replace(line, name=trait.name), rank_of(trait))
    yield from ((str(place), shift.words) for place, shift in enumerate(roll.shifts) if shift.said_by)


def _of_dice(state: State, landed: Landed) -> Options:
    """The same of dice that lie: whatever leaves no more dice than those."""
    if landed.hard:
        return _of(landed.by, (line for line in heard(landed.terms)
                               if _wanted(_tried(landed, line[0])) <= len(landed.faces)))
    lines = [*_of(landed.by, (line for line in heard(landed.terms)
                              if without(landed.terms, line[0]).side.dice <= len(landed.faces)))]
    for hit in landed.hits:
        lines += _of(hit.target, (line for line in heard(hit.terms or NOTHING) if _parried(state, hit, line[0])))
    return (*lines, *_armed(state, landed.by, any(hit.weapon for hit in landed.hits)))


def _parried(state: State, hit: Hit, what: str) -> bool:
    """Whether the target's dice that lie are enough without what is struck."""
    stands = state.settings.defence == "stand"
    return stands or without(hit.terms or NOTHING, what).side.dice <= len(hit.faces)


def dismiss(state: State, sheets: Sheets, which: str) -> Result:
    """The GM says that something does not count: the roll is read without it."""
    who, _, what = which.partition(" ")
    if state.landed and state.landed.hard and not state.attack:
        return _test_again(state.landed, what)
    if state.landed and not state.attack:
        return _read_again(state, sheets, state.landed, who, what)
    return Result((Dismissed(who, what),))


def _tried(landed: Landed, what: str) -> Task:
    """A test without what is struck."""
    return test_of(without(landed.terms, what).side, landed.hard or Hard(0))


def _wanted(task: Task) -> int:
    """How many dice a test takes."""
    return 0 if task.automatic else task.side.dice


def _test_again(landed: Landed, what: str) -> Result:
    """The same faces of a test without what was struck."""
    task = _tried(landed, what)
    settled = settle_task(task, landed.faces[:_wanted(task)])
    if isinstance(settled, Need):
        raise LookupError("Nothing is offered that takes more dice than lie there.")
    outcome, rolls = settled
    return Result((TestReadAgain(without(landed.terms, what)),), outcome.steps, outcome.result, rolls=rolls)


def _came(state: State) -> str:
    """What the dice of a test come to, in a few words; "" for an attack, whose hits tell it."""
    if not state.landed or not state.landed.hard:
        return ""
    task = _tried(state.landed, "")
    settled = settle_task(task, state.landed.faces[:_wanted(task)])
    if isinstance(settled, Need):
        return ""
    result, hard = settled[0].result, state.landed.hard
    verdict = "success" if result["success"] else "failure"
    return verdict if "total" not in result else f"{verdict}, {result['total']} against {hard.target}"


def _read_again(state: State, sheets: Sheets, landed: Landed, who: str, what: str) -> Result:
    """The same faces without what was struck, against each target."""
    own = without(landed.terms, what) if who == landed.by else landed.terms
    blows = []
    for hit in landed.hits:
        theirs = hit.terms or NOTHING
        theirs = without(theirs, what) if who == hit.target else theirs
        weapon = hit.weapon and what != WEAPON
        blows.append((hit.target, Strike(
            own.side, theirs.side, state.settings.defence == "stand", weapon, hit.surprise, hit.weakness, hit.first,
        ), hit.faces))
    hits = tuple(hit_of(target, move, landed.faces, parried) for target, move, parried in blows)
    fresh = first_hurt(state, sheets, landed.by, hits, landed.fresh)
    weak = tuple(target for target in unsaid(sheets, hits) if (target, landed.by) in state.doubts)
    again = ReadAgain(Struck(landed.by, hits, own, landed.faces, fresh, weak))
    result, steps = told(state, landed.by, own.side, blows, landed.faces)
    spared = tuple(Spend(hurt, HURT, -1) for hurt in landed.fresh if hurt not in fresh)
    rolls = [roll for _, move, parried in blows
             for roll in rolls_of(move, (*landed.faces[:own.side.dice], *parried[:move.defence_dice]))]
    return Result((again,), steps, result, rolls=tuple(rolls),
                  effects=(*noted(sheets, *fresh), *spared))


def _of(who: str, lines: Iterable[tuple[str, str]]) -> Options:
    return tuple((f"{who} {what}", words) for what, words in lines)


def _armed(state: State, who: str, weapon: bool) -> Options:
    attacker = state.contestant(who)
    return ((f"{who} {WEAPON}", armed(attacker.name)),) if weapon and attacker.player else ()


def _less(roll: R, what: str) -> R:
    """A roll under way without a shift, or a quality."""
    gone = place_of(what)
    if gone is None:
        return replace(roll, shifts=tuple(shift for place, shift in enumerate(roll.shifts) if str(place) != what))
    return replace(roll, qualities=but(roll.qualities, gone), lead=lead_without(roll.lead, gone))


DISMISS = strike_act("PQ-03", words_said, dismiss, lambda state: not (state.attack or state.trying), _came)
EVENTS = (Dismissed, ReadAgain, TestReadAgain)
