"""The numbers of an edition of QuestWorlds, as values: a campaign is played by one of them from its first entry on.

Another edition is another `Edition` in `EDITIONS`; no module asks which one it has. Where editions differ in more than
numbers (how results are counted, what a long contest is made of), the value names the way, and the module that goes it
looks the name up.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rules.values import BadMove

Whole = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """How two rolls are read and compared (QW-10 to QW-14).

    `counting` names the way. The number that an outcome is known by is 0 for a tie, else 1 for the better die and one
    more for each level: what long contests, goals and consequences are counted with.
    """

    counting: Literal["ladder_of_results"] = "ladder_of_results"
    fumble_on: int = 20  # this face is the worst result, unless it is the target number
    no_ability: int = 6  # the score where no ability fits (QW-06)
    negative_mastery_helps: bool = True  # a resistance below 1 bumps the other side up (QW-40)
    points_a_roll: int = 1  # story points that one side may spend on a roll (QW-12)


@dataclass(frozen=True, slots=True)
class Modifiers:
    """What may be added to a score, or taken off (QW-02, QW-21 to QW-23, QW-28)."""

    ladder: Whole = (0, 3, 6, 9, 20, 40)  # what each rank adds; below zero it is the same, taken off
    default_stretch: int = -6
    stretch: Whole = (-6, -3, -9)  # as they are offered
    stretch_bumps: bool = True  # whether a stretch may be a bump down instead
    situation: Whole = (3, 6, -3, -6)
    plot: Whole = (3, 6, 9, 20)
    community: Whole = (0, 3, 6, 9, 20, -3, -6, -9)
    augment: Whole = (3, 6)
    hindrance: Whole = (3, 6)
    at_once: tuple[tuple[str, int], ...] = (("bodies", 6), ("words", 2))  # how many can get at one of the others

    @property
    def highest_rank(self) -> int:
        """The last step of the ladder."""
        return len(self.ladder) - 1

    def of_rank(self, rank: int) -> int:
        """What a rank adds, or takes off where it is below 0; raises `BadMove` past the ends of the ladder."""
        if abs(rank) > self.highest_rank:
            raise BadMove(f"A rank is from −{self.highest_rank} to +{self.highest_rank}.", "rank")
        return self.ladder[rank] if rank >= 0 else -self.ladder[-rank]

    def held(self, rank: int) -> int:
        """The nearest rank that is on the ladder."""
        return max(-self.highest_rank, min(self.highest_rank, rank))

    def rank_of(self, value: int) -> int | None:
        """The rank that adds this much; None where no rank does."""
        if abs(value) not in self.ladder:
            return None
        rank = self.ladder.index(abs(value))
        return rank if value >= 0 else -rank


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard things are: the base resistance and its table (QW-03, QW-04)."""

    base: int = 14
    least: int = 6  # of a resistance that a rank makes; below 1 is what nothing resists (QW-40)
    least_base: int = 6
    highest_base: int = 80  # that of the last season that anybody will play
    rises: Whole = (3, 6, 9)  # what the base may rise by from one season to the next
    # *Ruling*: moderate is rank 0, and each name is one rank from the next.
    names: tuple[tuple[str, int], ...] = (
        ("rock-bottom", -4), ("tiny", -3), ("very low", -2), ("low", -1), ("moderate", 0), ("raised", 1), ("high", 2),
        ("very high", 3), ("huge", 4), ("extreme", 5),
    )
    assured_below: int = 1

    def rank_named(self, name: str) -> int | None:
        """The rank of a name; None for a name that is not known."""
        return dict(self.names).get(name)


@dataclass(frozen=True, slots=True)
class SidekickRule:
    """What a sidekick begins with (QW-75)."""

    starts: Whole = (16, 13, 13)
    points: int = 15
    most_on_one: int = 10

    @property
    def later(self) -> int:
        """Where any further ability would start."""
        return self.starts[-1]


@dataclass(frozen=True, slots=True)
class Creation:
    """What a character begins with (QW-70 to QW-74)."""

    abilities: int = 12
    flaws: int = 3
    points: int = 20
    most_on_one: int = 10
    defining: int = 17
    characteristic: int = 17
    other: int = 13
    breakout: int = 1  # a bonus on its keyword, like the next
    characteristic_breakout: int = 4
    prose_words: int = 100
    sidekick: SidekickRule = SidekickRule()

    def flaw_score(self, number: int, abilities: tuple[int, ...]) -> int:
        """The score of the first, second, later flaw from those of all abilities: the highest, the second, the lowest.

        >>> [Creation().flaw_score(number, (17, 20, 13, 13)) for number in (1, 2, 3, 4)]
        [20, 17, 13, 13]
        """
        ordered = sorted(abilities, reverse=True)
        return ordered[min(number, len(ordered)) - 1] if number <= 2 else ordered[-1]


@dataclass(frozen=True, slots=True)
class GrowthRule:
    """What experience is worth (QW-80 to QW-83). Of two numbers the second is a keyword's."""

    most_a_session: int = 5
    advance: int = 10  # experience for an advance, unless the campaign says otherwise
    raise_more: tuple[int, int] = (9, 6)
    raise_less: tuple[int, int] = (6, 3)
    new_ability: int = 13
    new_breakout: int = 1
    catch_up: int = 3  # what rises after a mastery was crossed, by how much, from how far below, how many
    catch_up_behind: int = 5
    catch_up_most: int = 3
    directed: Whole = (3, 6, 9)


@dataclass(frozen=True, slots=True)
class StoryPointRule:
    """What story points cost, and how many there are (QW-90, QW-91)."""

    each: int = 1  # for each player's character, unless the campaign says otherwise
    most_each: int = 5
    edits: tuple[tuple[str, int], ...] = (("marginal", 1), ("minor", 2), ("major", 3))


@dataclass(frozen=True, slots=True)
class ScoredRule:
    """Resolution points (QW-43, QW-44)."""

    to_win: int = 5
    gambit_won: int = 1
    gambit_lost: int = 2
    both_gambits: int = 2
    defence_won: int = 1
    defence_lost: int = 2


@dataclass(frozen=True, slots=True)
class BidRule:
    """Advantage points (QW-51). `transfer` names what lets a winner take what the other loses."""

    bid: int = 3  # where nothing is said
    transfer: Literal["critical_result"] = "critical_result"


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of the rules. `key` is what a campaign and each of its entries keep."""

    key: str
    label: str
    resolution: Resolution = Resolution()
    modifiers: Modifiers = Modifiers()
    difficulty: Difficulty = Difficulty()
    creation: Creation = Creation()
    growth: GrowthRule = GrowthRule()
    story_points: StoryPointRule = StoryPointRule()
    scored: ScoredRule = ScoredRule()
    bids: BidRule = BidRule()
    community: Whole = (4, 3, 2, 1, 0)  # the ranks of a community's resources (QW-92)


FIRST = Edition("questworlds 0.51", "SRD 0.51")

EDITIONS: Mapping[str, Edition] = {edition.key: edition for edition in (FIRST,)}


def edition_named(key: str) -> Edition:
    """The edition of this key; raises `BadMove`."""
    if key not in EDITIONS:
        raise BadMove(f"There is no edition {key!r}; there are: {', '.join(EDITIONS)}.", "edition")
    return EDITIONS[key]
