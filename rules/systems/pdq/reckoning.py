"""The one way to a roll: `terms` before the dice, `settle` after them (PQ-02 to PQ-06, PQ-12 to PQ-14).

    side = terms([fists, brave], shifts("attack", holds, said), lead="fists")   # each shift with its reason
    blow = settle(Strike(side, other), (4, 5), (2, 2))                          # what those faces come to
    test = tried(side, how_hard({"difficulty": Rank.GOOD}))                     # its side and its target
    came = settle_test(test, (4, 5))                                            # or the dice that it wants

Tray, chip, asked roll, matrix, conflict and the page of odds make their rolls here and nowhere else.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, TypeVar

from rules.modifiers import Modifier
from rules.moves import Need, Outcome, Roll
from rules.procedure import Options
from rules.sheet import Trait
from rules.systems.pdq.attack import Blow, Strike, strike
from rules.systems.pdq.chart import Rank, rank_of, usable
from rules.systems.pdq.roll import MOST_SAID, Line, Shift, Side, shifts_of
from rules.systems.pdq.tables import Exchange, exchange, success
from rules.systems.pdq.test import Task, TestMove, rolls_of
from rules.tables import OddsAnswer
from rules.values import BadMove, Value
from rules.wording import decimal

T = TypeVar("T")

QUALITY = "quality"  # before the place of one that is struck
FLIP_OUT, CAGEY = "flip_out", "cagey"
OF_AN_OBSTACLE = {"simple": "simple", "harm": "failing hurts"}  # what the GM may say of one, beside how hard it is
Doing = Literal["attack", "reaction", "other"]
STRATEGIES: Mapping[str, tuple[str, Mapping[Doing, int]]] = {
    FLIP_OUT: ("flipping out", {"attack": 1, "reaction": -1, "other": -1}),
    CAGEY: ("playing it cagey", {"attack": -1, "reaction": 1, "other": -1}),
}


@dataclass(frozen=True)
class Hard:
    """How hard a test is, as it is kept: the target number, the word of the rank that it comes of ("" for a number as
    it stands), what failing or a rank above it does, and `whose` quality sets it.

    `said_by` is the character whose player says so; "" for what the GM has put there.
    """

    target: int
    rank: str = ""
    simple: bool = False
    harm: bool = False
    whose: str = ""
    said_by: str = ""

    @property
    def words(self) -> str:
        """`good 9`, and what else the GM says of it."""
        more = (words for name, words in OF_AN_OBSTACLE.items() if getattr(self, name))
        return ", ".join([f"{self.rank} {self.target}".strip(), *more])

    @property
    def said(self) -> str:
        """Whose word it is, as a sentence; "" for the GM's."""
        return f"{self.said_by} says: against {self.words}." if self.said_by else ""


@dataclass(frozen=True)
class Terms:
    """What a side rolled with, as it is kept with the dice: plain numbers, so that nobody reckons them anew.

    `lines` say of each rank what it is; () where an older entry has not kept it.
    """

    ranks: tuple[int, ...]
    lead: int | None
    shifts: tuple[Shift, ...]
    lines: tuple[Line, ...] = ()

    @property
    def side(self) -> Side:
        """The side of the roll."""
        return Side(tuple(map(Rank, self.ranks)), lead=self.lead, shifts=self.shifts, lines=self.lines)


def by_strategy(doing: Doing, strategy: str) -> tuple[Shift, ...]:
    """What a strategy shifts, by what its character does (PQ-12)."""
    if not strategy:
        return ()
    reason, amounts = STRATEGIES[strategy]
    return (Shift(amounts[doing], reason, "PQ-12"),)


def by_targets(targets: int) -> tuple[Shift, ...]:
    """One downshift for each target after the first (PQ-12)."""
    return (Shift(1 - targets, "each target after the first", "PQ-12"),) if targets > 1 else ()


def by_grants(grants: Iterable[str]) -> tuple[Shift, ...]:
    """What the GM granted and no roll has used yet (PQ-05)."""
    return tuple(Shift(1, reason, "PQ-05") for reason in grants)


def as_lines(modifiers: Iterable[Modifier]) -> list[Value]:
    """What waits for somebody's next roll, as lines of a form."""
    return [{"kind": modifier.kind, "amount": modifier.amount, "reason": modifier.reason} for modifier in modifiers]


def by_word(lines: Iterable[Any], who: str = "") -> tuple[Shift, ...]:
    """What somebody says shifts a roll, in lines of a form; `who` is the character whose player says it, "" for the GM.

    What players say counts at once, within what the game has: as many ranks as lie between Poor and Master, and one
    upshift for being badass. What is more is the GM's to grant. Raises `BadMove`.
    """
    said = shifts_of([{"said_by": who, **line} for line in lines])
    theirs = [shift for shift in said if shift.said_by]
    if sum(shift.amount for shift in theirs if shift.rule == "PQ-05") > 1:
        raise BadMove("Being badass is one upshift. Ask the GM to grant more.", "lines")
    for way in (1, -1):
        if sum(max(0, way * shift.amount) for shift in theirs) > MOST_SAID:
            kind = "upshifts" if way > 0 else "downshifts"
            raise BadMove(f"Enter {MOST_SAID} {kind} at most. Ask the GM to grant more.", "lines")
    return said


