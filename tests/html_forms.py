"""Forms as a page shows them: what a browser without JavaScript would send, and nothing besides.

    page = Page(client.get(address))
    page.form(button="Start a flashy challenge").send(client, title="Up the wall")

A field that is not on the page can't be filled in, nor can an option be chosen that is not offered: both fail the test.
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from random import Random
from typing import Any

Sent = dict[str, list[str]]  # what is sent, by name
Attributes = Mapping[str, str]

ALONE = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
RAW = {"script", "style"}  # what is in them is no markup
TAG = re.compile(
    r"""<!--.*?-->|<![^>]*>|</(?P<ends>[a-zA-Z][^\s/>]*)[^>]*>"""
    r"""|<(?P<begins>[a-zA-Z][^\s/>]*)(?P<given>(?:[^>"']|"[^"]*"|'[^']*')*)>""", re.DOTALL)
ATTRIBUTE = re.compile(r"""([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
CONTROLS = {"button", "input", "select", "textarea"}
TYPED = {"text", "textarea", "number", "search", "email", "url", "password", "datetime-local"}
MOST_TYPED = 6  # a number is tried up to here, where more are allowed


@dataclass
class Element:
    """An element of a page: its attributes, and what is in it."""

    tag: str
    attributes: Attributes
    inner: list[Element | str] = field(default_factory=list)
    form: Element | None = None  # the form that it stands in

    def within(self) -> Iterator[Element]:
        """It and all elements in it, in their order."""
        yield self
        for element in self.inner:
            if isinstance(element, Element):
                yield from element.within()

    @property
    def text(self) -> str:
        """The words in it."""
        parts = (element if isinstance(element, str) else element.text for element in self.inner)
        return " ".join("".join(parts).split())

    @property
    def typed(self) -> str:
        """What stands in a text area, line by line; a browser leaves out the line end that it begins with."""
        return "".join(part for part in self.inner if isinstance(part, str)).removeprefix("\n")

    def has(self, *classes: str) -> bool:
        """Whether it is of one of these classes."""
        own = self.attributes.get("class")
        return own is not None and not {*classes}.isdisjoint(own.split())


class _Tree:
    """Reads a page into elements: `elements` are all of them in their order, the page itself first.

    The site's own pages are well formed, and tests read thousands of them: two patterns read one in a fifth of the time
    that `html.parser` takes.
    """

    def __init__(self, html: str) -> None:
        self.elements = [Element("", {})]
        self._open = self.elements[:]
        at = 0
        while tag := TAG.search(html, at):
            self._said(unescape(html[at:tag.start()]))
            at = tag.end()
            if tag["ends"]:
                self._end(tag["ends"].lower())
            elif tag["begins"]:
                at = self._begin(tag["begins"].lower(), tag["given"], html, at)
        self._said(unescape(html[at:]))

    def _begin(self, tag: str, given: str, html: str, at: int) -> int:
        """An element begins; where to read on."""
        attributes = {name.lower(): unescape(quoted or single or bare)
                      for name, quoted, single, bare in ATTRIBUTE.findall(given)}
        parent = self._open[-1]
        element = Element(tag, attributes, form=parent if parent.tag == "form" else parent.form)
        parent.inner.append(element)
        self.elements.append(element)
        if tag in ALONE:
            return at
        self._open.append(element)
        if given.endswith("/"):
            self._end(tag)
        elif tag in RAW:
            end = html.find(f"</{tag}", at)
            self._said(html[at:end])
            return end
        return at

    def _end(self, tag: str) -> None:
        if self._open[-1].tag == tag or any(element.tag == tag for element in self._open):
            while self._open.pop().tag != tag:
                pass

    def _said(self, words: str) -> None:
        if words:
            self._open[-1].inner.append(words)


@dataclass
class Control:
    """All inputs of one name in a form. `opens` is what it would send untouched; `offered` are the values to choose."""

    name: str
    type: str
    attributes: Attributes
    opens: list[str] = field(default_factory=list)
    offered: list[str] = field(default_factory=list)
    refused: bool = False  # whether an error is shown at it

    @property
    def required(self) -> bool:
        """Whether the page says that it has to be filled in."""
        return "required" in self.attributes

    @property
    def free(self) -> bool:
        """Whether something is typed into it."""
        return self.type in TYPED

    @property
    def several(self) -> bool:
        """Whether more than one value may be chosen, or none."""
        return self.type == "checkbox" or "multiple" in self.attributes

    def accepts(self, values: Iterable[str]) -> bool:
        """Whether somebody at the page could enter these."""
        return self.free or (self.type != "hidden" and set(values) <= set(self.offered))

    def at_random(self, chance: Random) -> list[str]:
        """Something that may be entered: an option, a few of several, a number within its limits, words."""
        if self.type == "hidden":
            return self.opens
        if self.type == "number":
            least = int(self.attributes.get("min") or 0)
            most = min(int(self.attributes.get("max") or MOST_TYPED), max(least, 0) + MOST_TYPED)
            return [str(chance.randint(least, most))] if self.required or chance.random() < 0.5 else self.opens
        if self.free:
            return ["Some words"] if self.required and not any(self.opens) else self.opens
        if self.several:
            return sorted(chance.sample(self.offered, chance.randint(0, min(2, len(self.offered)))))
        return [chance.choice(self.offered)] if self.offered else []


@dataclass
class Button:
    """A button that sends its form."""

    words: str
    attributes: Attributes


@dataclass
class Form:
    """A form that posts: its controls by name, its buttons."""

    attributes: Attributes
    at: str
    controls: dict[str, Control] = field(default_factory=dict)
    buttons: list[Button] = field(default_factory=list)

    @property
    def action(self) -> str:
        """The address that it posts to."""
        return self.attributes.get("action") or self.at

    @property
    def required(self) -> list[Control]:
        """What has to be filled in, hidden fields aside."""
        return [control for control in self.controls.values() if control.required and control.type != "hidden"]

    @property
    def shown(self) -> list[Control]:
        """What somebody can see and change."""
        return [control for control in self.controls.values() if control.type != "hidden"]

    def filled(self, button: Button | None = None, **values: str | list[str]) -> Sent:
        """What is sent with these values entered, by this button or the first."""
        sent = {name: list(control.opens) for name, control in self.controls.items() if control.opens}
        for name, value in values.items():
            entered = [value] if isinstance(value, str) else list(value)
            control = self.controls.get(name)
            assert control, f"The page has no field {name!r} in {self.action}: {sorted(self.controls)}"
            assert control.accepts(entered), f"{name!r} can’t be {entered}: the page offers {control.offered}"
            sent[name] = entered
        pressed = button or next(iter(self.buttons), None)
        if pressed and pressed.attributes.get("name"):
            sent.setdefault(pressed.attributes["name"], []).append(pressed.attributes.get("value", ""))
        return sent

    def as_it_opens(self, words: str = "Some words") -> dict[str, str | list[str]]:
        """What somebody has to type at least: words or a number, where nothing stands in a required field."""
        least = {"number": "1"}
        blank = [control for control in self.required if control.free and not any(control.opens)]
        return {control.name: least.get(control.type, words) for control in blank}

    def at_random(self, chance: Random) -> dict[str, str | list[str]]:
        """Something entered in every field."""
        return {control.name: control.at_random(chance) for control in self.shown}

    def send(self, client: Any, button: Button | None = None, **values: str | list[str]) -> Any:
        """Posts it; the answer."""
        address = (button.attributes.get("formaction") if button else None) or self.action
        return client.post(address.partition("#")[0], self.filled(button, **values))


class Page:
    """The forms of a page that post, and the errors that it shows. No id may be on it twice."""

    def __init__(self, answer: Any) -> None:
        query = answer.request.get("QUERY_STRING", "")
        self.at = answer.request["PATH_INFO"] + (f"?{query}" if query else "")
        self._elements = self.elements = _Tree(answer.content.decode()).elements
        ids = [element.attributes["id"] for element in self._elements if "id" in element.attributes]
        self.ids = {*ids}
        assert len(self.ids) == len(ids), f"{self.at}: twice on it are {[*(Counter(ids) - Counter(self.ids))]}"
        self.errors = [element.text for element in self._elements if element.has("error", "errorlist") and element.text]
        self._controls = [
            element for element in self._elements if element.tag in CONTROLS and "disabled" not in element.attributes]
        posting = [element for element in self._elements
                   if element.tag == "form" and element.attributes.get("method") == "post"]
        self.forms = [self._read(element) for element in posting]

    def of_class(self, name: str, tag: str = "") -> list[Element]:
        """The elements of this class, or those of a tag within them, in their order."""
        elements = [element for element in self._elements if element.has(name)]
        return [inner for element in elements for inner in element.within() if inner.tag == tag] if tag else elements

    def of_tag(self, tag: str) -> list[Element]:
        """The elements with this tag, in their order."""
        return [element for element in self._elements if element.tag == tag]

    def of_attribute(self, name: str, value: str) -> list[Element]:
        """All elements within those that have this attribute, in their order."""
        return [inner for element in self._elements if element.attributes.get(name) == value
                for inner in element.within()]

    def matching(self, *, action: str = "", button: str = "") -> list[Form]:
        """The forms whose address ends so, and that have a button of these words; on top of the page first."""
        return [form for form in self.forms if form.action.partition("?")[0].partition("#")[0].endswith(action)
                and (not button or button in [offered.words for offered in form.buttons])]

    def form(self, *, action: str = "", button: str = "") -> Form:
        """The only one of those."""
        forms = self.matching(action=action, button=button)
        assert len(forms) == 1, (
            f"{len(forms)} forms {action or button!r} on {self.at}: {[form.action for form in self.forms]}")
        return forms[0]

    def _read(self, element: Element) -> Form:
        form, own = Form(element.attributes, self.at), element.attributes.get("id")
        for control in self._controls:
            given = control.attributes
            if given["form"] != own if "form" in given else control.form is not element:
                continue
            if control.tag == "button" and given.get("type", "submit") == "submit":
                form.buttons.append(Button(control.text, given))
            elif control.tag != "button" and given.get("name"):
                self._add(form, control)
        return form

    def _add(self, form: Form, element: Element) -> None:
        given = element.attributes
        type_ = given.get("type", "text") if element.tag == "input" else element.tag
        control = form.controls.setdefault(given["name"], Control(given["name"], type_, given))
        # Of a group of boxes the error stands at the group, whose id each box's begins with.
        at = given.get("id", "")
        control.refused |= f"{at.rpartition('_')[0] if type_ in ('radio', 'checkbox') else at}_error" in self.ids or (
            f"{at}_error" in self.ids)
        if element.tag == "select":
            options = [part for part in element.within() if part.tag == "option" and "disabled" not in part.attributes]
            control.offered = [option.attributes.get("value", option.text) for option in options]
            chosen = [option.attributes.get("value", option.text) for option in options
                      if "selected" in option.attributes]
            control.opens = chosen or ([] if control.several else control.offered[:1])
        elif type_ in ("radio", "checkbox"):
            control.offered.append(given.get("value", "on"))
            control.opens += [given.get("value", "on")] if "checked" in given else []
        else:
            control.opens = [element.typed if element.tag == "textarea" else given.get("value", "")]
