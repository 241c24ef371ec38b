"""What PDQ# refuses and no other test meets: what is said, at which field it is refused, and in which words."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from rules.registry import SYSTEMS
from rules.sheet import Sheet
from rules.systems.pdq_sharp.challenge import ChallengeAtTable
from rules.systems.pdq_sharp.duel import Duel
from rules.systems.pdq_sharp.npc import LONGEST
from rules.values import BadMove
from tests.rules.pdq_sharp.dueling import Bench, fencer
from tests.rules.pdq_sharp.people import JACKDAW, SERAFINE, sheet_of
from tests.rules.pdq_sharp.test_sharp_challenge import Task, roll
from tests.rules.pdq_sharp.test_sharp_duel_tweaks import clash, facing
from tests.rules.pdq_sharp.test_sharp_economy import Table
from tests.rules.pdq_sharp.test_sharp_poison import poisoned

RAVEN = sheet_of("Jackdaw", JACKDAW, style_dice=2)
GROWTH: Any = SYSTEMS["pdq_sharp"].growth


@contextmanager
def refused(field: str, sentence: str) -> Iterator[None]:
    with pytest.raises(BadMove) as bad:
        yield
    assert (bad.value.field, bad.value.sentence) == (field, sentence)


def with_faces(bench: Bench, action: str, by: str, *faces: int, **given: Any) -> None:
    """The act with exactly these faces, asked for or not."""
    bench.kind.act(bench.state, bench.sheets, by, action, given, faces)


def out(sheet: Sheet) -> Sheet:
    """Nobody's forte is left."""
    return replace(sheet, traits=tuple(replace(trait, damage=trait.value + 2) for trait in sheet.traits))


def test_who_can_do_nothing_faces_no_challenge() -> None:
    with refused("who", "Jackdaw can’t do anything now. Choose someone else."):
        ChallengeAtTable().start({"contestants": [{"sheet": "jackdaw"}]}, {"jackdaw": replace(RAVEN, dead=True)})


@pytest.mark.parametrize(("contestants", "grim", "field", "sentence"), [
    ([("an", "Ours"), ("an", "Theirs")], fencer("Grim"), "contestants.0.sheet",
     "An is in the duel twice. Leave one out."),
    ([("an", "Ours"), ("grim", "")], fencer("Grim"), "contestants.1.side", "Choose a side for Grim."),
    ([("an", "Ours"), ("grim", "Theirs")], out(fencer("Grim")), "contestants",
     "A duel needs two sides with someone who can fight. Put someone on another side."),
    ([("an", "Ours"), ("zed", "Theirs")], fencer("Grim"), "contestants.1.sheet",
     "Choose a character of this campaign."),
])
def test_a_duel_that_cant_begin_so(
    contestants: list[tuple[str, str]], grim: Sheet, field: str, sentence: str
) -> None:
    lines = [{"sheet": who, "side": side} for who, side in contestants]
    with refused(field, sentence):
        Duel().start({"contestants": lines}, {"an": fencer("An"), "grim": grim})


def test_dice_that_a_challenge_did_not_ask_for() -> None:
    task = Task(RAVEN, difficulty=16)
    with refused("dice", "Enter 2 dice; there are 3."):
        with_faces(task, "roll", "jackdaw", 1, 2, 3, fortes=["fencing"])
    roll(task, 1, 2)
    with refused("dice", "Choose one die to add, or none for +1."):
        with_faces(task, "add", "jackdaw", 4, what="style|flat")


def test_dice_that_an_impasse_did_not_ask_for() -> None:
    bench = facing(style=1)
    with refused("dice", "Enter 4 dice; there are 5."):
        with_faces(bench, "impasse", "an", 1, 2, 3, 4, 5, foe="grim")
    bench.do("impasse", "an", 2, 3, 4, 5, foe="grim")
    with refused("dice", "Choose one die to add, or none for +1."):
        with_faces(bench, "impasse_add", "an", 4, what="style|flat")


def test_dice_that_a_turn_of_a_duel_did_not_ask_for() -> None:
    bench = facing(style=1)
    given = {"stance": "strong_attack", "fortes": ["an.fencing"]}
    with refused("dice", "No dice fall before all have chosen."):
        with_faces(bench, "stance", "an", 1, **given)
    bench.do("stance", "grim", stance="strong_defence", fortes=["grim.fencing"])
    with refused("dice", "Enter 6 dice; there are 7."):
        with_faces(bench, "stance", "an", *[1] * 7, **given)
    bench.do("stance", "an", 1, 1, 1, 6, 6, 6, **given)
    with refused("dice", "Enter a die for each die, and none for +1."):
        with_faces(bench, "add", "an", 3, 4, **{"use_an.sabre": "die|"})


def test_dice_that_a_poison_did_not_ask_for() -> None:
    bench = poisoned("kills")
    bench.sheets["an"] = replace(bench.sheets["an"], pools=(("style_dice", 2),))
    clash(bench, "all_out_defence", "strong_attack", 2, 2, 2, 5, 3, 1)
    bench.do("stand", "an")  # with style dice the touch can still be answered
    with refused("dice", "Enter 2 dice; there are 3."):
        with_faces(bench, "withstand", "an", 1, 1, 1, fortes=["an.fencing"])
    bench.do("withstand", "an", 3, 3, fortes=["an.fencing"])
    with refused("dice", "Choose one die to add, or none for +1."):
        with_faces(bench, "poison_add", "an", 4, what="style|flat")


@pytest.mark.parametrize(("choice", "name", "points", "field", "sentence"), [
    ("forte", "Sailing", 0, "choice", "Choose one of those that are offered."),
    ("forte", "  ", 8, "name", "Give it a name."),
    ("forte", "striking", 8, "name", "There is striking on the sheet already. Choose another name."),
    ("within:ember the mare", "fast", 8, "name", "There is fast on the sheet already. Choose another name."),
])
def test_ps_47_what_training_does_not_buy(choice: str, name: str, points: int, field: str, sentence: str) -> None:
    rich = sheet_of("Serafine", SERAFINE, training_points=8)
    wanted = next(purchase for purchase in GROWTH.purchases(rich, {}) if purchase.choice == choice)
    with refused(field, sentence):
        GROWTH.buy(replace(rich, pools=(("training_points", points),)), wanted, name, {}, words="A long winter")


def test_a_name_too_long_in_a_quick_line() -> None:
    with refused("line", f"Keep names to {LONGEST} characters."):
        SYSTEMS["pdq_sharp"].sheet.from_line(f"{'M' * (LONGEST + 1)}, Highwayman expert")


def test_ps_44_a_fact_whose_payer_left() -> None:
    table = Table(sheet_of("Jackdaw", JACKDAW, style_dice=1), sheet_of("Serafine", SERAFINE, style_dice=4))
    table.act("fact", "jackdaw", weight="major", words="A sewer", pool=True)
    del table.sheets["jackdaw"]
    with refused("fact", "Someone who promised a die is no longer here."):
        table.act("chip_in", "serafine", fact="1", dice=1)


def test_ps_05_a_line_that_is_there_already() -> None:
    table = Table(sheet_of("Serafine", SERAFINE, style_dice=4))
    with refused("name", "There is a line called fast already. Choose another name."):
        table.act("sidekick_forte", "serafine", sidekick="ember the mare", name="fast", rank="1")
