"""The roll: whose qualities count, what is said of it, and what the dice come to (PQ-02 to PQ-08)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import Field, Listing, Text, Word
from rules.moves import Need, Outcome, Roll, take
from rules.procedure import Ask, Offer, Options, Use
from rules.sheet import Effect, NewAllocation, Sheet, Trait
from rules.systems.pdq.at_table.difficulty import countable, of_others
from rules.systems.pdq.at_table.state import Result, State
from rules.systems.pdq.chart import rank_of
from rules.systems.pdq.harm import noted
from rules.systems.pdq.origins import left_out, quality
from rules.systems.pdq.origins import why as why_of
from rules.systems.pdq.reckoning import (
    Hard,
    Terms,
    by_word,
    kept,
    odds_of_test,
    said_of,
    settle_test,
    task_of,
    terms,
    tried,
)
from rules.systems.pdq.roll import LINE_KINDS, Line, Side, lines_field
from rules.tray import TrayAct
from rules.values import BadMove, Value
from rules.why import Part, Why

MOST_IN_A_LINE = 10  # shifts with one reason


class Shifts(Listing):
    """Shifts with their reasons: of each kind one."""

    rows = len(LINE_KINDS)


SAYING = Shifts(**{**vars(lines_field(LINE_KINDS, most=MOST_IN_A_LINE)), "word": Word.SAID})


@dataclass(frozen=True)
class Tested(Event[State]):
    """It was rolled: what counted, of whose sheets (`lines` of the one who rolls), how the dice fell, what it came to.

    `total` is None where no dice fell, `damage` what failing costs.
    """

    lines: tuple[str, ...]
    terms: Terms
    team: tuple[str, ...]
    faces: tuple[int, ...]
    success: bool
    total: int | None = None
    damage: int = 0

    def after(self, state: State) -> State:
        return replace(state, terms=self.terms, team=self.team, lines=self.lines, faces=self.faces, total=self.total,
                       outcome="success" if self.success else "failure")

    def used(self, before: State) -> tuple[Use, ...]:
        return (Use(before.who, self.lines),) if self.lines and not before.left else ()


def roll_fields(sheet: Sheet, others: Sheets) -> tuple[tuple[Field, ...], dict[str, Options]]:
    """What counts: one's own qualities, those of others who team up, and shifts on one's word (PQ-02, PQ-03, PQ-08)."""
    named: dict[str, Options] = {"traits": tuple((trait.id, name) for trait, name in countable(sheet))}
    if helping := of_others(others, sheet.id):
        named["help"] = helping
    labels = (("traits", "Qualities"), ("help", "With help from"))
    of = Text(name="id", label="Quality", most=100)
    lists = (Listing(name=name, label=label, of=of, default=()) for name, label in labels if named.get(name))
    return (*lists, SAYING), {name: ids for name, ids in named.items() if ids}


def offer_roll(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever tries, once it is known how hard it is; with what is left of what was said, nothing more is said."""
    if state.left:
        yield Offer("roll", state.who, "Roll", "With what is left.", rolls=True)
    elif state.open and state.hard and state.who in sheets:
        fields, options = roll_fields(sheets[state.who], sheets)
        yield Offer("roll", state.who, "Roll", "", fields, options, rolls=True)


