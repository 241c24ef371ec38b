"""Who gets away, who gives up, and who is back, by the pages of a long contest (QW-45, QW-46, QW-A3, QW-A5)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.trail.rebuild import differences
from tests import laid
from tests.conftest import logged_in
from tests.play.pressing import press
from tests.play.questworlds.conftest import of, page, state
from tests.play.questworlds.conftest import press as press_act
from tests.play.questworlds.longing import roll, set_setting, shoot, start
from tests.play.questworlds.test_moment_after import clerk_out, rows, shown

__all__ = ["clerk_out"]  # a fixture of that file
pytestmark = pytest.mark.django_db


@laid.fixture
def as_dana(dana: Any, campaign: Any, scene: Any, tam: Any) -> Client:
    """Tam's player, at the table."""
    return logged_in(dana.user)


def test_qw_46_who_got_away_reads_what_they_can_do_and_takes_somebody_on(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, ilse: Any, fall: Any
) -> None:
    start(as_alice, campaign, opponents="Captain Vey 17; Clerk 11", who=2)
    fall(3, 19)
    roll(as_bob, ilse, bout="1", ability=of(ilse, "Mapmaker"), aim="leave")
    assert state().entrant(str(ilse.pk)).away and "Ilse gets away" in page(as_bob)
    assert {"Assist someone", "Take on an opponent", "Do something apart", "Offer an augment"} <= rows(as_bob).keys()
    assert press(as_bob, page(as_bob), "Take on an opponent", whom="~1").status_code == 302
    assert state().entrant(str(ilse.pk)).fights and not list(differences(campaign.pk))


def test_qw_46_only_who_conceded_is_said_to_have(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, ilse: Any, fall: Any
) -> None:
    start(as_alice, campaign, opponents="Captain Vey 17; Clerk 11", who=2)
    fall(9, 9)
    roll(as_bob, ilse, bout="1", ability=of(ilse, "Mapmaker"))
    assert press_act(as_bob, ilse, "concede").status_code == 302
    text = page(as_dana)
    assert "Ilse conceded" in text and "Clerk conceded" not in text and "Clerk have" not in text


@pytest.mark.parametrize("leaves", ["concede", "leave"])
def test_qw_a3_who_lets_go_of_the_prize_at_4_to_0_reads_no_victory(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, alices: Any, ilse: Any, fall: Any, leaves: str
) -> None:
    set_setting(campaign, alices, scored_tables=True, group_outcomes=True, states=True)
    start(as_alice, campaign)
    fall(16, 18)
    for _ in range(2):
        roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    assert state().bout(0).points == (4, 0)
    if leaves == "concede":
        assert press_act(as_bob, ilse, "concede").status_code == 302
    else:
        fall(3, 18)
        roll(as_bob, ilse, ability=of(ilse, "Mapmaker"), aim="leave")
    assert press_act(as_alice, None, "outcomes").status_code == 302
    text = page(as_bob)
    assert "marginal defeat" in text and "victory for the players" not in text and "+6" not in text


def test_qw_45_who_is_back_after_a_parting_shot_faces_nobody_who_is_out(
    clerk_out: Client, as_alice: Client, as_bob: Client, ilse: Any, tam: Any, fall: Any
) -> None:
    fall(20, 3)
    shoot(as_alice, as_bob, ilse, whom="~2", ability=of(ilse, "Knife"), words="His keys")
    while state().throws:
        assert press(as_bob, page(as_bob), "Let it stand").status_code == 302
    assert state().entrant("~2").fights and "Clerk is back" in page(as_bob)
    assert press_act(clerk_out, tam, "concede").status_code == 302
    out = {contestant.id for contestant in state().contestants if not contestant.fights}
    assert out and not any({bout.ours, bout.theirs} & out for bout in state().open_bouts)
    for client in (as_alice, as_bob, clerk_out):
        asked = [form for form in shown(client).forms if "/round/" in form.action or "/gm_round/" in form.action]
        faced = {number for form in asked for number in form.controls["bout"].offered + form.controls["bout"].opens}
        assert faced <= {str(bout.number) for bout in state().open_bouts}


def test_qw_a5_an_extended_contest_ends_by_its_table_at_the_page(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, alices: Any, ilse: Any, fall: Any
) -> None:
    set_setting(campaign, alices, long="extended", long_tables=True, states=True, fortune=True)
    start(as_alice, campaign, "extended", "Captain Vey 17")
    fall(17, 20)
    assert press(as_bob, page(as_bob), "Bid", whom="~0", ability=of(ilse, "Mapmaker"), bid="14").status_code == 302
    while state().throws:
        assert press(as_bob, page(as_bob), "Let it stand").status_code == 302
    assert state().entrant("~0").status == "beaten"
    assert press_act(as_alice, None, "outcomes").status_code == 302
    text = page(as_bob)
    assert "a major victory" in text and ilse.traits.get(kind="fortune").value == 3
    assert not list(differences(campaign.pk))


def test_qw_a6_who_is_dying_reads_so_with_a_way_on_in_place_of_a_roll(
    as_bob: Client, campaign: Any, scene: Any, alices: Any, ilse: Any
) -> None:
    set_setting(campaign, alices, states=True)
    ilse.traits.create(campaign=campaign, kind="adversity", name="A blade", value=4, place=90)
    tray = as_bob.get(f"/c/{campaign.slug}/?character={ilse.pk}").content.decode().partition('id="forecast"')[2]
    tray = tray.partition("</form>")[0]
    assert "dying" in tray and '<button class="primary"' not in tray and "/contests/start/framed/?who=" in tray, tray
