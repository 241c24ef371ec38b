"""Duels, rule by rule: ellipses, tweaks, impasse, surrender (PS-11, PS-17, PS-27, PS-28)."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.moves import Need
from rules.procedure import Perspective
from rules.registry import kind_of
from rules.sheet import Damage
from rules.systems.pdq_sharp.duel.additions import with_additions
from rules.systems.pdq_sharp.duel.state import Phase
from rules.values import BadMove
from tests.rules.pdq_sharp.dueling import Bench, fencer, squad


def facing(an: int = 1, grim: int = 1, style: int = 0, theirs: int = 0, gm: int = 0, **setup: str) -> Bench:
    """An with a sabre and a showy idiom against Grim, an NPC."""
    bench = Bench([fencer("An", an, style, techniques=[("sabre", 5), ("showy", 1), ("sly", 1)], cooking=3)],
                  [fencer("Grim", grim, theirs, npc=True, lurking=3)], gm=gm, **setup)
    bench.face_off("an", "grim")
    return bench


def clash(bench: Bench, mine: str, theirs: str, *faces: int, tweak: str = "", their_tweak: str = "") -> None:
    """An and Grim divide their dice and throw; An's faces come first where An has initiative."""
    bench.do("stance", "grim", stance=theirs, fortes=["grim.fencing"], tweak=their_tweak)
    bench.do("stance", "an", *faces, stance=mine, fortes=["an.fencing"], tweak=tweak)


def on(bench: Bench) -> None:
    """Lets everything stand and places all damage, until the next turn."""
    now = bench.plain.turn
    while bench.plain.turn == now and not bench.plain.over:
        chosen = next((offer for offer in bench.offers() if offer.action in ("stand", "place", "place_npcs")), None)
        if chosen is None:
            return
        bench.do(chosen.action, chosen.by, **({"spread": chosen.now["spread"]} if chosen.now else {}))


def test_ps_17_after_the_dice_it_waits_and_both_moments_are_told() -> None:
    bench = facing(style=1)
    clash(bench, "strong_attack", "strong_defence", 3, 2, 3, 1, 4, 5)
    assert bench.plain.phase is Phase.ELLIPSIS
    bench.do("add", "an", 6, **{"use_an.sabre": "die|grim"})
    assert bench.said("An, the attack: 7 becomes 11")
    assert not bench.can("add", "grim")
    bench.do("add", "an", use_style="flat|grim")
    assert bench.said("An, the attack: 11 becomes 12") and bench.shared["bowl"] == 1
    assert bench.sheets["an"].pool("style_dice") == 0
    bench.do("stand", "an")
    assert bench.plain.wound_of("grim").amount == 1  # type: ignore[union-attr]


def test_ps_17_whoever_is_worse_off_answers_first_and_an_addition_opens_it_again() -> None:
    bench = facing(style=1, gm=1)
    clash(bench, "strong_attack", "strong_attack", 6, 6, 1, 1, 1, 1)
    assert bench.can("stand", "grim") and not bench.can("stand", "an")
    bench.do("stand", "grim")
    assert bench.can("stand", "an")
    bench.do("add", "an", 1, use_style="die|defence")
    assert bench.can("stand", "grim") and not bench.can("stand", "an")
    bench.do("stand_npcs")
    bench.do("stand", "an")
    assert bench.plain.wounds


def test_ps_11_a_technique_counts_once_a_turn_and_of_idioms_one() -> None:
    bench = facing()
    clash(bench, "strong_attack", "strong_defence", 3, 2, 3, 1, 4, 5)
    bench.do("add", "an", **{"use_an.showy": "flat|grim"})
    left = {field.name for field in bench.offer("add", "an").fields}
    assert not left & {"use_an.showy", "use_an.sly"} and "use_an.sabre" in left
    with pytest.raises(BadMove):
        bench.do("add", "an", **{"use_an.sly": "flat|grim"})
    on(bench)
    clash(bench, "strong_attack", "strong_defence", 3, 2, 3, 1, 4, 5)
    assert "use_an.showy" in {field.name for field in bench.offer("add", "an").fields}


