"""What a player says counts in a simple contest, struck by the GM once the dice lie: by the pages' own forms."""
from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest
from play.services import pools
from tests import laid
from tests.html_forms import Page
from tests.play.conftest import state_of
from tests.play.questworlds.conftest import begin, of, page, press, state
from tests.play.questworlds.test_what_counts import hurt as with_a_name

pytestmark = pytest.mark.django_db

hurt = with_a_name
MAPS = "Ilse says: Mapmaker 17 counts."
SAID = "Ilse says: In bad odour, −3."


@laid.fixture
def no_points(campaign: Any, scene: Any, alices: Any) -> None:
    """Nobody has a story point to think of."""
    pools.set_pool(campaign=campaign, actor=alices, op_id=uuid.uuid4(), pool="story_points", value=0, reason="Spent")
    campaign.refresh_from_db()


def roll(as_alice: Client, as_bob: Client, campaign: Any, hurt: Character) -> None:
    """From the tray with a map: what is no good at the court is said to count."""
    here = f"/c/{campaign.slug}/"
    put = Page(as_alice.get(f"{here}obstacles/put/")).form(action="obstacles/put/").send(
        as_alice, name="The lock", resistance="14")
    assert put.status_code == 302
    tray = Page(as_bob.get(here)).form(action=f"{here}roll/")
    assert tray.send(as_bob, ability=of(hurt, "Mapmaker"), lines=[of(hurt, "In bad odour")]).status_code == 302


def to_strike(client: Client, at: str) -> list[str]:
    """What this page lets the GM strike."""
    return [button.words for form in Page(client.get(at)).matching(action="/dismiss/gm/") for button in form.buttons]


def strike(as_alice: Client, at: str) -> dict[str, Any]:
    """One tap of the GM's on this page; what the entry says."""
    return tap(as_alice, at, SAID)


def tap(as_alice: Client, at: str, words: str) -> dict[str, Any]:
    """The same, of what is called so."""
    form = Page(as_alice.get(at)).form(action="/dismiss/gm/")
    button = next(button for button in form.buttons if button.words == words)
    assert form.send(as_alice, button).status_code == 302
    assert words not in to_strike(as_alice, at), "it is struck"
    return dict(json.loads(Entry.objects.latest("seq").payload.text))


def experience(hurt: Character) -> int:
    return next((pool.value for pool in hurt.pools.filter(name="xp")), 0)


@pytest.mark.usefixtures("no_points")
def test_qw_21_of_a_roll_that_is_settled_the_card_lets_the_gm_strike_what_was_said(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, hurt: Character, fall: Any
) -> None:
    here = f"/c/{campaign.slug}/"
    fall(16, 5)
    roll(as_alice, as_bob, campaign, hurt)
    only = Contest.objects.get()
    assert only.over and state_of(only).outcomes[0].outcome == "defeat" and experience(hurt) == 1
    assert not Page(as_bob.get(here)).matching(action="/dismiss/gm/")
    told = strike(as_alice, here)
    assert told["title"] == f"The GM strikes what counted: {SAID}" and told["dice"] is None
    steps = [step["text"] for step in told["outcome"]["steps"]]
    assert "Before: Ilse: defeat by rank 2. Now: Ilse: victory by rank 1." in steps
    after = state_of(Contest.objects.get())
    assert (after.outcomes[0].outcome, after.learned, after.terms(str(hurt.pk)).score) == ("victory", (), 17)
    assert experience(hurt) == 0, "the defeat taught something, and was none"
    assert "The GM strikes what counted" in as_bob.get(here).content.decode()
    assert to_strike(as_alice, here) == [MAPS], "what is left is the ability"
    undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=Entry.objects.latest("seq").seq)
    assert experience(hurt) == 1 and state_of(Contest.objects.get()).outcomes[0].outcome == "defeat"
    assert not list(differences(campaign.pk))


@pytest.mark.usefixtures("no_points")
def test_qw_60_what_lasts_stands_on_the_outcome_so_that_nothing_is_struck_any_more(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character, fall: Any
) -> None:
    fall(16, 5)
    roll(as_alice, as_bob, campaign, hurt)
    at = f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/"
    assert Page(as_alice.get(at)).matching(action="/dismiss/gm/")
    give = Page(as_alice.get(at)).form(action="/give/gm/")
    assert give.send(as_alice, name="Locked out").status_code == 302
    for shown in (at, f"/c/{campaign.slug}/"):
        assert not Page(as_alice.get(shown)).matching(action="/dismiss/gm/")


