"""The GM asks for a roll: one button on every page of whoever is asked, and the roll says who asked for it."""
from __future__ import annotations

import re
import uuid
from html import unescape
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import AskedRoll
from play.services import asked_rolls, sessions
from tests import laid
from tests.conftest import join, person, refusal
from tests.html_forms import Page
from tests.play.conftest import body, character
from tests.play.test_now import bar, words
from tests.play.test_tray import SHEETS
from tests.play.tray_page import sent_by
from tests.verifier.test_on_the_server import through

pytestmark = pytest.mark.django_db

GAMES = {**SHEETS, "pdq_sharp": [("forte", "Fencing", 2)]}
# What nobody could think of by chance, and how it stands on a page.
HARD = {
    "pdq": ({"difficulty": "number", "difficulty_number": "97"}, "97"),
    "pdq_sharp": ({"difficulty": "number", "difficulty_number": "97"}, "97"),
    "pnc": ({"rung": "very hard"}, "very hard"), "questworlds": ({"resistance": "7M4"}, "7M4"),
    "danger_world": ({"difficulty": "4"}, "difficulty 4"),
}


@pytest.fixture(params=sorted(GAMES))
def campaign(request: pytest.FixtureRequest, alice: Any) -> Any:
    """Alice's campaign, of each game."""
    return found(user=alice, op_id=uuid.uuid4(), name=f"Asked {request.param}", system=request.param)


@laid.fixture
def nell(campaign: Any, bobs: Any) -> Character:
    """Bob's."""
    return character(campaign, bobs, "Nell", GAMES[campaign.system], player=bobs)


@laid.fixture
def ada(campaign: Any, alices: Any, nell: Character) -> Character:
    """Somebody else's. A scene is on with her and Nell."""
    dora = join(campaign, person("Dora"), "player")
    made = character(campaign, alices, "Ada", GAMES[campaign.system], player=dora)
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The pier", characters=[nell.pk, made.pk])
    campaign.refresh_from_db()
    return made


def ask(client: Client, campaign: Any, *who: Character, **said: Any) -> Any:
    hard, _ = HARD[campaign.system]
    lines = [name for _, name, _ in GAMES[campaign.system]]
    names = lines if campaign.system == "danger_world" else lines[:1]
    return client.post(f"/c/{campaign.slug}/rolls/ask/", body(
        characters=[str(character.pk) for character in who], what="Cross the pier", lines=names, **hard, **said))


def test_a_sealed_difficulty_is_told_with_the_roll_that_was_asked_for(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character, ada: Character
) -> None:
    answer = ask(as_alice, campaign, nell, ada, sealed="on")
    assert answer.status_code == 302
    row, (_, difficulty) = AskedRoll.objects.get(character=nell), HARD[campaign.system]
    assert "The GM asks for: Cross the pier" in bar(as_bob, campaign)
    waits = bar(as_alice, campaign)
    assert "Waiting for Ada and Nell: roll Cross the pier" in waits or "Your turn" in waits, "one’s own comes first"
    link = re.search(r'<a class="button" href="([^"]*asked=[^"#]*)#tray">Roll', as_bob.get(
        f"/c/{campaign.slug}/people/").content.decode())
    assert link
    page = as_bob.get(unescape(link[1])).content.decode()
    main = page.partition('<main')[2]
    assert "Cross the pier · the GM is hiding the difficulty" in main and "The GM is hiding the difficulty" in main
    for at in ("", "ledger/", f"ledger/{row.asked}/", "tray/"):
        shown = as_bob.get(f"/c/{campaign.slug}/{at}").content.decode()
        assert "Cross the pier · " + difficulty not in shown and row.spec not in shown
        assert not re.search(rf"(?<![\w-]){difficulty}(?![\w-])", words(shown.partition("<select")[0])), at
    assert f"Cross the pier · {difficulty}" in words(as_alice.get(f"/c/{campaign.slug}/").content.decode())
    campaign.refresh_from_db()
    before = campaign.head_seq
    rolled = as_bob.post(f"/c/{campaign.slug}/roll/", {**sent_by(page), "client_seed": "ab" * 32})
    assert rolled.status_code == 302
    row.refresh_from_db()
    assert row.rolled == before + 1
    entry = as_bob.get(f"/c/{campaign.slug}/ledger/{row.rolled}/").content.decode()
    assert f"/ledger/{row.asked}/" in entry and "The GM asked for it in entry" in words(entry)
    assert difficulty.split()[-1] in Entry.objects.get(campaign=campaign, seq=row.rolled).payload.text
    assert "asks for" not in bar(as_bob, campaign)
    mine = words(as_alice.get(f"/c/{campaign.slug}/").content.decode())
    assert f"Nell has rolled: entry {row.rolled}" in mine and "Ada not yet" in mine
    again = as_bob.post(f"/c/{campaign.slug}/roll/", {**sent_by(page), "op_id": str(uuid.uuid4())})
    assert again.status_code == 422, "it was asked for once"
    assert not list(differences(campaign.pk)) and not through(campaign).fault


