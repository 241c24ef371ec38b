"""The dice, the story points after them, and how it comes out (QW-10 to QW-14, QW-40 to QW-42)."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from rules.moves import Die, Need, Roll, Step, take
from rules.sheet import Effect, Lose, SpendShared
from rules.systems.questworlds.experience import DEFEAT
from rules.systems.questworlds.experience import FLAW as A_FLAW
from rules.systems.questworlds.framed import events as e
from rules.systems.questworlds.framed.asked import Sheets
from rules.systems.questworlds.framed.done import Done
from rules.systems.questworlds.framed.evolve import evolve
from rules.systems.questworlds.framed.state import State
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.roll import SIDES, Result
from rules.values import Value

POOL = "story_points"


def roll(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done | Need:
    """Both dice; where no story point can be offered, the outcome at once."""
    if take(faces, 2) is None:
        return Need((SIDES,) * (2 - len(faces)))
    rolled = e.Rolled(by, faces[0], faces[1])
    after = evolve(state, rolled)
    clash = after.clash(by, (faces[0], faces[1]))
    told = Step("QW-10", f"{sheets[by].name} rolls {faces[0]} against {faces[1]}: {_word(clash.mastered[0])} against "
                         f"{_word(clash.mastered[1])}.")
    dice = (Die(SIDES, faces[0], sheets[by].name), Die(SIDES, faces[1], after.foe(by)))
    ending = settle(after, sheets)
    if ending is None:
        offered = () if not after.may_spend(by) else (Step("QW-12", "A story point may be spent now: one bump up."),)
        return Done((rolled,), (told, *_steps(after, by), *offered), dice=dice, rolls=_rolls(after, by))
    steps = (*ending.steps[:1], told, *ending.steps[1:])
    return Done((rolled, *ending.events), steps, ending.effects, dice, ending.result, rolls=ending.rolls)


def spend(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """A story point: one bump up, and the point is gone (QW-12, QW-90)."""
    return _decide(state, sheets, by, True)


def stand(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """No story point."""
    return _decide(state, sheets, by, False)


def _decide(state: State, sheets: Sheets, by: str, spent: bool) -> Done:
    decided = e.Decided(by, spent)
    after = evolve(state, decided)
    told = Step("QW-12", f"{sheets[by].name} spends a story point." if spent else f"{sheets[by].name} lets it stand.")
    # Between two players a point leaves the pool when all have decided: before that it would tell of the choice.
    secret = state.rival(by) is not None
    paid: tuple[Effect, ...] = (SpendShared(POOL, -1),) if spent and not secret else ()
    ending = settle(_poorer(after) if paid else after, sheets)
    if ending is None:
        return Done((decided,), (told,), paid, sealed=secret)
    steps = (*ending.steps[:1], told, *ending.steps[1:])
    return Done((decided, *ending.events), steps, (*paid, *ending.effects), result=ending.result, rolls=ending.rolls)


def _poorer(state: State) -> State:
    """With the point gone that was spent just now: the next one may have none to think of."""
    pools = tuple((name, held - (name == POOL)) for name, held in state.around.pools)
    return replace(state, around=replace(state.around, pools=pools))


def settle(state: State, sheets: Sheets) -> Done | None:
    """The outcome, once all dice lie and nobody has a story point to think of; None before."""
    if any(each.dice is None or state.may_spend(each.id) for each in state.entrants):
        return None
    found: list[e.Event] = []
    effects: list[Effect] = []
    more: list[Step] = []
    state, paid, told = _pay(state)
    found += paid
    more += told
    effects += [SpendShared(POOL, -1) for each in state.entrants if each.point and state.rival(each.id)]
    outcomes = tuple(_outcome(state, each.id) for each in state.entrants)
    side = _side(state, outcomes) if state.settings.mode == "group" else ""
    found.append(e.Settled(outcomes, side))
    steps = list(_headline(state, outcomes, side))
    for each in state.entrants[:1] if state.pair else state.entrants:
        steps += [] if state.others_side(each.id) else _steps(state, each.id)
    steps += more
    after: State = reduce(evolve, found, state)
    for outcome in outcomes:
        against = after.against(outcome.who)
        if against and against.heals and outcome.outcome == "victory" and any(
                sheet.trait(against.heals) for sheet in sheets.values()):
            effects.append(Lose(against.heals))
            steps.append(Step("QW-62", f"{against.name} is healed, and leaves the sheet."))
        if against and against.assured:
            steps += _assured(after, outcome)
        for kind, trait, contest in _lessons(after, outcome):
            lesson, why, earned = learned(after, outcome.who, kind, trait, contest)
            found += lesson
            effects += earned
            steps += why
            after = reduce(evolve, lesson, after)
        if against and against.second_prize and outcome.outcome == "victory":
            one = f"A better die alone: one goal is won, and {after.entrant(outcome.who).name} chooses which."
            steps.append(Step("QW-27", one if after.goal_open(outcome.who) else "A better result: both goals are won."))
        if against and against.crowd > 0:
            steps.append(Step("QW-28", "Some of the crowd fall away." if outcome.outcome == "victory"
                              else "The crowd closes in." if outcome.outcome == "defeat" else "The crowd holds."))
    first = outcomes[0]
    result: dict[str, Value] = {"outcome": first.outcome, "rank": first.rank, "side": side}
    rolls = _rolls(state, *(each.id for each in state.entrants))
    return Done(tuple(found), tuple(steps), tuple(effects), result=result, rolls=rolls)


def _rolls(state: State, *who: str) -> tuple[Roll, ...]:
    """These rolls for whoever checks them; one of two rivals stands for both."""
    told: dict[str, Roll] = {}
    for each in who:
        rival = state.rival(each)
        if (roll_ := state.roll(each)) and not (rival and rival.id in told):
            told[each] = roll_
    return tuple(told.values())


def _lessons(state: State, outcome: e.Outcome) -> list[tuple[str, str, str]]:
    """What may be worth a point, as (kind, of what, in which contest): a flaw that was acted against, a defeat.

    A flaw that one had to act against was used against one, however it came out.
    """
    against, chosen = state.against(outcome.who), state.entrant(outcome.who).chosen
    found = [(A_FLAW, against.flaw_name, "against a flaw")] if against and against.flaw_name else []
    if outcome.outcome == "defeat":
        found.append((DEFEAT, chosen.name if chosen else "", "simple"))
    return found


def _pay(state: State) -> tuple[State, list[e.Event], list[Step]]:
    """Points that rivals decided on in secret; where the pool has too few by now, the later one stays unspent."""
    left, found, told = state.around.pool(POOL), [], []
    for each in state.entrants:
        if state.rival(each.id) is None:
            continue
        if each.point and not left:
            found.append(e.Decided(each.id, False))
            state = evolve(state, found[-1])
            told.append(Step("QW-90", f"The pool is empty by now: the point of {each.name} stays unspent."))
        elif each.point:
            left -= 1
    return state, [*found], told


def _outcome(state: State, who: str) -> e.Outcome:
    clash, against = state.rolled(who), state.against(who)
    if clash is None:
        return e.Outcome(who, "tie", 0, "", "")
    word = "victory" if against and against.assured and not state.rival(who) else clash.outcome
    return e.Outcome(who, word, clash.rank, clash.results[0].word, clash.results[1].word)


def _count(state: State, outcomes: Sequence[e.Outcome]) -> tuple[int, int]:
    """The victories of the group, and of what stands against it: each contest counts once (QW-42)."""
    ours = [each.outcome for each in outcomes if not state.others_side(each.who)]
    return ours.count("victory"), ours.count("defeat")


def _side(state: State, outcomes: Sequence[e.Outcome]) -> str:
    """Who has more victories (QW-42)."""
    ours, theirs = _count(state, outcomes)
    return "victory" if ours > theirs else "defeat" if theirs > ours else "tie"


def _headline(state: State, outcomes: Sequence[e.Outcome], side: str) -> tuple[Step, ...]:
    words = {"victory": "wins", "defeat": "loses", "tie": "ties"}
    prize = state.settings.prize.rstrip(".")
    if side:
        ours, theirs = _count(state, outcomes)
        told = {"victory": "The group wins", "defeat": "The group loses", "tie": "Neither side wins"}[side]
        return (Step("QW-42", f"{told}, {ours} to {theirs}: {prize}."), *(
            Step("QW-42", f"{state.entrant(each.who).name} {words[each.outcome]}{_by(each)}"
                          f"{_facing(state, each.who)}.")
            for each in outcomes if not state.others_side(each.who)))
    first = outcomes[0]
    if state.pair and first.outcome == "defeat":
        first = outcomes[1]
    return (Step("QW-13", f"{state.entrant(first.who).name} {words[first.outcome]}{_by(first)}: {prize}."),)


def _facing(state: State, who: str) -> str:
    rival = state.rival(who)
    return f" against {rival.name}" if rival else ""


def _by(outcome: e.Outcome) -> str:
    return f" by rank {outcome.rank}" if outcome.rank and outcome.outcome != "tie" else ""


def _steps(state: State, who: str) -> tuple[Step, ...]:
    """Why, in the contract's own steps, with the names of those who rolled."""
    clash = state.rolled(who)
    if clash is None:
        return ()
    name, foe = state.entrant(who).name, state.foe(who)
    steps = (*state.terms(who).steps(), *clash.steps())
    symbol = state.settings.symbol
    return tuple(Step(step.rule, _signed(_named(step.text, name, foe), symbol)) for step in steps)


def _signed(text: str, symbol: str) -> str:
    """The contract writes masteries as M; a campaign may have a sign of its own."""
    return text if symbol == "M" else re.sub(r"(?<=[\d+−])M(?![a-z])", symbol, text)


def _named(text: str, name: str, foe: str) -> str:
    for whose, word in (("player", name), ("resistance", foe)):
        text = text.replace(f"The {whose}", word).replace(f"the {whose}", word)
    return text


def _assured(state: State, outcome: e.Outcome) -> tuple[Step, ...]:
    known = {"critical": "a benefit", "fumble": "a consequence", "failure": "a consequence"}
    brings = known.get(outcome.ours, "nothing else")
    return (Step("QW-40", f"The victory is assured; the roll brings {brings}."),
            Step("QW-80", "An assured contest earns no experience."))


def _word(result: Result) -> str:
    return f"a {result.word}"
