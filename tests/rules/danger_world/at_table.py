"""A check played without a database: effects are applied to a sheet by hand."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rules.moves import Need
from rules.procedure import ActResult, CampaignContext, PastContest, Perspective
from rules.sheet import Damage, Effect, Gain, Lose, Raise, Sheet, Spend, SpendShared, Trait
from rules.systems.danger_world.builder import quick
from rules.systems.danger_world.table import CheckAtTable
from rules.systems.danger_world.table.view import CheckDetail

KIND = CheckAtTable()
MARA = "Mara, agility 3, speed 2, Born on the roofs, In debt, Never looks down"


def a_sheet(line: str = MARA, **pools: int) -> Sheet:
    """A character from one line, its lines known by their names in lower case."""
    name, drafts = quick(line)
    mine = "" if name == "Mara" else f"{name.casefold()}’s "
    traits = tuple(Trait(mine + draft.name.casefold(), draft.kind, draft.name, draft.value) for draft in drafts)
    return Sheet(name.casefold(), name, traits, tuple({"points": 3, **pools}.items()))


def with_line(sheet: Sheet, trait_id: str, **changes: Any) -> Sheet:
    """The sheet with one of its lines changed."""
    return replace(sheet, traits=tuple(
        replace(trait, **changes) if trait.id == trait_id else trait for trait in sheet.traits
    ))


def applied(sheet: Sheet, effects: Sequence[Effect]) -> Sheet:
    """The sheet after these effects, as far as they are its own."""
    for effect in effects:
        match effect:
            case Damage(trait, by) if line := sheet.trait(trait):
                sheet = with_line(sheet, trait, damage=line.damage + by)
            case Raise(trait, by) if line := sheet.trait(trait):
                sheet = with_line(sheet, trait, value=line.value + by)
            case Lose(trait):
                sheet = replace(sheet, traits=tuple(owned for owned in sheet.traits if owned.id != trait))
            case Gain() if effect.sheet == sheet.id:
                made = Trait(effect.name.casefold(), effect.kind, effect.name, effect.value, 0, effect.note,
                             effect.parent)
                sheet = replace(sheet, traits=(*sheet.traits, made))
            case Spend() if effect.sheet == sheet.id:
                sheet = replace(sheet, pools=tuple({**dict(sheet.pools), effect.pool: sheet.pool(effect.pool)
                                                    + effect.by}.items()))
    return sheet


class Played:
    """A check that goes on: `do` an action with the faces that it may want."""

    def __init__(self, sheet: Sheet, beside: Sheet | None = None, *, general: int = 0, kept: int = 0,
                 past: Sequence[Played] = (), **setup: Any) -> None:
        self.sheets = {sheet.id: sheet for sheet in (sheet, beside) if sheet}
        self.who, self.shared, self.past = sheet.id, {"general": general, "kept": kept}, past
        contestants = [{"sheet": sheet} for sheet in self.sheets]
        self.state = KIND.blank()
        self.take(KIND.start({"title": "Over the roofs", "agree": False, **setup, "contestants": contestants},
                             self.sheets))

    @property
    def sheet(self) -> Sheet:
        """The sheet of the one who makes the check, as it is now."""
        return self.sheets[self.who]

    @property
    def context(self) -> CampaignContext:
        """What the campaign holds beside the check: its pools, and the other checks of the scene."""
        past = tuple(PastContest(number, past.state.title, True, past.state, "here")
                     for number, past in enumerate(self.past))
        return CampaignContext(tuple(self.shared.items()), past, scene="here")

    def do(self, action: str, faces: Sequence[int] = (), gm: bool = False, **given: Any) -> ActResult[Any]:
        """An act, with all the dice that it wants."""
        by = "" if gm else self.who
        turn = KIND.act(self.state, self.sheets, by, action, given, ())
        if isinstance(turn, Need):
            turn = KIND.act(self.state, self.sheets, by, action, given, faces)
        return self.take(turn)

    def take(self, turn: Any) -> ActResult[Any]:
        """Takes in what an act led to; events go through what is stored."""
        assert isinstance(turn, ActResult), turn
        for event in turn.events:
            self.state = KIND.evolve(self.state, KIND.read(KIND.write(event)))
        self.sheets = {pk: applied(sheet, turn.effects) for pk, sheet in self.sheets.items()}
        for effect in turn.effects:
            if isinstance(effect, SpendShared):
                self.shared[effect.pool] += effect.by
                assert self.shared[effect.pool] >= 0
        self.state = KIND.with_context(self.state, self.context)
        return turn

    def actions(self) -> set[str]:
        """What is open now, to anybody."""
        return {offer.action for offer in KIND.offers(self.state, self.sheets)}

    def rules(self, turn: ActResult[Any]) -> set[str]:
        """The rules that explain a turn."""
        return {step.rule for step in turn.outcome.steps}


def detail_of(play: Played, *plays: str, runs: bool = False) -> CheckDetail:
    """What the page of this check draws for somebody who plays these."""
    detail = KIND.view(play.state, play.sheets, Perspective(frozenset(plays), runs)).detail
    assert isinstance(detail, CheckDetail)
    return detail
