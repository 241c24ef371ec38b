"""What somebody chooses in secret is in nothing that others get, and neither the size nor the moment of anything that
they get follows from it: how a duel's dice are divided, tactics, and what is rolled behind the screen.

Two tables on which all is alike choose differently. What the others get is then compared, page by page.
"""
from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import unified_diff
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import trail
from campaigns.access import Viewer
from campaigns.models import Entry, Role
from campaigns.services.founding import found
from campaigns.trail.export import export
from play.models import Contest
from play.services import contests, position, sessions
from rules.fields import Group, Listing
from tests.conftest import join, logged_in, person
from tests.effort import some
from tests.games import ROLLED
from tests.html_forms import Page
from tests.play.conftest import character
from tests.play.test_behind_the_screen import put_in_the_way, roll_unseen
from tests.test_canary import WORD, addresses, everything, read, streamed, wrong

pytestmark = pytest.mark.django_db
SEED = "00" * 32
OWN = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32,}|[Ss]alt[ -]\d|\d\d:\d\d")  # what each table has of its own
PACKED = re.compile(r'name="shown" value="[^"]*"')  # ids that are packed, and so as long as chance has it
SHEETS = {
    "pdq_sharp": [("forte", "Fencing", 4), ("forte", "Riding", 2)],
    "questworlds": [("ability", "Fencing", 17), ("ability", "Riding", 14)],
}


