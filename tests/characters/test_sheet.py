"""A sheet: now, as of an entry, and why its numbers are what they are."""
from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns import trail
from characters import queries
from characters.contexts import state_of
from characters.models import Character
from characters.services import editing, lifecycle, pools
from characters.services.editing import Line
from characters.services.effects import apply
from rules.sheet import Damage, Raise
from tests.characters.conftest import ILSE, at, last, lines_of, make, seen_by


def hurt(campaign, character, by, name="Fencing", audience="all"):
    """Damage at the table."""
    with trail.entry(
        campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="pdq.test", title=f"Hurt by {by}", audience=audience
    ) as entry:
        apply(entry, [Damage(str(character.traits.get(name=name).pk), by)])
    return entry.written.seq


def test_all_at_the_table_read_it(as_bob, as_alice, as_dara, ilse):
    for browser in (as_bob, as_alice, as_dara):
        page = browser.get(at("sheet", ilse)).content.decode()
        for words in ("Ilse", "Duellist out of work", "Fencing", "Expert [+4]", "blades and footwork", "Proud"):
            assert words in page


def test_strangers_find_nothing(as_charlie, anonymous, ilse):
    assert as_charlie.get(at("sheet", ilse)).status_code == 404
    assert anonymous.get(at("sheet", ilse)).status_code == 302


def test_a_hidden_npc_and_one_of_another_campaign_are_404(as_bob, as_alice, ilse, guard, alice, campaign):
    from campaigns.services.founding import found

    other = found(user=alice, op_id=uuid.uuid4(), name="Elsewhere", system="pdq")
    assert as_alice.get(at("sheet", guard)).status_code == 200
    assert as_bob.get(at("sheet", guard)).status_code == 404
    assert as_alice.get(at("sheet", ilse, slug=other.slug)).status_code == 404


def test_what_may_be_done_is_offered_to_whom_may(as_bob, as_dara, as_alice, ilse):
    assert "Edit sheet" in as_bob.get(at("sheet", ilse)).content.decode()
    assert "Award points" not in as_bob.get(at("sheet", ilse)).content.decode()
    assert "Edit sheet" not in as_dara.get(at("sheet", ilse)).content.decode()
    assert "Award points" in as_alice.get(at("sheet", ilse)).content.decode()


def test_pq_16_out_of_action_is_said_in_words(as_bob, ilse, campaign):
    hurt(campaign, ilse, 2)
    page = as_bob.get(at("sheet", ilse)).content.decode()
    assert "Average [0]" in page
    assert "out of action" not in page
    hurt(campaign, ilse, 2)
    page = as_bob.get(at("sheet", ilse)).content.decode()
    assert "is out of action until the scene ends: Fencing fell below Poor." in page


def test_queries_do_not_grow_with_traits(as_bob, ilse, campaign, alices):
    def count(character):
        with CaptureQueriesContext(connection) as seen:
            assert as_bob.get(at("sheet", character)).status_code == 200
        return len(seen)

    many = make(campaign, alices, "Many", npc=True, lines=[Line("strength", f"Quality {n}", 1) for n in range(40)])
    few = make(campaign, alices, "Few", npc=True, lines=[Line("strength", "Quality", 1)])
    count(few)  # what is asked of whom is reckoned once
    assert count(many) == count(few)


def test_why_tells_the_entries_that_made_a_number(as_bob, ilse, campaign):
    seq = hurt(campaign, ilse, 2)
    fencing = ilse.traits.get(name="Fencing")
    page = as_bob.get(at("why", ilse, fencing.pk))
    first, second = page.context["reasons"]
    assert (first.seq, first.changes) == (seq, (("unhurt", "2 damage"),))
    assert second.changes == (("", "Expert [+4]"),)
    assert "<html" in page.content.decode()
    assert "<html" not in as_bob.get(at("why", ilse, fencing.pk), headers={"HX-Request": "true"}).content.decode()


def test_why_leaves_out_what_did_not_touch_the_number(as_bob, ilse, campaign, bobs):
    fencing = ilse.traits.get(name="Fencing")
    editing.edit(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), character_id=ilse.pk, name="Ilse", concept="Other",
                 lines=lines_of(ilse))
    hurt(campaign, ilse, 1, name="Sailing")
    assert len(as_bob.get(at("why", ilse, fencing.pk)).context["reasons"]) == 1


def test_why_of_a_pool(as_bob, ilse, campaign, alices):
    pools.award(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, pool="xp", amount=3,
                reason="The bridge")
    reason, = as_bob.get(at("why", ilse, ilse.pools.get().pk)).context["reasons"]
    assert (reason.changes, reason.reason, reason.who) == ((("", "3"),), "The bridge", "Alice")


def test_points_of_player_characters_stand_on_their_sheets_with_a_player_or_without_and_on_no_npcs(
    as_alice, ilse, guard, campaign, alices
):
    def awards(character):
        page = as_alice.get(at("sheet", character)).content.decode()
        assert ("Experience" in page) == (at("award", character) in page), "what can't be awarded is no link"
        return at("award", character) in page

    assert (awards(ilse), awards(guard)) == (True, False)
    lifecycle.assign(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, player_id=None)
    assert awards(ilse)


