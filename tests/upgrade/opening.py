"""Opens a database that an earlier version wrote, in a process of its own: `python -m tests.upgrade.opening`.

`DATABASE_URL` names a copy that may be changed. Prints a JSON object with what was gone through, and what was wrong.
"""
from __future__ import annotations

import itertools
import json
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import django

from tests.effort import LONG, tries

MOST = tries(1, 40)  # addresses of a route, spread over all that there are
OF_EACH = ("home",)  # names no campaign, and shows each of them
OWN = {"slug", "contest_id", "seq"}  # a page that names no more shows what no other campaign has


def routes(resolver: Any = None, names: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every route that has a name, with what stands in its address."""
    from django.urls import URLResolver, get_resolver

    for url_pattern in (resolver or get_resolver()).url_patterns:
        inner = (*names, *url_pattern.pattern.converters)
        if isinstance(url_pattern, URLResolver):
            yield from routes(url_pattern, inner)
        elif url_pattern.name:
            yield url_pattern.name, inner


def things(campaign: Any) -> dict[str, list[Any]]:
    """All that a campaign has, by the name that addresses give it."""
    from campaigns.trail.tracked import TRACKED

    def ids(name: str) -> list[Any]:
        return list(TRACKED[name].rows(campaign.pk).order_by("pk").values_list("pk", flat=True))

    rules = campaign.rules
    return {
        **{f"{name}_id": ids(name) for name in TRACKED},  # what a route calls by its name in the trail
        "slug": [campaign.slug], "seq": list(range(1, campaign.head_seq + 1)), "session_id": ids("session"),
        "allocation_id": ids("due"), "character_id": ids("character"), "trait_id": ids("trait"),
        "object_id": [*ids("trait"), *ids("pool")], "contest_id": ids("contest"), "prepared_id": ids("prepared"),
        "obstacle_id": ids("obstacle"), "request_id": ids("asked_roll"), "page_id": ids("page"), "place": [0],
        "line_id": ids("plan_line"), "about_id": [*ids("session"), *ids("scene")],
        "thing_id": [*ids("prepared"), *ids("character")],
        "member": ids("member"), "invitation": ids("invitation"),
        "kind": [procedure.slug for procedure in rules.procedures],
        "type": [item.name for item in rules.prep_items], "name": [pool.name for pool in rules.session.shared_pools],
        "action": ["end", "roll"], "by": ["gm", *ids("character")], "token": ["a-token"], "uidb64": ["MQ"],
        "game": [campaign.system], "person": ids("member"), "upload": ids("member"),
        "series_id": ids("date_series"), "evening_id": ids("date"),
        "digest": list(TRACKED["portrait"].rows(campaign.pk).values_list("digest", flat=True)),
    }


def belonging() -> Callable[[dict[str, Any]], bool]:
    """Whether a line or a pool that an address names is its character's."""
    from characters.models import Pool, Trait

    whose = dict(Trait.objects.values_list("pk", "character_id")) | dict(Pool.objects.values_list("pk", "character_id"))

    def belongs(named: dict[str, Any]) -> bool:
        part = named.get("trait_id") or named.get("object_id")
        return part is None or "character_id" not in named or whose[part] == named["character_id"]

    return belongs


def addresses(campaign: Any, *, of_the_site: bool = True) -> Iterator[tuple[str, str]]:
    """Every address that the campaign has, with the name of its route; and those that are `of_the_site` alone."""
    from django.urls import reverse

    have, belongs = things(campaign), belonging()
    for route, needed in routes():
        if route == "logout" or not (of_the_site or "slug" in needed or route in OF_EACH):
            continue
        missing = [name for name in needed if name not in have]
        if missing:
            raise LookupError(f"The route {route} names {missing}: say in `things` what there is of it.")
        products = itertools.product(*(have[name] for name in needed))
        chosen_from = [dict(zip(needed, values, strict=True)) for values in products]
        chosen_from = [needs for needs in chosen_from if belongs(needs)]
        step = max(1, -(-len(chosen_from) // MOST))
        for chosen in chosen_from[::step]:
            yield route, reverse(route, kwargs=chosen)


Seen = set[tuple[str, str, str]]  # a game, a route, and a role as which it was opened


def opened(campaign: Any, seen: Seen, *, of_the_site: bool) -> tuple[int, list[str]]:
    """Opens as the owner the campaign's `OWN` pages, and besides, as the owner and as a member of another role, which
    follows from the page's name, those that the role has not `seen` in this game; in a long run every page as every
    member. Answers how many, and those that failed.

    `of_the_site`: those that name no campaign, too.
    """
    from django.test import Client

    from campaigns.models import Role

    members = list(campaign.members.select_related("user").order_by("joined"))
    of_each_role = list({member.role: member for member in members}.values())
    pages = list(addresses(campaign, of_the_site=of_the_site))
    own = {route for route, named in routes() if "slug" in named and OWN.issuperset(named)}
    count, wrong = 0, []
    for member in members if LONG else of_each_role:
        browser = Client(raise_request_exception=False)
        browser.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
        for route, address in pages:
            other = of_each_role[crc32(route.encode()) % len(of_each_role)]
            if not LONG and member.role not in (Role.OWNER, other.role):
                continue
            to_the_owner = member.role == Role.OWNER and route in {*own, *OF_EACH}
            if (campaign.system, route, member.role) in seen and not (LONG or to_the_owner):
                continue
            seen.add((campaign.system, route, member.role))
            answer = browser.get(address)
            if answer.streaming:
                b"".join(answer.streaming_content)
            count += 1
            if answer.status_code >= 500:
                wrong.append(f"{route} {address} as {member.role}: {answer.status_code}")
    return count, wrong


def checked(campaign: Any, rules: Any, *, exports: bool = True) -> Iterator[str]:
    """What is wrong with the chain, the tables, and the `exports` of its members."""
    import verify
    from campaigns.access import Viewer
    from campaigns.trail.export import export
    from campaigns.trail.rebuild import differences
    from campaigns.trail.verifying import Progress, check

    progress = Progress()
    while not progress.over:
        progress = check(campaign, progress)
    if progress.fault:
        yield f"{campaign.slug}: {progress.fault}"
    yield from (f"{campaign.slug}: {difference}" for difference in differences(campaign.pk))
    for member in campaign.members.all() if exports else ():
        lines = [line.encode() for line in export(Viewer(campaign, member))]
        try:
            report = verify.verify(lines, rules=rules)
        except verify.Broken as broken:
            yield f"{campaign.slug}, the export of {member.role}: {broken}"
        else:
            if report.entries != campaign.head_seq or report.rolls + report.sealed_rolls != progress.rolls:
                yield f"{campaign.slug}, the export of {member.role}: entries or rolls are missing"


def got_out(campaign: Any) -> Iterator[str]:
    """What goes on, where its rules fail: the GM gets out of each contest with one button on its page."""
    from unittest.mock import patch

    from django.test import Client
    from django.urls import reverse

    from campaigns.models import Role
    from play.models import Contest
    from tests.play.pressing import press

    browser = Client(raise_request_exception=False)
    browser.force_login(campaign.members.get(role=Role.OWNER).user,
                        backend="django.contrib.auth.backends.ModelBackend")
    for contest in Contest.objects.filter(campaign=campaign, over=False):
        rules = next(procedure for procedure in campaign.rules.procedures if procedure.name == contest.kind)
        page = reverse("contest", args=[campaign.slug, contest.pk])
        with patch.object(type(rules), "offers", side_effect=ZeroDivisionError):
            for address in (reverse("home"), reverse("table", args=[campaign.slug]), page):
                if browser.get(address).status_code != 200:
                    yield f"{address} is down with {contest.kind}"
            press(browser, browser.get(page).content.decode(), "Undo the last entry")
            as_it_was = Contest.objects.filter(pk=contest.pk, events=contest.events, over=False)
            if as_it_was.exists():  # later entries stand on it
                press(browser, browser.get(page).content.decode(), "Call off the contest")
        if as_it_was.exists():
            yield f"{campaign.slug}: nobody gets out of {contest.kind}"


def played_on(campaign: Any) -> None:
    """Everybody who may rolls, and what they wrote can be undone.

    An earlier version had one list of secrets for all: the first roll is sent again, when everybody's own is laid out.
    """
    from campaigns import trail
    from campaigns.models import Role
    from campaigns.services.undoing import undo
    from campaigns.trail.dice import NotLaidOut
    from campaigns.trail.models import Commitment

    def roll(member: Any) -> Any:
        with trail.entry(
            campaign=campaign, actor=member, op_id=uuid.uuid4(), kind="test.roll", title="Another roll"
        ) as entry:
            entry.roll([6, 6], "5a" * 32)
        return entry.written

    players = [member for member in campaign.members.order_by("joined") if member.may(Role.PLAYER)]
    if not Commitment.objects.filter(campaign=campaign).exclude(owner=None).exists():
        try:
            roll(players[0])
            raise AssertionError("The dice of the earlier form were used.")
        except NotLaidOut:
            pass
    written = [roll(member) for member in players]
    undo(campaign=campaign, actor=campaign.members.get(role=Role.OWNER), op_id=uuid.uuid4(), seq=written[-1].seq)
    campaign.refresh_from_db()


def younger(campaign: Any) -> None:
    """Fields that came after a row was made are changed, one of each in each table; and such a row is removed."""
    from campaigns import trail
    from campaigns.models import Change, Role
    from campaigns.trail.tracked import TRACKED

    by = campaign.members.get(role=Role.OWNER)
    with trail.entry(campaign=campaign, actor=by, op_id=uuid.uuid4(), kind="test.younger", title="Since") as entry:
        for name, kind in TRACKED.items():
            for row in kind.rows(campaign.pk).order_by("pk")[:1]:
                marks = Change.objects.filter(campaign=campaign, object_id=row.pk).exclude(field="")
                named = set(marks.values_list("field", flat=True))
                since = [field for field in kind.fields if field not in named and kind.stored_name(field) not in named]
                for field in since:
                    value = getattr(row, field)
                    if isinstance(value, bool):
                        entry.change(row, **{field: not value})
                    elif isinstance(value, int):
                        entry.change(row, **{field: value + 1})
                    elif value == "" and name == "character":
                        entry.change(row, **{field: "Since"})
        lines = TRACKED["trait"].rows(campaign.pk).filter(children=None).order_by("-pk")
        entry.remove(*lines[:1])
    campaign.refresh_from_db()


def carried(campaign: Any) -> str:
    """Writes the campaign's file beside the database; answers its owner's name."""
    from django.conf import settings

    from campaigns.carrying.writing import file_of
    from campaigns.models import Role

    folder = Path(settings.DATABASES["default"]["NAME"]).parent
    (folder / f"{campaign.slug}.campaign.gz").write_bytes(b"".join(file_of(campaign)))
    return str(campaign.members.get(role=Role.OWNER).user.username)


def main(say: Callable[[str], object]) -> None:
    """Goes through all campaigns: the check, every page, some play, the check again."""
    django.setup()
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    import verify
    from campaigns.models import Campaign
    from campaigns.search import VERSION

    call_command("migrate", verbosity=0)
    setup_test_environment()
    rules = verify.house_rules(Path(verify.__file__).parent)
    counted: dict[str, Any] = {"campaigns": {}, "owners": {}, "pages": 0, "wrong": []}
    seen: Seen = set()
    for campaign in Campaign.objects.order_by("slug"):
        counted["campaigns"][campaign.slug] = campaign.head_seq
        if campaign.search_version != VERSION:
            counted["wrong"].append(f"{campaign.slug} is not in the search")
        counted["wrong"] += checked(campaign, rules, exports=LONG)  # they hold all that is exported later
        counted["owners"][campaign.slug] = carried(campaign)
        # What names no campaign is opened once for each role, in a long run by the members of each campaign.
        pages, wrong = opened(campaign, seen, of_the_site=LONG or not counted["pages"])
        counted["pages"] += pages
        counted["wrong"] += wrong
        counted["wrong"] += got_out(campaign)
        campaign.refresh_from_db()
        played_on(campaign)
        younger(campaign)
        counted["wrong"] += checked(campaign, rules)
    say(json.dumps(counted))


if __name__ == "__main__":
    main(sys.stdout.write)
