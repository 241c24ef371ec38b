"""A Hypothesis machine at a table, by its pages: whatever three people send in whatever order, sent twice or taken
back, the Ledger is whole, the tables are what it says, and nothing is a fault.

With LONG=1 2,000 walks of at most twenty steps, in 80 parts with chances of their own; PARTS=41-80 chooses from them.
A table is laid once for each game; what a walk writes is undone. A walk that fails is told as it went, and not made
shorter, which would take hundreds of others.
"""
from __future__ import annotations

import uuid
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from campaigns.models import Campaign, Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from campaigns.trail.verifying import whole
from characters.models import Character
from characters.services import editing, npcs
from play.services import sessions
from rules.registry import SYSTEMS
from tests.conftest import join, logged_in, person
from tests.effort import parts, tries
from tests.html_forms import Page

pytestmark = pytest.mark.django_db
WALKS, STEPS = tries(3, 25), tries(6, 20)
ANSWERED = {200, 302, 409, 422}
NOT_AT_THE_TABLE = ("/log-out/", "/delete/", "/leave/", "/view-as/", "/take-along/")  # which end the evening
PAGES = ("", "", "", "characters/", "ledger/", "prepare/", "plan/", "people/", "notes/", "dates/", "settings/")


@dataclass(frozen=True)
class Table:
    """A campaign in the middle of a scene, and the browsers of its people."""

    campaign: Campaign
    browsers: dict[str, Client]


LAID: dict[str, Table] = {}  # by game, in the database of the test that is running


@pytest.fixture(autouse=True)
def none_laid() -> None:
    LAID.clear()


def laid(system: str) -> Table:
    """Alice runs this game, Bob and Cleo play."""
    if system in LAID:
        return LAID[system]
    people = {name: person(f"{name} of {system}") for name in ("Alice", "Bob", "Cleo")}
    campaign = found(user=people["Alice"], op_id=uuid.uuid4(), name="By the page", system=system)
    by: dict[str, Any] = {"campaign": campaign, "actor": campaign.members.get()}
    game = SYSTEMS[system]
    for name, ready in zip(("Bob", "Cleo"), game.sheet.ready_made, strict=False):
        player = join(campaign, people[name], "player")
        editing.create_ready(**by, op_id=uuid.uuid4(), ready=ready, player=player)
    assert game.sample
    npcs.quick(**by, op_id=uuid.uuid4(), line=game.sample.npc)
    here = list(Character.objects.filter(campaign=campaign).values_list("pk", flat=True))
    sessions.open_session(**by, op_id=uuid.uuid4())
    sessions.open_scene(**by, op_id=uuid.uuid4(), title="The dry well", characters=here)
    LAID[system] = Table(campaign, {name: logged_in(user) for name, user in people.items()})
    return LAID[system]


class Evening(RuleBasedStateMachine):
    """What is sent last may be sent again."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: tuple[Any, str, Any] | None = None

    @initialize(system=st.sampled_from(sorted(SYSTEMS)))
    def begin(self, system: str) -> None:
        table = laid(system)
        self.browsers, self.campaign = deepcopy(table.browsers), Campaign.objects.get(pk=table.campaign.pk)
        self._undone = transaction.atomic()
        self._undone.__enter__()

    @rule(name=st.sampled_from(("Alice", "Bob", "Cleo")), page=st.sampled_from(PAGES), form=st.integers(0, 200),
          button=st.integers(0, 5), seed=st.integers(0, 2**32))
    def send(self, name: str, page: str, form: int, button: int, seed: int) -> None:
        """Somebody fills in a form of a page as it may be filled in, and sends it."""
        browser = self.browsers[name]
        answer = browser.get(f"/c/{self.campaign.slug}/{page}")
        if answer.status_code != 200:
            assert answer.status_code in (302, 404)
            return
        forms = [form for form in Page(answer).forms if not any(word in form.action for word in NOT_AT_THE_TABLE)]
        if forms:
            chosen = forms[form % len(forms)]
            pressed = chosen.buttons[button % len(chosen.buttons)] if chosen.buttons else None
            sent = chosen.filled(pressed, **chosen.at_random(Random(seed)))
            address = (pressed.attributes.get("formaction") if pressed else None) or chosen.action
            self.sent = (browser, address.partition("#")[0], sent)
            self._post()

    @precondition(lambda self: self.sent)
    @rule()
    def send_again(self) -> None:
        """The same once more, as an impatient finger does: nothing is written twice."""
        assert self.sent
        before = self._written()
        if "op_id" in self.sent[2] and Entry.objects.filter(op_id=self.sent[2]["op_id"][0]).exists():
            self._post()
            assert self._written() == before

    @rule(back=st.integers(0, 3))
    def take_back(self, back: int) -> None:
        """The GM undoes what was written lately, where that can be undone."""
        browser, seq = self.browsers["Alice"], self._written() - back
        for form in Page(browser.get(f"/c/{self.campaign.slug}/ledger/{seq}/")).matching(action="/undo/"):
            assert form.send(browser).status_code in ANSWERED

    def _post(self) -> None:
        assert self.sent
        browser, address, sent = self.sent
        assert browser.post(address, sent).status_code in ANSWERED

    def _written(self) -> int:
        return Campaign.objects.values_list("head_seq", flat=True).get(pk=self.campaign.pk)

    def teardown(self) -> None:
        if not hasattr(self, "_undone"):
            return
        try:
            self.campaign.refresh_from_db()
            assert not whole(self.campaign).fault
            assert not list(differences(self.campaign.pk))
            assert Entry.objects.filter(campaign=self.campaign).count() == self.campaign.head_seq
            connection.check_constraints()  # as a commit does
        finally:
            transaction.set_rollback(True)
            self._undone.__exit__(None, None, None)


@pytest.mark.parametrize("part", parts(80))
def test_whatever_is_sent_in_whatever_order_the_ledger_is_whole(part: int) -> None:
    run_state_machine_as_test(seed(part - 1)(Evening), settings=settings(  # type: ignore[no-untyped-call]
        max_examples=WALKS, stateful_step_count=STEPS, deadline=None, suppress_health_check=list(HealthCheck),
        database=None, phases=[Phase.generate]))
