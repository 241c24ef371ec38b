"""Who is out of a fight that goes on is not attacked, not asked and offered nothing: fights played by their pages."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.test import Client

from play.models import Contest
from rules.engine import Procedure
from rules.registry import SYSTEMS
from tests.html_forms import Button, Form, Page
from tests.play.conftest import state_of
from tests.play.test_by_the_page import ENDS, Table, _action, _acts, _done, table
from tests.play.test_now import bar

__all__ = ["table"]  # a fixture of that file
pytestmark = pytest.mark.django_db
FIGHTS = [(system, kind) for system in SYSTEMS.values() for kind in system.procedures
          if kind.name in ("pdq.conflict", "pnc.fight", "pdq_sharp.duel", "questworlds.scored")]
MOST_STEPS, AFTER = 150, 5  # acts until somebody is out, and acts from then on
BLOWS = ("attack", "strike", "defend", "round", "gm_round", "stand", "initiative", "roll_the_rest", "take_damage",
         "place", "stance")
# What there is to do about somebody who is out: the way back, what it left them with, the end.
ABOUT = {"bring_back", "kill", "spare", "stands", "give", "again", "mercy"}
OF_THEIRS = {"second_chance", "shift"}
FOR = re.compile(r"\b[Ff]or ((?:(?! to |[:.;]).)*)")  # “Waiting for Ada to act.”, “for the GM: rule it”
Act = tuple[Client, Form, Button]


def out_of(contest: Contest) -> dict[str, str]:
    """Who is out of it, by id, with their names."""
    state = state_of(contest)
    people = getattr(state, "contestants", None) or getattr(state, "combatants", None) or state.fencers
    return {person.id: person.name for person in people
            if (person.out if hasattr(person, "out") else not person.fights)}


def by_whom(form: Form) -> str:
    return form.action.partition("?")[0].partition("#")[0].rstrip("/").split("/")[-1]


def wrong(out: dict[str, str], acts: list[Act]) -> Iterator[str]:
    """What is offered to somebody who is out, and where they are offered to others."""
    for _, form, _ in acts:
        action = _action(form)
        if by_whom(form) in out and action not in OF_THEIRS:
            yield f"{out[by_whom(form)]} is out, and may “{action}”"
        for control in form.controls.values():
            named = {part for value in (*control.offered, *control.opens) for part in value.split(":")}
            if action not in ABOUT and control.type != "hidden" and named & out.keys():
                yield f"{[out[who] for who in named & out.keys()]} are out, and stand in {action}’s {control.name}"


def asked(client: Client, contest: Contest) -> list[str]:
    """Whom the contest's page and the bar of Now name as those that something waits for."""
    page = client.get(f"/c/{contest.campaign.slug}/contests/{contest.pk}/")
    leads = [element.text for element in Page(page).of_class("lead")]
    return [name for said in (*leads, bar(client, contest.campaign)) for name in FOR.findall(said)]


def next_act(acts: list[Act], done: Counter[str], chance: Random) -> Act:
    """What was done least often, a blow five times before anything else twice; what ends it last."""
    chance.shuffle(acts)
    return min(acts, key=lambda act: (_action(act[1]) in ENDS,
                                      done[_action(act[1])] * (1 if _action(act[1]) in BLOWS else 5)))


@pytest.mark.parametrize(("system", "kind"), FIGHTS, ids=[kind.name for _, kind in FIGHTS])
def test_who_is_out_is_not_attacked_not_asked_and_not_offered(table: Table, kind: Procedure[Any]) -> None:
    contest = table.begun(table.people["Alice"])
    chance, done, looked = Random(kind.name), Counter[str](), 0
    for _ in range(MOST_STEPS):
        contest = Contest.objects.select_related("campaign").prefetch_related("log").get(pk=contest.pk)
        if contest.over or looked == AFTER:
            break
        acts, out = list(_acts(table, contest)), out_of(contest)
        if out:
            looked += 1
            assert not [*wrong(out, acts)]
            for client in table.people.values():
                waits = asked(client, contest)
                assert not [said for said in waits for name in out.values() if name in said], waits
        client, form, button = next_act(acts, done, chance)
        done[_action(form)] += 1
        entered = {} if done[_action(form)] == 1 else form.at_random(chance)
        _done(form.send(client, button, **entered), form)
    assert looked, f"nobody was out: {done}"
