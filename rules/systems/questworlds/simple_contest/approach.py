"""How somebody goes about it: the tactic, the ability, and what a new approach leaves behind (QW-20, QW-22, QW-70)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.moves import Step
from rules.sheet import Effect, Gain, Raise, Sheet
from rules.systems.questworlds.abilities import combined
from rules.systems.questworlds.builder import flaws_moved
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.simple_contest import events as e
from rules.systems.questworlds.simple_contest.evolve import OF_AN_APPROACH
from rules.systems.questworlds.simple_contest.mass_conflict import use_force
from rules.systems.questworlds.simple_contest.offer_forms import CONTACTS, Sheets, akin, counts
from rules.systems.questworlds.simple_contest.state import State, plain
from rules.systems.questworlds.traits import ABILITY, BREAKOUT, KEYWORD, family, score_of
from rules.values import BadMove
from rules.wording import join, sentence

Because = tuple[tuple[e.Event, ...], tuple[Step, ...]]


def choose(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """The tactic and the ability (QW-20, QW-06, QW-26, QW-70, QW-76)."""
    if state.lent:
        return use_force(state, by, values)
    sheet = sheets[by]
    chosen = _chosen(state, sheet, values)
    made = _made_up(state, sheet, chosen)
    steps = _said(state, sheet, chosen, made)
    dropped, why = _dropped(state, sheet, chosen)
    stretch, through = _contacts(state, sheet, chosen) if values.get("contacts") else ((), ())
    events, steps = (e.Chose(by, chosen), *dropped, *stretch), (*steps, *why, *through)
    rival = state.rival(by) if state.pair else None
    if rival is None:
        return e.Result(events, steps, effects=made)
    if rival.chosen is None:
        # A new line on the sheet would tell of a secret choice: it goes there when both have chosen.
        return e.Result(events, steps, sealed=True)
    made_before = _made_up(state, sheets[rival.id], rival.chosen)
    steps = (*steps, *_said(state, sheets[rival.id], rival.chosen, made_before))
    return e.Result(events, steps, effects=(*made, *made_before))


def _chosen(state: State, sheet: Sheet, values: Mapping[str, Any]) -> e.Chosen:
    """What is used: an ability of the sheet, one that is made up now, or none that fits."""
    tactic, goal = values["tactic"], values.get("second_goal", "")
    if new := values.get("new", ""):
        if any(trait.name.casefold() == new.casefold() for trait in sheet.traits):
            raise BadMove(f"{new} is on the sheet already. Choose it above.", "new")
        keyword = sheet.trait(values.get("within", ""))
        # In a package it is an ability by itself, written as what it has more, or less, than its keyword (QW-73).
        rule = state.edition.creation
        score = keyword.value + rule.breakout if keyword and not state.settings.packages else rule.other
        chosen = e.Chosen(tactic, "", new, score, keyword.id if keyword else "", goal=goal)
    elif trait := sheet.trait(values["ability"]):
        chosen = e.Chosen(tactic, trait.id, trait.name, score_of(trait, sheet), family(trait), goal=goal)
    else:
        chosen = e.Chosen(tactic, goal=goal)
    second = sheet.trait(values["second"])
    if second is None:
        return chosen
    if chosen.score is None or second.id == chosen.trait:
        raise BadMove("Choose two different abilities, or one alone.", "second")
    return replace(chosen, second=second.name, second_score=score_of(second, sheet), second_trait=second.id,
                   second_family=family(second))


def _made_up(state: State, sheet: Sheet, chosen: e.Chosen) -> tuple[Effect, ...]:
    """The ability that goes onto the sheet, where what is used is not on it yet (QW-70), and the flaws that move with
    it: a sheet that has room for one is not finished (QW-74)."""
    if chosen.trait or chosen.score is None or any(trait.name == chosen.name for trait in sheet.traits):
        return ()
    moved = (Raise(flaw.id, score - flaw.value)
             for flaw, score in flaws_moved(sheet, chosen.score, state.edition.creation))
    if keyword := sheet.trait(chosen.family):
        return (Gain(sheet.id, BREAKOUT, chosen.name, chosen.score - keyword.value, parent=keyword.id), *moved)
    return (Gain(sheet.id, ABILITY, chosen.name, chosen.score), *moved)


def _dropped(state: State, sheet: Sheet, chosen: e.Chosen) -> Because:
    """What goes with the earlier approach: what was laid on it (QW-21), the people of its keyword (QW-76), and one's
    own augments that are used now, or stand in the same keyword as what is used (QW-22)."""
    def near(trait_id: str) -> bool:
        line = sheet.trait(trait_id)
        return line is not None and bool(akin(state, chosen, line))

    mine = [(place, each) for place, each in enumerate(state.modifiers) if each.who == sheet.id]
    close = [(place, each) for place, each in mine if each.kind == "augment" and near(each.source)]
    people = [(place, each) for place, each in mine if each.source == CONTACTS]
    laid = [(place, each) for place, each in mine if each.kind in OF_AN_APPROACH and each.source != CONTACTS
            and _is_another(state.entrant(sheet.id).chosen, chosen)]
    open_ = [place for place, each in enumerate(state.proposals)
             if (each.by, each.whom) == (sheet.id, sheet.id) and each.verdict != "refused" and near(each.trait)]
    # From the last on: each that goes moves those behind it.
    gone = sorted((place for place, _ in (*close, *people, *laid)), reverse=True)
    steps = []
    if close:
        names = join([each.label for _, each in close])
        verb = "augments: it is" if len(close) == 1 else "augment: they are"
        steps.append(Step("QW-22", f"{names} no longer {verb} what is used, or close to it."))
    if laid:
        names = join([f"{each.label} ({counts(each, state.settings.symbol)})" for _, each in laid])
        verb = "counts: it was" if len(laid) == 1 else "count: they were"
        steps.append(Step("QW-21", f"{names} no longer {verb} for the earlier approach."))
    return (*(e.TookBack(place) for place in gone), *(e.Answered(place, "refused", 0) for place in open_)), tuple(steps)


def _is_another(before: e.Chosen | None, now: e.Chosen) -> bool:
    """Whether it is a new approach, and not the same one with another comma."""
    if before is None:
        return False
    return (plain(before.tactic), before.name, before.second) != (plain(now.tactic), now.name, now.second)


def _contacts(state: State, sheet: Sheet, chosen: e.Chosen) -> Because:
    """The people of an occupation, in the place of a contact of one's own: always a stretch (QW-76)."""
    trait = sheet.trait(chosen.trait)
    if trait is None or trait.kind != KEYWORD:
        raise BadMove("Only a keyword has people of its own: choose one above.", "contacts")
    amount = state.edition.modifiers.default_stretch
    people = f"People that {sheet.name} knows as {trait.name}"
    made = e.Modifier(sheet.id, "stretch", "A stretch", amount, people, CONTACTS)
    text = f"{trait.name} is used for the people it knows: a stretch, {signed(amount)}."
    return (e.Modified(made),), (Step("QW-76", text),)


