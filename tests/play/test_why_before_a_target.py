"""Of several foes none is chosen as an attack opens: one’s own side says why, and theirs comes with the choice."""
from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from tests.browser import moments
from tests.html_forms import Page
from tests.play.test_story_cards import seated
from tests.play.test_why_in_contests import STEPS, asked, drawn, told, traits

pytestmark = pytest.mark.django_db
THEIRS = "Their side · comes with your choice of a target"
ATTACKS = [("pdq", "conflict", "qualities", "targets"), ("pnc", "fight", "features", "target")]


def against_two(laid: dict[str, Any], kind: str) -> tuple[Client, str, str]:
    """Bob’s turn to attack one of two, Dana’s character and the NPC: his client, the contest’s page, the act."""
    contest = moments.begin(laid["address"], kind, c1_side="two")
    at, client = f"{laid['address']}contests/{contest}/", seated(laid)[1]["Bob"]
    for _ in range(STEPS):
        for form in Page(client.get(at)).forms:
            if form.action.startswith(f"{at}attack/"):
                return client, at, form.action
        assert moments.step(laid["address"], faces={"20": 4})
    raise AssertionError("it was never Bob’s turn")


@pytest.mark.parametrize(("system", "kind", "lines", "whom"), ATTACKS, ids=[system for system, *_ in ATTACKS])
def test_ones_own_side_says_why_before_a_target_is_chosen(system: str, kind: str, lines: str, whom: str) -> None:
    laid = moments.table(system)
    client, at, url = against_two(laid, kind)
    form, above = drawn(client, at, url)
    own, foe = form.controls[lines].offered[0], form.controls[whom].offered[-1]
    number, parts = told(above)
    assert re.search(r"\d", number) and (THEIRS in parts) is not bool(form.filled().get(whom))
    _, unaimed = told(asked(client, form, **{lines: [own], whom: []}))
    name = traits(laid).get(pk=own).name
    assert THEIRS in unaimed and any(name in part and "not counted" not in part for part in unaimed)
    _, aimed = told(asked(client, form, **{lines: [own], whom: [foe] if whom == "targets" else foe}))
    (theirs,) = (part for part in aimed if part.startswith("Against "))
    assert [part for part in aimed if part != theirs] == [part for part in unaimed if part != THEIRS]


def test_what_is_wrong_otherwise_still_tells_how_it_opened() -> None:
    """A line of nobody’s is not counted, whether somebody is chosen or not."""
    laid = moments.table("pdq")
    client, at, url = against_two(laid, "conflict")
    form, above = drawn(client, at, url)
    forged = client.post(f"{url}odds/", {**form.filled(), "qualities": "nobody’s"}, headers={"HX-Request": "true"})
    assert told(forged.content.decode()) == told(above)
