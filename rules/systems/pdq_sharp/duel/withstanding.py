"""A poison that kills is withstood, or somebody falls to it: the roll, and what is added after it (PS-17, PS-49)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import Whole
from rules.moves import Die, Need, Roll, Step
from rules.procedure import Ask, Offer, Options
from rules.sheet import Damage, Effect, Gain, Sheet, Spend
from rules.systems.pdq_sharp import kinds
from rules.systems.pdq_sharp.after_dice import Addition, Cast, likeliest_first
from rules.systems.pdq_sharp.bonus import payment, purse
from rules.systems.pdq_sharp.challenge_roll import ChallengeMove
from rules.systems.pdq_sharp.chart import POOR, TARGETS, WORDS, signed
from rules.systems.pdq_sharp.duel.dice import added_to, with_these
from rules.systems.pdq_sharp.duel.forms import countable, one_of, some_of
from rules.systems.pdq_sharp.duel.start import FALLS
from rules.systems.pdq_sharp.duel.state import FALLEN, Fencer, Phase, Resisting, Result, State, Sting
from rules.systems.pdq_sharp.keep import best, drawn
from rules.systems.pdq_sharp.origins import of_lies, of_roll, ranks_that_count
from rules.systems.pdq_sharp.reading import TRAINING, fitting, fortes, lines_of, rank_words
from rules.systems.pdq_sharp.reckoning import (
    AS_DIE,
    KEEP,
    Terms,
    best_after,
    best_with,
    kept_step,
    lies,
    most_more,
    settle,
    steps_of,
    sums,
    terms,
    ways_to_better,
)
from rules.tables import OddsAnswer
from rules.values import BadMove, Value
from rules.why import Part, Why
from rules.wording import percent


@dataclass(frozen=True)
class PoisonMet(Event[State]):
    """The dice against a poison that kills fell. They do not stand yet (PS-17)."""

    roll: Resisting

    def after(self, state: State) -> State:
        return replace(state, resisting=(*state.resisting, self.roll))


@dataclass(frozen=True)
class PoisonAdded(Event[State]):
    """Something was added to a roll against a poison: a die with this face, or +1 for 0; by a technique (its id)."""

    who: str
    face: int
    technique: str

    def after(self, state: State) -> State:
        return replace(state, resisting=tuple(
            added_to(cast, self.face, self.technique) if cast.who == self.who else cast for cast in state.resisting))


@dataclass(frozen=True)
class Withstood(Event[State]):
    """Somebody met a poison that kills; `out` is how they fell to it, "" for who stands. `by` is whose blade it was on;
    "", as it was once kept, for all that they had to withstand."""

    who: str
    out: str = ""
    by: str = ""

    def after(self, state: State) -> State:
        state = state.without_stings(self.who, self.by)
        return state.gone(self.who, self.out) if self.out else state


def target(rank: int) -> int:
    """What withstanding a poison of this rank takes."""
    return TARGETS[WORDS[rank]]


def _to_withstand(state: State) -> tuple[Fencer, ...]:
    """Those with a poison to withstand, one after the other."""
    stung = dict.fromkeys(sting.who for sting in state.stings) if state.phase is Phase.POISON else ()
    return tuple(state.fencer(who) for who in stung)


def _has_rolled(state: State, who: str) -> bool:
    """Whether their roll against a poison lies there."""
    return any(cast.who == who for cast in state.resisting)


def offer_withstand(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who has not rolled: a challenge against a poison that kills (PS-49)."""
    for who in _to_withstand(state):
        if _has_rolled(state, who.id):
            continue
        sheet = sheets[who.id]
        dice = purse(sheet, state.context, player=who.player)
        fields = (some_of("fortes", "Fortes"),
                  Whole(name="style", label="Style dice", default=0, most=min(18, dice)))
        yield Offer("withstand", who.id, "Withstand the poison",
                    f"2d6 against {against(state, who.id)}. Failing leaves you with nothing.", fields,
                    {"fortes": countable(sheet, who)}, rolls=True)


