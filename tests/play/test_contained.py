"""A contest that its rules or its template fail at stays in its card: every page answers, and the GM gets out."""
from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import DatabaseError
from django.template.base import Node
from django.template.loader import get_template
from django.test import Client
from django.urls import reverse

from campaigns import trail
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from campaigns.trail.verifying import whole
from play.models import Contest, ContestEvent
from play.services import contests, sessions
from play.services.contests import BROKEN
from rules.registry import SYSTEMS
from tests.conftest import join, refusal
from tests.effort import LONG
from tests.play.conftest import character
from tests.play.pressing import press

pytestmark = pytest.mark.django_db

METHODS = ("offers", "asks", "view", "evolve")
# Each way to fail, and each game: that each game fails in each way is tried in a long run.
FAILING = [(game, method) for place, game in enumerate(SYSTEMS) for number, method in enumerate(METHODS)
           if LONG or number == place % len(METHODS)]
CAMPAIGN = (
    "table", "ledger", "campaign_settings", "feed", "chronicle", "experience", "facts", "my_sheet", "characters",
    "search", "people", "pages", "shown", "verify", "head", "export", "odds")
GMS = ("prepare", "plan", "threads", "close_scene", "open_scene")


class Boom(Exception):
    """What nobody thought of."""


def fails(*args: Any, **kwargs: Any) -> Any:
    raise Boom


def going_on(campaign: Any, alices: Any, kind: str, scene: bool = True) -> Contest:
    """A contest of this kind that begins, with an event."""
    with trail.entry(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="contest.start", title="It begins"
    ) as entry:
        contest = entry.create(Contest(
            campaign=entry.campaign, scene_id=entry.campaign.scene_id if scene else None, kind=kind, title="Past them",
            setup='{"contestants":[]}', events=1))
        entry.create(ContestEvent(campaign=entry.campaign, contest=contest, number=1, text="{}"))
        entry.index(contest.pk)
    campaign.refresh_from_db()
    return contest


def pages(campaign: Any, contests: Sequence[Contest], ilse: Any, *, runs: bool) -> Iterator[tuple[str, dict[str, str]]]:
    """Every page that might show one of them, and what is asked for while a page stands open."""
    slug = [campaign.slug]
    yield reverse("home"), {}
    yield from ((reverse(name, args=slug), {}) for name in (*CAMPAIGN, *(GMS if runs else ())))
    yield reverse("search", args=slug) + "?q=Past", {}
    for contest in contests:
        yield reverse("contest", args=[*slug, contest.pk]), {}
        yield f"{reverse('table', args=slug)}?contest={contest.pk}", {}
    yield reverse("sheet", args=[*slug, ilse.pk]), {}
    yield reverse("entry", args=[*slug, campaign.head_seq]), {}
    yield reverse("since", args=[*slug, campaign.head_seq - 1]), {}
    for name in ("now", "feed", "table"):
        yield reverse(name, args=slug) + f"?since={campaign.head_seq - 1}", {"HX-Request": "true"}
    for kind in {procedure.slug for procedure in campaign.rules.procedures}:
        yield reverse("start_contest", args=[*slug, kind]), {}


@pytest.fixture
def table(alice: Any, bob: Any) -> Any:
    """Begins a table of a game: the campaign, its owner as a member, and Bob's character."""
    def begin(game: str) -> tuple[Any, Any, Any]:
        campaign = found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system=game)
        alices, bobs = campaign.members.get(user=alice), join(campaign, bob, "player")
        ilse = character(campaign, bobs, "Ilse", [], player=bobs)
        sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
        sessions.open_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The well", characters=[ilse.pk])
        campaign.refresh_from_db()
        return campaign, alices, ilse
    return begin


def all_open(client: Client, campaign: Any, contests: Sequence[Contest], ilse: Any, *, runs: bool) -> list[str]:
    """The pages that are down."""
    client.raise_request_exception = False
    answers = {address: client.get(address, headers=more)
               for address, more in pages(campaign, contests, ilse, runs=runs)}
    return [f"{address}: {answer.status_code}" for address, answer in answers.items() if answer.status_code >= 500]


def gets_out(client: Client, campaign: Any, contest: Contest, button: str) -> int:
    """How many taps it takes the GM from Home: the campaign, the contest where the table has another one before it,
    then a button of the card."""
    taps, card = 1, client.get(reverse("table", args=[campaign.slug])).content.decode()
    own = reverse("contest", args=[campaign.slug, contest.pk])
    if Contest.objects.filter(campaign=campaign, over=False).count() > 1 or button not in card:
        taps, card = 2, client.get(own).content.decode()
    assert press(client, card, button).status_code == 302
    assert not Contest.objects.filter(pk=contest.pk, over=False).exists()
    return taps + 1


