"""How somebody goes about it: the tactic, the ability, and what a new approach leaves behind (QW-20, QW-22, QW-70)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Field, Flag, text
from rules.moves import Step
from rules.procedure import Ask, Offer, Options
from rules.sheet import Effect, Gain, Raise, Sheet, Trait
from rules.systems.questworlds.abilities import combined
from rules.systems.questworlds.builder import abilities_made, flaws_moved
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.reckoning import Modifier, of_itself, told
from rules.systems.questworlds.simple_contest.modifiers import Answered, Because, Modified, TookBack, bind
from rules.systems.questworlds.simple_contest.state import Phase, Result, State, abilities, plain
from rules.systems.questworlds.simple_contest.values import OF_AN_APPROACH, Chosen, Mass
from rules.systems.questworlds.traits import ABILITY, BREAKOUT, FLAWS, KEYWORD, family, score_of, usable
from rules.values import BadMove, Value
from rules.wording import join, sentence

CONTACTS = "contacts"  # where a stretch is from that comes of asking the people of an occupation


@dataclass(frozen=True)
class Chose(Event[State]):
    """Somebody says what they use."""

    who: str
    chosen: Chosen

    def after(self, state: State) -> State:
        return state.with_(self.who, chosen=self.chosen)


@dataclass(frozen=True)
class SentBack(Event[State]):
    """The GM asks somebody for another tactic (QW-30): what was laid upon the one that they had goes with it."""

    who: str

    def after(self, state: State) -> State:
        kept = tuple(line for line in state.modifiers if line.who != self.who or line.kind not in OF_AN_APPROACH)
        return replace(state.with_(self.who, chosen=None), modifiers=kept)


def offer_choice(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who contends, as long as the frame is open; of two against each other, once."""
    if not state.framing or (state.pair and state.phase is Phase.MODIFY):
        return
    for entrant in state.entrants:
        if entrant.id in sheets and not (state.pair and entrant.chosen):
            yield _choice(state, sheets[entrant.id])


def _choice(state: State, sheet: Sheet) -> Offer:
    """The tactic and the ability; one that is made up now, while the sheet has room (QW-70)."""
    chosen = state.entrant(sheet.id).chosen
    title = "Change my approach" if chosen else "Describe what you do"
    tactic = text("tactic", "How do you go about it?", "Leave blank for the ability you use.")
    if state.lent:
        return Offer("choose", sheet.id, title, "The force’s number is rolled. Describe what you do in it.", (tactic,),
                     {}, now={"tactic": chosen.tactic} if chosen else None)
    fields: list[Field] = [
        tactic,
        text("ability", "Ability",
             f"Leave blank if none fits. That counts as {state.edition.resolution.no_ability}."),
    ]
    options: dict[str, Options] = {"ability": abilities(state, sheet)}
    rule = state.edition.creation
    if abilities_made(sheet.traits, rule) < rule.abilities:
        fields.append(text("new", "Or a new ability", f"It goes onto your sheet at {rule.other}.", most=120))
        if keywords := tuple((t.id, t.name) for t in sheet.traits if t.kind == KEYWORD):
            fields.append(text("within", "Part of keyword",
                               "" if state.settings.packages else f"Then it starts at {signed(rule.breakout)}."))
            options["within"] = keywords
    fields.append(text("second", "Combined with", "Both are needed: the average of the two counts."))
    options["second"] = options["ability"]
    if state.pair:
        fields.append(text("second_goal", "A second goal of yours",
                           "Both are won on a better result, one of the two on a better die."))
    if any(trait.kind == KEYWORD for trait in sheet.traits):
        fields.append(Flag(name="contacts", label="Through people that the keyword knows",
                           help="Without a contact of your own that is a stretch, "
                                f"{signed(state.edition.modifiers.default_stretch)}."))
    now = _as_said(state, sheet, chosen) if chosen else _likely(sheet)
    return Offer("choose", sheet.id, title, "", tuple(fields), options, now=now)


