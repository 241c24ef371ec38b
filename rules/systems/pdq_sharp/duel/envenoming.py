"""Poison on a blade, and what its touch does: by the campaign's setting it hurts more, weakens or kills (PS-49)."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice as ChoiceField
from rules.fields import Flag
from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import Effect, Gain
from rules.systems.pdq_sharp.chart import AVERAGE, GOOD, MASTER, MODIFIERS, WORDS, notation_of
from rules.systems.pdq_sharp.duel.forms import named, one_of
from rules.systems.pdq_sharp.duel.state import CLEAN, Result, State, Sting
from rules.systems.pdq_sharp.kinds import ENDURING, HOOK, ONE_SHOT, OPEN, POISONED
from rules.systems.pdq_sharp.reading import of_kind
from rules.systems.pdq_sharp.settings import HARMS, KILLS


@dataclass(frozen=True)
class Envenomed(Event[State]):
    """The GM said that somebody's blade is poisoned, and whether beyond one dose (PS-49)."""

    who: str
    rank: int
    lasting: bool = False

    def after(self, state: State) -> State:
        return state.with_(self.who, poison=self.rank, doses=self.lasting)


def adds(state: State, who: str) -> int:
    """The ranks that the poison on somebody's blade adds to a touch."""
    rank = state.fencer(who).poison
    return max(0, MODIFIERS[WORDS[rank]]) if rank != CLEAN and state.settings.poison == HARMS else 0


@dataclass(frozen=True)
class Venom:
    """What poison did in a clash: what has to be withstood, whose one dose is spent, and what it left on sheets."""

    stings: tuple[Sting, ...] = ()
    spent: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    effects: tuple[Effect, ...] = ()

    @property
    def victims(self) -> set[str]:
        """Who was weakened."""
        return {effect.sheet for effect in self.effects if isinstance(effect, Gain)}


def poisoned(state: State, sheets: Sheets, hits: Iterable[tuple[str, str]]) -> Venom:
    """What these touches, as (by, on), of poisoned blades lead to; a squad only loses its minions."""
    venom = Venom()
    for by, on in hits:
        fencer = state.fencer(by)
        if fencer.poison == CLEAN:
            continue
        if not fencer.doses:
            venom = replace(venom, spent=(*venom.spent, by))
        if state.fencer(on).squad or state.settings.poison == HARMS:
            continue
        if state.settings.poison == KILLS:
            venom = replace(venom, stings=(*venom.stings, Sting(on, fencer.poison, by)))
        elif on not in venom.victims and not of_kind(sheets[on], POISONED):
            lasting = ENDURING if fencer.doses else ONE_SHOT
            step = Step("PS-49", f"{state.fencer(on).name} is poisoned: no wound heals, and a second wind "
                                 "costs 2, until the antidote.")
            gains = (Gain(on, POISONED, "Poison", lasting),
                     Gain(on, HOOK, "Poisoned", OPEN, note=f"The blade of {fencer.name}"))
            venom = replace(venom, steps=(*venom.steps, step), effects=(*venom.effects, *gains))
    return venom


def offer_envenom(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, between the dice."""
    if not state.calm:
        return
    armed = tuple((str(rank), notation_of(rank)) for rank in range(AVERAGE, MASTER + 1))
    yield Offer("envenom", "", "Poison a blade", "Its effect is a setting of the campaign.", (
        one_of("whom", "Character", "Choose a character."),
        ChoiceField(name="rank", label="How strong", options=armed, default=str(GOOD)),
        Flag(name="lasting", label="Beyond the next touch")), {"whom": named(state.standing)})


def envenom(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says that there is poison on a blade."""
    who, rank = state.fencer(values["whom"]), int(values["rank"])
    how = "for good" if values["lasting"] else "one dose"
    step = Step("PS-49", f"The blade of {who.name} is poisoned, {notation_of(rank)}, {how}.")
    return Result((Envenomed(who.id, rank, values["lasting"]),), (step,))


ENVENOM = Act("envenom", offer_envenom, envenom)
EVENTS: tuple[type[Event[State]], ...] = (Envenomed,)
