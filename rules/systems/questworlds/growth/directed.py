"""What the GM gives: an improvement for what the story brought, an advance at a milestone (QW-83)."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.fields import Choice, Field, text
from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import Effect, Gain, Lose, Sheet, Spend
from rules.systems.questworlds.growth.advances import FLAW_KINDS, NEW_KINDS
from rules.systems.questworlds.growth.improving import (
    Answer,
    Options,
    applied,
    catch_up,
    catch_up_field,
    fresh_name,
    named,
    new_flaw,
    options,
    raised,
    score_text,
)
from rules.systems.questworlds.growth.terms import GrowthTerms
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.traits import ABILITY, BONUSES, FLAWS, SCORED, counted_flaws
from rules.values import BadMove


def improvement(sheet: Sheet, terms: GrowthTerms) -> Offer:
    """One line rises, or something new comes; with three flaws one may give way."""
    lines = [trait for trait in sheet.traits if trait.kind in (*SCORED, *BONUSES)]
    offered: dict[str, Options] = {"line": options(sheet, terms, lines, lambda trait: terms.rule.directed)}
    amounts = tuple((str(by), signed(by)) for by in terms.rule.directed)
    fields: list[Field] = [
        text("line", "Ability"),
        Choice(name="amount", label="How much", options=amounts, default=amounts[0][0]),
        text("name", "Or something new", f"An ability at {terms.rule.new_ability}, or a flaw.", most=120),
        Choice(name="kind", label="Kind", options=(*NEW_KINDS, *FLAW_KINDS), default=ABILITY),
    ]
    if len(counted_flaws(sheet)) >= terms.creation.flaws:
        fields.append(text("drops", "A flaw that is replaced by the new one", "If its player asks for it."))
        offered["drops"] = tuple((trait.id, f"{trait.name} · {notation(trait.value, terms.symbol)}")
                                 for trait in counted_flaws(sheet))
    if catching_up := catch_up_field(sheet, terms, lambda trait: terms.rule.directed[-1]):
        fields.append(catching_up[0])
        offered["catch_up"] = catching_up[1]
    fields.append(text("reason", "Reason", needed=True))
    return Offer("improve", "", "Give a directed improvement", "A reward that the story gives.", tuple(fields), offered)


def improve(sheet: Sheet, terms: GrowthTerms, values: Mapping[str, Any]) -> Answer:
    """A line raised, or something new (QW-83). *Ruling*: crossing a mastery lets others catch up here too (QW-82)."""
    reason = values["reason"].rstrip(".")
    if values["name"] and values["line"]:
        raise BadMove("Raise a line, or give something new: one at a time.", "name")
    if values["kind"] not in FLAWS and values.get("drops"):
        raise BadMove("Only a new flaw takes the place of one.", "drops")
    if values["name"]:
        if values.get("catch_up"):
            raise BadMove("Only an ability or keyword that crosses a mastery lets others catch up.", "catch_up")
        return _new(sheet, terms, values, reason)
    trait = sheet.trait(values["line"])
    if trait is None:
        raise BadMove("Choose what to raise, or name something new.", "line")
    if values.get("drops"):
        raise BadMove("Name the flaw that takes its place.", "name")
    by = int(values["amount"])
    why, effects = raised(trait, by, sheet, terms)
    after = applied(sheet, effects)
    now = score_text(after.trait(trait.id) or trait, after, terms)
    step = Step("QW-83", f"{sheet.name}: {named(trait, sheet)} {signed(by)}, now {now}: {reason}.")
    more, caught = catch_up(values.get("catch_up", ()), sheet, after, terms)
    return [step, *why, *more], [*effects, *caught]


def _new(sheet: Sheet, terms: GrowthTerms, values: Mapping[str, Any], reason: str) -> Answer:
    kind = values["kind"]
    if kind not in FLAWS:
        name = fresh_name(sheet, values["name"], "name")
        return ([Step("QW-83", f"{sheet.name} gets {name} {terms.rule.new_ability}: {reason}.")],
                [Gain(sheet.id, kind, name, terms.rule.new_ability)])
    gone = sheet.trait(values.get("drops", ""))
    effects: list[Effect] = [Lose(gone.id)] if gone else []
    step, gained = new_flaw(applied(sheet, effects), kind, values["name"], "name", terms)
    steps = [Step("QW-83", f"{sheet.name} gets the flaw {gained.name}: {reason}.")]
    if gone:
        steps.append(Step("QW-83", f"{gone.name} is replaced by it."))
    return [*steps, step], [*effects, gained]


def milestone_offer() -> Offer:
    """An advance without experience."""
    return Offer("milestone", "", "Grant a milestone", "An advance for a point that the story reached.",
                 (text("reason", "Milestone", needed=True),))


def milestone(sheet: Sheet, terms: GrowthTerms, values: Mapping[str, Any]) -> Answer:
    """What an advance costs comes at once, in the place of points one by one (QW-83)."""
    text = f"{sheet.name} reaches a milestone, worth an advance: {values['reason'].rstrip('.')}."
    return [Step("QW-83", text)], [Spend(sheet.id, "xp", terms.cost)]
