"""Whose word it is, at the pages: a player fills in whatever they show, by chance, and each roll is what the sheet, the
GM and words that are marked make of it: nothing else changes it, and nothing that binds is left out.
"""
from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.models import Entry
from characters.models import Character, Pool, Trait
from play.models import Obstacle
from tests.browser import moments
from tests.effort import tries
from tests.html_forms import Button, Form, Page
from tests.play.test_by_the_page import PROCEDURES

pytestmark = pytest.mark.django_db

KINDS = {"pdq": "conflict", "pdq_sharp": "duel", "pnc": "roll", "danger_world": "check", "questworlds": "framed"}
# Every procedure that is begun at a page of its own, but for those in which no contest is rolled.
STORIES = {"answer", "plot", "walk", "downtime", "resources", "style-dice", "community"}
# In every run each second one.
KIND_OF = [(system.slug, kind.slug) for system, kind in PROCEDURES if kind.slug not in STORIES][:: tries(2, 1)]
# What ends or passes, and what takes back: a player may, and then nothing is rolled.
LAST = {"call_off", "end", "surrender", "withdraw", "hold", "cede", "pass", "untry", "hold_back", "pause", "leave"}
GMS = {"harm", "simple", "resistance", "kill", "shoots"}  # a player's page asks for none of these
FRESH = {"roll", "attack", "defend", "initiative", "round", "exchange"}  # they reckon a roll, and take none up again
ROLLS, STEPS, TRIES = tries(3, 60), tries(7, 80), 5
WORDS = {-1: "poor", 0: "average", 1: "good", 2: "expert", 3: "master"}
FACTOR = re.compile(r"(.+) \((.+)\): (?:very )?(?:easy|hard), (\d) (bonus|penalty) di(?:e|ce)\.")
OF_POOL = re.compile(r"([+−]\d+) (danger |threat )?di(?:e|ce): (.+)\.")


@dataclass
class Table:
    """A campaign at play. Bob's character has something that binds, and something to pay with; it is not easy."""

    system: str
    address: str
    campaign: Any
    clients: dict[str, Client]
    mine: Character
    chance: Random = field(default_factory=lambda: Random(7))

    def pressed(self, form: Form, button: Button | None = None, least: float = 0.6) -> Iterator[Roll]:
        """Bob sends a form, so much of it filled by chance; what was written of it."""
        lines, held, head = lines_of(self.mine), pools(self.mine), Entry.objects.latest("seq").seq
        entered = {name: value for name, value in form.at_random(self.chance).items() if self.chance.random() < least}
        if self.chance.random() < least:  # a reason, where something is said
            entered |= {name: "Some words" for name in form.controls if name.endswith("reason")}
        if "stats" in form.controls:
            entered["stats"] = self.chance.sample(form.controls["stats"].offered, 2)
        answer = form.send(self.clients["Bob"], button, **{**form.as_it_opens(), **entered})
        assert answer.status_code in (302, 409, 422), (form.action, answer.status_code)
        for entry in Entry.objects.filter(campaign=self.campaign, seq__gt=head).order_by("seq"):
            said = json.loads(entry.payload.text)
            if isinstance(said["move"], dict) and said["outcome"]:
                yield Roll(self.mine.name, said, lines, held, pools(self.mine))


@dataclass
class Roll:
    """What a press wrote, and what the sheet was before it: lines by id, pools before and after."""

    who: str
    said: dict[str, Any]
    lines: dict[str, Trait]
    held: dict[str, int]
    left: dict[str, int]

    @property
    def given(self) -> dict[str, Any]:
        return dict(self.said["move"].get("given") or {})

    @property
    def rolls(self) -> list[dict[str, Any]]:
        """What the rules took of each roll."""
        return [roll["given"] for roll in self.said["outcome"].get("rolls") or ()]

    @property
    def steps(self) -> list[str]:
        return [step["text"] for step in self.said["outcome"]["steps"]]

    @property
    def text(self) -> str:
        return "\n".join(self.steps)

    def paid(self, name: str) -> int:
        return self.held.get(name, 0) - self.left.get(name, 0)


