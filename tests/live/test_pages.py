"""The door before the pages, without a network: what is read, who has to go, who gets a thread."""
from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse

from accounts.devices import COOKIE, remember
from accounts.models import User
from config import limits
from config.limits import FORM, MAIL, PASSWORD, PORTRAIT, READ, kind_of
from config.pages import Pages, environ_of
from config.visits import TooMany, Visits
from tests.live.client import Client, play, serve


def site(work: Callable[[dict[str, Any]], bytes] = lambda environ: environ["wsgi.input"].read()) -> Pages:
    """Pages around an application that answers what `work` does."""
    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain"), ("Set-Cookie", " a=b")])
        return [work(environ)]
    return Pages(application)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.refusals.LINGER", 0.01)


@pytest.mark.parametrize(("method", "path", "kind"), [
    ("GET", "/log-in/", READ), ("HEAD", "/account/", READ), ("POST", "/log-in/", PASSWORD),
    ("POST", "/sign-up/", PASSWORD),
    ("POST", "/account/", PASSWORD), ("POST", "/account/password/", PASSWORD), ("POST", "/account/delete/", PASSWORD),
    ("POST", "/password/", MAIL), ("POST", "/password/MQ/set-password/", PASSWORD), ("POST", "/log-out/", FORM),
    ("POST", "/c/x/characters/1-2/portrait/", PORTRAIT), ("POST", "/c/x/characters/1-2/edit/", FORM),
    ("POST", "/c/x/notes/1-2/picture/", PORTRAIT), ("POST", "/c/x/prepare/things/1-2/picture/", PORTRAIT),
    ("DELETE", "/", READ),
])
def test_each_kind_of_page_has_its_limits(method: str, path: str, kind: limits.Kind) -> None:
    assert kind_of(method, path) is kind


def test_a_body_comes_through_whole() -> None:
    async def story() -> None:
        pages = site()
        client = await serve(pages, Client(parts=(b"ab", b"", b"cd")))
        assert (client.status, client.text) == (200, "abcd")
        assert (b"set-cookie", b"a=b") in client.sent[0]["headers"]
        assert (b"content-length", b"4") in client.sent[0]["headers"]
        assert pages.visits.held == 0
    play(story())


@pytest.mark.parametrize("client", [
    lambda: Client("/log-in/", length=65537), lambda: Client("/log-in/", length=300_000_000, ends=False),
    lambda: Client("/log-in/", parts=(b"x" * 40_000, b"x" * 40_000), ends=False),
])
def test_too_much_is_refused_before_the_application_sees_it(client: Callable[[], Client]) -> None:
    async def story() -> None:
        pages = site(lambda environ: pytest.fail("the application was asked"))
        refused = await serve(pages, client())
        assert refused.status == 413
        assert refused.text.startswith("This page takes at most 64 KB.")
        assert (b"connection", b"close") in refused.sent[0]["headers"]
        assert pages.visits.held == 0
    play(story())


def test_what_comes_too_slowly_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = limits.Kind("read", 100, 0.05, 1, 1)
    monkeypatch.setattr("config.pages.kind_of", lambda method, path: slow)

    async def story() -> None:
        client = await serve(site(), Client(parts=(b"ab",), ends=False))
        assert (client.status, client.text) == (408, "This took too long to arrive. Send it again.\n")
    play(story())


def test_half_sent_bodies_take_no_thread_and_the_oldest_of_the_crowd_has_to_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_VISITS_EACH", 10)

    async def story() -> None:
        pages = site(lambda environ: b"here")
        waiting = [Client("/log-in/", parts=(b"ab",), ends=False) for _ in range(15)]
        other = Client("/log-in/", parts=(b"ab",), ends=False, address="192.0.2.9")
        tasks = [asyncio.create_task(serve(pages, client)) for client in (other, *waiting)]
        await asyncio.sleep(0.05)
        assert [client.status for client in waiting] == [503] * 5 + [0] * 10
        assert other.status == 0  # somebody else's is left alone
        assert (await serve(pages, Client(method="GET"))).text == "here"
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    play(story())


def test_a_client_that_goes_in_the_middle_costs_nothing() -> None:
    async def story() -> None:
        pages = site(lambda environ: pytest.fail("the application was asked"))
        client = Client("/log-in/", parts=(b"ab",), ends=False)
        client.went.set()
        await serve(pages, client)
        assert not client.sent
        assert pages.visits.held == 0
    play(story())


def test_passwords_have_two_threads_and_other_pages_go_on() -> None:
    inside, most, go = [0], [0], threading.Event()

    def work(environ: dict[str, Any]) -> bytes:
        if environ["PATH_INFO"] == "/log-in/":
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            go.wait(10)
            inside[0] -= 1
        return b"done"

    async def story() -> None:
        pages = site(work)
        guesses = [asyncio.create_task(serve(pages, Client("/log-in/", length=0))) for _ in range(8)]
        await asyncio.sleep(0.05)
        assert (await serve(pages, Client(method="GET"))).text == "done"
        assert (await serve(pages, Client("/c/x/rolls/", length=0))).text == "done"
        assert not any(guess.done() for guess in guesses)
        go.set()
        assert {(await guess).status for guess in guesses} == {200}
        assert most == [2]
    play(story())


def test_a_queue_that_is_too_long_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()
    monkeypatch.setattr(limits, "MOST_VISITS_EACH", 1000)

    async def story() -> None:
        pages = site(lambda environ: str(go.wait(10)).encode())
        most = PASSWORD.threads + PASSWORD.waiting
        guesses = [asyncio.create_task(serve(pages, Client("/log-in/", length=0))) for _ in range(most)]
        await asyncio.sleep(0.05)
        assert (await serve(pages, Client("/log-in/", length=0))).status == 503
        go.set()
        await asyncio.gather(*guesses)
    play(story())


