"""A round: what somebody does in it, the dice, the story points after them (QW-12, QW-43, QW-44, QW-46, QW-50)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.moves import Die, Need, Step, take
from rules.sheet import Effect, Sheet, SpendShared
from rules.systems.questworlds.contest import roll_of
from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.long.evolve import evolve
from rules.systems.questworlds.long.outcomes import settle, why
from rules.systems.questworlds.long.state import NO_CHOICE, POOL, Bout, State, Throw
from rules.systems.questworlds.roll import SIDES
from rules.systems.questworlds.traits import family, score_of

Sheets = Mapping[str, Sheet]
Values = Mapping[str, Any]


def mover(state: State, bout: Bout) -> str:
    """Who rolls first in a pair, as the one whose chances are told: whom somebody plays, ours before theirs."""
    return bout.ours if state.keeper(bout.ours) or not state.keeper(bout.theirs) else bout.theirs


def each_chooses(state: State, bout: Bout) -> bool:
    """Whether both sides choose in secret: two players, or where the GM's side does (QW-44)."""
    both = bool(state.keeper(bout.ours) and state.keeper(bout.theirs))
    return both or (state.settings.secret and bool(state.keeper(mover(state, bout))))


def choice_of(state: State, sheets: Sheets, who: str, values: Values) -> e.Choice:
    """What somebody does, from what was said."""
    tactic, aim, words = values.get("tactic", "normal"), values.get("aim", ""), values.get("words", "")
    found = state.contestant(who)
    if found and found.part.resistance is not None:
        return e.Choice("", found.part.ability, found.part.resistance, "", tactic, aim, words)
    sheet = sheets[who]
    trait = sheet.trait(values.get("ability", ""))
    if trait is None:
        return e.Choice(tactic=tactic, aim=aim, words=words, whom=values.get("whom", ""))
    return e.Choice(trait.id, trait.name, score_of(trait, sheet), family(trait), tactic, aim, words,
                    values.get("whom", ""))


def thrown(
    state: State, kind: str, bout: Bout, first: str, dice: tuple[int, int], choices: tuple[e.Choice, e.Choice]
) -> e.Thrown:
    """Dice of two who face each other, with all that each rolls with."""
    second = bout.other(first)
    score, none = state.score_of(second, choices[1]), state.edition.resolution.no_ability
    return e.Thrown(
        kind, bout.number, first, state.name_of(first), second, state.name_of(second), choices[0], choices[1],
        state.modifiers(first), none if score is None else score, state.modifiers(second),
        (state.down(first), state.down(second)), dice, (state.keeper(first), state.keeper(second)))


def fall(state: State, sheets: Sheets, lies: e.Thrown) -> e.Result:
    """What follows from dice: it is settled, or waits for a story point."""
    after = evolve(state, lies)
    throw = after.throws[-1]
    names = lies.first_name, lies.second_name
    dice = tuple(Die(SIDES, face, name) for face, name in zip(lies.dice, names, strict=True))
    if not after.waits(throw):
        ending = settle(after, sheets, throw)
        return replace(ending, events=(lies, *ending.events), dice=dice)
    ours, theirs = (each.word for each in after.clash(throw).mastered)
    fell = Step("QW-10", f"{names[0]} rolls {lies.dice[0]} against {lies.dice[1]}: a {ours} against a {theirs}.")
    offered = Step("QW-12", "A story point may be spent now: one bump up.")
    return e.Result((lies,), (fell, *why(after, throw, winners=False), offered), dice=dice,
                    rolls=(roll_of(after.terms(throw), lies.dice),))


