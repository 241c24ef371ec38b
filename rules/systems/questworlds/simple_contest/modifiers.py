"""What counts for or against somebody, each with its reason: added, applied from the sheet, removed (QW-21, QW-61)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice, Listing
from rules.moves import Step
from rules.procedure import Offer
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.notation import signed
from rules.systems.questworlds.older.states import said, worth_of
from rules.systems.questworlds.simple_contest.state import Phase, Result, State, entrants
from rules.systems.questworlds.simple_contest.values import Modifier
from rules.systems.questworlds.traits import adds, bumps_down, lasting, supports, together, touches
from rules.wording import sentence

KINDS = (
    ("situation", "The situation"), ("stretch", "A stretch"), ("plot", "A plot augment"),
    ("community", "A community's resource"),
)
BUMP = "bump"
# Kinds whose label is the name of a line of a sheet, as sentences call them.
OF_SHEETS = {"augment": "augment", "hindrance": "hindrance", "lasting": "lasting"}


@dataclass(frozen=True)
class Modified(Event[State]):
    """A modifier is added."""

    modifier: Modifier

    def after(self, state: State) -> State:
        return replace(state, modifiers=(*state.modifiers, self.modifier))


@dataclass(frozen=True)
class TookBack(Event[State]):
    """A modifier is taken off again, by its place."""

    place: int

    def after(self, state: State) -> State:
        return replace(state, modifiers=(*state.modifiers[:self.place], *state.modifiers[self.place + 1:]))


@dataclass(frozen=True)
class Answered(Event[State]):
    """The GM answers a proposal: `refused`, `assured` or `roll`, and for how much."""

    place: int
    verdict: str
    bonus: int

    def after(self, state: State) -> State:
        return state.with_proposal(self.place, verdict=self.verdict, bonus=self.bonus)


def counts(line: Modifier, symbol: str) -> str:
    """What a modifier comes to, as people read it."""
    return said(line.amount, line.down, symbol)


def whose(state: State, line: Modifier) -> str:
    """What a modifier is called, with whose it is where somebody else helps: `Songs of Tam`."""
    of = next((proposal for proposal in state.proposals
               if (proposal.trait, proposal.whom) == (line.source, line.who)), None)
    helps = of is not None and line.kind == "augment" and of.by != line.who and of.helper
    return f"{line.label} of {of.helper}" if of and helps else line.label


def offer_modifier(state: State, sheets: Sheets) -> Iterator[Offer]:
    """A line with its kind and its reason (QW-21)."""
    if state.phase is not Phase.MODIFY:
        return
    symbol, lines, steps = state.settings.symbol, [], state.edition.modifiers
    amounts = {"stretch": steps.stretch, "situation": steps.situation, "plot": steps.plot, "community": steps.community}
    for kind, label in KINDS:
        lines += [(f"{kind}:{amount}", f"{label}, {signed(amount, symbol)}") for amount in amounts[kind]]
        lines += [(f"{kind}:{BUMP}", f"{label}, one bump down")] if kind == "stretch" and steps.stretch_bumps else []
    fields = (
        text("whom", "For whom", needed=True),
        Choice(name="line", label="What it is", options=tuple(lines), default=lines[0][0]),
        text("reason", "Reason", needed=True, most=200),
    )
    yield Offer("modify", "", "Add a modifier", "", fields, {"whom": entrants(state)})


def modify(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A modifier with its kind and its reason (QW-21)."""
    who, (kind, _, written) = values["whom"], values["line"].partition(":")
    label, down = dict(KINDS)[kind], written == BUMP
    made = Modifier(who, kind, label, 0 if down else int(written), values["reason"], down=int(down))
    amount = counts(made, state.settings.symbol)
    text = f"{state.entrant(who).name}, {amount}. {label}: {sentence(made.reason)}"
    return Result((Modified(made),), (Step("QW-21", text),))


def offer_lasting(state: State, sheets: Sheets) -> Iterator[Offer]:
    """Consequences and benefits that count here (QW-60, QW-61)."""
    if state.phase is not Phase.MODIFY:
        return
    used = _counted(state)
    options = tuple(
        (trait.id, f"{sheets[entrant.id].name}: {trait.name}, "
                   f"{worth_of(trait, state.settings.symbol, state.edition)}"
                   + (f" ({trait.note})" if trait.note else ""))
        for entrant in state.entrants for trait in lasting(sheets[entrant.id]) if trait.id not in used
    )
    if options:
        field = Listing(name="lines", label="What counts here", of=text("line", "Line"))
        yield Offer("lasting", "", "Apply consequences", "", (field,), {"lines": options},
                    now={"lines": fitting(state, sheets)})


