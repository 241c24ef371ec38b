"""The roll tray of each game, and the obstacles on the scene: what it asks, its odds, the roll in one entry."""
from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from campaigns import trail
from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from characters.models import Character, Trait
from play.models import Contest, Obstacle
from play.services import bank, sessions
from play.services.obstacles import named_chips
from rules.system import Opposes
from tests import laid
from tests.html_forms import Page
from tests.play.conftest import body, character, trait
from tests.play.tray_page import sent_by, shown, who_rolls
from tests.verifier.test_on_the_server import through

pytestmark = pytest.mark.django_db

SHEETS = {
    "pdq": [("strength", "Maps", 2)],
    "pnc": [("feature", "Good jumper", 1), ("feature", "Slow", -1)],
    "questworlds": [("keyword", "Mapmaker", 17), ("ability", "Knife", 13)],
    "danger_world": [("stat", "Agility", 4), ("stat", "Speed", 3)],
}
OBSTACLE = {
    "pdq": {"difficulty": "good"}, "pnc": {"rung": "hard"}, "questworlds": {"resistance": "11"},
    "danger_world": {"difficulty": "2"},
}


def chosen(who: Character) -> dict[str, Any]:
    """What a player taps in the tray of the game."""
    lines = [str(trait.pk) for trait in who.traits.order_by("place")]
    return {
        "pdq": {"traits": lines, "difficulty": "average"}, "pnc": {"features": lines[:1]},
        "questworlds": {"ability": lines[0]}, "danger_world": {"stats": lines},
    }[who.campaign.system]


@pytest.fixture(params=sorted(SHEETS))
def campaign(request: pytest.FixtureRequest, alice: Any) -> Any:
    """Alice's campaign, of each game that rolls from a tray."""
    return found(user=alice, op_id=uuid.uuid4(), name=f"At the table {request.param}", system=request.param)


@laid.fixture
def nell(campaign: Any, bobs: Any) -> Character:
    """Bob's."""
    return character(campaign, bobs, "Nell", SHEETS[campaign.system], player=bobs)


@laid.fixture
def scene(campaign: Any, alices: Any, nell: Character) -> None:
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The pier", characters=[nell.pk])
    campaign.refresh_from_db()


@laid.fixture
def wall(as_alice: Client, campaign: Any, scene: None) -> Obstacle:
    """What Alice has put on the scene."""
    sent = body(name="The wet wall", **OBSTACLE[campaign.system])
    assert as_alice.post(f"/c/{campaign.slug}/obstacles/put/", sent).status_code == 302
    return Obstacle.objects.get()


def sent(client: Client, who: Character, **more: Any) -> dict[str, Any]:
    return body(character=str(who.pk), shown=shown(client, who.campaign, who), **chosen(who), **more)


def test_the_tray_stands_on_the_table_with_its_odds(as_bob: Client, campaign: Any, nell: Any, wall: Obstacle) -> None:
    page = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert 'id="tray"' in page and "The wet wall" in page
    html = as_bob.post(
        f"/c/{campaign.slug}/tray/", sent(as_bob, nell, obstacle=str(wall.pk)), HTTP_HX_REQUEST="true").content.decode()
    assert 'class="odds"' in html and "%" in html


def test_a_roll_against_what_the_gm_put_there_is_one_entry(
    as_bob: Client, campaign: Any, nell: Any, wall: Obstacle
) -> None:
    campaign.refresh_from_db()
    before = campaign.head_seq
    answer = as_bob.post(f"/c/{campaign.slug}/roll/", sent(as_bob, nell, obstacle=str(wall.pk), client_seed="ab" * 32))
    assert answer.status_code == 302, answer.content.decode()
    campaign.refresh_from_db()
    entry = Entry.objects.get(campaign=campaign, seq=campaign.head_seq)
    assert campaign.head_seq == before + 1 and entry.kind == "contest.tray"
    page = as_bob.get(f"/c/{campaign.slug}/ledger/{entry.seq}/").content.decode()
    assert 'class="die' in page and "The wet wall" in page
    assert not list(differences(campaign.pk)) and not through(campaign).fault


