"""Lines and veils that name nobody, and the X-card that stops the scene until the GM goes on."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.access import Viewer
from campaigns.errors import Refused
from campaigns.models import Boundary, BoundaryType, Entry
from campaigns.services import safety
from campaigns.services.safety import go_on, stop, write
from campaigns.services.setting import change_settings, last_change
from campaigns.trail.export import export
from campaigns.trail.rebuild import differences
from rules.common_settings import SAFETY_NAMES
from rules.registry import SYSTEMS
from tests.conftest import refusal
from tests.games import FINISHED
from tests.html_forms import Page
from tests.play.conftest import character, trait
from tests.play.rolled import rolled

pytestmark = pytest.mark.django_db


def at(campaign: Any, page: str = "safety/") -> str:
    return f"/c/{campaign.slug}/{page}"


def add(browser: Client, campaign: Any, name: str, **said: str) -> Any:
    return Page(browser.get(at(campaign))).form(button="Add to the list").send(browser, name=name, **said)


def show_names(campaign: Any, alices: Any) -> None:
    change_settings(campaign=campaign, actor=alices, op_id=uuid.uuid4(), base=last_change(campaign),
                    name=campaign.name, pitch="", settings={**campaign.settings, SAFETY_NAMES: True})
    campaign.refresh_from_db()


def test_nothing_anywhere_says_who_wrote_or_removed_a_line(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any
) -> None:
    before = Entry.objects.filter(actor=bobs).count()
    told_before = "".join(export(Viewer(campaign, alices))).count(str(bobs.pk))
    assert add(as_bob, campaign, "Spiders", type="veil").status_code == 302
    campaign.refresh_from_db()
    (veil,) = Boundary.objects.filter(campaign=campaign)
    entry = Entry.objects.get(kind="safety.write")
    assert veil.writer is None and entry.actor is None and str(bobs.pk) not in entry.envelope + entry.payload.text
    pages = [as_alice.get(at(campaign, where)).content.decode() for where in ("safety/", f"ledger/{entry.seq}/")]
    assert all("Spiders" in page and "Bob" not in page.split("<main")[1].split("</main>")[0] for page in pages)

    asked = Page(as_alice.get(at(campaign))).form(action="/remove/").send(as_alice)
    assert Page(asked).form(button="Remove the veil").send(as_alice).status_code == 302
    assert not Boundary.objects.exists() and Entry.objects.get(kind="safety.remove").actor is None
    campaign.refresh_from_db()
    assert Entry.objects.filter(actor=bobs).count() == before and not list(differences(campaign.pk))
    assert "".join(export(Viewer(campaign, alices))).count(str(bobs.pk)) == told_before


def test_names_are_shown_only_from_when_the_group_wants_them(
    as_bob: Client, campaign: Any, alices: Any, bobs: Any
) -> None:
    add(as_bob, campaign, "Spiders")
    opened = Page(as_bob.get(at(campaign))).form(button="Add to the list")
    show_names(campaign, alices)
    refused = opened.send(as_bob, name="Drowning")  # its page said that no name is stored
    assert refused.status_code == 422 and "Your name is shown" in refused.content.decode()
    assert Page(refused).form(button="Add to the list").send(as_bob).status_code == 302
    writers = {boundary.name: boundary.writer for boundary in Boundary.objects.all()}
    assert writers == {"Spiders": None, "Drowning": bobs}
    html = as_bob.get(at(campaign)).content.decode()
    assert 'Drowning</span> <span class="meta">Bob' in html and 'Spiders</span> <span class="meta">' not in html


def test_an_empty_or_endless_line_is_refused_at_its_field_and_kept(
    as_bob: Client, campaign: Any, bobs: Any
) -> None:
    for name, said in (("", "Write what it is about"), ("a\0b", "can’t"), ("x" * 201, "200")):
        form = Page(as_bob.get(at(campaign))).form(button="Add to the list")
        answer = as_bob.post(at(campaign), {**form.filled(), "name": name})
        assert answer.status_code == 422 and (said in answer.content.decode() or name == "a\0b"), name
    assert not Boundary.objects.exists()


def test_the_x_card_stops_the_scene_for_all_and_names_nobody(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, bobs: Any
) -> None:
    ilse = character(campaign, bobs, "Ilse", [("strength", "Maps", 2)], player=bobs)

    def roll() -> Entry:
        campaign.refresh_from_db()
        return rolled(campaign, bobs, ilse, [trait(ilse, "Maps")])

    pressed = Page(as_bob.get(at(campaign, ""))).form(button="X-card")
    assert pressed.send(as_bob).headers["Location"] == at(campaign, "")
    entry = Entry.objects.get(kind="safety.stop")
    assert entry.actor is None and str(bobs.pk) not in entry.envelope + entry.payload.text
    for browser in (as_alice, as_bob):
        html = browser.get(at(campaign, "")).content.decode()
        assert "The X-card was pressed. The scene is stopped." in html and at(campaign, "safety/x-card/") not in html
        assert at(campaign, "safety/go-on/") in html or browser is as_bob
    with pytest.raises(Refused, match="The X-card was pressed"):
        roll()
    assert as_bob.post(at(campaign, "safety/go-on/"), {"op_id": str(uuid.uuid4())}).status_code == 404
    pressed.send(as_alice)  # somebody else pressed too: nothing is different
    assert Entry.objects.filter(kind="safety.stop").count() == 1

    Page(as_alice.get(at(campaign, ""))).form(button="Go on with the scene").send(as_alice)
    assert "X-card was pressed" not in as_bob.get(at(campaign, "")).content.decode().split("ledger")[0]
    assert roll().kind == "contest.tray" and not list(differences(campaign.pk))


def test_another_campaigns_line_can_not_be_removed(
    as_charlie: Client, as_bob: Client, campaign: Any, bobs: Any
) -> None:
    written = write(
        campaign=campaign, actor=bobs, op_id=uuid.uuid4(), name="Spiders", type=BoundaryType.LINE, named=False)
    assert written.actor is None
    assert as_charlie.get(at(campaign)).status_code == 404
    assert as_bob.post(at(campaign, f"safety/{uuid.uuid4()}/remove/")).status_code == 404


@pytest.mark.parametrize("slug", FINISHED)
def test_each_game_has_questions_for_session_zero(slug: str) -> None:
    questions = SYSTEMS[slug].session_zero
    assert len({*questions}) >= 8 and all("?" in question for question in questions)


def test_a_second_press_of_the_x_card_or_of_going_on_does_nothing_more(campaign: Any, alices: Any) -> None:
    now: dict[str, Any] = {"campaign": campaign, "actor": alices}
    assert refusal(go_on, **now) == ("", "The scene is not stopped.")
    stop(**now, op_id=uuid.uuid4())
    assert refusal(stop, **now) == ("", "The scene is already stopped.")


def test_a_list_that_is_full_and_text_that_is_longer_as_it_is_kept(
    as_bob: Client, campaign: Any, bobs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = add(as_bob, campaign, "\u0958" * 150, type="line")  # each is two characters where texts are alike
    assert refused.status_code == 422
    assert "Keep this to 200 characters; it has 300." in refused.content.decode()
    monkeypatch.setattr(safety, "MOST", 1)
    assert add(as_bob, campaign, "Spiders", type="line").status_code == 302
    full = add(as_bob, campaign, "Drowning", type="line")
    assert full.status_code == 422 and "There are 1 already. Remove one first." in full.content.decode()
    assert Boundary.objects.get().name == "Spiders" and 'value="Drowning"' in full.content.decode()