def _likely(sheet: Sheet) -> dict[str, Value] | None:
    """The best ability stands chosen: who chooses nothing would contend with what counts where none fits."""
    able = [trait for trait in usable(sheet) if trait.kind not in FLAWS]
    return {"ability": max(able, key=lambda trait: score_of(trait, sheet) or 0).id} if able else None


def _as_said(state: State, sheet: Sheet, chosen: Chosen) -> dict[str, Value]:
    """What stands in the form of whoever says it differently: what was made up before is on the sheet by now."""
    ids = {trait.name: trait.id for trait in usable(sheet)}
    said: dict[str, Value] = {"tactic": chosen.tactic, "ability": chosen.trait or ids.get(chosen.name, ""),
                              "second": ids.get(chosen.second, "")}
    if any(trait.kind == KEYWORD for trait in sheet.traits):
        said["contacts"] = any((line.who, line.source) == (sheet.id, CONTACTS) for line in state.modifiers)
    return said


def ask_to_choose(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Those who have not said what they do."""
    if state.phase is Phase.FRAME and not state.flaw_waits:
        for entrant in state.entrants:
            if not entrant.chosen and entrant.id in sheets:
                yield Ask(entrant.id, "choose", "choose an ability, and say how", "Choose")


def choose(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The tactic and the ability (QW-20, QW-06, QW-26, QW-70, QW-76)."""
    if state.mass and state.lent:
        return use_force(state, state.mass, by, values)
    sheet = sheets[by]
    chosen = _chosen(state, sheet, values)
    made = _made_up(state, sheet, chosen)
    steps = _said(state, sheet, chosen, made)
    laid, why = laid_down(state, sheet, chosen)
    stretch, through = _contacts(state, sheet, chosen) if values.get("contacts") else ((), ())
    events, steps = (Chose(by, chosen), *laid, *stretch), (*steps, *why, *through)
    rival = state.rival(by) if state.pair else None
    if rival is None:
        return Result(events, steps, effects=made)
    if rival.chosen is None:
        # A new line on the sheet would tell of a secret choice: it goes there when both have chosen.
        return Result(events, steps, sealed=True)
    made_before = _made_up(state, sheets[rival.id], rival.chosen)
    steps = (*steps, *_said(state, sheets[rival.id], rival.chosen, made_before))
    return Result(events, steps, effects=(*made, *made_before))


def _chosen(state: State, sheet: Sheet, values: Values) -> Chosen:
    """What is used: an ability of the sheet, one that is made up now, or none that fits."""
    known = sheet.trait(values["ability"])
    name = values.get("new", "") or (known.name if known else "")
    tactic = values["tactic"] or (f"Uses {name}" if name else "Tries it without an ability")
    goal = values.get("second_goal", "")
    if new := values.get("new", ""):
        if any(trait.name.casefold() == new.casefold() for trait in sheet.traits):
            raise BadMove(f"{new} is on the sheet already. Choose it above.", "new")
        keyword = sheet.trait(values.get("within", ""))
        # In a package it is an ability by itself, written as what it has more, or less, than its keyword (QW-73).
        rule = state.edition.creation
        score = keyword.value + rule.breakout if keyword and not state.settings.packages else rule.other
        chosen = Chosen(tactic, "", new, score, keyword.id if keyword else "", goal=goal)
    elif trait := sheet.trait(values["ability"]):
        chosen = Chosen(tactic, trait.id, trait.name, score_of(trait, sheet), family(trait), goal=goal)
    else:
        chosen = Chosen(tactic, goal=goal)
    second = sheet.trait(values["second"])
    if second is None:
        return chosen
    if chosen.score is None or second.id == chosen.trait:
        raise BadMove("Choose two different abilities, or one alone.", "second")
    return replace(chosen, second=second.name, second_score=score_of(second, sheet), second_trait=second.id,
                   second_family=family(second))


def _made_up(state: State, sheet: Sheet, chosen: Chosen) -> tuple[Effect, ...]:
    """The ability that goes onto the sheet, where what is used is not on it yet (QW-70), and the flaws that move with
    it: a sheet that has room for one is not finished (QW-74)."""
    if chosen.trait or chosen.score is None or any(trait.name == chosen.name for trait in sheet.traits):
        return ()
    moved = (Raise(flaw.id, score - flaw.value)
             for flaw, score in flaws_moved(sheet, chosen.score, state.edition.creation))
    if keyword := sheet.trait(chosen.family):
        return (Gain(sheet.id, BREAKOUT, chosen.name, chosen.score - keyword.value, parent=keyword.id), *moved)
    return (Gain(sheet.id, ABILITY, chosen.name, chosen.score), *moved)


def laid_down(state: State, sheet: Sheet, chosen: Chosen) -> Because:
    """What an approach changes of what counts: what goes with the earlier one, and what lasts and touches this."""
    gone, why = _dropped(state, sheet, chosen)
    bound, touched = bind(state, sheet, chosen)
    return (*gone, *bound), (*why, *touched)


def _dropped(state: State, sheet: Sheet, chosen: Chosen) -> Because:
    """What goes with the earlier approach: what was laid on it (QW-21), the people of its keyword (QW-76), and one's
    own augments that are used now, or stand in the same keyword as what is used (QW-22)."""
    def near(trait_id: str) -> bool:
        line = sheet.trait(trait_id)
        return line is not None and bool(akin(state, chosen, line))

    mine = [(place, line) for place, line in enumerate(state.modifiers) if line.who == sheet.id]
    close = [(place, line) for place, line in mine if line.kind == "augment" and near(line.source)]
    people = [(place, line) for place, line in mine if line.source == CONTACTS]
    laid = [(place, line) for place, line in mine if line.kind in OF_AN_APPROACH and line.source != CONTACTS
            and _is_another(state.entrant(sheet.id).chosen, chosen)]
    open_ = [place for place, proposal in enumerate(state.proposals)
             if (proposal.by, proposal.whom) == (sheet.id, sheet.id) and proposal.verdict != "refused"
             and near(proposal.trait)]
    # From the last on: each that goes moves those behind it.
    gone = sorted((place for place, _ in (*close, *people, *laid)), reverse=True)
    steps = []
    if close:
        names = join([line.label for _, line in close])
        verb = "augments: it is" if len(close) == 1 else "augment: they are"
        steps.append(Step("QW-22", f"{names} no longer {verb} what is used, or close to it."))
    if laid:
        names = join([f"{line.label} ({told(line, state.settings.symbol)})" for _, line in laid])
        verb = "counts: it was" if len(laid) == 1 else "count: they were"
        steps.append(Step("QW-21", f"{names} no longer {verb} for the earlier approach."))
    return (*(TookBack(place) for place in gone), *(Answered(place, "refused", 0) for place in open_)), tuple(steps)


def _is_another(before: Chosen | None, now: Chosen) -> bool:
    """Whether it is a new approach, and not the same one with another comma."""
    if before is None:
        return False
    return (plain(before.tactic), before.name, before.second) != (plain(now.tactic), now.name, now.second)


def _contacts(state: State, sheet: Sheet, chosen: Chosen) -> Because:
    """The people of an occupation, in the place of a contact of one's own: always a stretch (QW-76)."""
    trait = sheet.trait(chosen.trait)
    if trait is None or trait.kind != KEYWORD:
        raise BadMove("Only a keyword has people of its own: choose one above.", "contacts")
    amount = state.edition.modifiers.default_stretch
    people = f"People that {sheet.name} knows as {trait.name}"
    made = Modifier(sheet.id, "stretch", "A stretch", amount, people, CONTACTS)
    text = f"{trait.name} is used for the people it knows: a stretch, {signed(amount)}."
    return (Modified(made),), (Step("QW-76", text),)


def _said(state: State, sheet: Sheet, chosen: Chosen, made: tuple[Effect, ...]) -> tuple[Step, ...]:
    who, symbol, goal = sheet.name, state.settings.symbol, _goal(sheet.name, chosen)
    if chosen.score is None:
        return (Step("QW-20", f"{who}: {sentence(chosen.tactic)}"),
                Step("QW-06", f"No ability fits, which counts as {state.edition.resolution.no_ability}."), *goal)
    what = f"{chosen.name} {notation(chosen.score, symbol)}"
    steps = [Step("QW-20", f"{who} uses {what}: {sentence(chosen.tactic)}")]
    if made:
        steps.append(Step("QW-70", f"{chosen.name} is new on the sheet."))
    for effect in made:
        if isinstance(effect, Raise) and (flaw := sheet.trait(effect.trait)):
            steps.append(Step("QW-74", f"{flaw.name} goes by the abilities: {notation(flaw.value, symbol)} becomes "
                                       f"{notation(flaw.value + effect.by, symbol)}."))
    if chosen.second_score is not None:
        both = combined(chosen.score, chosen.second_score)
        steps.append(Step("QW-26", f"Together with {chosen.second} {notation(chosen.second_score, symbol)}: "
                                   f"the average is {notation(both, symbol)}."))
    return (*steps, *goal)


def _goal(who: str, chosen: Chosen) -> tuple[Step, ...]:
    return (Step("QW-27", f"A second goal of {who}: {sentence(chosen.goal)}"),) if chosen.goal else ()


def akin(state: State, main: Chosen, trait: Trait) -> str:
    """Why a line can't augment what is used; "" where it can (QW-22)."""
    used = ((main.trait, main.name, main.family), (main.second_trait, main.second, main.second_family))
    return of_itself(trait, used, packages=state.settings.packages)


def lends(mass: Mass, tactic: str) -> Chosen:
    """What is used by whoever contributes: the force's number."""
    return Chosen(tactic, "", mass.force, mass.score)


def lend_to_all(state: State, mass: Mass) -> tuple[Chose, ...]:
    """The same for all who have said already what they do."""
    return tuple(Chose(entrant.id, lends(mass, entrant.chosen.tactic)) for entrant in state.entrants if entrant.chosen)


def take_back_lent(state: State) -> tuple[SentBack, ...]:
    """Whoever rolled the force's number says anew what they do."""
    return tuple(SentBack(entrant.id) for entrant in state.entrants if entrant.chosen) if state.lent else ()


def use_force(state: State, mass: Mass, by: str, values: Values) -> Result:
    """How one helps a force (QW-29): its number is given."""
    chosen = lends(mass, values["tactic"] or f"Is with {mass.force}")
    number = notation(mass.score, state.settings.symbol)
    said = f"{state.entrant(by).name} is with {mass.force} {number}: {sentence(chosen.tactic)}"
    return Result((Chose(by, chosen),), (Step("QW-29", said),))


def offer_to_send_back(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, about those who have said what they do."""
    said = tuple((entrant.id, entrant.name) for entrant in state.entrants if entrant.chosen)
    if said and state.framing and not state.pair:
        fields = (text("whom", "Character", needed=True), text("reason", "Reason", needed=True, most=200))
        yield Offer("send_back", "", "Ask for another tactic",
                    "It is not to be believed here, or it was tried before.", fields, {"whom": said},
                    now={"whom": said[0][0]})


def send_back(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A tactic that nobody would believe, or that was tried before: another one is asked for (QW-25, QW-30)."""
    who = values["whom"]
    text = f"{state.entrant(who).name} is asked for another tactic: {sentence(values['reason'])}"
    return Result((SentBack(who),), (Step("QW-30", text),))


CHOOSE = Act("choose", offer_choice, choose, ask_to_choose)
SEND_BACK = Act("send_back", offer_to_send_back, send_back)
EVENTS = (Chose, SentBack)
