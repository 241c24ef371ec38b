"""A player asks the GM how hard it is: one chip answers it, and what was chosen is rolled against that."""
from __future__ import annotations

import json
import re
import uuid
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from characters.models import Character, Trait
from play.models import AskedRoll, Obstacle
from play.services import requests, sessions
from play.services.tray import procedure_of_tray
from rules.codec import canonical
from tests import laid
from tests.conftest import join, refusal
from tests.html_forms import Page
from tests.play.conftest import body, character
from tests.play.test_asked_rolls import GAMES
from tests.play.test_following import news
from tests.play.test_now import bar, words
from tests.play.tray_page import shown
from tests.verifier.test_on_the_server import through

pytestmark = pytest.mark.django_db

# What a player asks about, and a chip that no tray opens with, as the roll then tells it.
ASKED = sorted(set(GAMES) - {"questworlds"})
CHIP = {"pdq": ("named:master", "master 13"), "pdq_sharp": ("named:master", "master 13"),
        "pnc": ("named:very hard", "very hard"), "danger_world": ("named:5", "difficulty 5")}


@pytest.fixture(params=ASKED)
def campaign(request: pytest.FixtureRequest, alice: Any) -> Any:
    """Alice's campaign, of each game in which a roll is made without asking."""
    return found(user=alice, op_id=uuid.uuid4(), name=f"How hard {request.param}", system=request.param)


@laid.fixture
def nell(campaign: Any, alices: Any, bobs: Any) -> Character:
    """Bob's, in a scene in which nothing is in the way."""
    made = character(campaign, bobs, "Nell", GAMES[campaign.system], player=bobs)
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The pier", characters=[made.pk])
    campaign.refresh_from_db()
    return made


def chosen(who: Character) -> dict[str, Any]:
    lines = [str(trait.pk) for trait in who.traits.order_by("place")]
    return {"pdq": {"traits": lines, "difficulty": "average"}, "pdq_sharp": {"fortes": lines, "difficulty": "average"},
            "pnc": {"features": lines[:1]}, "danger_world": {"stats": lines}}[who.campaign.system]


def ask(client: Client, who: Character, **more: Any) -> Any:
    return client.post(f"/c/{who.campaign.slug}/rolls/request/", body(
        character=str(who.pk), shown=shown(client, who.campaign, who), **{**chosen(who), **more}))


def body_of(entry: Entry) -> dict[str, Any]:
    return dict(json.loads(entry.payload.text))


def answer(client: Client, campaign: Any, chip: str, **more: Any) -> Any:
    row = AskedRoll.objects.get(spec="")
    return client.post(f"/c/{campaign.slug}/rolls/{row.pk}/answer/", body(chip=chip, **more))


