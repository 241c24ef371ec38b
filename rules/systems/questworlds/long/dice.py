"""Dice: what is rolled with, the story points after them, and what comes of them (QW-12).

What a roll comes to, the module says that offers it: `comes_of` puts it into `WAYS`, with the words for its outcomes.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import Act, Event, Sheets, Values
from rules.engine import after as after_all
from rules.moves import Die, Need, Step, take
from rules.procedure import Ask, Offer, Options, Use, met
from rules.sheet import Effect, Sheet, SpendShared, Trait
from rules.systems.questworlds.contest import Terms, roll_of
from rules.systems.questworlds.long.state import NOBODY, POOL, Phase, Result, State
from rules.systems.questworlds.long.values import (
    AGAINST_A_NUMBER,
    DEAD,
    NO_CHOICE,
    OF_THEIR_OWN,
    Bout,
    Choice,
    Out,
    Resolved,
    Throw,
    Thrown,
    line_of,
)
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.reckoning import Party, binding, counts_with, terms, told
from rules.systems.questworlds.roll import SIDES, Clash, Names
from rules.systems.questworlds.traits import family, score_of, usable
from rules.values import Value
from rules.wording import within

Settled = tuple[tuple[Event[Any], ...], tuple[Step, ...], str, tuple[Effect, ...]]  # events, reasons, words, effects
Settling = Callable[[Any, Sheets, Throw, Clash], Settled]
WINNERS = ("QW-13", "QW-14")
OF_A_ROUND = ("round", "exchange")
AGAINST_EACH_OTHER = ("round", "exchange", "parting")  # kinds of roll of two who face each other


@dataclass(frozen=True)
class Way:
    """What comes of a roll, and what it is called by outcome."""

    settle: Settling
    words: Mapping[str, str]


WAYS: dict[tuple[str, type[State]], Way] = {}


def comes_of(kind: str, state: type[State], *, victory: str, defeat: str, tie: str) -> Callable[[Settling], Settling]:
    """Says that this is what comes of such a roll in such a contest."""
    def known(settling: Settling) -> Settling:
        WAYS[kind, state] = Way(settling, {"victory": victory, "defeat": defeat, "tie": tie})
        return settling
    return known


def way_of(state: State, kind: str) -> Way:
    """What comes of a roll of this kind in this contest."""
    return next(WAYS[kind, above] for above in type(state).__mro__ if (kind, above) in WAYS)


@dataclass(frozen=True)
class DiceFell(Thrown, Event[State]):
    """Dice lie."""

    stored = "thrown"
    on_word: bool = False  # whether an ability in it is a player’s word; older entries did not say so

    def after(self, state: State) -> State:
        fallen = state.thrown(self)
        heard = self.on_word or (self.kind not in OF_THEIR_OWN and any(
            line.said_by and line.who in (self.first, self.second) for line in state.lines))
        if heard:
            return replace(fallen, unread=(replace(state, unread=None), self))
        return replace(fallen, unread=None) if state.unread else fallen

    def used(self, before: State) -> tuple[Use, ...]:
        if self.kind not in AGAINST_EACH_OTHER:
            return ()
        ours, theirs = _rolled_by(before, self.first, self.choice), _rolled_by(before, self.second, self.other)
        return met(self.first, ours, self.second, theirs)


def _rolled_by(state: State, who: str, choice: Choice) -> tuple[str, ...]:
    """The ability that somebody rolled with; an NPC has one alone."""
    contestant = state.contestant(who)
    return tuple(filter(None, (choice.trait or choice.name or (contestant.part.ability if contestant else ""),)))


@dataclass(frozen=True)
class Decided(Event[State]):
    """Somebody spends a story point, or lets it stand."""

    who: str
    spend: bool

    def after(self, state: State) -> State:
        return replace(state, throws=tuple(
            replace(throw, decided=(*throw.decided, (self.who, self.spend)))
            if self.who in throw.thrown.deciders else throw for throw in state.throws))


@dataclass(frozen=True)
class RollResolved(Resolved, Event[State]):
    """What was thrown came out so: it is in the record, and its dice wait no longer."""

    stored = "resolved"

    def after(self, state: State) -> State:
        kept = tuple(throw for throw in state.throws if (throw.thrown.kind, throw.thrown.first, throw.thrown.bout) != (
            self.kind, self.first, self.bout))
        state = replace(state, throws=kept, record=(*state.record, (state.round, self)))
        if self.kind not in OF_A_ROUND or self.bout < 0:
            return state
        return state.with_bout(self.bout, played=state.round, rounds=(*state.bout(self.bout).rounds, self))


def choice_of(state: State, sheets: Sheets, who: str, values: Values) -> Choice:
    """What somebody does, from what was said."""
    tactic, aim, words = values.get("tactic", "normal"), values.get("aim", ""), values.get("words", "")
    contestant = state.contestant(who)
    if contestant and contestant.part.resistance is not None:
        return Choice("", contestant.part.ability, contestant.part.resistance, "", tactic, aim, words)
    trait, whom = sheets[who].trait(values.get("ability", "")), values.get("whom", "")
    if trait is None:
        return Choice(tactic=tactic, aim=aim, words=words, whom=whom)
    return replace(with_ability(state, sheets[who], trait), tactic=tactic, aim=aim, words=words, whom=whom)


def with_ability(state: State, sheet: Sheet, trait: Trait) -> Choice:
    """An ability as it is chosen, with the consequences and benefits of the sheet that touch it (QW-60)."""
    binds = tuple(line_of(made) for made in binding(sheet, [trait], state.settings.by_value, state.edition)
                  if made.label not in state.consequences)
    return Choice(trait.id, trait.name, score_of(trait, sheet), family(trait), binds=binds)


def fitting(state: State, sheet: Sheet) -> list[tuple[int, Trait]]:
    """The abilities of somebody with their scores, but what the GM struck here."""
    return [(score, trait) for trait in usable(sheet) if (score := score_of(trait, sheet)) is not None
            and (sheet.id, trait.id) not in state.unfit]


def abilities(state: State, sheet: Sheet) -> Options:
    """What a round can be rolled with, best first; in a chained contest only what is not below 0 (QW-57)."""
    best_first = sorted(fitting(state, sheet), key=lambda ability: -ability[0])
    return tuple((trait.id, f"{trait.name} · {notation(score, state.settings.symbol)}") for score, trait in best_first
                 if state.can_use(sheet.id, with_ability(state, sheet, trait)))


def last_ability(state: State, sheet: Sheet) -> str:
    """What a round opens with: the ability of the round before, else the best."""
    options = abilities(state, sheet)
    contestant = state.contestant(sheet.id)
    used = contestant.using.trait if contestant and contestant.using else None
    return used if used in dict(options) else options[0][0] if options else ""


def rolled_with(
    state: State, first: str, choice: Choice, second: str = "", other: Choice | None = None,
    resistance: int | None = None,
) -> Terms:
    """What a roll is made with, and its odds: each side's ability with what counts with that one; or a bare number."""
    theirs = Party(resistance) if resistance is not None else state.party(second, other)
    return terms(state.party(first, choice), theirs, edition=state.edition)


