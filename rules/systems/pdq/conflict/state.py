"""What is so in a conflict at one moment: facts of the conflict only, the traits stay on the sheets."""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from rules import turns
from rules.engine import Event
from rules.procedure import ActResult, CampaignContext
from rules.systems.pdq.harm import FAILURE
from rules.systems.pdq.ranges import Range, range_of
from rules.systems.pdq.reckoning import FLIP_OUT, Hard, Terms
from rules.systems.pdq.roll import Shift
from rules.systems.pdq.settings import ConflictSettings


class Phase(Enum):
    """What the conflict is waiting for."""

    BLANK = "blank"  # it has not begun
    INTENT = "intent"  # players say whether they kill
    TURN = "turn"  # those whose turn it is act
    DEFEND = "defend"  # targets of an attack answer it
    DAMAGE = "damage"  # the hurt place their damage
    LAST_CALL = "last_call"  # the round ends; held actions are played or lost
    TRYING = "trying"  # somebody does something else that takes a roll: the GM says how difficult it is, they roll
    RULING = "ruling"  # one side alone stands, and the GM has not said whether a weakness bears on damage
    AFTERMATH = "aftermath"  # one side alone stands: it ends here, or those who are out are killed first
    OVER = "over"


WAITING, HOLDING, DONE = "waiting", "holding", "done"
INCAPACITATE, KILL = "incapacitate", "kill"


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
class Hit:
    """What an attack came to for one target (PQ-14). `rolled`: the target's own dice fell.

    `terms` and `faces` are what the target rolled with, None and () where an older entry has not kept them; the flags
    are what added to the damage.
    """

    target: str
    to_attacker: int
    to_defender: int
    rolled: bool
    terms: Terms | None = None
    faces: tuple[int, ...] = ()
    weapon: bool = False
    surprise: bool = False
    weakness: bool = False
    first: bool = False


@dataclass(frozen=True)
class Landed:
    """The attack, or the test, whose dice fell last, as long as nothing stands on it: other terms can be read with it.

    `fresh` are those whom it hurt for the first time.
    """

    by: str
    terms: Terms
    faces: tuple[int, ...]
    hits: tuple[Hit, ...]
    fresh: tuple[str, ...] = ()
    hard: Hard | None = None  # of a test

    @property
    def wounds(self) -> tuple[Wound, ...]:
        """The damage that it left to place."""
        return wounds_of(self.by, self.hits)


@dataclass(frozen=True)
class Trying:
    """Something else than an attack that takes a roll; `difficulty` is a rank, None while the GM has not said it."""

    who: str
    qualities: tuple[Applied, ...]
    lead: int | None = None
    shifts: tuple[Shift, ...] = ()
    strategy: str = ""
    helpers: tuple[str, ...] = ()
    words: str = ""
    difficulty: int | None = None


@dataclass(frozen=True)
class State:
    """A conflict at one moment. `turn` counts turns; `acting` are those whose turn it is and who have yet to act."""

    settings: ConflictSettings = field(default_factory=ConflictSettings)
    contestants: tuple[Contestant, ...] = ()
    round: int = 0
    turn: int = 0
    acting: tuple[str, ...] = ()
    fresh: bool = False  # nobody whose turn it is has acted yet, so a held action may come before
    attack: Attack | None = None
    wounds: tuple[Wound, ...] = ()
    over: bool = False
    winner: str = ""
    landed: Landed | None = None
    content: tuple[str, ...] = ()  # those who would end it here
    trying: Trying | None = None
    doubts: tuple[tuple[str, str], ...] = ()  # who was hurt first by whom, while nobody said if a weakness bears on it
    proposed: tuple[tuple[str, str], ...] = ()  # which player would kill whom, while the GM has not said so
    context: CampaignContext = field(default_factory=CampaignContext, compare=False, repr=False)

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
        if self.trying:
            return Phase.TRYING
        if self.decided and (self.doubts or self.proposed):
            return Phase.RULING
        if self.decided and self.at_mercy:
            return Phase.AFTERMATH
        # An attack that was read again may leave damage when the next turn has begun; nobody has acted in that yet.
        if self.acting and not (self.wounds and self.fresh):
            return Phase.TURN
        return Phase.DAMAGE if self.wounds else Phase.LAST_CALL

    @property
    def undecided(self) -> tuple[str, ...]:
        """Players who have yet to say whether they kill (PQ-17)."""
        if self.settings.killing != "asked":
            return ()
        return tuple(contestant.id for contestant in self.standing if contestant.player and not contestant.intent)

    @property
    def order(self) -> tuple[tuple[str, ...], ...]:
        """The order of a round: groups of ids, those of one group act together (PQ-11)."""
        return tuple(tuple(contestant.id for contestant in group) for group in turns.in_order(self.contestants, place))

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
    def gone(self) -> tuple[Contestant, ...]:
        """Those who are out of action and live."""
        return tuple(contestant for contestant in self.contestants if contestant.out and not contestant.killed)

    @property
    def at_mercy(self) -> tuple[Contestant, ...]:
        """Those out of action, and not killed, whom somebody of another side could kill (PQ-17)."""
        sides = self.sides_standing
        return tuple(contestant for contestant in self.gone if {*sides} - {contestant.side}) if self.lethal else ()

    @property
    def lethal(self) -> bool:
        """Whether anybody can be killed in it: nobody dies of failure ranks (PQ-17)."""
        return self.settings.harm != FAILURE

    @property
    def undecided_end(self) -> tuple[Contestant, ...]:
        """Who has yet to agree that it ends here: each who is played of those who stand, or where none is, any one."""
        played = tuple(contestant for contestant in self.standing if contestant.player)
        return tuple(contestant for contestant in played if contestant.id not in self.content) or self.standing

    @property
    def holders(self) -> tuple[Contestant, ...]:
        """Those who hold their action."""
        return tuple(contestant for contestant in self.standing if contestant.turn == HOLDING)

    @property
    def able(self) -> tuple[Contestant, ...]:
        """Those who may act at this moment, on their turn or from hold (PQ-11)."""
        if self.phase not in (Phase.TURN, Phase.LAST_CALL):
            return ()
        between = self.fresh or not self.acting
        return turns.able(self.standing, self.acting, lambda actor: actor.turn == HOLDING, between=between)

    @property
    def waited_for(self) -> tuple[str, ...]:
        """The ids of those who are to do something now, in the order in which they do it."""
        match self.phase:
            case Phase.INTENT:
                return self.undecided
            case Phase.TURN:
                return self.acting
            case Phase.DEFEND:
                return self.attack.unanswered if self.attack else ()
            case Phase.DAMAGE:
                return tuple(dict.fromkeys(wound.who for wound in self.wounds))
            case Phase.LAST_CALL:
                return tuple(contestant.id for contestant in self.holders)
            case Phase.AFTERMATH:
                return tuple(contestant.id for contestant in self.undecided_end)
            case Phase.TRYING:
                return (self.trying.who,) if self.trying and self.trying.difficulty is not None else ()
            case Phase.BLANK | Phase.RULING | Phase.OVER:
                return ()

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


