"""What the offers of a conflict ask for alike."""
from __future__ import annotations

from collections.abc import Iterable

from rules.fields import REQUIRED, Choice, Field, Listing, Text
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.pdq.chart import rank_of, usable
from rules.systems.pdq.conflict.state import Contestant
from rules.systems.pdq.reckoning import CAGEY, FLIP_OUT

WORDS = Text(name="words", label="Description", most=1000)
STRATEGY = Choice(name="strategy", label="Strategy", default="", options=(
    ("", "None"),
    (FLIP_OUT, "Flip out: the next attack up, reactions and other actions down until your next turn"),
    (CAGEY, "Play it cagey: reactions up, this action down, until your next turn"),
))
WHO = Text(name="who", label="Character", default=REQUIRED, most=100)


def about(action: str, title: str, whom: Iterable[Contestant], *fields: Field, help: str = "") -> Offer:
    """What the GM may do with one of these."""
    named = tuple((contestant.id, contestant.name) for contestant in whom)
    return Offer(action, "", title, help, (WHO, *fields), {"who": named})


def several(name: str, label: str, missing: str = "") -> Listing:
    """Some of the options of an offer; at least one where `missing` says what to do without."""
    one = Text(name="id", label=label, most=100)
    return Listing(name=name, label=label, of=one, default=REQUIRED if missing else (), missing=missing)


def qualities(sheet: Sheet) -> Options:
    """The qualities that can be applied, as a person reads them."""
    return tuple((trait.id, f"{trait.name}, {rank_of(trait).notation}") for trait in sheet.traits if usable(trait))
