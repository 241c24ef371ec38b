"""How a simple contest comes out, and what follows from it (QW-11 to QW-14, QW-27, QW-40 to QW-42, QW-60 to QW-63)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from rules.moves import Roll, Step
from rules.sheet import Effect, Sheet, SpendShared
from rules.systems.questworlds.after import used_up
from rules.systems.questworlds.experience import DEFEAT
from rules.systems.questworlds.experience import FLAW as A_FLAW
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.older import final_action, outcome_points, states
from rules.systems.questworlds.older.by_degree import healed
from rules.systems.questworlds.older.degrees import degree_of, in_words
from rules.systems.questworlds.older.options import BY_DEGREE, DEGREES
from rules.systems.questworlds.roll import Names
from rules.systems.questworlds.simple_contest import events as e
from rules.systems.questworlds.simple_contest.evolve import evolve
from rules.systems.questworlds.simple_contest.offer_forms import Sheets
from rules.systems.questworlds.simple_contest.state import State
from rules.values import Value
from rules.wording import sentence

POOL = "story_points"
WINNERS = ("QW-13", "QW-14", "QW-A1")  # the steps that say who wins, which is no question where victory is assured
BRINGS = {"critical": "a benefit", "fumble": "a consequence", "failure": "a consequence"}


def settle(state: State, sheets: Sheets) -> e.Result | None:
    """The outcome, once all dice lie and nobody has a story point to think of; None before."""
    if any(each.dice is None or state.may_spend(each.id) for each in state.entrants):
        return None
    decided = [Step("QW-12", f"{each.name} {'spends a story point' if each.point else 'lets it stand'}.")
               for each in state.entrants if state.rival(each.id) and each.point is not None]
    state, unpaid, empty = _pay(state)
    effects = [SpendShared(POOL, -1) for each in state.entrants if each.point and state.rival(each.id)]
    outcomes = tuple(_outcome(state, each.id) for each in state.entrants)
    side = side_of(state, outcomes) if state.settings.mode == "group" else ""
    steps = [*_headline(state, outcomes, side), *decided, *outcome_points.steps(state, outcomes)]
    for each in state.entrants[:1] if state.pair else state.entrants:
        steps += [] if state.others_side(each.id) else why(state, each.id)
    events = (*unpaid, e.Settled(outcomes, side))
    rolls = rolls_of(state, *(each.id for each in state.entrants))
    settled = e.Result(events, (*steps, *empty), effects=tuple(effects), rolls=rolls)
    return _with_consequences(reduce(evolve, events, state), sheets, settled)


def won_without_dice(state: State, sheets: Sheets) -> e.Result:
    """A victory that is assured, and that nobody rolls for (QW-40)."""
    outcomes = tuple(e.Outcome(each.id, "victory", 0, "", "") for each in state.entrants)
    side = "victory" if state.settings.mode == "group" else ""
    settled = e.Settled(outcomes, side)
    steps = (Step("QW-40", "The victory is assured: no die falls."),
             Step("QW-80", "An assured contest earns no experience."))
    return _with_consequences(evolve(state, settled), sheets, e.Result((settled,), steps))


def rolls_of(state: State, *who: str) -> tuple[Roll, ...]:
    """These rolls for whoever checks them; one of two rivals stands for both."""
    rolls: dict[str, Roll] = {}
    for each in who:
        rival = state.rival(each)
        if (roll_ := state.roll(each)) and not (rival and rival.id in rolls):
            rolls[each] = roll_
    return tuple(rolls.values())


def why(state: State, who: str) -> tuple[Step, ...]:
    """Why, in the contract's own steps, with the names of those who rolled."""
    clash = state.rolled(who)
    if clash is None:
        return ()
    names = Names(state.entrant(who).name, state.foe(who), state.settings.symbol)
    steps = (*state.terms(who).steps(names), *clash.steps(names=names))
    return tuple(step for step in steps if step.rule not in WINNERS) if state.assured(who) else steps


