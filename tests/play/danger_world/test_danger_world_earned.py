"""Bonus dice and uses of aspects come from play, and after it has begun from nobody's edit but the GM's (DW-05, DW-11).
"""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from characters.models import Character, Trait
from tests.html_forms import Form, Page
from tests.play.conftest import body
from tests.play.danger_world.test_danger_world_by_page import gains

pytestmark = pytest.mark.django_db

FROM_PLAY = "come from play alone. Take them off, or ask the GM to write them down."


def edit_of(client: Client, mara: Character) -> Form:
    at = f"/c/{mara.campaign.slug}/characters/{mara.pk}/edit/"
    return Page(client.get(at)).form(action=at)


def place_of(form: Form, trait: Trait) -> str:
    """The prefix of a line's fields."""
    (name,) = [name for name, control in form.controls.items()
               if name.endswith("-id") and control.opens == [str(trait.pk)]]
    return name.removesuffix("-id")


@pytest.mark.parametrize(("kind", "was", "more"), [("bonus", 2, "6"), ("primary", 0, "2")])
def test_dw_05_dw_11_more_of_what_play_gives_is_refused_at_its_field_and_the_gm_may(
    as_bob: Client, as_alice: Client, mara: Character, session: None, kind: str, was: int, more: str
) -> None:
    trait = gains(mara, kind, "Luck", 2) if kind == "bonus" else mara.traits.get(name="In debt")
    form = edit_of(as_bob, mara)
    at = f"{place_of(form, trait)}-value"
    refused = form.send(as_bob, **{at: more})
    assert refused.status_code == 422
    page = Page(refused)
    assert any(FROM_PLAY in error for error in page.errors), page.errors
    assert page.form(action=form.action).controls[at].refused
    trait.refresh_from_db()
    assert trait.value == was
    form = edit_of(as_alice, mara)
    answer = form.send(as_alice, **{f"{place_of(form, trait)}-value": more})
    assert answer.status_code == 302, Page(answer).errors
    trait.refresh_from_db()
    assert trait.value == int(more)
    # As the GM wrote it, it stays when its player changes something else.
    assert edit_of(as_bob, mara).send(as_bob, concept="Roof runner").status_code == 302


def with_bonus(client: Client, at: str, **values: Any) -> Any:
    """A sheet sent with a new line of bonus dice, as the button for one opens it."""
    form = Page(client.get(at)).form(action=at)
    sent = form.filled(**values)
    (index,) = sent["lines"]
    row = {"id": "", "kind": "bonus", "name": "Out of thin air", "value": "3", "note": ""}
    return client.post(at, {**sent, "lines": int(index) + 1,
                            **{f"line-{index}-{name}": value for name, value in row.items()}})


def test_dw_05_no_bonus_dice_are_added_once_play_has_begun(
    as_bob: Client, as_alice: Client, mara: Character, session: None
) -> None:
    at = f"/c/{mara.campaign.slug}/characters/{mara.pk}/edit/"
    refused = with_bonus(as_bob, at)
    assert refused.status_code == 422 and f"Out of thin air: more dice {FROM_PLAY}" in Page(refused).errors
    assert not mara.traits.filter(kind="bonus").exists()
    assert with_bonus(as_alice, at).status_code == 302
    assert mara.traits.get(kind="bonus").value == 3


def test_dw_05_before_play_a_player_says_what_a_character_comes_with(as_bob: Client, mara: Character) -> None:
    assert with_bonus(as_bob, f"/c/{mara.campaign.slug}/characters/{mara.pk}/edit/").status_code == 302
    assert mara.traits.get(kind="bonus").value == 3


@pytest.mark.parametrize("begun", [False, True])
def test_dw_05_a_new_character_brings_none_into_a_campaign_that_is_played(
    as_bob: Client, as_alice: Client, campaign: Any, bobs: Any, begun: bool
) -> None:
    if begun:
        assert as_alice.post(f"/c/{campaign.slug}/chronicle/open/", body(title="")).status_code == 302
    line = {"id": "", "kind": "bonus", "name": "Out of thin air", "value": "3", "note": ""}
    answer = as_bob.post(f"/c/{campaign.slug}/characters/new/", body(
        name="Nell", lines=1, **{f"line-0-{name}": value for name, value in line.items()}))
    assert answer.status_code == (422 if begun else 302)
    assert Character.objects.filter(name="Nell").exists() is not begun