def test_ps_45_an_npc_spends_the_gms_dice_after_its_own() -> None:
    bench = facing(theirs=1, gm=1)  # with more style dice Grim acts first, and throws first
    clash(bench, "strong_attack", "strong_defence", 1, 1, 1, 6, 6, 3)
    bench.do("add", "grim", use_style="flat|defence")
    assert (bench.sheets["grim"].pool("style_dice"), bench.shared) == (0, {"bowl": 1, "gm_style_dice": 1})
    bench.do("add", "grim", use_style="flat|defence")
    assert bench.shared == {"bowl": 2, "gm_style_dice": 0}


def test_ps_17_the_chances_of_each_addition_are_those_of_its_die() -> None:
    bench = facing(style=1)
    clash(bench, "strong_attack", "strong_defence", 3, 2, 3, 1, 4, 5)  # 7 against 11; the 2 is in the way
    throw = bench.plain.throw_of("an")
    assert throw
    rows = {with_addition.id: with_addition for with_addition in with_additions(bench.state, bench.sheets, throw)}
    assert rows["an.sabre|die|grim"].touch == Fraction(1, 6)  # a 6 makes it 11: a tie, which is An's
    assert rows["an.sabre|flat|grim"].touch == 0
    (_, answer), _ = bench.kind.forecast(bench.state, bench.sheets, "an", "add", {"use_an.sabre": "die|grim"})
    assert answer.outcomes == (
        ("1 rank", Fraction(1, 6), "good"), ("No ranks", Fraction(5, 6), "bad"))


def test_ps_22_what_a_duel_came_to_can_be_resolved_anew_from_its_rolls() -> None:
    bench = facing(style=1)
    clash(bench, "strong_attack", "strong_defence", 3, 2, 3, 1, 4, 5)
    rolls = bench.do("add", "an", 6, **{"use_an.sabre": "die|defence"}).rolls
    assert rolls[-1].given["first"]["placed"] == ["defence"]
    for roll in (*rolls, *bench.do("stand", "an").rolls):
        kind = kind_of(roll.move)
        outcome = kind.resolve(kind.read(roll.given), roll.dice)
        assert not isinstance(outcome, Need) and outcome.result == roll.result


def test_ps_27_a_feint_does_no_damage_and_helps_the_next_attack() -> None:
    bench = facing()
    clash(bench, "strong_attack", "strong_defence", 6, 6, 6, 1, 2, 2, tweak="feint")
    on(bench)
    assert bench.lost("grim.lurking") == 0 and bench.plain.fencer("an").attack_carry == 8
    clash(bench, "strong_attack", "strong_defence", 1, 1, 6, 1, 2, 2)
    assert bench.said("An: 12 to attack Grim")
    on(bench)
    assert bench.plain.fencer("an").attack_carry == 0


def with_a_feint_behind(style: int) -> Bench:
    """An has had her free feint: the next one costs a style die. In the second turn Grim has yet to choose."""
    bench = facing(style=style)
    clash(bench, "strong_attack", "strong_defence", 6, 6, 6, 1, 2, 2, tweak="feint")
    on(bench)
    return bench


def test_ps_27_a_second_feint_is_paid_for_when_the_dice_fall_as_before_a_die_less_would_tell_of_it() -> None:
    bench = with_a_feint_behind(1)
    chosen = bench.do("stance", "an", stance="strong_attack", fortes=["an.fencing"], tweak="feint")
    assert chosen.sealed and not chosen.effects and bench.sheets["an"].pool("style_dice") == 1
    bench.do("stance", "grim", 6, 6, 6, 1, 2, 2, stance="strong_defence", fortes=["grim.fencing"])
    assert bench.sheets["an"].pool("style_dice") == 0 and bench.shared["bowl"] == 1


