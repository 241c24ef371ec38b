"""After the outcome: which goal is won, what lasts, and the end (QW-27, QW-60)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice
from rules.moves import Step
from rules.procedure import Ask, Offer, Options
from rules.sheet import Gain
from rules.systems.questworlds.after import Gave
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.older.states import RULES, worth
from rules.systems.questworlds.older.worthy import check_state, check_worthy
from rules.systems.questworlds.simple_contest import group_outcome
from rules.systems.questworlds.simple_contest.resolution import Ended
from rules.systems.questworlds.simple_contest.state import Entrant, Phase, Result, State, entrants
from rules.systems.questworlds.simple_contest.values import Outcome
from rules.wording import join, sentence

OURS, THEIRS = "ours", "theirs"  # all of one side, in the place of one who contends


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
        degree = group_outcome.degree(state)
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
            steps.append(Step("QW-A2", f"The group’s outcome was a {in_words(group_outcome.degree(state))}."))
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


CHOOSE_GOAL = Act("choose_goal", offer_goals, choose_goal, ask_for_goals)
CLOSE = Act("close", offer_to_close, close, ask_to_close)
GIVE = Act("give", offer_to_give, give)
EVENTS = (ChoseGoal, GaveLasting)
