"""Hooks and threads: what was never rolled, what made no trouble lately, what lasts; and what was fixed beforehand."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.access import Viewer
from campaigns.models import Entry, Revelation
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from play import threads
from play.models import Obstacle, PlanLine, PrepItem
from play.services import bank, rolling, scenes, sessions
from play.services.obstacles import in_the_way
from tests.conftest import join
from tests.play.conftest import body, character, trait
from tests.play.test_plan import planned

pytestmark = pytest.mark.django_db


def page(browser: Client, campaign: Any) -> str:
    return browser.get(f"/c/{campaign.slug}/prepare/threads/").content.decode()


def roll(campaign: Any, actor: Any, who: Any, *lines: Any, met: Any = None) -> Entry:
    campaign.refresh_from_db()
    return rolling.roll(
        campaign=campaign, actor=actor, op_id=uuid.uuid4(), client_seed="",
        intent=rolling.Intent("pdq.test", who.pk, tuple(str(each.pk) for each in lines), values={"difficulty": 7},
                              in_the_way=in_the_way(met) if met else None))


def test_what_was_never_rolled_is_told_until_it_is(
    as_alice: Client, campaign: Any, bobs: Any, scene: Any, ilse: Any, alices: Any
) -> None:
    viewer = Viewer(campaign, alices)

    def names() -> dict[str, list[str]]:
        viewer.campaign.refresh_from_db()
        return {each.name: [one.words.split(" ")[0] for one in each.found] for each in threads.threads(viewer)}

    assert names() == {"never": ["Maps", "Knife"]}
    roll(campaign, bobs, ilse, trait(ilse, "Maps"))
    assert names() == {"never": ["Knife"]}
    html = page(as_alice, campaign)
    assert "Knife" in html and "entry" in html and "Ilse" in html


def test_a_weakness_that_made_no_trouble_for_three_sessions_is_told(
    campaign: Any, alices: Any, bobs: Any, scene: Any, ilse: Any
) -> None:
    def trouble() -> list[str]:
        campaign.refresh_from_db()
        return [one.words for each in threads.threads(Viewer(campaign, alices)) if each.name == "trouble"
                for one in each.found]

    roll(campaign, bobs, ilse, trait(ilse, "In debt"))
    by = {"campaign": campaign, "actor": alices}
    for _ in range(3):
        assert trouble() == []
        campaign.refresh_from_db()
        if campaign.scene_id:
            scenes.close_scene(**by, op_id=uuid.uuid4(), values={})
        sessions.close_session(**by, op_id=uuid.uuid4())
        sessions.open_session(**by, op_id=uuid.uuid4())
    assert trouble() == ["In debt Poor [−2]"]
    campaign.refresh_from_db()
    sessions.open_scene(**by, op_id=uuid.uuid4(), title="The gate", characters=[ilse.pk])
    roll(campaign, bobs, ilse, trait(ilse, "In debt"))
    assert trouble() == []


def test_one_tap_puts_a_thread_into_the_plan_with_its_entry(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    html = page(as_alice, campaign)
    words, seq = re.findall(r'name="words" value="(Ilse: Maps[^"]*)".*?name="seq" value="(\d+)"', html)[0]
    sent = body(words=words, seq=seq, type="todo")
    back = as_alice.post(f"/c/{campaign.slug}/prepare/plan/lines/", {**sent, "back": "threads"})
    assert back.status_code == 302 and back["Location"].endswith("/prepare/threads/")
    line = PlanLine.objects.get()
    assert (line.words, line.from_seq, line.plan_scene_id) == (words, int(seq), None)
    assert "✓ Planned" in page(as_alice, campaign)
    assert f"entry {seq}" in as_alice.get(f"/c/{campaign.slug}/prepare/plan/").content.decode()
    assert as_bob.get(f"/c/{campaign.slug}/prepare/threads/").status_code == 404


def test_consequences_are_threads_with_the_entry_that_made_them(as_alice: Client, alice: Any, bob: Any) -> None:
    quay = found(user=alice, op_id=uuid.uuid4(), name="The quay", system="questworlds")
    bobs = join(quay, bob, "player")
    character(quay, bobs, "Sefa", [("ability", "Rope", 17), ("consequence", "Burned hand", 1), ("flaw", "Proud", 0)],
              player=bobs)
    html = page(as_alice, quay)
    assert "Burned hand" in html and "What lasts" in html and "Rope" in html


def test_what_was_fixed_beforehand_is_shown_with_both_entries(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any, ilse: Any
) -> None:
    bank.write(campaign=campaign, actor=alices, op_id=uuid.uuid4(), type="resistance", name="A locked door",
               fields={"difficulty": "good"})
    row = planned(as_alice, campaign, "The cellar", PrepItem.objects.get().name)
    at = f"/c/{campaign.slug}/prepare/plan/"
    as_alice.post(f"{at}lines/", body(scene=str(row.pk), words="If they climb, the rope breaks", type="fixed"))
    assert as_alice.post(f"{at}scenes/{row.pk}/open/", body()).status_code == 302
    met = roll(campaign, bobs, ilse, trait(ilse, "Maps"), met=Obstacle.objects.get()).seq
    last = roll(campaign, bobs, ilse, trait(ilse, "Maps")).seq
    rope, door = PlanLine.objects.get(type="fixed"), PlanLine.objects.get(type="obstacle")
    assert as_alice.get(at).content.decode().count("Reveal") >= 2
    for line in (rope, door):
        assert as_alice.post(f"{at}change/", body(reveal=str(line.pk))).status_code == 302
    html = as_bob.get(f"/c/{campaign.slug}/ledger/").content.decode()
    for line, chosen in ((rope, last), (door, met)):
        fixed = Revelation.objects.get(entry__payload__text__contains=line.words).entry.seq
        assert fixed < chosen and re.search(rf"/ledger/{fixed}/[^.]*the choice in [^.]*/ledger/{chosen}/", html)
        shown = as_bob.get(f"/c/{campaign.slug}/ledger/{fixed}/").content.decode()
        assert line.words in shown
    assert "Fixed beforehand: A locked door, good 9" in html and "before the choice in" in html
    again = as_alice.post(f"{at}change/", body(reveal=str(rope.pk)))
    assert again.status_code == 422 and "open to all already" in again.content.decode()
    assert not list(differences(campaign.pk))
