"""Dice that fell for nothing: of what is refused they fall again, of what is not written they are used up."""
from __future__ import annotations

import uuid
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import verify
from campaigns import trail
from campaigns.access import Viewer
from campaigns.errors import Refused
from campaigns.models import Commitment, Entry
from campaigns.trail import pins
from campaigns.trail.dice import unused
from campaigns.trail.export import export
from campaigns.trail.verifying import whole
from play.services.contests import NOT_WRITTEN
from tests.trail.test_fishing import OTHER, SEED, kept_by, thrown, would_fall

pytestmark = pytest.mark.django_db


def not_written() -> trail.NotWritten:
    return trail.NotWritten("It can’t be shown.", NOT_WRITTEN, "The dice are used up")


def tried(campaign: Any, actor: Any, fails: Exception, *, beside: bool) -> None:
    """Two dice fall, and then it fails; `beside` another entry that is written together with it, or alone."""
    with pytest.raises(type(fails)), trail.together(campaign) if beside else nullcontext() as drafts:
        if beside:
            with trail.entry(campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="test.before", title="Before"):
                pass
        with trail.entry(campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="test.roll", title="A roll",
                         part_of=drafts) as entry:
            entry.roll((20, 20), SEED)
            raise fails


def sound(campaign: Any) -> None:
    """The chain and every member's export."""
    campaign.refresh_from_db()
    assert not whole(campaign).fault
    for member in campaign.members.all():
        lines = [line.encode() for line in export(Viewer(campaign, member))]
        verify.verify(lines, rules=verify.house_rules(Path(verify.__file__).parent))


@pytest.mark.parametrize("beside", [False, True])
def test_what_is_refused_in_words_falls_again_and_uses_nothing_up(campaign: Any, bobs: Any, beside: bool) -> None:
    wanted, next_one = would_fall(campaign, bobs, SEED, 20, 20), unused(bobs)[0]
    tried(campaign, bobs, Refused("Not so."), beside=beside)
    assert [seed for _, _, seed, *_ in kept_by(campaign)] == [SEED]
    assert not Entry.objects.filter(kind__in=(NOT_WRITTEN, "test.before")).exists() and unused(bobs)[0] == next_one
    campaign.refresh_from_db()
    assert thrown(campaign, bobs, OTHER, 20, 20) == wanted
    sound(campaign)


@pytest.mark.parametrize("beside", [False, True])
def test_what_cant_be_shown_uses_them_up_and_keeps_no_seed(campaign: Any, bobs: Any, beside: bool) -> None:
    first, second = unused(bobs)[:2]
    tried(campaign, bobs, not_written(), beside=beside)
    assert not Entry.objects.filter(kind__in=(pins.PIN, "test.before")).exists() and unused(bobs)[0] == second
    used = Commitment.objects.get(pk=first.pk)
    assert used.pinned is None and used.used_by and used.used_by.kind == NOT_WRITTEN
    campaign.refresh_from_db()
    wanted = would_fall(campaign, bobs, OTHER, 20, 20)
    assert thrown(campaign, bobs, OTHER, 20, 20) == wanted
    sound(campaign)


@pytest.mark.parametrize("beside", [False, True])
def test_dice_that_were_kept_may_be_used_up_later_and_then_fall_no_more(
    campaign: Any, bobs: Any, beside: bool
) -> None:
    first = unused(bobs)[0]
    tried(campaign, bobs, Refused("Not so."), beside=beside)
    campaign.refresh_from_db()
    tried(campaign, bobs, not_written(), beside=beside)
    used = Commitment.objects.get(pk=first.pk)
    assert used.used_by and used.used_by.kind == NOT_WRITTEN and used.pinned == SEED and len(kept_by(campaign)) == 1
    campaign.refresh_from_db()
    wanted = would_fall(campaign, bobs, OTHER, 20, 20)
    assert thrown(campaign, bobs, OTHER, 20, 20) == wanted
    sound(campaign)
