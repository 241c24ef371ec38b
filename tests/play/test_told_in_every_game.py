"""Home tells a roll of every game in a sentence that names who rolled and what they met, and no rule."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Campaign, Member
from play.models import Contest
from play.services.samples import begin
from rules.registry import SYSTEMS
from tests.conftest import join
from tests.html_forms import Page
from tests.play.test_telling import home

pytestmark = pytest.mark.django_db
PLAIN = ("pdq", "pdq_sharp", "danger_world", "pnc")  # their roll is made with one press of the tray as it opens
# What leads to the end of a roll, by what it is called in addresses.
ENDS = ("agree", "roll", "stand", "use", "let_go", "keep", "reroll")
VERBS = ("beat", "failed against", "succeeded", "failed", "ccomplished", "tied", "lost to")
# Words of steps, which tell how something was counted and not what came of it.
OF_STEPS = ("falling short", "the difference", "is enough", "earns a training point", "story point may", "re-roll")


@pytest.fixture(params=PLAIN)
def sample(request: Any, alice: Any, bob: Any) -> Campaign:
    campaign = begin(user=alice, op_id=uuid.uuid4(), game=request.param)
    join(campaign, bob, "player")
    campaign.refresh_from_db()
    Member.objects.update(seen_seq=campaign.head_seq)
    return campaign


def rolled(browser: Client, campaign: Campaign, **chosen: Any) -> str:
    """Rolls as the tray opens, lets what came stand, and answers who rolled."""
    form = Page(browser.get(f"/c/{campaign.slug}/")).form(action=f"/c/{campaign.slug}/roll/")
    if campaign.system == "danger_world":
        chosen["stats"] = form.controls["stats"].offered[:2]
    answer = form.send(browser, **chosen)
    assert answer.status_code == 302, Page(answer).errors
    for contest in Contest.objects.filter(over=False):
        at = f"/c/{campaign.slug}/contests/{contest.pk}/"
        for _ in range(6):
            acts = [form for form in Page(browser.get(at)).forms if form.action.startswith(at)]
            ends = [form for action in ENDS for form in acts if f"/{action}/" in form.action]
            if ends:
                dice = ends[0].controls.get("dice")
                ends[0].send(browser, **({"dice": dice.offered[:1]} if dice else {}))
    return str(campaign.characters.get(pk=form.controls["character"].opens[0]).name)


def test_a_roll_is_a_sentence_of_who_and_what_they_met(
    sample: Campaign, as_alice: Client, as_bob: Client,
) -> None:
    obstacle = SYSTEMS[sample.system].sample.obstacle.name  # type: ignore[union-attr]
    who = rolled(as_alice, sample)
    told = [link.text for link in Page(as_bob.get("/")).of_class("news", "a")]
    about = [line for line in told if who in line and obstacle.casefold() in line.casefold()]
    assert about, told
    if not about[0].endswith("goes on."):
        assert any(verb in about[0] for verb in VERBS), about
    assert not any(words in line for line in told for words in OF_STEPS), told
    assert home(as_bob).count(f">{about[0]}<") == 1
