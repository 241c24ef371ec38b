"""Nothing adds a die or +1 without a technique used up or a die moved: all pages that roll, at random (PS-11)."""
from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Collection, Iterator
from random import Random
from typing import Any

import pytest

from campaigns import trail
from campaigns.models import Entry
from characters.models import Character, Pool, Trait
from play.models import Contest, ContestEvent, PoolTransfer
from rules.engine import Event, Procedure
from rules.registry import SYSTEMS
from rules.systems.pdq_sharp.challenge.ellipsis import Added as AddedToChallenge
from rules.systems.pdq_sharp.challenge.roll import Thrown as Tried
from rules.systems.pdq_sharp.duel.additions import Added
from rules.systems.pdq_sharp.duel.impasse import LullAdded, LullBegan
from rules.systems.pdq_sharp.duel.stances import Thrown
from rules.systems.pdq_sharp.duel.state import FREE_ONCE
from rules.systems.pdq_sharp.duel.withstanding import PoisonAdded, PoisonMet
from rules.systems.pdq_sharp.reading import BOWL, GM_DICE, STYLE
from tests.effort import tries
from tests.html_forms import Page
from tests.laid import DICE
from tests.play.pressing import read
from tests.play.test_by_the_page import ENDS, Table, _action, _acts, _done, table

__all__ = ["table"]  # a fixture of that file
pytestmark = pytest.mark.django_db
SYSTEM = SYSTEMS["pdq_sharp"]
KINDS = [kind for kind in SYSTEM.procedures if kind.name != "pdq_sharp.style_dice"]
STEPS, BASE = tries(40, 300), 2
ENOUGH = tries(3, 10**9)  # dice and techniques that were added: then it has been seen
NOT_HERE = {*ENDS, "surrender", "kill", "take_out", "break_off", "hold_back", "rule_harm", "strike", "dismiss", "spare"}
BETTERS, ROLLS = ("add", "impasse_add", "poison_add"), ("engage", "engage_npcs", "stance", "throw", "roll")
Bettering = tuple[str, int, int, int]  # whose, dice and +1s, techniques used up, what else may be paid for in it


def bettered(event: Event[Any]) -> Iterator[Bettering]:
    """What an event adds, by whom."""
    match event:
        case Thrown():
            for throw in event.throws:
                fees = throw.tweak in FREE_ONCE
                yield throw.who, len(throw.bonus), len(throw.used), fees
        case Added() | LullAdded() | PoisonAdded() | AddedToChallenge():
            yield event.who, 1, bool(event.technique), 0
        case LullBegan():
            for number, side in enumerate(event.sides):
                yield side.who, len(side.faces) - BASE + side.flat, len(side.used), not number
        case PoisonMet():
            yield event.roll.who, len(event.roll.faces) - BASE + event.roll.flat, len(event.roll.used), 0
        case Tried():
            yield event.who, len(event.cast.faces) - BASE + event.cast.flat, len(event.cast.used), 0


def checked(kind: Procedure[Any], contest: Contest, known: Collection[Any], head: int) -> tuple[int, int]:
    """How much was added by all events but those that were `known`, since this entry, and how much of it by techniques;
    fails where the rest is not paid for."""
    rows = ContestEvent.objects.filter(contest=contest).exclude(pk__in=known)
    adds = [addition for row in rows for addition in bettered(kind.read(json.loads(row.text)))]
    ways = PoolTransfer.objects.filter(campaign=contest.campaign, seq__gt=head, source_pool__in=(STYLE, GM_DICE))
    paid = sum(way.amount for way in ways if way.target_pool == BOWL)
    more, used, fees = (sum(addition[place] for addition in adds) for place in (1, 2, 3))
    assert more - used <= paid <= more - used + fees, (adds, paid)
    return more, used