def test_ps_27_whoever_has_spent_the_die_by_then_goes_without_the_feint() -> None:
    bench = with_a_feint_behind(1)
    bench.do("stance", "an", stance="strong_attack", fortes=["an.fencing"], tweak="feint")
    bench.sheets["an"] = replace(bench.sheets["an"], pools=(("style_dice", 0),))
    bench.do("stance", "grim", 6, 6, 6, 1, 2, 2, stance="strong_defence", fortes=["grim.fencing"])
    assert bench.said("An has no style die left for Feint: it is left out.") and bench.shared["bowl"] == 0


def test_ps_27_what_was_paid_with_a_choice_in_an_earlier_entry_is_not_paid_again() -> None:
    bench = with_a_feint_behind(1)
    chosen = bench.do("stance", "an", stance="strong_attack", fortes=["an.fencing"], tweak="feint")
    (event,) = chosen.events
    bench.plain = replace(event, paid=True).after(bench.plain)
    bench.do("stance", "grim", 6, 6, 6, 1, 2, 2, stance="strong_defence", fortes=["grim.fencing"])
    assert bench.sheets["an"].pool("style_dice") == 1 and bench.shared["bowl"] == 0
    on(bench)
    assert not bench.plain.prepaid, "a turn later it is forgotten"


def test_ps_27_a_feint_that_fails_hinders_the_next_defence_and_a_tie_counts_one() -> None:
    bench = facing()
    clash(bench, "strong_attack", "strong_defence", 1, 1, 6, 1, 2, 2, tweak="dirty_trick")
    on(bench)
    assert bench.plain.fencer("an").defence_carry == -2
    bench = facing()
    clash(bench, "strong_attack", "strong_defence", 2, 2, 6, 1, 2, 2, tweak="feint")
    on(bench)
    assert bench.plain.fencer("an").attack_carry == 1 and bench.lost("grim.lurking") == 0


def test_ps_27_starred_tweaks_are_free_once_a_duel_then_cost_a_style_die() -> None:
    bench = facing(style=1)
    clash(bench, "strong_attack", "strong_defence", 1, 1, 6, 1, 2, 2, tweak="feint")
    assert bench.sheets["an"].pool("style_dice") == 1
    on(bench)
    bench.do("stance", "grim", stance="strong_defence", fortes=[])
    bench.do("stance", "an", 1, 1, 6, 1, 2, 2, stance="strong_attack", fortes=[], tweak="feint")
    assert bench.sheets["an"].pool("style_dice") == 0 and bench.shared["bowl"] == 1
    assert bench.plain.turn == 3, "nobody has anything to add: it stands by itself"
    with pytest.raises(BadMove):
        bench.do("stance", "an", stance="strong_attack", tweak="feint")


def test_ps_27_disarm_needs_the_foes_mod_and_takes_the_forte_until_it_is_recovered() -> None:
    bench = facing(grim=2)
    clash(bench, "strong_attack", "strong_defence", 4, 4, 6, 1, 1, 2, tweak="disarm")  # 10 against 7: 3, MOD 4
    assert bench.said("grim".capitalize() + " keeps the weapon") or bench.plain.phase is Phase.ELLIPSIS
    on(bench)
    assert not bench.plain.fencer("grim").disarmed
    bench = facing(grim=2)
    clash(bench, "strong_attack", "strong_defence", 5, 4, 6, 1, 1, 2, tweak="disarm")
    on(bench)
    assert bench.plain.fencer("grim").disarmed == "grim.fencing" and bench.lost("grim.lurking") == 0
    assert "grim.fencing" not in dict(bench.offer("stance", "grim").options["fortes"])  # type: ignore[index]
    bench.do("stance", "grim", stance="strong_defence", fortes=["grim.lurking"], tweak="recover")
    bench.do("stance", "an", 1, 1, 1, 6, 6, stance="strong_attack", fortes=["an.fencing"])
    assert not bench.said("to attack An")
    on(bench)
    assert not bench.plain.fencer("grim").disarmed


