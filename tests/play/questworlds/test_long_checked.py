"""What the dice of long contests came to is worked out again by whoever checks the Ledger; undoing takes it back."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

import verify
from campaigns.models import Entry
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import differences
from rules.codec import read
from tests.conftest import logged_in
from tests.play.questworlds.conftest import act, begin, of, state
from tests.play.questworlds.longing import gm_bids, set_setting, start
from tests.verifier.conftest import exported
from tests.verifier.test_on_the_server import through
from tests.verifier.test_sound import RULES

pytestmark = pytest.mark.django_db


def settle(*players: tuple[Client, Any]) -> None:
    """Whoever may spends a story point; the others let it stand."""
    for client, who in players:
        if act(client, who, "spend").status_code != 302:
            act(client, who, "stand")


def checked(campaign: Any, alices: Any) -> None:
    campaign.refresh_from_db()
    outcomes = [read(entry.payload.text)["outcome"] for entry in Entry.objects.filter(campaign=campaign)]
    rolls = sum(len(outcome.get("rolls", ())) for outcome in outcomes if outcome)
    progress = through(campaign, 500)
    assert rolls and (progress.fault, progress.outcomes) == ("", rolls)
    report = verify.verify(exported(campaign, alices), rules=RULES)
    assert (report.outcomes, report.unknown_outcomes) == (rolls, 0)


def test_rounds_of_two_players_are_worked_out_again(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, dana: Any, alices: Any
) -> None:
    as_dana = logged_in(dana.user)
    begin(as_alice, campaign, "scored", c0_side="one", c1_side="two", side_one="One", side_two="Two", opponents="")
    players = ((as_bob, ilse, "Mapmaker"), (as_dana, tam, "Sailor"))
    for client, who, name in players:
        assert act(client, who, "choose", bout="0", ability=of(who, name), tactic="risky").status_code == 302
    for client, who, _ in players:
        assert act(client, who, "roll", bout="0").status_code == 302
    settle((as_bob, ilse), (as_dana, tam))
    assert state().record
    checked(campaign, alices)


def test_exchanges_are_worked_out_again_and_undone(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, alices: Any
) -> None:
    set_setting(campaign, alices, long="extended")
    start(as_alice, campaign, "extended", "The judge 14")
    before = state()
    assert act(as_bob, ilse, "bid", whom="~0", ability=of(ilse, "Mapmaker"), bid="2").status_code == 302
    settle((as_bob, ilse))
    gm_bids(as_alice, "~0", ilse, 1)
    assert act(as_bob, ilse, "answer_bid", ability=of(ilse, "Knife")).status_code == 302
    settle((as_bob, ilse))
    checked(campaign, alices)
    while state() != before:
        undone = Entry.objects.filter(campaign=campaign, kind="undo").count()
        kinds = ("contest.bid", "contest.spend", "contest.stand", "contest.gm_bid", "contest.answer_bid")
        acts = Entry.objects.filter(campaign=campaign, kind__in=kinds).order_by("-seq")
        undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=acts[undone].seq)
    assert state() == before and not list(differences(campaign.pk))


def test_contests_that_augments_and_flaws_have_of_their_own_are_worked_out_again(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, alices: Any
) -> None:
    set_setting(campaign, alices, by_degree=True, degrees=True)
    start(as_alice, campaign)
    assert act(as_bob, ilse, "augment", trait=of(ilse, "Knife"), whom=str(ilse.pk), words="").status_code == 302
    assert act(as_alice, None, "answer", proposal="0", verdict="roll3").status_code == 302
    for client, who, action, given in (
            (as_bob, ilse, "roll_augment", {}),
            (as_alice, None, "hinder", {"trait": of(ilse, "In debt"), "amount": "-6", "how": "rolled"}),
            (as_bob, ilse, "act_against", {"flaw": of(ilse, "In debt"), "ability": of(ilse, "Mapmaker")})):
        assert act(client, who, action, **given).status_code == 302
        settle((as_bob, ilse))
    assert [line.kind for _, line in state().record] == ["own_augment", "own_hindrance", "against_a_flaw"]
    checked(campaign, alices)
