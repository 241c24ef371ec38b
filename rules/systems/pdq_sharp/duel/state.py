"""What is so in a duel at one moment: facts of the duel only, fortes and style dice stay on the sheets."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from rules import turns
from rules.engine import Event
from rules.procedure import ActResult, CampaignContext, Options
from rules.sheet import Transfer
from rules.systems.pdq_sharp.settings import DuelSettings

CLEAN = -1  # no poison on the blade
DEFENCE = "defence"  # the name of the tray that meets all foes; an attack tray has the id of its foe
SURPRISED, UNAWARE = "surprised", "unaware"
FALLEN, SURRENDERED, BROKEN, LEFT, DEAD = "fallen", "surrendered", "broken", "left", "dead"
FEINT, DIRTY_TRICK, DISARM, PARRY, RECOVER, IMPASSE = "feint", "dirty_trick", "disarm", "parry", "recover", "impasse"
FREE_ONCE = (FEINT, DIRTY_TRICK, DISARM, PARRY, IMPASSE)  # once a duel each, then a style die (PS-27)
FEINTS = (FEINT, DIRTY_TRICK)  # a dirty trick counts as a feint
WITHOUT_ATTACK = (PARRY, RECOVER)  # they give the attack up


class Phase(Enum):
    """What the duel is waiting for."""

    BLANK = "blank"  # it has not begun
    ENGAGE = "engage"  # in the order of initiative, everybody finds a foe
    STANCE = "stance"  # dice are divided in secret
    LULL = "lull"  # an impasse: its dice do not stand yet
    POISON = "poison"  # a poison has to be withstood
    ELLIPSIS = "ellipsis"  # the dice have fallen and do not stand yet
    DAMAGE = "damage"  # the hurt spread their ranks
    TERMS = "terms"  # somebody offers to surrender
    COUP = "coup"  # somebody said that they kill, and is asked again
    AFTERMATH = "aftermath"  # one side stands, with somebody at its mercy
    OVER = "over"


@dataclass(frozen=True)
class Fencer:
    """Somebody in the duel. `place` is initiative: the lowest acts first, equal places at the same moment."""

    id: str
    name: str
    side: str
    player: bool = False
    squad: bool = False
    threat: int = 0
    surprise: str = ""  # `surprised` or `unaware`, in the first turn (PS-20)
    place: int = 0
    fortes: tuple[str, ...] = ()  # what counts, as it was last chosen
    held: bool = False  # has decided to stay out of it this turn
    backing: str = ""  # whom they back with their fortes: a gang (PS-26)
    disarmed: str = ""  # the forte that is lost with the weapon (PS-27)
    used_free: tuple[str, ...] = ()  # the starred tweaks that were free once
    attack_carry: int = 0  # from the last turn's feint or parry
    defence_carry: int = 0
    next_attack: int = 0
    next_defence: int = 0
    out: str = ""
    poison: int = CLEAN  # the rank of the poison on their blade
    doses: bool = False  # whether it lasts beyond the next touch
    struck: tuple[str, ...] = ()  # fortes that do not count here, as the GM says
    shoots: tuple[str, ...] = ()  # fortes that shoot, as the GM says (PS-49)

    @property
    def fights(self) -> bool:
        """Whether they can go on."""
        return not self.out

    @property
    def helpless(self) -> bool:
        """Whether they are at a foe's mercy (PS-31, PS-32)."""
        return self.out in (FALLEN, SURRENDERED)


@dataclass(frozen=True)
class Choice:
    """How somebody goes into a turn: the split, what counts, a tweak; secret until all have chosen (PS-22)."""

    who: str
    stance: str
    fortes: tuple[str, ...] = ()
    gambit: str = ""  # a forte that has nothing to do with it, played out in words (PS-27)
    tweak: str = ""
    against: str = ""  # whom the tweak is aimed at, where there are two
    firearm: str = ""  # the forte that shoots, where firearms do more (PS-49)
    words: str = ""
    techniques: tuple[str, ...] = ()  # a die more for each, thrown with the others (PS-11)


