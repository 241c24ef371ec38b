"""The matrix: each cell is the fraction that the contract answers; a change moves its row; players see none of it."""
from __future__ import annotations

import json
import re
import uuid
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from campaigns.access import Viewer
from campaigns.models import Entry
from campaigns.services.founding import found
from play import matrix
from play.contexts.matrix import matrix_row
from play.models import AskedRoll, MatrixLimits, PrepItem
from play.services import bank, library, pending_modifiers
from rules import contract, prep, quick_lines
from rules.approaches import NOTHING, Approach, best, chance_of
from rules.registry import SYSTEMS
from rules.registry import kind_of as move_of
from rules.sheet import Sheet, Trait
from tests.play.conftest import body, character

pytestmark = pytest.mark.django_db


def at(campaign: Any, more: str = "") -> str:
    return f"/c/{campaign.slug}/prepare/matrix/{more}"


def party(campaign: Any, count: int = 2) -> list[Any]:
    """So many player characters, made of the game's own NPC starters."""
    rules, owner = campaign.rules, campaign.members.get(role="owner")
    lines = [each for each in rules.starters if each.kind == "npc"]
    made = []
    for number in range(count):
        said = quick_lines.read(lines[number % len(lines)].line, rules, "npc")
        _, drafts = rules.sheet.from_line(said.line)
        made.append(character(
            campaign, owner, f"Hero {number}",
            [(each.kind, each.name, each.value) for each in drafts if not each.within], player=owner))
    return made


def stocked(alice: Any, slug: str) -> Any:
    """A campaign with all of the game's starters, and a party."""
    campaign = found(user=alice, op_id=uuid.uuid4(), name=f"Matrix of {slug}", system=slug)
    lines = [quick_lines.read(each.line, campaign.rules, each.kind) for each in campaign.rules.starters]
    library.add(campaign=campaign, actor=campaign.members.get(), op_id=uuid.uuid4(), lines=lines)
    campaign.refresh_from_db()
    party(campaign)
    return campaign


@pytest.mark.parametrize("slug", SYSTEMS)
def test_each_cell_is_the_fraction_that_the_contract_answers(as_alice: Client, alice: Any, slug: str) -> None:
    campaign = stocked(alice, slug)
    viewer = Viewer(campaign, campaign.members.get(role="owner"))
    rows, _ = matrix.prepared(viewer)
    assert len(rows) >= 4
    page = as_alice.get(at(campaign)).content.decode()
    for row in rows:
        assert row.obstacle.name in page
        for each in matrix.people(viewer):
            cell = matrix.way_of(viewer, each, row.obstacle.values)
            assert cell is not None, row.obstacle
            ways = campaign.rules.rolls.approaches(each.sheet(), row.obstacle.values, campaign.settings)
            by_way = {
                way: [json.loads(json.dumps(contract.odds({"move": way.move, "given": dict(way.given), "of": way.of})))]
                for way in ways}
            chances = {way: sum(Fraction(odds["odds"].get(contract.key_of(win), 0)) for win in way.wins)
                       for way, (odds,) in by_way.items()}
            assert cell.chance == chances[cell.way] == max(chances.values())
    assert "No chance is known" not in page
    assert slug != "questworlds" or "17, raised" in page


def test_wounds_count_and_lower_the_best(alice: Any) -> None:
    campaign = stocked(alice, "pdq")
    viewer = Viewer(campaign, campaign.members.get(role="owner"))
    hero = matrix.people(viewer)[0]
    values = {"difficulty": "good"}
    before = matrix.best_way(campaign, hero.sheet(), values)
    hero.traits.update(damage=2)
    after = matrix.best_way(campaign, matrix.people(viewer)[0].sheet(), values)
    assert before and after and before.chance == Fraction(7, 12) > after.chance


