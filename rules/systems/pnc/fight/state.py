"""What is so in a fight at one moment: facts of the fight only, wounds are on the sheets."""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from rules import turns
from rules.engine import Event, Sheets
from rules.fields import REQUIRED, Field, Text
from rules.procedure import ActResult, Offer
from rules.sheet import Trait
from rules.systems.pnc.character import WOUND
from rules.systems.pnc.combat import CombatStatus
from rules.systems.pnc.dice import Fallen, Roll, Thrown, reading
from rules.systems.pnc.factors import Weight
from rules.systems.pnc.reckoning import Kept, settle
from rules.systems.pnc.settings import FightSettings
from rules.systems.pnc.standard_roll import BACKFIRES_FROM


class Phase(Enum):
    """What the fight is waiting for."""

    BLANK = "blank"  # it has not begun
    INITIATIVE = "initiative"  # those who can act roll for their place
    TURN = "turn"  # those whose turn it is act
    DEFENCE = "defence"  # the defender rolls the 3d6
    STRIKE = "strike"  # the attacker rolls the d20
    SECOND_THOUGHTS = "second_thoughts"  # whom an opposed roll goes against may spend a mulligan on their part
    RULING = "ruling"  # one side is left, and the GM has not said what a great failure does
    OVER = "over"


# How each state is written: on the board, and as a choice.
WORDS = {status.value: "standing" if status is CombatStatus.FIGHTING else status.value for status in CombatStatus}
FIGHTING = CombatStatus.FIGHTING.value


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
    met: tuple[str, ...] = ()  # with whom an attack was read, the latest last

    def thrown(self, *, open_ended: bool) -> Thrown | None:
        """The initiative roll, read; None where none was made."""
        return settle(Kept(self.weights, open_ended).roll, self.dice) if self.dice else None

    @property
    def dice_degree(self) -> int:
        """The degree of the initiative roll; 0 where none was made."""
        thrown = self.thrown(open_ended=True)
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
    """An attack under way. All weights are as seen from the attacker's side or turned to it."""

    by: str
    target: str
    words: str
    open_ended: bool
    weights: tuple[Weight, ...] = ()
    faces: tuple[int, ...] = ()
    first: int = 0
    second: int | None = None
    stands: tuple[str, ...] = ()

    @property
    def terms(self) -> Kept:
        """The factors so far; once dice lie there, those that they fell with."""
        return Kept(self.weights, self.open_ended)

    @property
    def roll(self) -> Roll:
        """What falls with them."""
        return self.terms.roll

    @property
    def button(self) -> str:
        """`1d20 against 4d6, the highest three`."""
        return self.terms.button

    @property
    def thrown(self) -> Thrown | None:
        """Both parts, once both lie there."""
        return self._so_far if self.first else None

    @property
    def d6(self) -> int:
        """The sum of the defender's three that count; 0 before they fall."""
        return self._so_far.d6 if self.faces else 0

    @property
    def drawn(self) -> tuple[Any, ...]:
        """The dice that lie there so far, as a page draws them."""
        laid = self._so_far.laid("attacker", "defender")
        return laid if self.first else laid[1:]

    @property
    def _so_far(self) -> Thrown:
        """The dice that lie there; any d20 where it has not fallen."""
        return settle(self.roll, Fallen(self.first or 10, self.second, self.faces))

    @property
    def result(self) -> dict[str, Any]:
        """The numbers of both parts."""
        return self.thrown.result() if self.thrown else {}

    @property
    def success(self) -> bool:
        """Whether the roll is a success, once both parts lie there."""
        return bool(self.thrown and self.thrown.result()["success"])

    @property
    def degree(self) -> int:
        """By how much the d20 is over the three dice; 0 before both lie there."""
        return self.thrown.degree if self.thrown else 0

    @property
    def backfires(self) -> bool:
        """Whether it may turn on the attacker: a great failure or worse (PN-06)."""
        return self.thrown is not None and not self.success and self.degree <= BACKFIRES_FROM

    @property
    def reading(self) -> str:
        """`+4, sufficient success`."""
        return reading(self.thrown.degree) if self.thrown else ""


@dataclass(frozen=True)
class Aftermath:
    """What may still be said of the attack that was read last, until another one is declared."""

    attack: Attack
    wound: str = ""  # the line on the target's sheet that came of it
    ruled: bool = False  # the GM said what a great failure does
    may_roll_again: bool = True  # nobody has acted since, so either may roll their own part again (PN-09)

    @property
    def backfires(self) -> bool:
        """Whether it may turn on the attacker, and the GM has not said how."""
        return self.attack.backfires and not self.ruled


