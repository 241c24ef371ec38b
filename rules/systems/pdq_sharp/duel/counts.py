"""What the GM says of fortes in a duel: which do not count here, and which shoot (PS-10, PS-49)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.moves import Step
from rules.procedure import Offer, Options
from rules.strike import DISMISS, WHICH
from rules.systems.pdq_sharp.chart import notation
from rules.systems.pdq_sharp.duel.additions import before_after, reopened, throw_by
from rules.systems.pdq_sharp.duel.clash import rolls_of
from rules.systems.pdq_sharp.duel.dice import read_again
from rules.systems.pdq_sharp.duel.forms import counting, some_of
from rules.systems.pdq_sharp.duel.state import Fencer, Phase, Result, State, Throw
from rules.systems.pdq_sharp.reading import as_offered, rank_word, usable
from rules.wording import join

Which = tuple[tuple[str, tuple[str, ...]], ...]  # the fortes of each, by id


@dataclass(frozen=True)
class FortesRuled(Event[State]):
    """The GM said which fortes do not count here; `throws` are dice that do not stand yet, as they are read without
    them. `ranks`, as it was once kept, are those that count in them now: what hung on the fortes stayed."""

    struck: Which
    ranks: Which = ()
    throws: tuple[Throw, ...] = ()

    def after(self, state: State) -> State:
        for who, struck in self.struck:
            state = state.with_(who, struck=struck)
        gone = {forte for _, struck in self.struck for forte in struck}
        choices = tuple(replace(
            choice, fortes=tuple(forte for forte in choice.fortes if forte not in gone),
            gambit="" if choice.gambit in gone else choice.gambit,
            firearm="" if choice.firearm in gone else choice.firearm) for choice in state.choices)
        now = dict(self.ranks)
        older = (replace(throw, ranks=now[throw.who]) for throw in state.throws if throw.who in now)
        state = replace(state, choices=choices)
        for throw in (*older, *self.throws):
            state = reopened(state.with_throw(throw), throw.who)
        return state


@dataclass(frozen=True)
class Armed(Event[State]):
    """The GM said which fortes shoot (PS-49)."""

    shoots: Which

    def after(self, state: State) -> State:
        for who, shoots in self.shoots:
            state = state.with_(who, shoots=shoots)
        return state


def _lines(sheets: Sheets, fencers: Sequence[Fencer]) -> Options:
    return tuple((f"{who.id}|{line.id}", f"{who.name}: {as_offered(line)}")
                 for who in fencers for line in sheets[who.id].traits if usable(line))


def _by_fencer(fencers: Sequence[Fencer], chosen: Sequence[str]) -> Which:
    pairs = [said.split("|", 1) for said in chosen]
    return tuple((who.id, tuple(forte for by, forte in pairs if by == who.id)) for who in fencers)


def _named(sheets: Sheets, which: Which) -> str:
    lines = [line.name for who, fortes in which for line in sheets[who].traits if line.id in fortes]
    return join(lines, empty="nothing")


def offer_strike(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM: before the dice, and as long as they do not stand."""
    if state.between or state.phase is Phase.ELLIPSIS:
        options = _lines(sheets, state.standing)
        now = [f"{who.id}|{forte}" for who in state.standing for forte in who.struck]
        yield Offer("strike", "", "Choose what does not count",
                    "Ticked fortes count for nobody’s roll in this duel. Dice that are not final are read again.",
                    (some_of("which", "Fortes that do not count", most=100),), {"which": options}, now={"which": now})


def strike(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Which fortes do not count; the same faces are read again without them (PS-10)."""
    struck = _by_fencer(state.standing, values["which"])
    return _ruled(state, sheets, struck, f"The GM says what does not count here: {_named(sheets, struck)}.")


def _counted(state: State, sheets: Sheets) -> Options:
    """The fortes that players count in dice that are not final: of those who threw, and of those who back them."""
    return tuple((f"{who.id}|{line.id}", f"{who.name} says: {line.name}, {notation(rank_word(line))} counts.")
                 for who, fortes in _in_dice(state, sheets) if who.player
                 for line in sheets[who.id].traits if line.id in fortes)


def _in_dice(state: State, sheets: Sheets) -> Iterator[tuple[Fencer, Sequence[str]]]:
    for throw in state.live:
        if choice := state.choice_of(throw.who):
            yield state.fencer(throw.who), (*choice.fortes, choice.gambit)
        for backer in state.backers_of(throw.who):
            yield backer, counting(sheets[backer.id], backer)


def offer_dismiss(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, while dice lie that are not final: each forte that a player counts, at one tap."""
    if state.phase is Phase.ELLIPSIS and (lines := _counted(state, sheets)):
        yield Offer(DISMISS, "", "Strike a forte", "It no longer counts, and the same dice are read again.", (WHICH,),
                    {"which": lines}, chips="which")


def dismiss(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """One forte counts no more, beside those that were struck before; what that makes of each side is told (PS-10)."""
    who, _, forte = values["which"].partition("|")
    words = dict(_counted(state, sheets))[values["which"]]
    return _ruled(state, sheets, tuple(
        (fencer.id, (*fencer.struck, forte) if fencer.id == who else fencer.struck) for fencer in state.standing),
        f"The GM strikes what counted: {words}")


def _ruled(state: State, sheets: Sheets, struck: Which, told: str) -> Result:
    """These fortes do not count from now on, and what hangs on them neither; what that makes of each side is told."""
    ruled = FortesRuled(struck).after(state)
    again = tuple(throw for was in state.live if (choice := ruled.choice_of(was.who))
                  and (throw := read_again(ruled, sheets, was, choice)) != was)
    event = FortesRuled(struck, throws=again)
    now, among = event.after(state), {throw.who for throw in again}
    rolls = tuple(roll for bout in state.bouts if among & {*bout} for roll in rolls_of(now, bout))
    steps = [step for throw in again for step in (*_fallen(state, throw), *before_after(state, now, throw.who))]
    return Result((event,), (Step("PS-10", told), *steps), rolls=rolls)


def _fallen(state: State, throw: Throw) -> Iterator[Step]:
    """That techniques count no more in these dice, since what they hung on does not."""
    gone = [bonus.source for bonus in throw_by(state, throw.who).bonus
            if bonus.technique and bonus.technique not in throw.used]
    if gone:
        count = "counts" if len(gone) == 1 else "count"
        yield Step("PS-11", f"{state.fencer(throw.who).name}: {join(gone)} no longer {count}, as the forte does not.")


def offer_arm(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where firearms do more than other weapons: players' fortes that shoot."""
    players = [who for who in state.standing if who.player]
    if state.between and state.settings.firearms != "plain" and players:
        now = [f"{who.id}|{forte}" for who in players for forte in who.shoots]
        yield Offer("arm", "", "Choose what shoots", "Only these can be chosen as the forte that shoots.",
                    (some_of("which", "Fortes that shoot", most=100),), {"which": _lines(sheets, players)},
                    now={"which": now})


def arm(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Which fortes of players' characters shoot, for the whole duel (PS-49)."""
    shoots = _by_fencer([who for who in state.standing if who.player], values["which"])
    return Result((Armed(shoots),), (Step("PS-49", f"What shoots here: {_named(sheets, shoots)}."),))


GMS: tuple[Act[State], ...] = (
    Act(DISMISS, offer_dismiss, dismiss), Act("strike", offer_strike, strike), Act("arm", offer_arm, arm),
)
EVENTS: tuple[type[Event[State]], ...] = (FortesRuled, Armed)
