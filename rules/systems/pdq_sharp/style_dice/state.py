"""What is so with the style dice of a session at one moment."""
from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import final

from rules.engine import Event, Sheets
from rules.fields import REQUIRED, Text, Whole
from rules.procedure import ActResult, CampaignContext, Options
from rules.sheet import Purse, Sheet, Transfer
from rules.systems.pdq_sharp.reading import BOWL, GM_DICE, STYLE
from rules.systems.pdq_sharp.settings import StyleSettings, answer
from rules.values import BadMove

MOST_AT_ONCE = 20
GM = "gm"  # how the GM is named among those who get dice
MINOR, SIGNIFICANT, MAJOR = "minor", "significant", "major"
INTO_BOWL = Purse(BOWL)
COSTS = {MINOR: 0, SIGNIFICANT: 1, MAJOR: 2}  # PS-44
NAMED_NPC, GIFT_TO_NPC = "named_npc", "npc_forte"
WEIGHTS = {MINOR: "A minor fact", SIGNIFICANT: "A significant fact", MAJOR: "A major fact", NAMED_NPC: "A named NPC",
           GIFT_TO_NPC: "A named NPC’s own"}


@dataclass(frozen=True)
class Foible:
    """Dice that are offered for a foible, or a player's word that it came up (`claimed`); `name` is what its character
    was called then, "" where an older entry has not kept it."""

    number: int
    who: str
    foible: str
    dice: int
    means: str
    name: str = ""
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
    settings: StyleSettings = field(default_factory=lambda: StyleSettings(misfortunes=2))
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
        return tuple(fact for fact in self.facts if fact.left > 0)

    def offered(self, who: str) -> Foible | None:
        """The dice that are offered to somebody for a foible."""
        return next((foible for foible in self.foibles if foible.who == who and not foible.claimed), None)

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
        return tuple(way for way in ways if way.amount)


def purse_of(who: str) -> Purse:
    """Where somebody's dice lie; `GM` is the GM's own."""
    return Purse(GM_DICE) if who == GM else Purse(STYLE, who)


def called(who: str, sheets: Sheets) -> str:
    """Whose dice they are, in words."""
    return sheets[who].name if who in sheets else "the GM"


class Deed(Event[State]):
    """Something that was done with style dice; the session's start is over with the first."""

    @final
    def after(self, state: State) -> State:
        return self.then(replace(state, moved=True))

    @abstractmethod
    def then(self, state: State) -> State:
        """What it makes of the state."""


Result = ActResult[Event[State]]


def many(dice: int) -> str:
    """So many style dice, in words."""
    return f"{dice} style {'die' if dice == 1 else 'dice'}"


def people(sheets: Sheets, but: str = "") -> Options:
    """Those who hold dice, the GM among them."""
    gm = ((GM, "The GM"),) if but != GM else ()
    return (*((id_, sheet.name) for id_, sheet in sheets.items() if id_ != but), *gm)


def played(sheets: Sheets) -> Options:
    """The characters of players."""
    return tuple((sheet.id, sheet.name) for sheet in sheets.values() if not sheet.npc)


def friends(sheets: Sheets, but: str = "") -> Options:
    """Those to whom dice go for style: characters of players, and the GM, who has those of all NPCs."""
    return tuple(option for option in people(sheets, but) if option[0] == GM or not sheets[option[0]].npc)


def npcs(sheets: Sheets) -> Options:
    """Everybody else."""
    return tuple((sheet.id, sheet.name) for sheet in sheets.values() if sheet.npc)


def words_field(label: str, help: str = "", *, needed: bool = True) -> Text:
    """A sentence of a person's own."""
    return Text(name="words", label=label, help=help, most=300, default=REQUIRED if needed else "",
                missing="Describe it in a few words." if needed else "")


def who_field(name: str, label: str) -> Text:
    """One of those who are named in the options."""
    return Text(name=name, label=label, default=REQUIRED, missing=f"{label}: choose one.")


def dice_field(most: int, least: int = 1, label: str = "Style dice", default: int | None = None) -> Whole:
    """How many style dice."""
    start = least if default is None else default
    return Whole(name="dice", label=label, least=least, most=max(least, most), default=start)
