"""A table as it is after some evenings, and the requests that are measured. To measure more, add a case to `cases`."""
from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any
from urllib.parse import urlencode

from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from bench.bare import FEED
from bench.models import Line
from campaigns import trail
from campaigns.access import Viewer
from campaigns.models import Campaign, Entry, Member, Role
from campaigns.services.founding import found
from characters.models import Character, Trait
from play import queries
from play.forms.tray import Tray
from play.models import Contest, Presence, Scene, Session
from play.services import tray as rolls
from play.services.tray import Beside
from rules.systems.questworlds import roll
from rules.systems.questworlds.chained import by_numbers, to_win
from rules.systems.questworlds.contest import LEADS, Terms

HEROES, TRAITS = 5, 6
SEATS: list[dict[str, str]] = []  # the cookies of the players at the table


@dataclass(frozen=True)
class Request:
    """One request, ready to be sent."""

    method: str
    path: str
    form: dict[str, Any] | None = None
    by_htmx: bool = False
    query: str = ""
    cookies: dict[str, str] | None = None  # of whoever asks, where that is not the owner


@dataclass(frozen=True)
class Case:
    """What is measured, and beside what: a request or some of them, made anew each time, or a plain call."""

    name: str
    beside: str
    request: Callable[[], Request] | None = None
    requests: Callable[[], list[Request]] | None = None  # several, the one after the other; their answers are weighed
    call: Callable[[], Any] | None = None


