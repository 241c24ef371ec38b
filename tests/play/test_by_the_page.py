"""Every procedure of every game by its pages alone: what they show is filled in and sent, and nothing besides."""
from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from campaigns import trail
from campaigns.models import Campaign, Entry
from campaigns.services.founding import found
from characters.models import Character, Trait
from characters.services import editing, npcs
from play.models import Contest
from play.services import sessions
from rules.engine import Procedure
from rules.fields import Choice, Flag
from rules.registry import SYSTEMS
from rules.system import System
from tests.conftest import join, logged_in
from tests.effort import tries
from tests.html_forms import Button, Form, Page
from tests.play.pressing import read

pytestmark = pytest.mark.django_db

# What differs by engine is met in the first few.
STEPS = tries(3 if connection.vendor == "postgresql" else 5, 60)
PROCEDURES = [(system, kind) for system in SYSTEMS.values() for kind in system.procedures if kind.placement.offered]
each_procedure = pytest.mark.parametrize(("system", "kind"), PROCEDURES, ids=[kind.name for _, kind in PROCEDURES])
# What the table does with a contest in any game, whatever its rules say.
WITHOUT_A_RULE = {"contest.start", "contest.call_off"}
ENDS = ("call_off", "end", "close", "finish", "no_conflict", "end_here", "let_go")  # they wait for the others
# What a field asks for in words that the game reads: typed as its help says.
TYPED = {"names": "Wealth, Fleet, Morale, Magic, Arms", "opponents": "Captain Vey 17", "resistance": "17"}


@dataclass
class Table:
    """A campaign with a scene: two characters of Bob's, one of nobody's, two NPCs; and what Bob and Alice see."""

    campaign: Campaign
    kind: Procedure[Any]
    people: dict[str, Client]

    @property
    def starter(self) -> Client:
        """Whoever may start one: Bob where players may, else Alice."""
        return self.people["Bob" if self.kind.placement.open_to_players else "Alice"]

    @property
    def start(self) -> str:
        """The address of the start form."""
        return f"/c/{self.campaign.slug}/contests/start/{self.kind.slug}/"

    def begun(self, client: Client) -> Contest:
        """One that was begun by the page as it opens, with words typed where they have to be."""
        form, before = start_form(client, self), list(Contest.objects.values_list("pk", flat=True))
        answer = form.send(client, **typed(form))
        assert answer.status_code == 302, Page(answer).errors
        return Contest.objects.exclude(pk__in=before).get()


def typed(form: Form) -> dict[str, Any]:
    """What somebody types into a form at least."""
    return {name: TYPED.get(name, words) for name, words in form.as_it_opens().items()}


def start_form(client: Client, table: Table) -> Form:
    """The start form as its page shows it."""
    answer = client.get(table.start)
    assert answer.status_code == 200, "it can’t be started"
    return Page(answer).form(action=table.start)


def allowing(system: System, kind: Procedure[Any]) -> dict[str, Any]:
    """The settings of a campaign in which this procedure can be started: the usual ones, or one that is another."""
    usual = system.read_settings({})
    for field in (None, *system.setting_fields):
        others: tuple[Any, ...] = (True,) if isinstance(field, Flag) else tuple(
            word for word, _ in field.options) if isinstance(field, Choice) else ()
        for value in others if field else ("",):
            changed = {field.name: value} if field else {}
            if kind.allowed_by({**usual, **changed}):
                return changed
    raise AssertionError(f"No single setting allows {kind.name}.")


@pytest.fixture
def table(alice: Any, bob: Any, system: System, kind: Procedure[Any]) -> Table:
    campaign = found(
        user=alice, op_id=uuid.uuid4(), name="By the page", system=system.slug, settings=allowing(system, kind))
    bobs = join(campaign, bob, "player")
    by = {"campaign": campaign, "actor": campaign.members.get(user=alice)}
    here = []
    for number, ready in enumerate(system.sheet.ready_made[:3]):
        made = editing.create_ready(**by, op_id=uuid.uuid4(), ready=ready, player=bobs if number < 2 else None)
        here.append(editing.id_from(campaign, made.op_id))
    sample = system.sample
    assert sample
    for line in (sample.npc, f"Second {sample.npc}"):
        made = npcs.quick(**by, op_id=uuid.uuid4(), line=line)
        here.append(editing.id_from(campaign, made.op_id))
    with trail.entry(**by, op_id=uuid.uuid4(), kind="test", title="Something lasts") as entry:
        hero = Character.objects.get(pk=here[0])
        for place, carried in enumerate((*kind.casting.carrying[:1], *(["flaw"] if kind.slug == "flaw" else []))):
            value = system.sheet.trait_kind(carried).default
            entry.create(Trait(campaign=entry.campaign, character=hero, kind=carried, name="Something old",
                               value=value, place=90 + place))
    sessions.open_session(**by, op_id=uuid.uuid4())
    sessions.open_scene(**by, op_id=uuid.uuid4(), title="The dry well", characters=here)
    campaign.refresh_from_db()
    set_up = Table(campaign, kind, {"Alice": logged_in(alice), "Bob": logged_in(bob)})
    for begun in Contest.objects.filter(kind=kind.name):  # with the session: it is ended, so that it can be started
        at = f"/c/{campaign.slug}/contests/{begun.pk}/"
        form = Page(set_up.people["Alice"].get(at)).form(action=f"{at}{kind.placement.session_end}/gm/")
        assert form.send(set_up.people["Alice"]).status_code == 302
    return set_up


