"""Signing up: who may, what a person may be called, and where one lands."""
from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from django.test import Client

from accounts.forms import TAKEN
from accounts.models import User
from accounts.names import check_name
from campaigns.models import Invitation, Role
from campaigns.services import inviting
from rules.dice import new_token
from tests.accounts.test_log_in import pass_time
from tests.conftest import person
from tests.html_forms import Page

GOOD = {"username": "Dora", "email": "", "password1": "quiet lanterns", "password2": "quiet lanterns"}


def sign_up(client, **changes):
    return client.post("/sign-up/", {**GOOD, **changes})


def test_makes_an_account_and_logs_it_in(anonymous):
    answer = sign_up(anonymous)
    assert (answer.status_code, answer["location"]) == (302, "/")
    assert anonymous.get("/account/").status_code == 200
    assert User.objects.get().username == "Dora"


def test_goes_on_to_where_one_came_from(anonymous):
    page = anonymous.get("/sign-up/?next=/join/abc/").content.decode()
    assert 'name="next" value="/join/abc/"' in page
    assert "/log-in/?next=%2Fjoin%2Fabc%2F" in page
    assert sign_up(anonymous, next="/join/abc/")["location"] == "/join/abc/"


@pytest.mark.parametrize("away", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "/\\evil.example"])
def test_never_goes_to_another_house(anonymous, away):
    assert "evil" not in anonymous.get("/sign-up/", {"next": away}).content.decode()
    assert sign_up(anonymous, next=away)["location"] == "/"


@pytest.mark.parametrize("name", ["Ålva", "हिन्दी", "王小明", "Zoë.of-the_North", "x" * 60, "7"])
def test_takes_names_of_any_script(anonymous, name):
    assert sign_up(anonymous, username=name).status_code == 302


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Fill this in."),
        ("   ", "Fill this in."),
        ("Do\0ra", "can’t be stored"),
        ("Dora🎲", "letters, digits"),
        ("Do ra", "no spaces"),
        ("Do\u00a0ra", "no spaces"),
        ("Do\u2003ra", "no spaces"),
        ("Do\u200bra", "no spaces"),
        ("Do\u3164ra", "no spaces"),
        ("Dora\ufe0f", "letters, digits"),
        ("Do\u202era", "letters, digits"),
        ("<b>Dora</b>", "letters, digits"),
        ("-Dora", "Begin with a letter"),
        ("D" + "\u0301" * 9, "fewer accents"),
        ("D" * 61, "60 characters at most, and there are 61"),
        ("D" * 100_000, "60 characters at most"),
        ("gone-12", "Choose another"),
        ("GONE-12", "Choose another"),
    ],
)
def test_refuses_a_name_with_a_sentence(anonymous, name, sentence):
    answer = sign_up(anonymous, username=name, email="dora@example.org")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in page
    assert 'value="dora@example.org"' in page
    assert "quiet lanterns" not in page
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["Alice", "alice", "ALICE", "\uff21lice"])
def test_a_name_is_one_however_it_is_spelt(anonymous, alice, name):
    answer = sign_up(anonymous, username=name)
    assert answer.status_code == 422
    assert "This name is taken" in answer.content.decode()


def test_two_who_take_a_name_at_once(anonymous, alice, monkeypatch):
    monkeypatch.setattr("accounts.forms.SignUpForm.clean_username", lambda self: self.cleaned_data["username"])
    monkeypatch.setattr("accounts.forms.SignUpForm.validate_unique", lambda self: None)
    answer = sign_up(anonymous, username="alice")
    assert answer.status_code == 422
    assert "This name is taken" in answer.content.decode()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"password2": "another one"}, "The two passwords differ"),
        ({"password1": "short", "password2": "short"}, "too short"),
        ({"password1": "password", "password2": "password"}, "too common"),
        ({"password1": "", "password2": ""}, "Fill this in."),
        ({"email": "nonsense"}, "Enter an address such as"),
    ],
)
def test_refuses_the_rest_with_a_sentence(anonymous, changes, sentence):
    answer = sign_up(anonymous, **changes)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert 'value="Dora"' in answer.content.decode()
    assert not User.objects.exists()


