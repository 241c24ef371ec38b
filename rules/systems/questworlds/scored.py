"""The scored contest: rounds until one side has five resolution points (QW-43, QW-44, QW-46)."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.fields import Choice, Flag, Group, Listing
from rules.moves import Face, MoveKind, Need, Outcome, Step
from rules.odds import chances
from rules.systems.questworlds.contest import ABILITY, MODIFIERS, RESISTANCE, STORY_POINT, Terms, drawn
from rules.systems.questworlds.notation import ScoreField
from rules.systems.questworlds.roll import SIDES, Clash, throws
from rules.values import BadMove, Value

TO_WIN = 5
TACTICS = (("normal", "As ever"), ("risky", "A risky gambit"), ("defensive", "A defensive response"))
FOR_GAMBIT_WON, FOR_GAMBIT_LOST, FOR_BOTH_GAMBITS = 1, 2, 2
OFF_DEFENCE_WON, OFF_DEFENCE_LOST = 1, 2

Score = tuple[int, int]


@dataclass(frozen=True)
class Round:
    """One round: what it is rolled with, each side's tactic, and whether the player is after something else."""

    terms: Terms
    tactic: str = "normal"
    opponent: str = "normal"
    asymmetrical: bool = False


def points(rank: int, winner: str, loser: str) -> int:
    """Resolution points of a won round from its rank and both tactics, never under 0 (QW-43, QW-44).

    >>> points(2, "risky", "normal"), points(2, "normal", "risky"), points(2, "risky", "risky")
    (3, 4, 4)
    """
    gained = rank
    if winner == loser == "risky":
        gained += FOR_BOTH_GAMBITS
    else:
        gained += FOR_GAMBIT_WON * (winner == "risky") + FOR_GAMBIT_LOST * (loser == "risky")
    gained -= OFF_DEFENCE_WON * (winner == "defensive") + OFF_DEFENCE_LOST * (loser == "defensive")
    return max(0, gained)


def gained(each: Round, clash: Clash) -> Score:
    """What a round adds to both sides' points; an asymmetrical one that the player wins adds none (QW-46)."""
    if clash.lead > 0:
        return (0 if each.asymmetrical else points(clash.rank, each.tactic, each.opponent)), 0
    if clash.lead < 0:
        return 0, points(clash.rank, each.opponent, each.tactic)
    return 0, 0


def outcome_of(score: Score) -> str | None:
    """`victory` or `defeat` once a side has five points, None before."""
    return "victory" if score[0] >= TO_WIN else "defeat" if score[1] >= TO_WIN else None


def result_of(score: Score) -> dict[str, Value]:
    """The contract's fields: the player's points first."""
    return {"score": list(score), "over": outcome_of(score) is not None, "outcome": outcome_of(score)}


