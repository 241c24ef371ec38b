"""Any legal play of any framed contest: it never gets stuck, refuses in words, and its events alone replay it."""
from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import reduce
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules import contract
from rules.codec import canonical
from rules.fields import REQUIRED, Choice, Flag, Listing, Text, Whole, Written
from rules.moves import Need
from rules.procedure import CampaignContext, Offer, Perspective
from rules.sheet import Effect, Gain, Lose, Sheet, SpendShared, Trait
from rules.systems.questworlds.simple_contest import FlawContest, GroupContest, OpposedContest, SimpleContest
from rules.systems.questworlds.simple_contest.state import Phase, State
from rules.systems.questworlds.simple_contest.view import view
from rules.values import BadMove
from tests.effort import tries

STEPS = 60
SCORES = ("17", "7M", "1M2", "-3", "+6", "high", "nonsense")
ONWARD = ("resist", "choose", "oppose", "accept", "set", "roll", "spend", "stand")
ENDING = ("call_off", "no_conflict", "back_out", "compel")


def any_sheet(id_: str, chance: random.Random) -> Sheet:
    kinds = ("ability", "keyword", "characteristic", "flaw", "consequence", "benefit")
    lines = [Trait(f"{id_}{n}", kind := chance.choice(kinds), f"{kind} {n}",
                   chance.randint(1, 5) if kind in kinds[4:] else chance.randint(3, 50))
             for n in range(chance.randint(0, 6))]
    lines += [Trait(f"{line.id}b", "breakout", f"out of {line.name}", 2, parent=line.id)
              for line in lines if line.kind == "keyword"]
    return Sheet(id_, id_.upper(), tuple(lines))


def any_given(offer: Offer, chance: random.Random) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for field in offer.fields:
        ids = [id_ for id_, _ in (offer.options or {}).get(field.name, ())]
        if isinstance(field, Listing):
            given[field.name] = [id_ for id_ in ids if chance.random() < 0.6]
        elif isinstance(field, Choice):
            given[field.name] = chance.choice([word for word, _ in field.options])
        elif isinstance(field, Flag):
            given[field.name] = chance.random() < 0.2
        elif isinstance(field, Whole):
            given[field.name] = chance.randint(field.least, min(field.most, 30))
        elif isinstance(field, Written):
            given[field.name] = chance.choice((None, 15, "1M"))
        elif isinstance(field, Text) and ids:
            if field.default is REQUIRED or chance.random() < 0.3:
                given[field.name] = chance.choice(ids)
        elif field.name == "resistance":
            given[field.name] = chance.choice(SCORES)
        elif isinstance(field, Text) and (field.default is REQUIRED or chance.random() < 0.5):
            given[field.name] = "By the old mill"
    return given


def applied(sheets: dict[str, Sheet], pool: int, effects: tuple[Effect, ...]) -> int:
    """Puts lines on sheets and takes them off; answers what is left in the pool, which never falls below nothing."""
    for effect in effects:
        if isinstance(effect, Gain):
            one = sheets[effect.sheet]
            line = Trait(f"{one.id}x{len(one.traits)}", effect.kind, effect.name, effect.value, 0, "", effect.parent)
            sheets[one.id] = replace(one, traits=(*one.traits, line))
        elif isinstance(effect, Lose):
            for one in list(sheets.values()):
                sheets[one.id] = replace(one, traits=tuple(t for t in one.traits if t.id != effect.trait))
        elif isinstance(effect, SpendShared):
            pool += effect.by
            assert pool >= 0
    return pool


