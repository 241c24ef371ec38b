"""How a simple contest comes out, and what follows from it (QW-11 to QW-14, QW-27, QW-40 to QW-42, QW-60 to QW-63)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Event, Sheets, after
from rules.moves import Roll, Step
from rules.sheet import Effect, Sheet, SpendShared
from rules.systems.questworlds.after import Learned, used_up
from rules.systems.questworlds.experience import DEFEAT
from rules.systems.questworlds.experience import FLAW as A_FLAW
from rules.systems.questworlds.group import WORDS, lead_of
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.older import outcome_points, states
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.roll import Names
from rules.systems.questworlds.simple_contest.state import Result, State
from rules.systems.questworlds.simple_contest.values import Outcome
from rules.values import Value
from rules.wording import sentence

POOL = "story_points"
WINNERS = ("QW-13", "QW-14", "QW-A1")  # the steps that say who wins, which is no question where victory is assured
BRINGS = {"critical": "a benefit", "fumble": "a consequence", "failure": "a consequence"}


@dataclass(frozen=True)
class Decided(Event[State]):
    """Somebody spends a story point, or lets it stand."""

    who: str
    spend: bool

    def after(self, state: State) -> State:
        return replace(state.with_(self.who, point=self.spend), decided=(*state.decided, self.who))


@dataclass(frozen=True)
class Settled(Event[State]):
    """All is decided: the outcome of each, and of the side where there is one."""

    outcomes: tuple[Outcome, ...]
    side: str = ""

    def after(self, state: State) -> State:
        return replace(state, outcomes=self.outcomes, side=self.side, taught=state.learned)


@dataclass(frozen=True)
class TookLesson(Learned, Event[State]):
    """What was learned in it, or was not."""

    stored = "learned"

    @classmethod
    def of(cls, lesson: Learned) -> TookLesson:
        """The event of a lesson."""
        return cls(**vars(lesson))

    def after(self, state: State) -> State:
        return replace(state, learned=(*state.learned, self))


@dataclass(frozen=True)
class Ended(Event[State]):
    """The contest is over: `done`, `backed out`, `submitted`, `called off`, or `no conflict` (QW-27)."""

    how: str

    def after(self, state: State) -> State:
        return replace(state, ended=self.how)


def settle(state: State, sheets: Sheets) -> Result | None:
    """The outcome, once all dice lie and nobody has a story point to think of; None before."""
    if any(entrant.dice is None or state.may_spend(entrant.id) for entrant in state.entrants):
        return None
    decided = [Step("QW-12", f"{entrant.name} {'spends a story point' if entrant.point else 'lets it stand'}.")
               for entrant in state.entrants if state.rival(entrant.id) and entrant.point is not None]
    state, unpaid, empty = _pay(state)
    effects = [SpendShared(POOL, -1) for entrant in state.entrants if entrant.point and state.rival(entrant.id)]
    outcomes = tuple(_outcome(state, entrant.id) for entrant in state.entrants)
    side = side_of(state, outcomes) if state.settings.mode == "group" else ""
    steps = [*_headline(state, outcomes, side), *decided, *_in_points(state, outcomes)]
    for entrant in state.entrants[:1] if state.pair else state.entrants:
        steps += [] if state.others_side(entrant.id) else why(state, entrant.id)
    events = (*unpaid, Settled(outcomes, side))
    rolls = rolls_of(state, *(entrant.id for entrant in state.entrants))
    settled = Result(events, (*steps, *empty), effects=tuple(effects), rolls=rolls)
    return _with_consequences(after(state, events), sheets, settled)


def won_without_dice(state: State, sheets: Sheets) -> Result:
    """A victory that is assured, and that nobody rolls for (QW-40)."""
    outcomes = tuple(Outcome(entrant.id, "victory", 0, "", "") for entrant in state.entrants)
    side = "victory" if state.settings.mode == "group" else ""
    settled = Settled(outcomes, side)
    steps = (Step("QW-40", "The victory is assured: no die falls."),
             Step("QW-80", "An assured contest earns no experience."))
    return _with_consequences(settled.after(state), sheets, Result((settled,), steps))


def rolls_of(state: State, *who: str) -> tuple[Roll, ...]:
    """These rolls for whoever checks them; one of two rivals stands for both."""
    rolls: dict[str, Roll] = {}
    for entrant in who:
        rival = state.rival(entrant)
        if (roll_ := state.roll(entrant)) and not (rival and rival.id in rolls):
            rolls[entrant] = roll_
    return tuple(rolls.values())


def why(state: State, who: str) -> tuple[Step, ...]:
    """Why, in the contract's own steps, with the names of those who rolled."""
    clash = state.rolled(who)
    if clash is None:
        return ()
    names = Names(state.entrant(who).name, state.foe(who), state.settings.symbol)
    steps = (*state.terms(who).steps(names), *clash.steps(names=names))
    return tuple(step for step in steps if step.rule not in WINNERS) if state.assured(who) else steps


