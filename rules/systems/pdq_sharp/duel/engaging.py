"""Who crosses blades with whom: pairs and trios, a squad being one, and gangs (PS-20, PS-21, PS-26)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.moves import Step
from rules.procedure import Ask, Offer
from rules.systems.pdq_sharp.chart import signed
from rules.systems.pdq_sharp.duel.forms import countable, counting, named, one_of, some_of
from rules.systems.pdq_sharp.duel.order import quicker
from rules.systems.pdq_sharp.duel.state import Fencer, Phase, Result, State
from rules.systems.pdq_sharp.kinds import LIEUTENANT
from rules.systems.pdq_sharp.reading import minions_left, modifier_of
from rules.values import BadMove
from rules.wording import join

MOST_FOES, MOST_TOGETHER = 2, 3
SMALL_SQUAD = 3


@dataclass(frozen=True)
class Engaged(Event[State]):
    """Somebody engaged one foe, or two (PS-21)."""

    who: str
    foes: tuple[str, ...]

    def after(self, state: State) -> State:
        state = state.with_(self.who, held=False, backing="")
        fresh = tuple(quicker(state, self.who, foe) for foe in self.foes)
        for foe in self.foes:
            state = state.with_(foe, held=False, backing="")
        return replace(state, pairs=tuple(dict.fromkeys((*state.pairs, *fresh))))


@dataclass(frozen=True)
class BackedUp(Event[State]):
    """Somebody backs a friend with these fortes: a gang, in which one rolls (PS-26)."""

    who: str
    whom: str
    fortes: tuple[str, ...]

    def after(self, state: State) -> State:
        return state.with_(self.who, backing=self.whom, fortes=self.fortes)


@dataclass(frozen=True)
class HeldBack(Event[State]):
    """Somebody stays out of it this turn."""

    who: str

    def after(self, state: State) -> State:
        return state.with_(self.who, held=True)


@dataclass(frozen=True)
class BrokeOff(Event[State]):
    """Somebody left their foes, or the friend they backed, to look for another place."""

    who: str

    def after(self, state: State) -> State:
        return state.with_(self.who, backing="", held=False).without_pairs(self.who)


def possible(state: State, who: Fencer) -> tuple[Fencer, ...]:
    """Whom somebody may engage now: at most two foes each, and nobody in more than a trio (PS-21)."""
    mine = state.foes_of(who.id)
    if len(mine) >= MOST_FOES:
        return ()
    return tuple(
        fencer for fencer in state.standing
        if fencer.side != who.side and fencer.id not in mine and len(state.foes_of(fencer.id)) < MOST_FOES
        and len(state.reach(who.id) | state.reach(fencer.id)) <= MOST_TOGETHER
    )


def friends(state: State, who: Fencer) -> tuple[Fencer, ...]:
    """Whom somebody may back: a friend who has a foe (PS-26)."""
    return tuple(
        fencer for fencer in state.standing
        if fencer.side == who.side and fencer.id != who.id and state.foes_of(fencer.id) and not fencer.squad
    ) if not who.squad else ()


def idle(state: State, who: Fencer) -> bool:
    """Whether there is nothing for them to do this turn."""
    return not possible(state, who) and not friends(state, who)


def _looking(state: State) -> Fencer | None:
    """The first without a foe, who looks for one (PS-21, PS-26)."""
    return state.undecided[0] if state.phase is Phase.ENGAGE else None


def offer_engage(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever looks for a foe; and, before the dice are divided, to who has one and may take on a second."""
    who = _looking(state)
    if who and (foes := possible(state, who)):
        free = min(foes, key=lambda foe: len(state.foes_of(foe.id)))
        yield Offer("engage", who.id, "Engage", "One foe, or two. A squad is one.",
                    (some_of("foes", "Foes", "Choose a foe.", MOST_FOES),), {"foes": named(foes)},
                    now={"foes": [free.id]})
    for fencer in state.free:
        foes = tuple(foe for foe in possible(state, fencer) if not state.reach(foe.id) & state.chosen)
        if state.foes_of(fencer.id) and foes and not state.reach(fencer.id) & state.chosen:
            yield Offer("engage", fencer.id, "Engage a second foe", "One defence against both, an attack for each.",
                        (some_of("foes", "Foe", "Choose a foe.", 1),), {"foes": named(foes)})


