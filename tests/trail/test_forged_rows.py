"""What somebody did to the database by hand, in spite of triggers or with them off.

Each is found by the page's check and by the command, and by `verify.py` where it shows in an export; and no die falls
from secrets that do not hold.
"""
from __future__ import annotations

import io
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

import verify
from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Change, Commitment, Entry, Erasure, Payload, Revelation
from campaigns.services.undoing import reveal
from campaigns.trail import triggers
from campaigns.trail.verifying import whole
from rules.dice import commitment
from tests import laid
from tests.verifier import conftest as made
from tests.verifier.conftest import exported, played, renamed, secret
from tests.verifier.test_sound import RULES

pytestmark = pytest.mark.django_db
__all__ = ["played", "secret"]


@dataclass(frozen=True)
class Table:
    """A campaign with rolls in the open and behind the screen, and what the forgeries lay hands on."""

    campaign: Any
    owner: Any
    player: Any
    roll: Entry  # Bob's last one
    sealed: Entry  # a change that only the GM reads
    hidden: Entry  # the GM's roll behind the screen
    shown: Entry  # what was revealed


@laid.fixture
def table(secret: Any, alices: Any, bobs: Any) -> Table:
    renamed(secret, alices, "Ilse the Third", audience=trail.GM)
    shown = secret.entries.latest("seq")
    reveal(campaign=secret, actor=alices, op_id=uuid.uuid4(), seq=shown.seq)
    made.tested(secret, bobs)
    secret.refresh_from_db()
    gms = secret.entries.filter(audience="gm").order_by("seq")
    return Table(
        secret, alices, bobs, secret.entries.filter(actor=bobs, kind="pdq.test").latest("seq"),
        sealed=gms.get(kind="character.rename", revelation=None), hidden=gms.get(kind="pdq.test"), shown=shown)


def entries(one: Entry) -> Any:
    return Entry.objects.filter(pk=one.pk)


def row(table: Table, number: int) -> Any:
    """One of Bob's secrets."""
    return Commitment.objects.filter(owner=table.player, number=number)


def used(table: Table) -> Any:
    """The last of Bob's secrets that was used: by now it stands in the Ledger for all to read."""
    return Commitment.objects.filter(used_by=table.roll)


def another_secret(table: Table) -> None:
    row(table, 5).update(secret="ab" * 32)


def another_pair(table: Table) -> None:
    row(table, 5).update(secret="ab" * 32, digest=commitment(bytes.fromhex("ab" * 32)))


def a_later_head(table: Table) -> None:
    seq = table.campaign.head_seq
    Campaign.objects.filter(pk=table.campaign.pk).update(head_seq=seq + 3)


def an_earlier_head(table: Table) -> None:
    last = table.campaign.entries.get(seq=table.campaign.head_seq - 2)
    Campaign.objects.filter(pk=table.campaign.pk).update(head_seq=last.seq, head_hash=last.hash)


def other_secrets_are_used(table: Table) -> None:
    one = used(table).get()
    one.used_by = None
    one.save()
    row(table, one.number + 1).update(used_by=table.roll)