def terms(traits: Iterable[Trait | None], shifts: tuple[Shift, ...] = (), lead: int | None = None,
          lines: Sequence[Line] = ()) -> Side:
    """A side of a roll: the ranks of these lines as they are now, and what shifts them.

    A line that has left its sheet or is below Poor drops out. `lead` is an index into `traits`; the highest leads
    where that one dropped out, or None is named (PQ-03). `lines` say of each whose it is, and who says that it counts.
    """
    ranks: list[Rank] = []
    counted: list[Line] = []
    leading = None
    for index, trait in enumerate(traits):
        if trait is not None and usable(trait):
            leading = len(ranks) if index == lead else leading
            ranks.append(rank_of(trait))
            counted.append(replace(lines[index] if lines else Line(), name=trait.name))
    return of_ranks(ranks, shifts, leading, counted)


def of_ranks(ranks: Iterable[Rank], shifts: Iterable[Shift] = (), lead: int | None = None,
             lines: Iterable[Line] = ()) -> Side:
    """A side of a roll from ranks that are known; `lead` is the number of one of them, `lines` say what each is."""
    return Side(tuple(ranks), lead=lead, shifts=tuple(shifts), lines=tuple(lines))


def how_hard(
    values: Mapping[str, Any], opposing: tuple[Trait, str] | None = None, *, said_by: str = ""
) -> Hard:
    """How hard a test is, from checked values; a quality of whoever it is against (with their name) sets it before any
    other difficulty (PQ-09). Raises `BadMove` where nobody has said it, or a simple situation has no rank (PQ-06)."""
    difficulty, whose = values.get("difficulty"), ""
    if opposing:
        trait, name = opposing
        difficulty, whose = rank_of(trait), f"{trait.name} ({name})"[:100]
    if difficulty is None:
        raise BadMove("Ask the GM for the difficulty.", "difficulty")
    simple = bool(values.get("simple"))
    if isinstance(difficulty, Rank):
        return Hard(difficulty.target, difficulty.word, simple, bool(values.get("harm")), whose, said_by)
    if simple:
        raise BadMove("A simple situation needs a rank as its difficulty.", "difficulty")
    return Hard(int(difficulty), "", False, bool(values.get("harm")), whose, said_by)


def tried(side: Side, hard: Hard, team: Sequence[str] = ()) -> dict[str, Value]:
    """A test before its dice, as the contract's move takes it, with every reason; `team` are the names of all whose
    qualities count, where they are several (PQ-08)."""
    given: dict[str, Value] = {
        **written(side), "difficulty": hard.rank or hard.target, "simple": hard.simple, "harm": hard.harm}
    more: dict[str, Value] = {"whose": hard.whose}
    if len(team) > 1:
        more["team"] = [name[:100] for name in team[:20]]
    return {**given, **{name: said for name, said in more.items() if said}}


def task_of(given: Mapping[str, Value]) -> Task:
    """The same, read; raises `BadMove` for more than a roll can bear."""
    return TestMove().read(given)


def settle_test(
    given: Mapping[str, Value], faces: Sequence[int], lines: tuple[Line, ...] = ()
) -> tuple[Outcome, Roll] | Need:
    """What these faces come to, and as the contract tells it; or the dice that are wanted (PQ-02 to PQ-07). `lines` say
    what the qualities are: the contract has ranks alone."""
    task = task_of(given)
    outcome = TestMove().resolve(replace(task, side=replace(task.side, lines=lines)), faces)
    return outcome if isinstance(outcome, Need) else (
        outcome, Roll(TestMove.name, given, tuple(faces), outcome.result))


def test_of(side: Side, hard: Hard) -> Task:
    """A test of a side that may bring more than the contract's move takes, as a conflict's may."""
    rank = next((rank for rank in Rank if rank.word == hard.rank), None)
    return Task(side, hard.target if rank is None else rank, hard.simple, hard.harm, hard.whose)


def settle_task(task: Task, faces: Sequence[int]) -> tuple[Outcome, tuple[Roll, ...]] | Need:
    """What these faces come to, and as the contract tells it where it can; or the dice that are wanted."""
    outcome = TestMove().resolve(task, faces)
    return outcome if isinstance(outcome, Need) else (outcome, rolls_of(task, faces))


