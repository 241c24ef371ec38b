"""The chances of a challenge follow whatever is ticked: at random, against every throw (PS-10 to PS-17)."""
from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import product
from random import Random
from typing import Any

from rules.procedure import ActResult, CampaignContext
from rules.sheet import Sheet, Trait
from rules.systems.pdq_sharp.challenge import ChallengeAtTable, FlashyAtTable
from rules.values import BadMove
from tests.effort import tries
from tests.rules.pdq_sharp.people import JACKDAW, SERAFINE, hurt, sheet_of

WORTH = (-2, 0, 2, 4, 6)  # Poor to Master
TAM = Sheet("tam", "Tam", (Trait("brawling", "forte", "Brawling", 1), Trait("sailor", "forte", "Sailor", 2)))


def worth(line: Trait) -> int:
    return -2 if line.kind == "foible" else WORTH[line.now + 1]


def somebody(chance: Random) -> Sheet:
    lowered = {"fencing": chance.randint(0, 3), "bow": chance.randint(0, 2)}
    return hurt(sheet_of("Jackdaw", JACKDAW, style_dice=chance.randint(0, 2)), **lowered)


def ticked_at_random(sheet: Sheet, chance: Random) -> dict[str, Any]:
    fortes = [line.id for line in sheet.traits if line.kind not in ("technique",)]
    techniques = [line.id for line in sheet.traits if line.kind == "technique"]
    chance.shuffle(techniques)
    dice, flat = chance.randint(0, 2), chance.randint(0, 2)
    return {"fortes": chance.sample(fortes, chance.randint(0, len(fortes))), "techniques": techniques[:dice],
            "flat": techniques[dice:dice + flat], "style": chance.randint(0, sheet.pool("style_dice")),
            "burn": chance.random() < 0.3}


def adds_of(sheet: Sheet, ticked: dict[str, Any]) -> int:
    """What is written on the sheet, by hand."""
    lines = [line for line in sheet.traits if line.id in ticked["fortes"]]
    burned = sum(worth(line) for line in lines if ticked["burn"] and line.kind == "motivation")
    return sum(map(worth, lines)) + len(ticked["flat"]) + burned


def totals(adds: int, dice: int) -> list[int]:
    return [sum(sorted(faces)[-2:]) + adds for faces in product(range(1, 7), repeat=dice)]


def begun(kind: Any, sheets: dict[str, Sheet], seats: list[str], **setup: Any) -> Any:
    came = kind.start({"contestants": [{"sheet": who} for who in seats], "title": "", **setup}, sheets)
    assert isinstance(came, ActResult)
    state = reduce(kind.evolve, came.events, kind.blank())
    return kind.with_context(state, CampaignContext((("bowl", 0),)))


def test_ps_10_the_odds_of_a_challenge_follow_what_is_ticked() -> None:
    kind, chance, seen = ChallengeAtTable(), Random(41), 0
    while seen < tries(10, 300):
        sheet, target = somebody(chance), chance.randint(3, 24)
        sheets, helped = {sheet.id: sheet, "tam": TAM}, chance.sample(["brawling", "sailor"], chance.randint(0, 2))
        state = begun(kind, sheets, [sheet.id], difficulty=target)
        if helped:
            state = reduce(kind.evolve, kind.act(state, sheets, "tam", "help", {"fortes": helped}).events, state)
        ticked = ticked_at_random(sheet, chance)
        try:
            ((_, odds),) = kind.forecast(state, sheets, sheet.id, "roll", ticked)
        except BadMove:
            continue  # two idioms, a technique without its forte, a motivation that is not among them
        adds = adds_of(sheet, ticked) + sum(worth(line) for line in TAM.traits if line.id in helped)
        every = totals(adds, 2 + len(ticked["techniques"]) + ticked["style"])
        assert odds.outcomes[0][:2] == ("Success", Fraction(sum(sum_ >= target for sum_ in every), len(every))), ticked
        seen += 1


def test_ps_16_the_odds_of_a_flashy_challenge_follow_both_rolls() -> None:
    kind, chance, seen = FlashyAtTable(), Random(43), 0
    while seen < tries(10, 300):
        sheet, foe = somebody(chance), sheet_of("Serafine", SERAFINE, style_dice=1)
        sheets = {sheet.id: sheet, foe.id: foe}
        state = begun(kind, sheets, [sheet.id, foe.id])
        faces = [chance.randint(1, 6) for _ in range(2)]
        rolled = kind.act(state, sheets, foe.id, "roll", {"fortes": ["striking"]}, faces)
        assert isinstance(rolled, ActResult)
        state = reduce(kind.evolve, rolled.events, state)
        ticked = ticked_at_random(sheet, chance)
        try:
            ((_, odds),) = kind.forecast(state, sheets, sheet.id, "roll", ticked)
        except BadMove:
            continue
        every, theirs = totals(adds_of(sheet, ticked), 2 + len(ticked["techniques"]) + ticked["style"]), sum(faces) + 2
        leads = [(mine > theirs) - (mine < theirs) for mine in every]
        shares = [Fraction(leads.count(has), len(leads)) for has in (1, 0, -1)]
        assert [share for _, share, _ in odds.outcomes] == shares, ticked
        seen += 1


def test_ps_17_the_odds_of_each_addition_follow_the_dice_as_they_lie() -> None:
    kind, chance, seen = ChallengeAtTable(), Random(47), 0
    while seen < tries(10, 300):
        sheet = somebody(chance)
        sheets, target = {sheet.id: sheet}, chance.randint(8, 16)
        state = begun(kind, sheets, [sheet.id], difficulty=target)
        faces = [chance.randint(1, 6) for _ in range(2)]
        rolled = kind.act(state, sheets, sheet.id, "roll", {"fortes": ["fencing", "bow"]}, faces)
        state = reduce(kind.evolve, rolled.events, state)
        offer = next((offer for offer in kind.offers(state, sheets) if offer.action == "add"), None)
        if offer is None:
            continue  # enough already, or nothing that could be enough
        adds = adds_of(sheet, {"fortes": ["fencing", "bow"], "flat": (), "burn": False})
        for what, _ in (offer.options or {})["what"]:
            ((_, odds),) = kind.forecast(state, sheets, sheet.id, "add", {"what": what})
            ones = what.count("|flat")
            came = [sum(sorted((*faces, face))[-2:]) + adds for face in range(1, 7)] if what.endswith("|die") else [
                sum(faces) + adds + ones]
            won = Fraction(sum(total >= target for total in came), len(came))
            assert {label: share for label, share, _ in odds.outcomes}["You have it"] == won, what
        seen += 1
