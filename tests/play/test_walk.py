"""Between evenings: what lasts, how hard a season is, and what was left open (QW-61, QW-03, QW-01)."""
from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns import trail
from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.services.setting import last_change
from campaigns.trail.rebuild import differences
from characters.models import Character, Trait
from play.models import Contest, Session
from play.services import scenes, sessions
from tests import laid
from tests.play.conftest import MOVED, body, character, stays_on_top, trait

pytestmark = pytest.mark.django_db


@laid.fixture
def campaign(alice: Any) -> Any:
    """Alice's campaign, of another game than usual."""
    return found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system="questworlds")


@laid.fixture
def ilse(campaign: Any, bobs: Any) -> Character:
    made = character(campaign, bobs, "Ilse", [("keyword", "Mapmaker", 17), ("benefit", "A favour", 1)], player=bobs)
    with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="test", title="It lasts") as entry:
        entry.create(Trait(
            campaign=entry.campaign, character=made, kind="consequence", name="A bruised name", value=2, place=2,
            note="Anything said at court. From: The ball"))
    campaign.refresh_from_db()
    return made


@laid.fixture
def marrow(campaign: Any, alices: Any) -> Character:
    """An NPC who carries something, in no scene."""
    return character(campaign, alices, "Old Marrow", [("consequence", "A limp", 1)], npc=True)


@laid.fixture
def others(campaign: Any, alices: Any) -> list[Character]:
    """An NPC who carries nothing, and one whom only the GM knows of."""
    limp = [("consequence", "A secret wound", 1)]
    return [character(campaign, alices, "Calm Dorn", [("ability", "Nets", 13)], npc=True),
            character(campaign, alices, "Whisper", limp, npc=True, hidden=True)]


@laid.fixture
def session(campaign: Any, alices: Any, ilse: Any, marrow: Any, others: Any) -> Any:
    """A session that has just begun; no scene is on."""
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    campaign.refresh_from_db()
    return campaign


def at(campaign: Any, rest: str = "") -> str:
    return f"/c/{campaign.slug}/{rest}"


def begin(client: Client, campaign: Any, **more: Any) -> Contest:
    sent = body(**{"title": "A winter", "season": "0", "c0_side": "on", "c1_side": "on", **more})
    answer = client.post(at(campaign, "contests/start/walk/"), sent)
    assert answer.status_code == 302, answer.content.decode()
    return Contest.objects.get(kind="questworlds.walk", over=False)


def act(client: Client, walk: Contest, action: str, **values: Any) -> Any:
    return client.post(f"/c/{walk.campaign.slug}/contests/{walk.pk}/{action}/gm/", body(**values))


def look(client: Client, campaign: Any, walk: Contest) -> str:
    answer = client.get(at(campaign, f"contests/{walk.pk}/"))
    assert answer.status_code == 200
    return answer.content.decode()


def test_qw_61_opening_a_session_leads_to_what_lasts(as_alice: Client, as_bob: Client, session: Any) -> None:
    page = as_alice.get(at(session)).content.decode()
    assert "Carried over: Ilse, Old Marrow" in page and "Whisper" not in page.split("Before you begin")[1][:400]
    assert "contests/start/walk/" in page
    assert "Before you begin" not in as_bob.get(at(session)).content.decode()


def test_qw_61_the_pointer_goes_with_the_walk_or_the_first_scene(
    as_alice: Client, session: Any, alices: Any, ilse: Any
) -> None:
    walk = begin(as_alice, session)
    assert "Before you begin" not in as_alice.get(at(session)).content.decode()
    act(as_alice, walk, "finish")
    assert "Before you begin" not in as_alice.get(at(session)).content.decode()
    assert as_alice.post(at(session, "chronicle/close/"), body()).status_code == 302
    assert as_alice.post(at(session, "chronicle/open/"), body()).status_code == 302
    assert "Before you begin" in as_alice.get(at(session)).content.decode()
    session.refresh_from_db()
    sessions.open_scene(campaign=session, actor=alices, op_id=uuid.uuid4(), title="The quay", characters=[ilse.pk])
    assert "Before you begin" not in as_alice.get(at(session)).content.decode()


def test_qw_61_it_begins_without_a_scene_with_all_who_carry_something(as_alice: Client, session: Any) -> None:
    page = as_alice.get(at(session, "contests/start/walk/")).content.decode()
    assert "Ilse" in page and "A favour +3, A bruised name −6" in page and "A limp −3" in page
    assert "Calm Dorn" not in page and "Whisper" not in page and page.count("checked") == 2
    walk = begin(as_alice, session)
    assert walk.scene is None and len(json.loads(walk.setup)["contestants"]) == 2


