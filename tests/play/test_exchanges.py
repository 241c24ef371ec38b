"""One undo at a contest's card takes back the whole of its last exchange, and nothing that came before."""
from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.http import HttpResponse
from django.urls import reverse

from campaigns.models import Entry
from campaigns.services.undoing import standing
from campaigns.trail.rebuild import differences
from play.models import Contest
from play.services import exchanges
from tests.browser import moments
from tests.conftest import refusal
from tests.html_forms import Page
from tests.play.test_story_cards import seated

pytestmark = pytest.mark.django_db


def acts(campaign: Any, contest: str) -> list[str]:
    """What was done in a contest and stands, the newest first."""
    seqs = standing(campaign, Contest.objects.get(pk=contest).pk, "events", "over")
    rows = Entry.objects.filter(campaign=campaign, seq__in=seqs).select_related("payload").order_by("-seq")
    return [json.loads(row.payload.text)["move"].get("action", "start") for row in rows]


EXCHANGES = [
    ("pdq", "conflict", ("attack",)), ("pnc", "fight", ("attack",)), ("pdq_sharp", "duel", ("stance", "stances")),
    ("questworlds", "scored", ("round",)), ("questworlds", "chained", ("round",)),
    ("questworlds", "extended", ("exchange",)),
]


@pytest.mark.parametrize(
    ("system", "kind", "begins"), EXCHANGES, ids=[f"{system}.{kind}" for system, kind, _ in EXCHANGES])
def test_an_exchange_goes_back_with_all_that_came_of_it(system: str, kind: str, begins: tuple[str, ...]) -> None:
    laid = moments.table(system, {"long": "all"} if system == "questworlds" else None)
    contest = moments.begin(laid["address"], kind)
    campaign, clients = seated(laid)
    done: list[str] = []
    for _ in range(30):
        moments.step(laid["address"])
        done = acts(campaign, contest)
        if done[0] not in begins and set(begins) & set(done):  # it was answered
            break
    begun = next(place for place, action in enumerate(done) if action in begins)
    while "stance" in begins and done[begun + 1] in begins:  # what all chose in secret is of it
        begun += 1
    before = done[begun + 1:]
    assert begun, "more than one entry goes back"
    form = Page(clients["Alice"].get(laid["address"])).form(action=f"{contest}/undo/")
    assert form.send(clients["Alice"]).status_code == 302
    assert acts(campaign, contest) == before and before, "no more and no less"
    form.send(clients["Alice"])
    assert acts(campaign, contest) == before, "a second click does nothing more"
    assert not list(differences(campaign.pk))


def test_a_roll_that_went_back_as_a_whole_is_no_missing_page_to_a_second_press() -> None:
    """It is gone with its beginning: the same press again comes to the table, and another's is told."""
    laid = moments.table("pdq_sharp")
    contest = moments.begin(laid["address"], "challenge")
    _, clients = seated(laid)
    moments.step(laid["address"])
    form, other = (Page(clients["Alice"].get(laid["address"])).form(action=f"{contest}/undo/") for _ in range(2))
    assert form.send(clients["Alice"]).status_code == 302 and not Contest.objects.filter(pk=contest).exists()
    assert form.send(clients["Alice"]).url == laid["address"]
    assert other.send(clients["Alice"]).url == laid["address"]
    assert "This contest is gone" in clients["Alice"].get(laid["address"]).content.decode()


def test_an_act_of_an_open_page_is_told_that_its_contest_is_gone() -> None:
    laid = moments.table("pdq")
    contest = moments.begin(laid["address"], "conflict")
    _, clients = seated(laid)
    acts = [form for name in ("Bob", "Dana") for form in Page(clients[name].get(laid["address"])).forms
            if f"/{contest}/" in form.action]
    Page(clients["Alice"].get(laid["address"])).form(action=f"{contest}/undo/").send(clients["Alice"])
    assert acts and not Contest.objects.filter(pk=contest).exists()
    assert acts[0].send(clients["Bob"]).url == laid["address"]
    assert "This contest is gone" in clients["Bob"].get(laid["address"]).content.decode()


