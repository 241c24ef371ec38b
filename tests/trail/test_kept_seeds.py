"""The seed that a secret keeps is the one that the trail tells of: whoever writes the database chooses no dice."""
from __future__ import annotations

import io
import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client

import verify
from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Commitment, Entry
from campaigns.services.founding import found
from campaigns.trail import pins, triggers
from campaigns.trail.dice import Roll, unused
from campaigns.trail.draft import Draft, system_entry
from campaigns.trail.verifying import Progress, check, whole
from tests.conftest import join
from tests.trail.test_fishing import OTHER, SEED, dice, thrown, would_fall
from tests.verifier.conftest import exported

pytestmark = pytest.mark.django_db
CHOSEN = "ee" * 32


def kept(campaign: Any, member: Any, seed: str = SEED) -> None:
    """The member throws, and what they threw for is refused."""
    with pytest.raises(Refused):
        thrown(campaign, member, seed, 20, 20, fails=Refused("No."))


def chosen(member: Any, seed: str | None = CHOSEN, place: int = 0) -> None:
    """Somebody writes a seed to a member's secret, by SQL: the next one, or one after it."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE campaigns_commitment SET pinned = %s WHERE id = %s", [seed, unused(member)[place].pk])


@pytest.fixture
def without_triggers() -> Any:
    triggers.uninstall(connection)
    yield
    triggers.install(connection)


def said_on_the_page(client: Client, campaign: Any) -> str:
    page = client.post(f"/c/{campaign.slug}/ledger/verify/").content.decode()
    assert ("The Ledger is broken." in page) != ("The Ledger is sound" in page)
    return page if "The Ledger is broken." in page else ""


def refused(campaign: Any, member: Any) -> None:
    """No die falls, and nothing is written."""
    before = Entry.objects.count(), list(Commitment.objects.order_by("pk").values())
    with pytest.raises(Refused, match="would not fall from the seed that the Ledger tells of"):
        thrown(campaign, member, SEED, 20)
    assert before == (Entry.objects.count(), list(Commitment.objects.order_by("pk").values()))


def found_everywhere(campaign: Any, client: Client, words: str) -> None:
    """The page and the command say it."""
    assert words in said_on_the_page(client, campaign)
    with pytest.raises(CommandError, match=words):
        call_command("rebuild", campaign.slug, "--check", stdout=io.StringIO())


def test_a_seed_that_somebody_chose_is_found_and_no_die_falls_from_it(campaign: Any, bobs: Any, as_bob: Client) -> None:
    thrown(campaign, bobs, SEED, 20)
    assert not said_on_the_page(as_bob, campaign)
    chosen(bobs)
    found_everywhere(campaign, as_bob, f"secret 2 of member {bobs.pk} keeps a seed that no entry tells of")
    refused(campaign, bobs)


@pytest.mark.parametrize("place", [1, 20])
def test_it_is_found_on_a_secret_that_comes_later(place: int, campaign: Any, bobs: Any, as_bob: Client) -> None:
    chosen(bobs, place=place)
    found_everywhere(campaign, as_bob, f"secret {place + 1} of member {bobs.pk} keeps a seed that no entry tells of")


def test_an_entry_tells_of_a_seed_what_was_to_be_done_with_it_and_the_page_is_sound(
    campaign: Any, bobs: Any, as_bob: Client
) -> None:
    kept(campaign, bobs)
    entry = Entry.objects.get(kind=pins.PIN)
    [said] = json.loads(entry.payload.text)["kept"]
    assert entry.actor == bobs and entry.audience == trail.ALL
    assert (said["of"], said["number"], said["client_seed"]) == (str(bobs.pk), 1, SEED)
    assert (said["act"], said["sides"], said["given"]) == ("test.roll", [20, 20], None)
    assert uuid.UUID(said["operation"]) != entry.op_id, "The operation can still be done."
    assert unused(bobs)[0].secret not in entry.payload.text
    assert not said_on_the_page(as_bob, campaign)
    thrown(campaign, bobs, OTHER, 20)
    assert not said_on_the_page(as_bob, campaign)
    assert verify.verify(exported(campaign, bobs)).rolls == 1


def test_what_was_thrown_behind_the_screen_is_kept_behind_it(campaign: Any, alices: Any, bobs: Any) -> None:
    with pytest.raises(Refused), trail.entry(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="test.roll", title="Unseen", audience=trail.GM
    ) as entry:
        entry.roll([20], SEED)
        entry.move({"given": {"for": "a trap"}})
        raise Refused("No.")
    assert Entry.objects.get(kind=pins.PIN).audience == trail.GM
    assert "a trap" in b"".join(exported(campaign, alices)).decode()
    assert SEED not in (mine := b"".join(exported(campaign, bobs)).decode()) and "a trap" not in mine
    thrown(campaign, alices, OTHER, 20)
    for member in (alices, bobs):
        verify.verify(exported(campaign, member))


@pytest.mark.parametrize("used", [False, True], ids=["kept", "kept and used"])
def test_what_is_kept_while_the_check_goes_on_is_no_fault(used: bool, campaign: Any, alices: Any, bobs: Any) -> None:
    kept(campaign, alices)
    progress = check(campaign, Progress(), 1)
    kept(campaign, bobs)
    thrown(campaign, alices, OTHER, 20)
    if used:
        thrown(campaign, bobs, OTHER, 20)
    while not progress.over:
        progress = check(campaign, progress, 1)
    assert progress.fault == "" and progress.last < Entry.objects.latest("seq").seq


@pytest.mark.parametrize("seed", [CHOSEN, "", None])
def test_a_seed_that_is_kept_is_kept_for_good(seed: str | None, campaign: Any, bobs: Any) -> None:
    """In the database itself."""
    kept(campaign, bobs)
    with pytest.raises(DatabaseError, match=triggers.MESSAGE), transaction.atomic():
        chosen(bobs, seed)
    chosen(bobs, SEED)
    thrown(campaign, bobs, OTHER, 20)


@pytest.mark.usefixtures("without_triggers")
@pytest.mark.parametrize(("seed", "words"), [
    (CHOSEN, "keeps a seed that no entry tells of"), (None, "no longer keeps the seed that an entry tells of")])
def test_another_one_in_its_place_is_found(
    seed: str | None, words: str, campaign: Any, bobs: Any, as_bob: Client
) -> None:
    kept(campaign, bobs)
    chosen(bobs, seed)
    found_everywhere(campaign, as_bob, words)
    refused(campaign, bobs)


@pytest.mark.usefixtures("without_triggers")
@pytest.mark.parametrize("seed", [CHOSEN, None])
def test_it_is_found_after_the_secret_was_used(seed: str | None, campaign: Any, bobs: Any, as_bob: Client) -> None:
    kept(campaign, bobs)
    thrown(campaign, bobs, OTHER, 20)
    Commitment.objects.exclude(used_by=None).update(pinned=seed)
    found_everywhere(campaign, as_bob, "does not keep the seed that an entry tells of")


def test_a_roll_from_another_seed_than_the_one_kept_is_found(campaign: Any, bobs: Any, monkeypatch: Any) -> None:
    """By the site and by whoever checks an export."""
    kept(campaign, bobs)
    taken = unused(bobs)[0]
    taken.pinned = None
    row = Roll(taken, CHOSEN, 20)
    monkeypatch.setattr("campaigns.trail.draft.take", lambda *_: row)
    monkeypatch.setattr(Roll, "used_by", lambda self, entry: Commitment.objects.filter(
        pk=taken.pk).update(used_by=entry))
    thrown(campaign, bobs, CHOSEN, 20)
    assert "its dice do not fall from the seed that their secret keeps" in whole(campaign).fault
    with pytest.raises(verify.Broken, match="do not fall from the seed that their secret keeps"):
        verify.verify(exported(campaign, bobs))


def of_an_earlier_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on the trail is written as it was before it told of seeds."""
    says: Callable[[Draft], Any] = Draft.payload

    def pin(self: Roll, *_: Any) -> None:
        Commitment.objects.filter(pk=self.commitment.pk, pinned=None).update(pinned=self.record()["client_seed"])

    monkeypatch.setattr(Draft, "payload", lambda self: {
        name: value for name, value in says(self).items() if name != pins.MARK})
    monkeypatch.setattr(pins, "take_over", lambda *_: None)
    monkeypatch.setattr(pins, "seed_of", lambda before, taken, published: taken.pinned)
    monkeypatch.setattr(Roll, "pin", pin)


