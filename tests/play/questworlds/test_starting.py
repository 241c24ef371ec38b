"""What the page says with which a contest begins."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.errors import Refused
from play.models import Presence
from play.services import contests, sessions
from tests.play.conftest import body, character
from tests.play.questworlds.conftest import act, begin, latest, of, page, state
from tests.play.questworlds.longing import set_setting

pytestmark = pytest.mark.django_db


def test_qw_42_npcs_begin_outside_of_a_group(
    as_alice: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, tam: Any
) -> None:
    watch = character(campaign, alices, "The watch", [("ability", "Lanterns", 13)], npc=True)
    here = [ilse.pk, tam.pk, watch.pk]
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=here)
    form = as_alice.get(f"/c/{campaign.slug}/contests/start/group/").context["form"]
    parts = {part.name: part.side for part in form.parts}
    assert {name: part.initial for name, part in parts.items()} == {"Ilse": "one", "Tam": "one", "The watch": ""}
    assert {part.label for part in parts.values()} == {"Part"}, "there are no sides to be on"


def test_qw_91_everybody_reads_why_an_edit_waits(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    begin(as_bob, campaign, "plot", who=str(ilse.pk), level="major")
    for client in (as_alice, as_bob):
        assert "It takes 3 story points; there are 2. Until there are more it can’t be accepted." in page(client)


def test_qw_03_what_is_no_rank_is_refused_with_the_ranks_and_the_floor_is_told(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    begin(as_bob, campaign, who=str(ilse.pk), obstacle="The guard at the gate")
    act(as_bob, ilse, "choose", tactic="A forged pass", ability=of(ilse, "Mapmaker"))
    refused = act(as_alice, None, "oppose", name="The guard", resistance="+7")
    assert refused.status_code == 422 and "+7 is no rank." in refused.content.decode()
    for written, sentence in (("3", "6 is the least"), ("-M", "the base −M, and never under 6")):
        assert act(as_alice, None, "oppose", name="The guard", resistance=written).status_code == 302
        assert sentence in page(as_bob) and state().against(str(ilse.pk)).resistance == 6


def test_qw_77_opponents_of_a_long_contest_are_ticked_among_what_is_prepared(
    as_alice: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    sent = {"name": "Captain Vey", "situations": "In a fight: 17\nWith words: low", "text": "She limps."}
    assert as_alice.post(f"/c/{campaign.slug}/prepare/new/resistance/", body(**sent)).status_code == 302
    at = f"/c/{campaign.slug}/prepare/{campaign.prep_items.get().pk}/change/"
    assert as_alice.post(at, body(show="1")).status_code == 302
    page_ = as_alice.get(f"/c/{campaign.slug}/contests/start/scored/").content.decode()
    assert "Captain Vey · In a fight: 17" in page_ and "side_three" not in page_
    begin(as_alice, campaign, "scored", side_one="The crew", side_two="The toll", c0_side="one",
          prepared=["Captain Vey 17"], opponents="Clerk 9")
    assert [(contestant.name, contestant.part.resistance)
            for contestant in state().side(1)] == [("Captain Vey", 17), ("Clerk", 9)]
    assert state().settings.sides == ("The crew", "The toll")


def test_qw_47_opponents_of_a_long_contest_are_ticked_among_npcs_who_are_elsewhere(
    as_alice: Client, campaign: Any, scene: Any, ilse: Any, alices: Any
) -> None:
    best = [("ability", "Sabre", 25), ("ability", "Debts", 9)]
    rook = character(campaign, alices, "Rook (the Elder)", best, npc=True)
    character(campaign, alices, "The Abbess", [("ability", "Prayer", 17)], npc=True, hidden=True)
    form = as_alice.get(f"/c/{campaign.slug}/contests/start/scored/").content.decode()
    assert "Rook (the Elder), Sabre: 25" in form and "The Abbess" not in form and "Mapmaker: 17" not in form
    begin(as_alice, campaign, "scored", side_one="The crew", side_two="The toll", c0_side="one",
          prepared=["Rook the Elder 25"])
    assert [(contestant.name, contestant.part.resistance) for contestant in state().side(1)] == [("Rook the Elder", 25)]
    Presence.objects.create(campaign=campaign, scene_id=campaign.scene_id, character=rook)
    assert "Sabre: 25" not in as_alice.get(f"/c/{campaign.slug}/contests/start/scored/").content.decode()


def test_qw_06_the_best_ability_stands_chosen_until_somebody_says_how(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    begin(as_alice, campaign, who=str(ilse.pk))
    contest = latest()
    (form,) = (act for act in as_bob.get(f"/c/{campaign.slug}/contests/{contest.pk}/").context["own_acts"]
               if act.offer.action == "choose")
    best = ilse.traits.exclude(kind="flaw").order_by("-value", "place").first()
    assert form["ability"].value() == str(best.pk), "left open it would count as none that fits"
    assert ("", "—") in form.fields["ability"].choices


def test_a_contest_that_the_settings_left_out_meanwhile_is_not_started(
    campaign: Any, scene: Any, ilse: Any, alices: Any
) -> None:
    set_setting(campaign, alices, long="chained")
    with pytest.raises(Refused, match="settings leave this out: scored contest"):
        contests.start(campaign=campaign, actor=alices, op_id=uuid.uuid4(), client_seed="", kind="questworlds.scored",
                       title="The gate", setup={}, characters=[ilse.pk])
