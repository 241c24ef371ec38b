"""Damage, the chin, going out of action, killing, and the end of a conflict (PQ-14 to PQ-17)."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.procedure import Perspective
from rules.sheet import Damage, Sheet, Spend
from rules.systems.pdq.conflict.state import Phase
from rules.systems.pdq.conflict.weakness import NO
from rules.values import BadMove
from tests.rules.pdq.test_pdq_conflict import ADA, BO, CY, DEE, pass_until, sides
from tests.rules.pdq.walking import KIND, Table, sheet, trait

EVE = sheet("Eve", claws=1)


def duel(*sheets: Sheet, **setup: Any) -> Table:
    """Bo attacks Dee first; more sheets join Dee."""
    foes = tuple(sheet.id for sheet in sheets)
    return Table([BO, DEE, *sheets], **{"contestants": sides("bo", foes=("dee", *foes)), **setup})


def hit(played: Table, faces: list[int], /, **attack: Any) -> dict[str, int]:
    """Bo attacks Dee with the sword (+4), Dee answers with nothing (+0)."""
    weakness = attack.pop("weakness", "")
    played.act("bo", "attack", targets=["dee"], qualities=["bo.sword"], **attack)
    reaction = {"weakness": weakness} if weakness else {}
    return dict(played.act("dee", "defend", faces, **reaction)["hits"][0]["damage"])


def test_pq_14_a_tie_costs_each_one() -> None:
    played = duel(weapons=True)
    assert hit(played, [1, 1, 3, 3], weapon=True, weakness="dee.slow") == {"attacker": 1, "defender": 1}
    assert [(wound.who, wound.amount, wound.defending) for wound in played.state.wounds] == [
        ("dee", 1, True), ("bo", 1, False),
    ]
    assert "take_on_the_chin" not in played.offered("bo"), "only a defender’s damage is cancelled"
    played.act("bo", "take_damage", spread={"bo.sword": 1})
    played.act("dee", "take_damage", spread={"dee.claws": 1})
    assert played.state.acting == ("dee",)


def test_pq_14_a_tie_with_a_target_number_costs_each_one() -> None:
    played = duel(defence="stand")
    assert hit(played, [1, 2]) == {"attacker": 1, "defender": 1}


def test_pq_14_a_lower_attack_has_no_effect() -> None:
    played = duel()
    assert hit(played, [1, 1, 4, 4]) == {"attacker": 0, "defender": 0}
    assert played.state.acting == ("dee",)


def test_pq_14_what_adds_to_the_damage() -> None:
    assert hit(duel(), [1, 1, 1, 1])["defender"] == 4
    assert hit(duel(weapons=True), [1, 1, 1, 1], weapon=True)["defender"] == 4 + 2
    lines = [{"kind": "upshift", "amount": 3, "reason": "From above"}]
    assert hit(duel(), [1, 1, 1, 1, 1, 1], lines=lines)["defender"] == 10 - 2 + 2
    surprised = duel(contestants=sides("bo", dee={"unaware": True}))
    assert hit(surprised, [1, 1, 1, 1])["defender"] == 4 + 1
    assert hit(duel(), [1, 1, 1, 1], weakness="dee.slow")["defender"] == 4 + 2


def test_pq_14_a_weakness_counts_at_the_first_damage_only() -> None:
    played = duel()
    assert hit(played, [1, 1, 2, 3], weakness="dee.slow")["defender"] == 1 + 2
    played.act("dee", "take_damage", spread={"dee.claws": 2, "dee.slow": 1})
    assert played.who("dee").out
    played = duel(EVE)
    assert hit(played, [1, 1, 2, 3], weakness="dee.slow")["defender"] == 3
    played.act("dee", "take_on_the_chin", trait="dee.claws")
    pass_until(played, "bo")
    played.act("bo", "attack", targets=["dee"], qualities=["bo.sword"])
    assert "weakness" not in (played.offer("dee", "defend").options or {})
    assert "call_weakness" not in played.offered("")


def test_pq_14_the_gm_may_call_a_weakness() -> None:
    played = duel()
    played.act("bo", "attack", targets=["dee"], qualities=["bo.sword"])
    played.act("", "call_weakness", who="dee")
    assert played.act("dee", "defend", [1, 1, 1, 1])["hits"][0]["damage"]["defender"] == 4 + 2


def test_pq_14_damage_of_one_moment_lands_when_all_have_acted() -> None:
    played = Table([BO, CY], contestants=sides("bo", foes=("cy",)))
    played.act("bo", "attack", targets=["cy"], qualities=["bo.sword"])
    played.act("cy", "defend", [6, 6, 1, 1])
    assert (played.state.phase, played.state.acting) == (Phase.TURN, ("cy",))
    played.act("cy", "attack", targets=["bo"], qualities=["cy.sword"])
    played.act("bo", "defend", [6, 6, 1, 1])
    assert played.state.phase is Phase.DAMAGE
    played.act("cy", "take_damage", spread={"cy.sword": 4})
    played.act("bo", "take_damage", spread={"bo.sword": 4})
    assert (played.state.over, played.state.winner) == (True, "")


def test_pq_15_on_the_chin_cancels_an_attack_once_a_scene() -> None:
    firm = sheet("Dee", claws=1, pride=1, slow=-1)
    played = Table([BO, firm, EVE], contestants=sides("bo", foes=("dee", "eve")))
    assert hit(played, [6, 6, 1, 1])["defender"] == 14
    assert played.options("dee", "take_on_the_chin", "trait") == ["dee.claws", "dee.pride"]
    result = played.act("dee", "take_on_the_chin", trait="dee.claws")
    assert (result["damage"], result["cancelled"]) == (1, 14)
    assert played.last is not None
    assert played.last.effects == (Damage("dee.claws", 1), Spend("dee", "chin", 1))
    assert not played.who("dee").out
    pass_until(played, "bo")
    hit(played, [6, 6, 1, 1])
    assert played.offered("dee") == {"take_damage"}, "Pride is good, but once is all"


def test_pq_15_needs_a_quality_at_good_now() -> None:
    played = Table([BO, sheet("Dee", slow=-1)], contestants=sides("bo"))
    hit(played, [6, 6, 1, 1])
    assert played.offered("dee") == {"take_damage"}


def test_pq_16_damage_is_spread_exactly_over_any_qualities() -> None:
    tough = sheet("Dee", claws=2, pride=1, slow=-1)
    played = Table([BO, tough], contestants=sides("bo", bo={"surprises": True}))
    assert hit(played, [1, 2, 1, 1])["defender"] == 5
    for spread in ({}, {"dee.claws": 4}, {"dee.claws": 4, "dee.pride": 2}):
        with pytest.raises(BadMove, match="exactly 5"):
            played.act("dee", "take_damage", spread=spread)
    with pytest.raises(BadMove, match="can lose 4"):
        played.act("dee", "take_damage", spread={"dee.claws": 5})
    with pytest.raises(BadMove, match="Choose from these"):
        played.act("dee", "take_damage", spread={"bo.sword": 5})
    played.act("dee", "take_damage", spread={"dee.claws": 3, "dee.pride": 2})
    dee = played.sheets["dee"]
    assert [trait.now for trait in dee.traits] == [-1, -1, -1]
    assert not played.who("dee").out


def test_pq_16_below_poor_in_one_is_out_of_action() -> None:
    played = duel(EVE)
    assert hit(played, [1, 1, 2, 3])["defender"] == 1
    played.act("dee", "take_damage", spread={"dee.slow": 1})
    assert played.who("dee").out
    assert "out of action" in played.text("PQ-16")
    assert "dee" not in played.state.acting
    pass_until(played, "bo")
    assert played.options("bo", "attack", "targets") == ["eve"]


def test_pq_16_more_damage_than_can_be_lost_takes_all() -> None:
    played = duel(EVE)
    assert hit(played, [6, 6, 1, 1])["defender"] == 14
    with pytest.raises(BadMove, match="exactly 4"):
        played.act("dee", "take_damage", spread={"dee.claws": 3})
    result = played.act("dee", "take_damage", spread={"dee.claws": 3, "dee.slow": 1})
    assert (result["damage"], result["placed"], result["out"]) == (14, 4, True)


def test_pq_16_who_has_no_quality_is_out_at_the_first_damage() -> None:
    played = Table([BO, sheet("Dee")], contestants=sides("bo"))
    hit(played, [1, 1, 1, 1])
    played.act("dee", "take_damage")
    assert played.who("dee").out


def test_pq_16_a_lowered_strength_is_no_weakness() -> None:
    strong = Sheet("dee", "Dee", (trait("dee.claws", 1, damage=2),))
    assert strong.traits[0].now == -1
    played = Table([BO, strong], contestants=sides("bo"))
    played.act("bo", "attack", targets=["dee"], qualities=["bo.sword"])
    assert "weakness" not in (played.offer("dee", "defend").options or {})


def test_pq_16_a_quality_below_poor_can_not_be_applied() -> None:
    broken = Sheet("dee", "Dee", (DEE.traits[0], trait("dee.slow", -1, damage=1)))
    played = Table([BO, broken, EVE], contestants=sides("bo", foes=("dee", "eve")))
    played.act("", "bring_back", who="dee")
    played.act("bo", "attack", targets=["dee"], qualities=["bo.sword"])
    assert played.options("dee", "defend", "qualities") == ["dee.claws"]


def test_pq_16_the_gm_takes_out_and_brings_back() -> None:
    played = duel(EVE)
    played.act("", "take_out", who="dee", words="The floor gives way")
    assert played.who("dee").out
    played.act("", "bring_back", who="dee", words="She climbs out")
    assert not played.who("dee").out
    pass_until(played, "eve")
    played.act("eve", "pass")
    assert (played.state.round, "dee" in played.state.order[-1]) == (2, True)


def down(played: Table) -> None:
    """Dee is out, and where nobody is left to fight on the GM has said that no weakness bore on it."""
    hit(played, [1, 1, 2, 3])
    played.act("dee", "take_damage", spread={"dee.slow": 1})
    if played.state.phase is Phase.RULING:
        played.act("", "rule_weakness", answer=NO)


def test_pq_17_killing_is_free_but_only_of_those_out_before_the_turn() -> None:
    played = Table([ADA, BO, DEE, EVE], contestants=sides("bo", "ada", foes=("dee", "eve")))
    played.act("ada", "pass")
    down(played)
    assert "kill" not in played.offered("eve"), "nobody kills on their own side"
    pass_until(played, "ada")
    played.act("ada", "kill", target="dee", words="Without a word")
    assert played.who("dee").killed
    assert played.state.acting == ("ada",), "the turn is not spent"
    assert "kill" not in played.offered("ada")
    assert "bring_back" not in played.offered("")


def test_pq_17_who_goes_out_during_a_turn_is_safe_in_it() -> None:
    played = Table([BO, CY, DEE, EVE], contestants=sides("bo", "cy", foes=("dee", "eve")))
    assert played.state.acting == ("bo", "cy")
    played.act("", "take_out", who="dee")
    assert "kill" not in played.offered("cy")
    pass_until(played, "eve")
    played.act("eve", "pass")
    assert "kill" in played.offered("cy")


def test_pq_17_or_it_is_asked_at_the_start() -> None:
    more = {"bo": {"player": True}, "eve": {"player": True, "intent": "incapacitate"}}
    played = duel(EVE, killing="asked", contestants=sides("bo", foes=("dee", "eve"), **more))
    assert (played.state.phase, played.state.undecided) == (Phase.INTENT, ("bo",))
    with pytest.raises(BadMove, match="First Bo must say"):
        played.act("bo", "pass")
    played.act("bo", "intent", intent="kill")
    down(played)
    assert played.who("dee").killed
    pass_until(played, "bo")
    assert "kill" not in played.offered("bo")


def test_pq_17_who_means_to_spare_does_not_kill() -> None:
    played = duel(EVE, killing="asked", contestants=sides("bo", foes=("dee", "eve"), bo={"player": True}))
    played.act("bo", "intent", intent="incapacitate")
    down(played)
    assert played.who("dee").out
    assert not played.who("dee").killed


def test_pq_17_the_last_foe_can_be_spared_or_killed() -> None:
    for killing in ("free", "asked"):
        played = duel(killing=killing)
        down(played)
        assert (played.state.phase, played.state.over) == (Phase.AFTERMATH, False)
        assert played.offered("bo") == {"end_here", "kill"}
        assert not played.offered("dee")
        with pytest.raises(BadMove, match="End it here, or kill"):
            played.act("bo", "pass")
        played.act("bo", "kill", target="dee", words="For the mill")
        assert (played.state.over, played.state.winner, played.who("dee").killed) == (True, "heroes", True)
        assert played.sheets["dee"].dead, "it is on the sheet"


def test_pq_17_the_last_of_the_players_can_be_killed_by_npcs() -> None:
    played = Table([BO, DEE], contestants=sides("dee", foes=("bo",), bo={"surprises": True}, dee={"player": True}))
    down(played)
    assert played.offered("bo") == {"end_here", "kill"}
    played.act("bo", "end_here", words="They have had enough")
    assert (played.state.over, played.state.winner, played.who("dee").killed) == (True, "foes", False)
    assert "Dee lives" in played.text("PQ-17")


def test_pq_17_each_of_several_may_be_killed_before_it_ends() -> None:
    played = duel(EVE)
    played.act("", "take_out", who="eve")
    down(played)
    played.act("bo", "kill", target="eve")
    assert played.state.phase is Phase.AFTERMATH
    assert played.options("bo", "kill", "target") == ["dee"]
    played.act("", "bring_back", who="dee")
    assert (played.state.phase, played.state.sides_standing) == (Phase.TURN, ("heroes", "foes"))


def test_pq_17_the_gm_rules_a_death() -> None:
    played = duel(EVE)
    down(played)
    with pytest.raises(BadMove):
        played.act("", "kill", target="eve")
    played.act("", "kill", target="dee", words="Bled out")
    assert played.sheets["dee"].dead and played.who("dee").killed
    assert "The GM rules that Dee dies" in played.text("PQ-17")


def test_pq_17_the_gm_says_what_npcs_mean() -> None:
    played = duel(EVE, killing="asked", contestants=sides("bo", foes=("dee", "eve"), dee={"player": True}))
    assert "intents" not in played.offered("bo")
    assert played.options("", "intents", "who") == ["bo", "eve"]
    with pytest.raises(BadMove, match="at least one"):
        played.act("", "intents", who=[], intent="kill")
    played.act("dee", "intent", intent="incapacitate")
    played.act("", "intents", who=["bo"], intent="kill")
    down(played)
    assert played.sheets["dee"].dead, "Bo meant to"


def test_pq_17_the_dead_stay_out_of_conflicts() -> None:
    dead = replace(DEE, dead=True)
    with pytest.raises(BadMove, match="Dee is dead"):
        Table([BO, dead, EVE], contestants=sides("bo", foes=("dee", "eve")))


def test_pq_16_who_is_out_takes_part_as_such() -> None:
    broken = Sheet("dee", "Dee", (DEE.traits[0], trait("dee.slow", -1, damage=1)))
    with pytest.raises(BadMove, match=r"Dee is out of action until .*Slow fell below Poor\. .*Two sides"):
        Table([BO, broken], contestants=sides("bo"))
    played = Table([BO, broken, EVE], contestants=sides("bo", foes=("dee", "eve")))
    assert played.who("dee").out and not played.who("eve").out
    assert "Dee is out of action from before" in played.text("PQ-16")
    assert played.options("bo", "attack", "targets") == ["eve"]
    assert played.options("bo", "kill", "target") == ["dee"]


@pytest.mark.parametrize(("harm", "unit"), [("failure", "failure ranks"), ("damage", "wounds")])
def test_pq_17_what_damage_means_is_in_every_damage(harm: str, unit: str) -> None:
    played = duel(EVE, harm=harm)
    hit(played, [1, 1, 1, 2], weakness="dee.slow")
    assert f"3 {unit}, +2 for a weakness at the first damage; 5 {unit} in all." in played.text("PQ-14")
    view = KIND.view(played.state, played.sheets, Perspective())
    assert f"Dee has 5 {unit} to assign." in view.facts
    assert played.offer("dee", "take_damage").help.startswith(f"Assign 5 {unit}, 4 of which")
    assert f"instead of 5 {unit}" in played.offer("dee", "take_on_the_chin").help
    played.act("dee", "take_on_the_chin", trait="dee.claws")
    failed = harm == "failure"
    assert played.last is not None and played.last.effects == (Damage("dee.claws", 1, failed), Spend("dee", "chin", 1))
    assert played.last.result["harm"] == harm
    pass_until(played, "bo")
    hit(played, [1, 1, 2, 3])
    played.act("dee", "take_damage", spread={"dee.claws": 1})
    assert f"Dee takes 1 {unit[:-1]}" in played.text("PQ-16")
    assert played.sheets["dee"].traits[0].failures == 2 * failed
    (_, dee, _) = KIND.view(played.state, played.sheets, Perspective()).detail.participants
    assert dee.qualities[0].harm == f"2 {unit}"


def test_pq_16_placing_damage_says_what_it_does_before() -> None:
    tough = sheet("Dee", claws=2, pride=1)
    played = Table([BO, tough], contestants=sides("bo", bo={"surprises": True}))
    hit(played, [1, 2, 1, 1])
    assert "Up to 5 can be assigned with Dee still in action." in played.offer("dee", "take_damage").help
    said = [words for _, words in (played.offer("dee", "take_damage").options or {})["spread"]]
    assert said == ["Dee.Claws, Expert [+4]: 4 here is out of action", "Dee.Pride, Good [+2]: 3 here is out of action"]

    def forecast(**spread: int) -> str:
        given = {"spread": {f"dee.{name}": ranks for name, ranks in spread.items()}}
        ((words, _),) = KIND.forecast(played.state, played.sheets, "dee", "take_damage", given)
        return words

    assert forecast(claws=3) == "Dee stays in action, with 2 still to assign"
    assert forecast(claws=3, pride=2) == "Dee stays in action"
    assert forecast(claws=4, pride=1) == "This takes Dee out of action"
    assert forecast(claws=3, pride=3) == "This takes Dee out of action: 1 too many"


def test_pq_16_what_fits_exactly_is_not_said_to_be_too_much() -> None:
    lines = sides("bo", foes=("dee", "eve"), bo={"surprises": True})
    played = Table([BO, sheet("Dee", claws=2), EVE], contestants=lines)
    assert hit(played, [1, 1, 1, 1])["defender"] == 4, "just what Claws can lose"
    help_ = "Assign 4 wounds. This takes Dee out of action, wherever you assign it."
    assert played.offer("dee", "take_damage").help == help_


def test_pq_16_damage_beyond_all_says_that_it_takes_out() -> None:
    played = duel(EVE)
    hit(played, [1, 1, 1, 1])
    assert played.offer("dee", "take_damage").help.endswith("This takes Dee out of action, wherever you assign it.")
    assert KIND.forecast(played.state, played.sheets, "dee", "take_damage", {})[0][0].startswith("Dee stays")


def test_pq_17_placing_damage_says_who_would_die() -> None:
    played = duel(EVE, killing="asked", contestants=sides("bo", foes=("dee", "eve"), bo={"intent": "kill"}))
    hit(played, [1, 1, 2, 3])
    given = {"spread": {"dee.slow": 1}}
    assert KIND.forecast(played.state, played.sheets, "dee", "take_damage", given)[0][0] == "This kills Dee"


def test_it_ends_when_one_side_stands() -> None:
    played = duel()
    down(played)
    played.act("", "kill", target="dee")
    assert (played.state.over, played.state.winner) == (True, "heroes")
    assert KIND.is_over(played.state)
    assert KIND.offers(played.state, played.sheets) == ()
    with pytest.raises(BadMove, match="is over"):
        played.act("bo", "pass")


def test_the_gm_ends_it() -> None:
    played = duel()
    played.act("", "end", words="The bridge burns")
    assert (played.state.over, played.state.winner) == (True, "")
