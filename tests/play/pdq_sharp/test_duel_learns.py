"""The matrix learns from a duel what was really used (PS-22)."""
from __future__ import annotations

import pytest

from play.models import LineUsed
from tests.play.pdq_sharp.test_duel import Four
from tests.play.pdq_sharp.test_duel import four as four

pytestmark = pytest.mark.django_db


def test_ps_22_the_fortes_of_a_duel_met_those_of_the_foe(four: Four) -> None:
    _, hero = four.players["Perpetua Vane"]
    while four.state.phase.value in ("engage", "stance"):
        four.once(four.state)
    foes = [fencer for fencer in (four.corvin, *four.squads) if str(fencer.pk) in four.state.foes_of(str(hero.pk))]
    names = {f"{foe.name}: {line}" for foe in foes for line in foe.traits.values_list("name", flat=True)}
    learnt = LineUsed.objects.filter(character=hero)
    assert foes and learnt and {used.against for used in learnt} <= names
    assert {used.trait_id for used in learnt} <= {line.pk for line in hero.traits.all()}
    assert not LineUsed.objects.filter(character__npc=True).exists()
