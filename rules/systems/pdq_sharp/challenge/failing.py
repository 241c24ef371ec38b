"""What failing costs: the GM says whether it hurts, the player where (PS-14, PS-30)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Allocation, Choice
from rules.moves import Step
from rules.procedure import Ask, Offer
from rules.systems.pdq_sharp import harm
from rules.systems.pdq_sharp.challenge.state import ASK, HARMS, NONE, Phase, Result, State
from rules.systems.pdq_sharp.chart import notation_of
from rules.systems.pdq_sharp.duel.damage import easiest
from rules.systems.pdq_sharp.duel.state import Fencer
from rules.systems.pdq_sharp.reading import absorbing, can_lose, capacity
from rules.values import BadMove


@dataclass(frozen=True)
class HarmRuled(Event[State]):
    """The GM said whether it hurts, and how."""

    kind: str

    def after(self, state: State) -> State:
        who, ranks, _ = state.hurt
        return replace(state, hurt=("", 0, "") if self.kind == NONE else (who, ranks, self.kind))


@dataclass(frozen=True)
class Suffered(Event[State]):
    """The ranks were placed."""

    who: str
    losses: tuple[tuple[str, int], ...]

    def after(self, state: State) -> State:
        return replace(state, hurt=("", 0, ""))


def offer_ruling(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where it may hurt."""
    if state.phase is Phase.HURT:
        kinds = tuple((kind, words) for kind, words in HARMS if kind != ASK)
        yield Offer("rule_harm", "", "Choose whether it hurts", f"It failed by {state.hurt[1]}.",
                    (Choice(name="harm", label="Failing", options=kinds),))


def ask_to_rule(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Of the GM, where it may hurt."""
    if state.phase is Phase.HURT:
        yield Ask("", "rule_harm", "say whether it hurts", "Decide", decision=True, waits=True)


def rule_harm(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says whether failing hurt, and how (PS-14)."""
    kind = values["harm"]
    text = "It does not hurt." if kind == "none" else f"It costs {harm.ranks(state.hurt[1], kind)}."
    return Result((HarmRuled(kind),), (Step("PS-14", text),))


def offer_placing(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whom it hurts."""
    if state.phase is not Phase.DAMAGE:
        return
    who, amount, kind = state.hurt
    lines = tuple((forte.id, f"{forte.name}, {notation_of(forte.now)}: {can_lose(forte)} at most")
                  for forte in absorbing(sheets[who]))
    fields = (Allocation(name="spread", label="Fortes", default={}), *harm.first_field(sheets[who]))
    ranks = harm.ranks(min(amount, capacity(sheets[who])), kind)
    yield Offer("place", who, "Assign the damage", f"Assign {ranks}.", fields, {"spread": lines, "first": lines})


def ask_to_place(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Of whom it hurts."""
    if state.phase is Phase.DAMAGE:
        who, amount, kind = state.hurt
        yield Ask(who, "place", f"assign {harm.ranks(amount, kind)}", "Assign")


def place(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Ranks over fortes, as the player likes; where nothing is said, where they hurt least (PS-30)."""
    _, amount, kind = state.hurt
    cast = state.entrant(by).cast
    spread = values["spread"] or easiest(sheets[by], Fencer(by, "", "", fortes=cast.fortes if cast else ()), amount)
    try:
        done = harm.take(sheets[by], amount, spread, kind, first=values.get("first", ""), why=state.settings.title)
    except BadMove as bad:
        raise bad.inside("spread") from None
    losses = tuple(sorted((trait, lost) for trait, lost in spread.items() if lost))
    return Result((Suffered(by, losses),), done.steps, {"placed": sum(spread.values())}, effects=done.effects)


ACTS = (Act("rule_harm", offer_ruling, rule_harm, ask_to_rule), Act("place", offer_placing, place, ask_to_place))
EVENTS = (HarmRuled, Suffered)
