"""Any procedure of any game, played from the outside with whatever is legal: no game is named in here.

Sheets are made of the kinds of line that a game has, setups and acts of the fields that are asked for.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from random import Random
from typing import Any

from rules.engine import KnowsCampaign, Procedure
from rules.fields import REQUIRED, Allocation, Choice, ChoiceOrWhole, Field, Flag, Group, Listing, Text, Whole, Written
from rules.moves import Need
from rules.procedure import ActResult, CampaignContext, Offer, PastContest, ReadingOffer
from rules.sheet import (
    Become,
    ChangeSetting,
    Damage,
    Enter,
    Gain,
    Lose,
    NewAllocation,
    Raise,
    Refill,
    SetDead,
    Sheet,
    Spend,
    SpendShared,
    Trait,
    Transfer,
)
from rules.values import BadMove
from tests.rules.promises import Promises

NAMES = ("Ada", "Bo", "Cy", "Dee")
TRIES = 40  # so often something else is said before an act counts as one that can't be done


class Unpaid(AssertionError):
    """An effect that a sheet or a pool can't bear: the act should have been refused."""


class AnyTable:
    """A procedure at a table: what is done changes the state by its events, and sheets and pools by its effects."""

    promises = Promises()  # none, where a test lays a table of its own
    past: tuple[PastContest, ...] = ()
    lay: tuple[dict[str, Sheet], dict[str, int]] = ({}, {})  # sheets and pools before the last dice were read
    again: tuple[ActResult[Any], ...] = ()  # what came of reading dice again, for which what they did is taken back

    def __init__(self, system: Any, kind: Procedure[Any], chance: Random, most_lines: int = 3,
                 promises: Promises | None = None) -> None:
        self.system, self.kind, self.chance, self.most_lines = system, kind, chance, most_lines
        self.promises = promises or self.promises
        self.past = self.promises.past(chance)
        self.shared = {shared_pool.name: chance.randint(0, 6) for shared_pool in system.session.shared_pools}
        self.lines = 0  # how many lines were gained in play
        self.marks = 0  # how many texts were said
        self.thrown: dict[int, tuple[int, ...]] = {}  # the faces that were thrown for a result, by its id
        self.events: list[Any] = []
        self.plain: Any = kind.blank()  # as the events alone tell it
        self.sheets: dict[str, Sheet] = {}
        self.setup: dict[str, Any] = {}
        self.started = self._begin()

    @property
    def state(self) -> Any:
        """The state, placed in what the campaign holds."""
        if isinstance(self.kind, KnowsCampaign):
            scene = self.past[0].scene if self.past else ""
            return self.kind.with_context(
                self.plain, CampaignContext(tuple(self.shared.items()), self.past, session="this one", scene=scene))
        return self.plain

    def offers(self) -> tuple[Offer, ...]:
        return self.kind.offers(self.state, self.sheets)

    def try_(self, offer: Offer, given: Mapping[str, Any]) -> ActResult[Any]:
        """What an act leads to, with dice as they fall; nothing is kept. Raises `BadMove`; fails as `Unpaid`."""
        result = self._rolled(offer, given)
        self._after(result)
        return result

    def keep(self, result: ActResult[Any]) -> None:
        """Takes in what was tried."""
        for event in result.events:
            self.plain = self.kind.evolve(self.plain, event)
        self.events += result.events
        before = self._before(result)
        if result.dice or result.result.get("reads"):
            self.lay = before
        self.sheets, self.shared = self._after(result)
        self.promises.hold(self, result)

    def ends(self, result: ActResult[Any]) -> bool:
        """Whether it would be over after this."""
        return self.kind.is_over(reduce(self.kind.evolve, result.events, self.plain))

    def found(self, offer: Offer) -> tuple[dict[str, Any], ActResult[Any]] | None:
        """Something that can be said to an offer, and what it leads to; None where nothing was found."""
        for attempt in range(TRIES):
            given = self.promises.given(self, offer, self.given(offer, attempt))
            try:
                return given, self.try_(offer, given)
            except BadMove as bad:
                assert bad.sentence[-1] in ".!?", "a refusal is a sentence"
        assert not self.promises.finds(offer), f"{offer.action} is offered and can't be done"
        return None

    def given(self, offer: Offer, attempt: int = 0) -> dict[str, Any]:
        """Values for the fields of an offer; `attempt` lets shares add up to something else each time."""
        options = offer.options or {}
        values = {}
        for field in offer.fields:
            ids = [id_ for id_, _ in options[field.name]] if field.name in options else None
            if field.default is not REQUIRED and self.chance.random() < 0.3:
                continue
            value = self._value(field, ids, attempt)
            if value is not None:
                values[field.name] = value
        return values

    def _begin(self) -> ActResult[Any]:
        refused = ""
        for attempt in range(200):
            sheets = [self._sheet(name) for name in NAMES[: self.chance.randint(2, len(NAMES))]]
            self.sheets = {sheet.id: self.promises.sheet(sheet, self.chance) for sheet in sheets}
            self.setup = self.promises.setup(self._setup(attempt), self.chance)
            try:
                faces: tuple[int, ...] = ()
                while isinstance(begun := self.kind.start(self.setup, self.sheets, faces), Need):
                    faces += tuple(self.chance.randint(1, sides) for sides in begun.sides)
                self.keep(begun)
            except BadMove as bad:
                refused = str(bad)
                continue
            return begun
        raise AssertionError(f"{self.kind.name}: no setup was taken; the last was refused: {refused}")

    def _setup(self, attempt: int) -> dict[str, Any]:
        """The more often it was refused, the more is left to the defaults."""
        values: dict[str, Any] = {}
        for field in self.kind.fields:
            if isinstance(field, Listing) and isinstance(field.of, Group):
                values[field.name] = self._contestants(field.of, attempt)[: field.most]
            elif field.default is REQUIRED or self.chance.random() > attempt / 20:
                values[field.name] = self._value(field, None, attempt)
        return {name: value for name, value in values.items() if value is not None}

    def _contestants(self, group: Group, attempt: int) -> list[dict[str, Any]]:
        casting, ids = self.kind.casting, list(self.sheets)
        if casting.who == "one":
            ids = ids[: 2 if casting.second_role and self.chance.random() < 0.5 else 1]
        rows = []
        for place, id_ in enumerate(ids):
            line: dict[str, Any] = {}
            for field in group.fields:
                traits = [trait.id for trait in self.sheets[id_].traits]
                if field.name == "sheet":
                    line["sheet"] = id_
                elif field.name == "side":
                    line["side"] = ("The party", "The others")[place % 2]
                elif field.default is REQUIRED or self.chance.random() > attempt / 20:
                    line[field.name] = self._value(field, traits if isinstance(field, Listing) else None, attempt)
            rows.append({name: value for name, value in line.items() if value is not None})
        return rows

    def _sheet(self, name: str) -> Sheet:
        """A sheet with what everybody of this game has, and lines of any kind besides."""
        id_, chance = name.lower(), self.chance
        traits = [
            Trait(f"{id_}.{place}", draft.kind, draft.name, draft.value, note=draft.note)
            for place, draft in enumerate(self.system.sheet.from_line(name)[1])
        ]
        for kind in self.system.sheet.trait_kinds:
            for _ in range(0 if kind.fixed or kind.played else chance.randint(0, self.most_lines)):
                parents = [trait.id for trait in traits if trait.kind in kind.within]
                if kind.within and not parents:
                    continue
                value = chance.choice([value for value, _ in kind.values] or [kind.default])
                number = len(traits)
                traits.append(Trait(f"{id_}.{number}", kind.name, f"{kind.label} {number}", value,
                                    parent=chance.choice(parents) if parents else ""))
        # Nobody is out of it as a contest begins.
        pools = tuple((pool.name, chance.randint(0, 12)) for pool in self.system.sheet.pools if not pool.out)
        return Sheet(id_, name, tuple(traits), pools)

    def _value(self, field: Field, ids: Sequence[str] | None, attempt: int) -> Any:
        chance = self.chance
        match field:
            case Allocation():
                return self._allocation(list(ids or ()), attempt)
            case Listing(of=Group()):
                return [self._value(field.of, None, attempt) for _ in range(chance.choice((0, 0, 1, 2)))]
            case Listing() if ids is not None:
                return chance.sample(list(ids), chance.randint(0, min(len(ids), field.most)))
            case Listing():
                return [self._value(field.of, None, attempt) for _ in range(chance.choice((0, 1, 2)))]
            case Group():
                read = {field.name: self._value(field, None, attempt) for field in field.fields}
                return {name: value for name, value in read.items() if value is not None}
            case Text() if ids is not None:
                return chance.choice(list(ids)) if ids else None
            case Text():
                return self._words(field)
            case ChoiceOrWhole():
                return chance.choice((chance.choice(field.options)[0], chance.randint(field.least, field.most)))
            case Choice():
                return chance.choice(field.options)[0]
            case Flag():
                return chance.random() < 0.5
            case Whole():
                few = min(field.most, max(field.least, 0) + 5)
                return chance.randint(max(field.least, -5), few if chance.random() < 0.8 else field.most)
            case Written():
                return chance.choice((chance.randint(1, 20), chance.randint(0, 5), 25))
        raise AssertionError(f"Nothing is known to say for a {type(field).__name__}.")

    def _words(self, field: Text) -> str:
        """Words that are said only once, so that they can be looked for; with a number where the field wants one."""
        self.marks += 1
        said = f"mark{self.marks:04}x"[: field.most]
        try:
            field.check(said)
        except BadMove:
            return f"{said} 15"[: field.most]
        return said

    def _allocation(self, ids: Sequence[str], attempt: int) -> dict[str, int]:
        spread: dict[str, int] = {}
        for _ in range(attempt % 16 if ids else 0):
            where = self.chance.choice(ids)
            spread[where] = spread.get(where, 0) + 1
        return spread

    def _rolled(self, offer: Offer, given: Mapping[str, Any]) -> ActResult[Any]:
        faces: tuple[int, ...] = ()
        takes_back = isinstance(offer, ReadingOffer) and offer.takes_back
        sheets, _ = self.lay if takes_back else (self.sheets, {})
        while isinstance(answer := self.kind.perform(self.state, sheets, offer, given, faces), Need):
            faces += tuple(self.chance.randint(1, sides) for sides in answer.sides)
        self.thrown[id(answer)] = faces
        if takes_back:
            self.again = (*self.again, answer)
        return answer

    def _before(self, result: ActResult[Any]) -> tuple[dict[str, Sheet], dict[str, int]]:
        """Sheets and pools on which a result's effects come."""
        return self.lay if any(result is one for one in self.again) else (self.sheets, self.shared)

    def _after(self, result: ActResult[Any]) -> tuple[dict[str, Sheet], dict[str, int]]:
        """Sheets and pools after a result; `Unpaid` where the table would refuse one of its effects."""
        sheets, shared = map(dict, self._before(result))
        for effect in result.effects:
            match effect:
                case Damage() | Raise() | Lose() | Become():
                    sheets = {id_: _with_line(sheet, effect) for id_, sheet in sheets.items()}
                case Gain():
                    self.lines += 1
                    sheets[effect.sheet] = _gained(sheets[effect.sheet], effect, f"new{self.lines}")
                case Spend():
                    sheets[effect.sheet] = _spent(sheets[effect.sheet], effect)
                case SetDead():
                    sheets[effect.sheet] = replace(sheets[effect.sheet], dead=effect.dead)
                case SpendShared():
                    shared[effect.pool] = _paid(shared.get(effect.pool, 0) + effect.by)
                case Transfer():
                    for purse, by in ((effect.source, -effect.amount), (effect.target, effect.amount)):
                        if purse and purse.sheet:
                            sheets[purse.sheet] = _spent(sheets[purse.sheet], Spend(purse.sheet, purse.pool, by))
                        elif purse:
                            shared[purse.pool] = _paid(shared.get(purse.pool, 0) + by)
                case NewAllocation() | Enter():
                    pass
                case Refill():
                    shared[effect.pool] = 5
                case ChangeSetting():
                    self.system.read_settings({effect.setting: effect.value})
        return sheets, shared