def _with_consequences(after: State, sheets: Sheets, settled: e.Result) -> e.Result:
    """With what follows from the outcomes: what is learned, which goals are won, where a crowd is, what heals."""
    events, steps, effects = [*settled.events], [*settled.steps], [*settled.effects]
    for outcome in after.outcomes:
        if outcome.ours and after.assured(outcome.who):
            brings = BRINGS.get(outcome.ours, "nothing else")
            steps += [Step("QW-40", f"The victory is assured; the roll brings {brings}."),
                      Step("QW-80", "An assured contest earns no experience.")]
        for kind, trait, contest in _lessons(after, outcome):
            lesson, reasons, earned = learned(after, sheets[outcome.who], kind, trait, contest)
            events, steps, effects = [*events, *lesson], [*steps, *reasons], [*effects, *earned]
            after = reduce(evolve, lesson, after)
        steps += _story(after, outcome)
        for found, changes in _states(after, sheets[outcome.who], outcome):
            steps, effects = [*steps, *found], [*effects, *changes]
    healed, why_healed = _healed(after, sheets)
    used, why_used = used_up(after.modifiers, sheets)
    first = after.outcomes[0]
    result: dict[str, Value] = {"outcome": first.outcome, "rank": first.rank, "side": after.side}
    steps, effects = [*steps, *why_healed, *why_used], [*effects, *healed, *used]
    return e.Result(tuple(events), tuple(steps), result, effects=tuple(effects), rolls=settled.rolls)


def _states(
    after: State, sheet: Sheet, outcome: e.Outcome
) -> Iterator[tuple[Sequence[Step], Sequence[Effect]]]:
    """What an outcome does to states: a final action is taken, freshness goes with a defeat (QW-A6, QW-A7)."""
    yield final_action.after(after, sheet, outcome)
    if outcome.outcome == "defeat":
        yield states.defeated(sheet, (source for line in after.lines(outcome.who) for source in line.sources))


def _story(after: State, outcome: e.Outcome) -> list[Step]:
    """What an outcome means for goals, a crowd, a story that may end."""
    against, name, steps = after.against(outcome.who), after.entrant(outcome.who).name, []
    if after.second_goal(outcome.who) and outcome.outcome == "victory":
        one = f"A better die alone: one goal is won, and {name} chooses which."
        steps.append(Step("QW-27", one if after.goal_open(outcome.who) else "Both goals are won."))
    if against and against.crowd > 0:
        crowd = {"victory": "Some of the crowd fall away.", "defeat": "The crowd closes in."}
        steps.append(Step("QW-28", crowd.get(outcome.outcome, "The crowd holds.")))
    if against and against.ending and outcome.outcome == "defeat":
        stake = f" {sentence(against.stake)}" if against.stake else ""
        steps.append(Step("QW-63", f"The story of {name} may end here, as they accepted.{stake}"))
    return steps


def _healed(state: State, sheets: Sheets) -> tuple[list[Effect], list[Step]]:
    """What victories heal, each once: two may have worked on the same (QW-62)."""
    effects: dict[str, list[Effect]] = {}
    steps = []
    for outcome in sorted(state.outcomes, key=lambda each: each.outcome != "victory"):
        against = state.against(outcome.who)
        if against is None or not against.heals or against.heals in effects:
            continue
        if line := next((line for sheet in sheets.values() if (line := sheet.trait(against.heals))), None):
            why, effects[line.id] = healed(line, outcome.outcome, outcome.degree, state.on(BY_DEGREE), state.edition)
            steps += why
    return [effect for found in effects.values() for effect in found], steps


def _lessons(state: State, outcome: e.Outcome) -> list[tuple[str, str, str]]:
    """What may be worth a point, as (kind, of what, in which contest): flaws that were used against one, a defeat.

    A flaw that one had to act against was used, however it came out; one that hindered, once its penalty met the dice.
    An assured contest teaches nothing.
    """
    if state.assured(outcome.who):
        return []
    against, chosen = state.against(outcome.who), state.entrant(outcome.who).chosen
    found = [(A_FLAW, against.flaw_name, "against a flaw")] if against and against.flaw_name else []
    # Contests from before the dice decided this have told of their hindrances at once.
    taught = {each.trait for each in state.learned if (each.who, each.contest) == (outcome.who, "hindrance")}
    found += [(A_FLAW, line.label, "hindrance") for line in state.lines(outcome.who)
              if line.kind == "hindrance" and line.label.casefold() not in taught]
    if outcome.outcome == "defeat":
        found.append((DEFEAT, chosen.name if chosen else "", "simple"))
    return found


