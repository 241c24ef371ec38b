"""What is so in a fight at one moment: facts of the fight only, wounds are on the sheets."""
from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from rules.systems.pnc.chances import Forecasts, exchange, spread
from rules.systems.pnc.combat import State as Standing
from rules.systems.pnc.combat import goes_on
from rules.systems.pnc.dice import Roll, Thrown, signed
from rules.systems.pnc.factors import Weight, button, roll_of


class Phase(Enum):
    """What the fight is waiting for."""

    BLANK = "blank"  # it has not begun
    INITIATIVE = "initiative"  # those who can act roll for their place
    TURN = "turn"  # those whose turn it is act
    DEFENCE = "defence"  # the defender rolls the 3d6
    STRIKE = "strike"  # the attacker rolls the d20
    SECOND_THOUGHTS = "second_thoughts"  # either may spend a mulligan on their own part
    WOUND = "wound"  # a hit is put into words
    BACKFIRE = "backfire"  # a great failure: the GM says what it does
    OVER = "over"


# How each state is written: on the board, and as a choice.
WORDS = {
    Standing.FIGHTING.value: "standing", Standing.SURRENDERED.value: "surrendered",
    Standing.UNCONSCIOUS.value: "unconscious", Standing.DEAD.value: "dead", Standing.ESCAPED.value: "escaped",
}
FIGHTING = Standing.FIGHTING.value


@dataclass(frozen=True)
class Settings:
    """How this fight is played: the group's dials."""

    open_ended: bool = True
    swing: bool = True
    initiative: str = "degree"  # or `d6` (PN-07)
    opposed: bool = False  # one attack roll that is no attack: nobody is hurt, and it ends with the reading


@dataclass(frozen=True)
class Fallen:
    """Dice as they fell for a standard roll."""

    first: int
    second: int | None
    faces: tuple[int, ...]

    def read(self, roll: Roll) -> Thrown:
        """The dice with what was rolled."""
        return Thrown(roll, self.first, self.second, self.faces)


@dataclass(frozen=True)
class Combatant:
    """Somebody in the fight. Of those with the same score each acts at the same moment, the highest first."""

    id: str
    name: str
    side: str
    player: bool = False
    standing: str = FIGHTING
    ready: bool = True  # can act: not caught off guard
    weights: tuple[Weight, ...] = ()  # factors of the initiative roll
    dice: Fallen | None = None  # the initiative roll
    placed: bool = False  # that roll stands
    score: int = 0
    waiting: bool = False  # their turn of this time round is still to come
    held: bool = False
    loses_next: bool = False
    free_at: str = ""  # whom a free attack may be made on

    @property
    def dice_degree(self) -> int:
        """The degree of the initiative roll; 0 where none was made."""
        thrown = self.dice.read(roll_of(self.weights, open_ended=True)) if self.dice else None
        return thrown.degree if thrown else 0

    @property
    def fights(self) -> bool:
        """Whether they are still in it."""
        return self.standing == FIGHTING

    @property
    def state(self) -> str:
        """Where they stand, in a word."""
        return WORDS[self.standing]


@dataclass(frozen=True)
class Attack:
    """An attack under way. All weights are told from the attacker's side or turned to it."""

    by: str
    target: str
    words: str
    open_ended: bool
    weights: tuple[Weight, ...] = ()
    faces: tuple[int, ...] = ()
    first: int = 0
    second: int | None = None
    stands: tuple[str, ...] = ()
    read: bool = False

    @property
    def roll(self) -> Roll:
        """What falls, with the factors so far."""
        return roll_of(self.weights, open_ended=self.open_ended)

    @property
    def button(self) -> str:
        """`1d20 against 4d6, the highest three`."""
        return button(self.roll)

    @property
    def thrown(self) -> Thrown | None:
        """Both parts, once both lie there."""
        return Thrown(self.roll, self.first, self.second, self.faces) if self.first else None

    @property
    def d6(self) -> int:
        """The sum of the defender's three that count; 0 before they fall."""
        return Thrown(self.roll, 10, None, self.faces).d6 if self.faces else 0

    @property
    def drawn(self) -> tuple[Any, ...]:
        """The dice that lie there so far, as a page draws them."""
        laid = Thrown(self.roll, self.first or 10, self.second, self.faces).laid("attacker", "defender")
        return laid if self.first else laid[1:]

    @property
    def result(self) -> dict[str, Any]:
        """The numbers of both parts."""
        return self.thrown.result() if self.thrown else {}

    @property
    def degree(self) -> str:
        """`+4`."""
        return signed(self.thrown.degree) if self.thrown else ""


