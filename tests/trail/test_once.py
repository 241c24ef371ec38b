"""One operation, one entry: a retry finds its first answer, and nobody else's form is answered by it."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Commitment, Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from characters.models import Character
from characters.services import editing, npcs, pools
from tests.conftest import join
from tests.databases import OwnDatabase
from tests.play.conftest import body
from tests.play.tray_page import shown

ONE = uuid.UUID("5f0c0d1e-0000-4000-8000-000000000001")


def award(campaign: Any, actor: Any, who: Character, op_id: uuid.UUID = ONE, amount: int = 2) -> Entry:
    return pools.award(
        campaign=campaign, actor=actor, op_id=op_id, character_id=who.pk, pool="xp", amount=amount, reason="The bridge"
    )


@pytest.mark.django_db
def test_a_retry_finds_its_first_answer(campaign: Any, alices: Any, ilse: Character) -> None:
    first = award(campaign, alices, ilse)
    entries = Entry.objects.count()
    assert award(campaign, alices, ilse) == first
    assert award(campaign, alices, ilse, amount=50) == first, "What the second form says does not count any more."
    assert Entry.objects.count() == entries
    assert ilse.pools.get(name="xp").value == 2
    assert not list(differences(campaign.pk))


@pytest.mark.django_db
def test_a_retry_rolls_no_second_time(as_bob: Client, campaign: Any, ilse: Character) -> None:
    sent = body(character=str(ilse.pk), difficulty="number", difficulty_number=9, client_seed="5a" * 32,
                shown=shown(as_bob, campaign, ilse))
    first = as_bob.post(f"/c/{campaign.slug}/roll/", sent)
    used = Commitment.objects.exclude(used_by=None).count()
    second = as_bob.post(f"/c/{campaign.slug}/roll/", {**sent, "client_seed": "5b" * 32})
    assert (first.status_code, second.status_code) == (302, 302)
    assert first["Location"] == second["Location"], "The second answer leads to another roll than the first."
    assert Entry.objects.filter(kind="contest.tray").count() == 1
    assert Commitment.objects.exclude(used_by=None).count() == used == 1


@pytest.mark.django_db
def test_a_retry_after_the_world_has_moved_on_still_finds_it(campaign: Any, alices: Any, ilse: Character) -> None:
    """What could no longer be done now was done when it was first asked for."""
    award(campaign, alices, ilse, uuid.uuid4())
    spend = {"campaign": campaign, "actor": alices, "character_id": ilse.pk, "pool": "xp", "amount": 2}
    first = pools.spend(**spend, op_id=ONE)
    with pytest.raises(Refused, match="not enough"):
        pools.spend(**spend, op_id=uuid.uuid4())
    assert pools.spend(**spend, op_id=ONE) == first


@pytest.mark.django_db
def test_another_actor_with_the_same_operation_is_refused(
    campaign: Any, alices: Any, ilse: Character, charlie: Any
) -> None:
    other = join(campaign, charlie, "gm")
    award(campaign, alices, ilse)
    before = Entry.objects.count()
    with pytest.raises(Refused, match="already used for something else"):
        award(campaign, other, ilse)
    assert Entry.objects.count() == before
    assert ilse.pools.get(name="xp").value == 2


@pytest.mark.django_db
def test_another_kind_with_the_same_operation_is_refused(campaign: Any, alices: Any, ilse: Character) -> None:
    award(campaign, alices, ilse)
    before = Entry.objects.count()
    with pytest.raises(Refused, match="already used for something else"):
        pools.spend(campaign=campaign, actor=alices, op_id=ONE, character_id=ilse.pk, pool="xp", amount=1)
    with pytest.raises(Refused, match="already used for something else"):
        npcs.quick(campaign=campaign, actor=alices, op_id=ONE, line="guard, Fighting good")
    assert Entry.objects.count() == before
    assert ilse.pools.get(name="xp").value == 2


@pytest.mark.django_db
def test_a_used_form_is_refused_in_the_browser_and_keeps_what_was_typed(
    as_alice: Client, campaign: Any, alices: Any, ilse: Character
) -> None:
    award(campaign, alices, ilse)
    sent = {"op_id": str(ONE), "line": "Grete the miller, Flour expert"}
    answer = as_alice.post(f"/c/{campaign.slug}/characters/quick/", sent)
    assert answer.status_code == 422
    html = answer.content.decode()
    assert "Reload the page." in html and "Grete the miller" in html
    assert not Character.objects.filter(name__startswith="Grete").exists()


@pytest.mark.django_db
def test_one_operation_in_two_campaigns_is_two(campaign: Any, alices: Any, alice: Any) -> None:
    """Operations are a campaign's own: what is known here tells nothing there, and ids differ."""
    other = found(user=alice, op_id=uuid.uuid4(), name="Elsewhere", system="pdq")
    made = [
        npcs.quick(campaign=table, actor=table.members.get(user=alice), op_id=ONE, line="guard, Fighting good")
        for table in (campaign, other)
    ]
    assert len({entry.pk for entry in made}) == 2
    assert editing.id_from(campaign, ONE) != editing.id_from(other, ONE)
    assert Character.objects.filter(name="guard").count() == 2


