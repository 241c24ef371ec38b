"""What acts of a duel ask for in more than one place: one of these, some of them, what is said."""
from __future__ import annotations

from collections.abc import Iterable

from rules.fields import REQUIRED, Listing, Text
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.pdq_sharp.duel.state import Fencer
from rules.systems.pdq_sharp.reading import as_offered, usable

SAID = Text(name="words", label="Description", most=1000)


def named(fencers: Iterable[Fencer]) -> Options:
    """These to choose among, by name."""
    return tuple((fencer.id, fencer.name) for fencer in fencers)


def one_of(name: str, label: str, missing: str = "", help: str = "") -> Text:
    """One of the options of an offer; it has to be said where `missing` says what to do without."""
    return Text(name=name, label=label, most=100, missing=missing, default=REQUIRED if missing else "", help=help)


def some_of(name: str, label: str, missing: str = "", most: int = 20) -> Listing:
    """Several of the options of an offer; at least one where `missing` says what to do without."""
    return Listing(name=name, label=label, of=Text(name="id", label=label, most=100), most=most, missing=missing,
                   default=REQUIRED if missing else ())


def whom(title: str, fencers: Iterable[Fencer], action: str) -> Offer:
    """The GM's word about one of these."""
    fields = (one_of("whom", "Character", "Choose a character."), SAID)
    return Offer(action, "", title, fields=fields, options={"whom": named(fencers)})


def countable(sheet: Sheet, who: Fencer) -> Options:
    """The fortes that can count in a duel, as a person reads them; not one that needs the weapon that was lost."""
    return tuple((trait.id, as_offered(trait)) for trait in sheet.traits
                 if usable(trait) and trait.id != who.disarmed and trait.id not in who.struck)


def counting(sheet: Sheet, who: Fencer) -> tuple[str, ...]:
    """The fortes that counted last and still can."""
    able = {forte for forte, _ in countable(sheet, who)}
    return tuple(forte for forte in who.fortes if forte in able)