def test_an_open_difficulty_has_odds_and_what_is_withdrawn_is_gone(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character, ada: Character
) -> None:
    assert as_bob.get(f"/c/{campaign.slug}/rolls/ask/").status_code == 404
    assert ask(as_alice, campaign).status_code == 422, "someone has to be chosen"
    assert ask(as_alice, campaign, nell, ada).status_code == 302
    row, (_, difficulty) = AskedRoll.objects.get(character=nell), HARD[campaign.system]
    page = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert f"Cross the pier · {difficulty}" in words(page) and 'class="odds"' in page
    theirs = AskedRoll.objects.get(character=ada)
    forged = {**sent_by(page), "obstacle": str(theirs.pk)}
    assert as_bob.post(f"/c/{campaign.slug}/roll/", forged).status_code == 422, "another’s can’t be answered"
    assert as_bob.post(f"/c/{campaign.slug}/rolls/{row.asked}/withdraw/", body()).status_code == 404
    assert as_alice.post(f"/c/{campaign.slug}/rolls/{row.asked}/withdraw/", body()).status_code == 302
    assert "asks for" not in bar(as_bob, campaign) and not AskedRoll.objects.exists()
    assert as_bob.post(f"/c/{campaign.slug}/roll/", sent_by(page)).status_code == 422
    assert not list(differences(campaign.pk)) and not through(campaign).fault


@pytest.mark.parametrize("campaign", ["pdq"], indirect=True)
def test_nobody_is_asked_who_can_t_roll(
    as_alice: Client, campaign: Any, alices: Any, nell: Character, ada: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, hard = f"/c/{campaign.slug}/rolls/ask/", {"difficulty": "good"}
    form, another = (Page(as_alice.get(at)).form(action=at) for _ in range(2))
    assert form.send(as_alice, what="Cross the pier").status_code == 302
    row = AskedRoll.objects.get(character=nell)
    assert refusal(asked_rolls.ask, campaign=campaign, actor=alices, characters=[nell.pk, uuid.uuid4()],
                   values=hard) == ("characters", "Choose player characters.")
    take_back = as_alice.post(f"/c/{campaign.slug}/rolls/{row.asked + 1}/withdraw/", body(), follow=True)
    assert "Everyone has rolled already." in take_back.content.decode()
    assert as_alice.post(f"/c/{campaign.slug}/scene/close/", body(danger="momentary")).status_code == 302
    late = another.send(as_alice, what="Cross the pier")
    assert late.status_code == 422 and Page(late).errors == ["Open a scene first."]
    monkeypatch.setattr(type(campaign.rules), "has_tray", False)
    answer = as_alice.post(at, body(characters=[str(nell.pk)], **hard))
    assert answer.status_code == 422 and "In this game nobody rolls from the tray." in answer.content.decode()
