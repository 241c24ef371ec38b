"""What counts for or against somebody, each with its reason: added, applied from the sheet, removed (QW-21, QW-61)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice, Listing, Word, text
from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.after import GIVEN, free_supports
from rules.systems.questworlds.notation import signed
from rules.systems.questworlds.older.states import said, worth_of
from rules.systems.questworlds.reckoning import LASTING as LASTING_KIND
from rules.systems.questworlds.reckoning import Modifier, binding, counting, counts_with, lasting_line, told
from rules.systems.questworlds.simple_contest.state import Phase, Result, State, entrants
from rules.systems.questworlds.simple_contest.values import Chosen
from rules.systems.questworlds.simple_contest.why import why
from rules.systems.questworlds.traits import ABILITY, BREAKOUT, adds, lasting, touches
from rules.wording import sentence

KINDS = (
    ("situation", "The situation"), ("stretch", "A stretch"), ("plot", "A plot augment"),
    (GIVEN, "A community’s resource"),
)
BUMP = "bump"
# Kinds whose label is the name of a line of a sheet, as sentences call them.
OF_SHEETS = {"augment": "augment", "hindrance": "hindrance", "lasting": "lasting"}
Because = tuple[tuple[Event[State], ...], tuple[Step, ...]]


@dataclass(frozen=True)
class Modified(Event[State]):
    """A modifier is added."""

    modifier: Modifier

    def after(self, state: State) -> State:
        return replace(state, modifiers=(*state.modifiers, self.modifier))


@dataclass(frozen=True)
class TookBack(Event[State]):
    """A modifier is taken off again, by its place; what binds, or somebody said, does not come back by itself."""

    place: int

    def after(self, state: State) -> State:
        gone = state.modifiers[self.place:self.place + 1]
        struck = (line.source for line in gone if line.kind == LASTING_KIND and (line.touches or line.said_by))
        return replace(state, modifiers=(*state.modifiers[:self.place], *state.modifiers[self.place + 1:]),
                       waived=(*state.waived, *struck))


@dataclass(frozen=True)
class Answered(Event[State]):
    """The GM answers a proposal: `refused`, `assured` or `roll`, and for how much."""

    place: int
    verdict: str
    bonus: int

    def after(self, state: State) -> State:
        return state.with_proposal(self.place, verdict=self.verdict, bonus=self.bonus)


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
    amounts = {"stretch": steps.stretch, "situation": steps.situation, "plot": steps.plot, GIVEN: steps.community}
    for kind, label in KINDS:
        lines += [(f"{kind}:{amount}", f"{label}, {signed(amount, symbol)}") for amount in amounts[kind]]
        lines += [(f"{kind}:{BUMP}", f"{label}, one bump down")] if kind == "stretch" and steps.stretch_bumps else []
    fields = (
        text("whom", "Character", needed=True),
        Choice(name="line", label="Type", options=tuple(lines), default=lines[0][0]),
        text("reason", "Reason", needed=True, most=200),
    )
    yield Offer("modify", "", "Add a modifier", "", fields, {"whom": entrants(state)})


def modify(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A modifier with its kind and its reason (QW-21)."""
    who, (kind, _, written) = values["whom"], values["line"].partition(":")
    label, down = dict(KINDS)[kind], written == BUMP
    made = Modifier(who, kind, label, 0 if down else int(written), values["reason"], down=int(down))
    amount = told(made, state.settings.symbol)
    text = f"{state.entrant(who).name}, {amount}. {label}: {sentence(made.reason)}"
    return Result((Modified(made),), (Step("QW-21", text),))


