"""An impasse: a flashy challenge between two turns, with what is added after the dice (PS-16, PS-17, PS-28)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.moves import Die, Need, Roll, Step
from rules.procedure import Ask, Offer, Options
from rules.sheet import Effect
from rules.systems.pdq_sharp.after_dice import Addition, Cast, likeliest_first
from rules.systems.pdq_sharp.bonus import payment, purse, winnings
from rules.systems.pdq_sharp.challenge_roll import FlashyMove
from rules.systems.pdq_sharp.chart import signed
from rules.systems.pdq_sharp.duel.dice import added_to, usually, with_these
from rules.systems.pdq_sharp.duel.forms import SAID, counting, named, one_of
from rules.systems.pdq_sharp.duel.state import IMPASSE, LullSide, Phase, Result, State, Wound
from rules.systems.pdq_sharp.harm import FAILURE
from rules.systems.pdq_sharp.keep import best, drawn
from rules.systems.pdq_sharp.origins import counted_parts, of_lies, ranks_that_count
from rules.systems.pdq_sharp.reading import fitting
from rules.systems.pdq_sharp.reckoning import (
    AS_DIE,
    best_with,
    lead,
    lies,
    most_more,
    odds_between,
    sums,
    ways_to_better,
)
from rules.tables import OddsAnswer
from rules.values import BadMove, Value
from rules.why import Part, Why
from rules.wording import quoted


@dataclass(frozen=True)
class LullBegan(Event[State]):
    """The dice of an impasse fell: of the one who called it, then of the foe. They do not stand yet (PS-17)."""

    sides: tuple[LullSide, ...]

    def after(self, state: State) -> State:
        return replace(state.spent_free(self.sides[0].who, IMPASSE), lull=self.sides, stood=())


@dataclass(frozen=True)
class LullAdded(Event[State]):
    """Something was added to an impasse: a die with this face, or +1 for 0; a technique (its id), or a style die."""

    who: str
    face: int = 0
    technique: str = ""

    def after(self, state: State) -> State:
        sides = tuple(added_to(side, self.face, self.technique) if side.who == self.who else side
                      for side in state.lull)
        return replace(state, lull=sides, stood=())


@dataclass(frozen=True)
class LullStood(Event[State]):
    """Somebody lets the dice of an impasse stand."""

    who: str

    def after(self, state: State) -> State:
        return replace(state, stood=(*state.stood, self.who))


@dataclass(frozen=True)
class Lulled(Event[State]):
    """An impasse: a flashy challenge between turns, called by one who may have paid for it (PS-27, PS-28)."""

    who: str
    foe: str
    wounds: tuple[Wound, ...]

    def after(self, state: State) -> State:
        return replace(state.spent_free(self.who, IMPASSE), wounds=(*state.wounds, *self.wounds), lull=(), stood=())


def total(state: State, side: LullSide) -> int:
    """What somebody has come to so far: the best two dice, or three by the campaign's setting."""
    return lies(side, keep=state.settings.impasse_dice).total


def behind(state: State) -> tuple[str, ...]:
    """Whoever does not have it as it lies; both where nobody gives way. A tie is a player's against an NPC's."""
    first, second = state.lull
    players = state.fencer(first.who).player, state.fencer(second.who).player
    has = lead(total(state, first), total(state, second), players)
    return {1: (second.who,), -1: (first.who,)}.get(has, (first.who, second.who))


def decider(state: State) -> str:
    """Who is asked whether it stands; "" when it does (PS-17)."""
    return next((who for who in behind(state) if who not in state.stood), "")


