"""The scored contest: rounds until one side has five resolution points (QW-43, QW-44, QW-46)."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.fields import Choice, Flag, Group, Listing, Whole
from rules.moves import Face, MoveKind, Need, Outcome, Step
from rules.odds import chances
from rules.systems.questworlds.contest import (
    ABILITY,
    MODIFIERS,
    RESISTANCE,
    STORY_POINT,
    Terms,
    drawn,
    leads,
)
from rules.systems.questworlds.edition import FIRST, Edition, ScoredRule
from rules.systems.questworlds.notation import ScoreField
from rules.systems.questworlds.roll import SIDES, Clash, step
from rules.values import BadMove, Value

TACTICS = (("normal", "As usual"), ("risky", "A risky gambit"), ("defensive", "A defensive response"))

Score = tuple[int, int]


@dataclass(frozen=True)
class Round:
    """One round: what it is rolled with, each side's tactic, and whether the player is after something else."""

    terms: Terms
    tactic: str = "normal"
    opponent: str = "normal"
    asymmetrical: bool = False


@dataclass(frozen=True)
class Scored:
    """Rounds that are played, the score that they begin with, and how both sides go on after them (for odds)."""

    rounds: tuple[Round, ...]
    score: Score = (0, 0)
    later: Round | None = None


def points(rank: int, winner: str, loser: str, rule: ScoredRule = FIRST.scored) -> int:
    """Resolution points of a won round from its rank and both tactics, never under 0 (QW-43, QW-44).

    >>> points(2, "risky", "normal"), points(2, "normal", "risky"), points(2, "risky", "risky")
    (3, 4, 4)
    """
    gained = rank
    if winner == loser == "risky":
        gained += rule.both_gambits
    else:
        gained += rule.gambit_won * (winner == "risky") + rule.gambit_lost * (loser == "risky")
    gained -= rule.defence_won * (winner == "defensive") + rule.defence_lost * (loser == "defensive")
    return max(0, gained)


def added(
    lead: int, rank: int, tactics: tuple[str, str], rule: ScoredRule = FIRST.scored,
    aims: tuple[bool, bool] = (False, False),
) -> Score:
    """What a round adds to both sides' points (QW-43, QW-44, QW-46), the first side's first.

    In: which side leads (1, 0, −1) by which rank, the tactic of each, and who of them is after something else, which
    adds nothing to the one who wins it.

    >>> added(-1, 2, ("risky", "normal")), added(1, 2, ("normal", "normal"), aims=(True, False))
    ((0, 4), (0, 0))
    """
    winner, loser = int(lead < 0), int(lead > 0)
    if not lead or aims[winner]:
        return 0, 0
    gets = points(rank, tactics[winner], tactics[loser], rule)
    return (gets, 0) if lead > 0 else (0, gets)


def gained(turn: Round, clash: Clash, rule: ScoredRule = FIRST.scored) -> Score:
    """What a round of the contract adds: something else than the prize is the player's to be after."""
    return added(clash.lead, clash.rank, (turn.tactic, turn.opponent), rule, (turn.asymmetrical, False))


def outcome_of(score: Score, rule: ScoredRule = FIRST.scored) -> str | None:
    """`victory` or `defeat` once a side has as many points as win, None before."""
    return "victory" if score[0] >= rule.to_win else "defeat" if score[1] >= rule.to_win else None


def result_of(score: Score, rule: ScoredRule = FIRST.scored) -> dict[str, Value]:
    """The contract's fields: the player's points first."""
    outcome = outcome_of(score, rule)
    return {"score": list(score), "over": outcome is not None, "outcome": outcome}


