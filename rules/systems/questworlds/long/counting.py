"""What counts for and against somebody: augments, lines with reasons, resistances (QW-21 to QW-23, QW-50)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice as ChoiceField
from rules.fields import Listing, text
from rules.moves import Step
from rules.procedure import Offer, Options
from rules.sheet import Sheet, Trait
from rules.systems.questworlds import traits
from rules.systems.questworlds.after import GIVEN, free_supports
from rules.systems.questworlds.helping import verdicts_of
from rules.systems.questworlds.long.dice import abilities
from rules.systems.questworlds.long.pairs import awaited, gms, own, resistance
from rules.systems.questworlds.long.state import Phase, Result, State
from rules.systems.questworlds.long.values import Choice, Line, Proposal, line_of
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.states import said, worth_of
from rules.systems.questworlds.reckoning import lasting_line
from rules.systems.questworlds.traits import adds, family, score_of
from rules.values import BadMove
from rules.wording import join, sentence

BUMP = "bump"
KINDS = (("situation", "The situation"), ("stretch", "A stretch"), ("plot", "A plot augment"),
         (GIVEN, "A community’s resource"))


@dataclass(frozen=True)
class Added(Event[State]):
    """A line is added."""

    line: Line

    def after(self, state: State) -> State:
        return replace(state, lines=(*state.lines, self.line))


@dataclass(frozen=True)
class Removed(Event[State]):
    """A line goes, by its place."""

    place: int

    def after(self, state: State) -> State:
        return replace(state, lines=(*state.lines[:self.place], *state.lines[self.place + 1:]))


@dataclass(frozen=True)
class Proposed(Event[State]):
    """Somebody offers an augment with a line of their sheet (QW-22)."""

    by: str
    helper: str
    whom: str
    trait: str
    name: str
    score: int
    words: str

    def after(self, state: State) -> State:
        made = Proposal(self.by, self.helper, self.whom, self.trait, self.name, self.score, self.words)
        return replace(state, proposals=(*state.proposals, made))


@dataclass(frozen=True)
class Answered(Event[State]):
    """The GM's answer: `refused`, `assured`, or `roll`, and for how much."""

    place: int
    verdict: str
    bonus: int

    def after(self, state: State) -> State:
        return replace(state, proposals=tuple(
            replace(proposal, verdict=self.verdict, bonus=self.bonus) if place == self.place else proposal
            for place, proposal in enumerate(state.proposals)))


@dataclass(frozen=True)
class Resisted(Event[State]):
    """The GM changes what stands against them (QW-50)."""

    who: str
    resistance: int
    ability: str = ""

    def after(self, state: State) -> State:
        part = state.entrant(self.who).part
        return state.with_(self.who, part=replace(
            part, resistance=self.resistance, ability=self.ability or part.ability, ruled=True))


