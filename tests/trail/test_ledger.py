"""The Ledger's pages: paging, filters, seals, and a number of queries that does not grow with what is shown."""
from __future__ import annotations

import random
import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns import trail
from campaigns.models import Entry, Role
from campaigns.services.undoing import undo
from campaigns.trail.queries import PAGE
from characters.models import Character
from characters.services import lifecycle
from play.models import Contest, PendingAllocation, Scene
from play.services import contests, pending_modifiers, sessions
from tests import laid
from tests.conftest import join, person
from tests.play.conftest import character
from tests.play.rolled import rolled as made
from tests.trail.walking import Walk
from tests.verifier.conftest import exported

pytestmark = pytest.mark.django_db


def renamed(campaign: Any, actor: Any, who: Character, name: str, audience: str = trail.ALL) -> Entry:
    with trail.entry(
        campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="character.edit", title=f"Now called {name}",
        audience=audience,
    ) as entry:
        entry.change(who, name=name)
    return entry.written


def rolled(campaign: Any, actor: Any, who: Character, what: str, *, hidden: bool = False) -> Entry:
    return made(campaign, actor, who, what=what, difficulty=40, harm=True, hidden=hidden)


def ledger(client: Client, campaign: Any, **filters: Any) -> Any:
    answer = client.get(f"/c/{campaign.slug}/ledger/", filters)
    assert answer.status_code == 200
    return answer


def seqs(answer: Any) -> list[int]:
    return [entry.seq for entry in answer.context["entries"]]


def test_pages_follow_each_other_without_gap_or_repeat(
    as_bob: Client, campaign: Any, alices: Any, ilse: Any
) -> None:
    for number in range(2 * PAGE):
        renamed(campaign, alices, ilse, f"Ilse {number}")
    head = Entry.objects.latest("seq").seq
    answer, read = ledger(as_bob, campaign), []
    for _ in range(10):
        read += seqs(answer)
        older = answer.context["older"]
        if older is None:
            break
        assert len(seqs(answer)) == PAGE
        assert f'href="?before={older}"' in answer.content.decode()
        # What is written meanwhile moves nothing to another page.
        renamed(campaign, alices, ilse, f"Ilse, later {older}")
        answer = ledger(as_bob, campaign, before=older)
    assert read == list(range(head, 0, -1))
    assert "Older" not in answer.content.decode()


@pytest.mark.parametrize("before", ["0", "-1", "x", "99999999999999999999", "1.5", ""])
def test_a_silly_page_is_the_first(as_bob: Client, campaign: Any, ilse: Any, before: str) -> None:
    assert seqs(ledger(as_bob, campaign, before=before))[0] == Entry.objects.latest("seq").seq


def test_filters_keep_while_one_pages(as_bob: Client, campaign: Any, alices: Any, bobs: Any, ilse: Any) -> None:
    for number in range(PAGE + 5):
        renamed(campaign, alices, ilse, f"Ilse {number}")
        rolled(campaign, bobs, ilse, f"Try {number}")
    page = ledger(as_bob, campaign, kind="rolls", person=str(bobs.pk))
    assert len(seqs(page)) == PAGE
    assert f"kind=rolls&amp;before={page.context['older']}" in page.content.decode()
    rest = ledger(as_bob, campaign, kind="rolls", person=str(bobs.pk), before=page.context["older"])
    assert len(seqs(rest)) == 5
    assert {entry.kind for entry in (*page.context["entries"], *rest.context["entries"])} == {"contest.tray"}


def test_by_person(as_bob: Client, campaign: Any, alices: Any, bobs: Any, ilse: Any) -> None:
    mine, theirs = rolled(campaign, bobs, ilse, "Hers"), rolled(campaign, alices, ilse, "For her")
    assert mine.seq in seqs(ledger(as_bob, campaign, person=str(bobs.pk)))
    assert theirs.seq not in seqs(ledger(as_bob, campaign, person=str(bobs.pk)))
    assert theirs.seq in seqs(ledger(as_bob, campaign, person=str(alices.pk)))


