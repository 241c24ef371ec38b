"""Lines that stand in others, typed values, flaws scored by rule, prose (QW-01, QW-71 to QW-75)."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from characters.models import Character
from tests import laid

pytestmark = pytest.mark.django_db


@laid.fixture
def campaign(alice: Any) -> Any:
    """Another game than usual, with a mastery sign of its own."""
    return found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system="questworlds", settings={"symbol": "W"})


def lines(*rows: dict[str, str], **person: str) -> dict[str, str]:
    """What the builder sends."""
    sent = {"op_id": str(uuid.uuid4()), "name": "Ilse", "lines": str(len(rows)), **person}
    for place, row in enumerate(rows):
        sent |= {f"line-{place}-{name}": value for name, value in row.items()}
    return sent


def keep(client: Client, campaign: Any, *rows: dict[str, str]) -> Any:
    return client.post(f"/c/{campaign.slug}/characters/new/", lines(*rows))


ROWS = (
    {"kind": "characteristic", "name": "Stubborn", "value": "17"},
    {"kind": "keyword", "name": "Mapmaker", "value": "3W"},
    {"kind": "breakout", "name": "Forgery", "value": "+4", "within": "mapmaker"},
    {"kind": "ability", "name": "Knife", "value": "13"},
    {"kind": "flaw", "name": "In debt", "value": ""}, {"kind": "flaw", "name": "Proud", "value": ""},
    {"kind": "flaw", "name": "Cannot swim", "value": ""},
)


def test_qw_01_scores_are_typed_and_shown_in_the_campaigns_notation(
    as_bob: Client, campaign: Any, bobs: Any
) -> None:
    assert keep(as_bob, campaign, *ROWS).status_code == 302
    ilse = Character.objects.get(name="Ilse")
    assert ilse.traits.get(name="Mapmaker").value == 23
    page = as_bob.get(f"/c/{campaign.slug}/characters/{ilse.pk}/").content.decode()
    assert "3W" in page and "+4 = 7W" in page
    form = as_bob.get(f"/c/{campaign.slug}/characters/{ilse.pk}/edit/").content.decode()
    assert 'value="3W"' in form and 'value="Mapmaker"' in form


def test_qw_73_a_breakout_stands_in_its_keyword(as_bob: Client, campaign: Any, bobs: Any) -> None:
    keep(as_bob, campaign, *ROWS)
    forgery = Character.objects.get().traits.get(name="Forgery")
    assert forgery.parent is not None and forgery.parent.name == "Mapmaker"
    assert not list(differences(campaign.pk))
    answer = keep(as_bob, campaign, {**ROWS[2], "within": "Sailor"})
    assert answer.status_code == 422 and "There is no keyword of this name" in answer.content.decode()


def test_qw_74_flaws_are_scored_by_the_rules(as_bob: Client, campaign: Any, bobs: Any) -> None:
    keep(as_bob, campaign, *ROWS)
    values = dict(Character.objects.get().traits.filter(kind="flaw").values_list("name", "value"))
    assert values == {"In debt": 27, "Proud": 23, "Cannot swim": 13}


def test_qw_72_the_points_are_counted(as_bob: Client, campaign: Any, bobs: Any) -> None:
    answer = as_bob.post(f"/c/{campaign.slug}/characters/builder/count/", lines(*ROWS))
    assert "9 of 20" in answer.content.decode()
    dear = {"kind": "ability", "name": "Everything", "value": "20W"}
    assert keep(as_bob, campaign, *ROWS, dear).status_code == 422


def test_a_score_that_makes_no_sense_is_refused_at_its_field(as_bob: Client, campaign: Any, bobs: Any) -> None:
    answer = keep(as_bob, campaign, {"kind": "ability", "name": "Knife", "value": "sharp"})
    assert answer.status_code == 422 and "Enter a number or a notation" in answer.content.decode()


def test_a_keyword_can_be_taken_off_with_what_stands_in_it(as_bob: Client, campaign: Any, bobs: Any) -> None:
    keep(as_bob, campaign, *ROWS)
    ilse = Character.objects.get()
    knife = ilse.traits.get(name="Knife")
    row = {"kind": "ability", "name": "Knife", "value": "13", "id": str(knife.pk)}
    answer = as_bob.post(f"/c/{campaign.slug}/characters/{ilse.pk}/edit/", lines(row, seen="99"))
    assert answer.status_code == 302
    assert [trait.name for trait in ilse.traits.all()] == ["Knife"] and not list(differences(campaign.pk))


def test_qw_71_marked_phrases_become_rows(as_bob: Client, campaign: Any, bobs: Any) -> None:
    at = f"/c/{campaign.slug}/characters/new/prose/"
    assert as_bob.get(at).status_code == 200
    answer = as_bob.post(at, {"text": "Ilse is a [[mapmaker]] with a [knife in her boot]."})
    page = answer.content.decode()
    assert 'value="mapmaker"' in page and 'value="knife in her boot"' in page
    assert "Ilse is a mapmaker with a knife in her boot." in page
    assert "Mark what matters" in as_bob.post(at, {"text": "Nothing marked."}).content.decode()


def test_qw_03_a_season_raises_the_base(
    as_alice: Client, campaign: Any, alices: Any, bobs: Any, as_bob: Client
) -> None:
    from play.models import Contest
    from play.services import sessions

    keep(as_bob, campaign, *ROWS)
    ilse = Character.objects.get()
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="Spring", characters=[ilse.pk])
    answer = as_alice.post(f"/c/{campaign.slug}/contests/start/walk/", {
        "op_id": str(uuid.uuid4()), "title": "A winter", "season": "3", "c0_side": "one"})
    assert answer.status_code == 302, answer.content.decode()
    campaign.refresh_from_db()
    assert campaign.settings["base"] == 17 and campaign.settings["symbol"] == "W"
    walk = Contest.objects.get()
    assert "17" in as_alice.get(f"/c/{campaign.slug}/contests/{walk.pk}/").content.decode()
    assert not list(differences(campaign.pk))


def test_qw_77_an_npc_in_one_line_is_read_with_the_campaigns_sign(as_alice: Client, campaign: Any) -> None:
    to = f"/c/{campaign.slug}/characters/quick/"
    shown = as_alice.get(to).content.decode()
    assert "Watchful 1W" in shown and "Watchful 1M" not in shown
    given = {"op_id": str(uuid.uuid4()), "line": "Harbour guard, Halberd 17, Watchful 1W"}
    assert as_alice.post(to, given).status_code == 302
    guard = Character.objects.get(name="Harbour guard")
    assert dict(guard.traits.values_list("name", "value")) == {"Halberd": 17, "Watchful": 21}


def test_qw_71_a_mark_that_is_too_long_is_refused_at_the_text(as_bob: Client, campaign: Any, bobs: Any) -> None:
    text = f"Ilse is a [mapmaker] who [{'went on and ' * 12}on]."
    answer = as_bob.post(f"/c/{campaign.slug}/characters/new/prose/", {"text": text})
    shown = answer.content.decode()
    assert answer.status_code == 422 and "Mark fewer words" in shown and "who [went on" in shown