def test_what_waits_for_the_next_roll_counts_and_the_roll_that_is_asked_for_has_the_same_chance(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, doors: PrepItem, ilse: Any
) -> None:
    def shown() -> str:
        return re.sub(r"<[^>]*>", "", as_alice.get(at(campaign)).content.decode())

    before = shown()
    assert "83.3" in before and "the leap over the well" not in before
    pending_modifiers.give(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, kind="badass",
                           reason="the leap over the well")
    assert "97.2" in shown() and "the leap over the well" in shown()
    as_alice.post(at(campaign, "ask/"), body(cell=f"{ilse.pk}:{doors.pk}:0"))
    asked = AskedRoll.objects.get()
    tray = as_bob.get(f"/c/{campaign.slug}/?asked={asked.pk}").content.decode()
    assert "97.2" in tray and "83.3" not in tray


def test_ps_04_one_idiom_counts_with_the_forte_that_it_goes_with() -> None:
    rules = SYSTEMS["pdq_sharp"]
    fencing, sailing = Trait("1", "forte", "Fencing", 2), Trait("2", "forte", "Sailing", 2)
    flashy = Trait("3", "technique", "Flashy", 1, parent="1")
    grim, saber = Trait("4", "technique", "Grim", 1, parent="1"), Trait("5", "technique", "Saber", 5)

    def ways(*lines: Trait) -> dict[str, Approach]:
        found = rules.rolls.approaches(Sheet("0", "Molly", lines), {"difficulty": "expert"}, rules.read_settings({}))
        return {each.label: each for each in found}

    alone, both = ways(fencing, sailing, saber), ways(fencing, sailing, saber, flashy, grim)
    assert set(alone) == {"Fencing", "Sailing", NOTHING} == set(both), "a technique alone is no way"
    assert alone["Fencing"].given["bonus_dice"] == 0 and both["Sailing"].given == alone["Sailing"].given
    assert both["Fencing"].given["bonus_dice"] == 1 and both["Fencing"].lines == ("Fencing", "Flashy")
    assert best(both.values(), move_of) and chance_of(both["Fencing"], move_of) > chance_of(alone["Fencing"], move_of)


def test_qw_60_what_lasts_counts_where_it_touches_the_ability() -> None:
    rules = SYSTEMS["questworlds"]
    rope = Trait("1", "ability", "Rope", 17)
    hurt = Trait("2", "consequence", "Burned hand", 1, note="rope. From: The fire")

    def chance(*lines: Trait) -> Fraction:
        ways = rules.rolls.approaches(Sheet("0", "Sefa", lines), {"resistance": "14"}, rules.read_settings({}))
        found = best(ways, move_of)
        assert found is not None and found.way.label == "Rope"
        return found.chance

    assert chance(rope) > chance(rope, hurt)
    assert chance(rope) == chance(rope, replace(hurt, note="singing. From: The fire"))


@pytest.fixture
def doors(campaign: Any, alices: Any, scene: Any) -> PrepItem:
    """A prepared door, with a scene that is on: Ilse is Bob's."""
    bank.write(campaign=campaign, actor=alices, op_id=uuid.uuid4(), type="resistance", name="A locked door",
               fields={"difficulty": "good"})
    campaign.refresh_from_db()
    return PrepItem.objects.get()


def test_changing_how_hard_it_is_moves_the_row_and_one_entry_keeps_it(
    as_alice: Client, campaign: Any, doors: PrepItem
) -> None:
    row = at(campaign, f"{doors.pk}/0/")
    page = as_alice.get(at(campaign)).content.decode()
    assert "Maps" in page and "good 9" in page
    looked = as_alice.get(row, {"look": "1", "difficulty": "number", "difficulty_number": "15"},
                          headers={"HX-Request": "true"})
    shown = looked.content.decode()
    assert "<del>good 9</del>" in shown and "15" in shown and 'class="was"' in shown and "<html" not in shown
    assert bank.spec_of(PrepItem.objects.get()) == {"difficulty": "good"}
    before = Entry.objects.count()
    assert as_alice.post(row, body(difficulty="number", difficulty_number="15")).status_code == 302
    assert bank.spec_of(PrepItem.objects.get()) == {"difficulty": 15} and Entry.objects.count() == before + 1
    refused = as_alice.post(row, body(difficulty="number", difficulty_number="1500"))
    assert refused.status_code == 422 and "1500" in refused.content.decode()