def heard(terms: Terms) -> Options:
    """What counts in it on players' words, each as `without` takes it away, and a sentence: qualities, then shifts."""
    lines = zip(terms.ranks, terms.lines, strict=False)  # an older entry has kept ranks alone
    qualities = (of_quality(place, line, Rank(rank)) for place, (rank, line) in enumerate(lines) if line.said_by)
    shifts = ((str(place), shift.words) for place, shift in enumerate(terms.shifts) if shift.said_by)
    return (*qualities, *shifts)


def of_quality(place: int, line: Line, rank: Rank) -> tuple[str, str]:
    """A quality that counts on somebody's word, by its place, with a sentence."""
    return f"{QUALITY} {place}", line.words(rank)


def without(terms: Terms, what: str) -> Terms:
    """The terms without one of the shifts, by its place, or without a quality: `0`, `quality 0`."""
    gone = place_of(what)
    if gone is None:
        return replace(terms, shifts=tuple(shift for place, shift in enumerate(terms.shifts) if str(place) != what))
    lead = lead_without(terms.lead, gone)
    return replace(terms, ranks=but(terms.ranks, gone), lines=but(terms.lines, gone), lead=lead)


def place_of(what: str) -> int | None:
    """Where the quality is that is struck; None for whatever is no quality."""
    kind, _, place = what.rpartition(" ")
    return int(place) if kind == QUALITY else None


def lead_without(lead: int | None, gone: int) -> int | None:
    """Where the lead is once the quality of this place is gone; the highest leads where it was that one (PQ-03)."""
    return None if lead is None or lead == gone else lead - (lead > gone)


def but(values: tuple[T, ...], gone: int) -> tuple[T, ...]:
    """All of them without the one of this place."""
    return (*values[:gone], *values[gone + 1:])


def kept(side: Side) -> Terms:
    """The terms of a side, to be kept with its dice."""
    return Terms(tuple(map(int, side.qualities)), side.lead, side.shifts, side.lines)


def written(side: Side) -> dict[str, Value]:
    """A side as the contract's moves take it. A shift with a reason keeps it; of the others the number matters."""
    lines = [shift for shift in side.shifts if shift.reason or shift.said_by or shift.rule == "PQ-05"]
    bare = [shift.amount for shift in side.shifts if shift not in lines]
    given: dict[str, Value] = {
        "qualities": [rank.word for rank in side.qualities],
        "upshifts": sum(max(0, amount) for amount in bare), "downshifts": sum(max(0, -amount) for amount in bare),
    }
    if lines:
        given["lines"] = [_line(shift) for shift in lines]
    return given if side.lead is None else {**given, "lead": side.lead}


def _line(shift: Shift) -> dict[str, Value]:
    kind = "badass" if shift.rule == "PQ-05" else "downshift" if shift.amount < 0 else "upshift"
    line: dict[str, Value] = {"kind": kind, "amount": abs(shift.amount), "reason": shift.reason}
    return {**line, "said_by": shift.said_by} if shift.said_by else line


def settle(move: Strike, thrown: Sequence[int], parried: Sequence[int]) -> Blow:
    """What these faces come to, the attacker's and the defender's; of each as many as its terms have dice."""
    return strike(move, sum(thrown[:move.attacker.dice]), sum(parried[:move.defence_dice]))


def said_of(side: Side, hard: Hard) -> tuple[str, ...]:
    """What counts in a test beside the qualities, each with its reason and whose word it is."""
    shifts = (shift.words for shift in side.shifts if shift.reason or shift.said_by)
    return (*shifts, *([hard.said] if hard.said else []))


def chance(task: Task) -> Fraction:
    """The chance of a test's success."""
    if task.automatic:
        return Fraction(task.automatic == "success")
    return success(task.side.modifier, task.target, task.side.dice)


def odds_of_test(task: Task, *facts: str) -> OddsAnswer:
    """The chance of a test, with these words to it."""
    good = chance(task)
    return OddsAnswer((("Success", good, "good"), ("Failure", 1 - good, "bad")), facts)


def chances_of(move: Strike) -> Exchange:
    """How an attack on one target may end, in numbers."""
    return exchange(move)


def odds_of_attack(move: Strike) -> OddsAnswer:
    """How an attack on one target may end, and what was said of it on somebody's word."""
    chances = chances_of(move)
    facts = [f"{decimal(chances.mean_damage)} damage on average when it hits"] if chances.mean_damage else []
    if move.attacker.fails:
        facts.append("The attack fails without a roll: a downshift goes below Poor")
    elif move.defender.fails and not move.static_defence:
        facts.append("The reaction counts 0 and the whole attack hits: a downshift goes below Poor")
    facts += [shift.words.rstrip(".") for shift in (*move.attacker.shifts, *move.defender.shifts) if shift.said_by]
    outcomes = (("Hit", chances.higher, "good"), ("Tie", chances.tie, "fair"), ("Miss", chances.lower, "bad"))
    return OddsAnswer(outcomes, tuple(facts))