def test_why_does_not_tell_what_the_viewer_may_not_read(as_bob, as_alice, ilse, campaign):
    hurt(campaign, ilse, 1, audience="gm")
    fencing = ilse.traits.get(name="Fencing")
    assert len(as_alice.get(at("why", ilse, fencing.pk)).context["reasons"]) == 2
    assert len(as_bob.get(at("why", ilse, fencing.pk)).context["reasons"]) == 1


def test_why_is_paged(as_bob, ilse, campaign):
    for _ in range(15):
        hurt(campaign, ilse, 1)
    fencing = ilse.traits.get(name="Fencing")
    page = as_bob.get(at("why", ilse, fencing.pk))
    assert len(page.context["reasons"]) == queries.WHY_PAGE
    rest = as_bob.get(at("why", ilse, fencing.pk) + f"?before={page.context['older']}")
    assert len(rest.context["reasons"]) == 16 - queries.WHY_PAGE
    assert rest.context["older"] is None


def test_why_of_what_was_never_on_this_sheet_is_404(as_bob, ilse, guard):
    assert as_bob.get(at("why", ilse, guard.traits.get().pk)).status_code == 404
    assert as_bob.get(at("why", ilse, uuid.uuid4())).status_code == 404
    assert as_bob.get(at("why", guard, guard.traits.get().pk)).status_code == 404


def test_a_sheet_as_of_each_entry(as_bob, ilse, campaign, alices):
    start = last(campaign).seq
    first = hurt(campaign, ilse, 2)
    lines = [line for line in lines_of(ilse) if line.name != "Sailing"]
    editing.edit(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, name="Ilse the Elder",
                 lines=lines)
    now = last(campaign).seq
    page = as_bob.get(at("sheet_as_of", ilse, start))
    sheet = page.context["sheet"]
    assert (sheet.name, sheet.groups[0].rows[0].notation) == ("Ilse", "Expert [+4]")
    assert (page.context["earlier"], page.context["later"]) == (None, first)
    sheet = as_bob.get(at("sheet_as_of", ilse, first)).context["sheet"]
    assert (sheet.name, sheet.groups[0].rows[0].notation) == ("Ilse", "Average [0]")
    assert "Sailing" in [row.name for row in sheet.groups[0].rows]
    sheet = as_bob.get(at("sheet_as_of", ilse, now)).context["sheet"]
    assert sheet.name == "Ilse the Elder"
    assert "Sailing" not in [row.name for row in sheet.groups[0].rows]


def test_the_past_cannot_be_changed(as_bob, as_alice, ilse, campaign):
    for browser in (as_bob, as_alice):
        page = browser.get(at("sheet_as_of", ilse, last(campaign).seq)).content.decode()
        assert "as of entry" in page
        assert "Edit sheet" not in page
        assert "<button" not in page.split('<article class="sheet"')[1].split("</article>")[0]


def test_as_of_today_is_what_the_tables_say(ilse, campaign, bobs):
    hurt(campaign, ilse, 1)
    with trail.entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="x.y", title="Raised") as entry:
        apply(entry, [Raise(str(ilse.traits.get(name="Sailing").pk), 1)])
    viewer = seen_by(bobs)
    assert queries.state_at(viewer, ilse.pk, 10**6) == state_of(queries.find(viewer, ilse.pk))


@pytest.mark.parametrize("seq", [0, 1, 10**4, 10**30])
def test_as_of_where_nothing_is_known_is_404(as_bob, ilse, seq):
    now = at("sheet_as_of", ilse, 7)
    assert as_bob.get(now.replace("/7/", f"/{seq}/")).status_code == 404


def test_a_shown_npc_has_a_past_from_then_on(as_bob, as_alice, guard, campaign, alices, bobs):
    made = last(campaign).seq
    hurt(campaign, guard, 1, name="Fighting", audience="gm")
    lifecycle.show(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=guard.pk)
    shown = last(campaign).seq
    assert as_bob.get(at("sheet_as_of", guard, made)).status_code == 404
    page = as_bob.get(at("sheet_as_of", guard, shown))
    assert page.context["sheet"].groups[0].rows[0].damage == 1
    assert page.context["earlier"] is None
    assert as_alice.get(at("sheet_as_of", guard, made)).context["sheet"].groups[0].rows[0].damage == 0
    reason, = as_bob.get(at("why", guard, guard.traits.get().pk)).context["reasons"]
    assert (reason.seq, reason.changes) == (shown, (("", "Good [+2]"), ("", "1 damage")))


def test_a_name_of_80_letters_and_markup_in_it(as_bob, bobs, campaign):
    name = "<script>alert(1)</script> " + "x" * 54
    character = make(campaign, bobs, name, player=bobs, lines=ILSE)
    page = as_bob.get(at("sheet", character)).content.decode()
    assert "<script>alert" not in page
    assert "x" * 54 in page
    assert Character.objects.get().name == name
