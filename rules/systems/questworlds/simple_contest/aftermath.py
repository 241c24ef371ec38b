"""After the outcome: how a group came out, with a boost, and two fumbles that the GM lets both suffer (QW-42, QW-A1,
QW-A2); which goal is won, what lasts, and the end (QW-27, QW-60)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values, after
from rules.fields import Choice, text
from rules.moves import Step
from rules.procedure import Ask, Offer, Options
from rules.sheet import Effect, Gain, SpendShared
from rules.systems.questworlds.after import Gave
from rules.systems.questworlds.experience import DEFEAT
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.older import outcome_points
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.older.outcome_points import BY_LEVELS, COMPLETE, degree_by, points_of
from rules.systems.questworlds.older.states import RULES, worth
from rules.systems.questworlds.older.worthy import check_state, check_worthy
from rules.systems.questworlds.simple_contest.resolution import POOL, Ended, Settled, TookLesson, score, side_of
from rules.systems.questworlds.simple_contest.state import Entrant, Phase, Result, State, entrants
from rules.systems.questworlds.simple_contest.values import Outcome
from rules.wording import join, percent, sentence

OURS, THEIRS = "ours", "theirs"  # all of one side, in the place of one who contends


@dataclass(frozen=True)
class Boosted(Event[State]):
    """Story points made the group's outcome clearer, by one step or two (QW-A2)."""

    by: str
    steps: int

    def after(self, state: State) -> State:
        return replace(state, boost=self.steps, side="victory")


@dataclass(frozen=True)
class ChoseGoal(Event[State]):
    """Which of two goals is won, where the die alone was better: `first` or `second` (QW-27)."""

    who: str
    goal: str

    def after(self, state: State) -> State:
        return replace(state, goals=(*state.goals, (self.who, self.goal)))


@dataclass(frozen=True)
class GaveLasting(Gave, Event[State]):
    """Something lasting goes onto a sheet."""

    stored = "gave"

    def after(self, state: State) -> State:
        return replace(state, gave=(*state.gave, self))


def group_degree(state: State) -> int:
    """How far the group has won, or lost, with its boost."""
    ours, theirs = score(state, state.outcomes)
    ties_won = bool(state.oppositions) and all(against.tie_to_player for against in state.oppositions)
    return min(COMPLETE, (degree_by(ours - theirs) or int(ties_won)) + state.boost)


def _group(state: State) -> Iterator[Entrant]:
    """The player characters of the group."""
    return (entrant for entrant in state.entrants
            if entrant.id in state.settings.players and not state.others_side(entrant.id))


def _cost(state: State) -> int:
    """What a boost costs this group."""
    return outcome_points.boost_cost(len([*_group(state)]))


def offer_boost(state: State, sheets: Sheets) -> Iterator[Offer]:
    """A boost, for any of the players, once: a clearer victory for story points."""
    if state.phase is not Phase.AFTER or not state.in_points or state.boost or state.side not in ("victory", "tie"):
        return
    now, pool, cost = group_degree(state), state.context.pool(POOL), _cost(state)
    choices = tuple(
        (str(steps), f"{word}, {many} story point{'' if many == 1 else 's'}: {in_words(min(COMPLETE, now + steps))}")
        for steps, word in ((1, "A boost"), (2, "A double boost"))
        if (many := steps * cost) <= pool and now + steps <= COMPLETE)
    if choices:
        for entrant in _group(state):
            yield Offer("boost", entrant.id, "Boost the outcome",
                        f"It is a {in_words(now)} of the group. The points are gone either way.",
                        (Choice(name="steps", label="How far", options=choices),), {})


