"""Who has died by the GM's word on the sheet leaves the long contest that goes on, and is back in it with the word
(QW-47)."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.errors import Refused
from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from characters.models import Character, Trait
from play.models import Contest
from play.services import sessions
from tests import laid
from tests.conftest import logged_in
from tests.html_forms import Page
from tests.play.conftest import character, state_of
from tests.play.questworlds.conftest import of, page, press, state
from tests.play.questworlds.longing import gm_bids, set_setting, start
from tests.play.test_conflict_deaths import marks, taken_back

pytestmark = pytest.mark.django_db


@laid.fixture
def as_dana(dana: Any) -> Client:
    return logged_in(dana.user)


@laid.fixture
def vey(campaign: Any, alices: Any, scene: Any, ilse: Character, tam: Character) -> Character:
    """An NPC of the GM's, in the scene."""
    npc = character(campaign, alices, "Vey", [("ability", "Sword", 17)], npc=True)
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[ilse.pk, tam.pk, npc.pk])
    return npc


def fight(as_alice: Client, campaign: Any, kind: str = "scored", who: int = 2, others: str = "Clerk 11") -> None:
    """The players' first so many against Vey and these."""
    start(as_alice, campaign, kind, others, who, c2_side="two")


def of_theirs(client: Client, who: Character) -> list[str]:
    """The acts that the contest's page has for somebody."""
    return [form.action for form in Page(page_of(client)).forms
            if "/contests/" in form.action and f"/{who.pk}/" in form.action]


def page_of(client: Client) -> Any:
    one = Contest.objects.select_related("campaign").get()
    return client.get(f"/c/{one.campaign.slug}/contests/{one.pk}/")


def standing(who: Character) -> str:
    return str(state_of(Contest.objects.get()).entrant(str(who.pk)).status)


def rounds(client: Client, who: Character, **values: Any) -> None:
    assert press(client, who, "round", ability=of(who, "Mapmaker"), **values).status_code == 302


def told(entry: Entry) -> str:
    return str(entry.payload.text)


def test_qw_47_who_dies_leaves_it_and_whoever_faced_them_is_free(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, alices: Any, vey: Any, ilse: Any, tam: Any
) -> None:
    fight(as_alice, campaign)
    assert [state().name_of(bout.theirs) for bout in state().bouts_of(str(tam.pk))] == ["Vey"]
    assert "Your turn: roll round 1." in page(as_dana)
    written = marks(as_alice, vey)
    assert "Vey is dead, and out of the contest." in told(written)
    assert standing(vey) == "dead" and state().free(str(tam.pk)) and len(state().open_bouts) == 1
    text = page(as_dana)
    assert "Your turn: roll round 1." not in text and "Tam faces nobody" in text
    assert Page(page_of(as_dana)).form(action=f"/engage/{tam.pk}/").controls["whom"].offered == ["~0"]
    assert "Your turn: roll round 1." in page(as_bob)
    taken_back(campaign, alices, written)
    assert standing(vey) == "in" and "Your turn: roll round 1." in page(as_dana)
    assert not list(differences(campaign.pk))


def test_qw_47_the_death_of_the_last_foe_wins_it_and_undoing_that_goes_on(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, vey: Any, ilse: Any
) -> None:
    fight(as_alice, campaign, others="")
    written = marks(as_alice, vey)
    assert "The prize goes to the crew: nobody else is left." in told(written)
    assert "The prize goes to the crew." in page(as_bob) and "Waiting for the GM: add what lasts" in page(as_bob)
    taken_back(campaign, alices, written)
    assert state().won_by is None and not list(differences(campaign.pk))
    marks(as_alice, vey)
    assert press(as_alice, None, "close").status_code == 302
    assert Contest.objects.get().over


def test_qw_47_a_player_whose_character_dies_is_asked_for_nothing(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, vey: Any, ilse: Any
) -> None:
    fight(as_alice, campaign)
    assert "Your turn: roll round 1." in page(as_bob)
    written = marks(as_alice, ilse)
    assert "Your turn" not in page(as_bob) and not of_theirs(as_bob, ilse)
    assert not state().bouts_of(str(ilse.pk)) and "Ilse died" not in page(as_bob)  # no round of theirs to tell of
    taken_back(campaign, alices, written)
    assert "Your turn: roll round 1." in page(as_bob) and not list(differences(campaign.pk))


