"""The next session: proposed, answered, set, moved and called off, by the pages that people use."""
from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences, rebuild
from play.models import Attendance
from schedule.forms import LENGTHS
from schedule.models import Answer, Evening, State
from tests import laid
from tests.conftest import join
from tests.html_forms import Page

pytestmark = pytest.mark.django_db


@laid.fixture
def lisbon(alice: Any, bob: Any) -> None:
    """Alice reads times in Berlin, Bob in Lisbon."""
    for user, zone in ((alice, "Europe/Berlin"), (bob, "Europe/Lisbon")):
        user.time_zone = zone
        user.save()


def wall(days: int, clock: str = "20:30") -> str:
    """A day from now on, and a time, as a browser sends them."""
    return f"{(timezone.now() + timedelta(days=days)).date()}T{clock}"


def at(campaign: Any, name: str, *more: Any) -> str:
    return reverse(name, args=[campaign.slug, *more])


def proposed(client: Client, campaign: Any, *days: int, **more: str) -> list[Evening]:
    """Proposes dates by the page; what is proposed then, the soonest first."""
    whens = {f"when_{number}": wall(day) for number, day in enumerate(days, 1)}
    answer = Page(client.get(at(campaign, "dates_propose"))).form(button="Ask everyone").send(client, **whens, **more)
    assert answer.status_code == 302, Page(answer).errors
    return list(Evening.objects.filter(state=State.PROPOSED).order_by("starts"))


def says(client: Client, page: str, evening: Evening, words: str) -> Any:
    """Taps one of the three answers of a date on some page."""
    form = Page(client.get(page)).form(action=f"/{evening.pk}/", button=words)
    return form.send(client, next(button for button in form.buttons if button.words == words))


def test_a_date_is_proposed_answered_and_set(
    campaign: Any, lisbon: Any, bobs: Any, as_alice: Client, as_bob: Client
) -> None:
    first, second = proposed(as_alice, campaign, 5, 7, place="At Alice’s")
    assert first.zone == "Europe/Berlin"
    page = as_bob.get(at(campaign, "dates"))
    assert "19:30–22:30" in page.content.decode() and "yours: Lisbon" in page.content.decode()
    assert says(as_bob, at(campaign, "dates"), first, "If need be").status_code == 302
    assert says(as_bob, at(campaign, "dates"), second, "Yes").status_code == 302
    assert says(as_bob, at(campaign, "dates"), first, "No").status_code == 302  # the later answer counts
    answers = {(answer.evening_id, answer.says) for answer in Answer.objects.all()}
    assert answers == {(first.pk, "no"), (second.pk, "yes")}
    answered = Entry.objects.filter(campaign=campaign).latest("seq")
    change = as_bob.get(at(campaign, "entry", answered.seq)).content.decode()
    assert "says: <del>If need be</del> → <ins>No</ins>" in change

    page = as_alice.get(at(campaign, "dates"))
    assert "Suits most" in page.content.decode() and "Lisbon, 19:30" in page.content.decode()
    assert "Set this date" not in as_bob.get(at(campaign, "dates")).content.decode()
    Page(page).form(action=f"{second.pk}/fix/").send(as_alice)
    states = {evening.pk: evening.state for evening in Evening.objects.all()}
    assert states == {first.pk: "passed over", second.pk: "fixed"}
    assert not list(differences(campaign.pk))
    Answer.objects.all().delete()
    assert rebuild(campaign.pk) and Answer.objects.count() == 2


def test_one_tap_on_home_and_on_the_table_answers(
    campaign: Any, lisbon: Any, alices: Any, bobs: Any, as_alice: Client, as_bob: Client
) -> None:
    (date,) = proposed(as_alice, campaign, 5)
    home, table = reverse("home"), at(campaign, "table")
    assert "say whether you can play on the proposed date" in as_bob.get(table).content.decode()
    answer = says(as_bob, home, date, "Yes")
    assert answer.url == f"{home}#date-{date.pk}" and Answer.objects.get().says == "yes"
    assert says(as_bob, table, date, "No").url == f"{table}#date-{date.pk}" and Answer.objects.get().says == "no"
    assert "say whether you can play" not in as_bob.get(table).content.decode()
    assert "say whether you can play" in as_alice.get(table).content.decode()
    form = Page(as_bob.get(home)).form(action=f"/{date.pk}/")
    card = as_bob.post(form.action, form.filled(form.buttons[0]), headers={"HX-Request": "true"}).content.decode()
    assert 'value="yes" aria-pressed="true"' in card and "<html" not in card and campaign.name in card