def test_by_character(as_bob: Client, campaign: Any, alices: Any, bobs: Any, ilse: Any, marrow: Any) -> None:
    one, other = rolled(campaign, bobs, ilse, "Climbs"), renamed(campaign, alices, marrow, "Old Marrow the Elder")
    entries = seqs(ledger(as_bob, campaign, character=str(ilse.pk)))
    assert one.seq in entries and other.seq not in entries
    made = Entry.objects.filter(kind="character.create", index__object_id=ilse.pk, index__field="").get()
    assert entries[-1] == made.seq


def test_by_kind(as_bob: Client, campaign: Any, bobs: Any, ilse: Any, scene: Any) -> None:
    roll = rolled(campaign, bobs, ilse, "Climbs")
    assert seqs(ledger(as_bob, campaign, kind="rolls")) == [roll.seq]
    kinds = {entry.kind for entry in ledger(as_bob, campaign, kind="scenes").context["entries"]}
    assert kinds == {"session.open", "scene.open"}
    assert {entry.kind for entry in ledger(as_bob, campaign, kind="dice").context["entries"]} == {"dice.commit"}
    first = Entry.objects.filter(campaign=campaign, kind="dice.commit").earliest("seq")
    page = as_bob.get(f"/c/{campaign.slug}/ledger/{first.seq}/").content.decode()
    assert "The site chose these secrets before any of the rolls that use them" in page
    assert seqs(ledger(as_bob, campaign, kind="nonsense"))[0] == Entry.objects.latest("seq").seq


def test_by_session(as_bob: Client, campaign: Any, alices: Any, bobs: Any, ilse: Any) -> None:
    before, entries = rolled(campaign, bobs, ilse, "Before"), []
    for _ in range(2):
        sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
        entries.append(rolled(campaign, bobs, ilse, "In it"))
        sessions.close_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    for entry, other in (entries, reversed(entries)):
        kept = seqs(ledger(as_bob, campaign, session=str(entry.session_id)))
        assert entry.seq in kept and other.seq not in kept and before.seq not in kept


def test_a_filter_that_finds_nothing_says_so(as_bob: Client, campaign: Any, bobs: Any) -> None:
    page = ledger(as_bob, campaign, kind="contests")
    assert seqs(page) == []
    assert "No matching entries. Remove a filter." in page.content.decode()


@laid.fixture
def secrets(campaign: Any, alices: Any, bobs: Any, scene: Any, ilse: Any, whisper: Character) -> list[Entry]:
    """What only the GM knows: a hidden character, all that it does, and a roll and a note about one who is seen."""
    known = set(Entry.objects.filter(audience=trail.ALL).values_list("pk", flat=True))
    renamed(campaign, alices, whisper, "Murmur", trail.GM)
    rolled(campaign, alices, whisper, "Listens at the door")
    rolled(campaign, alices, ilse, "Reads their faces", hidden=True)
    by = {"campaign": campaign, "actor": alices}
    lifecycle.note(**by, op_id=uuid.uuid4(), character_id=ilse.pk, words="She will betray them.")
    pending_modifiers.give(**by, op_id=uuid.uuid4(), character_id=whisper.pk, kind="badass", reason="A shadow")
    sessions.set_presence(
        **by, op_id=uuid.uuid4(), characters=Character.objects.filter(campaign=campaign).values_list("pk", flat=True)
    )
    with trail.entry(**by, op_id=uuid.uuid4(), kind="plot.of.poison", title="A vial", audience=trail.GM):
        pass
    rolled(campaign, bobs, ilse, "Sees nothing")
    return list(Entry.objects.filter(audience=trail.GM).exclude(pk__in=known).order_by("seq"))


WORDS = (
    "Whisper", "Murmur", "Listens at the door", "Reads their faces", "betray", "A shadow", "plot.of.poison", "A vial",
    "Unseen", "character.note", "boon.give",
)