@pytest.fixture
def earlier(alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any, Any]:
    """A campaign as an earlier version left it, with its members: Bob's next secret keeps a seed, one used did, too."""
    with monkeypatch.context() as before:
        of_an_earlier_version(before)
        old = found(user=alice, op_id=uuid.uuid4(), name="The old road", system="pdq")
        alices, bobs = old.members.get(), join(old, bob, "player")
        kept(old, bobs)
        thrown(old, bobs, OTHER, 20)
        kept(old, bobs)
    old.refresh_from_db()
    return old, alices, bobs


def sound(campaign: Any, *members: Any) -> None:
    assert whole(campaign).fault == ""
    for member in members:
        verify.verify(exported(campaign, member))


def test_seeds_of_an_earlier_version_are_read_as_before_and_told_of_once(earlier: tuple[Any, Any, Any]) -> None:
    old, alices, bobs = earlier
    assert not Entry.objects.filter(campaign=old, kind__in=[pins.PIN, pins.EARLIER]).exists()
    sound(old, alices, bobs)
    wanted = would_fall(old, bobs, SEED, 20, 20)
    assert thrown(old, bobs, OTHER, 20, 20) == wanted
    [said] = json.loads(Entry.objects.get(campaign=old, kind=pins.EARLIER).payload.text)["kept"]
    assert (said["of"], said["number"], said["client_seed"]) == (str(bobs.pk), 2, SEED)
    kept(old, alices)
    kept(old, bobs)
    for _ in range(30):  # the next lists are published
        thrown(old, bobs, OTHER, 20)
    thrown(old, alices, OTHER, 20)
    assert dice(Entry.objects.filter(campaign=old, actor=alices).latest("seq"))["client_seed"] == SEED
    assert Entry.objects.filter(campaign=old, kind=pins.EARLIER).count() == 1
    sound(old, alices, bobs)


