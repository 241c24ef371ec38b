"""NPCs by their threat, who is given dice, and what reads well (PS-05, PS-07, PS-33, PS-43)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest, PendingAllocation
from rules.registry import SYSTEMS
from rules.sheet import Damage, NewAllocation, Spend
from tests.html_forms import Page
from tests.play.conftest import body, trait
from tests.play.pdq_sharp.conftest import from_line, suffers

pytestmark = pytest.mark.django_db


def open_session(as_alice: Client, campaign: Any, *here: Character) -> None:
    assert as_alice.post(f"/c/{campaign.slug}/chronicle/open/", body(title="")).status_code == 302
    scene = body(title="The bridge", characters=[str(who.pk) for who in here])
    assert as_alice.post(f"/c/{campaign.slug}/scene/open/", scene).status_code == 302
    campaign.refresh_from_db()


def test_ps_07_an_archvillain_has_three_dice_when_the_session_opens(
    as_alice: Client, campaign: Any, alices: Any, perpetua: Character, corvin: Character
) -> None:
    regent = from_line(campaign, alices, "The regent, archvillain", npc=True)
    open_session(as_alice, campaign, perpetua, corvin, regent)
    dice = {who.name: sum(pool.value for pool in who.pools.filter(name="style_dice")) for who in
            (perpetua, corvin, regent)}
    assert dice == {"Perpetua Vane": 0, "Corvin Ashgrove": 0, "The regent": 3}
    assert not list(differences(campaign.pk))


def test_ps_07_a_stock_sidekick_is_built_as_a_sidekick(as_alice: Client, campaign: Any, alices: Any) -> None:
    girl = from_line(campaign, alices, "Stable girl, sidekick", npc=True)
    page = as_alice.get(f"/c/{campaign.slug}/characters/{girl.pk}/").content.decode()
    assert "still open" not in page and "Technique points" not in page
    sheet = SYSTEMS["pdq_sharp"].sheet
    _, drafts = sheet.from_line("Stable girl, sidekick")
    assert all(line.spent == line.whole for line in sheet.budget(drafts, {}).lines)


def test_ps_07_so_many_of_a_kind_are_a_squad(as_alice: Client, campaign: Any) -> None:
    at = f"/c/{campaign.slug}/characters/quick/"
    assert Page(as_alice.get(at)).form(action=at).send(as_alice, line="6 guards, good").status_code == 302
    squad = Character.objects.get(traits__kind="squad")
    assert squad.name == "Guards" and squad.traits.get(kind="squad").value == 6


def test_ps_43_gifts_are_for_players_and_the_gm_and_not_for_foes(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character
) -> None:
    suffers(campaign, Spend(str(perpetua.pk), "style_dice", 2))
    at = f"/c/{campaign.slug}/contests/{Contest.objects.get(kind='pdq_sharp.style_dice').pk}/"
    for client, action in ((as_bob, f"gift/{perpetua.pk}"), (as_alice, "good_form/gm")):
        words = [button.words for button in Page(client.get(at)).form(action=f"{at}{action}/").buttons]
        assert "The GM" in words and "Corvin Ashgrove" not in words, words


def test_ps_33_where_all_of_it_comes_back_one_tap_does_it(
    as_bob: Client, campaign: Any, session: None, perpetua: Character
) -> None:
    hurt = [Damage(str(trait(perpetua, name).pk), ranks) for name, ranks in (("Gambler", 2), ("Repartee", 1))]
    suffers(campaign, *hurt, NewAllocation(str(perpetua.pk), "recovery", 3, "The roll gave 7"))
    now = as_bob.get(f"/c/{campaign.slug}/").content.decode().partition('id="now"')[2].partition("</section>")[0]
    assert "assign 3 recovery" in now
    at = f"/c/{campaign.slug}/to-place/{PendingAllocation.objects.get().pk}/"
    assert Page(as_bob.get(at)).form(action=at).send(as_bob).status_code == 302
    assert not sum(line.damage for line in perpetua.traits.all()) and not list(differences(campaign.pk))


def test_ps_47_growth_tells_of_no_counter_that_no_sheet_shows(
    as_bob: Client, campaign: Any, perpetua: Character
) -> None:
    page = as_bob.get(f"/c/{campaign.slug}/characters/{perpetua.pk}/grow/").content.decode()
    assert "Training points" in page
    for counter in ("Hits of this scene", "Purchases at the edge", "Vexing misfortunes"):
        assert counter not in page
