"""What is so in a conflict at one moment: facts of the conflict only, the traits stay on the sheets."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from rules import turns
from rules.systems.pdq.roll import Shift


class Phase(Enum):
    """What the conflict is waiting for."""

    BLANK = "blank"  # it has not begun
    INTENT = "intent"  # players say whether they kill
    TURN = "turn"  # those whose turn it is act
    DEFEND = "defend"  # targets of an attack answer it
    DAMAGE = "damage"  # the hurt place their damage
    LAST_CALL = "last_call"  # the round ends; held actions are played or lost
    AFTERMATH = "aftermath"  # one side alone stands: it ends here, or those who are out are killed first
    OVER = "over"


WAITING, HOLDING, DONE = "waiting", "holding", "done"
FLIP_OUT, CAGEY = "flip_out", "cagey"
INCAPACITATE, KILL = "incapacitate", "kill"


@dataclass(frozen=True)
class ContestOptions:
    """How this conflict is played: the group's settings, and what its damage means."""

    danger: str = "momentary"  # or `continuing`: how damage recovers afterwards (PQ-18)
    harm: str = "damage"  # or `failure`: what a lowered rank stands for
    ties: str = "together"  # or `roll` (PQ-11)
    defence: str = "roll"  # or `stand` (PQ-13)
    weapons: bool = False
    killing: str = "free"  # or `asked` (PQ-17)
    ranges: bool = False
    free_round: bool = False


@dataclass(frozen=True)
class Applied:
    """A quality in use: whose sheet it is on, and which trait."""

    sheet: str
    trait: str


@dataclass(frozen=True)
class Pledge:
    """Help that waits to be taken: for whom, with which qualities."""

    to: str
    qualities: tuple[Applied, ...]


@dataclass(frozen=True)
class Contestant:
    """Somebody in the conflict. `place` is the group in the order in which they act: equal places act together."""

    id: str
    name: str
    side: str
    player: bool = False
    surprises: bool = False
    unaware: bool = False
    intent: str = ""
    position: int = 0
    place: int = 0
    turn: str = DONE
    strategy: str = ""
    flip_ready: bool = False  # the upshift of flipping out has not been used yet
    chin_used: bool = False
    hurt: bool = False  # has taken damage in this scene
    out: bool = False
    out_turn: int = 0  # the turn in which they went out
    killed: bool = False
    pledge: Pledge | None = None
    grants: tuple[str, ...] = ()  # reasons of upshifts from the GM that wait for the next roll
    moved: bool = False
    dodged: bool = False

    @property
    def fights(self) -> bool:
        """Whether they are not out of action."""
        return not self.out


@dataclass(frozen=True)
class Reaction:
    """How a target answers an attack."""

    by: str
    qualities: tuple[Applied, ...] = ()
    lead: int | None = None
    shifts: tuple[Shift, ...] = ()
    weakness: bool = False
    words: str = ""


@dataclass(frozen=True)
class Attack:
    """An attack that waits for reactions. `weak` are the targets whose weakness the GM called relevant."""

    by: str
    targets: tuple[str, ...]
    qualities: tuple[Applied, ...] = ()
    lead: int | None = None
    shifts: tuple[Shift, ...] = ()
    weapon: bool = False
    words: str = ""
    surprised: tuple[str, ...] = ()
    reactions: tuple[Reaction, ...] = ()
    weak: tuple[str, ...] = ()

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The targets that have yet to react, in the order of the attack."""
        answered = {reaction.by for reaction in self.reactions}
        return tuple(target for target in self.targets if target not in answered)


@dataclass(frozen=True)
class Wound:
    """Damage that waits to be placed. Only a defender's can be taken on the chin."""

    who: str
    amount: int
    by: str
    defending: bool = True


@dataclass(frozen=True)
class State:
    """A conflict at one moment. `turn` counts turns; `acting` are those whose turn it is and who have yet to act."""

    settings: ContestOptions = ContestOptions()
    contestants: tuple[Contestant, ...] = ()
    round: int = 0
    turn: int = 0
    acting: tuple[str, ...] = ()
    fresh: bool = False  # nobody whose turn it is has acted yet, so a held action may come before
    attack: Attack | None = None
    wounds: tuple[Wound, ...] = ()
    over: bool = False
    winner: str = ""

    @property
    def phase(self) -> Phase:
        """What is waited for."""
        if not self.contestants:
            return Phase.BLANK
        if self.over:
            return Phase.OVER
        if self.undecided:
            return Phase.INTENT
        if self.attack:
            return Phase.DEFEND
        if self.decided and self.at_mercy:
            return Phase.AFTERMATH
        if self.acting:
            return Phase.TURN
        return Phase.DAMAGE if self.wounds else Phase.LAST_CALL

    @property
    def undecided(self) -> tuple[str, ...]:
        """Players who have yet to say whether they kill (PQ-17)."""
        if self.settings.killing != "asked":
            return ()
        return tuple(each.id for each in self.contestants if each.player and not each.intent)

    @property
    def order(self) -> tuple[tuple[str, ...], ...]:
        """The order of a round: groups of ids, those of one group act together (PQ-11)."""
        return tuple(tuple(one.id for one in group) for group in turns.in_order(self.contestants, place))

    @property
    def standing(self) -> tuple[Contestant, ...]:
        """Those who are not out of action."""
        return turns.fighting(self.contestants)

    @property
    def sides_standing(self) -> tuple[str, ...]:
        """The sides that have somebody left, in the order in which they were set up."""
        return turns.sides_left(self.contestants)

    @property
    def decided(self) -> bool:
        """Whether no more than one side stands, and nothing is pending that could change it."""
        return not (turns.goes_on(self.contestants) or self.attack or self.wounds)

    @property
    def at_mercy(self) -> tuple[Contestant, ...]:
        """Those out of action, and not killed, whom somebody of another side could kill (PQ-17)."""
        sides = self.sides_standing
        return tuple(each for each in self.contestants if each.out and not each.killed and {*sides} - {each.side})

    @property
    def holders(self) -> tuple[Contestant, ...]:
        """Those who hold their action."""
        return tuple(each for each in self.standing if each.turn == HOLDING)

    def contestant(self, contestant_id: str) -> Contestant:
        """The contestant of this id; raises `KeyError`."""
        return turns.entrant(self.contestants, contestant_id)

    def names(self, ids: Iterable[str]) -> str:
        """The names of these contestants, as a person lists them."""
        return turns.names(self.contestants, ids)

    def wound_of(self, contestant_id: str) -> Wound | None:
        """The next damage that this contestant has to place, or None."""
        return next((wound for wound in self.wounds if wound.who == contestant_id), None)

    def with_(self, contestant_id: str, **changes: Any) -> State:
        """The state with these facts of one contestant changed."""
        return replace(self, contestants=turns.changed(self.contestants, contestant_id, **changes))


def place(contestant: Contestant) -> int:
    """Their group in the order (PQ-11)."""
    return contestant.place
