"""Who something waits for is called by their character, or the GM, and never by an account: every game, every page."""
from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from django.test import Client

from play.models import Contest
from rules.engine import Procedure
from tests.effort import tries
from tests.play.test_by_the_page import Table, _action, _acts, _done, each_procedure, table
from tests.play.test_now import words
from tests.play.test_out_of_it import next_act

__all__ = ["table"]  # a fixture of that file
pytestmark = pytest.mark.django_db
STEPS = tries(2, 8)


@pytest.fixture(autouse=True)
def accounts(alice: Any, bob: Any) -> None:
    """Accounts are called as nobody and nothing else is."""
    for user, name in ((alice, "Quay1A"), (bob, "Nettle88")):
        user.username = name
        user.save()


def named(client: Client, contest: Contest) -> list[str]:
    """What stands behind “waiting for” on the contest's page, the table with its bar, and Home."""
    slug = contest.campaign.slug
    said = []
    for address in (f"/c/{slug}/contests/{contest.pk}/", f"/c/{slug}/", "/"):
        answer = client.get(address)
        assert answer.status_code == 200
        text = words(answer.content.decode())
        said += [text[match.end():match.end() + 60] for match in re.finditer("aiting for", text)]
    return said


@each_procedure
def test_waiting_for_names_characters_and_never_accounts(table: Table, kind: Procedure[Any]) -> None:
    contest, chance, done, said = table.begun(table.starter), Random(kind.name), Counter[str](), []
    for _ in range(STEPS):
        contest = Contest.objects.select_related("campaign").prefetch_related("log").get(pk=contest.pk)
        if contest.over or not (acts := list(_acts(table, contest))):
            break
        said += [label for one in table.people.values() for label in named(one, contest)]
        client, form, button = next_act(acts, done, chance)
        done[_action(form)] += 1
        _done(form.send(client, button), form)
    assert not [label for label in said if "Quay1A" in label or "Nettle88" in label]