@dataclass(frozen=True)
class Tray:
    """Dice of one purpose, as they fell: for the attack on a foe (`to` is the id), or the defence."""

    to: str
    dice: tuple[int, ...] = ()


@dataclass(frozen=True)
class Bonus:
    """A die more, or a flat +1 (`face` 0), and where it was put; `to` is "" while nobody has put it anywhere."""

    source: str  # what it came from, in words
    face: int = 0
    to: str = ""
    technique: str = ""  # the one that it came from, by id


@dataclass(frozen=True)
class Throw:
    """Somebody's dice of a turn. `ranks` are those of all fortes that count, a gang's among them."""

    who: str
    stance: str
    trays: tuple[Tray, ...]  # the attacks in the order of the foes, then the defence
    ranks: tuple[str, ...] = ()
    bonus: tuple[Bonus, ...] = ()
    used: tuple[str, ...] = ()  # the techniques of this turn, by id
    attack_carry: int = 0
    defence_carry: int = 0
    tweak: str = ""
    against: str = ""
    firearm: int = 0  # ranks that a shot adds to the damage of a hit

    @property
    def attacks(self) -> tuple[str, ...]:
        """Whom they attack."""
        return tuple(tray.to for tray in self.trays if tray.to != DEFENCE)


@dataclass(frozen=True)
class Wound:
    """Ranks that wait to be placed."""

    who: str
    amount: int
    kind: str
    why: str = ""


@dataclass(frozen=True)
class LullSide:
    """One of the two in an impasse: the ranks that count, all faces, +1s, the techniques that were used."""

    who: str
    ranks: tuple[str, ...]
    faces: tuple[int, ...]
    flat: int = 0
    used: tuple[str, ...] = ()
    added: tuple[tuple[str, int], ...] = ()  # after the dice: each technique ("" for a style die) and face (0 for +1)


@dataclass(frozen=True)
class Sting:
    """A poison that somebody has to withstand, and whose blade it was on (PS-49)."""

    who: str
    rank: int
    by: str


@dataclass(frozen=True)
class Resisting:
    """A roll against a poison: the fortes that count, their ranks, all faces, +1s, the techniques that were used."""

    who: str
    fortes: tuple[str, ...]
    ranks: tuple[str, ...]
    faces: tuple[int, ...]
    flat: int = 0
    used: tuple[str, ...] = ()
    added: tuple[tuple[str, int], ...] = ()  # as in an impasse


@dataclass(frozen=True)
class Unread:
    """Dice that stood at once: all as it lay, what players counted, what was paid with them; nothing was done since."""

    before: State
    said: Options
    paid: tuple[Transfer, ...]