def test_easy_and_hard_are_said_in_words_and_the_limits_are_a_setting(
    as_alice: Client, as_bob: Client, campaign: Any, doors: PrepItem
) -> None:
    page = as_alice.get(at(campaign)).content.decode()
    assert "▽ easy" in page and "All 1<" in page and "▽ Easy 1<" in page and "▲ Hard 0<" in page
    assert doors.name in as_alice.get(at(campaign, "?tone=easy")).content.decode()
    none = as_alice.get(at(campaign, "?tone=hard&who=x")).content.decode()
    assert doors.name not in none and "Nothing here is hard" in none and "?tone=easy&amp;who=x" in none
    assert as_alice.post(at(campaign), body(easy="99", hard="98")).status_code == 302
    assert "▲ hard" in as_alice.get(at(campaign)).content.decode()
    assert as_alice.post(at(campaign), body(easy="10", hard="20")).status_code == 422
    assert MatrixLimits.objects.get().easy == 99
    assert as_bob.get(at(campaign)).status_code == 404


def test_a_cell_asks_its_player_for_the_roll(as_alice: Client, campaign: Any, doors: PrepItem, ilse: Any) -> None:
    cell = f"{ilse.pk}:{doors.pk}:0"
    assert f'value="{cell}"' in as_alice.get(at(campaign)).content.decode()
    assert as_alice.post(at(campaign, "ask/"), body(cell=cell)).status_code == 302
    asked = AskedRoll.objects.get()
    assert (asked.character_id, asked.what) == (ilse.pk, "A locked door") and "Maps" in asked.lines
    for wrong in ("", "a:b:c", f"{ilse.pk}:{uuid.uuid4()}:0", f"{ilse.pk}:{doors.pk}:9"):
        refused = as_alice.post(at(campaign, "ask/"), body(cell=wrong))
        assert refused.status_code == 422
        assert f'href="{at(campaign)}?tone=easy"' in refused.content.decode(), "its links lead back to the matrix"


@pytest.mark.parametrize("slug", SYSTEMS)
def test_a_step_harder_is_tried_by_a_link_and_lowers_every_chance(as_alice: Client, alice: Any, slug: str) -> None:
    campaign = stocked(alice, slug)
    viewer = Viewer(campaign, campaign.members.get(role="owner"))
    hero, fields = matrix.people(viewer)[0].sheet(), campaign.rules.rolls.obstacle
    for row in matrix.prepared(viewer)[0]:
        held = row.obstacle.values
        found = {steps: prep.harder(fields, held, steps) for steps in (-1, 1)}
        assert any(found.values())
        for steps, each in found.items():
            was, now = (matrix.best_way(campaign, hero, values) for values in (held, each[1] if each else held))
            assert was and now and (each is None or (now.chance - was.chance) * steps < 0 or now.chance in (0, 1))
    url = matrix_row(viewer, row, matrix.people(viewer), (80, 15)).steps[-1].url
    page = as_alice.get(at(campaign)).content.decode()
    assert escape(url) in page
    tried = as_alice.get(url).content.decode()
    assert "<html" in tried and "<del>" in tried and ">Save<" in tried


@pytest.mark.parametrize("slug", ["questworlds", "pnc", "danger_world"])
def test_thirty_by_six_is_quick_and_costs_no_query_more(
    as_alice: Client, alice: Any, slug: str, django_assert_max_num_queries: Any
) -> None:
    campaign = stocked(alice, slug)
    party(campaign, 4)
    item = PrepItem.objects.filter(type="challenge").first()
    assert item is not None
    PrepItem.objects.bulk_create(
        PrepItem(campaign=campaign, type="challenge", name=f"Again {n:02}", spec=item.spec) for n in range(30))
    as_alice.get(at(campaign))
    with django_assert_max_num_queries(24):
        answer = as_alice.get(at(campaign))
    assert answer.content.decode().count('<td class="cell') >= 180
