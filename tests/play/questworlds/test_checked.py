"""What a contest's dice came to is worked out again by whoever checks the Ledger, here and at home."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

import verify
from campaigns.models import Entry
from rules.codec import read
from tests import laid
from tests.conftest import logged_in
from tests.play.questworlds.conftest import act, begin, frame, of, state
from tests.verifier.conftest import exported
from tests.verifier.test_broken import _forged, _place, found_out
from tests.verifier.test_on_the_server import through
from tests.verifier.test_sound import RULES

pytestmark = pytest.mark.django_db


@laid.fixture
def contended(as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any) -> int:
    """A contest with an augment that was rolled for, a flaw that was, and a stretch; answers how many rolls it told."""
    frame(as_alice, as_bob, campaign, ilse)
    act(as_bob, ilse, "augment", trait=of(ilse, "Knife"), whom=str(ilse.pk), words="A glint of it")
    act(as_alice, None, "answer", proposal="0", verdict="roll3")
    act(as_bob, ilse, "roll_augment")
    if state().own_roll:
        act(as_bob, ilse, "stand")
    act(as_alice, None, "hinder", trait=of(ilse, "In debt"), amount="-3", how="rolled")
    if state().own_roll:
        act(as_bob, ilse, "spend")
    act(as_alice, None, "modify", whom=str(ilse.pk), line="stretch:bump", reason="A long way off")
    act(as_alice, None, "set")
    act(as_bob, ilse, "roll")
    if state().may_spend(str(ilse.pk)):
        act(as_bob, ilse, "spend")
    campaign.refresh_from_db()
    outcomes = [read(entry.payload.text)["outcome"] for entry in Entry.objects.filter(campaign=campaign)]
    return sum(len(outcome.get("rolls", ())) for outcome in outcomes if outcome)


def test_every_roll_of_a_contest_is_worked_out_again(contended: int, campaign: Any, alices: Any) -> None:
    assert contended >= 3
    for most in (1, 500):
        progress = through(campaign, most)
        assert (progress.fault, progress.outcomes) == ("", contended)
    report = verify.verify(exported(campaign, alices), rules=RULES)
    assert (report.outcomes, report.unknown_outcomes) == (contended, 0)


def better(payload: dict[str, Any]) -> None:
    payload["outcome"]["rolls"][0]["result"]["rank"] += 1


def higher(payload: dict[str, Any]) -> None:
    """Another roll altogether, which is sound in itself."""
    roll = payload["outcome"]["rolls"][0]
    roll["dice"] = [face % 20 + 1 for face in payload["dice"]["faces"]]
    roll["result"] = RULES(roll["move"], payload["edition"], roll["given"], roll["dice"]) if RULES else {}


@pytest.mark.parametrize(("touch", "said"), [(better, "does not follow"), (higher, "did not fall in its contest")])
def test_a_roll_that_was_told_otherwise_is_found(
    contended: int, campaign: Any, alices: Any, touch: Callable[[dict[str, Any]], None], said: str
) -> None:
    lines = exported(campaign, alices)
    assert said in found_out(_forged(lines, _place(lines, "contest.roll_augment"), touch))


def test_qw_41_dice_that_two_players_rolled_each_are_told_by_the_last_of_them(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, tam: Any, dana: Any
) -> None:
    as_dana = logged_in(dana.user)
    begin(as_alice, campaign, "versus", c0_side="one", c1_side="one")
    act(as_bob, ilse, "choose", tactic="From behind", ability=of(ilse, "Knife"))
    act(as_dana, tam, "choose", tactic="Head on", ability=of(tam, "Sailor"))
    act(as_alice, None, "set")
    act(as_bob, ilse, "roll")
    campaign.refresh_from_db()
    assert verify.verify(exported(campaign, alices), rules=RULES).unknown_outcomes == 1, "one die tells nothing yet"
    act(as_dana, tam, "roll")
    campaign.refresh_from_db()
    report = verify.verify(exported(campaign, alices), rules=RULES)
    assert report.outcomes >= 1 and not report.unknown_outcomes
