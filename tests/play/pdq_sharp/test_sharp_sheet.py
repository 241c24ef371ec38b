"""A PDQ# sheet on its pages: built, counted, finished, and rolled with (PS-01 to PS-07, PS-10)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from campaigns.trail.visible import payload_of
from characters.models import Character
from rules.sheet import TraitDraft
from tests.play.conftest import body, trait
from tests.play.tray_page import shown
from tests.rules.pdq_sharp.people import JACKDAW, SERAFINE

pytestmark = pytest.mark.django_db


def typed(name: str, drafts: tuple[TraitDraft, ...], **more: str) -> dict[str, Any]:
    """The builder's form with these lines."""
    sent: dict[str, Any] = body(name=name, concept="", story="", lines=len(drafts), **more)
    for place, draft in enumerate(drafts):
        for field in ("kind", "name", "value", "note", "within"):
            sent[f"line-{place}-{field}"] = getattr(draft, field)
    return sent


@pytest.mark.parametrize("drafts", [SERAFINE, JACKDAW], ids=["Serafine", "Jackdaw"])
def test_ps_02_a_whole_character_is_built_on_the_page(
    as_bob: Client, campaign: Any, bobs: Any, drafts: tuple[TraitDraft, ...]
) -> None:
    at = f"/c/{campaign.slug}/characters/new/"
    page = as_bob.get(at).content.decode()
    assert "Swashbuckling forte" in page and "More options" in page and "Story hook" not in page
    counted = as_bob.post(f"/c/{campaign.slug}/characters/builder/count/", typed("Somebody", drafts)).content.decode()
    assert "8 of 8." in counted and "This sheet is complete." in counted
    answer = as_bob.post(at, typed("Somebody", drafts))
    assert answer.status_code == 302, answer.content.decode()
    made = Character.objects.get()
    assert made.traits.count() == len(drafts)
    assert made.traits.get(name="Sabre").parent == made.traits.get(kind="swashbuckling")
    sheet = as_bob.get(answer["Location"]).content.decode()
    assert "not finished" not in sheet and "Expert [+4]" in sheet and "Tool or weapon" in sheet
    assert not list(differences(campaign.pk))


@pytest.mark.parametrize("number", [1, 2])
def test_ps_03_a_ready_made_character_is_taken_as_it_is(
    as_bob: Client, campaign: Any, bobs: Any, number: int
) -> None:
    at, one = f"/c/{campaign.slug}/characters/new/", campaign.rules.sheet.ready_made[number - 1]
    assert f"{at}?ready={number}" in as_bob.get(at).content.decode()
    page = as_bob.get(f"{at}?ready={number}")
    assert "This sheet is complete." in page.content.decode() and one.name in page.content.decode()
    builder = page.context["builder"]
    sent = {field.html_name: field.value() or "" for form in (builder.person, *builder.lines) for field in form}
    assert as_bob.post(at, sent).status_code == 302
    made = Character.objects.get(player=bobs)
    assert (made.name, made.concept, made.traits.count()) == (one.name, one.concept, len(one.traits))
    assert "not finished" not in as_bob.get(f"/c/{campaign.slug}/characters/{made.pk}/").content.decode()
    assert as_bob.get(f"{at}?ready=99").status_code == 200 and not list(differences(campaign.pk))


@pytest.mark.parametrize(("word", "number"), [("trivial", 0), ("inconceivable", 21), ("poor", 5), ("master", 13)])
def test_ps_01_a_difficulty_is_a_word_of_the_chart(
    as_alice: Client, campaign: Any, perpetua: Character, session: None, word: str, number: int
) -> None:
    chosen = body(character=str(perpetua.pk), difficulty=word, fortes=[str(trait(perpetua, "Fencing").pk)])
    tray = as_alice.post(f"/c/{campaign.slug}/tray/", chosen, headers={"HX-Request": "true"}).content.decode()
    assert (f"2d6, +4 against {number}" in tray) == bool(number)


def test_ps_06_more_is_the_gms_to_allow_with_a_reason(
    as_alice: Client, as_bob: Client, campaign: Any, bobs: Any
) -> None:
    at = f"/c/{campaign.slug}/characters/new/"
    over = (*JACKDAW, TraitDraft("forte", "Sailing", 1))
    refused = as_bob.post(at, typed("Jackdaw", over))
    assert refused.status_code == 422 and "points of additional fortes 10 of 8" in refused.content.decode()
    refused = as_alice.post(at, typed("Jackdaw", over, part=str(bobs.pk)))
    assert refused.status_code == 422 and "Enter a reason to allow it." in refused.content.decode()
    assert as_alice.post(at, typed("Jackdaw", over, part=str(bobs.pk), reason="An old hand")).status_code == 302
    payload = payload_of(Entry.objects.latest("seq"))
    assert payload is not None and payload["reason"] == "An old hand"


def test_ps_07_npcs_from_a_line(as_alice: Client, campaign: Any) -> None:
    at = f"/c/{campaign.slug}/characters/quick/"
    assert "archvillain" in as_alice.get(at).content.decode()
    for line in ("2 squads of 5 guards, good", "Corvin Ashgrove, archvillain", "Lout, minion, Cudgel average"):
        assert as_alice.post(at, body(line=line)).status_code == 302
    squads = Character.objects.filter(traits__kind="squad", traits__value=5)
    assert len(squads) == 2 and all(squad.npc for squad in squads)
    corvin = Character.objects.get(name="Corvin Ashgrove")
    assert trait(corvin, "Fencing").kind == "swashbuckling"
    assert trait(corvin, "Rapier").parent == trait(corvin, "Fencing")
    page = as_alice.get(f"/c/{campaign.slug}/characters/{corvin.pk}/").content.decode()
    assert "archvillain" in page and "Master [+6]" in page
    sheet = as_alice.get(f"/c/{campaign.slug}/characters/{squads[0].pk}/").content.decode()
    assert "5 minions" in sheet


def test_ps_10_a_challenge_from_the_tray(
    as_alice: Client, campaign: Any, perpetua: Character, session: None, dice: list[int]
) -> None:
    chosen = body(character=str(perpetua.pk), shown=shown(as_alice, campaign, perpetua), difficulty="expert", fortes=[
        str(trait(perpetua, name).pk) for name in ("Fencing", "Rapier")])
    tray = as_alice.post(f"/c/{campaign.slug}/tray/", chosen, headers={"HX-Request": "true"}).content.decode()
    assert "3d6, the best two, +4 against 11" in tray
    dice += [2, 6, 1]
    answer = as_alice.post(f"/c/{campaign.slug}/roll/", {**chosen, "shown": shown(as_alice, campaign, perpetua)})
    assert answer.status_code == 302, answer.content.decode()
    assert "12 against 11: success" in as_alice.get(answer["Location"]).content.decode()


def test_ps_04_one_idiom_at_a_time(as_bob: Client, campaign: Any, perpetua: Character, session: None) -> None:
    other = perpetua.traits.create(campaign=campaign, kind="technique", name="Grim", value=1, place=99)
    chosen = body(character=str(perpetua.pk), difficulty="expert", fortes=[
        str(trait(perpetua, "Mocking").pk), str(other.pk)])
    answer = as_bob.post(f"/c/{campaign.slug}/roll/", chosen)
    assert answer.status_code == 422 and "One idiom at a time" in answer.content.decode()
