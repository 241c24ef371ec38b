"""What play against the source found, at the pages where people meet it (DW-04 to DW-06, DW-10, DW-16)."""
from __future__ import annotations

import html
import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest, SharedPool
from tests.play.conftest import body
from tests.play.danger_world.checks import Check, thrown, words

pytestmark = pytest.mark.django_db


def test_dw_05_a_check_accomplishes_its_difficulty_and_the_excess_is_a_benefit(
    as_alice: Client, as_bob: Client, campaign: Any, mara: Character, tamsin: Character, session: None, dice: list[int]
) -> None:
    check = Check(as_bob, mara, difficulty="3", move="healing", beside=str(tamsin.pk))
    page = thrown(check, as_bob, dice, [4, 4, 4, 4, 6, 6, 5], 4, as_alice)
    assert "Healing, 3 meaningful: a bashed box is cleared." in page
    assert "Healing, at height 4" not in page and "4 significant: a stunned box" not in page
    table = words(page.partition('class="heights"')[2].partition("</table>")[0])
    assert "3, meaningful a bashed box is cleared the difficulty" in table
    assert "4, significant the same, 1 bonus die and a benefit, which may be: a stunned box is cleared used" in table
    assert "2, minor a partial success: 2 bonus dice" in table
    assert tamsin.traits.get(name="Bashed").damage == 0 and tamsin.traits.get(name="Stunned").damage == 1
    assert mara.traits.get(kind="bonus").value == 1
    assert "Waiting for the GM: say what the benefit is." in as_bob.get(check.at).content.decode()
    # The GM may let it be the further row, and then it is done.
    check.act(as_alice, "benefit", "gm", row="5", expect=422)
    check.act(as_alice, "benefit", "gm", row="4", words="The hands know more than the head.")
    assert tamsin.traits.get(name="Stunned").damage == 0
    assert Contest.objects.get().over
    page = as_alice.get(check.at).content.decode()
    assert "A benefit for Mara: Healing, 4 significant: a stunned box is cleared." in page


def test_dw_16_a_benefit_in_words_or_none(
    as_alice: Client, as_bob: Client, campaign: Any, mara: Character, session: None, dice: list[int]
) -> None:
    for action, sent, said in (("benefit", {"words": "Nobody saw it"}, "The benefit for Mara: Nobody saw it."),
                               ("no_benefit", {}, "No benefit for Mara besides the bonus dice.")):
        check = Check(as_bob, mara, difficulty="2")
        thrown(check, as_bob, dice, [4, 4, 4, 4, 6, 6, 5], 4, as_alice)
        if sent:
            check.act(as_alice, action, "gm", words="", expect=422)
        check.act(as_alice, action, "gm", **sent)
        assert check.over and said in as_alice.get(check.at).content.decode()


def test_dw_16_a_healing_that_finds_no_box_says_so(
    as_alice: Client, as_bob: Client, campaign: Any, mara: Character, session: None, dice: list[int]
) -> None:
    check = Check(as_bob, mara, difficulty="3", move="healing")
    page = thrown(check, as_bob, dice, [3, 3, 3, 4, 6, 6, 5], 3, as_alice)
    assert "Mara has no filled box of bashed, so none is cleared." in page and check.over


def test_dw_16_aid_needs_somebody_to_help(as_bob: Client, campaign: Any, mara: Character, session: None) -> None:
    sent = body(title="Rope", who=str(mara.pk), difficulty="2", threat="0", move="aid_another")
    answer = as_bob.post(f"/c/{campaign.slug}/contests/start/check/", sent)
    assert answer.status_code == 422 and "Choose a character to help." in answer.content.decode()


def test_dw_06_a_threat_die_waits_for_whoever_tries_the_challenge_next(
    as_alice: Client, as_bob: Client, campaign: Any, mara: Character, tamsin: Character, session: None, dice: list[int]
) -> None:
    first = Check(as_bob, mara, title="The guarded yard", difficulty="4", keywords="torches, dogs")
    thrown(first, as_bob, dice, [1, 1, 3, 4, 6, 6, 5], 0, as_alice)
    first.act(as_alice, "pay", "gm", cost="threat", on="The guarded yard", words="A watchman looks up")
    first.act(as_alice, "let_go", "gm")
    assert not mara.traits.filter(kind="threat").exists()
    # The challenge is a thing of the scene: somebody else finds it, as it is.
    page = as_alice.get(f"/c/{campaign.slug}/contests/start/check/").content.decode()
    assert "difficulty 4, 1 threat die on it" in page
    (link,) = re.findall(r'href="(\?[^"]*The\+guarded\+yard[^"]*)"', page)
    form = as_alice.get(f"/c/{campaign.slug}/contests/start/check/{html.unescape(link)}").content.decode()
    assert 'value="The guarded yard"' in form and 'value="torches, dogs"' in form
    assert '<option value="4" selected>' in form
    second = Check(as_alice, tamsin, title="The guarded yard", difficulty="4")
    second.act(as_alice, "propose", stats=second.stats("Agility", "Speed"), danger="0")
    page = words(as_alice.get(second.at).content.decode())
    assert "Left on The guarded yard, A watchman looks up threat die DW-06" in page
    second.act(as_alice, "agree", "gm")
    dice[:] = [4, 4, 4, 4, 6, 1, 2]  # one less for a stunned box, a threat die for a bashed one, one that waited
    second.act(as_alice, "roll")
    assert second.state.pool.threat == 2
    second.act(as_alice, "stand")
    second.act(as_alice, "use", height="4")
    page = as_alice.get(f"/c/{campaign.slug}/contests/start/check/").content.decode()
    assert "The guarded yard" not in page  # it is overcome