def _counted(state: State) -> set[str]:
    """The lines of sheets that count already."""
    return {source for line in state.modifiers for source in (line.source, *line.sources)}


def fitting(state: State, sheets: Sheets) -> list[str]:
    """Of what lasts and does not count yet, what touches the ability that somebody uses (QW-60)."""
    used = _counted(state)
    return [
        line.id for entrant in state.entrants
        if entrant.chosen and (mine := sheets[entrant.id].trait(entrant.chosen.trait))
        for line in lasting(sheets[entrant.id])
        if line.id not in used and touches(line, mine, sheets[entrant.id])
    ]


def apply_lasting(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Consequences and benefits from earlier contests, several of them together (QW-60, QW-61)."""
    found: list[Modified] = []
    steps: list[Step] = []
    symbol, by_value = state.settings.symbol, state.settings.by_value
    for entrant in state.entrants:
        traits = [trait for pk in values["lines"] if (trait := sheets[entrant.id].trait(pk))]
        if not traits:
            continue
        amount = together(traits, by_value, state.edition)
        names = ", ".join(f"{trait.name} {worth_of(trait, symbol, state.edition)}" for trait in traits)
        sources = tuple(trait.id for trait in traits)
        down = sum(bumps_down(trait) for trait in traits)
        made = Modifier(entrant.id, "lasting", names, amount, "", sources[0], sources=sources, down=down)
        found.append(Modified(made))
        several = len(traits) > 1
        how = f", taken together {'by what each adds' if by_value else 'by rank'}" if several else ""
        steps.append(Step("QW-61" if several else "QW-60",
                          f"{entrant.name}: {names}{how}, comes to {counts(made, symbol)}."))
    return Result(tuple(found), tuple(steps))


def offer_support(state: State, sheets: Sheets) -> Iterator[Offer]:
    """What a community gave, for this contest: one tap (QW-93)."""
    if state.phase not in (Phase.MODIFY, Phase.ROLL, Phase.POINT):
        return
    used = {line.source for line in state.modifiers}
    for entrant in state.entrants:
        if entrant.id not in sheets or entrant.rolled_die:
            continue
        options = tuple((line.id, f"{line.name} {worth_of(line, state.settings.symbol, state.edition)}"
                         + (f" ({line.note})" if line.note else ""))
                        for line in supports(sheets[entrant.id]) if line.id not in used)
        if options:
            yield Offer("support", entrant.id, "Use what the community gave", "It is used up with this contest.",
                        (text("line", "Which", needed=True),), {"line": options}, chips="line")


def support(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What a community gave for one contest counts here; it leaves the sheet with the outcome (QW-93)."""
    trait = next(trait for trait in sheets[by].traits if trait.id == values["line"])
    amount = adds(trait, state.edition)
    made = Modifier(by, "community", trait.name, amount, trait.note, trait.id)
    text = f"{trait.name} counts for {sheets[by].name}: {counts(made, state.settings.symbol)}."
    return Result((Modified(made),), (Step("QW-93", text),))


def offer_to_take_back(state: State, sheets: Sheets) -> Iterator[Offer]:
    """A modifier that does not count after all."""
    options = tuple((str(place), f"{line.label}, {counts(line, state.settings.symbol)}")
                    for place, line in enumerate(state.modifiers))
    if options and state.phase is Phase.MODIFY:
        yield Offer("take_back", "", "Remove a modifier", "", (text("line", "Which one", needed=True),),
                    {"line": options})


def take_back(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A modifier goes; whoever offered it may offer another."""
    place = int(values["line"])
    gone = state.modifiers[place]
    offered = tuple(Answered(number, "refused", 0) for number, proposal in enumerate(state.proposals)
                    if gone.kind == "augment" and proposal.helps
                    and (proposal.trait, proposal.whom) == (gone.source, gone.who))
    text = f"{gone.label}, {counts(gone, state.settings.symbol)}, no longer counts."
    return Result((TookBack(place), *offered), (Step("QW-21", text),))


MODIFY = Act("modify", offer_modifier, modify)
LASTING = Act("lasting", offer_lasting, apply_lasting)
SUPPORT = Act("support", offer_support, support)
TAKE_BACK = Act("take_back", offer_to_take_back, take_back)
EVENTS = (Modified, TookBack, Answered)
