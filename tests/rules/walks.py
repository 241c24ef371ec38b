"""Walks through every procedure, recorded: what was said in full, what was answered as a short hash for each part.

A walk's sheets and setup come from its seed, its acts from the record, its dice from the seed and the step. So an act
that is no longer taken, or an offer more, changes the lines that it bears on and no others.
"""
from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from rules.afterwards import AwardsExperience, StatesFacts
from rules.engine import KnowsOrigins, Procedure, find
from rules.moves import Need
from rules.procedure import ActResult, Offer, Perspective
from rules.registry import SYSTEMS
from rules.system import System
from rules.values import BadMove
from tests.rules.at_any_table import AnyTable
from tests.rules.plainly import as_json, plainly

FOLDER = Path(__file__).parent / "recorded" / "walks"
BEFORE = ("offers", "order", "asks", "views", "told", "tried", "odds")  # what is so before an act
CAME = ("events", "steps", "effects", "result")  # what comes of it
STEPS, WALKS, DRAWN = 30, 5, 60  # acts in a walk, walks kept at most, and walks drawn to choose them from
SECONDS = 0.8  # what the record of a walk may take

Parts = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """An act of a walk: whose ("" for the GM's), and what it is given."""

    action: str
    by: str
    given: Mapping[str, Any]


@dataclass(frozen=True)
class Walk:
    """The seed of sheets and setup, and the acts."""

    seed: int
    acts: tuple[Said, ...]


@dataclass(frozen=True)
class Moment:
    """One step of a walk: the act (None where it ends), what was so before, and what came of it."""

    act: Said | None
    before: Parts
    came: Parts


def procedures() -> dict[str, tuple[System, Procedure[Any]]]:
    """Every procedure of every game, by its name."""
    return {kind.name: (system, kind) for system in SYSTEMS.values() for kind in system.procedures}


# What is seen on the way.


def moments(name: str, walk: Walk) -> Iterator[Moment]:
    """A walk, step by step; an act that is not taken leaves everything as it was."""
    system, kind = procedures()[name]
    table = AnyTable(system, kind, Random(walk.seed))
    yield Moment(Said("start", "", table.setup), {}, _came(table, table.started))
    for step, act in enumerate(walk.acts, 1):
        before = _before(table, f"{name} {walk.seed}", step)
        offer = find(table.offers(), act.action, act.by)
        if offer is None:
            yield Moment(act, before, {"events": "It is not offered."})
            continue
        table.chance = Random(f"{name} {walk.seed} {step}")
        try:
            result = table.try_(offer, act.given)
        except BadMove as bad:
            yield Moment(act, before, {"events": f"It is refused: {bad}"})
            continue
        yield Moment(act, before, _came(table, result))
        table.keep(result)
    yield Moment(None, _before(table, f"{name} {walk.seed}", len(walk.acts) + 1), {})


def _came(table: AnyTable, result: ActResult[Any]) -> Parts:
    return {
        "events": [table.kind.write(event) for event in result.events],
        "steps": result.steps,
        "effects": result.effects,
        "result": {"result": result.result, "dice": result.dice, "rolls": result.rolls, "sealed": result.sealed},
    }


def _before(table: AnyTable, seed: str, step: int) -> Parts:
    offers = table.offers()
    faces = {id_: sheet.face for id_, sheet in table.sheets.items()}
    tries = list(_tries(table, offers, f"{seed} {step}"))
    return {
        "offers": {"whole": _by_seat(offers), "faces": _by_seat(table.kind.offers(table.state, faces))},
        "order": [(offer.action, offer.by) for offer in offers],
        "asks": table.kind.asks(table.state, table.sheets),
        "views": dict(_views(table, step)),
        "told": dict(_told(table)),
        "tried": [came for came, _ in tries],
        "odds": [odds for _, odds in tries if odds is not None],
    }


def _by_seat(offers: Sequence[Offer]) -> dict[str, list[Offer]]:
    return {by: [offer for offer in offers if offer.by == by] for by in {offer.by for offer in offers}}


def _views(table: AnyTable, step: int) -> Iterator[tuple[str, Any]]:
    """The page of the GM, and of one of the others in turn: a view may count odds, which takes its time."""
    first, *rest = table.sheets
    faces = {id_: sheet.face for id_, sheet in table.sheets.items()}
    known = {**faces, first: table.sheets[first]}
    others = [
        ("stranger", faces, Perspective()),
        (f"{first}, who knows all", table.sheets, Perspective(frozenset({first}), players={first: "Bob"})),
        (f"{first}, who knows faces", known, Perspective(frozenset({first}))),
        (f"{first}, who is told odds", known, Perspective(frozenset({first}), whole=table.sheets)),
        *((id_, table.sheets, Perspective(frozenset({id_}))) for id_ in rest),
    ]
    runs = Perspective(runs=True, plays=frozenset(table.sheets), players={first: "Bob"})
    for name, sheets, viewer in (("GM", table.sheets, runs), others[step % len(others)]):
        yield name, table.kind.seen(table.state, sheets, viewer)


def _told(table: AnyTable) -> Iterator[tuple[str, Any]]:
    """What else is asked of a procedure as it stands."""
    kind, state = table.kind, table.state
    yield "over", kind.is_over(state)
    yield "involved", kind.involved(state)
    yield "story", kind.story(state)
    yield "refusals", {by: kind.why_not(state, table.sheets, by) for by in ("", *table.sheets)}
    if isinstance(kind, AwardsExperience):
        yield "awards", kind.awards(state)
    if isinstance(kind, StatesFacts):
        yield "facts", kind.facts(state)
    if isinstance(kind, KnowsOrigins):
        yield "origins", kind.needs_origins(state)