def offer_lasting(state: State, sheets: Sheets) -> Iterator[Offer]:
    """Consequences and benefits that count here: all of them to the GM, to each who contends their own (QW-60).

    What touches an ability that is used counts already; what a player says stands with their name until the GM
    takes it off.
    """
    if state.phase is not Phase.MODIFY:
        return
    own = {entrant.id: _not_counted(state, sheets[entrant.id]) for entrant in state.entrants if entrant.id in sheets}
    field = Listing(name="lines", label="What counts here", of=text("line", "Line"))
    if options := tuple((line.id, f"{sheets[who].name}: {_in_a_list(state, line)}")
                        for who, lines in own.items() for line in lines):
        yield Offer("lasting", "", "Apply consequences", "", (field,), {"lines": options},
                    now={"lines": [line.id for who, lines in own.items() for line in lines
                                   if line.id not in state.waived and _touches_what_is_used(state, sheets[who], line)]})
    for who, lines in own.items():
        if options := tuple((line.id, _in_a_list(state, line)) for line in lines if line.id not in state.waived):
            yield Offer("lasting", who, "Choose what applies", "It counts at once. The GM can remove it.",
                        (replace(field, word=Word.SAID),), {"lines": options})


def _not_counted(state: State, sheet: Sheet) -> list[Trait]:
    counted = state.counted(sheet.id)
    return [line for line in lasting(sheet) if line.id not in counted]


def _in_a_list(state: State, line: Trait) -> str:
    note = f" ({line.note})" if line.note else ""
    return f"{line.name}, {worth_of(line, state.settings.symbol, state.edition)}{note}"


def _touches_what_is_used(state: State, sheet: Sheet, line: Trait) -> bool:
    chosen = state.entrant(sheet.id).chosen
    return chosen is not None and any(touches(line, used, sheet) for used in _used(sheet, chosen))


def _used(sheet: Sheet, chosen: Chosen) -> list[Trait]:
    """The lines that are used; one that is made up for it has no id yet."""
    if chosen.score is None:
        return []
    kind = BREAKOUT if sheet.trait(chosen.family) else ABILITY
    made_up = Trait("", kind, chosen.name, chosen.score, parent=chosen.family)
    return [line for line in (sheet.trait(chosen.trait) or made_up, sheet.trait(chosen.second_trait)) if line]


def bind(state: State, sheet: Sheet, chosen: Chosen) -> Because:
    """What lasts, touches what is used now, and does not count yet: it does, whoever says so (QW-60)."""
    settings, counted = state.settings, state.with_(sheet.id, chosen=chosen).counted(sheet.id)
    lines = [line for line in binding(sheet, _used(sheet, chosen), settings.by_value, state.edition)
             if line.source not in {*counted, *state.waived}]
    return tuple(Modified(line) for line in lines), _told(state, sheet.name, lines, chosen)


def _told(state: State, name: str, lines: Sequence[Modifier], chosen: Chosen | None) -> tuple[Step, ...]:
    """What counts from a sheet, and what it comes to where it is put together."""
    if not lines:
        return ()
    symbol, together = state.settings.symbol, counting(lines, chosen.used if chosen else (), state.edition)
    names = "; ".join(f"{line.label}, {told(line, symbol)}{f', {line.reason}' if line.reason else ''}"
                      for line in lines)
    if len(lines) == 1:
        return (Step("QW-60", f"{name}: {names}."),)
    how = "by rank" if len(together) < len(lines) else "by what each adds"
    amount = said(sum(line.amount for line in together), sum(line.down for line in together), symbol)
    return (Step("QW-61", f"{name}: {names}; taken together {how}, comes to {amount}."),)


def as_they_are_now(state: State, sheets: Sheets) -> Because:
    """What lasts and counts, as the sheets have it now: what was healed since goes, what is new and touches counts."""
    events: list[Event[State]] = []
    steps: list[Step] = []
    settings = state.settings
    for place, line in reversed([*enumerate(state.modifiers)]):
        if line.kind != LASTING_KIND or len(line.sources) != 1 or line.who not in sheets:
            continue
        trait = sheets[line.who].trait(line.source)
        fresh = lasting_line(sheets[line.who], trait, settings.by_value, state.edition) if trait else None
        if fresh is None or (fresh.amount, fresh.down) != (line.amount, line.down):
            now = replace(line, amount=fresh.amount, down=fresh.down, rank=fresh.rank) if fresh else None
            events += [TookBack(place), *([Modified(now)] if now else [])]
            steps.append(Step("QW-60", f"{line.label} counts {told(now, settings.symbol)} by now." if now
                              else f"{line.label} no longer counts: it has left the sheet."))
    for entrant in state.entrants:
        if entrant.chosen and entrant.id in sheets and not state.lent:
            bound, why = bind(state, sheets[entrant.id], entrant.chosen)
            events, steps = [*events, *bound], [*steps, *why]
    return tuple(events), tuple(steps)


