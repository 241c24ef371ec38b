"""The style dice of a session as a page draws them."""
from __future__ import annotations

from dataclasses import dataclass

from rules.engine import Sheets
from rules.procedure import Participant, Perspective, View
from rules.systems.pdq_sharp.reading import STYLE
from rules.systems.pdq_sharp.style_dice.state import WEIGHTS, State


@dataclass(frozen=True, slots=True)
class Holder:
    """Somebody who holds dice; `mine` is whether the viewer plays them, `player` who does."""

    id: str
    name: str
    dice: int
    npc: bool
    mine: bool
    player: str = ""


@dataclass(frozen=True, slots=True)
class FoibleRow:
    """Dice that are offered for a foible, or a claim (0 dice); whether it `waits`: who has left answers nothing."""

    who: str
    foible: str
    dice: int
    means: str
    mine: bool
    claimed: bool
    waits: bool


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact of the world, and what is still to be paid for it."""

    who: str
    weight: str
    words: str
    left: int


@dataclass(frozen=True, slots=True)
class StyleDetail:
    """What the page shows."""

    bowl: int
    gm: int
    holders: tuple[Holder, ...]
    foibles: tuple[FoibleRow, ...]
    facts: tuple[FactRow, ...]
    gifts: int
    phrase: str
    last_call: bool

    @property
    def in_play(self) -> int:
        """All dice that are on the table."""
        return self.bowl + self.gm + sum(holder.dice for holder in self.holders)

    @property
    def mine(self) -> int:
        """What the viewer holds."""
        return sum(holder.dice for holder in self.holders if holder.mine)


GONE = "someone who is gone"
OVER = "They are done with for this session."
FOR_WHAT = "Give for style, spend for effect. Dice that are left are lost when the session ends."


def view(state: State, sheets: Sheets, viewer: Perspective) -> View:
    """Bowl and holders, what is offered and what was created."""
    holders = tuple(Holder(sheet.id, sheet.name, sheet.pool(STYLE), sheet.npc, sheet.id in viewer.plays,
                           viewer.players.get(sheet.id, ""))
                    for sheet in sheets.values() if not sheet.npc or sheet.pool(STYLE))
    # A foible and a fact outlive whose they are.
    names = {sheet.id: sheet.name for sheet in sheets.values()}
    foibles = tuple(FoibleRow(
        names.get(foible.who, foible.name) or GONE, foible.foible, foible.dice, foible.means,
        foible.who in viewer.plays, foible.claimed, foible.who in names) for foible in state.foibles)
    facts = tuple(FactRow(names.get(fact.who, ""), WEIGHTS.get(fact.weight, ""), fact.words, fact.left)
                  for fact in state.facts)
    detail = StyleDetail(state.bowl, state.gm_dice, holders, foibles, facts, state.gifts, state.phrase, state.last_call)
    groups = tuple((Participant(holder.id, holder.name, "", note=f"{holder.dice} style dice"),) for holder in holders)
    return View("Over" if state.over else "Out", OVER if state.over else FOR_WHAT, groups,
                (f"{state.bowl} in the bowl",), detail)