def of_its_own(state: State, choice: Choice, resistance: int) -> Terms:
    """What an augment's or a flaw's own contest is rolled with: what lasts and touches it counts, and nothing else."""
    ours = Party(choice.score, (choice.trait, choice.name), tuple(line.modifier for line in choice.binds))
    return terms(ours, Party(resistance), degrees=state.policy.degrees, edition=state.edition)


def terms_of(state: State, bout: Bout, first: str, choice: Choice) -> Terms:
    """What a round would be rolled with."""
    second = bout.other(first)
    return rolled_with(state, first, choice, second, bout.choice(second))


def laid(
    state: State, kind: str, first: str, choice: Choice, dice: tuple[int, int], *, name: str = "", second: str = "",
    second_name: str = "", other: Choice = NO_CHOICE, resistance: int | None = None, bout: int = -1,
    deciders: tuple[str, str] = ("", ""), whom: str = "", step: int = 0,
) -> DiceFell:
    """Dice on the table, with all that each side rolls with."""
    roll = (of_its_own(state, choice, resistance or 0) if kind in OF_THEIR_OWN else
            rolled_with(state, first, choice, second, other, resistance))
    on_word = kind in OF_A_ROUND and any(
        state.keeper(who) and used.trait for who, used in ((first, choice), (second, other)))
    return DiceFell(
        kind, bout, first, name or state.name_of(first), second, second_name or state.name_of(second), choice, other,
        roll.modifiers, roll.resistance, roll.resistance_modifiers, roll.down, dice, deciders, whom, step, roll.degrees,
        on_word)


def between(state: State, bout: Bout, first: str, dice: tuple[int, int], choices: tuple[Choice, Choice]) -> DiceFell:
    """Dice of a round between two who face each other."""
    second = bout.other(first)
    return laid(state, "round", first, choices[0], dice, second=second, other=choices[1], bout=bout.number,
                deciders=(state.keeper(first), state.keeper(second)))


def fall(state: State, sheets: Sheets, lies: DiceFell) -> Result:
    """What follows from dice: it is settled, or waits for a story point; what they fell with is told by name."""
    came = _fell(state, sheets, lies)
    return replace(came, steps=(*came.steps[:1], *_counted(state, lies), *came.steps[1:]))