def ask_to_engage(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Whoever looks for a foe; the NPCs together."""
    who = _looking(state)
    if who and not who.player:
        yield Ask("", "engage_npcs", "find foes for the NPCs", "Engage")
    elif who and possible(state, who):
        yield Ask(who.id, "engage", "engage a foe, or stay out of it", "Engage", decision=True)
    elif who:
        yield Ask(who.id, "hold_back", "back a friend, or stay out of it", "Choose", decision=True)


def engage(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """One foe, or two (PS-21)."""
    foes, now = tuple(values["foes"]), state
    for foe in foes:
        if foe not in {foe.id for foe in possible(now, now.fencer(by))}:
            raise BadMove(f"{state.names(foes)} can’t be engaged together: two foes at most, and nobody is in more "
                          "than a pair or a trio.", "foes")
        now = Engaged(by, (foe,)).after(now)
    return Result((Engaged(by, foes),), (Step("PS-21", f"{state.fencer(by).name} engages {state.names(foes)}."),))


def offer_engage_npcs(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where an NPC is the next to look for a foe."""
    if (who := _looking(state)) and not who.player:
        yield Offer("engage_npcs", "", "Engage for the NPCs", "Each takes the foe who has the fewest.")


def engage_npcs(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM's NPCs, as long as it is their turn to look for a foe: each takes the one with the fewest foes."""
    events: list[Event[State]] = []
    steps: list[Step] = []
    while state.undecided and not state.undecided[0].player:
        who = state.undecided[0]
        event, step = _first_best(state, sheets, who)
        events.append(event)
        steps.append(step)
        state = event.after(state)
    return Result(tuple(events), tuple(steps))


def _first_best(state: State, sheets: Sheets, who: Fencer) -> tuple[Event[State], Step]:
    if open_to := possible(state, who):
        foe = min(open_to, key=lambda foe: len(state.foes_of(foe.id)))
        return Engaged(who.id, (foe.id,)), Step("PS-21", f"{who.name} engages {foe.name}.")
    if allies := friends(state, who):
        return BackedUp(who.id, allies[0].id, who.fortes), _backs(state, sheets, who, allies[0], who.fortes)
    return HeldBack(who.id), Step("PS-21", f"{who.name} stays out of it this turn.")


def offer_back_up(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever looks for a foe, where a friend has one."""
    who = _looking(state)
    if who and (allies := friends(state, who)):
        fields = (one_of("whom", "Friend", "Choose a friend to back."), some_of("fortes", "Fortes"))
        yield Offer("back_up", who.id, "Back a friend", "They roll, and your fortes count with theirs.", fields,
                    {"whom": named(allies), "fortes": countable(sheets[who.id], who)},
                    now={"whom": allies[0].id, "fortes": list(counting(sheets[who.id], who))})


def back_up(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A gang: one rolls, the others add their MODs (PS-26)."""
    who, whom, fortes = state.fencer(by), state.fencer(values["whom"]), tuple(values["fortes"])
    steps = [_backs(state, sheets, who, whom, fortes)]
    if bad := bad_form(state, sheets, who, whom):
        steps.append(Step("PS-26", bad))
    return Result((BackedUp(by, whom.id, fortes),), tuple(steps))


def _backs(state: State, sheets: Sheets, who: Fencer, whom: Fencer, fortes: Sequence[str]) -> Step:
    lines = [trait for forte in fortes if (trait := sheets[who.id].trait(forte))]
    what = join([f"{trait.name} {signed(modifier_of(trait))}" for trait in lines], empty="nothing")
    return Step("PS-26", f"{who.name} backs {whom.name} and adds {what}; {whom.name} alone rolls.")


def bad_form(state: State, sheets: Sheets, who: Fencer, whom: Fencer) -> str:
    """Why players' characters should not join forces here, as a sentence; "" where they may well (PS-26)."""
    if not (who.player and whom.player):
        return ""
    for foe in (state.fencer(facing) for facing in state.foes_of(whom.id)):
        alone = not any(fencer.side == foe.side and fencer.id != foe.id for fencer in state.standing)
        small = foe.squad and minions_left(sheets[foe.id]) <= SMALL_SQUAD
        if small or (alone and foe.threat == LIEUTENANT):
            return f"Bad form: several against {foe.name}, {'a small squad' if small else 'alone'}."
    return ""


def offer_hold_back(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever looks for a foe."""
    if who := _looking(state):
        yield Offer("hold_back", who.id, "Stay out of the duel", "For this turn.")


def hold_back(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Out of it for this turn."""
    return Result((HeldBack(by),), (Step("PS-21", f"{state.fencer(by).name} stays out of it this turn."),))


def offer_break_off(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To who has a foe or backs a friend, while nobody of the bout has divided their dice."""
    for who in state.free:
        if (state.foes_of(who.id) or who.backing) and not state.reach(who.id) & state.chosen:
            yield Offer("break_off", who.id, "Break off", "Break off, and look for another opponent.")


def break_off(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Leaves a foe, or a friend, to look for another place."""
    return Result((BrokeOff(by),), (Step("PS-21", f"{state.fencer(by).name} breaks off."),))


OWN: tuple[Act[State], ...] = (
    Act("engage", offer_engage, engage, ask_to_engage), Act("back_up", offer_back_up, back_up),
    Act("hold_back", offer_hold_back, hold_back),
)
BREAK_OFF = Act("break_off", offer_break_off, break_off)
GMS = (Act("engage_npcs", offer_engage_npcs, engage_npcs),)
EVENTS: tuple[type[Event[State]], ...] = (Engaged, BackedUp, HeldBack, BrokeOff)