def offer_impasse(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To who has a foe, while nobody has divided their dice; free once a duel, then for a style die."""
    for who in state.free if not state.chosen else ():
        facing = [state.fencer(foe) for foe in state.foes_of(who.id)]
        free = IMPASSE not in who.used_free
        if facing and (free or purse(sheets[who.id], state.context, player=who.player)):
            text = "A flashy challenge between turns: a style die for one, a failure rank for the other."
            yield Offer("impasse", who.id, "Call an impasse", text if free else f"{text} It costs a style die now.",
                        (one_of("foe", "Opponent", "Choose an opponent."), SAID), {"foe": named(facing)},
                        rolls=bool(state.settings.impasse_dice), now={"foe": facing[0].id})


def odds_of_impasse(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of both as they are, before anything is added."""
    who, foe = state.fencer(offer.by), state.fencer(values["foe"])
    mine, theirs = (sums(usually(state, sheets, fencer), state.settings.impasse_dice) for fencer in (who, foe))
    odds = odds_between(mine, theirs, (who.player, foe.player))
    readings = ((1, "You win", "good"), (0, "Nobody gives way", "fair"), (-1, f"{foe.name} wins", "bad"))
    return ((f"Against {foe.name}", OddsAnswer(tuple(
        (label, odds[value], tone) for value, label, tone in readings))),)


def why(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """The fortes that counted last, and the dice of the campaign's setting; what else there is comes after them (PS-16,
    PS-28). None where no dice fall."""
    many, counted = state.settings.impasse_dice, usually(state, sheets, state.fencer(offer.by))
    if not many:
        return None
    dice = Part(f"{many} dice", "All of them count", "techniques and style dice can be added after them")
    return Why(f"{many}d6 {signed(counted.adds)}", (*counted_parts(sheets[offer.by], counted), dice))


def call(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Somebody calls it: both throw at once."""
    who, foe, many = state.fencer(by), state.fencer(values["foe"]), state.settings.impasse_dice
    if len(faces) < 2 * many:
        return Need((6,) * (2 * many - len(faces)))
    if len(faces) > 2 * many:
        raise BadMove(f"Enter {2 * many} dice; there are {len(faces)}.", "dice")
    sides = tuple(LullSide(whose.id, usually(state, sheets, whose).ranks, tuple(run))
                  for whose, run in ((who, faces[:many]), (foe, faces[many:])))
    event = LullBegan(sides)
    step = Step("PS-28", f"{who.name} calls an impasse{quoted(values['words'])}")
    dice = tuple(Die(6, face, (who if place < many else foe).name) for place, face in enumerate(faces))
    price = payment(sheets[by], int(IMPASSE in who.used_free), "An impasse")
    return _result(event.after(state), event, (step,), dice, price)


def _lies(state: State) -> str:
    """Who is asked about an impasse; "" for nobody."""
    return decider(state) if state.phase is Phase.LULL else ""


def offer_stand(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever is behind: it stands (PS-17)."""
    if who := _lies(state):
        yield Offer("impasse_stand", who, f"Let it stand: {as_it_lies(state, who)}")


def ask_to_stand(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Whoever is behind."""
    if who := _lies(state):
        yield Ask(who, "impasse_stand", "let the impasse stand or add to it", "Decide", decision=True, stands=True,
                  hurts=len(behind(state)) == 1)


def as_it_lies(state: State, who: str) -> str:
    """What letting it stand leads to, for whoever is asked."""
    mine, theirs = sorted(state.lull, key=lambda foe: foe.who != who)
    comes = "nobody gives way" if len(behind(state)) > 1 else "a failure rank"
    return f"{comes}, {total(state, mine)} against {total(state, theirs)}"


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Lets it stand."""
    return Result((LullStood(by),), (Step("PS-17", f"{state.fencer(by).name} lets it stand."),))


def offer_add(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever is behind and has something left."""
    if (who := _lies(state)) and (more := additions(state, sheets, who)):
        yield Offer("impasse_add", who, "Add to the impasse", "Each technique once. Spent style dice go to the bowl.",
                    (one_of("what", "Addition", "Choose what you add."),), {"what": more}, rolls=True)


def additions(state: State, sheets: Sheets, who: str) -> Options:
    """What somebody can add: techniques that go with what counted, a style die; as a die or as +1."""
    fencer, sheet = state.fencer(who), sheets[who]
    used = next(side for side in state.lull if side.who == who).used
    return ways_to_better(sheet, counting(sheet, fencer), used, purse(sheet, state.context, player=fencer.player))


def can_better(state: State, sheets: Sheets, who: str) -> bool:
    """Whether anything that somebody could add changes what comes of it: it wins, or nobody gives way any more."""
    kept, more = _tools(state, sheets, who)
    short = _short(state, who) - (len(behind(state)) == 1 and _even(state))
    return best_with(kept, sum(kept) + short, more) > 0


def _tools(state: State, sheets: Sheets, who: str) -> tuple[tuple[int, ...], int]:
    """Somebody's dice that count, and how much they can still add."""
    fencer, sheet, side = state.fencer(who), sheets[who], next(side for side in state.lull if side.who == who)
    more = most_more(sheet, counting(sheet, fencer), side.used, purse(sheet, state.context, player=fencer.player))
    return best(side.faces, state.settings.impasse_dice), more


def why_standing(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """A roll of an impasse as it lies, and what could still be added to it (PS-16, PS-17)."""
    mine, theirs = sorted(state.lull, key=lambda side: side.who != offer.by)
    fencer, sheet = state.fencer(mine.who), sheets[mine.who]
    fortes = counting(sheet, fencer)
    foe = Part(str(total(state, theirs)), f"Against {state.fencer(theirs.who).name}", "as it lies")
    return of_lies(
        sheet, mine.faces, total(state, mine), ranks_that_count(sheet, fortes, mine.ranks), (foe,),
        fortes=fortes, used=mine.used, style=purse(sheet, state.context, player=fencer.player),
        keep=state.settings.impasse_dice, rest="Techniques and style dice")


def _short(state: State, who: str) -> int:
    """How much somebody misses to win."""
    mine, theirs = sorted(state.lull, key=lambda side: side.who != who)
    wins_ties = state.fencer(who).player and not state.fencer(theirs.who).player
    return total(state, theirs) - total(state, mine) + (not wins_ties)


def _even(state: State) -> bool:
    """Whether nobody gives way where both come to the same."""
    first, second = state.lull
    return state.fencer(first.who).player == state.fencer(second.who).player


def add(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A technique, once, or a style die: one more die, or +1."""
    source, how = values["what"].split("|")
    if how == AS_DIE and not faces:
        return Need((6,))
    if len(faces) != (how == AS_DIE):
        raise BadMove("Choose one die to add, or none for +1.", "dice")
    technique = sheets[by].trait(source)
    event = LullAdded(by, faces[0] if faces else 0, technique.id if technique else "")
    was, now = state, event.after(state)
    before, after = (next(total(lying, side) for side in lying.lull if side.who == by) for lying in (was, now))
    name = technique.name if technique else "a style die"
    shows = f"shows {faces[0]}" if faces else "adds 1"
    steps = (Step("PS-11", f"{state.fencer(by).name}: {name} {shows}."),
             Step("PS-17", f"{before} becomes {after}."))
    dice = tuple(Die(6, face, state.fencer(by).name) for face in faces)
    return _result(now, event, steps, dice, () if technique else payment(sheets[by], 1))


def _result(
    now: State, event: Event[State], steps: tuple[Step, ...], dice: tuple[Die, ...], effects: tuple[Effect, ...]
) -> Result:
    """The impasse as it lies, as a roll that anybody can work out again where it is the contract's two dice."""
    first, second = now.lull
    lies = f"{now.fencer(first.who).name} {total(now, first)}, {now.fencer(second.who).name} {total(now, second)}"
    lost = behind(now)
    side = {first.who: "challenger", second.who: "challenged"}
    winner = next((place for who, place in side.items() if who not in lost), None)
    result: dict[str, Value] = {"impasse": {"winner": winner}, "challenger": total(now, first),
                                "challenged": total(now, second)}
    return Result((event,), (*steps, Step("PS-16", f"{lies}, as it lies.")), result, dice, effects, rolls_of(now))


def read_again(state: State, sheets: Sheets, side: LullSide) -> LullSide:
    """The same dice without what counts no more: a forte's rank, dice and +1s of the techniques that hung on it (PS-10,
    PS-11)."""
    fencer, sheet = state.fencer(side.who), sheets[side.who]
    used = fitting(sheet, counting(sheet, fencer), side.used)
    return replace(with_these(side, used), ranks=usually(state, sheets, fencer).ranks)


def rolls_of(state: State) -> tuple[Roll, ...]:
    """The impasse as it lies as a roll of the contract, where that has as many dice."""
    if state.settings.impasse_dice != 2:
        return ()
    sides: list[dict[str, Value]] = [
        {"fortes": list(side.ranks), "bonus_dice": len(side.faces) - 2, "flat": side.flat,
         "pc": state.fencer(side.who).player} for side in state.lull]
    given: dict[str, Value] = {"challenger": sides[0], "challenged": sides[1]}
    faces = tuple(face for side in state.lull for face in side.faces)
    outcome = FlashyMove().resolve(FlashyMove().read(given), faces)
    return () if isinstance(outcome, Need) else (Roll(FlashyMove.name, given, faces, outcome.result),)


def settle(state: State) -> tuple[Event[State], tuple[Step, ...], tuple[Effect, ...]]:
    """A style die from the box for one, a failure rank for the other; nothing where nobody gives way."""
    first, second = state.lull
    lost, totals = behind(state), f"{total(state, first)} against {total(state, second)}"
    if len(lost) > 1:
        return Lulled(first.who, second.who, ()), (Step("PS-16", f"{totals}: nobody gives way."),), ()
    winner, loser = (second, first) if lost[0] == first.who else (first, second)
    name, other = state.fencer(winner.who).name, state.fencer(loser.who).name
    wound = Wound(loser.who, 1, FAILURE, f"an impasse with {name}")
    step = Step("PS-16", f"{totals}: {name} wins a style die from the box, {other} takes a failure rank.")
    return Lulled(first.who, second.who, (wound,)), (step,), (winnings(winner.who, "An impasse won"),)


@dataclass(frozen=True, slots=True)
class Lull:
    """An impasse: both rolls, who is asked, and what they can add (for them alone)."""

    casts: tuple[Cast, ...]
    who: str
    additions: tuple[Addition, ...]


def lull_of(state: State, sheets: Sheets, asked: bool) -> Lull:
    """An impasse as it lies."""
    who, keep = decider(state), state.settings.impasse_dice
    casts = tuple(
        Cast(state.fencer(side.who).name, drawn(side.faces, keep),
                 signed(total(state, side) - sum(die.face for die in drawn(side.faces, keep) if die.kept)),
                 total(state, side)) for side in state.lull)
    return Lull(casts, who, ways_on(state, sheets, who) if asked else ())


def ways_on(state: State, sheets: Sheets, who: str) -> tuple[Addition, ...]:
    """What somebody can add, with the chance that it wins."""
    kept, more = _tools(state, sheets, who)
    return likeliest_first(additions(state, sheets, who), kept, sum(kept) + _short(state, who), more)


CALL = Act("impasse", offer_impasse, call, odds=odds_of_impasse, why=why)
ANSWERS: tuple[Act[State], ...] = (
    Act("impasse_stand", offer_stand, stand, ask_to_stand, why=why_standing), Act("impasse_add", offer_add, add))
EVENTS: tuple[type[Event[State]], ...] = (LullBegan, LullAdded, LullStood, Lulled)
