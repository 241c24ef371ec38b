"""In how many files an act lies, what somebody has to read who would change it; and how much code a rule takes.

An act lies in the files of its functions and of the events that they make. What its own module calls of itself is
looked into; what it calls elsewhere is somebody else's to keep.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dis import get_instructions
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from rules.engine import Act, Event, Procedure
from rules.registry import SYSTEMS

ROOT = Path(__file__).resolve().parent.parent
APPS = ("accounts", "campaigns", "characters", "config", "jobs", "news", "play", "rules", "schedule")
RULE = re.compile(r"\b[A-Z]{2}-A?\d+\b")


def acts() -> Iterator[tuple[Procedure[Any], Act[Any]]]:
    """Every act of every procedure, each once."""
    seen = set()
    for system in SYSTEMS.values():
        for procedure in system.procedures:
            for act in procedure.acts:
                if act not in seen:
                    seen.add(act)
                    yield procedure, act


def files_of(act: Act[Any]) -> list[str]:
    """The modules of an act's functions and of the events that these make."""
    modules = set()
    functions: tuple[Callable[..., Any] | None, ...] = (act.offered, act.do, act.asks, act.odds)
    for function in functions:
        for own in unwrapped(function) if function else ():
            modules |= {own.__module__, *(event.__module__ for event in made_by(own, set()))}
    return sorted(modules)


def unwrapped(function: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """A function; of one that another made (`gms(can_bid)`) those that it was made of, without those of an act."""
    while isinstance(function, partial):
        function = function.func
    held = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    if not any(callable(value) or isinstance(value, Act) for value in held):
        yield function
    for value in held:
        if callable(value):
            yield from unwrapped(value)


def made_by(function: Callable[..., Any], seen: set[Any]) -> Iterator[type[Event[Any]]]:
    """The events that a function names, and those of its module that it calls; an event, itself."""
    seen.add(function)
    if isinstance(function, type):  # an event that a builder was given
        yield from (function,) if issubclass(function, Event) else ()
        return
    for name in names_in(function.__code__):
        value = function.__globals__.get(name)
        if isinstance(value, type) and issubclass(value, Event):
            yield value
        elif isinstance(value, FunctionType) and value.__module__ == function.__module__ and value not in seen:
            yield from made_by(value, seen)


def names_in(code: CodeType) -> Iterator[str]:
    """The names that code asks its module for, with what is defined within it."""
    yield from (step.argval for step in get_instructions(code) if step.opname == "LOAD_GLOBAL")
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from names_in(inner)


def told() -> None:
    """Prints in how many files acts lie, which lie in several, and how much code there is, for each rule of a game."""
    lying: dict[int, list[str]] = {}
    for procedure, act in acts():
        files = files_of(act)
        lying.setdefault(len(files), []).append(f"{procedure.name} {act.action}: {', '.join(files)}")
    for number, lines in sorted(lying.items()):
        print(f"{len(lines)} acts in {number} {'file' if number == 1 else 'files'}")
        print(*(f"  {line}" for line in lines if number > 1), sep="\n", end="\n" if number > 1 else "")
    print(f"{len(product := code(*APPS))} files with {sum(product.values())} lines")
    for slug in SYSTEMS:
        named = code(f"rules/systems/{slug}")
        rules = {rule for path in named for rule in RULE.findall(path.read_text())}
        many = sum(named.values())
        print(f"{slug}: {many} lines for {len(rules)} rules, {many / len(rules):.0f} for each")


def code(*folders: str) -> dict[Path, int]:
    """The files of these folders, each with its number of lines; what `makemigrations` wrote is not counted."""
    return {path: len(path.read_text().splitlines()) for folder in folders
            for path in sorted((ROOT / folder).rglob("*.py")) if "migrations" not in path.parts}


if __name__ == "__main__":
    told()
