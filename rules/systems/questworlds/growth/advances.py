"""What experience buys: two different picks of the six, a flaw, and who catches up (QW-81, QW-82)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.engine import check
from rules.fields import Choice, Field, text
from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import Become, Effect, Gain, Lose, Sheet, Spend, Trait
from rules.system import MadeAdvance
from rules.systems.questworlds.edition import GrowthRule
from rules.systems.questworlds.growth.improving import (
    Answer,
    Options,
    applied,
    catch_up,
    catch_up_field,
    fresh_name,
    new_flaw,
    options,
    raised,
    score_text,
    triggers,
)
from rules.systems.questworlds.growth.terms import GrowthTerms
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
)
from rules.values import BadMove, Value

RAISE_MORE, RAISE, BREAK_OUT, NEW, TURN, DROP = "raise_more", "raise", "break_out", "new", "turn", "drop"
NEW_KINDS = (
    (ABILITY, "An ability"), (ALLY, "An ally"), (PATRON, "A patron"), (CONTACT, "A contact"),
    (RELATIONSHIP, "Another relationship"), (RETAINER, "Retainers"),
)
FLAW_KINDS = ((FLAW, "A flaw"), (DEPENDENT, "A dependent"), (ADVERSARY, "An adversary"))
PLACES = (("first", "First"), ("second", "Second"))


def _by(rule: GrowthRule) -> Mapping[str, tuple[int, int]]:
    """What the picks that raise add to a line; the second number is a keyword's."""
    return {RAISE_MORE: rule.raise_more, RAISE: rule.raise_less}


def _picks(terms: GrowthTerms) -> Options:
    """The six, of which two are taken."""
    raises = tuple((pick, f"{signed(by)}, or {signed(keyword)} on a keyword")
                   for pick, (by, keyword) in _by(terms.rule).items())
    new = f"A new ability at {terms.rule.new_ability}"
    out = f"{new}, in a keyword or not" if terms.package else (
        f"{new}, or a breakout at {signed(terms.rule.new_breakout)}")
    return (
        *raises,
        (BREAK_OUT, out),
        (NEW, f"Another new ability at {terms.rule.new_ability}"),
        (TURN, f"An ability becomes a keyword, with {'one in it' if terms.package else 'a breakout'}"),
        (DROP, "A flaw is gone, or becomes an ability"),
    )


def offer(sheet: Sheet, terms: GrowthTerms) -> Offer:
    """Two picks, each with the line it is for, which says what would become of it."""
    lines = [trait for trait in sheet.traits if trait.kind in (*SCORED, *BONUSES, *FLAWS)]
    shown = options(sheet, terms, lines, lambda trait: _amounts(trait, terms.rule))
    fields: list[Field] = []
    offered = {}
    for place, ((which, label), pick) in enumerate(zip(PLACES, (RAISE_MORE, RAISE), strict=True)):
        fields += _fields(which, label, pick, terms, named=not place)
        offered[f"{which}_on"] = shown
    if len(counted_flaws(sheet)) < terms.creation.flaws:
        fields += [text("flaw", "A new flaw, if it fits the story", "Its score follows from those that there are.",
                        most=120),
                   Choice(name="flaw_kind", label="Kind", options=FLAW_KINDS, default=FLAW)]
    if catching_up := catch_up_field(sheet, terms, lambda trait: sum(_amounts(trait, terms.rule))):
        fields.append(catching_up[0])
        offered["catch_up"] = catching_up[1]
    by_xp = terms.by_xp
    title = f"Take an advance, for {terms.cost} experience" if by_xp else "Take the milestone’s advance"
    return Offer("advance", sheet.id, title, "Two different picks.", tuple(fields), offered)


def _fields(which: str, label: str, pick: str, terms: GrowthTerms, *, named: bool) -> list[Field]:
    line = "What is raised, turned or dropped, or the keyword that something new belongs to."
    name = "For something new, and for a flaw that becomes an ability. Without a name a flaw is gone."
    return [
        Choice(name=which, label=f"{label} pick", options=_picks(terms), default=pick),
        text(f"{which}_on", f"{label}: which line", line if named else ""),
        text(f"{which}_name", f"{label}: its name", name if named else "", most=120),
        Choice(name=f"{which}_kind", label=f"{label}: what is new", options=NEW_KINDS, default=ABILITY),
    ]


def _amounts(trait: Trait, rule: GrowthRule) -> tuple[int, ...]:
    """What either pick adds to a line."""
    return () if trait.kind in FLAWS else tuple(by[trait.kind == KEYWORD] for by in _by(rule).values())


def advance(sheet: Sheet, terms: GrowthTerms, values: Mapping[str, Any]) -> Answer:
    """Two different picks of the six, a flaw where there are fewer than three, and catch-ups (QW-81, QW-82)."""
    if values["first"] == values["second"]:
        raise BadMove("Choose two different picks.", "second")
    if values["first_on"] and values["first_on"] == values["second_on"] and DROP in (values["first"], values["second"]):
        raise BadMove("You can’t drop and raise the same one.", "second_on")
    cost = terms.cost
    price = f", for {cost} experience" if terms.by_xp else ""
    steps = [Step("QW-81", f"{sheet.name} takes an advance{price}.")]
    effects: list[Effect] = [Spend(sheet.id, "xp", -cost)]
    now = sheet
    for which, _ in PLACES:
        why, more = _pick(now, terms, values, which)
        steps, effects, now = steps + why, effects + more, applied(now, more)
    why, more = catch_up(values.get("catch_up", ()), sheet, now, terms)
    steps, effects, now = steps + why, effects + more, applied(now, more)
    if values.get("flaw", ""):
        # Last, so that its score comes of the abilities as they are from now on.
        step, gained = new_flaw(now, values["flaw_kind"], values["flaw"], "flaw", terms)
        steps, effects = [*steps, Step("QW-81", f"A new flaw: {gained.name}."), step], [*effects, gained]
    return steps, effects


