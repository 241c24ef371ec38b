"""What each act before the dice leads to."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.moves import Die, Need, Roll, Step, take
from rules.sheet import Effect, Gain, Sheet
from rules.systems.questworlds.abilities import combined
from rules.systems.questworlds.contest import Terms, drawn, roll_of
from rules.systems.questworlds.experience import FLAW as A_FLAW
from rules.systems.questworlds.framed import events as e
from rules.systems.questworlds.framed.asked import (
    BUMP,
    CONTACTS,
    KINDS,
    OURS,
    THEIRS,
    WORDS,
    Sheets,
    akin,
    counts,
    side,
    suggested,
    whose,
)
from rules.systems.questworlds.framed.done import Done, end
from rules.systems.questworlds.framed.evolve import evolve
from rules.systems.questworlds.framed.masses import say_how
from rules.systems.questworlds.framed.settling import in_names, won_without_dice
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
        chosen = replace(chosen, second=second.name, second_score=score_of(second, sheet), second_trait=second.id,
                         second_family=family(second))
    steps = _choice(state, sheet.name, chosen, made=bool(name))
    dropped, why = _no_longer(state, sheet, chosen)
    through, told = _contacts(sheet, chosen) if values.get("contacts") else ((), ())
    steps += (*why, *told)
    rival = state.rival(by) if state.pair else None
    hidden = rival is not None and not rival.chosen
    if rival and rival.chosen:
        steps += _choice(state, rival.name, rival.chosen, made=False)
    return Done((e.Chose(by, chosen), *dropped, *through), steps, effects, sealed=hidden)


Told = tuple[tuple[e.Event, ...], tuple[Step, ...]]


def _no_longer(state: State, sheet: Sheet, chosen: e.Chosen) -> Told:
    """What goes when something else is used: people of the keyword before, and augments of one's own that are used now,
    or stand in the same keyword as what is used (QW-22, QW-76)."""
    def near(trait_id: str) -> bool:
        line = sheet.trait(trait_id)
        return line is not None and bool(akin(state, chosen, line))

    mine = [(place, each) for place, each in enumerate(state.modifiers) if each.who == sheet.id]
    kin = [(place, each) for place, each in mine if each.kind == "augment" and near(each.source)]
    before = [(place, each) for place, each in mine if each.source == CONTACTS]
    open_ = [place for place, each in enumerate(state.proposals)
             if (each.by, each.whom) == (sheet.id, sheet.id) and each.verdict != "refused" and near(each.trait)]
    # From the last on: each that goes moves those behind it.
    gone = sorted((place for place, _ in (*kin, *before)), reverse=True)
    names = " and ".join(each.label for _, each in kin)
    told = (Step("QW-22", f"{names} no longer augments: it is what is used, or close to it."),) if kin else ()
    return (*(e.TookBack(place) for place in gone), *(e.Answered(place, "refused", 0) for place in open_)), told


def _contacts(sheet: Sheet, chosen: e.Chosen) -> Told:
    """The people of an occupation, in the place of a contact of one's own: always a stretch (QW-76)."""
    trait = sheet.trait(chosen.trait)
    if trait is None or trait.kind != KEYWORD:
        raise BadMove("Only a keyword has people of its own: choose one above.", "contacts")
    made = e.Modifier(sheet.id, "stretch", "A stretch", -6, f"People that {sheet.name} knows as {trait.name}", CONTACTS)
    told = f"{trait.name} is used for the people it knows: a stretch, {signed(-6)}."
    return (e.Modified(made),), (Step("QW-76", told),)


def _choice(state: State, who: str, chosen: e.Chosen, *, made: bool) -> tuple[Step, ...]:
    symbol = state.settings.symbol
    if chosen.score is None:
        return (Step("QW-20", f"{who}: {end(chosen.tactic)}"), Step("QW-06", "No ability fits, which counts as 6."))
    what = f"{chosen.name} {notation(chosen.score, symbol)}"
    steps = [Step("QW-20", f"{who} uses {what}: {end(chosen.tactic)}")]
    if made:
        steps.append(Step("QW-70", f"{chosen.name} is new on the sheet."))
    if chosen.second_score is not None:
        both = combined(chosen.score, chosen.second_score)
        steps.append(Step("QW-26", f"Together with {chosen.second} {notation(chosen.second_score, symbol)}: "
                                   f"the average is {notation(both, symbol)}."))
    return tuple(steps)