@pytest.mark.parametrize("dies", ["Vey", "Ilse"])
def test_qw_12_dice_that_wait_come_to_nothing_when_one_of_the_two_dies(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, vey: Any, ilse: Any, fall: Any, dies: str
) -> None:
    set_setting(campaign, alices, long="chained")
    fight(as_alice, campaign, "chained", who=1, others="")
    fall(19, 3)
    rounds(as_bob, ilse)
    assert len(state().throws) == 1 and "Let it stand" in page(as_bob)
    written = marks(as_alice, Character.objects.get(name=dies))
    after = state_of(Contest.objects.get())
    assert not after.throws and "Let it stand" not in page(as_bob)
    assert "The dice of Ilse come to nothing." in told(written)
    for room in ("", "ledger/"):
        assert "The dice of Ilse come to nothing." in as_bob.get(f"/c/{campaign.slug}/{room}").content.decode(), room
    assert not Trait.objects.filter(character=ilse, kind="consequence").exists()
    taken_back(campaign, alices, written)
    assert len(state().throws) == 1
    assert press(as_bob, ilse, "stand").status_code == 302
    assert Trait.objects.get(character=ilse, kind="consequence").value == 2
    assert not list(differences(campaign.pk))


def test_qw_47_back_to_life_is_back_in_the_pair_with_its_points(
    as_alice: Client, as_bob: Client, campaign: Any, vey: Any, ilse: Any, fall: Any
) -> None:
    fight(as_alice, campaign, who=1, others="Clerk 17")
    mine = state().bouts_of(str(ilse.pk))[0]
    foe = mine.theirs
    assert foe == str(vey.pk)
    fall(3, 19)
    rounds(as_bob, ilse)
    if state().throws:
        assert press(as_bob, ilse, "stand").status_code == 302
    assert state().bout(mine.number).points == (2, 0)
    marks(as_alice, vey)
    assert state().bout(mine.number).closed and "Vey died" in page(as_bob)
    written = marks(as_alice, vey, button="Bring back to life")
    assert "Vey lives, and is in the contest again." in told(written)
    again = state().bouts_of(str(ilse.pk))[0]
    assert (again.number, again.points) == (mine.number, (2, 0)) and "Your turn: roll round 2." in page(as_bob)
    assert not list(differences(campaign.pk))


def test_qw_45_nobody_shoots_at_the_dead_and_who_was_beaten_stays_so(
    as_alice: Client, as_bob: Client, campaign: Any, vey: Any, ilse: Any, fall: Any
) -> None:
    fight(as_alice, campaign, who=1, others="")
    for _ in range(2):
        fall(17, 19)
        rounds(as_bob, ilse)
        if state().throws:
            assert press(as_bob, ilse, "stand").status_code == 302
    assert "Parting shot" in page(as_bob) and standing(vey) == "beaten"
    written = marks(as_alice, vey)
    assert "Parting shot" not in page(as_bob) and "nobody else is left" not in told(written)
    marks(as_alice, vey, button="Bring back to life")
    assert standing(vey) == "beaten" and "Parting shot" in page(as_bob)
    assert state().won_by == 0


def test_qw_47_whoever_dies_once_it_is_won_has_won_it_all_the_same(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, vey: Any, ilse: Any, fall: Any
) -> None:
    fight(as_alice, campaign, who=1, others="")
    for _ in range(2):
        fall(17, 19)
        rounds(as_bob, ilse)
        if state().throws:
            assert press(as_bob, ilse, "stand").status_code == 302
    written = marks(as_alice, ilse)
    assert standing(ilse) == "dead" and "The prize goes to the crew." in page(as_bob)
    assert not of_theirs(as_bob, ilse)
    assert press(as_alice, None, "close").status_code == 302
    assert "The prize goes to the crew" in told(Entry.objects.latest("seq")) and written
    assert not list(differences(campaign.pk))


def test_qw_44_a_secret_choice_against_the_dead_is_gone_and_back_with_undo(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, vey: Any, ilse: Any
) -> None:
    set_setting(campaign, alices, tactics="secret")
    fight(as_alice, campaign, who=1)
    assert press(as_bob, ilse, "choose", ability=of(ilse, "Mapmaker"), tactic="risky").status_code == 302
    assert "Ilse has chosen." in page(as_alice)
    written = marks(as_alice, vey)
    assert "Ilse has chosen." not in page(as_alice) and not of_theirs(as_bob, vey)
    assert f"/engage/{ilse.pk}/" in "".join(of_theirs(as_bob, ilse))
    taken_back(campaign, alices, written)
    assert "Ilse has chosen." in page(as_alice) and not list(differences(campaign.pk))
    marks(as_alice, vey)
    marks(as_alice, vey, button="Bring back to life")
    assert "Ilse has chosen." not in page(as_alice) and f"/choose/{ilse.pk}/" in "".join(of_theirs(as_bob, ilse))