def _with_consequences(settled_state: State, sheets: Sheets, settled: Result) -> Result:
    """With what follows from the outcomes: what is learned, which goals are won, where a crowd is, what heals."""
    events, steps, effects = [*settled.events], [*settled.steps], [*settled.effects]
    for outcome in settled_state.outcomes:
        if outcome.ours and settled_state.assured(outcome.who):
            brings = BRINGS.get(outcome.ours, "nothing else")
            steps += [Step("QW-40", f"The victory is assured; the roll brings {brings}."),
                      Step("QW-80", "An assured contest earns no experience.")]
        for kind, trait, contest in _lessons(settled_state, outcome):
            lesson, reasons, earned = learned(settled_state, sheets[outcome.who], kind, trait, contest)
            lessons = [TookLesson.of(taught) for taught in lesson]
            events, steps, effects = [*events, *lessons], [*steps, *reasons], [*effects, *earned]
            settled_state = after(settled_state, lessons)
        steps += _story(settled_state, outcome)
        for told, changes in _states(settled_state, sheets[outcome.who], outcome):
            steps, effects = [*steps, *told], [*effects, *changes]
    healed, why_healed = _healed(settled_state, sheets)
    used, why_used = used_up(settled_state.modifiers, sheets)
    first = settled_state.outcomes[0]
    result: dict[str, Value] = {"outcome": first.outcome, "rank": first.rank, "side": settled_state.side}
    steps, effects = [*steps, *why_healed, *why_used], [*effects, *healed, *used]
    return Result(tuple(events), tuple(steps), result, effects=tuple(effects), rolls=settled.rolls)


def _states(
    settled_state: State, sheet: Sheet, outcome: Outcome
) -> Iterator[tuple[Sequence[Step], Sequence[Effect]]]:
    """What an outcome does to states: a final action is taken, freshness goes with a defeat (QW-A6, QW-A7)."""
    against = settled_state.against(outcome.who)
    yield states.after_contest(sheet, against.rouses if against else "", outcome.outcome == "victory",
                             outcome.degree or outcome.rank)
    if outcome.outcome == "defeat":
        yield states.defeated(sheet, (source for line in settled_state.lines(outcome.who) for source in line.sources))


def _story(settled_state: State, outcome: Outcome) -> list[Step]:
    """What an outcome means for goals, a crowd, a story that may end."""
    against, name, steps = settled_state.against(outcome.who), settled_state.entrant(outcome.who).name, []
    if settled_state.second_goal(outcome.who) and outcome.outcome == "victory":
        one = f"A better die alone: one goal is won, and {name} chooses which."
        steps.append(Step("QW-27", one if settled_state.goal_open(outcome.who) else "Both goals are won."))
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
    for outcome in sorted(state.outcomes, key=lambda outcome: outcome.outcome != "victory"):
        against = state.against(outcome.who)
        if against is None or not against.heals or against.heals in effects:
            continue
        if line := next((line for sheet in sheets.values() if (line := sheet.trait(against.heals))), None):
            why, effects[line.id] = state.policy.healed(line, outcome.outcome, outcome.degree, state.edition)
            steps += why
    return [effect for changes in effects.values() for effect in changes], steps


def _lessons(state: State, outcome: Outcome) -> list[tuple[str, str, str]]:
    """What may be worth a point, as (kind, of what, in which contest): flaws that were used against one, a defeat.

    A flaw that one had to act against was used, however it came out; one that hindered, once its penalty met the dice.
    An assured contest teaches nothing.
    """
    if state.assured(outcome.who):
        return []
    against, chosen = state.against(outcome.who), state.entrant(outcome.who).chosen
    learned = [(A_FLAW, against.flaw_name, "against a flaw")] if against and against.flaw_name else []
    # Contests from before the dice decided this have told of their hindrances at once.
    taught = {lesson.trait for lesson in state.learned if (lesson.who, lesson.contest) == (outcome.who, "hindrance")}
    learned += [(A_FLAW, line.label, "hindrance") for line in state.lines(outcome.who)
              if line.kind == "hindrance" and line.label.casefold() not in taught]
    if outcome.outcome == "defeat":
        learned.append((DEFEAT, chosen.name if chosen else "", "simple"))
    return learned