def _tries(table: AnyTable, offers: Sequence[Offer], seed: str) -> Iterator[tuple[Parts, Any]]:
    """What would come of each offer, with nothing said and with something, and its odds; nothing of it is kept."""
    for offer in sorted(offers, key=lambda offer: (offer.action, offer.by)):
        table.chance, table.marks = Random(f"{seed} {offer.action} {offer.by}"), 9000
        given = table.given(offer)
        came = {"act": (offer.action, offer.by), "given": given,
                "bare": _try(table, offer, {}), "filled": _try(table, offer, given)}
        yield came, _odds(table, offer, given) if offer.rolls or offer.previews else None


def _try(table: AnyTable, offer: Offer, given: Mapping[str, Any]) -> Any:
    faces: tuple[int, ...] = ()
    try:
        while isinstance(answer := table.kind.perform(table.state, table.sheets, offer, given, faces), Need):
            faces += tuple(table.chance.randint(1, sides) for sides in answer.sides)
    except BadMove as bad:
        return {"refused": bad.sentence, "field": bad.field}
    return _came(table, answer)


def _odds(table: AnyTable, offer: Offer, given: Mapping[str, Any]) -> Any:
    try:
        return (offer.action, offer.by, table.kind.forecast(table.state, table.sheets, offer.by, offer.action, given))
    except BadMove as bad:
        return (offer.action, offer.by, {"refused": bad.sentence, "field": bad.field})


# As text, and back.


def text_of(name: str, walks: Sequence[Walk]) -> str:
    """The record of a procedure's walks."""
    titles = " ".join(f"{part:7}" for part in (*BEFORE, *CAME))
    return "\n".join(f"walk {place}, seed {walk.seed}\n     {titles} by act given\n"
                     + "".join(f"{_line(step, moment)}\n" for step, moment in enumerate(moments(name, walk)))
                     for place, walk in enumerate(walks, 1))


def _line(step: int, moment: Moment) -> str:
    parts = " ".join(f"{_hash(moment, part):7}" for part in (*BEFORE, *CAME))
    if moment.act is None:
        return f"{step:4} {parts} end"
    given = "" if step == 0 else as_json(moment.act.given)
    return f"{step:4} {parts} {moment.act.by or 'GM'} {moment.act.action} {given}".rstrip()


def _hash(moment: Moment, part: str) -> str:
    answers = moment.before if part in BEFORE else moment.came
    return hashlib.sha256(as_json(answers[part]).encode()).hexdigest()[:6] if part in answers else "-"


def read_walks(text: str) -> tuple[Walk, ...]:
    """The walks of a record; the hashes are left aside."""
    walks: list[Walk] = []
    for line in text.splitlines():
        words = line.split(maxsplit=3 + len(BEFORE) + len(CAME))
        if line.startswith("walk "):
            walks.append(Walk(int(words[-1]), ()))
        elif len(words) == 4 + len(BEFORE) + len(CAME) and words[0] not in ("0", "offers"):
            by, action, given = words[-3], words[-2], json.loads(words[-1])
            walks[-1] = Walk(walks[-1].seed, (*walks[-1].acts, Said(action, "" if by == "GM" else by, given)))
    return tuple(walks)


def differences(before: str, after: str) -> list[str]:
    """Where two records of a procedure part, a line each: `walk 3 step 17 (bo attack): steps, views`."""
    differing, walk = [], ""
    for old, new in zip_longest(before.splitlines(), after.splitlines(), fillvalue=""):
        walk = new.split(",")[0] if new.startswith("walk ") else walk
        if old != new:
            was, now = old.split(), new.split()
            columns = zip((*BEFORE, *CAME), was[1:], now[1:], strict=False)
            parts = [part for part, left, right in columns if left != right]
            differing.append(f"{walk} step {(now or was or [''])[0]}: {', '.join(parts) or 'the act itself'}")
    return differing


# Drawn anew.


def drawn(name: str) -> tuple[Walk, ...]:
    """New walks: of many the few with the most acts that the ones before had not, and that take no time.

    The third and what follows have an act that none before had: two of a kind tell no more than one.
    """
    candidates = [_draw(name, seed) for seed in range(DRAWN)]
    taken: Counter[str] = Counter()
    kept: list[Walk] = []
    while candidates and len(kept) < WALKS:
        candidates.sort(key=lambda walk: sum(1 / (1 + 20 * taken[act]) for act in {said.action for said in walk.acts}))
        best, began = candidates.pop(), process_time()
        if len(kept) >= 2 and all(taken[said.action] for said in best.acts):
            break
        try:
            text_of(name, [best])
        except RecursionError:  # the exact odds of a long contest
            continue
        if process_time() - began < SECONDS:
            taken.update(act.action for act in best.acts)
            kept.append(best)
    return tuple(kept)


def _draw(name: str, seed: int) -> Walk:
    from tests.rules.test_every_procedure import walk  # only here: it brings Hypothesis

    system, kind = procedures()[name]
    table = AnyTable(system, kind, Random(seed))
    return Walk(seed, tuple(
        Said(offer.action, offer.by, json.loads(as_json(given))) for offer, given, _ in walk(table, STEPS)))


def never_taken(name: str, walks: Sequence[Walk]) -> list[str]:
    """The acts of a procedure that no walk takes."""
    _, kind = procedures()[name]
    return sorted(set(kind.handlers) - {act.action for walk in walks for act in walk.acts})


def shown(name: str, walks: Sequence[Walk], walk: int, step: int) -> str:
    """A step in full."""
    moment = list(moments(name, walks[walk - 1]))[step]
    return json.dumps(plainly({"act": moment.act, **moment.before, **moment.came}), ensure_ascii=False, indent=1)