def test_the_same_roll_sent_twice_is_made_once(as_bob: Client, campaign: Any, nell: Any, wall: Obstacle) -> None:
    roll = sent(as_bob, nell, obstacle=str(wall.pk), client_seed="ab" * 32)
    first = as_bob.post(f"/c/{campaign.slug}/roll/", roll)
    count = Entry.objects.filter(campaign=campaign).count()
    again = as_bob.post(f"/c/{campaign.slug}/roll/", roll)
    assert (again.status_code, again["Location"]) == (302, first["Location"])
    assert Entry.objects.filter(campaign=campaign).count() == count


def test_nobody_rolls_for_somebody_elses(
    as_bob: Client, campaign: Any, alices: Any, nell: Any, wall: Obstacle
) -> None:
    other = character(campaign, alices, "Ada", SHEETS[campaign.system], player=alices)
    answer = as_bob.post(f"/c/{campaign.slug}/roll/", sent(as_bob, other, obstacle=str(wall.pk)))
    assert answer.status_code == 422 and not Contest.objects.exists()


def test_one_tap_of_the_gm_puts_something_in_the_way(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, nell: Any, scene: None
) -> None:
    known = {line.name for line in nell.traits.all()}
    guard = character(campaign, alices, "Old Marrow", SHEETS[campaign.system], npc=True)
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[nell.pk, guard.pk])
    fields = {**OBSTACLE, "questworlds": {"situations": "by force: 19"}}[campaign.system]
    bank.write(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), name="The old gate", fields=fields,
        type="challenge" if campaign.system == "danger_world" else "resistance")
    at = f"/c/{campaign.slug}/"
    chips = dict(re.findall(r'name="chip" value="([^"]*)">([^<]*)<', as_alice.get(at).content.decode()))
    assert 'name="chip"' not in as_bob.get(at).content.decode(), "the GM’s alone"
    kinds = {value.partition(":")[0] for value in chips}
    opposes = isinstance(campaign.rules.rolls, Opposes)
    assert kinds == {"item", "named", "line" if opposes else "person"}
    assert not opposes or any(f"Old Marrow: {name}" in words for words in chips.values() for name in known)
    for kind in sorted(kinds):
        chip = next(value for value in chips if value.startswith(kind))
        assert as_alice.post(f"{at}obstacles/put/", body(chip=chip)).status_code == 302
    assert Obstacle.objects.count() == len(kinds)
    page = as_bob.get(at).content.decode()
    assert "Something unknown" in page and "The old gate" not in page, "it stands in the way for all, hidden as it is"
    assert Obstacle.objects.filter(name__startswith="Old Marrow").exists()
    for forged in ("item:x", f"line:{uuid.uuid4()}", "named:nothing", f"item:{uuid.uuid4()}:0", "what",
                   f"person:{uuid.uuid4()}:2", f"person:{guard.pk}:nothing", f"person:{nell.pk}:2"):
        as_alice.post(f"{at}obstacles/put/", body(chip=forged))
    assert Obstacle.objects.count() == len(kinds) and not list(differences(campaign.pk))


def test_a_forged_obstacle_is_refused(as_bob: Client, campaign: Any, nell: Any, wall: Obstacle) -> None:
    answer = as_bob.post(f"/c/{campaign.slug}/roll/", sent(as_bob, nell, obstacle=str(uuid.uuid4())))
    assert answer.status_code == 422 and not Contest.objects.exists()


def test_an_obstacle_goes_with_the_scene_or_when_it_is_removed(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Any, wall: Obstacle
) -> None:
    assert as_bob.post(f"/c/{campaign.slug}/obstacles/put/", body(name="Mine")).status_code == 404
    assert as_alice.post(f"/c/{campaign.slug}/obstacles/{wall.pk}/remove/", body()).status_code == 302
    assert "The wet wall" not in as_bob.get(f"/c/{campaign.slug}/").content.decode().partition("What happened")[0]
    assert not list(differences(campaign.pk))


