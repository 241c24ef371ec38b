"""What experience buys, what the GM grants, and what fades (QW-61, QW-81 to QW-83)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.contests import Offer, Turn
from rules.fields import Choice, Field, Listing
from rules.moves import Outcome, Step
from rules.sheet import Become, Effect, Gain, Lose, Raise, Sheet, Spend, Trait
from rules.systems.questworlds.framed.asked import check_offer, text
from rules.systems.questworlds.notation import Score, notation, signed
from rules.systems.questworlds.traits import (
    ABILITY,
    BONUSES,
    BREAKOUT,
    FLAW,
    KEYWORD,
    SCORED,
    SIDEKICK_ABILITY,
    adds,
    flaws,
    lasting,
)
from rules.values import BadMove, Value

RAISE_MORE, RAISE, BREAK_OUT, NEW, TURN, DROP = "raise_more", "raise", "break_out", "new", "turn", "drop"
PICKS = (
    (RAISE_MORE, "+9 on an ability or breakout, +6 on a keyword"),
    (RAISE, "+6 on an ability or breakout, +3 on a keyword"),
    (BREAK_OUT, "A new ability at 13, or a new breakout at +1"),
    (NEW, "Another new ability at 13"),
    (TURN, "An ability becomes a keyword, with a breakout at +1"),
    (DROP, "A flaw is gone, or becomes an ability"),
)
BY: Mapping[str, tuple[int, int]] = {RAISE_MORE: (9, 6), RAISE: (6, 3)}
CATCH_UP, BEHIND, MOST_CATCH_UPS = 3, 5, 3


def offers(sheet: Sheet, dials: Mapping[str, Any]) -> tuple[Offer, ...]:
    """What can be done with a sheet between contests."""
    found: list[Offer] = []
    cost = int(dials["advance"])
    if sheet.pool("xp") >= cost:
        found.append(_advance(sheet, dials))
    found += [_improve(sheet, dials), _milestone(dials)]
    if lasting(sheet):
        found.append(_fade(sheet, dials))
    return tuple(each for each in found if each.action != "milestone" or dials["growth"] == "milestone")


def _options(sheet: Sheet, dials: Mapping[str, Any], *kinds: str) -> tuple[tuple[str, str], ...]:
    return tuple((trait.id, f"{trait.name} · {written(trait, dials)}") for trait in sheet.traits if trait.kind in kinds)


def written(trait: Trait, dials: Mapping[str, Any]) -> str:
    """A line's number as the game writes it."""
    return signed(trait.value) if trait.kind in BONUSES else notation(trait.value, dials["symbol"])


def _advance(sheet: Sheet, dials: Mapping[str, Any]) -> Offer:
    lines = _options(sheet, dials, *SCORED, *BONUSES, FLAW)
    fields: list[Field] = []
    options = {}
    for which, label in (("first", "First"), ("second", "Second")):
        fields += [
            Choice(name=which, label=f"{label} pick", options=PICKS,
                   default=RAISE_MORE if which == "first" else RAISE),
            text(f"{which}_on", f"{label}: which line", "What is raised, turned or dropped; a new breakout’s keyword."),
            text(f"{which}_name", f"{label}: its name", "For something new.", most=120),
        ]
        options[f"{which}_on"] = lines
    if len(flaws(sheet)) < 3:
        fields.append(text("flaw", "A new flaw, if it fits the story", most=120))
    caught = _options(sheet, dials, *(kind for kind in SCORED if kind != SIDEKICK_ABILITY))
    fields.append(Listing(name="catch_up", label="Catch up, when a pick crosses a mastery",
                          help="Up to three that are five or more below: +3 each.", default=(),
                          of=text("line", "Line")))
    options["catch_up"] = caught
    title = f"Take an advance, for {dials['advance']} experience"
    return Offer("advance", sheet.id, title, "Two different picks.", tuple(fields), options)


def _improve(sheet: Sheet, dials: Mapping[str, Any]) -> Offer:
    fields = (
        text("line", "Which line"),
        Choice(name="amount", label="How much", options=(("3", "+3"), ("6", "+6"), ("9", "+9")), default="3"),
        text("name", "Or something new", "At 13.", most=120),
        Choice(name="kind", label="It is", options=((ABILITY, "An ability"), (FLAW, "A flaw")), default=ABILITY),
        text("reason", "What for", needed=True),
    )
    return Offer("improve", "", "Direct an improvement", "A reward that the story gives.", fields,
                 {"line": _options(sheet, dials, *SCORED, *BONUSES)})