@pytest.mark.django_db
def test_what_is_refused_leaves_the_operation_free(campaign: Any, alices: Any, ilse: Character) -> None:
    with pytest.raises(Refused, match="from 1 to"):
        award(campaign, alices, ilse, amount=0)
    assert award(campaign, alices, ilse).op_id == ONE


@pytest.mark.django_db
def test_a_fault_inside_writes_nothing(campaign: Any, alices: Any, ilse: Character) -> None:
    before = campaign.head_seq
    with pytest.raises(ZeroDivisionError), trail.entry(
        campaign=campaign, actor=alices, op_id=ONE, kind="character.edit", title="Half done"
    ) as entry:
        entry.change(ilse, name="Ilsebill")
        1 / 0  # noqa: B018
    campaign.refresh_from_db()
    ilse.refresh_from_db()
    assert (campaign.head_seq, ilse.name, Entry.objects.filter(op_id=ONE).count()) == (before, "Ilse", 0)


SETUP = """
import uuid
from accounts.models import User
from campaigns.models import Member
from campaigns.services.founding import found
from characters.services import editing
user = User.objects.create_user(username="Alice", email="alice@example.org", password="a long password")
campaign = found(user=user, op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
owner = Member.objects.get()
entry = editing.create(campaign=campaign, actor=owner, op_id=uuid.uuid4(), name="Ilse", player=owner)
print(editing.id_from(campaign, entry.op_id))
"""

AT_ONCE = """
import pathlib, sys, time, uuid
from campaigns.models import Campaign, Member
from characters.services import pools
campaign, owner = Campaign.objects.get(), Member.objects.get()
character, op_id, gate, mine = uuid.UUID(sys.argv[1]), uuid.UUID(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4]
(gate / mine).touch()
while len(list(gate.iterdir())) < PROCESSES:
    time.sleep(0.001)
for number in range(ROUNDS):
    # In each round all ask for the same operation, as near to one moment as there is.
    entry = pools.award(campaign=campaign, actor=owner, op_id=uuid.uuid5(op_id, str(number)), character_id=character,
                        pool="xp", amount=1, reason="At once")
    print(entry.seq)
"""

LEFT = """
from campaigns.models import Campaign, Entry
from campaigns.trail.rebuild import differences
from campaigns.trail.verifying import Progress, check
from characters.models import Pool
campaign = Campaign.objects.get()
assert sorted(Entry.objects.values_list("seq", flat=True)) == list(range(1, campaign.head_seq + 1))
assert not list(differences(campaign.pk)) and not check(campaign, Progress()).fault
print(Pool.objects.get().value, Entry.objects.filter(kind="character.award").count())
"""

PROCESSES, ROUNDS = 2, 15


@pytest.mark.processes
def test_two_processes_with_the_same_operation_at_once_write_one_entry(
    real_database: OwnDatabase, tmp_path: Any
) -> None:
    character, gate = real_database.python(SETUP).strip(), tmp_path / "gate"
    gate.mkdir()
    code = f"PROCESSES, ROUNDS = {PROCESSES}, {ROUNDS}\n{AT_ONCE}"
    started = [
        real_database.start(code, character, str(ONE), str(gate), str(number)) for number in range(PROCESSES)
    ]
    answers = [process.communicate(timeout=100)[0].split() for process in started]
    assert [process.returncode for process in started] == [0] * PROCESSES
    assert len(answers[0]) == ROUNDS
    assert answers[0] == answers[1], "The two were not answered by the same entries."
    assert real_database.python(LEFT).split() == [str(ROUNDS), str(ROUNDS)]