def _counted(state: State, lies: DiceFell) -> Iterator[Step]:
    """What counts for the players' own, each with what it comes to (QW-21); of an NPC not all may be known."""
    sides = [(lies.first, lies.first_name, lies.choice)]
    if lies.kind not in (*OF_THEIR_OWN, *AGAINST_A_NUMBER):
        sides.append((lies.second, lies.second_name, lies.other))
    for who, name, choice in sides:
        if state.contestant(who) is not None and not state.keeper(who):
            continue
        party = state.party(who, choice)
        counts = [line.modifier for line in choice.binds] if lies.kind in OF_THEIR_OWN else party.counts
        yield from (Step("QW-21", f"{name}: {line.label}, {told(line, state.settings.symbol)}.")
                    for line in counts if counts_with(line, party.uses))


def _fell(state: State, sheets: Sheets, lies: DiceFell) -> Result:
    after = lies.after(state)
    throw = after.throws[-1]
    names = lies.first_name, lies.second_name
    dice = tuple(Die(SIDES, face, name) for face, name in zip(lies.dice, names, strict=True))
    if not after.waits(throw):
        ending = settle(after, sheets, throw)
        return replace(ending, events=(lies, *ending.events), dice=dice)
    words = " against a ".join(result.word for result in after.clash(throw).mastered)
    fell = Step("QW-10", f"{names[0]} rolls {lies.dice[0]} against {lies.dice[1]}: a {words}.")
    offered = Step("QW-12", "A story point may be spent now: one bump up.")
    return Result((lies,), (fell, *why(after, throw, winners=False), offered), dice=dice,
                    rolls=(roll_of(after.terms(throw), lies.dice),))


def two(faces: Sequence[int]) -> tuple[int, int] | None:
    """Both dice; None while they have not fallen."""
    return None if take(faces, 2) is None else (faces[0], faces[1])


def both(faces: Sequence[int]) -> Need:
    """The dice that are still to fall, of two."""
    return Need((SIDES,) * (2 - len(faces)))


def settle(state: State, sheets: Sheets, throw: Throw) -> Result:
    """What comes of dice that nobody has anything more to say about."""
    lies, clash = throw.thrown, state.clash(throw)
    way = way_of(state, lies.kind)
    events, reasons, text, effects = way.settle(state, sheets, throw, clash)
    ours, theirs = (result.word for result in clash.results)
    resolved = RollResolved(
        lies.kind, lies.bout, lies.first, lies.second, (lies.first_name, lies.second_name),
        (lies.choice.name, lies.other.name), (lies.choice.tactic, lies.other.tactic), lies.dice, (ours, theirs),
        clash.outcome, clash.rank, text, lies.whom, lies.choice.aim)
    settled: tuple[Event[Any], ...] = (resolved, *events)
    after = after_all(state, settled)
    verb = way.words[clash.outcome]
    by = f" by rank {clash.rank}" if clash.rank else ""
    against = f" against {lies.second_name}" if lies.second_name else ""
    where = f"Round {state.round}: " if lies.kind in OF_A_ROUND else ""
    first = Step(state.rule, f"{where}{lies.first_name} {verb}{against}{by}. {text}".rstrip())
    outs = tuple(gone(after, event) for event in events if isinstance(event, Out))
    result: dict[str, Value] = {"outcome": clash.outcome, "rank": clash.rank}
    return Result(settled, (first, *why(state, throw), *reasons, *outs), result, effects=effects,
                    rolls=(roll_of(state.terms(throw), lies.dice),))


def why(state: State, throw: Throw, *, winners: bool = True) -> tuple[Step, ...]:
    """Why, in the contract's own steps, with the names of those who rolled."""
    lies = throw.thrown
    names = Names(lies.first_name, lies.second_name or "the resistance", state.settings.symbol)
    steps = (*state.terms(throw).steps(names), *state.clash(throw).steps(names=names))
    return steps if winners else tuple(step for step in steps if step.rule not in WINNERS)


def gone(state: State, out: Out) -> Step:
    """That somebody is out, and whether that was the last of a side."""
    name = state.name_of(out.who)
    how = {"beaten": f"{name} is out.", "left": f"{name} gets away.", "conceded": f"{name} concedes.",
           "removed": f"{name} is taken out of it.", DEAD: f"{name} is dead, and out of the contest."}[out.how]
    ends = dict(enumerate(state.settings.sides)).get(NOBODY if state.won_by is None else state.won_by)
    return Step("QW-47", f"{how} The prize goes to {within(ends)}: nobody else is left." if ends else how)


