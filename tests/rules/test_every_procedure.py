"""Every procedure of every game, played with whatever is legal: what the engine promises holds for all of them."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import reduce
from itertools import product
from math import lcm, prod
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rules.codec import canonical
from rules.engine import Procedure, find
from rules.fields import Allocation, Listing, Text
from rules.moves import Need
from rules.procedure import ActResult, Ask, Offer, Perspective, View
from rules.registry import SYSTEMS
from rules.sheet import Damage, Effect, Gain, NewAllocation, SetDead
from rules.system import System
from rules.values import BadMove
from tests.effort import tries
from tests.laid import DICE
from tests.rules.at_any_table import AnyTable
from tests.rules.promises import as_the_contract_says, promises_of

STEPS = 40
MOST_TABLES, ENOUGH = tries(2, 10), tries(400, 2500)  # tables, and throws in all
MOST_THROWS = 1300  # so many ways for the dice of one act to fall are gone through
PROCEDURES = [(system, kind) for system in SYSTEMS.values() for kind in system.procedures]
each_procedure = pytest.mark.parametrize(
    ("system", "kind"), PROCEDURES, ids=[kind.name for _, kind in PROCEDURES])


def played(examples: int) -> Any:
    """Plays with seeds from Hypothesis, which says which of them failed, and tries that one first the next time."""
    def mark(test: Any) -> Any:
        phases = (Phase.explicit, Phase.reuse, Phase.generate)
        shaped = settings(max_examples=tries(examples, 40 * examples), suppress_health_check=[HealthCheck.too_slow],
                          phases=phases)
        return shaped(given(seed=st.integers(0, 10**6))(test))
    return mark


def walk(table: AnyTable, steps: int = STEPS) -> Iterator[tuple[Offer, dict[str, Any], ActResult[Any]]]:
    """Acts one after the other, each told before it is kept, rare ones first. What goes on can go on.

    What would end it waits, mostly, until nothing else can be done.
    """
    done: Counter[str] = Counter()
    for _ in range(steps):
        offers = list(table.offers())
        if table.kind.is_over(table.plain):
            assert {offer.action for offer in offers} <= {*table.kind.afterwards}, "it is over, and more is offered"
            if not offers:
                return
        assert offers, "it goes on, and nothing is offered"
        assert len({(offer.action, offer.by) for offer in offers}) == len(offers), "one act, offered twice to one"
        table.chance.shuffle(offers)
        offers.sort(key=lambda offer: done[offer.action] * table.promises.waits(offer) + table.chance.randint(0, 2))
        offer, said, result = _next(table, offers)
        done[offer.action] += 1
        yield offer, said, result
        table.keep(result)


def _next(table: AnyTable, offers: list[Offer]) -> tuple[Offer, dict[str, Any], ActResult[Any]]:
    last = None
    for offer in offers:
        if (choice := table.found(offer)) is not None:
            last = (offer, *choice)
            if not table.ends(choice[1]) or table.chance.random() < 0.05:
                return last
    if last is None:
        names = ", ".join(f"{offer.action} by {offer.by or 'the GM'}" for offer in offers)
        raise AssertionError(f"Nothing that is offered can be done: {names}")
    return last


@each_procedure
@played(1)
def test_every_promise_holds_along_a_walk(system: System, kind: Procedure[Any], seed: int) -> None:
    """Whatever is played, step by step, of one walk: walking costs more than looking.

    What is kept says all that is so; what is not offered is refused; a view tells nobody what another keeps secret;
    somebody is asked for something that is offered; and what a page lets stand by itself harms nobody.
    """
    table, secrets = AnyTable(system, kind, Random(seed), promises=promises_of(system)), Secrets()
    _explained(table, "start", table.started)
    for offer, said, result in walk(table):
        _asked(table)
        for ask in kind.asks(table.state, table.sheets):
            if ask.stands and not ask.hurts:
                _harmless(table, ask)
        _explained(table, offer.action, result)
        for event in result.events:
            assert kind.read(json.loads(canonical(kind.write(event)))) == event
        _not_offered(table, offer, said)
        secrets.are_kept(table, offer, said, result)
    assert kind.fold([kind.write(event) for event in table.events]) == table.plain, "replaying gives the same state"
    if kind.is_over(table.plain):
        assert not kind.asks(table.state, table.sheets), "it is over, and still asks"
        for action, by in product(kind.handlers, ("", *table.sheets)):
            _refused(table, action, by, {})
    list(_views(table))


@each_procedure
def test_what_a_game_promises_holds_after_each_act(system: System, kind: Procedure[Any]) -> None:
    """More walks, as nothing is looked at but what the game itself says of each act; and all are told."""
    many = promises_of(system).walks
    for seed in range(tries(many // 4, 20 * many)):
        try:
            table = AnyTable(system, kind, Random(f"{DICE} {seed}"), promises=promises_of(system))
            for offer, _, result in walk(table):
                _explained(table, offer.action, result)
        except Exception as error:
            error.add_note(f"In the walk of seed {seed}.")
            raise


def _explained(table: AnyTable, action: str, result: ActResult[Any]) -> None:
    """It says what it does, by the game's rules; and what the trail keeps of a roll is what the contract answers."""
    assert result.events, "nothing came of it"
    json.loads(canonical(dict(result.result)))
    assert result.steps or action in table.promises.untold
    assert all(step.rule.startswith(table.promises.rules) and step.text for step in result.steps)
    assert all(1 <= die.face <= die.sides for die in result.dice)
    as_the_contract_says(result.rolls)


