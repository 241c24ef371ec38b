"""An advance is offered from what was done: the session's end and the page of growth put what was used first."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from characters.models import Character
from tests.browser import moments
from tests.html_forms import Page
from tests.play.test_story_cards import seated
from tests.play.test_ways_back import of_player, on_the_sheet

pytestmark = pytest.mark.django_db


def rolled(client: Client, address: str, **chosen: Any) -> None:
    """A roll from the tray with what is chosen, against what is in the way."""
    answer = Page(client.get(address)).form(action="/roll/").send(client, **chosen)
    assert answer.status_code == 302, Page(answer).errors


def closed(alice: Client, address: str) -> str:
    """The session's end, as its form opens; answers its page."""
    answer = Page(alice.get(f"{address}chronicle/close/")).form(action="chronicle/close/").send(alice)
    assert answer.status_code == 302, Page(answer).errors
    assert answer.url.endswith("/ended/"), answer.url
    return str(answer.url)


def link_of(client: Client, address: str, line: str) -> str:
    """Where the button that raises a line leads."""
    page = client.get(address).content.decode()
    before, _, _ = page.partition(f'<span class="seen-by-ear"> {line} of ')
    assert before != page, page
    return before.rpartition('href="')[2].partition('"')[0].replace("&amp;", "&")


def last_used(hero: Character, *kinds: str) -> Any:
    """The last line of a sheet that could be used, which no list would have first of itself."""
    return hero.traits.filter(kind__in=kinds).order_by("-place").first()


def test_qw_81_the_sessions_end_leads_to_the_advance_with_what_was_used() -> None:
    laid = moments.table("questworlds")
    campaign, clients = seated(laid)
    hero = of_player(campaign, "Bob")
    line = last_used(hero, "ability", "keyword", "breakout")
    rolled(clients["Bob"], laid["address"], ability=str(line.pk))
    ended = closed(clients["Alice"], laid["address"])
    assert "What you used" in clients["Bob"].get(ended).content.decode()
    on_the_sheet(campaign, hero, xp=campaign.settings["advance"])
    at = link_of(clients["Bob"], ended, line.name)
    page = clients["Bob"].get(at.partition("#")[0])
    form = Page(page).form(action="/advance/")
    assert form.controls["first_on"].opens == [str(line.pk)]
    assert next(pk for pk in form.controls["first_on"].offered if pk) == str(line.pk)
    assert "Used in the session" in page.content.decode()


def made_advance(flaws: int) -> tuple[Client, Character, str, list[Any]]:
    """Bob, whose character has used two lines, has so many flaws, and what an advance takes; and the session's end."""
    laid = moments.table("questworlds")
    campaign, clients = seated(laid)
    hero = of_player(campaign, "Bob")
    due = range(flaws - hero.traits.filter(kind="flaw").count())
    on_the_sheet(campaign, hero, ("ability", "Ropes", 10), ("ability", "Nets", 10),
                 *(("flaw", f"Flaw {number}", 13) for number in due), xp=campaign.settings["advance"])
    lines = list(hero.traits.filter(name__in=("Ropes", "Nets")))
    for line in lines:
        rolled(clients["Bob"], laid["address"], ability=str(line.pk))
    ended = closed(clients["Alice"], laid["address"])
    return clients["Bob"], hero, ended, lines


def test_qw_81_an_advance_from_what_one_did_is_taken_with_one_press() -> None:
    bob, hero, ended, lines = made_advance(flaws=3)
    before = {line.pk: line.value for line in lines}
    page = bob.get(ended)
    assert "An advance from what you did" in page.content.decode()
    taken = Page(page).form(action="/advance/").send(bob)
    assert taken.status_code == 302, Page(taken).errors
    risen = sorted(line.value - before[line.pk] for line in hero.traits.filter(pk__in=before))
    assert risen == [6, 9]
    assert hero.pools.get(name="xp").value == 0 and "An advance from what" not in bob.get(ended).content.decode()


def test_qw_81_where_a_flaw_comes_first_both_are_chosen_already_on_the_form_of_the_advance() -> None:
    bob, _, ended, lines = made_advance(flaws=0)
    assert "Take both, and choose the rest" in bob.get(ended).content.decode()
    assert not Page(bob.get(ended)).matching(action="/advance/")
    at = bob.get(ended).content.decode().partition("Take both, and choose")[0].rpartition('href="')[2].partition("#")[0]
    form = Page(bob.get(at.replace("&amp;", "&"))).form(action="/advance/")
    opens = {form.controls[f"{which}_on"].opens[0] for which in ("first", "second")}
    assert opens == {str(line.pk) for line in lines} and "flaw" in form.controls


def test_pq_19_growth_lists_first_what_was_used() -> None:
    laid = moments.table("pdq_sharp")
    campaign, clients = seated(laid)
    hero = of_player(campaign, "Bob")
    line = last_used(hero, "forte")
    rolled(clients["Bob"], laid["address"], fortes=[str(line.pk)])
    on_the_sheet(campaign, hero, training_points=40)
    page = clients["Bob"].get(f"{laid['address']}characters/{hero.pk}/grow/")
    raises = [offer.trait for offer in page.context["form"].offers if offer.trait]
    assert raises[0] == str(line.pk) and "Used in the session" in page.content.decode()
    assert "Used in the session" not in clients["Dana"].get(
        f"{laid['address']}characters/{of_player(campaign, 'Dana').pk}/grow/").content.decode()
