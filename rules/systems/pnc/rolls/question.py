"""The question: who rolls for it, what the degrees mean, or the answer where nobody has to roll (PN-01 to PN-03)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import REQUIRED, Choice, Field, Flag, Group, Listing, Text
from rules.moves import Step, take
from rules.procedure import Offer
from rules.settings import asked
from rules.systems.pnc.rolls.state import BAND_WORDS, VERDICTS, Meaning, Result, Roller, Seated, State, span
from rules.systems.pnc.settings import RollSettings, Settings
from rules.systems.pnc.standing import unable
from rules.values import BadMove, Value
from rules.wording import join

SEAT = Group(name="contestant", label="Characters", fields=(
    Text(name="sheet", label="Character", default=REQUIRED, most=100),
    Flag(name="player", label="A player’s character"),
))
VERDICT = Choice(name="verdict", label="The answer", options=tuple(VERDICTS.items()), default="success")
ANSWER = Text(name="words", label="In words", default=REQUIRED, most=2000)

ROLL_FIELDS: tuple[Field, ...] = (
    Listing(name="contestants", label="Characters", of=SEAT, most=50), *asked(Settings, by=RollSettings),
)
ANSWER_FIELDS: tuple[Field, ...] = (
    Listing(name="contestants", label="Character", of=SEAT, most=1), VERDICT, ANSWER,
)


@dataclass(frozen=True)
class Started(RollSettings, Event[State]):
    """The question is on the table."""

    seats: tuple[Seated, ...]

    def after(self, state: State) -> State:
        rollers = (Roller(seat.id, seat.name, seat.player, open_ended=self.open_ended) for seat in self.seats)
        return State(tuple(rollers), self)


@dataclass(frozen=True)
class Meant(Event[State]):
    """The GM said what the degrees mean, all of them at once."""

    meanings: tuple[Meaning, ...]

    def after(self, state: State) -> State:
        return replace(state, meanings=self.meanings)


@dataclass(frozen=True)
class Settled(Event[State]):
    """The story decides; nobody rolls (PN-01)."""

    verdict: str
    words: str

    def after(self, state: State) -> State:
        return replace(state, over=True, verdict=self.verdict, words=self.words)


def begin_rolls(values: Values, sheets: Sheets, faces: Sequence[int], fewest: int) -> Result:
    """The question is asked; raises `BadMove` where too few are in it."""
    take(faces, 0)
    started = Started(_seats(values, sheets, fewest), **vars(values["settings"]))
    for index, seat in enumerate(started.seats):
        if why := unable(sheets[seat.id]):
            raise BadMove(why, f"contestants.{index}.sheet")
    names = join([seat.name for seat in started.seats])
    return Result((started,), (Step("PN-02", f"The story does not say how it ends: {names} will roll."),))


def begin_answer(values: Values, sheets: Sheets, faces: Sequence[int]) -> Result:
    """The GM answers; raises `BadMove`."""
    take(faces, 0)
    if not values["words"]:
        raise BadMove("Describe it in a few words.", "words")
    started = Started(_seats(values, sheets, 1), open_ended=True, swing=True)
    settled = settle(started.after(State()), sheets, "", values, faces)
    return Result((started, *settled.events), settled.steps, {"action": "answer", **settled.result})


def _seats(values: Values, sheets: Sheets, fewest: int) -> tuple[Seated, ...]:
    lines = values["contestants"]
    ids = [line["sheet"] for line in lines]
    for index, id_ in enumerate(ids):
        if ids.count(id_) > 1:
            raise BadMove(f"{sheets[id_].name} is in it twice. Leave one out.", f"contestants.{index}.sheet")
    if len(lines) < fewest:
        raise BadMove("It takes two to compete. Add a character." if fewest > 1 else "Choose a character.",
                      "contestants")
    return tuple(Seated(line["sheet"], sheets[line["sheet"]].name, line["player"]) for line in lines)


def offer_meanings(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, before one who rolls alone has rolled."""
    if state.begun or not state.alone:
        return
    fields: tuple[Field, ...] = tuple(
        Text(name=band_field(index), label=f"{band.capitalize()}, {span(index)}", most=500)
        for index, band in enumerate(BAND_WORDS)
    )
    now = {band_field(index): state.meaning(band) for index, band in enumerate(BAND_WORDS)}
    text = "As many of the nine as you want. Everyone can read them before the roll."
    yield Offer("mean", "", "Describe the degrees", text, fields, now=now)


def mean(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says beforehand what the degrees mean (PN-03)."""
    meanings = tuple(
        Meaning(band, values[band_field(index)]) for index, band in enumerate(BAND_WORDS) if values[band_field(index)]
    )
    text = "The GM says what the degrees mean." if meanings else "The GM hasn’t set the degrees."
    told = (Step("PN-03", f"{meaning.band.capitalize()}: {meaning.words}") for meaning in meanings)
    return Result((Meant(meanings),), (Step("PN-03", text), *told))


def band_field(index: int) -> str:
    """The name of the field for a band's meaning."""
    return f"band_{index}"


def offer_answer(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, before any die has fallen, and where somebody can roll no more."""
    missing = any(unable(sheets[roller.id]) for roller in state.rollers if roller.id in sheets and not roller.dice)
    if state.rollers and (missing or not state.begun):
        yield Offer("settle", "", "Answer without a roll",
                    "Where the story shows how it ends. The answer is kept like a roll.", (VERDICT, ANSWER))


def settle(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The story decides, in the GM's words (PN-01)."""
    step = Step("PN-01", f"{VERDICTS[values['verdict']]}: {values['words']}")
    result: dict[str, Value] = {"verdict": values["verdict"], "words": values["words"]}
    return Result((Settled(values["verdict"], values["words"]),), (step,), result)


ACTS = (Act("mean", offer_meanings, mean), Act("settle", offer_answer, settle))
EVENTS = (Started, Meant, Settled)
