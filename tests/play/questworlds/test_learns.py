"""The matrix learns from contests what was really used, in each of their ways (QW-06, QW-20, QW-43)."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.services import undoing
from characters.models import Character
from play.models import LineUsed
from play.services import sessions
from tests import laid
from tests.play.conftest import character
from tests.play.questworlds.conftest import act, begin, of, press
from tests.play.questworlds.longing import roll

pytestmark = pytest.mark.django_db


@laid.fixture
def watch(campaign: Any, alices: Any, scene: Any, ilse: Any, tam: Any) -> Character:
    """An NPC in the scene, in plain sight."""
    made = character(campaign, alices, "The watch", [("ability", "Lanterns", 15)], npc=True)
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[ilse.pk, tam.pk, made.pk])
    return made


def cell(client: Client, campaign: Any, who: Character, row: Any) -> str:
    """What the matrix says of somebody in the row of this line."""
    page = client.get(f"/c/{campaign.slug}/prepare/matrix/").content.decode()
    wanted = next(part for part in page.split("<td ")[1:] if f"{row.pk}/0/{who.pk}/" in part)
    return " ".join(re.sub(r"<[^>]*>", " ", wanted.partition(">")[2].partition("</td>")[0]).split())


def test_qw_43_what_a_round_was_rolled_with_fits_from_then_on_until_it_is_undone(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, ilse: Any, watch: Character
) -> None:
    lanterns = watch.traits.get(name="Lanterns")
    assert "↺" not in cell(as_alice, campaign, ilse, lanterns)
    begin(as_alice, campaign, "scored", side_one="The crew", side_two="The watch", c0_side="one", c2_side="two")
    roll(as_bob, ilse, ability=of(ilse, "Knife"))
    learnt = cell(as_alice, campaign, ilse, lanterns)
    assert "Knife" in learnt and "↺" in learnt, learnt
    assert not LineUsed.objects.exclude(character=ilse).exists(), "the watch is an NPC"
    seq = Entry.objects.filter(campaign=campaign, kind="contest.round").latest("seq").seq
    for later in Entry.objects.filter(campaign=campaign, seq__gte=seq).order_by("-seq").values_list("seq", flat=True):
        undoing.undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=later)
    assert "↺" not in cell(as_alice, campaign, ilse, lanterns)


def test_qw_43_who_is_only_a_name_teaches_what_it_is_about(
    as_alice: Client, as_bob: Client, campaign: Any, ilse: Any, scene: Any
) -> None:
    begin(as_alice, campaign, "scored", side_one="The crew", side_two="The toll", c0_side="one",
          opponents="Captain Vey 17", obstacle="The toll at the bridge")
    roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    assert [(used.against, str(used.trait_id)) for used in LineUsed.objects.all()] == [
        ("The toll at the bridge", of(ilse, "Mapmaker"))]


def test_qw_20_a_contest_in_a_frame_teaches_against_the_ability_that_resists(
    as_alice: Client, as_bob: Client, campaign: Any, ilse: Any, watch: Character
) -> None:
    begin(as_bob, campaign, who=str(ilse.pk))
    assert press(as_bob, ilse, "choose", tactic="In the dark", ability=of(ilse, "Knife")).status_code == 302
    assert press(as_alice, None, "oppose", npc=of(watch, "Lanterns")).status_code == 302
    assert act(as_alice, None, "set").status_code == 302
    assert not LineUsed.objects.exists(), "no die fell yet"
    assert act(as_bob, ilse, "roll").status_code == 302
    learnt = cell(as_alice, campaign, ilse, watch.traits.get(name="Lanterns"))
    assert "Knife" in learnt and "↺" in learnt, learnt


def test_who_is_known_by_the_face_alone_teaches_nothing_that_players_could_read(
    as_alice: Client, as_bob: Client, campaign: Any, ilse: Any, watch: Character
) -> None:
    Character.objects.filter(pk=watch.pk).update(hidden=True, face=True)
    begin(as_alice, campaign, "scored", side_one="The crew", side_two="The watch", c0_side="one", c2_side="two")
    roll(as_bob, ilse, ability=of(ilse, "Knife"))
    assert not LineUsed.objects.exists()
