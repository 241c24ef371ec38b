"""A tray that has stood open: where the scene has something else by the press, nothing is rolled, and it says so."""
from __future__ import annotations

import json
import re
import uuid
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import trail
from campaigns.access import viewer as viewer_of
from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from characters.models import Character, Trait
from characters.services import lifecycle
from play.models import AskedRoll, Contest, Obstacle
from play.services import asked_rolls, obstacles, sessions
from play.shown import Shown
from play.views import tray as views
from tests import laid
from tests.play.conftest import body, character
from tests.play.test_sealed_stays_quiet import ONCE
from tests.play.test_tray import OBSTACLE, SHEETS
from tests.play.tray_page import label_of, sent_by, shown, tray_in

pytestmark = pytest.mark.django_db

GAMES = {**SHEETS, "pdq_sharp": [("forte", "Fencing", 2), ("forte", "Repartee", 1)]}
HARD = {**OBSTACLE, "pdq_sharp": {"difficulty": "good"}}
HARDER = {
    "pdq": {"difficulty": "master"}, "pnc": {"rung": "very hard"}, "questworlds": {"resistance": "high"},
    "danger_world": {"difficulty": "4"}, "pdq_sharp": {"difficulty": "expert"},
}
TICKED = {"pdq": "traits", "pdq_sharp": "fortes", "pnc": "features", "questworlds": "ability", "danger_world": "stats"}
COMES = {  # what an evening leaves on a sheet
    "pdq": ("weakness", -1), "pdq_sharp": ("forte", 1), "pnc": ("feature", -1), "questworlds": ("consequence", 1),
    "danger_world": ("setback", 2),
}
WORDS = "Over the wet planks"


@pytest.fixture(params=sorted(GAMES))
def campaign(request: pytest.FixtureRequest, alice: Any) -> Any:
    """Alice's campaign, of each game."""
    return found(user=alice, op_id=uuid.uuid4(), name=f"Shown {request.param}", system=request.param)


@laid.fixture
def marrow(campaign: Any, alices: Any) -> Character:
    """An NPC in plain sight."""
    return character(campaign, alices, "Old Marrow", GAMES[campaign.system][:1], npc=True)


@laid.fixture
def nell(campaign: Any, alices: Any, bobs: Any, marrow: Character) -> Character:
    """Bob's, on the pier with Old Marrow."""
    made = character(campaign, bobs, "Nell", GAMES[campaign.system], player=bobs)
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The pier", characters=[made.pk, marrow.pk])
    campaign.refresh_from_db()
    return made


def put(as_alice: Client, campaign: Any, name: str, values: dict[str, Any]) -> Obstacle:
    answer = as_alice.post(f"/c/{campaign.slug}/obstacles/put/", body(name=name, **values))
    assert answer.status_code == 302, answer.content.decode()
    return Obstacle.objects.get(name=name)


def words_of(campaign: Any, obstacle: Obstacle) -> str:
    words = campaign.rules.rolls.obstacle_words(obstacles.values_of(obstacle))
    return f"{obstacle.name}, {words}"


def remove(as_alice: Client, campaign: Any, obstacle: Obstacle) -> None:
    assert as_alice.post(f"/c/{campaign.slug}/obstacles/{obstacle.pk}/remove/", body()).status_code == 302


def filled(client: Client, who: Character) -> dict[str, Any]:
    """The tray as its page shows it, with one line ticked and a few words, both taken from what is there."""
    page = client.get(f"/c/{who.campaign.slug}/").content.decode()
    sent, name = sent_by(page), TICKED[who.campaign.system]
    lines = [str(trait.pk) for trait in who.traits.order_by("place")]
    used = lines if name == "stats" else lines[:1]
    assert all(label_of(page, name, pk) for pk in used) and 'name="what"' in tray_in(page)
    return {**sent, name: used, "what": [WORDS]}