class ScoredContest(MoveKind[Scored]):
    """Rounds of simple contests in a row. Rounds that are named after the end do not take place.

    >>> kind = ScoredContest()
    >>> kind.resolve(kind.read({"ability": 17, "resistance": 14, "rounds": [{}]}), [3, 16]).result["score"]
    [2, 0]
    """

    name = "questworlds.scored_contest"
    title = "Scored contest"
    fields = (
        ABILITY, MODIFIERS, RESISTANCE,
        Listing(name="rounds", label="Rounds", default=(), most=30, of=Group(name="round", label="Round", fields=(
            Choice(name="tactic", label="The player’s tactic", options=TACTICS, default="normal"),
            Choice(name="opponent", label="The opponent’s tactic", options=TACTICS, default="normal"),
            Flag(name="asymmetrical", label="After something else", help="Winning the round scores nothing."),
            ScoreField(name="ability", label="Ability of this round", default=None, may_lack=True),
            ScoreField(name="resistance", label="Resistance of this round", default=None, may_lack=True),
            Listing(name="modifiers", label="Modifiers of this round", default=None, most=40, of=MODIFIERS.of),
            STORY_POINT,
        ))),
        Listing(name="score", label="The score it begins with", default=(0, 0), most=2, of=Whole(
            name="points", label="Points", most=100), help="The player’s points, then the resistance’s."),
        Group(name="plan", label="How both sides go on", default=None, help="For the odds of the whole contest.",
              fields=(Choice(name="player", label="The player", options=TACTICS, default="normal"),
                      Choice(name="resistance", label="The resistance", options=TACTICS, default="normal"))),
    )

    def __init__(self, edition: Edition = FIRST) -> None:
        self.edition = edition

    def build(self, **values: Any) -> Scored:
        if len(values["score"]) != 2:
            raise BadMove("Enter two scores: the player’s, then the resistance’s.", "score")
        rounds, plan = [], values["plan"] or {"player": "normal", "resistance": "normal"}
        for round_ in values["rounds"]:
            # What a round does not say stays as the contest began.
            own = {name: values[name] if round_[name] is None else round_[name]
                   for name in ("ability", "modifiers", "resistance")}
            terms = Terms(**own, story_points=(round_["story_point"], False), edition=self.edition)
            rounds.append(Round(terms, round_["tactic"], round_["opponent"], round_["asymmetrical"]))
        first = Terms(values["ability"], values["modifiers"], values["resistance"], edition=self.edition)
        return Scored(tuple(rounds), values["score"], Round(first, plan["player"], plan["resistance"]))

    def resolve(self, move: Scored, faces: Sequence[int]) -> Outcome | Need:
        rule, score, used = self.edition.scored, move.score, 0
        steps: list[Step] = []
        rounds: list[Value] = []
        for number, round_ in enumerate(move.rounds, 1):
            if outcome_of(score, rule):
                steps.append(Step("QW-43", "The contest is over; the rounds named after it do not take place."))
                break
            if len(faces) < used + 2:
                return Need((SIDES,) * (used + 2 - len(faces)))
            clash = round_.terms.clash((faces[used], faces[used + 1]))
            used += 2
            more = gained(round_, clash, rule)
            score = (score[0] + more[0], score[1] + more[1])
            rounds.append({"outcome": clash.outcome, "rank": clash.rank, "points": list(more)})
            start = f"Round {number}: "
            steps += [Step(step.rule, start + step.text[0].lower() + step.text[1:]) for step in round_.terms.steps()]
            steps += [*clash.steps(start), *_round_steps(round_, clash, start, rule)]
            steps.append(Step("QW-43", f"{start}the score is {score[0]} to {score[1]}."))
        if len(faces) > used:
            raise BadMove(f"Enter {used} dice; there are {len(faces)}.", "dice")
        if outcome := outcome_of(score, rule):
            winner = "the player" if outcome == "victory" else "the resistance"
            steps.append(Step("QW-43", f"{rule.to_win} points: {winner} wins the contest."))
        return Outcome({**result_of(score, rule), "rounds": rounds}, tuple(steps), drawn(faces))

    def odds(self, move: Scored, of: str) -> dict[Face, Fraction]:
        """The chances of `over`, `outcome` and `score` (written `[5, 2]`) after these rounds, and of the `winner`.

        The winner is that of the whole contest, `player` or `resistance`, with both going on as they plan to.
        """
        if of not in ("over", "outcome", "score", "winner"):
            raise BadMove("Ask for over, outcome, score or winner.", "of")
        rule = self.edition.scored
        ways: Counter[Score] = Counter({move.score: 1})
        for round_ in move.rounds:
            adds, following = adds_of(round_, rule), Counter[Score]()
            for score, number in ways.items():
                if outcome_of(score, rule):
                    following[score] += number * SIDES * SIDES
                    continue
                for more, times in adds.items():
                    following[score[0] + more[0], score[1] + more[1]] += number * times
            ways = following
        if of == "winner" and move.later:
            return winner_from(chances(ways), adds_of(move.later, rule), rule)
        counts: Counter[Face] = Counter()
        for score, number in ways.items():
            value = outcome_of(score, rule) if of == "outcome" else outcome_of(score, rule) is not None
            counts[json.dumps(list(score)) if of == "score" else value] += number
        return chances(counts)


