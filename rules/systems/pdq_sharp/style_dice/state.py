"""What is so with the style dice of a session at one moment."""
from __future__ import annotations

from dataclasses import dataclass, field

from rules.engine import Sheets
from rules.procedure import CampaignContext
from rules.sheet import Purse, Sheet, Transfer
from rules.systems.pdq_sharp.reading import BOWL, GM_DICE, STYLE
from rules.systems.pdq_sharp.settings import answer
from rules.values import BadMove

GM = "gm"  # how the GM is named among those who get dice
MINOR, SIGNIFICANT, MAJOR = "minor", "significant", "major"
INTO_BOWL = Purse(BOWL)
COSTS = {MINOR: 0, SIGNIFICANT: 1, MAJOR: 2}  # PS-44
NAMED_NPC, GIFT_TO_NPC = "named_npc", "npc_forte"
WEIGHTS = {MINOR: "A minor fact", SIGNIFICANT: "A significant fact", MAJOR: "A major fact", NAMED_NPC: "A named NPC",
           GIFT_TO_NPC: "A named NPC’s own"}


@dataclass(frozen=True)
class Foible:
    """Dice that are offered for a foible, or a player's word that it came up (`claimed`)."""

    number: int
    who: str
    foible: str
    dice: int
    means: str
    claimed: bool = False


@dataclass(frozen=True)
class WorldFact:
    """A fact of the world: whose, how heavy, and what each has promised to it until it is paid."""

    number: int
    who: str
    weight: str
    words: str
    cost: int
    pledges: tuple[tuple[str, int], ...] = ()

    @property
    def left(self) -> int:
        """What is still to be paid."""
        return self.cost - sum(dice for _, dice in self.pledges)


@dataclass(frozen=True)
class State:
    """`gifts` is how many gifts the GM has not answered yet, `last` who got the latest of them."""

    phrase: str = "Good form"
    warn_after: int = 2
    awarded: bool = False  # the session's start is over: its awards were given, or none are
    foibles: tuple[Foible, ...] = ()
    gifts: int = 0
    last: str = ""
    woes: tuple[str, ...] = ()
    facts: tuple[WorldFact, ...] = ()
    number: int = 0  # of foibles and facts so far
    last_call: bool = False
    over: bool = False
    moved: bool = False  # whether anything was done with dice but to bring them out
    context: CampaignContext = field(default_factory=CampaignContext)

    @property
    def fresh(self) -> bool:
        """Whether the session is at its start: no awards were given, nor anything else."""
        return not (self.awarded or self.moved or self.over)

    @property
    def reply(self) -> str:
        """What the GM says to a gift."""
        return answer(self.phrase)

    @property
    def bowl(self) -> int:
        """What is in the bowl."""
        return self.context.pool(BOWL)

    @property
    def gm_dice(self) -> int:
        """The GM's own dice."""
        return self.context.pool(GM_DICE)

    @property
    def unpaid(self) -> tuple[WorldFact, ...]:
        """The facts that wait for the rest of their price."""
        return tuple(each for each in self.facts if each.left > 0)

    def offered(self, who: str) -> Foible | None:
        """The dice that are offered to somebody for a foible."""
        return next((each for each in self.foibles if each.who == who and not each.claimed), None)

    def dice_of(self, sheet: Sheet) -> int:
        """How many dice somebody can spend: an NPC the GM's too (PS-45)."""
        return sheet.pool(STYLE) + (self.gm_dice if sheet.npc else 0)

    def pays(self, sheet: Sheet, amount: int, why: str, target: Purse = INTO_BOWL) -> tuple[Transfer, ...]:
        """Dice that somebody spends: into the bowl, where nobody else gets them; raises `BadMove`."""
        if amount > self.dice_of(sheet):
            raise BadMove(f"{sheet.name} has {self.dice_of(sheet)} style dice; this takes {amount}.", "dice")
        own = min(amount, sheet.pool(STYLE))
        ways = (Transfer(own, Purse(STYLE, sheet.id), target, why),
                Transfer(amount - own, Purse(GM_DICE), target, why))
        return tuple(each for each in ways if each.amount)


def purse_of(who: str) -> Purse:
    """Where somebody's dice lie; `GM` is the GM's own."""
    return Purse(GM_DICE) if who == GM else Purse(STYLE, who)


def called(who: str, sheets: Sheets) -> str:
    """Whose dice they are, in words."""
    return sheets[who].name if who in sheets else "the GM"
