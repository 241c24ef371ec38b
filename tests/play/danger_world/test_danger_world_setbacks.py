"""Undoing a setback is a check of its own, and no way around the GM’s challenge (DW-05, DW-07)."""
from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.services.setting import change_settings, last_change
from characters.models import Character
from play.models import Contest
from tests.html_forms import Page
from tests.play.danger_world.checks import words
from tests.play.danger_world.test_danger_world_by_page import AtTheTable, gains, table
from tests.play.danger_world.test_danger_world_one_scene import puts

__all__ = ["table"]  # a fixture of that file
pytestmark = pytest.mark.django_db

ASKED_ALONE = "Undoing a setback is a check of its own. Make a check for it, or choose no setback."


def open_challenges(table: AtTheTable, client: Client) -> str:
    return words(client.get(f"/c/{table.slug}/contests/start/check/").content.decode())


def test_dw_07_the_tray_undoes_no_setback_against_the_gms_challenge(
    table: AtTheTable, mara: Character, dice: list[int]
) -> None:
    setback = gains(mara, "setback", "Trapped in the yard", 1)
    puts(table, "The tide race")
    tray = Page(table.bob.get(f"/c/{table.slug}/")).form(action="/roll/")
    stats = [str(mara.traits.get(name=name).pk) for name in ("Agility", "Speed")]
    refused = tray.send(table.bob, stats=stats, undoes=str(setback.pk))
    page = Page(refused)
    assert refused.status_code == 422 and ASKED_ALONE in page.errors
    assert page.form(action="/roll/").controls["undoes"].refused
    assert not Contest.objects.exists()
    table.start(title="Out of the yard")
    table.propose("Agility", "Speed", undoes=str(setback.pk))
    assert "Difficulty 1, trifling" in table.page(table.bob), "where the sentence sends them"


@pytest.mark.parametrize("setting", [True, False])
def test_dw_07_the_tray_proposes_to_undo_a_setback_where_nothing_is_in_the_way(
    table: AtTheTable, mara: Character, alices: Any, dice: list[int], setting: bool
) -> None:
    """What it takes is known, so that nobody is asked how hard it is; the GM agrees to the pool, as to any that a
    player puts together in a scene."""
    campaign = mara.campaign
    if not setting:
        change_settings(campaign=campaign, actor=alices, op_id=uuid.uuid4(), base=last_change(campaign),
                        name=campaign.name, pitch=campaign.pitch,
                        settings={**json.loads(campaign.settings_json), "agree": False})
    setback = gains(mara, "setback", "Trapped in the yard", 4)
    at = f"/c/{table.slug}/"
    stats = [str(mara.traits.get(name=name).pk) for name in ("Agility", "Speed")]
    tray = Page(table.bob.get(at)).form(action="/roll/")
    asks, proposes = ([button.words for button in Page(table.bob.post(f"{at}tray/", tray.filled(
        stats=stats, undoes=undoes))).form(action="/roll/").buttons] for undoes in ("", str(setback.pk)))
    assert (asks, proposes) == (["Ask the GM for the difficulty"], ["Propose this pool 36.4% to succeed"])
    sent = tray.send(table.bob, stats=stats, undoes=str(setback.pk))
    assert sent.status_code == 302, Page(sent).errors
    assert not Entry.objects.filter(kind="request").exists()
    table.at = f"{at}contests/{Contest.objects.get().pk}/"
    assert "Difficulty 4, significant" in table.page(table.bob) and not table.offers(table.bob, "roll")
    assert "Undoing Trapped in the yard takes a height of 4." in table.page(table.alice)
    table.send(table.alice, "agree")
    dice[:] = [4, 4, 4, 4, 6, 6, 5]
    table.send(table.bob, "roll")
    table.keep(4)
    assert not mara.traits.filter(name="Trapped in the yard").exists()


def test_dw_05_the_gms_difficulty_stands_again_when_no_setback_is_undone(table: AtTheTable, mara: Character) -> None:
    setback = gains(mara, "setback", "Trapped in the yard", 1)
    table.start(difficulty="3")
    table.send(table.alice, "rate", difficulty="5")
    table.propose("Agility", "Speed", undoes=str(setback.pk))
    assert "Difficulty 1, trifling" in table.page(table.bob)
    table.propose("Agility", "Speed", undoes="")
    page = table.page(table.bob)
    assert "Difficulty 5, major" in page and "has its difficulty of 5 again" in page
    # What the GM says while it is to be undone is about the undoing.
    table.propose("Agility", "Speed", undoes=str(setback.pk))
    table.send(table.alice, "rate", difficulty="2")
    assert "Difficulty 2, minor" in table.page(table.bob)
    table.propose("Agility", "Speed", undoes="")
    assert "Difficulty 5, major" in table.page(table.bob)


def test_dw_05_a_players_word_is_marked_as_theirs_again_after_a_setback_was_agreed_to(
    table: AtTheTable, mara: Character
) -> None:
    setback = gains(mara, "setback", "Trapped in the yard", 1)
    table.start(difficulty="3")
    said = "Mara says: against a difficulty of 3. "  # the story has it with the word for it, for good
    assert said in table.page(table.alice)
    table.propose("Agility", "Speed", undoes=str(setback.pk))
    assert said not in table.page(table.alice)
    table.send(table.alice, "agree")
    table.propose("Agility", "Speed", undoes="")
    assert said in table.page(table.alice)
    table.send(table.alice, "agree")
    assert said not in table.page(table.alice)


def test_dw_07_a_setback_that_is_undone_overcomes_no_challenge(
    table: AtTheTable, mara: Character, dice: list[int]
) -> None:
    setback = gains(mara, "setback", "Trapped in the yard", 2)
    table.start(title="The tide race", difficulty="5")
    table.propose("Agility", "Speed", undoes=str(setback.pk))
    table.send(table.alice, "agree")
    dice[:] = [2, 2, 4, 4, 5, 6, 6]
    table.send(table.bob, "roll")
    table.keep(2)
    assert not mara.traits.filter(name="Trapped in the yard").exists()
    assert "The tide race difficulty 5" in open_challenges(table, table.bob)