def _milestone(dials: Mapping[str, Any]) -> Offer:
    return Offer("milestone", "", "Grant a milestone", "An advance for a point that the story reached.",
                 (text("reason", "Which", needed=True),))


def _fade(sheet: Sheet, dials: Mapping[str, Any]) -> Offer:
    options = tuple((t.id, f"{t.name}, {signed(adds(t), dials['symbol'])}") for t in lasting(sheet))
    how = (("lower", "Falls by a rank"), ("gone", "Is over"))
    fields = (
        text("line", "What fades", needed=True),
        Choice(name="how", label="How far", options=how, default="lower"),
    )
    return Offer("fade", "", "Let something fade", "", fields, {"line": options})


def do(sheet: Sheet, dials: Mapping[str, Any], action: str, given: Mapping[str, Value]) -> Turn[Any]:
    """What a deed leads to; raises `BadMove`."""
    offer = next((each for each in offers(sheet, dials) if each.action == action), None)
    if offer is None:
        raise BadMove("This can't be done now.", "action")
    values = check_offer(offer, given)
    steps, effects = {"advance": advance, "improve": improve, "milestone": milestone, "fade": fade}[action](
        sheet, dials, values)
    return Turn((), Outcome({"action": action}, tuple(steps)), tuple(effects))


Answer = tuple[list[Step], list[Effect]]


def advance(sheet: Sheet, dials: Mapping[str, Any], values: Mapping[str, Any]) -> Answer:
    """Two different picks of the six, a flaw where there are fewer than three, and catch-ups (QW-81, QW-82)."""
    if values["first"] == values["second"]:
        raise BadMove("Choose two different picks.", "second")
    if values["first_on"] and values["first_on"] == values["second_on"] and DROP in (values["first"], values["second"]):
        raise BadMove("What is dropped can't be raised too.", "second_on")
    cost = int(dials["advance"])
    steps = [Step("QW-81", f"{sheet.name} takes an advance, for {cost} experience.")]
    effects: list[Effect] = [Spend(sheet.id, "xp", -cost)]
    now = {trait.id: trait for trait in sheet.traits}
    highest = 0
    for which in ("first", "second"):
        step, more = _pick(sheet, dials, values, which, now)
        steps.append(step)
        effects += more
        for effect in more:
            if isinstance(effect, Raise):
                trait = now[effect.trait]
                if trait.kind not in BONUSES and _crosses(trait.value, effect.by):
                    highest = max(highest, trait.value + effect.by)
                now[effect.trait] = replace(trait, value=trait.value + effect.by)
    if name := values.get("flaw", ""):
        score = min((t.value for t in sheet.traits if t.kind in SCORED), default=13)
        effects.append(Gain(sheet.id, FLAW, name, score))
        steps.append(Step("QW-81", f"A new flaw: {name} {notation(score, dials['symbol'])}."))
    more_steps, more = _catch_up(values["catch_up"], now, highest, dials)
    return [*steps, *more_steps], [*effects, *more]


def _crosses(value: int, by: int) -> bool:
    return Score(value + by).masteries > Score(value).masteries