def _views(table: AnyTable) -> Iterator[tuple[Perspective, View]]:
    """The page of a stranger, of the GM and of each character."""
    for viewer in (Perspective(), Perspective(runs=True, plays=frozenset(table.sheets)),
                   *(Perspective(frozenset({id_}), odds=False) for id_ in table.sheets)):
        view = table.kind.seen(table.state, table.sheets, viewer)
        assert view.heading
        assert view.waits_for or table.kind.is_over(table.plain)
        asks = table.kind.asks(table.state, table.sheets)
        mine = [ask for ask in asks if viewer.is_asked(ask.by)]
        for ask in mine or [ask for ask in asks if not ask.idle]:
            assert ask.text in view.waits_for, "the page asks in the words of the Now bar"
        table.promises.seen(view)
        yield viewer, view


def _not_offered(table: AnyTable, offer: Offer, said: Mapping[str, Any]) -> None:
    """Another's act and one out of turn, forged ids, an id twice, fields and dice that nobody asked for: refused."""
    offered = {(offer.action, offer.by) for offer in table.offers()}
    others = [(action, by) for action in table.kind.handlers for by in ("", "nobody", *table.sheets)]
    for action, by in table.chance.sample(others, min(4, len(others))):
        if (action, by) not in offered:
            _refused(table, action, by, {})
    for wrong in _spoilt(offer, said):
        _refused(table, offer.action, offer.by, wrong)
    if not offer.rolls:
        _refused(table, offer.action, offer.by, said, (1,))


