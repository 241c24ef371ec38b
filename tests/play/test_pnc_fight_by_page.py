"""A fight of PnC as its pages show it, with dice that are known (PN-06, PN-07, PN-10)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.draft import Draft
from campaigns.trail.rebuild import differences
from characters.models import Character
from rules.sheet import Gain
from tests.html_forms import Form, Page
from tests.play.pdq_sharp.conftest import suffers
from tests.play.questworlds.conftest import latest, press, state
from tests.play.questworlds.longing import set_setting
from tests.play.test_now import bar, words
from tests.play.test_pnc_table import campaign, marrow, nell, scene

__all__ = ["campaign", "marrow", "nell", "scene"]  # fixtures of that table
pytestmark = pytest.mark.django_db
SIDES = {"side_one": "The party", "side_two": "The others", "c0_side": "one", "c1_side": "two"}


@pytest.fixture
def fall(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Says which faces fall from now on, one after the other."""
    def say(*faces: int) -> None:
        left = [*faces]

        def roll(draft: Draft, sides: Any, client_seed: str) -> list[int]:
            return [left.pop(0) for _ in sides]
        monkeypatch.setattr(Draft, "roll", roll)
    return say


def begin(client: Client, campaign: Any, kind: str = "fight", **more: Any) -> None:
    address = f"/c/{campaign.slug}/contests/start/{kind}/"
    answer = Page(client.get(address)).form(action=address).send(client, title="The cash box", **SIDES, **more)
    assert answer.status_code == 302, Page(answer).errors


def in_order(as_alice: Client, as_bob: Client, campaign: Any, nell: Any, fall: Any, *, first: bool = True) -> None:
    """A fight of Bob's Nell against Old Marrow begins, and by the dice for the order Nell is `first`, or last."""
    high, low = (15, 3, 3, 3), (5, 4, 4, 4)
    begin(as_alice, campaign)
    fall(*(high if first else low))
    press(as_bob, nell, "initiative")
    fall(*(low if first else high))
    press(as_alice, None, "roll_the_rest")


def at() -> str:
    contest = latest()
    return f"/c/{contest.campaign.slug}/contests/{contest.pk}/"


def form(client: Client, action: str) -> Form:
    return next(form for form in Page(client.get(at())).forms if f"/{action}/" in form.action)


def missed(as_alice: Client, as_bob: Client, campaign: Any, nell: Character, marrow: Character, fall: Any) -> None:
    """Nell, who goes first, has thrown a 2 at Marrow: a great failure."""
    in_order(as_alice, as_bob, campaign, nell, fall)
    press(as_bob, nell, "attack", words="With the boat hook")
    fall(6, 6, 6)
    press(as_alice, marrow, "defend")
    fall(2)
    press(as_bob, nell, "strike")