def accept(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """The story may end here."""
    return Done((e.Accepted(by),), (Step("QW-63", f"{sheets[by].name} goes on, knowing that the story may end here."),))


def back_out(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """No contest, no prize."""
    told = f"{sheets[by].name} backs out before a die falls."
    if len(state.entrants) > 1 and not state.pair:
        return Done((e.Left(by),), (Step("QW-63", f"{told} The others go on."),))
    return Done((e.Ended("backed out"),), (Step("QW-63", told),))


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
    who, (kind, _, written) = values["whom"], values["line"].partition(":")
    label, symbol = dict(KINDS)[kind], state.settings.symbol
    down = written == BUMP
    made = e.Modifier(who, kind, label, 0 if down else int(written), values["reason"], down=int(down))
    told = f"{state.entrant(who).name}: {counts(made, symbol)}, {label[:1].lower()}{label[1:]}: {end(made.reason)}"
    return Done((e.Modified(made),), (Step("QW-21", told),))


def hinder(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done | Need:
    """A flaw straight away, or after its own contest (QW-23); a penalty earns experience (QW-80)."""
    who, trait = next((each.id, found) for each in state.entrants
                      if (found := sheets[each.id].trait(values["trait"])) is not None)
    amount, symbol = int(values.get("amount", "-3")), state.settings.symbol
    if any((each.kind, each.source) == ("hindrance", trait.id) for each in state.lines(who)):
        raise BadMove(f"{trait.name} hinders {sheets[who].name} already.", "trait")
    steps: list[Step] = []
    dice: tuple[Die, ...] = ()
    rolls: tuple[Roll, ...] = ()
    if values.get("how") == "rolled":
        runs = take(faces, 2)
        if runs is None:
            return Need((SIDES,) * (2 - len(faces)))
        terms = Terms(score_of(trait, sheets[who]), (), state.settings.base)
        clash = terms.clash((faces[0], faces[1]))
        dice, steps, rolls = drawn(faces), [*clash.steps()], (roll_of(terms, (faces[0], faces[1])),)
        if clash.lead <= 0:
            told = f"{sheets[who].name} overcomes {trait.name}: it is no hindrance here."
            why = in_names(steps, trait.name, "the base", symbol)
            return Done((), (Step("QW-23", told), *why), dice=dice, rolls=rolls)
    made = e.Modifier(who, "hindrance", trait.name, amount, values["reason"], trait.id)
    steps = [*in_names(steps, trait.name, "the base", symbol)]
    if state.settings.counts and who in state.settings.players:
        steps.append(Step("QW-80", "It may be worth a point, once the penalty has met the dice."))
    because = f" {end(values['reason'])}" if values["reason"] else ""
    told = f"{trait.name} hinders {sheets[who].name}: {signed(amount, symbol)}.{because}"
    return Done((e.Modified(made),), (Step("QW-23", told), *steps), dice=dice, rolls=rolls)


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
        sources = tuple(trait.id for trait in traits)
        found.append(e.Modified(e.Modifier(each.id, "lasting", names, amount, "", sources[0], sources=sources)))
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
    if by == whom and main and (clash := akin(state, main, trait)):
        raise BadMove(clash, "trait")
    mine = [each for each in state.proposals if (each.by, each.whom) == (by, whom)]
    if any(each.won is False for each in mine):
        raise BadMove("There is no second try to augment the same contest.", "trait")
    if any(each.verdict != "refused" for each in mine):
        raise BadMove("Each augments with one ability. One is offered already.", "trait")
    score = score_of(trait, sheets[by]) or 0
    made = e.Proposed(by, whom, trait.id, trait.name, score, values["words"], sheets[by].name)
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
    place = next(number for number, each in enumerate(state.proposals)
                 if each.by == by and each.verdict == "roll" and each.open)
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
    why = in_names(clash.steps(), offered.name, "the base", state.settings.symbol)
    return Done(found, (Step("QW-22", told), *why, taught), dice=drawn(faces),
                rolls=(roll_of(terms, (faces[0], faces[1])),))


def take_back(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """A modifier goes; whoever offered it may offer another."""
    place = int(values["line"])
    gone = state.modifiers[place]
    offered = tuple(e.Answered(number, "refused", 0) for number, each in enumerate(state.proposals)
                    if gone.kind == "augment" and (each.trait, each.whom) == (gone.source, gone.who) and each.helps)
    told = f"{gone.label}, {counts(gone, state.settings.symbol)}, no longer counts."
    return Done((e.TookBack(place), *offered), (Step("QW-21", told),))


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
    steps += [Step("QW-20", f"In the way: {end(settings.obstacle)}")] if settings.obstacle else []
    for each in state.entrants:
        terms = state.terms(each.id)
        steps += [Step("QW-20", f"{each.name}: {end(each.chosen.tactic)}")] if each.chosen else []
        name = each.chosen.name if each.chosen and each.chosen.name else "no fitting ability"
        against = state.against(each.id)
        steps.append(Step("QW-05", f"{each.name}, {name}: {notation(terms.score, symbol)} against "
                                   f"{state.foe(each.id)} at "
                                   f"{notation(terms.resistance + sum(terms.resistance_modifiers), symbol)}."))
        for line in state.lines(each.id):
            kind = f"{WORDS[line.kind].lower()}, " if line.kind in WORDS else ""
            told = f"{counts(line, symbol)} for {kind}{whose(state, line)}"
            steps.append(Step("QW-21", f"{told}{f': {line.reason}' if line.reason else ''}."))
    for found in state.oppositions:
        of_whom = f"{state.entrant(found.who).name}: " if found.who and state.settings.mode != "one" else ""
        steps += [Step("QW-20", f"{of_whom}At stake: {end(found.stake)}")] if found.stake else []
        steps += [Step("QW-63", f"{of_whom}A story may end here, and that was accepted.")] if found.ending else []
    steps += [Step(rule, told) for rule, told in warnings(state)]
    stood = Done((e.Set(),), tuple(steps))
    # What two sides fight over is never assured: a rival has nothing of the kind.
    if not all((against := state.against(each.id)) and against.assured == "won" for each in state.entrants):
        return stood
    won = won_without_dice(evolve(state, e.Set()), sheets)
    return Done((*stood.events, *won.events), (*stood.steps, *won.steps), won.effects, result=won.result)


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
    elif came := state.outcome(values["whom"]):
        steps.append(Step("QW-14", f"{_of_rank(came)}: for a {sort}, rank {suggested(came, sort)} was suggested."))
    return Done(tuple(e.Gave(each, sort, name, rank) for each in who), tuple(steps),
                tuple(Gain(each, sort, name, rank, note) for each in who))


def _of_rank(came: e.Outcome) -> str:
    rank = f" of rank {came.rank}" if came.rank else ""
    return f"The outcome was a {came.outcome}{rank}"


def close(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """The contest is done."""
    return Done((e.Ended("done"),), (Step("QW-41", f"The contest is done: {end(state.settings.prize)}"),))
