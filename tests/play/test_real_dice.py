"""Real dice, where the campaign allows them: typed, checked against what the move takes, marked, and counted."""
from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
from django.test import Client

import verify
from campaigns.errors import Refused
from campaigns.models import Entry
from campaigns.services.setting import change_settings, last_change
from characters.models import Character
from play.models import Contest
from tests.play.conftest import body
from tests.play.rolled import rolled
from tests.play.test_asked_rolls import ada, ask, campaign, nell  # noqa: F401
from tests.play.tray_page import sent_by
from tests.verifier.conftest import exported
from tests.verifier.test_broken import _forged, found_out
from tests.verifier.test_on_the_server import through
from tests.verifier.test_sound import RULES

pytestmark = pytest.mark.django_db


def allow(campaign: Any, actor: Any) -> None:  # noqa: F811
    campaign.refresh_from_db()
    change_settings(
        campaign=campaign, actor=actor, op_id=uuid.uuid4(), base=last_change(campaign), name=campaign.name, pitch="",
        settings={**json.loads(campaign.settings_json), "real_dice": True})
    campaign.refresh_from_db()


def wanted(page: str) -> list[int]:
    """The dice that a refused form asks for."""
    said = re.search(r"Type \d+ here, in this order: ([d\d, ]+)\.", page)
    assert said, "nothing is asked for"
    return [int(face) for face in re.findall(r"d(\d+)", said[1])]


def typed_until_it_is_enough(client: Client, address: str, form: dict[str, Any]) -> str:
    """Types the lowest faces of all dice that are asked for, as often as more are; answers what was typed last."""
    typed = "1"
    for _ in range(4):
        answer = client.post(address, {**form, "op_id": str(uuid.uuid4()), "typed": typed})
        if answer.status_code == 302:
            return typed
        assert answer.status_code == 422
        typed = " ".join("1" for _ in wanted(answer.content.decode()))
    raise AssertionError(typed)


def test_typed_faces_are_held_against_the_move_and_marked(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any, nell: Character, ada: Character  # noqa: F811
) -> None:
    roll = f"/c/{campaign.slug}/roll/"
    assert ask(as_alice, campaign, nell).status_code == 302
    assert 'name="typed"' not in as_bob.get(f"/c/{campaign.slug}/").content.decode()
    allow(campaign, alices)
    page = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert page.count('name="typed"') == 1
    sent = sent_by(page)
    short = as_bob.post(roll, {**sent, "typed": "1"})
    dice = wanted(short.content.decode())
    before = Entry.objects.filter(campaign=campaign).count()
    for wrong, said in (
        (" ".join("1" * (len(dice) + 9)), "here, in this order"),
        (" ".join(["0", *["1"] * (len(dice) - 1)]), "shows 1 to"),
        (" ".join([str(dice[0] + 1), *["1"] * (len(dice) - 1)]), "shows 1 to"), ("four two", "Enter numbers"),
        ("-1 3", "Enter numbers"),
    ):
        answer = as_bob.post(roll, {**sent, "op_id": str(uuid.uuid4()), "typed": wrong})
        html = answer.content.decode()
        assert answer.status_code == 422 and said in html and f'value="{wrong}"' in html, wrong
        assert 'id="id_typed_error"' in html, "it is said at the field"
    assert Entry.objects.filter(campaign=campaign).count() == before
    faces = typed_until_it_is_enough(as_bob, roll, sent)
    entry = Entry.objects.filter(campaign=campaign).latest("seq")
    payload = json.loads(entry.payload.text)
    assert payload["dice"]["faces"] == [int(face) for face in faces.split()] and len(faces.split()) >= len(dice)
    assert set(payload["dice"]) == {"v", "sides", "faces"} and json.loads(entry.envelope)["dice"] is None
    shown = as_bob.get(f"/c/{campaign.slug}/ledger/{entry.seq}/").content.decode()
    assert "Typed at the table, not witnessed" in shown and "typed by Bob" in shown
    here = through(campaign)
    assert (here.fault, here.typed, here.rolls) == ("", 1, 0) and here.outcomes + len(Contest.objects.all()) >= 1
    lines = exported(campaign, bobs)
    report = verify.verify(lines, rules=RULES)
    assert (report.typed, report.rolls) == (1, 0) and report.outcomes == here.outcomes
    assert "Typed at the table: 1 more" in "\n".join(verify.summary(report, RULES))

    def off_the_die(payload: dict[str, Any]) -> None:
        payload["dice"]["faces"][0] = 99

    def another(payload: dict[str, Any]) -> None:
        dice = payload["dice"]
        dice["faces"] = [face % sides + 1 for face, sides in zip(dice["faces"], dice["sides"], strict=True)]

    assert "fallen so" in found_out(_forged(lines, entry.seq, off_the_die))
    if payload["outcome"].get("rolls") or "given" in payload["move"]:
        said = found_out(_forged(lines, entry.seq, another))
        assert "does not follow" in said or "did not fall" in said


@pytest.mark.parametrize("campaign", ["danger_world"], indirect=True)
def test_what_follows_asks_for_its_own_dice(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, nell: Character, ada: Character  # noqa: F811
) -> None:
    allow(campaign, alices)
    assert ask(as_alice, campaign, nell).status_code == 302
    sent = sent_by(as_bob.get(f"/c/{campaign.slug}/").content.decode())
    typed_until_it_is_enough(as_bob, f"/c/{campaign.slug}/roll/", sent)
    at = f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/"
    page = as_bob.get(at).content.decode()
    again = page.partition(f'action="{at}reroll/')[2].partition("</form>")[0]
    assert 'name="typed"' in again, "whatever the game’s own page looks like"
    refused = as_bob.post(f"{at}reroll/{nell.pk}/", body(dice=["0"], typed="1 1 1"))
    assert refused.status_code == 422 and len(wanted(refused.content.decode())) == 1
    typed_until_it_is_enough(as_bob, f"{at}reroll/{nell.pk}/", {"dice": ["0"]})
    assert through(campaign).typed == 2 and not through(campaign).fault


@pytest.mark.parametrize("campaign", ["pdq"], indirect=True)
def test_where_it_is_not_allowed_nobody_types(
    campaign: Any, bobs: Any, nell: Character  # noqa: F811
) -> None:
    with pytest.raises(Refused, match="the site rolls"):
        rolled(campaign, bobs, nell, typed=(6, 6))