def spend(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A story point: one bump up, and the point is gone (QW-12, QW-90)."""
    return _decide(state, sheets, by, True)


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """No story point."""
    return _decide(state, sheets, by, False)


def _decide(state: State, sheets: Sheets, by: str, spent: bool) -> Result:
    throw = next(throw for throw in state.throws
                 if by in throw.thrown.deciders and by not in dict(throw.decided))
    decided = Decided(by, spent)
    said = Step("QW-12", f"{sheets[by].name} {'spends a story point' if spent else 'lets it stand'}.")
    # Between two players a point leaves the pool when both have decided: before that it would tell of the choice.
    secret = all(throw.thrown.deciders)
    after = decided.after(state)
    paid: tuple[Effect, ...] = (SpendShared(POOL, -1),) if spent and not secret else ()
    throw = next(later for later in after.throws if later.thrown == throw.thrown)
    if after.waits(throw):
        return Result((decided,), (said,), effects=paid, sealed=secret)
    if not secret:
        ending = settle(after, sheets, throw)
        return replace(ending, events=(decided, *ending.events), steps=(*ending.steps[:1], said, *ending.steps[1:]),
                       effects=(*paid, *ending.effects))
    after, dropped, steps = _paid(after, throw)
    throw = next(later for later in after.throws if later.thrown == throw.thrown)
    effects = tuple(SpendShared(POOL, -1) for place in (0, 1) if throw.spends(place))
    ending = settle(after, sheets, throw)
    return replace(ending, events=(decided, *dropped, *ending.events),
                   steps=(*ending.steps[:1], *steps, *ending.steps[1:]), effects=(*effects, *ending.effects))


def _paid(state: State, throw: Throw) -> tuple[State, list[Event[Any]], list[Step]]:
    """Points that two decided on in secret; where the pool has too few by now, who decided later keeps theirs."""
    left = state.context.pool(POOL)
    events: list[Event[Any]] = []
    steps = []
    for who, spends in throw.decided:
        name = state.name_of(who)
        if spends and not left:
            events.append(Decided(who, False))
            steps.append(Step("QW-90", f"The pool is empty by now: the point of {name} stays unspent."))
            continue
        left -= spends
        steps.append(Step("QW-12", f"{name} {'spends a story point' if spends else 'lets it stand'}."))
    for event in events:
        state = event.after(state)
    return state, events, steps


def waiting(state: State, sheets: Sheets) -> Iterator[Offer]:
    """Whether a story point is spent, with what each answer leads to: of each the first roll that waits for them."""
    asked = {""}
    for throw in state.throws:
        for place, who in enumerate(throw.thrown.deciders):
            if who in asked or who in dict(throw.decided):
                continue
            asked.add(who)
            other = throw.thrown.deciders[1 - place]
            if_so = f" if {state.name_of(other)} lets it stand" if other else ""
            yield Offer("stand", who, f"Let it stand: {came(state, sheets, throw)}{if_so}")
            if state.may_spend(throw, place):
                yield Offer("spend", who, f"Spend a story point: {came(state, sheets, throw, who)}{if_so}",
                            "One bump up, and the point is gone.")


def came(state: State, sheets: Sheets, throw: Throw, spends: str = "") -> str:
    """What dice lead to, in a few words for whoever decides: `defeat, rank 2, they score 2`."""
    lies = throw.thrown
    if spends:
        throw = Throw(lies, (*throw.decided, (spends, True)))
    clash = state.clash(throw)
    said = f"{clash.outcome}, rank {clash.rank}" if clash.rank else clash.outcome
    moves = state.comes_to(sheets, throw, clash) or does(state, sheets, throw, clash)
    return f"{said}: {moves}" if moves else said


def does(state: State, sheets: Sheets, throw: Throw, clash: Clash) -> str:
    """What settling it so says that it does, and who is out by it, but where that would tell a total."""
    events, _, text, _ = way_of(state, throw.thrown.kind).settle(state, sheets, throw, clash)
    out = [] if state.hides_totals else [f"{state.name_of(event.who)} is out" for event in events
                                         if isinstance(event, Out) and event.how != "left"]
    return "; ".join(filter(None, (text.rstrip("."), *out)))


def can_stand(state: State, sheets: Sheets) -> Iterator[Offer]:
    """Of each who decides the first roll that waits for them."""
    return (offer for offer in waiting(state, sheets) if offer.action == "stand")


def ask_to_stand(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Of the same, unless all of it rests: to let it stand or not."""
    for offer in can_stand(state, sheets) if state.phase is not Phase.RESTS else ():
        yield Ask(offer.by, offer.action, "let it stand, or spend a story point", "Decide", decision=True, stands=True,
                  hurts=state.hurts_at_once)


def can_spend(state: State, sheets: Sheets) -> Iterator[Offer]:
    """The same, where a story point may be spent."""
    return (offer for offer in waiting(state, sheets) if offer.action == "spend")


EVENTS = (DiceFell, Decided, RollResolved)
STAND: Act[Any] = Act("stand", can_stand, stand, ask_to_stand)
SPEND: Act[Any] = Act("spend", can_spend, spend)
