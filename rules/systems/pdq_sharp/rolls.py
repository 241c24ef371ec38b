"""PDQ#'s moves, and how the roll tray puts a challenge together (PS-10, PS-11)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules.approaches import Approach
from rules.sheet import Effect, Sheet, Spend, Trait
from rules.system import Modifier, Opposes, RollRules, Settings
from rules.systems.pdq_sharp.challenge_roll import KEEP, ChallengeMove, FlashyMove
from rules.systems.pdq_sharp.chart import MODIFIERS, POOR, TARGETS, WORDS, difficulty_field, signed
from rules.systems.pdq_sharp.duel.turn import DuelTurnMove
from rules.systems.pdq_sharp.kinds import BURNED, FOIBLE, IDIOM, MOTIVATIONS, TECHNIQUE, THIS_SCENE
from rules.systems.pdq_sharp.reading import TRAINING, is_forte, rank_word, techniques, usable
from rules.systems.pdq_sharp.recovery import DICE, RecoveryMove
from rules.values import BadMove, Value


class PdqSharpRolls(RollRules, Opposes):
    moves = (ChallengeMove(), FlashyMove(), DuelTurnMove(), RecoveryMove())
    tray = (ChallengeMove.name,)
    obstacle = (difficulty_field(),)
    counted = ("One forte as it is hurt now, with one idiom that goes with it: a style is the player’s to choose. "
               "Other techniques hang on place, foe, tool or maneuver; style dice are spent with the roll.")

    def counts(self, trait: Trait) -> bool:
        """Fortes, techniques, a foible, what is burned for this scene; no threat level, nothing that is zeroed out."""
        return trait.kind == TECHNIQUE or (trait.kind == BURNED and trait.value == THIS_SCENE) or usable(trait)

    def compose(
        self, move: str, traits: Sequence[Trait], modifiers: Sequence[Modifier], values: Mapping[str, Value]
    ) -> dict[str, Value]:
        """Fortes by their rank, a foible as Poor; each technique that is ticked is one more die."""
        if move == RecoveryMove.name:
            healing = [rank_word(each) for each in traits if usable(each) and each.kind != FOIBLE]
            return {**values, "fortes": healing, "slow": any(each.kind == FOIBLE for each in traits)}
        used = [each for each in traits if each.kind == TECHNIQUE]
        if sum(each.value == IDIOM for each in used) > 1:
            raise BadMove("One idiom at a time: choose which.", "traits")
        burned = [each for each in traits if each.kind == BURNED and each.value == THIS_SCENE]
        for trait in traits:
            if not self.counts(trait):
                raise BadMove(f"{trait.name} can’t be rolled with now. Choose another forte.", "traits")
        ranks: list[Value] = [rank_word(each) for each in traits if each.kind != TECHNIQUE and each not in burned]
        ranks += [_doubled(each, traits) for each in burned]
        more = values.get("bonus_dice", 0)
        return {**values, "fortes": ranks, "bonus_dice": (more if isinstance(more, int) else 0) + len(used)}

    def approaches(
        self, sheet: Sheet, obstacle: Mapping[str, Value], settings: Settings, waiting: Sequence[Modifier] = ()
    ) -> tuple[Approach, ...]:
        """Each forte, with one idiom that goes with it (PS-04, PS-11)."""
        found = []
        for way in super().approaches(sheet, obstacle, settings, waiting):
            if (line := sheet.trait(way.trait)) and line.kind == TECHNIQUE:
                continue
            styles = [each for each in techniques(sheet, [way.trait]) if each.value == IDIOM][:1] if line else []
            if line and styles:
                given = self.compose(ChallengeMove.name, [line, *styles], (), obstacle)
                style = styles[0].name
                way = replace(way, given=given, lines=(*way.lines, style), counts=f"with {style}, one die more")
            found.append(way)
        return tuple(found)

    def obstacle_words(self, values: Mapping[str, Value]) -> str:
        said = values.get("difficulty")
        return f"{said} {TARGETS[said]}" if isinstance(said, str) else str(said)

    def consequences(self, move: str, sheet: Sheet, result: Mapping[str, Value], why: str) -> tuple[Effect, ...]:
        """A failed roll of a player's character teaches; that it hurts is said in a challenge at the table (PS-14)."""
        learnt = move == ChallengeMove.name and not result["success"] and not sheet.npc
        return (Spend(sheet.id, TRAINING, 1),) if learnt else ()

    def describe(self, move: str, given: Mapping[str, Value]) -> str:
        if move == RecoveryMove.name:
            healing = RecoveryMove().read(given)
            added = f" {signed(healing.modifier)}" if healing.modifier else ""
            return "Recover one rank without a roll" if healing.slow else f"Roll {DICE}d6{added} to recover"
        if move != ChallengeMove.name:
            return "Roll"
        task = ChallengeMove().read(given)
        added = f" {signed(task.side.adds)}" if task.side.adds else ""
        best = f", keep {KEEP}" if task.side.dice > KEEP else ""
        return f"Roll {task.side.dice}d6{best}{added} against {task.target}"

    def may_oppose(self, trait: Trait) -> bool:
        """Fortes; no technique, no threat level, no size of a squad, nothing that is zeroed out."""
        return is_forte(trait) and trait.now >= POOR

    def opposing_fields(self, trait: Trait, sheet: Sheet) -> Mapping[str, Value]:
        word = WORDS[max(min(WORDS), min(max(WORDS), trait.now))]
        return {"difficulty": TARGETS[word] if word in MODIFIERS else 7}


def _doubled(burned: Trait, traits: Sequence[Trait]) -> str:
    """A burned motivation counts once more where the motivation itself is ticked (PS-12)."""
    for each in traits:
        if each.kind in MOTIVATIONS and each.name.casefold() == burned.name.casefold():
            return rank_word(each)
    raise BadMove("Tick the motivation as well: burned, it counts double.", "traits")