def augment(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """An offer of help, which the GM answers (QW-22)."""
    whom, sheet = values["whom"], sheets[by]
    trait = next(trait for trait in sheet.traits if trait.id == values["trait"])
    using = state.entrant(whom).using
    if by == whom and using and akin(using, trait, packages=state.settings.packages):
        raise BadMove("The ability in use, or one in the same keyword, can’t augment itself. Choose another one.",
                      "trait")
    mine = [proposal for proposal in state.proposals if (proposal.by, proposal.whom) == (by, whom)]
    if any(proposal.won is False for proposal in mine):
        raise BadMove("There is no second try to augment the same contest.", "trait")
    if any(proposal.verdict != "refused" for proposal in mine):
        raise BadMove("Each augments with one ability, once in a contest. One is offered already.", "trait")
    score = score_of(trait, sheet) or 0
    made = Proposed(by, sheet.name, whom, trait.id, trait.name, score, values["words"])
    text = f"{sheet.name} offers {trait.name} {notation(score, state.settings.symbol)} as an augment"
    words = f": {sentence(values['words'])}" if values["words"] else "."
    return Result((made,), (Step("QW-22", f"{text}{words}"),))


def akin(using: Choice, trait: Trait, *, packages: bool) -> bool:
    """Whether a line is what is used, or stands in the same keyword, so that it is no augment (QW-22)."""
    if trait.id == using.trait:
        return True
    return not packages and bool(using.family) and family(trait) == using.family


def can_augment(state: State, sheet: Sheet) -> Offer | None:
    friends = tuple((contestant.id, contestant.name) for contestant in state.contestants
                    if contestant.fights and contestant.part.side == state.side_of(sheet.id))
    lines, me = abilities(state, sheet), state.contestant(sheet.id)
    if not friends or not lines or (me and me.out):
        return None
    mine = sheet.id if sheet.id in dict(friends) else friends[0][0]
    fields = (text("trait", "Ability", needed=True), text("whom", "Character", needed=True),
              text("words", "How it helps", most=200))
    return Offer("augment", sheet.id, "Offer an augment", "It counts when the GM agrees, for the whole contest.",
                 fields, {"trait": lines, "whom": friends}, now={"whom": mine})


def answer(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM accepts an augment, for how much, or does not."""
    place = int(values["proposal"])
    offered, verdict = state.proposals[place], values["verdict"]
    if verdict == "refused":
        return Result((Answered(place, "refused", 0),), (Step("QW-22", f"{offered.name} does not help here."),))
    bonus = int(verdict.removeprefix("roll"))
    if verdict.startswith("roll"):
        text = f"{offered.name} may help with {signed(bonus)}: its own contest against the base decides."
        return Result((Answered(place, "roll", bonus),), (Step("QW-22", text),))
    line = augments(state, sheets, offered, bonus)
    text = f"{offered.name} of {offered.helper} helps {state.name_of(offered.whom)}: {signed(bonus)}."
    return Result((Answered(place, "assured", bonus), Added(line)), (Step("QW-22", text),))


def augments(state: State, sheets: Sheets, offered: Proposal, amount: int) -> Line:
    """What an offered augment adds; of one's own it does not help what is akin, whichever is chosen later."""
    helper = sheets.get(offered.by)
    trait = helper.trait(offered.trait) if helper else None
    return Line(offered.whom, "augment", offered.name, amount, offered.words, offered.trait,
                family=family(trait) if trait and offered.by == offered.whom else "")


def can_answer(state: State, sheets: Sheets) -> Offer | None:
    symbol = state.settings.symbol
    waiting = tuple((str(place), f"{proposal.name} {notation(proposal.score, symbol)} of {proposal.helper}, "
                                 f"for {state.name_of(proposal.whom)}")
                    for place, proposal in enumerate(state.proposals) if not proposal.verdict)
    if not waiting:
        return None
    verdicts = tuple((verdict.removeprefix("assured"), words) for verdict, words in verdicts_of(state))
    return Offer("answer", "", "Answer an augment", "", (
        text("proposal", "Augment", needed=True), ChoiceField(name="verdict", label="Your answer", options=verdicts)),
        {"proposal": waiting}, now={"proposal": waiting[0][0]})


def offer_answer(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, until it is answered: also where a side has won meanwhile."""
    if state.phase in (Phase.ROUNDS, Phase.AFTER) and (offer := can_answer(state, sheets)):
        yield offer


def modify(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A modifier with its kind and its reason, for a round or for the whole contest (QW-21)."""
    who, (kind, _, written) = values["whom"], values["line"].partition(":")
    label, down = dict(KINDS)[kind], written == BUMP
    line = Line(who, kind, label, 0 if down else int(written), values["reason"], down=int(down),
                  once=values["span"] == "round")
    span = "for this round" if line.once else "for the whole contest"
    text = f"{state.name_of(who)}, {counts(line, state)} {span}. {label}: {sentence(line.reason)}"
    return Result((Added(line),), (Step("QW-21", text),))


def counts(line: Line, state: State) -> str:
    """What a line comes to, as people read it."""
    return said(line.amount, line.down, state.settings.symbol)


def can_modify(state: State, sheets: Sheets) -> Offer:
    symbol, lines, steps = state.settings.symbol, [], state.edition.modifiers
    amounts = {"situation": steps.situation, "stretch": steps.stretch, "plot": steps.plot, GIVEN: steps.community}
    for kind, label in KINDS:
        lines += [(f"{kind}:{amount}", f"{label}, {signed(amount, symbol)}") for amount in amounts[kind]]
        lines += [(f"{kind}:{BUMP}", f"{label}, one bump down")] if kind == "stretch" and steps.stretch_bumps else []
    fields = (
        text("whom", "Character", needed=True),
        ChoiceField(name="line", label="Type", options=tuple(lines), default=lines[0][0]),
        ChoiceField(name="span", label="How long", default="round",
               options=(("round", "This round"), ("contest", "The whole contest"))),
        text("reason", "Reason", needed=True, most=200),
    )
    return Offer("modify", "", "Add a modifier", "", fields, {"whom": _everybody(state)})


def _everybody(state: State) -> Options:
    return tuple((contestant.id, contestant.name) for contestant in state.contestants if contestant.status == "in")


def take_back(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A line goes."""
    place = int(values["line"])
    gone = state.lines[place]
    text = f"{gone.label} of {state.name_of(gone.who)}, {counts(gone, state)}, no longer counts."
    return Result((Removed(place),), (Step("QW-21", text),))


def can_take_back(state: State, sheets: Sheets) -> Offer | None:
    lines = tuple((str(place), f"{state.name_of(line.who)}: {line.label}, {counts(line, state)}")
                  for place, line in enumerate(state.lines) if not line.said_by)
    if not lines:
        return None
    return Offer("take_back", "", "Remove a modifier", "", (text("line", "Modifier", needed=True),), {"line": lines})


def lasting(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Consequences and benefits that stand on the sheets count here (QW-60, QW-61)."""
    events: list[Event[Any]] = []
    steps = []
    for who in state.contestants:
        sheet = sheets.get(who.id)
        lines = [trait for id_ in values["lines"] if sheet and (trait := sheet.trait(id_))]
        if not lines:
            continue
        names = {trait.id: trait.name for trait in sheet.traits} if sheet else {}
        made = [line_of(lasting_line(sheet, trait, state.settings.by_value, state.edition), names)
                for trait in lines if sheet]
        events += [Added(line) for line in made]
        for line in made:
            touched = [names[id_] for id_ in line.touches if id_ in names]
            with_ = f" with {join(touched)}" if touched else ""
            steps.append(Step("QW-60", f"{who.name}: {line.label}, {counts(line, state)}, counts{with_}."))
    return Result(tuple(events), tuple(steps))


def can_apply_lasting(state: State, sheets: Sheets) -> Offer | None:
    binds = (line for contestant in state.contestants for line in contestant.part.binds)
    used = {line.source for line in (*state.lines, *binds)}
    choices = tuple(
        (trait.id, f"{contestant.name}: {trait.name}, {worth_of(trait, state.settings.symbol, state.edition)}")
        for contestant in state.contestants if contestant.id in sheets
        for trait in traits.lasting(sheets[contestant.id])
        if trait.id not in used and trait.name not in state.consequences)
    if not choices:
        return None
    field = Listing(name="lines", label="What counts here", of=text("line", "Line"))
    return Offer("lasting", "", "Apply consequences", "Those of this contest count already.", (field,),
                 {"lines": choices})


def support(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What a community gave counts in the whole of it, and leaves the sheet with its end (QW-93)."""
    trait = next(trait for trait in sheets[by].traits if trait.id == values["line"])
    line = Line(by, GIVEN, trait.name, adds(trait, state.edition), trait.note, trait.id)
    text = f"{trait.name} counts for {sheets[by].name}: {counts(line, state)}."
    return Result((Added(line),), (Step("QW-93", text),))


def can_use_support(state: State, sheet: Sheet) -> Offer | None:
    """What a community gave, for this contest (QW-93)."""
    options = tuple((support.id, f"{support.name} {signed(adds(support, state.edition), state.settings.symbol)}")
                    for support in free_supports(sheet, state.context, state.laid))
    if state.contestant(sheet.id) is None or not options:
        return None
    return Offer("support", sheet.id, "Use what the community gave", "It counts to the end of this contest, and is "
                 "used up with it.", (text("line", "Consequence or benefit", needed=True),), {"line": options},
                 chips="line")


def resist(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM changes a resistance: another approach meets another one (QW-50)."""
    who = values["whom"]
    number = resistance(values["resistance"], state.settings.base, state.settings.symbol, state)
    why = f": {sentence(values['reason'])}" if values["reason"] else "."
    text = f"{state.name_of(who)} is at {notation(number, state.settings.symbol)} from now on{why}"
    return Result((Resisted(who, number, values["ability"]),), (Step("QW-50", text),))


def can_resist(state: State, sheets: Sheets) -> Offer | None:
    theirs = tuple((contestant.id, f"{contestant.name}, {notation(contestant.part.resistance, state.settings.symbol)}")
                   for contestant in state.contestants
                   if contestant.status == "in" and contestant.part.resistance is not None)
    if not theirs:
        return None
    fields = (text("whom", "Opponent", needed=True), text("resistance", "Resistance", "As 17, +6 or low.", needed=True),
              text("ability", "Ability", most=120), text("reason", "Reason", most=200))
    return Offer("resist", "", "Change a resistance", "", fields, {"whom": theirs}, now={"whom": theirs[0][0]})


EVENTS = (Added, Removed, Proposed, Answered, Resisted)
OWN: tuple[Act[Any], ...] = (Act("augment", own(can_augment), augment), Act("support", own(can_use_support), support))
GMS: tuple[Act[Any], ...] = (
    awaited(Act("answer", offer_answer, answer), "answer the augment", "Answer", waits=True),
    Act("modify", gms(can_modify), modify), Act("resist", gms(can_resist), resist),
    Act("lasting", gms(can_apply_lasting), lasting),
)
TAKE_BACK: Act[Any] = Act("take_back", gms(can_take_back), take_back)