def test_a_list_for_somebody_new_or_a_refusal_tells_of_them_first(
    earlier: tuple[Any, Any, Any], charlie: Any, as_bob: Client
) -> None:
    old, alices, bobs = earlier
    kept(old, alices)
    assert [entry.kind for entry in Entry.objects.filter(campaign=old).order_by("-seq")[:2]] == [pins.PIN, pins.EARLIER]
    sound(old, alices, bobs, join(old, charlie, "player"))


def test_nobody_passes_a_seed_off_as_an_early_one(earlier: tuple[Any, Any, Any], as_alice: Client) -> None:
    """As soon as early ones were told of: not on a secret of the old list either."""
    old, alices, bobs = earlier
    chosen(bobs, place=1)
    assert "keeps a seed that no entry tells of" in whole(old).fault, "No earlier version kept one on a later secret."
    triggers.uninstall(connection)
    chosen(bobs, None, place=1)
    triggers.install(connection)
    thrown(old, bobs, OTHER, 20)
    sound(old, alices, bobs)
    chosen(alices)
    refused(old, alices)
    found_everywhere(old, as_alice, f"secret 1 of member {alices.pk} keeps a seed that no entry tells of")


def test_early_ones_are_told_of_once_and_never_in_a_new_campaign(campaign: Any, bobs: Any) -> None:
    chosen(bobs)
    pins.take_over(Campaign.objects.get(pk=campaign.pk), system_entry)
    assert not Entry.objects.filter(kind=pins.EARLIER).exists()
    now = Campaign.objects.get(pk=campaign.pk)
    with system_entry(campaign=now, actor=None, kind=pins.EARLIER, title="Told anew") as draft:
        draft.extra["kept"] = [pins._seed(unused(bobs)[0], CHOSEN)]
    assert "it tells of seeds that earlier versions kept, though they were told of before" in whole(now).fault
    with pytest.raises(verify.Broken, match="out of turn"):
        verify.verify(exported(now, bobs))


def test_only_the_next_secret_of_its_owner_keeps_a_seed(campaign: Any, alices: Any, bobs: Any) -> None:
    now = Campaign.objects.get(pk=campaign.pk)
    with system_entry(campaign=now, actor=alices, kind=pins.PIN, title="Kept") as draft:
        draft.extra["kept"] = [pins._seed(unused(bobs)[0], CHOSEN)]
    assert "it tells of a seed of a secret that could keep none" in whole(now).fault
    with pytest.raises(verify.Broken, match="could keep none"):
        verify.verify(exported(now, bobs))
