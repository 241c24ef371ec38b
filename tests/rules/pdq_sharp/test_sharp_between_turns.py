"""The chances of an impasse and of withstanding a poison, before their dice: at random, against every throw (PS-28,
PS-49)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

from rules.sheet import Sheet
from rules.systems.pdq_sharp.duel.state import Sting
from tests.effort import tries
from tests.rules.pdq_sharp.dueling import Bench, fencer

WORTH = (-2, 0, 2, 4, 6)  # Poor to Master
TARGETS = (7, 9, 11, 13)  # a poison that is Average to Master


def somebody(name: str, chance: Random, npc: bool) -> Sheet:
    ranks = {forte: chance.randint(0, 3) for forte in ("riding", "lore", "cooking")}
    return fencer(name, chance.randint(0, 3), chance.randint(0, 3), npc=npc, **ranks)


def some(sheet: Sheet, chance: Random) -> list[str]:
    fortes = [line.id for line in sheet.traits]
    return chance.sample(fortes, chance.randint(0, len(fortes)))


def adds(sheet: Sheet, fortes: Sequence[str]) -> int:
    return sum(WORTH[line.now + 1] for line in sheet.traits if line.id in fortes)


def throws(dice: int, keep: int, plus: int) -> Counter[int]:
    """What the best of so many dice come to, over every throw."""
    return Counter(sum(sorted(faces)[-keep:]) + plus for faces in product(range(1, 7), repeat=dice))


def test_ps_28_the_odds_of_an_impasse_follow_what_counts_for_both() -> None:
    chance = Random(28)
    for _ in range(tries(24, 300)):
        npc, many = chance.random() < 0.5, chance.choice((2, 3))
        an, grim = somebody("An", chance, False), somebody("Grim", chance, npc)
        bench = Bench([an], [grim], impasse_dice=str(many))
        bench.face_off("an", "grim")
        counted = {sheet.id: some(sheet, chance) for sheet in (an, grim)}
        state = bench.state
        for who, fortes in counted.items():
            state = state.with_(who, fortes=tuple(fortes))
        ((_, odds),) = bench.kind.forecast(state, bench.sheets, "an", "impasse", {"foe": "grim", "words": ""})
        mine, theirs = (throws(many, many, adds(sheet, counted[sheet.id])) for sheet in (an, grim))
        leads = Counter[int]()
        for (one, ways), (other, more) in product(mine.items(), theirs.items()):
            # A tie is a player's against an NPC's; between two players nobody gives way.
            leads[1 if one > other or (one == other and npc) else -1 if one < other else 0] += ways * more
        shares = [Fraction(leads[has], leads.total()) for has in (1, 0, -1)]
        assert [share for _, share, _ in odds.outcomes] == shares, counted


def test_ps_49_the_odds_of_withstanding_follow_what_is_ticked() -> None:
    chance = Random(49)
    for _ in range(tries(24, 300)):
        an, rank = somebody("An", chance, False), chance.randint(0, 3)
        bench = Bench([an], [somebody("Grim", chance, True)], poison="kills")
        bench.plain = replace(bench.plain, stings=(Sting("an", rank, "grim"),))
        ticked, style = some(an, chance), chance.randint(0, an.pool("style_dice"))
        ((label, odds),) = bench.kind.forecast(
            bench.state, bench.sheets, "an", "withstand", {"fortes": ticked, "style": style})
        came = throws(2 + style, 2, adds(an, ticked))
        enough = sum(ways for total, ways in came.items() if total >= TARGETS[rank])
        assert label == f"Against {TARGETS[rank]}"
        assert odds.outcomes[0][:2] == ("Enough", Fraction(enough, came.total())), (ticked, style)