def boost(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The group's victory is one step clearer, or two."""
    steps = int(values["steps"])
    many = steps * _cost(state)
    came = min(COMPLETE, group_degree(state) + steps)
    said = (f"{sheets[by].name} spends {many} story point{'' if many == 1 else 's'} on a "
            f"{'boost' if steps == 1 else 'double boost'}: the group has a {in_words(came)}.")
    return Result((Boosted(by, steps),), (Step("QW-A2", said),), {"degree": came}, effects=(SpendShared(POOL, -many),))


def offer_to_worsen(state: State, sheets: Sheets) -> Iterator[Offer]:
    """For each who fumbled as what stood against them did."""
    if state.phase is not Phase.AFTER or not state.policy.degrees or state.settings.mode != "group":
        return
    both = tuple((outcome.who, state.name_of(outcome.who)) for outcome in state.outcomes
                 if outcome.outcome == "tie" and outcome.ours == outcome.theirs == "fumble")
    if both:
        yield Offer("worsen", "", "Rule a marginal defeat: both fumbled",
                    "A tie between the two, but worse than how the others do.",
                    (text("whom", "Character", needed=True),), {"whom": both}, now={"whom": both[0][0]})


def worsen(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A tie of two fumbles becomes a marginal defeat, for a rival as well (QW-A1)."""
    rival = state.rival(values["whom"])
    who = (values["whom"], *([rival.id] if rival else []))
    outcomes = tuple(replace(outcome, outcome="defeat", rank=1, degree=-1) if outcome.who in who else outcome
                     for outcome in state.outcomes)
    events: list[Event[State]] = [Settled(outcomes, side_of(state, outcomes))]
    names = [state.name_of(entrant) for entrant in who]
    steps = [Step("QW-A1", f"Both fumbled: {' and '.join(names)} {'suffers' if len(who) == 1 else 'suffer'} a marginal "
                           "defeat.")]
    effects: list[Effect] = []
    for entrant in who:
        used = state.entrant(entrant).chosen
        lesson, why, earned = learned(state, sheets[entrant], DEFEAT, used.name if used else "", "simple")
        lessons = [TookLesson.of(taught) for taught in lesson]
        state = after(state, lessons)
        events, steps, effects = [*events, *lessons], [*steps, *why], [*effects, *earned]
    return Result(tuple(events), tuple(steps), effects=tuple(effects))


def group_chances(state: State) -> tuple[str, ...]:
    """The chance of each degree for the whole group, before any die fell."""
    if not state.in_points or not state.framed or any(entrant.dice for entrant in state.entrants):
        return ()
    fights = (_points(state, entrant.id) for entrant in state.entrants if not state.others_side(entrant.id))
    return tuple(f"{percent(likely)} {in_words(came)}" for came, likely in outcome_points.chances(fights))


def _points(state: State, who: str) -> Mapping[int, int]:
    """In how many throws one's contest comes to how many points; below 0 those of the other side."""
    if state.assured(who):
        return {BY_LEVELS[0]: 1}
    ways_to: Counter[int] = Counter()
    for ours, theirs, ways in state.clash(who, (1, 1)).throws():
        clash = state.clash(who, (ours, theirs))
        ways_to[{"victory": 1, "defeat": -1}.get(clash.outcome, 0) * points_of(*clash.results)] += ways
    return ways_to


def _choosing(state: State) -> tuple[Entrant, ...]:
    """Those who have yet to say which of two goals they have won."""
    if state.phase is not Phase.AFTER:
        return ()
    return tuple(entrant for entrant in state.entrants if state.goal_open(entrant.id))


def offer_goals(state: State, sheets: Sheets) -> Iterator[Offer]:
    """One of two goals (QW-27)."""
    for entrant in _choosing(state):
        options = (("first", state.settings.prize or "The prize"), ("second", state.second_goal(entrant.id)))
        yield Offer("choose_goal", entrant.id, "Choose what you win",
                    "The die alone was better: one of the two is yours.",
                    (Choice(name="goal", label="You win", options=options),))


def ask_for_goals(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The same."""
    return (Ask(entrant.id, "choose_goal", "choose which goal is won", "Choose", decision=True)
            for entrant in _choosing(state))


def choose_goal(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """One of two goals, where the die alone was better (QW-27)."""
    goals = state.settings.prize or "the prize", state.second_goal(by)
    won, lost = goals if values["goal"] == "first" else goals[::-1]
    steps = (Step("QW-27", f"{sheets[by].name} chooses: {sentence(won)}"),
             Step("QW-27", f"It is not won: {sentence(lost)}"))
    return Result((ChoseGoal(by, values["goal"]),), steps)


def offer_to_give(state: State, sheets: Sheets) -> Iterator[Offer]:
    """What lasts: proposed from the outcome's rank, decided by the GM (QW-60)."""
    if state.phase is Phase.AFTER:
        yield _giving(state)


def _giving(state: State) -> Offer:
    """What lasts: proposed from the outcome's rank, decided by the GM (QW-60)."""
    symbol = state.settings.symbol
    fields = (
        text("whom", "Character", needed=True),
        Choice(name="kind", label="Type", options=state.policy.kinds()),
        Choice(name="rank", label="Rank", options=state.policy.ranks(state.edition, symbol),
               help="What a winner suffers or a loser gains: rank 2 on a better die, 1 on a better result."),
        text("name", "Name", needed=True, most=120),
        text("touches", "Applies to", "Abilities or situations.", most=300),
    )
    had = {given.who for given in state.gave}
    first = next((outcome for outcome in state.outcomes if outcome.who not in had), state.outcomes[0])
    kind = proposed(first)
    if state.in_points and not state.gave:
        degree = group_degree(state)
        now = {"whom": OURS, "kind": "benefit" if degree > 0 else "consequence", "rank": str(abs(degree) or 1)}
        return Offer("give", "", "Add a consequence or benefit", "", fields, {"whom": _whom(state)}, now=now)
    return Offer("give", "", "Add a consequence or benefit", "", fields, {"whom": _whom(state)},
                 now={"whom": first.who, "kind": kind, "rank": str(suggested(state, first, kind))})


def side(state: State, whom: str) -> tuple[str, ...]:
    """Who is meant: all of a side, or the one of this id."""
    if whom not in (OURS, THEIRS):
        return (whom,)
    return tuple(entrant.id for entrant in state.entrants if state.others_side(entrant.id) == (whom == THEIRS))


def _whom(state: State) -> Options:
    """Who something may last for: each, and, where several contend, all of a side (QW-42)."""
    if state.settings.mode != "group":
        return entrants(state)
    rivals = side(state, THEIRS)
    names = " and ".join(state.entrant(who).name for who in rivals)
    others = ((THEIRS, f"All on the other side: {names}"),) if rivals else ()
    return ((OURS, "All of the group"), *others, *entrants(state))


def proposed(came: Outcome) -> str:
    """What an outcome suggests: a consequence of a defeat, a benefit of a victory; assured, what the roll brings."""
    if came.outcome == "victory" and not came.rank and came.ours:
        return "consequence" if came.ours in ("failure", "fumble") else "benefit"
    return "benefit" if came.outcome == "victory" else "consequence"


def suggested(state: State, came: Outcome, kind: str) -> int:
    """The rank of what lasts (QW-60): the outcome's own; for what a winner suffers or a loser gains, the other way."""
    against_it = (came.outcome, kind) in (("victory", "consequence"), ("defeat", "benefit"))
    if against_it and came.rank:
        return 2 if came.rank == 1 else 1
    return min(state.edition.modifiers.highest_rank, max(1, abs(came.degree) or came.rank))


def give(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A consequence or a benefit goes onto a sheet, or onto those of a side, and knows where it is from (QW-60)."""
    kind, rank, name, touches = values["kind"], int(values["rank"]), values["name"], values["touches"].rstrip(".")
    note = f"{touches}. From: {state.settings.prize}" if touches else f"From: {state.settings.prize}"
    symbol, stored = state.settings.symbol, state.policy.kind_of(kind)
    who = side(state, values["whom"])
    check_state(stored, rank)
    for entrant in who:
        check_worthy(stored, sheets[entrant].name, state.score(entrant), faced(state, entrant), symbol)
    amount = worth(stored, rank, symbol, state.edition)
    named = join([sheets[entrant].name for entrant in who])
    steps = [Step(RULES.get(stored, "QW-60"), f"{named}: {name}, {amount}{f', on {touches}' if touches else ''}.")]
    if values["whom"] in (OURS, THEIRS):
        if state.in_points:
            steps.append(Step("QW-A2", f"The group’s outcome was a {in_words(group_degree(state))}."))
        steps.append(Step("QW-42", "It comes from how the whole contest went, beside what each brought on themselves."))
    elif came := state.outcome(values["whom"]):
        ranked = f"{came.outcome} of rank {came.rank}" if came.rank else came.outcome
        what = in_words(came.degree) if came.degree else ranked
        steps.append(Step("QW-14", f"The outcome was a {what}: for a {kind}, rank "
                                   f"{suggested(state, came, kind)} was suggested."))
    return Result(tuple(GaveLasting(entrant, stored, name, rank) for entrant in who), tuple(steps),
                    effects=tuple(Gain(entrant, stored, name, rank, note) for entrant in who))


def faced(state: State, who: str) -> int | None:
    """The score that stood against one; None where the victory was no question."""
    rival, against = state.rival(who), state.against(who)
    return state.score(rival.id) if rival else against.resistance if against else None


def may_close(state: State) -> bool:
    """Whether the dice have their outcome, and all goals are chosen."""
    return state.phase is Phase.AFTER and not _choosing(state)


def offer_to_close(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, once all goals are chosen."""
    if may_close(state):
        yield Offer("close", "", "Finish the contest")


def ask_to_close(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The same."""
    if may_close(state):
        yield Ask("", "close", "add what lasts, and finish", "Finish")


def close(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The contest is done."""
    return Result((Ended("done"),), (Step("QW-41", f"The contest is done: {sentence(state.settings.prize)}"),))


BOOST = Act("boost", offer_boost, boost)
WORSEN = Act("worsen", offer_to_worsen, worsen)
CHOOSE_GOAL = Act("choose_goal", offer_goals, choose_goal, ask_for_goals)
CLOSE = Act("close", offer_to_close, close, ask_to_close)
GIVE = Act("give", offer_to_give, give)
EVENTS = (ChoseGoal, GaveLasting, Boosted)