def lines_of(who: Character) -> dict[str, Trait]:
    return {str(line.pk): line for line in Trait.objects.filter(character=who)}


def pools(who: Character) -> dict[str, int]:
    return dict(Pool.objects.filter(character=who).values_list("name", "value"))


def of_pdq(roll: Roll) -> None:
    """Shifts are marked; lines of others are those of people who team up; how hard it is the GM has said (PQ-08)."""
    for line in roll.given.get("lines", ()):
        what = "being badass" if line["kind"] == "badass" else line["kind"]
        assert f"{roll.who} says" in roll.text and what in roll.text, line
    if roll.given.get("weapon"):
        assert f"{roll.who} says: with a weapon" in roll.text
    for rolled in roll.rolls:
        assert not rolled.get("upshifts") and not rolled.get("downshifts") and rolled["difficulty"] == "average"
        helping = Trait.objects.filter(pk__in=roll.given.get("help", ())).select_related("character")
        team = next((step for step in roll.steps if "team up" in step), "")
        names = {line.character.name for line in helping}
        assert not names or all(name in team for name in (roll.who, *names)), "nobody uses what is another’s unsaid"
        used = [*helping, *(roll.lines[pk] for pk in roll.given.get("traits", ()))]
        assert sorted(WORDS[line.value - line.damage] for line in used) == sorted(rolled["qualities"])


def of_pdq_sharp(roll: Roll) -> None:
    """A die more is a technique that is used up or a style die that is paid; a +1 is a technique (PS-11, PS-12)."""
    given, own = roll.given, roll.lines
    spent = [*given.get("techniques", ()), *given.get("flat", ())]
    assert len(spent) == len(set(spent)) and all(own[pk].kind.endswith("technique") for pk in spent)
    for rolled in roll.rolls:
        style = int(given.get("style") or 0)
        assert rolled["bonus_dice"] == len(given.get("techniques", ())) + style
        assert rolled["flat"] == len(given.get("flat", ()))
        assert roll.paid("style_dice") == style, "what adds a die is moved"
        helping = list(Trait.objects.filter(pk__in=given.get("help", ())).select_related("character"))
        assert all(f"{line.character.name} helps {roll.who}." in roll.steps for line in helping)
        used = [*helping, *(own[pk] for pk in given.get("fortes", ()))]
        words = sorted("poor" if line.kind.endswith("foible") else WORDS[line.value - line.damage] for line in used)
        assert rolled["difficulty"] == 7 and (given.get("burn") or sorted(rolled["fortes"]) == words)
        assert roll.paid("training_points") >= -1


def of_pnc(roll: Roll) -> None:
    """Each factor is a line of the sheet, the GM's or marked; a wound counts, or it is said that it doesn't (PN-10)."""
    for rolled in roll.rolls:
        factors = [match for step in told_of_dice(roll, " rolls: ") if (match := FACTOR.fullmatch(step))]
        dice = {way: sum(int(factor[3]) for factor in factors if factor[4] == way) for way in ("bonus", "penalty")}
        assert dice == {"bonus": rolled["bonus"], "penalty": rolled["penalty"]}, roll.text
        for reason, whose, many, way in (factor.groups() for factor in factors):
            if whose in (f"{roll.who} says", "the circumstances"):
                assert whose != "the circumstances" or reason == "Obstacle", reason
                continue
            line = next(line for line in roll.lines.values() if line.name == reason)
            assert line.kind == "wound" or (abs(line.value), line.value > 0) == (int(many), way == "bonus"), reason
        assert "A cut" in roll.text, "a wound binds, or it is said that it does not"


