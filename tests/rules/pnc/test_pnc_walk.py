"""Any legal play of any PnC contest: it never gets stuck, and its events alone replay it."""
from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules import contract
from rules.codec import Unreadable, canonical
from rules.fields import REQUIRED, Choice, Listing, Text
from rules.procedure import Offer
from rules.systems.pnc.fight import Fight, Opposed
from rules.systems.pnc.rolls import Race, StandardRollContest
from tests.effort import tries
from tests.rules.pnc.playing import Table, sheet

STEPS = 50
MOST_WEIGHED = 8  # acts that only put factors down: a roll has room for twenty


def any_table(chance: random.Random) -> Table:
    kind = chance.choice((Fight(), Fight(), Opposed(), Race(), StandardRollContest()))
    many = 1 if kind.casting.who == "one" else 2 if isinstance(kind, Opposed) else chance.randint(2, 4)
    made = [
        sheet("ABCD"[i], chance.randint(0, 3), {"cut": 3} if chance.random() < 0.3 else {}, **{
            f"f{n}": chance.randint(-2, 2) for n in range(chance.randint(0, 3))}) for i in range(many)
    ]
    lines = [{"sheet": sheet.id, "player": chance.random() < 0.6} for sheet in made]
    setup: dict[str, Any] = {"open_ended": chance.random() < 0.7, "swing": chance.random() < 0.7}
    if kind.casting.who == "sides":
        for index, line in enumerate(lines):
            line["side"] = "xy"[index % 2]
            flag = {"leads": index == 0} if isinstance(kind, Opposed) else {
                "caught": index > 0 and chance.random() < 0.3}
            line |= flag
        if not isinstance(kind, Opposed):
            setup["initiative"] = chance.choice(("degree", "d6"))
    return Table(kind, made, None, lambda sides: chance.choice((1, sides, chance.randint(1, sides))),
                 contestants=lines, **setup)


def any_given(offer: Offer, chance: random.Random) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for field in offer.fields:
        ids = [id_ for id_, _ in (offer.options or {}).get(field.name, ())]
        if isinstance(field, Listing) and field.name == "circumstances":
            least = 1 if offer.action in ("judge", "weigh") else 0  # these want one at least
            given[field.name] = [
                {"rung": chance.choice(("hard", "very easy")), "reason": "Rain — naïvely"}
            ] * chance.randint(least, 2)
        elif isinstance(field, Listing):
            given[field.name] = [id_ for id_ in ids if chance.random() < 0.5]
        elif isinstance(field, Choice):
            given[field.name] = chance.choice([word for word, _ in field.options])
        elif isinstance(field, Text) and (ids or field.default is REQUIRED or chance.random() < 0.5):
            given[field.name] = chance.choice(ids) if ids else "By the old mill"
    if given.get("what") == "wound":
        given["words"] = "The blade snaps"
    return given


@settings(max_examples=tries(25, 1000), suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False))
def test_any_legal_play_goes_on_and_can_be_replayed(chance: random.Random) -> None:
    played = any_table(chance)
    weighed, fallen = 0, Counter[int]()
    resolved_anew(played, fallen, "start")
    for _ in range(STEPS):
        if played.kind.is_over(played.state):
            break
        offered = played.kind.offers(played.state, played.sheets)
        assert len({(offer.action, offer.by) for offer in offered}) == len(offered)
        own = [offer for offer in offered if offer.by]
        rulings = [offer for offer in offered if not offer.by and offer.action not in ("end", "settle")]
        assert own or rulings, "nobody can do anything"
        offer = chance.choice(own if (own and chance.random() < 0.85) or not rulings else rulings)
        given = any_given(offer, chance)
        weighed += offer.action in ("weigh", "judge")
        if offer.action in ("weigh", "judge") and weighed > MOST_WEIGHED:
            continue
        if offer.action == "stands" and played.state.combatant(given["who"]).standing == given["standing"]:
            continue
        check_forecast(played, offer, given)
        played.act(offer.by, offer.action, **given)
        check(played)
        resolved_anew(played, fallen, offer.action)
    assert played.replayed() == played.state


def check_forecast(played: Table, offer: Offer, given: dict[str, Any]) -> None:
    for _, odds in played.kind.forecast(played.state, played.sheets, offer.by, offer.action, given):
        assert sum(chance for _, chance, _ in odds.outcomes) == 1


def check(played: Table) -> None:
    assert played.last is not None
    steps = played.last.outcome.steps
    assert steps and all(step.rule.startswith("PN-") and step.text for step in steps)
    json.loads(canonical(dict(played.last.outcome.result)))
    for event in played.last.events:
        assert played.kind.read(json.loads(canonical(played.kind.write(event)))) == event
    assert all(sheet.pool("mulligans") >= 0 for sheet in played.sheets.values())
    view = played.view()
    assert view.waits_for and view.heading


def resolved_anew(played: Table, fallen: Counter[int], action: str) -> None:
    """What the trail keeps of a roll is what the contract answers, and what the contest says came of it."""
    assert played.last is not None
    outcome, state = played.last.outcome, played.state
    fallen.update(die.face for die in outcome.dice)
    for roll in outcome.rolls:
        answer = contract.resolve({"move": roll.move, "given": roll.given, "dice": list(roll.dice)})
        assert canonical(answer["result"]) == canonical(roll.result)
        assert not Counter(roll.dice) - fallen
        if roll.move in ("pnc.standard_roll", "pnc.attack_roll") and action != "roll_the_rest":
            assert all(roll.result[key] == outcome.result[key] for key in roll.result if key in outcome.result)
            assert roll.result["degree"] == outcome.result["degree"]
        if roll.move == "pnc.initiative":
            assert roll.result["places"] == placed(state)
    numbers = "degree" in outcome.result and action not in ("wound", "unmarked", "deal")
    assert outcome.rolls or not (numbers or (outcome.dice and not silent(state, action)))
    if ranking := outcome.result.get("ranking"):
        compared = [roll.result for roll in outcome.rolls if roll.move == "pnc.competition"]
        assert [round_["outcome"] == "tie" for round_ in compared] == [
            together for place in ranking for together in [True] * (len(place) - 1) + [False]][:-1]


def placed(state: Any) -> list[list[int]]:
    """The order of those who can act, as the contract writes it."""
    able = [combatant.id for combatant in state.able]
    groups = [[able.index(member.id) for member in group if member.id in able] for group in state.order]
    return [group for group in groups if group]


def silent(state: Any, action: str) -> bool:
    """Acts with dice that tell no roll: half an attack, and a d6 of somebody who comes to an order that stands."""
    return action == "defend" or (
        action in ("initiative", "roll_the_rest") and state.settings.initiative == "d6")


@pytest.mark.parametrize("kind", [Fight(), Race(), StandardRollContest()])
def test_nothing_else_is_read(kind: Any) -> None:
    for stored in (None, [], {"event": "danced"}, {"event": "stood"}, {"event": "stood", "who": 3},
                   {"event": "stood", "who": "a", "more": 1}):
        with pytest.raises(Unreadable):
            kind.read(stored)