def _pay(state: State) -> tuple[State, list[Event[State]], list[Step]]:
    """Points that rivals decided on in secret; where the pool has too few by now, who decided later keeps theirs."""
    left, decideds, steps = state.context.pool(POOL), [], []
    for who in state.decided:
        if state.rival(who) is None or not state.entrant(who).point:
            continue
        if left:
            left -= 1
            continue
        decideds.append(Decided(who, False))
        state = decideds[-1].after(state)
        steps.append(Step("QW-90", f"The pool is empty by now: the point of {state.entrant(who).name} stays unspent."))
    return state, [*decideds], steps


def _outcome(state: State, who: str) -> Outcome:
    clash = state.rolled(who)
    if clash is None:
        return Outcome(who, "tie", 0, "", "")
    ours, theirs = (result.word for result in clash.results)
    if state.assured(who):
        return Outcome(who, "victory", 0, ours, theirs)
    return Outcome(who, clash.outcome, clash.rank, ours, theirs, state.policy.degree(clash))


def score(state: State, outcomes: Sequence[Outcome]) -> tuple[int, int]:
    """The victories of the group, and of what stands against it, each once (QW-42); by the option their points."""
    ours = [outcome for outcome in outcomes if not state.others_side(outcome.who)]
    counts = [outcome_points.scored(outcome.ours, outcome.theirs) if state.in_points else 1 for outcome in ours]
    won, lost = (sum(count for outcome, count in zip(ours, counts, strict=True) if outcome.outcome == which)
                 for which in ("victory", "defeat"))
    return won, lost


def _in_points(state: State, outcomes: Sequence[Outcome]) -> tuple[Step, ...]:
    """How outcome points came, and what they amount to (QW-A2)."""
    if not state.in_points:
        return ()
    told = []
    for outcome in outcomes:
        if outcome.ours and outcome.outcome != "tie" and not state.others_side(outcome.who):
            whose = state.name_of(outcome.who) if outcome.outcome == "victory" else "the other side"
            many = outcome_points.scored(outcome.ours, outcome.theirs)
            told.append(Step("QW-A2", f"A {outcome.ours} against a {outcome.theirs}: {many} for {whose}."))
    ours, theirs = score(state, outcomes)
    degree = in_words(outcome_points.degree_by(ours - theirs))
    return (*told, Step("QW-A2", f"Outcome points: {ours} to {theirs}, which is a {degree}."))


def side_of(state: State, outcomes: Sequence[Outcome]) -> str:
    """Who has more victories (QW-42). *Ruling*: as many on both sides go to the players where each tie does."""
    ours, theirs = score(state, outcomes)
    ties_won = bool(state.oppositions) and all(against.tie_to_player for against in state.oppositions)
    return WORDS[lead_of(ours, theirs, ties_won)]


def _headline(state: State, outcomes: Sequence[Outcome], side: str) -> tuple[Step, ...]:
    words = {"victory": "wins", "defeat": "loses", "tie": "ties"}
    prize = state.settings.prize.rstrip(".")
    if side:
        ours, theirs = score(state, outcomes)
        text = {"victory": "The group wins", "defeat": "The group loses", "tie": "Neither side wins"}[side]
        drawn = side != "tie" and ours == theirs
        even = (Step("QW-13", "As many on both sides: it goes to the players."),) if drawn else ()
        return (Step("QW-42", f"{text}, {ours} to {theirs}: {prize}."), *even, *(
            Step("QW-42", f"{state.entrant(outcome.who).name} {words[outcome.outcome]}{by_how_much(outcome)}"
                          f"{_facing(state, outcome.who)}.")
            for outcome in outcomes if not state.others_side(outcome.who)))
    first = outcomes[0]
    if state.pair and first.outcome == "defeat":
        first = outcomes[1]
    rule = "QW-40" if state.assured(first.who) else "QW-13"
    return (Step(rule, f"{state.entrant(first.who).name} {words[first.outcome]}{by_how_much(first)}: {prize}."),)


def _facing(state: State, who: str) -> str:
    rival = state.rival(who)
    return f" against {rival.name}" if rival else ""


def by_how_much(outcome: Outcome) -> str:
    """How clear it was: `, a major victory` or ` by rank 2`; "" where nobody won by anything."""
    if outcome.degree:
        return f", a {in_words(outcome.degree)}"
    return f" by rank {outcome.rank}" if outcome.rank and outcome.outcome != "tie" else ""


EVENTS = (Decided, Settled, TookLesson, Ended)
