"""What comes after: a fight's end says what lasts and leads on, and who is out reads what brings them back."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.trail.rebuild import differences
from characters.models import Character, Trait
from play.models import Contest, PendingAllocation
from tests.browser import moments
from tests.html_forms import Page
from tests.play.conftest import body, trait
from tests.schedule.test_dates import proposed

pytestmark = pytest.mark.django_db


def hurt(campaign: Any, actor: Any, line: Trait, by: int) -> None:
    """So much damage on a line, by an entry."""
    with trail.entry(campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="damage.place", title="Hurt") as entry:
        entry.change(entry.locked(Trait, pk=line.pk), damage=by)
    campaign.refresh_from_db()


def begun(client: Client, campaign: Any) -> str:
    """The address of a conflict of Ilse against Old Marrow that goes on."""
    sent = {"title": "Knives", "side_one": "Us", "side_two": "Them", "danger": "continuing", "harm": "damage",
            "c0_side": "one", "c1_side": "two"}
    assert client.post(f"/c/{campaign.slug}/contests/start/conflict/", body(**sent)).status_code == 302
    return f"/c/{campaign.slug}/contests/{Contest.objects.get(over=False).pk}/"


def fight(client: Client, campaign: Any) -> str:
    """The address of one that has just been ended from the table."""
    at = begun(client, campaign)
    assert client.post(f"{at}end/gm/", body(at="table"))["Location"] == f"{at}#ended"
    return at


@pytest.mark.parametrize(("address", "button"), [
    ("scene/close/", "End the scene"), ("chronicle/close/", "End the session")])
def test_a_scene_and_a_session_that_wait_for_a_contest_lead_to_it_above_their_button(
    as_alice: Client, campaign: Any, scene: Any, ilse: Character, marrow: Character, address: str, button: str,
) -> None:
    at = begun(as_alice, campaign)
    page = as_alice.get(f"/c/{campaign.slug}/{address}").content.decode()
    above, _, below = page.partition(f"{button}</button>")
    assert at in above.partition("Finish this first")[2] and "Finish this first" not in below


def test_a_fights_end_says_what_lasts_for_whom_and_one_press_lets_all_recover(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Character, marrow: Character,
) -> None:
    hurt(campaign, alices, trait(ilse, "Maps"), 2)
    hurt(campaign, alices, trait(marrow, "Club"), 1)
    at = fight(as_alice, campaign)
    page = as_alice.get(at).content.decode()
    assert "It ended without a winner" in page
    lasts = page.partition("Lasting effects")[2]
    assert "Good [+2]" in lasts and "Maps" in lasts and "unhurt" not in lasts.partition("Recovery")[0]
    assert f'href="/c/{campaign.slug}/scene/close/">End the scene' in page
    assert "Let them recover" not in as_bob.get(at).content.decode(), "the GM's word"
    form = Page(as_alice.get(at)).form(action="/scene/recover/")
    answer = form.send(as_alice, danger="momentary")
    assert answer.status_code == 302 and answer["Location"] == at, Page(answer).errors
    assert not Trait.objects.filter(damage__gt=0).exists()
    assert "unhurt" in as_bob.get(at).content.decode() and not list(differences(campaign.pk))


def test_what_is_owed_after_a_fight_has_its_button_there(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Character,
) -> None:
    hurt(campaign, alices, trait(ilse, "Maps"), 2)
    at = fight(as_alice, campaign)
    Page(as_alice.get(at)).form(action="/scene/recover/").send(as_alice)
    owed = PendingAllocation.objects.get()
    for client in (as_alice, as_bob):
        assert f'/to-place/{owed.pk}/">Roll' in client.get(at).content.decode()


def test_who_is_out_reads_what_brings_them_back_and_has_its_button_in_place_of_a_roll(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Character,
) -> None:
    hurt(campaign, alices, trait(ilse, "Maps"), 4)
    recover = f"{campaign.slug}/scene/recover/"
    for client, says in ((as_alice, recover), (as_bob, f"{recover}ask/")):
        tray = client.get(f"/c/{campaign.slug}/?character={ilse.pk}").content.decode().partition('id="forecast"')[2]
        tray = tray.partition("</form>")[0]
        assert "Ilse is out of action until the scene ends" in tray and says in tray
        assert "data-rolls" not in tray


def test_a_sessions_end_begins_the_recap_and_says_what_each_did_and_what_comes_next(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Character,
) -> None:
    fight(as_alice, campaign)
    as_alice.post(f"/c/{campaign.slug}/obstacles/put/", body(chip="named:good"))
    tray = Page(as_bob.get(f"/c/{campaign.slug}/")).form(action="/roll/")
    assert tray.send(as_bob, traits=[str(trait(ilse, "Maps").pk)], what="Find the way").status_code == 302
    form = Page(as_alice.get(f"/c/{campaign.slug}/chronicle/close/")).form(button="End the session")
    assert "The dry well. Knives: It ended without a winner" in form.controls["recap"].opens[0]
    answer = form.send(as_alice, danger="momentary")
    campaign.refresh_from_db()
    assert campaign.session_id is None and campaign.scene_id is None
    ended = answer["Location"]
    page = as_alice.get(ended).content.decode()
    assert "Knives" in page and "Propose the next date" in page
    mine = as_bob.get(ended)
    assert "Your session, Ilse" in mine.content.decode()
    rolled = [row for row in Page(mine).of_class("done-then", "li") if row.has("success", "failure", "tie")]
    assert len(rolled) == 1 and "Find the way" in rolled[0].text, "how it went stands before the sentence"
    journal = Page(mine).form(action="/journal/")
    assert journal.send(as_bob, words="I kept the knife.").status_code == 302
    assert "I kept the knife." in as_bob.get(ended).content.decode(), "their own words are there to be changed"
    assert f'href="{ended}"' in as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert not list(differences(campaign.pk))


def test_a_scenes_end_shows_what_came_back_and_leads_on(as_alice: Client, campaign: Any, scene: Any) -> None:
    fight(as_alice, campaign)
    ended = Page(as_alice.get(f"/c/{campaign.slug}/scene/close/")).form(button="End the scene").send(as_alice)
    page = as_alice.get(ended["Location"]).content.decode()
    assert "The dry well: the scene ends" in page and "The last scene: <b>The dry well</b>" in page
    assert "It ended without a winner" in page and "Open a scene" in page and "End the session" in page


@pytest.mark.parametrize(("system", "kind"), [("pdq_sharp", "duel"), ("questworlds", "scored")])
def test_a_duel_and_a_long_contest_lead_on_to_the_scene_or_its_end(system: str, kind: str) -> None:
    laid = moments.table(system, {"long": "all"} if system == "questworlds" else None)
    at = f"{laid['address']}contests/{moments.begin(laid['address'], kind)}/"
    clients = moments.TABLES[laid["address"]][1]
    ends = next(form for form in Page(clients["Alice"].get(at)).forms
                if any(form.action.endswith(f"/{act}/gm/") for act in ("end", "call_off")))
    assert ends.send(clients["Alice"]).status_code == 302
    pages = {name: clients[name].get(at).content.decode() for name in ("Alice", "Bob")}
    for page in pages.values():
        assert "Back to the scene" in page and "Back to the table" not in page
    closes = f'href="{laid["address"]}scene/close/">End the scene'
    assert closes in pages["Alice"] and closes not in pages["Bob"]


def test_a_proposed_next_date_is_asked_for_on_the_page_of_the_sessions_end(as_alice: Client, as_bob: Client,
                                                                         campaign: Any, scene: Any) -> None:
    ended = Page(as_alice.get(f"/c/{campaign.slug}/chronicle/close/")).form(button="End the session").send(as_alice)
    at = ended["Location"]
    assert "Propose the next date" in as_alice.get(at).content.decode()
    assert "Propose the next date" not in as_bob.get(at).content.decode()
    (date,) = proposed(as_alice, campaign, 5)
    page = as_bob.get(at)
    assert 'id="dates"' in page.content.decode()
    answer = next(form for form in Page(page).forms if str(date.pk) in form.action)
    assert answer.send(as_bob, answer.buttons[0]).status_code == 302
    assert date.answers.filter(member__user__username__startswith="Bob").exists()
    assert "Propose the next date" not in as_alice.get(at).content.decode()
