"""What each act before the dice leads to."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.moves import Die, Need, Roll, Step, take
from rules.sheet import Effect, Gain, Sheet
from rules.systems.questworlds.contest import Terms, drawn, roll_of
from rules.systems.questworlds.experience import FLAW as A_FLAW
from rules.systems.questworlds.framed import events as e
from rules.systems.questworlds.framed.asked import AMOUNTS, BUMP, CONTACTS, KINDS, OURS, THEIRS, Sheets, side
from rules.systems.questworlds.framed.done import Done, end
from rules.systems.questworlds.framed.masses import say_how
from rules.systems.questworlds.framed.state import State
from rules.systems.questworlds.framed.warned import least_missing, warnings
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.notation import notation, of_rank, signed
from rules.systems.questworlds.roll import SIDES
from rules.systems.questworlds.traits import ABILITY, BREAKOUT, KEYWORD, adds, family, score_of, together
from rules.values import BadMove


def choose(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """The tactic and the ability (QW-20, QW-06, QW-26, QW-70, QW-76)."""
    if state.lent:
        return say_how(state, by, values)
    sheet, name = sheets[by], values.get("new", "")
    effects: tuple[Effect, ...] = ()
    if name:
        within = values.get("within", "")
        keyword = sheet.trait(within) if within else None
        if any(trait.name.casefold() == name.casefold() for trait in sheet.traits):
            raise BadMove(f"{name} is on the sheet already. Choose it above.", "new")
        # In a package it is an ability by itself, written as what it has more, or less, than its keyword (QW-73).
        score = keyword.value + 1 if keyword and not state.settings.packages else 13
        value = score - keyword.value if keyword else score
        effects = (Gain(by, BREAKOUT if keyword else ABILITY, name, value, parent=within),)
        chosen = e.Chosen(values["tactic"], "", name, score, within)
    elif trait := sheet.trait(values["ability"]):
        chosen = e.Chosen(values["tactic"], trait.id, trait.name, score_of(trait, sheet), family(trait))
    else:
        chosen = e.Chosen(values["tactic"])
    if second := sheet.trait(values["second"]):
        if chosen.score is None or second.id == chosen.trait:
            raise BadMove("Choose two different abilities, or one alone.", "second")
        chosen = replace(chosen, second=second.name, second_score=score_of(second, sheet))
    steps = _choice(state, sheet.name, chosen, made=bool(name))
    through, told = _contacts(state, sheet, chosen, values.get("contacts", False))
    steps += told
    rival = state.rival(by) if state.pair else None
    hidden = rival is not None and not rival.chosen
    if rival and rival.chosen:
        steps += _choice(state, rival.name, rival.chosen, made=False)
    return Done((e.Chose(by, chosen), *through), steps, effects, sealed=hidden)


def _contacts(
    state: State, sheet: Sheet, chosen: e.Chosen, wanted: bool
) -> tuple[tuple[e.Event, ...], tuple[Step, ...]]:
    """The people of an occupation, in the place of a contact of one's own: always a stretch (QW-76)."""
    lines = [place for place, each in enumerate(state.modifiers) if (each.who, each.source) == (sheet.id, CONTACTS)]
    events: tuple[e.Event, ...] = tuple(e.TookBack(place) for place in reversed(lines))
    if not wanted:
        return events, ()
    trait = sheet.trait(chosen.trait)
    if trait is None or trait.kind != KEYWORD:
        raise BadMove("Only a keyword has people of its own: choose one above.", "contacts")
    made = e.Modifier(sheet.id, "stretch", "A stretch", -6, f"People that {sheet.name} knows as {trait.name}", CONTACTS)
    return (*events, e.Modified(made)), (
        Step("QW-76", f"{trait.name} is used for the people it knows: a stretch, {signed(-6)}."),)