@settings(max_examples=tries(30, 1000), suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False))
def test_any_legal_play_goes_on_and_can_be_replayed(chance: random.Random) -> None:
    kind = chance.choice((SimpleContest(), OpposedContest(), GroupContest(), FlawContest()))
    many = {"one": 1, "pair": 2, "group": chance.randint(2, 4), "flaw": 1}[kind.mode]
    sheets = {id_: any_sheet(id_, chance) for id_ in "abcd"}
    sheets["d"] = replace(sheets["d"], npc=True)
    contestants = [{"sheet": sheet, "player": chance.random() < 0.8} for sheet in list(sheets)[:many]]
    setup = {"contestants": contestants, "title": "The mill", "thresholds": chance.choice(("", "adept 15"))}
    if kind.mode == "flaw":
        sheets["a"] = replace(sheets["a"], traits=(*sheets["a"].traits, Trait("aw", "flaw", "In debt", 17)))
    first = kind.start(setup, sheets)
    assert not isinstance(first, Need)
    events, pool = [*first.events], chance.randint(0, 2)
    state = reduce(kind.evolve, events, kind.blank())
    for _ in range(STEPS):
        if kind.is_over(state):
            break
        state = kind.with_context(state, CampaignContext(pools=(("story_points", pool),)))
        offered = [offer for offer in kind.offers(state, sheets)
                   if offer.action not in ENDING or chance.random() < 0.05]
        assert offered, f"nobody can do anything: {state}"
        assert len({(offer.action, offer.by) for offer in offered}) == len(offered)
        leading = [offer for offer in offered if offer.action in ONWARD]
        offer = chance.choice(leading if leading and chance.random() < 0.4 else offered)
        turn = played(kind, state, sheets, offer, any_given(offer, chance), chance)
        if turn is None:
            continue
        events += turn.events
        state = reduce(kind.evolve, turn.events, state)
        pool = applied(sheets, pool, turn.effects)
        resolved_anew(kind, state, turn)
        assert turn.outcome.steps and all(step.rule.startswith("QW-") for step in turn.outcome.steps)
        looked_at(kind, state, sheets)
    stored = [json.loads(canonical(kind.write(event))) for event in events]
    replayed = reduce(kind.evolve, [kind.read(event) for event in stored], kind.blank())
    assert replayed == replace(state, context=CampaignContext())


def played(kind: SimpleContest, state: State, sheets: Any, offer: Offer, given: Any, chance: random.Random) -> Any:
    """The turn, with all dice that it wants; None where it is refused, which it does in a sentence."""
    faces: list[int] = []
    try:
        while isinstance(turn := kind.act(state, sheets, offer.by, offer.action, given, faces), Need):
            faces += [chance.randint(1, sides) for sides in turn.sides]
    except BadMove as bad:
        assert (str(bad).endswith(".") and offer.fields) or offer.action == "set", (offer.action, str(bad))
        return None
    return turn


def resolved_anew(kind: SimpleContest, state: State, turn: Any) -> None:
    """What the trail keeps of a roll is what the contract answers, and what the contest says came of it."""
    for roll in turn.outcome.rolls:
        answer = contract.resolve({"move": roll.move, "given": roll.given, "dice": list(roll.dice)})
        assert canonical(answer["result"]) == canonical(roll.result)
    if turn.outcome.result["action"] in ("roll", "spend", "stand") and state.outcomes:
        rolled = {(roll.result["outcome"], roll.result["rank"], roll.result["player"]["result"])
                  for roll in turn.outcome.rolls}
        mirror = {"victory": "defeat", "defeat": "victory", "tie": "tie"}
        for outcome in state.outcomes:
            if state.assured(outcome.who):
                assert outcome.outcome == "victory" and outcome.ours in {result for _, _, result in rolled}
                continue
            assert (outcome.outcome, outcome.rank, outcome.ours) in rolled or (state.rival(outcome.who) and (
                mirror[outcome.outcome], outcome.rank, outcome.theirs) in rolled)


def looked_at(kind: SimpleContest, state: State, sheets: Any) -> None:
    """Its page can be drawn; all chances add up; two on two sides never both win."""
    for viewer in (Perspective(runs=True), Perspective(frozenset("a"))):
        view(state, sheets, viewer)
    drawn = view(state, sheets, Perspective()).detail
    for row in drawn.rows:
        for odds in (row.odds, row.results, *(row_odds for _, row_odds in (*row.ifs, *row.others))):
            assert not odds or sum(chance for _, chance, _ in odds) == 1
    if state.phase is Phase.AFTER and not any(opposition.assured for opposition in state.oppositions):
        for entrant in state.entrants:
            if rival := state.rival(entrant.id):
                outcomes = {state.outcome(entrant.id).outcome, state.outcome(rival.id).outcome}
                assert outcomes in ({"victory", "defeat"}, {"tie"})