def test_a_roll_asks_no_more_queries_after_many(
    as_bob: Client, campaign: Any, nell: Any, wall: Obstacle, django_assert_max_num_queries: Any
) -> None:
    for _ in range(3):
        as_bob.post(f"/c/{campaign.slug}/roll/", sent(as_bob, nell, obstacle=str(wall.pk)))
    roll = sent(as_bob, nell, obstacle=str(wall.pk))
    # Four of them are its savepoints; PostgreSQL tells whoever listens.
    with django_assert_max_num_queries(31 + (connection.vendor == "postgresql")):
        assert as_bob.post(f"/c/{campaign.slug}/roll/", roll).status_code == 302


def test_qw_20_without_an_obstacle_the_gm_is_asked(as_alice: Client, as_bob: Client, alice: Any, bobs: Any) -> None:
    from tests.conftest import join

    salt = found(user=alice, op_id=uuid.uuid4(), name="Salt", system="questworlds")
    tam = character(salt, None, "Tam", SHEETS["questworlds"], player=join(salt, bobs.user, "player"))
    sessions.open_session(campaign=salt, actor=salt.members.get(user=alice), op_id=uuid.uuid4())
    salt.refresh_from_db()
    sessions.open_scene(
        campaign=salt, actor=salt.members.get(user=alice), op_id=uuid.uuid4(), title="The pier", characters=[tam.pk])
    answer = as_bob.post(f"/c/{salt.slug}/roll/", sent(as_bob, tam))
    assert answer.status_code == 302, answer.content.decode()
    contest = Contest.objects.get(campaign=salt)
    assert not contest.over and contest.title == "Mapmaker"
    table = as_alice.get(f"/c/{salt.slug}/").content.decode()
    assert trait(tam, "Mapmaker").name in table and "Base 14" in table, "the GM answers from the table"
    at = f"/c/{salt.slug}/contests/{contest.pk}/"
    answered = as_alice.post(f"{at}against/gm/", body(against="named:high", keep="on", at="table"))
    assert (answered.status_code, answered["Location"]) == (302, f"/c/{salt.slug}/?contest={contest.pk}#contest")
    kept = Obstacle.objects.get(campaign=salt)
    assert json.loads(kept.spec)["fields"] == {"resistance": "high"}, "what is kept is the GM’s word"
    assert f'value="{kept.pk}"' in as_bob.get(f"/c/{salt.slug}/").content.decode(), "and one rolls against it"
    assert "Roll 17 against 20" in as_bob.get(f"/c/{salt.slug}/").content.decode()
    assert as_bob.post(f"{at}roll/{tam.pk}/", body(at="table", client_seed="ab" * 32)).status_code == 302
    assert not list(differences(salt.pk)) and not through(salt).fault


def test_qw_60_what_touches_the_ability_stands_ready_and_counts_though_it_is_unticked(
    as_alice: Client, as_bob: Client, alice: Any, bob: Any
) -> None:
    from tests.conftest import join

    salt = found(user=alice, op_id=uuid.uuid4(), name="Salt", system="questworlds")
    alices = salt.members.get(user=alice)
    tam = character(salt, None, "Tam", SHEETS["questworlds"], player=join(salt, bob, "player"))
    with trail.entry(campaign=salt, actor=alices, op_id=uuid.uuid4(), kind="character.edit", title="Watched") as entry:
        watched = entry.create(Trait(
            campaign=entry.campaign, character=tam, kind="consequence", name="Ink on the fingers", value=1, place=5,
            note="mapmaker, forging"))
    salt.refresh_from_db()
    sessions.open_session(campaign=salt, actor=alices, op_id=uuid.uuid4())
    salt.refresh_from_db()
    sessions.open_scene(campaign=salt, actor=alices, op_id=uuid.uuid4(), title="The pier", characters=[tam.pk])
    assert as_alice.post(f"/c/{salt.slug}/obstacles/put/", body(chip="named:")).status_code == 302
    wall, at = Obstacle.objects.get(), f"/c/{salt.slug}/tray/"
    ready = re.compile(rf'name="lines" value="{watched.pk}"[^>]*checked')

    def asked(ability: str, **more: Any) -> str:
        chosen = {"character": str(tam.pk), "shown": shown(as_bob, salt, tam), "obstacle": str(wall.pk)}
        used = str(trait(tam, ability).pk)
        return as_bob.post(at, body(**chosen, ability=used, **more), HTTP_HX_REQUEST="true").content.decode()

    first = asked("Mapmaker", fitted="")
    assert ready.search(first) and "Roll 14 against 14" in first, "it counts, and is said"
    mapmaker = str(trait(tam, "Mapmaker").pk)
    off = asked("Mapmaker", fitted=mapmaker)
    assert "Roll 14 against 14" in off and 'id="applies"' not in off, "what binds is not a player’s to take off"
    other = asked("Knife", fitted=mapmaker, lines=[str(watched.pk)])
    assert not ready.search(other) and "Roll 13 against 14" in other
    as_alice.post(f"/c/{salt.slug}/obstacles/{wall.pk}/remove/", body())
    as_bob.post(f"/c/{salt.slug}/roll/", body(character=str(tam.pk), shown=shown(as_bob, salt, tam), ability=mapmaker))
    contest = Contest.objects.get(campaign=salt)
    as_alice.post(f"/c/{salt.slug}/contests/{contest.pk}/against/gm/", body(against="base:"))
    table = as_bob.get(f"/c/{salt.slug}/").content.decode()
    assert "Roll 14 against 14" in table and not Obstacle.objects.exists(), "a tap of the GM’s counts it, too, once"


