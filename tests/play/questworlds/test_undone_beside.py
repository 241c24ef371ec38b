"""Undoing what let somebody into another contest is refused where *Resume* is, in the same words (QW-58, QW-93)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from play.models import Contest
from tests import laid
from tests.html_forms import Page
from tests.play.conftest import body
from tests.play.questworlds.longing import set_setting, start
from tests.play.questworlds.test_given_once import at, given, opened, take, taking

__all__ = ["given"]
pytestmark = pytest.mark.django_db
INSIDE = "Ilse is in “The second” now. A long contest can’t run inside another. Finish or pause that one first."


@laid.fixture
def first(as_alice: Client, campaign: Any, alices: Any, scene: Any, ilse: Any) -> Contest:
    """A long contest that Ilse is in."""
    set_setting(campaign, alices, long="all")
    start(as_alice, campaign, "scored", title="The first")
    return Contest.objects.get()


def does(as_alice: Client, contest: Contest, action: str) -> int:
    """The GM does it, by the page; the number of its entry."""
    assert Page(as_alice.get(at(contest))).form(action=f"/{action}/gm/").send(as_alice).status_code == 302
    return Entry.objects.latest("seq").seq


def undoes(as_alice: Client, campaign: Any, seq: int) -> Any:
    """The answer to *Undo* on the entry's own page."""
    form = Page(as_alice.get(f"/c/{campaign.slug}/ledger/{seq}/")).form(action="/undo/")
    button = next(button for button in form.buttons if button.words.startswith("Undo"))
    return form.send(as_alice, button)


def another(as_alice: Client, campaign: Any, kind: str = "chained") -> Contest:
    start(as_alice, campaign, kind, title="The second")
    return Contest.objects.get(title="The second")


@pytest.mark.parametrize("action", ["pause", "call_off"])
def test_qw_58_no_undoing_leads_inside_another_long_contest(
    as_alice: Client, campaign: Any, first: Contest, action: str
) -> None:
    seq = does(as_alice, first, action)
    second = another(as_alice, campaign)
    refused = undoes(as_alice, campaign, seq)
    assert refused.status_code == 422 and INSIDE in refused.content.decode()
    if action == "pause":
        resumed = Page(as_alice.get(at(first))).form(action="/resume/gm/").send(as_alice)
        assert INSIDE in resumed.content.decode(), "the same words"
    does(as_alice, second, "pause")
    assert undoes(as_alice, campaign, seq).status_code == 302
    assert not list(differences(campaign.pk))


def test_qw_58_what_ends_up_paused_may_be_undone_back_to(as_alice: Client, campaign: Any, first: Contest) -> None:
    does(as_alice, first, "pause")
    resumed = does(as_alice, first, "resume")
    does(as_alice, first, "pause")
    another(as_alice, campaign)
    assert undoes(as_alice, campaign, resumed).status_code == 302, "it went on in between alone"
    assert Page(as_alice.get(at(first))).matching(action="/resume/gm/")


def test_qw_58_nor_does_calling_off_by_the_engine(as_alice: Client, campaign: Any, first: Contest) -> None:
    assert as_alice.post(f"{at(first)}call-off/", body()).status_code == 302
    seq = Entry.objects.latest("seq").seq
    another(as_alice, campaign)
    assert INSIDE in undoes(as_alice, campaign, seq).content.decode()


def test_qw_93_nor_is_what_another_contest_has_by_now_taken_back(
    as_alice: Client, as_bob: Client, campaign: Any, given: str, ilse: Any
) -> None:
    one, other = (opened(as_alice, as_bob, campaign, ilse, "framed") for _ in range(2))
    take(as_bob, one, ilse)
    off = does(as_alice, one, "call_off")
    take(as_bob, other, ilse)
    refused = undoes(as_alice, campaign, off)
    assert refused.status_code == 422
    assert "Wealth of Low Quay counts in “Past the guard” by now" in refused.content.decode()
    assert undoes(as_alice, campaign, Entry.objects.filter(kind="contest.support").latest("seq").seq).status_code == 302
    assert undoes(as_alice, campaign, off).status_code == 302
    assert not taking(as_bob, other, ilse)
