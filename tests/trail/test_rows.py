"""A row of the Ledger is drawn once and kept: nobody gets by it what another may read, and nothing that has changed."""
from __future__ import annotations

import uuid
from typing import Any

import pytest

from campaigns import trail
from campaigns.access import Viewer
from campaigns.models import Entry, Erasure, Payload
from campaigns.services.undoing import reveal, undo
from campaigns.trail import contexts
from campaigns.trail.contexts import rows
from campaigns.trail.queries import page
from characters.services import lifecycle
from tests import laid
from tests.conftest import join, person
from tests.trail.test_ledger import renamed, rolled

pytestmark = pytest.mark.django_db

WHISPER = "Only for Bob"


@laid.fixture
def everybody(campaign: Any, alices: Any, bobs: Any) -> list[Any]:
    """The owner, two players, another GM and an observer."""
    others = [("Dana", "player"), ("Greta", "gm"), ("Otto", "observer")]
    return [alices, bobs, *(join(campaign, person(name), role) for name, role in others)]


def read(campaign: Any, member: Any) -> dict[int, str]:
    """The rows that a member gets, by number."""
    campaign.refresh_from_db()
    viewer = Viewer(campaign, member)
    return {row.seq: str(row.html) for row in rows(viewer, page(viewer).entries)}


def same_as_new(campaign: Any, everybody: list[Any]) -> dict[str, dict[int, str]]:
    """Everybody's rows, held against rows drawn for each alone; in both orders of asking."""
    by_member = {}
    for member in [*everybody, *reversed(everybody)]:
        by_member[str(member)] = read(campaign, member)
    for member in everybody:
        contexts._DRAWN.clear()
        assert by_member[str(member)] == read(campaign, member), f"{member} was given another’s row, or an old one"
    return by_member


def test_what_is_kept_is_what_each_would_get_alone(
    campaign: Any, alices: Any, bobs: Any, ilse: Any, whisper: Any, everybody: list[Any]
) -> None:
    open_to_all = rolled(campaign, bobs, ilse, "Climbs")
    sealed = rolled(campaign, alices, ilse, "Reads their faces", hidden=True)
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="character.note", title=WHISPER,
                     audience=str(bobs.pk)):
        pass
    by_member = same_as_new(campaign, everybody)
    assert [name for name, rows in by_member.items() if WHISPER in "".join(rows.values())] == ["Bob"]
    readers = [name for name, rows in by_member.items() if "Reads their faces" in rows[sealed.seq]]
    assert readers == ["Alice", "Greta"]
    undone = undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=open_to_all.seq)
    by_member = same_as_new(campaign, everybody)
    assert all(f"Undone by entry {undone.seq}" in rows[open_to_all.seq] for rows in by_member.values())
    undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=undone.seq)
    by_member = same_as_new(campaign, everybody)
    assert not any("Undone by" in rows[open_to_all.seq] for rows in by_member.values())
    reveal(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=sealed.seq)
    by_member = same_as_new(campaign, everybody)
    assert all("Reads their faces" in rows[sealed.seq] for rows in by_member.values())


def test_whoever_comes_out_of_hiding_or_has_another_name_is_told_anew(
    campaign: Any, alices: Any, bobs: Any, bob: Any, ilse: Any, whisper: Any, everybody: list[Any]
) -> None:
    rolled(campaign, bobs, ilse, "Climbs")
    renamed(campaign, alices, whisper, "Murmur", trail.GM)
    assert not [1 for rows in same_as_new(campaign, everybody[1:3]).values() if "Murmur" in "".join(rows.values())]
    lifecycle.show(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=whisper.pk)
    assert all("Murmur" in "".join(rows.values()) for rows in same_as_new(campaign, everybody).values())
    bob.username = "Robert"
    bob.save()
    bobs.refresh_from_db()
    by_member = same_as_new(campaign, everybody)
    assert all("<span>Bob</span>" not in "".join(rows.values()) for rows in by_member.values())
    assert all("<span>Robert</span>" in "".join(rows.values()) for rows in by_member.values())


def test_what_is_erased_is_in_no_row(
    campaign: Any, alices: Any, bobs: Any, ilse: Any, everybody: list[Any]
) -> None:
    entry = rolled(campaign, bobs, ilse, "Climbs")
    assert all("Climbs" in rows[entry.seq] for rows in same_as_new(campaign, everybody).values())
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="character.note", title="By wish") as by:
        pass
    Erasure.objects.create(entry=entry, campaign=campaign, by=by.written)
    Payload.objects.filter(entry=entry).delete()
    assert not any("Climbs" in rows[entry.seq] for rows in same_as_new(campaign, everybody).values())


def test_a_row_is_drawn_once_for_all_who_see_the_same(
    campaign: Any, alices: Any, bobs: Any, ilse: Any, everybody: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rolled(campaign, bobs, ilse, "Climbs")
    drawn: list[int] = []
    draw = contexts.render_to_string
    monkeypatch.setattr(contexts, "render_to_string", lambda name, context: (
        drawn.append(context["entry"].seq), draw(name, context))[1])
    contexts._DRAWN.clear()
    for member in everybody:
        read(campaign, member)
    many = Entry.objects.filter(campaign=campaign).count()
    assert many < len(drawn) <= 3 * many  # one's own and another's; read and sealed
    for member in everybody:
        read(campaign, member)
    assert len(drawn) <= 3 * many