def test_qw_03_somebody_who_is_here_stands_in_the_way_with_an_ability(
    as_alice: Client, as_bob: Client, alice: Any, bobs: Any
) -> None:
    from tests.conftest import join

    salt = found(user=alice, op_id=uuid.uuid4(), name="Salt", system="questworlds")
    alices = salt.members.get(user=alice)
    tam = character(salt, None, "Tam", SHEETS["questworlds"], player=join(salt, bobs.user, "player"))
    guard = character(salt, alices, "Old Marrow", [("keyword", "Warden", 17)], npc=True)
    with trail.entry(campaign=salt, actor=alices, op_id=uuid.uuid4(), kind="character.edit", title="Eyes") as entry:
        within = entry.create(Trait(
            campaign=entry.campaign, character=guard, kind="breakout", name="Sharp eyes", value=6, place=1,
            parent=trait(guard, "Warden")))
    salt.refresh_from_db()
    sessions.open_session(campaign=salt, actor=alices, op_id=uuid.uuid4())
    salt.refresh_from_db()
    here = [tam.pk, guard.pk]
    sessions.open_scene(campaign=salt, actor=alices, op_id=uuid.uuid4(), title="The pier", characters=here)
    put = as_alice.post(f"/c/{salt.slug}/obstacles/put/", body(trait=str(within.pk)))
    assert put.status_code == 302, put.content.decode()
    table = as_bob.get(f"/c/{salt.slug}/").content.decode()
    assert "Old Marrow: Sharp eyes · 3M" in table, "a breakout counts with its keyword"
    wall = Obstacle.objects.get()
    html = as_bob.post(f"/c/{salt.slug}/tray/", sent(as_bob, tam, obstacle=str(wall.pk)), HTTP_HX_REQUEST="true")
    assert "Roll 17 against 3M" in html.content.decode()


def test_a_gms_tray_opens_with_an_npc_and_never_with_a_players_character(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, nell: Any, scene: None
) -> None:
    assert who_rolls(as_bob, campaign) == str(nell.pk)
    page = as_alice.get(f"/c/{campaign.slug}/").content.decode()
    assert who_rolls(as_alice, campaign) == "" and '<option value="" selected>Choose a character</option>' in page
    refused = as_alice.post(f"/c/{campaign.slug}/roll/", sent_by(page))
    assert refused.status_code == 422 and "Choose a character." in refused.content.decode()
    chosen = as_alice.post(
        f"/c/{campaign.slug}/tray/", {**sent_by(page), "character": str(nell.pk)}, HTTP_HX_REQUEST="true")
    assert chosen["HX-Retarget"] == "#applies" and str(nell.traits.order_by("place")[0].pk) in chosen.content.decode()
    npc = character(campaign, alices, "Zora", SHEETS[campaign.system], npc=True)
    sessions.set_presence(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[nell.pk, npc.pk])
    assert who_rolls(as_alice, campaign) == str(npc.pk)