def test_home_asks_once_when_one_can_play(
    campaign: Any, lisbon: Any, alices: Any, bobs: Any, as_alice: Client, as_bob: Client
) -> None:
    (date,) = proposed(as_alice, campaign, 5)
    for client in (as_bob, as_alice):
        said = client.get(reverse("home")).content.decode()
        assert f'id="date-{date.pk}"' in said and 'aria-label="Can you play?' in said
        assert "say whether you can play" not in said and "When can you play?" not in said and "Your turn" not in said
    assert "say whether you can play" in as_bob.get(at(campaign, "table")).content.decode()


def test_a_series_is_offered_once(
    campaign: Any, lisbon: Any, alices: Any, bobs: Any, as_alice: Client, as_bob: Client
) -> None:
    def offered() -> list[str]:
        said = as_alice.get(at(campaign, "dates")).content.decode()
        return [words for words in ("Make a series", "Make this a series") if words in said]

    assert offered() == ["Make a series"]
    (date,) = proposed(as_alice, campaign, 5)
    assert offered() == ["Make a series"], "what is only proposed is no series"
    Page(as_alice.get(at(campaign, "dates"))).form(action=f"{date.pk}/fix/").send(as_alice)
    assert offered() == ["Make this a series"]
    Page(as_alice.get(at(campaign, "date_repeat", date.pk))).form(button="Make the series").send(as_alice)
    assert offered() == ["Make a series"]


def test_a_link_brings_an_answer_and_changes_nothing_until_it_is_pressed(
    campaign: Any, lisbon: Any, bobs: Any, as_alice: Client, as_bob: Client
) -> None:
    (date,) = proposed(as_alice, campaign, 5)
    before = Entry.objects.count()
    page = as_bob.get(f"{at(campaign, 'date', date.pk)}?says=maybe")
    assert "Nothing is saved yet" in page.content.decode() and not Answer.objects.exists()
    assert Entry.objects.count() == before
    form = Page(page).form(button="Answer: If need be")
    assert form.send(as_bob).status_code == 302 and Answer.objects.get().says == "maybe"


@pytest.mark.parametrize(("typed", "said"), [
    ("2020-01-01T20:00", "This is in the past"), ("soon", "Enter a day and a time"), ("", "Choose a date"),
    ("9999-12-31T23:59", "within the next two years"),
])
def test_a_date_that_is_none_is_refused_at_its_field(
    campaign: Any, lisbon: Any, as_alice: Client, typed: str, said: str
) -> None:
    form = Page(as_alice.get(at(campaign, "dates_propose"))).form(button="Ask everyone")
    answer = form.send(as_alice, when_1=typed, when_2=wall(3), place="At Alice’s")
    page = Page(answer)
    assert answer.status_code == 422 and page.form(button="Ask everyone").controls["when_1"].refused
    assert any(said in error for error in page.errors), page.errors
    kept = page.form(button="Ask everyone").controls
    assert (kept["when_2"].opens, kept["place"].opens) == ([wall(3)], ["At Alice’s"]) and not Evening.objects.exists()


def test_six_dates_are_asked_for_and_no_more(campaign: Any, lisbon: Any, as_alice: Client) -> None:
    proposed(as_alice, campaign, 3, 4, 5, 6)
    form = Page(as_alice.get(at(campaign, "dates_propose"))).form(button="Ask everyone")
    answer = form.send(as_alice, **{f"when_{number}": wall(6 + number) for number in (1, 2, 3)})
    assert answer.status_code == 422 and Page(answer).form(button="Ask everyone").controls["when_3"].refused
    assert Page(answer).errors == ["6 dates can be asked for at once. 4 already are. Remove 1 of these."]
    sent = {**form.filled(when_1=wall(20)), "when_7": [wall(21)]}
    assert "Remove the others" in as_alice.post(form.action, sent).content.decode()
    assert len(proposed(as_alice, campaign, 7, 8)) == 6
    assert "Propose another" not in as_alice.get(at(campaign, "dates")).content.decode()


