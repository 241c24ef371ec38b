"""What a great failure leaves owing beyond its fight: a turn that is lost, a free attack. It is the scene's, stands as
notes on the sheets, and is read by the next fight of the scene, by the sheet and by the tray (PN-06).

Whoever has a free attack and whom it may be made on are known by the same number in their notes.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.sheet import Effect, Sheet, Spend
from rules.system import PoolKind

LOSES, FREE, EXPOSED = "loses_turn", "free_attack", "exposed"
POOLS = (
    PoolKind(LOSES, "Loses a turn", "Whether their next turn in a fight of this scene is lost.", "PN-06",
             sheets="none", of_scene=True),
    PoolKind(FREE, "Free attack", "The number of the one they may attack for free in this scene.", "PN-06",
             sheets="none", of_scene=True),
    PoolKind(EXPOSED, "Open to a free attack", "Their number, for those who may attack them for free.", "PN-06",
             sheets="none", of_scene=True),
)


def loses_next(sheet: Sheet) -> bool:
    """Whether their next turn is lost."""
    return bool(sheet.pool(LOSES))


def free_at(sheet: Sheet, among: Iterable[Sheet]) -> str:
    """The id of whom they may attack for free among these; "" for nobody."""
    number = sheet.pool(FREE)
    return next((other.id for other in among if number and other.pool(EXPOSED) == number and other != sheet), "")


def in_words(sheet: Sheet) -> str:
    """What is owed, as sentences; "" where nothing is."""
    lost = [f"{sheet.name} loses the next turn of a fight in this scene."] if sheet.pool(LOSES) else []
    free = [f"{sheet.name} has a free attack in the next fight of this scene."] if sheet.pool(FREE) else []
    return " ".join((*lost, *free))


def kept(losing: Mapping[str, bool], free: Mapping[str, str], sheets: Mapping[str, Sheet]) -> tuple[Effect, ...]:
    """What makes the notes of those in a fight say what is owed in it now: who loses a turn, and whom each may attack
    for free ("" for nobody). What is owed to or by somebody elsewhere stays."""
    here = [sheets[who] for who in losing if who in sheets]
    numbers = {sheet.id: sheet.pool(EXPOSED) for sheet in here}
    for who in dict.fromkeys(whom for whom in free.values() if whom in numbers):
        numbers[who] = numbers[who] or 1 + max(*(sheet.pool(FREE) for sheet in here), *numbers.values())
    effects: list[Effect] = []
    for sheet in here:
        free_here = numbers.get(free[sheet.id], 0)
        if not free_here and sheet.pool(FREE) not in numbers.values():
            free_here = sheet.pool(FREE)  # on somebody who is not here
        wanted = {LOSES: int(losing[sheet.id]), FREE: free_here, EXPOSED: numbers[sheet.id]}
        effects += [Spend(sheet.id, name, value - sheet.pool(name)) for name, value in wanted.items()
                    if value != sheet.pool(name)]
    return tuple(effects)
