"""The dice, and the story points after them (QW-10 to QW-14, QW-40 to QW-42)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.moves import Die, Need, Step, take
from rules.procedure import Ask, Offer, Use, is_known, met
from rules.sheet import Effect, SpendShared
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.degrees import DegreeClash, in_words
from rules.systems.questworlds.reckoning import Kept, kept
from rules.systems.questworlds.roll import SIDES, Clash
from rules.systems.questworlds.simple_contest import own_contests
from rules.systems.questworlds.simple_contest.odds import of_roll
from rules.systems.questworlds.simple_contest.own_contests import decide
from rules.systems.questworlds.simple_contest.resolution import POOL, WINNERS, Decided, rolls_of, settle, why
from rules.systems.questworlds.simple_contest.state import Entrant, Phase, Result, State
from rules.systems.questworlds.simple_contest.why import why as why_of
from rules.why import LEFT_OUT, Part, Why


@dataclass(frozen=True)
class Rolled(Event[State]):
    """Dice fell: theirs, and what they rolled against; both are those of a rival too."""

    who: str
    ours: int
    theirs: int
    terms: Kept | None = None  # what they were rolled with; None in what was written before that was kept
    rivals: Kept | None = None  # the same as a rival has it

    def after(self, state: State) -> State:
        rival = state.rival(self.who)
        state = state.with_(self.who, dice=(self.ours, self.theirs), terms=self.terms)
        return state.with_(rival.id, dice=(self.theirs, self.ours), terms=self.rivals) if rival else state

    def used(self, before: State) -> tuple[Use, ...]:
        rival = before.rival(self.who)
        if rival:
            return met(self.who, before.used(self.who), rival.id, before.used(rival.id))
        if (against := before.against(self.who)) is None:
            return ()
        return (Use(self.who, before.used(self.who), against.name, against.npc, (against.line,)),)


@dataclass(frozen=True)
class RolledOwn(Event[State]):
    """One of two players against each other rolls their own die; both have both once each has rolled (QW-41)."""

    who: str
    face: int
    terms: Kept | None = None

    def after(self, state: State) -> State:
        state = state.with_(self.who, face=self.face, terms=self.terms)
        rival, face = state.rival(self.who), state.entrant(self.who).face
        if rival is None or rival.face is None or face is None:
            return state
        return state.with_(self.who, dice=(face, rival.face)).with_(rival.id, dice=(rival.face, face))

    def used(self, before: State) -> tuple[Use, ...]:
        rival = before.rival(self.who)
        return (Use(self.who, before.used(self.who), foe=rival.id, theirs=before.used(rival.id)),) if rival else ()


def _to_roll(state: State) -> tuple[Entrant, ...]:
    """Those whose die is still to fall."""
    if state.phase is not Phase.ROLL:
        return ()
    return tuple(entrant for entrant in state.entrants if not entrant.rolled_die)


def offer_roll(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each whose die is still to fall."""
    for entrant in _to_roll(state):
        yield Offer("roll", entrant.id, _roll_button(state, entrant.id, sheets), rolls=True)


def _roll_button(state: State, who: str, sheets: Sheets) -> str:
    """`Roll 17 against 14`: the numbers as they stand, where both may be seen."""
    if state.pair or state.assured(who):
        return "Roll"
    terms, symbol = state.unannounced.terms(who), state.settings.symbol
    if not is_known(sheets, state.foe_sheet(who)):
        return f"Roll {notation(terms.score, symbol)} against {state.foe(who)}"
    return f"Roll {notation(terms.score, symbol)} against {notation(terms.resistance, symbol)}"