def round_(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """A round at once: the choice and both dice, where the other side's choice is no secret."""
    if take(faces, 2) is None:
        return Need((SIDES,) * (2 - len(faces)))
    bout = state.bout(int(values["bout"]))
    first = mover(state, bout)
    mine = choice_of(state, sheets, first, values)
    theirs = bout.choice(bout.other(first)) or NO_CHOICE
    return fall(state, sheets, thrown(state, "round", bout, first, (faces[0], faces[1]), (mine, theirs)))


def choose(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """A choice in secret: it is shown when both have chosen."""
    bout = state.bout(int(values["bout"]))
    who = next(each for each in (bout.ours, bout.theirs) if state.keeper(each) == by)
    choice = choice_of(state, sheets, who, values)
    return e.Result((e.Chose(bout.number, who, choice),), (_chosen(state, who, choice),), sealed=True)


def stance(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The GM says how one whom nobody plays goes about the round: openly, or in secret as all do (QW-44)."""
    bout = state.bout(int(values["bout"]))
    who = bout.other(mover(state, bout))
    choice = e.Choice(tactic=values.get("tactic", "normal"))
    secret = each_chooses(state, bout)
    return e.Result((e.Chose(bout.number, who, choice),), (_chosen(state, who, choice),), sealed=secret)


def _chosen(state: State, who: str, choice: e.Choice) -> Step:
    what = {"normal": "goes on as usual", "risky": "makes a risky gambit", "defensive": "makes a defensive response"}
    used = f" with {choice.name}" if choice.name else ""
    return Step("QW-44", f"{state.name_of(who)} {what[choice.tactic]}{used}.")


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """The dice, when both sides have chosen; two players each roll their own."""
    bout = state.bout(int(values["bout"]))
    first = mover(state, bout)
    each_rolls = all(state.keeper(who) for who in (bout.ours, bout.theirs))
    many = 1 if each_rolls else 2
    if take(faces, many) is None:
        return Need((SIDES,) * (many - len(faces)))
    choices = bout.choice(first) or NO_CHOICE, bout.choice(bout.other(first)) or NO_CHOICE
    if not each_rolls:
        return fall(state, sheets, thrown(state, "round", bout, first, (faces[0], faces[1]), choices))
    who = next(each for each in (bout.ours, bout.theirs) if state.keeper(each) == by)
    other = dict(bout.faces).get(bout.other(who))
    fell = e.Fell(bout.number, who, faces[0])
    if other is None:
        text = f"{state.name_of(who)} rolls {faces[0]}. {state.name_of(bout.other(who))} has not rolled yet."
        return e.Result((fell,), (Step("QW-10", text),), dice=(Die(SIDES, faces[0], state.name_of(who)),))
    dice = (faces[0], other) if who == first else (other, faces[0])
    ending = fall(state, sheets, thrown(state, "round", bout, first, dice, choices))
    # The other die fell in an act of its own.
    return replace(ending, events=(fell, *ending.events), dice=(Die(SIDES, faces[0], state.name_of(who)),))


def spend(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """A story point: one bump up, and the point is gone (QW-12, QW-90)."""
    return _decide(state, sheets, by, True)


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """No story point."""
    return _decide(state, sheets, by, False)


def _decide(state: State, sheets: Sheets, by: str, spent: bool) -> e.Result:
    throw = next(each for each in state.throws
                 if by in each.thrown.deciders and by not in dict(each.decided))
    decided = e.Decided(by, spent)
    said = Step("QW-12", f"{sheets[by].name} {'spends a story point' if spent else 'lets it stand'}.")
    # Between two players a point leaves the pool when both have decided: before that it would tell of the choice.
    secret = all(throw.thrown.deciders)
    after = evolve(state, decided)
    paid: tuple[Effect, ...] = (SpendShared(POOL, -1),) if spent and not secret else ()
    throw = next(each for each in after.throws if each.thrown == throw.thrown)
    if after.waits(throw):
        return e.Result((decided,), (said,), effects=paid, sealed=secret)
    if not secret:
        ending = settle(after, sheets, throw)
        return replace(ending, events=(decided, *ending.events), steps=(*ending.steps[:1], said, *ending.steps[1:]),
                       effects=(*paid, *ending.effects))
    after, dropped, steps = _paid(after, throw)
    throw = next(each for each in after.throws if each.thrown == throw.thrown)
    effects = tuple(SpendShared(POOL, -1) for place in (0, 1) if throw.spends(place))
    ending = settle(after, sheets, throw)
    return replace(ending, events=(decided, *dropped, *ending.events),
                   steps=(*ending.steps[:1], *steps, *ending.steps[1:]), effects=(*effects, *ending.effects))


def _paid(state: State, throw: Throw) -> tuple[State, list[e.Event], list[Step]]:
    """Points that two decided on in secret; where the pool has too few by now, who decided later keeps theirs."""
    left = state.context.pool(POOL)
    events: list[e.Event] = []
    steps = []
    for who, spends in throw.decided:
        name = state.name_of(who)
        if spends and not left:
            events.append(e.Decided(who, False))
            steps.append(Step("QW-90", f"The pool is empty by now: the point of {name} stays unspent."))
            continue
        left -= spends
        steps.append(Step("QW-12", f"{name} {'spends a story point' if spends else 'lets it stand'}."))
    for event in events:
        state = evolve(state, event)
    return state, events, steps