def test_qw_12_a_story_point_that_somebody_may_spend_waits_for_what_the_faces_come_to(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character, fall: Any
) -> None:
    fall(16, 5)
    roll(as_alice, as_bob, campaign, hurt)
    at = f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/"
    assert Page(as_bob.get(at)).matching(action=f"/spend/{hurt.pk}/")
    told = strike(as_alice, at)
    assert "Before: Ilse: defeat so far. Now: Ilse: victory so far." in [
        step["text"] for step in told["outcome"]["steps"]]
    assert press(as_bob, hurt, "stand").status_code == 302
    assert not list(differences(campaign.pk))


def test_qw_12_what_was_decided_about_a_story_point_stands_on_the_dice(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character, fall: Any
) -> None:
    fall(16, 5)
    roll(as_alice, as_bob, campaign, hurt)
    press(as_bob, hurt, "stand")
    at = f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/"
    assert not Page(as_alice.get(at)).matching(action="/dismiss/gm/")
    assert not Page(as_alice.get(f"/c/{campaign.slug}/")).matching(action="/dismiss/gm/")


@pytest.mark.usefixtures("no_points")
@pytest.mark.parametrize("kind", ["group", "versus"])
def test_qw_42_with_others_the_same_faces_are_read_again_for_all(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character, tam: Character, fall: Any, kind: str, dana: Any
) -> None:
    begin(as_alice, campaign, kind, c0_side="one", c1_side="one")
    assert press(as_bob, hurt, "choose", ability=of(hurt, "Mapmaker")).status_code == 302
    assert press(as_alice, tam, "choose", ability=of(tam, "Songs")).status_code == 302
    if kind == "group":
        press(as_alice, None, "oppose", resistance="14")
    press(as_bob, hurt, "lasting", lines=[of(hurt, "In bad odour")])
    press(as_alice, None, "set")
    at = f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/"
    assert Page(as_alice.get(at)).matching(action="/dismiss/gm/"), "before the dice"
    fall(16, 5)
    press(as_bob, hurt, "roll")
    fall(5, 16)
    press(as_alice, tam, "roll")
    before = state().outcome(str(hurt.pk)).outcome
    strike(as_alice, at)
    assert (before, state().outcome(str(hurt.pk)).outcome) == ("defeat", "victory")
    assert SAID in page(as_bob)
    press(as_alice, None, "close")
    assert not list(differences(campaign.pk))


@pytest.mark.usefixtures("no_points")
def test_qw_06_where_the_ability_is_struck_none_fits_and_what_else_counts_stays(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character, fall: Any
) -> None:
    here = f"/c/{campaign.slug}/"
    fall(5, 9)
    roll(as_alice, as_bob, campaign, hurt)  # 5 against 14, and 9 against 14: a higher success
    assert to_strike(as_alice, here) == [MAPS, SAID] and not to_strike(as_bob, here)
    told = tap(as_alice, here, MAPS)
    assert told["title"] == f"The GM strikes what counted: {MAPS}" and told["dice"] is None
    steps = [step["text"] for step in told["outcome"]["steps"]]
    assert "No ability fits, which counts as 6." in steps
    after = state_of(Contest.objects.get())
    assert after.terms(str(hurt.pk)).score == 3 and after.outcomes[0].outcome == "defeat"
    assert MAPS in as_bob.get(here).content.decode(), "all read it"
    assert to_strike(as_alice, here) == [SAID] and not list(differences(campaign.pk))


@pytest.mark.usefixtures("no_points")
def test_qw_60_what_touched_the_ability_counts_no_more_and_before_the_dice_it_is_struck_too(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character, fall: Any
) -> None:
    begin(as_bob, campaign, who=str(hurt.pk))
    press(as_bob, hurt, "choose", ability=of(hurt, "Knife"))
    press(as_alice, None, "oppose", resistance="14")
    assert [line.label for line in state().lines(str(hurt.pk))] == ["Cut hand"]
    at = f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/"
    (words,) = to_strike(as_alice, at)
    assert words.startswith("Ilse says: Knife ") and not to_strike(as_bob, at)
    tap(as_alice, at, words)
    assert state().lines(str(hurt.pk)) == () and state().terms(str(hurt.pk)).score == 6
    press(as_alice, None, "set")
    fall(5, 19)
    press(as_bob, hurt, "roll")
    assert state().outcome(str(hurt.pk)).outcome == "victory" and not list(differences(campaign.pk))
