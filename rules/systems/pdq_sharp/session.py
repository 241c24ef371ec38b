"""Sessions and the ends of scenes in PDQ#, and the pools that all share (PS-33, PS-40, PS-45)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.allocates import Allocates
from rules.moves import Step
from rules.sheet import Effect, Lose, NewAllocation, Purse, Refill, Sheet, Spend, SpendShared, Trait, Transfer
from rules.system import PoolKind, SessionChange, SessionRules, Settings
from rules.systems.pdq_sharp import recovery
from rules.systems.pdq_sharp.kinds import ARCHVILLAIN, BURNED, FOIBLE, TEMPORARY, THREAT
from rules.systems.pdq_sharp.reading import (
    BOWL,
    GM_DICE,
    MISFORTUNES,
    SPLURGES,
    STYLE,
    absorbing,
    fortes,
    is_forte,
    of_kind,
    rank_word,
    threat,
    usable,
)
from rules.values import Value
from rules.wording import join

GONE = "The session ends"
EACH = 2  # style dice in the bowl for each who plays, the GM counted
OWN_DICE = {ARCHVILLAIN: 3}  # what a threat begins each session with, beside the GM's dice (PS-07)


class PdqSharpSession(SessionRules, Allocates):
    recovery = recovery.RecoveryMove.name
    damage_help = ("Spread it over any fortes you like. A forte that drops below Poor can’t be used; {name} is out "
                   "only when no forte is left.")
    scene_end_help = "When it ends, failure ranks come back and the wounded roll for their wounds."
    shared_pools = (
        PoolKind(BOWL, "Bowl", "Style dice that the GM gives for good form. Spent dice come back here.", "PS-40"),
        PoolKind(GM_DICE, "The GM’s style dice", "For all NPCs.", "PS-45"),
    )

    dealt = (THREAT,)
    scene_lines = (BURNED,)
    counts_people = True  # the bowl: twice the players, the GM among them, however many characters one plays

    def shared_start(self, pool: str, players: int, settings: Settings) -> int:
        return EACH * (players + 1) if pool == BOWL else 0

    def join(self, sheet: Sheet, settings: Settings, *, first: bool = True) -> SessionChange:
        if not first:
            return SessionChange()
        step = Step("PS-40", f"A new player: {EACH} style dice more are in the bowl.")
        return SessionChange((step,), (SpendShared(BOWL, EACH),))

    def begin(self, sheets: Sequence[Sheet], settings: Settings) -> SessionChange:
        steps = [Step("PS-40", "The bowl is full: twice as many style dice as there are players, the GM counted.")]
        effects: list[Effect] = [Refill(BOWL)]
        for sheet in sheets:
            dice = OWN_DICE.get(threat(sheet), 0) - sheet.pool(STYLE)
            if sheet.npc and dice > 0:
                effects.append(Transfer(dice, None, Purse(STYLE, sheet.id), "An archvillain’s own"))
                steps.append(Step("PS-45", f"{sheet.name} begins with {dice} style dice of their own."))
        return SessionChange(tuple(steps), tuple(effects))

    def end(self, sheets: Sequence[Sheet], pools: Mapping[str, int], settings: Settings) -> SessionChange:
        """All style dice go, and what was bought for the session with them (PS-44, PS-45)."""
        effects: list[Effect] = [
            Transfer(sheet.pool(STYLE), Purse(STYLE, sheet.id), None, GONE) for sheet in sheets if sheet.pool(STYLE)]
        effects += [Transfer(pools[name], Purse(name), None, GONE) for name in (BOWL, GM_DICE) if pools.get(name)]
        lost = [(sheet, trait) for sheet in sheets for trait in of_kind(sheet, TEMPORARY)]
        effects += [Lose(benefit.id) for _, benefit in lost]
        effects += [Spend(sheet.id, name, -sheet.pool(name)) for sheet in sheets for name in (MISFORTUNES, SPLURGES)
                    if sheet.pool(name)]
        steps = [Step("PS-45", f"All style dice go. {' '.join(self.unspent(sheets, pools, settings))}".strip())]
        if lost:
            steps.append(Step("PS-44", "Temporary fortes go: "
                              f"{join([f'{benefit.name} of {sheet.name}' for sheet, benefit in lost])}."))
        return SessionChange(tuple(steps), tuple(effects))

    def unspent(self, sheets: Sequence[Sheet], pools: Mapping[str, int], settings: Settings) -> tuple[str, ...]:
        held = [(sheet.name, sheet.pool(STYLE)) for sheet in sheets]
        held.append(("The GM", pools.get(GM_DICE, 0)))
        return tuple(
            f"{name} still holds {many} style {'die' if many == 1 else 'dice'}." for name, many in held if many)

    def close_scene(self, sheets: Sequence[Sheet], values: Mapping[str, Any]) -> SessionChange:
        return recovery.close_scene(sheets)

    def scene_over(self, sheet: Sheet) -> tuple[Effect, ...]:
        return recovery.scene_over(sheet)

    def recoveries(self) -> tuple[tuple[str, Mapping[str, Value]], ...]:
        return (("Let them recover", {}),)

    def recover_again(self, sheets: Sequence[Sheet], values: Mapping[str, Any]) -> SessionChange:
        return recovery.recover_now(sheets)

    def healing(self, lines: Sequence[Trait]) -> dict[str, Value]:
        """Fortes by their rank; a foible makes it slow."""
        ranks: list[Value] = [rank_word(trait) for trait in lines if usable(trait) and trait.kind != FOIBLE]
        return {"fortes": ranks, "slow": any(trait.kind == FOIBLE for trait in lines)}

    def lines(self, sheet: Sheet, type: str) -> Sequence[Trait]:
        if type == recovery.DAMAGE:
            return absorbing(sheet)
        if type == recovery.ROLL:
            return [trait for trait in sheet.traits if trait.kind == FOIBLE or (is_forte(trait) and usable(trait))]
        return [forte for forte in fortes(sheet) if forte.damage]

    def recovered(self, sheet: Sheet, values: Mapping[str, Value]) -> NewAllocation | None:
        rolled = values["recovered"]
        amount = min(rolled if isinstance(rolled, int) else 0, recovery.wounds(sheet))
        return NewAllocation(sheet.id, recovery.RECOVERY, amount, f"The roll gave {rolled}") if amount else None

    def place(self, sheet: Sheet, type: str, amount: int, spread: Mapping[str, int]) -> tuple[Effect, ...]:
        return recovery.place(sheet, type, amount, spread)
