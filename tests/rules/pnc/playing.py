"""A PnC contest played from the outside, as a caller would: offers in, sheets kept up to date, events kept."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.engine import Procedure
from rules.moves import Need
from rules.procedure import ActResult, Offer, Perspective, View
from rules.sheet import Become, Effect, Gain, Lose, SetDead, Sheet, Spend, Trait


def sheet(name: str, mulligans: int = 0, wounds: Mapping[str, int] | None = None, **features: int) -> Sheet:
    """A sheet whose id is the name in small letters; trait ids are `ada.jumping`."""
    id_ = name.lower()
    traits = [Trait(f"{id_}.{feature}", "feature", feature.title(), value) for feature, value in features.items()]
    traits += [Trait(f"{id_}.{wound}", "wound", wound, value) for wound, value in (wounds or {}).items()]
    return Sheet(id_, name, tuple(traits), (("mulligans", mulligans),))


class Table:
    """A contest on a table: acts, applies the effects, and keeps the events."""

    def __init__(
        self, kind: Procedure[Any], sheets: Sequence[Sheet], faces: Sequence[int] | None = None,
        dice: Callable[[int], int] | None = None, **setup: Any,
    ) -> None:
        self.kind, self.setup = kind, setup
        self.sheets: dict[str, Sheet] = {sheet.id: sheet for sheet in sheets}
        self.dice = dice or (lambda sides: sides // 2)
        self.events: list[Any] = []
        self.state: Any = kind.blank()
        self.last: ActResult[Any] | None = None
        self.made = 0
        self._keep(self._rolled(lambda rolled: kind.start(setup, self.sheets, rolled), faces))

    def act(self, by: str, action: str, faces: Sequence[int] | None = None, /, **given: Any) -> Mapping[str, Any]:
        """Acts, with these faces where given, and answers the result."""
        turn = self._rolled(
            lambda rolled: self.kind.act(self.state, self.sheets, by, action, given, rolled), faces
        )
        self._keep(turn)
        return turn.outcome.result

    def offered(self, by: str) -> set[str]:
        """The actions that this one may take now."""
        return {offer.action for offer in self.kind.offers(self.state, self.sheets) if offer.by == by}

    def offer(self, by: str, action: str) -> Offer:
        """This offer; fails where there is none."""
        return next(e for e in self.kind.offers(self.state, self.sheets) if (e.by, e.action) == (by, action))

    def points(self, who: str) -> int:
        """The mulligan points on a sheet."""
        return self.sheets[who].pool("mulligans")

    def view(self, *plays: str, runs: bool = False) -> View:
        """What a page gets of a table where those that were set up so have players."""
        players = {line["sheet"]: "Bob" for line in self.setup.get("contestants", ()) if line.get("player")}
        return self.kind.seen(self.state, self.sheets, Perspective(frozenset(plays), runs, players))

    def text(self, rule: str) -> str:
        """Everything that the last action explained with this rule."""
        assert self.last is not None
        return " ".join(step.text for step in self.last.outcome.steps if step.rule == rule)

    def _rolled(
        self, ask: Callable[[tuple[int, ...]], ActResult[Any] | Need], faces: Sequence[int] | None = None
    ) -> ActResult[Any]:
        rolled: tuple[int, ...] = ()
        left = list(faces) if faces is not None else None
        while isinstance(answer := ask(rolled), Need):
            if left is None:
                rolled = (*rolled, *map(self.dice, answer.sides))
            else:
                assert len(left) >= len(answer.sides), f"{answer.sides} are wanted, there are {left}"
                rolled = (*rolled, *left[: len(answer.sides)])
                left = left[len(answer.sides) :]
        assert not left, f"{left} were not wanted"
        return answer

    def _keep(self, turn: ActResult[Any]) -> None:
        for event in turn.events:
            self.state = self.kind.evolve(self.state, event)
        self.events += turn.events
        self.last = turn
        for effect in turn.effects:
            self._apply(effect)

    def _apply(self, effect: Effect) -> None:
        match effect:
            case Spend(sheet=id_, pool=pool, by=by):
                one = self.sheets[id_]
                assert one.pool(pool) + by >= 0
                self.sheets[id_] = replace(one, pools=tuple({**dict(one.pools), pool: one.pool(pool) + by}.items()))
            case SetDead(sheet=id_, dead=dead):
                self.sheets[id_] = replace(self.sheets[id_], dead=dead)
            case Gain(sheet=id_):
                one = self.sheets[id_]
                self.made += 1
                made = Trait(f"{id_}.made{self.made}", effect.kind, effect.name, effect.value)
                self.sheets[id_] = replace(one, traits=(*one.traits, made))
            case Lose(trait=line):
                one = next(sheet for sheet in self.sheets.values() if sheet.trait(line))
                self.sheets[one.id] = replace(one, traits=tuple(trait for trait in one.traits if trait.id != line))
            case Become(trait=line):
                one = next(sheet for sheet in self.sheets.values() if sheet.trait(line))
                self.sheets[one.id] = replace(one, traits=tuple(
                    replace(trait, kind=effect.kind, name=effect.name) if trait.id == line else trait
                    for trait in one.traits))
            case _:
                raise AssertionError(effect)

    def replayed(self) -> Any:
        """The state that the stored events lead to."""
        state = self.kind.blank()
        for event in self.events:
            state = self.kind.evolve(state, self.kind.read(self.kind.write(event)))
        return state
