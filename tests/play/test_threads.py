"""Hooks and threads: what nobody came back to for three sessions, what lasts; and what was fixed beforehand."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.access import Viewer
from campaigns.models import Entry, Revelation, View
from campaigns.services import pages
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from play import threads
from play.models import Obstacle, PlanLine, PrepItem
from play.services import bank, scenes, sessions
from play.services.obstacles import in_the_way
from tests.conftest import join
from tests.play.conftest import body, character, trait
from tests.play.rolled import rolled
from tests.play.test_plan import planned

pytestmark = pytest.mark.django_db


def page(browser: Client, campaign: Any) -> str:
    return browser.get(f"/c/{campaign.slug}/prepare/threads/").content.decode()


def roll(campaign: Any, actor: Any, who: Any, *lines: Any, met: Any = None) -> Entry:
    campaign.refresh_from_db()
    return rolled(campaign, actor, who, lines, met=in_the_way(met) if met else None)


def pass_sessions(campaign: Any, gm: Any, number: int = threads.SESSIONS) -> None:
    """So many sessions begin, one after the other."""
    for _ in range(number):
        campaign.refresh_from_db()
        by = {"campaign": campaign, "actor": gm}
        if campaign.scene_id:
            scenes.close_scene(**by, op_id=uuid.uuid4(), values={})
        if campaign.session_id:
            sessions.close_session(**by, op_id=uuid.uuid4())
        sessions.open_session(**by, op_id=uuid.uuid4())
    campaign.refresh_from_db()


def told(campaign: Any, gm: Any) -> dict[str, list[str]]:
    """The words of the threads, by kind."""
    campaign.refresh_from_db()
    return {kind.name: [thread.words for thread in kind.lines] for kind in threads.threads(Viewer(campaign, gm))}


def test_what_nobody_used_for_three_sessions_is_told_until_it_is(
    as_alice: Client, campaign: Any, bobs: Any, scene: Any, ilse: Any, alices: Any
) -> None:
    roll(campaign, bobs, ilse, *ilse.traits.all())
    for _ in range(threads.SESSIONS):
        assert told(campaign, alices) == {}
        pass_sessions(campaign, alices, 1)
    assert told(campaign, alices) == {
        "debts": ["In debt Poor [−2]"], "never": ["Maps Expert [+4]", "Knife Good [+2]"]}
    character(campaign, bobs, "Hale", [("quality", "Late", 2)], player=bobs)  # there since today alone
    sessions.open_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The gate", characters=[ilse.pk])
    roll(campaign, bobs, ilse, trait(ilse, "Maps"), trait(ilse, "In debt"))
    assert told(campaign, alices) == {"never": ["Knife Good [+2]"]}
    html = page(as_alice, campaign)
    assert "Knife" in html and "entry" in html and "Ilse" in html


def test_a_question_and_a_debt_that_are_written_down_come_back_after_three_sessions(
    as_alice: Client, campaign: Any, alices: Any, bobs: Any
) -> None:
    by = {"campaign": campaign, "actor": alices}
    pages.write(**by, op_id=uuid.uuid4(), title="The quay",
                words="Who paid for the lamp? Rain.\n\n- The ferrymen owe us a song.\n- Who rang the bell?")
    pages.write(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), title="Mine", words="What did I do?", whose="mine")
    assert told(campaign, alices) == {}
    pass_sessions(campaign, alices)
    assert told(campaign, alices) == {
        "questions": ["Who paid for the lamp?", "Who rang the bell?"], "debts": ["The ferrymen owe us a song."]}
    sessions.write_recap(**by, op_id=uuid.uuid4(), session_id=campaign.session_id, title="", seen=campaign.head_seq,
                         recap="Who rang the bell? Odile.")
    assert told(campaign, alices)["questions"] == ["Who paid for the lamp?"]  # somebody came back to the other
    [words] = re.findall(r'name="words" value="(The quay: The ferrymen[^"]*)"', page(as_alice, campaign))
    at = f"/c/{campaign.slug}/prepare/plan/"
    assert as_alice.post(f"{at}lines/", body(words=words, type="todo", back="threads")).status_code == 302
    assert "✓ Planned" in page(as_alice, campaign)
    assert as_alice.post(f"{at}change/", body(tick=str(PlanLine.objects.get().pk))).status_code == 302
    assert "debts" not in told(campaign, alices)


def test_what_an_npc_owes_comes_back_too_and_nothing_else_of_their_sheets(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any
) -> None:
    lines = [("strength", "Owes Ilse a boat", 1), ("strength", "Fencing", 2)]
    lender = character(campaign, alices, "The lender", lines, npc=True, hidden=True)
    character(campaign, alices, "Old Tam", [("strength", "Debts everywhere", 1)], npc=True, retired=True)
    assert told(campaign, alices) == {}
    pass_sessions(campaign, alices)
    assert [debt for debt in told(campaign, alices)["debts"] if "boat" in debt] == ["Owes Ilse a boat Good [+2]"]
    assert "Fencing" not in str(told(campaign, alices)) and "everywhere" not in str(told(campaign, alices))
    html = page(as_alice, campaign)
    assert "Owes Ilse a boat" in html and "The lender" in html
    assert as_bob.get(f"/c/{campaign.slug}/prepare/threads/").status_code == 404
    sessions.open_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The bank", characters=[lender.pk])
    roll(campaign, alices, lender, trait(lender, "Owes Ilse a boat"))
    assert "boat" not in str(told(campaign, alices))


def test_one_tap_puts_a_thread_into_the_plan_with_its_entry(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, alices: Any
) -> None:
    pass_sessions(campaign, alices)
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
    assert "Burned hand" in html and "Lasting effects" in html and "Rope" not in html


def test_what_was_fixed_beforehand_is_shown_with_both_entries(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any, ilse: Any
) -> None:
    bank.write(campaign=campaign, actor=alices, op_id=uuid.uuid4(), type="resistance", name="A locked door",
               fields={"difficulty": "good"})
    bank.see(campaign=campaign, actor=alices, op_id=uuid.uuid4(), prepared_id=PrepItem.objects.get().pk, view=View.ALL)
    row = planned(as_alice, campaign, "The cellar", PrepItem.objects.get().name)
    at = f"/c/{campaign.slug}/prepare/plan/"
    as_alice.post(f"{at}lines/", body(scene=str(row.pk), words="If they climb, the rope breaks", type="fixed"))
    assert as_alice.post(f"{at}scenes/{row.pk}/open/", body()).status_code == 302
    met = roll(campaign, bobs, ilse, trait(ilse, "Maps"), met=Obstacle.objects.get()).seq
    roll(campaign, bobs, ilse, trait(ilse, "Maps"))
    rope, door = PlanLine.objects.get(type="fixed"), PlanLine.objects.get(type="obstacle")
    assert as_alice.get(at).content.decode().count("Reveal") >= 2
    for line in (rope, door):
        assert as_alice.post(f"{at}change/", body(reveal=str(line.pk))).status_code == 302
    html = as_bob.get(f"/c/{campaign.slug}/ledger/").content.decode()
    for line, chosen in ((rope, 0), (door, met)):  # what nobody met by its name is not said to have been met
        fixed = Revelation.objects.get(entry__payload__text__contains=line.words).entry.seq
        [note] = re.findall(rf'Fixed in <a href="[^"]*/ledger/{fixed}/".*?</p>', html)
        named = [int(seq) for seq in re.findall(r"/ledger/(\d+)/", note)]
        assert named == [fixed, chosen][:1 + bool(chosen)] and (not chosen or fixed < chosen)
        shown = as_bob.get(f"/c/{campaign.slug}/ledger/{fixed}/").content.decode()
        assert line.words in shown
    assert "Fixed beforehand: A locked door, good 9" in html and "before the choice in" in html
    again = as_alice.post(f"{at}change/", body(reveal=str(rope.pk)))
    assert again.status_code == 422 and "already visible to everyone" in again.content.decode()
    assert not list(differences(campaign.pk))
