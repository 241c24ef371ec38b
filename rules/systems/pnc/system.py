"""PnC as a game system: what a sheet is made of, which moves exist, how they are made at the table."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.fields import Whole
from rules.moves import Face
from rules.sheet import Budget, Sheet, Trait, TraitDraft
from rules.system import Line, SceneEnd, System
from rules.systems.pnc import character, mulligans, odds_page
from rules.systems.pnc.chances import TONES
from rules.systems.pnc.combat import MULLIGANS
from rules.systems.pnc.competition import Competition
from rules.systems.pnc.factors import button
from rules.systems.pnc.fight import Fight, Opposed
from rules.systems.pnc.fight.kind import INITIATIVE
from rules.systems.pnc.initiative import Initiative
from rules.systems.pnc.rolls import Answer, Race, StandardRollContest
from rules.systems.pnc.rolls.kinds import SWING
from rules.systems.pnc.standard_roll import OPEN_ENDED, AttackRoll, StandardRoll
from rules.tables import Calculator, Table
from rules.values import BadMove, Value


class Pnc(System):
    slug = "pnc"
    name = "PnC"
    edition = "pnc 1.0"
    pitch = "The story decides; where it can’t, one d20 stands against three dice, and the degree says how well."
    trait_kinds = character.KINDS
    pools = (mulligans.POOL,)
    moves = (StandardRoll(), AttackRoll(), Competition(), Initiative())
    contests = (StandardRollContest(), Fight(), Opposed(), Race(), Answer())
    scene_ends = "When it closes, wounds stay until the story heals them."
    dials = (
        OPEN_ENDED,
        Whole(name="mulligans", label="Mulligan points a session", default=MULLIGANS, least=0, most=12,
              help="A session fills each player’s character up to this; what was earned beyond it stays."),
        SWING,
        INITIATIVE,
    )

    def notation(self, kind: str, value: int) -> str:
        return character.notation(kind, value)

    def compose(
        self, move: str, traits: Sequence[Trait], lines: Sequence[Line], values: Mapping[str, Value]
    ) -> dict[str, Value]:
        if move not in (StandardRoll.name, AttackRoll.name):
            raise BadMove("This is rolled on a page of its own.", "move")
        rungs = [int(character.rung_of(trait)) for trait in traits]
        return {
            **values, "bonus": sum(each for each in rungs if each > 0), "penalty": -sum(r for r in rungs if r < 0),
        }

    def describe(self, move: str, given: Mapping[str, Value]) -> str:
        return f"Roll {button(StandardRoll().read(given))}"

    def headline(self, move: str) -> str:
        return "band"

    def shares(self, move: str) -> tuple[tuple[Face, str, str], ...]:
        return tuple((band, band.capitalize(), tone) for band, tone in TONES.items())

    def budget(self, traits: Sequence[TraitDraft], dials: Mapping[str, Any]) -> Budget:
        return character.budget(traits)

    def quick(self, line: str) -> tuple[str, tuple[TraitDraft, ...]]:
        return character.quick(line)

    def begin_session(self, sheets: Sequence[Sheet], dials: Mapping[str, Any]) -> SceneEnd:
        return mulligans.deal(sheets, dials)

    def tables(self, dials: Mapping[str, Any]) -> tuple[Table, ...]:
        return odds_page.tables(dials)

    def calculators(self, dials: Mapping[str, Any]) -> tuple[Calculator, ...]:
        return odds_page.calculators(dials)
