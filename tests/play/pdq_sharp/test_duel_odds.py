"""What a duel's page says of chances, against all throws (PS-22)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from characters.models import Character, Trait
from rules.systems.pdq_sharp.chart import MODIFIERS, WORDS
from rules.systems.pdq_sharp.duel.dice import SPLITS
from rules.systems.pdq_sharp.duel.odds import BY_ATTACK
from rules.systems.pdq_sharp.duel.turn import STANCES
from tests.html_forms import Page
from tests.play.conftest import trait
from tests.play.pdq_sharp.conftest import Duelling, from_line
from tests.play.pdq_sharp.test_duel_rules import at_scene
from tests.rules.pdq_sharp.test_sharp_duel_follows import chances, near

pytestmark = pytest.mark.django_db


@pytest.fixture
def two(as_alice: Client, as_bob: Client, campaign: Any, session: None, alices: Any, perpetua: Character,
        corvin: Character, dice: list[int]) -> Duelling:
    """Perpetua between two villains."""
    other = from_line(campaign, alices, "Hark Sallow, villain, Fencing master", npc=True)
    at_scene(as_alice, campaign, other)
    duel = Duelling(campaign, as_alice, dice, [perpetua], corvin, other)
    while duel.state.phase.value == "engage":
        first = duel.state.undecided[0].id
        foes = [str(foe.pk) for foe in (corvin, other)] if first == str(perpetua.pk) else [str(perpetua.pk)]
        duel.press(as_alice, "engage", first, foes=foes)
    return duel


def told(answer: Any) -> list[dict[str, list[str]]]:
    """The tables of an answer, by the first cell of each row."""
    tables = Page(answer).of_tag("table")
    rows = [[[cell.text for cell in row.within() if cell.tag in ("td", "th")] for row in table.within()
             if row.tag == "tr"] for table in tables]
    return [{cells[0]: cells[1:] for cells in table} for table in rows]


@pytest.mark.parametrize("tweak", ["", "parry"])
def test_ps_22_between_two_foes_the_page_counts_the_dice_of_both_attacks(
    two: Duelling, as_bob: Client, perpetua: Character, tweak: str
) -> None:
    two_foes = two.state.foes_of(str(perpetua.pk))
    assert len(two_foes) == 2
    form = Page(as_bob.get(two.at)).form(action=f"/stance/{perpetua.pk}/")
    fortes = [str(trait(perpetua, "Fencing").pk)]
    filled = form.filled(form.buttons[1], fortes=fortes, tweak=tweak, techniques=[str(trait(perpetua, "Rapier").pk)])
    tables = told(as_bob.post(f"{two.at}stance/{perpetua.pk}/odds/", filled))
    assert len(tables) == 2
    adds = 4
    for place, table in enumerate(tables):
        counting = Trait.objects.filter(pk__in=two.state.fencer(two_foes[place]).fortes)
        theirs = sum(MODIFIERS[WORDS[forte.value]] for forte in counting)
        for own in ("strong_attack", "strong_defence", "all_out_defence"):
            for foe in BY_ATTACK:
                strikes = (STANCES[own],) * 2 if not tweak else (0,)
                shares = chances(((*strikes, 3 - STANCES[own]), 1, place if not tweak else 0), (adds, adds), foe,
                                 theirs, not tweak)
                for name, share in zip(("get through" if tweak else "touch", "be touched"), shares, strict=True):
                    cell = table[f"{SPLITS[own]}: {name}"][BY_ATTACK.index(foe)]
                    assert near(cell, share), (own, foe, name, cell, float(share))
