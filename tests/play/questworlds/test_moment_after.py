"""The moment after a pair: what the winner, who fell, and who only waits may do, with its chance (QW-43 to QW-56)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.trail.rebuild import differences
from tests.conftest import logged_in
from tests.html_forms import Page
from tests.play.pressing import press
from tests.play.questworlds.conftest import act, latest, of, page, state
from tests.play.questworlds.conftest import press as press_act
from tests.play.questworlds.longing import gm_bids, roll, set_setting, shoot, start

pytestmark = pytest.mark.django_db
WORDS = "His chain of office"


@pytest.fixture
def clerk_out(
    as_alice: Client, as_bob: Client, dana: Any, campaign: Any, scene: Any, ilse: Any, tam: Any, fall: Any
) -> Client:
    """Ilse has taken the clerk out, in the second round; Tam has yet to roll it against Captain Vey. Dana's browser."""
    as_dana = logged_in(dana.user)
    start(as_alice, campaign, opponents="Captain Vey 17 (Page 9); Clerk 11", who=2)
    for _ in range(2):
        fall(16, 20)
        roll(as_bob, ilse, bout="1", ability=of(ilse, "Mapmaker"))
        if state().round == 1:
            fall(9, 9)
            roll(as_dana, tam, bout="0", ability=of(tam, "Sailor"))
    assert state().entrant("~2").status == "beaten"
    return as_dana


def shown(client: Client) -> Page:
    """The contest's page."""
    one = latest()
    return Page(client.get(f"/c/{one.campaign.slug}/contests/{one.pk}/"))


def rows(client: Client) -> dict[str, str]:
    """The rows of what may be done meanwhile: what each is called, with all that it says while it is folded."""
    summaries = shown(client).of_class("meanwhile", "summary")
    named = [(summary, [part.text for part in summary.within() if part.tag == "b"]) for summary in summaries]
    return {names[0]: summary.text for summary, names in named if names}  # without one: what else may be chosen


def answers(client: Client) -> list[str]:
    """What the answers of one tap after the dice say."""
    return [form.buttons[0].words for form in shown(client).forms
            if "/stand/" in form.action or "/spend/" in form.action]


def test_qw_45_the_winner_of_a_pair_sees_what_there_is_to_do_with_the_chance_of_each(
    clerk_out: Client, as_bob: Client
) -> None:
    offered = rows(as_bob)
    assert [*offered] == ["Parting shot", "Assist someone", "Take on an opponent", "Take a follower out",
                        "Do something apart", "Offer an augment"]
    assert "Clerk is out. What you can do now" in page(as_bob)
    for rolled in ("Parting shot", "Assist someone", "Take a follower out", "Do something apart"):
        assert "%" in offered[rolled], rolled
    assert "that Clerk is back in it" in offered["Parting shot"]
    assert not rows(clerk_out), "her own round is waited for"


def test_qw_45_a_further_prize_is_the_gms_to_agree_to_before_a_die_falls(
    clerk_out: Client, as_alice: Client, as_bob: Client, campaign: Any, ilse: Any, fall: Any
) -> None:
    assert press(as_bob, page(as_bob), "Parting shot", whom="~2", ability=of(ilse, "Knife"), words=WORDS
                 ).status_code == 302
    assert not state().throws and act(as_bob, ilse, "shoot").status_code == 409
    assert act(as_bob, ilse, "answer_shot", answer=f"{ilse.pk}:yes").status_code in (403, 404, 409, 422)
    assert f"Ilse at Clerk: {WORDS}." in page(as_alice)
    assert press_act(as_alice, None, "answer_shot", answer=f"{ilse.pk}:no").status_code == 302
    assert "Parting shot" in rows(as_bob), "another prize may be asked for"
    fall(3, 19)
    shoot(as_alice, as_bob, ilse, whom="~2", ability=of(ilse, "Knife"), words="Her ledger")
    assert "Her ledger" in page(as_bob) and "Parting shot" not in rows(as_bob)
    assert not list(differences(campaign.pk))


def test_qw_45_each_answer_after_a_parting_shot_says_what_it_does_to_who_fell(
    clerk_out: Client, as_alice: Client, as_bob: Client, ilse: Any, fall: Any
) -> None:
    fall(12, 9)
    shoot(as_alice, as_bob, ilse, whom="~2", ability=of(ilse, "Mapmaker"), words=WORDS)
    assert state().throws
    assert [WORDS in answer or "Clerk is" in answer for answer in answers(as_bob)] == [True, True], answers(as_bob)


def test_qw_48_the_answers_of_an_assist_say_how_many_points_stand_against_whom_one_helps(
    clerk_out: Client, as_bob: Client, ilse: Any, fall: Any
) -> None:
    fall(14, 3)
    assert press(as_bob, page(as_bob), "Assist someone", ability=of(ilse, "Mapmaker"), words="A rope"
                 ).status_code == 302
    assert ["points are against Tam" in answer for answer in answers(as_bob)] == [True, True], answers(as_bob)


def test_qw_43_initiative_is_said_by_the_gm_and_kept(
    clerk_out: Client, as_alice: Client, as_bob: Client, tam: Any, fall: Any
) -> None:
    assert "has the initiative" not in page(as_bob)
    assert press_act(as_alice, None, "initiative", whose="0:~0").status_code == 302
    assert state().bout(0).initiative == "~0" and "has the initiative" in page(as_bob)
    fall(9, 9)
    roll(clerk_out, tam, bout="0", ability=of(tam, "Sailor"))
    assert "has the initiative" in page(as_bob), "until it is said otherwise"
    ledger = as_bob.get(f"/c/{latest().campaign.slug}/ledger/").content.decode()
    assert '</time> <span class="rule">QW-43</span>' in ledger, "an entry says its rule in the list"
    offered = shown(as_alice).form(action="initiative/gm/").controls["whose"].offered
    assert f"0:{tam.pk}" in offered and "0:~0" not in offered


def test_qw_56_who_fell_sees_the_second_chance_with_its_chance(
    as_alice: Client, as_bob: Client, dana: Any, campaign: Any, scene: Any, alices: Any, ilse: Any, tam: Any,
    fall: Any,
) -> None:
    as_dana = logged_in(dana.user)
    set_setting(campaign, alices, long="extended")
    start(as_alice, campaign, "extended", "Captain Vey 17; Clerk 17", who=2)
    for client, who, ability, whom in ((as_bob, ilse, "Mapmaker", "~0"), (as_dana, tam, "Sailor", "~1")):
        assert press(client, page(client), "Bid", whom=whom, ability=of(who, ability),
                     bid="17" if who is ilse else "1").status_code == 302
    gm_bids(as_alice, "~0", ilse, 1)
    gm_bids(as_alice, "~1", tam, 1)
    fall(20, 3)
    assert act(as_bob, ilse, "exchange").status_code == 302
    if state().throws:
        assert press(as_bob, page(as_bob), "Let it stand").status_code == 302
    assert state().entrant(str(ilse.pk)).status == "beaten"
    offered = rows(as_bob)
    assert "You are out. What is left to you" in page(as_bob) and "%" in offered["Take a second chance"]