def ask_to_roll(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Of whoever tries."""
    if state.open and state.hard:
        yield Ask(state.who, "roll", "roll", "Roll")


@dataclass(frozen=True)
class Chosen:
    """What counts in a roll: the side, whose names, and the test as the contract takes it."""

    own: tuple[Trait, ...]
    helping: tuple[tuple[str, Trait], ...]  # whose, and which
    side: Side
    hard: Hard
    given: Mapping[str, Value]

    @property
    def words(self) -> tuple[str, ...]:
        """What was chosen, in words: `Maps Expert [+4]`, `Old Marrow’s Club Good [+2]`."""
        own = (f"{trait.name} {rank_of(trait).notation}" for trait in self.own)
        return (*own, *(f"{name}’s {trait.name} {rank_of(trait).notation}" for name, trait in self.helping))


def chosen(state: State, sheets: Sheets, values: Values) -> Chosen:
    """What these choices come to; raises `BadMove`."""
    if state.hard is None:
        raise BadMove("Ask the GM for the difficulty.", "difficulty")
    sheet = sheets[state.who]
    own = tuple(trait for trait in sheet.traits if trait.id in values.get("traits", ()))
    helping = tuple((other.name, trait) for id_, other in sheets.items() if id_ != state.who
                    for trait in other.traits if trait.id in values.get("help", ()))
    shifts = (*state.granted, *by_word(values.get("lines", ()), state.name))
    who = "" if sheet.npc else state.name
    lines = (*(Line(said_by=who) for _ in own), *(Line(whose=name, said_by=who) for name, _ in helping))
    side = terms((*own, *(trait for _, trait in helping)), shifts, lines=lines)
    return Chosen(own, helping, side, state.hard, tried(side, state.hard, team_of(state, side.lines)))


def team_of(state: State, lines: Sequence[Line]) -> tuple[str, ...]:
    """Whose qualities count. Whoever rolls is among them, though nothing of theirs applies: nobody uses what is
    another’s unsaid."""
    return tuple(dict.fromkeys((*([state.name] if lines else []), *(line.whose for line in lines if line.whose))))


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The test (PQ-02 to PQ-09)."""
    if state.left:
        return _with_what_is_left(state, sheets, state.left, faces)
    counted = chosen(state, sheets, values)
    settled = settle_test(counted.given, faces, counted.side.lines)
    if isinstance(settled, Need):
        return settled
    result, tested = came_to(state, settled, tuple(trait.id for trait in counted.own), kept(counted.side), faces)
    said = " ".join(said_of(counted.side, counted.hard))
    told: dict[str, Value] = {
        "who": state.name, "used": ", ".join(counted.words), "said": said, "whose": counted.hard.whose}
    return replace(result, result={**{name: value for name, value in told.items() if value}, **result.result},
                   effects=hurts(sheets, state, tested))


def _with_what_is_left(state: State, sheets: Sheets, left: Terms, faces: Sequence[int]) -> Result | Need:
    """The dice that are wanted beside those that lie there."""
    take(faces, max(0, dice_of(state, left) - len(state.faces)))
    settled = settle_test(given_with(state, left), (*state.faces, *faces), left.lines)
    if isinstance(settled, Need):
        return settled
    result, tested = came_to(state, settled, state.lines, left, (*state.faces, *faces))
    return replace(result, dice=result.dice[len(state.faces):], effects=hurts(sheets, state, tested),
                   result={"who": state.name, **({"said": said} if (said := _said(state, left)) else {}),
                           **result.result})


def given_with(state: State, counted: Terms) -> dict[str, Value]:
    """The test with what is left of what was said, as the contract takes it."""
    if state.hard is None:
        raise LookupError("Nothing was rolled without a difficulty.")
    older = len(counted.lines) < len(counted.ranks)  # kept before it was known whose each quality is
    return tried(counted.side, state.hard, state.team if older else team_of(state, counted.lines))


def dice_of(state: State, counted: Terms) -> int:
    """How many dice it takes so."""
    task = task_of(given_with(state, counted))
    return 0 if task.automatic else task.side.dice


def came_to(
    state: State, settled: tuple[Outcome, Roll], lines: tuple[str, ...], counted: Terms, faces: Sequence[int]
) -> tuple[Result, Tested]:
    """What a test that fell so comes to, with its event."""
    outcome, as_told = settled
    total, damage = outcome.result.get("total"), outcome.result.get("damage")
    tested = Tested(
        lines, counted, tuple(task_of(as_told.given).team), tuple(faces), bool(outcome.result["success"]),
        total if isinstance(total, int) else None, damage if isinstance(damage, int) else 0)
    return Result((tested,), outcome.steps, outcome.result, outcome.dice, rolls=(as_told,)), tested


def hurts(sheets: Sheets, state: State, tested: Tested) -> tuple[Effect, ...]:
    """What failing costs, to be placed by its player, and that they were hurt in this scene (PQ-07, PQ-14)."""
    if not tested.damage:
        return ()
    return (NewAllocation(state.who, "damage", tested.damage, state.title), *noted(sheets, state.who))


def odds(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The exact chances, with what else counts and whose word it is."""
    if state.left:
        return ((_said(state, state.left), odds_of_test(task_of(given_with(state, state.left)))),)
    counted = chosen(state, sheets, values)
    return ((" ".join(said_of(counted.side, counted.hard)), odds_of_test(task_of(counted.given))),)


def _said(state: State, left: Terms) -> str:
    return " ".join(said_of(left.side, state.hard)) if state.hard else ""


def button(state: State, sheets: Sheets, act: TrayAct) -> str:
    """What the button says: `Roll 2d6 +4 against 11`, or that no dice fall (PQ-04, PQ-06)."""
    task = task_of(chosen(state, sheets, act.given).given)
    if task.automatic:
        return "Succeed without a roll" if task.automatic == "success" else "Fail without a roll"
    return f"Roll {task.side.notation} against {task.target}"


def why(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """Each quality with whose it is, what shifts the roll, how hard it is; and what could count beside: more qualities,
    and those of others who are here (PQ-02, PQ-03, PQ-08, PQ-16). None where it was said already."""
    if state.left:
        return None
    counted = chosen(state, sheets, values)
    used = [*map(quality, counted.own), *(quality(trait, f"{name} helps") for name, trait in counted.helping)]
    return why_of(counted.side, used, counted.hard, _idle(state, sheets, counted))


def _idle(state: State, sheets: Sheets, counted: Chosen) -> Iterator[Part]:
    """Qualities that are not ticked: one's own, then of each who is here the best one."""
    used = {trait.id for trait in (*counted.own, *(trait for _, trait in counted.helping))}
    for who, sheet in sheets.items():
        left = [trait for trait, _ in countable(sheet) if trait.id not in used]
        if who == state.who:
            yield from left_out(left, used)
        elif not sheet.dead:
            yield from left_out(sorted(left, key=rank_of, reverse=True)[:1], used, helps=sheet)


ROLL = Act("roll", offer_roll, roll, ask_to_roll, odds, why)
EVENTS = (Tested,)
