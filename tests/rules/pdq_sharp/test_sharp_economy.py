"""Style dice by the rules alone: where they go, that none is lost, what they buy (PS-34, PS-35, PS-40 to PS-46)."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.moves import Need
from rules.procedure import ActResult, CampaignContext
from rules.sheet import Damage, Gain, Lose, NewAllocation, Purse, Raise, Sheet, Trait, Transfer
from rules.systems.pdq_sharp.recovery import needs_raising, raise_fortes
from rules.systems.pdq_sharp.session import PdqSharpSession
from rules.systems.pdq_sharp.settings import answer, phrase
from rules.systems.pdq_sharp.style_dice import StyleDice
from rules.systems.pdq_sharp.style_dice.creating import rank_cost
from rules.values import BadMove
from tests.rules.pdq_sharp.people import JACKDAW, SERAFINE, hurt, sheet_of

KIND = StyleDice()
SETUP = {"contestants": [], "acclaim": "good_form", "own_acclaim": "", "misfortunes": 2}


class Table:
    """The style dice of a session, with sheets and pools that move as the effects say."""

    def __init__(self, *sheets: Sheet, bowl: int = 4, gm: int = 0) -> None:
        self.sheets = {sheet.id: sheet for sheet in sheets}
        self.pools = {"bowl": bowl, "gm_style_dice": gm}
        begun = KIND.start(SETUP, self.sheets)
        assert isinstance(begun, ActResult)
        self.plain = KIND.fold([KIND.write(event) for event in begun.events])
        self.outside = 0  # taken out of the box, less what went into it

    @property
    def state(self) -> Any:
        return KIND.with_context(self.plain, CampaignContext(tuple(self.pools.items())))

    def act(self, action: str, by: str = "", *faces: int, **said: Any) -> ActResult[Any]:
        result = KIND.act(self.state, self.sheets, by, action, said, faces)
        assert not isinstance(result, Need)
        for effect in result.effects:
            if isinstance(effect, Transfer):
                self._pay(effect.source, -effect.amount)
                self._pay(effect.target, effect.amount)
                assert effect.why
        for event in result.events:
            self.plain = KIND.evolve(self.plain, event)
        return result

    def _pay(self, purse: Purse | None, by: int) -> None:
        if purse is None:
            self.outside -= by
        elif purse.sheet:
            sheet = self.sheets[purse.sheet]
            held = {**dict(sheet.pools), purse.pool: sheet.pool(purse.pool) + by}
            assert held[purse.pool] >= 0
            self.sheets[purse.sheet] = replace(sheet, pools=tuple(held.items()))
        else:
            self.pools[purse.pool] += by
            assert self.pools[purse.pool] >= 0

    def held(self, who: str) -> int:
        return self.sheets[who].pool("style_dice")

    @property
    def in_play(self) -> int:
        return sum(self.pools.values()) + sum(sheet.pool("style_dice") for sheet in self.sheets.values())


@pytest.fixture
def table() -> Table:
    villain = replace(sheet_of("Corvin", JACKDAW), npc=True)
    return Table(sheet_of("Jackdaw", JACKDAW), sheet_of("Serafine", SERAFINE, style_dice=4), villain, gm=2)


def ways(result: ActResult[Any]) -> list[tuple[str, str, int]]:
    def side(purse: Purse | None) -> str:
        return (purse.sheet or purse.pool) if purse else "box"

    return [(side(effect.source), side(effect.target), effect.amount) for effect in result.effects
            if isinstance(effect, Transfer)]


def test_ps_40_the_bowl_begins_with_twice_the_players_and_the_gm() -> None:
    for players in range(6):
        assert PdqSharpSession().shared_start("bowl", players, {}) == 2 * (players + 1)


def test_ps_41_each_award_is_a_die_from_the_box(table: Table) -> None:
    result = table.act("award", here=["jackdaw", "serafine"], outside=["jackdaw"], hosting=["gm"])
    assert ways(result) == [("box", "jackdaw", 1), ("box", "serafine", 1), ("box", "gm_style_dice", 1),
                            ("box", "jackdaw", 1)]


def test_ps_41_awards_are_asked_for_at_the_sessions_start_alone(table: Table) -> None:
    def asked() -> list[str]:
        return [ask.action for ask in KIND.asks(table.state, table.sheets)]

    fresh = table.plain
    assert asked() == ["award"]
    table.act("gift", "serafine", to="jackdaw", dice=1, words="After you")
    assert asked() == [] and "award" in [offer.action for offer in KIND.offers(table.state, table.sheets)]
    table.plain = fresh
    table.act("no_awards")
    assert asked() == [] and "award" not in [offer.action for offer in KIND.offers(table.state, table.sheets)]
    table.act("last_call")
    assert [(ask.by, ask.action) for ask in KIND.asks(table.state, table.sheets)] == [
        ("jackdaw", "gift"), ("serafine", "gift")]


def test_ps_05_style_dice_better_a_sidekick_for_good(table: Table) -> None:
    """Prices are those of a named NPC's: a die a rank, a die a technique."""
    mare = "ember the mare"
    done = table.act("sidekick_forte", "serafine", sidekick=mare, name="Swimming", rank="1")
    assert ways(done) == [("serafine", "bowl", 2)]
    assert Gain("serafine", "sidekick_forte", "Swimming", 1, parent=mare) in done.effects
    done = table.act("sidekick_rank", "serafine", forte="horse")
    assert Raise("horse", 1) in done.effects and table.held("serafine") == 1
    done = table.act("sidekick_technique", "serafine", forte="fast", name="Location: Marsh")
    assert Gain("serafine", "sidekick_technique", "Marsh", 2, note="Fast", parent=mare) in done.effects
    assert table.held("serafine") == 0
    with pytest.raises(BadMove):
        table.act("sidekick_rank", "serafine", forte="horse")
    offered = {offer.action for offer in KIND.offers(table.state, table.sheets) if offer.by == "jackdaw"}
    assert "sidekick_forte" not in offered


