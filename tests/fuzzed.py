"""Requests by people who mean no well: over all routes, with forms filled at random, or with what hurts.

A `Fuzzer` sends them to a furnished site (`tests/test_every_url.py`) as four people, and gathers in `faults` what an
answer must not be or hold. Some requests stand on one another, then all of them are undone.
"""
from __future__ import annotations

import copy
import traceback
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction

from accounts.models import User
from campaigns.models import Campaign, Commitment
from campaigns.trail.rebuild import differences
from campaigns.trail.verifying import whole
from tests.campaigns.hostile import saved
from tests.html_forms import Form, Page
from tests.test_every_url import ROUTES, Site

SEQUENCE = 25  # requests that stand on one another
PEOPLE = ("owner", "player", "outsider", "anonymous")
TOGETHER = ("owner", "owner", "owner", "player", "player", "outsider", "anonymous")  # how often who asks
UNTRUSTED = ("player", "player", "player", "outsider", "anonymous")
HTML = "text/html"
# A visitor's table needs files that no test has made, and says so.
AWAY = {("try_table", 503)}
TEXTS = (
    "", " ", "\0", "a\0b", "\ud7ff\uffff", "e\u0301\u202e\u2066", "Ａ" * 300, "x" * 5000, "🗡" * 1200, "\r\n\r\n", "-1",
    "0", "1e400", "9" * 40, "-99999999999999999999", "2147483648", "٣", "1.5", "NaN", "None", "true", "[]", "{}",
    "[" * 3000, '{"v": 1}', '{"a": ' * 1500, "<script>alert(1)</script>", "{{ settings.SECRET_KEY }}", "{% debug %}",
    "%s%n%(x)s", "${7*7}", "' OR 1=1 --", '"; DROP TABLE campaigns_entry; --', "../../../../etc/passwd", "file:///etc/passwd",
    "//evil.example", "javascript:alert(1)", "9999-99-99", "0001-01-01", "0001-01-01T00:00", "9999-12-31T23:59",
    "2026-02-30", "25:61", "Europe/../UTC", "[[Ilse]]", "[[" * 500, "* " * 2000, "[a](javascript:b)" * 200, "6 6 6 6",
    "0 7 -1 99999", "=1+1", "00000000-0000-0000-0000-000000000000", "a" * 64, "é" * 121, "\u200b", "club 2, rope",
    "+" * 50,
)
BODIES = (b"", b"{", b"\xff\xfe\x00", b"a=%ff%00&b=%c0%80", b"--x\r\n\r\n", b"=" * 3000, b"&" * 1500, b"%" * 999)
TYPES = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain; charset=utf-7",
         "multipart/form-data; boundary=x", "application/x-www-form-urlencoded; charset=utf-16", "", "\0")
FILES: tuple[Callable[[], bytes], ...] = (
    lambda: b"", lambda: b"GIF89a", lambda: b"\x89PNG\r\n\x1a\n" + b"\0" * 50, lambda: b"PK\3\4",
    lambda: b"\x1f\x8b\x08" * 9, lambda: b"<svg onload='alert(1)'/>", lambda: saved("PNG")[:100], lambda: saved("PNG"),
    lambda: b"RIFF\0\0\0\0WEBP")
HEADERS: tuple[dict[str, str], ...] = (
    {}, {}, {"HX-Request": "true"}, {"HX-Request": "true", "HX-Target": "\"><b>", "HX-Current-URL": "javascript:1"},
    {"Accept-Language": "x" * 3000}, {"Range": "bytes=-1"}, {"If-None-Match": "*"}, {"If-Modified-Since": "yesterday"},
    {"X-Forwarded-For": "::1, evil"}, {"Referer": "http://%00"}, {"Accept": "x/" * 500},
    {"X-Forwarded-Proto": "gopher"}, {"Accept-Encoding": "br;q=nan, gzip;q=-1"})