def test_sealed_entries_keep_their_place_and_give_nothing_away(
    as_bob: Client, as_alice: Client, campaign: Any, bobs: Any, secrets: list[Entry]
) -> None:
    page = ledger(as_bob, campaign)
    head = Entry.objects.latest("seq").seq
    assert seqs(page) == list(range(head, 0, -1)), "A sealed entry has no place in the Ledger."
    assert {entry.seq for entry in page.context["entries"] if entry.sealed} >= {secret.seq for secret in secrets}
    rooms = ("", "feed/", "characters/", "chronicle/", "ledger/verify/")
    addresses = [f"/c/{campaign.slug}/{room}" for room in rooms]
    addresses += [f"/c/{campaign.slug}/ledger/{secret.seq}/" for secret in secrets]
    addresses += [f"/c/{campaign.slug}/ledger/?kind={kind}" for kind in ("rolls", "sheets", "scenes")]
    addresses += [f"/c/{campaign.slug}/ledger/", f"/c/{campaign.slug}/characters/?q=Mur"]
    for address in addresses:
        for headers in ({}, {"HX-Request": "true"}):
            html = as_bob.get(address, headers=headers).content.decode()
            leaked = [word for word in WORDS if word in html]
            assert not leaked, f"{address} tells a player {leaked}."
    everything = b"".join(exported(campaign, bobs)).decode()
    assert not [word for word in WORDS if word in everything], "A player’s export tells a secret."
    whole = ledger(as_alice, campaign).content.decode()
    assert "Murmur" in whole and "A vial" in whole, "The GM does not read what was sealed."


def test_filters_do_not_find_a_sealed_entry_by_what_is_in_it(
    as_bob: Client, as_alice: Client, campaign: Any, ilse: Any, whisper: Any, secrets: list[Entry]
) -> None:
    sealed = {secret.seq for secret in secrets}
    for filters in ({"character": str(ilse.pk)}, {"kind": "rolls"}, {"kind": "sheets"}, {"kind": "scenes"}):
        entries = set(seqs(ledger(as_bob, campaign, **filters)))
        assert entries and not entries & sealed, f"{filters} finds a sealed entry for a player."
        assert set(seqs(ledger(as_alice, campaign, **filters))) & sealed, f"{filters} misses it for the GM."
    # A character that a player does not know of is no choice at all: it filters nothing.
    unknown = ledger(as_bob, campaign, character=str(whisper.pk))
    assert seqs(unknown) == seqs(ledger(as_bob, campaign))


Measured = Callable[[str], int]


@pytest.fixture
def queries(as_bob: Client, as_alice: Client) -> Measured:
    """How many queries a page takes, the more of a player's and a GM's; the second time, when all was seen."""

    def measured(address: str) -> int:
        counts = []
        for client in (as_bob, as_alice):
            assert client.get(address).status_code == 200
            with CaptureQueriesContext(connection) as captured:
                client.get(address)
            counts.append(len(captured))
        return max(counts)

    return measured


def crowd(campaign: Any, alices: Any, bobs: Any, size: int) -> list[Character]:
    """More people, all in the scene, each with something waiting; and much that was done, by many."""
    by, made = {"campaign": campaign, "actor": alices}, []
    for number in range(size):
        seat: dict[str, Any] = {"npc": True} if number % 2 else {"player": bobs}
        lines = [("strength", "Fighting", 1), ("strength", "Drill", 2)]
        made.append(character(campaign, alices, f"Guard {number} of {size}", lines, **seat))
    everybody = Character.objects.filter(campaign=campaign).values_list("pk", flat=True)
    sessions.set_presence(**by, op_id=uuid.uuid4(), characters=list(everybody))
    for number, user in enumerate(made):
        other = join(campaign, person(f"Member {number} of {size}"), Role.GM)
        pending_modifiers.give(
            **{**by, "actor": other}, op_id=uuid.uuid4(), character_id=user.pk, kind="badass", reason="A leap")
        with trail.entry(**by, op_id=uuid.uuid4(), kind="due.test", title="Owed") as entry:
            entry.create(PendingAllocation(campaign=campaign, character=user, type="damage", amount=1, reason="A fall"))
            entry.change(user.traits.first(), damage=1)
            entry.change(entry.locked(Scene, pk=campaign.scene_id), text=f"Dust {number} of {size}")
        renamed(campaign, other, user, f"Sentry {number} of {size}", trail.GM if number % 3 else trail.ALL)
        undo(**by, op_id=uuid.uuid4(), seq=rolled(campaign, other, user, "Watches").seq)
        rolled(campaign, other, user, "Watches on", hidden=bool(number % 2))
    campaign.refresh_from_db()
    return made


