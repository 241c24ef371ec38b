"""What comes back: at the end of a scene, by a second wind, and from mostly dead (PS-33 to PS-35)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rules.fields import Flag
from rules.moves import Die, Face, MoveKind, Need, Outcome, Step, field_of, take
from rules.odds import spread, sum_of_dice
from rules.sheet import Damage, Effect, Gain, Lose, NewAllocation, Raise, Sheet
from rules.system import SessionChange
from rules.systems.pdq_sharp import harm
from rules.systems.pdq_sharp.chart import POOR, fortes_field, modifier, signed
from rules.systems.pdq_sharp.kinds import BURNED, FALLEN, HOOK, OPEN, POISONED, THIS_SCENE, TO_REPLACE
from rules.systems.pdq_sharp.reading import fortes, is_out, of_kind, squad, zeroed
from rules.values import BadMove
from rules.wording import join

DAMAGE, RECOVERY, ROLL = "damage", "recovery", "roll"
DICE, SLOW = 2, 1
RAISED = "Raised from mostly dead"


@dataclass(frozen=True)
class Healing:
    """A recovery roll: the fortes that bear on healing, and whether a foible makes it slow."""

    fortes: tuple[str, ...] = ()
    slow: bool = False

    @property
    def modifier(self) -> int:
        """What is added to the dice."""
        return modifier(self.fortes)

    def recovered(self, thrown: int) -> int:
        """How many wound ranks come back."""
        return SLOW if self.slow else max(0, thrown + self.modifier)


class RecoveryMove(MoveKind[Healing]):
    """2d6, and the modifiers of fortes that heal: so many wound ranks come back; one to a slow healer, unrolled.

    >>> RecoveryMove().resolve(RecoveryMove().read({"fortes": ["good"]}), [3, 1]).result["recovered"]
    6
    """

    name = "pdq_sharp.recovery"
    title = "Recovery"
    fields = (fortes_field(), Flag(name="slow", label="Slow healer", help="A foible: one rank comes back."))

    def build(self, **values: Any) -> Healing:
        return Healing(**values)

    def resolve(self, move: Healing, faces: Sequence[int]) -> Outcome | Need:
        wanted = 0 if move.slow else DICE
        if take(faces, wanted) is None:
            return Need((6,) * (wanted - len(faces)))
        result = {"modifier": move.modifier, "recovered": move.recovered(sum(faces))}
        if move.slow:
            text = "A slow healer gets one wound rank back. The foible is worth style dice."
        else:
            added = f" {signed(move.modifier)}" if move.fortes else ""
            text = f"{sum(faces)}{added}: {result['recovered']} wound ranks come back, where the player chooses."
        return Outcome(result, (Step("PS-33", text),), tuple(Die(6, face) for face in faces))

    def odds(self, move: Healing, of: str) -> dict[Face, Fraction]:
        def tell(thrown: int) -> Face:
            return field_of({"modifier": move.modifier, "recovered": move.recovered(thrown)}, of)

        return {tell(0): Fraction(1)} if move.slow else spread(sum_of_dice(DICE, 6), tell=tell)


def close_scene(sheets: Sequence[Sheet]) -> SessionChange:
    """Failure ranks all come back, the wounded roll; a motivation that was burned is to be replaced (PS-12, PS-33)."""
    change = recover_now(sheets)
    burned = tuple(Step("PS-12", f"{sheet.name} burned a motivation, and needs another one now.") for sheet in sheets
                   if any(trait.value == THIS_SCENE for trait in of_kind(sheet, BURNED)))
    return replace(change, steps=(*change.steps, *burned))


def recover_now(sheets: Sequence[Sheet]) -> SessionChange:
    """What comes back, at a scene's end or at the GM's word in it: failure ranks, and a roll for wounds (PS-33)."""
    effects: list[Effect] = []
    for sheet in sheets:
        effects += [Damage(forte.id, -forte.failures) for forte in fortes(sheet) if forte.failures]
    return SessionChange(tuple(_steps(sheets)), tuple(effects), tuple(
        NewAllocation(sheet.id, ROLL, 0, "After the scene") for sheet in sheets if rolls_for_wounds(sheet)))


def scene_over(sheet: Sheet) -> tuple[Effect, ...]:
    """A burned motivation no longer counts double: there has to be another one (PS-12)."""
    return tuple(Raise(trait.id, TO_REPLACE - THIS_SCENE)
                 for trait in of_kind(sheet, BURNED) if trait.value == THIS_SCENE)


def wounds(sheet: Sheet) -> int:
    """The wound ranks on a sheet."""
    return sum(forte.wounds for forte in fortes(sheet))


def needs_raising(sheet: Sheet) -> bool:
    """Whether style dice have to bring fortes back to Poor before anything heals (PS-34)."""
    return squad(sheet) is None and bool(of_kind(sheet, FALLEN) or is_out(sheet))


def rolls_for_wounds(sheet: Sheet) -> bool:
    """Whether somebody gets a recovery roll when a scene ends (PS-33)."""
    return bool(wounds(sheet)) and not (
        sheet.dead or squad(sheet) or needs_raising(sheet) or of_kind(sheet, POISONED))


def _steps(sheets: Sequence[Sheet]) -> list[Step]:
    lost = {sheet.name: sum(forte.failures for forte in fortes(sheet)) for sheet in sheets}
    back = [f"{name} ({harm.ranks(many, harm.FAILURE)})" for name, many in lost.items() if many]
    text = f"All failure ranks come back: {join(back)}." if back else "Nobody has failure ranks to recover from."
    steps = [Step("PS-33", text)]
    if rolling := [sheet.name for sheet in sheets if rolls_for_wounds(sheet)]:
        steps.append(Step("PS-33", f"Each rolls 2d6 for the wounds: {join(rolling)}."))
    for sheet in sheets:
        if needs_raising(sheet) and not sheet.dead:
            steps.append(Step("PS-34", f"{sheet.name} has to be raised with style dice before anything heals."))
        elif of_kind(sheet, POISONED) and wounds(sheet):
            steps.append(Step("PS-49", f"{sheet.name} is poisoned: no wound heals before the antidote is found."))
    return steps


def place(sheet: Sheet, type: str, amount: int, spread: Mapping[str, int]) -> tuple[Effect, ...]:
    """Wounds over fortes, or what comes back where damage is; raises `BadMove`."""
    return recover(sheet, amount, spread) if type == RECOVERY else harm.take(sheet, amount, spread).effects


def recover(sheet: Sheet, amount: int, spread: Mapping[str, int]) -> tuple[Effect, ...]:
    """So many ranks come back where the player chose; raises `BadMove` unless all that can come back does (PS-33)."""
    if needs_raising(sheet):
        raise BadMove(f"{sheet.name} has to be raised with style dice first.")
    lines = {forte.id: forte for forte in fortes(sheet) if forte.damage}
    for trait_id, ranks in spread.items():
        if ranks and trait_id not in lines:
            raise BadMove("Choose among the damaged fortes of this sheet.", trait_id)
        if ranks > (lines[trait_id].damage if trait_id in lines else 0) or ranks < 0:
            line = lines[trait_id]
            raise BadMove(f"{line.name} has {line.damage} damage; more can’t come back.", trait_id)
    to_place = min(amount, sum(line.damage for line in lines.values()))
    if sum(spread.values()) != to_place:
        raise BadMove(f"Assign {to_place} in all; you have assigned {sum(spread.values())}.", "shares")
    return tuple(Damage(trait_id, -ranks) for trait_id, ranks in spread.items() if ranks)


def raise_fortes(sheet: Sheet, chosen: Sequence[str]) -> tuple[tuple[Effect, ...], Step]:
    """Zeroed fortes back to Poor, a style die each; the last of them ends being mostly dead, with a hook (PS-34)."""
    low = {trait.id: trait for trait in zeroed(sheet)}
    lines = [low[id_] for id_ in chosen if id_ in low]
    effects: list[Effect] = [Damage(line.id, line.now - POOR) for line in lines]
    text = f"{sheet.name}: {join([line.name for line in lines])} back to Poor"
    if len(lines) < len(low) or not needs_raising(sheet):
        return tuple(effects), Step("PS-34", f"{text}.")
    effects += [Lose(trait.id) for trait in of_kind(sheet, FALLEN)]
    effects.append(Gain(sheet.id, HOOK, "Back from the brink", OPEN, note=RAISED))
    return tuple(effects), Step("PS-34", f"{text}. Mostly dead no longer: a story hook, and wounds heal again.")
