"""What table, contest's page, sheet, matrix and plan are given, whole, in named situations: an evening in QuestWorlds.

Each is compared with what is recorded in `pages`; `python -m tests.play.as_values` writes that anew.
"""
from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from campaigns.models import Campaign
from campaigns.services.founding import found
from characters.models import Character
from characters.services.lifecycle import retire
from play.models import Contest
from play.services import obstacles, plan, sessions
from tests.conftest import join
from tests.play.as_values import Album, lines_of, names_of_rows, said_of, seen
from tests.play.conftest import body, character

pytestmark = pytest.mark.django_db


class Evening:
    """Alice's QuestWorlds: Bob plays Tam, Charlie plays Una, who stands by."""

    def __init__(self, alice: Any, bob: Any, charlie: Any) -> None:
        self.campaign: Campaign = found(user=alice, op_id=uuid.uuid4(), name="Salt", system="questworlds")
        self.gm = self.campaign.members.get()
        self.players = {"Tam": join(self.campaign, bob, "player"), "Una": join(self.campaign, charlie, "player")}
        for name, seat in self.players.items():
            character(self.campaign, seat, name, [("ability", f"{name}’s maps", 17), ("ability", "Knots", 14)],
                      player=seat)

    def do(self, service: Callable[..., Any], actor: Any = None, **given: Any) -> Any:
        done = service(campaign=self.campaign, actor=actor or self.gm, op_id=uuid.uuid4(), **given)
        self.campaign.refresh_from_db()
        return done

    def pk(self, name: str) -> uuid.UUID:
        return Character.objects.get(campaign=self.campaign, name=name).pk

    def contest(self, browser: Client, who: str, title: str) -> None:
        begun = browser.post(f"/c/{self.campaign.slug}/contests/start/framed/", body(
            title=title, who=str(self.pk(who)), obstacle="The guard"))
        assert begun.status_code == 302, begun.content.decode()

    def renamed(self, who: str, line: str, name: str) -> None:
        with trail.entry(campaign=self.campaign, actor=self.gm, op_id=uuid.uuid4(), kind="character.edit") as entry:
            entry.change(Character.objects.get(pk=self.pk(who)).traits.get(name=line), name=name)
            entry.title = f"{who}: {name}"

    def situations(self, as_alice: Client, as_bob: Client) -> Iterator[str]:
        """The evening, one thing after the other; each stands until it is looked at."""
        by = self.campaign
        yield "no session, no scene"
        self.do(sessions.open_session)
        yield "a session, no scene"
        character(by, self.gm, "Old Marrow", [("ability", "Grudges", 22)], npc=True)
        character(by, self.gm, "Whisper", [("ability", "Unseen", 18)], npc=True, hidden=True)
        people = [self.pk(name) for name in ("Tam", "Una", "Old Marrow", "Whisper")]
        self.do(sessions.open_scene, title="The pier", characters=people)
        self.do(obstacles.put, name="The gate", values={"resistance": "20"})
        yield "a scene, with somebody whom players don’t see, and an obstacle"
        self.contest(as_alice, "Tam", "What Tam does")
        yield "a contest, and a bystander"
        contest, tam = Contest.objects.get(title="What Tam does"), Character.objects.get(name="Tam")
        sent = as_bob.post(f"/c/{by.slug}/contests/{contest.pk}/choose/{tam.pk}/", body(
            ability=str(tam.traits.get(name="Tam’s maps").pk), tactic="By the back door"))
        assert sent.status_code == 302, sent.content.decode()
        self.contest(as_alice, "Una", "What Una does")
        yield "two contests, one of them with an ability chosen"
        self.renamed("Tam", "Tam’s maps", "Charts")
        yield "a line renamed that a contest uses"
        self.do(retire, character_id=self.pk("Old Marrow"), retired=True, reason="Gone to sea")
        yield "an NPC who has left the story"
        character(by, self.gm, "Brine", [("ability", "Tar", 13)], player=self.players["Tam"])
        self.do(obstacles.put, name="The rope", values={"resistance": "14"})
        for title in ("The well", "The mill"):
            self.do(plan.write_scene, title=title, words="Dust.", notes="Nobody drinks.", lines=["Say who waits"])
        yield "a second character of one player, a second obstacle, two planned scenes"
        for contest in Contest.objects.order_by("pk"):
            assert as_alice.post(f"/c/{by.slug}/contests/{contest.pk}/call-off/", body()).status_code < 400
        assert as_alice.post(f"/c/{by.slug}/scene/close/", body()).status_code == 302
        by.refresh_from_db()
        self.do(sessions.open_scene, title="The pier at night", characters=[self.pk("Brine")])
        yield "the second scene, after contests that were called off"
        assert as_alice.post(f"/c/{by.slug}/scene/close/", body()).status_code == 302
        by.refresh_from_db()
        self.do(sessions.close_session)
        self.do(sessions.open_session, title="Low tide")
        yield "the second session"


def test_pages_are_given_what_is_recorded(
    alice: Any, bob: Any, charlie: Any, as_alice: Client, as_bob: Client, as_charlie: Client
) -> None:
    evening, album = Evening(alice, bob, charlie), Album("questworlds")
    slug, browsers = evening.campaign.slug, {"alice": as_alice, "bob": as_bob, "charlie": as_charlie}
    everyone, desk = tuple(browsers), ("alice",)
    for situation in evening.situations(as_alice, as_bob):
        pages = [("table", f"/c/{slug}/", ("play/table.html",), everyone),
                 ("sheet", f"/c/{slug}/characters/{evening.pk('Tam')}/", ("characters/sheet.html",), everyone),
                 ("matrix", f"/c/{slug}/prepare/matrix/", ("play/matrix.html",), desk),
                 ("plan", f"/c/{slug}/prepare/plan/", ("play/plan.html",), desk)]
        if contest := Contest.objects.filter(title="What Tam does").first():
            framed = "systems/questworlds/framed.html", "play/contest_unshown.html"
            pages.append(("contest", f"/c/{slug}/contests/{contest.pk}/", framed, everyone))
        names = names_of_rows()
        for page, address, templates, people in pages:
            for who in people:
                context, cards = seen(lambda who=who, address=address: browsers[who].get(address), *templates)  # type: ignore[misc]
                album.keep(f"{page}_{who}", situation, lines_of(context, names))
                if page == "table":
                    album.keep(f"card_{who}", situation, [
                        f"{place} {line}" for place, card in enumerate(cards, 1) for line in lines_of(card, names)])
    assert not (differing := album.differing()), said_of(differing)