def of_danger_world(roll: Roll) -> None:
    """Dice come from two stats, from what is paid and from danger that is taken; the GM adds threat dice (DW-02)."""
    for rolled in roll.rolls[:1]:
        counted = {"": 0, "danger ": 0, "threat ": 0}
        stats = [line.name for line in roll.lines.values() if line.kind == "stat"]
        paid = 0
        for step in told_of_dice(roll, " rolls "):
            if match := OF_POOL.fullmatch(step):
                many = int(match[1].replace("−", "-"))
                counted[match[2] or ""] += many
                stat = next((line for line in roll.lines.values() if line.name == match[3]), None)
                if stat is not None and stat.name in stats:
                    assert stat.value == many, step
                elif "a story point each" in step:
                    paid += many
                else:
                    assert match[2] or many < 0 or "bonus" in step.lower(), step
        pool = rolled["pool"]
        assert [pool["action"], pool["danger"], pool["threat"]] == [max(0, counted[""]), counted["danger "],
                                                                   counted["threat "]], roll.text
        assert paid <= roll.held.get("points", 0) and roll.paid("points") >= paid
        assert rolled["difficulty"] == 3, "it is the GM’s to say"


def of_questworlds(roll: Roll) -> None:
    """What lasts and touches what is used counts; what else counts is marked; the number is the sheet's (QW-22)."""
    for rolled in roll.rolls:
        used = roll.lines.get(str(roll.given.get("ability", "")))
        if used is not None and not roll.given.get("second"):
            assert rolled["ability"] == used.value + (used.parent.value if used.parent else 0)
        assert "Cut hand" in roll.text and -6 in rolled["modifiers"], roll.text
        more = sum(rolled["modifiers"]) + 6
        assert not more or f"{roll.who} says" in roll.text or "augment" in roll.text.lower(), roll.text


def told_of_dice(roll: Roll, words: str) -> list[str]:
    """The steps after the last that tells of a throw; all where none does."""
    places = [place for place, step in enumerate(roll.steps) if step.startswith(roll.who) and words in step]
    return roll.steps[places[-1]:] if places else roll.steps


AUDITS: dict[str, Callable[[Roll], None]] = {
    "pdq": of_pdq, "pdq_sharp": of_pdq_sharp, "pnc": of_pnc, "danger_world": of_danger_world,
    "questworlds": of_questworlds}


def laid(system: str, settings: dict[str, Any] | None = None, *, touching: bool = True) -> Table:
    """A table of this game, with an obstacle that is average; what lasts is `touching` what one uses."""
    there = moments.table(system, {**({"long": "all"} if system == "questworlds" else {}), **(settings or {})})
    campaign, clients = moments.TABLES[there["address"]]
    mine = Character.objects.get(campaign=campaign, player__user__username__startswith="Bob")
    with trail.entry(campaign=campaign, actor=campaign.members.get(role="owner"), op_id=uuid.uuid4(),
                     kind="test", title="Something lasts") as entry:
        made = {"campaign": entry.campaign, "character": mine, "place": 90}
        if system == "questworlds":
            names = ", ".join(mine.traits.values_list("name", flat=True)) if touching else "Nothing that one would use"
            entry.create(Trait(**made, kind="consequence", name="Cut hand", value=2, note=names))
        elif system == "pnc":
            entry.create(Trait(**made, kind="wound", name="A cut", value=3))
        elif system == "pdq_sharp":
            entry.create(Pool(campaign=entry.campaign, character=mine, name="style_dice", value=3))
    assert Obstacle.objects.filter(campaign=campaign).exists()
    return Table(system, there["address"], campaign, clients, mine)


@pytest.mark.parametrize("system", list(KINDS))
def test_a_roll_of_the_tray_is_the_sheets_the_gms_and_what_is_marked(system: str) -> None:
    table, heard = laid(system), 0
    for _ in range(8 * ROLLS):
        page = Page(table.clients["Bob"].get(table.address))
        form = page.form(action="/roll/")
        assert not GMS & set(form.controls)
        for roll in table.pressed(form):
            if roll.said["outcome"]["dice"]:
                AUDITS[system](roll)
                heard += 1
        if heard >= ROLLS:
            break
    assert heard >= 3, "hardly anything was rolled"