def _pick(
    sheet: Sheet, dials: Mapping[str, Any], values: Mapping[str, Any], which: str, now: Mapping[str, Trait]
) -> tuple[Step, list[Effect]]:
    pick, on, name = values[which], now.get(values[f"{which}_on"]), " ".join(values[f"{which}_name"].split())
    if pick in BY:
        if on is None or on.kind == FLAW:
            raise BadMove("Say what is raised.", f"{which}_on")
        by = BY[pick][on.kind == KEYWORD]
        after = replace(on, value=on.value + by)
        alone = [Raise(each.id, -by) for each in now.values()
                 if on.kind == KEYWORD and dials["keywords"] == "package" and each.parent == on.id]
        told = ", the keyword alone" if alone else ""
        return Step("QW-81", f"{on.name} {signed(by)}: {written(after, dials)}{told}."), [Raise(on.id, by), *alone]
    if pick == DROP:
        if on is None or on.kind != FLAW:
            raise BadMove("Say which flaw.", f"{which}_on")
        if name:
            return Step("QW-81", f"The flaw {on.name} becomes an ability."), [Become(on.id, ABILITY, name)]
        return Step("QW-81", f"The flaw {on.name} is gone."), [Lose(on.id)]
    if not name:
        raise BadMove("Give it a name.", f"{which}_name")
    if any(trait.name.casefold() == name.casefold() for trait in sheet.traits):
        raise BadMove(f"{name} is on the sheet already.", f"{which}_name")
    if pick == TURN:
        if on is None or on.kind not in SCORED or on.kind == KEYWORD:
            raise BadMove("Say which ability becomes a keyword.", f"{which}_on")
        return Step("QW-81", f"{on.name} becomes a keyword, with {name} +1."), [
            Become(on.id, KEYWORD), Gain(sheet.id, BREAKOUT, name, 1, parent=on.id)]
    if pick == BREAK_OUT and on is not None:
        if on.kind != KEYWORD:
            raise BadMove("A breakout stands in a keyword.", f"{which}_on")
        return Step("QW-81", f"{on.name} breaks out into {name} +1."), [
            Gain(sheet.id, BREAKOUT, name, 1, parent=on.id)]
    return Step("QW-81", f"A new ability: {name} 13."), [Gain(sheet.id, ABILITY, name, 13)]


def _catch_up(chosen: Sequence[str], now: Mapping[str, Trait], highest: int, dials: Mapping[str, Any]) -> Answer:
    if not chosen:
        told = "A mastery is crossed: three others might have caught up." if highest else ""
        return ([Step("QW-82", told)] if told else []), []
    if not highest:
        raise BadMove("Only an ability or keyword that crosses a mastery lets others catch up.", "catch_up")
    if len(chosen) > MOST_CATCH_UPS:
        raise BadMove("Three at most catch up.", "catch_up")
    steps, effects = [], []
    for pk in chosen:
        trait = now[pk]
        if trait.value > highest - BEHIND:
            raise BadMove(f"{trait.name} is not five below {notation(highest, dials['symbol'])}.", "catch_up")
        effects.append(Raise(pk, CATCH_UP))
        after = notation(trait.value + CATCH_UP, dials["symbol"])
        steps.append(Step("QW-82", f"{trait.name} catches up: +3, {after}."))
    return steps, [*effects]


def improve(sheet: Sheet, dials: Mapping[str, Any], values: Mapping[str, Any]) -> Answer:
    """What the GM gives (QW-83)."""
    trait = sheet.trait(values["line"])
    reason = values["reason"].rstrip(".")
    if values["name"]:
        gained = f"{values['name']} 13" if values["kind"] == ABILITY else f"the flaw {values['name']} 13"
        return ([Step("QW-83", f"{sheet.name} gets {gained}: {reason}.")],
                [Gain(sheet.id, values["kind"], values["name"], 13)])
    if trait is None:
        raise BadMove("Say what is raised, or name something new.", "line")
    by = int(values["amount"])
    after = written(replace(trait, value=trait.value + by), dials)
    return [Step("QW-83", f"{sheet.name}: {trait.name} {signed(by)}, now {after}: {reason}.")], [Raise(trait.id, by)]


def milestone(sheet: Sheet, dials: Mapping[str, Any], values: Mapping[str, Any]) -> Answer:
    """An advance without experience (QW-83)."""
    told = f"{sheet.name} reaches a milestone, worth an advance: {values['reason'].rstrip('.')}."
    return [Step("QW-83", told)], [Spend(sheet.id, "xp", int(dials["advance"]))]


def fade(sheet: Sheet, dials: Mapping[str, Any], values: Mapping[str, Any]) -> Answer:
    """A consequence or benefit loses a rank, or is over (QW-61)."""
    trait = sheet.trait(values["line"])
    if trait is None:
        raise BadMove("Choose what fades.", "line")
    return faded(sheet, trait, values["how"], dials["symbol"])


def faded(sheet: Sheet, trait: Trait, how: str, symbol: str) -> Answer:
    """What fading does to one line."""
    if how == "gone" or trait.value <= 1:
        return [Step("QW-61", f"{sheet.name}: {trait.name} is over.")], [Lose(trait.id)]
    after = signed(adds(replace(trait, value=trait.value - 1)), symbol)
    return [Step("QW-61", f"{sheet.name}: {trait.name} falls to rank {trait.value - 1}, {after}.")], [
        Raise(trait.id, -1)
    ]
