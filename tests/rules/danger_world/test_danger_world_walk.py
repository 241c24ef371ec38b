"""Any legal play of a check goes on, is stored and read back, and never leaves what a sheet can hold."""
from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules import contract
from rules.codec import canonical
from rules.fields import Allocation, Field, Listing, Text, Whole
from rules.moves import Need
from rules.procedure import ActResult, Offer
from rules.systems.danger_world.table.state import State
from rules.values import BadMove
from tests.effort import tries
from tests.rules.danger_world.at_table import KIND, Played, a_sheet, detail_of, with_line

STEPS = 14
ON = ("roll", "reroll", "use", "heal", "benefit", "pay")  # half of all acts lead on where they can


def filled(draw: Any, offer: Offer) -> dict[str, Any]:
    """Something for each field of an offer, as a form would send it."""
    return {field.name: value for field in offer.fields if (value := _value(draw, field, offer)) is not None}


def _value(draw: Any, field: Field, offer: Offer) -> Any:
    options = [pk for pk, _ in (offer.options or {}).get(field.name, ())]
    if isinstance(field, Listing):
        few = 2 if field.name == "stats" else 0
        most = max(few, min(4, len(options)))
        return draw(st.lists(st.sampled_from(options), unique=True, min_size=few, max_size=most)) if options else []
    if isinstance(field, Allocation):
        return {draw(st.sampled_from(options)): draw(st.integers(0, 2))} if options else {}
    if isinstance(field, Whole):
        return draw(st.integers(field.least, min(field.most, field.least + 3)))
    if isinstance(field, Text):
        return draw(st.sampled_from(options)) if options else draw(st.sampled_from(["", "Some words"]))
    return None


@settings(max_examples=tries(25, 1000))
@given(st.data())
def test_any_legal_play_goes_on_and_can_be_replayed(data: Any) -> None:
    draw = data.draw
    sheet = with_line(a_sheet(), "danger level", value=draw(st.integers(1, 23)))
    sheet = with_line(with_line(sheet, "born on the roofs", value=draw(st.integers(0, 3))), "bashed",
                      damage=draw(st.integers(0, 3)))
    earlier = Played(a_sheet(), difficulty="4")
    earlier.do("complicate", gm=True, dice=2, why="A watchman")
    play = Played(sheet, a_sheet("Tamsin, reasoning 3"), difficulty=draw(st.sampled_from("23456")),
                  keywords="dark, loud", move=draw(st.sampled_from(["", "healing", "aid_another", "fighting"])),
                  threat=draw(st.integers(0, 2)), general=draw(st.integers(0, 3)), kept=draw(st.integers(0, 3)),
                  past=[earlier] if draw(st.booleans()) else [])
    for _ in range(STEPS):
        offers = KIND.offers(play.state, play.sheets)
        if not offers:
            assert KIND.is_over(play.state)
            return
        offer = draw(st.sampled_from([offer for offer in offers if offer.action in ON] or offers)
                     if draw(st.booleans()) else st.sampled_from(offers))
        if offer.action == "end" and draw(st.integers(0, 9)):
            continue
        asked = filled(draw, offer)
        faces: list[int] = []
        try:
            turn = KIND.act(play.state, play.sheets, offer.by, offer.action, asked, ())
            while isinstance(turn, Need):
                faces += [draw(st.integers(1, sides)) for sides in turn.sides]
                turn = KIND.act(play.state, play.sheets, offer.by, offer.action, asked, tuple(faces))
        except BadMove as refused:
            assert refused.sentence.endswith(".")
            continue
        assert turn.outcome.steps and all(step.rule.startswith("DW-") for step in turn.outcome.steps)
        play.take(turn)
        resolved_anew(play.state, turn, faces)
        assert all(trait.damage >= 0 and (trait.kind != "boxes" or trait.now >= 0)
                   for one in play.sheets.values() for trait in one.traits)
        detail_of(play)


def resolved_anew(state: State, turn: ActResult[Any], thrown: list[int]) -> None:
    """What the trail keeps of a check is what the contract answers, and what the check says came of it.

    Dice that choose which stat an injury lowers are no check, and the contract takes 40 threat dice at most.
    """
    action, pool = turn.outcome.result["action"], state.pool
    used = action == "use" or (action == "stand" and state.height is not None)
    tells = (used or action in ("roll", "reroll")) and pool is not None and max(pool.action, pool.threat) <= 40
    assert len(turn.outcome.rolls) == tells, action
    assert tells or not thrown or action == "pay" or (pool and pool.threat > 40)
    for roll in turn.outcome.rolls:
        answer = contract.resolve({"move": roll.move, "given": roll.given, "dice": list(roll.dice)})
        assert canonical(answer["result"]) == canonical(roll.result)
        assert not thrown or list(roll.dice[-len(thrown):]) == thrown
        height = max(state.sets, default=0) if state.height is None else state.height
        rounds = answer["result"]["rounds"]
        assert {**state.settled(height).result, "rounds": rounds} == answer["result"]
        assert (tuple(rounds[-1]), len(rounds)) == (state.faces, state.rounds + 1)
        assert not used or answer["result"]["botches"] == turn.outcome.result["botches"] == state.botches