def adds_of(round_: Round, rule: ScoredRule) -> Counter[Score]:
    """In how many of the throws of a round each side's points grow by so much."""
    return adds_by(leads(round_.terms), (round_.tactic, round_.opponent), rule, (round_.asymmetrical, False))


def adds_by(
    ways: Mapping[tuple[int, int], int], tactics: tuple[str, str], rule: ScoredRule,
    aims: tuple[bool, bool] = (False, False),
) -> Counter[Score]:
    """The same from who leads by which rank in how many throws, and how both go about it."""
    adds: Counter[Score] = Counter()
    for (lead, rank), times in ways.items():
        adds[added(lead, rank, tactics, rule, aims)] += times
    return adds


def winner_from(start: Mapping[Score, Fraction], adds: Mapping[Score, int], rule: ScoredRule) -> dict[Face, Fraction]:
    """Who wins from these scores, when each round adds so and those that move nothing are played again."""
    wins = to_win(adds, lambda score, more: outcome_of(score, rule))
    if not any(map(any, adds)) and not all(outcome_of(score, rule) for score in start):
        raise BadMove("Neither side can score a point so: it never ends. Choose other tactics.", "plan")
    chance = sum((wins(score, (0, 0)) * likely for score, likely in start.items()), Fraction(0))
    return {"player": chance, "resistance": 1 - chance}


def to_win(
    adds: Mapping[Score, int], over: Callable[[Score, Score], str | None]
) -> Callable[[Score, Score], Fraction]:
    """Answers the first side's chance to win from a score, of which so much was just added.

    In: in how many throws each later round adds what (those that move nothing are played again), and whether it is
    over with a score, by what came last. Points only grow, so that it ends, where a round can add any.
    """
    moves = {more: times for more, times in adds.items() if any(more)}
    whole = sum(moves.values())
    known: dict[Score, Fraction] = {}

    def wins(score: Score, more: Score) -> Fraction:
        if outcome := over(score, more):
            return Fraction(outcome == "victory")
        if score not in known:
            known[score] = sum((wins((score[0] + ours, score[1] + theirs), (ours, theirs)) * times
                                for (ours, theirs), times in moves.items()), Fraction(0)) / whole
        return known[score]

    return wins


def _round_steps(round_: Round, clash: Clash, start: str, rule: ScoredRule) -> tuple[Step, ...]:
    if clash.lead > 0 and round_.asymmetrical:
        return (Step("QW-46", f"{start}the player gets what the round was about, and no points."),)
    names = ("the player", "the resistance")
    return round_steps(clash, (round_.tactic, round_.opponent), rule, names, start=start)


def round_steps(
    clash: Clash, tactics: tuple[str, str], rule: ScoredRule, names: tuple[str, str], *, start: str = "",
    so_far: str = "",
) -> tuple[Step, ...]:
    """What a round for the prize comes to: what tactics add or take, and who scores (QW-43, QW-44).

    `start` goes before each sentence, `so_far` ends the last one.
    """
    if not clash.lead:
        return (step("QW-43", start, "a tie changes nothing."),)
    won = clash.lead > 0
    words = tactics_said(*(tactics if won else tactics[::-1]), rule)
    gets = sum(added(clash.lead, clash.rank, tactics, rule))
    scores = Step("QW-43", f"{start}{names[not won]} scores {gets}{so_far}.")
    return (step("QW-44", start, f"{words}."), scores) if words else (scores,)


def tactics_said(winner: str, loser: str, rule: ScoredRule) -> str:
    """What both tactics add or take, in words; "" where they change nothing (QW-44)."""
    parts = []
    if winner == loser == "risky":
        parts.append(f"both gambled, which adds {rule.both_gambits} for the winner")
    elif winner == "risky":
        parts.append(f"the winner’s gambit adds {rule.gambit_won}")
    elif loser == "risky":
        parts.append(f"the loser’s gambit adds {rule.gambit_lost}")
    if winner == "defensive":
        parts.append(f"the winner’s defence takes {rule.defence_won} off")
    if loser == "defensive":
        parts.append(f"the loser’s defence takes {rule.defence_lost} off")
    return "; ".join(parts)
