"""A conflict played from the outside, as a caller would: offers in, sheets kept up to date, events kept."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.engine import Event
from rules.fields import Allocation, Choice, ChoiceOrWhole, Field, Flag, Listing, Text, Whole
from rules.moves import Need
from rules.procedure import ActResult, Offer
from rules.sheet import Damage, SetDead, Sheet, Spend, Trait
from rules.systems.pdq.conflict import Conflict
from rules.systems.pdq.conflict.state import Contestant, State

KIND = Conflict()


def trait(trait_id: str, rank: int, kind: str = "", damage: int = 0) -> Trait:
    """A trait whose name is its id."""
    return Trait(trait_id, kind or ("weakness" if rank < 0 else "strength"), trait_id.title(), rank, damage)


def sheet(name: str, **ranks: int) -> Sheet:
    """A sheet whose id is the name in small letters; trait ids are `ada.fists`."""
    id_ = name.lower()
    return Sheet(id_, name, tuple(trait(f"{id_}.{name}", rank) for name, rank in ranks.items()))


class Table:
    """A conflict on a table: acts, applies the effects, and keeps the events."""

    def __init__(self, sheets: Sequence[Sheet], dice: Callable[[int], int] | None = None, **setup: Any) -> None:
        self.sheets: dict[str, Sheet] = {sheet.id: sheet for sheet in sheets}
        self.dice = dice or (lambda sides: 1)
        self.events: list[Event[State]] = []
        self.state: State = KIND.blank()
        self.steps: list[tuple[str, str]] = []
        self.last: ActResult[Event[State]] | None = None
        self._keep(self._rolled(lambda faces: KIND.start(setup, self.sheets, faces)))

    def act(self, by: str, action: str, faces: Sequence[int] | None = None, /, **given: Any) -> Mapping[str, Any]:
        """Acts, with these faces where given, and answers the result."""
        turn = self._rolled(lambda rolled: KIND.act(self.state, self.sheets, by, action, given, rolled), faces)
        self._keep(turn)
        return turn.outcome.result

    def offered(self, by: str) -> set[str]:
        """The actions that this one may take now."""
        return {offer.action for offer in KIND.offers(self.state, self.sheets) if offer.by == by}

    def offer(self, by: str, action: str) -> Offer:
        """This offer; fails where there is none."""
        return next(offer for offer in KIND.offers(self.state, self.sheets) if (offer.by, offer.action) == (by, action))

    def options(self, by: str, action: str, field: str) -> list[str]:
        """The ids that this field of an offer may name."""
        return [id_ for id_, _ in (self.offer(by, action).options or {})[field]]

    def who(self, contestant: str) -> Contestant:
        return self.state.contestant(contestant)

    def text(self, rule: str) -> str:
        """Everything that the last action explained with this rule."""
        assert self.last is not None
        return " ".join(step.text for step in self.last.outcome.steps if step.rule == rule)

    def _rolled(
        self, ask: Callable[[tuple[int, ...]], ActResult[Event[State]] | Need], faces: Sequence[int] | None = None
    ) -> ActResult[Event[State]]:
        rolled: tuple[int, ...] = ()
        while isinstance(answer := ask(rolled), Need):
            assert faces is None or not rolled, f"{len(answer.sides)} dice are missing"
            rolled = tuple(faces) if faces is not None else (*rolled, *map(self.dice, answer.sides))
        return answer

    def _keep(self, turn: ActResult[Event[State]]) -> None:
        for event in turn.events:
            self.state = KIND.evolve(self.state, event)
        self.events += turn.events
        self.last = turn
        for effect in turn.effects:
            if isinstance(effect, SetDead):
                self.sheets[effect.sheet] = replace(self.sheets[effect.sheet], dead=effect.dead)
                continue
            if isinstance(effect, Spend):
                pools = {**dict(self.sheets[effect.sheet].pools)}
                pools[effect.pool] = pools.get(effect.pool, 0) + effect.by
                self.sheets[effect.sheet] = replace(self.sheets[effect.sheet], pools=tuple(pools.items()))
                continue
            assert isinstance(effect, Damage)
            for sheet in self.sheets.values():
                traits = tuple(
                    replace(trait, damage=trait.damage + effect.by,
                            failures=trait.failures + effect.by * effect.failure)
                    if trait.id == effect.trait else trait
                    for trait in sheet.traits
                )
                self.sheets[sheet.id] = replace(sheet, traits=traits)

    def replayed(self) -> State:
        """The state that the stored events lead to."""
        state = KIND.blank()
        for event in self.events:
            state = KIND.evolve(state, KIND.read(KIND.write(event)))
        return state


Chooser = Callable[[Sequence[Any]], Any]


def any_given(table: Table, offer: Offer, choose: Chooser) -> dict[str, Any]:
    """Something valid for every field of an offer."""
    given = {field.name: _value(table, offer, field, choose) for field in offer.fields}
    if "lead" in given and given["lead"] not in given["qualities"]:
        given["lead"] = ""
    return {name: value for name, value in given.items() if value is not None}


def _value(table: Table, offer: Offer, field: Field, choose: Chooser) -> Any:
    ids = [id_ for id_, _ in (offer.options or {}).get(field.name, ())]
    match field:
        case Allocation():
            return spread(table.state, table.sheets, offer.by, ids, choose)
        case Listing(name="lines"):
            return [{"kind": "downshift", "amount": 1, "reason": "rain"}] * choose((0, 0, 1, 2))
        case Listing():
            least = 1 if field.name == "targets" or offer.action in ("help", "intents") else 0
            wanted = choose(range(least, len(ids) + 1))
            picked: list[str] = []
            while len(picked) < wanted:
                picked.append(choose([id_ for id_ in ids if id_ not in picked]))
            return picked
        case Text():
            return choose(ids) if ids and (field.default != "" or choose((True, False))) else _words(field)
        case ChoiceOrWhole():
            return choose((None, "good", 9))
        case Choice():
            return choose([word for word, _ in field.options])
        case Flag():
            return choose((True, False))
        case Whole(name="to"):
            here = table.who(offer.by).position if offer.by else 0
            return max(-1000, min(1000, here))
    raise AssertionError(f"nothing is known to say for {field.name}")


def _words(field: Field) -> str:
    return "" if field.name in ("lead", "weakness") else "By the old mill — naïvely"


def spread(
    state: State, sheets: Mapping[str, Sheet], by: str, ids: Sequence[str], choose: Chooser
) -> dict[str, int]:
    """All the damage that lies before somebody, over these traits, as far as there is room in them."""
    wound = state.wound_of(by)
    assert wound is not None
    losses: dict[str, int] = {}
    room = {id_: max(0, trait.now + 2) for id_ in ids if (trait := sheets[by].trait(id_))}
    for _ in range(min(wound.amount, sum(room.values()))):
        where = choose([id_ for id_ in ids if room[id_]])
        room[where] -= 1
        losses[where] = losses.get(where, 0) + 1
    return losses
