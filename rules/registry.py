"""The game systems. Adding one touches its own folder and one line here."""
from __future__ import annotations

from typing import Any

from rules.moves import MoveKind
from rules.system import System
from rules.systems.danger_world import DangerWorld
from rules.systems.pdq import Pdq
from rules.systems.pdq_sharp import PdqSharp
from rules.systems.pnc import Pnc
from rules.systems.questworlds.system import QuestWorlds
from rules.values import BadMove

SYSTEMS: dict[str, System] = {
    system.slug: system for system in (Pdq(), Pnc(), QuestWorlds(), DangerWorld(), PdqSharp())
}

# Moves of systems that no campaign can be made of yet: they are answered by the contract, and nothing else knows them.
# A system leaves this tuple when it joins SYSTEMS.
MOVES_ALONE: tuple[MoveKind[Any], ...] = ()


def system_of(slug: str) -> System:
    """The system of this slug; raises `BadMove`."""
    if slug not in SYSTEMS:
        raise BadMove(f"There is no game system {slug!r}; there are: {', '.join(SYSTEMS)}.", "system")
    return SYSTEMS[slug]


def kind_of(move: str) -> MoveKind[Any]:
    """The kind of move of this name (`pdq.test`); raises `BadMove`."""
    kinds = {kind.name: kind for system in SYSTEMS.values() for kind in system.rolls.moves}
    kinds |= {kind.name: kind for kind in MOVES_ALONE}
    if move not in kinds:
        raise BadMove(f"There is no move {move!r}; there are: {', '.join(kinds)}.", "move")
    return kinds[move]
