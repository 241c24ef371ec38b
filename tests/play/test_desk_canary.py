"""A word in every field of the desk reaches no byte that a player gets, and moves none outside Ledger and export."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from campaigns.services.founding import found
from play.models import PlanScene, PrepItem
from play.services import library, matrix, plan, sessions
from rules import quick_lines
from rules.registry import SYSTEMS
from tests.conftest import join
from tests.play.conftest import character
from tests.play.test_library import scrubbed
from tests.test_every_url import ROWS

pytestmark = pytest.mark.django_db

WORD = "zorbquill"
# All entries are there, sealed ones as their envelopes.
OPEN_TO_ALL = ("ledger", "export", "verify", "receipts", "heads")


def addresses(campaign: Any) -> dict[str, str]:
    """Every address that needs no more than the campaign."""
    found = {}
    for name in ROWS:
        try:
            found[name] = reverse(name, args=[campaign.slug])
        except NoReverseMatch:
            continue
    return found


def body_of(answer: Any) -> str:
    """All that came, streamed or not."""
    whole: bytes = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return whole.decode(errors="replace")


def answers(browser: Client, campaign: Any) -> dict[str, str]:
    """What a player gets everywhere."""
    told = {name: scrubbed(body_of(browser.get(address))) for name, address in addresses(campaign).items()}
    for more in (f"?q={WORD}", f"prepare/?q={WORD}", f"search/?q={WORD}", f"characters/?q={WORD}"):
        told[more] = scrubbed(browser.get(f"/c/{campaign.slug}/{more}").content.decode()).replace(WORD, "")
    return told


def fill(campaign: Any, owner: Any) -> None:
    """The word in every field of the desk."""
    by = {"campaign": campaign, "actor": owner}
    lines = [quick_lines.read(f"{WORD} {each.line}, #{WORD}", campaign.rules, each.kind, text=WORD)
             for each in campaign.rules.starters]
    library.add(**by, op_id=uuid.uuid4(), lines=[each for each in lines if each.ready])
    plan.write_plan(**by, op_id=uuid.uuid4(), title=WORD, notes=WORD)
    plan.write_scene(**by, op_id=uuid.uuid4(), title=WORD, words=WORD, notes=WORD)
    scene = PlanScene.objects.get(title=WORD)
    for sort in plan.TYPED:
        plan.add_line(**by, op_id=uuid.uuid4(), words=f"{WORD} {sort}", sort=sort, plan_scene_id=scene.pk)
    for item in PrepItem.objects.filter(campaign=campaign)[:3]:
        plan.add_line(**by, op_id=uuid.uuid4(), thing_id=item.pk, plan_scene_id=scene.pk)
    matrix.set_limits(**by, op_id=uuid.uuid4(), easy=77, hard=11)


@pytest.mark.parametrize("slug", SYSTEMS)
def test_nothing_of_the_desk_reaches_a_player(as_bob: Client, alice: Any, bob: Any, slug: str) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name=slug, system=slug)
    owner, bobs = campaign.members.get(), join(campaign, bob, "player")
    character(campaign, bobs, "Ilse", [], player=bobs)
    sessions.open_evening(campaign=campaign, actor=owner, op_id=uuid.uuid4(), title="The well")
    campaign.refresh_from_db()
    before = answers(as_bob, campaign)
    assert "Ilse" in before["table"]
    fill(campaign, owner)
    assert PrepItem.objects.filter(campaign=campaign, name__contains=WORD).count() >= 4
    after = answers(as_bob, campaign)
    assert not [name for name, text in after.items() if WORD in text]
    moved = [name for name in after if after[name] != before[name] and not name.startswith(OPEN_TO_ALL)]
    assert not moved, moved