def _choice(state: State, who: str, chosen: e.Chosen, *, made: bool) -> tuple[Step, ...]:
    symbol = state.settings.symbol
    if chosen.score is None:
        return (Step("QW-20", f"{who}: {end(chosen.tactic)}"), Step("QW-06", "No ability fits, which counts as 6."))
    what = f"{chosen.name} {notation(chosen.score, symbol)}"
    steps = [Step("QW-20", f"{who} uses {what}: {end(chosen.tactic)}")]
    if made:
        steps.append(Step("QW-70", f"{chosen.name} is new on the sheet."))
    if chosen.second_score is not None:
        both = (chosen.score + chosen.second_score) // 2
        steps.append(Step("QW-26", f"Together with {chosen.second} {notation(chosen.second_score, symbol)}: "
                                   f"the average is {notation(both, symbol)}."))
    return tuple(steps)


def accept(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """The story may end here."""
    return Done((e.Accepted(by),), (Step("QW-63", f"{sheets[by].name} goes on, knowing that the story may end here."),))


def back_out(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """No contest, no prize."""
    return Done((e.Ended("backed out"),), (Step("QW-63", f"{sheets[by].name} backs out before a die falls."),))


def call_off(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """The GM lets the contest go."""
    return Done((e.Ended("called off"),), (Step("QW-20", "The contest is called off."),))


def send_back(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """A tactic that nobody would believe, or that was tried before: another one is asked for (QW-25, QW-30)."""
    who, reason = values["whom"], values["reason"]
    told = f"{state.entrant(who).name} is asked for another tactic: {end(reason)}"
    return Done((e.SentBack(who),), (Step("QW-30", told),))


def no_conflict(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """Goals that do not stand in each other's way: both are reached (QW-27)."""
    told = "What the two sides want does not conflict. Both have it, and no die falls."
    return Done((e.Ended("no conflict"),), (Step("QW-27", told),))


def modify(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """A line with its kind and its reason (QW-21)."""
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
    name = state.entrant(who).name
    said = f"{name}: {told}, {label[:1].lower()}{label[1:]}: {end(made.reason)}"
    return Done((e.Modified(made),), (Step("QW-21", said),))


def hinder(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done | Need:
    """A flaw straight away, or after its own contest (QW-23); a penalty earns experience (QW-80)."""
    who, trait = next((each.id, found) for each in state.entrants
                      if (found := sheets[each.id].trait(values["trait"])) is not None)
    amount, symbol = int(values["amount"]), state.settings.symbol
    steps: list[Step] = []
    dice: tuple[Die, ...] = ()
    rolls: tuple[Roll, ...] = ()
    if values["how"] == "rolled":
        runs = take(faces, 2)
        if runs is None:
            return Need((SIDES,) * (2 - len(faces)))
        terms = Terms(score_of(trait, sheets[who]), (), state.settings.base)
        clash = terms.clash((faces[0], faces[1]))
        dice, steps, rolls = drawn(faces), [*clash.steps()], (roll_of(terms, (faces[0], faces[1])),)
        if clash.lead <= 0:
            told = f"{sheets[who].name} overcomes {trait.name}: it is no hindrance here."
            return Done((), (Step("QW-23", told), *steps), dice=dice, rolls=rolls)
    made = e.Modifier(who, "hindrance", trait.name, amount, values["reason"], trait.id)
    lesson, why, effects = learned(state, who, A_FLAW, trait.name, "hindrance")
    because = f" {end(values['reason'])}" if values["reason"] else ""
    told = f"{trait.name} hinders {sheets[who].name}: {signed(amount, symbol)}.{because}"
    return Done((e.Modified(made), *lesson), (Step("QW-23", told), *steps, *why), effects, dice, rolls=rolls)


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
        # In a package each ability stands for itself; only the keyword that is the shorthand for it does not help it.
        parent = trait.id == main.family or main.trait == trait.parent != ""
        if main.family and family(trait) == main.family and (parent or not state.settings.packages):
            raise BadMove("What stands in the same keyword does not augment it. Choose from outside.", "trait")
        if any(each.by == by and each.whom == whom and each.verdict != "refused" and each.won is not False
               for each in state.proposals):
            raise BadMove("You augment with one ability of your own. One is offered already.", "trait")
    if any(each.by == by and each.whom == whom and each.won is False for each in state.proposals):
        raise BadMove("There is no second try to augment the same contest.", "trait")
    score = score_of(trait, sheets[by]) or 0
    made = e.Proposed(by, whom, trait.id, trait.name, score, values["words"])
    what = f"{trait.name} {notation(score, state.settings.symbol)}"
    told = f"{sheets[by].name} offers {what} as an augment: {end(values['words'])}"
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
    terms = Terms(offered.score, (), state.settings.base)
    clash = terms.clash((faces[0], faces[1]))
    won = clash.lead > 0
    found: tuple[e.Event, ...] = (e.AugmentRolled(place, won),)
    if won:
        made = e.Modifier(offered.whom, "augment", offered.name, offered.bonus, offered.words, offered.trait)
        found = (*found, e.Modified(made))
    no = f"{offered.name} does not help, and is not tried again."
    told = f"{offered.name} helps: {signed(offered.bonus)}." if won else no
    taught = Step("QW-80", "An augment earns no experience.")
    return Done(found, (Step("QW-22", told), *clash.steps(), taught), dice=drawn(faces),
                rolls=(roll_of(terms, (faces[0], faces[1])),))


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
    steps = [Step("QW-20", f"The frame stands. The prize: {end(settings.prize)}")]
    for each in state.entrants:
        terms = state.terms(each.id)
        name = each.chosen.name if each.chosen and each.chosen.name else "no fitting ability"
        against = state.against(each.id)
        steps.append(Step("QW-05", f"{each.name}, {name}: {notation(terms.score, symbol)} against "
                                   f"{state.foe(each.id)} at "
                                   f"{notation(terms.resistance + sum(terms.resistance_modifiers), symbol)}."))
        for line in state.lines(each.id):
            told = "one bump down" if line.down else signed(line.amount, symbol)
            steps.append(Step("QW-21", f"{told} for {line.label}{f': {line.reason}' if line.reason else ''}."))
    steps += [Step(rule, told) for rule, told in warnings(state)]
    found: tuple[e.Event, ...] = (e.Set(),)
    # What two sides fight over is never assured: a rival has nothing of the kind.
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


def choose_goal(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """One of two goals, where the die alone was better (QW-27)."""
    against = state.against(by)
    first = values["goal"] == "first"
    won, lost = state.settings.prize or "the prize", against.second_prize if against else ""
    told = f"{sheets[by].name} chooses: {end(won if first else lost)}"
    return Done((e.ChoseGoal(by, values["goal"]),), (
        Step("QW-27", told), Step("QW-27", f"It is not won: {end(lost if first else won)}")))


def give(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """A consequence or a benefit goes onto a sheet, or onto those of a side, and knows where it is from (QW-60)."""
    sort, rank, name, touches = values["sort"], int(values["rank"]), values["name"], values["touches"].rstrip(".")
    note = f"{touches}. From: {state.settings.prize}" if touches else f"From: {state.settings.prize}"
    adds_ = signed(-of_rank(rank) if sort == "consequence" else of_rank(rank), state.settings.symbol)
    who = side(state, values["whom"])
    named = " and ".join(sheets[each].name for each in who)
    steps = [Step("QW-60", f"{named}: {name}, {adds_}{f', on {touches}' if touches else ''}.")]
    if values["whom"] in (OURS, THEIRS):
        steps.append(Step("QW-42", "It comes from how the whole contest went, beside what each brought on themselves."))
    elif suggested := state.outcome(values["whom"]):
        steps.append(Step("QW-14", f"The outcome, a {suggested.outcome} of rank {suggested.rank}, suggested rank "
                                   f"{max(1, suggested.rank)}."))
    return Done(tuple(e.Gave(each, sort, name, rank) for each in who), tuple(steps),
                tuple(Gain(each, sort, name, rank, note) for each in who))


def close(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """The contest is done."""
    return Done((e.Ended("done"),), (Step("QW-41", f"The contest is done: {end(state.settings.prize)}"),))
