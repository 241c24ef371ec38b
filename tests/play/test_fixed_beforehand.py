"""What was fixed beforehand is told with the choice that came after it: a roll that was asked for, and a contest."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.services import pages
from campaigns.services.founding import found
from characters.models import Character
from play.models import AskedRoll, PlanLine
from play.services import contests, plan, sessions
from tests.conftest import join
from tests.play import test_asked_rolls as tables
from tests.play.conftest import character
from tests.play.tray_page import sent_by

pytestmark = pytest.mark.django_db
campaign, nell, ada = tables.campaign, tables.nell, tables.ada  # the tables of all games


def fixed(campaign: Any, gm: Any, said: str) -> tuple[PlanLine, int]:
    """A line of the plan that is fixed, and the entry that fixed it."""
    written = plan.add_line(campaign=campaign, actor=gm, op_id=uuid.uuid4(), words=said, type="fixed")
    return PlanLine.objects.get(campaign=campaign, words=said), written.seq


def revealed(browser: Client, campaign: Any, gm: Any, line: PlanLine) -> str:
    """What a player reads when the GM reveals it."""
    shown = plan.reveal(campaign=campaign, actor=gm, op_id=uuid.uuid4(), line_id=line.pk)
    return browser.get(f"/c/{campaign.slug}/ledger/{shown.seq}/").content.decode()


def both(page: str, before: int, after: int) -> bool:
    """Whether both entries are linked, in their order."""
    return bool(re.search(rf"/ledger/{before}/[^.]*the choice in [^.]*/ledger/{after}/", page))


def test_before_a_roll_that_was_asked_for(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any, nell: Character, ada: Character
) -> None:
    line, before = fixed(campaign, alices, "Cross the pier")
    assert tables.ask(as_alice, campaign, nell, sealed="on").status_code == 302
    page = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    sent = {**sent_by(page), "client_seed": "ab" * 32}
    assert as_bob.post(f"/c/{campaign.slug}/roll/", sent).status_code == 302
    rolled = AskedRoll.objects.get(character=nell).rolled
    later = pages.write(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), title="The pier", words="Wet")
    assert before < (rolled or 0) < later.seq
    assert both(revealed(as_bob, campaign, alices, line), before, rolled or 0)


def test_before_an_act_in_a_contest(as_bob: Client, alice: Any, bob: Any) -> None:
    quay = found(user=alice, op_id=uuid.uuid4(), name="The quay", system="questworlds")
    gm, bobs = quay.members.get(), join(quay, bob, "player")
    sefa = character(quay, bobs, "Sefa", [("ability", "Rope", 17)], player=bobs)
    sessions.open_first_scene(campaign=quay, actor=gm, op_id=uuid.uuid4(), title="The pier")
    quay.refresh_from_db()
    line, before = fixed(quay, gm, "The rigging")
    who = {"campaign": quay, "actor": bobs, "client_seed": "ab" * 32}
    started = contests.start(
        **who, op_id=uuid.uuid4(), kind="questworlds.framed", title="Up to the lamp", characters=[sefa.pk],
        setup={"contestants": [{"sheet": str(sefa.pk), "player": True}], "title": "Up to the lamp",
               "obstacle": "The rigging"})
    chose = contests.act(
        **who, op_id=uuid.uuid4(), contest_id=contests.id_from(quay, started.op_id), by=str(sefa.pk), action="choose",
        given={"ability": str(sefa.traits.get().pk), "tactic": "Hand over hand"})
    assert Entry.objects.latest("seq").seq == chose.seq
    assert both(revealed(as_bob, quay, gm, line), before, chose.seq)


def test_what_met_nothing_says_nothing_of_a_choice(as_bob: Client, alice: Any, bob: Any) -> None:
    """An entry that has nothing to do with it is no proof: a player who makes a character has chosen nothing here."""
    quay = found(user=alice, op_id=uuid.uuid4(), name="The quay", system="pdq")
    gm, bobs = quay.members.get(), join(quay, bob, "player")
    line, _ = fixed(quay, gm, "The rigging")
    character(quay, bobs, "Sefa", [("strength", "Rope", 2)], player=bobs)
    page = revealed(as_bob, quay, gm, line)
    assert "The rigging" in page and "the choice in" not in page
