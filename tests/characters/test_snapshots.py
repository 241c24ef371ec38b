"""A character as of any entry is the same by the snapshots as by all entries, for everybody, and costs as little."""
from __future__ import annotations

import io
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from campaigns import trail
from campaigns.access import Viewer
from campaigns.carrying.placing import bring_in
from campaigns.models import Entry, Role
from campaigns.services.undoing import reveal
from campaigns.trail.rebuild import rebuild
from characters import queries, snapshots
from characters.models import Character, Snapshot, Trait
from play.services import samples
from tests.campaigns.test_carrying import elsewhere
from tests.conftest import join, person
from tests.play.conftest import character

SELF, FIELDS = "self", ("value", "note")
AUDIENCES = ("all", "gm", "bob")
READERS: tuple[set[str], ...] = ({"all"}, {"all", "gm"}, {"all", "bob"}, {"all", "gm", "bob"})
CHANGES = st.tuples(st.sampled_from(("self", "a", "b", "c")), st.sampled_from((None, ("value",), ("note",), FIELDS)))
ENTRIES = st.lists(st.tuples(
    st.sampled_from(AUDIENCES), st.lists(CHANGES, min_size=1, max_size=3), st.integers(0, 9).map(lambda n: n == 0)))


@given(ENTRIES, st.integers(0, 40))
def test_whoever_reads_them_what_counts_adds_up_to_the_same(entries: Any, cut: int) -> None:
    own: set[str] = set()
    payloads, said = {}, []
    for seq, (audience, changes, whole) in enumerate(entries, 1):
        made = {pk: _change(pk, fields, seq) for pk, fields in changes}
        payload = {"changes": list(made.values()), "present": [_change(SELF, FIELDS, -seq)] if whole else []}
        payloads[seq] = audience, payload
        said.append(snapshots.said_by(payload, SELF, own, seq, audience))
    counting = {word.seq for word in snapshots.still_counting(snapshots.still_counting(said[:cut]) + said[cut:])}
    for reader in READERS:
        read = [(seq, payload) for seq, (audience, payload) in payloads.items() if audience in reader]
        assert added_up(payload for _, payload in read) == added_up(
            payload for seq, payload in read if seq in counting)


def _change(pk: str, fields: tuple[str, ...] | None, seq: int) -> dict[str, Any]:
    whose: dict[str, Any] = {} if pk == SELF else {"character_id": SELF}
    became = None if fields is None else {**whose, **dict.fromkeys(fields, seq)}
    return {"of": "character" if pk == SELF else "trait", "id": pk, "was": None, "became": became}


def added_up(payloads: Iterator[dict[str, Any]]) -> Any:
    rows: dict[str, dict[str, Any]] = {}
    for payload in payloads:
        if payload["present"]:
            rows.clear()
        for change in (*payload["changes"], *payload["present"]):
            if change["became"] is None:
                rows.pop(change["id"], None)
            else:
                rows[change["id"]] = {**rows.get(change["id"], {}), **change["became"]}
    return rows


@pytest.fixture
def long(campaign: Any, alices: Any, bobs: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Character, list[int]]:
    """Ilse, over 60 entries in steps of eight: for all, and now and then for GMs alone."""
    monkeypatch.setattr(snapshots, "STEP", 8)
    ilse = character(campaign, bobs, "Ilse", [("strength", "Maps", 2), ("strength", "Oars", 2)], player=bobs)
    sealed = []
    for turn in range(60):
        audience = "gm" if turn % 7 in (3, 4) else "all"
        written = change(campaign, alices, ilse, f"As of {turn}", audience, turn)
        sealed += [written.seq] if turn % 7 == 3 else []
    return ilse, sealed


def change(campaign: Any, actor: Any, ilse: Character, story: str, audience: str, turn: int) -> Entry:
    with trail.entry(campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="character.edit", title="A line",
                     audience=audience) as entry:
        entry.index(ilse.pk)
        row = entry.locked(Character, pk=ilse.pk)
        entry.change(row, story=story)
        if turn % 5 == 0:
            entry.create(Trait(campaign=campaign, character=ilse, kind="strength", name=f"Line {turn}", value=2,
                               place=10 + turn))
        if turn % 5 == 4:
            entry.remove(entry.locked(Trait, character=ilse, name=f"Line {turn - 4}"))
    return entry.written


def all_states(viewers: list[Viewer], ilse: Character) -> list[Any]:
    head = viewers[0].campaign.head_seq
    return [queries.state_at(viewer, ilse.pk, seq) for viewer in viewers for seq in range(1, head + 1)]


def without(viewers: list[Viewer], ilse: Character, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    with monkeypatch.context() as patch:
        patch.setattr(snapshots, "VERSION", 0)
        return all_states(viewers, ilse)


@pytest.fixture
def viewers(campaign: Any, alices: Any, bobs: Any) -> list[Viewer]:
    gm = join(campaign, person("Gwen"), Role.GM)
    return [Viewer(campaign, member) for member in (alices, gm, bobs)]


@pytest.mark.django_db
def test_as_of_each_entry_it_is_what_all_entries_add_up_to(
    long: Any, viewers: list[Viewer], monkeypatch: pytest.MonkeyPatch
) -> None:
    ilse, _ = long
    assert Snapshot.objects.filter(character=ilse).count() >= 7
    assert all_states(viewers, ilse) == without(viewers, ilse, monkeypatch)


@pytest.mark.django_db
def test_what_is_revealed_counts_from_then_on(
    long: Any, viewers: list[Viewer], campaign: Any, alices: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ilse, sealed = long
    before = all_states(viewers[2:], ilse)
    for seq in sealed:  # after each comes another that is sealed, which overtakes it for a GM alone
        reveal(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=seq)
    campaign.refresh_from_db()
    shown = all_states(viewers[2:], ilse)
    assert shown[:len(before)] != before
    assert shown == without(viewers[2:], ilse, monkeypatch)


@pytest.mark.django_db
def test_they_follow_from_the_trail(long: Any, campaign: Any) -> None:
    def laid_out() -> list[Any]:
        return list(Snapshot.objects.order_by("character", "seq").values_list("character", "seq", "version", "entries"))

    written = laid_out()
    rebuild(campaign.pk)
    assert laid_out() == written
    Snapshot.objects.update(version=snapshots.VERSION - 1)
    snapshots.lay_out_missing()
    assert laid_out() == written


@pytest.mark.django_db
def test_a_page_reads_no_more_of_a_longer_past(
    long: Any, viewers: list[Viewer], campaign: Any, alices: Any
) -> None:
    ilse, _ = long

    def fetched(seq: int) -> int:
        with CaptureQueriesContext(connection):
            return len(list(snapshots.texts(viewers[0], ilse.pk, seq)))

    assert fetched(campaign.head_seq) <= 8 + 12
    for turn in range(60, 120):
        change(campaign, alices, ilse, f"As of {turn}", "all", turn)
    campaign.refresh_from_db()
    assert fetched(campaign.head_seq) <= 8 + 12


@pytest.mark.django_db
def test_an_import_lays_them_out(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "STEP", 8)
    file = elsewhere(lambda: samples.begin(user=alice, game="pdq", op_id=uuid.uuid4()))
    assert not Snapshot.objects.exists()
    campaign = bring_in(io.BytesIO(file), owner=alice, people={})
    assert Snapshot.objects.filter(campaign=campaign).exists()
