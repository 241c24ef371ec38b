"""What is put on the dice of a duel before it is sent: several style dice at once, and what one more would worsen."""
from __future__ import annotations

from rules.systems.pdq_sharp.duel.composed import OddsComposed
from rules.systems.pdq_sharp.reading import BOWL, STYLE
from tests.rules.pdq_sharp.dueling import Bench, fencer


def rich() -> Bench:
    """An with three style dice against Grim."""
    bench = Bench([fencer("An", 2, 3)], [fencer("Grim", 2, npc=True)])
    bench.face_off("an", "grim")
    return bench


def test_ps_44_several_style_dice_go_in_one_send_and_each_is_paid() -> None:
    bench = rich()
    bench.do("stance", "grim", stance="strong_attack", fortes=["grim.fencing"])
    bench.do("stance", "an", 1, 2, 3, 5, 5, 5, stance="strong_attack", fortes=["an.fencing"])
    assert {field.name for field in bench.offer("add", "an").fields} == {"use_style", "use_style_2", "use_style_3"}
    bench.do("add", "an", 6, use_style="die|grim", use_style_3="flat|defence")
    throw = bench.plain.throw_of("an")
    assert throw and [(bonus.face, bonus.to) for bonus in throw.bonus] == [(6, "grim"), (0, "defence")]
    assert bench.sheets["an"].pool(STYLE) == 1 and bench.shared[BOWL] == 2
    assert {field.name for field in bench.offer("add", "an").fields} == {"use_style"}


def test_ps_16_what_one_more_would_worsen_is_said_before_it_is_sent() -> None:
    """A tie of the player’s costs the attacker a rank; one above it costs nothing."""
    bench = rich()
    bench.do("stance", "grim", stance="strong_attack", fortes=["grim.fencing"])
    bench.do("stance", "an", 1, 1, 6, 4, 4, 3, stance="strong_defence", fortes=["an.fencing"])
    harms, chosen = [], []
    for more in range(3):
        given = dict.fromkeys(("use_style", "use_style_2")[:more], "flat|defence")
        told = bench.kind.forecast(bench.state, bench.sheets, "an", "add", given)
        odds = told[0][1]
        assert isinstance(odds, OddsComposed)
        assert odds.composed
        harms.append(odds.composed.harms)
        chosen.append(odds.composed.chosen)
    assert harms == ["", "One more +1 on the defence would make it worse: 0 given, 0 taken.", ""]
    assert chosen == ["", "Style die +1", "Style die +1 twice"]