def ask_to_withstand(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Each with a poison to withstand: to roll, then whether it stands."""
    for fencer in _to_withstand(state):
        who = fencer.id
        if not _has_rolled(state, who):
            yield Ask(who, "withstand", "withstand the poison", "Roll")
        else:
            yield Ask(who, "poison_stand", "let the roll against the poison stand or add to it", "Decide",
                      decision=True, stands=True, hurts=not withstands(state, who))


def _counted(state: State, sheet: Sheet, values: Values) -> Terms:
    """What somebody would roll against the poison with."""
    dice = purse(sheet, state.context, player=state.fencer(sheet.id).player)
    return terms(sheet, fortes=values["fortes"], style=values["style"], target=against(state, sheet.id), purse=dice)


def odds_of_withstanding(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chance that the dice are enough as they fall, before anything is added."""
    counted, needed = _counted(state, sheets[offer.by], values), against(state, offer.by)
    ways = sums(counted)
    likely = Fraction(sum(many for total, many in ways.items() if total >= needed), sum(ways.values()))
    return ((f"Against {needed}", OddsAnswer((("Enough", likely, "good"), ("Not enough", 1 - likely, "bad")))),)


def why(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """What is brought against the poison, and its rank (PS-49)."""
    counted = _counted(state, sheets[offer.by], values)
    return of_roll(sheets[offer.by], counted, (_needed(state, offer.by),), values["fortes"], ())


def why_standing(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """A roll against the poison as it lies, and what could still be added to it (PS-17, PS-49)."""
    sheet, cast = sheets[offer.by], _cast(state, offer.by)
    style = purse(sheet, state.context, player=state.fencer(offer.by).player)
    return of_lies(
        sheet, cast.faces, total(state, offer.by), ranks_that_count(sheet, cast.fortes, cast.ranks),
        (_needed(state, offer.by),), fortes=cast.fortes, used=cast.used, style=style)


def _needed(state: State, who: str) -> Part:
    return Part(str(against(state, who)), "Against the poison", WORDS[_sting(state, who).rank])


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The dice of a challenge against the poison; what fails can still be added to (PS-17)."""
    sheet, fencer = sheets[by], state.fencer(by)
    counted = _counted(state, sheet, values)
    wanted = KEEP + counted.bonus_dice
    if len(faces) < wanted:
        return Need((6,) * (wanted - len(faces)))
    if len(faces) > wanted:
        raise BadMove(f"Enter {wanted} dice; there are {len(faces)}.", "dice")
    event = PoisonMet(Resisting(by, tuple(values["fortes"]), counted.ranks, tuple(faces)))
    steps = (Step("PS-49", f"{fencer.name} against the poison."), *steps_of(counted, fencer.name),
             kept_step(settle(counted, faces), counted, fencer.name))
    return _result(event.after(state), event, steps, drawn(faces, KEEP, fencer.name), payment(sheet, counted.style))


def offer_add(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each whose roll is not enough and who has something left (PS-17)."""
    for who in _to_withstand(state):
        if _has_rolled(state, who.id) and (more := additions(state, sheets, who.id)):
            options = tuple((what, f"{words}, {percent(enough(state, sheets, who.id, what))} enough")
                            for what, words in more)
            said = f"{_short(state, who.id)} Each technique once. Spent style dice go to the bowl."
            yield Offer("poison_add", who.id, "Add to the roll against the poison", said,
                        (one_of("what", "Addition", "Choose what you add."),), {"what": options}, rolls=True)


def odds_of_adding(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chance that what is added is enough, with all that could be added after it."""
    likely = enough(state, sheets, offer.by, values["what"])
    return (("Against the poison", OddsAnswer((("Enough", likely, "good"), ("Not enough", 1 - likely, "bad")))),)


def add(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A technique, once, or a style die: one more die, or +1 (PS-17)."""
    source, how = values["what"].split("|")
    if how == AS_DIE and not faces:
        return Need((6,))
    if len(faces) != (how == AS_DIE):
        raise BadMove("Choose one die to add, or none for +1.", "dice")
    technique, name = sheets[by].trait(source), state.fencer(by).name
    event = PoisonAdded(by, faces[0] if faces else 0, technique.id if technique else "")
    after, shows = event.after(state), f"shows {faces[0]}" if faces else "adds 1"
    steps = (Step("PS-11", f"{name}: {technique.name if technique else 'a style die'} {shows}."),
             Step("PS-17", f"{total(state, by)} becomes {total(after, by)}."))
    dice = tuple(Die(6, face, name) for face in faces)
    return _result(after, event, steps, dice, () if technique else payment(sheets[by], 1))


def _result(state: State, event: PoisonMet | PoisonAdded, steps: tuple[Step, ...], dice: tuple[Die, ...],
            effects: tuple[Effect, ...]) -> Result:
    """The roll as it lies, as one that anybody can work out again."""
    who = event.roll.who if isinstance(event, PoisonMet) else event.who
    lying, now = roll_of(state, who), Step("PS-10", f"{as_it_lies(state, who)}, as it lies.")
    return Result((event,), (*steps, now), lying.result, dice, effects, (lying,))


def roll_of(state: State, who: str) -> Roll:
    """Somebody's roll against the poison as it lies, as one of the contract."""
    cast, needed = _cast(state, who), against(state, who)
    given: dict[str, Value] = {"fortes": list(cast.ranks), "bonus_dice": len(cast.faces) - KEEP, "flat": cast.flat,
                               "difficulty": needed}
    outcome: Any = ChallengeMove().resolve(ChallengeMove().read(given), cast.faces)
    return Roll(ChallengeMove.name, given, cast.faces, outcome.result)


def as_it_lies(state: State, who: str) -> str:
    """What somebody's roll comes to so far, against what they have to reach."""
    return f"{total(state, who)} against {against(state, who)}"


def read_again(state: State, sheets: Sheets, cast: Resisting) -> Resisting:
    """The same dice without what counts no more: a forte's rank as the dice fell, dice and +1s of the techniques that
    hung on it (PS-10, PS-11)."""
    sheet, struck = sheets[cast.who], state.fencer(cast.who).struck
    left = iter(cast.ranks)  # a forte's rank stands twice where it is burned
    ranks = [(line.id, list(islice(left, len(rank_words(sheet, [line]))))) for line in lines_of(sheet, cast.fortes)]
    counting = tuple(forte for forte in cast.fortes if forte not in struck)
    return replace(with_these(cast, fitting(sheet, counting, cast.used)), fortes=counting,
                   ranks=tuple(rank for forte, words in ranks if forte in counting for rank in words))


def offer_stand(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each whose roll is not enough."""
    for who in _to_withstand(state):
        if _has_rolled(state, who.id):
            yield Offer("poison_stand", who.id, f"Let it stand: {who.name} falls to the poison")


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Lets it stand."""
    event, steps, effects = comes_of(state, sheets, by)
    return Result((event,), (Step("PS-17", f"{state.fencer(by).name} lets it stand."), *steps), effects=effects)


def comes_of(state: State, sheets: Sheets, who: str) -> tuple[Withstood, tuple[Step, ...], tuple[Effect, ...]]:
    """What comes of a roll that stands; who fails is mostly dead at once."""
    fencer, came = state.fencer(who), as_it_lies(state, who)
    if withstands(state, who):
        return Withstood(who, by=_sting(state, who).by), (
            Step("PS-49", f"{came}: {fencer.name} withstands the poison."),), ()
    kind = FALLS[state.settings.conflict]
    word = dict(kinds.FALLS)[kind]
    steps: tuple[Step, ...] = (Step("PS-49", f"{came}: {fencer.name} falls to the poison, {word}."),)
    effects = (*_all_of(sheets[who]), Gain(who, kinds.FALLEN, word.capitalize(), kind, note="Poison"))
    if fencer.player:
        steps += (Step("PS-14", f"{fencer.name} learns from it: a training point."),)
        effects += (Spend(who, TRAINING, 1),)
    return Withstood(who, FALLEN), steps, effects


def additions(state: State, sheets: Sheets, who: str) -> Options:
    """What somebody can add: techniques that go with what counts, a style die; as a die or as +1."""
    cast, sheet = _cast(state, who), sheets[who]
    style = purse(sheet, state.context, player=state.fencer(who).player)
    return ways_to_better(sheet, cast.fortes, cast.used, style)


def enough(state: State, sheets: Sheets, who: str, what: str) -> Fraction:
    """The chance that what is added withstands it, with all that could be added after it."""
    kept, needed = _needs(state, who)
    return best_after(what.partition("|")[2], kept, needed, _tools(state, sheets, who) - 1)


def can_better(state: State, sheets: Sheets, who: str) -> bool:
    """Whether anything that somebody could add may be enough."""
    return best_with(*_needs(state, who), _tools(state, sheets, who)) > 0


def _needs(state: State, who: str) -> tuple[tuple[int, ...], int]:
    """Somebody's dice that count, and what they would have to come to."""
    kept = best(_cast(state, who).faces, KEEP)
    return kept, sum(kept) + lies(_cast(state, who), against(state, who)).short


def _tools(state: State, sheets: Sheets, who: str) -> int:
    cast, sheet = _cast(state, who), sheets[who]
    return most_more(sheet, cast.fortes, cast.used, purse(sheet, state.context, player=state.fencer(who).player))


def withstands(state: State, who: str) -> bool:
    """Whether the roll is enough as it lies."""
    return lies(_cast(state, who), against(state, who)).success


def total(state: State, who: str) -> int:
    """What somebody's roll has come to so far."""
    return lies(_cast(state, who)).total


def against(state: State, who: str) -> int:
    """What somebody has to reach."""
    return target(_sting(state, who).rank)


def _sting(state: State, who: str) -> Sting:
    """What somebody has to withstand first."""
    return next(sting for sting in state.stings if sting.who == who)


def _cast(state: State, who: str) -> Resisting:
    return next(cast for cast in state.resisting if cast.who == who)


def _all_of(sheet: Sheet) -> tuple[Effect, ...]:
    return tuple(Damage(forte.id, forte.now - POOR + 1) for forte in fortes(sheet) if forte.now >= POOR)


@dataclass(frozen=True, slots=True)
class Met:
    """A roll against a poison that is not enough as it lies: what it misses, and what whoever is asked can add."""

    who: str
    cast: Cast
    sentence: str
    additions: tuple[Addition, ...]


def met(state: State, sheets: Sheets, who: str, asked: bool) -> Met:
    """Somebody's roll against a poison, while they decide after the dice."""
    cast, came = _cast(state, who), total(state, who)
    dice = drawn(cast.faces, KEEP)
    adds = signed(came - sum(die.face for die in dice if die.kept))
    return Met(who, Cast(state.fencer(who).name, dice, adds, came), _short(state, who),
               ways_on(state, sheets, who) if asked else ())


def ways_on(state: State, sheets: Sheets, who: str) -> tuple[Addition, ...]:
    """What somebody can add, with the chance that it is enough."""
    return likeliest_first(additions(state, sheets, who), *_needs(state, who), _tools(state, sheets, who))


def _short(state: State, who: str) -> str:
    """That somebody's roll is not enough."""
    return f"{as_it_lies(state, who)}: not enough to withstand the poison."


OWN: tuple[Act[State], ...] = (
    Act("withstand", offer_withstand, roll, ask_to_withstand, odds_of_withstanding, why),
    Act("poison_add", offer_add, add, odds=odds_of_adding),
    Act("poison_stand", offer_stand, stand, why=why_standing),
)
EVENTS: tuple[type[Event[State]], ...] = (PoisonMet, PoisonAdded, Withstood)
