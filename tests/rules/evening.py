"""Evenings as text files that can be read: who does what, and after each act what everybody is told, asked and offered.

A file begins with its script: a title, the procedure and the seed of its dice, who is there, and the setup. Each line
`> ada attack {...}` is an act of the script; all that stands below one is written by `python -m tests.rules.record`.
An offer is written in full when it is new or has changed; one that comes back as it was, by its name alone.
"""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

from rules.engine import find
from rules.fields import REQUIRED, ChoiceOrWhole, Field, Group, Listing, Whole
from rules.moves import Need
from rules.procedure import ActResult, Ask, Offer, Perspective
from rules.sheet import Sheet, Trait
from rules.values import BadMove
from tests.rules.at_any_table import AnyTable
from tests.rules.plainly import as_json, field_kind
from tests.rules.walks import procedures

FOLDER = Path(__file__).parent / "evenings"
GM = "GM"


def evenings() -> list[str]:
    """The names of all evenings."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def evening_file(name: str) -> Path:
    """Where an evening is kept."""
    return FOLDER / f"{name}.txt"


class Table(AnyTable):
    """A table where the people and the setup are those of a script."""

    def __init__(self, script: Script) -> None:
        self.script = script
        system, kind = procedures()[script.procedure]
        super().__init__(system, kind, Random(script.seed))

    def _begin(self) -> ActResult[Any]:
        self.shared = {}
        for words in self.script.people:
            self._person(*words.split(maxsplit=1))
        faces: tuple[int, ...] = ()
        while isinstance(begun := self.kind.start(self.script.setup, self.sheets, faces), Need):
            faces += tuple(self.chance.randint(1, sides) for sides in begun.sides)
        self.keep(begun)
        return begun

    def _person(self, what: str, said: str) -> None:
        """One line of the script: a sheet or an NPC's, a further line of a sheet (`with`), or what is in a pool."""
        id_, _, rest = said.partition(" ")
        if what in ("sheet", "npc"):
            name, drafts = self.system.sheet.from_line(rest)
            traits = tuple(Trait(f"{id_}.{place}", draft.kind, draft.name, draft.value, note=draft.note)
                           for place, draft in enumerate(drafts))
            self.sheets[id_] = Sheet(id_, name, traits, npc=what == "npc")
        elif what == "with":
            kind, name, value = rest.split(" ", 1)[0], rest.split(" ", 1)[1].rpartition(" ")[0], rest.rpartition(" ")[2]
            sheet = self.sheets[id_]
            trait = Trait(f"{id_}.{len(sheet.traits)}", kind, name, int(value))
            self.sheets[id_] = replace(sheet, traits=(*sheet.traits, trait))
        elif id_ == "campaign":
            self.shared[rest.split()[0]] = int(rest.split()[1])
        else:
            sheet, (pool, amount) = self.sheets[id_], rest.split()
            self.sheets[id_] = replace(sheet, pools=(*sheet.pools, (pool, int(amount))))


class Script:
    """What a file says before anything is played: `head` are its lines, `acts` those of the acts."""

    def __init__(self, text: str) -> None:
        lines = text.splitlines()
        first = next((place for place, line in enumerate(lines) if line.startswith("> ")), len(lines))
        self.head = [line for line in lines[:first] if line]
        self.acts = [line for line in lines[first:] if line.startswith("> ")]
        self.procedure, seed = self.head[1].removeprefix("plays ").split(", dice ")
        self.seed = int(seed)
        self.people = self.head[2:-1]
        self.setup: Mapping[str, Any] = json.loads(self.head[-1].removeprefix("setup "))


def played(text: str) -> str:
    """The whole file, played anew from the script in it."""
    script = Script(text)
    table, known = Table(script), {}
    lines = [*script.head, "", "> start", *_after(table, table.started, known)]
    for line in script.acts[1:]:
        lines += ["", line, *_act(table, line, known)]
    return "\n".join(lines) + "\n"


def _act(table: Table, line: str, known: dict[tuple[str, str], str]) -> Iterator[str]:
    _, by, action, given = line.split(maxsplit=3)
    offer = find(table.offers(), action, "" if by == GM else by)
    if offer is None:
        yield f"  refused: {table.kind.why_not(table.state, table.sheets, '' if by == GM else by)}"
        return
    try:
        result = table.try_(offer, json.loads(given))
    except BadMove as bad:
        yield f"  refused: {bad}"
        return
    table.keep(result)
    yield from _after(table, result, known)


