"""After the dice, before they stand: techniques and style dice are added and put somewhere, or it stands (PS-17)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.moves import Die, Need, Step
from rules.procedure import Ask, Offer, Options
from rules.sheet import Effect
from rules.systems.pdq_sharp.bonus import open_techniques, payment, purse
from rules.systems.pdq_sharp.duel.clash import balance, rolls_of, taken
from rules.systems.pdq_sharp.duel.dice import AS_DIE, FLAT, STYLE_DIE, total
from rules.systems.pdq_sharp.duel.forms import one_of
from rules.systems.pdq_sharp.duel.state import DEFENCE, Bonus, Phase, Result, State, Throw
from rules.tables import OddsAnswer
from rules.values import BadMove, Value
from rules.wording import percent


@dataclass(frozen=True)
class Added(Event[State]):
    """Something was added after the dice: a technique (its id), or a style die (PS-17)."""

    who: str
    bonus: Bonus
    technique: str = ""

    def after(self, state: State) -> State:
        throw = _throw(state, self.who)
        used = (*throw.used, self.technique) if self.technique else throw.used
        return _reopened(state.with_throw(replace(throw, bonus=(*throw.bonus, self.bonus), used=used)), self.who)


@dataclass(frozen=True)
class DiePlaced(Event[State]):
    """A bonus die was put somewhere: the number of it, and where (PS-22)."""

    who: str
    number: int
    to: str

    def after(self, state: State) -> State:
        throw = _throw(state, self.who)
        moved = tuple(replace(bonus, to=self.to) if place == self.number else bonus
                      for place, bonus in enumerate(throw.bonus))
        return _reopened(state.with_throw(replace(throw, bonus=moved)), self.who)


@dataclass(frozen=True)
class Stood(Event[State]):
    """Somebody lets the dice stand as they are."""

    who: str

    def after(self, state: State) -> State:
        return replace(state, stood=(*state.stood, self.who))


def _reopened(state: State, who: str) -> State:
    """What is added opens it again for the others of the pair or trio (PS-17)."""
    among = state.reach(who)
    return replace(state, stood=tuple(one for one in state.stood if one not in among))


def _throw(state: State, who: str) -> Throw:
    return next(throw for throw in state.throws if throw.who == who)


def answering(state: State, bout: Sequence[str]) -> str:
    """Who says next whether the dice stand: whoever is worse off, of those who have not; "" when all have (PS-17)."""
    off = balance(state, bout)
    left = [who for who in bout if who not in state.stood]
    return max(left, key=lambda who: off[who], default="")


def deciders(state: State) -> tuple[str, ...]:
    """Those who are asked now, one of each pair or trio whose dice do not stand yet."""
    if not state.live:
        return ()
    found = (answering(state, bout) for bout in state.bouts if bout[0] not in state.clashed)
    return tuple(who for who in found if who)


def can_answer(state: State, sheets: Sheets, who: str) -> bool:
    """Whether there is anything that they could add, or put elsewhere; else the dice stand by themselves."""
    throw = state.throw_of(who)
    if throw is None:
        return False
    # Nobody minds where a squad's dice lie: they lie where they help.
    return bool(additions(state, sheets, throw) or (loose(state, throw) and not state.fencer(who).squad))


def _asked(state: State) -> tuple[Throw, ...]:
    """The dice of those who are asked now whether they stand."""
    asked = deciders(state) if state.phase is Phase.ELLIPSIS else ()
    return tuple(throw for who in asked if (throw := state.throw_of(who)))


def offer_stand(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever is worse off: it stands (PS-17)."""
    for throw in _asked(state):
        gives, hurts = taken(state, throw.who)
        yield Offer("stand", throw.who, f"Let it stand: {gives} given, {hurts} taken")


