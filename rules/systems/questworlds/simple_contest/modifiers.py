"""What counts for or against somebody, each with its reason: added, applied from the sheet, removed (QW-21, QW-61)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Step
from rules.systems.questworlds.older.states import worth_of
from rules.systems.questworlds.simple_contest import events as e
from rules.systems.questworlds.simple_contest.offer_forms import BUMP, KINDS, Sheets, counts
from rules.systems.questworlds.simple_contest.state import State
from rules.systems.questworlds.traits import adds, bumps_down, together
from rules.wording import sentence


def modify(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """A modifier with its kind and its reason (QW-21)."""
    who, (kind, _, written) = values["whom"], values["line"].partition(":")
    label, down = dict(KINDS)[kind], written == BUMP
    made = e.Modifier(who, kind, label, 0 if down else int(written), values["reason"], down=int(down))
    amount = counts(made, state.settings.symbol)
    text = f"{state.entrant(who).name}, {amount}. {label}: {sentence(made.reason)}"
    return e.Result((e.Modified(made),), (Step("QW-21", text),))


def lasting(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """Consequences and benefits from earlier contests, several of them together (QW-60, QW-61)."""
    found: list[e.Modified] = []
    steps: list[Step] = []
    symbol, by_value = state.settings.symbol, state.settings.by_value
    for each in state.entrants:
        traits = [trait for pk in values["lines"] if (trait := sheets[each.id].trait(pk))]
        if not traits:
            continue
        amount = together(traits, by_value, state.edition)
        names = ", ".join(f"{trait.name} {worth_of(trait, symbol, state.edition)}" for trait in traits)
        sources = tuple(trait.id for trait in traits)
        down = sum(bumps_down(trait) for trait in traits)
        made = e.Modifier(each.id, "lasting", names, amount, "", sources[0], sources=sources, down=down)
        found.append(e.Modified(made))
        several = len(traits) > 1
        how = f", taken together {'by what each adds' if by_value else 'by rank'}" if several else ""
        steps.append(Step("QW-61" if several else "QW-60",
                          f"{each.name}: {names}{how}, comes to {counts(made, symbol)}."))
    return e.Result(tuple(found), tuple(steps))


def support(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """What a community gave for one contest counts here; it leaves the sheet with the outcome (QW-93)."""
    trait = next(each for each in sheets[by].traits if each.id == values["line"])
    amount = adds(trait, state.edition)
    made = e.Modifier(by, "community", trait.name, amount, trait.note, trait.id)
    text = f"{trait.name} counts for {sheets[by].name}: {counts(made, state.settings.symbol)}."
    return e.Result((e.Modified(made),), (Step("QW-93", text),))


def take_back(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """A modifier goes; whoever offered it may offer another."""
    place = int(values["line"])
    gone = state.modifiers[place]
    offered = tuple(e.Answered(number, "refused", 0) for number, each in enumerate(state.proposals)
                    if gone.kind == "augment" and (each.trait, each.whom) == (gone.source, gone.who) and each.helps)
    text = f"{gone.label}, {counts(gone, state.settings.symbol)}, no longer counts."
    return e.Result((e.TookBack(place), *offered), (Step("QW-21", text),))