def test_qw_61_each_line_has_its_taps_and_players_look_on(
    as_alice: Client, as_bob: Client, session: Any, ilse: Any, marrow: Any
) -> None:
    walk = begin(as_alice, session)
    page = look(as_alice, session, walk)
    assert "A bruised name" in page and "−6" in page and "Anything said at court. From: The ball" in page
    assert page.count('name="how" value="keep"') == 3 and "<select" not in page
    ids = re.findall(r'name="op_id" value="([^"]+)"', page)
    assert len(ids) == len(set(ids)), "two taps in a row would be taken for one that was repeated"
    seen = look(as_bob, session, walk)
    assert "A bruised name" in seen and 'name="how"' not in seen and "Waiting for the GM" in seen
    name, favour, limp = trait(ilse, "A bruised name"), trait(ilse, "A favour"), trait(marrow, "A limp")
    for line, how in ((name, "lower"), (favour, "keep"), (limp, "gone")):
        assert act(as_alice, walk, "look", line=str(line.pk), how=how).status_code == 302
    assert trait(ilse, "A bruised name").value == 1 and trait(ilse, "A favour").value == 1
    assert not Trait.objects.filter(pk=limp.pk).exists()
    late = act(as_alice, walk, "look", line=str(name.pk), how="gone")
    assert late.status_code == 409 and stays_on_top(late.content.decode(), MOVED)
    assert act(as_alice, walk, "finish").status_code == 302
    assert Contest.objects.get().over and not list(differences(session.pk))
    assert "The review is finished." in look(as_bob, session, walk)


def test_qw_61_a_finished_walk_lists_nothing_that_came_later(
    as_alice: Client, as_bob: Client, session: Any, alices: Any, ilse: Any
) -> None:
    walk = begin(as_alice, session)
    favour = trait(ilse, "A favour")
    assert act(as_alice, walk, "look", line=str(favour.pk), how="keep").status_code == 302
    assert act(as_alice, walk, "finish").status_code == 302
    with trail.entry(campaign=session, actor=alices, op_id=uuid.uuid4(), kind="test", title="Later") as entry:
        entry.create(Trait(campaign=session, character=ilse, kind="consequence", name="A burnt hand", value=1, place=3))
    seen = look(as_bob, session, walk)
    assert "A burnt hand" not in seen and "Nothing lasts any more." not in seen
    assert "A favour" in seen.partition("What was said")[2], "its entries say what was looked at"
    assert "A favour" not in seen.partition("What was said")[0]


def test_qw_61_all_of_it_is_cleared_in_one_act(as_alice: Client, as_bob: Client, session: Any) -> None:
    walk = begin(as_alice, session)
    assert "Clear all" in look(as_alice, session, walk)
    assert as_bob.post(at(session, f"contests/{walk.pk}/clear/gm/"), body()).status_code in (409, 422)
    assert act(as_alice, walk, "clear").status_code == 302
    assert list(Trait.objects.filter(kind__in=("consequence", "benefit")).values_list("name", flat=True)) == [
        "A secret wound"]
    entry = Entry.objects.get(kind="contest.clear")
    assert "A bruised name is over" in as_bob.get(at(session, f"ledger/{entry.seq}/")).content.decode()
    assert not list(differences(session.pk))


def test_qw_61_a_line_that_is_not_there_is_refused_in_words(as_alice: Client, session: Any) -> None:
    walk = begin(as_alice, session)
    answer = act(as_alice, walk, "look", line=str(uuid.uuid4()), how="gone")
    assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()


def test_qw_61_the_pages_need_no_more_queries_for_more_who_carry_something(
    as_alice: Client, session: Any, alices: Any
) -> None:
    def cost(path: str) -> int:
        with CaptureQueriesContext(connection) as asked:
            assert as_alice.get(at(session, path)).status_code == 200
        return len(asked)

    as_alice.get(at(session))
    before = [cost(""), cost("contests/start/walk/")]
    for number in range(4):
        character(session, alices, f"Porter {number}", [("consequence", "A sore back", 1)], npc=True)
    as_alice.get(at(session))
    assert [cost(""), cost("contests/start/walk/")] == before


def test_qw_03_everybody_reads_how_the_base_rose(
    as_alice: Client, as_bob: Client, session: Any, alices: Any, ilse: Any
) -> None:
    walk = begin(as_alice, session, season="6")
    rise = Entry.objects.get(kind="contest.start")
    session.refresh_from_db()
    assert session.settings["base"] == 20 and json.loads(session.settings_json)["base"] == 20
    settings = {f"setting-{name}": value for name, value in session.settings.items()}
    sent = {**body(base=last_change(session), name=session.name, pitch=""), **settings, "setting-base": "3M"}
    assert as_alice.post(at(session, "settings/"), sent).status_code == 302
    hand = Entry.objects.get(kind="campaign.settings")
    for page in ("settings/", "odds/"):
        seen = as_bob.get(at(session, page)).content.decode()
        assert "from 14 to <b>20</b>" in seen and "from 20 to <b>3M</b>" in seen
        assert f"ledger/{rise.seq}/" in seen and f"ledger/{hand.seq}/" in seen
    act(as_alice, walk, "finish")
    later = begin(as_alice, session)
    assert "it became <b>20</b>" in look(as_bob, session, later)


