"""How a GM may answer an augment that was offered, in every contest (QW-22)."""
from __future__ import annotations

from typing import Protocol

from rules.procedure import Options
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.notation import signed
from rules.systems.questworlds.older.policy import Policy


class Helped(Protocol):
    """A contest of any kind, as far as augments are answered in it."""

    @property
    def edition(self) -> Edition: ...
    @property
    def policy(self) -> Policy: ...


def verdicts_of(state: Helped) -> Options:
    """Accepted, rolled for, or refused; the bonus of a plain augment and that of one that is told well."""
    plain, well = state.edition.modifiers.augment
    yes = (f"assured{plain}", f"Yes: {signed(plain)}"), (f"assured{well}", f"Yes, and well told: {signed(well)}")
    if state.policy.by_degree:
        return (*yes, (f"roll{plain}", "Roll: its degree says how much"), ("refused", "No"))
    rolled = (f"roll{plain}", f"Roll for {signed(plain)}"), (f"roll{well}", f"Roll for {signed(well)}")
    return (*yes, *rolled, ("refused", "No"))