# What was done, and what is said of it by the page and the command.
FORGERIES: dict[str, tuple[Callable[[Table], Any], str]] = {
    "a revelation is slipped in": (lambda t: Revelation.objects.create(
        entry=t.sealed, campaign=t.campaign, by=t.roll), "marked as revealed, and no entry says so"),
    "a revelation points at that of another": (lambda t: Revelation.objects.create(
        entry=t.hidden, campaign=t.campaign, by=Entry.objects.get(kind="entry.reveal")), "no entry says so"),
    "a revelation is gone": (lambda t: Revelation.objects.filter(entry=t.shown).delete(), "sealed all the same"),
    "an erasure is slipped in, and the payload deleted": (lambda t: (
        Erasure.objects.create(entry=t.roll, campaign=t.campaign, by=t.sealed),
        Payload.objects.filter(entry=t.roll).delete()), "marked as erased, and no entry says so"),
    "an erasure is slipped in": (lambda t: Erasure.objects.create(
        entry=t.sealed, campaign=t.campaign, by=t.roll), "marked as erased, and no entry says so"),
    "the head is set back": (an_earlier_head, "and there are"),
    "the head is zeroed": (lambda t: Campaign.objects.filter(pk=t.campaign.pk).update(
        head_seq=0, head_hash="0" * 64), "and there are"),
    "the head is set forward": (a_later_head, "it is missing"),
    "the head has another hash": (lambda t: Campaign.objects.filter(pk=t.campaign.pk).update(
        head_hash="ab" * 32), "does not name the hash"),
    "a secret that waits is another": (another_secret, "not the one that was committed to"),
    "a secret that waits is another, with its digest": (another_pair, "is gone, or is there twice"),
    "a secret that waits has another owner": (lambda t: row(t, 5).update(
        owner=t.owner, number=500), "another owner or number"),
    "secrets that wait change places": (lambda t: (
        row(t, 5).update(number=500), row(t, 6).update(number=5), row(t, 500).update(number=6)),
        "another owner or number"),
    "a secret that waits is gone": (lambda t: row(t, 32).delete(), "is gone, or is there twice"),
    "a secret is slipped in": (lambda t: Commitment.objects.create(
        campaign=t.campaign, owner=t.player, number=600, place=600, digest="ab" * 32, secret="cd" * 32),
        "other secrets of dice than those"),
    "a used secret is marked as unused": (lambda t: used(t).update(used_by=None), "not marked as used"),
    "a used secret is marked as used by another": (other_secrets_are_used, "not marked as used"),
    "a secret that waits is marked as used": (lambda t: row(t, 20).update(used_by=t.sealed), "that no entry used"),
    # From here on the triggers are off: the Ledger's own rows are changed.
    "a sealed entry is for all": (lambda t: entries(t.sealed).update(audience="all"), "others may read it"),
    "an open entry is for the GM": (lambda t: entries(t.roll).update(audience="gm"), "others may read it"),
    "an open entry is for one member": (lambda t: entries(t.roll).update(
        audience=str(t.owner.pk)), "others may read it"),
    "an entry is of another session": (lambda t: entries(t.roll).update(
        session_id=uuid.uuid4()), "another session or scene"),
    "an entry is of another scene": (lambda t: entries(t.roll).update(
        scene_id=uuid.uuid4()), "another session or scene"),
    "a mark of the index is gone": (lambda t: Change.objects.filter(
        entry=t.shown, field="name").delete(), "the index of what it is about"),
    "a mark of the index is slipped in": (lambda t: Change.objects.create(
        campaign=t.campaign, entry=t.shown, seq=t.shown.seq, object_id=uuid.uuid4()), "the index of what it is about"),
    "a mark of the index is of another field": (lambda t: Change.objects.filter(
        entry=t.shown, field="name").update(field="story"), "the index of what it is about"),
    "a mark of the index has another number": (lambda t: Change.objects.filter(
        entry=t.shown, field="name").update(seq=1), "the index of what it is about"),
    "an entry has another author": (lambda t: entries(t.roll).update(actor=t.owner), "its row or its payload"),
    "an entry has another kind": (lambda t: entries(t.roll).update(kind="character.rename"), "another kind of entry"),
    "an entry has another time": (lambda t: entries(t.roll).update(
        at="2020-01-01T00:00:00Z"), "its row or its payload"),
}
# Forgeries that show in an export: whose, and what `verify.py` says of it.
SHOWN = {
    "a revelation is slipped in": ("player", "is kept by the GM; it is open in this file"),
    "a revelation points at that of another": ("player", "is kept by the GM; it is open in this file"),
    "a revelation is gone": ("player", "was revealed, and is sealed in this file"),
    "an erasure is slipped in, and the payload deleted": ("player", "is missing, and no entry says that it was erased"),
    "a sealed entry is for all": ("player", "is kept by the GM; it is open in this file"),
    "an open entry is for the GM": ("player", "is missing, and no entry says that it was erased"),
    "an open entry is for one member": ("player", "is missing, and no entry says that it was erased"),
}


def forged(table: Table, forgery: str) -> str:
    """Does it, with the triggers off; answers what is to be said of it."""
    does, said = FORGERIES[forgery]
    triggers.uninstall(connection)
    does(table)
    triggers.install(connection)
    return said


def test_nothing_is_said_of_what_nobody_touched(table: Table, as_bob: Client) -> None:
    assert whole(table.campaign).fault == ""
    call_command("rebuild", table.campaign.slug, "--check", stdout=io.StringIO())
    for member in (table.owner, table.player):
        assert verify.verify(exported(table.campaign, member), rules=RULES).entries == table.campaign.head_seq


