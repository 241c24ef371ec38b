"""The group simple contest: each rolls, and the side with more victories wins (QW-42)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.fields import Flag, Group, Listing
from rules.moves import Face, MoveKind, Need, Outcome, Step
from rules.odds import chances
from rules.systems.questworlds.contest import ABILITY, MODIFIERS, RESISTANCE, STORY_POINT, Terms, drawn
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.notation import ScoreField
from rules.systems.questworlds.roll import SIDES
from rules.values import BadMove

WORDS = {1: "victory", 0: "tie", -1: "defeat"}


def lead_of(ours: int, theirs: int, tie_to_player: bool) -> int:
    """1 where the group wins, -1 where what stands against it does.

    *Ruling*: as many victories on both sides go to the players where each tie does.
    """
    return (ours > theirs) - (ours < theirs) or int(tie_to_player)


@dataclass(frozen=True)
class Members:
    """The contests of a group, one for each who takes part."""

    contests: tuple[Terms, ...]
    tie_to_player: bool = False


class GroupContest(MoveKind[Members]):
    """Several abilities against one resistance, or each against its own; two dice for each, in their order.

    >>> kind = GroupContest()
    >>> given = {"resistance": 14, "contestants": [{"ability": 17}, {"ability": "2M"}, {}]}
    >>> kind.resolve(kind.read(given), [3, 16, 5, 18, 20, 2]).result["victories"]
    [2, 1]
    """

    name = "questworlds.group_contest"
    title = "Group simple contest"
    fields = (
        RESISTANCE,
        Listing(name="contestants", label="Participants", default=(), most=12, of=Group(
            name="contestant", label="One of them", fields=(
                ABILITY, MODIFIERS,
                ScoreField(name="resistance", label="A resistance of their own", default=None, may_lack=True),
                STORY_POINT,
            ))),
        Flag(name="tie_to_player", label="A tie goes to the player", help="For a contest that knows no middle."),
    )

    def __init__(self, edition: Edition = FIRST) -> None:
        self.edition = edition

    def build(self, **values: Any) -> Members:
        if not values["contestants"]:
            raise BadMove("Name at least one who takes part.", "contestants")
        return Members(tuple(
            Terms(contestant["ability"], contestant["modifiers"],
                  values["resistance"] if contestant["resistance"] is None else contestant["resistance"],
                  story_points=(contestant["story_point"], False), tie_to_player=values["tie_to_player"],
                  edition=self.edition)
            for contestant in values["contestants"]), values["tie_to_player"])

    def resolve(self, move: Members, faces: Sequence[int]) -> Outcome | Need:
        wanted = 2 * len(move.contests)
        if len(faces) < wanted:
            return Need((SIDES,) * (wanted - len(faces)))
        if len(faces) > wanted:
            raise BadMove(f"Enter {wanted} dice; there are {len(faces)}.", "dice")
        steps: list[Step] = []
        clashes = [contest.clash((faces[2 * at], faces[2 * at + 1])) for at, contest in enumerate(move.contests)]
        for number, (terms, clash) in enumerate(zip(move.contests, clashes, strict=True), 1):
            steps += [*terms.steps(), *clash.steps(f"Contest {number}: ")]
        won = [clash.outcome for clash in clashes]
        ours, theirs = won.count("victory"), won.count("defeat")
        outcome = WORDS[lead_of(ours, theirs, move.tie_to_player)]
        steps.append(Step("QW-42", f"Victories: {ours} to {theirs}, which is a {outcome} of the group."))
        return Outcome({
            "contests": [{"outcome": clash.outcome, "rank": clash.rank} for clash in clashes],
            "victories": [ours, theirs], "outcome": outcome,
        }, tuple(steps), drawn(faces))

    def odds(self, move: Members, of: str) -> dict[Face, Fraction]:
        """The chances of the group's `outcome`: victory, tie, defeat."""
        if of != "outcome":
            raise BadMove("Ask for the outcome.", "of")
        counts: Counter[tuple[int, int]] = Counter({(0, 0): 1})
        for terms in move.contests:
            outcomes: Counter[str] = Counter()
            for ours, theirs, ways in terms.clash((1, 1)).throws():
                outcomes[terms.clash((ours, theirs)).outcome] += ways
            further: Counter[tuple[int, int]] = Counter()
            for (won, lost), ways in counts.items():
                for outcome, more in outcomes.items():
                    further[won + (outcome == "victory"), lost + (outcome == "defeat")] += ways * more
            counts = further
        by_lead: Counter[Face] = Counter()
        for (won, lost), ways in counts.items():
            by_lead[WORDS[lead_of(won, lost, move.tie_to_player)]] += ways
        return chances(by_lead)
