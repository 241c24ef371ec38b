"""One reckoning of a roll by every door, and nothing that betters it for nothing (PS-04, PS-10 to PS-17, PS-44)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from rules.approaches import chance_of
from rules.moves import Need
from rules.procedure import ActResult, CampaignContext
from rules.registry import SYSTEMS, kind_of
from rules.sheet import Sheet, Trait, Transfer
from rules.systems import pdq_sharp
from rules.systems.pdq_sharp.challenge import ChallengeAtTable, FlashyAtTable
from rules.systems.pdq_sharp.chart import TARGETS
from rules.systems.pdq_sharp.keep import best
from rules.systems.pdq_sharp.reckoning import Terms, best_with, odds_between, settle, steps_of, sums, terms
from rules.tray import Around, Obstacle, in_one, rehearse
from rules.values import BadMove
from tests.rules.one_place import said_in
from tests.rules.pdq_sharp.people import JACKDAW, SERAFINE, hurt, sheet_of

RAVEN = sheet_of("Jackdaw", JACKDAW, style_dice=3)
KIND = ChallengeAtTable()
BURNED = replace(RAVEN, traits=(*RAVEN.traits, Trait("b", "burned", "Ruin the Margrave", 1)))
# (whose sheet, what is chosen, how hard): the same by every door.
CASES: tuple[tuple[Sheet, dict[str, Any], str], ...] = (
    (RAVEN, {}, "average"),
    (RAVEN, {"fortes": ["fencing"]}, "expert"),
    (RAVEN, {"fortes": ["fencing", "bow", "vengeful"]}, "master"),
    (RAVEN, {"fortes": ["fencing"], "techniques": ["sabre"]}, "expert"),
    (RAVEN, {"fortes": ["fencing"], "techniques": ["sabre"], "style": 2}, "impossible"),
    (RAVEN, {"fortes": ["ruin the margrave"], "burn": True}, "expert"),
    (BURNED, {"fortes": ["ruin the margrave"]}, "expert"),
    (hurt(RAVEN, fencing=2), {"fortes": ["fencing"]}, "good"),
)


def by_tray(sheet: Sheet, chosen: Mapping[str, Any], hard: str) -> Any:
    ticked = [*chosen.get("fortes", ()), *chosen.get("techniques", ())]
    rest = {name: chosen[name] for name in ("style", "burn") if name in chosen}
    setup = {"contestants": [{"sheet": sheet.id}], "title": "The wall"}
    wall = Around(against=Obstacle("The wall", {"difficulty": hard}))
    return KIND.from_tray(sheet, setup, {"fortes": ticked, **rest}, wall)


def by_page(sheet: Sheet, chosen: Mapping[str, Any], hard: str) -> Any:
    begun = KIND.start({"contestants": [{"sheet": sheet.id}], "title": "", "difficulty": hard}, {sheet.id: sheet})
    assert isinstance(begun, ActResult)
    state = KIND.fold([KIND.write(event) for event in begun.events])
    return KIND.forecast(state, {sheet.id: sheet}, sheet.id, "roll", chosen)


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_ps_10_a_roll_is_the_same_by_every_door(case: tuple[Sheet, dict[str, Any], str]) -> None:
    sheet, chosen, hard = case
    counted = terms(sheet, purse=3, target=TARGETS[hard], **{"fortes": [], **chosen})
    throws = list(product(range(1, 7), repeat=2 + counted.bonus_dice))
    chance = Fraction(sum(settle(counted, faces).success for faces in throws), len(throws))
    tray = rehearse(KIND, by_tray(sheet, chosen, hard), {sheet.id: sheet}).odds
    page = by_page(sheet, chosen, hard)
    assert tray == page and tray[0][1].outcomes[0][:2] == ("Success", chance)
    move = kind_of("pdq_sharp.challenge")
    given = {"fortes": list(counted.ranks), "bonus_dice": counted.bonus_dice, "flat": counted.flat, "difficulty": hard}
    assert move.odds(move.read(given), "success").get(True, Fraction(0)) == chance
    faces = [3] * (2 + counted.bonus_dice)
    done = in_one(KIND, by_tray(sheet, chosen, hard), {sheet.id: sheet}, faces, CampaignContext((("bowl", 0),)))
    assert isinstance(done, ActResult)
    told = [step.text for step in done.steps]
    assert all(step.text in told for step in steps_of(counted, sheet.name)), "each reason is told"
    assert done.rolls[0].result["total"] == settle(counted, faces).total


def test_ps_10_the_best_way_is_reckoned_alike() -> None:
    rolls = SYSTEMS["pdq_sharp"].rolls
    for sheet in (RAVEN, BURNED, sheet_of("Serafine", SERAFINE)):
        for way in rolls.approaches(sheet, {"difficulty": "expert"}, {}):
            idioms = [trait.id for trait in sheet.traits if trait.name in way.lines and trait.kind == "technique"]
            counted = terms(sheet, fortes=list(way.uses), techniques=idioms, target=11)
            throws = list(product(range(1, 7), repeat=2 + counted.bonus_dice))
            assert chance_of(way, kind_of) == Fraction(
                sum(settle(counted, faces).success for faces in throws), len(throws)), way.label


@pytest.mark.parametrize(("chosen", "field"), [
    ({"fortes": ["bow"], "techniques": ["sabre"]}, "techniques"),
    ({"fortes": ["fencing"], "techniques": ["sabre"], "used": ["sabre"]}, "techniques"),
    ({"fortes": ["fencing"], "techniques": ["sabre"], "flat": ["sabre"]}, "flat"),
    ({"fortes": ["fencing"], "techniques": ["showy"], "flat": ["tumbling"]}, "techniques"),
    ({"fortes": ["fencing"], "style": 4}, "style"),
    ({"fortes": ["fencing"], "burn": True}, "burn"),
])
def test_ps_11_what_does_not_go_is_refused_where_it_is_said(chosen: dict[str, Any], field: str) -> None:
    with pytest.raises(BadMove) as refused:
        terms(RAVEN, purse=3, **chosen)
    assert refused.value.field == field


def test_ps_17_the_chance_after_the_dice_is_that_of_the_best_play() -> None:
    """Against all ways to go on, tried one by one."""
    def tried(faces: tuple[int, ...], needed: int, more: int) -> Fraction:
        if sum(best(faces, 2)) >= needed:
            return Fraction(1)
        if not more:
            return Fraction(0)
        dice = sum((tried((*faces, face), needed, more - 1) for face in range(1, 7)), Fraction(0)) / 6
        return max(dice, tried(faces, needed - 1, more - 1))

    chance = Random(3)
    for _ in range(60):
        faces = tuple(chance.randint(1, 6) for _ in range(chance.randint(2, 4)))
        needed, more = chance.randint(2, 16), chance.randint(0, 3)
        assert best_with(best(faces, 2), needed, more) == tried(faces, needed, more)
    assert best_with((3, 3), 8, 2) == 1, "+1 and +1"


@pytest.mark.parametrize("kind", [ChallengeAtTable(), FlashyAtTable()], ids=["challenge", "flashy"])
def test_ps_11_nothing_adds_a_die_or_one_without_a_technique_used_up_or_a_die_moved(kind: Any) -> None:
    """Anything that is offered, at random: of each roll the dice and +1s are paid, one by one."""
    chance, seen = Random(7), 0
    for _ in range(150):
        sheets = {sheet.id: sheet for sheet in (RAVEN, sheet_of("Serafine", SERAFINE, style_dice=2))}
        seats = [{"sheet": who} for who in list(sheets)[: 2 if kind.flashy else 1]]
        setup = {"contestants": seats, **({} if kind.flashy else {"difficulty": chance.choice(list(TARGETS))})}
        begun = kind.start(setup, sheets)
        events, paid = list(begun.events), 0
        for _ in range(12):
            state = kind.with_context(kind.fold([kind.write(event) for event in events]), CampaignContext())
            offers = [offer for offer in kind.offers(state, sheets) if offer.action != "call_off"]
            if not offers:
                break
            offer = chance.choice(offers)
            done = _done(kind, state, sheets, offer, chance)
            if done is None:
                continue
            for effect in done.effects:
                if isinstance(effect, Transfer) and effect.target and effect.source and effect.source.sheet:
                    paid += effect.amount
                    who = effect.source.sheet
                    sheets[who] = replace(sheets[who], pools=(
                        ("style_dice", sheets[who].pool("style_dice") - effect.amount),))
            events += done.events
        state = kind.fold([kind.write(event) for event in events])
        casts = [entrant.cast for entrant in state.entrants if entrant.cast]
        bettered = sum(len(cast.faces) - 2 + cast.flat for cast in casts)
        assert bettered == paid + sum(len(cast.used) for cast in casts)
        assert all(len(set(cast.used)) == len(cast.used) for cast in casts)
        seen += bettered
    assert seen > 50


def _done(kind: Any, state: Any, sheets: dict[str, Sheet], offer: Any, chance: Random) -> ActResult[Any] | None:
    """What comes of an offer that is filled in somehow; None where that is refused."""
    given: dict[str, Any] = {}
    for field in offer.fields:
        ids = [id_ for id_, _ in (offer.options or {}).get(field.name, ())]
        if field.name in ("fortes", "techniques", "flat"):
            given[field.name] = chance.sample(ids, chance.randint(0, min(3, len(ids))))
        elif ids and field.name != "spread":
            given[field.name] = chance.choice(ids)
        elif field.name == "style":
            given["style"] = chance.randint(0, field.most + 1)
    faces: list[int] = []
    try:
        while isinstance(came := kind.act(state, sheets, offer.by, offer.action, given, faces), Need):
            faces += [chance.randint(1, 6) for _ in came.sides]
    except BadMove:
        return None
    return came


def test_ps_10_no_procedure_sums_dice_or_settles_a_tie_by_itself() -> None:
    """What a roll can come to, and who has it of two, is said in one place, which contract, challenge and duel call."""
    assert said_in(pdq_sharp, r"\bbest_sums(?=\()|\b(?:player|pc) != ") == {("reckoning.py", "best_sums")}


@pytest.mark.parametrize("dice", [2, 3])
def test_ps_28_the_odds_of_two_are_those_of_every_throw(dice: int) -> None:
    first, second = Terms(("good",), bonus_dice=1, flat=1), Terms(("poor", "expert"))
    for players in ((True, True), (True, False), (False, True)):
        counts = dict.fromkeys((1, 0, -1), 0)
        for mine, ways in throws(first, dice).items():
            for theirs, more in throws(second, dice).items():
                has = 1 if mine > theirs else -1 if mine < theirs else (players[0] - players[1])
                counts[has] += ways * more
        whole = 6 ** (2 * dice + 1)
        assert odds_between(sums(first, dice), sums(second, dice), players) == {
            has: Fraction(ways, whole) for has, ways in counts.items()}


def throws(counted: Terms, keep: int) -> Counter[int]:
    """Every throw of it, settled."""
    return Counter(settle(counted, faces, keep).total
                   for faces in product(range(1, 7), repeat=keep + counted.bonus_dice))
