"""No model row and no rules state reaches a template: the contexts of all pages are walked, for each role."""
from __future__ import annotations

import types
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.db.models import Model, QuerySet
from django.forms import BaseForm
from django.http import HttpRequest
from django.test.signals import template_rendered

from play.services.position import Position
from rules.registry import SYSTEMS
from tests.test_every_url import ROUTES, Site, site  # noqa: F401

STATES = tuple({type(kind.blank()) for system in SYSTEMS.values() for kind in system.procedures})
FORBIDDEN = (Model, QuerySet, Position, *STATES)
LEAVES = (str, bytes, int, float, bool, type(None), type, types.ModuleType, types.FunctionType, types.MethodType,
          types.BuiltinFunctionType, HttpRequest)
# Django's own forms keep one's own account here, and nobody else's.
OWN_ACCOUNT = {".instance", ".user"}
OF_THE_FRAMEWORK = {"request", "csrf_token", "block", "forloop", "LANGUAGES", "LANGUAGE_CODE"}


def parts(thing: Any) -> Iterator[tuple[str, Any]]:
    """What a template can reach from a thing: items, and attributes without an underscore before them."""
    if isinstance(thing, Mapping):
        yield from ((f"[{key!r}]", value) for key, value in thing.items())
    elif isinstance(thing, (list, tuple, set, frozenset)):
        yield from ((f"[{place}]", value) for place, value in enumerate(thing))
    else:
        names = {*getattr(thing, "__dict__", {}), *getattr(type(thing), "__slots__", ())}
        yield from ((f".{name}", getattr(thing, name, None)) for name in names if not name.startswith("_"))


def rows_in(context: Mapping[str, Any], seen: dict[int, tuple[int, Any]]) -> Iterator[str]:
    """The paths at which a template would come upon a row or a state; what was `seen` as near is not walked again."""
    waiting = deque((name, value) for name, value in context.items() if name not in OF_THE_FRAMEWORK)
    while waiting:
        path, thing = waiting.popleft()
        if isinstance(thing, FORBIDDEN):
            yield f"{path}: {type(thing).__name__}"
        elif not isinstance(thing, LEAVES) and (far := path.count(".")) < 8 and far < seen.get(id(thing), (8, None))[0]:
            seen[id(thing)] = far, thing  # held, so that nothing else gets its number
            own = OWN_ACCOUNT if isinstance(thing, BaseForm) else set()
            waiting += ((path + name, value) for name, value in parts(thing) if name not in own)


@pytest.mark.django_db
def test_no_row_and_no_state_reaches_a_template(site: Site) -> None:  # noqa: F811
    rows: dict[str, set[str]] = {}
    seen: dict[int, tuple[int, Any]] = {}  # of one page: its parts get what it has, and more

    def look(sender: Any, template: Any, context: Any, **more: Any) -> None:
        for path in rows_in(context.flatten(), seen):
            rows.setdefault(path, set()).add(str(template.name))

    template_rendered.connect(look)
    try:
        for route, needed in ROUTES:
            for role in ("player", "gm"):
                for method in ("get", "post"):
                    seen.clear()
                    site.ask(role, method, site.address(route, needed, site.here))
    finally:
        template_rendered.disconnect(look)
    assert not rows, "\n".join(f"{path} in {', '.join(sorted(names))[:160]}" for path, names in sorted(rows.items()))
