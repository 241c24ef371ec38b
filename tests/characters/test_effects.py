"""What the rules propose, done to sheets."""
from __future__ import annotations

import uuid

import pytest

from campaigns import trail
from campaigns.errors import Refused
from campaigns.trail.rebuild import differences
from characters import queries
from characters.models import Pool
from characters.services.effects import apply
from rules.sheet import Damage, Gain, Lose, Raise, Spend, TraitDraft
from rules.values import BadMove
from tests import laid
from tests.characters.conftest import last, said


def do(campaign, *effects):
    """Applies effects in an entry of their own."""
    with trail.entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="pdq.test", title="A test") as entry:
        apply(entry, effects)
    return entry.written


@laid.fixture
def fencing(ilse):
    return ilse.traits.get(name="Fencing")


def test_pq_16_damage_and_healing(campaign, fencing):
    entry = do(campaign, Damage(str(fencing.pk), 2), Damage(str(fencing.pk), 1))
    fencing.refresh_from_db()
    assert fencing.damage == 3
    assert said(entry)["changes"] == [
        {"of": "trait", "id": str(fencing.pk), "was": {"damage": 0}, "became": {"damage": 3}}
    ]
    do(campaign, Damage(str(fencing.pk), -3))
    fencing.refresh_from_db()
    assert fencing.damage == 0


def test_damage_stays_at_0_or_more(campaign, fencing):
    before = last(campaign).seq
    with pytest.raises(Refused, match="Fencing has 0 damage; 1 can’t be healed"):
        do(campaign, Damage(str(fencing.pk), -1))
    assert last(campaign).seq == before


def test_numbers_that_no_sheet_holds(campaign, fencing):
    before = last(campaign).seq
    for effect, sentence in ((Damage(str(fencing.pk), 10**6), "Fencing can’t take so much damage."),
                             (Raise(str(fencing.pk), 10**6), "Fencing can’t change by so much.")):
        with pytest.raises(Refused) as refused:
            do(campaign, effect)
        assert (refused.value.field, refused.value.sentence) == ("traits", sentence)
    assert last(campaign).seq == before


def test_raise_and_gain(campaign, ilse, fencing):
    do(campaign, Raise(str(fencing.pk), 1), Gain(str(ilse.pk), "strength", "Knots", 1))
    sheet = queries.sheets(campaign, [ilse.pk])[str(ilse.pk)]
    assert (sheet.traits[0].name, sheet.traits[0].value) == ("Fencing", 3)
    assert sheet.traits[-1].name == "Knots"
    with pytest.raises(BadMove):
        do(campaign, Gain(str(ilse.pk), "spell", "Fire", 1))


def test_a_line_comes_with_those_that_stand_in_it_and_leaves_with_them(campaign, ilse):
    inner = (TraitDraft("strength", "Sniffs out lies", 2), TraitDraft("strength", "Bites", 1, "ankles first"))
    entry = do(campaign, Gain(str(ilse.pk), "strength", "A dog called Quill", 1, lines=inner))
    dog = ilse.traits.get(name="A dog called Quill")
    assert [(trait.name, trait.value, trait.note) for trait in ilse.traits.filter(parent=dog).order_by("place")] == [
        ("Sniffs out lies", 2, ""), ("Bites", 1, "ankles first")]
    assert list(ilse.traits.order_by("place").values_list("name", flat=True))[-3] == "A dog called Quill"
    assert len(said(entry)["changes"]) == 3
    do(campaign, Lose(str(dog.pk)))
    assert not ilse.traits.filter(name__in=("A dog called Quill", "Sniffs out lies", "Bites")).exists()
    assert not list(differences(campaign.pk))
    with pytest.raises(BadMove):
        do(campaign, Gain(str(ilse.pk), "strength", "Cat", 1, lines=(TraitDraft("spell", "Fire", 1),)))
    assert not ilse.traits.filter(name="Cat").exists()


def test_pools_are_made_when_first_filled_and_never_below_0(campaign, ilse):
    do(campaign, Spend(str(ilse.pk), "xp", 3), Spend(str(ilse.pk), "xp", -1))
    assert Pool.objects.get(character=ilse).value == 2
    with pytest.raises(Refused, match="not enough experience: 2 left, 3 wanted"):
        do(campaign, Spend(str(ilse.pk), "xp", -3))
    with pytest.raises(Refused, match="no such pool"):
        do(campaign, Spend(str(ilse.pk), "gold", 1))
    with pytest.raises(Refused, match="9999 at most"):
        do(campaign, Spend(str(ilse.pk), "xp", 10**12))
    assert Pool.objects.get(character=ilse).value == 2


def test_rows_of_another_campaign_are_not_there(campaign, ilse, alice, fencing):
    from campaigns.services.founding import found

    other = found(user=alice, op_id=uuid.uuid4(), name="Elsewhere", system="pdq")
    for effect in (Damage(str(fencing.pk), 1), Spend(str(ilse.pk), "xp", 1), Raise("nonsense", 1)):
        with pytest.raises(Refused, match="no longer exists"):
            do(other, effect)


def test_sheets_take_three_queries_however_many(campaign, ilse, guard, django_assert_num_queries):
    with django_assert_num_queries(3):
        sheets = queries.sheets(campaign, [ilse.pk, str(guard.pk)])
    assert sheets[str(guard.pk)].traits[0].name == "Fighting"
    assert [trait.name for trait in sheets[str(ilse.pk)].traits][:2] == ["Fencing", "Harbour gossip"]