def acted(table: Table, kind: str) -> Iterator[Roll]:
    """A contest as Bob plays it by its page, by chance, and others as their forms open; what Bob's acts wrote."""
    own = f"{table.address}contests/{moments.begin(table.address, kind)}/"
    for _ in range(STEPS):
        forms = [form for form in Page(table.clients["Bob"].get(own)).forms if form.action.startswith(own)]
        gms = [(form.action, GMS & set(form.controls)) for form in forms]
        assert not [route for route in gms if route[1] or route[0].endswith("/gm/")], "the GM’s word"
        acts = [(form, button) for form in forms for button in form.buttons
                if form.action.rstrip("/").split("/")[-2] not in LAST]
        for place, (form, button) in enumerate(table.chance.choices(acts, k=2 * TRIES) if acts else ()):
            if wrote := list(table.pressed(form, button, 0.6 if place < TRIES else 0.1)):
                yield from wrote
                break
        else:
            if moments.step(table.address) is None:
                break


@pytest.mark.parametrize(("system", "kind"), KIND_OF, ids=[f"{system}.{kind}" for system, kind in KIND_OF])
def test_a_roll_in_a_contest_is_so_too(system: str, kind: str) -> None:
    table = laid(system)
    heard = list(acted(table, kind))
    assert heard
    for roll in heard:
        said = [name for name in ("lines", "circumstances", "weapon") if roll.given.get(name)]
        assert not said or not roll.said["outcome"]["dice"] or f"{roll.who} says" in roll.text, (roll.given, roll.text)
        fresh = roll.said["outcome"]["dice"] and roll.said["move"].get("action") in FRESH
        if system in ("pnc", "danger_world") and fresh:
            AUDITS[system](roll)
        if system == "questworlds" and fresh:
            assert all(-6 in rolled["modifiers"] for rolled in roll.rolls), "what touches the ability counts"
        if system == "pdq_sharp" and roll.said["move"].get("action") == "add":
            after_the_dice(roll)


def after_the_dice(roll: Roll) -> None:
    """What is added to dice that lie is a technique, each once, or a style die that is paid with it (PS-17, PS-22)."""
    uses = [name.removeprefix("use_") for name, said in roll.given.items() if name.startswith("use_") and said]
    uses += [said.partition("|")[0] for name, said in roll.given.items() if name == "what"]  # as a challenge asks
    techniques = [source for source in uses if source in roll.lines]
    assert all(roll.lines[source].kind.endswith("technique") for source in techniques)
    assert len(uses) - len(techniques) == roll.paid("style_dice"), (roll.given, roll.held, roll.left)
    assert len(roll.said["outcome"]["dice"]) <= len(uses)


SAID = {  # by game: where players say something of a roll (a contest's kind and act, or the tray), and in which field
    "pdq": ("", "", "lines_0_kind"), "pnc": ("", "", "circumstances_0_rung"),
    "questworlds": ("framed", "lasting", "lines"),
}


@pytest.mark.parametrize("system", list(SAID))
def test_where_a_campaign_asks_first_a_player_finds_nothing_to_say_of_a_roll(system: str) -> None:
    """By the page: what is there where nobody asks first is not there where somebody does."""
    kind, act, name = SAID[system]
    shown = []
    for asks in (False, True):
        table = laid(system, {"ask_first": asks}, touching=False)
        at = table.address
        if kind:
            at = f"{table.address}contests/{moments.begin(table.address, kind)}/"
            while f"/{act}/" not in str([form.action for form in Page(table.clients["Alice"].get(at)).forms]):
                assert moments.step(table.address)
        address = f"/{act}/" if act else "/roll/"
        forms = [form for form in Page(table.clients["Bob"].get(at)).forms if address in form.action]
        shown.append(any(name in form.controls for form in forms))
    assert shown == [True, False]
