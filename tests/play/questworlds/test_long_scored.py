"""A scored contest from two browsers: rounds, tactics, points, parting shots, what comes after (QW-43 to QW-50)."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Campaign, Entry
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import differences
from characters.models import Pool, Trait
from play.models import Contest
from play.services import scenes, sessions
from tests.play.questworlds.conftest import act, begin, of, page, press, state
from tests.play.questworlds.longing import roll, set_setting, shoot, start, story

pytestmark = pytest.mark.django_db


def test_qw_43_five_points_win_and_the_page_tells_each_round(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    start(as_alice, campaign)
    text = page(as_bob)
    assert "Your turn: roll round 1." in text and "first to five" in text and "to win this pair" in text
    fall(3, 19)  # a success against a failure: 2 points
    assert roll(as_bob, ilse, ability=of(ilse, "Mapmaker")).points == (2, 0)
    assert "Ilse is ahead of Captain Vey, 2 : 0." in page(as_bob) and "success against failure" in page(as_bob)
    assert "Ilse +2, 2 to 0" in story("contest.stand") + story("contest.round")
    fall(19, 17)  # a failure against a critical: 3 points
    assert roll(as_bob, ilse, ability=of(ilse, "Mapmaker")).points == (2, 3)
    fall(17, 19)  # a critical against a failure: 3 points
    assert roll(as_bob, ilse, ability=of(ilse, "Mapmaker")).points == (5, 3)
    text = page(as_bob)
    assert "The prize goes to the crew." in text and "Waiting for the GM: add what lasts, and finish." in text
    assert act(as_alice, None, "close").status_code == 302
    assert Contest.objects.get().over and not list(differences(campaign.pk))


def test_qw_43_a_tie_changes_nothing(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    start(as_alice, campaign)
    fall(5, 5)
    assert roll(as_bob, ilse, ability=of(ilse, "Mapmaker")).points == (0, 0)
    assert state().round == 2 and "Nothing changes." in page(as_bob)


def test_qw_44_tactics_move_points_and_the_gm_says_first(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    start(as_alice, campaign)
    assert act(as_alice, None, "stance", bout="0", tactic="risky").status_code == 302
    assert "makes a risky gambit" in page(as_bob)
    fall(3, 19)
    assert roll(as_bob, ilse, ability=of(ilse, "Mapmaker"), tactic="defensive").points == (3, 0)  # 2 + 2 − 1
    fall(19, 3)
    assert roll(as_bob, ilse, ability=of(ilse, "Mapmaker"), tactic="defensive").points == (3, 0)  # 2 − 2
    fall(19, 3)
    assert roll(as_bob, ilse, ability=of(ilse, "Mapmaker"), tactic="risky").points == (3, 4)  # 2 + 2


def test_qw_44_where_both_choose_in_secret_neither_sees_the_other_before(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, alices: Any, fall: Any
) -> None:
    set_setting(campaign, alices, tactics="secret")
    start(as_alice, campaign)
    assert act(as_bob, ilse, "round", bout="0").status_code in (409, 422)
    assert act(as_bob, ilse, "choose", bout="0", ability=of(ilse, "Mapmaker"), tactic="risky").status_code == 302
    entry = Entry.objects.get(kind="contest.choose")
    assert entry.audience not in ("all", "gm") and "risky gambit" not in page(as_alice).partition("<h2>Entries")[0]
    assert "Ilse has chosen." in page(as_alice)
    assert act(as_alice, None, "stance", bout="0", tactic="defensive").status_code == 302
    assert "defensive response" not in page(as_bob).partition("id=\"acts\"")[0]
    fall(3, 19)
    assert act(as_bob, ilse, "roll", bout="0").status_code == 302
    if state().throws:
        act(as_bob, ilse, "stand")
    assert state().bout(0).points == (1, 0)  # 2 + 1 − 2


def test_qw_12_a_story_point_is_offered_after_the_dice_of_a_round(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    start(as_alice, campaign)
    fall(19, 3)
    assert act(as_bob, ilse, "round", bout="0", ability=of(ilse, "Mapmaker"), tactic="normal").status_code == 302
    text = page(as_bob)
    assert "Let it stand: defeat, rank 2: Captain Vey +2" in text
    assert "Spend a story point: victory, rank 1: Ilse +1" in text
    assert act(as_bob, ilse, "spend").status_code == 302
    assert state().bout(0).points == (1, 0) and not list(differences(campaign.pk))


def test_qw_45_a_parting_shot_brings_a_loser_back_when_it_fails(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    start(as_alice, campaign)
    for _ in range(2):
        fall(17, 19)
        roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    assert state().won_by == 0 and "Parting shot" in page(as_bob) and "Parting shot" not in page(as_alice).partition(
        "Act for a player")[0]
    fall(19, 17)  # lost by rank 3: of 3 in the last round 3 are taken back
    shoot(as_alice, as_bob, ilse, whom="~0", ability=of(ilse, "Knife"), words="Her horse")
    if state().throws:
        act(as_bob, ilse, "stand")
    now = state()
    assert now.won_by is None and now.bout(0).points == (3, 0) and "Captain Vey is back" in page(as_bob)


def test_qw_46_a_round_for_something_else_scores_nothing_and_one_gets_away(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    start(as_alice, campaign)
    fall(3, 19)
    assert roll(as_bob, ilse, ability=of(ilse, "Knife"), aim="else", words="She cuts the rope").points == (0, 0)
    assert "She cuts the rope" in page(as_bob)
    fall(3, 19)
    roll(as_bob, ilse, ability=of(ilse, "Knife"), aim="leave")
    assert state().entrant(str(ilse.pk)).status == "left" and "Ilse gets away." in page(as_bob)


def test_qw_50_another_ability_and_another_resistance(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    start(as_alice, campaign)
    fall(14, 19)
    assert roll(as_bob, ilse, ability=of(ilse, "Knife")).points != (2, 0)  # 14 is over 13
    assert act(as_alice, None, "resist", whom="~0", resistance="low", reason="Her back to the sun").status_code == 302
    assert "Captain Vey is at 11 from now on" in story("contest.resist")
    fall(11, 12)
    roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    assert state().bout(0).rounds[-1].results == ("success", "failure")


def test_qw_43_what_comes_after_experience_and_consequences(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    start(as_alice, campaign)
    for _ in range(2):
        fall(19, 17)
        roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    assert "The prize goes to the toll." in page(as_bob)
    assert act(as_alice, None, "give", whom=str(ilse.pk), kind="consequence", rank="3", name="Half drowned",
               touches="").status_code == 302
    assert Trait.objects.get(character=ilse, kind="consequence").value == 3
    assert act(as_alice, None, "close").status_code == 302
    assert Pool.objects.get(character=ilse, name="xp").value == 1
    assert not list(differences(campaign.pk))


def test_undoing_a_round_gives_the_state_before_it_and_redoing_it_the_one_after(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, alices: Any, fall: Any
) -> None:
    start(as_alice, campaign)
    fall(17, 17)  # both critical, a tie: no story point to think of
    before = state()
    assert act(as_bob, ilse, "round", bout="0", ability=of(ilse, "Mapmaker"), tactic="normal").status_code == 302
    after = state()
    assert after != before
    for wanted in (before, after, before):
        last = Entry.objects.filter(campaign=campaign).order_by("-seq").first()
        undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=last.seq)
        assert state() == wanted and not list(differences(campaign.pk))


def test_qw_58_one_long_contest_at_a_time_and_the_setting_says_which(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, alices: Any
) -> None:
    assert as_alice.get(f"/c/{campaign.slug}/contests/start/chained/").status_code == 302  # not this campaign's
    start(as_alice, campaign)
    sent = {"title": "Another one", "c0_side": "one", "side_one": "The crew", "side_two": "Them", "opponents": "Clerk",
            "op_id": str(uuid.uuid4())}
    answer = as_alice.post(f"/c/{campaign.slug}/contests/start/scored/", sent)
    assert answer.status_code == 422
    assert "A long contest can’t run inside another" in answer.content.decode()
    set_setting(campaign, alices, long="chained")
    assert as_alice.get(f"/c/{campaign.slug}/contests/start/scored/").status_code == 302
    assert as_alice.get(f"/c/{campaign.slug}/contests/start/chained/").status_code == 200
    assert "first to five" in page(as_bob)  # what goes on goes on


def test_qw_59_it_rests_over_scenes_and_goes_on_with_its_points(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, alices: Any, fall: Any
) -> None:
    start(as_alice, campaign)
    fall(3, 19)
    roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    scenes.close_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), values={})
    campaign = Campaign.objects.get(pk=campaign.pk)
    sessions.open_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="A week later",
                        characters=[ilse.pk, tam.pk])
    assert "Paused." in page(as_bob)
    assert act(as_bob, ilse, "round", bout="0").status_code in (409, 422)
    assert act(as_alice, None, "resume").status_code == 302
    assert "Your turn: roll round 2. Ilse is ahead of Captain Vey, 2 : 0." in page(as_bob)
    assert act(as_alice, None, "pause").status_code == 302
    campaign.refresh_from_db()
    begin(as_alice, campaign, "scored", side_one="Us", side_two="Them", opponents="Clerk", c0_side="one")
    assert Contest.objects.filter(over=False).count() == 2


def test_what_the_gm_does_stands_open_and_a_players_round_is_folded(
    as_alice: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    start(as_alice, campaign)
    own, _, folded = page(as_alice).partition('id="acts"')[2].partition("<summary>Act for a player</summary>")
    assert 'id="offer-stance-gm" open' in own.partition('<details class="tray"')[0]
    assert f'id="offer-round-{ilse.pk}"' in folded and f"-{ilse.pk}" not in own


def test_qw_25_an_ability_that_lost_a_long_contest_is_warned_of_at_the_same_obstacle(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    start(as_alice, campaign)
    fall(20, 17)
    while state().entrant(str(ilse.pk)).status == "in":
        roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    press(as_alice, None, "close")
    for obstacle, warned in (("The toll", True), ("The guard", False)):
        begin(as_bob, campaign, who=str(ilse.pk), obstacle=obstacle)
        press(as_bob, ilse, "choose", tactic="A forged pass", ability=of(ilse, "Mapmaker"))
        press(as_alice, None, "oppose", name=obstacle, resistance="14")
        assert ("The same ability was beaten by this obstacle" in page(as_bob)) is warned
        press(as_alice, None, "call_off")
