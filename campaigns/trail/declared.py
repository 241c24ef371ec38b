"""What entries are called, which filter of the Ledger finds them, and whether they can be undone.

Each module that writes entries says so beside the services that write them:

    POOLS = trail.Filter("pools", "Pools")
    trail.declare("shared_pool.set", "A pool is set", POOLS)
    trail.declare("member.", "Somebody comes or goes", PEOPLE, undoable=False)     # all kinds that begin so

The trail itself knows no kind of the apps above. `load` imports what declares, when the site starts.
"""
from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from django.db.models import Q

if TYPE_CHECKING:
    from campaigns.access import Viewer

Choices = Callable[["Viewer"], list[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class Filter:
    """A choice in the Ledger: `name` stands in addresses, `label` on the page."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class EntryKind:
    """A kind of entry, or all kinds that begin with `name` where that ends with a dot.

    What is no `story` is book-keeping: it is in no feed, and no news. What is `felt` changes the pages of all members,
    also of those who may not read it: that somebody has chosen in secret is seen, what they chose is not. What is `own`
    belongs to whoever wrote it: nobody else undoes or reveals it. What has a `refusal` is all that came of an
    operation: whoever sends that again is answered with this sentence. What `waits` is not written while the X-card
    stops the scene.
    """

    name: str
    label: str
    filters: tuple[Filter, ...]
    undoable: bool
    story: bool = True
    felt: bool = False
    own: bool = False
    refusal: str = ""
    waits: bool = False

    def covers(self, kind: str) -> bool:
        """Whether an entry of this kind is meant."""
        return kind.startswith(self.name) if self.name.endswith(".") else kind == self.name


_KINDS: dict[str, EntryKind] = {}
_CHOICES: dict[str, Choices] = {}


def declare(
    kind: str, label: str, *filters: Filter, undoable: bool = True, story: bool = True, felt: bool = False,
    own: bool = False, refusal: str = "", waits: bool = False,
) -> None:
    """Says what entries of a kind are called, which filters find them, and whether reversing their rows undoes them."""
    _KINDS[kind] = EntryKind(kind, label, filters, undoable, story, felt, own, refusal, waits)


def declared(kind: str) -> EntryKind | None:
    """What was declared of a kind; its own declaration wins over that of its family."""
    families = (kind[:at + 1] for at in range(len(kind) - 1, -1, -1) if kind[at] == ".")
    return next((_KINDS[name] for name in (kind, *families) if name in _KINDS), None)


def filters() -> list[Filter]:
    """All filters, by their labels."""
    return sorted({chip for kind in _KINDS.values() for chip in kind.filters}, key=lambda chip: chip.label)


def found_by(name: str) -> Q:
    """The condition for entries that a filter finds; nothing where there is no such filter."""
    return _of_kinds(kind.name for kind in _KINDS.values() if name in {chip.name for chip in kind.filters})


def finds(name: str, kind: str) -> bool:
    """Whether a filter finds entries of this kind: the same as `found_by` asks of the database."""
    return any(known.covers(kind) for known in _KINDS.values() if name in {chip.name for chip in known.filters})


def story() -> Q:
    """The condition for entries that are part of the story."""
    return ~_of_kinds(kind.name for kind in _KINDS.values() if not kind.story)


def in_story(kind: str) -> bool:
    """Whether entries of this kind are part of the story: the same as `story` asks of the database."""
    return not any(known.covers(kind) for known in _KINDS.values() if not known.story)


def felt() -> Q:
    """The condition for entries that change the pages of all members."""
    return _of_kinds(kind.name for kind in _KINDS.values() if kind.felt)


def refusing() -> Q:
    """The condition for entries that are all that came of an operation which was refused."""
    return _of_kinds(kind.name for kind in _KINDS.values() if kind.refusal)


def _of_kinds(names: Iterable[str]) -> Q:
    kinds = list(names)
    condition = Q(kind__in=[kind for kind in kinds if not kind.endswith(".")])
    for start in (kind for kind in kinds if kind.endswith(".")):
        condition |= Q(kind__startswith=start)
    return condition


def offer_choices(of: str, choices: Choices) -> None:
    """Says what the Ledger can be narrowed to by ("character"): a function from the viewer to (id, name)."""
    _CHOICES[of] = choices


def choices_of(of: str, viewer: Viewer) -> list[tuple[str, str]]:
    """What `offer_choices` was told; nothing where nobody did."""
    return _CHOICES[of](viewer) if of in _CHOICES else []


def load(app: str) -> None:
    """Imports all services, the queries, and what the search finds of an app, so that all declarations stand."""
    services = import_module(f"{app}.services")
    for module in pkgutil.iter_modules(services.__path__):
        import_module(f"{services.__name__}.{module.name}")
    import_module(f"{app}.queries")
    import_module(f"{app}.finding")