@pytest.mark.parametrize(("game", "method"), FAILING)
def test_whatever_the_procedures_fail_at_no_page_is_down_and_the_gm_gets_out(
    game: str, method: str, table: Any, as_alice: Client, as_bob: Client, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All of a game's at once: each has a contest going on in the scene, and each stays in its own card."""
    campaign, alices, ilse = table(game)
    with monkeypatch.context() as broken:
        for rules in campaign.rules.procedures:
            broken.setattr(type(rules), "read", lambda self, text: text)
            if method != "evolve":
                broken.setattr(type(rules), "evolve", lambda self, state, event: state)
        contests = [going_on(campaign, alices, rules.name) for rules in campaign.rules.procedures]
        for rules in campaign.rules.procedures:
            broken.setattr(type(rules), method, fails)
        down = [page for client, runs in ((as_alice, True), (as_bob, False))
                for page in all_open(client, campaign, contests, ilse, runs=runs)]
        assert not down
        for place, contest in enumerate(contests):
            shown = as_bob.get(reverse("contest", args=[campaign.slug, contest.pk])).content.decode()
            assert "This contest can’t be shown." in shown
            assert "Undo the last entry" not in shown and "The GM can undo its last entry" in shown
            way_out = ("Call off the contest", "Undo the last entry")[place % 2]
            assert gets_out(as_alice, campaign, contest, way_out) <= 3
    campaign.refresh_from_db()
    assert not whole(campaign).fault and not list(differences(campaign.pk))


def test_a_template_that_fails_is_a_card_and_the_page_around_it_answers(
    table: Any, as_alice: Client, as_bob: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    campaign, alices, ilse = table("pdq")
    contest = going_on(campaign, alices, "pdq.conflict")
    rules = next(procedure for procedure in campaign.rules.procedures if procedure.name == "pdq.conflict")
    monkeypatch.setattr(type(rules), "read", lambda self, text: text)
    monkeypatch.setattr(type(rules), "evolve", lambda self, state, event: state)
    template = get_template("systems/pdq/conflict.html").template
    monkeypatch.setattr(template, "render", fails)
    drawn = Node.render_annotated
    monkeypatch.setattr(Node, "render_annotated", lambda self, context: fails() if (
        self.origin == template.origin) else drawn(self, context))
    for client, runs in ((as_alice, True), (as_bob, False)):
        assert not all_open(client, campaign, [contest], ilse, runs=runs)
    assert "Boom" in caplog.text
    shown = as_alice.get(reverse("table", args=[campaign.slug])).content.decode()
    assert "This contest can’t be shown." in shown and "Undo the last entry" in shown
    assert gets_out(as_alice, campaign, contest, "Undo the last entry") <= 3


def test_what_fails_in_the_database_is_never_a_card(
    table: Any, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign, alices, _ = table("pdq")
    contest = going_on(campaign, alices, "pdq.conflict")
    rules = next(procedure for procedure in campaign.rules.procedures if procedure.name == "pdq.conflict")

    def lost(*args: Any) -> None:
        raise DatabaseError("the connection is gone")

    monkeypatch.setattr(type(rules), "read", lost)
    for address in (reverse("home"), reverse("contest", args=[campaign.slug, contest.pk])):
        with pytest.raises(DatabaseError):
            as_alice.get(address)


def test_a_contest_that_was_called_off_says_so_and_keeps_nobody_from_another(
    table: Any, as_alice: Client, as_bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign, alices, _ = table("questworlds")
    contest = going_on(campaign, alices, "questworlds.scored")
    page = as_alice.get(reverse("contest", args=[campaign.slug, contest.pk])).content.decode()
    assert "This contest can’t be shown." in page
    answer = as_bob.post(reverse("call_off_contest", args=[campaign.slug, contest.pk]), {"op_id": str(uuid.uuid4())})
    assert answer.status_code == 404
    assert refusal(contests.act, campaign=campaign, actor=alices, client_seed="", contest_id=contest.pk, by="",
                   action="end", given={}) == ("", BROKEN)
    assert press(as_alice, page, "Call off the contest").status_code == 302
    monkeypatch.undo()
    page = as_alice.get(reverse("contest", args=[campaign.slug, contest.pk])).content.decode()
    assert "This contest is over." in page and "Call off the contest" not in page
    assert as_alice.get(reverse("start_contest", args=[campaign.slug, "scored"])).status_code in (200, 302)