def _paid(now: int) -> int:
    if now < 0:
        raise Unpaid
    return now


def _with_line(sheet: Sheet, effect: Damage | Raise | Lose | Become) -> Sheet:
    traits = []
    for trait in sheet.traits:
        if trait.id == effect.trait:
            match effect:
                case Damage():
                    trait = replace(trait, damage=_paid(trait.damage + effect.by))
                case Raise():
                    trait = replace(trait, value=trait.value + effect.by)
                case Become():
                    trait = replace(trait, kind=effect.kind, name=effect.name or trait.name)
                case Lose():
                    continue
        if not (isinstance(effect, Lose) and trait.parent == effect.trait):
            traits.append(trait)
    return replace(sheet, traits=tuple(traits))


def _gained(sheet: Sheet, effect: Gain, id_: str) -> Sheet:
    own = Trait(id_, effect.kind, effect.name, effect.value, note=effect.note, parent=effect.parent, later=True)
    inner = (Trait(f"{id_}.{place}", line.kind, line.name, line.value, note=line.note, parent=id_, later=True)
             for place, line in enumerate(effect.lines))
    return replace(sheet, traits=(*sheet.traits, own, *inner))


def _spent(sheet: Sheet, effect: Spend) -> Sheet:
    return replace(sheet, pools=tuple({
        **dict(sheet.pools), effect.pool: _paid(sheet.pool(effect.pool) + effect.by)}.items()))