def with_dice(table: Table) -> None:
    """Style dice for everybody, and a technique on the first forte of each."""
    by: dict[str, Any] = {"campaign": table.campaign, "actor": table.campaign.members.get(role="owner")}
    with trail.entry(**by, op_id=uuid.uuid4(), kind="test", title="Dice for all") as entry:
        for character in Character.objects.filter(campaign=entry.campaign):
            held = Pool.objects.filter(character=character, name=STYLE).first()
            if held:
                entry.change(held, value=6)
            else:
                entry.create(Pool(campaign=entry.campaign, character=character, name=STYLE, value=6))
            forte = character.traits.filter(kind="forte").first()
            if forte and character.npc:
                entry.create(Trait(
                    campaign=entry.campaign, character=character, kind="technique", name=f"Trick {character.name}",
                    value=1, place=95, parent=forte))


def press(table: Table, contest: Contest, chance: Random, opened: Counter[str]) -> None:
    """Some act of the contest's page, filled in somehow: mostly what adds to a roll, else what was done least often."""
    acts = [act for act in _acts(table, contest) if _action(act[1]) not in NOT_HERE]
    if not acts:
        return
    chance.shuffle(acts)
    adds = chance.random() < 0.8
    client, form, button = min(acts, key=lambda act: (
        not (adds and _action(act[1]) in BETTERS), _action(act[1]) not in ROLLS, opened[_action(act[1])]))
    opened[_action(form)] += 1
    for _ in range(4):
        answer = form.send(client, button, **form.at_random(chance))
        _done(answer, form)
        if answer.status_code == 302:
            break


@pytest.mark.parametrize(("system", "kind"), [(SYSTEM, kind) for kind in KINDS], ids=[kind.slug for kind in KINDS])
def test_ps_11_nothing_betters_a_roll_at_its_page_but_what_is_paid(table: Table, kind: Procedure[Any]) -> None:
    with_dice(table)
    chance, opened, added = Random(f"{kind.name} paid {DICE}"), Counter[str](), Counter[str]()
    contest = table.begun(table.people["Alice"])
    for _ in range(STEPS):
        contest.refresh_from_db()
        if contest.over:
            contest = table.begun(table.people["Alice"])
        known, head = [event.pk for event in ContestEvent.objects.filter(contest=contest)], _head(table)
        press(table, contest, chance, opened)
        more, used = checked(kind, contest, known, head)
        added["techniques"] += used
        added["dice"] += more - used
        if added["techniques"] + added["dice"] > ENOUGH and added["dice"]:
            break
    assert added["techniques"] + added["dice"] > 3 and added["dice"], (opened, added)


@pytest.mark.parametrize(("system", "kind"), [(SYSTEM, KINDS[0])], ids=["tray"])
def test_ps_11_nothing_betters_a_roll_of_the_tray_but_what_is_paid(table: Table, kind: Procedure[Any]) -> None:
    with_dice(table)
    chance, added, at = Random(f"a tray paid {DICE}"), Counter[str](), f"/c/{table.campaign.slug}/"
    alice, bob = table.people["Alice"], table.people["Bob"]
    chips = Page(alice.get(at)).form(action="/obstacles/put/")
    chips.send(alice, chips.buttons[-1])
    for _ in range(STEPS):
        form, head = Page(read(bob, at)).form(action="/roll/"), _head(table)
        tray: dict[str, Any] = form.at_random(chance)
        for chosen in ("character", "obstacle"):
            tray.pop(chosen, None)
        if chance.random() < 0.7:
            tray["flat"] = []  # ticked in both lists a technique is refused, which would be nearly every time
        answer = form.send(bob, **tray)
        if answer.status_code == 422:
            continue
        more, used = checked(kind, _newest(table), (), head)
        added["techniques"] += used
        added["dice"] += more - used
        if added["techniques"] + added["dice"] > ENOUGH and added["techniques"] and added["dice"]:
            break
    assert added["techniques"] and added["dice"], added


def _newest(table: Table) -> Contest:
    entry = Entry.objects.filter(campaign=table.campaign, kind="contest.tray").latest("seq")
    return next(duel for duel in Contest.objects.filter(campaign=table.campaign)
                if str(duel.pk) in entry.payload.text)


def _head(table: Table) -> int:
    return Entry.objects.filter(campaign=table.campaign).latest("seq").seq