def test_qw_56_who_bid_against_the_dead_bids_again(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, alices: Any, vey: Any, ilse: Any, tam: Any
) -> None:
    set_setting(campaign, alices, long="extended")
    fight(as_alice, campaign, "extended", others="Clerk 11; Guard 9")
    sent = {"whom": str(vey.pk), "ability": of(ilse, "Mapmaker"), "bid": "4"}
    assert press(as_bob, ilse, "bid", **sent).status_code == 302
    assert press(as_dana, tam, "bid", whom="~0", ability=of(tam, "Sailor"), bid="2").status_code == 302
    gm_bids(as_alice, str(vey.pk), ilse, 3)
    assert "Your turn: bid" not in page(as_bob)
    written = marks(as_alice, vey)
    assert "Your turn: bid for round 1." in page(as_bob)
    assert Page(page_of(as_bob)).form(action=f"/bid/{ilse.pk}/").controls["whom"].offered == ["~0", "~1"]
    taken_back(campaign, alices, written)
    assert "Your turn: bid" not in page(as_bob) and len(state().bids) == 3
    assert not list(differences(campaign.pk))


def test_qw_56_the_round_goes_on_when_only_the_dead_had_yet_to_act(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, vey: Any, ilse: Any, fall: Any
) -> None:
    fight(as_alice, campaign)
    fall(7, 7)
    rounds(as_bob, ilse)
    if state().throws:
        assert press(as_bob, ilse, "stand").status_code == 302
    assert state().round == 1
    written = marks(as_alice, vey)
    assert state().round == 2 and "Round 2 begins." in told(written)
    taken_back(campaign, alices, written)
    assert state().round == 1 and not list(differences(campaign.pk))


def test_qw_22_no_augment_waits_for_the_dead(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, alices: Any, vey: Any, ilse: Any, tam: Any
) -> None:
    fight(as_alice, campaign)
    sent = {"trait": of(tam, "Songs"), "whom": str(ilse.pk), "words": "A tune"}
    assert press(as_dana, tam, "augment", **sent).status_code == 302
    assert "Answer an augment" in page(as_alice)
    written = marks(as_alice, ilse)
    assert "Answer an augment" not in page(as_alice)
    taken_back(campaign, alices, written)
    assert "Answer an augment" in page(as_alice) and not list(differences(campaign.pk))


def test_qw_23_what_was_said_of_dice_before_a_death_brings_nobody_back(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, vey: Any, ilse: Any, fall: Any
) -> None:
    set_setting(campaign, alices, points=0)
    fight(as_alice, campaign, who=1)
    fall(16, 5)
    rounds(as_bob, ilse)
    assert state().unread
    strikes = Page(page_of(as_alice)).form(action="/dismiss/gm/")
    assert any("Mapmaker 17 counts." in button.words for button in strikes.buttons)
    marks(as_alice, vey)
    record = state().record
    strikes = Page(page_of(as_alice)).form(action="/dismiss/gm/")
    used = next(button for button in strikes.buttons if "Mapmaker 17 counts." in button.words)
    assert strikes.send(as_alice, used).status_code == 302
    assert standing(vey) == "dead" and state().record == record


def test_qw_59_who_dies_while_it_rests_is_out_when_it_goes_on(
    as_alice: Client, as_bob: Client, campaign: Any, vey: Any, ilse: Any
) -> None:
    fight(as_alice, campaign)
    assert press(as_alice, None, "pause").status_code == 302
    marks(as_alice, vey)
    assert standing(vey) == "dead"
    assert press(as_alice, None, "resume").status_code == 302
    assert all(str(vey.pk) not in (bout.ours, bout.theirs) for bout in state().open_bouts)


def test_qw_47_nobody_dead_joins_it(
    as_alice: Client, as_dana: Client, campaign: Any, vey: Any, ilse: Any, tam: Any
) -> None:
    start(as_alice, campaign, who=1, c2_side="two")
    assert of_theirs(as_dana, tam)
    marks(as_alice, tam)
    assert not of_theirs(as_dana, tam)


def test_qw_47_the_gm_brings_nobody_dead_into_it(
    as_alice: Client, campaign: Any, alices: Any, vey: Any, ilse: Any, tam: Any
) -> None:
    late = character(campaign, alices, "Late guard", [("ability", "Halberd", 18)], npc=True)
    fight(as_alice, campaign)
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(),
                          characters=[ilse.pk, tam.pk, vey.pk, late.pk])
    assert str(late.pk) in Page(page_of(as_alice)).form(action="/join/gm/").controls["npc"].offered
    marks(as_alice, late)
    assert "npc" not in Page(page_of(as_alice)).form(action="/join/gm/").controls


def test_undoing_a_death_names_what_was_done_in_the_contest_since(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, vey: Any, ilse: Any, fall: Any
) -> None:
    fight(as_alice, campaign)
    written = marks(as_alice, vey)
    fall(3, 19)
    rounds(as_bob, ilse)
    last = Entry.objects.latest("seq")
    with pytest.raises(Refused, match=f"Entry {last.seq} depends on this one. Undo that one first."):
        taken_back(campaign, alices, written)