OPPOSES = {"danger_world": {"difficulty"}, "pdq": {"difficulty", "against"}, "pnc": set(), "questworlds": set()}


@pytest.mark.parametrize("what", ["nothing", "an obstacle"])
def test_whom_and_what_a_gm_rolls_against_is_in_sight(
    as_alice: Client, campaign: Any, alices: Any, nell: Any, scene: None, what: str
) -> None:
    npc = character(campaign, alices, "Zora", SHEETS[campaign.system], npc=True)
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[nell.pk, npc.pk])
    against = OPPOSES[campaign.system]
    if what == "an obstacle":
        as_alice.post(f"/c/{campaign.slug}/obstacles/put/", body(name="The wet wall", **OBSTACLE[campaign.system]))
        against = {"obstacle"} | against & {"against"}
    page = Page(as_alice.get(f"/c/{campaign.slug}/"))
    tray = page.form(action="/roll/")
    assert {name for name, control in tray.controls.items() if control.type == "select"} >= against
    folded = {element.attributes.get("name") for element in page.of_attribute("data-keep", "more-options")}
    assert folded and not folded & against, "what says how hard it is never unfolds first"
    if "against" not in against:
        return
    line = str(nell.traits.get().pk)
    answer = tray.send(as_alice, traits=[str(npc.traits.get().pk)], against=line)
    assert answer.status_code == 302, answer.content.decode()
    campaign.refresh_from_db()
    told = as_alice.get(f"/c/{campaign.slug}/ledger/{campaign.head_seq}/").content.decode()
    assert "Maps (Nell)" in told, "a quality of whoever opposes sets how hard it is (PQ-09)"


@pytest.mark.parametrize("campaign", ["danger_world", "pdq"], indirect=True)
def test_nothing_is_put_in_the_way_where_nothing_can_stand(
    as_alice: Client, campaign: Any, nell: Any, wall: Obstacle, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, rolls = f"/c/{campaign.slug}/", campaign.rules.rolls
    line, (named, _) = f"line:{nell.traits.earliest('place').pk}", named_chips(rolls)[0]

    def put(chip: str) -> str:
        return str(as_alice.post(f"{table}obstacles/put/", body(chip=chip), follow=True).content.decode())

    if not isinstance(rolls, Opposes):
        assert "In this game a character’s trait can’t be an obstacle." in put(line)
    with monkeypatch.context() as game:
        game.setattr(type(rolls), "obstacle", ())
        assert "This game has no obstacles." in put(line)
    assert as_alice.post(f"{table}scene/close/", body(danger="momentary")).status_code == 302
    assert "Open a scene first." in put(named) and Obstacle.objects.get() == wall


def test_several_of_ones_own_are_chips_on_tray_and_sheet(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, bobs: Any
) -> None:
    assert "Your characters" not in as_bob.get(f"/c/{campaign.slug}/").content.decode()
    wren = character(campaign, bobs, "Wren", SHEETS[campaign.system], player=bobs)
    for address in (f"/c/{campaign.slug}/?character={wren.pk}", f"/c/{campaign.slug}/characters/{wren.pk}/"):
        page = Page(as_bob.get(address))
        chips = page.of_class("switcher", "a")
        assert [chip.text for chip in chips] == ["Nell", "Wren"]
        assert [chip.attributes.get("aria-current") for chip in chips] == [None, "page"]
    to_nell = as_bob.get(page.of_class("switcher", "a")[0].attributes["href"]).content.decode()
    assert "<h1 id=\"sheet-name\">Nell</h1>" in to_nell
    table = Page(as_bob.get(f"/c/{campaign.slug}/?character={wren.pk}"))
    back = as_bob.get(table.of_class("switcher", "a")[0].attributes["href"]).content.decode()
    assert sent_by(back)["character"] == [str(nell.pk)]
    assert "<select name=\"character\"" not in back
    assert "Your characters" not in as_alice.get(f"/c/{campaign.slug}/").content.decode()
