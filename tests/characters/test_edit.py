"""Changing a sheet with the builder."""
from __future__ import annotations

import uuid

import pytest

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Entry
from campaigns.trail.visible import last_seq
from characters.models import Trait
from characters.services import editing, pools
from characters.services.editing import Line
from characters.services.effects import apply
from rules.sheet import Damage, Raise
from tests.characters.conftest import at, last, lines_of, make, said, seen_by, typed


def played(campaign, character):
    """Tells of something that happened to a character at the table."""
    with trail.entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="pdq.test", title="A test") as entry:
        apply(entry, [Damage(str(character.traits.get(name="Fencing").pk), 1)])


def test_an_edit_keeps_what_it_was_and_what_it_became(as_bob, ilse, campaign, bobs):
    fencing, gossip, sailing, proud = lines_of(ilse)
    lines = [fencing, Line("strength", "Old harbour gossip", 1, "", gossip.id), proud, Line("strength", "Rigging", 1)]
    form = typed(lines, seen=last_seq(seen_by(bobs), ilse.pk))
    assert as_bob.post(at("character_edit", ilse), {**form, "concept": "Duellist"}).url == at("sheet", ilse)
    names = list(ilse.traits.order_by("place").values_list("name", flat=True))
    assert names == ["Fencing", "Old harbour gossip", "Rigging", "Proud"]
    changes = {change["id"]: change for change in said(last(campaign))["changes"]}
    assert changes[str(ilse.pk)]["became"] == {"concept": "Duellist"}
    assert changes[gossip.id]["was"] == {"name": "Harbour gossip"}
    assert changes[sailing.id]["became"] is None
    assert changes[sailing.id]["was"]["name"] == "Sailing"


def test_nothing_different_writes_no_entry(as_bob, ilse, campaign):
    before = last(campaign).seq
    form = {**typed(lines_of(ilse), seen=before), "concept": ilse.concept}
    answer = as_bob.post(at("character_edit", ilse), form)
    assert answer.status_code == 422
    assert "You haven’t changed anything." in answer.content.decode()
    assert last(campaign).seq == before


def test_a_stale_form_is_kept_and_says_so(as_bob, ilse, campaign, bobs, alices):
    form = typed(lines_of(ilse), seen=last_seq(seen_by(bobs), ilse.pk))
    form["concept"] = "Typed for an hour"
    pools.award(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, pool="xp", amount=1,
                reason="The bridge")
    before = last(campaign).seq
    answer = as_bob.post(at("character_edit", ilse), form)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert f"(entry {before})" in page
    assert 'value="Typed for an hour"' in page
    assert f'name="seen" value="{before}"' in page
    assert last(campaign).seq == before
    assert as_bob.post(at("character_edit", ilse), {**form, "seen": before}).status_code == 302


def test_a_line_that_came_meanwhile_is_not_lost_to_a_stale_form(as_bob, ilse, campaign, bobs, alices):
    form = typed(lines_of(ilse), seen=last_seq(seen_by(bobs), ilse.pk))
    editing.edit(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, name="Ilse",
                 lines=[*lines_of(ilse), Line("strength", "Knots", 1)], reason="Learnt at sea")
    answer = as_bob.post(at("character_edit", ilse), form)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert 'value="Knots"' in page
    assert 'name="lines" value="5"' in page


def test_a_gms_note_makes_no_players_form_stale(as_bob, ilse, campaign, bobs, alices):
    from characters.services import lifecycle

    seen = last_seq(seen_by(bobs), ilse.pk)
    lifecycle.note(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, words="A traitor")
    form = {**typed(lines_of(ilse), seen=seen), "concept": "Other"}
    assert as_bob.post(at("character_edit", ilse), form).status_code == 302


def test_a_line_of_another_sheet_is_refused(as_bob, ilse, guard, campaign):
    forged = Line("strength", "Mine now", 1, "", str(guard.traits.get().pk))
    before = last(campaign).seq
    answer = as_bob.post(at("character_edit", ilse), typed([*lines_of(ilse)[1:], forged], seen=before))
    assert answer.status_code == 422
    assert "no longer on the sheet" in answer.content.decode()
    assert last(campaign).seq == before
    assert guard.traits.get().name == "Fighting"


def test_pq_10_what_was_earned_stays_allowed(campaign, ilse, bobs):
    with trail.entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="character.grow", title="Grows") as entry:
        apply(entry, [Raise(str(ilse.traits.get(name="Sailing").pk), 1)])
    editing.edit(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), character_id=ilse.pk, name="Ilse",
                 concept="Other", lines=lines_of(ilse))
    with pytest.raises(Refused, match="Over budget"):
        editing.edit(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), character_id=ilse.pk, name="Ilse",
                     lines=[*lines_of(ilse), Line("strength", "Knives", 1)])