def made_of(sheet: Sheet, used: Sequence[str], terms: GrowthTerms) -> MadeAdvance | None:
    """The first two of these lines that rise, the first of them by more. It is not `complete` while a flaw is due, nor
    where a mastery that is crossed lets others catch up (QW-81, QW-82)."""
    raisable = [trait for pk in used if (trait := sheet.trait(pk)) and trait.kind in (*SCORED, *BONUSES)]
    if sheet.pool("xp") < terms.cost or len(raisable) < len(PLACES):
        return None
    lines = raisable[:len(PLACES)]
    values: dict[str, Value] = {}
    for (which, _), pick, line in zip(PLACES, (RAISE_MORE, RAISE), lines, strict=True):
        values |= {which: pick, f"{which}_on": line.id}
    form = offer(sheet, terms)
    try:
        _, effects = advance(sheet, terms, check(form, values))
    except BadMove:
        return None
    after = applied(sheet, effects)
    rising = tuple((line.name, score_text(line, sheet, terms), score_text(after.trait(line.id) or line, after, terms))
                   for line in lines)
    due = {"flaw", *(["catch_up"] if triggers(sheet, after, terms) else [])}
    return MadeAdvance(values, rising, not any(field.name in due for field in form.fields))


def _pick(sheet: Sheet, terms: GrowthTerms, values: Mapping[str, Any], which: str) -> Answer:
    """One pick, on the sheet as the picks before it left it."""
    pick, on, name = values[which], sheet.trait(values[f"{which}_on"]), " ".join(values[f"{which}_name"].split())
    if amounts := _by(terms.rule).get(pick):
        return _raise(sheet, terms, on, amounts, which, name)
    if pick == DROP:
        return _drop(sheet, terms, on, name, which)
    name = fresh_name(sheet, name, f"{which}_name")
    if pick == TURN:
        return _turn(sheet, terms, on, name, which)
    kind, new_at, breakout = values[f"{which}_kind"], terms.rule.new_ability, terms.rule.new_breakout
    if on is None:
        return [Step("QW-81", f"A new ability: {name} {new_at}.")], [Gain(sheet.id, kind, name, new_at)]
    if pick == NEW:
        raise BadMove("Something new here belongs to no keyword. Leave the line blank.", f"{which}_on")
    if on.kind != KEYWORD:
        raise BadMove("Something new is in a keyword, or separate." if terms.package else
                      "A breakout belongs to a keyword.", f"{which}_on")
    if kind != ABILITY:
        raise BadMove("Keywords hold abilities. Leave the line blank for someone new.", f"{which}_kind")
    if terms.package:
        # Kept as what it has beside its keyword, and worth a new ability's score by itself.
        return ([Step("QW-81", f"A new ability of {on.name}: {name} {new_at}.")],
                [Gain(sheet.id, BREAKOUT, name, new_at - on.value, parent=on.id)])
    return ([Step("QW-81", f"{on.name} breaks out into {name} {signed(breakout)}.")],
            [Gain(sheet.id, BREAKOUT, name, breakout, parent=on.id)])


def _raise(
    sheet: Sheet, terms: GrowthTerms, on: Trait | None, amounts: tuple[int, int], which: str, name: str
) -> Answer:
    if on is None or on.kind in FLAWS:
        raise BadMove("Choose a trait to raise.", f"{which}_on")
    if name:
        raise BadMove("A raised trait keeps its name. Leave this blank.", f"{which}_name")
    by = amounts[on.kind == KEYWORD]
    why, effects = raised(on, by, sheet, terms)
    after = applied(sheet, effects)
    now = score_text(after.trait(on.id) or on, after, terms)
    return [Step("QW-81", f"{on.name} {signed(by)}: {score_text(on, sheet, terms)} becomes {now}."), *why], effects


def _drop(sheet: Sheet, terms: GrowthTerms, on: Trait | None, name: str, which: str) -> Answer:
    if on is None or on.kind not in FLAWS:
        raise BadMove("Choose a flaw.", f"{which}_on")
    if not name:
        return [Step("QW-81", f"The flaw {on.name} is gone.")], [Lose(on.id)]
    name = fresh_name(sheet, name, f"{which}_name")
    kind = RELATIONSHIP if on.kind == DEPENDENT else ABILITY
    step = Step("QW-81", f"The flaw {on.name} becomes an ability: {name}.")
    if on.parent or not on.value:
        # It leaves the keyword that it came with; one that never had a score begins as any ability does.
        return [step], [Lose(on.id), Gain(sheet.id, kind, name, on.value or terms.rule.new_ability, on.note)]
    return [step], [Become(on.id, kind, name)]


def _turn(sheet: Sheet, terms: GrowthTerms, on: Trait | None, name: str, which: str) -> Answer:
    if on is None or on.kind not in (ABILITY, CHARACTERISTIC, RELATIONSHIP):
        raise BadMove("Choose the ability that becomes a keyword.", f"{which}_on")
    breakout = terms.rule.new_breakout
    within = f"{name} {signed(breakout)}"
    return [Step("QW-81", f"{on.name} becomes a keyword, with {within}.")], [
        Become(on.id, KEYWORD), Gain(sheet.id, BREAKOUT, name, breakout, parent=on.id)]


