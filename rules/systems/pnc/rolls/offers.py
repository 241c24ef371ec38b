"""What may be done while standard rolls are made, by whom, and what it asks for."""
from __future__ import annotations

from collections.abc import Mapping

from rules.contests import Offer
from rules.fields import REQUIRED, Choice, Field, Text
from rules.sheet import Sheet
from rules.systems.pnc.character import options
from rules.systems.pnc.factors import CIRCUMSTANCES, FIELDS, used
from rules.systems.pnc.mulligans import MULLIGANS
from rules.systems.pnc.rolls.state import BAND_WORDS, VERDICTS, Roller, State, span

VERDICT = Choice(name="verdict", label="The answer", options=tuple(VERDICTS.items()), default="success")
ANSWER = Text(name="words", label="In words", default=REQUIRED, most=2000)


def offers(state: State, sheets: Mapping[str, Sheet]) -> tuple[Offer, ...]:
    """Every legal action now: the rollers', then the GM's."""
    if state.over or not state.rollers:
        return ()
    own = [offer for each in state.rollers if each.id in sheets for offer in _own(each, sheets[each.id])]
    return (*own, *_gms(state, sheets))


def band_field(index: int) -> str:
    """The name of the field for a band's meaning."""
    return f"band_{index}"


def _own(who: Roller, sheet: Sheet) -> list[Offer]:
    if who.stands:
        return []
    if who.dice:
        left = sheet.pool(MULLIGANS) if who.player else 0
        again = f"It costs a mulligan point; you have {left}. The new dice count, whatever they show."
        found = [Offer("stand", who.id, "Let it stand")]
        return [*found, Offer("mulligan", who.id, "Roll again", again, rolls=True)] if left else found
    lines = options(sheet, used(who.weights))
    own = tuple((str(place), each.reason) for place, each in enumerate(who.weights) if each.by == who.id)
    named: dict[str, tuple[tuple[str, str], ...]] = {"features": lines}
    fields = FIELDS if lines else (CIRCUMSTANCES,)
    found = [
        Offer("roll", who.id, "Make the roll", f"It stands at {who.button}. What you say here counts too.", fields,
              named, rolls=True),
        Offer("weigh", who.id, "Put factors down first", "They are listed, and the GM can answer.", fields, named),
    ]
    if own:
        which = Text(name="which", label="Which", default=REQUIRED, most=10)
        found.append(Offer("drop", who.id, "Take a factor off", fields=(which,), options={"which": own}))
    return found


def _gms(state: State, sheets: Mapping[str, Sheet]) -> list[Offer]:
    waiting = [each for each in state.rollers if not each.dice]
    found: list[Offer] = []
    if waiting:
        who = _whose(waiting)
        named = {"who": tuple((each.id, each.name) for each in waiting)}
        found.append(Offer("judge", "", "Weigh the circumstances", "You have the last word on what counts.",
                           (*who, CIRCUMSTANCES), named))
        weighed = [
            (f"{each.id} {place}", f"{each.name}: {one.reason}" if len(waiting) > 1 else one.reason)
            for each in waiting for place, one in enumerate(each.weights)
        ]
        if weighed:
            which = Text(name="which", label="Which", default=REQUIRED, most=150)
            found.append(Offer("dismiss", "", "Strike a factor", fields=(which,), options={"which": tuple(weighed)}))
    if not state.begun:
        if state.alone:
            found.append(_meanings(state))
        found.append(Offer("settle", "", "Let the story decide",
                           "No roll where the story is clear. It is kept like a roll.", (VERDICT, ANSWER)))
    return found


def _meanings(state: State) -> Offer:
    fields: tuple[Field, ...] = tuple(
        Text(name=band_field(index), label=f"{band.capitalize()}, {span(index)}", most=500)
        for index, band in enumerate(BAND_WORDS)
    )
    now = {band_field(index): state.meaning(band) for index, band in enumerate(BAND_WORDS)}
    told = "As many of the nine as you want. Everybody can read them before the roll."
    return Offer("mean", "", "Say what the degrees mean", told, fields, now=now)


def _whose(waiting: list[Roller]) -> tuple[Field, ...]:
    return (Text(name="who", label="Whose roll", default=REQUIRED, most=100),) if len(waiting) > 1 else ()