@dataclass(frozen=True)
class State:
    """A duel at one moment. `pairs` are those who are engaged with each other this turn, the quicker one first."""

    settings: DuelSettings = field(default_factory=DuelSettings)
    fencers: tuple[Fencer, ...] = ()
    turn: int = 0
    pairs: tuple[tuple[str, str], ...] = ()
    choices: tuple[Choice, ...] = ()
    prepaid: frozenset[str] = frozenset()  # who has paid for their tweak with their choice, as was done once
    throws: tuple[Throw, ...] = ()
    stood: tuple[str, ...] = ()  # who lets the dice stand as they are
    easy: frozenset[str] = frozenset()  # of them those whose damage lies where it hurts least
    clashed: tuple[str, ...] = ()  # whose dice have been compared
    wounds: tuple[Wound, ...] = ()
    lull: tuple[LullSide, ...] = ()  # an impasse whose dice do not stand yet: who called it, and the foe
    stings: tuple[Sting, ...] = ()
    resisting: tuple[Resisting, ...] = ()  # against poisons, where the dice do not stand yet
    unread: Unread | None = None
    terms: tuple[str, str] = ("", "")  # who offers to surrender, and on which terms
    coup: tuple[str, str] = ("", "")  # who said that they kill, and whom
    sworn: bool = False  # they said it again: the GM says whether it is so
    over: bool = False
    winner: str = ""
    context: CampaignContext = field(default_factory=CampaignContext, compare=False, repr=False)

    @property
    def phase(self) -> Phase:
        """What is waited for."""
        if not self.fencers:
            return Phase.BLANK
        if self.over:
            return Phase.OVER
        if self.terms[0]:
            return Phase.TERMS
        if self.coup[0]:
            return Phase.COUP
        if self.lull:
            return Phase.LULL
        if self.live:
            return Phase.ELLIPSIS
        if self.stings:
            return Phase.POISON
        if self.wounds:
            return Phase.DAMAGE
        if self.decided:
            return Phase.AFTERMATH
        return Phase.ENGAGE if self.undecided else Phase.STANCE

    @property
    def as_it_lay(self) -> State:
        """Dice that stood at once as they lay before; else it as it is."""
        return replace(self.unread.before, context=self.context) if self.unread else self

    @property
    def between(self) -> bool:
        """Whether it is before the dice, when people may also do something else."""
        return self.phase in (Phase.ENGAGE, Phase.STANCE)

    @property
    def calm(self) -> bool:
        """Whether no dice are down and nobody is asked about somebody's end: people, or the GM, may do more."""
        return self.between or self.phase is Phase.AFTERMATH

    @property
    def chosen(self) -> frozenset[str]:
        """Who has divided their dice."""
        return frozenset(choice.who for choice in self.choices)

    @property
    def free(self) -> tuple[Fencer, ...]:
        """Before the dice: those who have not divided theirs, by initiative."""
        return tuple(fencer for fencer in self.order
                     if self.between and fencer.fights and fencer.id not in self.chosen)

    @property
    def standing(self) -> tuple[Fencer, ...]:
        """Those who can go on."""
        return turns.fighting(self.fencers)

    @property
    def sides_standing(self) -> tuple[str, ...]:
        """The sides that have somebody left, in the order in which they were set up."""
        return turns.sides_left(self.fencers)

    @property
    def decided(self) -> bool:
        """Whether no more than one side stands."""
        return not turns.goes_on(self.fencers)

    @property
    def order(self) -> tuple[Fencer, ...]:
        """All by initiative."""
        return tuple(fencer for group in turns.in_order(self.fencers, lambda fencer: fencer.place) for fencer in group)

    @property
    def undecided(self) -> tuple[Fencer, ...]:
        """Those without a foe who have yet to say what they do this turn, by initiative (PS-21)."""
        return tuple(
            fencer for fencer in self.order
            if fencer.fights and not fencer.held and not fencer.backing and not self.foes_of(fencer.id)
        ) if not self.throws else ()

    @property
    def engaged(self) -> tuple[Fencer, ...]:
        """Those who cross blades this turn, by initiative."""
        return tuple(fencer for fencer in self.order if self.foes_of(fencer.id))

    @property
    def unchosen(self) -> tuple[Fencer, ...]:
        """Those who have yet to divide their dice."""
        return () if self.throws else tuple(fencer for fencer in self.engaged if fencer.id not in self.chosen)

    @property
    def live(self) -> tuple[Throw, ...]:
        """The dice that do not stand yet."""
        return tuple(throw for throw in self.throws if throw.who not in self.clashed)

    @property
    def bouts(self) -> tuple[tuple[str, ...], ...]:
        """Pairs and trios: who is engaged with whom, by initiative (PS-21)."""
        bouts: list[tuple[str, ...]] = []
        for fencer in self.engaged:
            if not any(fencer.id in bout for bout in bouts):
                among = self.reach(fencer.id)
                bouts.append(tuple(fencer.id for fencer in self.order if fencer.id in among))
        return tuple(bouts)

    def reach(self, fencer_id: str) -> frozenset[str]:
        """Everybody who hangs together with this one by engagements."""
        among, waiting = {fencer_id}, [fencer_id]
        while waiting:
            fresh = [foe for foe in self.foes_of(waiting.pop()) if foe not in among]
            among |= set(fresh)
            waiting += fresh
        return frozenset(among)

    def foes_of(self, fencer_id: str) -> tuple[str, ...]:
        """With whom somebody is engaged this turn."""
        return tuple(
            other for pair in self.pairs if fencer_id in pair for other in pair if other != fencer_id)

    def backers_of(self, fencer_id: str) -> tuple[Fencer, ...]:
        """Who backs somebody with their fortes (PS-26)."""
        return tuple(fencer for fencer in self.standing if fencer.backing == fencer_id)

    def fencer(self, fencer_id: str) -> Fencer:
        """The fencer of this id; raises `KeyError`."""
        return turns.entrant(self.fencers, fencer_id)

    def throw_of(self, fencer_id: str) -> Throw | None:
        """Their dice of this turn, or None."""
        return next((throw for throw in self.throws if throw.who == fencer_id), None)

    def choice_of(self, fencer_id: str) -> Choice | None:
        """What they chose for this turn, or None."""
        return next((choice for choice in self.choices if choice.who == fencer_id), None)

    def wound_of(self, fencer_id: str) -> Wound | None:
        """The next ranks that they have to place, or None."""
        return next((wound for wound in self.wounds if wound.who == fencer_id), None)

    def names(self, ids: Iterable[str]) -> str:
        """The names of these fencers, as a person lists them."""
        return turns.names(self.fencers, ids)

    def with_(self, fencer_id: str, **changes: Any) -> State:
        """The state with these facts of one fencer changed."""
        return replace(self, fencers=turns.changed(self.fencers, fencer_id, **changes))

    def spent_free(self, fencer_id: str, tweak: str) -> State:
        """The state after a tweak of somebody: a starred one is free once a duel (PS-27)."""
        fencer = self.fencer(fencer_id)
        if tweak not in FREE_ONCE or tweak in fencer.used_free:
            return self
        return self.with_(fencer_id, used_free=(*fencer.used_free, tweak))

    def without_pairs(self, fencer_id: str) -> State:
        """The state with nobody engaged with this one, and nobody backing somebody without a foe.

        Those who were engaged with them choose again.
        """
        again = {*self.foes_of(fencer_id), fencer_id}
        state = replace(self, pairs=tuple(pair for pair in self.pairs if fencer_id not in pair),
                        choices=tuple(choice for choice in self.choices if choice.who not in again))
        for fencer in self.fencers:
            if fencer.backing and not state.foes_of(fencer.backing):
                state = state.with_(fencer.id, backing="")
        return state

    def without_stings(self, fencer_id: str, by: str = "") -> State:
        """The state without what somebody has to withstand: the first from this blade, or all."""
        own = [place for place, sting in enumerate(self.stings) if sting.who == fencer_id]
        met = next((place for place in own if by and self.stings[place].by == by), None)
        gone = {met} if met is not None else set() if by else {*own}
        return replace(self, stings=tuple(sting for place, sting in enumerate(self.stings) if place not in gone),
                       resisting=tuple(cast for cast in self.resisting if cast.who != fencer_id))

    def gone(self, fencer_id: str, how: str) -> State:
        """The state with somebody out of it. With the dice down, what they threw still counts (PS-23)."""
        state = self.with_(fencer_id, out=how, backing="").without_stings(fencer_id)
        state = replace(state, wounds=tuple(wound for wound in state.wounds if wound.who != fencer_id))
        return state if state.throws else state.without_pairs(fencer_id)

    def with_throw(self, throw: Throw) -> State:
        """The state with somebody's dice changed."""
        return replace(self, throws=tuple(throw if old.who == throw.who else old for old in self.throws))


Result = ActResult[Event[State]]
