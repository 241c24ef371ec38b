"""The story as cards: what came of one contest stands together, arrivals in a line; each game tells what came of it."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns.access import viewer
from campaigns.models import Entry
from characters.models import Character
from play.models import Contest, PlanLine, PlanScene, PrepItem, Session
from play.services import plan
from play.stories import stories
from tests.browser import moments, preparing
from tests.conftest import join, logged_in, person
from tests.html_forms import Page

pytestmark = pytest.mark.django_db

KINDS = [("pdq", "conflict"), ("pdq_sharp", "duel"), ("pnc", "fight"), ("pnc", "roll"), ("danger_world", "check"),
         ("pdq_sharp", "challenge")]


def seated(laid: dict[str, Any]) -> tuple[Any, dict[str, Client]]:
    """The campaign that was laid, and who sits there."""
    campaign, clients = moments.TABLES[laid["address"]]
    campaign.refresh_from_db()
    return campaign, clients


def test_a_contest_is_one_card_and_arrivals_are_one_line() -> None:
    laid = moments.table("pdq")
    moments.begin(laid["address"], "conflict")
    for _ in range(4):
        moments.step(laid["address"])
    _, clients = seated(laid)
    page = clients["Alice"].get(laid["address"]).content.decode()
    story = page.partition('id="happened"')[2]
    assert story.count('class="story-card"') == 1 and "earlier</summary>" in story
    assert story.count("characters join: ") == 1 and "Old Peg" in story.partition("characters join: ")[2][:200]
    assert story.count("Undo “") == 1
    assert "Undo “" not in clients["Bob"].get(laid["address"]).content.decode()


@pytest.mark.parametrize(("system", "kind"), KINDS, ids=[f"{system}.{kind}" for system, kind in KINDS])
def test_each_game_says_in_a_sentence_what_came_of_it(system: str, kind: str) -> None:
    laid = moments.table(system)
    contest = Contest.objects.get(pk=moments.begin(laid["address"], kind))
    for _ in range(14):
        if moments.step(laid["address"]) is None:
            break
    campaign, clients = seated(laid)
    contest.refresh_from_db()
    if not contest.over:
        at = f"{laid['address']}contests/{contest.pk}/"
        ending = next(form for form in Page(clients["Alice"].get(at)).forms
                      if any(form.action.endswith(f"/{act}/gm/") for act in ("end", "call_off")))
        drops = {name: "on" for name in ending.controls if name == "drop"}
        assert ending.send(clients["Alice"], **drops).status_code == 302
        contest.refresh_from_db()
    assert contest.over
    bob = campaign.members.get(user__username__startswith="Bob")
    (told,) = stories(viewer(bob.user, campaign.slug), Session.objects.filter(campaign=campaign)).values()
    assert [story.lines[0].endswith(".") for story in told] == [True]


def rolled_by_bob(system: str) -> tuple[Any, dict[str, Client]]:
    """The campaign in which Bob has rolled once from his tray, and who sits there."""
    laid = moments.table(system)
    campaign, clients = seated(laid)
    form = Page(clients["Bob"].get(laid["address"])).form(action="/roll/")
    rows: dict[str, dict[str, Any]] = {
        "questworlds": {"ability": form.controls["ability"].offered[0]} if "ability" in form.controls else {},
        "danger_world": {"stats": form.controls["stats"].offered[:2]} if "stats" in form.controls else {}}
    lines = {"traits": form.controls["traits"].offered[:1]} if "traits" in form.controls else {}
    assert form.send(clients["Bob"], **rows.get(system, lines)).status_code == 302
    campaign.refresh_from_db()
    return campaign, clients


@pytest.mark.parametrize("system", ["pdq", "pdq_sharp", "pnc", "danger_world", "questworlds"])
def test_one_roll_alone_is_undone_at_its_entry_by_name(system: str) -> None:
    campaign, clients = rolled_by_bob(system)
    (contest,) = Contest.objects.filter(campaign=campaign, scene__isnull=False)
    page = Page(clients["Alice"].get(f"/c/{campaign.slug}/"))
    form = page.form(action=f"{contest.pk}/undo/")
    who = Character.objects.get(campaign=campaign, player__user__username__startswith="Bob").name
    assert form.buttons[0].words.startswith("Undo “") and who in form.buttons[0].words
    assert form.send(clients["Alice"]).status_code == 302
    assert not Contest.objects.filter(pk=contest.pk).exists()
    assert not Page(clients["Alice"].get(f"/c/{campaign.slug}/")).matching(action=f"{contest.pk}/undo/")
    assert not Page(clients["Bob"].get(f"/c/{campaign.slug}/")).matching(action="/undo/")


def test_a_routine_roll_of_questworlds_takes_the_gm_no_tap() -> None:
    laid = moments.table("questworlds")
    campaign, clients = seated(laid)
    form = Page(clients["Bob"].get(laid["address"])).form(action="/roll/")
    assert form.send(clients["Bob"], ability=form.controls["ability"].offered[0]).status_code == 302
    while moments.waiting(laid["address"]):
        assert moments.step(laid["address"])["who"] != "the GM"  # type: ignore[index]
    rolled = Contest.objects.get(campaign=campaign)
    assert rolled.over
    at = f"{laid['address']}contests/{rolled.pk}/"
    lasts = Page(clients["Alice"].get(at)).form(action="/give/gm/")
    assert lasts.send(clients["Alice"], name="Soaked and shaking").status_code == 302
    assert not Page(clients["Bob"].get(at)).matching(action="/give/gm/")
    assert "lost to" in (page := clients["Bob"].get(f"{laid['address']}chronicle/").content.decode()) or "beat" in page


def test_a_roll_that_leaves_nothing_to_decide_says_on_its_card_what_came_of_it() -> None:
    """QW-13: the GM’s own roll is settled as it falls, so that no second entry tells its outcome."""
    laid = moments.table("questworlds")
    campaign, clients = seated(laid)
    form = Page(clients["Alice"].get(laid["address"])).form(action="/roll/")
    assert form.send(clients["Alice"], ability=form.controls["ability"].offered[0]).status_code == 302
    rolled = Entry.objects.filter(campaign=campaign).latest("seq")
    for at in ("", f"ledger/{rolled.seq}/"):
        page = clients["Alice"].get(f"{laid['address']}{at}").content.decode()
        assert re.search(r'<p class="outcome">[^<]+ (wins|loses)( by rank \d)?: [^<]+\.</p>', page), at


def test_a_card_says_its_steps_and_what_lasts_is_added_from_it() -> None:
    """Tried, dice, decided, outcome, lasts: only those that there are, in the order in which they came."""
    laid = moments.table("questworlds")
    campaign, clients = seated(laid)
    form = Page(clients["Bob"].get(laid["address"])).form(action="/roll/")
    assert form.send(clients["Bob"], ability=form.controls["ability"].offered[0]).status_code == 302
    while moments.waiting(laid["address"]):
        moments.step(laid["address"])

    def steps() -> list[str]:
        return re.findall('class="step">(.*?)<', clients["Alice"].get(laid["address"]).content.decode())

    before, page = steps(), clients["Alice"].get(laid["address"]).content.decode()
    rolled = Contest.objects.get(campaign=campaign)
    to = f"{laid['address']}contests/{rolled.pk}/"
    assert f'href="{to}#offer-give-gm">Add what lasts' in page
    assert "Add what lasts" not in clients["Bob"].get(laid["address"]).content.decode()
    assert Page(clients["Alice"].get(to)).form(action="/give/gm/").send(
        clients["Alice"], name="Soaked and shaking").status_code == 302
    assert steps() == [*(before or ["Dice"]), "Lasts"]
    assert set(before) <= {"Dice", "Decided", "Outcome"}


@pytest.mark.parametrize(("system", "left"), [
    ("pdq", {"damage": "2", "name": "The fall"}), ("pdq_sharp", {"ranks": "2", "name": "The fall"}),
    ("pnc", {"words": "A turned ankle"}), ("danger_world", {})])
def test_pq_07_ps_14_pn_10_dw_13_what_a_roll_left_is_added_from_its_card_at_the_sheet_of_who_rolled(
    system: str, left: dict[str, str]
) -> None:
    campaign, clients = rolled_by_bob(system)
    address = f"/c/{campaign.slug}/"
    while moments.waiting(address):
        assert moments.step(address), moments.waiting(address)
    rolled = Contest.objects.get(campaign=campaign, scene__isnull=False)
    if not rolled.over:
        at = f"{address}contests/{rolled.pk}/"
        ending = [form for form in Page(clients["Alice"].get(at)).forms
                  if re.search(r"/(close|end|finish)/gm/", form.action)]
        assert ending[0].send(clients["Alice"]).status_code == 302
    card = clients["Alice"].get(address).content.decode()
    (to,) = re.findall('href="([^"]+)">Add what lasts', card)
    assert "Add what lasts" not in clients["Bob"].get(address).content.decode()
    answer, action = clients["Alice"].get(to.partition("#")[0]), to.partition("#action-")[2]
    page = Page(answer)
    assert f'id="action-{action}" open' in answer.content.decode()
    before = Entry.objects.filter(campaign=campaign).count()
    assert page.form(action=f"/{action}/").send(clients["Alice"], **left).status_code == 302
    assert Entry.objects.filter(campaign=campaign).count() == before + 1
    assert all(words in clients["Alice"].get(address).content.decode() for words in left.values() if words != "2")


LOW = {"6": 1}  # what each die of a duel shows: nobody falls in its first turn


@pytest.mark.parametrize(("system", "kind"), [
    ("questworlds", "scored"), ("pnc", "fight"), ("pdq", "conflict"), ("pdq_sharp", "duel")])
def test_a_contest_of_rounds_leads_to_each(system: str, kind: str) -> None:
    laid = moments.table(system, {"long": "all"} if system == "questworlds" else {})
    moments.begin(laid["address"], kind)
    numbers: list[str] = []
    for _ in range(60):
        assert moments.step(laid["address"], (), LOW if kind == "duel" else None), "it is over before its second round"
        page = seated(laid)[1]["Bob"].get(laid["address"]).content.decode()
        chips = re.findall(r'class="round" href="([^"]+)" aria-label="Round (\d+)"', page)
        assert all(f'id="{target[1:]}"' in page for target, _ in chips if target.startswith("#"))
        numbers = [number for _, number in chips]
        if len(numbers) > 1:
            break
    assert numbers == sorted(numbers, key=int) and len(numbers) > 1


def test_rounds_that_the_story_has_gone_past_stand_on_the_card_too() -> None:
    """However long it was: each leads to its entry, on the page or on one of its own, at as many queries."""
    laid = moments.table("pnc")
    moments.begin(laid["address"], "fight")
    numbers: list[str] = []
    asked: list[int] = []
    for _ in range(40):
        moments.step(laid["address"])
        bob = seated(laid)[1]["Bob"]
        with CaptureQueriesContext(connection) as queries:
            page = bob.get(laid["address"]).content.decode()
        chips = re.findall(r'class="round" href="([^"]+)" aria-label="Round (\d+)"', page)
        assert {*numbers} <= {number for _, number in chips}, "none goes"
        numbers = [number for _, number in chips]
        if any(not target.startswith("#") for target, _ in chips):
            asked.append(len([query for query in queries if "campaigns_change" in query["sql"]]))
            (target, *_) = (target for target, _ in chips if not target.startswith("#"))
            assert bob.get(target).status_code == 200
            if len(asked) == 3:
                break
    assert numbers and numbers[0] == "1" and len({*asked}) == 1 and len(asked) == 3


def test_at_a_person_the_gm_sees_what_they_are_best_at_and_hides_them_and_adds_an_npc_to_the_scene() -> None:
    laid = moments.table("pdq")
    _, clients = seated(laid)
    page = clients["Alice"].get(laid["address"])
    here = page.content.decode().partition('<ul class="here">')[2].partition("</ul>")[0]
    assert here.count("at-person") == 3 and here.count('class="views"') == 1
    assert 'class="views"' not in clients["Bob"].get(laid["address"]).content.decode()
    form = next(form for form in Page(page).forms if "line" in form.controls)
    assert form.send(clients["Alice"], line="Tom Ferrier, Oars good")["Location"] == laid["address"]
    assert "Tom Ferrier" in clients["Alice"].get(laid["address"]).content.decode()


def test_what_a_plan_puts_into_a_scene_is_one_line_and_what_is_hidden_stays_the_gms() -> None:
    laid = preparing.desk("pdq", obstacles=2, npcs=6)
    campaign, clients = seated(laid)
    gm, scene = campaign.members.get(), PlanScene.objects.get(campaign=campaign)
    item = PlanLine.objects.get(plan_scene=scene, type="obstacle")
    for copy in PrepItem.objects.filter(campaign=campaign, name__startswith=item.words).exclude(name=item.words):
        plan.add_line(campaign=campaign, actor=gm, op_id=uuid.uuid4(), thing_id=copy.pk, plan_scene_id=scene.pk)
    bob = person("Bob-planned")
    join(campaign, bob, "player")
    forms = Page(clients["Alice"].get(f"{laid['address']}prepare/plan/scenes/{scene.pk}/open/")).forms
    opens = next(form for form in forms if form.action.endswith("/open/"))
    assert opens.send(clients["Alice"]).status_code == 302
    story = clients["Alice"].get(laid["address"]).content.decode().partition('id="happened"')[2]
    assert "<summary>In this scene: 6 characters, 3 obstacles</summary>" in story
    assert story.count("In this scene: ") == 1 and "Bandits 2" in story
    theirs = logged_in(bob).get(laid["address"]).content.decode().partition('id="happened"')[2]
    assert "Scene: The lamp bridge" in theirs and "Bandits 2" not in theirs and "In this scene: 6" not in theirs


def test_qw_60_what_lasts_for_somebody_shows_at_them_without_unfolding() -> None:
    laid = moments.table("questworlds")
    moments.hurt(laid["address"], "Bob", "Broken wrist", 2)
    campaign, clients = seated(laid)
    who = Character.objects.get(campaign=campaign, player__user__username__startswith="Bob")
    for name in ("Alice", "Bob", "Dana"):
        here = clients[name].get(laid["address"]).content.decode().partition('id="present"')[2]
        row = here.partition(f">{who.name}</a>")[2].partition("<details")[0]
        assert '<b class="notation">−6</b><span class="seen-by-ear"> Broken wrist</span>' in row