def test_one_chip_answers_and_one_press_rolls_what_was_chosen(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    chip, difficulty = CHIP[campaign.system]
    table = f"/c/{campaign.slug}/"
    assert "Ask the GM for the difficulty" in as_bob.get(table).content.decode()
    asked = ask(as_bob, nell, what="Cross the pier", when_answered="on")
    row = AskedRoll.objects.get()
    assert asked.status_code == 302 and f"awaits={row.pk}" in asked["Location"]
    assert "for the GM: set the difficulty for Nell: Cross the pier" in bar(as_bob, campaign)
    beside = news(as_alice, campaign, row.asked - 1).content.decode().partition('<div id="requests"')[2]
    assert f'id="request-{row.pk}"' in beside.partition('<div id="contest')[0], "a table that stands open gets it"
    page = as_alice.get(f"{table}people/").content.decode()
    assert f'value="{chip}"' in page.partition('<section id="now"')[2].partition("</section>")[0]
    assert "Nell asks for the difficulty" in words(as_alice.get(table).content.decode())
    assert as_bob.post(f"{table}rolls/{row.pk}/answer/", body(chip=chip)).status_code == 404
    assert as_bob.post(f"{table}rolls/{row.pk}/roll/", body())["Location"].endswith("#tray"), "there is no answer yet"
    assert answer(as_alice, campaign, "named:nothing of the kind").status_code == 302
    assert AskedRoll.objects.get().spec == ""
    assert answer(as_alice, campaign, chip).status_code == 302
    there = as_bob.get(f"{table}people/").content.decode().partition('<section id="now"')[2].partition("</section>")[0]
    assert f"Cross the pier, {difficulty}" in words(there) and f'data-of="{row.pk}"' in there
    press = re.search(r'action="([^"]*/roll/)"', there)
    assert press and press[1] not in as_alice.get(f"{table}people/").content.decode()
    sent = body(client_seed="ab" * 32)
    rolled = as_bob.post(unescape(press[1]), sent)
    assert re.search(r"\?(rolled=\d+#rolled|contest=[0-9a-f-]+#contest)$", rolled["Location"])
    assert as_bob.post(unescape(press[1]), sent)["Location"] == rolled["Location"], "the same press is the same roll"
    assert as_bob.post(unescape(press[1]), body())["Location"].endswith("#tray"), "it was asked for once"
    row.refresh_from_db()
    entry = Entry.objects.get(campaign=campaign, seq=row.rolled)
    assert difficulty.split()[-1] in entry.payload.text
    assert str(nell.traits.order_by("place")[0].pk) in entry.payload.text
    assert not Obstacle.objects.exists(), "it answered one roll"
    assert not list(differences(campaign.pk)) and not through(campaign).fault


def test_what_is_kept_stands_in_the_way_and_asking_again_replaces(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    ask(as_bob, nell, what="Cross the pier")
    ask(as_bob, nell, what="Jump")
    assert [asked_roll.what for asked_roll in AskedRoll.objects.all()] == ["Jump"]
    assert answer(as_alice, campaign, CHIP[campaign.system][0], keep="on").status_code == 302
    assert Obstacle.objects.get().name == "Jump"
    assert "Ask the GM for the difficulty" not in as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert "Ask the GM for the difficulty" not in as_alice.get(f"/c/{campaign.slug}/").content.decode()
    assert not list(differences(campaign.pk))


def test_a_request_is_withdrawn_by_whoever_made_it_until_it_is_answered(
    as_alice: Client, as_bob: Client, as_charlie: Client, campaign: Any, nell: Character, charlie: Any
) -> None:
    join(campaign, charlie, "player")
    ask(as_bob, nell, what="Cross the pier")
    withdraw = reverse("withdraw_request", args=[campaign.slug, AskedRoll.objects.get().pk])
    waits = "Waiting for the GM: set the difficulty for Nell: Cross the pier"
    said = bar(as_bob, campaign)
    assert waits in said and said.count("Cross the pier") == 2, "once to be seen, once for the button’s name"
    assert "You’re up to date" not in said and "Cancel request" in said
    assert waits.partition(" ")[2] in bar(as_charlie, campaign) and "Cancel request" not in bar(as_charlie, campaign)
    there = as_bob.get(f"/c/{campaign.slug}/people/").content.decode()
    assert "data-of" not in there, "a browser that waits for the answer presses nothing here"
    assert withdraw not in as_alice.get(f"/c/{campaign.slug}/").content.decode()
    as_alice.post(withdraw, body())
    assert AskedRoll.objects.count() == 1, "it is not the GM’s"
    sent = body()
    assert [as_bob.post(withdraw, sent).status_code for _ in range(2)] == [302, 302]
    assert not AskedRoll.objects.exists() and "Cancel request" not in bar(as_bob, campaign)
    assert Entry.objects.order_by("-seq")[0].kind == "roll.withdraw"
    ask(as_bob, nell, what="Jump")
    answer(as_alice, campaign, CHIP[campaign.system][0])
    late = reverse("withdraw_request", args=[campaign.slug, AskedRoll.objects.get().pk])
    assert "The GM has answered already" in as_bob.post(late, body(), follow=True).content.decode()
    assert AskedRoll.objects.count() == 1 and "Cancel request" not in bar(as_bob, campaign)
    assert not list(differences(campaign.pk))


def test_the_tray_says_that_the_gm_is_asked_until_there_is_an_answer(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    def tray(client: Client) -> str:
        form = body(character=str(nell.pk), shown=shown(client, campaign, nell), **chosen(nell))
        return client.post(f"/c/{campaign.slug}/tray/", form, headers={"HX-Request": "true"}).content.decode()

    assert "Ask the GM for the difficulty" in tray(as_bob) and "Asked:" not in tray(as_bob)
    ask(as_bob, nell, what="Cross the pier")
    withdraw = reverse("withdraw_request", args=[campaign.slug, AskedRoll.objects.get().pk])
    assert "Waiting for the GM" in tray(as_bob) and withdraw in tray(as_bob)
    assert "Ask the GM for the difficulty" not in tray(as_bob), "a second one would take the place of the first"
    assert "Asked:" not in tray(as_alice)
    as_bob.post(withdraw, body())
    assert "Ask the GM for the difficulty" in tray(as_bob) and "Asked:" not in tray(as_bob)
    ask(as_bob, nell, what="Jump")
    answer(as_alice, campaign, CHIP[campaign.system][0])
    assert "Asked:" not in tray(as_bob)


def test_no_roll_takes_a_request_away_and_nobody_asks_for_another(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character, alices: Any
) -> None:
    theirs = character(campaign, alices, "Ada", GAMES[campaign.system])
    assert ask(as_bob, theirs).status_code == 422
    ask(as_bob, nell)
    row = AskedRoll.objects.get()
    assert as_alice.post(f"/c/{campaign.slug}/rolls/{row.asked}/withdraw/", body()).status_code == 302
    assert not AskedRoll.objects.exists() and "the difficulty" not in bar(as_alice, campaign)


def test_what_is_on_no_sheet_any_more_waits_in_the_tray(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    ask(as_bob, nell)
    answer(as_alice, campaign, CHIP[campaign.system][0])
    nell.traits.all().delete()
    campaign.refresh_from_db()
    row = AskedRoll.objects.get()
    gone = as_bob.post(f"/c/{campaign.slug}/rolls/{row.pk}/roll/", body())
    assert gone["Location"].endswith(f"?asked={row.pk}#tray")
    assert row.rolled is None and requests.Intended.read(row.choice).ids()


@pytest.mark.parametrize("campaign", ["pdq"], indirect=True)
def test_what_can_t_be_asked(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, nell: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = f"/c/{campaign.slug}/"
    asking = {"character": str(nell.pk), "shown": shown(as_bob, campaign, nell)}
    assert refusal(requests.request, campaign=campaign, actor=alices, character_id=nell.pk,
                   choice=requests.Intended({})) == ("character", "Nell is not yours to roll for.")
    monkeypatch.setattr(type(campaign.rules.rolls), "obstacle", ())
    bobs = campaign.members.get(user__username="Bob")
    assert refusal(requests.request, campaign=campaign, actor=bobs, character_id=nell.pk,
                   choice=requests.Intended({})) == ("", "In this game there is nothing to ask for.")
    monkeypatch.undo()
    assert as_alice.post(f"{table}scene/close/", body(danger="momentary")).status_code == 302
    answer = as_bob.post(f"{table}rolls/request/", body(**asking, difficulty="good"))
    assert answer.status_code == 422 and Page(answer).errors == ["Wait until a scene starts."]


@pytest.mark.parametrize("campaign", ["pdq"], indirect=True)
def test_what_was_asked_before_there_was_one_tray_is_rolled_as_it_was_asked(
    campaign: Any, nell: Character
) -> None:
    """It was kept with the lines apart from the fields: those of whoever rolls, and those of others who help."""
    mine, theirs = str(nell.traits.order_by("place")[0].pk), str(uuid.uuid4())
    kept = canonical({"v": 1, "given": {}, "traits": [mine, theirs], "modifiers": [["downshift", 1, "Rain", "Nell"]]})
    assert requests.Intended.read(kept, {mine}).given == {
        "traits": [mine], "help": [theirs], "lines": [{"kind": "downshift", "amount": 1, "reason": "Rain"}]}


SAID = {"pdq": ({"lines_0_kind": "upshift", "lines_0_amount": "1", "lines_0_reason": "High ground"},
                "Nell says: 1 upshift for “High ground”."),
        "pnc": ({"circumstances_0_rung": "very easy", "circumstances_0_reason": "Fog"},
                "Nell says: “Fog”, 2 bonus dice.")}


@pytest.mark.parametrize("campaign", sorted(SAID), indirect=True)
@pytest.mark.parametrize("answered", [False, True])
def test_what_a_player_says_of_a_roll_that_waits_is_read_and_struck_before_it_is_rolled(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character, answered: bool
) -> None:
    values, words = SAID[campaign.system]
    table = f"/c/{campaign.slug}/"
    nothing = dict.fromkeys(chosen(nell).keys() - {"difficulty"}, ())
    assert ask(as_bob, nell, what="Cross the pier", when_answered="on", **nothing, **values).status_code == 302
    row = AskedRoll.objects.get()
    if answered:
        answer(as_alice, campaign, CHIP[campaign.system][0])
    assert not Page(as_bob.get(table)).matching(action="/strike/")
    assert as_bob.post(f"{table}rolls/{row.pk}/strike/", body(which="lines 0")).status_code == 404
    (form,) = Page(as_alice.get(table)).matching(action=f"{row.pk}/strike/")
    assert [button.words for button in form.buttons] == [words]
    never = as_alice.post(f"{table}rolls/{row.pk}/strike/", body(which="lines 7"), follow=True)
    assert "This no longer counts, or it was never said." in never.content.decode()
    assert form.send(as_alice, form.buttons[0]).status_code == 302
    entry = Entry.objects.latest("seq")
    assert (entry.kind, body_of(entry)["title"]) == ("roll.strike", f"The GM strikes what counted: {words}")
    assert words in as_bob.get(table).content.decode(), "all read it"
    assert not Page(as_alice.get(table)).matching(action="/strike/")
    if not answered:
        answer(as_alice, campaign, CHIP[campaign.system][0])
    rolled = as_bob.post(f"{table}rolls/{row.pk}/roll/", body(client_seed="ab" * 32))
    assert rolled.status_code == 302
    row.refresh_from_db()
    told = body_of(Entry.objects.get(campaign=campaign, seq=row.rolled))
    assert words.partition(" says")[0] in told["title"] and words not in json.dumps(told, ensure_ascii=False)
    as_alice.post(f"{table}rolls/{row.pk}/strike/", body(which="lines 0"))
    assert Entry.objects.filter(kind="roll.strike").count() == 1 and not list(differences(campaign.pk))


@pytest.mark.parametrize("campaign", ["pdq", "pdq_sharp", "pnc"], indirect=True)
def test_which_lines_count_in_a_roll_that_waits_is_struck_one_by_one_and_the_roll_stays(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    table = f"/c/{campaign.slug}/"
    assert ask(as_bob, nell, what="Cross the pier", when_answered="on").status_code == 302
    row = AskedRoll.objects.get()
    names = [trait.name for trait in nell.traits.order_by("place")][:1 if campaign.system == "pnc" else None]
    for left in range(len(names), 0, -1):
        (form,) = Page(as_alice.get(table)).matching(action=f"{row.pk}/strike/")
        assert len(form.buttons) == left
        words = form.buttons[0].words
        assert words in {f"Nell says: {name} counts." for name in names}
        assert form.send(as_alice, form.buttons[0]).status_code == 302
        assert body_of(Entry.objects.latest("seq"))["title"] == f"The GM strikes what counted: {words}"
    assert not Page(as_alice.get(table)).matching(action="/strike/")
    answer(as_alice, campaign, CHIP[campaign.system][0])
    assert as_bob.post(f"{table}rolls/{row.pk}/roll/", body(client_seed="ab" * 32)).status_code == 302
    row.refresh_from_db()
    told = json.dumps(body_of(Entry.objects.get(campaign=campaign, seq=row.rolled)), ensure_ascii=False)
    if campaign.system != "pnc":
        assert {"pdq": "No quality applies", "pdq_sharp": "no forte applies"}[campaign.system] in told
    assert not list(differences(campaign.pk))


@pytest.mark.parametrize("campaign", ["pdq_sharp"], indirect=True)
def test_ps_11_what_hangs_on_a_forte_goes_with_it_and_is_not_struck_alone(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    forte = nell.traits.order_by("place")[0]
    trait = Trait.objects.create(campaign=campaign, character=nell, kind="technique", name="Rapier", value=5, place=90,
                                 parent=forte)
    assert ask(as_bob, nell, fortes=[str(forte.pk), str(trait.pk)]).status_code == 302
    row = AskedRoll.objects.get()
    (form,) = Page(as_alice.get(f"/c/{campaign.slug}/")).matching(action=f"{row.pk}/strike/")
    assert [button.words for button in form.buttons] == [f"Nell says: {forte.name} counts."]
    assert form.send(as_alice, form.buttons[0]).status_code == 302
    row.refresh_from_db()
    assert requests.Intended.read(row.choice).given["fortes"] == []


@pytest.mark.parametrize("campaign", ["pnc"], indirect=True)
def test_pn_10_a_wound_that_was_ticked_binds_before_the_dice_too(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character
) -> None:
    wound = Trait.objects.create(campaign=campaign, character=nell, kind="wound", name="A cut", value=3, place=90)
    assert ask(as_bob, nell, features=[str(wound.pk)]).status_code == 302
    assert not Page(as_alice.get(f"/c/{campaign.slug}/")).matching(action="/strike/")


@pytest.mark.parametrize("campaign", sorted(SAID), indirect=True)
def test_where_the_rules_fail_at_what_was_said_every_page_is_there_all_the_same(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    values, _ = SAID[campaign.system]
    table = f"/c/{campaign.slug}/"
    assert ask(as_bob, nell, what="Cross the pier", when_answered="on", **values).status_code == 302

    def fails(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(procedure_of_tray(campaign)), "said_there", fails)
    for address in (table, f"{table}ledger/", f"{table}characters/"):
        shown = as_alice.get(address)
        assert shown.status_code == 200 and "Cross the pier" in shown.content.decode(), address
