"""Every kind of entry that is written anywhere is declared: it has a label, and a filter of the Ledger finds it."""
from __future__ import annotations

import ast
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.services.undoing import undoable
from campaigns.trail.declared import declared, filters, in_story, story
from campaigns.trail.tracked import TRACKED
from characters.models import Character
from play.models import PrepItem
from play.services import bank
from rules.registry import SYSTEMS
from tests.conftest import join
from tests.play.conftest import character

ROOT = Path(__file__).resolve().parent.parent.parent
APPS = ("campaigns", "schedule", "characters", "play")
# What a service names by a variable, and what it may be: the moves of all games, recovery rolls among them.
MOVES = {move.name for system in SYSTEMS.values() for move in system.rolls.moves}
# `kind` is the trail's own parameter, `shown` of whoever shows things to some.
TOLD = {f"{of}.{what}" for of in ("character", "page", "bank") for what in ("show", "face", "told")}
BY_NAME = {"KIND": {"afterword.say"}, "intent.move": MOVES, "rules.recovery": MOVES, "kind": TOLD, "shown[view]": TOLD}


def written() -> Iterator[tuple[str, str]]:
    """Every kind that a `trail.entry(…)` in the source names, and where; of `deed.{action}` what it begins with."""
    for path in (path for app in APPS for path in sorted((ROOT / app).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text())):
            called = node.func if isinstance(node, ast.Call) else None
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if isinstance(node, ast.Call) and name in ("entry", "Draft"):
                for keyword in (keyword for keyword in node.keywords if keyword.arg == "kind"):
                    yield from ((kind, f"{path.relative_to(ROOT)}:{node.lineno}") for kind in named(keyword.value))


def named(value: ast.expr) -> Iterator[str]:
    """The kinds that an expression may be."""
    if isinstance(value, ast.Constant):
        yield str(value.value)
    elif isinstance(value, ast.IfExp):
        yield from (*named(value.body), *named(value.orelse))
    elif isinstance(value, ast.JoinedStr):
        first = value.values[0]
        assert isinstance(first, ast.Constant), "A kind begins with the name of its family."
        yield f"{first.value}anything"
    else:
        said = ast.unparse(value)
        assert said in BY_NAME, f"Nobody knows which kinds {said!r} may be: say it in BY_NAME."
        yield from BY_NAME[said]


WRITTEN = sorted(set(written()))


def test_the_source_was_read() -> None:
    kinds = {kind for kind, _ in WRITTEN}
    assert kinds >= {"member.join", "character.return", "deed.anything", "contest.anything", "undo", "dice.commit"}
    assert kinds >= MOVES
    assert len({where.partition(":")[0] for _, where in WRITTEN}) >= 18


@pytest.mark.parametrize(("kind", "where"), WRITTEN, ids=lambda value: str(value))
def test_a_filter_finds_every_kind_that_is_written(kind: str, where: str) -> None:
    kinds = declared(kind)
    assert kinds, f"{where} writes {kind!r}, which nobody declared: see campaigns/trail/declared.py."
    assert kinds.label and kinds.filters, f"No filter of the Ledger finds {kind!r}."


def test_the_nearest_declaration_wins() -> None:
    begun = declared("contest.start")
    assert begun and begun.name == "contest.start"
    within = declared("contest.roll")
    assert within and within.name == "contest."
    assert declared("contest") is None and declared("nothing.of.this") is None


@pytest.mark.parametrize("kind", [
    "campaign.found", "member.role", "member.remove", "member.leave", "member.hand_over", "member.join",
    "invitation.make", "invitation.revoke", "dice.commit", "entry.reveal", "portrait.put", "portrait.remove",
    "share.make", "share.close",
])
def test_what_can_not_be_undone(kind: str) -> None:
    assert not undoable(Entry(kind=kind))


@pytest.mark.parametrize("kind", ["undo", "campaign.settings", "character.edit", "contest.roll", "of.an.older.version"])
def test_what_can_be_undone(kind: str) -> None:
    assert undoable(Entry(kind=kind))


def test_every_tracked_table_has_its_word() -> None:
    """All but the events of a contest, which its own page tells of."""
    assert [name for name, table in TRACKED.items() if not table.word] == ["contest_event"]
    for table in TRACKED.values():
        assert {*table.unsaid, *table.unseen} <= set(table.fields)