def _spoilt(offer: Offer, said: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield {**said, "nothing of the kind": 1}
    for field in offer.fields:
        options = (offer.options or {}).get(field.name)
        if options is None:
            continue
        if isinstance(field, Listing):
            yield {**said, field.name: ["forged"]}
            yield from ({**said, field.name: [id_, id_]} for id_, _ in options[:1])
        elif isinstance(field, Allocation):
            yield {**said, field.name: {"forged": 1}}
        elif isinstance(field, Text):
            yield {**said, field.name: "forged"}


def _refused(table: AnyTable, action: str, by: str, said: Mapping[str, Any], faces: tuple[int, ...] = ()) -> None:
    with pytest.raises(BadMove) as bad:
        table.kind.act(table.state, table.sheets, by, action, said, faces)
    assert bad.value.sentence[-1] in ".!?", "a refusal is a sentence"


class Secrets:
    """Words of sealed choices, by whose they are: in nobody else's view until they are told.

    Two sealed choices that differ look the same to all others.
    """

    def __init__(self) -> None:
        self.words: dict[str, str] = {}

    def are_kept(self, table: AnyTable, offer: Offer, said: Mapping[str, Any], result: ActResult[Any]) -> None:
        """Looks at every view before the act, and keeps what the act says in secret."""
        for viewer, view in _views(table):
            shown = repr(view)
            for words, owner in self.words.items():
                if owner not in viewer.plays and not viewer.runs:
                    assert words not in shown, f"{owner}'s words are shown to {set(viewer.plays) or 'a stranger'}"
        if result.sealed:
            assert not result.effects, "what a secret choice does to a sheet or a pool would tell of it"
            self.words |= dict.fromkeys(_marks(said), offer.by)
            _looks_alike(table, offer, result)
        else:
            aloud = repr((result.steps, result.result))
            # What was said aloud is no secret; with the dice, or a decision for all, choices are opened.
            self.words = {} if result.dice else {
                words: owner for words, owner in self.words.items() if words not in aloud}


def _marks(said: Any) -> set[str]:
    if isinstance(said, str):
        return {said} if said.startswith("mark") else set()
    parts = said.values() if isinstance(said, Mapping) else said if isinstance(said, (list, tuple)) else ()
    return {words for part in parts for words in _marks(part)}


def _looks_alike(table: AnyTable, offer: Offer, result: ActResult[Any]) -> None:
    other = table.found(offer)
    if other is None or not other[1].sealed:
        return
    if _which(result) != _which(other[1]):
        return  # that somebody has chosen, and for which of several rounds, is seen by all
    for id_ in (*table.sheets, ""):
        if id_ != offer.by:
            viewer = Perspective(frozenset({id_} - {""}))
            views = [_view_after(table, result, viewer) for result in (result, other[1])]
            assert views[0] == views[1], f"{id_ or 'a stranger'} can tell what {offer.by} chose"


def _which(result: ActResult[Any]) -> list[Any]:
    """Which of the rounds that go on at once each event is of, where there are such."""
    return [getattr(event, "bout", None) for event in result.events]


def _view_after(table: AnyTable, result: ActResult[Any], viewer: Perspective) -> Any:
    before = table.plain
    for event in result.events:
        table.plain = table.kind.evolve(table.plain, event)
    view = table.kind.seen(table.state, table.sheets, viewer)
    table.plain = before
    return view


@each_procedure
def test_odds_before_an_act_are_those_of_its_dice(system: System, kind: Procedure[Any]) -> None:
    """The chances of a forecast are those of something in the results of all throws, each thrown once.

    Not where it tells of more dice than those of the act: of others', or of those of a later act.
    """
    checked = 0
    for seed in range(MOST_TABLES):
        table = AnyTable(system, kind, Random(seed), most_lines=1)
        for offer, said, result in walk(table):
            throws = prod(die.sides for die in result.dice)
            if not result.rolls or throws > (MOST_THROWS if checked < MOST_THROWS else MOST_THROWS // 10):
                continue
            forecasts = kind.forecast(table.state, table.sheets, offer.by, offer.action, said)
            for _, odds in forecasts:
                assert sum(chance for _, chance, _ in odds.outcomes) in (0, 1)
            if not forecasts or not (thrown := _every_throw(table, offer, said)):
                continue
            whole = lcm(*(likely.denominator for likely, _ in thrown))
            if any(whole % likely.denominator for _, odds in forecasts for _, likely, _ in odds.outcomes):
                continue
            distributions = list(_distributions(thrown))
            if all(chances == [1] for chances in distributions):
                continue  # the dice decide nothing, which may be the GM's secret: a victory that is assured (QW-40)
            for against, odds in forecasts:
                chances = sorted(chance for _, chance, _ in odds.outcomes if chance)
                assert chances in distributions, f"{offer.action} {against}: {odds.outcomes}"
            checked += len(thrown)
            if checked >= ENOUGH:
                return


def _every_throw(table: AnyTable, offer: Offer, said: Mapping[str, Any]) -> list[tuple[Fraction, Mapping[str, Any]]]:
    """Each way for the dice to fall, with its chance and the result; nothing where there are too many."""
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    done: list[tuple[Fraction, Mapping[str, Any]]] = []
    while waiting:
        faces, likely = waiting.pop()
        answer = table.kind.perform(table.state, table.sheets, offer, said, faces)
        if not isinstance(answer, Need):
            if not answer.rolls:
                return []  # these dice are a part of a roll that goes on in another act
            done.append((likely, answer.result))
            continue
        ways = 1
        for sides in answer.sides:
            ways *= sides
        if len(waiting) + len(done) + ways > MOST_THROWS:
            return []
        waiting += [((*faces, *more), likely / ways) for more in product(*(range(1, s + 1) for s in answer.sides))]
    # Where some throws lead on to another act, that act settles it.
    return done if len({frozenset(result) for _, result in done}) == 1 else []


def _distributions(thrown: list[tuple[Fraction, Mapping[str, Any]]]) -> Iterator[list[Fraction]]:
    """The chances of the values of each thing in a result, without saying which value has which."""
    by_path: dict[str, dict[Any, Fraction]] = {}
    for likely, result in thrown:
        for path, value in _features("", result):
            values = by_path.setdefault(path, {})
            values[value] = values.get(value, Fraction(0)) + likely
    for values in by_path.values():
        yield sorted(values.values())


def _features(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Every number and word in a result, by where it stands; of several together, which of them are not 0."""
    if isinstance(value, Mapping):
        plain = {name: part for name, part in value.items() if not isinstance(part, (Mapping, list, tuple))}
        yield f"{path} some", tuple(bool(part) for part in plain.values())
        for name, part in value.items():
            yield from _features(f"{path}.{name}", part)
    elif isinstance(value, (list, tuple)):
        for place, part in enumerate(value):
            yield from _features(f"{path}.{place}", part)
    else:
        yield path, value


def _asked(table: AnyTable) -> None:
    """Nobody has to guess whose turn it is; and what is asked for can be done, by whoever is asked."""
    offers = {(offer.action, offer.by): offer for offer in table.offers()}
    asks = table.kind.asks(table.state, table.sheets)
    placement = table.kind.placement
    if asks or not (placement.session_end or placement.always):  # what goes on beside scenes may wait for nobody
        assert bool(asks) == (not table.kind.is_over(table.plain)), "it goes on, and asks nobody"
    for ask in asks:
        assert (ask.action, ask.by) in offers, f"{ask.by or 'the GM'} is asked for {ask.action}: not offered"
        assert ask.text and ask.text[-1] not in ".!?", "what is asked for stands within a sentence"
        if ask.routine:
            offer = offers[ask.action, ask.by]
            assert ask.by and offer.rolls and not offer.fields, "a page presses it, and has nothing to fill in"
        lets_stand = offers[ask.action, ask.by].title.startswith(("Let it stand", "Keep all dice"))
        assert ask.stands == lets_stand, "what lets the dice lie says so, and nothing else does"
        assert ask.stands or not ask.hurts, "only of what lets the dice lie it is said that this hurts"
    assert len({(ask.action, ask.by) for ask in asks}) == len(asks)


def _harmless(table: AnyTable, ask: Ask) -> None:
    """It changes no sheet for the worse, and leads to no damage that is to be placed."""
    kind, offer = table.kind, find(table.offers(), ask.action, ask.by)
    assert offer
    result = table.try_(offer, {})
    conditions = {trait_kind.name for trait_kind in table.system.sheet.trait_kinds if trait_kind.condition}
    assert not [effect for effect in result.effects if _harms(effect, table.system, conditions)], ask
    state, before = reduce(kind.evolve, result.events, table.state), kind.asks(table.state, table.sheets)
    assert not [ask for ask in kind.asks(state, table.sheets) if ask.button == "Assign" and ask not in before], ask


def _harms(effect: Effect, system: System, conditions: set[str]) -> bool:
    match effect:
        case Damage():
            return effect.by > 0
        case SetDead():
            return effect.dead
        case NewAllocation():
            return effect.type == "damage"
        case Gain():
            gained = system.sheet.notation(effect.kind, effect.value)
            return effect.kind in conditions and not gained.startswith("+")  # what helps comes and goes, too
    return False
