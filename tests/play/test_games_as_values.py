"""What table, sheet and a contest's page are given, whole, in named situations of an evening in the other games.

Everything is done by the pages, as they open. Each page is compared with what is recorded in `pages`;
`python -m tests.play.as_values` writes that anew.
"""
from __future__ import annotations

import uuid
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.models import Campaign
from campaigns.services.founding import found
from characters.models import Character
from characters.services import editing, npcs
from characters.services.lifecycle import retire
from play.models import Contest
from play.services import sessions
from rules.registry import SYSTEMS
from tests.conftest import join
from tests.gate import every
from tests.html_forms import Page
from tests.laid import DICE
from tests.play.as_values import Album, lines_of, names_of_rows, said_of, seen
from tests.play.test_by_the_page import typed

pytestmark = [pytest.mark.django_db, pytest.mark.skipif(bool(DICE), reason="recorded with the usual dice")]
# QuestWorlds has a longer evening of its own.
CONTESTS = {"pdq": "pdq.conflict", "pdq_sharp": "pdq_sharp.duel", "danger_world": "danger_world.check_at_table",
            "pnc": "pnc.fight"}
# What goes on beside it, at once; in PDQ it is a roll whose difficulty the GM has yet to say.
BESIDE = {"pdq_sharp": "challenge", "danger_world": "check", "pnc": "roll"}


class Evening:
    """Alice's campaign: Bob plays the first ready-made character, Charlie the second; one NPC is hidden."""

    def __init__(self, system: str, alice: Any, bob: Any, charlie: Any) -> None:
        self.game = SYSTEMS[system]
        self.kind = next(kind for kind in self.game.procedures if kind.name == CONTESTS[system])
        self.campaign: Campaign = found(user=alice, op_id=uuid.uuid4(), name="Salt", system=system)
        self.by: dict[str, Any] = {"campaign": self.campaign, "actor": self.campaign.members.get()}
        seats = [join(self.campaign, user, "player") for user in (bob, charlie)]
        made = [editing.create_ready(**self.by, op_id=uuid.uuid4(), ready=ready, player=seat)
                for ready, seat in zip(self.game.sheet.ready_made, seats, strict=False)]
        assert self.game.sample
        made += [npcs.quick(**self.by, op_id=uuid.uuid4(), line=line, hidden=hidden) for line, hidden in (
            (self.game.sample.npc, False), (f"Whisper of the {self.game.sample.npc}", True))]
        self.people = [editing.id_from(self.campaign, entry.op_id) for entry in made]

    @property
    def at(self) -> str:
        return f"/c/{self.campaign.slug}/"

    @property
    def contest(self) -> Contest | None:
        return Contest.objects.filter(campaign=self.campaign, kind=self.kind.name).first()

    def situations(self, as_alice: Client, as_bob: Client) -> Iterator[str]:
        """The evening, one thing after the other; each stands until it is looked at."""
        yield "no session, no scene"
        sessions.open_session(**self.by, op_id=uuid.uuid4())
        sessions.open_scene(**self.by, op_id=uuid.uuid4(), title="The dry well", characters=self.people)
        yield "a scene, with somebody whom players don’t see"
        self.start(as_alice, self.kind.slug)
        yield "a contest as its page opens"
        for number in range(3):
            self.act(Random(f"{self.game.slug} {number}"), as_bob, as_alice)
            yield f"after {number + 1} of its acts"
        hero = Character.objects.get(pk=self.people[0])
        trait = hero.traits.order_by("place").first()
        assert trait
        with trail.entry(**self.by, op_id=uuid.uuid4(), kind="character.edit") as entry:
            entry.change(trait, name="Charts")
            entry.title = f"{hero.name}: Charts"
        retire(**self.by, op_id=uuid.uuid4(), character_id=self.people[2], retired=True, reason="Gone to sea")
        yield "a line renamed, and an NPC who has left the story"
        bob = hero.player
        self.people.append(editing.id_from(self.campaign, editing.create_ready(
            **self.by, op_id=uuid.uuid4(), ready=self.game.sheet.ready_made[2], player=bob).op_id))
        if self.game.slug in BESIDE:
            self.start(as_alice, BESIDE[self.game.slug])
            assert Contest.objects.filter(campaign=self.campaign, over=False).count() > 1
        else:
            page = Page(as_bob.get(self.at, {"character": str(hero.pk)}))
            tray = next(form for form in page.forms if form.attributes.get("id") == "tray")
            [ask] = tray.buttons
            assert tray.send(as_bob, ask, **typed(tray)).status_code == 302
        yield "a second character of one player, who stands by, and something else at once"
        for contest in Contest.objects.filter(campaign=self.campaign, over=False).order_by("pk"):
            assert as_alice.post(f"{self.at}contests/{contest.pk}/call-off/", {
                "op_id": str(uuid.uuid4())}).status_code < 400
        assert as_alice.post(f"{self.at}scene/close/", {"op_id": str(uuid.uuid4())}).status_code == 302
        self.campaign.refresh_from_db()
        sessions.open_scene(**self.by, op_id=uuid.uuid4(), title="The well at night", characters=self.people[-1:])
        yield "the second scene, after contests that were called off"
        assert as_alice.post(f"{self.at}scene/close/", {"op_id": str(uuid.uuid4())}).status_code == 302
        self.campaign.refresh_from_db()
        sessions.close_session(**self.by, op_id=uuid.uuid4())
        yield "the session is over"
        sessions.open_session(**self.by, op_id=uuid.uuid4(), title="Low tide")
        yield "the second session"

    def start(self, client: Client, kind: str) -> None:
        """Starts one as its page opens."""
        start = f"{self.at}contests/start/{kind}/"
        form = Page(client.get(start)).form(action=start)
        assert form.send(client, **typed(form)).status_code == 302

    def act(self, chance: Random, *clients: Client) -> None:
        """The first act that a page offers and takes, whoever may do it: Bob before Alice."""
        at = f"{self.at}contests/{self.contest.pk}/"  # type: ignore[union-attr]
        offered = [(client, form) for client in clients for form in Page(client.get(at)).forms
                   if form.action.startswith(at) and "/call-off/" not in form.action]
        for client, form in offered:
            if form.send(client, **form.at_random(chance)).status_code == 302:
                return
        raise AssertionError([form.action for _, form in offered])


@every
@pytest.mark.parametrize("system", CONTESTS)
def test_pages_are_given_what_is_recorded(
    system: str, alice: Any, bob: Any, charlie: Any, as_alice: Client, as_bob: Client, as_charlie: Client
) -> None:
    evening, album = Evening(system, alice, bob, charlie), Album(system)
    shown = f"systems/{CONTESTS[system].replace('.', '/')}.html", "play/contest_unshown.html"
    for situation in evening.situations(as_alice, as_bob):
        pages = [("table", evening.at, ("play/table.html",)),
                 ("sheet", f"{evening.at}characters/{evening.people[0]}/", ("characters/sheet.html",))]
        if evening.contest:
            pages.append(("contest", f"{evening.at}contests/{evening.contest.pk}/", shown))
        names = names_of_rows()
        for page, address, templates in pages:
            for who, browser in (("alice", as_alice), ("bob", as_bob), ("charlie", as_charlie)):
                context, cards = seen(lambda browser=browser, address=address: browser.get(address), *templates)  # type: ignore[misc]
                album.keep(f"{page}_{who}", situation, lines_of(context, names))
                if page == "table":
                    album.keep(f"card_{who}", situation, [
                        f"{place} {line}" for place, card in enumerate(cards, 1) for line in lines_of(card, names)])
    assert not (differing := album.differing()), said_of(differing)