def test_dw_06_kept_botches_are_used_in_a_check_without_botches(
    as_alice: Client, as_bob: Client, campaign: Any, mara: Character, session: None, dice: list[int]
) -> None:
    faces = [3, 3, 3, 4, 6, 6, 5]
    check = Check(as_bob, mara)
    thrown(check, as_bob, dice, faces, 3, as_alice)
    assert check.over  # none are kept, so nothing is asked
    botched = Check(as_bob, mara)
    thrown(botched, as_bob, dice, [1, *faces[1:]], 0, as_alice)
    assert "Use kept botches" not in as_alice.get(botched.at).content.decode()
    botched.act(as_alice, "keep", "gm")
    again = Check(as_bob, mara)
    page = thrown(again, as_bob, dice, faces, 3, as_alice)
    assert not again.over and "Waiting for the GM: use kept botches, or finish." in page
    assert "1 botch kept from earlier checks." in as_alice.get(again.at).content.decode()
    again.act(as_alice, "draw", "gm", number="2", expect=422)
    again.act(as_alice, "draw", "gm", number="1")
    again.act(as_alice, "pay", "gm", cost="danger")
    assert again.over and SharedPool.objects.get(name="kept").value == 0
    last = Check(as_bob, mara)
    thrown(last, as_bob, dice, faces, 3, as_alice)
    assert last.over


def test_dw_04_a_set_of_height_1_shows_its_ruling(
    as_alice: Client, as_bob: Client, campaign: Any, mara: Character, session: None, dice: list[int]
) -> None:
    ruling = "One die showing 1 is a set of height 1"
    check = Check(as_bob, mara)
    check.act(as_bob, "propose", stats=check.stats("Agility", "Speed"), danger="0")
    check.act(as_alice, "agree", "gm")
    dice[:] = [1, 2, 4, 5, 5, 6, 6]
    check.act(as_bob, "roll")
    assert ruling in as_bob.get(check.at).content.decode()
    check.act(as_bob, "stand")
    check.act(as_bob, "use", height="1")
    entry = Entry.objects.filter(kind="contest.use").get()
    assert ruling in as_bob.get(reverse("entry", args=[campaign.slug, entry.seq])).content.decode()
    assert mara.traits.get(kind="bonus").value == 1
    check = Check(as_bob, mara)
    page = thrown(check, as_bob, dice, [3, 3, 3, 4, 6, 6, 5], 3, as_alice)
    assert ruling not in page


def test_dw_10_a_character_made_in_an_open_session_has_its_story_points_at_once(
    as_alice: Client, campaign: Any, session: None, bobs: Any
) -> None:
    from characters.services import editing

    made = editing.create(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), name="Nell", player=bobs)
    nell = Character.objects.get(pk=editing.id_from(campaign, made.op_id))
    assert nell.pools.get(name="points").value == 3
    assert not list(differences(campaign.pk))


def test_dw_10_the_dark_side_waits_for_a_general_pool(
    as_alice: Client, as_bob: Client, campaign: Any, mara: Character, session: None
) -> None:
    check = Check(as_bob, mara)
    page = as_alice.get(check.at).content.decode()
    assert "The general pool is empty, so no dark side can be paid for." in page
    assert "Pay for an aspect’s dark side" not in page
    as_alice.post(f"/c/{campaign.slug}/pools/general/", body(value="2", reason="From last time"))
    assert "Pay for an aspect’s dark side" in as_alice.get(check.at).content.decode()
    check.act(as_alice, "dark_side", "gm", aspect=str(mara.traits.get(name="In debt").pk), number="3", expect=422)


def test_dw_01_a_line_that_was_not_understood_asks_and_squads_are_numbered(as_alice: Client, campaign: Any) -> None:
    at = reverse("npc_quick", args=[campaign.slug])
    answer = as_alice.post(at, body(line="Guard, Rapier seventeen"))
    assert answer.status_code == 422 and "Write the number of “Rapier seventeen”" in answer.content.decode()
    assert not Character.objects.exists()
    as_alice.post(at, body(line="2 squads of 5 guards, good"))
    made = Character.objects.order_by("name")
    assert [character.name for character in made] == ["Guards 1", "Guards 2"]
    assert made[0].traits.filter(kind="primary").order_by("place").values_list("name", flat=True)[0] == "A squad of 5"


@pytest.mark.parametrize(("answer", "left"), [("yes", 0), ("no", 1)])
def test_dw_14_a_benefit_that_may_open_the_last_box_is_asked_of_the_gm_and_answered_with_one_tap(
    as_alice: Client, as_bob: Client, campaign: Any, mara: Character, tamsin: Character, session: None,
    dice: list[int], answer: str, left: int
) -> None:
    tamsin.traits.update(damage=0)
    tamsin.traits.filter(name="Dead").update(damage=1)
    check = Check(as_bob, mara, difficulty="5", move="healing", beside=str(tamsin.pk))
    thrown(check, as_bob, dice, [6, 6, 6, 6, 6, 6, 6], 6, as_alice)
    check.act(as_alice, "benefit", "gm", row="6", words="")
    assert tamsin.traits.get(name="Dead").damage == 1, "nothing opens it by itself"
    assert "say whether the last box is cleared" in as_bob.get(check.at).content.decode()
    assert "Yes: Tamsin is back from the dead" in as_alice.get(check.at).content.decode()
    check.act(as_bob, "wonder", "gm", answer="yes", expect=409)
    check.act(as_alice, "wonder", "gm", answer=answer)
    assert tamsin.traits.get(name="Dead").damage == left
