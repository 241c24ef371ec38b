"""What may be done while standard rolls are made, by whom, and what it asks for."""
from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Sheets
from rules.fields import REQUIRED, Choice, Field, Text
from rules.procedure import Offer
from rules.systems.pnc.character import options
from rules.systems.pnc.factors import CIRCUMSTANCES, FIELDS, used
from rules.systems.pnc.mulligans import MULLIGANS, left_of
from rules.systems.pnc.rolls.state import BAND_WORDS, VERDICTS, Roller, State, span
from rules.wording import percent

VERDICT = Choice(name="verdict", label="The answer", options=tuple(VERDICTS.items()), default="success")
ANSWER = Text(name="words", label="In words", default=REQUIRED, most=2000)


def offers(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """Every legal action now: the rollers', then the GM's."""
    if state.over or not state.rollers:
        return ()
    own = [offer for each in state.rollers if each.id in sheets for offer in _own(state, sheets, each)]
    return (*own, *_gms(state, sheets))


def band_field(index: int) -> str:
    """The name of the field for a band's meaning."""
    return f"band_{index}"


def asked(state: State, sheets: Sheets, points: Mapping[str, int] | None = None) -> tuple[Roller, ...]:
    """Those who have yet to let their roll stand: it makes a difference to them, and they have a mulligan (PN-09).

    `points` are mulligan points that an act has changed.
    """
    return tuple(
        each for each in state.unsettled
        if each.player and (points or {}).get(each.id, sheets[each.id].pool(MULLIGANS))
    )


def _second_thoughts(state: State, sheets: Sheets, who: Roller) -> list[Offer]:
    """Rolling again, and letting it stand once everybody else has rolled, too."""
    if who.stands:
        return []
    found: list[Offer] = []
    # Whoever spent the last point elsewhere meanwhile has to be able to end it.
    if state.all_rolled and (who in asked(state, sheets) or not asked(state, sheets)):
        found.append(Offer("stand", who.id, f"Let it stand: {'success' if who.success else 'failure'}, {who.reading}"))
    points = sheets[who.id].pool(MULLIGANS) if who.player else 0
    if points and (who in state.unsettled or not state.all_rolled):
        again = f"It costs a mulligan point; {left_of(points)}. The new dice count, whatever they show."
        found.append(Offer("mulligan", who.id, f"Roll again: {_chances(who)}", again, rolls=True))
    return found


def _chances(who: Roller) -> str:
    """What rolling again may come to: `38.5 % to succeed`; where it is a success, `22 % better, 60 % worse`."""
    odds, degree = who.odds, who.thrown.degree if who.thrown else 0
    better = f"{percent(odds.better(degree))} better"
    if not who.success:
        return f"{percent(odds.success)} to succeed, {better}"
    return f"{better}, {percent(odds.worse(degree))} worse"


def _own(state: State, sheets: Sheets, who: Roller) -> list[Offer]:
    if who.dice:
        return _second_thoughts(state, sheets, who)
    sheet = sheets[who.id]
    lines = options(sheet, used(who.weights))
    own = tuple((str(place), each.reason) for place, each in enumerate(who.weights) if each.by == who.id)
    named: dict[str, tuple[tuple[str, str], ...]] = {"features": lines}
    fields = FIELDS if lines else (CIRCUMSTANCES,)
    found = [
        Offer("roll", who.id, f"Roll {who.button}", "What you choose here counts too.", fields,
              named, rolls=True),
        Offer("weigh", who.id, "Add factors before you roll", "Everybody sees them, and the GM can answer.", fields,
              named),
    ]
    if own:
        which = Text(name="which", label="Which", default=REQUIRED, most=10)
        found.append(Offer("drop", who.id, "Remove a factor", fields=(which,), options={"which": own}))
    return found


def _gms(state: State, sheets: Sheets) -> list[Offer]:
    waiting = [each for each in state.rollers if not each.dice]
    found: list[Offer] = []
    if waiting:
        who = _whose(waiting)
        named = {"who": tuple((each.id, each.name) for each in waiting)}
        found.append(Offer("judge", "", "Add circumstances", "You have the last word on what counts.",
                           (*who, CIRCUMSTANCES), named))
        weighed = [
            (f"{each.id} {place}", f"{each.name}: {one.reason}" if len(waiting) > 1 else one.reason)
            for each in waiting for place, one in enumerate(each.weights)
        ]
        if weighed:
            which = Text(name="which", label="Which", default=REQUIRED, most=150)
            found.append(Offer("dismiss", "", "Remove a factor", fields=(which,), options={"which": tuple(weighed)}))
    if not state.begun:
        if state.alone:
            found.append(_meanings(state))
        found.append(Offer("settle", "", "Answer without a roll",
                           "Where the story shows how it ends. The answer is kept like a roll.", (VERDICT, ANSWER)))
    return found


def _meanings(state: State) -> Offer:
    fields: tuple[Field, ...] = tuple(
        Text(name=band_field(index), label=f"{band.capitalize()}, {span(index)}", most=500)
        for index, band in enumerate(BAND_WORDS)
    )
    now = {band_field(index): state.meaning(band) for index, band in enumerate(BAND_WORDS)}
    text = "As many of the nine as you want. Everybody can read them before the roll."
    return Offer("mean", "", "Describe the degrees", text, fields, now=now)


def _whose(waiting: list[Roller]) -> tuple[Field, ...]:
    return (Text(name="who", label="Whose roll", default=REQUIRED, most=100),) if len(waiting) > 1 else ()
