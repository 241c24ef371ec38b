"""A test as a procedure: how hard it is, what counts, and the dice, which the tray does in one act (PQ-02 to PQ-09).

Nothing follows its dice but the damage of a failure that hurts, which waits to be placed (PQ-07).
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.came import WORDS, Came, TellsOfOne
from rules.deaths import HearsOfDeath
from rules.engine import Sheets, Values
from rules.fields import Field, Group, Listing, Text
from rules.moves import Step, take
from rules.procedure import Casting, Offer, Options, Perspective, Placement, View
from rules.sheet import Sheet
from rules.strike import DISMISS, HearsWords
from rules.systems.pdq.at_table import difficulty, roll, word
from rules.systems.pdq.at_table.state import Began, Result, State
from rules.systems.pdq.at_table.view import view
from rules.systems.pdq.chart import difficulty_field
from rules.systems.pdq.harm import unable
from rules.systems.pdq.reckoning import OF_AN_OBSTACLE, as_lines, by_word
from rules.tray import Around, RollsFromTray, TrayAct, TrayRoll
from rules.values import BadMove, Value
from rules.wording import join


class TestAtTable(RollsFromTray[State], TellsOfOne[State], HearsWords[State], HearsOfDeath[State]):
    """One who tries something, alone or with others who team up: the roll of the tray."""

    name = "pdq.test_at_table"
    title = "Test"
    title_label = "What you try"
    default_title = "A test"
    casting = Casting("one", most=1)
    placement = Placement(exclusive=False, needs_scene=False, open_to_players=True, offered=False)
    of_others = ("help", "against")
    in_secret = True
    seldom = ("help", "lines")
    afterwards = (DISMISS,)
    fields: tuple[Field, ...] = (
        Listing(name="contestants", label="Character", most=1, of=Group(
            name="one", label="One", fields=(Text(name="sheet", label="Character"),))),
        Text(name="title", label="Task", default="", most=200),
    )
    events = (Began, *difficulty.EVENTS, *roll.EVENTS, *word.EVENTS)
    acts = (roll.ROLL, difficulty.SAY, *difficulty.GMS, word.DISMISS)

    @property
    def slug(self) -> str:
        return "test"

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result:
        take(faces, 0)
        ids = [line["sheet"] for line in values["contestants"]]
        if len(ids) != 1:
            raise BadMove("Choose one who rolls. Others can help.", "who")
        sheet = sheets[ids[0]]
        if why := unable(sheet):
            raise BadMove(why, "who")
        title = values["title"] or self.default_title
        return Result((Began(sheet.id, sheet.name, title),), (Step("PQ-02", f"{sheet.name}: {title}"),))

    def blank(self) -> State:
        return State()

    def unfit(self, sheet: Sheet) -> str:
        return unable(sheet)

    def is_over(self, state: State) -> bool:
        return not state.open

    def of_death(self, state: State, sheets: Sheets, who: str) -> Result | None:
        return difficulty.of_death(state, sheets, who)

    def said(self, state: State) -> Options:
        return word.said(state)

    def came(self, state: State) -> tuple[str, Came] | None:
        if state.outcome not in WORDS or not state.hard:
            return None
        numbers = "without a roll" if state.total is None else f"{state.total} against {state.hard.target}"
        return state.name, Came(state.outcome, numbers)

    def story(self, state: State) -> tuple[str, ...]:
        """What came of it, and who teamed up."""
        if not (came := self.came(state)):
            return ()
        name, verdict = came
        return (verdict.told(name, ""), *((f"{join(state.team)} teamed up.",) if state.team else ()))

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state)

    def button(self, state: State, sheets: Sheets, act: TrayAct) -> str:
        return roll.button(state, sheets, act)

    def tray(self, sheet: Sheet, setup: Values, around: Around) -> Offer:
        """What it is against, which qualities apply, who helps, and shifts."""
        fields, named = roll.roll_fields(sheet, around.others)
        hard, opposing = difficulty.difficulty_fields(around.others, sheet.id)
        now: dict[str, Value] = {"difficulty": "average"}
        against: tuple[Field, ...] = ()
        if around.obstacles:
            against, now["obstacle"] = (Text(name="obstacle", label="Against"),), around.obstacles[-1][0]
            named["obstacle"] = around.obstacles
        traits = tuple(field for field in fields if field.name == "traits")
        rest = tuple(field for field in fields if field.name != "traits")
        every = (*against, *traits, *(difficulty_field() if field.name == "difficulty" else field for field in hard),
                 *rest)
        return Offer("roll", sheet.id, "Roll", "", every, {**named, **opposing}, rolls=True, now=now)

    def from_tray(self, sheet: Sheet, setup: Values, given: Mapping[str, Value], around: Around) -> TrayRoll:
        """How hard it is, on the GM's word where they have put it there and else on the player's; what the GM has given
        for this roll; and the roll."""
        said = {name: given[name] for name in ("difficulty", "against", "simple", "harm") if name in given}
        put = dict(around.against.values) if around.against else {}
        gms = around.runs or bool(put)
        # What a GM says in their tray of something that is in the way already counts as well.
        also = {name: True for name in OF_AN_OBSTACLE if said.get(name)}
        hard = {**said, **put, **also} if around.runs else put or said
        lines = _rows(given.get("lines"))
        acts = [TrayAct("set", "", hard)] if gms else [TrayAct("say", sheet.id, hard)]
        if more := [*as_lines(around.waiting), *(lines if around.runs else ())]:
            acts.append(TrayAct("grant", "", {"lines": more}))
        own = ("traits", "help") if around.runs else ("traits", "help", "lines")
        acts.append(TrayAct("roll", sheet.id, {name: given[name] for name in own if name in given}))
        helping = _ids(given.get("help"))
        with_others = tuple(
            id_ for id_, other in around.others.items() if any(trait.id in helping for trait in other.traits))
        if not hard:
            raise BadMove("Ask the GM for the difficulty.", "difficulty")
        return TrayRoll(setup, tuple(acts), tuple(_ids(given.get("traits"))), with_others)

    def counts_on_word(self, kind: str) -> bool:
        return True

    def said_there(self, who: str, given: Mapping[str, Value]) -> Options:
        """The shifts that a player says, each by its place."""
        return tuple((f"lines {place}", shift.words)
                     for place, shift in enumerate(by_word(_rows(given.get("lines")), who)))


def _rows(lines: Value) -> list[Value]:
    return list(lines) if isinstance(lines, (list, tuple)) else []


def _ids(lines: Value) -> list[str]:
    return [str(line) for line in _rows(lines)]
