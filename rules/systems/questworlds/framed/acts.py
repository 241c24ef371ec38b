"""What each act before the dice leads to."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rules.moves import Die, Need, Step, take
from rules.sheet import Effect, Gain
from rules.systems.questworlds.contest import Terms, drawn
from rules.systems.questworlds.experience import FLAW as A_FLAW
from rules.systems.questworlds.framed import events as e
from rules.systems.questworlds.framed.asked import AMOUNTS, BUMP, KINDS, Sheets
from rules.systems.questworlds.framed.state import State
from rules.systems.questworlds.framed.warned import least_missing, warnings
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.notation import notation, of_rank, signed
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.roll import SIDES
from rules.systems.questworlds.traits import ABILITY, BREAKOUT, adds, family, score_of, together
from rules.values import BadMove, Value


@dataclass(frozen=True)
class Done:
    """The events of an act, why they came, its numbers, the dice, and what changes."""

    events: tuple[e.Event, ...]
    steps: tuple[Step, ...]
    effects: tuple[Effect, ...] = ()
    dice: tuple[Die, ...] = ()
    result: Mapping[str, Value] = field(default_factory=dict)
    sealed: bool = False


def choose(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """The tactic and the ability (QW-20, QW-06, QW-26, QW-70)."""
    sheet, name = sheets[by], values.get("new", "")
    effects: tuple[Effect, ...] = ()
    if name:
        within = values.get("within", "")
        keyword = sheet.trait(within) if within else None
        if any(trait.name.casefold() == name.casefold() for trait in sheet.traits):
            raise BadMove(f"{name} is on the sheet already. Choose it above.", "new")
        effects = (Gain(by, BREAKOUT if keyword else ABILITY, name, 1 if keyword else 13, parent=within),)
        chosen = e.Chosen(values["tactic"], "", name, keyword.value + 1 if keyword else 13, within)
    elif trait := sheet.trait(values["ability"]):
        chosen = e.Chosen(values["tactic"], trait.id, trait.name, score_of(trait, sheet), family(trait))
    else:
        chosen = e.Chosen(values["tactic"])
    if second := sheet.trait(values["second"]):
        if chosen.score is None or second.id == chosen.trait:
            raise BadMove("Choose two different abilities, or one alone.", "second")
        chosen = replace(chosen, second=second.name, second_score=score_of(second, sheet))
    steps = _choice(state, sheet.name, chosen, made=bool(name))
    hidden = state.pair and not state.rival(by).chosen
    if state.pair and not hidden and (known := state.rival(by).chosen):
        steps += _choice(state, state.rival(by).name, known, made=False)
    return Done((e.Chose(by, chosen),), steps, effects, sealed=hidden)


def _choice(state: State, who: str, chosen: e.Chosen, *, made: bool) -> tuple[Step, ...]:
    symbol = state.settings.symbol
    if chosen.score is None:
        return (Step("QW-20", f"{who}: {_end(chosen.tactic)}"), Step("QW-06", "No ability fits, which counts as 6."))
    what = f"{chosen.name} {notation(chosen.score, symbol)}"
    steps = [Step("QW-20", f"{who} uses {what}: {_end(chosen.tactic)}")]
    if made:
        steps.append(Step("QW-70", f"{chosen.name} is new on the sheet."))
    if chosen.second_score is not None:
        both = (chosen.score + chosen.second_score) // 2
        steps.append(Step("QW-26", f"Together with {chosen.second} {notation(chosen.second_score, symbol)}: "
                                   f"the average is {notation(both, symbol)}."))
    return tuple(steps)


def oppose(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """What stands against it (QW-03, QW-04, QW-20)."""
    symbol, base = state.settings.symbol, state.settings.base
    name, written = values["name"], values["resistance"]
    if prepared := next((each for each in state.around.prepared if each[0] == values.get("prepared")), None):
        name, written = name or prepared[1], written or str(prepared[2].get("resistance", ""))
    number, told = resistance_of(written, base, symbol)
    if state.oppositions and written == notation(state.oppositions[-1].resistance, symbol):
        told = state.oppositions[-1].told or told
    every = {trait.id: (trait, sheet) for sheet in sheets.values() for trait in sheet.traits}
    if healed := every.get(values.get("heals", "")):
        number, told = base - adds(healed[0]), f"the base, and {signed(-adds(healed[0]), symbol)} for {healed[0].name}"
        name = name or healed[0].name
    if flaw := every.get(values.get("flaw", "")):
        number, told = score_of(*flaw) or base, f"the score of {flaw[0].name}"
        name = name or flaw[0].name
    if not name:
        raise BadMove("Say who or what stands against it.", "name")
    found = e.Opposition(
        values.get("whom", ""), name, number, told, values["stake"], values["ending"], values["tie_to_player"],
        values["assured"] or ("rolled" if number < 1 else ""), values["least"], values["second_prize"],
        values.get("heals", ""), values.get("flaw", ""))
    steps = [Step("QW-03", f"{name} stands against it at {notation(number, symbol)}{f', {told}' if told else ''}.")]
    if found.stake:
        steps.append(Step("QW-20", f"At stake: {_end(found.stake)}"))
    if found.ending:
        steps.append(Step("QW-63", "A story may end here. No die falls before its player accepts it."))
    if found.assured:
        steps.append(Step("QW-40", "The victory is assured."))
    if found.second_prize:
        steps.append(Step("QW-27", f"A second goal: {_end(found.second_prize)}"))
    return Done((e.Opposed(found),), tuple(steps))


def accept(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """The story may end here."""
    return Done((e.Accepted(by),), (Step("QW-63", f"{sheets[by].name} goes on, knowing that the story may end here."),))


def back_out(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """No contest, no prize."""
    return Done((e.Ended("backed out"),), (Step("QW-63", f"{sheets[by].name} backs out before a die falls."),))


def call_off(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """The GM lets the contest go."""
    return Done((e.Ended("called off"),), (Step("QW-20", "The contest is called off."),))


def modify(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """A line with its kind and its reason (QW-21, QW-28)."""
    kind, written, who = values["kind"], values["amount"], values["whom"]
    label = dict(KINDS)[kind]
    if written == BUMP:
        if kind != "stretch":
            raise BadMove("Only a stretch bumps down.", "amount")
        made, told = e.Modifier(who, kind, label, 0, values["reason"], down=1), "one bump down"
    else:
        amount = int(written)
        if amount not in AMOUNTS[kind]:
            known = ", ".join(signed(each, state.settings.symbol) for each in AMOUNTS[kind])
            raise BadMove(f"{label} comes to {known}.", "amount")
        made, told = e.Modifier(who, kind, label, amount, values["reason"]), signed(amount, state.settings.symbol)
    rule = "QW-28" if kind in ("outnumbered", "ganging_up") else "QW-21"
    name = state.entrant(who).name
    said = f"{name}: {told}, {label[:1].lower()}{label[1:]}: {_end(made.reason)}"
    return Done((e.Modified(made),), (Step(rule, said),))


def hinder(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done | Need:
    """A flaw straight away, or after its own contest (QW-23); a penalty earns experience (QW-80)."""
    who, trait = next((each.id, found) for each in state.entrants
                      if (found := sheets[each.id].trait(values["trait"])) is not None)
    amount, symbol = int(values["amount"]), state.settings.symbol
    steps: list[Step] = []
    dice: tuple[Die, ...] = ()
    if values["how"] == "rolled":
        runs = take(faces, 2)
        if runs is None:
            return Need((SIDES,) * (2 - len(faces)))
        clash = Terms(score_of(trait, sheets[who]), (), state.settings.base).clash((faces[0], faces[1]))
        dice, steps = drawn(faces), [*clash.steps()]
        if clash.lead <= 0:
            told = f"{sheets[who].name} overcomes {trait.name}: it is no hindrance here."
            return Done((), (Step("QW-23", told), *steps), dice=dice)
    made = e.Modifier(who, "hindrance", trait.name, amount, values["reason"], trait.id)
    lesson, why, effects = learned(state, who, A_FLAW, trait.name, "hindrance")
    because = f", {values['reason']}" if values["reason"] else ""
    told = f"{trait.name} hinders {sheets[who].name}: {signed(amount, symbol)}{because}."
    return Done((e.Modified(made), *lesson), (Step("QW-23", told), *steps, *why), effects, dice)


def lasting(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """What lasts from earlier contests, several of it together (QW-60, QW-61)."""
    if not values["lines"]:
        raise BadMove("Choose what counts.", "lines")
    found: list[e.Modified] = []
    steps: list[Step] = []
    for each in state.entrants:
        traits = [trait for pk in values["lines"] if (trait := sheets[each.id].trait(pk))]
        if not traits:
            continue
        amount = together(traits, state.settings.by_value)
        names = ", ".join(f"{trait.name} {signed(adds(trait), state.settings.symbol)}" for trait in traits)
        found.append(e.Modified(e.Modifier(each.id, "lasting", names, amount, "", traits[0].id)))
        how = "by what each adds" if state.settings.by_value else "by rank"
        many = f", taken together {how}" if len(traits) > 1 else ""
        steps.append(Step("QW-61" if many else "QW-60",
                          f"{each.name}: {names}{many}, comes to {signed(amount, state.settings.symbol)}."))
    return Done(tuple(found), tuple(steps))


def augment(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """An offer of help (QW-22)."""
    trait, whom = sheets[by].trait(values["trait"]), values["whom"]
    if trait is None:
        raise BadMove("Choose an ability of this sheet.", "trait")
    main = state.entrant(whom).chosen
    if by == whom and main:
        if trait.id == main.trait or trait.name == main.second:
            raise BadMove("An ability does not augment itself. Choose another one.", "trait")
        if main.family and family(trait) == main.family:
            raise BadMove("What stands in the same keyword does not augment it. Choose from outside.", "trait")
        if any(each.by == by and each.whom == whom and each.verdict != "refused" and each.won is not False
               for each in state.proposals):
            raise BadMove("You augment with one ability of your own. One is offered already.", "trait")
    if any(each.by == by and each.whom == whom and each.won is False for each in state.proposals):
        raise BadMove("There is no second try to augment the same contest.", "trait")
    score = score_of(trait, sheets[by]) or 0
    made = e.Proposed(by, whom, trait.id, trait.name, score, values["words"])
    what = f"{trait.name} {notation(score, state.settings.symbol)}"
    told = f"{sheets[by].name} offers {what} as an augment: {_end(values['words'])}"
    return Done((made,), (Step("QW-22", told),))


def answer(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """The GM's word on an augment (QW-22)."""
    place = int(values["proposal"])
    offered, verdict = state.proposals[place], values["verdict"]
    if verdict == "refused":
        return Done((e.Answered(place, "refused", 0),), (Step("QW-22", f"{offered.name} does not help here."),))
    bonus = int(verdict[-1])
    if verdict.startswith("roll"):
        told = f"{offered.name} may help with {signed(bonus)}: its own contest against the base decides."
        return Done((e.Answered(place, "roll", bonus),), (Step("QW-22", told),))
    made = e.Modifier(offered.whom, "augment", offered.name, bonus, offered.words, offered.trait)
    told = f"{offered.name} helps {state.entrant(offered.whom).name}: {signed(bonus)}, assured."
    return Done((e.Answered(place, "assured", bonus), e.Modified(made)), (Step("QW-22", told),))


