"""What a procedure is spoken of in: what is offered, what an act leads to, who takes part, what a page gets.

A procedure is whatever has a state and legal acts: a contest, a fight, a check with re-rolls, a downtime. The way
through one is in `rules/engine.py`.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import urlencode

from rules.fields import REQUIRED, Field, of_players
from rules.modifiers import Modifier
from rules.moves import Die, Outcome, Roll, Step
from rules.sheet import Effect, Sheet
from rules.values import Value

E = TypeVar("E", covariant=True)

Options = tuple[tuple[str, str], ...]  # (id, what a person reads)


def is_known(sheets: Mapping[str, Sheet], who: str) -> bool:
    """Whether whoever looks knows more of this one than the face; who has no sheet there hides nothing."""
    return who not in sheets or sheets[who].known


@dataclass(frozen=True)
class Offer:
    """A legal act: what may be done now, by whom, and what it asks for.

    `by` is the id of the sheet that would act, "" for the GM alone. `options` gives the ids that a field of the act
    may name (`{"targets": (...), "qualities": (...)}`), each with the words that a person reads.
    """

    action: str
    by: str
    title: str
    help: str = ""
    fields: tuple[Field, ...] = ()
    options: Mapping[str, Options] | None = None
    rolls: bool = False  # whether dice may follow, so that a page asks for the odds
    personal: bool = False  # whether it is only for whoever plays that character, and not for the GM in their place
    now: Mapping[str, Value] | None = None  # what stands in a field already, so that a form opens with it
    chips: str = ""  # the field whose options are buttons, each of which does the act at one tap
    fits: Mapping[str, tuple[str, ...]] | None = None  # what stands ready once an id is chosen: ids of a later list
    binds: Mapping[str, tuple[str, ...]] | None = None  # what counts with an id, whatever is ticked: as `fits`
    previews: bool = False  # whether `forecast` tells what comes of it though no dice fall


@dataclass(frozen=True)
class ReadingOffer(Offer):
    """An offer to read dice again that lie, which holds as long as nothing depends on them.

    `takes_back`: what they came to first is taken back before, on sheets and in pools.
    """

    takes_back: bool = False


def without_gms_word(offer: Offer, *, asks_first: bool) -> Offer:
    """An offer as players get it: only what is theirs to say."""
    fields = of_players(offer.fields, asks_first=asks_first)
    if fields == offer.fields:
        return offer
    names = {field.name for field in fields}
    options = {name: option for name, option in (offer.options or {}).items() if name in names}
    now = {name: value for name, value in (offer.now or {}).items() if name in names}
    return replace(offer, fields=fields, options=options, now=now)


def lacks(offer: Offer, limited: Offer) -> bool:
    """Whether something of an offer has to be said that is not in what is left of it."""
    return any(field.default is REQUIRED for field in offer.fields if field not in limited.fields)


@dataclass(frozen=True, slots=True)
class Ask:
    """Something that a procedure waits for: the act that answers it, and who is asked (`by`, "" for the GM).

    `text` says what to do in words that hold for whoever is asked and for those who wait: "react to Dock thug".
    `button` is the verb that leads there; a `decision` lies between answers that are both open, and `stands` says that
    this act lets the dice lie as they fell, so that a page may do it by itself; never where that may harm somebody
    (`hurts`). What may wait for as long as one likes, as a pause does, is `idle`. A `routine` act rolls, asks for
    nothing more, and no more than usual hangs on it, so that one press does it from any page. What `waits` is a
    decision of the GM's that stands until it is answered or passed, whatever players do meanwhile.
    """

    by: str
    action: str
    text: str
    button: str = "Answer"
    decision: bool = False
    routine: bool = False
    stands: bool = False
    hurts: bool = False
    idle: bool = False
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Use:
    """That somebody met something with these lines of their sheet, as dice fell: what is called so, "" for what the
    contest is about; or somebody, by id (`foe`), who used these lines (`theirs`), each by its id or its name."""

    who: str
    lines: tuple[str, ...]
    against: str = ""
    foe: str = ""
    theirs: tuple[str, ...] = ()


def met(who: str, lines: tuple[str, ...], foe: str, theirs: tuple[str, ...]) -> tuple[Use, Use]:
    """What two used against each other."""
    return Use(who, lines, foe=foe, theirs=theirs), Use(foe, theirs, foe=who, theirs=lines)


@dataclass(frozen=True)
class ActResult(Generic[E]):
    """What an act leads to: events to keep, steps that explain them, its numbers, the dice, effects on sheets.

    `rolls` are the moves of the contract that it came to. `sealed` is a choice in secret: only whoever made it reads
    the entry.
    """

    events: tuple[E, ...]
    steps: tuple[Step, ...] = ()
    result: Mapping[str, Value] = field(default_factory=dict)
    dice: tuple[Die, ...] = ()
    effects: tuple[Effect, ...] = ()
    rolls: tuple[Roll, ...] = ()
    sealed: bool = False

    @property
    def outcome(self) -> Outcome:
        """What the trail keeps of it."""
        return Outcome(self.result, self.steps, self.dice, self.rolls)


@dataclass(frozen=True)
class Casting:
    """Who takes part in a procedure.

    `who`: characters on `sides` against each other, `many` without sides, `one` alone, or `everyone` who is played.
    """

    who: Literal["sides", "many", "one", "everyone"] = "sides"
    sides: int = 3  # how many sides there may be at most
    least: int = 1  # how many have to be in it
    most: int = 0  # how many may be in it, 0 for as many as there are
    first: str = ""  # a field that is true of one of them alone: who acts against the others ("leads")
    others_named: bool = False  # with sides: whether those on the other side may be mere names
    second_role: str = ""  # with one: what a second character may be in it for ("Who is helped")
    second_help: str = ""  # what follows for that second one
    second_needed: bool = False  # whether there has to be a second one
    bystanders: bool = False  # whether those who are in the scene with them may do something in it too
    onward: bool = False  # whether bystanders are also those of the scene that is on, when its own is over
    carrying: tuple[str, ...] = ()  # kinds of line: whoever has one is among them, and a session begins with it
    open: bool = False  # whether whoever is played is in it, though they came later, and NPCs who are in the scene

    def holds(self, many: int) -> bool:
        """Whether so many are neither too few for it nor too many."""
        return self.least <= many <= (self.most or many)

    def opening(self, npcs: Sequence[bool]) -> tuple[int, ...]:
        """On which side each begins as a form opens, 0 for out of it; `npcs` says of each whether the GM plays it.

        A choice that is accepted as it is, wherever enough are there: players' characters are in it first, against
        the GM's. Without sides an NPC is in it only where there are too few others.
        """
        order = sorted(range(len(npcs)), key=lambda place: npcs[place])
        if self.who != "sides":
            wanted = max(self.least, sum(not npc for npc in npcs))
            within = set(order[:min(wanted, self.most or wanted)])
            return tuple(int(place in within) for place in range(len(npcs)))
        ours, theirs = ([place for place in order if npcs[place] is npc] for npc in (False, True))
        if not self.others_named and len(order) > 1:
            if not theirs:
                theirs = [ours.pop()]
            if not ours:
                ours = [theirs.pop(0)]
        a_side = self.most // 2 or len(order)
        sides = {**dict.fromkeys(ours[:a_side], 1), **dict.fromkeys(theirs[:a_side], 2)}
        return tuple(sides.get(place, 0) for place in range(len(npcs)))


@dataclass(frozen=True)
class Placement:
    """Where a procedure may happen, and who may start it."""

    exclusive: bool = True  # whether a scene holds one at a time, and can't close before it is over
    needs_scene: bool = True
    open_to_players: bool = False  # whether a player may start one with their own character
    offered: bool = True  # whether one can be started by the campaign's settings; what was started is read always
    always: bool = False  # whether it goes on over all sessions, and has a place in the menu of the campaign
    asks_to_close: bool = False  # whether a scene asks the GM before it closes over one that is open
    session_end: str = ""  # the GM's act that ends it with the session: one that has it begins with each session too


@dataclass(frozen=True)
class Perspective:
    """Who looks at a procedure: the sheets that they play, whether they run the game, and who plays which (by name).

    `whole` are all sheets with their numbers, where odds may be told against those of whom one knows the face alone.
    Where no `odds` are asked for, a view counts none.
    """

    plays: frozenset[str] = frozenset()
    runs: bool = False
    players: Mapping[str, str] = field(default_factory=dict)
    whole: Mapping[str, Sheet] | None = None
    odds: bool = True

    def is_asked(self, who: str) -> bool:
        """Whether it is this viewer who answers for somebody: a player for their own, the GM where no player does."""
        return who in self.plays or (self.runs and who not in self.players)

    def may_count(self, sheets: Mapping[str, Sheet], *ids: str) -> bool:
        """Whether odds that count the numbers of these may be told."""
        if not self.odds:
            return False
        return self.whole is not None or all(is_known(sheets, id_) for id_ in ids)

    def counted(self, sheets: Mapping[str, Sheet], who: str) -> Sheet | None:
        """The sheet whose numbers count for this viewer: of a face only where odds may be told against it."""
        return (sheets if is_known(sheets, who) else self.whole or {}).get(who)


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody's place in the order of a procedure, as a page draws it."""

    id: str
    name: str
    side: str
    current: bool = False
    out: bool = False
    held: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Blocked:
    """Something that somebody (`by`) would do and can't now, shown disabled with the reason."""

    by: str
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class View:
    """A procedure at one moment, as one viewer may see it: all that its page gets.

    Those of one of the `groups` act together. `waits_for` says whom it waits for, in the words of what is asked: the
    engine begins it, and a game says what there is to say beside. `detail` is a frozen dataclass of the game's own,
    for its own template.
    """

    heading: str
    waits_for: str
    groups: tuple[tuple[Participant, ...], ...]
    facts: tuple[str, ...] = ()
    detail: Any = None
    blocked: tuple[Blocked, ...] = ()


