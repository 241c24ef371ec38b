"""What a POST of play may ask of the database, held against every POST that the tests of play send."""
from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test.client import ClientHandler

# Of a POST that writes one entry, whatever went before. Six of them see that what came of it can be shown: a contest
# that begins, or has changed sheets, is read as its pages will read it.
MOST = 26
OF_AN_ENTRY = 18  # more, for each further entry that it writes
OF_THESE = {  # in its place, by route, or by the act of a contest
    "undo_exchange": 40,  # an entry that takes one back: each of its changes is read with what came after
    "dismiss": 40,  # so does one by which dice are read again
    "close_session": 24,  # who was there is read, and what lasts for whom
}
ALWAYS = {"campaigns_entry", "campaigns_payload", "campaigns_change", "campaigns_campaign", "campaigns_commitment",
          "play_contest", "play_contestevent", "characters_trait", "django_session"}
WRITES = re.compile(r'^(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')


class Asked:
    """The statements of one request. What begins and ends a transaction, or tells the live streams, asks nothing."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.startswith(("SAVEPOINT", "RELEASE", "ROLLBACK")) and "pg_notify" not in sql:
            self.statements.append(sql)
        return execute(sql, params, many, context)

    def most(self, of_an_entry: int = OF_AN_ENTRY) -> int:
        """What it may ask: two more for each further table that it reads and writes, and for what is deleted."""
        written = [match[1] for statement in self.statements if (match := WRITES.match(statement))]
        gone = sum(statement.startswith("DELETE") for statement in self.statements)
        entries = written.count("campaigns_entry")
        dearer = max(0, of_an_entry - OF_AN_ENTRY)  # what is more in its first entry, too
        return MOST + dearer + of_an_entry * max(0, entries - 1) + 2 * (len(set(written) - ALWAYS) + gone)


@contextmanager
def every_post_held(monkeypatch: Any) -> Iterator[None]:
    """Fails where a POST of play that did something asks more than it may."""
    answers = ClientHandler.get_response

    def answer(self: ClientHandler, request: HttpRequest) -> HttpResponse:
        asked = Asked()
        with connection.execute_wrapper(asked):
            response: HttpResponse = answers(self, request)
        match = request.resolver_match
        if request.method == "POST" and response.status_code == 302 and match and (
            match.func.__module__.startswith("play.")
        ):
            most = asked.most(OF_THESE.get(match.kwargs.get("action", match.url_name), OF_AN_ENTRY))
            assert len(asked.statements) <= most, "\n".join([request.path, *asked.statements])
        return response

    monkeypatch.setattr(ClientHandler, "get_response", answer)
    yield
