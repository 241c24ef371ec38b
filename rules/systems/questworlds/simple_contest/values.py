"""What the events of a simple contest keep: its options, who uses what, what stands against them, what counts."""
from __future__ import annotations

from dataclasses import dataclass

from rules.systems.questworlds.reckoning import Modifier

OF_AN_APPROACH = ("stretch", "hindrance")  # kinds of modifier that were for one approach, and for no other


@dataclass(frozen=True)
class ContestOptions:
    """The campaign's settings as the contest began with them, and the words that open the frame."""

    mode: str = "one"  # or `pair`, `group`, `flaw`
    base: int = 14
    symbol: str = "M"
    tie_to_player: bool = False
    by_value: bool = False  # how consequences and benefits stack
    counts: bool = True  # whether experience is counted
    prize: str = ""
    obstacle: str = ""
    players: tuple[str, ...] = ()  # the player characters: they learn
    thresholds: tuple[tuple[str, int], ...] = ()  # scores that certain uses take, as (name, score) (QW-30)
    packages: bool = False  # whether what stands in a keyword is an ability of its own (QW-73)
    older: tuple[str, ...] = ()  # the older options that it began with


@dataclass(frozen=True)
class Chosen:
    """What somebody uses, and how. `score` is None where no ability fits (QW-06)."""

    tactic: str
    trait: str = ""
    name: str = ""
    score: int | None = None
    family: str = ""  # the keyword that it is or stands in
    second: str = ""  # another ability that is needed too (QW-26)
    second_score: int | None = None
    second_trait: str = ""
    second_family: str = ""
    goal: str = ""  # a second goal of one's own, where two players stand against each other (QW-27)

    @property
    def used(self) -> tuple[str, ...]:
        """What is used, by line; what was made up for it, or is a force's, by its name."""
        both = self.trait or self.name, self.second_trait or self.second
        return tuple(line for line in both if line)


@dataclass(frozen=True)
class Opposition:
    """What stands against one ("" for all), and what is at stake."""

    who: str
    name: str
    resistance: int
    told: str = ""  # how the number came: "high, rank 2"
    stake: str = ""
    ending: bool = False  # a story may end here (QW-63)
    tie_to_player: bool = False
    assured: str = ""  # or `won` without a roll, `rolled` for what else comes of it (QW-40)
    least: int | None = None  # a use that asks for a score (QW-30)
    second_prize: str = ""  # a secondary goal (QW-27)
    heals: str = ""  # the consequence that victory removes (QW-62)
    flaw: str = ""  # the flaw that is acted against (QW-24)
    flaw_name: str = ""
    crowd: int = 0  # what the heads on both sides make of the resistance; it is in it already (QW-28)
    heads: str = ""  # how they divide: "3 of them on each"
    rival: str = ""  # another one who contends, on the other side, in the place of a resistance (QW-42)
    rouses: str = ""  # the dying line of whoever contends: a contest of wherewithal (QW-A6)
    announced: bool = False  # whether the players know before the roll that it is assured (QW-40)
    npc: str = ""  # the sheet of the NPC whose ability the resistance is
    line: str = ""  # that ability; "" for their base


@dataclass(frozen=True)
class OwnRoll:
    """The dice of a contest that an augment or a flaw has of its own lie, and a story point would turn it (QW-12).

    `who` may spend it. `trait`, called `name`, rolls `score` for `whom`; what it comes to is `amount`.
    """

    kind: str  # `augment` or `hindrance`
    who: str
    whom: str
    trait: str
    name: str
    score: int | None
    amount: int
    reason: str
    place: int  # the proposal's, −1 for a flaw
    ours: int
    theirs: int
    counts: tuple[Modifier, ...] = ()  # what lasts and touches it


@dataclass(frozen=True)
class Mass:
    """Forces clash, and this is what those who contend are in it: `decides`, `contributes` or `suffers` (QW-29).

    Who contributes rolls the force's number; who suffers knows how the whole of it goes.
    """

    role: str
    force: str = ""
    score: int = 0
    fate: str = ""


@dataclass(frozen=True)
class Outcome:
    """How it came out for one."""

    who: str
    outcome: str
    rank: int
    ours: str
    theirs: str
    degree: int = 0  # by degrees: 1 marginal to 4 complete, below 0 a defeat (QW-A1)