@dataclass
class Fuzzer:
    """Sends requests to a site; `word` is in nothing that the untrusted may read as long as no GM shows it."""

    site: Site
    chance: Random
    word: str
    faults: list[str] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    count: int = 0

    def __post_init__(self) -> None:
        self._names = {"op_id", "client_seed", "name", "text", "shown", "next", "q", "before"}  # of fields seen so far
        self._cookies = {role: copy.deepcopy(self.site.browsers[role].cookies) for role in PEOPLE}
        self._campaign = Campaign.objects.get(slug=self.site.here["slug"])
        people = User.objects.in_bulk(list(User.objects.values_list("pk", flat=True)))
        self._secret = [settings.SECRET_KEY, "Traceback (most recent call last)", *(
            user.password for user in people.values() if user.has_usable_password())]
        self._addresses = {role: [user.email for user in people.values() if user.email and not (
            role in self._cookies and user.pk == self._who(role))] for role in PEOPLE}

    def play(self, count: int) -> None:
        """So many requests, some at a time; each time the Ledger is whole afterwards, and the tables are as it says."""
        until = self.count + count
        while self.count < until and len(self.faults) < 20:
            with transaction.atomic():
                self._sequence(min(SEQUENCE, until - self.count))
                transaction.set_rollback(True)
            for role, cookies in self._cookies.items():
                self.site.browsers[role].cookies = copy.deepcopy(cookies)

    def _sequence(self, count: int) -> None:
        trusting = self.chance.random() < 0.5
        people, shown = (TOGETHER, False) if trusting else (UNTRUSTED, True)
        until = self.count + count
        while self.count < until:
            role = self.chance.choice(people)
            kind = self.chance.random()
            if kind < 0.6:
                self._by_a_page(role, secret=shown)
            elif kind < 0.85:
                self._blindly(role, secret=shown)
            else:
                self._crooked(role, secret=shown)
        if Campaign.objects.filter(pk=self._campaign.pk, name="Deleted").exists():
            return
        if self.chance.random() < 0.1:
            progress, wrong = whole(self._campaign), list(differences(self._campaign.pk))
            if progress.fault or wrong:
                self.faults.append(f"the Ledger: {progress.fault} {[str(fault) for fault in wrong]}")

    def _by_a_page(self, role: str, *, secret: bool) -> None:
        """Opens a page, fills in one of its forms, in part with what may not be in it, and sends it."""
        route, address = self._address()
        page = self._ask(role, route, "get", address, {}, secret=secret)
        if page.status_code == 302 and page["Location"].startswith("/"):
            page = self._ask(role, f"{route}, where it leads", "get", page["Location"], {}, secret=secret)
        if page.status_code >= 300 or HTML not in page.get("Content-Type", ""):
            return
        forms = Page(page).forms
        for form in forms:
            self._names |= set(form.controls)
        if forms:
            form = self.chance.choice(forms)
            for _ in range(self.chance.randint(1, 2)):  # twice: the same form once more
                sent = self._filled(form)
                self._ask(role, f"{route}, its form", "post", form.action.partition("#")[0], sent, secret=secret)

    def _filled(self, form: Form) -> dict[str, Any]:
        button = self.chance.choice(form.buttons) if form.buttons else None
        sent: dict[str, Any] = form.filled(button, **form.at_random(self.chance))
        for _ in range(self.chance.choice((0, 0, 1, 1, 2, 5))):
            name = self.chance.choice([*form.controls, *sorted(self._names)])
            sent[name] = self._value()
            if self.chance.random() < 0.1:
                sent.pop(name)
        return sent

    def _blindly(self, role: str, *, secret: bool) -> None:
        """Fields that any form has had, with anything in them, to any address."""
        route, address = self._address()
        names = self.chance.sample(sorted(self._names), min(len(self._names), self.chance.randint(0, 12)))
        method = self.chance.choice(("get", "post", "post", "post"))
        self._ask(role, route, method, address, {name: self._value() for name in names}, secret=secret)

    def _crooked(self, role: str, *, secret: bool) -> None:
        """Addresses, bodies and methods as no browser sends them."""
        route, address = self._address()
        parts = address.split("/")
        if len(parts) > 2 and self.chance.random() < 0.6:
            parts[self.chance.randrange(1, len(parts) - 1)] = quote(self.chance.choice(TEXTS)[:300], safe="")
            route, address = "a crooked address", "/".join(parts)
        if self.chance.random() < 0.4:
            address += "?" + quote(self.chance.choice(TEXTS)[:900], safe="=&%")
        method = self.chance.choice(("get", "post", "put", "delete", "patch", "options", "head", "trace"))
        body = b"" if method in ("get", "head", "trace") else self.chance.choice(BODIES)
        self._ask(role, route, method, address, body, secret=secret)

    def _address(self) -> tuple[str, str]:
        """A route and an address of it: of what is there, of what is elsewhere, of what is not."""
        route, needed = self.chance.choice(ROUTES)
        places = self.site.here
        if self.chance.random() < 0.2:
            places = {name: self.site.elsewhere[name] if self.chance.random() < 0.5 else value
                      for name, value in places.items()}
        if self.chance.random() < 0.1:
            places = {name: uuid.UUID(int=self.chance.getrandbits(128), version=4) if isinstance(value, uuid.UUID) else
                      self.chance.choice((1, 99999, 999_999_999)) if isinstance(value, int) else value
                      for name, value in places.items()}
        return route, self.site.address(route, needed, places)

    def _value(self) -> Any:
        kind = self.chance.random()
        if kind < 0.1:
            return [self.chance.choice(TEXTS) for _ in range(self.chance.randint(0, 40))]
        if kind < 0.25:
            places = self.chance.choice((self.site.here, self.site.elsewhere))
            return str(self.chance.choice(list(places.values())))
        if kind < 0.3:
            name = self.chance.choice(("a.png", "../../a.webp", "\0", "x" * 300 + ".gif", "a.campaign.gz"))
            return SimpleUploadedFile(name or "a", self.chance.choice(FILES)(), "image/png")
        return self.chance.choice(TEXTS)

    def _ask(self, role: str, route: str, method: str, address: str, sent: Any, *, secret: bool) -> Any:
        self.count += 1
        browser, headers, before = self.site.browsers[role], self.chance.choice(HEADERS), connection.needs_rollback
        try:
            if isinstance(sent, bytes):
                answer: Any = browser.generic(method.upper(), address, sent, self.chance.choice(TYPES), headers=headers)
            else:
                answer = getattr(browser, method)(address, sent, headers=headers)
        except Exception as error:  # the handlers' own: nothing of the site answered
            self.faults.append(f"{role} {method} {address} ({route}): {error!r}\n{traceback.format_exc()[-1500:]}")
            connection.needs_rollback = before
            return _Nothing()
        self.statuses[answer.status_code] += 1
        for fault in self._wrong(role, route, answer, secret=secret):
            asked = f"{role} {method} {address[:300]} ({route}) {str(sent)[:1500]}"
            self.faults.append(f"request {self.count}: {asked}: {fault}")
        return answer

    def _wrong(self, role: str, route: str, answer: Any, *, secret: bool) -> Iterator[str]:
        if answer.status_code >= 500 and (route, answer.status_code) not in AWAY:
            raised = getattr(answer, "exc_info", None)
            yield f"{answer.status_code} {''.join(traceback.format_exception(*raised))[-1800:] if raised else ''}"
        text = (b"".join(answer.streaming_content) if answer.streaming else answer.content).decode(errors="replace")
        text += str(answer.headers)
        unused = Commitment.objects.filter(used_by=None).values_list("secret", flat=True)
        for hidden in (*self._secret, *self._addresses[role], *filter(None, unused), *([self.word] if secret else [])):
            if hidden in text:
                yield f"{hidden!r} is in it"

    def _who(self, role: str) -> Any:
        known = self.site.browsers[role].session.get("_auth_user_id")
        return uuid.UUID(known) if known else None


class _Nothing:
    """No answer."""

    status_code = 599
