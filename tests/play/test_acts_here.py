"""An act of a contest at an open table, by htmx: its answer is what is new there and no page; a refusal is its form."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from play.models import Contest
from play.now import asked_in
from tests.browser import moments
from tests.html_forms import Form, Page
from tests.play.conftest import body
from tests.play.test_contests_here import salt, two
from tests.play.test_refused_here import choosing

__all__ = ("salt", "two")

pytestmark = pytest.mark.django_db

KINDS = [("pdq", "conflict"), ("pdq_sharp", "duel"), ("pdq_sharp", "challenge"), ("pnc", "fight"),
         ("danger_world", "check"), ("questworlds", "scored"), ("questworlds", "framed")]
MOST = 10


def pressed(client: Client, form: Form, **values: str) -> Any:
    """Presses a form at a table that stands open, as its script does."""
    campaign = form.at.split("/")[2]
    head = Entry.objects.filter(campaign__slug=campaign).latest("seq").seq
    return client.post(f"{form.action}?since={head}", form.filled(None, **values), headers={"HX-Request": "true"})


@pytest.mark.parametrize(("system", "kind"), KINDS, ids=[kind for _, kind in KINDS])
def test_an_act_is_answered_with_what_is_new(system: str, kind: str) -> None:
    laid = moments.table(system, {"long": "all"} if system == "questworlds" else {})
    table, (campaign, clients) = laid["address"], moments.TABLES[laid["address"]]
    moments.begin(table, kind)
    taken = 0
    for _ in range(MOST):
        campaign.refresh_from_db()
        for asked in asked_in([campaign])[campaign.pk]:
            action, _, by = asked.url.partition("#offer-")[2].partition("-")
            name = next((name for name in moments.NAMES if asked.player and campaign.members.filter(
                pk=asked.player, user__username__startswith=name)), "Alice")
            forms = Page(clients[name].get(asked.url.partition("#")[0])).matching(action=f"/{action}/{by}/")
            if not forms or "?contest=" not in asked.url:  # a contest that everybody is in has a page of its own
                continue
            assert forms[0].controls["at"].opens == ["table"] and "data-stays" in forms[0].controls["at"].attributes
            before, answer = campaign.head_seq, pressed(clients[name], forms[0])
            campaign.refresh_from_db()
            page = answer.content.decode()
            assert "<html" not in page and (answer.status_code == 422) == (campaign.head_seq == before)
            assert 'id="contest-acts"' in page and f'name="since" value="{campaign.head_seq}"' in page
            assert ("data-address=" in page) == (answer.status_code == 200)
            taken += answer.status_code == 200
            break
        if taken == 2 or not moments.step(table):
            break
    assert taken


def test_what_is_refused_comes_at_its_field_without_a_page(as_bob: Client, salt: Any, two: list[Contest]) -> None:
    form, ability = choosing(as_bob, f"/c/{salt.slug}/", two[0])
    answer = pressed(as_bob, form, ability=ability, tactic="By the back door " * 60)
    page = answer.content.decode()
    assert answer.status_code == 422 and "<html" not in page and 'id="contest-acts"' in page
    assert 'role="alert"' in page and 'aria-invalid="true"' in page and "By the back door By the back door" in page
    assert "data-address" not in page and 'id="tray"' not in page
    again = pressed(as_bob, form, ability=ability, tactic="By the back door")
    assert again.status_code == 200 and f"?contest={two[0].pk}#contest" in again.content.decode()


def test_a_late_press_says_so_without_a_page(
    as_alice: Client, as_bob: Client, salt: Any, two: list[Contest]
) -> None:
    table = f"/c/{salt.slug}/"
    (form, ability), (late, _) = choosing(as_bob, table, two[0]), choosing(as_bob, table, two[0])
    assert pressed(as_bob, form, ability=ability, tactic="By the cellar").status_code == 200
    assert pressed(as_bob, form, ability=ability, tactic="By the cellar").status_code == 200, "the same press again"
    framed = as_alice.post(f"{table}contests/{two[0].pk}/against/gm/", body(against="named:high"))
    assert framed.status_code == 302
    answer = pressed(as_bob, late, ability=ability, tactic="By the back door")
    assert answer.status_code == 409 and "<html" not in answer.content.decode()
    assert "What happened meanwhile" in answer.content.decode()
    Contest.objects.filter(pk=two[0].pk).update(over=True)
    gone, page = Page(as_bob.get(table)), pressed(as_bob, late, ability=ability, tactic="By the well")
    assert page.status_code == 409 and "This contest ended before you sent that." in page.content.decode()
    assert not gone.matching(action=late.action)
