"""A narrowed Ledger looks only so far for one page: whoever goes on finds all the same, in order, none twice."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail import looking, queries
from campaigns.trail.declared import filters, finds
from campaigns.trail.looking import kinds_in, of_filter
from tests import laid
from tests.trail.test_ledger import ledger, renamed, rolled, seqs

pytestmark = pytest.mark.django_db


@laid.fixture
def long(campaign: Any, alices: Any, bobs: Any, ilse: Any, marrow: Any, scene: Any) -> None:
    """Two rolls a long while apart, and meanwhile much that is sealed from players, of the same kind too."""
    rolled(campaign, bobs, ilse, "Early")
    for number in range(20):
        rolled(campaign, alices, ilse, f"Unseen {number}", hidden=True)
        renamed(campaign, alices, marrow, f"Marrow {number}", "gm")
    rolled(campaign, bobs, ilse, "Late")


def walked(client: Client, campaign: Any, **narrowed: str) -> tuple[list[int], list[str]]:
    """All entries that one finds who goes on to the end, and each page's text."""
    numbers: list[int] = []
    texts: list[str] = []
    before: dict[str, Any] = {}
    while len(texts) < 60:
        page = ledger(client, campaign, **narrowed, **before)
        numbers += seqs(page)
        texts.append(page.content.decode())
        if page.context["older"] is None:
            break
        assert 'rel="next"' in texts[-1]
        before = {"before": page.context["older"]}
    return numbers, texts


def test_whoever_goes_on_finds_all(
    as_bob: Client, as_alice: Client, campaign: Any, alices: Any, bobs: Any, ilse: Any, marrow: Any, long: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = str(campaign.session_id or Entry.objects.exclude(session_id=None).latest("seq").session_id)
    ways: tuple[dict[str, str], ...] = (
        {"kind": "rolls"}, {"character": str(ilse.pk)}, {"character": str(marrow.pk)},
        {"kind": "rolls", "character": str(ilse.pk)}, {"person": str(bobs.pk), "session": session},
        {"kind": "rolls", "person": str(bobs.pk)}, {"kind": "sheets", "person": str(alices.pk), "session": session},
        {"person": str(alices.pk)}, {"session": session})
    for client in (as_bob, as_alice):
        whole = [walked(client, campaign, **way)[0] for way in ways]
        assert all(numbers == sorted(set(numbers), reverse=True) for numbers in whole)
        with monkeypatch.context() as patch:
            for module in (looking, queries):
                patch.setattr(module, "LOOKED", 5)
            for way, numbers in zip(ways, whole, strict=True):
                assert walked(client, campaign, **way)[0] == numbers, way


def test_a_page_without_one_leads_on(
    as_bob: Client, campaign: Any, long: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (looking, queries):
        monkeypatch.setattr(module, "LOOKED", 5)
    numbers, texts = walked(as_bob, campaign, kind="rolls")
    assert len(numbers) == 2 and len(texts) > 3
    assert "No matching entries here. Go on to older ones." in texts[1]
    assert not any("Remove a filter" in text for text in texts[:-1])


def test_what_filters_find_by_an_index_is_what_they_say(campaign: Any, alices: Any, long: None) -> None:
    kinds = kinds_in(campaign.pk)
    assert kinds == sorted(set(Entry.objects.filter(campaign=campaign).values_list("kind", flat=True)))
    for chip in filters():
        by_kind = {kind for kind in kinds if finds(chip.name, kind)}
        numbers = Entry.objects.filter(campaign=campaign, kind__in=by_kind).order_by("-seq")
        assert of_filter(campaign.pk, chip.name, None) == list(numbers.values_list("seq", flat=True))
