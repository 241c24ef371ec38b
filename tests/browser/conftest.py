"""A server, and guests with browsers. The driver brings an event loop, so these tests run in a process of their own."""
from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import sampling
from tests.browser.chromium import launched_with
from tests.browser.guests import Guest, Guests
from tests.browser.serving import Server, set_up

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

SAMPLE = "sample.json"  # the sample campaign's address, and the passwords of its people
MakeGuest = Callable[..., Guest]
Sit = Callable[..., tuple[str, Page, Page]]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, **launched_with()}


def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site before the first test: migrated, with static files and the sample. The first process makes it."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "site"
    with folder.with_suffix(".lock").open("w") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        if not (folder / SAMPLE).exists():
            folder.mkdir()
            (folder / SAMPLE).write_text(json.dumps(sampling.make(set_up(folder))))
    return folder


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The site, with the sample campaign in it; the tests of this folder share it, each process has its own."""
    folder = tmp_path_factory.mktemp("served")
    shutil.copytree(laid_out(tmp_path_factory), folder, dirs_exist_ok=True)
    made = Server(folder)
    address, passwords = json.loads((folder / SAMPLE).read_text())
    made.sample = address, passwords
    made.start()
    yield made
    made.stop()
    said = made.log.read_text()
    assert "Internal Server Error" not in said, said


@pytest.fixture(scope="session")
def sample(browser: Browser, server: Server) -> sampling.Sample:
    """The sample campaign, its GM logged in, a conflict begun."""
    return sampling.sit_down(browser, server, *server.sample)


@pytest.fixture(scope="session")
def guests(browser: Browser, server: Server) -> Guests:
    """All who come to this process's site."""
    return Guests(browser, server.url)


@pytest.fixture
def own_browsers(guests: Guests) -> Iterator[None]:
    """Where scripts or another clock are put into browsers: they were nobody's before, and are nobody's after."""
    guests.share = False
    yield
    guests.share = True


@pytest.fixture
def guest(guests: Guests) -> Iterator[MakeGuest]:
    """Lets somebody in: `guest("phone")`. At the end nothing may have gone wrong in any of their browsers."""
    here: list[Guest] = []

    def come_in(screen: str = "desk", **more: Any) -> Guest:
        here.append(guests.enter(screen, **more))
        return here[-1]

    yield come_in
    faults = [fault for guest in here for fault in guest.faults]
    for guest in here:
        guests.leave(guest)
    assert not faults


@pytest.fixture
def desk(guest: MakeGuest) -> Guest:
    """Somebody at a desk, 1280 pixels wide."""
    return guest("desk")


@pytest.fixture
def phone(guest: MakeGuest) -> Guest:
    """Somebody with a phone, 390 pixels wide."""
    return guest("phone")


@pytest.fixture
def sit(server: Server, guest: MakeGuest) -> Sit:
    """Lays a scene of a game, with Bob's Ilse and the NPC Old Marrow, and lets two in who are logged in already.

    `sit("pdq")` answers the campaign's address, Alice's page at a desk, and Bob's on a phone.
    """
    def lets_in(
        system: str, of_bob: str = "phone", of_alice: str = "desk", **sheets: Sequence[tuple[str, str, int]]
    ) -> tuple[str, Page, Page]:
        laid = server.lay("scene", system, *(sheets.get(slug, ()) for slug in ("ilse", "marrow")))
        alice, bob = (logged_in(guest(screen), server, laid["cookies"][name])
                      for name, screen in (("Alice", of_alice), ("Bob", of_bob)))
        return f"{server.url}{laid['address']}", alice, bob

    return lets_in


def logged_in(one: Guest, server: Server, session: str) -> Page:
    """Somebody's page, with a session that was laid."""
    one.context.add_cookies([{"name": "sessionid", "value": session, "url": server.url}])
    return one.page