def ask_to_roll(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The same."""
    return (Ask(entrant.id, "roll", f"roll against {state.foe(entrant.id)}", "Roll",
                routine=_usual(state, entrant.id)) for entrant in _to_roll(state))


def _usual(state: State, who: str) -> bool:
    """Whether a defeat is one that can be got over."""
    against = state.against(who)
    return against is None or not (against.ending or against.rouses)


def _risky(state: State, who: str) -> bool:
    """Whether a sheet may be the worse for a defeat at once: a story ends, a wound that was to heal is worse."""
    against = state.against(who)
    return not _usual(state, who) or (against is not None and bool(against.heals))


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The dice; where no story point can be offered, the outcome at once. Two players each roll their own."""
    many = 1 if state.each_rolls(by) else 2
    if take(faces, many) is None:
        return Need((SIDES,) * (many - len(faces)))
    rival = state.rival(by)
    with_, theirs_with = kept(state.terms(by)), kept(state.terms(rival.id)) if rival else None
    rolled = RolledOwn(by, faces[0], with_) if many == 1 else Rolled(by, faces[0], faces[1], with_, theirs_with)
    then = rolled.after(state)
    names, lie = (sheets[by].name, then.foe(by)), then.entrant(by).dice
    dice = tuple(Die(SIDES, face, name) for face, name in zip(faces, names, strict=False))
    if lie is None:
        fell = Step("QW-10", f"{names[0]} rolls {faces[0]}. {names[1]} has not rolled yet.")
        return Result((rolled,), (fell,), dice=dice)
    ours, theirs = (result.word for result in then.clash(by, lie).mastered)
    fell = Step("QW-10", f"{names[0]} rolls {lie[0]} against {lie[1]}: a {ours} against a {theirs}.")
    ending = settle(then, sheets)
    if ending is None:
        offered = () if not then.may_spend(by) else (Step("QW-12", "A story point may be spent now: one bump up."),)
        reasons = tuple(step for step in why(then, by) if step.rule not in WINNERS)
        return Result((rolled,), (fell, *reasons, *offered), dice=dice, rolls=rolls_of(then, by))
    steps = (*ending.steps[:1], fell, *ending.steps[1:])
    return replace(ending, events=(rolled, *ending.events), steps=steps, dice=dice)


def offer_point(state: State, sheets: Sheets) -> Iterator[Offer]:
    """A story point, to each whose dice lie and whom it would help."""
    if state.phase is Phase.OWN_POINT and state.own_roll:
        yield from own_contests.offer_to_spend(state, state.own_roll)
    for entrant, dice in _thinking(state):
        yield Offer("spend", entrant.id, f"Spend a story point: {_comes_to(state, entrant.id, dice, spent=True)}",
                    "One bump up, and the point is gone.")


def _thinking(state: State) -> Iterator[tuple[Entrant, tuple[int, int]]]:
    """Those who have a story point to think of, with how their dice lie."""
    if state.phase in (Phase.ROLL, Phase.POINT):
        for entrant in state.entrants:
            if entrant.dice and state.may_spend(entrant.id):
                yield entrant, entrant.dice


def _comes_to(state: State, who: str, dice: tuple[int, int], *, spent: bool) -> str:
    """What an answer to a story point leads to; between two the other decides in secret."""
    rival = state.rival(who)
    came = _came(state, who, state.clash(who, dice, points=(spent, False)))
    return f"{came} if {rival.name} lets it stand" if rival else came


def _came(state: State, who: str, clash: Clash) -> str:
    """An outcome in two words: `defeat, rank 2`; assured, what the roll brings."""
    if state.assured(who):
        return f"victory with a {clash.results[0].word}"
    if isinstance(clash, DegreeClash):
        return in_words(clash.degree)
    return f"{clash.outcome}, rank {clash.rank}" if clash.rank else clash.outcome


def offer_standing(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the same; where the pool ran dry while they thought, somebody has to say that it is how it is."""
    if state.phase is Phase.OWN_POINT and state.own_roll:
        yield from own_contests.offer_to_stand(state, state.own_roll)
    thinking = tuple(_thinking(state))
    for entrant, dice in thinking:
        yield Offer("stand", entrant.id, f"Let it stand: {_comes_to(state, entrant.id, dice, spent=False)}")
    if state.phase is Phase.POINT and not thinking:
        yield from (Offer("stand", entrant.id, "Let it stand", "The pool is empty by now.")
                    for entrant in state.entrants if entrant.point is None)


def ask_to_stand(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Those who have a story point to think of."""
    text = "let it stand, or spend a story point"
    if state.phase is Phase.OWN_POINT:
        who = state.own_roll.who if state.own_roll else ""
        yield Ask(who, "stand", text, "Decide", decision=True, stands=True)
    if state.phase is Phase.POINT:
        able = [entrant for entrant in state.entrants if state.may_spend(entrant.id)]
        for entrant in able or [entrant for entrant in state.entrants if entrant.point is None]:
            yield Ask(entrant.id, "stand", text, "Decide", decision=True, stands=True,
                      hurts=_risky(state, entrant.id))


def why_lies(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """How dice lie: what was rolled with, both dice, and the story point that is not spent (QW-10 to QW-12)."""
    dice, told = state.entrant(offer.by).dice, why_of(state, sheets, offer, values)
    if dice is None or told is None or state.own_roll:
        return None
    clash = state.clash(offer.by, dice)
    fell = tuple(Part(str(face), label, f"a {result.word}") for face, label, result in zip(
        dice, ("Your die", f"The die of {state.foe(offer.by)}"), clash.mastered, strict=True))
    point = Part("a bump up", "A story point", LEFT_OUT)
    return Why(_came(state, offer.by, clash), (*told.parts, *fell), (*told.idle, point))


def spend(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A story point: one bump up, and the point is gone (QW-12, QW-90)."""
    return _decide(state, sheets, by, True)


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """No story point."""
    return _decide(state, sheets, by, False)


def _decide(state: State, sheets: Sheets, by: str, spent: bool) -> Result:
    if state.own_roll:
        return decide(state, sheets, state.own_roll, spent)
    decided = Decided(by, spent)
    then = decided.after(state)
    said = Step("QW-12", f"{sheets[by].name} spends a story point." if spent else f"{sheets[by].name} lets it stand.")
    # Between two players a point leaves the pool when all have decided: before that it would tell of the choice.
    secret = state.rival(by) is not None
    paid: tuple[Effect, ...] = (SpendShared(POOL, -1),) if spent and not secret else ()
    ending = settle(_poorer(then) if paid else then, sheets)
    if ending is None:
        return Result((decided,), (said,), effects=paid, sealed=secret)
    # What rivals decided in secret is told by the settling, of all of them.
    steps = ending.steps if secret else (*ending.steps[:1], said, *ending.steps[1:])
    return replace(ending, events=(decided, *ending.events), steps=steps, effects=(*paid, *ending.effects))


def _poorer(state: State) -> State:
    """With the point gone that was spent just now: the next one may have none to think of."""
    pools = tuple((name, held - (name == POOL)) for name, held in state.context.pools)
    return replace(state, context=replace(state.context, pools=pools))


ROLL = Act("roll", offer_roll, roll, ask_to_roll, of_roll, why_of)
SPEND = Act("spend", offer_point, spend)
STAND = Act("stand", offer_standing, stand, ask_to_stand, why=why_lies)
EVENTS = (Rolled, RolledOwn)
