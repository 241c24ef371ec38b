"""Who has died by the GM's word on the sheet rolls no die of a simple contest that is yet to fall (QW-20, QW-42)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest
from tests import laid
from tests.conftest import logged_in
from tests.play.questworlds.conftest import begin, frame, of, page, press, state
from tests.play.questworlds.test_long_deaths import of_theirs, told
from tests.play.test_conflict_deaths import marks, taken_back

pytestmark = pytest.mark.django_db


@laid.fixture
def as_dana(dana: Any) -> Client:
    return logged_in(dana.user)


def group(as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, ilse: Character, tam: Character) -> None:
    """Both against the night watch, ready to roll."""
    begin(as_alice, campaign, "group", c0_side="one", c1_side="one")
    press(as_bob, ilse, "choose", tactic="Over the wall", ability=of(ilse, "Knife"))
    press(as_dana, tam, "choose", tactic="By boat", ability=of(tam, "Sailor"))
    press(as_alice, None, "oppose", name="The night watch", resistance="14")
    press(as_alice, None, "set")


def test_qw_42_the_others_of_a_group_go_on(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, tam: Any
) -> None:
    group(as_alice, as_bob, as_dana, campaign, ilse, tam)
    assert "roll" in "".join(of_theirs(as_dana, tam))
    written = marks(as_alice, tam)
    assert "Tam is dead, and out of the contest. The others go on." in told(written)
    assert not of_theirs(as_dana, tam) and "roll" in "".join(of_theirs(as_bob, ilse))
    taken_back(campaign, alices, written)
    assert "roll" in "".join(of_theirs(as_dana, tam)) and not list(differences(campaign.pk))


def test_qw_42_the_last_die_that_was_waited_for_waits_no_more(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, fall: Any
) -> None:
    group(as_alice, as_bob, as_dana, campaign, ilse, tam)
    fall(20, 20)
    press(as_bob, ilse, "roll")
    if state().may_spend(str(ilse.pk)):
        press(as_bob, ilse, "stand")
    assert not state().outcomes
    written = marks(as_alice, tam)
    assert [outcome.who for outcome in state().outcomes] == [str(ilse.pk)]
    assert "Neither side wins." in page(as_bob) and "Ilse ties." in told(written)
    assert not list(differences(campaign.pk))


def test_qw_20_alone_it_is_called_off_and_undoing_that_goes_on(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Any
) -> None:
    frame(as_alice, as_bob, campaign, ilse)
    written = marks(as_alice, ilse)
    assert "Ilse is dead: the contest is called off." in told(written)
    assert Contest.objects.get().over and "It was called off." in page(as_bob)
    taken_back(campaign, alices, written)
    assert not Contest.objects.get().over and of_theirs(as_bob, ilse)
    assert not list(differences(campaign.pk))


def test_qw_41_of_two_against_each_other_the_other_is_asked_for_nothing(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any
) -> None:
    begin(as_alice, campaign, "versus", c0_side="one", c1_side="one")
    press(as_bob, ilse, "choose", tactic="First to the bridge", ability=of(ilse, "Stubborn"))
    marks(as_alice, tam)
    assert Contest.objects.get().over and not of_theirs(as_bob, ilse)


def test_qw_42_when_the_last_of_a_group_dies_it_is_called_off(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, tam: Any
) -> None:
    group(as_alice, as_bob, as_dana, campaign, ilse, tam)
    for who in (tam, ilse):
        marks(as_alice, who)
    assert Contest.objects.get().over and "Ilse is dead: the contest is called off." in page(as_bob)
    assert not list(differences(campaign.pk))


def test_qw_42_who_stands_against_the_dead_alone_leaves_with_them(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, scene: Any, ilse: Any, tam: Any
) -> None:
    begin(as_alice, campaign, "group", c0_side="one", c1_side="one")
    press(as_bob, ilse, "choose", tactic="I hold the door", ability=of(ilse, "Knife"))
    press(as_dana, tam, "choose", tactic="I talk her out of it", ability=of(tam, "Songs"))
    press(as_alice, None, "oppose", whom=str(ilse.pk), rival=str(tam.pk), name="")
    marks(as_alice, ilse)
    assert Contest.objects.get().over and not of_theirs(as_dana, tam)


def test_qw_42_between_two_players_a_die_that_lies_gets_its_other(
    as_alice: Client, as_bob: Client, as_dana: Client, campaign: Any, scene: Any, ilse: Any, tam: Any
) -> None:
    begin(as_alice, campaign, "versus", c0_side="one", c1_side="one")
    press(as_bob, ilse, "choose", tactic="First to the bridge", ability=of(ilse, "Stubborn"))
    press(as_dana, tam, "choose", tactic="By boat", ability=of(tam, "Sailor"))
    press(as_alice, None, "set")
    press(as_bob, ilse, "roll")
    marks(as_alice, tam)
    press(as_dana, tam, "roll")
    assert all(entrant.dice for entrant in state().entrants)


def test_qw_12_dice_that_lie_stay(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    frame(as_alice, as_bob, campaign, ilse)
    press(as_alice, None, "set")
    fall(3, 3)
    press(as_bob, ilse, "roll")
    marks(as_alice, ilse)
    assert not Contest.objects.get().over and state().entrant(str(ilse.pk)).dice
