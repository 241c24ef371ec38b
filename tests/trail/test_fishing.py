"""Nobody fishes for better dice: what was thrown and then refused falls again, whatever is sent next."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Commitment, Entry
from campaigns.trail import pins
from campaigns.trail.dice import NotLaidOut, unused
from campaigns.trail.verifying import whole
from campaigns.trail.visible import payload_of
from characters.models import Character
from play.models import PendingAllocation, PendingModifier
from play.services import contests, pending_allocations, tray, uses
from rules.systems.pdq.session import PdqSession
from tests.play.conftest import trait
from tests.play.rolled import rolled
from tests.play.test_conflict import act, begin

pytestmark = pytest.mark.django_db
SEED, OTHER = "5a" * 32, "5b" * 32


def thrown(campaign: Any, actor: Any, seed: str, *sides: int, fails: Any = None) -> list[int]:
    """Throws these dice; raises what it is given after the throw."""
    with trail.entry(campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="test.roll", title="A roll") as entry:
        faces = entry.roll(sides, seed)
        if fails:
            raise fails
    return faces


def written() -> int:
    """How many entries there are but those of dice that were kept."""
    return Entry.objects.exclude(kind=pins.PIN).count()


def kept_by(campaign: Any) -> list[tuple[Any, ...]]:
    """What entries tell of seeds that are kept: whose, of which secret, the seed, the dice, the act."""
    entries = Entry.objects.filter(campaign=campaign, kind=pins.PIN).order_by("seq")
    payloads = [payload_of(entry) or {} for entry in entries]
    return [(kept["of"], kept["number"], kept["client_seed"], kept["sides"], kept["act"])
            for payload in payloads for kept in payload["kept"]]


def dice(entry: Entry) -> dict[str, Any]:
    thrown: dict[str, Any] = (payload_of(entry) or {})["dice"]
    return thrown


def would_fall(campaign: Any, actor: Any, seed: str, *sides: int) -> list[int]:
    """The faces of the actor's next secret with this seed, worked out from the table."""
    from rules.dice import Throw

    row = unused(actor).first()
    throw = Throw(
        secret=bytes.fromhex(row.secret), campaign=str(campaign.pk), number=row.number,
        client_seed=bytes.fromhex(seed))
    return throw.roll(sides)


@pytest.mark.parametrize("fails", [Refused("Too late."), ValueError("A defect"), IntegrityError("The database")])
def test_the_same_faces_come_again_whatever_seed_is_sent(campaign: Any, bobs: Any, fails: Any) -> None:
    wanted = would_fall(campaign, bobs, SEED, 20, 20, 20, 20)
    before = written()
    for seed in (SEED, OTHER, ""):
        with pytest.raises(type(fails)):
            thrown(campaign, bobs, seed, 20, 20, 20, 20, fails=fails)
    assert kept_by(campaign) == [(str(bobs.pk), 1, SEED, [20, 20, 20, 20], "test.roll")]
    assert written() == before, "Nothing but that the dice are kept."
    assert thrown(campaign, bobs, OTHER, 20, 20, 20, 20) == wanted
    assert dice(Entry.objects.latest("seq"))["client_seed"] == SEED
    assert thrown(campaign, bobs, OTHER, 20, 20, 20, 20) != wanted, "The next secret is a new one."
    assert dice(Entry.objects.latest("seq"))["client_seed"] == OTHER
    assert whole(campaign).fault == ""


def test_a_throw_without_a_seed_is_no_way_round_it(campaign: Any, bobs: Any) -> None:
    wanted = would_fall(campaign, bobs, "", 20, 20, 20)
    with pytest.raises(Refused):
        thrown(campaign, bobs, "", 20, 20, 20, fails=Refused("No."))
    assert thrown(campaign, bobs, SEED, 20, 20, 20) == wanted
    assert dice(Entry.objects.latest("seq"))["client_seed"] == "", "It is unwitnessed, as it was thrown."


def test_what_is_refused_before_the_throw_keeps_no_seed(campaign: Any, bobs: Any) -> None:
    with pytest.raises(Refused), trail.entry(
        campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="test.roll", title="A roll"
    ):
        raise Refused("It is not your turn.")
    assert not Commitment.objects.exclude(pinned=None).exists()