def test_pq_10_a_quality_that_was_played_with_changes_at_the_gms_word(as_bob, ilse, campaign):
    played(campaign, ilse)
    fencing, *rest = lines_of(ilse)
    answer = as_bob.post(at("character_edit", ilse), typed(rest, seen=last(campaign).seq))
    assert answer.status_code == 422
    assert "Fencing was at the table already. Ask the GM to replace it." in answer.content.decode()
    renamed = [Line("strength", "Sword-dancing", 2, "", fencing.id), *rest]
    answer = as_bob.post(at("character_edit", ilse), typed(renamed, seen=last(campaign).seq))
    assert answer.status_code == 422
    noted = [Line("strength", "Fencing", 2, "knives too", fencing.id), *rest]
    assert as_bob.post(at("character_edit", ilse), typed(noted, seen=last(campaign).seq)).status_code == 302


def test_pq_10_the_gm_replaces_a_quality_with_a_reason(as_alice, ilse, campaign):
    sailing = ilse.traits.get(name="Sailing")
    form = typed([], reason="")
    answer = as_alice.post(at("replace", ilse, sailing.pk), {**form, "name": "Climbing"})
    assert answer.status_code == 422
    assert as_alice.post(at("replace", ilse, sailing.pk), {
        **form, "name": "Climbing", "reason": "No ship in this story"}).status_code == 302
    payload = said(last(campaign))
    assert payload["reason"] == "No ship in this story"
    assert payload["title"] == "Ilse: Sailing is replaced by Climbing"
    sailing.refresh_from_db()
    assert (sailing.name, sailing.value) == ("Climbing", 1)


def test_replacing_is_the_gms(as_bob, as_alice, ilse, guard, campaign):
    sailing = ilse.traits.get(name="Sailing")
    assert as_bob.get(at("replace", ilse, sailing.pk)).status_code == 404
    assert as_alice.get(at("replace", guard, sailing.pk)).status_code == 404
    assert as_alice.get(at("replace", ilse, sailing.pk)).status_code == 200


def test_the_gm_edits_every_sheet(as_alice, ilse, campaign):
    form = {**typed(lines_of(ilse), seen=last(campaign).seq), "name": "Ilse Weyden"}
    assert as_alice.post(at("character_edit", ilse), form).status_code == 302
    ilse.refresh_from_db()
    assert ilse.name == "Ilse Weyden"


def test_others_do_not_edit(as_bob, as_dara, as_charlie, anonymous, ilse, campaign, alices, bobs):
    hers = make(campaign, alices, "Tomas", lines=[])
    assert as_bob.get(at("character_edit", hers)).status_code == 404
    assert as_bob.post(at("character_edit", hers), typed()).status_code == 404
    assert as_dara.get(at("character_edit", ilse)).status_code == 404
    assert as_charlie.get(at("character_edit", ilse)).status_code == 404
    assert anonymous.get(at("character_edit", ilse)).status_code == 302
    with pytest.raises(Refused, match="Only its player"):
        editing.edit(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), character_id=hers.pk, name="Mine")


def test_a_value_that_growth_brought_is_kept(as_bob, ilse, campaign):
    Trait.objects.filter(name="Proud").update(value=0)
    form = {**typed(lines_of(ilse), seen=last(campaign).seq), "concept": "Humbled"}
    assert as_bob.post(at("character_edit", ilse), form).status_code == 302


def test_editing_twice_with_one_form_writes_once(as_bob, ilse, campaign):
    form = {**typed(lines_of(ilse), seen=last(campaign).seq), "concept": "Once"}
    as_bob.post(at("character_edit", ilse), form)
    count = Entry.objects.count()
    assert as_bob.post(at("character_edit", ilse), form).status_code == 302
    assert Entry.objects.count() == count


@pytest.mark.parametrize("forged", ["nobody", "'; --", "a\0b", str(uuid.UUID(int=3))])
@pytest.mark.parametrize("press", [{}, {"add": "strength"}, {"drop": "0"}, {"drop": "00099"}, {"drop": "9" * 5000}])
def test_forged_ids_never_break_the_builder(as_alice, ilse, campaign, forged, press):
    before = last(campaign).seq
    form = {**typed(lines_of(ilse), seen=before), "line-1-id": forged, **press}
    answer = as_alice.post(at("character_edit", ilse), form)
    assert answer.status_code == (200 if press else 422)
    assert press or 'class="error"' in answer.content.decode()
    assert last(campaign).seq == before


@pytest.mark.parametrize("seen", ["-1", "none", "9" * 40])
def test_a_forged_seen_is_refused(as_bob, ilse, campaign, seen):
    answer = as_bob.post(at("character_edit", ilse), typed(lines_of(ilse), seen=seen))
    assert answer.status_code == 422
    assert 'class="error"' in answer.content.decode()