@dataclass(frozen=True)
class State:
    """A fight at one moment. `acting` are those whose turn it is and who have yet to act."""

    settings: Settings = Settings()
    combatants: tuple[Combatant, ...] = ()
    round: int = 0
    acting: tuple[str, ...] = ()
    attack: Attack | None = None
    last: Attack | None = None  # the attack that was read last
    over: bool = False
    winner: str = ""
    words: str = ""

    @property
    def phase(self) -> Phase:
        """What is waited for."""
        if not self.combatants:
            return Phase.BLANK
        if self.over:
            return Phase.OVER
        if self.attack:
            return attack_phase(self.attack)
        return Phase.INITIATIVE if self.unplaced else Phase.TURN

    @property
    def outcome(self) -> str:
        """Who prevailed in an opposed roll, and how; "" where there was none."""
        if not (self.settings.opposed and self.over and self.last and self.last.thrown):
            return ""
        return prevails(self, self.last)

    @property
    def attacker(self) -> Combatant | None:
        """Who attacks at the moment."""
        return self.combatant(self.attack.by) if self.attack else None

    @property
    def defender(self) -> Combatant | None:
        """Who is attacked at the moment."""
        return self.combatant(self.attack.target) if self.attack else None

    @property
    def forecast(self) -> Forecasts:
        """The odds of the attack under way with all that has fallen; at last those of rolling each part again."""
        attack, by, foe = self.attack, self.attacker, self.defender
        if attack is None or by is None or foe is None:
            return ()
        harmless, open_, known = self.settings.opposed, spread(attack.roll), spread(attack.roll, d6=attack.d6)
        match self.phase:
            case Phase.DEFENCE:
                return exchange(f"As it stands: {attack.button}", open_, harmless=harmless)
            case Phase.STRIKE:
                return exchange(f"{by.name}’s d20 against {attack.d6}", known, harmless=harmless)
            case Phase.SECOND_THOUGHTS:
                fallen = spread(attack.roll, d20=(attack.first, attack.second))
                return (*exchange(f"If {by.name} rolls the d20 again", known, harmless=harmless),
                        *exchange(f"If {foe.name} rolls the {attack.roll.dice}d6 again", fallen, harmless=harmless))
        return ()

    @property
    def names(self) -> dict[str, str]:
        """Names by id."""
        return {each.id: each.name for each in self.combatants}

    @property
    def fighting(self) -> tuple[Combatant, ...]:
        """Those who are still in it."""
        return tuple(each for each in self.combatants if each.fights)

    @property
    def able(self) -> tuple[Combatant, ...]:
        """Those who can act."""
        return tuple(each for each in self.fighting if each.ready)

    @property
    def unplaced(self) -> tuple[Combatant, ...]:
        """Those who can act, and have no place in the order yet."""
        return tuple(each for each in self.able if not each.placed)

    @property
    def goes_on(self) -> bool:
        """Whether more than one side still fights (PN-11)."""
        return goes_on((each.side, Standing(each.standing)) for each in self.combatants)

    @property
    def order(self) -> tuple[tuple[Combatant, ...], ...]:
        """The order in its groups, then everybody who has no place in it."""
        scores = sorted({each.score for each in self.combatants if each.placed}, reverse=True)
        groups = [tuple(each for each in self.combatants if each.placed and each.score == score) for score in scores]
        rest = tuple((each,) for each in self.combatants if not each.placed)
        return (*groups, *rest)

    def combatant(self, who: str) -> Combatant:
        """The combatant of this id; raises `KeyError`."""
        for each in self.combatants:
            if each.id == who:
                return each
        raise KeyError(who)

    def with_(self, who: str, **changes: Any) -> State:
        """The state with these facts of one combatant changed."""
        changed = tuple(replace(each, **changes) if each.id == who else each for each in self.combatants)
        return replace(self, combatants=changed)


def attack_phase(attack: Attack) -> Phase:
    """What an attack waits for."""
    if not attack.faces:
        return Phase.DEFENCE
    if not attack.first:
        return Phase.STRIKE
    if not attack.read:
        return Phase.SECOND_THOUGHTS
    return Phase.WOUND if attack.result["success"] else Phase.BACKFIRE


def prevails(state: State, last: Attack) -> str:
    """The reading of an opposed roll: `Ada prevails: +4, sufficient success`."""
    by, foe = state.combatant(last.by).name, state.combatant(last.target).name
    told = f"{last.degree}, {last.result['band']}"
    return f"{by} prevails: {told}" if last.result["success"] else f"{foe} prevails; {by} has {told}"
