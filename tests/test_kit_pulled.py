"""A pull of one component changes every page: its template is changed, and on all pages of all games it is found again.

Nothing that looks like a component is drawn by hand: what has its class has what its template was given.
"""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import pytest
from django.template import engines
from django.template.loaders.base import Loader
from django.template.loaders.filesystem import Loader as Files

from tests.browser import moments
from tests.browser.deciding import AFTER_DICE, TURNS
from tests.gate import seldom
from tests.html_forms import Element, Page

# The template of each component, how it begins there, and the class by which its look is known.
KIT = {
    "decision": ("shared/decision.html", 'class="decision', "decision"),
    "act": ("play/_act_box.html", 'class="tray offer', "offer"),
    "GM’s block": ("play/_gms.html", 'class="gms', "gms"),
    "tray": ("play/_tray.html", 'id="tray" class="tray', "tray"),
    "trait row": ("shared/trait.html", 'class="trait', "trait"),
    "row to use": ("play/_line_rows.html", 'class="field choices lines', "lines"),
    "order row": ("shared/order.html", 'class="order', "order"),
    "pool": ("shared/pool.html", 'class="pool', "pool"),
}
LACKS = {  # nobody acts in an order; nothing is left to decide after the dice
    "danger_world": {"order row"}, "questworlds": {"order row"}, "pdq": {"decision"}}
PULLED, STEPS, OK = "data-pulled", 10, 200
PLACES = ("", "characters/", "prepare/", "chronicle/", "ledger/", "odds/", "settings/", "plan/")


@contextmanager
def pulled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each component’s template says by one more attribute what it is."""
    read = Files.get_contents

    def changed(loader: Files, origin: Any) -> str:
        text = str(read(loader, origin))
        for component, (template, begins, _) in KIT.items():
            if origin.template_name == template:
                assert begins in text, f"{template} begins otherwise"
                text = text.replace(begins, f'{PULLED}="{component}" {begins}')
        return text

    def forget() -> None:
        for loader in engines["django"].engine.template_loaders:
            loader.reset() if isinstance(loader, Loader) else None

    monkeypatch.setattr(Files, "get_contents", changed)
    forget()
    yield
    monkeypatch.undo()
    forget()


def by_hand(page: Page) -> tuple[set[str], list[str]]:
    """The components that a page has out of their templates, and what has the look of one and is none."""
    known: set[str] = set()
    odd = []
    for element in page.elements:
        for component, (_, _, look) in KIT.items():
            if element.attributes.get(PULLED) == component:
                known.add(component)
            elif element.has(look) and element.tag != "p" and not _is_another(element, component):
                odd.append(f"{component}: <{element.tag} class={element.attributes['class']}>")
    return known, odd


def _is_another(element: Element, component: str) -> bool:
    """An act is a tray, too; a paragraph may be called after what it tells of."""
    return component == "tray" and element.attributes.get(PULLED) == "act"


def pages_of(system: str) -> Iterator[tuple[str, Page]]:
    """The places of a table, sheets, and its contests step by step, as the GM and a player see them."""
    for number, kind in enumerate(sorted({kind for of, kind in (*TURNS, *AFTER_DICE) if of == system} - {"impasse"})):
        at = str(moments.table(system, {"long": "all"} if system == "questworlds" else {})["address"])
        for sheet in _sheets(at) if not number else ():
            yield from _seen(at, sheet, sheet.replace("/characters/", "/sheet-actions/"))
        yield from _seen(at, *(f"{at}{place}" for place in PLACES if not number))
        contest = moments.begin(at, kind)
        states: set[tuple[str, ...]] = set()
        for _ in range(STEPS):
            state = tuple(sorted(f"{who == 'the GM'} {action}" for who, action, _ in moments.waiting(at)))
            yield from _seen(at, at, f"{at}contests/{contest}/") if state not in states else ()
            states.add(state)
            if moments.step(at) is None:
                break


def _seen(table: str, *addresses: str) -> Iterator[tuple[str, Page]]:
    """These pages, as those see them who may."""
    clients = moments.TABLES[table][1]
    for name, address in product(("Alice", "Bob"), addresses):
        answer = clients[name].get(address, follow=True)
        if answer.status_code == OK:
            yield f"{name} at {address}", Page(answer)


def _sheets(address: str) -> list[str]:
    from characters.models import Character

    campaign, _ = moments.TABLES[address]
    known = Character.objects.filter(campaign=campaign).values_list("pk", flat=True)
    return [f"{address}characters/{pk}/" for pk in known]


@seldom
@pytest.mark.django_db
@pytest.mark.parametrize("system", ["pdq", "pdq_sharp", "questworlds", "danger_world", "pnc"])
def test_a_pull_of_one_component_changes_every_page(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known: set[str] = set()
    wrong: list[str] = []
    with pulled(monkeypatch):
        for where, page in pages_of(system):
            here, odd = by_hand(page)
            known |= here
            wrong += [f"{where}: {fault}" for fault in odd]
    assert not wrong, "\n".join(sorted(set(wrong)))
    assert known == KIT.keys() - LACKS.get(system, set())