@each_procedure
def test_it_is_started_by_its_page_as_it_opens(table: Table) -> None:
    answer = table.starter.get(table.start)
    page = Page(answer)
    form, asked = page.form(action=table.start), answer.context["form"]
    left_out = {field.html_name for field in asked} - set(form.controls)
    assert not left_out, f"the form reads {left_out}, and the page does not show it"
    table.begun(table.starter)


@each_procedure
def test_the_gm_starts_it_by_the_page_too(table: Table) -> None:
    table.begun(table.people["Alice"])


@each_procedure
def test_what_has_to_be_said_is_asked_for_at_its_own_field(table: Table) -> None:
    form = start_form(table.starter, table)
    for control in form.required:
        if not control.free:
            continue
        refused = form.send(table.starter, **{**typed(form), control.name: ""})
        again = Page(refused)
        assert refused.status_code == 422
        assert again.form(action=table.start).controls[control.name].refused and again.errors


@each_procedure
def test_its_acts_are_done_by_the_forms_that_its_page_shows(table: Table, kind: Procedure[Any]) -> None:
    contest = table.begun(table.starter)
    chance, opened = Random(kind.name), set[str]()
    for _ in range(STEPS):
        contest.refresh_from_db()
        acts = [] if contest.over else list(_acts(table, contest))
        if not acts:
            break
        # What was not done yet is done first, as its form opens; what ends it all comes last.
        chance.shuffle(acts)
        client, form, button = min(acts, key=lambda act: (_action(act[1]) in ENDS, _action(act[1]) in opened))
        untouched = _action(form) not in opened
        opened.add(_action(form))
        entered = {} if untouched else form.at_random(chance)
        _done(form.send(client, button, **entered), form)
    assert opened or contest.over, "nothing can be done in it"
    assert not [*unruled(table)], "an entry of an act says its rule in the list"


def unruled(table: Table) -> Iterator[str]:
    """The entries of acts in the Ledger's list that name no rule, and those that are called after who reacted."""
    shown = Page(table.people["Alice"].get(f"/c/{table.campaign.slug}/ledger/"))
    kinds = dict(Entry.objects.filter(campaign=table.campaign).values_list("seq", "kind"))
    for row in shown.of_class("entry"):
        kind = kinds[int(row.attributes["data-seq"])]
        said = [element for line in row.within() if line.has("meta") for element in line.within()]
        ruled = kind in WITHOUT_A_RULE or any(element.has("rule") for element in said)
        if kind.startswith("contest.") and (not ruled or " reacts" in row.text):
            yield f"{kind}: {row.text}"


def _acts(table: Table, contest: Contest) -> Iterator[tuple[Client, Form, Button]]:
    """Each button of each act that the contest's page shows to Bob and to Alice; what only tells chances is no act."""
    at = f"/c/{table.campaign.slug}/contests/{contest.pk}/"
    for client in table.people.values():
        answer = read(client, at)
        assert answer.status_code == 200
        yield from ((client, form, button) for form in Page(answer).forms if form.action.startswith(at)
                    for button in form.buttons if "/odds/" not in button.attributes.get("formaction", ""))


def _action(form: Form) -> str:
    return form.action.rstrip("/").split("/")[-2]


def _done(answer: Any, form: Form) -> None:
    """It was accepted; or it was refused in words that stand on the page, beside the form as it was sent."""
    assert answer.status_code in (302, 422), f"{answer.status_code} to {form.action}"
    if answer.status_code == 422:
        page = Page(answer)
        assert page.errors, f"{form.action} is refused, and the page does not say why: {answer.context['form'].errors}"
        again = next((shown_form for shown_form in page.forms if _same(shown_form, form)), None)
        assert again, f"{form.action} is refused, and the page does not show it any more"
        unseen = [name for name in answer.context["form"].errors if name != "__all__" and name not in again.controls]
        assert not unseen, f"{form.action} is refused for {unseen}, which the page does not show"


def _same(one: Form, other: Form) -> bool:
    return one.action.partition("?")[0] == other.action.partition("?")[0]
