"""Every address of the site against everybody who may come to it.

Each route has one row in `ROWS`: who gets what for a GET, and for a POST that sends nothing. A member of a lower role,
an outsider, another campaign's GM and a removed member get 404; whoever is not logged in is asked to log in.
"""
from __future__ import annotations

import copy
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from campaigns import trail
from campaigns.models import BoundaryType, Entry, Invitation, Role, SharedLink
from campaigns.pictures import Drawn
from campaigns.services import inviting, members, pages, safety, sharing
from campaigns.services.founding import found
from characters.models import Portrait
from characters.services import portraits
from play.models import AskedRecovery, Contest, Obstacle, PendingAllocation, PlanLine, PrepItem
from play.services import bank, contests, obstacles, plan, requests, sessions
from rules.afterwards import AwardsExperience, StatesFacts
from rules.dice import new_token
from rules.fields import Whole
from rules.prep import PrepItemKind
from rules.procedure import Award, ExperienceRule, Fact, FactRule, Offer
from rules.sheet import ReadsProse, Sheet, TraitDraft
from rules.system import PoolKind
from rules.systems.pdq import Pdq
from rules.systems.pdq.conflict import Conflict
from rules.systems.pdq.conflict.state import State
from rules.systems.pdq.session import PdqSession
from rules.systems.pdq.sheet import PdqSheet
from rules.values import BadMove
from tests.conftest import join, logged_in, person
from tests.play.conftest import character, trait
from tests.schedule.furnishing import a_series

STRANGERS = ("outsider", "other_gm", "removed")
SEATS = ("observer", "player", "gm", "owner")
ROLES = ("anonymous", *STRANGERS, *SEATS)
ALONE: dict[str, Any] = {  # of these the furnished campaign has one
    "invitation": Invitation, "shared_link_id": SharedLink, "contest_id": Contest, "line_id": PlanLine,
    "prepared_id": PrepItem, "obstacle_id": Obstacle, "asked_recovery_id": AskedRecovery}


@dataclass(frozen=True)
class Door:
    """Who comes through, and what they get; `but` names roles that get something else."""

    least: str
    status: int
    but: dict[str, int] = field(default_factory=dict)

    def expects(self, role: str) -> int | str:
        """What this role is to get: a status, or "log in"."""
        if role in self.but:
            return self.but[role]
        if self.least == "anyone":
            return self.status
        if role == "anonymous":
            return "log in"
        if self.least == "account":
            return self.status
        allowed = SEATS[SEATS.index(self.least):]
        return self.status if role in allowed else 404


def anyone(status: int, **but: int) -> Door:
    """The same for all, logged in or not."""
    return Door("anyone", status, but)


def account(status: int, **but: int) -> Door:
    """For everybody who is logged in."""
    return Door("account", status, but)


def observer(status: int, **but: int) -> Door:
    """For every member."""
    return Door("observer", status, but)


def player(status: int, **but: int) -> Door:
    """For players and GMs."""
    return Door("player", status, but)


def gm(status: int, **but: int) -> Door:
    """For GMs, the owner among them."""
    return Door("gm", status, but)


MOVED = (anyone(301), anyone(308))  # old addresses, which lead on for everybody
NO, UP = anyone(405), anyone(302)  # a method that is not for this address; a GET that is led to the page above it
LINK = anyone(302, anonymous=200, outsider=200, other_gm=200, removed=410)  # members have a seat already