def _pay(state: State) -> tuple[State, list[e.Event], list[Step]]:
    """Points that rivals decided on in secret; where the pool has too few by now, who decided later keeps theirs."""
    left, found, steps = state.context.pool(POOL), [], []
    for who in state.decided:
        if state.rival(who) is None or not state.entrant(who).point:
            continue
        if left:
            left -= 1
            continue
        found.append(e.Decided(who, False))
        state = evolve(state, found[-1])
        steps.append(Step("QW-90", f"The pool is empty by now: the point of {state.entrant(who).name} stays unspent."))
    return state, [*found], steps


def _outcome(state: State, who: str) -> e.Outcome:
    clash = state.rolled(who)
    if clash is None:
        return e.Outcome(who, "tie", 0, "", "")
    ours, theirs = (each.word for each in clash.results)
    if state.assured(who):
        return e.Outcome(who, "victory", 0, ours, theirs)
    degree = degree_of(clash) if state.on(DEGREES) else 0
    return e.Outcome(who, clash.outcome, clash.rank, ours, theirs, degree)


def _count(state: State, outcomes: Sequence[e.Outcome]) -> tuple[int, int]:
    """The victories of the group, and of what stands against it: each contest counts once (QW-42)."""
    ours = [each.outcome for each in outcomes if not state.others_side(each.who)]
    return ours.count("victory"), ours.count("defeat")


def side_of(state: State, outcomes: Sequence[e.Outcome]) -> str:
    """Who has more victories (QW-42). *Ruling*: as many on both sides go to the players where each tie does."""
    ours, theirs = _count(state, outcomes)
    if outcome_points.used(state):
        ours, theirs = outcome_points.counted(state, outcomes)
    if ours == theirs and state.oppositions and all(each.tie_to_player for each in state.oppositions):
        return "victory"
    return "victory" if ours > theirs else "defeat" if theirs > ours else "tie"


def story(state: State) -> tuple[str, ...]:
    """How it came out, and how each went about it."""
    if not state.outcomes:
        return ()
    how = (f"{each.name}: {sentence(each.chosen.tactic)}" for each in state.entrants if each.chosen)
    return (*(each.text for each in _headline(state, state.outcomes, state.side)), *how)


def _headline(state: State, outcomes: Sequence[e.Outcome], side: str) -> tuple[Step, ...]:
    words = {"victory": "wins", "defeat": "loses", "tie": "ties"}
    prize = state.settings.prize.rstrip(".")
    if side:
        ours, theirs = _count(state, outcomes)
        if outcome_points.used(state):
            ours, theirs = outcome_points.counted(state, outcomes)
        text = {"victory": "The group wins", "defeat": "The group loses", "tie": "Neither side wins"}[side]
        drawn = side != "tie" and ours == theirs
        even = (Step("QW-13", "As many on both sides: it goes to the players."),) if drawn else ()
        return (Step("QW-42", f"{text}, {ours} to {theirs}: {prize}."), *even, *(
            Step("QW-42", f"{state.entrant(each.who).name} {words[each.outcome]}{_by(each)}"
                          f"{_facing(state, each.who)}.")
            for each in outcomes if not state.others_side(each.who)))
    first = outcomes[0]
    if state.pair and first.outcome == "defeat":
        first = outcomes[1]
    rule = "QW-40" if state.assured(first.who) else "QW-13"
    return (Step(rule, f"{state.entrant(first.who).name} {words[first.outcome]}{_by(first)}: {prize}."),)


def _facing(state: State, who: str) -> str:
    rival = state.rival(who)
    return f" against {rival.name}" if rival else ""


def _by(outcome: e.Outcome) -> str:
    if outcome.degree:
        return f", a {in_words(outcome.degree)}"
    return f" by rank {outcome.rank}" if outcome.rank and outcome.outcome != "tie" else ""
