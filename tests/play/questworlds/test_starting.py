"""What the page says with which a contest begins."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from play.services import sessions
from tests.play.conftest import character
from tests.play.questworlds.conftest import act, begin, of, page, state

pytestmark = pytest.mark.django_db


def test_qw_42_npcs_begin_outside_of_a_group(
    as_alice: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, tam: Any
) -> None:
    watch = character(campaign, alices, "The watch", [("ability", "Lanterns", 13)], npc=True)
    here = [ilse.pk, tam.pk, watch.pk]
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=here)
    form = as_alice.get(f"/c/{campaign.slug}/contests/start/group/").context["form"]
    parts = {name: fields[0] for name, fields in form.rows}
    assert {name: each.initial for name, each in parts.items()} == {"Ilse": "one", "Tam": "one", "The watch": ""}
    assert {each.label for each in parts.values()} == {"Part"}, "there are no sides to be on"


def test_qw_91_everybody_reads_why_an_edit_waits(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    begin(as_bob, campaign, "plot", who=str(ilse.pk), level="major")
    for client in (as_alice, as_bob):
        assert "It takes 3 story points; there are 2. Until there are more it can&#x27;t be accepted." in page(client)


def test_qw_03_what_is_no_rank_is_refused_with_the_ranks_and_the_floor_is_told(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    begin(as_bob, campaign, who=str(ilse.pk), obstacle="The guard at the gate")
    act(as_bob, ilse, "choose", tactic="A forged pass", ability=of(ilse, "Mapmaker"))
    refused = act(as_alice, None, "oppose", name="The guard", resistance="+7")
    assert refused.status_code == 422 and "+7 is no rank." in refused.content.decode()
    for written, told in (("3", "6 is the least"), ("-M", "the base −M, and never under 6")):
        assert act(as_alice, None, "oppose", name="The guard", resistance=written).status_code == 302
        assert told in page(as_bob) and state().against(str(ilse.pk)).resistance == 6