def test_the_trail_names_no_table_and_no_kind_of_the_rooms_above() -> None:
    above = {name for name, table in TRACKED.items() if table.model._meta.app_label != "campaigns"}
    # What the Ledger is narrowed to, and what the move of a contest's entry says: the names stand in stored payloads.
    stored = {"character", "session", "scene", "contest"}
    for path in (path for path in (ROOT / "campaigns").rglob("*.py") if path.name != "verifying.py"):
        nodes = ast.walk(ast.parse(path.read_text()))
        texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        assert not set(texts) & (above - stored), path
        assert not [text for text in texts if re.match(rf"({'|'.join(above)})\.([a-z_]|$)", text)], path


@pytest.mark.django_db
@pytest.mark.parametrize(("kind", "by"), [
    ("character.grow", "growth"), ("deed.anything", "growth"), ("due.place", "growth"), ("due.place", "due"),
    ("pdq.recovery", "growth"), ("pdq.recovery", "rolls"), ("shared_pool.spend", "pools"), ("character.award", "pools"),
    ("bank.write", "bank"), ("boon.give", "boon"), ("scene.recover", "scenes"), ("character.grow", "sheets"),
])
def test_the_ledgers_filters_find_it(as_bob: Client, campaign: Any, bobs: Any, kind: str, by: str) -> None:
    with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind=kind, title="Something") as entry:
        pass
    for declared_filter in filters():
        entries = as_bob.get(f"/c/{campaign.slug}/ledger/", {"kind": declared_filter.name}).context["entries"]
        wanted = declared_filter in getattr(declared(kind), "filters", ())
        assert (entry.written.seq in [row.seq for row in entries]) is wanted, declared_filter
    assert by in {declared_filter.name for declared_filter in filters()}
    assert by in {declared_filter.name for declared_filter in getattr(declared(kind), "filters", ())}


@pytest.mark.django_db
def test_an_entry_says_what_it_is(as_bob: Client, campaign: Any, ilse: Character) -> None:
    made = Entry.objects.get(kind="character.create")
    assert "A new character." in as_bob.get(f"/c/{campaign.slug}/ledger/{made.seq}/").content.decode()


@pytest.mark.django_db
def test_a_name_that_became_secret_is_in_no_older_entry(
    as_bob: Client, as_alice: Client, campaign: Any, alices: Any, bobs: Any
) -> None:
    guard = character(campaign, alices, "Guard", [("strength", "Club", 1)], npc=True)
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="test", title="Hit") as seen:
        seen.change(guard.traits.get(), damage=1)
        seen.change(guard, concept="Bruised")
    with trail.entry(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="test", title="Hides", audience=trail.GM
    ) as entry:
        entry.change(guard, hidden=True, name="The traitor")
        entry.change(guard.traits.get(), name="Poison")
    at = f"/c/{campaign.slug}/ledger/{seen.written.seq}/"
    page, whole = as_bob.get(at).content.decode(), as_alice.get(at).content.decode()
    assert "The traitor" not in page and "Poison" not in page
    assert "The traitor" in whole and "Poison" in whole


@pytest.mark.django_db
def test_something_prepared_that_was_renamed_since_is_not_named(
    as_bob: Client, alice: Any, bob: Any
) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system="questworlds")
    actor = campaign.members.get()
    join(campaign, bob, "player")
    by: dict[str, Any] = {"campaign": campaign, "actor": actor}
    kind = campaign.rules.prep_items[0]
    fields = {field.name: field.default for field in kind.fields if getattr(field, "default", None) is not None}
    bank.write(**by, op_id=uuid.uuid4(), type=kind.name, name="A bridge", fields=fields)
    one = PrepItem.objects.get()
    shown = bank.show(**by, op_id=uuid.uuid4(), prepared_id=one.pk, lines={})
    bank.write(**by, op_id=uuid.uuid4(), type=kind.name, name="A trap", fields=fields, prepared_id=one.pk)
    page = as_bob.get(f"/c/{campaign.slug}/ledger/{shown.seq}/").content.decode()
    assert "A bridge" in page and "A trap" not in page


def test_what_is_part_of_the_story_is_so_in_a_page_and_in_the_database(campaign: Any) -> None:
    kinds = {kind for kind, _ in written()} | {"dice.retire", "of.no.game"}
    owner, first = campaign.members.get(), Entry.objects.filter(campaign=campaign).latest("seq").seq
    for kind in sorted(kinds):
        with trail.entry(campaign=campaign, actor=owner, op_id=uuid.uuid4(), kind=kind, title="So it is"):
            pass
    rows = Entry.objects.filter(campaign=campaign, seq__gt=first)
    told = set(rows.filter(story()).values_list("kind", flat=True))
    assert told == {kind for kind in rows.values_list("kind", flat=True) if in_story(kind)} and told < kinds