Result = ActResult[Event[State]]


class Deed(Event[State]):
    """Somebody does something: what the last dice came to stands."""

    def after(self, state: State) -> State:
        return self.done(replace(state, landed=None))

    @abstractmethod
    def done(self, state: State) -> State:
        """The state after it, once the last dice stand."""


def wounds_of(by: str, hits: Iterable[Hit]) -> tuple[Wound, ...]:
    """The damage that an attack leaves to place, each target's and then what it cost the attacker."""
    wounds: list[Wound] = []
    for hit in hits:
        if hit.to_defender:
            wounds.append(Wound(hit.target, hit.to_defender, by))
        if hit.to_attacker:
            wounds.append(Wound(by, hit.to_attacker, hit.target, defending=False))
    return tuple(wounds)


def targets(state: State, by: Contestant) -> tuple[Contestant, ...]:
    """Whom this contestant may attack: who stands on another side, the unaware alone in the free round (PQ-11)."""
    return tuple(foe for foe in foes(state, by)
                 if not (state.settings.ranges and range_of(foe.position - by.position) is Range.TOO_FAR))


def foes(state: State, by: Contestant) -> tuple[Contestant, ...]:
    """Whom they could attack, were nobody too far away."""
    return tuple(foe for foe in state.standing if foe.side != by.side and (state.round > 0 or foe.unaware))


def spent(state: State, *who: str) -> State:
    """These have acted, on their own or by helping: a strategy of an earlier turn is over either way."""
    for spender in who:
        state = without_pledges_to(state, spender)
        state = state.with_(spender, turn=DONE, strategy="", unaware=False, pledge=None)
    return replace(state, acting=turns.without(state.acting, *who), fresh=False)


def adopted(state: State, who: str, strategy: str) -> State:
    """The state in which somebody takes up a strategy, or none."""
    # An upshift for the next attack lasts until that attack, unless another strategy takes its place.
    ready = strategy == FLIP_OUT if strategy else state.contestant(who).flip_ready
    return state.with_(who, strategy=strategy, flip_ready=ready)


def put_out(state: State, who: str, *, killed: bool = False) -> State:
    """Somebody is out of action: no turn, no help and no damage is left for them."""
    state = state.with_(
        who, out=True, out_turn=state.turn, killed=killed, turn=DONE, strategy="", flip_ready=False, pledge=None)
    state = without_pledges_to(state, who)
    wounds = tuple(wound for wound in state.wounds if wound.who != who)
    # Whether a weakness bore on what put them out is still the GM's to say: it is known in the scene from then on.
    return replace(state, acting=turns.without(state.acting, who), wounds=wounds,
                   trying=None if state.trying and state.trying.who == who else state.trying)


def without_pledges_to(state: State, who: str) -> State:
    """Nobody helps them any longer."""
    for contestant in state.contestants:
        if contestant.pledge and contestant.pledge.to == who:
            state = state.with_(contestant.id, pledge=None)
    return state