class Press:
    """A press of Bob's, held against what the campaign was before it."""

    def __init__(self, client: Client, campaign: Any, sent: dict[str, Any], **more: Any) -> None:
        before = Entry.objects.filter(campaign=campaign).count(), Contest.objects.count()
        self.answer = client.post(f"/c/{campaign.slug}/roll/", sent, **more)
        self.page = self.answer.content.decode()
        self.wrote = (Entry.objects.filter(campaign=campaign).count(), Contest.objects.count()) != before
        alert = re.search(r'<p class="error" role="alert">(.*?)</p>', tray_in(self.page))
        self.said = unescape(alert[1]) if alert else ""


def came_back(press: Press, sent: dict[str, Any], system: str) -> dict[str, Any]:
    """Nothing was rolled, and what was chosen is chosen still; answers what the tray would send now."""
    assert press.answer.status_code == 422 and not press.wrote
    assert tray_in(press.page).count('role="alert"') == 1 and "Finish what is open" not in press.page
    again = sent_by(press.page)
    for name in (TICKED[system], "what", "character", "op_id"):
        assert again[name] == sent[name], name
    return again


def test_an_obstacle_that_has_come_is_said_and_a_second_press_rolls_against_it(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    sent = filled(as_bob, nell)
    fog = put(as_alice, campaign, "Fog over the bar", HARD[campaign.system])
    press = Press(as_bob, campaign, sent)
    again = came_back(press, sent, campaign.system)
    assert press.said == f"The obstacle is now {words_of(campaign, fog)}. Roll again to roll against it."
    assert again["obstacle"] == [str(fog.pk)] and again["shown"] != sent["shown"]
    assert 'class="odds' in tray_in(press.page), "with the numbers of now"
    rolled = Press(as_bob, campaign, again)
    assert rolled.answer.status_code == 302 and rolled.wrote
    entry = Entry.objects.filter(campaign=campaign).exclude(kind="dice.commit").latest("seq")
    assert fog.name in entry.payload.text and not list(differences(campaign.pk))


def test_an_obstacle_that_is_another_now_is_said(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    fog = put(as_alice, campaign, "Fog over the bar", HARD[campaign.system])
    sent = filled(as_bob, nell)
    assert sent["obstacle"] == [str(fog.pk)]
    remove(as_alice, campaign, fog)
    fog = put(as_alice, campaign, "Fog over the bar", HARDER[campaign.system])
    press = Press(as_bob, campaign, sent)
    again = came_back(press, sent, campaign.system)
    assert f"The obstacle is now {words_of(campaign, fog)}. Roll again to roll against it." in press.said
    assert again["obstacle"] == [str(fog.pk)] and Press(as_bob, campaign, again).answer.status_code == 302


def test_an_obstacle_that_is_gone_is_said_and_the_choice_stays(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    fog = put(as_alice, campaign, "Fog over the bar", HARD[campaign.system])
    sent = filled(as_bob, nell)
    remove(as_alice, campaign, fog)
    press = Press(as_bob, campaign, sent)
    again = came_back(press, sent, campaign.system)
    assert press.said == "Fog over the bar is no longer an obstacle. Check the numbers, then roll again."
    assert not any(again.get("obstacle", ())) and Press(as_bob, campaign, again).answer.status_code == 302


def test_what_was_chosen_stays_where_something_else_comes(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    wall = put(as_alice, campaign, "The wet wall", HARD[campaign.system])
    put(as_alice, campaign, "The old gate", HARD[campaign.system])
    page = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert label_of(page, "obstacle", str(wall.pk))
    sent = {**filled(as_bob, nell), "obstacle": [str(wall.pk)]}
    fog = put(as_alice, campaign, "Fog over the bar", HARDER[campaign.system])
    press = Press(as_bob, campaign, sent)
    again = came_back(press, sent, campaign.system)
    assert again["obstacle"] == [str(wall.pk)]
    assert press.said == f"New obstacle: {words_of(campaign, fog)}. Check the numbers, then roll again."
    remove(as_alice, campaign, fog)
    assert Press(as_bob, campaign, again).answer.status_code == 302, "what is rolled against is as it was shown"


def test_what_a_sheet_got_meanwhile_is_said(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, nell: Character
) -> None:
    put(as_alice, campaign, "Fog over the bar", HARD[campaign.system])
    sent, (kind, value) = filled(as_bob, nell), COMES[campaign.system]
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="character.edit", title="Hurt") as entry:
        hurt = entry.create(Trait(
            campaign=entry.campaign, character=nell, kind=kind, name="Ink on the fingers", value=value, place=9,
            note="mapmaker"))
    press = Press(as_bob, campaign, sent)
    again = came_back(press, sent, campaign.system)
    assert press.said.startswith("On Nell’s sheet there is now Ink on the fingers ")
    if campaign.system == "questworlds":
        assert again["lines"] == [str(hurt.pk)], "it counts on this roll, and stands ready"
    assert Press(as_bob, campaign, again).answer.status_code == 302


def test_a_modifier_that_has_come_is_said(as_alice: Client, as_bob: Client, campaign: Any, nell: Character) -> None:
    if campaign.system != "pdq":
        pytest.skip("the GM gives none in this game")
    sent = filled(as_bob, nell)
    gift = body(character=str(nell.pk), kind="upshift", reason="The rope trick")
    assert as_alice.post(f"/c/{campaign.slug}/scene/gift/", gift).status_code == 302
    press = Press(as_bob, campaign, sent)
    again = came_back(press, sent, campaign.system)
    assert press.said.startswith("Now also counts on this roll: Upshift (The rope trick).")
    assert "The rope trick" in press.page.partition('id="forecast"')[2]
    assert Press(as_bob, campaign, again).answer.status_code == 302


def test_who_has_left_helps_no_more(
    as_bob: Client, campaign: Any, alices: Any, nell: Character, marrow: Character
) -> None:
    sent = filled(as_bob, nell)
    helps, page = str(marrow.traits.get().pk), as_bob.get(f"/c/{campaign.slug}/").content.decode()
    if 'name="help"' not in page:
        pytest.skip("nobody helps from this game’s tray")
    assert label_of(page, "help", helps)
    sent = {**sent, "help": [helps]}
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[nell.pk])
    press = Press(as_bob, campaign, sent)
    again = came_back(press, sent, campaign.system)
    assert press.said.startswith("No longer here: Old Marrow.") and "help" not in again
    assert Press(as_bob, campaign, again).answer.status_code == 302


def test_who_leaves_without_a_part_in_it_changes_nothing(
    as_bob: Client, campaign: Any, alices: Any, nell: Character
) -> None:
    sent = filled(as_bob, nell)
    sessions.set_presence(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[nell.pk])
    assert Press(as_bob, campaign, sent).answer.status_code == 302


def test_who_is_another_players_by_now_is_not_rolled_for(
    as_bob: Client, campaign: Any, alices: Any, nell: Character
) -> None:
    sent = filled(as_bob, nell)
    lifecycle.assign(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=nell.pk, player_id=alices.pk)
    press = Press(as_bob, campaign, sent)
    assert press.answer.status_code == 422 and not press.wrote


def test_what_moves_between_the_look_and_the_lock_is_seen(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(as_alice, campaign, "A low wall", HARD[campaign.system])
    sent, rolled = filled(as_bob, nell), views._rolled

    def late(*args: Any) -> Entry:
        put(as_alice, campaign, "Fog over the bar", HARD[campaign.system])
        return rolled(*args)

    monkeypatch.setattr(views, "_rolled", late)
    before = Contest.objects.count()
    answer = as_bob.post(f"/c/{campaign.slug}/roll/", sent)
    assert answer.status_code == 422 and Contest.objects.count() == before
    assert "The obstacle is now Fog over the bar" in answer.content.decode()
    monkeypatch.setattr(views, "_rolled", rolled)
    assert Press(as_bob, campaign, sent_by(answer.content.decode())).answer.status_code == 302


@pytest.mark.parametrize("kind", ["missing", "of another", "changed", "an id", "nonsense", "long"])
def test_without_a_word_of_what_was_shown_the_numbers_come_first(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character, kind: str
) -> None:
    fog = put(as_alice, campaign, "Fog over the bar", HARD[campaign.system])
    sent = filled(as_bob, nell)
    true = sent["shown"][0]
    sent["shown"] = {
        "missing": [], "of another": [shown(as_alice, campaign, nell)], "an id": [str(nell.pk)],
        "changed": [f"{true[:9]}{'A' if true[9] != 'A' else 'B'}{true[10:]}"], "nonsense": ["é:\x00:ü"],
        "long": ["A" * 50_000 + ":b"]}[kind]
    press = Press(as_bob, campaign, sent)
    again = came_back(press, sent, campaign.system)
    assert press.said.startswith("This roll was out of date.") and again["obstacle"] == [str(fog.pk)]
    assert Press(as_bob, campaign, again).answer.status_code == 302


def test_the_same_press_again_is_the_first_roll_whatever_has_come_since(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    sent = filled(as_bob, nell)
    first = Press(as_bob, campaign, sent)
    assert first.answer.status_code == 302
    put(as_alice, campaign, "Fog over the bar", HARD[campaign.system])
    again = Press(as_bob, campaign, sent)
    assert not again.wrote and again.answer["Location"] == first.answer["Location"]


def test_what_the_gm_asks_for_is_said_and_answered_once_however_often_it_is_sent(
    as_bob: Client, campaign: Any, alices: Any, nell: Character
) -> None:
    sent = filled(as_bob, nell)
    asked_rolls.ask(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[nell.pk], what="Cross the pier",
                    values=HARD[campaign.system])
    words = campaign.rules.rolls.obstacle_words(HARD[campaign.system])
    press = Press(as_bob, campaign, sent)
    again = came_back(press, sent, campaign.system)
    assert press.said == f"The GM now asks for Cross the pier, {words}. Roll again to roll against it."
    first, second = Press(as_bob, campaign, again), Press(as_bob, campaign, again)
    assert AskedRoll.objects.get().rolled and not second.wrote
    assert first.answer["Location"] == second.answer["Location"], "though it is not asked for any more"
    late = Press(as_bob, campaign, {**again, "op_id": [str(uuid.uuid4())]})
    assert late.said == "The GM no longer asks for Cross the pier. Check the numbers, then roll again."


def test_the_odds_bring_a_tray_that_is_not_as_it_was_shown(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    sent, at = filled(as_bob, nell), f"/c/{campaign.slug}/tray/"
    same = as_bob.post(at, sent, headers={"HX-Request": "true"})
    assert 'name="shown"' not in same.content.decode() or same["HX-Retarget"] == "#applies"
    fog = put(as_alice, campaign, "Fog over the bar", HARD[campaign.system])
    answer = as_bob.post(at, sent, headers={"HX-Request": "true"})
    page = answer.content.decode()
    assert (answer.status_code, answer["HX-Retarget"]) == (200, "#tray")
    assert f"The obstacle is now {words_of(campaign, fog)}.</p>" in unescape(page), "nobody has rolled yet"
    again = sent_by(page)
    assert again["obstacle"] == [str(fog.pk)] and again[TICKED[campaign.system]] == sent[TICKED[campaign.system]]
    assert Press(as_bob, campaign, again).answer.status_code == 302, "what goes along is what was seen last"


def test_an_open_tray_is_drawn_anew_with_whoever_has_come(
    as_alice: Client, as_bob: Client, campaign: Any, bobs: Any, nell: Character
) -> None:
    sent, at, before = filled(as_bob, nell), f"/c/{campaign.slug}/tray/", campaign.head_seq
    other = character(campaign, bobs, "Wren", GAMES[campaign.system], player=bobs)
    news = as_bob.get(f"/c/{campaign.slug}/feed/", {"since": before}, headers={"HX-Request": "true"})
    assert news["HX-Trigger"] == "stale"
    answer = as_bob.post(at, sent, headers={"HX-Request": "true"})
    page = answer.content.decode()
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == ("#tray", "morph:outerHTML")
    assert f'id="switch-{other.pk}"' in tray_in(page)
    again = sent_by(page)
    chosen = sent.keys() - {"shown", "csrfmiddlewaretoken"}
    assert {name: again[name] for name in chosen} == {name: sent[name] for name in chosen}
    same = as_bob.post(at, again, headers={"HX-Request": "true"})
    assert same.get("HX-Retarget") != "#tray"
    assert Press(as_bob, campaign, sent).answer.status_code == 302, "who else could roll changes no roll"


def test_by_htmx_the_refusal_is_the_main_part_of_the_same_page(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    sent = filled(as_bob, nell)
    put(as_alice, campaign, "Fog over the bar", HARD[campaign.system])
    press = Press(as_bob, campaign, sent, headers={"HX-Request": "true"})
    came_back(press, sent, campaign.system)
    assert "<html" not in press.page and press.said.startswith("The obstacle is now Fog over the bar")


def test_another_roller_is_shown_first(as_bob: Client, campaign: Any, bobs: Any, nell: Character) -> None:
    other = character(campaign, bobs, "Wren", GAMES[campaign.system], player=bobs)
    page = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert f'id="switch-{other.pk}"' in tray_in(page)
    press = Press(as_bob, campaign, {**sent_by(page), "character": [str(other.pk)]})
    assert press.answer.status_code == 422 and not press.wrote
    assert press.said == "This is what Wren can roll with. Choose, then roll."


def test_nothing_of_what_goes_along_follows_from_a_sealed_number(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, nell: Character, marrow: Character
) -> None:
    asked_rolls.ask(campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[nell.pk], what="Cross the pier",
                    values=HARD[campaign.system], sealed=True)
    wall = put(as_alice, campaign, "Old Marrow", HARD[campaign.system])
    Obstacle.objects.filter(pk=wall.pk).update(character=marrow)
    Character.objects.filter(pk=marrow.pk).update(hidden=True, face=True)
    address, seen = f"/c/{campaign.slug}/", []
    for values in (HARD, HARDER):
        spec = json.dumps({"v": 1, "fields": values[campaign.system]})
        AskedRoll.objects.update(spec=spec)
        Obstacle.objects.filter(pk=wall.pk).update(spec=spec)
        page = as_bob.get(address).content.decode()
        sent = sent_by(page)
        stale = as_bob.post(f"{address}roll/", {**sent, "shown": ["old"]}).content.decode()
        seen.append((sent["shown"], tray_in(ONCE.sub("", page)), tray_in(ONCE.sub("", stale))))
        told = Shown.read(viewer_of(nell.player.user, campaign.slug), sent["shown"][0])  # type: ignore[union-attr]
        assert told and {target.words for target in told.targets} == {""} and len(told.targets) == 2
    assert seen[0] == seen[1]
    assert Shown.read(viewer_of(alices.user, campaign.slug), sent["shown"][0]) is None, "it is for nobody else"


def test_who_loads_a_refusal_again_is_at_the_table(
    as_alice: Client, as_bob: Client, as_charlie: Client, campaign: Any, nell: Character
) -> None:
    fog = put(as_alice, campaign, "Fog over the bar", HARD[campaign.system])
    table = reverse("table", args=[campaign.slug])
    for client, address in (
        (as_bob, f"{table}roll/"), (as_bob, f"{table}rolls/request/"), (as_alice, f"{table}obstacles/{fog.pk}/remove/"),
        (as_bob, f"{table}contests/{uuid.uuid4()}/roll/{nell.pk}/"),
        (as_bob, f"{table}rolls/{uuid.uuid4()}/roll/"),
    ):
        answer = client.get(address)
        assert (answer.status_code, answer.headers.get("Location")) == (302, table), address
        assert as_charlie.get(address).status_code == 404
        assert client.put(address).status_code == 405
