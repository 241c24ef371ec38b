"""Mails of journals: to those who may read them when the mail goes out, and who say that they want that."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Page as Note
from campaigns.services import journals, pages
from play.models import Scene, Session
from tests.conftest import join, person
from tests.html_forms import Page

pytestmark = pytest.mark.django_db

Minutes = Callable[[int], list[Any]]
WORDS = "The rope held."


def write(campaign: Any, member: Any, words: str = WORDS, about: Any = None, **more: Any) -> None:
    journals.write(campaign=campaign, actor=member, op_id=uuid.uuid4(), title="Marrow’s journal", words=words,
                   about_id=(about or Session.objects.get()).pk, **more)


def test_a_journal_is_mailed_as_it_is_with_its_address(
    campaign: Any, scene: Any, alices: Any, bob_wants: Any, minutes: Minutes,
) -> None:
    bob_wants()
    write(campaign, alices, about=Scene.objects.get())
    [letter] = minutes(5)
    note = Note.objects.get()
    assert letter.to == ["bob@example.org"]
    assert letter.subject == "The Salt Road: Marrow’s journal about The dry well (Alice)"
    at = f"http://localhost:8000/c/{campaign.slug}/notes/{note.pk}/"
    for text in (letter.body, letter.alternatives[0].content):
        assert WORDS in text and at in text
    assert not minutes(60)
    write(campaign, alices, "The rope broke.", about=Scene.objects.get())
    [letter] = minutes(5)
    assert "The rope broke." in letter.body and WORDS not in letter.body


@pytest.mark.parametrize("readers", ["gm", "mine", "some"])
def test_one_that_is_for_others_is_in_no_mail(
    campaign: Any, scene: Any, alices: Any, bob_wants: Any, minutes: Minutes, readers: str,
) -> None:
    bob_wants()
    otto = join(campaign, person("Otto"), "player")
    write(campaign, alices, readers=readers, some=[otto.pk] if readers == "some" else [])
    assert not minutes(5)


@pytest.mark.parametrize("later", ["mine", "removed"])
def test_one_that_is_hidden_before_the_mail_goes_out_is_not_in_it(
    campaign: Any, scene: Any, alices: Any, bob_wants: Any, minutes: Minutes, later: str,
) -> None:
    bob_wants()
    write(campaign, alices)
    if later == "mine":
        write(campaign, alices, readers="mine")
    else:
        pages.remove(campaign=campaign, actor=alices, op_id=uuid.uuid4(), page_id=Note.objects.get().pk)
    assert not minutes(5)


def test_one_that_is_shown_later_is_mailed_then(
    campaign: Any, scene: Any, alices: Any, bobs: Any, bob_wants: Any, minutes: Minutes,
) -> None:
    bob_wants()
    write(campaign, alices, "Only mine.", readers="mine")
    assert not minutes(5)
    write(campaign, alices, readers="some", some=[bobs.pk])
    [letter] = minutes(5)
    assert WORDS in letter.body and "Only mine." not in letter.body


def test_whoever_does_not_want_journals_gets_none(
    as_bob: Client, campaign: Any, scene: Any, alices: Any, bobs: Any, bob_wants: Any, minutes: Minutes,
) -> None:
    bob_wants()
    form = Page(as_bob.get(reverse("mail_settings", args=[campaign.slug]))).form(button="Save the mail settings")
    assert form.controls["journals"].opens == ["on"]
    assert form.send(as_bob, journals=[]).status_code == 302
    write(campaign, alices)
    assert not minutes(5)
    bobs.subscription.refresh_from_db()
    assert bobs.subscription.recaps and not bobs.subscription.journals