def test_an_address_makes_so_many_accounts_an_hour(anonymous):
    for number in range(10):
        assert sign_up(Client(), username=f"Dora{number}").status_code == 302
    answer = sign_up(anonymous)
    assert answer.status_code == 429
    assert "Too many accounts were made from here. You can try again in" in answer.content.decode()
    assert User.objects.count() == 10
    assert sign_up(Client(REMOTE_ADDR="192.0.2.7")).status_code == 302
    pass_time(minutes=61)
    assert sign_up(anonymous, username="Dorothy").status_code == 302


def links_to_sign_up(page):
    return re.findall(r'href="(/sign-up/[^"]*)"', page)


def test_closed_makes_no_account_and_offers_none(anonymous, settings):
    settings.REGISTRATION = "closed"
    assert anonymous.get("/sign-up/").status_code == 403
    answer = sign_up(anonymous)
    assert answer.status_code == 403
    assert "Sign-up is closed" in answer.content.decode()
    assert not User.objects.exists()
    assert not [page for page in ("/", "/log-in/") if links_to_sign_up(anonymous.get(page).content.decode())]


@pytest.fixture
def invitation(campaign, alices):
    token = new_token()
    inviting.invite(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), token=token, role=Role.PLAYER,
        lasts=timedelta(days=7), most_uses=1,
    )
    return f"/join/{token}/"


def test_invite_asks_for_an_invitation_that_works(anonymous, settings, invitation):
    settings.REGISTRATION = "invite"
    for away in ("", "/", "/join/made-up/", "/log-in/", "https://evil.example" + invitation, "/nothing-there"):
        answer = sign_up(anonymous, next=away)
        assert answer.status_code == 403
        assert "New accounts need an invitation here." in answer.content.decode()
    assert not links_to_sign_up(anonymous.get("/").content.decode())
    link, = links_to_sign_up(anonymous.get(invitation).content.decode())
    assert anonymous.get(link).status_code == 200
    assert sign_up(anonymous, next=invitation)["location"] == invitation
    assert User.objects.filter(username="Dora").exists()


def test_an_invitation_that_works_no_more_makes_no_account(anonymous, settings, invitation):
    settings.REGISTRATION = "invite"
    Invitation.objects.update(uses=1)
    assert sign_up(anonymous, next=invitation).status_code == 403


@pytest.mark.parametrize(("name", "fits"), [
    ("\u041ewen", False), ("Al\u03b9ce", False), ("\u041e\u043b\u044c\u0433\u0430", True), ("Zo\u00eb", True),
    ("\u5c71\u7530Ken", True), ("\u0391\u03b8\u03b7\u03bd\u03ac2", True),
])
def test_a_name_that_mixes_alphabets_that_look_alike_is_refused(name: str, fits: bool) -> None:
    try:
        check_name(name)
    except ValidationError as refused:
        assert not fits
        assert "one alphabet" in str(refused)
    else:
        assert fits


@pytest.mark.parametrize(("there", "asked"), [
    ("Marnie", "Mamie"), ("Ilse", "llse"), ("Ilse", "1lse"), ("Owen", "0wen"), ("Ewan", "Evvan"), ("Bill", "BiII"),
    ("cope", "\u0441\u043e\u0440\u0435"), ("NINA", "\u039d\u0399\u039d\u0391"),
])
def test_a_name_that_looks_like_another_is_refused(anonymous, settings, there: str, asked: str) -> None:
    settings.REGISTRATION = "open"
    person(there)
    answer = sign_up(anonymous, username=asked)
    assert answer.status_code == 422
    page = Page(answer)
    assert any("looks like another one here" in error for error in page.errors), page.errors
    assert asked in answer.content.decode()
    assert not User.objects.filter(username=asked).exists()


@pytest.mark.parametrize(("there", "asked"), [("Neil", "Nell"), ("NEIL", "Nell"), ("Mara", "Maria"), ("Ina", "Lina")])
def test_names_that_only_sound_alike_are_two(anonymous, settings, there: str, asked: str) -> None:
    settings.REGISTRATION = "open"
    person(there)
    assert sign_up(anonymous, username=asked).status_code == 302


def test_a_name_that_somebody_takes_between_the_check_and_the_write_is_told_at_the_name(anonymous, monkeypatch):
    def taken_now(form):
        person("Dora")
        with transaction.atomic():
            return form.save()

    monkeypatch.setattr("accounts.views._kept", taken_now)
    page = Page(anonymous.get("/sign-up/"))
    answer = page.form(button="Sign up").send(
        anonymous, **{name: value for name, value in GOOD.items() if name != "email"})
    assert answer.status_code == 422 and TAKEN in Page(answer).errors
