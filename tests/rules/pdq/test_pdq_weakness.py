"""Whether a weakness bears on first damage: the GM says it, also after the dice (PQ-14)."""
from __future__ import annotations

from rules.systems.pdq.conflict.state import Phase
from rules.systems.pdq.harm import weak_before
from tests.rules.pdq.test_pdq_conflict import pass_until
from tests.rules.pdq.test_pdq_damage import EVE, duel, hit
from tests.rules.pdq.walking import KIND


def test_pq_14_the_gm_says_after_the_dice_whether_a_weakness_bears_on_first_damage() -> None:
    for placed in (False, True):
        played = duel(EVE)
        assert hit(played, [1, 1, 2, 3])["defender"] == 1
        asked = [ask for ask in KIND.asks(played.state, played.sheets) if ask.action == "rule_weakness"]
        assert asked and asked[0].waits and asked[0].by == ""
        if placed:
            played.act("dee", "take_damage", spread={"dee.claws": 1})
        played.act("", "rule_weakness", answer="yes")
        wounds = [wound.amount for wound in played.state.wounds]
        assert wounds == ([2] if placed else [3])
        assert not [ask for ask in KIND.asks(played.state, played.sheets) if ask.action == "rule_weakness"]


def test_pq_14_no_is_an_answer_and_it_is_asked_once_a_scene() -> None:
    played = duel(EVE)
    hit(played, [1, 1, 2, 3])
    played.act("", "rule_weakness", answer="no")
    assert [wound.amount for wound in played.state.wounds] == [1] and not played.state.doubts
    played.act("dee", "take_damage", spread={"dee.claws": 1})
    pass_until(played, "bo")
    hit(played, [1, 1, 2, 3])
    assert "rule_weakness" not in played.offered("")
    tied, said = duel(), duel()
    assert hit(tied, [1, 1, 3, 3]) == {"attacker": 1, "defender": 1} and not tied.state.doubts
    assert hit(said, [1, 1, 1, 1], weakness="dee.slow") and not said.state.doubts


def test_pq_14_the_last_one_standing_waits_for_it_too() -> None:
    played = duel()
    played.act("bo", "attack", targets=["dee"], qualities=["bo.sword"])
    played.act("dee", "defend", [1, 1, 2, 3])
    assert played.state.doubts
    played.act("dee", "take_damage", spread={"dee.claws": 1})
    played.act("", "take_out", who="bo", words="")
    assert played.state.phase is Phase.RULING and not played.state.over
    assert "GM" in KIND.refusal(played.state, "dee")
    played.act("", "rule_weakness", answer="no")
    assert played.state.phase is Phase.AFTERMATH


def test_pq_14_who_is_put_out_first_does_not_answer_it_for_the_gm() -> None:
    for answer, known in (("yes", True), ("no", False)):
        played = duel()
        hit(played, [6, 6, 1, 1])
        (wound,) = played.state.wounds
        offer = next(offer for offer in KIND.offers(played.state, played.sheets) if offer.action == "take_damage")
        played.act("dee", "take_damage", **(offer.now or {}))
        assert played.state.contestant("dee").out and wound.who == "dee"
        assert played.state.phase is Phase.RULING and not played.state.over, "the GM has not said it yet"
        asked = next(offer for offer in KIND.offers(played.state, played.sheets) if offer.action == "rule_weakness")
        assert [words for _, words in (asked.options or {})["answer"]] == ["Yes", "No"], "nothing more is to be lost"
        played.act("", "rule_weakness", answer=answer)
        assert not played.state.wounds and not played.state.doubts
        assert weak_before(played.sheets["dee"]) is known
        assert played.state.phase is Phase.AFTERMATH


def test_pq_15_of_an_attack_that_is_taken_on_the_chin_nobody_asks_for_a_weakness() -> None:
    played = duel(EVE)
    hit(played, [1, 1, 2, 3])
    assert "rule_weakness" in played.offered("")
    firm = next(offer for offer in KIND.offers(played.state, played.sheets) if offer.action == "take_on_the_chin")
    played.act("dee", "take_on_the_chin", trait=(firm.options or {})["trait"][0][0])
    assert not played.state.wounds and not played.state.doubts
    assert "rule_weakness" not in played.offered("")
    assert not [ask for ask in KIND.asks(played.state, played.sheets) if ask.action == "rule_weakness"]
