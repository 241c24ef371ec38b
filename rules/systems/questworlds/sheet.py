"""A QuestWorlds sheet: abilities, keywords, flaws, what lasts, and what is done with them between contests."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.followers import TakesFollowers
from rules.moves import Need
from rules.procedure import ActResult, Offer
from rules.sheet import Budget, ReadsProse, Sheet, Trait, TraitDraft
from rules.system import PoolKind, Settings, SheetRules
from rules.systems.questworlds import builder, from_text, growth, sheet_kinds
from rules.systems.questworlds.cast import CAST
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.names import SIMPLE
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older import states
from rules.systems.questworlds.settings import counts_experience
from rules.systems.questworlds.traits import (
    ABILITY,
    BONUSES,
    FLAWS,
    KEYWORD,
    LASTING,
    SIDEKICK,
    SUPPORT,
    WORSENING,
    lasting,
    score_of,
)
from rules.values import Value
from rules.ways_back import BringsBack, WayBack

XP = PoolKind(
    "xp", "Experience", "A defeat teaches, and so does a flaw that gets in the way.", "QW-80", "played")


@dataclass(frozen=True)
class SheetDetail:
    """What the game's part of a sheet shows: experience and what an advance costs, and what hurts."""

    xp: int
    cost: int
    by_xp: bool
    ready: bool
    actions: bool
    hurts: tuple[str, ...]
    dying: str  # the line that a contest of wherewithal would be about; "" for whoever is not dying


class QuestWorldsSheet(SheetRules, ReadsProse, TakesFollowers, BringsBack):
    """`symbol` is the sign of a mastery, `package` how keywords are meant; with `milestones` nobody counts points."""

    ready_made = CAST
    good_at_help = ("What they do for a living first, then what else, with commas between: Bell-founder, Strong "
                    "shoulders.")

    def __init__(self, symbol: str, package: bool, milestones: bool, edition: Edition = FIRST) -> None:
        self.symbol, self.package, self.edition = symbol, package, edition
        self.trait_kinds = sheet_kinds.kinds(symbol, package, edition)
        # The pool carries what a milestone is worth, and nobody counts it (QW-83).
        self.pools = (replace(XP, sheets="none"),) if milestones else (XP,)

    def notation(self, kind: str, value: int) -> str:
        if kind in (*LASTING, SUPPORT):
            return states.worth(kind, value, self.symbol, self.edition)
        if kind == SIDEKICK:
            return ""
        if kind in FLAWS and not value:
            return "not scored yet"
        if kind in BONUSES and self.package:
            return f"its keyword {signed(value, self.symbol)}"
        return signed(value, self.symbol) if kind in BONUSES else notation(value, self.symbol)

    def display_value(self, trait: Trait, sheet: Sheet) -> str:
        score = score_of(trait, sheet)
        if trait.kind in BONUSES and score is not None:
            alone = notation(score, self.symbol)
            # In a package an ability stands by itself: what its keyword has is nothing to it in play (QW-73).
            return alone if self.package else f"{signed(trait.value, self.symbol)} = {alone}"
        return self.notation(trait.kind, trait.now)

    def good_at(self, said: Sequence[str]) -> tuple[TraitDraft, ...]:
        rule = self.edition.creation
        return tuple(TraitDraft(ABILITY if place else KEYWORD, ability, rule.other if place else rule.defining)
                     for place, ability in enumerate(said))

    def budget(self, traits: Sequence[TraitDraft], settings: Settings) -> Budget:
        return builder.budget(traits, settings, self.edition)

    def normalise(
        self, traits: Sequence[TraitDraft], settings: Settings, before: Sequence[TraitDraft] = (),
        places: Sequence[int | None] = (),
    ) -> tuple[TraitDraft, ...]:
        return builder.finished(traits, settings, self.edition, before=before, places=places)

    def from_line(self, line: str) -> tuple[str, tuple[TraitDraft, ...]]:
        return from_text.quick(line, self.symbol, self.edition)

    def from_prose(self, text: str) -> tuple[str, tuple[TraitDraft, ...]]:
        return from_text.from_prose(text, self.edition)

    def prose_length(self, text: str) -> tuple[int, int]:
        return from_text.words_in(text), self.edition.creation.prose_words

    def detail(self, sheet: Sheet, settings: Settings) -> SheetDetail:
        offered = growth.offers(sheet, settings, self.edition)
        return SheetDetail(
            xp=sheet.pool("xp"), cost=settings["advance"], by_xp=counts_experience(settings),
            ready=any(offer.action == "advance" for offer in offered), actions=any(offer.by for offer in offered),
            hurts=tuple(trait.name
                        for trait in lasting(sheet) if trait.kind in WORSENING and trait.value <= states.DYING),
            dying=dying.name if (dying := states.end_of(sheet)) and dying.value <= states.DOOMED else "")

    def unable(self, sheet: Sheet) -> str:
        return super().unable(sheet) or states.unable(sheet)

    def ways_back(self, sheet: Sheet) -> tuple[WayBack, ...]:
        line = states.end_of(sheet)
        if line is None or line.value > states.DOOMED:
            return ()
        said = {"who": sheet.id, "obstacle": line.name, "title": "One final action"}
        return (WayBack("Contest of wherewithal", SIMPLE[0], said=said),)

    def mending(self, sheet: Sheet, healer: Sheet) -> tuple[WayBack, ...]:
        return tuple(WayBack(f"Heal {line.name}", SIMPLE[0], said={
            "obstacle": line.name, "title": f"{line.name}: healed"})
                     for line in lasting(sheet) if states.heals(line))

    follower_action = "sidekick"

    def as_follower(self, npc: Sheet) -> Mapping[str, Value]:
        usual = {kind.name for kind in self.trait_kinds if not (kind.condition or kind.played or kind.trouble)}
        best = sorted((trait for trait in npc.traits if trait.kind in usual), key=lambda trait: -trait.now)
        named = zip(("first_name", "second_name", "third_name"), best, strict=False)
        return {"name": npc.name, **{field: chosen.name for field, chosen in named}}

    def actions(self, sheet: Sheet, settings: Settings) -> tuple[Offer, ...]:
        return growth.offers(sheet, settings, self.edition)

    def act(
        self, sheet: Sheet, settings: Settings, action: str, given: Mapping[str, Value], faces: Sequence[int] = ()
    ) -> ActResult[Any] | Need:
        return growth.do(sheet, settings, action, given, self.edition)