def test_pn_06_with_one_foe_nobody_is_chosen(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    in_order(as_alice, as_bob, campaign, nell, fall)
    target = form(as_bob, "attack").controls["target"]
    assert target.opens == [str(marrow.pk)] and target.offered in ([], [str(marrow.pk)])


def test_pn_06_a_great_failure_stands_in_the_gms_bar_until_it_is_told(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    missed(as_alice, as_bob, campaign, nell, marrow, fall)
    assert "say what the great failure does to Nell" in bar(as_alice, campaign)
    press(as_alice, marrow, "act", words="Waits")
    press(as_bob, nell, "act", words="Waits")
    assert "say what the great failure does to Nell" in bar(as_alice, campaign), "whatever is done meanwhile"
    assert press(as_alice, None, "backfire", what="nothing").status_code == 302
    assert "great failure" not in bar(as_alice, campaign)


def test_pn_06_a_fight_does_not_end_over_a_great_failure_unless_the_gm_leaves_it_at_that(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    missed(as_alice, as_bob, campaign, nell, marrow, fall)
    press(as_alice, marrow, "act", words="Waits")
    refused = press(as_alice, None, "end")
    assert refused.status_code == 422
    again = next(form for form in Page(refused).forms if "/end/" in form.action)
    assert again.controls["drop"].refused and not state().over
    assert "say what the great failure does to Nell" in bar(as_alice, campaign), "it stands there until it is answered"
    assert press(as_alice, None, "end", drop="on").status_code == 302
    told = Entry.objects.filter(kind="contest.end").latest("seq").payload.text
    assert "what the great failure does to Nell. It has no further cost." in told
    assert not list(differences(campaign.pk))


def test_pn_06_once_it_is_told_the_fight_ends_without_a_question(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    missed(as_alice, as_bob, campaign, nell, marrow, fall)
    assert "drop" in form(as_alice, "end").controls
    press(as_alice, None, "backfire", what="nothing")
    assert "drop" not in form(as_alice, "end").controls
    assert press(as_alice, None, "end").status_code == 302


def test_pn_10_a_wound_that_somebody_did_to_themselves_is_written_however_bad_it_is(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    missed(as_alice, as_bob, campaign, nell, marrow, fall)
    answer = press(as_alice, None, "backfire", what="wound", words="Cut her own hand")
    assert answer.status_code == 302, Page(answer).errors
    wound = nell.traits.get(kind="wound")
    assert (wound.name, wound.value) == ("Cut her own hand", -16)
    sheet = as_bob.get(f"/c/{campaign.slug}/characters/{nell.pk}/").content.decode()
    assert "Cut her own hand" in sheet
    assert not list(differences(campaign.pk))


def test_pn_07_a_d6_each_and_those_who_are_level_roll_on(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    set_setting(campaign, alices, initiative="d6")
    fall(4, 4, 2, 5)
    begin(as_alice, campaign)
    shown = words(as_bob.get(at()).content.decode())
    assert "A d6 each: Nell shows 4, Marrow shows 4. Rolling on among equals: Nell shows 2, Marrow shows 5." in shown
    assert state().acting == (str(marrow.pk),) and "Waiting for the GM: attack" in shown
    assert not list(differences(campaign.pk))


def test_pn_10_the_gms_roll_for_the_rest_counts_the_wounds_that_stand_ready_in_each_form(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    suffers(campaign, Gain(str(nell.pk), "wound", "Cut hand", 3), Gain(str(nell.pk), "wound", "Graze", 1))
    begin(as_alice, campaign)
    cut = str(nell.traits.get(name="Cut hand").pk)
    assert form(as_bob, "initiative").controls["features"].opens == [cut]
    assert "Their wounds count" in as_alice.get(at()).content.decode()
    fall(10, 1, 1, 5, 6, 10, 3, 3, 3)  # the highest three of Nell's four are 12, three of Marrow's 9
    press(as_alice, None, "roll_the_rest")
    told = Entry.objects.latest("seq").payload.text
    assert "Cut hand (Nell): hard, 1 penalty die." in told and "Graze" not in told
    assert (state().combatant(str(nell.pk)).score, state().combatant(str(marrow.pk)).score) == (-2, 1)
    assert not list(differences(campaign.pk))


def test_pn_10_a_wound_that_somebody_did_to_themselves_by_an_attack_is_not_said_to_be_left_out_of_it(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    """Not of the attack that it came of, nor of one that fell before the GM ruled; of the next one it is."""
    missed(as_alice, as_bob, campaign, nell, marrow, fall)
    press(as_alice, marrow, "attack")
    fall(3, 3, 3)
    press(as_bob, nell, "defend")
    fall(8)
    press(as_alice, marrow, "strike")
    press(as_alice, None, "backfire", what="wound", words="Cut her own hand")
    assert "Not counted: Cut her own hand" not in words(as_bob.get(at()).content.decode())
    press(as_bob, nell, "attack", features=[])
    fall(3, 3, 3)
    press(as_alice, marrow, "defend")
    fall(12)
    press(as_bob, nell, "strike")
    assert "Not counted: Cut her own hand (Nell)" in words(as_bob.get(at()).content.decode())


def test_pn_11_who_is_left_is_said_of_a_side_that_is_called_as_it_opens_in_the_form(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    """The party is one, the others are several."""
    in_order(as_alice, as_bob, campaign, nell, fall)
    press(as_bob, nell, "leave", standing="surrendered")
    told = Entry.objects.latest("seq").payload.text
    assert "Nobody but the others is still standing: the fight is over." in told
