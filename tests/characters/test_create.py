"""Making a character with the builder."""
from __future__ import annotations

import unicodedata
import uuid

import pytest

from campaigns.errors import Refused
from campaigns.models import Entry
from characters.models import Character
from characters.services import editing
from characters.services.editing import Line
from tests.characters.conftest import ILSE, at, body, last, make, said, typed
from tests.conftest import refusal


def test_a_player_makes_a_character(as_bob, bobs, campaign):
    answer = as_bob.post(at("character_new"), typed(concept="Duellist"))
    character = Character.objects.get(campaign=campaign)
    assert answer.url == at("sheet", character)
    assert (character.name, character.player, character.npc) == ("Ilse", bobs, False)
    assert [trait.name for trait in character.traits.order_by("place")] == [line.name for line in ILSE]
    entry = last(campaign)
    assert (entry.kind, entry.audience, entry.actor) == ("character.create", "all", bobs)
    assert said(entry)["title"] == "Ilse joins"


def test_the_same_form_twice_makes_one_character(as_bob, bobs, campaign):
    form = typed()
    assert as_bob.post(at("character_new"), form).url == as_bob.post(at("character_new"), form).url
    assert Character.objects.count() == 1


def test_pq_10_a_draft_may_be_kept_and_says_what_is_open(as_bob, bobs):
    as_bob.post(at("character_new"), typed(ILSE[:1]))
    page = as_bob.get(at("sheet", Character.objects.get())).content.decode()
    assert "not finished" in page
    todo = bobs.campaign.rules.sheet.budget([ILSE[0].draft()], bobs.campaign.settings).lines[0].todo
    assert todo in page


def test_pq_10_a_player_stays_within_the_budget(as_bob, bobs, campaign):
    before = last(campaign).seq
    answer = as_bob.post(at("character_new"), typed([*ILSE, Line("strength", "Knives", 3)]))
    assert answer.status_code == 422
    assert "Over budget: ranks of strengths 7 of 4" in answer.content.decode()
    assert 'value="Knives"' in answer.content.decode()
    assert last(campaign).seq == before


def test_pq_10_the_gm_may_allow_more_with_a_reason(as_alice, alices, campaign, bobs):
    form = typed([*ILSE, Line("strength", "Knives", 3)], part=str(bobs.pk))
    answer = as_alice.post(at("character_new"), form)
    assert answer.status_code == 422
    assert "Enter a reason to allow it." in answer.content.decode()
    assert as_alice.post(at("character_new"), {**form, "reason": "A veteran"}).status_code == 302
    assert said(last(campaign))["reason"] == "A veteran"


def test_pq_10_an_npc_has_no_budget(as_alice, alices):
    form = typed([*ILSE, Line("strength", "Knives", 3)], part="npc")
    assert as_alice.post(at("character_new"), form).status_code == 302


def test_a_hidden_npc_is_told_to_the_gm_alone(as_alice, alices, campaign):
    as_alice.post(at("character_new"), typed(part="hidden"))
    assert last(campaign).audience == "gm"
    assert Character.objects.get().hidden


def test_a_player_makes_nobody_else(campaign, bobs, alices):
    for given in ({"player": alices}, {"npc": True}, {"player": bobs, "hidden": True}):
        with pytest.raises(Refused):
            make(campaign, bobs, **given)


def test_a_posted_part_means_nothing_from_a_player(as_bob, bobs, alices):
    as_bob.post(at("character_new"), typed(part="hidden"))
    assert (Character.objects.get().player, Character.objects.get().hidden) == (bobs, False)


def test_observers_and_strangers_find_no_builder(as_dara, as_charlie, anonymous, campaign):
    assert as_dara.get(at("character_new")).status_code == 404
    assert as_charlie.post(at("character_new"), typed()).status_code == 404
    assert anonymous.get(at("character_new")).status_code == 302


def test_another_line_without_javascript(as_bob, bobs, campaign):
    page = as_bob.post(at("character_new"), typed(ILSE, add="strength")).content.decode()
    assert 'name="line-4-name"' in page
    assert 'value="Harbour gossip"' in page
    assert 'class="error"' not in page
    assert not Character.objects.exists()


