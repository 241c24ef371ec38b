"""What an entry's page says of what changed: in the game's own words, and nothing that only the site reads."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns import trail
from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.services.setting import change_settings, last_change
from characters.models import Character, Pool, Trait
from play.models import Contest
from play.services import sessions
from tests import laid
from tests.play.conftest import body, character, trait

pytestmark = pytest.mark.django_db


@laid.fixture
def campaign(alice: Any) -> Any:
    """Alice's campaign, of a game that writes its numbers in its own way."""
    return found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system="questworlds")


@laid.fixture
def ilse(campaign: Any, bobs: Any) -> Character:
    return character(campaign, bobs, "Ilse", [("keyword", "Mapmaker", 17), ("sidekick", "Her dog", 0)], player=bobs)


def changes(client: Client, entry: Entry) -> list[Any]:
    answer = client.get(f"/c/{entry.campaign.slug}/ledger/{entry.seq}/")
    assert answer.status_code == 200
    return list(answer.context["entry"].changes)


def test_values_read_as_the_game_writes_them(as_bob: Client, campaign: Any, bobs: Any, ilse: Character) -> None:
    with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="test", title="Better") as entry:
        entry.change(trait(ilse, "Mapmaker"), value=23)
        dog = entry.create(Trait(
            campaign=campaign, character=ilse, kind="sidekick_ability", name="Scent", value=27, place=3,
            parent=trait(ilse, "Her dog")))
        xp = entry.create(Pool(campaign=campaign, character=ilse, name="xp", value=2))
    better, scent, gained = changes(as_bob, entry.written)
    assert better.lines == (("value", "17", "3M"),)
    assert scent.made and [line[0] for line in scent.lines] == ["kind", "value"]
    label = next(kind.label for kind in campaign.rules.sheet.trait_kinds if kind.name == "sidekick_ability")
    assert [line[2] for line in scent.lines] == [label, "7M"]
    assert gained.name == "Pool “Experience”" and gained.lines == (("value", "nothing", "2"),)
    with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="test", title="Worse") as later:
        later.change(trait(ilse, "Scent"), value=45)
        later.change(xp, value=1)
    lines = [change.lines for change in changes(as_bob, later.written)]
    assert lines == [(("value", "7M", "5M2"),), (("value", "2", "1"),)]
    with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="test", title="Gone") as last:
        last.remove(dog)
    assert last.written and changes(as_bob, later.written)[0].lines == (("value", "7M", "5M2"),), "also of what is gone"


def test_what_has_no_number_says_none(as_bob: Client, campaign: Any, ilse: Character) -> None:
    created = changes(as_bob, Entry.objects.get(kind="character.create"))
    dog = next(row for row in created if "Her dog" in row.name)
    assert [line[0] for line in dog.lines] == ["kind"]
    assert not any(line[0] in ("damage", "npc", "hidden", "retired", "name") for row in created for line in row.lines)


def test_a_contests_bookkeeping_is_left_out(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, ilse: Character
) -> None:
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The quay", characters=[ilse.pk])
    sent = body(title="A hidden door", level="marginal", who=str(ilse.pk))
    assert as_bob.post(f"/c/{campaign.slug}/contests/start/plot/", sent).status_code == 302
    begun = Entry.objects.get(kind="contest.start")
    (contest,) = changes(as_bob, begun)
    assert contest.name == "Contest “A hidden door”" and contest.lines == (("kind", "nothing", "Plot edit"),)
    at = f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/refuse/gm/"
    assert as_alice.post(at, body()).status_code == 302
    (contest,) = changes(as_bob, Entry.objects.get(kind="contest.refuse"))
    assert contest.lines == (("over", "no", "yes"),)
    page = as_bob.get(f"/c/{campaign.slug}/ledger/{begun.seq}/").content.decode()
    assert "Move in a contest" not in page and "events" not in page and "questworlds.plot" not in page


def test_settings_are_told_by_their_labels(as_bob: Client, campaign: Any, alices: Any, bobs: Any) -> None:
    entry = change_settings(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), base=last_change(campaign), name=campaign.name,
        pitch="", settings={"base": 23, "growth": "milestone"})
    (change,) = changes(as_bob, entry)
    assert change.lines == (("Base resistance", "14", "3M"), ("Growth", "By experience", "By milestones"))


def test_a_page_takes_as_many_queries_with_many_values(
    as_bob: Client, campaign: Any, bobs: Any, ilse: Character
) -> None:
    counts = []
    for many in (1, 9):
        lines = [("ability", f"Line {number} of {many}", 13) for number in range(many)]
        made = character(campaign, bobs, f"One of {many}", lines)
        with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="test", title="Better") as entry:
            for trait in made.traits.all():
                entry.change(trait, value=23)
        changes(as_bob, entry.written)
        with CaptureQueriesContext(connection) as captured:
            assert len(changes(as_bob, entry.written)) == many
        counts.append(len(captured))
    assert counts[0] == counts[1]
