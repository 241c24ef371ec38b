"""Pages for what is not there or not accepted speak as the site does."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_what_is_not_there(as_alice: Client) -> None:
    answer = as_alice.get("/c/nowhere/")
    assert answer.status_code == 404
    assert "Page not found" in answer.content.decode()


def test_a_form_without_its_token(alice: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post("/campaigns/new/", {"name": "Forged"})
    assert answer.status_code == 403
    assert "That was not accepted" in answer.content.decode()


def test_far_too_much(as_alice: Client) -> None:
    answer = as_alice.post("/campaigns/new/", {"name": "x" * 3_000_000})
    assert answer.status_code == 400
    assert "Something was wrong with that request" in answer.content.decode()


def test_far_too_many_fields(as_alice: Client) -> None:
    answer = as_alice.post("/campaigns/new/", {f"f{number}": "x" for number in range(1500)})
    assert answer.status_code == 400
