"""What is about to be added after the dice of a duel is reckoned by the server before it is sent (PS-11, PS-17)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from characters.models import Character
from rules.systems.pdq_sharp.duel.state import DEFENCE
from tests.html_forms import Page
from tests.play.conftest import trait
from tests.play.pdq_sharp.conftest import Duelling

pytestmark = pytest.mark.django_db


@pytest.fixture
def fought(as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
           dice: list[int]) -> Duelling:
    """Perpetua's dice have fallen against a villain's, low ones, and she is asked."""
    duel = Duelling(campaign, as_alice, dice, [perpetua], corvin)
    while duel.state.phase.value == "engage":
        who = duel.state.undecided[0].id
        duel.press(as_alice, "engage", who, foes=[str(corvin.pk if who == str(perpetua.pk) else perpetua.pk)])
    duel.press(as_alice, "stances")
    first = duel.state.order[0].id == str(perpetua.pk)
    faces = (2, 3, 1, 5, 3, 4) if first else (5, 3, 4, 2, 3, 1)
    duel.press(as_bob, "stance", perpetua, *faces, stance="strong_attack", fortes=[str(trait(perpetua, "Fencing").pk)])
    return duel


def trays(page: Page) -> list[tuple[str, str]]:
    """What each tray comes to, and what comes of the attacks that it is part of."""
    lies = [element for element in page.of_tag("div") if (element.attributes.get("id") or "").startswith("lies-")]
    return [(next(part.text for part in lie.within() if part.tag == "b"),
             " ".join(part.text for part in lie.within() if part.has("verdict") or part.has("was"))) for lie in lies]


def chosen(perpetua: Character, how: str, to: str) -> dict[str, str | list[str]]:
    return {f"use_{trait(perpetua, 'Rapier').pk}": f"{how}|{to}"}


@pytest.mark.parametrize("at_table", [False, True])
def test_ps_17_without_a_script_a_press_says_what_comes_of_what_is_chosen_and_nothing_is_done(
    fought: Duelling, as_bob: Client, campaign: Any, perpetua: Character, at_table: bool
) -> None:
    page = Page(as_bob.get(f"/c/{campaign.slug}/" if at_table else fought.at))
    form, before = page.form(action=f"/add/{perpetua.pk}/"), trays(page)
    entries = Entry.objects.count()
    look = next(button for button in form.buttons if button.attributes.get("name") == "look")
    answer = form.send(as_bob, look, **chosen(perpetua, "flat", DEFENCE))
    assert answer.status_code == 200 and Entry.objects.count() == entries
    page = Page(answer)
    after = trays(page)
    assert after[0] == before[0] and int(after[1][0]) == int(before[1][0]) + 1
    assert "was: " in after[1][1] and "was: " not in before[1][1]
    button = page.of_attribute("id", f"sends-offer-add-{perpetua.pk}")[0].text
    assert "Send Rapier +1" in button and " given, " in button
    assert any("before: " in text.text for text in page.of_class("come-to"))
    again = page.form(action=f"/add/{perpetua.pk}/")
    sent = again.send(as_bob, next(button for button in again.buttons if button is not look and
                                   button.attributes.get("name") != "look"))
    assert sent.status_code == 302, "what was chosen stands in the form"
    assert trays(Page(as_bob.get(fought.at)))[1][0] == after[1][0]


def test_ps_17_with_a_script_both_arrows_and_the_button_are_told_anew(
    fought: Duelling, as_bob: Client, perpetua: Character, corvin: Character
) -> None:
    form = Page(as_bob.get(fought.at)).form(action=f"/add/{perpetua.pk}/")
    sends = next(button for button in form.buttons if button.attributes.get("name") != "look")

    def told(**values: str | list[str]) -> Any:
        """What comes while the form is filled in."""
        return as_bob.post(f"{fought.at}add/{perpetua.pk}/odds/", form.filled(sends, **values),
                           headers={"HX-Request": "true"})

    flat = told(**chosen(perpetua, "flat", DEFENCE))
    button = Page(flat).of_attribute("id", f"sends-offer-add-{perpetua.pk}")[0].text
    assert "Send Rapier +1" in button and " given, " in button and "before: " in button
    assert len(trays(Page(flat))) == 2
    die = told(**chosen(perpetua, "die", str(corvin.pk)))
    assert "and 1 to throw" in die.content.decode() and "touches " in trays(Page(die))[0][1]
    nothing = told()
    assert trays(Page(nothing)) == trays(Page(as_bob.get(fought.at)))
    assert "Add what is chosen" in nothing.content.decode()