def ask_to_stand(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Whoever is worse off, of each pair or trio; the NPCs together."""
    for throw in _asked(state):
        gives, hurts = taken(state, throw.who)
        if state.fencer(throw.who).player:
            yield Ask(throw.who, "stand", f"let it stand ({gives} given, {hurts} taken) or add to it", "Decide",
                      decision=True, stands=True, hurts=gives + hurts > 0)
    if others := npcs(state):
        yield Ask("", "stand_npcs", f"let it stand for {state.names(others)}, or add to it", "Decide", decision=True,
                  stands=True, hurts=any(sum(taken(state, who)) for who in others))


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Lets the dice stand as they lie."""
    return Result((Stood(by),), (Step("PS-17", f"{state.fencer(by).name} lets it stand."),))


def offer_stand_npcs(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where NPCs are asked."""
    if npcs(state):
        yield Offer("stand_npcs", "", "Let it stand for the NPCs")


def stand_npcs(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM lets the dice of all NPCs stand who are asked now."""
    who = npcs(state)
    events: tuple[Event[State], ...] = tuple(Stood(one) for one in who)
    lets = "lets" if len(who) == 1 else "let"
    return Result(events, (Step("PS-17", f"{state.names(who)} {lets} it stand."),))


def npcs(state: State) -> tuple[str, ...]:
    """The NPCs that are asked now."""
    return tuple(who for who in deciders(state) if not state.fencer(who).player)


def offer_add(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever is asked and has something left: more dice, or +1."""
    for throw in _asked(state):
        if more := additions(state, sheets, throw):
            yield Offer("add", throw.who, "Add to it", "Each technique once a turn. Spent style dice go to the bowl.",
                        (one_of("what", "What, and where", "Choose what you add."),), {"what": more}, rolls=True)


def additions(state: State, sheets: Sheets, throw: Throw) -> Options:
    """What somebody can add now: each technique that is left and a style die, as a die or as +1, on either side."""
    fencer, sheet = state.fencer(throw.who), sheets[throw.who]
    choice = state.choice_of(throw.who)
    counting = (*choice.fortes, choice.gambit) if choice else ()
    sources = [(technique.id, technique.name) for technique in open_techniques(sheet, counting, throw.used)]
    if purse(sheet, state.context, player=fencer.player):
        sources.append((STYLE_DIE, "A style die"))
    return tuple(option for source in sources for option in _uses(state, throw, *source))


def _uses(state: State, throw: Throw, source: str, name: str) -> Iterator[tuple[str, str]]:
    for tray in throw.trays:
        if tray.dice:
            yield f"{source}|{AS_DIE}|{tray.to}", f"{name}: a die on {where(state, throw, tray.to)}"
    yield f"{source}|{AS_DIE}|", f"{name}: a die, put down when it has fallen"
    for tray in throw.trays:
        yield f"{source}|{FLAT}|{tray.to}", f"{name}: +1 on {where(state, throw, tray.to)}"


def where(state: State, throw: Throw, to: str) -> str:
    """A tray in words: the attack, the attack on somebody where there are two, the defence."""
    if to == DEFENCE:
        return "the defence"
    return "the attack" if len(throw.attacks) == 1 else f"the attack on {state.fencer(to).name}"


def add(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A technique, once a turn, or a style die: one more die, or +1 (PS-11, PS-22)."""
    source, how, to = values["what"].split("|")
    throw, sheet, fencer = _throw(state, by), sheets[by], state.fencer(by)
    technique = sheet.trait(source)
    name = technique.name if technique else "a style die"
    if how == AS_DIE and not faces:
        return Need((6,))
    if len(faces) != (how == AS_DIE):
        raise BadMove("Give one die for a die, and none for +1.", "dice")
    bonus = Bonus(name, faces[0] if faces else 0, to)
    event = Added(by, bonus, technique.id if technique else "")
    effects: tuple[Effect, ...] = () if technique else payment(sheet, 1)
    after = event.after(state)
    place = where(state, throw, to) if to else "where it helps most, until it is put somewhere"
    what = f"shows {bonus.face}" if faces else "adds 1"
    steps = (Step("PS-11", f"{fencer.name}: {name} {what}, on {place}."), *_before_after(state, after, by, to))
    gives, takes = taken(after, by)
    result: dict[str, Value] = {"gives": {"ranks": gives}, "takes": {"ranks": takes}}
    dice = tuple(Die(6, face, f"{fencer.name}: {name}") for face in faces)
    return Result((event,), steps, result, dice, effects, rolls_of(after, tuple(state.reach(by))) if faces else ())


def _before_after(before: State, after: State, who: str, to: str) -> Iterator[Step]:
    """Both moments in the trail: what a side came to, and what it comes to now."""
    was, now = _throw(before, who), _throw(after, who)
    for tray in now.trays:
        if total(was, tray.to) != total(now, tray.to):
            yield Step("PS-17", f"{before.fencer(who).name}, {where(before, now, tray.to)}: {total(was, tray.to)} "
                                f"becomes {total(now, tray.to)}.")


def odds_of_adding(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of the ranks that one would give with what is added."""
    counts = Counter(gives for gives, _ in outcomes(state, offer.by, values["what"]))
    whole = sum(counts.values())
    by_ranks = tuple(
        (f"{ranks} {'rank' if ranks == 1 else 'ranks'}" if ranks else "No touch", Fraction(ways, whole),
         "good" if ranks else "bad") for ranks, ways in sorted(counts.items(), reverse=True))
    return (("The ranks that you give", OddsAnswer(by_ranks)),)


def outcomes(state: State, who: str, what: str) -> list[tuple[int, int]]:
    """The ranks given and taken for each face of the die that is added, or for the +1."""
    _, how, to = what.split("|")
    faces = range(1, 7) if how == AS_DIE else (0,)
    return [taken(Added(who, Bonus("", face, to)).after(state), who) for face in faces]


@dataclass(frozen=True, slots=True)
class Addition:
    """Something that can be added: its id, what it is, and what it leads to; `gives` and `takes` are (least, most)."""

    id: str
    label: str
    touch: Fraction
    touched: Fraction
    gives: tuple[int, int]
    takes: tuple[int, int]

    @property
    def touch_shown(self) -> str:
        """The chance to touch as people read it."""
        return percent(self.touch)

    @property
    def touched_shown(self) -> str:
        """The chance to be touched."""
        return percent(self.touched)

    @property
    def spread(self) -> str:
        """The ranks that it would come to: `2 to 4 given, 1 taken`."""
        return ", ".join(f"{least if least == most else f'{least} to {most}'} {word}"
                         for (least, most), word in ((self.gives, "given"), (self.takes, "taken")))


def with_additions(state: State, sheets: Sheets, throw: Throw) -> tuple[Addition, ...]:
    """What each addition would lead to, for the page that offers them: what helps most comes first."""
    rows: list[tuple[int, Addition]] = []
    for what, label in additions(state, sheets, throw):
        cases = outcomes(state, throw.who, what)
        net = sum(given - taken_ for given, taken_ in cases) * (6 // len(cases))
        gives, takes = [case[0] for case in cases], [case[1] for case in cases]
        rows.append((net, Addition(
            what, label, _some(gives), _some(takes), (min(gives), max(gives)), (min(takes), max(takes)))))
    return tuple(each for _, each in sorted(rows, key=lambda one: -one[0]))


def _some(ranks: list[int]) -> Fraction:
    return Fraction(sum(rank > 0 for rank in ranks), len(ranks))


def offer_place_die(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever is asked and has a die that lies nowhere yet."""
    for throw in _asked(state):
        if options := loose(state, throw):
            yield Offer("place_die", throw.who, "Put a die somewhere", "Left alone, it lies where it helps most.",
                        (one_of("where", "Which die, and where", "Choose a die."),), {"where": options})


def loose(state: State, throw: Throw) -> Options:
    """The bonus dice that nobody has put anywhere, and where each can go."""
    return tuple(
        (f"{number}|{tray.to}", f"The {bonus.face} of {bonus.source} on {where(state, throw, tray.to)}")
        for number, bonus in enumerate(throw.bonus) if bonus.face and not bonus.to
        for tray in throw.trays if tray.dice
    )


def place_die(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A bonus die goes where the player puts it, over a lower one (PS-22)."""
    number, to = values["where"].split("|")
    event = DiePlaced(by, int(number), to)
    throw = _throw(state, by)
    text = f"{state.fencer(by).name} puts the {throw.bonus[int(number)].face} on {where(state, throw, to)}."
    return Result((event,), (Step("PS-22", text), *_before_after(state, event.after(state), by, to)))


OWN: tuple[Act[State], ...] = (
    Act("stand", offer_stand, stand, ask_to_stand), Act("add", offer_add, add, odds=odds_of_adding),
    Act("place_die", offer_place_die, place_die),
)
GMS = (Act("stand_npcs", offer_stand_npcs, stand_npcs),)
EVENTS: tuple[type[Event[State]], ...] = (Added, DiePlaced, Stood)