def test_a_date_is_moved_and_called_off_and_nobody_answers_it_then(
    campaign: Any, lisbon: Any, bobs: Any, as_alice: Client, as_bob: Client
) -> None:
    form = Page(as_alice.get(at(campaign, "dates_propose"))).form(button="Ask everyone")
    form.send(as_alice, next(button for button in form.buttons if "without" in button.words), when_1=wall(5))
    date = Evening.objects.get(state=State.FIXED)
    says(as_bob, reverse("home"), date, "Yes")
    late = Page(as_bob.get(at(campaign, "dates"))).form(action=f"/{date.pk}/")

    move = Page(as_alice.get(at(campaign, "date_move", date.pk))).form(action="/move/")
    assert move.controls["when"].opens == [wall(5)]
    assert "Nothing is different yet" in move.send(as_alice).content.decode()
    assert move.send(as_alice, when=wall(6), place="Online").status_code == 302
    date.refresh_from_db()
    assert date.place == "Online" and not Answer.objects.exists(), "another time is asked again"

    page = Page(as_alice.get(at(campaign, "dates")))
    sure = page.form(action=f"{date.pk}/call-off/").send(as_alice)
    assert Page(sure).form(button="Call off the date").send(as_alice).status_code == 302
    answer = late.send(as_bob, late.buttons[0])
    assert answer.status_code == 422 and "This date was called off. Nothing was saved." in Page(answer).errors
    assert not Answer.objects.exists() and not list(differences(campaign.pk))
    undone = Page(as_alice.get(at(campaign, "entry", Entry.objects.get(kind="date.call_off").seq)))
    assert undone.form(action="/undo/").send(as_alice).status_code == 302
    assert Evening.objects.get().state == State.FIXED


def test_opening_the_session_takes_over_who_comes(
    campaign: Any, lisbon: Any, bobs: Any, as_alice: Client, as_bob: Client, charlie: Any
) -> None:
    join(campaign, charlie, "player")
    form = Page(as_alice.get(at(campaign, "dates_propose"))).form(button="Ask everyone")
    form.send(as_alice, next(button for button in form.buttons if "without" in button.words), when_1=wall(1))
    date = Evening.objects.get()
    Evening.objects.update(starts=timezone.now() + timedelta(hours=1))
    says(as_bob, at(campaign, "dates"), date, "Yes")
    Page(as_alice.get(at(campaign, "chronicle"))).form(button="Open the session").send(as_alice)
    campaign.refresh_from_db()
    date.refresh_from_db()
    assert date.session_id == campaign.session_id is not None
    assert "Bob" in as_bob.get(at(campaign, "chronicle")).content.decode()
    assert "your time" not in as_bob.get(reverse("home")).content.decode()
    close = Page(as_alice.get(at(campaign, "close_session"))).form(button="End the session")
    names = dict(zip(close.controls["there"].offered, ("Alice", "Bob", "Charlie"), strict=True))
    assert {names[who] for who in close.controls["there"].opens} == {"Alice", "Bob"}, "who said so; who did things"
    close.send(as_alice, there=[pk for pk, name in names.items() if name != "Alice"])
    assert {str(attendance.member) for attendance in Attendance.objects.all()} == {"Bob", "Charlie"}


def test_home_takes_as_many_queries_however_many_dates_there_are(
    campaign: Any, lisbon: Any, alice: Any, bobs: Any, as_alice: Client, as_bob: Client
) -> None:
    def many() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert as_bob.get(reverse("home")).status_code == 200
        return len(queries)

    proposed(as_alice, campaign, 3)
    as_bob.get(reverse("home"))
    one = many()
    other = found(user=alice, op_id=uuid.uuid4(), name="Nine Days Dry", system="pdq")
    join(other, bobs.user, "player")
    proposed(as_alice, other, 4, 5, 6)
    for date in proposed(as_alice, campaign, 4, 5):
        if date.campaign_id == campaign.pk:
            says(as_alice, at(campaign, "dates"), date, "Yes")
    as_bob.get(reverse("home"))
    assert many() == one


def test_an_outsider_and_an_observer_answer_nothing(
    campaign: Any, lisbon: Any, charlie: Any, as_alice: Client, as_charlie: Client
) -> None:
    (date,) = proposed(as_alice, campaign, 3)
    assert as_charlie.get(at(campaign, "dates")).status_code == 404
    assert as_charlie.post(at(campaign, "date", date.pk), {"says": "yes"}).status_code == 404
    join(campaign, charlie, "observer")
    page = as_charlie.get(at(campaign, "dates"))
    assert not Page(page).matching(action=f"/{date.pk}/"), "an observer is not asked"
    sent = {"says": "yes", "op_id": str(uuid.uuid4())}
    assert as_charlie.post(at(campaign, "date", date.pk), sent).status_code == 404 and not Answer.objects.exists()


def test_a_length_is_said_as_one_says_it() -> None:
    said = dict(LENGTHS)
    assert (said["60"], said["90"], said["150"]) == ("1 hour", "1 hour 30 minutes", "2 hours 30 minutes")