def test_who_went_while_waiting_costs_no_thread() -> None:
    go, done = threading.Event(), []

    def work(environ: dict[str, Any]) -> bytes:
        go.wait(10)
        done.append(environ["HTTP_X_NUMBER"])
        return b""

    async def story() -> None:
        pages = site(work)
        clients = [Client("/log-in/", length=0, headers=((b"x-number", b"%d" % number),)) for number in range(6)]
        tasks = [asyncio.create_task(serve(pages, client)) for client in clients]
        await asyncio.sleep(0.05)
        clients[3].went.set()
        tasks[4].cancel()
        await asyncio.sleep(0.05)
        assert tasks[3].done()
        go.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert sorted(done) == ["0", "1", "2", "5"]
        assert not clients[3].sent
        assert (await serve(pages, Client("/log-in/", length=0, headers=((b"x-number", b"9"),)))).status == 200
    play(story())


def test_who_comes_newly_and_who_is_known_wait_behind_no_flood() -> None:
    """A flood of one address, ten others who wait, somebody new, and Alice at her own device, who came last."""
    go, done = threading.Event(), []
    cookies = alices_device()

    def work(environ: dict[str, Any]) -> bytes:
        go.wait(10)
        done.append(environ["HTTP_X_NAME"])
        return b""

    async def story() -> None:
        pages = site(work)
        names = [b"flood"] * 20 + [b"other"] * 10 + [b"new", b"alice"]
        addresses = ["192.0.2.1"] * 20 + [f"198.18.{number}.1"
                                          for number in range(10)] + ["198.51.100.1", "203.0.113.1"]
        tasks = [asyncio.create_task(serve(pages, Client(
            "/log-in/", length=0, address=address,
            headers=((b"x-name", name), (b"cookie", cookies if name == b"alice" else b"device=made-up")),
        ))) for name, address in zip(names, addresses, strict=True)]
        await asyncio.sleep(0.05)
        go.set()
        await asyncio.gather(*tasks)
        assert done.index("alice") <= 4  # two were inside, and two threads end in either order
        assert done.index("new") <= 16
    play(story())


def alices_device() -> bytes:
    """The cookie of a device that Alice logged in on."""
    answer = remember(HttpResponse(), User(username="Alice"))
    return f"{COOKIE}={answer.cookies[COOKIE].value}".encode()


def test_a_length_that_is_said_twice_is_refused_and_the_connection_closed() -> None:
    async def story() -> None:
        pages = site(lambda environ: pytest.fail("the application was asked"))
        client = Client("/log-in/", parts=(b"ab",), length=2, headers=((b"transfer-encoding", b"chunked"),))
        refused = await serve(pages, client)
        assert refused.status == 400
        assert refused.text == "This request says its length in two ways. Send it with one of them.\n"
        assert (b"connection", b"close") in refused.sent[0]["headers"]
    play(story())


def test_a_reader_that_stops_is_cut_off_and_held_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SEND_SECONDS", 0.05)

    async def story() -> None:
        pages = site(lambda environ: b"x" * 1_000_000)
        cut: list[bool] = []

        class Connection:
            def abort(self) -> None:
                cut.append(True)

        class Asleep(Client):
            async def send(self, message: Any) -> None:
                await super().send(message)
                if len(self.sent) == 3:
                    await asyncio.Event().wait()

        asleep = [Asleep(method="GET") for _ in range(8)]  # twice as many as there are threads
        for sleeper in asleep:
            sleeper.scope["state"] = {"connection": Connection()}
        tasks = [asyncio.create_task(serve(pages, asleep)) for asleep in asleep]
        while not all(len(asleep.sent) == 3 for asleep in asleep):
            await asyncio.sleep(0.01)
        await asyncio.gather(*tasks)
        assert cut == [True] * 8
    play(story())


def test_bodies_together_are_bounded_by_whoever_holds_most() -> None:
    async def story() -> None:
        visits = Visits(most=100, most_each=100, most_bytes=100)
        with visits.visit("big") as big, visits.visit("small") as small:
            async with small.waiting(10):
                visits.hold(small, 30)
                with pytest.raises(TimeoutError):
                    async with big.waiting(10):
                        visits.hold(big, 60)
                        visits.hold(small, 20)
                        await asyncio.sleep(5)
                assert big.pushed_out
                assert not small.pushed_out
            with pytest.raises(TooMany):
                visits.hold(small, 1)
        assert visits.held == 0
    play(story())


def test_what_a_proxy_says_is_not_said_by_a_client_with_an_underscore() -> None:
    scope = Client(headers=(
        (b"x_forwarded_proto", b"https"), (b"x-forwarded-proto", b"http"), (b"cookie", b"a=1"), (b"cookie", b"b=2"),
        (b"accept", b"x"), (b"accept", b"y"), (b"content-type", b"text/plain"), (b"host", b"a.example"),
    ), length=9).scope
    environ = environ_of({**scope, "path": "/ä/", "query_string": b"q=%C3%A4"}, b"four")
    assert environ["HTTP_X_FORWARDED_PROTO"] == "http"
    assert (environ["HTTP_COOKIE"], environ["HTTP_ACCEPT"]) == ("a=1; b=2", "x,y")
    assert (environ["CONTENT_TYPE"], environ["CONTENT_LENGTH"]) == ("text/plain", "4")
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/ä/"
    assert "HTTP_CONTENT_LENGTH" not in environ
