"""What a campaign of PDQ can set, and what a conflict keeps of it in its first event."""
from __future__ import annotations

from dataclasses import dataclass

from rules.fields import Choice, Flag, Whole
from rules.settings import setting


@dataclass(frozen=True)
class Settings:
    """All of them, in the order in which the campaign's page asks."""

    strength_ranks: int = setting(Whole(
        name="strength_ranks", label="Ranks of strengths", default=4, least=1, most=30,
        help="What a new character spreads over strengths: Good costs one, Expert two, Master three."))
    weakness_ranks: int = setting(Whole(
        name="weakness_ranks", label="Weaknesses", default=1, least=0, most=10,
        help="How many poor qualities a new character has."))
    defence: str = setting(Choice(
        name="defence", label="Defence", default="roll",
        help="A target number is quicker: only the attacker rolls.",
        options=(("roll", "The defender rolls"), ("stand", "The defender uses a target number"))))
    ties: str = setting(Choice(
        name="ties", label="Equal initiative", default="together", help="What happens when two are equally quick.",
        options=(("together", "Act at the same moment"), ("roll", "Roll a die for it"))))
    weapons: bool = setting(Flag(
        name="weapons", label="Weapons add 2 damage", default=False,
        help="An attacker says so with each attack; the GM may undo it."))
    killing: str = setting(Choice(
        name="killing", label="When is killing decided?", default="free",
        options=(("free", "Later: a free action against someone already out"),
                 ("asked", "At the start: everyone states their intent"))))
    players_kill: bool = setting(Flag(
        name="players_kill", label="Players can kill without asking you", default=False,
        help="Otherwise you answer each killing with one tap."))
    ranges: bool = setting(Flag(
        name="ranges", label="Range and movement in yards", default=False,
        help="Track distances in yards, so everyone knows who is in reach."))


@dataclass(frozen=True)
class ConflictSettings:
    """Those that a conflict reads, what its damage means, and whether the unaware are met by a free round."""

    danger: str = "momentary"  # or `continuing`: how damage recovers afterwards (PQ-18)
    harm: str = "damage"  # or `failure`: what a lowered rank stands for
    ties: str = "together"  # or `roll` (PQ-11)
    defence: str = "roll"  # or `stand` (PQ-13)
    weapons: bool = False
    killing: str = "free"  # or `asked` (PQ-17)
    ranges: bool = False
    free_round: bool = False
    players_kill: bool = True  # whether a player's press kills, as it once always did (PQ-17)
