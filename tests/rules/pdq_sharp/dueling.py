"""A duel at a table without pages: dice are said, effects are done to the sheets."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Any

from rules.engine import find
from rules.moves import Need
from rules.procedure import ActResult, Offer, ReadingOffer
from rules.registry import SYSTEMS
from rules.sheet import Sheet, Trait
from rules.systems.pdq_sharp.duel import Duel
from rules.systems.pdq_sharp.duel.state import State
from tests.rules.at_any_table import AnyTable


def fencer(name: str, rank: int = 1, style: int = 0, *, npc: bool = False, techniques: Sequence[tuple[str, int]] = (),
           **more: int) -> Sheet:
    """Somebody with Fencing at a rank, other fortes at theirs, and techniques chained to Fencing."""
    start = name.casefold()
    lines = [Trait(f"{start}.fencing", "swashbuckling", f"{name}'s Fencing", rank)]
    lines += [Trait(f"{start}.{forte}", "forte", forte.capitalize(), value) for forte, value in more.items()]
    lines += [Trait(f"{start}.{technique}", "technique", technique.capitalize(), kind, parent=f"{start}.fencing")
              for technique, kind in techniques]
    return Sheet(start, name, tuple(lines), (("style_dice", style),), npc=npc)


def squad(name: str, minions: int, rank: int = 1) -> Sheet:
    """A squad of so many."""
    start = name.casefold()
    return Sheet(start, name, (Trait(f"{start}.n", "squad", name, minions),
                               Trait(f"{start}.forte", "forte", f"{name}' drill", rank)), npc=True)


@cache
def every_throw(trays: tuple[int, ...], loose: int = 0, attack: int = 0) -> Counter[tuple[int, int]]:
    """One attack's dice and the defence's over every throw, each loose die over the lowest die of all, if higher."""
    sums: Counter[tuple[int, int]] = Counter()
    for faces in product(range(1, 7), repeat=sum(trays) + loose):
        left = iter(faces)
        lie = [[next(left) for _ in range(size)] for size in trays]
        for die in sorted(left, reverse=True) if sum(trays) else ():
            lowest = min(min(tray) for tray in lie if tray)
            tray = next(tray for tray in lie if lowest in tray)
            tray[tray.index(lowest)] = max(die, lowest)
        sums[sum(lie[attack]), sum(lie[-1])] += 1
    return sums


class Bench(AnyTable):
    """A duel between these sheets, by side; `npc` sheets are the GM's."""

    def __init__(self, ours: Sequence[Sheet], theirs: Sequence[Sheet], bowl: int = 0, gm: int = 0,
                 surprise: Mapping[str, str] | None = None, **setup: Any) -> None:
        self.system, self.kind, self.chance = SYSTEMS["pdq_sharp"], Duel(), Random(1)
        self.shared, self.lines, self.marks = {"bowl": bowl, "gm_style_dice": gm}, 0, 0
        self.events: list[Any] = []
        self.thrown = {}
        self.plain: State = State()
        self.sheets = {sheet.id: sheet for sheet in (*ours, *theirs)}
        lines = [{"sheet": sheet.id, "side": side, "player": not sheet.npc,
                  "surprise": (surprise or {}).get(sheet.id, "")}
                 for side, some in (("Ours", ours), ("Theirs", theirs)) for sheet in some]
        begun = self.kind.start({"contestants": lines, **setup}, self.sheets)
        assert isinstance(begun, ActResult)
        self.texts = [step.text for step in begun.steps]
        self.keep(begun)

    def do(self, action: str, by: str = "", *faces: int, **given: Any) -> ActResult[Any]:
        """Does an act with these faces, exactly as many as it asks for, and keeps what comes of it."""
        if (offer := find(self.offers(), action, by)) and isinstance(offer, ReadingOffer) and offer.takes_back:
            done: ActResult[Any] | Need = self._rolled(offer, given)
        else:
            done = self.kind.act(self.state, self.sheets, by, action, given, ())
        if isinstance(done, Need):
            assert len(done.sides) == len(faces), f"it asks for {len(done.sides)} dice"
            done = self.kind.act(self.state, self.sheets, by, action, given, faces)
        else:
            assert not faces, "no dice are asked for"
        assert isinstance(done, ActResult)
        self.keep(done)
        self.texts = [step.text for step in done.steps]
        return done

    def can(self, action: str, by: str = "") -> bool:
        """Whether this is offered."""
        return any((offer.action, offer.by) == (action, by) for offer in self.offers())

    def offer(self, action: str, by: str = "") -> Offer:
        """The offer of this action."""
        return next(offer for offer in self.offers() if (offer.action, offer.by) == (action, by))

    def said(self, words: str) -> bool:
        """Whether a step of the last act says this."""
        return any(words in text for text in self.texts)

    def lost(self, trait: str) -> int:
        """The damage on a line."""
        line = next(line for sheet in self.sheets.values() for line in sheet.traits if line.id == trait)
        return line.damage

    def face_off(self, first: str, second: str) -> None:
        """The first engages the second; for whoever comes first in initiative."""
        by, foe = (first, second) if self.plain.undecided[0].id == first else (second, first)
        self.do("engage", by, foes=[foe])