# name of the route: (GET, POST with an empty body). 200 to such a POST is the form as it comes, 302 has nothing to do.
ROWS: dict[str, tuple[Door, Door]] = {
    "account": (account(200), account(422)), "act": (player(302), player(422, player=409)),
    "act_odds": (player(302), player(200)), "assign": (gm(200), gm(422)),
    "award": (gm(200), gm(422)), "give_modifier": (gm(200), gm(200)), "change_password": (account(200), account(422)),
    "builder_count": (player(302), player(200)), "campaign_settings": (observer(200), gm(200)),
    "campaign_archive": (UP, gm(200, gm=404)), "campaign_delete": (gm(200, gm=404), gm(422, gm=404)),
    "call_off_contest": (gm(302), gm(409)), "undo_exchange": (gm(302),) * 2, "undo_last": (gm(302), gm(409)),
    "attendance": (gm(200), gm(200)), "character_begin": (player(200),) * 2, "character_take": (UP, player(422)),
    "campaign_take_along": (UP, gm(200, gm=404)), "match_member": (gm(404), gm(404)), "change_role": (gm(200), gm(200)),
    "campaign_throw_away": (UP, gm(302, gm=404)), "sample_begin": (UP, account(302)),
    "character_edit": (player(200), player(422)), "character_new": (player(200), player(422)),
    "character_prose": (player(200), player(200)), "characters": (observer(200), observer(200)),
    "chronicle": (observer(200), observer(200)), **dict.fromkeys(("close_link", "renew_link"), (UP, gm(422))),
    "close_scene": (gm(200),) * 2, "close_session": (gm(200),) * 2, "session_ended": (observer(404),) * 2,
    "contest": (observer(200), observer(200)), "sheet_action": (player(302), player(422)),
    "sheet_actions": (player(200), player(200)), "delete_account": (account(200), account(200)),
    "place": (player(200), player(200)), "duplicate": (gm(302), gm(422)),
    **dict.fromkeys(("entry", "experience", "facts"), (observer(200), observer(200))),
    "export": (observer(200), NO), "lines": (gm(404), NO), "feed": (observer(200),) * 2,
    "found": (account(200),) * 2, "ongoing": (observer(302), NO), "gm_note": (gm(200), gm(422)),
    "grow": (player(200), player(422)), "hand_over": (gm(200, gm=404), gm(200)),
    "head": (observer(200), observer(200)), "hide": (gm(302), gm(422)),
    "set_dead": (gm(302), gm(422)), "try_table": (UP, anyone(302, anonymous=503)), "home": (anyone(200), anyone(200)),
    "invite": (gm(200), gm(200)), "join": (LINK, LINK), "leave": (observer(200),) * 2, "ledger": (observer(200),) * 2,
    "live": (observer(204),) * 2, "my_sheet": (observer(302),) * 2, "mail": (account(200), account(200)),
    "mail_settings": (observer(200),) * 2, "mail_link": (UP, account(302)),
    **dict.fromkeys(("mail_confirm", "mail_stop"), (anyone(200), anyone(200))),
    "login": (anyone(302, anonymous=200), anyone(302, anonymous=422)), "logout": (UP, anyone(302)),
    **dict.fromkeys(("operator", "operator_import", "campaign_import"), (account(404),) * 2),
    **dict.fromkeys(("operator_person", "operator_maintain"), (UP, account(404))),
    "npc_quick": (gm(200), gm(422)), "now": (observer(302), observer(302)), "odds": (observer(200), observer(200)),
    **dict.fromkeys(("old_close_session", "old_entry", "old_export", "old_open_session", "old_recap", "old_reveal",
                     "old_sessions", "old_undo", "old_verify"), MOVED),
    "open_scene": (gm(200), gm(200)), "open_session": (UP, gm(422)), "handout": (gm(200), gm(422)),
    "ask_roll": (gm(200), gm(200)), "withdraw_asked": (gm(302), gm(302)), "withdraw_request": (player(302),) * 2,
    "request_roll": (player(302), player(422)), "ask_recovery": (player(302),) * 2, "answer_recovery": (gm(302),) * 2,
    **dict.fromkeys(("answer_request", "strike_in_request"), (gm(302), gm(302))),
    "roll_answered": (player(302),) * 2, "people": (observer(200),) * 2, "withdraw_recovery": (player(302),) * 2,
    "put_obstacle": (gm(200), gm(200)), "remove_obstacle": (gm(302), gm(302)),
    "portrait": (player(200), player(422)), "portrait_image": (observer(200), observer(405)),
    "prepare": (gm(200), gm(422)), "library_understood": (gm(200), gm(200)), "library_lines": (gm(200), gm(200)),
    "library_starters": (gm(200), gm(200)), "library_put": (UP, gm(422)), "library_thing": (gm(200), gm(200)),
    "threads": (gm(200), gm(200)), "plan": (gm(200), gm(200)), "plan_change": (UP, gm(422)), "plan_line": (UP, gm(422)),
    "plan_scene_new": (gm(200), gm(200)), "plan_scene": (gm(200), gm(200)), "plan_open": (gm(200), gm(200)),
    "plan_contest_new": (gm(200), gm(200)), "plan_contest": (gm(200), gm(200)), "plan_begin": (UP, gm(302)),
    "matrix": (gm(200), gm(200)), "matrix_row": (gm(404), gm(404)), "matrix_counts": (gm(200), gm(200)),
    "matrix_fit": (gm(404), gm(404)), "matrix_ask": (UP, gm(422)), "plan_paper": (gm(200), gm(200)),
    "prepare_new": (gm(200), gm(200)), "prepared": (gm(200), gm(200)), "prepared_change": (UP, gm(422)),
    "thing_view": (UP, gm(422)), "thing_who_sees": (gm(404), gm(404)),  # of a character its own pages say it
    "thing_picture": (gm(404), gm(404)), "thing_image": (observer(404), observer(405)), "npc_cards": (gm(200), gm(200)),
    "presence": (gm(200), gm(200)), "receipts": (observer(200), NO), "afterword": (gm(302), gm(422)),
    "journal": (player(200), player(422)), "leave_out": (UP, gm(302)), "recap": (player(200),) * 2,
    **dict.fromkeys(("own_view", "view_as"), (UP, gm(302))), "remove_member": (gm(200),) * 2,
    "replace": (gm(200), gm(422)), "reset_password": (anyone(200), anyone(422)),
    "reset_password_sent": (anyone(200), NO),
    "safety": (observer(200), observer(422)), "x_card": (observer(302), observer(302)), "go_on": (gm(302), gm(302)),
    "boundary_remove": (UP, observer(200)), "recover": (gm(200),) * 2, "open_first_scene": (gm(200),) * 2,
    "retire": (player(302), player(200)), "reveal": (UP, gm(200)), "roll": (player(302), player(422)),
    "set_password": (anyone(200),) * 2, "shared_pool": (gm(200),) * 2, "sheet": (observer(200),) * 2,
    "sheet_as_of": (observer(200), observer(200)), "sheet_blank": (observer(200), NO),
    "page_edit": (player(200), player(422)), "page_image": (observer(200), observer(405)),
    "page_new": (player(200), player(200)), "page_picture": (player(200), player(422)),
    "page_remove": (UP, player(200)), "page_who_sees": (gm(200), gm(422)), "page_view": (UP, player(422)),
    **dict.fromkeys(("page", "page_history", "pages", "search", "shown"), (observer(200), observer(200))),
    "shared": (anyone(200), NO), "shared_picture": (anyone(200), NO), "close_shared": (UP, player(422)),
    "share_sheet": (player(200), player(200)), "share_chronicle": (gm(200), gm(200)),
    "looks": (player(200), player(422)), "who_sees": (gm(200), gm(422)), "sign_up": (anyone(200), anyone(422)),
    "since": (observer(200), NO), "why": (observer(200),) * 2, "start_contest": (player(302), player(302)),
    "table": (observer(200), observer(200)), "tray": (player(200), player(200)), "undo": (UP, player(422)),
    "guess_zone": (UP, account(204)), "calendar_address": (account(200), account(200)),
    **dict.fromkeys(("calendar_feed", "manifest", "offline", "offline_list", "verifier", "worker"), (anyone(200), NO)),
    "date_calendar": (observer(200), NO), "dates": (observer(200), observer(200)), "date": (observer(200), player(422)),
    "dates_propose": (gm(200), gm(200)), "dates_repeat": (gm(200), gm(200)), "date_move": (gm(200), gm(200)),
    "date_fix": (UP, gm(422)), "date_take_back": (UP, gm(422)), "date_call_off": (UP, gm(200)),
    "dates_series_end": (UP, gm(200)), "date_repeat": (gm(200), gm(200)), "verify": (observer(200), observer(200)),
}


