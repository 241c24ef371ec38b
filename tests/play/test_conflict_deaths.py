"""Who has died by the GM's word on the sheet leaves the conflict that goes on, and is back with the word (PQ-17)."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.errors import Refused
from campaigns.models import Entry
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest
from play.services import sessions
from tests import laid
from tests.html_forms import Page
from tests.play.conftest import character, trait
from tests.play.test_conflict import act, at, begin, fight, offered, state, wound
from tests.play.test_conflict_pages import with_settings_of

__all__ = ["fight"]  # a fixture of those tables
pytestmark = pytest.mark.django_db


def marks(as_alice: Client, who: Character, *, button: str = "Mark as dead") -> Entry:
    """The GM presses the button of the sheet."""
    sheet = Page(as_alice.get(reverse("sheet", args=[who.campaign.slug, who.pk])))
    assert sheet.form(button=button).send(as_alice).status_code == 302
    return Entry.objects.filter(campaign=who.campaign).latest("seq")


def taken_back(campaign: Any, alices: Any, written: Entry) -> None:
    undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=written.seq)


@laid.fixture
def zora(campaign: Any, alices: Any) -> Character:
    """Another NPC, of the others."""
    return character(campaign, alices, "Zora", [("strength", "Knots", 1)], npc=True)


@laid.fixture
def three(as_alice: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, marrow: Any, zora: Any) -> Contest:
    """Ilse against Old Marrow and Zora."""
    sessions.set_presence(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), characters=[ilse.pk, marrow.pk, zora.pk])
    assert begin(as_alice, campaign, c2_side="two").status_code == 302
    return Contest.objects.get()


def attacks(as_bob: Client, ilse: Any, *targets: Any) -> None:
    aimed = [str(target.pk) for target in targets]
    sent = act(as_bob, ilse, "attack", targets=aimed, qualities=[str(trait(ilse, "Maps").pk)])
    assert sent.status_code == 302, sent.content.decode()


def test_pq_17_who_dies_leaves_the_conflict_and_turns_go_past_them(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, three: Contest, ilse: Any, marrow: Any, zora: Any
) -> None:
    gone = str(marrow.pk)
    assert gone in state().acting
    written = marks(as_alice, marrow)
    assert gone not in state().acting and not state().contestant(gone).fights
    assert not [form for form in Page(as_alice.get(at())).forms if f"/{gone}/" in form.action]
    aims = Page(as_bob.get(at())).form(action=f"/attack/{ilse.pk}/").controls["targets"].offered
    assert aims == [str(zora.pk)]
    assert act(as_bob, ilse, "attack", targets=[gone]).status_code == 422
    page = as_alice.get(reverse("table", args=[campaign.slug])).content.decode()
    assert "Old Marrow is dead, and out of the conflict." in page
    taken_back(campaign, alices, written)
    assert gone in state().acting and state().contestant(gone).fights
    assert not Character.objects.get(pk=marrow.pk).dead
    assert not list(differences(campaign.pk))


def test_pq_11_whose_turn_alone_it_was_passes_it_on(
    as_alice: Client, as_bob: Client, three: Contest, ilse: Any, marrow: Any, zora: Any
) -> None:
    for client, who in ((as_bob, ilse), (as_alice, marrow)):
        assert act(client, who, "pass").status_code == 302
    assert state().acting == (str(zora.pk),) and state().round == 1
    marks(as_alice, zora)
    assert state().round == 2 and set(state().acting) == {str(ilse.pk), str(marrow.pk)}


def test_pq_17_the_death_of_the_last_foe_ends_it_and_undoing_that_brings_it_back(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, fight: Contest, ilse: Any, marrow: Any
) -> None:
    written = marks(as_alice, marrow)
    assert Contest.objects.get().over and state().winner == "The party"
    assert "Nobody but the party is still standing: the conflict is over." in written.payload.text
    taken_back(campaign, alices, written)
    assert not Contest.objects.get().over and str(marrow.pk) in state().acting
    assert not list(differences(campaign.pk))


def test_undoing_a_death_names_what_was_done_in_the_conflict_since(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, three: Contest, ilse: Any, marrow: Any
) -> None:
    written = marks(as_alice, marrow)
    assert act(as_bob, ilse, "pass").status_code == 302
    last = Entry.objects.latest("seq")
    with pytest.raises(Refused, match=f"Entry {last.seq} depends on this one. Undo that one first."):
        taken_back(campaign, alices, written)


def test_an_exchange_before_a_death_is_undone_after_it(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, three: Contest, ilse: Any, marrow: Any, zora: Any
) -> None:
    attacks(as_bob, ilse, zora)
    written = marks(as_alice, marrow)
    form = Page(as_alice.get(reverse("table", args=[campaign.slug]))).form(action=f"{three.pk}/undo/")
    form.send(as_alice)
    told = as_alice.get(reverse("table", args=[campaign.slug])).content.decode()
    assert f"Entry {written.seq} depends on this one. Undo that one first." in told and state().attack
    taken_back(campaign, alices, written)
    form = Page(as_alice.get(reverse("table", args=[campaign.slug]))).form(action=f"{three.pk}/undo/")
    assert form.send(as_alice).status_code == 302 and state().attack is None


def test_pq_17_back_to_life_is_back_in_the_conflict(
    as_alice: Client, as_bob: Client, campaign: Any, three: Contest, ilse: Any, marrow: Any
) -> None:
    marks(as_alice, marrow)
    assert act(as_bob, ilse, "pass").status_code == 302
    marks(as_alice, marrow, button="Bring back to life")
    assert state().contestant(str(marrow.pk)).fights
    aims = {option for form in Page(as_bob.get(at())).forms if "targets" in form.controls
            for option in form.controls["targets"].offered}
    assert not aims or str(marrow.pk) in aims
    assert not list(differences(campaign.pk))


def test_pq_12_the_attack_of_who_dies_comes_to_nothing(
    as_alice: Client, as_bob: Client, campaign: Any, three: Contest, ilse: Any, marrow: Any
) -> None:
    act(as_alice, marrow, "attack", targets=[str(ilse.pk)], qualities=[str(trait(marrow, "Club").pk)])
    assert "defend" in offered(as_bob)
    written = marks(as_alice, marrow)
    assert state().attack is None and "defend" not in offered(as_bob)
    assert "The attack by Old Marrow comes to nothing." in written.payload.text


def test_pq_13_an_attack_goes_on_against_those_who_live(
    as_alice: Client, as_bob: Client, campaign: Any, three: Contest, ilse: Any, marrow: Any, zora: Any
) -> None:
    attacks(as_bob, ilse, marrow, zora)
    assert act(as_alice, zora, "defend").status_code == 302
    written = marks(as_alice, marrow)
    assert "Zora reacts again, as the dice fall with that." in written.payload.text
    assert state().attack.unanswered == (str(zora.pk),)
    assert act(as_alice, marrow, "defend").status_code == 409
    assert act(as_alice, zora, "defend").status_code == 302
    assert state().attack is None and Entry.objects.latest("seq").payload.text.count('"dice"')
    assert not list(differences(campaign.pk))


def test_pq_16_who_dies_places_no_damage(
    as_alice: Client, as_bob: Client, campaign: Any, three: Contest, ilse: Any, marrow: Any
) -> None:
    wound(as_alice, as_bob, ilse, marrow)
    marks(as_alice, marrow)
    assert not state().wound_of(str(marrow.pk))
    assert act(as_alice, marrow, "take_damage", spread_0="1").status_code == 409


def test_pq_17_nobody_dead_says_whether_they_kill(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, marrow: Any
) -> None:
    with_settings_of(campaign, killing="asked")
    assert begin(as_alice, campaign).status_code == 302
    assert state().undecided == (str(ilse.pk),)
    marks(as_alice, ilse)
    assert Contest.objects.get().over and state().winner == "The others"
