"""What players count in a duel, and the GM strikes: in dice that wait, and in those that stood at once, until somebody
does something. The same faces are read again; what hung on a forte falls with it (PS-10, PS-11)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Event, Sheets
from rules.moves import Roll, Step
from rules.procedure import Options
from rules.sheet import Transfer
from rules.strike import strike_act
from rules.systems.pdq_sharp.chart import notation
from rules.systems.pdq_sharp.duel import impasse, withstanding
from rules.systems.pdq_sharp.duel.additions import Added, before_after, reopened
from rules.systems.pdq_sharp.duel.clash import attacks, rolls_of, text_of
from rules.systems.pdq_sharp.duel.dice import read_again
from rules.systems.pdq_sharp.duel.ellipsis import DiePlaced
from rules.systems.pdq_sharp.duel.forms import counting
from rules.systems.pdq_sharp.duel.impasse import LullAdded, LullBegan
from rules.systems.pdq_sharp.duel.stances import Thrown
from rules.systems.pdq_sharp.duel.state import Fencer, LullSide, Phase, Resisting, Result, State, Throw, Unread
from rules.systems.pdq_sharp.duel.withstanding import PoisonAdded, PoisonMet
from rules.systems.pdq_sharp.reading import rank_word
from rules.wording import join

Which = tuple[tuple[str, tuple[str, ...]], ...]  # the fortes of each, by id


@dataclass(frozen=True)
class FortesRuled(Event[State]):
    """The GM said which fortes do not count here; `throws`, `lull` and `resisting` are dice as they are read without
    them. Where `again`, those had stood at once: all is as it lay before. `ranks`, as it was once kept, are those that
    count in throws now: what hung on the fortes stayed."""

    struck: Which
    ranks: Which = ()
    throws: tuple[Throw, ...] = ()
    lull: tuple[LullSide, ...] = ()
    resisting: tuple[Resisting, ...] = ()
    again: bool = False

    def after(self, state: State) -> State:
        state = state.as_it_lay if self.again else state
        for who, struck in self.struck:
            state = state.with_(who, struck=struck)
        gone = {forte for _, struck in self.struck for forte in struck}
        choices = tuple(replace(
            choice, fortes=tuple(forte for forte in choice.fortes if forte not in gone),
            gambit="" if choice.gambit in gone else choice.gambit,
            firearm="" if choice.firearm in gone else choice.firearm) for choice in state.choices)
        now, casts = dict(self.ranks), {cast.who: cast for cast in self.resisting}
        older = (replace(throw, ranks=now[throw.who]) for throw in state.throws if throw.who in now)
        state = replace(state, choices=choices, resisting=tuple(casts.get(old.who, old) for old in state.resisting))
        for throw in (*older, *self.throws):
            state = reopened(state.with_throw(throw), throw.who)
        return replace(state, lull=self.lull, stood=()) if self.lull else state


@dataclass(frozen=True)
class StoodAtOnce(Event[State]):
    """Dice stood by the act with which they fell, or were read: what players counted in them, and what was paid."""

    said: Options
    paid: tuple[Transfer, ...] = ()

    def after(self, state: State) -> State:
        return replace(state, unread=Unread(state, self.said, self.paid))


@dataclass(frozen=True)
class Stands(Event[State]):
    """What was said of dice that stood at once stands: somebody has done something since."""

    def after(self, state: State) -> State:
        return replace(state, unread=None)


LEAVE_DICE = (Thrown, Added, DiePlaced, LullBegan, LullAdded, PoisonMet, PoisonAdded, FortesRuled)


def stood_at_once(state: State, sheets: Sheets, result: Result) -> Iterator[StoodAtOnce]:
    """That the dice stood which an act had left as they lie in this state: where players count something in them."""
    if any(isinstance(event, LEAVE_DICE) for event in result.events) and (words := _counted(state, sheets)):
        yield StoodAtOnce(words, tuple(effect for effect in result.effects if isinstance(effect, Transfer)))


def said(state: State, sheets: Sheets) -> Options:
    """The fortes that players count in dice that wait, or that stood at once."""
    return state.unread.said if state.unread else _counted(state, sheets)


def _counted(state: State, sheets: Sheets) -> Options:
    """The same of dice that lie: of those who threw, and of those who back them."""
    return tuple((f"{who.id}|{line.id}", f"{who.name} says: {line.name}, {notation(rank_word(line))} counts.")
                 for who, fortes in _in_dice(state, sheets) if who.player
                 for line in sheets[who.id].traits if line.id in fortes)


def _in_dice(state: State, sheets: Sheets) -> Iterator[tuple[Fencer, Sequence[str]]]:
    if state.phase is Phase.POISON:
        yield from ((state.fencer(cast.who), cast.fortes) for cast in state.resisting)
    lying = [side.who for side in state.lull]
    yield from ((fencer, counting(sheets[who], fencer)) for who in lying for fencer in (state.fencer(who),))
    for throw in state.live:
        lying.append(throw.who)
        if choice := state.choice_of(throw.who):
            yield state.fencer(throw.who), (*choice.fortes, choice.gambit)
    for who in lying:
        yield from ((backer, counting(sheets[backer.id], backer)) for backer in state.backers_of(who))


def strike(state: State, sheets: Sheets, which: str) -> Result:
    """One forte counts no more, beside those that were struck before. Where its dice had stood, what was paid with them
    is paid again, as what they did is taken back."""
    (who, _, forte), lies = which.partition("|"), state.as_it_lay
    read = ruled(lies, sheets, tuple(
        (fencer.id, (*fencer.struck, forte) if fencer.id == who else fencer.struck) for fencer in lies.standing),
        again=state.unread is not None)
    if state.unread is None:
        return read
    now = read.events[0].after(state)
    compared = Step("PS-10", f"Before: {_came(lies, now)}. Now: {_came(now, lies)}.")
    return replace(read, steps=(compared, *read.steps), effects=state.unread.paid)


def ruled(state: State, sheets: Sheets, struck: Which, *, again: bool = False) -> Result:
    """These fortes do not count from now on, and what hangs on them neither: what that makes of dice as they lie."""
    without = FortesRuled(struck).after(state)
    throws = tuple(throw for was in state.live if (choice := without.choice_of(was.who))
                   and (throw := read_again(without, sheets, was, choice)) != was)
    lull = tuple(impasse.read_again(without, sheets, side) for side in state.lull)
    resisting = tuple(cast for was in state.resisting if (cast := withstanding.read_again(without, sheets, was)) != was)
    lull = lull if lull != state.lull else ()
    event = FortesRuled(struck, throws=throws, lull=lull, resisting=resisting, again=again)
    now = replace(event, again=False).after(state)
    return Result((event,), tuple(_told(state, now, sheets, event)), rolls=tuple(_rolls(state, now, event)))


def _rolls(state: State, now: State, read: FortesRuled) -> Iterator[Roll]:
    """The dice that were read again, as rolls of the contract."""
    among = {throw.who for throw in read.throws}
    for bout in state.bouts:
        yield from rolls_of(now, bout) if among & {*bout} else ()
    yield from impasse.rolls_of(now) if read.lull else ()
    yield from (withstanding.roll_of(now, cast.who) for cast in read.resisting)


def _told(state: State, now: State, sheets: Sheets, read: FortesRuled) -> Iterator[Step]:
    """What dice come to that were read again, and which techniques count in them no more."""
    for throw in read.throws:
        was = next(old for old in state.throws if old.who == throw.who)
        fell = [bonus.technique for bonus in was.bonus if bonus.technique]
        yield from _fallen(sheets, state.fencer(throw.who), fell, throw.used)
        yield from before_after(state, now, throw.who)
    rolls: tuple[LullSide | Resisting, ...] = (*read.lull, *read.resisting)
    lay: tuple[LullSide | Resisting, ...] = (*state.lull, *state.resisting)
    for roll in rolls:
        who, old = state.fencer(roll.who), next(old for old in lay if old.who == roll.who)
        yield from _fallen(sheets, who, old.used, roll.used)
        if _total(state, old) != _total(now, roll):
            yield Step("PS-17", f"{who.name}: {_total(state, old)} becomes {_total(now, roll)}.")


def _total(state: State, roll: LullSide | Resisting) -> int:
    return impasse.total(state, roll) if isinstance(roll, LullSide) else withstanding.total(state, roll.who)


def _fallen(sheets: Sheets, who: Fencer, before: Sequence[str], used: Sequence[str]) -> Iterator[Step]:
    """That techniques count no more, since what they hung on does not."""
    gone = [line.name for id_ in before if id_ not in used and (line := sheets[who.id].trait(id_))]
    if gone:
        count = "counts" if len(gone) == 1 else "count"
        yield Step("PS-11", f"{who.name}: {join(gone)} no longer {count}, as the forte does not.")


def _came(state: State, other: State) -> str:
    """What dice come to as they lie, in a few words: those that lie otherwise in the other state."""
    among = {throw.who for throw in state.live if throw not in other.throws}
    told = [text_of(state, attack).rstrip(".") for bout in state.bouts for attack in attacks(state, bout)
            if {attack.by, attack.on} & among]
    told += [f"{state.fencer(side.who).name} {impasse.total(state, side)}" for side in state.lull]
    told += [f"{state.fencer(cast.who).name} {withstanding.as_it_lies(state, cast.who)}" for cast in state.resisting
             if cast not in other.resisting]
    return "; ".join(told)


DISMISS = strike_act("PS-10", said, strike, lambda state: state.unread is not None, title="Strike a forte",
                     takes_back=True)
EVENTS: tuple[type[Event[State]], ...] = (FortesRuled, StoodAtOnce, Stands)
