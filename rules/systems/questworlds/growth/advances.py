"""What experience buys: two different picks of the six, a flaw, and who catches up (QW-81, QW-82)."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.contests import Offer
from rules.fields import Choice, Field
from rules.moves import Step
from rules.sheet import Become, Effect, Gain, Lose, Sheet, Spend, Trait
from rules.systems.questworlds.framed.asked import text
from rules.systems.questworlds.growth.improving import (
    NEW_AT,
    Answer,
    Dials,
    applied,
    catch_up,
    catch_up_field,
    fresh_name,
    new_flaw,
    options,
    raised,
    told,
)
from rules.systems.questworlds.notation import signed
from rules.systems.questworlds.traits import (
    ABILITY,
    ADVERSARY,
    ALLY,
    BONUSES,
    BREAKOUT,
    CHARACTERISTIC,
    CONTACT,
    DEPENDENT,
    FLAW,
    FLAWS,
    KEYWORD,
    PATRON,
    RELATIONSHIP,
    RETAINER,
    SCORED,
    counted_flaws,
    is_package,
)
from rules.values import BadMove

RAISE_MORE, RAISE, BREAK_OUT, NEW, TURN, DROP = "raise_more", "raise", "break_out", "new", "turn", "drop"
UMBRELLA_PICKS = (
    (RAISE_MORE, "+9, or +6 on a keyword"),
    (RAISE, "+6, or +3 on a keyword"),
    (BREAK_OUT, "A new ability at 13, or a breakout at +1"),
    (NEW, "Another new ability at 13"),
    (TURN, "An ability becomes a keyword, with a breakout"),
    (DROP, "A flaw is gone, or becomes an ability"),
)
PACKAGE_PICKS = (
    *UMBRELLA_PICKS[:2],
    (BREAK_OUT, "A new ability at 13, in a keyword or not"),
    UMBRELLA_PICKS[3],
    (TURN, "An ability becomes a keyword, with one in it"),
    UMBRELLA_PICKS[5],
)
BY: Mapping[str, tuple[int, int]] = {RAISE_MORE: (9, 6), RAISE: (6, 3)}
NEW_KINDS = (
    (ABILITY, "An ability"), (ALLY, "An ally"), (PATRON, "A patron"), (CONTACT, "A contact"),
    (RELATIONSHIP, "Another relationship"), (RETAINER, "Retainers"),
)
FLAW_KINDS = ((FLAW, "A flaw"), (DEPENDENT, "A dependent"), (ADVERSARY, "An adversary"))
MOST_FLAWS = 3
PLACES = (("first", "First"), ("second", "Second"))


def offer(sheet: Sheet, dials: Dials) -> Offer:
    """Two picks, each with the line it is for, which says what would become of it."""
    lines = [trait for trait in sheet.traits if trait.kind in (*SCORED, *BONUSES, *FLAWS)]
    shown = options(sheet, dials, lines, _amounts)
    fields: list[Field] = []
    offered = {}
    for place, ((which, label), pick) in enumerate(zip(PLACES, (RAISE_MORE, RAISE), strict=True)):
        fields += _fields(which, label, pick, dials, named=not place)
        offered[f"{which}_on"] = shown
    if len(counted_flaws(sheet)) < MOST_FLAWS:
        fields += [text("flaw", "A new flaw, if it fits the story", "Its score follows from those that there are.",
                        most=120),
                   Choice(name="flaw_kind", label="It is", options=FLAW_KINDS, default=FLAW)]
    if found := catch_up_field(sheet, dials, lambda trait: sum(_amounts(trait))):
        fields.append(found[0])
        offered["catch_up"] = found[1]
    by_xp = dials["growth"] == "xp"
    title = f"Take an advance, for {dials['advance']} experience" if by_xp else "Take the milestone’s advance"
    return Offer("advance", sheet.id, title, "Two different picks.", tuple(fields), offered)


def _fields(which: str, label: str, pick: str, dials: Dials, *, named: bool) -> list[Field]:
    picks = PACKAGE_PICKS if is_package(dials) else UMBRELLA_PICKS
    line = "What is raised, turned or dropped, or the keyword that something new stands in."
    name = "For something new, and for a flaw that becomes an ability. Without a name a flaw is gone."
    return [
        Choice(name=which, label=f"{label} pick", options=picks, default=pick),
        text(f"{which}_on", f"{label}: which line", line if named else ""),
        text(f"{which}_name", f"{label}: its name", name if named else "", most=120),
        Choice(name=f"{which}_kind", label=f"{label}: what is new", options=NEW_KINDS, default=ABILITY),
    ]


def _amounts(trait: Trait) -> tuple[int, ...]:
    """What either pick adds to a line."""
    return () if trait.kind in FLAWS else tuple(by[trait.kind == KEYWORD] for by in BY.values())


def advance(sheet: Sheet, dials: Dials, values: Mapping[str, Any]) -> Answer:
    """Two different picks of the six, a flaw where there are fewer than three, and catch-ups (QW-81, QW-82)."""
    if values["first"] == values["second"]:
        raise BadMove("Choose two different picks.", "second")
    if values["first_on"] and values["first_on"] == values["second_on"] and DROP in (values["first"], values["second"]):
        raise BadMove("What is dropped can't be raised too.", "second_on")
    cost = int(dials["advance"])
    price = f", for {cost} experience" if dials["growth"] == "xp" else ""
    steps = [Step("QW-81", f"{sheet.name} takes an advance{price}.")]
    effects: list[Effect] = [Spend(sheet.id, "xp", -cost)]
    now = sheet
    for which, _ in PLACES:
        why, more = _pick(now, dials, values, which)
        steps, effects, now = steps + why, effects + more, applied(now, more)
    why, more = catch_up(values.get("catch_up", ()), sheet, now, dials)
    steps, effects, now = steps + why, effects + more, applied(now, more)
    if values.get("flaw", ""):
        # Last, so that its score comes of the abilities as they are from now on.
        step, gained = new_flaw(now, values["flaw_kind"], values["flaw"], "flaw", dials)
        steps, effects = [*steps, Step("QW-81", f"A new flaw: {gained.name}."), step], [*effects, gained]
    return steps, effects


def _pick(sheet: Sheet, dials: Dials, values: Mapping[str, Any], which: str) -> Answer:
    """One pick, on the sheet as the picks before it left it."""
    pick, on, name = values[which], sheet.trait(values[f"{which}_on"]), " ".join(values[f"{which}_name"].split())
    if pick in BY:
        return _raise(sheet, dials, on, BY[pick], which, name)
    if pick == DROP:
        return _drop(sheet, on, name, which)
    name = fresh_name(sheet, name, f"{which}_name")
    if pick == TURN:
        return _turn(sheet, dials, on, name, which)
    kind = values[f"{which}_kind"]
    if on is None:
        return [Step("QW-81", f"A new ability: {name} {NEW_AT}.")], [Gain(sheet.id, kind, name, NEW_AT)]
    if pick == NEW:
        raise BadMove("What is new here stands by itself. Leave the line open.", f"{which}_on")
    if on.kind != KEYWORD:
        raise BadMove("Something new stands in a keyword, or by itself." if is_package(dials) else
                      "A breakout stands in a keyword.", f"{which}_on")
    if kind != ABILITY:
        raise BadMove("In a keyword stand abilities. Leave the line open for somebody new.", f"{which}_kind")
    if is_package(dials):
        # Kept as what it has beside its keyword, and worth a new ability's score by itself.
        return ([Step("QW-81", f"A new ability of {on.name}: {name} {NEW_AT}.")],
                [Gain(sheet.id, BREAKOUT, name, NEW_AT - on.value, parent=on.id)])
    return ([Step("QW-81", f"{on.name} breaks out into {name} +1.")],
            [Gain(sheet.id, BREAKOUT, name, 1, parent=on.id)])


def _raise(sheet: Sheet, dials: Dials, on: Trait | None, amounts: tuple[int, int], which: str, name: str) -> Answer:
    if on is None or on.kind in FLAWS:
        raise BadMove("Say what is raised.", f"{which}_on")
    if name:
        raise BadMove("What is raised keeps its name. Leave this open.", f"{which}_name")
    by = amounts[on.kind == KEYWORD]
    why, effects = raised(on, by, sheet, dials)
    after = applied(sheet, effects)
    now = told(after.trait(on.id) or on, after, dials)
    return [Step("QW-81", f"{on.name} {signed(by)}: {told(on, sheet, dials)} becomes {now}."), *why], effects


def _drop(sheet: Sheet, on: Trait | None, name: str, which: str) -> Answer:
    if on is None or on.kind not in FLAWS:
        raise BadMove("Say which flaw.", f"{which}_on")
    if not name:
        return [Step("QW-81", f"The flaw {on.name} is gone.")], [Lose(on.id)]
    name = fresh_name(sheet, name, f"{which}_name")
    kind = RELATIONSHIP if on.kind == DEPENDENT else ABILITY
    step = Step("QW-81", f"The flaw {on.name} becomes an ability: {name}.")
    if on.parent or not on.value:
        # It leaves the keyword that it came with; one that never had a score begins as any ability does.
        return [step], [Lose(on.id), Gain(sheet.id, kind, name, on.value or NEW_AT, on.note)]
    return [step], [Become(on.id, kind, name)]


def _turn(sheet: Sheet, dials: Dials, on: Trait | None, name: str, which: str) -> Answer:
    if on is None or on.kind not in (ABILITY, CHARACTERISTIC, RELATIONSHIP):
        raise BadMove("Say which ability becomes a keyword.", f"{which}_on")
    within = f"{name} one above it" if is_package(dials) else f"{name} +1"
    return [Step("QW-81", f"{on.name} becomes a keyword, with {within}.")], [
        Become(on.id, KEYWORD), Gain(sheet.id, BREAKOUT, name, 1, parent=on.id)]


