"""One search over all that a viewer may see, and no word of what they may not."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.urls import reverse

from campaigns import search as searching
from campaigns import trail
from campaigns.access import Viewer
from campaigns.models import Campaign, Found
from campaigns.search import around, folded, search
from campaigns.services.founding import found
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import rebuild
from characters.models import Character
from characters.services import lifecycle, npcs, sight
from play.models import PrepItem
from play.services import bank, library, sessions
from tests.conftest import join, person
from tests.play.conftest import character

pytestmark = pytest.mark.django_db


def titles(viewer: Viewer, words: str) -> list[tuple[str, str]]:
    """What is found, as (type, title), each once."""
    return sorted({(row.label, row.title) for row in search(viewer, words).rows})


@pytest.fixture
def filled(campaign: Any, alices: Any, bobs: Any, monkeypatch: pytest.MonkeyPatch) -> Character:
    """A session, a scene, a hidden NPC with a note, something prepared; the word "Zwirn" in all that GMs alone read."""
    from rules.system import PrepItemKind
    from rules.systems.pdq import Pdq

    monkeypatch.setattr(Pdq, "prep_items", (PrepItemKind("trap", "Trap", "Traps", "It waits."),))

    def body() -> dict[str, Any]:
        return {"campaign": campaign, "actor": alices, "op_id": uuid.uuid4()}

    captain = character(campaign, alices, "Captain Öhlert", [("strength", "Zwirn sabre", 17)], npc=True, hidden=True)
    lifecycle.note(**body(), character_id=captain.pk, words="Zwirn: paid by the enemy")
    bank.write(**body(), type="trap", name="The pit", words="Zwirn at the bottom", fields={})
    sessions.open_session(**body(), title="The dry well")
    sessions.open_scene(**body(), title="At the well", text="Ropes and a lantern")
    campaign.refresh_from_db()
    return captain


def test_all_is_found_by_who_may_see_it_and_by_nobody_else(
    campaign: Any, alices: Any, bobs: Any, as_alice: Any, as_bob: Any, filled: Character
) -> None:
    alice, bob = Viewer(campaign, alices), Viewer(campaign, bobs)
    assert {label for label, _ in titles(alice, "zwirn")} == {"Character", "Library"}
    assert titles(bob, "zwirn") == [] == titles(bob, "captain") == titles(bob, "the enemy")
    assert ("Scene", "At the well") in titles(bob, "lant")  # a word is found by its beginning
    assert ("Session", "The dry well") in titles(bob, "DRY well")
    assert ("Ledger", "Scene: At the well") in titles(bob, "scene well")
    assert ("Character", "Captain Öhlert") in titles(alice, "ohlert sabre")  # names, and what stands in lines
    page = as_bob.get(reverse("search", args=[campaign.slug]), {"q": "<b>zwirn</b> %\"'*"}).content.decode()
    assert "No results for" in page and "Öhlert" not in page and "<b>zwirn" not in page
    page = as_alice.get(reverse("search", args=[campaign.slug]), {"q": "zwirn"}).content.decode()
    assert "<mark>Zwirn</mark>" in page
    for row in search(alice, "zwirn").rows + search(bob, "well").rows:
        assert as_alice.get(row.url).status_code == 200
    # The index follows every entry, and what is asked is who may see it now.
    sight.look(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=filled.pk, looks="A scar")
    shown = sight.face(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=filled.pk)
    assert [title for label, title in titles(bob, "scar") if label == "Character"] == ["Captain Öhlert"]
    assert titles(bob, "zwirn") == titles(bob, "sabre") == []
    undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=shown.seq)
    assert [label for label, _ in titles(bob, "scar")] == []


def test_a_thing_with_tags_is_found_once_and_its_tag_by_itself(campaign: Any, alices: Any, filled: Character) -> None:
    pit = PrepItem.objects.get()
    library.tag(campaign=campaign, actor=alices, op_id=uuid.uuid4(), thing_id=pit.pk, tags=["cellar"])
    rows = search(Viewer(campaign, alices), "pit").rows
    assert [row.label for row in rows if row.label != "Ledger"] == ["Library"] and rows[0].label == "Library"
    assert [row.label for row in search(Viewer(campaign, alices), "cellar").rows if row.label != "Ledger"] == ["Tag"]


def test_it_is_a_projection_and_each_campaign_has_its_own(
    campaign: Any, alices: Any, bobs: Any, filled: Character
) -> None:
    alice = Viewer(campaign, alices)
    npcs.quick(campaign=campaign, actor=alices, op_id=uuid.uuid4(), line="guard, Fighting good")
    followed = set(Found.objects.values_list("of", "part", "object_id", "key", "title", "text", "words"))
    Found.objects.filter(of="character").delete()
    assert titles(alice, "guard") == [("Ledger", "guard joins")]
    rebuild(campaign.pk)
    assert set(Found.objects.values_list("of", "part", "object_id", "key", "title", "text", "words")) == followed
    assert ("Character", "guard") in titles(alice, "guard")
    gunnar = person("Gunnar")
    other = found(user=gunnar, op_id=uuid.uuid4(), name="Elsewhere", system="pdq")
    assert search(Viewer(other, other.members.get()), "zwirn guard").rows == ()
    assert search(Viewer(other, other.members.get()), "elsewhere").rows
    assert Campaign.objects.get(pk=other.pk).search_version
    assert not join(campaign, gunnar, "observer").may("gm")


def test_many_hits_are_paged_and_words_are_folded(campaign: Any, alices: Any, bobs: Any) -> None:
    for number in range(45):
        character(campaign, alices, f"Guard {number}", [], npc=True)
    seen, before, pages = set(), 0, 0
    while pages < 9:
        hits = search(Viewer(campaign, bobs), "guard", before)
        seen |= {row.title for row in hits.rows if row.label == "Character"}
        pages += 1
        if not hits.older:
            break
        before = hits.older
    assert len(seen) == 45 and 2 < pages < 9
    assert folded("Łódź_ÉTÉ’s 3") == "łodz ete s 3"
    assert around("a " * 99 + "Zürich here", ["zur"])[1:] == ("Zürich", " here")
    before, word, after = around("lantern " * 40 + "the wall" + " harbour" * 40, ["wall"])
    assert word == "wall" and before.endswith("lantern the ") and after.startswith(" harbour harbour")
    assert before.startswith("…lantern ") and after.endswith(" harbour…"), "cut between words"


def test_what_is_sealed_keeps_nothing_back(
    campaign: Any, alices: Any, bobs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player goes through pages, however much of what has the word is sealed from them."""
    monkeypatch.setattr(searching, "PAGE", 3)
    monkeypatch.setattr(searching, "AT_ONCE", 5)
    monkeypatch.setattr(searching, "MOST_TRIES", 2)
    for number in range(60):
        sealed = number % 12
        with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="character.edit",
                         title=f"Lantern {number}", audience="gm" if sealed else "all"):
            pass
    for member, wanted in ((alices, 60), (bobs, 5)):
        seen: list[str] = []
        before: int | None = 0
        while before is not None:
            hits = search(Viewer(campaign, member), "lantern", before)
            seen += [row.title for row in hits.rows]
            before = hits.older
        assert len(seen) == len(set(seen)) == wanted
        assert seen == sorted(seen, key=lambda title: -int(title.split()[1]))


def test_what_is_called_so_comes_before_what_is_newer(campaign: Any, alices: Any) -> None:
    character(campaign, alices, "Ilse Lantern", [], npc=True)
    for number in range(70):
        with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="character.edit",
                         title=f"A lantern for Ilse, {number}"):
            pass
    rows = search(Viewer(campaign, alices), "lantern ilse").rows
    assert (rows[0].label, rows[0].title) == ("Character", "Ilse Lantern")
    assert [row.title for row in rows[1:3]] == ["A lantern for Ilse, 69", "A lantern for Ilse, 68"]
    assert search(Viewer(campaign, alices), "tern").rows == ()
