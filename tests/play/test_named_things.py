"""A contest or an answer that names something of the library calls it as players know it; the label follows."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.urls import reverse

from campaigns.access import Viewer
from campaigns.models import Entry, View
from campaigns.services.founding import found
from campaigns.trail.export import export
from characters.services import editing, npcs
from play.models import AskedRoll, Contest, PlanScene, PrepItem
from play.services import bank, plan, requests, sessions
from rules import quick_lines
from tests.conftest import join, logged_in
from tests.games import SAMPLED
from tests.html_forms import Page
from tests.play.test_by_the_page import typed

pytestmark = pytest.mark.django_db

WORD = "Zwirnfaden"
GAMES = {"questworlds": "framed", "danger_world": "check"}  # the contests that begin of something prepared


class Table:
    """Ilse is Bob's, and something is prepared of which players know nothing."""

    def __init__(self, alice: Any, bob: Any, system: str) -> None:
        self.campaign = found(user=alice, op_id=uuid.uuid4(), name="The Salt Road", system=system)
        self.gm, self.player = self.campaign.members.get(), join(self.campaign, bob, "player")
        self.alice, self.bob = logged_in(alice), logged_in(bob)
        made = editing.create_ready(
            **self.by(), ready=self.campaign.rules.sheet.ready_made[0], player=self.player)
        npc = npcs.quick(**self.by(), line=self.campaign.rules.sample.npc)
        self.hero = editing.id_from(self.campaign, made.op_id)
        sessions.open_session(**self.by())
        sessions.open_scene(**self.by(), title="The ford", characters=[
            self.hero, editing.id_from(self.campaign, npc.op_id)])
        rules = self.campaign.rules
        fields = next(quick_lines.read(starter.line, rules, starter.kind).spec for starter in rules.starters
                      if starter.kind == rules.prep_items[0].name)
        bank.write(**self.by(), type=rules.prep_items[0].name, name=WORD, words=f"{WORD} text", fields=dict(fields))
        self.campaign.refresh_from_db()

    def by(self) -> dict[str, Any]:
        return {"campaign": self.campaign, "actor": self.gm, "op_id": uuid.uuid4()}

    @property
    def thing(self) -> PrepItem:
        return PrepItem.objects.get(campaign=self.campaign)

    def start(self, kind: str, query: str, **values: Any) -> None:
        """Begins a contest by its page, as it opens."""
        at = reverse("start_contest", args=[self.campaign.slug, kind])
        form = Page(self.alice.get(f"{at}{query}")).form(action=at)
        answer = form.send(self.alice, **{**typed(form), **values})
        assert answer.status_code == 302, Page(answer).errors

    def bobs(self) -> str:
        """All that Bob can read of it."""
        slug = self.campaign.slug
        pages = [self.bob.get(reverse(name, args=[slug])) for name in ("table", "feed", "ledger", "chronicle", "now")]
        pages += [self.bob.get(reverse("contest", args=[slug, contest.pk]))
                  for contest in Contest.objects.filter(campaign=self.campaign)]
        pages += [self.bob.get(reverse("entry", args=[slug, seq]))
                  for seq in range(1, Entry.objects.filter(campaign=self.campaign).count() + 1)]
        return "".join([*(page.content.decode() for page in pages), *export(Viewer(self.campaign, self.player))])


@pytest.fixture
def table(alice: Any, bob: Any, system: str) -> Table:
    return Table(alice, bob, system)


@pytest.mark.parametrize("view", [View.NOTHING, View.FACE, View.ALL])
@pytest.mark.parametrize("system", GAMES)
def test_a_contest_begun_of_something_calls_it_as_the_label_says(table: Table, system: str, view: View) -> None:
    sees = {f"sees_{table.thing.pk}": view.value}
    table.start(GAMES[system], f"?prepared={table.thing.pk}", **sees)
    assert table.thing.view is view
    seen = table.bobs()
    assert (WORD in seen) is (view is not View.NOTHING), view
    assert ("Something unknown" in seen) is (view is View.NOTHING)


@pytest.mark.parametrize("system", GAMES)
def test_as_the_form_opens_players_learn_nothing(table: Table, system: str) -> None:
    at = reverse("start_contest", args=[table.campaign.slug, GAMES[system]])
    assert f"Players see of “{WORD}”" in table.alice.get(f"{at}?prepared={table.thing.pk}").content.decode()
    table.start(GAMES[system], f"?prepared={table.thing.pk}")
    assert WORD not in table.bobs() and table.thing.view is View.NOTHING


@pytest.mark.parametrize("system", GAMES)
def test_a_contest_that_the_plan_held_ready_is_begun_under_a_name_that_players_may_know(
    table: Table, system: str
) -> None:
    plan.write_scene(**table.by(), title="Later")
    scene = PlanScene.objects.get()
    at = reverse("plan_contest_new", args=[table.campaign.slug, scene.pk])
    form = Page(table.alice.get(f"{at}?kind={GAMES[system]}&prepared={table.thing.pk}")).form(action=at)
    assert WORD in str(form.filled()) and form.send(table.alice, **typed(form)).status_code == 302
    line = scene.lines.get()
    table.start(GAMES[system], f"?planned={line.pk}")
    assert Contest.objects.filter(campaign=table.campaign).exists()
    assert WORD not in table.bobs() and table.thing.view is View.NOTHING


@pytest.mark.parametrize("system", ["pdq"])
def test_whoever_types_its_name_gives_nothing_away_either(table: Table, system: str) -> None:
    table.start("conflict", "", title=WORD)
    assert WORD not in table.bobs() and Contest.objects.get(campaign=table.campaign).title == "Something unknown"


@pytest.mark.parametrize("system", ["questworlds"])
def test_what_stands_against_them_is_called_so_too(table: Table, system: str) -> None:
    bank.write(**table.by(), prepared_id=table.thing.pk, type="resistance", name=WORD,
               fields={"situations": f"{WORD} in a fight: 7M"})
    table.start("scored", "", c0_side="one", c1_side="", prepared=["Something unknown 7M"])
    assert WORD not in table.bobs()
    contest = Contest.objects.get(campaign=table.campaign)
    assert "Something unknown" in table.bob.get(
        reverse("contest", args=[table.campaign.slug, contest.pk])).content.decode()


@pytest.mark.parametrize("system", [slug for slug in SAMPLED if slug != "questworlds"])
def test_an_answer_with_something_hidden_tells_neither_its_name_nor_its_number(table: Table, system: str) -> None:
    asked = requests.request(**{**table.by(), "actor": table.player}, character_id=table.hero, what="Cross the ford",
                             choice=requests.Intended({}))
    table.campaign.refresh_from_db()
    answer = requests.answer(**table.by(), request_id=requests.id_from(table.campaign, asked.op_id),
                             chip=f"item:{table.thing.pk}:0", keep=True)
    assert answer.audience == "gm" and AskedRoll.objects.get().sealed and WORD not in table.bobs()