def roll_augment(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done | Need:
    """The augment's own contest against the base (QW-22); it teaches nothing."""
    place = next(number for number, each in enumerate(state.proposals) if each.by == by and each.open)
    runs = take(faces, 2)
    if runs is None:
        return Need((SIDES,) * (2 - len(faces)))
    offered = state.proposals[place]
    clash = Terms(offered.score, (), state.settings.base).clash((faces[0], faces[1]))
    won = clash.lead > 0
    found: tuple[e.Event, ...] = (e.AugmentRolled(place, won),)
    if won:
        made = e.Modifier(offered.whom, "augment", offered.name, offered.bonus, offered.words, offered.trait)
        found = (*found, e.Modified(made))
    no = f"{offered.name} does not help, and is not tried again."
    told = f"{offered.name} helps: {signed(offered.bonus)}." if won else no
    taught = Step("QW-80", "An augment earns no experience.")
    return Done(found, (Step("QW-22", told), *clash.steps(), taught), dice=drawn(faces))


def take_back(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """A modifier goes."""
    place = int(values["line"])
    gone = state.modifiers[place]
    return Done((e.TookBack(place),), (Step("QW-21", f"{gone.label}, {signed(gone.amount)}, no longer counts."),))


def set_(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """The frame stands, and is in the chronicle before a die falls (QW-20)."""
    for each in state.entrants:
        if missing := least_missing(state, each.id):
            raise BadMove(missing)
        against = state.against(each.id)
        if against and against.ending and not each.accepted:
            raise BadMove(f"{each.name} has not accepted yet that the story may end here.")
    settings, symbol = state.settings, state.settings.symbol
    steps = [Step("QW-20", f"The frame stands. The prize: {_end(settings.prize)}")]
    for each in state.entrants:
        terms = state.terms(each.id)
        name = each.chosen.name if each.chosen and each.chosen.name else "no fitting ability"
        against = state.against(each.id)
        foe = "the other" if state.pair else against.name if against else ""
        steps.append(Step("QW-05", f"{each.name}, {name}: {notation(terms.score, symbol)} against {foe} at "
                                   f"{notation(terms.resistance + sum(terms.resistance_modifiers), symbol)}."))
        for line in state.lines(each.id):
            told = "one bump down" if line.down else signed(line.amount, symbol)
            steps.append(Step("QW-21", f"{told} for {line.label}{f': {line.reason}' if line.reason else ''}."))
    steps += [Step(rule, told) for rule, told in warnings(state)]
    found: tuple[e.Event, ...] = (e.Set(),)
    if all((against := state.against(each.id)) and against.assured == "won" for each in state.entrants):
        outcomes = tuple(e.Outcome(each.id, "victory", 1, "", "") for each in state.entrants)
        found = (*found, e.Settled(outcomes))
        steps += [Step("QW-40", "The victory is assured: no die falls."),
                  Step("QW-80", "An assured contest earns no experience.")]
    return Done(found, tuple(steps))


def reopen(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """Before the dice the GM may change the frame."""
    return Done((e.Reopened(),), (Step("QW-20", "The frame is taken up again."),))


def compel(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """A compelled act earns a point, and there is no contest (QW-24)."""
    who, trait = next((each.id, found) for each in state.entrants
                      if (found := sheets[each.id].trait(values["trait"])) is not None)
    lesson, why, effects = learned(state, who, A_FLAW, trait.name, "compelled")
    told = Step("QW-24", f"{sheets[who].name} acts as {trait.name} dictates: no die falls.")
    return Done((*lesson, e.Ended("submitted")), (told, *why), effects)


def give(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """A consequence or a benefit goes onto the sheet, and knows where it is from (QW-60)."""
    who, sort, rank, name = values["whom"], values["sort"], int(values["rank"]), values["name"]
    amount = -of_rank(rank) if sort == "consequence" else of_rank(rank)
    touches = values["touches"].rstrip(".")
    note = f"{touches}. From: {state.settings.prize}" if touches else f"From: {state.settings.prize}"
    where = f", on {touches}" if touches else ""
    told = f"{sheets[who].name}: {name}, {signed(amount, state.settings.symbol)}{where}."
    suggested = state.outcome(who)
    why = () if suggested is None else (
        Step("QW-14", f"The outcome, a {suggested.outcome} of rank {suggested.rank}, suggested "
                      f"rank {max(1, suggested.rank)}."),)
    return Done((e.Gave(who, sort, name, rank),), (Step("QW-60", told), *why), (Gain(who, sort, name, rank, note),))


def close(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """The contest is done."""
    return Done((e.Ended("done"),), (Step("QW-41", f"The contest is done: {_end(state.settings.prize)}"),))


def _end(words: str) -> str:
    """Words that end as a sentence does."""
    return words if words[-1:] in ".!?…" else f"{words}."
