"""What botches cost: the GM spends them, keeps them for later, or lets them go (DW-06); a check is dropped."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import REQUIRED, Text, Whole
from rules.moves import Need, Step, take
from rules.procedure import Ask, Offer
from rules.sheet import Gain, SpendShared
from rules.systems.danger_world.challenge import COSTS
from rules.systems.danger_world.damage import suffer
from rules.systems.danger_world.reading import KEPT, SETBACK, botches, level_of, raise_danger, rank_at
from rules.systems.danger_world.table.challenges import challenges
from rules.systems.danger_world.table.state import Phase, Result, State, ThreatLeft
from rules.systems.danger_world.track import Hit
from rules.values import BadMove
from rules.wording import join, quoted

# What the GM may buy: word, botches, label.
BUYS = (
    ("danger", 1, "The danger rises by one level"), ("threat", 1, "A threat die on a challenge"),
    ("reduced", 2, "A reduced hit"), ("full", 4, "A full hit"), ("overload", 6, "An overload hit"),
    *((f"story_{cost}", cost, COSTS[cost].story) for cost in COSTS),
)
COSTS_OF = {word: cost for word, cost, _ in BUYS}
HITS = ("reduced", "full", "overload")


@dataclass(frozen=True)
class Paid(Event[State]):
    """The GM spent botches; `sort` is the word of what they bought, `on` the challenge of a threat die (DW-06)."""

    botches: int
    sort: str
    on: str = ""
    why: str = ""

    def after(self, state: State) -> State:
        left = (ThreatLeft(self.on, 1, self.why),) if self.on else ()
        botches = state.botches - self.botches
        # With the last botch the check is over; whoever wants kept ones too takes them before.
        return replace(state, botches=botches, draws=state.draws and botches > 0, left=(*state.left, *left))


@dataclass(frozen=True)
class Drew(Event[State]):
    """The GM took botches that were kept from an earlier check."""

    botches: int

    def after(self, state: State) -> State:
        return replace(state, botches=state.botches + self.botches)


@dataclass(frozen=True)
class LetGo(Event[State]):
    """The GM spends no more botches here: they are kept for later, or let go."""

    kept: bool

    def after(self, state: State) -> State:
        return replace(state, botches=0, draws=False)


@dataclass(frozen=True)
class Ended(Event[State]):
    """The check was dropped."""

    words: str

    def after(self, state: State) -> State:
        return replace(state, over=True, ending=self.words)


def offer_paying(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, as far as the botches go."""
    if state.phase is not Phase.COSTS or state.who not in sheets or not state.botches:
        return
    options = tuple((word, f"{label}, {botches(cost)}") for word, cost, label in BUYS if cost <= state.botches)
    known = challenges(state.context).values()
    here = join([challenge.name for challenge in known if not challenge.overcome], empty="")
    yield Offer("pay", "", "Spend botches", f"{botches(state.botches)} left.", (
        Text(name="cost", label="Spend on", default=REQUIRED, missing="Choose what they are spent on."),
        Text(name="words", label="Description", most=200,
             help="For a setback: its name on the sheet."),
        Text(name="on", label="Threat die on", most=120, help="The challenge that it waits on, for the next character "
             f"who tries it.{f' In this scene: {here}.' if here else ''}"),
    ), {"cost": options}, rolls=True, now={"on": "" if state.accomplished else state.title})


def pay(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Botches are spent on the table of costs (DW-06)."""
    word, words, sheet = values["cost"], values["words"], sheets[state.who]
    cost = COSTS_OF[word]
    event, first = Paid(cost, word), botches(cost)
    more = f" {words}" if words else ""
    if word in HITS:
        hurt = suffer(sheet, Hit(word), faces)
        if isinstance(hurt, Need):
            return hurt
        paid = Step("DW-06", f"{first}: {hurt.steps[0].text}{more}")
        return Result((event,), (paid, *hurt.steps[1:]), dice=hurt.dice, effects=hurt.effects)
    take(faces, 0)
    if word == "danger":
        level = level_of(sheet) + 1
        step = Step("DW-06", f"{first}: the danger rises to {level}, zone {rank_at(level)}.{more}")
        return Result((event,), (step,), effects=raise_danger(sheet, 1))
    if word == "threat":
        on = values["on"]
        if not on:
            raise BadMove("Choose the challenge the threat die waits on.", "on")
        step = Step("DW-06", f"{first}: a threat die waits on {on}, for the next character who tries it.{more}")
        return Result((Paid(cost, word, on, words),), (step,))
    if not words:
        raise BadMove("Describe what happens. It goes on the sheet as a setback.", "words")
    step = Step("DW-06", f"{first}: {words}.")
    undo = Step("DW-07", f"Undoing it takes a height of {cost}.")
    return Result((event,), (step, undo), effects=(Gain(sheet.id, SETBACK, words, cost),))


def ask_paying(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, while botches are left."""
    if state.phase is Phase.COSTS and state.botches:
        yield Ask("", "pay", f"spend {botches(state.botches)}", "Spend", waits=True)


def offer_letting_go(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM: the check is finished."""
    if state.phase is not Phase.COSTS or state.who not in sheets:
        return
    if state.botches:
        yield Offer("let_go", "", f"Let {botches(state.botches)} go", "They are spent on nothing.")
    else:
        yield Offer("let_go", "", "Finish the check", "There are no botches, and none of those kept are used.")


def let_go(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The botches that are left are spent on nothing."""
    text = f"The GM lets {botches(state.botches)} go." if state.botches else "The GM uses no kept botches."
    return Result((LetGo(False),), (Step("DW-06", text),))


def ask_letting_go(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, where only kept botches could be used."""
    if state.phase is Phase.COSTS and not state.botches:
        yield Ask("", "let_go", "use kept botches, or finish", "Decide", decision=True, waits=True)


def offer_keeping(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    if state.phase is Phase.COSTS and state.who in sheets and state.botches:
        yield Offer("keep", "", f"Keep {botches(state.botches)} for later",
                    "They wait on the table until you use them.")


def keep(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The botches that are left are kept for a later check."""
    step = Step("DW-06", f"The GM keeps {botches(state.botches)} for later.")
    return Result((LetGo(True),), (step,), effects=(SpendShared(KEPT, state.botches),))


def offer_drawing(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM: what was kept from earlier checks."""
    if state.phase is Phase.COSTS and state.who in sheets and state.kept:
        number = Whole(name="number", label="How many", least=1, most=state.kept, default=1)
        yield Offer("draw", "", "Use kept botches", f"{botches(state.kept)} kept from earlier checks.", (number,))


def draw(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Botches that were kept are spent in this check."""
    number = values["number"]
    step = Step("DW-06", f"The GM uses {botches(number)} that were kept.")
    return Result((Drew(number),), (step,), effects=(SpendShared(KEPT, -number),))


def offer_ending(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM: the check is dropped, whatever it waits for, until its botches are spent."""
    if state.phase is not Phase.COSTS and state.who in sheets:
        yield Offer("end", "", "Cancel this check", "Nothing more comes of it.", (Text(name="words", label="Reason"),))


def end(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Nothing comes of the check."""
    words = values["words"]
    return Result((Ended(words),), (Step("DW-02", f"The check is cancelled{quoted(words)}"),))


ACTS = (
    Act("pay", offer_paying, pay, ask_paying), Act("let_go", offer_letting_go, let_go, ask_letting_go),
    Act("keep", offer_keeping, keep), Act("draw", offer_drawing, draw), Act("end", offer_ending, end),
)
EVENTS = (Paid, Drew, LetGo, Ended)
