"""The door before the pages, without a network: what is read, who has to go, who gets a thread."""
from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from config import limits
from config.limits import FORM, MAIL, PASSWORD, PORTRAIT, READ, kind_of
from config.pages import Pages, environ_of
from config.visits import TooMany, Visits


class Client:
    """One request, sent by hand: `parts` of the body at once, then nothing more, or the end."""

    def __init__(
        self, path: str = "/", method: str = "POST", *, parts: tuple[bytes, ...] = (), ends: bool = True,
        length: int | None = None, address: str = "192.0.2.1", headers: tuple[tuple[bytes, bytes], ...] = (),
    ) -> None:
        announced = (b"transfer-encoding", b"chunked")
        if length is not None:
            announced = (b"content-length", str(length).encode())
        self.scope: dict[str, Any] = {
            "type": "http", "method": method, "path": path, "query_string": b"", "http_version": "1.1",
            "headers": [*headers, *([announced] if method == "POST" else [])], "client": (address, 1), "state": {},
        }
        self.sent: list[Any] = []
        self._parts = [*parts]
        self._ends = ends

    async def receive(self) -> dict[str, Any]:
        if self._parts:
            part = self._parts.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(self._parts) or not self._ends}
        if self._ends:
            return {"type": "http.disconnect"}
        await asyncio.Event().wait()
        raise AssertionError

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int:
        return self.sent[0]["status"] if self.sent else 0

    @property
    def text(self) -> str:
        return b"".join(each.get("body", b"") for each in self.sent).decode()


def site(work: Callable[[dict[str, Any]], bytes] = lambda environ: environ["wsgi.input"].read()) -> Pages:
    """Pages around an application that answers what `work` does."""
    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain"), ("Set-Cookie", " a=b")])
        return [work(environ)]
    return Pages(application)


def play(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(story, 20))


async def serve(pages: Pages, client: Client) -> Client:
    await pages(client.scope, client.receive, client.send)
    return client


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.pages.LINGER", 0.01)


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
        tasks = [asyncio.create_task(serve(pages, each)) for each in (other, *waiting)]
        await asyncio.sleep(0.05)
        assert [each.status for each in waiting] == [503] * 5 + [0] * 10
        assert other.status == 0  # somebody else's is left alone
        assert (await serve(pages, Client(method="GET"))).text == "here"
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    play(story())


def test_a_client_that_goes_in_the_middle_costs_nothing() -> None:
    async def story() -> None:
        pages = site(lambda environ: pytest.fail("the application was asked"))
        client = Client("/log-in/", parts=(b"ab",), ends=False)
        client._ends = True
        client._parts = [b"ab", b"cd"]
        original = client.receive

        async def receive() -> dict[str, Any]:
            return {"type": "http.disconnect"} if len(client._parts) == 1 else await original()

        await pages(client.scope, receive, client.send)
        assert not client.sent
        assert pages.visits.held == 0
    play(story())


def test_passwords_have_one_thread_and_other_pages_go_on() -> None:
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
        assert not any(each.done() for each in guesses)
        go.set()
        assert {(await each).status for each in guesses} == {200}
        assert most == [1]
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
        for each in asleep:
            each.scope["state"] = {"connection": Connection()}
        tasks = [asyncio.create_task(serve(pages, each)) for each in asleep]
        while not all(len(each.sent) == 3 for each in asleep):
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
