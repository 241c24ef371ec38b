"""Signing up: what a person may be called, and where one lands."""
from __future__ import annotations

import pytest

from accounts.models import User

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
        ("Do\0ra", "can&#x27;t be kept"),
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
    assert "Somebody is called this already" in answer.content.decode()


def test_two_who_take_a_name_at_once(anonymous, alice, monkeypatch):
    monkeypatch.setattr("accounts.forms.SignUpForm.clean_username", lambda self: self.cleaned_data["username"])
    monkeypatch.setattr("accounts.forms.SignUpForm.validate_unique", lambda self: None)
    answer = sign_up(anonymous, username="alice")
    assert answer.status_code == 422
    assert "Somebody is called this already" in answer.content.decode()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"password2": "another one"}, "The two passwords differ"),
        ({"password1": "short", "password2": "short"}, "too short"),
        ({"password1": "password", "password2": "password"}, "too common"),
        ({"password1": "", "password2": ""}, "Fill this in."),
        ({"email": "nonsense"}, "Give an address such as"),
    ],
)
def test_refuses_the_rest_with_a_sentence(anonymous, changes, sentence):
    answer = sign_up(anonymous, **changes)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert 'value="Dora"' in answer.content.decode()
    assert not User.objects.exists()
