"""Why a roll is what it is: each feature and circumstance with what it does, and what is left out (PN-05)."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.sheet import Sheet, Trait
from rules.systems.pnc.character import rung_of
from rules.systems.pnc.dice import Thrown, degree_text, plain
from rules.systems.pnc.factors import Weight, used, whose
from rules.systems.pnc.reckoning import Terms
from rules.why import HOUSE_RULE, LEFT_OUT, Part, Why
from rules.wording import join, signed

PLAIN = Part("3d6", "Nothing makes it easier or harder")
USUAL = Part("", PLAIN.label)  # where the dice lie already
CLOSED = Part("", "The d20 stays closed", HOUSE_RULE)


def weighed(weights: Iterable[Weight], names: Mapping[str, str]) -> tuple[Part, ...]:
    """What counts of features and circumstances; `names` say whose a feature is."""
    return tuple(Part(signed(weight.counts), weight.reason, f"{whose(weight, names)}, {weight.word}: {weight.dice}",
                      weight.line)
                 for weight in weights) or (PLAIN,)


def why(sheet: Sheet, falls: Terms, names: Mapping[str, str]) -> Why:
    """The dice of a roll with what is added to it, and what of this sheet is not; `names` say whose a feature is."""
    closed = () if falls.open_ended else (CLOSED,)
    counted, wounds = used(falls.weights), {wound.id for wound in falls.left_out}
    idle = tuple(_left_out_wound(trait, against=falls.against) if trait.id in wounds else
                 _idle(trait, against=falls.against) for trait in sheet.traits if trait.id not in counted)
    return Why(f"1d20 against {falls.roll.dice}d6", (*weighed(falls.weights, names), *closed), idle)


def as_it_lies(
    thrown: Thrown, weights: Iterable[Weight], names: Mapping[str, str], by: str, against: str = "", *,
    left_out: Iterable[tuple[str, Trait]] = (),
) -> Why:
    """What dice come to: the d20 that `by` rolled less the three that count, of `against` in an attack; then what made
    those so many. `left_out` are the wounds that could have, each with whose it is, "" where that goes without saying.
    """
    d20 = Part(plain(thrown.d20), f"{by}’s d20", _shows(thrown))
    kept = join([str(thrown.faces[place]) for place in thrown.kept])
    which = "the lowest three" if thrown.roll.net > 0 else "the highest three" if thrown.roll.net else "all three"
    d6 = Part(signed(-thrown.d6), f"{against or by}’s {thrown.roll.dice}d6: {kept}", f"{which} count")
    closed = (CLOSED,) if thrown.first in (1, 20) and not thrown.roll.open_ended else ()
    factors = tuple(weights)
    harder = weighed(factors, names) if factors else (USUAL,)
    idle = tuple(_left_out_wound(wound, of, against=bool(of) and of == against) for of, wound in left_out)
    return Why(degree_text(thrown.degree), (d20, d6, *harder, *closed), idle)


def _shows(thrown: Thrown) -> str:
    """What is to be said of a d20 that shows a 20 or a 1: what followed it, and what it always does (PN-02, PN-04)."""
    always = {20: "a 20 always succeeds", 1: "a 1 always fails"}.get(thrown.first, "")
    return always if thrown.second is None else f"{thrown.first}, then {thrown.second}; {always}"


def _idle(trait: Trait, reason: str = LEFT_OUT, *, against: bool) -> Part:
    """A feature that is not ticked, with what it would do: of whoever is `against` the d20 the reverse."""
    rung = rung_of(trait)
    return Part(signed(-rung if against else int(rung)), trait.name, f"{reason}, {rung.word}", trait.id)


def _left_out_wound(wound: Trait, of: str = "", *, against: bool) -> Part:
    """A wound that bears on all one does and is left out."""
    return replace(_idle(wound, f"{LEFT_OUT}: {f'{of}’s' if of else 'a'} wound", against=against), lasts=True)