@pytest.mark.parametrize("forgery", FORGERIES)
def test_the_page_finds_it(forgery: str, table: Table, as_bob: Client) -> None:
    said = forged(table, forgery)
    page = as_bob.post(f"/c/{table.campaign.slug}/ledger/verify/").content.decode()
    assert "The Ledger is broken." in page and said in page.replace("&#x27;", "'")
    assert "The Ledger is sound" not in page


@pytest.mark.parametrize("forgery", FORGERIES)
@pytest.mark.parametrize("arguments", [["--check"], []], ids=["check", "rebuild"])
def test_the_command_finds_it(forgery: str, arguments: list[str], table: Table) -> None:
    said = forged(table, forgery)
    with pytest.raises(CommandError) as error:
        call_command("rebuild", table.campaign.slug, *arguments, stdout=io.StringIO())
    assert said in str(error.value) and "nothing was changed" in str(error.value)


@pytest.mark.parametrize("forgery", SHOWN)
def test_the_verifier_finds_it_in_an_export(forgery: str, table: Table) -> None:
    forged(table, forgery)
    whose, said = SHOWN[forgery]
    with pytest.raises(verify.Broken, match=said):
        verify.verify(exported(table.campaign, table.player if whose == "player" else table.owner), rules=RULES)


# What a roll refuses before a die falls: whatever was done to the secret that comes next.
NEXT = {
    "another secret": lambda t: row(t, next_of(t)).update(secret="ab" * 32),
    "another secret and digest": lambda t: row(t, next_of(t)).update(
        secret="ab" * 32, digest=commitment(bytes.fromhex("ab" * 32))),
    "another’s secret": lambda t: (row(t, next_of(t)).delete(), Commitment.objects.filter(
        owner=t.owner, number=20).update(owner=t.player, number=next_of(t))),
    "the next but one": lambda t: row(t, next_of(t)).delete(),
    "one that was published by no entry": lambda t: row(t, next_of(t)).update(published=None),
    "one that another entry published": lambda t: row(t, next_of(t)).update(
        published=Commitment.objects.filter(owner=t.owner)[0].published),
    "a public one: used, and marked as unused": lambda t: used(t).update(used_by=None),
    "the first, with all that were used marked as unused": lambda t: Commitment.objects.filter(
        owner=t.player).update(used_by=None),
    "one before which another is marked as unused": lambda t: row(t, 1).update(used_by=None),
    "one that is marked as used": lambda t: row(t, next_of(t)).update(used_by=t.sealed),
}


def next_of(table: Table) -> int:
    number: int = used(table).get().number + 1
    return number


@pytest.mark.parametrize("forgery", NEXT)
def test_no_die_falls_from_a_secret_that_does_not_hold(forgery: str, table: Table) -> None:
    NEXT[forgery](table)
    before, fixed = Entry.objects.count(), Commitment.objects.exclude(pinned=None).count()
    with pytest.raises(Refused, match="not the ones that were committed to"), trail.entry(
        campaign=table.campaign, actor=table.player, op_id=uuid.uuid4(), kind="test.roll", title="A roll"
    ) as entry:
        entry.roll([6, 6], "5a" * 32)
    assert Entry.objects.count() == before and Commitment.objects.exclude(pinned=None).count() == fixed


def test_others_may_roll_on(table: Table) -> None:
    """Whose own list holds is not held up by what was done to somebody else's."""
    row(table, next_of(table)).update(secret="ab" * 32)
    with trail.entry(
        campaign=table.campaign, actor=table.owner, op_id=uuid.uuid4(), kind="test.roll", title="A roll"
    ) as entry:
        assert entry.roll([6, 6], "5a" * 32)


@pytest.mark.parametrize("forgery", ["the head is set back", "the head is zeroed", "the head has another hash"])
def test_nothing_is_written_on_an_end_that_does_not_hold(forgery: str, table: Table) -> None:
    forged(table, forgery)
    before = Entry.objects.count()
    with pytest.raises(Refused, match="does not end where it should"):
        renamed(table.campaign, table.player, "Ilse the Last")
    assert Entry.objects.count() == before
