"""The moves of the table: what a set of each height accomplishes (DW-16)."""
from __future__ import annotations

from dataclasses import dataclass

from rules.systems.danger_world.track import BASHED, INJURED, KNOCKED_OUT, STUNNED, Zone
from rules.values import BadMove


@dataclass(frozen=True)
class Accomplishments:
    """A move: a name, whether anybody has it, and what each height from 2 to 6 does."""

    name: str
    general: bool
    by_height: tuple[str, str, str, str, str]

    def at(self, height: int) -> str:
        """What this height accomplishes; raises `BadMove` for a height that is not on the table."""
        if not 2 <= height <= 6:
            raise BadMove("A height is from 2 to 6.", "height")
        return self.by_height[height - 2]


FIGHTING = Accomplishments("Fighting", True, (
    "a hireling or a lesser foe is beaten", "an ordinary foe is beaten", "a leader or a foe with a name is beaten",
    "the strongest foe of the place is beaten", "a foe that a whole campaign turns on is beaten"))
DEFY_DANGER = Accomplishments("Defy danger", True, (
    "a stumble is caught in time", "harm is dodged", "a trap that was meant to kill is left behind",
    "a way out where nobody sees one", "through the middle of a catastrophe, standing"))
AID_ANOTHER = Accomplishments("Aid another", True, (
    "the other one gets 2 bonus dice", "the other one gets 3 bonus dice", "the other one gets 4 bonus dice",
    "the other one gets 5 bonus dice", "the other one gets 6 bonus dice"))
SPOUT_LORE = Accomplishments("Spout lore", True, (
    "what people say about it", "what a student of it would know", "something useful that few know",
    "a weakness or a secret", "what was thought to be forgotten"))
DISCERN_REALITIES = Accomplishments("Discern realities", True, (
    "a detail out of place", "what happened here", "what is about to happen", "who is behind it",
    "the whole of it, laid open"))
PARLEY = Accomplishments("Parley", True, (
    "a small favour", "a fair exchange", "help that costs the other one something", "a change of sides",
    "a sworn enemy gives way"))
HEALING = Accomplishments("Healing", False, (
    "pain eases, without a box cleared", "a bashed box is cleared", "a stunned box is cleared",
    "an injured box, or the one for being knocked out, is cleared", "a wonder, without a box cleared"))
TELEPORTATION = Accomplishments("Teleportation", False, (
    "a step or two", "across a field, to where you can see", "to a place nearby that one knows well",
    "out of the region, or to a place barely known", "to the far end of the world"))

MOVES = (FIGHTING, DEFY_DANGER, AID_ANOTHER, SPOUT_LORE, DISCERN_REALITIES, PARLEY, HEALING, TELEPORTATION)
OWN, AID = "own", "aid_another"
MOVE_OF = {move.name.lower().replace(" ", "_"): move for move in MOVES}
MOVE_OPTIONS = (
    ("", "None"), *((word, move.name) for word, move in MOVE_OF.items()), (OWN, "One of your own, in words"),
)
HEALS: dict[int, tuple[Zone, ...]] = {3: (BASHED,), 4: (STUNNED,), 5: (INJURED, KNOCKED_OUT)}


def aid(height: int) -> int:
    """The bonus dice that aiding another gives: the height of the set, from 2."""
    return height if height >= 2 else 0
