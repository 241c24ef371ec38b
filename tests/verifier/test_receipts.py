"""A server that cheats, and the receipts that find it out: `verify.py --receipts`."""
from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import verify
from campaigns import trail
from campaigns.access import Viewer
from campaigns.models import Campaign, Commitment, Entry
from campaigns.services.founding import found
from campaigns.trail import dice, pins
from campaigns.trail.dice import NotLaidOut
from campaigns.trail.since import since
from rules.dice import Throw
from tests import laid
from tests.campaigns.test_carrying import brought, elsewhere
from tests.conftest import join
from tests.verifier.conftest import exported
from tests.verifier.test_sound import command

pytestmark = pytest.mark.django_db


@dataclass
class Browser:
    """What a browser does and keeps, as `static/js/dice.js` has it."""

    campaign: Any
    member: Any
    head: dict[str, Any] | None = None
    receipts: list[dict[str, Any]] = field(default_factory=list)
    made: int = 0

    def look(self) -> dict[str, Any]:
        """Opens a page: the end of the Ledger, and the secret that comes next."""
        campaign = Campaign.objects.get(pk=self.campaign.pk)
        answer = since(Viewer(campaign, self.member), 1)
        self.head = answer["head"]
        return dict(answer["next"])

    def send(self, shown: dict[str, Any]) -> tuple[uuid.UUID, str]:
        """Makes a seed, unless one was sent for this secret already; answers the operation and the seed."""
        operation = uuid.uuid4()
        receipt = next((receipt for receipt in self.receipts if receipt["number"] == shown["number"]), None)
        if receipt is None:
            self.made += 1
            seed = f"{self.made:064x}"
            receipt = {**shown, "client_seed": seed, "operations": [], "at": "2026-01-01T00:00:00Z"}
            self.receipts.append(receipt)
        receipt["operations"].append(str(operation))
        return operation, receipt["client_seed"]

    def roll(self) -> Entry:
        """A roll with an honest server."""
        return thrown(self.campaign, self.member, *self.send(self.look()))

    def file(self, folder: Path, name: str = "receipts.jsonl") -> str:
        """Saves the receipts."""
        rows = [{"v": 1, "export": "campaign-receipts", "campaign": str(self.campaign.pk),
                 "member": str(self.member.pk), "head": self.head}, *self.receipts]
        (folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        return str(folder / name)


def thrown(campaign: Any, actor: Any, operation: uuid.UUID, seed: str) -> Entry:
    with trail.entry(campaign=campaign, actor=actor, op_id=operation, kind="test.roll", title="A roll") as entry:
        entry.roll([20, 20, 20], seed)
    return entry.written


@laid.fixture
def browser(campaign: Any, bobs: Any) -> Browser:
    member_browser = Browser(campaign, bobs)
    member_browser.roll()
    member_browser.roll()
    return member_browser


def verdict(browser: Browser, tmp_path: Path, *more: str) -> tuple[int, str]:
    lines = exported(Campaign.objects.get(pk=browser.campaign.pk), browser.member)
    return command(tmp_path, lines, "--receipts", browser.file(tmp_path), *more)


def test_an_honest_server(browser: Browser, tmp_path: Path) -> None:
    browser.send(browser.look())  # refused, and sent again with the same seed
    browser.roll()
    status, said = verdict(browser, tmp_path)
    assert status == verify.SOUND, said
    assert "Receipts: 3 rolls held against them; 1 were sent in vain." in said


def test_another_seed(browser: Browser, tmp_path: Path) -> None:
    """Tries seeds until it likes the faces."""
    operation, _ = browser.send(browser.look())
    entry = thrown(browser.campaign, browser.member, operation, "ab" * 32)
    status, said = verdict(browser, tmp_path)
    assert status == verify.DEPARTED
    assert f"Entry {entry.seq}: its dice came from another seed than your browser sent." in said


def test_no_seed(browser: Browser, tmp_path: Path) -> None:
    """Says that the browser sent none."""
    operation, _ = browser.send(browser.look())
    thrown(browser.campaign, browser.member, operation, "")
    assert verdict(browser, tmp_path)[0] == verify.DEPARTED


def test_other_operations_ids_give_the_same_faces(browser: Browser) -> None:
    """What the first form let it do: there is nothing to try any more."""
    row = Commitment.objects.filter(owner=browser.member, used_by=None).order_by("number")[0]
    shown = browser.look()
    operation, seed = browser.send(shown)
    throw = Throw(secret=bytes.fromhex(row.secret), campaign=str(browser.campaign.pk), number=shown["number"],
                  client_seed=bytes.fromhex(seed))
    wanted = throw.roll([20, 20, 20])
    assert json.loads(thrown(browser.campaign, browser.member, operation, seed).payload.text)["dice"]["faces"] == wanted


def test_the_next_secret(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passes over a secret that would be good for the player: the trail itself is broken."""
    shown = browser.look()
    operation, seed = browser.send(shown)
    rows = Commitment.objects.filter(owner=browser.member)
    rows.filter(number=shown["number"]).update(number=1000)
    rows.filter(number=shown["number"] + 1).update(number=shown["number"])
    rows.filter(number=1000).update(number=shown["number"] + 1)
    monkeypatch.setattr(dice, "_as_published", lambda taken: {pins.MARK: True})
    thrown(browser.campaign, browser.member, operation, seed)
    status, said = verdict(browser, tmp_path)
    assert status == verify.BROKEN and "do not come from the next secret" in said


def test_a_roll_in_the_players_name_before_it(browser: Browser, tmp_path: Path) -> None:
    """Burns a secret that would be good for the player: in a sound trail, but no receipt knows of that roll."""
    operation, seed = browser.send(browser.look())
    burnt = thrown(browser.campaign, browser.member, uuid.uuid4(), "cd" * 32)
    thrown(browser.campaign, browser.member, operation, seed)
    status, said = verdict(browser, tmp_path)
    assert status == verify.DEPARTED
    assert f"Entry {burnt.seq}: no receipt knows of this roll." in said


def test_rolls_of_another_device_have_their_own_receipts(browser: Browser, tmp_path: Path) -> None:
    phone = Browser(browser.campaign, browser.member, made=500)
    entry = phone.roll()
    browser.roll()
    status, said = verdict(browser, tmp_path)
    assert status == verify.DEPARTED and f"Entry {entry.seq}: no receipt" in said
    assert verdict(browser, tmp_path, "--receipts", phone.file(tmp_path, "phone.jsonl"))[0] == verify.SOUND


def test_rolls_before_the_first_receipt_are_not_asked_for(browser: Browser, tmp_path: Path) -> None:
    later = Browser(browser.campaign, browser.member, made=500)
    later.roll()
    assert verdict(later, tmp_path)[0] == verify.SOUND


def test_somebody_elses_roll_asks_for_no_receipt(browser: Browser, tmp_path: Path, alices: Any) -> None:
    thrown(browser.campaign, alices, uuid.uuid4(), "ab" * 32)
    assert verdict(browser, tmp_path)[0] == verify.SOUND


def test_an_older_history(browser: Browser, tmp_path: Path) -> None:
    """The database is set back to before a roll, and the roll made anew: the head that was seen is in no entry."""
    before = exported(Campaign.objects.get(pk=browser.campaign.pk), browser.member)
    browser.roll()
    browser.look()
    status, said = command(tmp_path, before, "--receipts", browser.file(tmp_path))
    assert status == verify.DEPARTED and "which your browser saw as that of entry" in said
    browser.head = {"seq": 3, "hash": "ab" * 32}
    assert verdict(browser, tmp_path)[0] == verify.DEPARTED


def test_a_sealed_roll_of_ones_own_is_held_by_its_secret(browser: Browser, alices: Any, tmp_path: Path) -> None:
    """In somebody else's export its seed is not to be read; that it used the secret that was shown still is."""
    gm = Browser(browser.campaign, alices)
    shown = gm.look()
    operation, seed = gm.send(shown)
    with trail.entry(
        campaign=browser.campaign, actor=alices, op_id=operation, kind="test.roll", title="A roll", audience=trail.GM
    ) as entry:
        entry.roll([20], seed)
    lines = exported(Campaign.objects.get(pk=browser.campaign.pk), browser.member)
    assert command(tmp_path, lines, "--receipts", gm.file(tmp_path))[0] == verify.SOUND
    gm.receipts[0]["commitment"] = "ab" * 32
    status, said = command(tmp_path, lines, "--receipts", gm.file(tmp_path))
    assert status == verify.DEPARTED and "is not the one that your browser was shown" in said


@pytest.mark.parametrize("spoilt", [
    b"", b"{}\n", b"[]\n", b'{"v":true,"export":"campaign-receipts","campaign":"","member":"","head":null}\n',
    b'{"v":1,"export":"campaign-trail","campaign":"","member":"","head":null}\n', b"\xff\n", b"x" * 2_000_000,
    b'{"v":1,"export":"campaign-receipts","campaign":"c","member":"m","head":null}\n{"number":"1"}\n',
    b'{"v":1,"export":"campaign-receipts","campaign":"c","member":"m","head":null}\n',
])
def test_a_file_that_holds_no_receipts(spoilt: bytes, browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "spoilt.jsonl").write_bytes(spoilt)
    lines = exported(Campaign.objects.get(pk=browser.campaign.pk), browser.member)
    status, said = command(tmp_path, lines, "--receipts", str(tmp_path / "spoilt.jsonl"))
    assert status == verify.BROKEN and "Traceback" not in said


def test_receipts_of_two_people_are_not_mixed(browser: Browser, alices: Any, tmp_path: Path) -> None:
    other = Browser(browser.campaign, alices)
    other.roll()
    status, said = verdict(browser, tmp_path, "--receipts", other.file(tmp_path, "other.jsonl"))
    assert status == verify.BROKEN and "someone else" in said


def test_an_untouched_ledger_stands_on_every_head_that_was_seen(browser: Browser, tmp_path: Path) -> None:
    browser.look()
    thrown(browser.campaign, browser.campaign.members.get(role="owner"), uuid.uuid4(), "")
    assert verdict(browser, tmp_path)[0] == verify.SOUND




def test_receipts_hold_on_the_server_that_a_campaign_is_brought_to(alice: Any, bob: Any, tmp_path: Path) -> None:
    """What a browser kept of its rolls here still tells there; secrets that the file took along unused are retired."""
    kept: list[Browser] = []

    def make() -> Any:
        campaign = found(user=alice, op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
        browser = Browser(campaign, join(campaign, bob, "player"))
        browser.roll()
        browser.send(browser.look())  # sent in vain: its server is gone before it answers
        kept.append(browser)
        campaign.refresh_from_db()
        return campaign

    campaign = brought(elsewhere(make), alice, Bob=bob)
    [browser] = kept
    browser.campaign, browser.member = campaign, campaign.members.get(user=bob)
    status, said = verdict(browser, tmp_path)
    assert status == verify.SOUND, said
    assert "held against them; 1 were sent in vain." in said
    with pytest.raises(NotLaidOut):
        browser.roll()
    browser.roll()
    status, said = verdict(browser, tmp_path)
    assert status == verify.SOUND, said
    browser.receipts[0]["client_seed"] = "ab" * 32
    assert verdict(browser, tmp_path)[0] == verify.DEPARTED
