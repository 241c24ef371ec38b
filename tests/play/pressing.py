"""Forms as a person finds them: parsed out of a page, and sent with what stands in them."""
from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.db import connection
from django.test import Client


@dataclass
class Form:
    """A form of a page: where it leads, what stands in it, and what its buttons say."""

    action: str
    fields: dict[str, Any] = field(default_factory=dict)
    buttons: list[str] = field(default_factory=list)


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._select = self._area = ""
        self._in_button = False

    def handle_starttag(self, tag: str, pairs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in pairs}
        if tag == "form":
            self._form = Form(said.get("action", ""))
            self.forms.append(self._form)
        if self._form is None:
            return
        name = said.get("name", "")
        if tag == "input" and name and said.get("type") not in ("submit", "file"):
            if said.get("type") not in ("checkbox", "radio"):
                self._form.fields[name] = said.get("value", "")
            elif "checked" in said:
                self._form.fields.setdefault(name, []).append(said.get("value", "on"))
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and ("selected" in said or self._select not in self._form.fields):
            self._form.fields[self._select] = said.get("value", "")
        elif tag == "textarea":
            self._area = name
            self._form.fields[name] = ""
        elif tag == "button":
            self._in_button = True
            self._form.buttons.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._area = ""
        elif tag == "button":
            self._in_button = False

    def handle_data(self, data: str) -> None:
        if self._form is not None and self._in_button:
            self._form.buttons[-1] += data
        elif self._form is not None and self._area:
            self._form.fields[self._area] += data


def forms(page: str) -> list[Form]:
    """All forms of a page."""
    parser = _Forms()
    parser.feed(page)
    return parser.forms


def press(client: Client, page: str, button: str, at: str = "", **typed: Any) -> Any:
    """Presses the button that says this, with what is `typed` into fields that the page shows. `at` is the page's own
    address, where its forms lead back to that."""
    fitting = [form for form in forms(page) if any(said.strip().startswith(button) for said in form.buttons)]
    assert fitting, f"No button says {button!r}: {[form.buttons for form in forms(page)]}"
    unknown = typed.keys() - fitting[0].fields.keys()
    assert not unknown, f"The page shows no field {unknown}: {sorted(fitting[0].fields)}"
    return client.post(fitting[0].action or at, {**fitting[0].fields, **typed})


def read(client: Client, at: str) -> Any:
    """The answer with this page; where nothing was written since it was asked for, the one that it was then."""
    kept = client.__dict__.setdefault("read", {})
    if at not in kept or kept[at][0] != _written():
        answer = client.get(at)
        kept[at] = _written(), answer
    return kept[at][1]


def _written() -> Any:
    """What is another after each row that is written, where the database tells."""
    return getattr(connection.connection, "total_changes", object())