def test_nobody_elses_dice_are_touched(campaign: Any, alices: Any, bobs: Any) -> None:
    wanted = would_fall(campaign, alices, OTHER, 20, 20, 20)
    with pytest.raises(Refused):
        thrown(campaign, bobs, SEED, 20, 20, 20, fails=Refused("No."))
    assert thrown(campaign, alices, OTHER, 20, 20, 20) == wanted


def injected(monkeypatch: pytest.MonkeyPatch, at: Any, name: str) -> None:
    """A service's step that comes after its throw fails, once."""
    works, state = getattr(at, name), {"failed": False}

    def failing(*args: Any, **kwargs: Any) -> Any:
        if state["failed"]:
            return works(*args, **kwargs)
        state["failed"] = True
        raise Refused("Something after the throw.")

    monkeypatch.setattr(at, name, failing)


Service = Callable[[str], Entry]


def a_roll(campaign: Any, bobs: Any, ilse: Character) -> Service:
    PendingModifier.objects.create(campaign=campaign, character=ilse, kind="badass", reason="A leap")

    def roll(seed: str) -> Entry:
        return rolled(campaign, bobs, ilse, client_seed=seed, difficulty=9)

    return roll


def a_recovery(campaign: Any, bobs: Any, ilse: Character) -> Service:
    allocation = PendingAllocation.objects.create(
        campaign=campaign, character=ilse, type="roll", amount=1, reason="A fall")
    return lambda seed: pending_allocations.roll_recovery(
        campaign=campaign, actor=bobs, op_id=uuid.uuid4(), client_seed=seed, allocation_id=allocation.pk)


@pytest.mark.parametrize(("service", "at", "name"), [
    (a_roll, tray, "_as_a_contest"), (a_roll, uses, "learn"), (a_recovery, PdqSession, "recovered"),
])
def test_a_service_that_fails_after_its_throw_throws_the_same(
    service: Any, at: Any, name: str, campaign: Any, bobs: Any, ilse: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    does, before = service(campaign, bobs, ilse), written()
    injected(monkeypatch, at, name)
    with pytest.raises(Refused, match="after the throw"):
        does(SEED)
    assert written() == before
    said = dice(does(OTHER))
    assert (said["client_seed"], said["number"]) == (SEED, 1)


@pytest.mark.parametrize("step", ["tell", "apply"])
def test_an_act_of_a_contest_that_fails_after_its_throw_throws_the_same(
    step: str, as_alice: Client, as_bob: Client, campaign: Any, ilse: Character, marrow: Character, scene: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ilse is attacked and defends herself: four dice fall, and then something fails."""
    assert begin(as_alice, campaign).status_code == 302
    act(as_alice, marrow, "attack", targets=[str(ilse.pk)], qualities=[str(trait(marrow, "Club").pk)])
    before = written()
    injected(monkeypatch, contests, step)
    refused = act(as_bob, ilse, "defend", client_seed=SEED)
    assert refused.status_code == 422 and "after the throw" in refused.content.decode()
    assert written() == before
    kept = Commitment.objects.exclude(pinned=None).get()
    assert act(as_bob, ilse, "defend", client_seed=OTHER).status_code == 302
    said = dice(Entry.objects.get(kind="contest.defend"))
    assert (said["client_seed"], said["commitment"], len(said["faces"])) == (SEED, kept.digest, 4)
    assert whole(campaign).fault == ""


def test_whoever_has_no_list_gets_one_and_sends_it_again(campaign: Any, bobs: Any) -> None:
    """As in a campaign of an earlier version: a seed that was made before the secrets is not rolled with."""
    Commitment.objects.all().delete()
    Commitment.objects.create(campaign=campaign, place=0, digest="ab" * 32, secret="cd" * 32)
    before = Entry.objects.count()
    with pytest.raises(NotLaidOut):
        thrown(campaign, bobs, SEED, 6)
    assert Entry.objects.count() == before + 2, "Everyone who may roll has their own by now."
    assert not Commitment.objects.filter(used_by=None).exclude(pinned=None).exists()
