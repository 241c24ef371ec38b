"""What a player says counts, the ability that they use among it, and the GM strikes: before the dice, and after them
while nothing stands on them (QW-06, QW-21).

Without any ability one contends with what counts where none fits, and the modifiers that are left.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rules.engine import Event, Sheets, after
from rules.moves import Step
from rules.procedure import Options
from rules.strike import strike_act
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.reckoning import Kept, Modifier, counts_with, kept, told
from rules.systems.questworlds.simple_contest.modifiers import TookBack
from rules.systems.questworlds.simple_contest.resolution import by_how_much, rolls_of, settle, why
from rules.systems.questworlds.simple_contest.state import Phase, Result, State
from rules.systems.questworlds.simple_contest.values import Chosen

FIRST, SECOND = "ability", "second"  # which of the two that may be combined (QW-26)
LAID = (Phase.MODIFY, Phase.ROLL, Phase.POINT, Phase.AFTER)


@dataclass(frozen=True)
class ReadAgain(Event[State]):
    """The GM struck what somebody said when dice lay there: the line by its place, and what those who have rolled have
    rolled with, without it. What the dice came to first is told anew."""

    place: int
    who: tuple[str, ...]
    terms: tuple[Kept, ...]

    def after(self, state: State) -> State:
        return _told_anew(TookBack(self.place).after(state), self.who, self.terms)


@dataclass(frozen=True)
class ReadWithout(Event[State]):
    """The GM struck the ability that somebody used: what they are left with, and what those who have rolled have
    rolled with."""

    who: str
    chosen: Chosen
    rolled: tuple[str, ...]
    terms: tuple[Kept, ...]

    def after(self, state: State) -> State:
        return _told_anew(state.with_(self.who, chosen=self.chosen), self.rolled, self.terms)


def _told_anew(state: State, who: Iterable[str], terms: Iterable[Kept]) -> State:
    for rolled, known in zip(who, terms, strict=True):
        state = state.with_(rolled, terms=known)
    return replace(state, outcomes=(), side="", learned=state.learned if not state.outcomes else state.taught)


def said(state: State) -> Options:
    """What players say counts, as long as nothing stands on the dice."""
    if state.phase not in LAID or state.decided or state.goals or state.gave or state.boost or state.own_roll:
        return ()
    return (*_abilities(state), *((str(place), _words(state, line)) for place, line in enumerate(state.modifiers)
                                  if line.said_by and counts_with(line, state.used(line.who))))


def _abilities(state: State) -> Iterator[tuple[str, str]]:
    """What players use of their sheets; one that was made up for it stays, and a force’s number is the GM’s (QW-29)."""
    for entrant in state.entrants:
        chosen = entrant.chosen
        if not chosen or not chosen.trait or state.lent or entrant.id not in state.settings.players:
            continue
        both = ((FIRST, chosen.name, chosen.score), (SECOND, chosen.second, chosen.second_score))
        for which, name, score in both:
            if score is not None:
                number = notation(score, state.settings.symbol)
                yield f"{which} {entrant.id}", f"{entrant.name} says: {name} {number} counts."


def _words(state: State, line: Modifier) -> str:
    return f"{state.name_of(line.said_by)} says: {line.label}, {told(line, state.settings.symbol)}."


def _lie(state: State) -> bool:
    return any(entrant.rolled_die for entrant in state.entrants)


def strike(state: State, sheets: Sheets, which: str) -> Result:
    """It no longer counts; the same faces are read without it (QW-21)."""
    what, _, who = which.partition(" ")
    if who:
        return _without_ability(state, sheets, who, what)
    place = int(which)
    if not _lie(state):
        return Result((TookBack(place),))
    again = ReadAgain(place, *_terms_now(TookBack(place).after(state)))
    return _read(state, sheets, state.modifiers[place].who, again)


def _without_ability(state: State, sheets: Sheets, who: str, which: str) -> Result:
    """What is left of what they use; where nothing is, none fits (QW-06). What touches it counts no more, and a stretch
    was one of it; what else counts stays."""
    left = _less(state.entrant(who).chosen or Chosen(""), which)
    stretches = [place for place, line in enumerate(state.modifiers) if (line.who, line.kind) == (who, "stretch")]
    gone = tuple(TookBack(place) for place in reversed(stretches))
    steps = () if left.score is not None else (
        Step("QW-06", f"No ability fits, which counts as {state.edition.resolution.no_ability}."),)
    if not _lie(state):
        return Result((*gone, ReadWithout(who, left, (), ())), steps)
    again = ReadWithout(who, left, *_terms_now(after(state, gone).with_(who, chosen=left)))
    read = _read(state, sheets, who, *gone, again)
    return replace(read, steps=(*steps, *read.steps))


def _less(chosen: Chosen, which: str) -> Chosen:
    if which == FIRST:
        chosen = replace(chosen, trait=chosen.second_trait, name=chosen.second, score=chosen.second_score,
                         family=chosen.second_family)
    return replace(chosen, second="", second_score=None, second_trait="", second_family="")


def _terms_now(state: State) -> tuple[tuple[str, ...], tuple[Kept, ...]]:
    """Those who have rolled, and what they roll with as it counts now."""
    rolled = tuple(entrant.id for entrant in state.entrants if entrant.rolled_die)
    for who in rolled:
        state = state.with_(who, terms=None)
    return rolled, tuple(kept(state.terms(who)) for who in rolled)


def _read(state: State, sheets: Sheets, who: str, *events: Event[State]) -> Result:
    """What the same faces come to."""
    then = after(state, events)
    if ending := settle(then, sheets):
        return replace(ending, events=(*events, *ending.events))
    return Result(events, why(then, who), rolls=rolls_of(then, who))


def came(state: State) -> str:
    """What the dice come to, in a few words: `defeat by rank 2`."""
    if state.side:
        return state.side
    read = [f"{state.name_of(outcome.who)}: {outcome.outcome}{by_how_much(outcome)}" for outcome in state.outcomes]
    if not read:
        lying = [(entrant, state.rolled(entrant.id)) for entrant in state.entrants]
        read = [f"{entrant.name}: {clash.outcome} so far" for entrant, clash in lying if clash]
    return "; ".join(read)


DISMISS = strike_act("QW-21", lambda state, sheets: said(state), strike, _lie, came, takes_back=True)
EVENTS = (ReadAgain, ReadWithout)
