"""Secrets that may be known elsewhere are given up, by an entry: no dice fall from them again, with no seed at all."""
from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

import verify
from campaigns.errors import Refused
from campaigns.models import Commitment, Entry
from campaigns.trail import retiring
from campaigns.trail.dice import BATCH, NotLaidOut, unused
from campaigns.trail.verifying import whole
from campaigns.trail.visible import payload_of
from campaigns.trail.write import retire_lost
from tests.conftest import join
from tests.trail.test_fishing import OTHER, SEED, dice, thrown
from tests.verifier.conftest import exported

pytestmark = pytest.mark.django_db


def retirements() -> list[dict[str, Any]]:
    return [payload_of(entry) or {} for entry in Entry.objects.filter(kind=retiring.RETIRE).order_by("seq")]


def test_what_nobody_rolled_is_given_up_by_one_entry(campaign: Any, alices: Any, bobs: Any) -> None:
    thrown(campaign, bobs, SEED, 20)
    with pytest.raises(Refused):
        thrown(campaign, bobs, SEED, 20, fails=Refused("No."))  # the next secret keeps a seed
    known = dict(Commitment.objects.filter(used_by=None).values_list("digest", "secret"))
    assert retiring.forget() == 2 * BATCH - 1 == len(known)
    assert whole(campaign).fault == "", "A secret that is gone is no fault."
    retire_lost(campaign)
    [said] = retirements()
    assert {digest for retired in said["retires"] for digest in retired["commitments"]} == set(known)
    lists = {(retired["of"], retired["first"]) for retired in said["retires"]}
    assert lists == {(str(alices.pk), 1), (str(bobs.pk), 2)}
    assert unused(bobs)[0].number == BATCH + 1 and unused(bobs)[0].digest not in known
    thrown(campaign, bobs, OTHER, 20, 20)
    fell = dice(Entry.objects.latest("seq"))
    assert fell["secret"] not in known.values() and fell["client_seed"] == OTHER
    progress = whole(campaign)
    assert (progress.fault, progress.retired) == ("", 2 * BATCH - 1)
    for member in (alices, bobs):
        report = verify.verify(exported(campaign, member))
        assert (report.rolls, report.retired) == (2, 2 * BATCH - 1)
        assert any("given up unused" in line for line in verify.summary(report, None))
    retire_lost(campaign)
    assert len(retirements()) == 1


def test_whoever_rolls_first_where_secrets_are_gone_sends_it_once_more(campaign: Any, bobs: Any, charlie: Any) -> None:
    retiring.forget()
    with pytest.raises(NotLaidOut):
        thrown(campaign, bobs, SEED, 20)
    assert len(retirements()) == 1
    thrown(campaign, bobs, SEED, 20)
    join(campaign, charlie, "player")
    assert (len(retirements()), whole(campaign).fault) == (1, "")


def test_a_secret_that_was_given_up_is_not_put_back(campaign: Any, bobs: Any) -> None:
    first = unused(bobs)[0]
    retiring.forget()
    retire_lost(campaign)
    rows = Commitment.objects.filter(pk=first.pk)
    for values in ({"retired_by": None}, {"secret": first.secret}):
        rows.update(**values)
        assert "Entry" in whole(campaign).fault or "The dice" in whole(campaign).fault
    with pytest.raises(Refused, match="not the ones that were committed to"):
        thrown(campaign, bobs, SEED, 20)


def test_whoever_marks_a_bad_secret_as_given_up_is_found(campaign: Any, bobs: Any) -> None:
    first, second = unused(bobs)[:2]
    with connection.cursor() as cursor:
        cursor.execute("UPDATE campaigns_commitment SET secret = '', retired_by_id = published_id WHERE id = %s",
                       [first.pk])
    assert "marked as retired that no entry retires" in whole(campaign).fault
    with pytest.raises(Refused, match="not the ones that were committed to"):
        thrown(campaign, bobs, SEED, 20)
    assert unused(bobs)[0] == second


@pytest.mark.parametrize("change", [
    lambda said: said["retires"][0]["commitments"].pop(), lambda said: said["retires"][0].update(first=2),
    lambda said: said["retires"][0].update(of=""), lambda said: said["retires"][0]["commitments"].reverse(),
])
def test_the_verifier_refuses_an_entry_that_retires_something_else(
    campaign: Any, bobs: Any, change: Any, monkeypatch: Any
) -> None:
    retiring.forget()
    retire_lost(campaign)
    lines = exported(campaign, bobs)
    opened = verify.opened

    def forged(envelope: Any, row: Any) -> Any:
        payload = opened(envelope, row)
        if payload["kind"] == retiring.RETIRE:
            change(payload)
        return payload

    assert verify.verify(lines).retired == 2 * BATCH
    monkeypatch.setattr(verify, "opened", forged)
    with pytest.raises(verify.Broken, match="retires other secrets than those that are left"):
        verify.verify(lines)
