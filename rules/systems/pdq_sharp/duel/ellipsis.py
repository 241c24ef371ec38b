"""After the dice, before they stand: techniques and style dice are added and put somewhere, or it stands (PS-17)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.moves import Step
from rules.procedure import Ask, Offer, Options
from rules.systems.pdq_sharp.duel.additions import Added, before_after, left_to_add, reopened, throw_by, where
from rules.systems.pdq_sharp.duel.clash import asked, balance, deciders, lying, taken
from rules.systems.pdq_sharp.duel.composed import ADD
from rules.systems.pdq_sharp.duel.dice import loose_dice, shown
from rules.systems.pdq_sharp.duel.forms import one_of
from rules.systems.pdq_sharp.duel.state import Bonus, Result, State, Throw
from rules.systems.pdq_sharp.duel.why import why_standing, why_together
from rules.systems.pdq_sharp.reading import capacity
from rules.why import Why

EASIEST, OWN_CHOICE = "easiest", "own"  # where the damage goes once the dice stand


@dataclass(frozen=True)
class DiePlaced(Event[State]):
    """A bonus die was put somewhere: the number of it, and where (PS-22)."""

    who: str
    number: int
    to: str

    def after(self, state: State) -> State:
        throw = throw_by(state, self.who)
        moved = tuple(replace(bonus, to=self.to) if place == self.number else bonus
                      for place, bonus in enumerate(throw.bonus))
        return reopened(state.with_throw(replace(throw, bonus=moved)), self.who)


@dataclass(frozen=True)
class Stood(Event[State]):
    """Somebody lets the dice stand as they are; `places` where their damage then lies where it hurts least (PS-30)."""

    who: str
    places: bool = False

    def after(self, state: State) -> State:
        easy = state.easy | {self.who} if self.places else state.easy - {self.who}
        return replace(state, stood=(*state.stood, self.who), easy=easy)


def can_answer(state: State, sheets: Sheets, who: str) -> bool:
    """Whether anything that they could add, or put elsewhere, betters it for them; else the dice stand by themselves.

    All that is left to add counts together: each the face that helps most, or +1.
    """
    throw, lie = state.throw_of(who), lying(state, who)
    if throw is None or lie is None:
        return False
    worth, many = _worth(state, who), left_to_add(state, sheets, throw)
    more = [(Bonus("", 0, tray.to),) * raised for tray in throw.trays
            for raised in range(1, _most_raised(lie, tray.to, many) + 1)]
    if loose_dice(throw):  # these make room for others
        more += [(Bonus("", 6),) * dice for dice in range(1, many + 1)]
    if any(_worth(state.with_throw(replace(throw, bonus=(*throw.bonus, *added))), who) > worth for added in more):
        return True
    if state.fencer(who).squad:  # nobody minds where its dice lie
        return False
    elsewhere = (place.split("|") for place, _ in loose(state, throw))
    return any(_worth(DiePlaced(who, int(number), to).after(state), who) > worth for number, to in elsewhere)


def _worth(state: State, who: str) -> int:
    """What the dice are worth to somebody as they lie."""
    return -balance(state, tuple(state.reach(who)))[who]


def _most_raised(throw: Throw, to: str, many: int) -> int:
    """The most that so many additions can raise a tray by: a six over each lower die, +1 where that is as good."""
    gains = sorted((6 - face for face in shown(throw).get(to, ())), reverse=True)[:many]
    return sum(max(1, gain) for gain in gains) + many - len(gains)


def offer_stand(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever is worse off: it stands (PS-17)."""
    for throw in asked(state):
        gives, hurts = taken(state, throw.who)
        comes = f"{gives} given, {hurts} taken"
        if state.fencer(throw.who).player and 0 < hurts < capacity(sheets[throw.who]):
            yield Offer("stand", throw.who, f"Let it stand: {comes}", fields=(one_of("places", "Damage"),), options={
                "places": ((EASIEST, f"{comes}: where it hurts least"), (OWN_CHOICE, f"{comes}: you assign it"))})
        else:
            yield Offer("stand", throw.who, f"Let it stand: {comes}")


def ask_to_stand(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Whoever is worse off, of each pair or trio; the NPCs together."""
    for throw in asked(state):
        gives, hurts = taken(state, throw.who)
        if state.fencer(throw.who).player:
            yield Ask(throw.who, "stand", f"let it stand ({gives} given, {hurts} taken) or add to it", "Decide",
                      decision=True, stands=True, hurts=gives + hurts > 0)
    if others := npcs(state):
        yield Ask("", "stand_npcs", f"let it stand for {state.names(others)}, or add to it", "Decide", decision=True,
                  stands=True, hurts=any(sum(taken(state, who)) for who in others))


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Lets the dice stand as they lie, and says at once where the damage goes."""
    stood = Stood(by, values.get("places") == EASIEST)
    return Result((stood,), (Step("PS-17", f"{state.fencer(by).name} lets it stand."),))


def offer_stand_npcs(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where NPCs are asked."""
    if npcs(state):
        yield Offer("stand_npcs", "", "Let it stand for the NPCs")


def stand_npcs(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM lets the dice of all NPCs stand who are asked now."""
    who = npcs(state)
    events: tuple[Event[State], ...] = tuple(Stood(fencer) for fencer in who)
    lets = "lets" if len(who) == 1 else "let"
    return Result(events, (Step("PS-17", f"{state.names(who)} {lets} it stand."),))


def why_npcs(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """What all of them together give and take as the dice lie; each one’s own dice are told at theirs."""
    return why_together(state, npcs(state))


def npcs(state: State) -> tuple[str, ...]:
    """The NPCs that are asked now."""
    return tuple(who for who in deciders(state) if not state.fencer(who).player)


def offer_place_die(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever is asked and has a die that lies nowhere yet."""
    for throw in asked(state):
        if options := loose(state, throw):
            yield Offer("place_die", throw.who, "Put a die somewhere", "Left alone, it lies where it helps you most.",
                        (one_of("where", "Die", "Choose a die."),), {"where": options})


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
    throw = throw_by(state, by)
    text = f"{state.fencer(by).name} puts the {throw.bonus[int(number)].face} on {where(state, throw, to)}."
    return Result((event,), (Step("PS-22", text), *before_after(state, event.after(state), by)))


OWN: tuple[Act[State], ...] = (
    Act("stand", offer_stand, stand, ask_to_stand, why=why_standing), ADD,
    Act("place_die", offer_place_die, place_die),
)
GMS = (Act("stand_npcs", offer_stand_npcs, stand_npcs, why=why_npcs),)
EVENTS: tuple[type[Event[State]], ...] = (Added, DiePlaced, Stood)