def test_ps_41_form_and_plot_from_the_bowl_misfortune_from_the_box(table: Table) -> None:
    assert ways(table.act("good_form", to="jackdaw", dice=2, words="The hat")) == [("bowl", "jackdaw", 2)]
    assert ways(table.act("plot", to="serafine", words="A twin")) == [("bowl", "serafine", 1)]
    assert ways(table.act("misfortune", to="jackdaw", dice=3, words="A cell")) == [("box", "jackdaw", 3)]
    with pytest.raises(BadMove):
        table.act("good_form", to="jackdaw", dice=2, words="More than there is")


def test_ps_42_a_claim_is_worth_what_the_gm_says(table: Table) -> None:
    table.act("claim", "jackdaw", foible="vengeful", words="I struck first")
    assert [ask.action for ask in KIND.asks(table.state, table.sheets)] == ["grant"]
    assert not ways(table.act("grant", number="1", dice=0))
    table.act("offer", foible="jackdaw/vengeful", dice=1, words="Strike first")
    table.act("raise_offer", number="2", dice=3)
    assert ways(table.act("take", "jackdaw")) == [("box", "jackdaw", 3)]


def test_ps_42_the_gm_is_asked_once_about_all_claims(table: Table) -> None:
    table.act("claim", "jackdaw", foible="vengeful", words="I struck first")
    table.act("claim", "serafine", foible="unspoken love", words="I said nothing")
    (ask,) = KIND.asks(table.state, table.sheets)
    assert ask.text == "say what foibles were worth: Vengeful, Jackdaw; Unspoken love, Serafine"


def test_ps_43_a_gift_opens_the_way_from_box_to_bowl(table: Table) -> None:
    assert ways(table.act("gift", "serafine", to="jackdaw", dice=2, words="After you")) == [("serafine", "jackdaw", 2)]
    result = table.act("answer", direct=True)
    assert ways(result) == [("box", "bowl", 1), ("box", "jackdaw", 1)]
    assert KIND.why_not(table.state, table.sheets, "") and "answer" not in {offer.action for offer in KIND.offers(
        table.state, table.sheets)}


@pytest.mark.parametrize(("weight", "cost"), [("minor", 0), ("significant", 1), ("major", 2)])
def test_ps_44_facts_cost_by_their_weight(table: Table, weight: str, cost: int) -> None:
    result = table.act("fact", "serafine", weight=weight, words="A sewer")
    assert sum(amount for _, target, amount in ways(result) if target == "bowl") == cost
    assert KIND.facts(table.state)[0].stands


