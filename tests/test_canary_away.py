"""The word of `test_canary` is in nothing that goes out: mails, calendars, pages behind a shared link.

What a mail would tell a player does not change when a GM writes in secret, nor does a calendar or a shared page. The
worker then sends what there is, and every mail is read whole.
"""
from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import calendar_addresses
from campaigns import trail
from campaigns.access import Viewer
from campaigns.models import Member, Role
from campaigns.services import journals
from campaigns.services.founding import found
from news.dates import dates_of
from news.digest import digest_of
from news.models import Pace, Subscription
from news.reminders import reminder_of
from news.services.choosing import confirm
from play.models import Session
from play.services import sessions
from schedule.models import Evening, State
from schedule.services import proposing
from tests.conftest import join, logged_in, person
from tests.effort import some
from tests.games import ROLLED
from tests.jobs.working import work
from tests.play.test_behind_the_screen import put_in_the_way, roll_unseen
from tests.test_canary import NUMBER, PRIVATE, WORD, begun, by, hide_the_word, read, shared_links, wrong

pytestmark = pytest.mark.django_db

PUBLIC, VOICE = "By water.", "The rope held."


def known_to_all(campaign: Any, gm: Any) -> None:
    """What mails have to tell: a recap, a journal that links show too, a date that is set and one that is proposed."""
    session = Session.objects.get(campaign=campaign)
    sessions.write_recap(**by(campaign, gm, session_id=session.pk, title="The ferry", recap=PUBLIC, seen=10**6))
    journals.write(**by(campaign, gm, about_id=session.pk, title="A journal", words=VOICE, shared=True))
    starts = datetime.combine((timezone.now() + timedelta(days=9)).date(), datetime.min.time(), UTC)
    for days, fixed in ((0, True), (1, False)):
        proposing.propose(**by(campaign, gm, minutes=180, zone="UTC", fixed=fixed, wanted=[
            proposing.Wanted(starts + timedelta(days=days), "when_1")]))
    put_in_the_way(campaign, gm)
    campaign.refresh_from_db()


def write_in_secret(campaign: Any, gm: Any, player: Any) -> None:
    """The word where GMs write, in a roll behind the screen, in journals that are not for all; what is Bob's alone."""
    hide_the_word(campaign, gm)
    assert roll_unseen(logged_in(gm.user), campaign, gm, f"Lurker {WORD}").audience == trail.GM
    session = Session.objects.get(campaign=campaign)
    with trail.entry(**by(campaign, gm), kind="session.recap", title=WORD, audience=trail.GM) as entry:
        entry.index(session.pk)
    scene = session.scenes.get()
    journals.write(**by(campaign, gm, about_id=scene.pk, title=WORD, words=WORD, readers="gm", shared=True))
    journals.write(**by(campaign, player, about_id=scene.pk, title=PRIVATE, words=PRIVATE, readers="mine", shared=True))
    campaign.refresh_from_db()


def mailable(campaign: Any, member: Any) -> tuple[object, ...]:
    """All that mails could tell a member who has been told nothing yet."""
    viewer = Viewer(campaign, Member.objects.select_related("user").get(pk=member.pk))
    viewer.member.seen_seq = 0
    evening = Evening.objects.get(campaign=campaign, state=State.FIXED)
    return (digest_of(viewer, Subscription(member=member)), dates_of(viewer, 0), reminder_of(viewer, evening))


def letters(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """All that the worker sends within a day, and when it is time to be reminded: to whom, and each mail whole."""
    for later in (timedelta(), timedelta(minutes=5), timedelta(days=1)):
        work(later)
    before = Evening.objects.get(state=State.FIXED).starts - timedelta(days=1)
    for minutes in (0, 1):
        monkeypatch.setattr(timezone, "now", lambda now=before + timedelta(minutes=minutes): now)
        work()
    return [(sent.to[0], " ".join([sent.subject, sent.body, *(str(header) for header in sent.extra_headers.values()),
                                   *(str(other.content) for other in sent.alternatives)])) for sent in mail.outbox]


@pytest.mark.parametrize("system", some(ROLLED, "pdq_sharp"))
def test_what_gms_alone_read_is_in_nothing_that_goes_out(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = found(user=person("Alice"), op_id=uuid.uuid4(), name="The Salt Road", system=system)
    gm = campaign.members.get()
    player, observer = join(campaign, person("Bob"), Role.PLAYER), join(campaign, person("Otto"), Role.OBSERVER)
    begun(campaign, gm, player)
    known_to_all(campaign, gm)
    anybody, bob = Client(), logged_in(player.user)
    calendar_addresses.renew(user=player.user, token="bobs")
    fixed = Evening.objects.get(state=State.FIXED)
    outside = [*shared_links(campaign, gm), reverse("calendar_feed", args=["bobs"])]
    file = reverse("date_calendar", args=[campaign.slug, fixed.pk])

    def told() -> list[object]:
        return [*(mailable(campaign, member) for member in (player, observer)),
                *(read(anybody, address) for address in outside), read(bob, file)]

    before = told()
    assert all(before) and sum(VOICE in str(entry) for entry in before) == 3, "two mails, one link"
    write_in_secret(campaign, gm, player)
    assert told() == before
    assert not wrong(str(before), WORD, str(NUMBER), PRIVATE)

    for member, pace in ((gm, Pace.AT_ONCE), (player, Pace.AT_ONCE), (observer, Pace.DAILY)):
        confirm(user=member.user)
        Subscription.objects.create(campaign=campaign, member=member, pace=pace)
    sessions.write_recap(**by(campaign, player, session_id=Session.objects.get().pk, title="The ferry", seen=10**6,
                              recap=f"{PUBLIC} And back."))
    sent = letters(monkeypatch)
    for name, many in (("alice", 2), ("bob", 3), ("otto", 1)):  # news; dates of others; reminders
        assert sum(to == f"{name}@example.org" for to, _ in sent) == many, [(to, text[:60]) for to, text in sent]
    assert any(VOICE in text and PUBLIC in text for _, text in sent)
    assert not [text for to, text in sent if "alice" not in to and wrong(text, WORD, str(NUMBER))]
    assert not [text for to, text in sent if wrong(text, PRIVATE)]