def routes(resolver: Any = None, names: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every route: its name (its pattern where it has none), and what stands in its address."""
    resolver = resolver or get_resolver()
    for url_pattern in resolver.url_patterns:
        inner = (*names, *url_pattern.pattern.converters)
        if isinstance(url_pattern, URLResolver):
            yield from routes(url_pattern, inner)
        elif isinstance(url_pattern, URLPattern):
            yield url_pattern.name or str(url_pattern.pattern), inner


ROUTES = sorted(routes())

# What stands in one route's address alone.
ONLY = {"act": {"action": "end", "by": "gm"}, "act_odds": {"action": "end", "by": "gm"}}


@dataclass(frozen=True)
class Site:
    """A campaign with everything in it that an address can name, and a browser for each role."""

    browsers: dict[str, Client]
    here: dict[str, Any]  # what stands in an address, by the name that a route gives it
    elsewhere: dict[str, Any]  # the same of another campaign

    def address(self, route: str, needed: tuple[str, ...], places: dict[str, Any]) -> str:
        """The address of a route in this campaign, with these things named in it."""
        missing = [name for name in needed if name not in places]
        assert not missing, (
            f"The route {route!r} has {', '.join(missing)} in its address. Name one in `furnished` in {__file__}."
        )
        named = {**places, **ONLY.get(route, {})}
        return reverse(route, kwargs={name: named[name] for name in needed})

    def ask(self, role: str, method: str, address: str, sent: Any = None, *, undone: bool = True) -> Any:
        """The answer to a role's request; what it did is undone, in the tables and in the browser."""
        browser = self.browsers[role]
        kept = copy.deepcopy(browser.cookies)
        with transaction.atomic():
            answer = getattr(browser, method)(address, sent)
            transaction.set_rollback(undone)
        browser.cookies = kept
        return answer


class Lecture(Conflict, AwardsExperience[State], StatesFacts[State]):
    """A conflict that has all that a procedure of any game may have."""

    experience_rule = ExperienceRule("xp", 3)
    fact_rule = FactRule(("end",), "What a conflict decides.")

    def awards(self, state: State) -> tuple[Award, ...]:
        return ()

    def facts(self, state: State) -> tuple[Fact, ...]:
        return ()


class Written(PdqSheet, ReadsProse):
    """A sheet that has all that a sheet of any game may have."""

    def from_prose(self, text: str) -> tuple[str, tuple[TraitDraft, ...]]:
        return text, ()

    def prose_length(self, text: str) -> tuple[int, int]:
        return len(text.split()), 100

    def actions(self, sheet: Sheet, settings: Any) -> tuple[Offer, ...]:
        return (Offer("tick", sheet.id, "Tick a box"),)

    def act(self, *_: Any) -> Any:
        raise BadMove("No box is left.")


@pytest.fixture
def site(alice: Any, bob: Any, campaign: Any, alices: Any, bobs: Any, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Two campaigns of a game that has all that a game may have. The GM of the first plays in the second."""
    trap = PrepItemKind("trap", "Trap", "Traps", "It waits.", (Whole(name="depth", label="Depth", least=1, most=9),))
    monkeypatch.setattr(Pdq, "prep_items", (trap,))
    monkeypatch.setattr(PdqSession, "shared_pools", (PoolKind("luck", "Luck", "The group’s.", "XX-01"),))
    monkeypatch.setattr(Pdq, "sheet", Written())
    monkeypatch.setattr(Pdq, "procedures", (Lecture(), *Pdq.procedures[1:]))
    users = {"outsider": person("Olga"), "other_gm": person("Gunnar"), "removed": person("Rhea"),
             "observer": person("Otto"), "player": bob, "gm": person("Gwen"), "owner": alice}
    other = found(user=person("Wanda"), op_id=uuid.uuid4(), name="Elsewhere", system="pdq")
    theirs = join(other, users["gm"], Role.PLAYER)
    join(other, users["other_gm"], Role.GM)
    for role in ("observer", "gm"):
        join(campaign, users[role], Role(role))
    gone = join(campaign, users["removed"], Role.GM)
    here = furnished(campaign, alices, bobs)
    members.remove(campaign=campaign, actor=alices, op_id=uuid.uuid4(), member_id=gone.pk)
    browsers = {"anonymous": Client(), **{role: logged_in(user) for role, user in users.items()}}
    for browser in browsers.values():
        browser.raise_request_exception = False  # a fault is to be counted as 500
    return Site(browsers, here, furnished(other, other.members.get(role=Role.OWNER), theirs))


PICTURE = Drawn(b"RIFF as a service takes it")


def furnished(campaign: Any, owner: Any, plays: Any) -> dict[str, Any]:
    """Plays the campaign until there is something behind every kind of address, and answers what is named in them."""
    ilse = character(campaign, plays, "Ilse", [("strength", "Maps", 2)], player=plays)
    marrow = character(campaign, owner, "Old Marrow", [("strength", "Club", 1)], npc=True)
    token = new_token()

    def body(actor: Any = owner) -> dict[str, Any]:
        return {"campaign": campaign, "actor": actor, "op_id": uuid.uuid4()}

    portraits.put(**body(plays), character_id=ilse.pk, picture=PICTURE)
    written = pages.write(**body(plays), title="The dry well", words="[[Ilse]] was here", about_id=marrow.pk)
    page = pages.id_from(campaign, written.op_id)
    pages.set_picture(**body(plays), page_id=page, picture=PICTURE)
    inviting.invite(**body(), role=Role.OBSERVER, lasts=timedelta(days=1), most_uses=None, token=token)
    sharing.share(**body(plays), of="sheet", object_id=ilse.pk, token=token)
    safety.write(**body(), name="Spiders", type=BoundaryType.LINE, named=False)
    sessions.open_session(**body())
    sessions.open_scene(**body(), title="The dry well", characters=[ilse.pk, marrow.pk])
    with trail.entry(**body(), kind="due.test", title="Owed") as entry:
        allocation = entry.create(PendingAllocation(
            campaign=campaign, character=ilse, type="damage", amount=1, reason="A fall"))
        entry.create(AskedRecovery(campaign=campaign, character=ilse))
    obstacles.put(**body(), name="The wall", values={"difficulty": 9})
    asked = requests.request(**body(plays), character_id=ilse.pk, choice=requests.Intended({"difficulty": 7}))
    bank.write(**body(), type="trap", name="The pit", fields={"depth": 3})
    planned = plan.id_from(campaign, plan.write_scene(**body(), title="The cellar").op_id)
    plan.write_contest(**body(), kind="pdq.conflict", title="A brawl", said={}, plan_scene_id=planned)
    campaign.refresh_from_db()
    settings = {name: campaign.settings[name] for name in ("defence", "ties", "weapons", "killing", "ranges")}
    sides = [{"sheet": str(ilse.pk), "side": "one", "player": True}, {"sheet": str(marrow.pk), "side": "two"}]
    contests.start(
        **body(), client_seed="", kind="pdq.conflict", title="Knives", characters=[ilse.pk, marrow.pk],
        setup={**settings, "danger": "momentary", "harm": "damage", "contestants": [
            {"player": False, "surprises": False, "unaware": False, "speed": [], **side} for side in sides
        ]},
    )
    campaign.refresh_from_db()
    line = trait(ilse, "Maps")
    return {
        "member": join(campaign, person(f"Nils of {campaign.slug}"), Role.PLAYER).pk,
        "slug": campaign.slug, "token": token, "seq": campaign.head_seq, "session_id": campaign.session_id,
        "about_id": campaign.session_id, "allocation_id": allocation.pk, "character_id": ilse.pk, "page_id": page,
        "trait_id": line.pk, "object_id": line.pk, "uidb64": "MQ", "person": uuid.uuid4(),
        "digest": Portrait.objects.get(character=ilse).digest, "boundary_id": campaign.boundaries.get().pk,
        "kind": "conflict", "action": "tick", "game": "pdq", "by": ilse.pk, "name": "luck", "type": "trap",
        "thing_id": marrow.pk, "place": 0, "request_id": requests.id_from(campaign, asked.op_id),
        "plan_scene_id": planned, **{name: model.objects.get(campaign=campaign).pk for name, model in ALONE.items()},
        **a_series(campaign, owner, token),
    }


HOW = """
The route {route!r} has no row. Add one to ROWS in tests/test_every_url.py:

    "{route}": (player(200), gm(422)),

The first is what a GET gets, the second a POST with an empty body; `player` is the lowest role that may, `NO` a method
not taken, `UP` such a GET, `player(200, owner=302)` another of a role."""


@pytest.mark.parametrize("route", [name for name, _ in ROUTES])
def test_every_route_has_a_row(route: str) -> None:
    assert route in ROWS, HOW.format(route=route)


def test_no_row_is_left_of_a_route_that_is_gone() -> None:
    assert not set(ROWS) - {name for name, _ in ROUTES}, "Take these rows out of ROWS."


@pytest.mark.django_db
def test_everybody_gets_what_is_theirs(site: Site) -> None:
    wrong = []
    for route, needed in ROUTES:
        address = site.address(route, needed, site.here)
        for method, door in zip(("get", "post"), ROWS.get(route, ()), strict=False):
            for role in ROLES:
                status = got(site.ask(role, method, address))
                if status != door.expects(role):
                    wrong.append(f"{route}: {role}: a {method.upper()} gets {status}, not {door.expects(role)}")
    assert not wrong, "\n".join(["The rows in ROWS say otherwise:", *wrong])


def got(answer: Any) -> int | str:
    """The status of an answer, or "log in" where it leads to the log-in page."""
    asks = answer.status_code == 302 and answer["Location"].startswith(reverse("login") + "?next=")
    return "log in" if asks else answer.status_code


IDS = ("invitation", "member", "session_id", "about_id", "allocation_id", "character_id", "trait_id", "contest_id",
       "prepared_id", "thing_id", "evening_id", "series_id", "shared_link_id")
# A second click comes when the thing is gone already: it is told so, whatever the id is.
TOLD = {
    ("prepared_change", "post"): 422,
    ("old_recap", "get"): 301, ("old_recap", "post"): 308,  # an old address leads to the new one, which finds nothing
    # Whoever loads what was only sent is at the table again, whatever the id is.
    **{(to, "get"): 302 for to in ("act", "act_odds", "duplicate", "hide", "set_dead", "retire", "sheet_action",
                                   "call_off_contest", "undo_exchange", "undo_last", "ask_recovery", "afterword")},
}


@pytest.mark.django_db
def test_what_belongs_to_another_campaign_is_not_found(site: Site) -> None:
    """The owner of this campaign, with an id of another: as if there were no such thing."""
    before, wrong = list(Entry.objects.values_list("pk", flat=True)), []
    for route, needed in ROUTES:
        for name in set(IDS) & set(needed) if "slug" in needed else ():
            for thing in (site.elsewhere[name], uuid.uuid4()):
                address = site.address(route, needed, {**site.here, name: thing})
                for method, door in zip(("get", "post"), ROWS.get(route, ()), strict=False):
                    sent = {"op_id": str(uuid.uuid4())} if method == "post" else {}
                    status = site.ask("owner", method, address, sent, undone=False).status_code
                    wanted = 405 if door.status == 405 else 302 if door is UP else TOLD.get((route, method), 404)
                    if status != wanted:
                        wrong.append(f"{route}: a {method.upper()} with another campaign’s {name} gets {status}")
    assert not wrong, "\n".join(wrong)
    assert list(Entry.objects.values_list("pk", flat=True)) == before