@dataclass(frozen=True)
class PastContest:
    """An earlier contest: the number of its first entry, its title, whether it was in this session, state, scene.

    It is `over` also where a GM called it off from outside, so that its state knows nothing of it.
    """

    seq: int
    title: str
    now: bool
    state: Any
    scene: str = ""  # the id of its scene, "" for none
    over: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """Something that a GM prepared, with its fields: `name` is the GM's own, `called` what players call it by now; only
    where they know all of it (`known`) may more than that be told."""

    id: str
    name: str
    fields: Mapping[str, Any]
    called: str
    known: bool


@dataclass(frozen=True)
class CampaignContext:
    """What a campaign holds beside a procedure. It is never part of an event.

    `pools` are the campaign's own, `session` the one that is open, or the latest; `past` are the latest earlier
    contests of the kinds that it remembers, oldest first; `prepared` is for offers that only the GM
    gets; `away` are NPCs whom all may know and who are not in the scene, for the GM's forms; `waiting` is what
    the GM has given somebody for the next roll, by sheet. These four may be read only when somebody looks at them: most
    acts need none. `scene` is the id of the
    scene that the procedure is in, "" for none; `open_scene` that of the one that is on, None where nobody said.
    `settings` are the campaign's of now; a procedure goes on with those that it began with.
    """

    pools: tuple[tuple[str, int], ...] = ()
    past: Sequence[PastContest] = ()
    prepared: Sequence[Prepared] = ()
    session: str = ""
    scene: str = ""
    open_scene: str | None = None
    away: Sequence[Sheet] = ()
    waiting: Sequence[tuple[str, Modifier]] = ()
    settings: Mapping[str, Value] = field(default_factory=dict)

    def waits_for(self, who: str) -> tuple[Modifier, ...]:
        """What the GM has given this character for the next roll."""
        return tuple(modifier for sheet, modifier in self.waiting if sheet == who)

    def pool(self, name: str) -> int:
        """What is in a pool of the campaign."""
        return dict(self.pools).get(name, 0)

    def left(self, name: str) -> int | None:
        """The same, for a page: None where the campaign has no such pool at all."""
        return dict(self.pools).get(name)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something that a procedure could be about, as its form offers it: a name, words, and what the form opens with."""

    name: str
    words: str
    values: tuple[tuple[str, str], ...]

    @property
    def query(self) -> str:
        """The values as a link to the form says them."""
        return urlencode(self.values)


@dataclass(frozen=True, slots=True)
class ExperienceRule:
    """That a procedure teaches those in it: the pool that a lesson adds a point to, the most in a session."""

    pool: str
    most: int


@dataclass(frozen=True, slots=True)
class Award:
    """Something that was learned, or was not: `what` happened, about which line of the sheet, and why it (not) counts.

    `about` names the line as the rules tell lines apart, which may be in small letters.
    """

    who: str
    what: str
    about: str
    counts: bool
    why: str


@dataclass(frozen=True, slots=True)
class FactRule:
    """That a procedure makes facts of the campaign: by which acts, and what their page says while it is empty."""

    by: tuple[str, ...]
    help: str


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is so in the story, or would be: its weight and price in words, and whose it is."""

    fact: str
    terms: str
    who: str
    stands: bool
