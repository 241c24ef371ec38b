"""What PDQ# adds to the places of a campaign: style dice from any page, and the GM's list of story hooks."""
from __future__ import annotations

from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

from campaigns.access import Viewer
from characters.models import Character
from play.contexts.obstacles import obstacle_chips
from play.models import Contest
from rules.sheet import Gain
from rules.systems.pdq_sharp.kinds import FORTES
from tests.play.conftest import body
from tests.play.pdq_sharp.conftest import suffers

pytestmark = pytest.mark.django_db


def test_ps_43_style_dice_are_reached_from_any_page(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character
) -> None:
    at = f"/c/{campaign.slug}/contests/ongoing/style-dice/"
    assert f'href="{at}"' in as_bob.get(f"/c/{campaign.slug}/people/").content.decode()
    assert as_bob.get(at)["Location"] == f"/c/{campaign.slug}/"
    assert as_alice.get(at)["Location"] == f"/c/{campaign.slug}/contests/start/style-dice/"
    assert as_alice.post(f"/c/{campaign.slug}/chronicle/open/", body(title="")).status_code == 302
    assert as_bob.get(at)["Location"] == f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/"


def test_ps_40_the_gm_can_bring_them_out_by_hand(as_alice: Client, campaign: Any, perpetua: Character) -> None:
    start = f"/c/{campaign.slug}/contests/start/style-dice/"
    assert as_alice.get(start).status_code == 200
    answer = as_alice.post(start, body(title="Style dice", c0_side="on"))
    assert answer.status_code == 302, answer.content.decode()
    assert "Perpetua Vane" in as_alice.get(answer["Location"]).content.decode()


def test_ps_48_the_gm_has_a_list_of_hooks_with_where_each_came_from(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character, corvin: Character
) -> None:
    at = f"/c/{campaign.slug}/characters/lines/hook/"
    assert "There are none yet." in as_alice.get(at).content.decode()
    suffers(campaign, Gain(str(perpetua.pk), "hook", "Gambler", 0, note="The first hit of a scene: the bridge"),
            Gain(str(perpetua.pk), "hook", "The twin", 1, note="The GM"))
    page = as_alice.get(at).content.decode()
    assert "Gambler" in page and "The first hit of a scene: the bridge" in page and "Perpetua Vane" in page
    assert page.index("Gambler") < page.index("The twin") and "open" in page and "used" in page
    assert f"/ledger/{campaign.head_seq}/" in page
    assert as_bob.get(at).status_code == 404 and at not in as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert as_alice.get(f"/c/{campaign.slug}/characters/lines/forte/").status_code == 404


def test_whoever_starts_a_duel_is_told_of_the_hidden_who_are_here(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, corvin: Character
) -> None:
    at = f"/c/{campaign.slug}/contests/start/duel/"
    told = "Hidden NPC. If they take part, players will see the name and picture."
    assert told not in as_alice.get(at).content.decode()
    Character.objects.filter(pk=corvin.pk).update(hidden=True)
    form = as_alice.get(at).context["form"]
    assert {part.name: (part.side.value(), part.side.help_text) for part in form.parts}[corvin.name] == ("", told)
    assert told not in as_bob.get(at, follow=True).content.decode()


def test_ps_23_the_many_clashes_of_a_large_duel_are_folded() -> None:
    def card(clashes: int) -> str:
        steps = [{"rule": "PS-22", "text": "The dice fall."}, *[{"rule": "PS-23", "text": "10 against 9."}] * clashes,
                 {"rule": "PS-31", "text": "Corvin falls."}]
        entry = {"title": "The dice fall.", "steps": steps, "dice": []}
        return str(render_to_string("systems/pdq_sharp/entries/contest.html", {"entry": entry}))

    few, many = card(4), card(24)
    assert "<details" not in few and few.count("10 against 9.") == 4
    folded, _, after = many.partition("</details>")
    assert folded.count("10 against 9.") == 24 and "10 against 9." not in after and "Corvin falls." in after


def test_ps_10_only_fortes_of_an_npc_stand_in_the_way(
    campaign: Any, alices: Any, corvin: Character, guards: Character
) -> None:
    viewer = Viewer(campaign, alices)
    chips = obstacle_chips(viewer, [corvin, guards], ())
    lines = [chip.label for chip in (*chips.usual, *chips.more) if chip.value.startswith("line:")]
    fortes = {trait.name for trait in corvin.traits.filter(kind__in=FORTES)}
    assert [line for line in lines if guards.name in line] == [f"{guards.name}: Guards · 9"], "not how many there are"
    his = [line.partition(": ")[2].rpartition(" · ")[0] for line in lines if corvin.name in line]
    assert his and set(his) <= fortes, "no threat level, no technique"
