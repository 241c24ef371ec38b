"""A weakness that bears on an attack: called before the dice, or said once they have hurt somebody (PQ-14).

Of first damage of the scene of which nobody said it the GM is asked, and that waits whatever is done meanwhile.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import REQUIRED, Text
from rules.moves import Step
from rules.procedure import Ask, Offer
from rules.sheet import Sheet
from rules.systems.pdq.attack import BY_WEAKNESS
from rules.systems.pdq.chart import is_weakness
from rules.systems.pdq.conflict.fields import about
from rules.systems.pdq.conflict.sides import first_damage
from rules.systems.pdq.conflict.state import Contestant, Hit, Landed, Result, State, Wound
from rules.systems.pdq.harm import WEAK, noted, ranks, weak_before
from rules.wording import join

Faces = Sequence[int]

YES, NO = "yes", "no"
ANSWER = Text(name="answer", label="Your answer", default=REQUIRED, missing="Choose an answer.")


@dataclass(frozen=True)
class WeaknessCalled(Event[State]):
    """The GM said that a weakness of this target applies to the attack (PQ-14)."""

    who: str

    def after(self, state: State) -> State:
        if state.attack is None:
            return state
        return replace(state, attack=replace(state.attack, weak=(*state.attack.weak, self.who)))


@dataclass(frozen=True)
class WeaknessRuled(Event[State]):
    """The GM said of first damage whether a weakness bears on it; `more` is what that adds, 0 for nothing (PQ-14)."""

    who: str
    by: str
    more: int = 0

    def after(self, state: State) -> State:
        state = replace(state, doubts=tuple(doubt for doubt in state.doubts if doubt != (self.who, self.by)))
        if not self.more or state.contestant(self.who).out:
            return state
        landed, before = state.landed, _lying(state, self.who, self.by)
        if landed is None or before is None:
            return replace(state, wounds=(*state.wounds, Wound(self.who, self.more, self.by)))
        worse = replace(before, to_defender=before.to_defender + self.more, weakness=True)
        hits = tuple(worse if hit == before else hit for hit in landed.hits)
        old = Wound(self.who, before.to_defender, self.by)
        wounds = tuple(replace(old, amount=worse.to_defender) if wound == old else wound for wound in state.wounds)
        return replace(state, landed=replace(landed, hits=hits), wounds=wounds)


def _lying(state: State, who: str, by: str) -> Hit | None:
    """The hit of somebody by somebody, while its dice may still be read again and nothing of it is placed."""
    landed: Landed | None = state.landed
    if landed is None or landed.by != by:
        return None
    hit = next((hit for hit in landed.hits if hit.target == who), None)
    return hit if hit and Wound(who, hit.to_defender, by) in state.wounds else None


def unsaid(sheets: Sheets, hits: Iterable[Hit]) -> tuple[str, ...]:
    """Whose first damage of the scene these are, with a weakness on the sheet of which nobody said that it counts.

    A tie costs both one, whatever bears on it.
    """
    return tuple(hit.target for hit in hits
                 if hit.to_defender and not hit.to_attacker and hit.first and not hit.weakness
                 and _weaknesses(sheets[hit.target]))


def _weaknesses(sheet: Sheet) -> list[str]:
    return [trait.name for trait in sheet.traits if is_weakness(trait)]


def can_be_weak(sheets: Sheets, who: Contestant) -> bool:
    """Whether it can still be said that a weakness of theirs applies: one that is known in the scene counts (PQ-14)."""
    return first_damage(sheets, who) and not weak_before(sheets[who.id])


def offer_call(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, of targets that have not reacted and would be hurt for the first time."""
    if state.attack is None:
        return
    weak = tuple(who for who in map(state.contestant, state.attack.unanswered)
                 if who.id not in state.attack.weak and can_be_weak(sheets, who) and _weaknesses(sheets[who.id]))
    if weak:
        yield about("call_weakness", "Call a weakness relevant", weak, help="2 damage more when the attack hits.")


def call(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """A weakness of a target applies to the attack (PQ-14)."""
    text = f"A weakness of {state.contestant(values['who']).name} applies to this attack."
    return Result((WeaknessCalled(values["who"]),), (Step("PQ-14", text),),
                  effects=noted(sheets, values["who"], what=WEAK))


def offer_rule(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, at one tap: of the oldest first damage of which it is not said."""
    if state.doubts:
        who, by = state.doubts[0]
        name, foe = state.contestant(who).name, state.contestant(by).name
        yield Offer("rule_weakness", "", f"Does a weakness of {name} apply to the attack by {foe}?",
                    f"{join(_weaknesses(sheets[who]) if who in sheets else [], empty='No weakness')}. It is the first "
                    f"damage of the scene.", (ANSWER,),
                    {"answer": ((YES, _comes_to(state, who)), (NO, "No"))}, chips="answer")


def _comes_to(state: State, who: str) -> str:
    """What it does if a weakness bears on it: whoever is out has nothing more to lose, and it is known all the same."""
    return "Yes" if state.contestant(who).out else f"Yes: {ranks(BY_WEAKNESS, state.settings.harm)} more"


def ask_to_rule(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, of each first damage of which it is not said."""
    for who, _ in state.doubts:
        yield Ask("", "rule_weakness", f"say whether a weakness of {state.contestant(who).name} applies to the attack",
                  "Say", waits=True)


def rule(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM says whether a weakness bears on first damage: then it is more, placed or not (PQ-14)."""
    (who, foe), counts = state.doubts[0], values["answer"] == YES
    name, out = state.contestant(who).name, state.contestant(who).out
    more = BY_WEAKNESS if counts and not out else 0
    text = f"{'A' if counts else 'No'} weakness of {name} applies to the attack"
    text += f": {ranks(more, state.settings.harm)} more." if more else "."
    return Result((WeaknessRuled(who, foe, more),), (Step("PQ-14", text),), {"who": who, "more": more},
                  effects=noted(sheets, who, what=WEAK) if counts else ())


ACTS = (Act("call_weakness", offer_call, call), Act("rule_weakness", offer_rule, rule, ask_to_rule))
EVENTS = (WeaknessCalled, WeaknessRuled)