def furnish(table: str = "") -> tuple[Viewer, dict[str, str]]:
    """A campaign with a scene on, heroes in it and a feed; its owner as viewer, and the owner's cookies. `table` tells
    its people from those of another."""
    user = User.objects.create_user(username=f"Alice{table}", password=None)
    campaign = found(user=user, op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
    owner = campaign.members.get()
    with trail.entry(campaign=campaign, actor=owner, op_id=uuid.uuid4(), kind="scene.open", title="A scene") as entry:
        now = timezone.now()
        entry.create(Session(campaign=campaign, number=1, opened=now, closed=now))
        session = entry.create(Session(campaign=campaign, number=2, opened=now))
        scene = entry.create(Scene(campaign=campaign, session=session, number=1, title="The ferry", opened=now))
        for number in range(HEROES):
            hero = entry.create(Character(campaign=campaign, name=f"Hero {number}", player=owner))
            for place in range(TRAITS):
                entry.create(Trait(
                    campaign=campaign, character=hero, kind="strength", name=f"Trait {place}", value=2, place=place
                ))
            entry.create(Presence(campaign=campaign, scene=scene, character=hero))
        entry.change(entry.campaign, session_id=session.pk, scene_id=scene.pk)
    Line._default_manager.bulk_create(Line(user=user, text="A line that somebody wrote.") for _ in range(FEED))
    SEATS[:] = company(campaign, owner, table)
    return Viewer(Campaign.objects.get(pk=campaign.pk), owner), cookies_of(user)


def cookies_of(user: User) -> dict[str, str]:
    """The cookies of somebody who is logged in."""
    browser = Client()
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return {"csrftoken": secrets.token_hex(16), **{name: cookie.value for name, cookie in browser.cookies.items()}}


def company(campaign: Campaign, owner: Member, table: str) -> list[dict[str, str]]:
    """The cookies of players, each with a hero in the scene: with the owner, who runs the game, they are five."""
    seats = []
    for number in range(1, HEROES):
        user = User.objects.create_user(username=f"Player {number}{table}", password=None)
        with trail.entry(campaign=campaign, actor=owner, op_id=uuid.uuid4(), kind="member.join", title="Joins") as made:
            seat = made.create(Member(campaign=made.campaign, user=user, role=Role.PLAYER))
            hero = made.locked(Character, campaign=made.campaign, name=f"Hero {number}")
            made.change(hero, player_id=seat.pk)
        seats.append(cookies_of(user))
    return seats


def at_a_table_of_five(slug: str, post: Callable[[], Request], odds: Callable[[], Request]) -> list[Request]:
    """One roll, all told: the odds that its tray asks for as something is chosen and as it is named, the roll's answer,
    what its browser keeps of it, and what the four others fetch of it."""
    head = Campaign.objects.values_list("head_seq", flat=True).get(slug=slug)
    roll, feed = post(), Request("GET", f"/c/{slug}/feed/", by_htmx=True, query=f"since={head}")
    return [odds(), odds(), replace(roll, query=f"since={head}&opened="),
            Request("GET", f"/c/{slug}/ledger/since/{head}/"), *(replace(feed, cookies=seat) for seat in SEATS)]


def contest(viewer: Viewer) -> tuple[str, str, dict[str, str]]:
    """A contest of QuestWorlds that goes on: where it stands, where the frame of its player goes, and what it says."""
    campaign = found(user=viewer.member.user, op_id=uuid.uuid4(), name="Salt and Iron", system="questworlds")
    owner, now = campaign.members.get(), timezone.now()
    with trail.entry(campaign=campaign, actor=owner, op_id=uuid.uuid4(), kind="scene.open", title="A scene") as entry:
        session = entry.create(Session(campaign=campaign, number=1, opened=now))
        scene = entry.create(Scene(campaign=campaign, session=session, number=1, title="The quay", opened=now))
        hero = entry.create(Character(campaign=campaign, name="Ilse", player=owner))
        skill, *_ = (
            entry.create(Trait(
                campaign=campaign, character=hero, kind="ability", name=f"Ability {place}", value=15, place=place))
            for place in range(TRAITS))
        entry.create(Presence(campaign=campaign, scene=scene, character=hero))
        entry.change(entry.campaign, session_id=session.pk, scene_id=scene.pk)
    browser = Client(SERVER_NAME="localhost")
    browser.force_login(viewer.member.user, backend="django.contrib.auth.backends.ModelBackend")
    browser.post(f"/c/{campaign.slug}/contests/start/framed/", {
        **fresh(), "title": "Past the guard", "who": str(hero.pk), "obstacle": "The guard"})
    at = f"/c/{campaign.slug}/contests/{Contest.objects.get(campaign=campaign).pk}/"
    return at, f"{at}choose/{hero.pk}/", {"ability": str(skill.pk)}


def acts(viewer: Viewer) -> tuple[str, Callable[[], Request]]:
    """Where a contest stands, and an act in it, another each time."""
    at, framing, frame = contest(viewer)
    return at, lambda: Request("POST", framing, {"tactic": f"Way {secrets.token_hex(4)}", **frame, **fresh()})


def roll_of(viewer: Viewer, form: Tray) -> Entry:
    """What is filled in is rolled, by the service alone."""
    assert form.is_valid(), form.errors
    return rolls.roll(
        campaign=viewer.campaign, actor=viewer.member, op_id=uuid.uuid4(), client_seed=secrets.token_hex(32),
        planned=form.planned(), again=lambda campaign: form.planned(),
    )


def connected_anew(request: Callable[[], Request]) -> Callable[[], Request]:
    """The same request, before which the connection to the database is closed."""
    def made() -> Request:
        connection.close()
        return request()
    return made


def large_matrix() -> Callable[[], Request]:
    """The matrix of twelve characters by sixty obstacles, whose chances have been counted before: `bench.matrix` opens
    it in a browser, for the first time and again."""
    laid = import_module("tests.browser.preparing").desk("questworlds", 12, 60, 2)
    cookies = {"csrftoken": secrets.token_hex(16), "sessionid": laid["cookies"]["Alice"]}
    return lambda: Request("GET", f"{laid['address']}prepare/matrix/", cookies=cookies)


def cases(viewer: Viewer) -> list[Case]:
    """All that is measured; the bare ones come first."""
    slug, heroes = viewer.campaign.slug, queries.rollable(viewer)
    filled = tray_of(viewer)

    seen: list[int] = []  # how far the open browser is: one roll comes after it in each turn

    def rolled() -> None:
        form = Tray(viewer, heroes[0], heroes, Beside((), heroes, (), viewer.runs), {**filled, **fresh()})
        seen[:] = [roll_of(viewer, form).seq]

    def post(path: str, by_htmx: bool) -> Callable[[], Request]:
        return lambda: Request("POST", f"/c/{slug}/{path}", {**filled, **fresh()}, by_htmx)

    at, act = acts(viewer)
    return [
        Case("bare write", "bare write", lambda: Request("POST", "/bare/write/", {"text": "A line."})),
        Case("bare page", "bare page", lambda: Request("GET", "/bare/")),
        Case("roll, the service alone", "bare write", call=rolled),
        Case("roll, the whole request", "bare write", post("roll/", False)),
        Case("roll, connected anew", "roll, the whole request", connected_anew(post("roll/", False))),
        Case("a roll, five at the table", "bare write",
             requests=lambda: at_a_table_of_five(slug, post("roll/", True), post("tray/", True))),
        Case("the same as pages", "bare write",
             requests=lambda: as_pages(slug, post("roll/", False), post("tray/", True))),
        Case("an act in a contest", "bare write", act),
        Case("a contest's page", "bare page", lambda: Request("GET", at)),
        Case("odds in the tray", "bare page", post("tray/", True)),
        Case("table page", "bare page", lambda: Request("GET", f"/c/{slug}/")),
        Case("one event, one browser", "bare page",
             lambda: Request("GET", f"/c/{slug}/feed/", by_htmx=True, query=f"since={seen[0]}")),
        Case("table's feed", "bare page", lambda: Request("GET", f"/c/{slug}/feed/", by_htmx=True)),
        Case("a sheet", "bare page", lambda: Request("GET", f"/c/{slug}/characters/{heroes[0].pk}/")),
        Case("a large matrix", "bare page", large_matrix()),
        Case("home", "bare page", lambda: Request("GET", "/")),
        Case("chances of long contests", "bare page", call=the_longest_odds),
        Case("the trail's first page", "bare page", lambda: Request("GET", f"/c/{slug}/ledger/")),
    ]


def tray_of(viewer: Viewer) -> dict[str, Any]:
    """What the tray sends of somebody who filled it in."""
    heroes = queries.rollable(viewer)
    tray = Tray(viewer, heroes[0], heroes, Beside((), queries.present(viewer), (), viewer.runs))
    return {
        **tray.as_it_opens().data, "shown": tray.token, "character": str(heroes[0].pk), "what": "Holding the rope",
        "traits": [str(trait.pk) for trait in heroes[0].traits.all()][:2],
    }


def the_longest_odds() -> None:
    """What it takes to count who wins between scores of 59 and 60, asked for the first time: a chained contest."""
    for kept in (roll.classes, by_numbers, LEADS):
        kept.cache_clear()
    to_win(Terms(59, (), 60), (), (), True)


def as_pages(slug: str, post: Callable[[], Request], odds: Callable[[], Request]) -> list[Request]:
    """The same where the roll leads to its page, as it does without a script."""
    once, again, first, *others = at_a_table_of_five(slug, post, odds)
    return [once, again, replace(first, query="", by_htmx=False), Request("GET", f"/c/{slug}/"), *others]


def fresh() -> dict[str, str]:
    """What each form has of its own."""
    return {"op_id": str(uuid.uuid4()), "client_seed": secrets.token_hex(32)}


def body(form: dict[str, Any] | None) -> bytes:
    """A form as a browser sends it."""
    return urlencode(form or {}, doseq=True).encode()