def test_a_page_takes_as_many_queries_with_few_rows_as_with_many(
    queries: Measured, campaign: Any, alices: Any, bobs: Any, ilse: Any, scene: Any
) -> None:
    rooms = ("", "feed/", "ledger/", "ledger/?kind=rolls")
    crowd(campaign, alices, bobs, 2)
    few = {room: queries(f"/c/{campaign.slug}/{room}") for room in rooms}
    crowd(campaign, alices, bobs, 12)
    assert {room: queries(f"/c/{campaign.slug}/{room}") for room in rooms} == few


def test_an_entrys_page_takes_as_many_queries_with_many_changes(
    queries: Measured, campaign: Any, alices: Any, bobs: Any, ilse: Any, scene: Any
) -> None:
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="character.edit", title="One") as one:
        one.change(ilse, name="Ilsebill")
        one.change(ilse.traits.first(), damage=1)
    few = queries(f"/c/{campaign.slug}/ledger/{one.written.seq}/")
    made = crowd(campaign, alices, bobs, 10)
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="character.edit", title="Many") as many:
        for character in made:
            many.change(character, name=f"Soldier {character.name}")
            for trait in character.traits.all():
                many.change(trait, value=3)
    assert queries(f"/c/{campaign.slug}/ledger/{many.written.seq}/") == few


def a_long_fight(walk: Walk, more_than: int) -> Contest:
    """A fight of more events than that; those that ended before leave the rest to another."""
    for _ in range(20):
        walk.campaign.refresh_from_db()
        walk.do_fight()
        fight = Contest.objects.get(over=False)
        for _ in range(12):
            walk.step("acts")
        fight.refresh_from_db()
        if fight.events > more_than:
            return fight
        if not fight.over:
            contests.act(**walk.submission(), client_seed="", contest_id=fight.pk, by="", action="end", given={})
    raise AssertionError("No fight took long enough.")


def test_a_contests_page_takes_as_many_queries_with_many_people_and_moves(
    queries: Measured, campaign: Any, alices: Any, bobs: Any, ilse: Any, scene: Any
) -> None:
    walk = Walk(campaign, alices, bobs, random.Random(8))
    walk.do_fight()
    contest = Contest.objects.get()
    few = queries(f"/c/{campaign.slug}/contests/{contest.pk}/")
    contests.act(**walk.submission(), client_seed="", contest_id=contest.pk, by="", action="end", given={})
    crowd(campaign, alices, bobs, 10)
    second = a_long_fight(walk, more_than=contest.events + 10)
    many = queries(f"/c/{campaign.slug}/contests/{second.pk}/")
    # The names of lines that were damaged are looked up in one query, which falls away while nobody was. At the end
    # six more ask what is owed, who is hurt and can recover, and what is open in the scene.
    more = 7 if second.over else 1
    assert few <= many <= few + more, f"The contest’s page takes {few} queries with two people, {many} with twelve."


def test_a_run_of_sealed_entries_is_one_line_across_the_boundary_of_a_page(
    as_bob: Any, campaign: Any, alices: Any, bobs: Any
) -> None:
    def written(many: int, audience: str) -> int:
        for _ in range(many):
            with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="test", title="It",
                             audience=audience) as entry:
                pass
        return entry.written.seq

    first = written(1, "all") + 1
    last = written(PAGE + 12, "gm")
    written(5, "all")
    page = as_bob.get(reverse("ledger", args=[campaign.slug])).content.decode()
    assert f"{PAGE + 12} sealed entries, {first} to {last}" in page
    older = re.search(r'\?before=(\d+)" rel="next"', page)
    assert older is not None and int(older[1]) == first
    second = as_bob.get(reverse("ledger", args=[campaign.slug]), {"before": older[1]}).content.decode()
    assert "sealed entries" not in second and f'id="entry-{first - 1}"' in second
    # Of one person's entries those in between are not counted.
    written(1, "all")
    with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="test", title="Mine"):
        pass
    written(2, "gm")
    hers = as_bob.get(reverse("ledger", args=[campaign.slug]), {"person": str(alices.pk)}).content.decode()
    assert "2 sealed entries" in hers and f"{PAGE + 12} sealed entries" in hers
