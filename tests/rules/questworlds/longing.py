"""Long contests in the rules alone: people, and a table that keeps what was done."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.moves import Need
from rules.procedure import ActResult, CampaignContext, Perspective
from rules.sheet import Gain, Lose, Sheet, SpendShared, Trait
from rules.systems.questworlds.long import ChainedLong, ScoredLong

ILSE = Sheet("i", "Ilse", (
    Trait("k", "keyword", "Mapmaker", 17), Trait("b", "breakout", "Forgery", 4, parent="k"),
    Trait("a", "ability", "Knife", 14), Trait("f", "flaw", "In debt", 17), Trait("r", "retainer", "Tam Wick", 13),
), (("xp", 0),))
OTHO = Sheet("o", "Otho", (Trait("s", "ability", "Strong", 16), Trait("w", "ability", "Wakes late", 8)), (("xp", 0),))
VEY = Sheet("v", "Captain Vey", (Trait("d", "ability", "Sabre", 17),), npc=True)
SHEETS = {sheet.id: sheet for sheet in (ILSE, OTHO, VEY)}


class Table:
    """A contest that is played by acts; faces are given where dice fall."""

    def __init__(self, kind: Any = None, opponents: str = "Captain Vey 17", who: tuple[tuple[str, str, bool], ...] = (
            ("i", "The crew", True),), points: int = 0, **setup: Any) -> None:
        self.kind = kind or ScoredLong()
        self.sheets: dict[str, Sheet] = {id_: SHEETS[id_] for id_, *_ in who}
        self.context = CampaignContext((("story_points", points),), session="one")
        begun = self.kind.start({
            "title": "The bridge", "opponents": opponents, **setup,
            "contestants": [{"sheet": id_, "side": side, "player": player} for id_, side, player in who]}, self.sheets)
        assert isinstance(begun, ActResult)
        self.events, self.last = list(begun.events), begun
        self.plain = self.kind.blank()
        for event in begun.events:
            self.plain = self.kind.evolve(self.plain, event)

    @property
    def state(self) -> Any:
        return self.kind.with_context(self.plain, self.context)

    def act(self, by: str, action: str, *faces: int, **given: Any) -> ActResult[Any]:
        """Does it, with these dice; raises what the rules raise."""
        answer = self.kind.act(self.state, self.sheets, by, action, given, ())
        if isinstance(answer, Need):
            answer = self.kind.act(self.state, self.sheets, by, action, given, faces)
        assert isinstance(answer, ActResult)
        for event in answer.events:
            self.plain = self.kind.evolve(self.plain, event)
        self.events += answer.events
        for effect in answer.effects:
            self._effect(effect)
        assert self.kind.fold(self.kind.write(event) for event in self.events) == self.plain
        self.last = answer
        return answer

    def _effect(self, effect: Any) -> None:
        match effect:
            case Gain(sheet=who):
                line = Trait(f"new{len(self.events)}", effect.kind, effect.name, effect.value, note=effect.note)
                self.sheets[who] = replace(self.sheets[who], traits=(*self.sheets[who].traits, line))
            case Lose(trait=gone):
                self.sheets = {id_: replace(sheet, traits=tuple(trait for trait in sheet.traits if trait.id != gone))
                               for id_, sheet in self.sheets.items()}
            case SpendShared(pool=pool, by=by):
                self.context = replace(self.context, pools=((pool, self.context.pool(pool) + by),))

    def round(self, *faces: int, by: str = "i", bout: int = 0, ability: str = "k", **more: Any) -> ActResult[Any]:
        """A round of somebody's, dice and all."""
        return self.act(by, "round", *faces, bout=str(bout), ability=ability, **more)

    def shot(self, *faces: int, by: str = "i", action: str = "parting", **given: Any) -> ActResult[Any]:
        """A parting shot: asked for, agreed to with the dice."""
        self.act(by, action, **given)
        return self.act("", "answer_shot", *faces, answer=f"{by}:yes")

    def offered(self, by: str | None = None) -> set[str]:
        return {offer.action for offer in self.kind.offers(self.state, self.sheets) if by is None or offer.by == by}

    def view(self, *plays: str, runs: bool = False) -> Any:
        return self.kind.seen(self.state, self.sheets, Perspective(frozenset(plays), runs))

    def points(self, bout: int = 0) -> tuple[int, int]:
        return self.state.bout(bout).points  # type: ignore[no-any-return]


def group(**setup: Any) -> Table:
    """Ilse and Otho against the captain and a clerk."""
    return Table(opponents="Captain Vey 17; Clerk 11", who=(("i", "The crew", True), ("o", "The crew", True)), **setup)


def chained(**setup: Any) -> Table:
    return Table(ChainedLong(), **setup)


def step(table: Table, rule: str) -> str:
    """What the last act said by a rule."""
    return " ".join(step.text for step in table.last.steps if step.rule == rule)


