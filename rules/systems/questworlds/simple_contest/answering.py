"""The GM answers what a player tries with one tap: a resistance, and it is ready to roll (QW-03, QW-20)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.engine import Act, Sheets, Values, after, check
from rules.fields import Field, Flag, text
from rules.procedure import Offer
from rules.sheet import Obstruct
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.simple_contest.framing import least_missing, set_
from rules.systems.questworlds.simple_contest.opposition import resistance_form, set_against, to_mend
from rules.systems.questworlds.simple_contest.state import Result, State
from rules.values import Value

KEEP = Flag(name="keep", label="Keep as an obstacle in this scene", help="It applies to the next rolls too.")
BASE, NAMED, NPC, PREPARED = "base", "named", "npc", "prepared"
MOST = 12  # chips of people, and of prepared things: more is a list to search, not a tap


def offer_answers(state: State, sheets: Sheets) -> Iterator[Offer]:
    """Resistances to tap, for one or a whole group: the base, the named difficulties, who is here, what is prepared;
    where something is to be healed, what resists that alone (QW-62)."""
    silent = any(not entrant.chosen for entrant in state.entrants)
    if state.settings.mode not in ("one", "group") or not state.framing or state.oppositions or silent:
        return
    base, symbol = state.settings.base, state.settings.symbol
    if mended := to_mend(state, sheets):
        yield _offer("One tap, and it is ready to roll.", [
            (f"{line.field}:{line.line}", f"{line.words}, {notation(line.resistance, symbol)}") for line in mended])
        return
    listed = resistance_form(state, sheets).options or {}
    most = state.edition.modifiers.highest_rank
    names = [name for name, rank in state.edition.difficulty.names if 0 < abs(rank) <= most]
    chips: list[tuple[str, str]] = [(f"{BASE}:", f"Base {notation(base, symbol)}")]
    for name in names:
        number, _ = resistance_of(name, base, symbol, state.edition)
        if number > 0:
            chips.append((f"{NAMED}:{name}", f"{name.capitalize()} {notation(number, symbol)}"))
    for kind in (NPC, PREPARED):
        chips += [(f"{kind}:{key}", words) for key, words in listed.get(kind, ())[:MOST]]
    yield _offer("One tap, and it is ready to roll. Lasting effects on the ability count.", chips, KEEP)


def _offer(help: str, chips: Sequence[tuple[str, str]], *besides: Field) -> Offer:
    return Offer("against", "", "Answer with", help, (text("against", "Against", needed=True), *besides),
                 {"against": tuple(chips)}, chips="against")


def against(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The resistance is set, what lasts and touches the ability counts, and the frame is ready, unless somebody lacks
    what it takes."""
    kind, _, key = values["against"].partition(":")
    given: dict[str, Value] = {}
    if kind == NAMED:
        given["resistance"] = key
    elif kind != BASE:
        given[kind] = key
    opposed = set_against(state, sheets, "", check(resistance_form(state, sheets), given), faces)
    facing = after(state, opposed.events)
    if values.get("keep"):
        opposed = replace(opposed, effects=(*opposed.effects, _kept(facing, kind, key)))
    if any(least_missing(facing, entrant.id) for entrant in facing.entrants):
        return opposed
    ready = set_(facing, sheets, "", {}, faces)
    return replace(ready, events=(*opposed.events, *ready.events), steps=(*opposed.steps, *ready.steps),
                   result={**opposed.result, **ready.result}, effects=(*opposed.effects, *ready.effects))


def _kept(facing: State, kind: str, key: str) -> Obstruct:
    """What was answered with, as an obstacle of the scene: in the GM's own word, so that it moves with the base."""
    against = facing.oppositions[-1]
    word = {BASE: "", NAMED: key}.get(kind, notation(against.resistance, facing.settings.symbol))
    return Obstruct(against.name, {"resistance": word}, against.npc, against.line)


AGAINST = Act("against", offer_answers, against)