class Table:
    """Bob's Ilse and Dora's Tam against the GM's Marrow, in a scene; Otto looks on. Whatever has a length has the same
    at each table of a game."""

    def __init__(self, number: int, system: str, settings: Mapping[str, str]) -> None:
        self.campaign = found(user=person(f"Alice{number}"), op_id=uuid.uuid4(), name=f"Salt {number}", system=system,
                              settings=settings)
        self.gm = self.campaign.members.get()
        self.members = {name: join(self.campaign, person(f"{name}{number}"), role) for name, role in (
            ("Bob", Role.PLAYER), ("Dora", Role.PLAYER), ("Otto", Role.OBSERVER))}
        self.browsers = {name: logged_in(member.user) for name, member in {**self.members, "Alice": self.gm}.items()}
        self.heroes = {hero: character(self.campaign, self.members[name], hero, SHEETS.get(system, []),
                                       player=self.members[name]) for name, hero in (("Bob", "Ilse"), ("Dora", "Tam"))}
        self.marrow = character(self.campaign, self.gm, "Marrow", SHEETS.get(system, []), npc=True)
        self.people = [*self.heroes.values(), self.marrow]
        sessions.open_session(**self.by())
        sessions.open_scene(**self.by(title="The ford", characters=[character.pk for character in self.people]))
        self.campaign.refresh_from_db()

    def by(self, **more: Any) -> dict[str, Any]:
        return {"campaign": self.campaign, "actor": self.gm, "op_id": uuid.uuid4(), **more}

    def start(self, name: str, sides: Mapping[str, str]) -> None:
        """A contest of this kind between those who have a side."""
        kind = position.procedure_of(self.campaign, name)
        group = next(field.of for field in kind.fields if isinstance(field, Listing) and isinstance(field.of, Group))
        asked = {field.name for field in group.fields}
        there = [character for character in self.people if character.name in sides]
        lines = [
            {name: value for name, value in self._line(character, sides[character.name]) if name in asked}
            for character in there]
        contests.start(**self.by(
            client_seed=SEED, kind=name, title="At the ford", characters=[character.pk for character in there],
            setup={**kind.of_campaign(self.campaign.settings), "contestants": lines}))
        self.campaign.refresh_from_db()

    @staticmethod
    def _line(person: Any, side: str) -> tuple[tuple[str, object], ...]:
        return ("sheet", str(person.pk)), ("side", side), ("player", not person.npc)

    @property
    def begun(self) -> uuid.UUID | None:
        """The id of the contest that was begun."""
        return Contest.objects.filter(campaign=self.campaign, title="At the ford").values_list("pk", flat=True).first()

    @property
    def contest(self) -> str:
        """Where it is."""
        return reverse("contest", args=[self.campaign.slug, self.begun])

    def engage(self) -> None:
        """Everybody has a foe, so that dice can be divided."""
        for _ in range(6):
            at = position.find_position(self.campaign, self.begun) if self.begun else None
            assert at
            offer = next((offer for offer in at.offers if offer.action in ("engage", "engage_npcs")), None)
            if offer is None:
                return
            given = {"foes": [str(self.marrow.pk)]} if offer.action == "engage" else {}
            contests.act(**self.by(client_seed=SEED, contest_id=at.contest.pk, by=offer.by, action=offer.action,
                                   given=given))

    def press(self, who: str, action: str, **values: str) -> None:
        """Somebody fills in a form of the contest's page, and sends it."""
        by = {"Bob": str(self.heroes["Ilse"].pk), "Alice": "gm"}[who]
        browser = self.browsers[who]
        form = Page(browser.get(self.contest)).form(action=f"/{action}/{by}/")
        chosen = [button for button in form.buttons
                  if (button.attributes.get("name"), button.attributes.get("value")) in
                  values.items()]
        typed = {name: value for name, value in values.items() if name in form.controls or not chosen}
        answer = form.send(browser, *chosen, **typed)
        assert answer.status_code == 302, Page(answer).errors
        self.campaign.refresh_from_db()

    def heard(self, name: str, since: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
        """All that somebody gets of what came after an entry: pages, fragments, stream, export."""
        slug, browser, by_htmx = self.campaign.slug, self.browsers[name], {"HX-Request": "true"}
        told = {route: read(browser, reverse(route, args=[slug])) for route in (
            "table", "feed", "ledger", "chronicle", "characters", "head", "people", "shown", "receipts")}
        told |= {"home": read(browser, "/"), "search": read(browser, f"{reverse('search', args=[slug])}?q=Fencing"),
                 "since": read(browser, reverse("since", args=[slug, since]))}
        told |= {f"sheet of {character.name}": read(browser, reverse("sheet", args=[slug, character.pk]))
                 for character in self.people}
        for seq in range(since + 1, self.campaign.head_seq + 1):
            told[f"entry {seq}"] = read(browser, reverse("entry", args=[slug, seq]))
        if self.begun:
            told["contest"] = read(browser, self.contest)
        feed = f"{reverse('feed', args=[slug])}?since={since}"
        told["fragment"] = browser.get(feed, headers=by_htmx).content.decode()
        told["now"] = browser.get(reverse("now", args=[slug]), headers=by_htmx).content.decode()
        told = {page: PACKED.sub("", text) for page, text in told.items()}
        return told | {"stream": streamed(browser, self.campaign, monkeypatch),
                       "export": "".join(export(Viewer(self.campaign, self.members[name])))}


Choice = dict[str, str]


@dataclass(frozen=True)
class Sealed:
    """Something that is chosen in secret: by whom, with which form, and two choices of which the first is told apart
    by the word."""

    system: str
    kind: str
    sides: Mapping[str, str]
    who: str
    action: str
    choices: tuple[Choice, Choice]
    ready: Callable[[Table], None] = lambda table: None
    settings: Mapping[str, str] = field(default_factory=dict)


AGAINST = {"Ilse": "one", "Tam": "one", "Marrow": "two"}
RIVALS = {"Ilse": "one", "Tam": "two"}
SEALED = {
    "how a player divides the dice": Sealed(
        "pdq_sharp", "pdq_sharp.duel", AGAINST, "Bob", "stance",
        ({"stance": "all_out_attack", "words": WORD}, {"stance": "strong_defence"}), Table.engage),
    "how the GM divides the dice of NPCs": Sealed(
        "pdq_sharp", "pdq_sharp.duel", AGAINST, "Alice", "stances",
        ({"npc_0": "all_out_attack"}, {"npc_0": "strong_defence"}), Table.engage),
    "the tactic of a player in a scored contest": Sealed(
        "questworlds", "questworlds.scored", {"Ilse": "one", "Marrow": "two"}, "Bob", "choose",
        ({"tactic": "risky", "words": WORD}, {"tactic": "defensive"}), settings={"tactics": "secret"}),
    "the tactic of the GM in a scored contest": Sealed(
        "questworlds", "questworlds.scored", {"Ilse": "one", "Marrow": "two"}, "Alice", "stance",
        ({"tactic": "risky"}, {"tactic": "defensive"}), settings={"tactics": "secret"}),
    "what a rival sets out to do": Sealed(
        "questworlds", "questworlds.versus", RIVALS, "Bob", "choose",
        ({"tactic": f"{WORD}, from behind, and slowly"}, {"tactic": "A song"})),
}


@pytest.mark.parametrize("name", some(
    SEALED, "how a player divides the dice", "the tactic of the GM in a scored contest"))
def test_what_others_get_of_a_secret_choice_has_the_same_size_and_comes_at_the_same_moment(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed, heard, moments = SEALED[name], [], []
    for number, choice in enumerate(sealed.choices):
        table = Table(number, sealed.system, sealed.settings)
        table.start(sealed.kind, sealed.sides)
        sealed.ready(table)
        table.campaign.refresh_from_db()
        others = [member for member in table.members if member != sealed.who]
        for name in others:
            read(table.browsers[name], reverse("table", args=[table.campaign.slug]))
        before = table.campaign.head_seq
        table.press(sealed.who, sealed.action, **choice)
        last = Entry.objects.filter(campaign=table.campaign).latest("seq")
        assert last.audience != trail.ALL and last.seq == table.campaign.head_seq, "it is sealed"
        told = {other: table.heard(other, before, monkeypatch) for other in others}
        heard.append({f"{name}, {page}": text for name, pages in told.items() for page, text in pages.items()})
        moments.append([before, last.seq, *(told[other]["stream"] for other in others)])
        assert not [page for page, text in heard[-1].items() if wrong(text, WORD)]
    assert moments[0] == moments[1]
    one, other = heard
    assert one.keys() == other.keys()
    assert {page: different(text, other[page]) for page, text in one.items() if len(other[page]) != len(text)} == {}


def different(one: str, other: str) -> list[str]:
    """The lines that differ, whatever the ids are."""
    texts = [OWN.sub("…", text).splitlines() for text in (one, other)]
    return [line for line in unified_diff(*texts, lineterm="", n=0) if not line.startswith(("---", "+++", "@@"))][:8]


@pytest.mark.parametrize("name", some(
    (name for name, sealed in SEALED.items() if any(WORD in said for said in sealed.choices[0].values())),
    "what a rival sets out to do"))
def test_the_words_of_a_secret_choice_are_at_no_address_for_others(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed = SEALED[name]
    table = Table(0, sealed.system, sealed.settings)
    table.start(sealed.kind, sealed.sides)
    sealed.ready(table)
    table.press(sealed.who, sealed.action, **sealed.choices[0])
    have = everything(table.campaign)
    found_at = [f"{name} {address}" for name in ("Dora", "Otto", "Alice") for route, address in addresses(have)
                if wrong(read(table.browsers[name], address), WORD)]
    assert not found_at


@pytest.mark.parametrize("system", some(ROLLED, "pdq_sharp"))
def test_a_roll_behind_the_screen_moves_no_page_but_the_chain(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its envelope is there for everyone, as that of any sealed entry; whatever fell, it is as long."""
    table = Table(0, system, {})
    put_in_the_way(table.campaign, table.gm)
    table.campaign.refresh_from_db()
    bob: Client = table.browsers["Bob"]
    read(bob, reverse("table", args=[table.campaign.slug]))
    chain, since = ("ledger", "since", "export", "receipts"), table.campaign.head_seq
    before, lengths = table.heard("Bob", since, monkeypatch), []
    for number in range(2):
        seq = table.campaign.head_seq
        entry = roll_unseen(table.browsers["Alice"], table.campaign, table.gm, f"{WORD} {number}")
        assert entry.audience == trail.GM
        table.campaign.refresh_from_db()
        after = table.heard("Bob", since, monkeypatch)
        assert [page for page, text in before.items() if page not in chain and after[page] != text] == []
        assert not [page for page, text in after.items() if wrong(text, WORD)]
        lengths.append((table.campaign.head_seq - seq, len(read(bob, reverse("since", args=[
            table.campaign.slug, entry.seq - 1])))))
    assert lengths[0] == lengths[1]