class ScoredContest(MoveKind[tuple[Round, ...]]):
    """Rounds of simple contests in a row. Rounds that are named after the end do not take place.

    >>> kind = ScoredContest()
    >>> kind.resolve(kind.read({"ability": 17, "resistance": 14, "rounds": [{}]}), [3, 16]).result["score"]
    [2, 0]
    """

    name = "questworlds.scored_contest"
    title = "Scored contest"
    fields = (
        ABILITY, MODIFIERS, RESISTANCE,
        Listing(name="rounds", label="Rounds", most=30, of=Group(name="round", label="Round", fields=(
            Choice(name="tactic", label="The player's tactic", options=TACTICS, default="normal"),
            Choice(name="opponent", label="The opponent's tactic", options=TACTICS, default="normal"),
            Flag(name="asymmetrical", label="After something else", help="Winning the round scores nothing."),
            ScoreField(name="ability", label="Ability of this round", default=None, may_lack=True),
            ScoreField(name="resistance", label="Resistance of this round", default=None, may_lack=True),
            Listing(name="modifiers", label="Modifiers of this round", default=None, most=40, of=MODIFIERS.of),
            STORY_POINT,
        ))),
    )

    def build(self, **values: Any) -> tuple[Round, ...]:
        rounds = []
        for each in values["rounds"]:
            # What a round does not say stays as the contest began.
            own = {name: values[name] if each[name] is None else each[name]
                   for name in ("ability", "modifiers", "resistance")}
            terms = Terms(**own, story_points=(each["story_point"], False))
            rounds.append(Round(terms, each["tactic"], each["opponent"], each["asymmetrical"]))
        return tuple(rounds)

    def resolve(self, move: tuple[Round, ...], faces: Sequence[int]) -> Outcome | Need:
        score, used = (0, 0), 0
        steps: list[Step] = []
        rounds: list[Value] = []
        for number, each in enumerate(move, 1):
            if outcome_of(score):
                steps.append(Step("QW-43", "The contest is over; the rounds named after it do not take place."))
                break
            if len(faces) < used + 2:
                return Need((SIDES,) * (used + 2 - len(faces)))
            clash = each.terms.clash((faces[used], faces[used + 1]))
            used += 2
            more = gained(each, clash)
            score = (score[0] + more[0], score[1] + more[1])
            rounds.append({"outcome": clash.outcome, "rank": clash.rank, "points": list(more)})
            start = f"Round {number}: "
            steps += [Step(step.rule, start + step.text[0].lower() + step.text[1:]) for step in each.terms.steps()]
            steps += [*clash.steps(start), *_told(each, clash, more, start)]
            steps.append(Step("QW-43", f"{start}the score is {score[0]} to {score[1]}."))
        if len(faces) > used:
            raise BadMove(f"Give {used} dice; there are {len(faces)}.", "dice")
        if outcome := outcome_of(score):
            steps.append(Step("QW-43", f"Five points: {'the player' if outcome == 'victory' else 'the resistance'} "
                                       "wins the contest."))
        return Outcome({**result_of(score), "rounds": rounds}, tuple(steps), drawn(faces))

    def odds(self, move: tuple[Round, ...], of: str) -> dict[Face, Fraction]:
        """The chances of `over`, `outcome` and `score` (written `[5, 2]`) after these rounds."""
        if of not in ("over", "outcome", "score"):
            raise BadMove("Ask for over, outcome or score.", "of")
        ways: Counter[Score] = Counter({(0, 0): 1})
        for each in move:
            adds: Counter[Score] = Counter()
            sides = each.terms.clash((1, 1))
            for ours, theirs, times in throws(sides.player.target, sides.resistance.target):
                adds[gained(each, each.terms.clash((ours, theirs)))] += times
            following: Counter[Score] = Counter()
            for score, number in ways.items():
                if outcome_of(score):
                    following[score] += number * SIDES * SIDES
                    continue
                for more, times in adds.items():
                    following[score[0] + more[0], score[1] + more[1]] += number * times
            ways = following
        told: Counter[Face] = Counter()
        for score, number in ways.items():
            value = outcome_of(score) if of == "outcome" else outcome_of(score) is not None
            told[json.dumps(list(score)) if of == "score" else value] += number
        return chances(told)


def _told(each: Round, clash: Clash, more: Score, start: str) -> list[Step]:
    if not clash.lead:
        return [Step("QW-43", f"{start}a tie changes nothing.")]
    won = clash.lead > 0
    if won and each.asymmetrical:
        return [Step("QW-46", f"{start}the player gets what the round was about, and no points.")]
    winner, loser = (each.tactic, each.opponent) if won else (each.opponent, each.tactic)
    who = "the player" if won else "the resistance"
    told = []
    if winner == loser == "risky":
        told.append(f"both gambled, which adds {FOR_BOTH_GAMBITS} for the winner")
    elif winner == "risky":
        told.append(f"the winner's gambit adds {FOR_GAMBIT_WON}")
    elif loser == "risky":
        told.append(f"the loser's gambit adds {FOR_GAMBIT_LOST}")
    if winner == "defensive":
        told.append(f"the winner's defence takes {OFF_DEFENCE_WON} off")
    if loser == "defensive":
        told.append(f"the loser's defence takes {OFF_DEFENCE_LOST} off")
    steps = [Step("QW-44", f"{start}{'; '.join(told)}.")] if told else []
    return [*steps, Step("QW-43", f"{start}{who} scores {sum(more)}.")]