def test_ps_27_of_several_foes_a_squad_is_not_disarmed() -> None:
    bench = Bench([fencer("An", 1)], [squad("Red", 3, 0), fencer("Grim", 1, npc=True)])
    bench.do("engage", bench.plain.undecided[0].id, foes=["red", "grim"])
    with pytest.raises(BadMove, match="Red can’t be disarmed"):
        bench.do("stance", "an", stance="strong_attack", fortes=["an.fencing"], tweak="disarm", against="red")
    with pytest.raises(BadMove, match="Choose an opponent"):
        bench.do("stance", "an", stance="strong_attack", fortes=["an.fencing"], tweak="disarm")


def test_ps_27_a_parry_gives_up_the_attack_for_the_margin_of_the_defence() -> None:
    bench = facing(style=1)  # An acts first; Grim, who defends before attacking, may parry
    tweaks = next(field for field in bench.offer("stance", "an").fields if field.name == "tweak")
    assert "parry" not in dict(tweaks.options)  # type: ignore[attr-defined]
    clash(bench, "strong_attack", "all_out_defence", 1, 1, 1, 6, 6, 6, their_tweak="parry")
    on(bench)
    assert bench.plain.fencer("grim").attack_carry == 16 and not bench.sheets["an"].traits[0].damage
    clash(bench, "strong_attack", "strong_defence", 6, 6, 6, 1, 1, 1)
    assert bench.said("+16 on the attack")


def test_ps_27_two_who_parry_both_do_nothing() -> None:
    bench = Bench([fencer("An", 1)], [fencer("Cy", 1)])  # at the same moment
    bench.face_off("an", "cy")
    bench.do("stance", "an", stance="strong_defence", tweak="parry")
    bench.do("stance", "cy", 6, 6, 6, 6, stance="strong_defence", tweak="parry")
    assert bench.said("nothing happens this turn") and bench.plain.turn == 2
    assert not any(fencer.attack_carry for fencer in bench.plain.fencers)


def test_ps_27_a_cyrano_gambit_counts_for_being_played_out() -> None:
    bench = facing()
    bench.do("stance", "grim", stance="strong_defence", fortes=[])
    with pytest.raises(BadMove, match="played out"):
        bench.do("stance", "an", stance="strong_attack", fortes=["an.fencing"], gambit="an.cooking")
    bench.do("stance", "an", 1, 1, 1, 1, 1, 1, stance="strong_attack", fortes=["an.fencing"], gambit="an.cooking",
             words="I hand him the hot pan")
    assert bench.said("An: 10 to attack Grim") and bench.said("hot pan")


def test_ps_27_surrender_on_terms_must_be_accepted() -> None:
    bench = facing()
    bench.do("surrender", "an", terms="Let the lady go")
    assert bench.plain.phase is Phase.TERMS and not bench.can("stance", "an")
    bench.do("refuse", "grim", bad_form=True)
    assert bench.sheets["an"].pool("style_dice") == 1 and bench.plain.phase is Phase.STANCE
    bench.do("surrender", "an", terms="Let the lady go")
    bench.do("accept", "grim")
    assert bench.plain.fencer("an").out == "surrendered" and bench.plain.phase is Phase.AFTERMATH


@pytest.mark.parametrize("many", [2, 3])
def test_ps_28_an_impasse_is_a_flashy_challenge_on_two_dice_or_three(many: int) -> None:
    bench = facing(impasse_dice=str(many))
    result = bench.do("impasse", "an", *[5] * many, *[4] * many, foe="grim")
    assert bench.sheets["an"].pool("style_dice") == 1 and bool(result.rolls) == (many == 2)
    wound = bench.plain.wound_of("grim")
    assert wound and (wound.amount, wound.kind) == (1, "failure")
    assert Damage("grim.lurking", 1, failure=True) in bench.do("place_npcs").effects
    bench.sheets["an"] = replace(bench.sheets["an"], pools=())
    assert not bench.can("impasse", "an"), "the second one costs a style die"
    ways = bench.kind.forecast(bench.state, bench.sheets, "grim", "impasse", {"foe": "an"})[0][1].outcomes
    assert sum(chance for _, chance, _ in ways) == 1