def _after(table: Table, result: ActResult[Any], known: dict[tuple[str, str], str]) -> Iterator[str]:
    if result.dice:
        yield "  dice " + ", ".join(f"d{die.sides} {die.face}{f' {die.role}' if die.role else ''}"
                                    f"{'' if die.kept else ' (dropped)'}" for die in result.dice)
    yield from (f"  {step.rule} {step.text}" for step in result.steps)
    yield from (f"  effect {_effect(effect)}" for effect in result.effects)
    yield f"  result {as_json(result.result)}{' (sealed)' if result.sealed else ''}"
    view = table.kind.seen(table.state, table.sheets, Perspective(runs=True))
    yield f"  seen {view.heading}: {view.waits_for}"
    yield from (f"  seen {fact}" for fact in view.facts)
    yield from (f"  blocked {blocked.by or GM} {blocked.title}: {blocked.reason}" for blocked in view.blocked)
    yield from (f"  told {sentence}" for sentence in table.kind.story(table.state))
    yield from (_ask(ask) for ask in table.kind.asks(table.state, table.sheets))
    yield from _changed(table.offers(), known)


def _effect(effect: Any) -> str:
    values = ", ".join(f"{field.name} {as_json(getattr(effect, field.name))}" for field in fields(effect))
    return f"{type(effect).__name__}: {values}"


def _ask(ask: Ask) -> str:
    marks = [name for name in ("decision", "routine", "stands") if getattr(ask, name)]
    return f"  ask {ask.by or GM} {ask.action}: {ask.text} [{ask.button}]{''.join(f', {mark}' for mark in marks)}"


def _changed(offers: Sequence[Offer], known: dict[tuple[str, str], str]) -> Iterator[str]:
    """What is offered now and was not, or not so; `known` is what was written last of each offer, "-…" once gone."""
    now = {(offer.by, offer.action): "\n".join(_offer(offer)) for offer in offers}
    for key in [key for key, text in known.items() if key not in now and not text.startswith("-")]:
        known[key] = f"-{known[key]}"
        yield f"  no more {key[0] or GM} {key[1]}"
    for key, text in sorted(now.items(), key=lambda item: item[0][0]):
        was = known.get(key, "")
        if was == f"-{text}":
            yield f"  again {key[0] or GM} {key[1]}"
        elif was != text:
            yield f"  {'now' if was and was[0] != '-' else 'may'} {text}"
        known[key] = text


def _offer(offer: Offer) -> Iterator[str]:
    marks = [name for name in ("rolls", "personal", "previews") if getattr(offer, name)]
    marks += [f"chips {offer.chips}"] if offer.chips else []
    yield f"{offer.by or GM} {offer.action} “{offer.title}”{''.join(f', {mark}' for mark in marks)}"
    if offer.help:
        yield f"      {offer.help}"
    for field in offer.fields:
        yield from _field(field, "      ")
        if field.name in (offer.options or {}):
            listed = " | ".join(f"{id_} {words}" for id_, words in (offer.options or {})[field.name])
            yield f"        {listed or '(nothing to choose)'}"
    if offer.now:
        yield f"      now {as_json(offer.now)}"
    if offer.fits:
        yield f"      fits {as_json(offer.fits)}"


def _field(field: Field, margin: str) -> Iterator[str]:
    default = "required" if field.default is REQUIRED else as_json(field.default)
    limits = f", {field.least} to {field.most}" if isinstance(field, (Whole, ChoiceOrWhole)) else ""
    help_ = f": {field.help}" if field.help else ""
    yield f"{margin}{field.name} ({field_kind(field)}, {default}{limits}) {field.label}{help_}"
    if field.missing:
        yield f"{margin}  missing: {field.missing}"
    if words := getattr(field, "options", ()):
        yield f"{margin}  {' | '.join(f'{word} {text}' for word, text in words)}"
    inner = field.of if isinstance(field, Listing) else field
    for part in inner.fields if isinstance(inner, Group) else ():
        yield from _field(part, f"{margin}  ")