@pytest.mark.parametrize("live", [False, True], ids=["loaded", "live"])
@pytest.mark.parametrize("name", ["Alice", "Bob"])
def test_who_has_the_page_of_a_contest_that_is_undone_is_told_and_led_to_the_table(name: str, live: bool) -> None:
    """Whoever did nothing has failed at nothing, neither by the part that follows nor on loading the page anew."""
    laid = moments.table("pnc")
    contest = moments.begin(laid["address"], "competition")
    campaign, clients = seated(laid)
    here, by_htmx = reverse("contest", args=[campaign.slug, contest]), {"HX-Request": "true"} if live else {}
    assert clients[name].get(here, headers=by_htmx).status_code == 200
    Page(clients["Alice"].get(laid["address"])).form(action=f"{contest}/undo/").send(clients["Alice"])
    assert not Contest.objects.filter(pk=contest).exists()
    clients["Alice"].get(laid["address"])
    answer = clients[name].get(here, headers=by_htmx)
    assert answer.headers.get("HX-Redirect" if live else "Location") == laid["address"]
    shown = clients[name].get(laid["address"]).content.decode()
    assert "This contest is gone, as its beginning was undone." in shown
    never = reverse("contest", args=[campaign.slug, uuid.uuid4()])
    assert clients[name].get(never, headers=by_htmx).status_code == 404


ASKING = [("pdq", "conflict", ""), ("pnc", "fight", ""), ("pnc", "fight", "table"), ("pdq_sharp", "duel", ""),
          ("questworlds", "scored", ""), ("danger_world", "check", "")]


@pytest.mark.every
@pytest.mark.parametrize(("system", "kind", "at"), ASKING, ids=[f"{system}.{kind} {at}" for system, kind, at in ASKING])
def test_chances_of_a_form_whose_contest_is_undone_fail_at_nothing(system: str, kind: str, at: str) -> None:
    """They are asked for while it is filled in. A contest's page leads to the table, where it is told; a table that
    stands open draws by itself that it is gone, and keeps what is typed in its tray."""
    laid = moments.table(system, {"long": "all"} if system == "questworlds" else None)
    contest = moments.begin(laid["address"], kind)
    campaign, clients = seated(laid)
    here = laid["address"] if at else reverse("contest", args=[campaign.slug, contest])
    while not (asking := [(name, form) for name, client in clients.items() for page in [client.get(here)]
                          for form in Page(page).forms if f'hx-post="{form.action}odds/"' in page.content.decode()]):
        assert moments.step(laid["address"])
    name, form = asking[0]

    def asked(of: str) -> HttpResponse:
        address = f"{form.action}odds/".replace(contest, of)
        answer: HttpResponse = clients[name].post(address, form.filled(), headers={"HX-Request": "true"})
        return answer

    assert asked(contest).content
    while Contest.objects.filter(pk=contest).exists():
        Page(clients["Alice"].get(laid["address"])).form(action=f"{contest}/undo/").send(clients["Alice"])
    clients["Alice"].get(laid["address"])
    answer = asked(contest)
    assert answer.status_code == (204 if at else 200) and answer.headers.get("HX-Redirect") == (
        None if at else laid["address"])
    told = clients[name].get(laid["address"]).content.decode()
    assert ("This contest is gone, as its beginning was undone." in told) is not bool(at)
    assert asked(str(uuid.uuid4())).status_code == 404


def test_who_saw_an_older_card_takes_nothing_newer_back() -> None:
    laid = moments.table("pdq")
    contest = moments.begin(laid["address"], "conflict")
    campaign, clients = seated(laid)
    moments.step(laid["address"])
    form = Page(clients["Alice"].get(laid["address"])).form(action="/undo/")
    for _ in range(3):
        moments.step(laid["address"])
    done = acts(campaign, contest)
    form.send(clients["Alice"])
    assert acts(campaign, contest) == done
    assert "More has happened since" in clients["Alice"].get(laid["address"]).content.decode()


def test_the_card_that_comes_while_one_looks_on_has_its_undo() -> None:
    laid = moments.table("pdq")
    contest = moments.begin(laid["address"], "conflict")
    campaign, clients = seated(laid)
    since = campaign.head_seq
    moments.step(laid["address"])
    page = clients["Alice"].get(
        f"{laid['address']}feed/", {"since": str(since), "contest": contest}, headers={"hx-request": "true"})
    assert page.status_code == 200 and "Undo “" in page.content.decode()


def test_of_a_contest_that_was_undone_meanwhile_nothing_is_left_to_undo(campaign: Any, alices: Any) -> None:
    assert refusal(exchanges.undo_exchange, campaign=campaign, actor=alices, contest_id=uuid.uuid4(), last=1) == (
        "", "There is nothing left to undo in it.")
