"""The real server against clients that are slow, huge, or many."""
from __future__ import annotations

import itertools
import select
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.databases import OwnDatabase
from tests.gate import seldom
from tests.live.serving import Server

pytestmark = pytest.mark.processes


@pytest.fixture
def server(real_database: OwnDatabase, tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "spool").mkdir()
    made = Server(
        real_database, TMPDIR=str(tmp_path / "spool"), DJANGO_SETTINGS_MODULE="tests.live.settings",
        CONNECTIONS_PER_ADDRESS="30",
    )
    try:
        made.start()
        yield made
    finally:
        made.kill()


def quick(server: Server, path: str = "/log-in/", **headers: str) -> bool:
    """Whether a page comes, four times, each within half a second."""
    server.get(path, **headers)
    answers = [server.get(path, **headers) for _ in range(4)]
    return all(status == 200 and seconds < 0.5 for status, seconds in answers)


def test_a_hundred_half_open_connections_hold_up_no_page(server: Server) -> None:
    bodies = [server.half("/log-in/") for _ in range(100)]
    heads = [socket.create_connection(("127.0.0.1", server.port), timeout=20) for _ in range(100)]
    for head in heads:
        head.sendall(b"GET / HTTP/1.1\r\nHost: loc")
    assert quick(server)
    for body in (*bodies, *heads):
        body.close()


def test_300_mb_to_the_log_in_page_never_reach_the_disk(server: Server, tmp_path: Path) -> None:
    spool = tmp_path / "spool"
    announced = server.half("/log-in/", 300_000_000)
    assert announced.recv(12) == b"HTTP/1.1 413"
    most_on_disk = 0
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as chunked:
        chunked.sendall(b"POST /log-in/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
                        b"Content-Type: multipart/form-data; boundary=x\r\n\r\n")
        opening = b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
        chunked.sendall(b"%x\r\n%b\r\n" % (len(opening), opening))
        for _ in range(300):
            chunked.sendall(b"%x\r\n%b\r\n" % (1_000_000, b"x" * 1_000_000))
            most_on_disk = max([most_on_disk, *(path.stat().st_size for path in spool.iterdir())])
            if select.select([chunked], [], [], 0)[0]:  # it answers while it is sent to
                break
        assert chunked.recv(12) == b"HTTP/1.1 413"
    assert most_on_disk == 0
    assert quick(server)


def test_what_is_too_large_says_so(server: Server) -> None:
    answer = server.ask("POST", "/log-in/", body=b"x" * 100_000)
    assert (answer.status, answer.text) == (413, "This page takes at most 64 KB. Go back and send less.\n")
    assert answer.headers["Connection"] == "close"


def test_slow_readers_hold_no_thread(server: Server) -> None:
    readers = []
    for _ in range(8):
        reader = socket.socket()
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        reader.connect(("127.0.0.1", server.port))
        reader.sendall(b"GET /large/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert reader.recv(12) == b"HTTP/1.1 200"
        readers.append(reader)
    assert quick(server)
    for reader in readers[1:]:
        reader.close()
    rest = 0
    while got := readers[0].recv(1_000_000):
        rest += len(got)
    assert rest > 20_000_000  # and it is all there when one reads on
    readers[0].close()


def test_connections_of_one_address_are_bounded(real_database: OwnDatabase) -> None:
    server = Server(real_database, "--no-proxy-headers", CONNECTIONS_PER_ADDRESS="30")
    try:
        server.start()
        opened = [socket.create_connection(("127.0.0.1", server.port), timeout=20) for _ in range(100)]
        assert server.get("/log-in/")[0] == 200  # the newest is let in
        closed = sum(_is_closed(reader) for reader in opened)
        assert closed >= 70
        for reader in opened:
            reader.close()
    finally:
        server.kill()


class LogInPage:
    """The page as it was fetched once, and what is posted from it."""

    def __init__(self, server: Server) -> None:
        self._server = server
        page = server.ask("GET", "/log-in/")
        self._cookie = page.headers["Set-Cookie"].partition(";")[0]
        self._token = page.text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]

    def post(self, address: str, password: str = "wrong", cookie: str = "") -> Any:
        body = f"csrfmiddlewaretoken={self._token}&username=Alice&password={password}"
        return self._server.ask("POST", "/log-in/", body, {
            "Cookie": f"{self._cookie}; {cookie}", "Content-Type": "application/x-www-form-urlencoded",
            "X-Forwarded-For": address,
        })


@seldom
def test_eight_clients_that_guess_hold_up_no_page(server: Server) -> None:
    page = LogInPage(server)
    with ThreadPoolExecutor(8) as clients:
        guesses = [clients.submit(page.post, f"192.0.2.{number}") for number in range(8)]
        assert quick(server)
        assert not all(guess.done() for guess in guesses)  # or nothing was tested
        assert {guess.result().status for guess in guesses} == {422}


def test_48_who_guess_keep_nobody_out(real_database: OwnDatabase) -> None:
    """Each guess comes from another /48; three people come to a device of theirs, three to one that is new."""
    real_database.python("from tests.conftest import person; person('Alice')")
    server = Server(real_database, DJANGO_SETTINGS_MODULE="tests.live.settings", HASH_SECONDS="0.05")
    stop, prefixes, refused = threading.Event(), itertools.count(1), []
    try:
        server.start()
        page = LogInPage(server)
        known = [
            cookie.partition(";")[0] for number in range(3)
            for cookie in page.post(f"192.0.2.{number}", "a+long+password").headers.get_all("Set-Cookie")
            if cookie.startswith("device=")
        ]

        def guess() -> None:
            while not stop.is_set():
                status = page.post(f"2001:db8:{next(prefixes):x}::1").status
                if status == 503:
                    refused.append(status)

        def log_in(number: int, cookie: str) -> tuple[int, float]:
            begun = time.monotonic()
            answer = page.post(f"198.51.{number}.1", "a+long+password", cookie)
            return answer.status, time.monotonic() - begun

        with ThreadPoolExecutor(54) as clients:
            for _ in range(48):
                clients.submit(guess)
            time.sleep(0.5)
            log_ins = [clients.submit(log_in, number, cookie) for number, cookie in enumerate([*known, "", "", ""])]
            try:
                answers = [future.result() for future in log_ins]
            finally:
                stop.set()
        assert not refused
        assert [status for status, _ in answers] == [302] * 6
        at_known, at_new = ([seconds for _, seconds in some] for some in (answers[:3], answers[3:]))
        assert max(at_known) < min(at_new)
    finally:
        server.kill()


def test_a_length_that_is_said_twice_ends_the_connection(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as twofold:
        twofold.sendall(
            b"POST /log-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"0\r\n\r\nGET /log-in/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        answers = b"".join(iter(lambda: twofold.recv(65536), b""))
    assert answers.startswith(b"HTTP/1.1 400")
    assert answers.count(b"HTTP/1.1") == 1


def _is_closed(connection: socket.socket) -> bool:
    connection.settimeout(0.01)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True