def test_ps_44_players_pool_for_a_fact(table: Table) -> None:
    table.sheets["jackdaw"] = replace(table.sheets["jackdaw"], pools=(("style_dice", 1),))
    assert not ways(table.act("fact", "jackdaw", weight="major", words="A sewer", pool=True))
    assert not KIND.facts(table.state)[0].stands
    assert ways(table.act("chip_in", "serafine", fact="1", dice=1)) == [("jackdaw", "bowl", 1), ("serafine", "bowl", 1)]
    assert KIND.facts(table.state)[0].stands


def test_ps_44_a_forte_costs_a_die_a_rank() -> None:
    assert [rank_cost(rank) for rank in range(4)] == [1, 2, 3, 4]


def test_ps_45_an_npc_pays_from_its_own_dice_first(table: Table) -> None:
    table.act("set_dice", to="corvin", dice=1)
    result = table.act("temporary", "corvin", type="gear", name="A warrant", rank="2")
    assert ways(result) == [("corvin", "bowl", 1), ("gm_style_dice", "bowl", 2)]


def test_ps_45_all_go_with_the_session(table: Table) -> None:
    session = PdqSharpSession()
    rich = table.sheets["serafine"]
    fame = replace(rich, traits=(*rich.traits, Trait("f", "temporary", "Fame", 1)))
    ended = session.end([fame], {"bowl": 4, "gm_style_dice": 2}, {})
    assert [effect for effect in ended.effects if isinstance(effect, Transfer)] == [
        Transfer(4, Purse("style_dice", "serafine"), None, "The session ends"),
        Transfer(4, Purse("bowl"), None, "The session ends"),
        Transfer(2, Purse("gm_style_dice"), None, "The session ends")]
    assert Lose("f") in ended.effects
    assert session.unspent([fame], {"gm_style_dice": 1}, {}) == (
        "Serafine still holds 4 style dice.", "The GM still holds 1 style die.")


def test_ps_46_the_tables_phrases() -> None:
    assert answer("Good form") == "Indeed, good form"
    assert phrase({"acclaim": "own", "own_acclaim": " "}) == "Good form"


@pytest.mark.parametrize("face", range(1, 7))
def test_ps_35_a_second_wind_is_a_die_of_ranks(table: Table, face: int) -> None:
    table.sheets["serafine"] = hurt(table.sheets["serafine"], royal_rider=4)
    result = table.act("second_wind", "serafine", face)
    assert [effect for effect in result.effects if isinstance(effect, NewAllocation)] == [
        NewAllocation("serafine", "recovery", min(face, 4), "A second wind")]
    assert ways(result) == [("serafine", "bowl", 1)]


def test_ps_49_a_poison_that_weakens_doubles_its_price(table: Table) -> None:
    ill = hurt(table.sheets["serafine"], royal_rider=4)
    table.sheets["serafine"] = replace(ill, traits=(*ill.traits, Trait("p", "poisoned", "Poison", 1)))
    assert ways(table.act("second_wind", "serafine", 3)) == [("serafine", "bowl", 2)]


def test_ps_34_raising_takes_a_die_for_each_forte_and_ends_with_a_hook() -> None:
    every = {trait.id: trait.value + 2 for trait in sheet_of("Jackdaw", JACKDAW).traits
             if trait.kind in ("motivation", "past", "swashbuckling", "forte")}
    fallen = hurt(sheet_of("Jackdaw", JACKDAW), **every)
    fallen = replace(fallen, traits=(*fallen.traits, Trait("d", "fallen", "Mostly dead", 1)))
    table = Table(fallen, sheet_of("Serafine", SERAFINE, style_dice=len(every)))
    low = [f"jackdaw/{name}" for name in every]
    result = table.act("raise", "serafine", fortes=low)
    assert ways(result) == [("serafine", "bowl", len(every))]
    assert sum(-effect.by for effect in result.effects if isinstance(effect, Damage)) == len(every)
    assert Lose("d") in result.effects
    assert any(isinstance(effect, Gain) and effect.kind == "hook" for effect in result.effects)
    some, _ = raise_fortes(fallen, list(every)[:2])
    assert len(some) == 2 and needs_raising(fallen)


def test_ps_40_no_die_is_lost_or_made_but_by_the_box(table: Table) -> None:
    whole = table.in_play
    table.act("award", here=["jackdaw"])
    table.act("gift", "serafine", to="gm", dice=1, words="Twins")
    table.act("answer", direct=False)
    table.act("fact", "serafine", weight="significant", words="A sewer")
    table.act("good_form", to="serafine", dice=1, words="The hat")
    assert table.in_play == whole + table.outside == whole + 2