def test_ps_17_an_impasse_waits_after_its_dice_for_whoever_is_behind() -> None:
    bench = facing(style=1)
    done = bench.do("impasse", "an", 2, 3, 4, 5, foe="grim")  # An 7 against Grim's 11
    assert bench.plain.phase is Phase.LULL and done.result["challenger"] == 7 and not bench.plain.wounds
    assert not bench.can("impasse_stand", "grim") and not bench.can("stance", "an")
    assert [(ask.by, ask.action) for ask in bench.kind.asks(bench.state, bench.sheets)] == [("an", "impasse_stand")]
    view = bench.kind.view(bench.state, bench.sheets, Perspective(frozenset({"an"}))).detail.lull
    ways = {addition.id: addition.follows for addition in view.additions}
    # A 6 makes it 11; more can follow.
    assert ways["an.sabre|die"] == "enough: 16.7%, with more 73.6%" and "with more" in ways["style|flat"]
    assert not bench.kind.view(bench.state, bench.sheets, Perspective()).detail.lull.additions
    bench.do("impasse_add", "an", 5, what="an.sabre|die")
    assert bench.said("7 becomes 10") and bench.plain.lull[0].used == ("an.sabre",)
    assert "an.sabre|die" not in dict((bench.offer("impasse_add", "an").options or {})["what"])
    result = bench.do("impasse_add", "an", what="style|flat")
    assert bench.said("10 becomes 11") and bench.shared["bowl"] == 1, "a tie is the player’s: it stands by itself"
    assert bench.plain.wound_of("grim") and bench.sheets["an"].pool("style_dice") == 1
    (roll,) = result.rolls
    assert roll.given["challenger"] == {"fortes": ["good"], "bonus_dice": 1, "flat": 1, "pc": True}
    assert roll.result["winner"] == "challenger"


def test_ps_28_an_impasse_that_stands_against_its_caller() -> None:
    bench = facing()
    bench.do("impasse", "an", 1, 1, 4, 5, foe="grim")
    bench.do("impasse_stand", "an")
    wound = bench.plain.wound_of("an")
    assert wound and wound.kind == "failure" and bench.sheets["grim"].pool("style_dice") == 1
    assert not bench.plain.lull and bench.plain.phase is Phase.DAMAGE


def test_ps_28_a_tie_of_an_impasse_is_the_pcs() -> None:
    bench = facing()
    bench.do("impasse", "grim", 4, 4, 4, 4, foe="an")
    assert bench.sheets["an"].pool("style_dice") == 1 and bench.plain.wound_of("grim")


def test_ps_21_who_breaks_off_looks_for_another_foe() -> None:
    bench = Bench([fencer("An", 1)], [squad("Red", 3), squad("Blue", 3)])
    bench.do("engage", "an", foes=["red"])
    bench.do("engage_npcs")
    assert bench.plain.foes_of("an") == ("red", "blue")
    bench.do("break_off", "an")
    assert bench.plain.phase is Phase.ENGAGE and not bench.plain.pairs


def test_a_foe_who_surrenders_leaves_the_others_with_their_dice_and_the_gm_lets_them_fall() -> None:
    bench = Bench([fencer("An", 1, 3), fencer("Bo", 1, 2)], [fencer("Grim", 1, npc=True), squad("Blue", 4)])
    bench.do("engage", "an", foes=["grim"])
    bench.do("engage", "bo", foes=["blue"])
    bench.do("stance", "an", stance="strong_attack")
    bench.do("stance", "bo", stance="strong_attack")
    bench.do("stance", "blue", stance="strong_attack")
    bench.do("surrender", "grim")
    bench.do("hold_back", "an")
    bench.do("throw", "", 1, 1, 1, 2, 2, 2, 2)
    assert {throw.who for throw in bench.plain.throws} == {"bo", "blue"}