@dataclass(frozen=True)
class State:
    """A fight at one moment. `acting` are those whose turn it is and who have yet to act.

    `new_places` are those who rolled for their place, and nobody has acted since: they may roll again.
    """

    settings: FightSettings = field(default_factory=FightSettings)
    combatants: tuple[Combatant, ...] = ()
    round: int = 0
    acting: tuple[str, ...] = ()
    attack: Attack | None = None
    last: Attack | None = None  # the attack that was read last
    aftermath: Aftermath | None = None
    failures: tuple[Attack, ...] = ()  # great failures from before the last attack that the GM has not ruled on (PN-06)
    turned: tuple[tuple[str, str, int], ...] = ()  # what failures did to whom since the last attack: words, degree
    new_places: tuple[str, ...] = ()
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
        if self.unruled and not self.goes_on:
            return Phase.RULING
        return Phase.INITIATIVE if self.unplaced else Phase.TURN

    @property
    def outcome(self) -> str:
        """Who prevailed in an opposed roll, and how; "" where there was none."""
        if not (self.settings.opposed and self.over and self.last and self.last.thrown):
            return ""
        return prevails(self, self.last)

    @property
    def unruled(self) -> tuple[Attack, ...]:
        """The great failures that the GM has not ruled on, the oldest first: they wait whatever is done meanwhile."""
        latest = self.aftermath
        return (*self.failures, latest.attack) if latest and latest.backfires and not self.attack else self.failures

    @property
    def names(self) -> dict[str, str]:
        """Names by id."""
        return {combatant.id: combatant.name for combatant in self.combatants}

    @property
    def fighting(self) -> tuple[Combatant, ...]:
        """Those who are still in it."""
        return turns.fighting(self.combatants)

    @property
    def nobody_acted(self) -> bool:
        """Whether the order stands and everybody's first turn is still to come."""
        return self.round == 1 and not (self.attack or self.last) and all(combatant.waiting for combatant in self.able)

    @property
    def loser(self) -> Combatant | None:
        """Whom an opposed roll goes against, once both parts lie there."""
        if self.attack is None or self.attack.thrown is None:
            return None
        return self.combatant(self.attack.target if self.attack.success else self.attack.by)

    @property
    def able(self) -> tuple[Combatant, ...]:
        """Those who can act."""
        return tuple(combatant for combatant in self.fighting if combatant.ready)

    @property
    def on_turn(self) -> tuple[Combatant, ...]:
        """Those who may act now: whose turn it is, and who holds one."""
        if self.phase is not Phase.TURN:
            return ()
        return turns.able(self.able, self.acting, lambda combatant: combatant.held)

    @property
    def unplaced(self) -> tuple[Combatant, ...]:
        """Those who can act, and have no place in the order yet."""
        return tuple(combatant for combatant in self.able if not combatant.placed)

    @property
    def goes_on(self) -> bool:
        """Whether more than one side still fights (PN-11)."""
        return turns.goes_on(self.combatants)

    @property
    def order(self) -> tuple[tuple[Combatant, ...], ...]:
        """The order in its groups, then everybody who has no place in it."""
        groups = turns.in_order((combatant for combatant in self.combatants if combatant.placed), place)
        return (*groups, *((combatant,) for combatant in self.combatants if not combatant.placed))

    def combatant(self, who: str) -> Combatant:
        """The combatant of this id; raises `KeyError`."""
        return turns.entrant(self.combatants, who)

    def with_(self, who: str, **changes: Any) -> State:
        """The state with these facts of one combatant changed."""
        return replace(self, combatants=turns.changed(self.combatants, who, **changes))


Result = ActResult[Event[State]]


def place(combatant: Combatant) -> int:
    """Their place in the order: the highest score acts first (PN-07)."""
    return -combatant.score


def spent(state: State, who: str) -> State:
    """A turn is used up: one's own, or the one that was held; that leaves one's next turn as it is."""
    if who not in state.acting:
        return state.with_(who, held=False)
    state = state.with_(who, waiting=False, held=False, free_at="")
    return replace(state, acting=turns.without(state.acting, who))


def with_standing(state: State, who: str, standing: str) -> State:
    """Somebody is in the fight, or out of it, and then has no turn left, nor part in an attack under way."""
    state = state.with_(who, standing=standing)
    if state.combatant(who).fights:
        return state
    if state.attack and who in (state.attack.by, state.attack.target):
        state = replace(state, attack=None)
    state = state.with_(who, waiting=False, held=False, free_at="", loses_next=False)
    return replace(state, acting=turns.without(state.acting, who))


class Deed(Event[State]):
    """Somebody does something in the fight: what was rolled before that stands."""

    def after(self, state: State) -> State:
        aftermath = replace(state.aftermath, may_roll_again=False) if state.aftermath else None
        return self.done(replace(state, aftermath=aftermath, new_places=()))

    @abstractmethod
    def done(self, state: State) -> State:
        """The state after it, once what was rolled before stands."""


class OfAttack(Event[State]):
    """Something in the attack that is under way; where there is none, nothing is changed."""

    def after(self, state: State) -> State:
        return replace(state, attack=self.to(state.attack)) if state.attack else state

    @abstractmethod
    def to(self, attack: Attack) -> Attack:
        """The attack after it."""


def written(state: State, sheets: Sheets) -> Trait | None:
    """The wound of the attack that was read last, where it is still on its target’s sheet."""
    aftermath = state.aftermath
    if aftermath is None:
        return None
    line = (WOUND, aftermath.wound, aftermath.attack.degree)
    lines = [wound for wound in sheets[aftermath.attack.target].traits if (wound.kind, wound.name, wound.value) == line]
    return lines[-1] if lines else None


WHO = Text(name="who", label="Character", default=REQUIRED, most=100, missing="Choose a character.")


def about(action: str, title: str, whom: Iterable[Combatant], *fields: Field, help: str = "") -> Offer:
    """What the GM may do with one of these."""
    named = tuple((combatant.id, combatant.name) for combatant in whom)
    return Offer(action, "", title, help, (WHO, *fields), {"who": named})


def attack_phase(attack: Attack) -> Phase:
    """What an attack waits for."""
    if not attack.faces:
        return Phase.DEFENCE
    return Phase.SECOND_THOUGHTS if attack.first else Phase.STRIKE


def prevails(state: State, last: Attack) -> str:
    """The reading of an opposed roll: `Ada prevails: +4, sufficient success`."""
    by, foe = state.combatant(last.by).name, state.combatant(last.target).name
    return f"{by} prevails: {last.reading}" if last.success else f"{foe} prevails; {by} has {last.reading}"