def test_qw_01_the_base_is_typed_in_both_forms_and_shown_as_the_campaign_writes_it(
    as_alice: Client, as_bob: Client, session: Any
) -> None:
    def send(**changes: str) -> Any:
        session.refresh_from_db()
        settings = {f"setting-{name}": value for name, value in session.settings.items()}
        setting_fields = {f"setting-{name}": value for name, value in changes.items()}
        return as_alice.post(at(session, "settings/"), {
            **body(base=last_change(session), name=session.name, pitch=""), **settings, **setting_fields})

    for typed, number in (("1M", 21), ("17", 17), ("2m", 22)):
        assert send(base=typed).status_code == 302
        session.refresh_from_db()
        assert json.loads(session.settings_json)["base"] == session.settings["base"] == number
    assert send(base="1W", symbol="W").status_code == 302
    assert 'value="1W"' in as_alice.get(at(session, "settings/")).content.decode()
    assert "<dd>1W</dd>" in as_bob.get(at(session, "settings/")).content.decode()
    for typed in ("5", "81", "+3", "hard"):
        refused = send(base=typed)
        page = refused.content.decode()
        assert refused.status_code == 422 and f'value="{typed}"' in page and "Enter " in page
    assert send(base="1W").status_code == 422, "nothing is different"


def test_qw_01_the_odds_page_reads_and_shows_the_campaigns_sign(as_bob: Client, alice: Any, session: Any) -> None:
    session.settings_json = '{"symbol":"W"}'
    session.save()
    page = as_bob.get(at(session, "odds/?of=contest&ability=7W&modifier=-W&resistance=1W")).content.decode()
    assert "7 against 1W." in page


@laid.fixture
def left_open(as_bob: Client, session: Any, alices: Any, ilse: Any, marrow: Any) -> Contest:
    """Bob framed a contest, and its scene closed before it was over."""
    sessions.open_scene(
        campaign=session, actor=alices, op_id=uuid.uuid4(), title="The quay", characters=[ilse.pk, marrow.pk])
    sent = body(title="Past the guard", who=str(ilse.pk))
    assert as_bob.post(at(session, "contests/start/framed/"), sent).status_code == 302
    return Contest.objects.get()


def test_whoever_closes_a_scene_reads_what_is_not_over(
    as_alice: Client, session: Any, left_open: Contest
) -> None:
    walk = begin(as_alice, session)
    page = as_alice.get(at(session, "scene/close/")).content.decode()
    assert "Still going on" in page and "Past the guard" in page and walk.title not in page
    assert as_alice.post(at(session, "scene/close/"), body()).status_code == 302


def test_a_contest_that_outlives_its_scene_is_still_open(
    as_alice: Client, as_bob: Client, session: Any, alices: Any, ilse: Any, left_open: Contest
) -> None:
    assert "Unfinished" not in as_bob.get(at(session)).content.decode()
    session.refresh_from_db()
    scenes.close_scene(campaign=session, actor=alices, op_id=uuid.uuid4(), values={})
    session.refresh_from_db()
    link = f"contests/{left_open.pk}/"
    for later in (False, True):
        if later:
            sessions.open_scene(
                campaign=session, actor=alices, op_id=uuid.uuid4(), title="The gate", characters=[ilse.pk])
        page = as_bob.get(at(session)).content.decode()
        assert "Unfinished" in page and link in page and "from The quay" in page
    choose = at(session, f"{link}choose/{ilse.pk}/")
    known = str(trait(ilse, "Mapmaker").pk)
    assert as_bob.post(choose, body(tactic="A forged pass", ability=known)).status_code == 302
    assert as_alice.post(at(session, f"{link}call_off/gm/"), body()).status_code == 302
    assert "Unfinished" not in as_bob.get(at(session)).content.decode()
    assert not list(differences(session.pk))


def test_a_sessions_end_names_what_is_unfinished(
    as_alice: Client, as_bob: Client, session: Any, alices: Any, left_open: Contest
) -> None:
    session.refresh_from_db()
    scenes.end_session(campaign=session, actor=alices, op_id=uuid.uuid4(), values={})
    for client in (as_alice, as_bob):
        ended = client.get(at(session, f"chronicle/{Session.objects.get().pk}/ended/")).content.decode()
        assert "Unfinished" in ended and f"contests/{left_open.pk}/" in ended
