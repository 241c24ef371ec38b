"""What the matrix shows of everyone: what fits by a keyword, what could be offered, counts of rows over all pages."""
from __future__ import annotations

import re
import uuid
from itertools import islice, product
from typing import Any

import pytest
from django.test import Client

from campaigns.services.founding import found
from characters.models import Character, Pool, Trait
from characters.services import editing, npcs
from play.matrix import ROWS
from play.models import PrepItem
from play.services import bank, library
from rules.registry import SYSTEMS
from rules.system import Opposes
from tests import laid
from tests.games import SAMPLED, STOCKED
from tests.play.conftest import character
from tests.play.test_matrix import at, say, stocked, whole, words_of

pytestmark = pytest.mark.django_db


@laid.fixture
def gate(alice: Any) -> tuple[Any, PrepItem, Any]:
    """A gate with a tag, and somebody with a keyword; their campaign."""
    campaign = found(user=alice, op_id=uuid.uuid4(), name="The gate", system="questworlds")
    owner = campaign.members.get()
    ysolde = character(campaign, owner, "Ysolde", [("keyword", "Climber", 17), ("ability", "Old maps", 38)],
                       player=owner)
    by: dict[str, Any] = {"campaign": campaign, "actor": owner}
    bank.write(**by, op_id=uuid.uuid4(), type="resistance", name="Over the gate", fields={
        "situations": "By its chain: 14"})
    item = PrepItem.objects.get()
    library.tag(**by, op_id=uuid.uuid4(), thing_id=item.pk, tags=["climber"])
    campaign.refresh_from_db()
    return campaign, item, ysolde


def test_what_fits_by_its_keyword_goes_before_a_higher_number_and_nothing_fitting_is_a_value(
    as_alice: Client, gate: tuple[Any, PrepItem, Any]
) -> None:
    campaign, item, ysolde = gate
    shown = words_of(as_alice, campaign, ysolde, item)
    assert "Climber" in shown and "Old maps" not in shown, "old maps climb no gate"
    say(as_alice, campaign, item, ysolde)
    shown = words_of(as_alice, campaign, ysolde, item)
    assert re.search(r"\b6 no ability fits", shown) and "easy" not in shown and "hard" not in shown


@pytest.mark.parametrize("slug", STOCKED)
def test_what_could_be_offered_is_switched_on_and_raises_no_chance_but_by_that(
    as_alice: Client, alice: Any, slug: str
) -> None:
    campaign, boosts = stocked(alice, slug), SYSTEMS[slug].rolls.boosts
    assert boosts
    for hero in Character.objects.filter(campaign=campaign, npc=False):
        for name in ("style_dice", "points"):  # what is spent has to be there, and something to spend it on
            Pool.objects.update_or_create(campaign=campaign, character=hero, name=name, defaults={"value": 1})
        if slug == "danger_world":
            Trait.objects.create(campaign=campaign, character=hero, kind="primary", name="Born upriver", value=1,
                                 place=99)
    plain = as_alice.get(at(campaign)).content.decode()
    for boost in boosts:
        assert f">with {boost.reason}<" in plain.replace("&amp;", "&")
        raised = as_alice.get(at(campaign, f"?with={boost.kind}")).content.decode()
        pairs = list(zip(chances(plain), chances(raised), strict=True))
        assert all(now >= before for before, now in pairs), (slug, boost)
    assert any(now > before for before, now in pairs), slug


def chances(page: str) -> list[float]:
    """The percentages of a page's cells."""
    return [float(number) for number in re.findall(r'<span class="percent">([\d.]+)', page)]


def test_counts_are_of_rows_over_all_pages(as_alice: Client, alice: Any) -> None:
    campaign = stocked(alice, "questworlds")
    item = PrepItem.objects.filter(type="challenge").first()
    assert item is not None
    PrepItem.objects.bulk_create(
        PrepItem(campaign=campaign, type="challenge", name=f"Again {n:02}", spec=item.spec) for n in range(60))
    for number, copy in enumerate(PrepItem.objects.filter(name__startswith="Again")[:3]):
        library.tag(campaign=campaign, actor=campaign.members.get(), op_id=uuid.uuid4(), thing_id=copy.pk,
                    tags=["law", *(["sea"] if number else [])])
    counts = as_alice.get(at(campaign, "counts/")).content.decode()
    said = {name: int(many) for name, many in re.findall(r">(All|#law|#sea|Nothing fits) (\d+)<", counts)}
    of_one = len(bank.kind_of(campaign, "challenge").obstacles("", bank.spec_of(item)))
    shown = whole(as_alice, campaign).count('<tbody id="row-')
    assert said["All"] >= 60 * of_one > shown, "not of the page alone"
    assert (said["#law"], said["#sea"]) == (3 * of_one, 2 * of_one), "of rows, not of things"
    narrowed = as_alice.get(at(campaign, "?tag=sea")).content.decode()
    assert narrowed.count('<tbody id="row-') == said["#sea"]


@pytest.mark.parametrize("slug", SAMPLED)
def test_npcs_without_a_line_make_no_row_and_no_end(as_alice: Client, alice: Any, slug: str) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name="Salt", system=slug)
    by: dict[str, Any] = {"campaign": campaign, "actor": campaign.members.get()}
    game = SYSTEMS[slug]
    for ready in game.sheet.ready_made[:4]:
        editing.create_ready(**by, op_id=uuid.uuid4(), ready=ready, player=by["actor"])
    for letters in islice(product("abcdefg", repeat=2), ROWS + 5):
        character(campaign, by["actor"], f"Nobody {''.join(letters)}", [], npc=True)
    assert game.sample
    npcs.quick(**by, op_id=uuid.uuid4(), line=f"Zoe {game.sample.npc}")
    assert as_alice.get(at(campaign)).status_code == 200
    if isinstance(game.rolls, Opposes):
        assert "Zoe" in whole(as_alice, campaign), "what comes after so many without a row"
