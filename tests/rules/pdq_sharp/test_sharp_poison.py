"""Poison on a blade, by each setting (PS-49)."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.moves import Need
from rules.registry import kind_of
from rules.sheet import Gain, Spend
from rules.systems.pdq_sharp.duel.state import Phase, Sting
from rules.systems.pdq_sharp.duel.withstanding import Withstood
from tests.rules.pdq_sharp.dueling import Bench, fencer, squad
from tests.rules.pdq_sharp.test_sharp_duel_tweaks import clash, on


def poisoned(how: str, rank: int = 1, *, lasting: bool = False, whose: str = "grim") -> Bench:
    """An against Grim, whose blade is poisoned; neither has anything to add."""
    bench = Bench([fencer("An", 1, cooking=3)], [fencer("Grim", 1, npc=True, lurking=3)], poison=how)
    bench.face_off("an", "grim")
    bench.do("envenom", "", whom=whose, rank=str(rank), lasting=lasting)
    return bench


@pytest.mark.parametrize(("rank", "ranks"), [(0, 2), (1, 4), (3, 8)])
def test_ps_49_poison_that_harms_adds_its_mod_to_a_touch(rank: int, ranks: int) -> None:
    bench = poisoned("harms", rank)
    clash(bench, "all_out_defence", "strong_attack", 2, 2, 2, 5, 3, 1)  # Grim's 8 +2 against 6 +2
    wound = bench.plain.wound_of("an")
    assert wound and wound.amount == ranks and bench.plain.fencer("grim").poison == -1, "one dose, and it is gone"


def test_ps_49_a_touch_that_misses_keeps_the_poison_and_what_lasts_is_not_spent() -> None:
    bench = poisoned("harms")
    clash(bench, "all_out_defence", "strong_attack", 6, 6, 6, 1, 1, 1)
    assert bench.plain.fencer("grim").poison == 1
    bench = poisoned("harms", lasting=True)
    clash(bench, "all_out_defence", "strong_attack", 2, 2, 2, 5, 3, 1)
    assert bench.plain.fencer("grim").poison == 1


def test_ps_49_poison_that_weakens_goes_on_the_sheet_with_a_hook() -> None:
    bench = poisoned("weakens", lasting=True)
    clash(bench, "all_out_defence", "strong_attack", 2, 2, 2, 5, 3, 1)
    kinds = [trait.kind for trait in bench.sheets["an"].traits]
    assert kinds.count("poisoned") == 1 and kinds.count("hook") == 1 and bench.plain.wound_of("an").amount == 2  # type: ignore[union-attr]
    on(bench)
    clash(bench, "all_out_defence", "strong_attack", 2, 2, 2, 5, 3, 1)
    assert [trait.kind for trait in bench.sheets["an"].traits].count("poisoned") == 1, "nobody is poisoned twice"


@pytest.mark.parametrize(("faces", "falls"), [((3, 4), False), ((3, 3), True)])
def test_ps_49_poison_that_kills_has_to_be_withstood(faces: tuple[int, int], falls: bool) -> None:
    bench = poisoned("kills")
    clash(bench, "all_out_defence", "strong_attack", 2, 2, 2, 5, 3, 1)
    assert bench.plain.phase is Phase.POISON and bench.can("withstand", "an") and not bench.can("withstand", "grim")
    done = bench.do("withstand", "an", *faces, fortes=["an.fencing"])  # 2d6 +2 against 9
    (roll,) = done.rolls
    outcome = kind_of(roll.move).resolve(kind_of(roll.move).read(roll.given), roll.dice)
    assert not isinstance(outcome, Need) and outcome.result == roll.result
    assert bool(bench.plain.fencer("an").out) == falls
    fell = [effect for effect in done.effects if isinstance(effect, Gain) and effect.kind == "fallen"]
    assert bool(fell) == falls and (Spend("an", "training_points", 1) in done.effects) == falls
    assert all(trait.now < -1 for trait in bench.sheets["an"].traits if trait.kind == "forte") == falls
    if not falls:
        assert bench.plain.phase is Phase.DAMAGE, "the touch itself is still to be placed"


def test_ps_49_a_roll_against_poison_says_why() -> None:
    bench = poisoned("kills")
    clash(bench, "all_out_defence", "strong_attack", 2, 2, 2, 5, 3, 1)
    (offer,) = (offer for offer in bench.offers() if offer.action == "withstand")
    why = bench.kind.why(bench.state, bench.sheets, offer, {"fortes": ["an.fencing"], "style": 0})
    assert why and why.number == "2d6 +2"
    assert [(part.counts, part.label) for part in why.parts] == [
        ("+2", "An's Fencing, Good [+2]"), ("2 dice", "Both count"), ("9", "Against the poison")]
    assert [part.line for part in why.idle] == ["an.cooking"]


def test_ps_49_each_poison_is_withstood_by_itself() -> None:
    bench = Bench([fencer("An", 1, cooking=3)], [fencer("Grim", 1, npc=True), fencer("Vile", 1, npc=True)],
                  poison="kills")
    bench.plain = replace(bench.plain, stings=(Sting("an", 1, "grim"), Sting("an", 0, "vile")))
    assert len([offer for offer in bench.offers() if offer.action == "withstand"]) == 1
    bench.do("withstand", "an", 3, 4, fortes=["an.fencing"])  # 7 +2 against 9
    assert bench.plain.stings == (Sting("an", 0, "vile"),) and bench.plain.phase is Phase.POISON
    assert [ask.action for ask in bench.kind.asks(bench.state, bench.sheets)] == ["withstand"]
    bench.do("withstand", "an", 3, 4, fortes=["an.fencing"])
    assert not bench.plain.stings and not bench.plain.fencer("an").out
    old = Withstood("an").after(replace(bench.plain, stings=(Sting("an", 1, "grim"), Sting("an", 0, "vile"))))
    assert not old.stings, "as it was kept before"


def test_ps_17_a_roll_against_poison_waits_for_what_can_be_added() -> None:
    bench = poisoned("kills")
    bench.sheets["an"] = fencer("An", 1, 2, techniques=(("parry", 3),), cooking=3)
    clash(bench, "all_out_defence", "strong_attack", 2, 2, 2, 5, 3, 1)
    bench.do("stand", "an")
    done = bench.do("withstand", "an", 1, 2, fortes=["an.fencing"])  # 3 +2 against 9
    assert not done.effects and bench.plain.phase is Phase.POISON and not bench.can("withstand", "an")
    ((_, odds),) = bench.kind.forecast(bench.state, bench.sheets, "an", "poison_add", {"what": "style|die"})
    assert odds.outcomes[0][1] > Fraction(2, 6), "the 2 stays: 5 and 6 are enough; else two tools are left"
    assert "an.parry|flat" in dict(bench.offer("poison_add", "an").options["what"])
    bench.do("poison_add", "an", what="an.parry|flat")
    assert bench.said("5 becomes 6") and "an.parry|flat" not in dict(bench.offer("poison_add", "an").options["what"])
    done = bench.do("poison_add", "an", 4, what="style|die")  # 4 and 2, +2 +1: it is enough, and stands by itself
    assert bench.said("9 against 9: An withstands the poison") and bench.sheets["an"].pool("style_dice") == 1
    assert not bench.plain.resisting and not bench.plain.stings and bench.plain.phase is Phase.DAMAGE
    (roll,) = done.rolls
    outcome = kind_of(roll.move).resolve(kind_of(roll.move).read(roll.given), roll.dice)
    assert not isinstance(outcome, Need) and outcome.result == roll.result and roll.result["success"]


def test_ps_17_who_lets_it_stand_falls_to_the_poison() -> None:
    bench = poisoned("kills")
    bench.sheets["an"] = fencer("An", 1, 1, cooking=3)
    clash(bench, "all_out_defence", "strong_attack", 2, 2, 2, 5, 3, 1)
    bench.do("stand", "an")
    bench.do("withstand", "an", 1, 2, fortes=["an.fencing"])
    done = bench.do("poison_stand", "an")
    assert bench.said("5 against 9: An falls to the poison") and bench.plain.fencer("an").out == "fallen"
    assert Spend("an", "training_points", 1) in done.effects and not bench.plain.resisting


def test_ps_49_a_squad_loses_its_minions_and_withstands_nothing() -> None:
    bench = Bench([fencer("An", 1)], [squad("Red", 4), squad("Blue", 4)], poison="kills")
    bench.do("engage", "an", foes=["red"])
    bench.do("engage_npcs")
    bench.do("envenom", "", whom="an", rank="3", lasting=True)
    bench.do("stances", "", npc_0="all_out_attack", npc_1="all_out_attack")
    bench.do("stance", "an", 6, 6, 6, 6, 1, *[1] * 8, stance="strong_attack", fortes=["an.fencing"])
    assert not bench.plain.stings and bench.plain.fencer("red").out == "broken"


def test_ps_49_the_chances_know_of_the_poison() -> None:
    bench = poisoned("harms", 3, whose="an")
    bench.sheets["an"] = fencer("An", 1, 1, cooking=3)
    clash(bench, "strong_attack", "all_out_defence", 1, 1, 1, 1, 1, 1)  # 4 against 5
    ways = bench.kind.forecast(bench.state, bench.sheets, "an", "add", {"use_style": "die|grim"})[0][1].outcomes
    assert max(int(label.split()[0]) for label, _, _ in ways if label != "No ranks") == 4 + 6
    assert sum((chance for _, chance, _ in ways), Fraction(0)) == 1