def _said(state: State, sheet: Sheet, chosen: e.Chosen, made: tuple[Effect, ...]) -> tuple[Step, ...]:
    who, symbol, goal = sheet.name, state.settings.symbol, _goal(sheet.name, chosen)
    if chosen.score is None:
        return (Step("QW-20", f"{who}: {sentence(chosen.tactic)}"),
                Step("QW-06", f"No ability fits, which counts as {state.edition.resolution.no_ability}."), *goal)
    what = f"{chosen.name} {notation(chosen.score, symbol)}"
    steps = [Step("QW-20", f"{who} uses {what}: {sentence(chosen.tactic)}")]
    if made:
        steps.append(Step("QW-70", f"{chosen.name} is new on the sheet."))
    for each in made:
        if isinstance(each, Raise) and (flaw := sheet.trait(each.trait)):
            steps.append(Step("QW-74", f"{flaw.name} goes by the abilities: {notation(flaw.value, symbol)} becomes "
                                       f"{notation(flaw.value + each.by, symbol)}."))
    if chosen.second_score is not None:
        both = combined(chosen.score, chosen.second_score)
        steps.append(Step("QW-26", f"Together with {chosen.second} {notation(chosen.second_score, symbol)}: "
                                   f"the average is {notation(both, symbol)}."))
    return (*steps, *goal)


def _goal(who: str, chosen: e.Chosen) -> tuple[Step, ...]:
    return (Step("QW-27", f"A second goal of {who}: {sentence(chosen.goal)}"),) if chosen.goal else ()
