"""A refusal lands where one was, at the table or on a contest's page; a late press is told what happened meanwhile."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from characters.models import Character
from play.models import Contest
from tests.html_forms import Form, Page
from tests.play.conftest import body
from tests.play.test_contests_here import salt, standing, two

__all__ = ("salt", "two")

pytestmark = pytest.mark.django_db


def choosing(client: Client, address: str, contest: Contest) -> tuple[Form, str]:
    """The form in which Tam's player chooses, as this page has it, and one of its abilities."""
    tam = Character.objects.get(campaign=contest.campaign, name="Tam")
    at = f"/c/{contest.campaign.slug}/contests/{contest.pk}/choose/{tam.pk}/"
    return Page(client.get(address)).form(action=at), str(tam.traits.get().pk)


def test_what_is_refused_at_the_table_stays_there_with_what_was_typed(
    as_bob: Client, salt: Any, two: list[Contest]
) -> None:
    table = f"/c/{salt.slug}/"
    form, ability = choosing(as_bob, table, two[0])
    answer = form.send(as_bob, ability=ability, tactic="By the back door " * 60)
    page = answer.content.decode()
    assert answer.status_code == 422 and 'id="story"' in page and 'id="tray"' in page
    assert standing(page)[0] == ("What Tam does", True)
    assert "By the back door By the back door" in page and 'role="alert"' in page
    assert f'data-here="{table}"' in page, "loaded again it is the table"
    again, _ = choosing(as_bob, table, two[0])
    assert again.send(as_bob, ability=ability, tactic="By the back door").status_code == 302


def test_a_late_press_is_told_what_happened_meanwhile(
    as_alice: Client, as_bob: Client, salt: Any, two: list[Contest]
) -> None:
    table, own = f"/c/{salt.slug}/", f"/c/{salt.slug}/contests/{two[0].pk}/"
    (at_table, ability), (on_its_page, _) = choosing(as_bob, table, two[0]), choosing(as_bob, own, two[0])
    other, _ = choosing(as_bob, table, two[0])
    assert other.send(as_bob, ability=ability, tactic="By the cellar").status_code == 302
    assert as_alice.post(f"{own}against/gm/", body(against="named:high")).status_code == 302
    for form, here in ((at_table, table), (on_its_page, own)):
        answer = form.send(as_bob, ability=ability, tactic="By the back door")
        page = answer.content.decode()
        assert answer.status_code == 409 and f'data-here="{here}"' in page
        said = page.partition('<div class="not-done"')[2].partition("</ol></div>")[0]
        assert "What happened meanwhile" in said and "By the cellar" in said
        assert ('id="story"' in page) == (here == table)


def test_what_was_pressed_in_a_contest_that_is_over_by_now_stays_at_the_table(
    as_bob: Client, salt: Any, two: list[Contest]
) -> None:
    table = f"/c/{salt.slug}/"
    form, ability = choosing(as_bob, table, two[0])
    Contest.objects.filter(pk=two[0].pk).update(over=True)
    answer = form.send(as_bob, ability=ability, tactic="By the back door")
    page = answer.content.decode()
    assert answer.status_code == 409 and 'id="story"' in page
    assert "This contest ended before you sent that." in page
