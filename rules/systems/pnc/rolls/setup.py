"""How standard rolls begin: who rolls, and the answer where nobody has to (PN-01, PN-02)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.engine import Sheets, Values
from rules.fields import REQUIRED, Field, Flag, Group, Listing, Text
from rules.moves import Step, take
from rules.systems.pnc.rolls.acts import settle
from rules.systems.pnc.rolls.events import Result, Seated, Started
from rules.systems.pnc.rolls.evolve import evolve
from rules.systems.pnc.rolls.offers import ANSWER, VERDICT
from rules.systems.pnc.rolls.state import State
from rules.systems.pnc.standard_roll import OPEN_ENDED
from rules.values import BadMove
from rules.wording import join

SWING = Flag(name="swing", label="A 20 earns a mulligan point, a 1 loses one", default=True,
             help="For players only, as the d20 falls first. Nobody has fewer than none.")

SEAT = Group(name="contestant", label="Who rolls", fields=(
    Text(name="sheet", label="Whose sheet", default=REQUIRED, most=100),
    Flag(name="player", label="A player's character"),
))

ROLL_FIELDS: tuple[Field, ...] = (
    Listing(name="contestants", label="Who rolls", of=SEAT, most=50), OPEN_ENDED, SWING,
)
ANSWER_FIELDS: tuple[Field, ...] = (
    Listing(name="contestants", label="Whom it is about", of=SEAT, most=1), VERDICT, ANSWER,
)


def begin_rolls(values: Values, sheets: Sheets, faces: Sequence[int], fewest: int) -> Result:
    """The question is asked; raises `BadMove` where too few are in it."""
    take(faces, 0)
    started = Started(values["open_ended"], values["swing"], _seats(values, sheets, fewest))
    names = join([each.name for each in started.seats])
    return Result((started,), (Step("PN-02", f"The story does not say how it ends: {names} will roll."),))


def begin_answer(values: Values, sheets: Sheets, faces: Sequence[int]) -> Result:
    """The GM answers; raises `BadMove`."""
    take(faces, 0)
    if not values["words"]:
        raise BadMove("Say it in a few words.", "words")
    started = Started(True, True, _seats(values, sheets, 1))
    settled = settle(evolve(State(), started), sheets, "", values, faces)
    return Result((started, *settled.events), settled.steps, {"action": "answer", **settled.result})


def _seats(values: Values, sheets: Sheets, fewest: int) -> tuple[Seated, ...]:
    lines = values["contestants"]
    ids = [line["sheet"] for line in lines]
    for index, id_ in enumerate(ids):
        where = f"contestants.{index}.sheet"
        if id_ not in sheets:
            raise BadMove("Choose a character of this campaign.", where)
        if ids.count(id_) > 1:
            raise BadMove(f"{sheets[id_].name} is in it twice. Leave one out.", where)
    if len(lines) < fewest:
        raise BadMove("It takes two to compete. Put somebody else in." if fewest > 1 else "Say who rolls.",
                      "contestants")
    return tuple(Seated(line["sheet"], sheets[line["sheet"]].name, line["player"]) for line in lines)