def test_a_line_taken_off_without_javascript(as_bob, bobs):
    page = as_bob.post(at("character_new"), typed(ILSE, drop="1")).content.decode()
    assert "Harbour gossip" not in page
    assert 'value="Sailing"' in page


def test_the_count_follows_what_is_typed(as_bob, bobs):
    page = as_bob.post(at("builder_count"), typed(ILSE[:2])).content.decode()
    assert "3 of 4" in page
    assert "<html" not in page


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"name": ""}, "Enter a name."),
        ({"name": "x" * 121}, "120 characters at most"),
        ({"name": "Il\0se"}, "be stored. Type it again."),
        ({"line-0-name": "y" * 121}, "at most 120 characters"),
        ({"line-0-name": ""}, "Give this trait a name, or remove it."),
        ({"line-0-value": "99999999999999999999"}, "Choose one of the values"),
        ({"line-0-value": "good"}, "Choose one of the values"),
        ({"line-0-id": str(uuid.uuid4())}, "no longer on the sheet"),
        ({"lines": "900"}, "room for 60 traits"),
        ({"op_id": "none"}, "Reload the page."),
        ({"story": "z" * 20_001}, "20000 characters at most"),
    ],
)
def test_bad_input_is_refused_at_its_field_and_nothing_is_lost(as_bob, bobs, campaign, change, sentence):
    before = Entry.objects.count()
    answer = as_bob.post(at("character_new"), {**typed(concept="Kept as typed"), **change})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in page
    assert 'value="Kept as typed"' in page
    assert Entry.objects.count() == before


def test_a_kind_that_the_game_does_not_know_is_taken_for_none(as_bob, bobs):
    answer = as_bob.post(at("character_new"), {**typed(), "line-0-kind": "spell"})
    assert answer.status_code in (302, 422)


def test_names_of_any_script_and_emoji_are_fine(as_bob, bobs):
    as_bob.post(at("character_new"), {**typed(), "name": "🗡️ Ильзе", "concept": "e\u0301t\u0301e"})
    character = Character.objects.get()
    assert character.name == "🗡️ Ильзе"
    # As the trail has it, or a campaign built anew from its trail would differ.
    assert character.concept == unicodedata.normalize("NFC", "e\u0301t\u0301e")


def test_an_empty_post_says_what_is_missing(as_bob, bobs):
    assert as_bob.post(at("character_new"), {}).status_code == 422


def test_services_check_for_themselves(campaign, bobs, alices, daras):
    with pytest.raises(Refused, match="Enter a name"):
        editing.create(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), name="  ", player=bobs)
    with pytest.raises(Refused, match="can’t be stored"):
        editing.create(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), name="a\0b", player=bobs)
    with pytest.raises(Refused, match="Choose the kind of this trait"):
        make(campaign, bobs, player=bobs, lines=[Line("spell", "Fire", 1)])
    by = {"campaign": campaign, "actor": alices, "name": "Ilse"}
    assert refusal(editing.create, **by, lines=[Line("strength", "Fire", 99)]) == (
        "lines.0.value", "Choose one of the values that this game has.")
    assert refusal(editing.create, **by, player=daras) == ("player", "Choose a player in this campaign.")
    with pytest.raises(Refused, match="room for 60"):
        make(campaign, bobs, player=bobs, lines=[Line("weakness", "Slow", -1)] * 61)


def test_the_deed_of_another_form_is_refused(as_bob, bobs, ilse):
    form = body()
    as_bob.post(at("retire", ilse), {**form, "sure": "1"})
    answer = as_bob.post(at("character_new"), {**typed(), **form})
    assert answer.status_code == 422
    assert "already used for something else" in answer.content.decode()


def test_one_operation_in_two_campaigns_makes_two_characters(campaign, alices, alice):
    from campaigns.services.founding import found

    other = found(user=alice, op_id=uuid.uuid4(), name="Elsewhere", system="pdq")
    op_id = uuid.uuid4()
    for place in (campaign, other):
        editing.create(campaign=place, actor=place.members.get(user=alice), op_id=op_id, name="Twin", npc=True)
    assert Character.objects.count() == 2