def apply_lasting(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Consequences and benefits from earlier contests count here, on the GM's word or a player's (QW-60, QW-61)."""
    events: list[Modified] = []
    steps: list[Step] = []
    for entrant in state.entrants:
        sheet, lines = sheets[entrant.id], []
        for trait in (line for line in lasting(sheet) if line.id in values["lines"]):
            touching = _touches_what_is_used(state, sheet, trait)
            line = lasting_line(sheet, trait, state.settings.by_value, state.edition,
                                sheet.name if by and not touching else "")
            # What somebody says counts here though it touches something else counts with whatever is used.
            lines.append(line if touching else replace(line, touches=(), reason=line.reason if by else ""))
        events += [Modified(line) for line in lines]
        steps += _told(state, sheet.name, lines, entrant.chosen)
    return Result(tuple(events), tuple(steps))


def offer_support(state: State, sheets: Sheets) -> Iterator[Offer]:
    """What a community gave, for this contest: one tap (QW-93)."""
    if state.phase not in (Phase.MODIFY, Phase.ROLL, Phase.POINT):
        return
    for entrant in state.entrants:
        if entrant.id not in sheets or entrant.rolled_die:
            continue
        options = tuple((line.id, f"{line.name} {worth_of(line, state.settings.symbol, state.edition)}"
                         + (f" ({line.note})" if line.note else ""))
                        for line in free_supports(sheets[entrant.id], state.context, state.laid))
        if options:
            yield Offer("support", entrant.id, "Use what the community gave", "It is used up with this contest.",
                        (text("line", "Consequence or benefit", needed=True),), {"line": options}, chips="line")


def support(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What a community gave for one contest counts here; it leaves the sheet with the outcome (QW-93)."""
    trait = next(trait for trait in sheets[by].traits if trait.id == values["line"])
    amount = adds(trait, state.edition)
    made = Modifier(by, GIVEN, trait.name, amount, trait.note, trait.id)
    text = f"{trait.name} counts for {sheets[by].name}: {told(made, state.settings.symbol)}."
    return Result((Modified(made),), (Step("QW-93", text),))


def offer_to_take_back(state: State, sheets: Sheets) -> Iterator[Offer]:
    """A modifier that does not count after all; what players say is struck."""
    several = len(state.entrants) > 1
    options = tuple((str(place), f"{f'{state.name_of(line.who)}: ' if several else ''}{line.label}, "
                                 f"{told(line, state.settings.symbol)}")
                    for place, line in enumerate(state.modifiers)
                    if not line.said_by and counts_with(line, state.used(line.who)))
    if options and state.phase is Phase.MODIFY:
        yield Offer("take_back", "", "Remove a modifier", "", (text("line", "Modifier", needed=True),),
                    {"line": options}, chips="line")


def take_back(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A modifier goes; whoever offered it may offer another."""
    place = int(values["line"])
    gone = state.modifiers[place]
    offered = tuple(Answered(number, "refused", 0) for number, proposal in enumerate(state.proposals)
                    if gone.kind == "augment" and proposal.helps
                    and (proposal.trait, proposal.whom) == (gone.source, gone.who))
    text = f"{gone.label}, {told(gone, state.settings.symbol)}, no longer counts."
    return Result((TookBack(place), *offered), (Step("QW-21", text),))


MODIFY = Act("modify", offer_modifier, modify)
LASTING = Act("lasting", offer_lasting, apply_lasting, why=why)
SUPPORT = Act("support", offer_support, support)
TAKE_BACK = Act("take_back", offer_to_take_back, take_back)
EVENTS = (Modified, TookBack, Answered)
