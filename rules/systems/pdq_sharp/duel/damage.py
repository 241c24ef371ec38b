"""Ranks that wait to be placed, and what damage means (PS-25, PS-30, PS-31)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Allocation
from rules.fields import Choice as ChoiceField
from rules.moves import Step
from rules.procedure import Ask, Offer
from rules.sheet import Effect, Sheet
from rules.systems.pdq_sharp import harm
from rules.systems.pdq_sharp.chart import notation_of
from rules.systems.pdq_sharp.duel.start import FALLS, FEWEST_MINIONS, HARMS
from rules.systems.pdq_sharp.duel.state import BROKEN, FALLEN, Fencer, Phase, Result, State, Wound
from rules.systems.pdq_sharp.harm import ranks
from rules.systems.pdq_sharp.reading import absorbing, can_lose, capacity, squad
from rules.values import BadMove


@dataclass(frozen=True)
class Suffered(Event[State]):
    """Ranks were placed (PS-30); `out` is how somebody went out, "" for who stands."""

    who: str
    losses: tuple[tuple[str, int], ...]
    out: str = ""

    def after(self, state: State) -> State:
        left = list(state.wounds)
        left.remove(next(wound for wound in left if wound.who == self.who))
        state = replace(state, wounds=tuple(left))
        return state.gone(self.who, self.out) if self.out else state


@dataclass(frozen=True)
class HarmRuled(Event[State]):
    """The GM said what damage is from now on (PS-30)."""

    harm: str

    def after(self, state: State) -> State:
        return replace(state, settings=replace(state.settings, harm=self.harm))


def dice_down(state: State) -> bool:
    """Whether it is after the dice, and before what they lead to is done."""
    return state.phase in (Phase.ELLIPSIS, Phase.POISON, Phase.DAMAGE)


def offer_place(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who has ranks to assign."""
    for who in state.fencers:
        wound = state.wound_of(who.id)
        if wound is None or not dice_down(state):
            continue
        sheet = sheets[who.id]
        lines = tuple((forte.id, f"{forte.name}, {notation_of(forte.now)}: {can_lose(forte)} at most")
                      for forte in absorbing(sheet))
        most, easy = min(wound.amount, capacity(sheet)), easiest(sheet, who, wound.amount)
        text = f"Assign {ranks(most, wound.kind)}."
        if wound.amount >= capacity(sheet):
            text += f" It is all that {sheet.name} can lose: this takes {sheet.name} out."
        fields = (Allocation(name="spread", label="Fortes", default={}), *harm.first_field(sheet))
        yield Offer("place", who.id, "Assign the damage", text, fields, {"spread": lines, "first": lines},
                    now={"spread": easy})


def ask_to_place(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Each who has ranks to place; the NPCs together."""
    if not dice_down(state):
        return
    hurt = [state.fencer(who) for who in dict.fromkeys(wound.who for wound in state.wounds)]
    for who in hurt:
        wound = state.wound_of(who.id)
        if who.player and wound:
            yield Ask(who.id, "place", f"assign {ranks(wound.amount, wound.kind)}", "Assign")
    npcs = [who.id for who in hurt if not who.player]
    if npcs:
        yield Ask("", "place_npcs", f"assign the damage of {state.names(npcs)}", "Assign")


def place(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Ranks over fortes, as the player likes; where nothing is said, where they hurt least (PS-30)."""
    wound = next(wound for wound in state.wounds if wound.who == by)
    spread = values["spread"] or easiest(sheets[by], state.fencer(by), wound.amount)
    return suffered(state, sheets[by], wound, spread, values.get("first", ""))


def offer_place_npcs(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where NPCs have ranks to assign."""
    if dice_down(state) and hurt_npcs(state):
        yield Offer("place_npcs", "", "Assign the NPCs’ damage", "Where it hurts least.")


def place_npcs(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The ranks of all NPCs, where they hurt least."""
    events: tuple[Event[State], ...] = ()
    steps: tuple[Step, ...] = ()
    effects: tuple[Effect, ...] = ()
    for fencer in hurt_npcs(state):
        wound = next(wound for wound in state.wounds if wound.who == fencer.id)
        result = suffered(state, sheets[fencer.id], wound, easiest(sheets[fencer.id], fencer, wound.amount))
        events, steps, effects = events + result.events, steps + result.steps, effects + result.effects
    return Result(events, steps, effects=effects)


def hurt_npcs(state: State) -> tuple[Fencer, ...]:
    """The NPCs who have ranks to assign."""
    return tuple(fencer for fencer in state.fencers if not fencer.player and state.wound_of(fencer.id))


def suffered(state: State, sheet: Sheet, wound: Wound, spread: Mapping[str, int], first: str = "") -> Result:
    """What placing so leads to; raises `BadMove` (PS-25, PS-30, PS-31)."""
    try:
        done = harm.take(sheet, wound.amount, spread, wound.kind, first=first, fall=FALLS[state.settings.conflict],
                         why=wound.why)
    except BadMove as bad:
        raise bad.inside("spread") from None
    out = FALLEN if done.falls else ""
    steps = done.steps
    minions = squad(sheet)
    if minions and capacity(sheet) - sum(spread.values()) < FEWEST_MINIONS:
        out = BROKEN
        steps += (Step("PS-25", f"{sheet.name} is no longer a squad."),)
    losses = tuple(sorted((trait, lost) for trait, lost in spread.items() if lost))
    return Result((Suffered(sheet.id, losses, out),), steps, {"placed": sum(spread.values()), "out": out},
                  effects=done.effects)


def easiest(sheet: Sheet, fencer: Fencer, amount: int) -> dict[str, int]:
    """A spread that hurts least: what does not count goes to its end before what counts loses a rank (PS-30).

    Among equals no forte goes to its end while another has room.
    """
    left, spread = min(amount, capacity(sheet)), {forte.id: 0 for forte in absorbing(sheet)}
    counted = {*fencer.fortes} - {*fencer.struck}
    for counts, spare in ((False, 1), (False, 0), (True, 1), (True, 0)):
        room = [forte for forte in absorbing(sheet) if (forte.id in counted) is counts]
        for forte in sorted(room, key=can_lose, reverse=True):
            more = min(left, max(0, can_lose(forte) - spare - spread[forte.id]))
            spread[forte.id] += more
            left -= more
    return {forte: lost for forte, lost in spread.items() if lost}


def offer_rule_harm(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, between the dice."""
    if state.calm:
        yield Offer("rule_harm", "", "Choose what damage means", fields=(
            ChoiceField(name="harm", label="Damage means", options=HARMS),), now={"harm": state.settings.harm})


def rule_harm(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says what damage is from now on (PS-30)."""
    text = f"Damage means {values['harm']} ranks from now on."
    return Result((HarmRuled(values["harm"]),), (Step("PS-30", text),))


PLACE = Act("place", offer_place, place, ask_to_place)
GMS = (Act("place_npcs", offer_place_npcs, place_npcs),)
RULE_HARM = Act("rule_harm", offer_rule_harm, rule_harm)
EVENTS: tuple[type[Event[State]], ...] = (Suffered, HarmRuled)
