"""Dice that were thrown against something of which players know less than all tell its number, and nothing else: what
the GM reads beside it is what players' pages hold, before and after."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import View
from campaigns.services import undoing
from campaigns.services.founding import found
from play.models import Obstacle, PrepItem
from play.services import bank, library, obstacles, sessions
from rules import quick_lines
from rules.codec import VERSION, canonical
from rules.tray import named_field
from tests.conftest import join
from tests.games import STOCKED
from tests.html_forms import Page
from tests.play.conftest import body, character
from tests.play.test_behind_the_screen import LINES
from tests.play.test_matrix import roll_with_the_first_line
from tests.play.test_things import told

pytestmark = pytest.mark.django_db
NAME, TEXT = "Zwirnfaden", "Fangeisen"
BEFORE, AFTER = "Players see its number once someone rolls against it", "Number seen: dice were thrown against it"
# Two numbers each, and how the working of a roll writes the first.
NUMBERS: dict[str, tuple[Any, Any, str]] = {
    "pdq": (14, 17, "14"), "pdq_sharp": (14, 17, "14"), "questworlds": ("19", "12", "19"),
    "danger_world": ("4", "3", "4"), "pnc": ("hard", "easy", "hard"),
}


def by(campaign: Any, actor: Any, **more: Any) -> dict[str, Any]:
    return {"campaign": campaign, "actor": actor, "op_id": uuid.uuid4(), **more}


def of_the_library(campaign: Any, gm: Any) -> PrepItem:
    """Something that can stand in the way, of which players know nothing."""
    starter = next(line for line in campaign.rules.starters
                   if line.kind != "npc" and bank.kind_of(campaign, line.kind).obstacles("", {}))
    library.add(**by(campaign, gm, lines=[quick_lines.read(starter.line, campaign.rules, starter.kind, text=TEXT)]))
    item = PrepItem.objects.get()
    bank.write(**by(campaign, gm, type=item.type, name=NAME, words=TEXT, fields=bank.spec_of(item),
                    prepared_id=item.pk))
    return item


def text_of(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


@pytest.mark.parametrize("view", [View.NOTHING, View.FACE])
@pytest.mark.parametrize("slug", STOCKED)
def test_the_label_says_when_players_learn_a_number_and_that_they_did(
    as_alice: Client, as_bob: Client, alice: Any, bob: Any, slug: str, view: View
) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name=slug, system=slug)
    gm, player = campaign.members.get(), join(campaign, bob, "player")
    hero = character(campaign, player, "Ilse", LINES[slug], player=player)
    item = of_the_library(campaign, gm)
    if view is View.FACE:
        bank.see(**by(campaign, gm, prepared_id=item.pk, view=View.FACE))
    sessions.open_session(**by(campaign, gm))
    sessions.open_scene(**by(campaign, gm, title="The street", characters=[hero.pk]))
    table, page = reverse("table", args=[campaign.slug]), reverse("library_thing", args=[campaign.slug, item.pk])
    chip = re.findall(rf'value="(item:{item.pk}:0)"', as_alice.get(table).content.decode())[0]
    assert as_alice.post(reverse("put_obstacle", args=[campaign.slug]), body(chip=chip)).status_code == 302
    number, other, written = NUMBERS[slug]
    field = named_field(campaign.rules.rolls.obstacle)

    def pages_with(value: Any) -> str:
        put = Obstacle.objects.get()
        spec = {**obstacles.values_of(put), field: value}
        Obstacle.objects.update(spec=canonical({"v": VERSION, "fields": spec}))
        return re.sub(r'name="(?:csrfmiddlewaretoken|op_id)" value="[^"]*"', "", told(as_bob, campaign))

    assert pages_with(other) == pages_with(number), "no byte of a player's follows from it before"
    assert BEFORE in text_of(as_alice.get(table)) and AFTER not in text_of(as_alice.get(table))
    met = "something is there" if view is View.NOTHING else "its name"
    assert f"In a scene players see {met}, and the number they roll against" in text_of(as_alice.get(page))

    assert roll_with_the_first_line(as_bob, campaign, hero)
    campaign.refresh_from_db()
    rolled = as_bob.get(reverse("entry", args=[campaign.slug, campaign.head_seq]))
    assert re.search(rf"\b{written}\b", text_of(rolled)), "everyone can check the roll"
    seen = told(as_bob, campaign) + rolled.content.decode()
    assert (NAME in seen) == (view is View.FACE) and TEXT not in seen, "and learns no more by it"
    assert AFTER in text_of(as_alice.get(table)) and BEFORE not in text_of(as_alice.get(table))
    assert "Number seen" in text_of(as_alice.get(page))
    undoing.undo(**by(campaign, gm, seq=campaign.head_seq))
    assert AFTER in text_of(as_alice.get(table)), "what was seen stays seen"


def test_a_roll_behind_the_screen_tells_no_number_and_what_players_know_whole_needs_no_label(
    as_alice: Client, as_bob: Client, alice: Any, bob: Any
) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name="The street", system="pdq")
    gm, player = campaign.members.get(), join(campaign, bob, "player")
    hero = character(campaign, player, "Ilse", LINES["pdq"], player=player)
    item = of_the_library(campaign, gm)
    sessions.open_session(**by(campaign, gm))
    sessions.open_scene(**by(campaign, gm, title="The street", characters=[hero.pk]))
    obstacles.put(**by(campaign, gm, values={}, chip=f"item:{item.pk}:0"))
    table = reverse("table", args=[campaign.slug])
    form = Page(as_alice.get(f"{table}?character={hero.pk}")).form(action="/roll/")
    assert form.send(as_alice, hidden="on").status_code == 302
    assert BEFORE in text_of(as_alice.get(table)) and AFTER not in text_of(as_alice.get(table))
    bank.see(**by(campaign, gm, prepared_id=item.pk, view=View.ALL, lines={}))
    assert BEFORE not in text_of(as_alice.get(table)) and AFTER not in text_of(as_alice.get(table))
    assert BEFORE not in text_of(as_bob.get(table))
